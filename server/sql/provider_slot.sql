-- The limits of an account at a provider, over all workers: so many tasks at a time, and so many submits in a time.
-- Each is a number of slots, one a row, of which a worker takes one that no other transaction has locked: there is no
-- counter that all workers write. A slot of a submit is free again after the time of the limit, so that no window of
-- that length has more submits. A slot of a task is its video's until a worker finds that the video is at the provider
-- no more: nothing has to be recorded at its end, and a crash loses no slot. Invariant: a row is written only by the
-- transaction with the advisory lock of its slot, and that lock is only tried, so that no worker waits for another.
-- `skip locked` does wait: when a row changes while it is locked, PostgreSQL goes on to the new version of the row, and
-- waits for the transaction that has locked that one.

-- Tries the lock of a slot, until the transaction ends. Returns whether this transaction has it.
create or replace function kinora.provider_try_slot(p_account text, p_kind text, p_n integer) returns boolean
language sql volatile
return pg_try_advisory_xact_lock(hashtext(p_kind || ' ' || p_account), p_n);

-- Locks a slot: that of the holder, or a free one; a slot that was never taken has no row. Null: there is none.
create or replace function kinora.provider_lock_slot(
  p_account text, p_kind text, p_slots integer, p_holder text, p_now timestamptz
) returns integer
language plpgsql
as $$
declare
  v_n integer;
begin
  for v_n in
    select slot.n
    from generate_series(1, p_slots) slot (n)
    left join kinora.provider_slot s on s.account = p_account and s.kind = p_kind and s.n = slot.n
    where case p_kind when 'task' then coalesce(s.holder, p_holder) = p_holder else coalesce(s.until, '-infinity') <= p_now end
    order by s.holder, slot.n
  loop
    continue when not kinora.provider_try_slot(p_account => p_account, p_kind => p_kind, p_n => v_n);
    -- Another transaction may have taken it since the list was read.
    if not exists (
      select
      from kinora.provider_slot s
      where s.account = p_account and s.kind = p_kind and s.n = v_n
        and case p_kind when 'task' then s.holder <> p_holder else s.until > p_now end
    ) then
      return v_n;
    end if;
  end loop;
  return null;
end
$$;

-- Takes what a submit needs: a slot of the p_concurrency tasks, and one of the p_count submits in p_seconds; null:
-- without this limit. outcome: 'taken', 'full' (no task can be added), 'later' (no submit before free_at). Only 'taken'
-- changes anything.
create or replace function kinora.provider_take_slot(
  p_account text, p_holder text, p_now timestamptz, p_concurrency integer default null, p_count integer default null,
  p_seconds integer default null, out outcome text, out free_at timestamptz
)
language plpgsql
as $$
declare
  v_task integer;
  v_submit integer;
begin
  perform kinora.check_clock(p_now);
  if p_concurrency is not null then
    v_task := kinora.provider_lock_slot(p_account, 'task', p_concurrency, p_holder, p_now);
    if v_task is null then
      outcome := 'full';
      return;
    end if;
  end if;
  if p_count is not null then
    v_submit := kinora.provider_lock_slot(p_account, 'submit', p_count, null, p_now);
    if v_submit is null then
      outcome := 'later';
      -- A slot that another transaction has locked may be free: that is known when that one ends.
      select greatest(min(s.until), p_now) into free_at from kinora.provider_slot s where s.account = p_account and s.kind = 'submit';
      return;
    end if;
  end if;
  outcome := 'taken';
  insert into kinora.provider_slot (account, kind, n, holder, until)
  select p_account, taken.*
  from (
    values ('task', v_task, p_holder, p_now + interval '2 minutes'),
           ('submit', v_submit, null, p_now + p_seconds * interval '1 second')
  ) taken (kind, n, holder, until)
  where taken.n is not null
  on conflict (account, kind, n) do update
  set holder = excluded.holder, until = excluded.until;
end
$$;

-- Frees the slots of tasks of these holders, which the caller knows to be at the provider no more. Returns how many
-- there were.
create or replace function kinora.provider_free_slots(p_account text, p_holders text[], p_now timestamptz) returns bigint
language sql
begin atomic
  select kinora.check_clock(p_now);
  with ended as materialized (
    select s.n
    from kinora.provider_slot s
    where s.account = p_account and s.kind = 'task' and s.holder = any(p_holders) and s.until <= p_now
  ),
  locked as materialized (
    select n from ended where kinora.provider_try_slot(p_account => p_account, p_kind => 'task', p_n => n)
  ),
  freed as (
    update kinora.provider_slot s
    set holder = null
    from locked l
    where s.account = p_account and s.kind = 'task' and s.n = l.n and s.holder = any(p_holders) and s.until <= p_now
    returning s.n
  )
  select count(*) from freed;
end;
