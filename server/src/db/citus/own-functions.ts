/** Functions that a distributed database has instead of those of server/sql: on each shard, and on the coordinator. */

import { OTHER_PART } from '../parts.ts'

/** SQLSTATE of a write on a node that the shard has left: nothing was done. */
export const SHARD_MOVED = 'KN003'

/** Stands in a text for the number that Citus gave a table of the shard. */
export const SHARD_ID = ':shard_id'

/** A change that goes through Citus on the node itself. No row matches. */
const CHANGE_OF_CITUS = `update kinora.shard_user set "language" = "language" where user_id = p_user_id and "email" is null`

/**
 * `commit_in_two_phases`: a change that goes through Citus on the node itself makes it commit the transaction in two
 * phases. Without one Citus commits on the coordinator, then here: a node that dies in between would leave an event
 * applied without its credits. The lock serialises the user's payments until the coordinator has committed, which is
 * after the shard: the lock of the account ends with the shard's commit, and the next event would not see what the one
 * before has written on the coordinator.
 *
 * `administrator_key_is_free`: an administrator's key is a row of the shard of the user whom the request concerns,
 * which another shard does not see. The coordinator's row says whose it is; a second request waits for it until the
 * first one is committed on both.
 *
 * `shard_is_here`: the trigger of every statement that writes the shard. Citus stops the writers of a shard for the
 * last part of a move by this lock, which it takes for its own statements alone; 5 is ShareLock. Who gets it while the
 * shard is here keeps the move waiting until the end of the transaction; who gets it later reads, in a snapshot that is
 * taken after the lock, that the shard is elsewhere.
 *
 * `verify_payment`: the coordinator has these rules, beside the payments.
 *
 * `credit_worth` and what follows from it: no credit has a value where payments are apart.
 */
export const OF_SHARD = [
  `
create or replace function kinora.shard_is_here() returns trigger language plpgsql as $$
begin
  perform lock_shard_metadata(5, array[${SHARD_ID}]);
  if not exists (select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = ${SHARD_ID}) then
    raise exception 'the shard of table % is on another node', tg_table_name using errcode = '${SHARD_MOVED}';
  end if;
  return null;
end
$$`,
  `
create or replace function kinora.commit_in_two_phases(p_user_id uuid) returns void language plpgsql as $$
begin
  ${CHANGE_OF_CITUS};
  insert into kinora.payment_lock (user_id) values (p_user_id) on conflict (user_id) do update set user_id = excluded.user_id;
end
$$`,
  `
create or replace function kinora.administrator_key_is_free(
  p_admin_id uuid, p_operation text, p_key text, p_user_id uuid, p_is_stored boolean, p_now timestamptz
) returns boolean language plpgsql as $$
begin
  if p_is_stored then
    ${CHANGE_OF_CITUS};
    insert into kinora.administrator_key (user_id, operation, key, subject_user_id, created_at)
    values (p_admin_id, p_operation, p_key, p_user_id, p_now)
    on conflict (user_id, operation, key) do nothing;
  end if;
  return not exists (
    select from kinora.administrator_key k
    where k.user_id = p_admin_id and k.operation = p_operation and k.key = p_key and k.subject_user_id <> p_user_id
  );
end
$$`,
  ...['verify_payment', 'verify_payment_claim'].map(
    (name) => `
create or replace function kinora.${name}(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable as 'select null::uuid, '''', '''', '''', '''' where false'`,
  ),
  `
create or replace function kinora.credit_worth(p_user_id uuid, p_package_id uuid)
returns table (usd numeric, cents numeric, currency text, product text)
language sql stable as 'select null::numeric, null::numeric, null, null'`,
  `
create or replace function kinora.credit_worth_is_open(p_user_id uuid, p_source text) returns boolean
language sql stable as 'select false'`,
  `
create or replace function kinora.film_sum_mark(p_before kinora.payment, p_payment kinora.payment) returns void
language sql as ''`,
  `
create or replace function kinora.film_sum_days_of(p_user_id uuid, p_source text) returns setof date
language sql stable as 'select null::date where false'`,
]

/** What the coordinator has instead of a function of a file. */
export const OF_COORDINATOR = new Map([
  [
    'two_phase.sql',
    // Its Citus commits the node first. The change of the lock, through Citus, makes it two phases; and the deletion of
    // an account sees the subscription of the payment before. An event without a user changes the coordinator alone.
    `
      create or replace function kinora.commit_in_two_phases(p_user_id uuid) returns void language plpgsql as $$
      begin
        if p_user_id is not null then
          insert into kinora.payment_lock (user_id) values (p_user_id) on conflict (user_id) do update set user_id = excluded.user_id;
        end if;
      end
      $$;
    `,
  ],
  [
    'account.sql',
    // Its shard clears the account, in a transaction of its own.
    `
      create or replace function kinora.account_delete(
        p_user_id uuid, p_actor_id uuid, p_email_hash bytea, p_cancel_error text, p_grace interval, p_request_id text,
        p_owed bigint, p_now timestamptz, p_reason text default null
      ) returns text language plpgsql as $$
      declare
        v_outcome constant text := kinora.account_close(
          p_user_id => p_user_id, p_actor_id => p_actor_id, p_email_hash => p_email_hash, p_request_id => p_request_id,
          p_reason => p_reason, p_owed => p_owed, p_now => p_now
        );
      begin
        return case v_outcome when 'deleted' then 'closed' else v_outcome end;
      end
      $$;
    `,
  ],
  [
    'credit_transfer.sql',
    // User and team are on two shards, and a function runs on one.
    `
      create or replace function kinora.credit_transferable(p_user_id uuid, p_now timestamptz)
      returns table (package_id uuid, trans_type text, credits bigint, expires_at timestamptz) language plpgsql stable as $$
      begin
      end
      $$;
      create or replace function kinora.credit_transfer(
        p_user_id uuid, p_team_id uuid, p_transfer_id uuid, p_credits bigint, p_now timestamptz, p_key text default null,
        p_request_hash bytea default null, p_collects boolean default false, out outcome text, out transfer_id uuid, out credits bigint, out packages jsonb
      ) language plpgsql as $$
      begin
        outcome := 'divided';
      end
      $$;
      create or replace function kinora.team_pass_on_owed(p_team_id uuid, p_now timestamptz) returns void language sql as '';
    `,
  ],
  [
    'payment.sql',
    `
      create or replace function kinora.payment_apply(p_user_id uuid, p_processor text, p_effects jsonb, p_now timestamptz)
      returns void language plpgsql as $$
      begin
        raise exception 'the shard of user % applies its payments', p_user_id using errcode = '${OTHER_PART}';
      end
      $$;
    `,
  ],
])
