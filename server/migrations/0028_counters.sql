-- Totals of lists without counting rows. The functions of the ledger keep them under the lock of the account; kinora.verify
-- recomputes them. An account has them from ledger_version 2 on: credit_lock_accounts
-- counts the rows of earlier ones.

-- step: table video_count
-- A user's final videos that are not deleted. Those in progress are few and are counted by their index.
create table if not exists kinora.video_count (
  user_id uuid not null,
  model text not null,
  status text not null,
  videos bigint not null,
  constraint video_count_pkey primary key (user_id, model, status),
  constraint video_count_not_negative check (videos >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- step: table transaction_count
-- The rows of a user's history by type. Those of VIDEO_CONSUME are the rest, so that freezing credits writes no counter.
create table if not exists kinora.transaction_count (
  user_id uuid not null,
  trans_type text not null,
  transactions bigint not null,
  constraint transaction_count_pkey primary key (user_id, trans_type),
  constraint transaction_count_positive check (transactions > 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- step: index credit_account_to_count
-- The accounts that the sweep upgrades.
create index concurrently if not exists credit_account_to_count on kinora.credit_account (user_id) where ledger_version < 2;

-- step: table user_count
-- The number of users, deleted ones included, for the administrator's list. In shards, so that two sign-ups seldom wait for each other.
create table if not exists kinora.user_count (
  shard integer not null,
  users bigint not null,
  constraint user_count_pkey primary key (shard)
) with (fillfactor = 50);

-- step: function count_users
-- In schema public, as every function of a trigger: those of schema kinora are replaced with every release.
create or replace function public.count_users() returns trigger
language plpgsql
as $$
declare
  v_users bigint;
begin
  if tg_op = 'INSERT' then
    select count(*) into v_users from changed;
  else
    select -count(*) into v_users from changed;
  end if;
  if v_users <> 0 then
    insert into kinora.user_count (shard, users)
    values (1 + pg_backend_pid() % 16, v_users)
    on conflict (shard) do update set users = kinora.user_count.users + excluded.users;
  end if;
  return null;
end
$$;

-- step: users inserted
create or replace trigger user_counted after insert on public."user"
referencing new table as changed for each statement execute function public.count_users();

-- step: users deleted
create or replace trigger user_discounted after delete on public."user"
referencing old table as changed for each statement execute function public.count_users();

-- step: deleted accounts inserted, which no function deletes
create or replace trigger deleted_account_counted after insert on kinora.deleted_account
referencing new table as changed for each statement execute function public.count_users();

-- step: users of before
-- The triggers count every later change; one snapshot has a change and its count, or neither.
insert into kinora.user_count (shard, users)
select 0, (select count(*) from public."user") + (select count(*) from kinora.deleted_account)
          - coalesce((select sum(users) from kinora.user_count where shard > 0), 0)
on conflict (shard) do update set users = excluded.users;
