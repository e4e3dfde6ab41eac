-- The ledger: locking accounts, reading balances, freezing credits; credit_settle.sql and credit_release.sql have what
-- becomes of them.
-- Invariant: only the files credit*.sql write credit_* tables, and only credit_history.sql appends to the history.
--
-- Freeze, settle and release take a set: an array of requests for any number of accounts. They first lock the accounts
-- and write off expired credits, then read what they decide by, decide in memory (functions that are immutable: they
-- read no table), and write the whole set by one statement per table. Element i of a result belongs to request i. The
-- requests of one account take effect in the order of the array, as if each had been made by itself. All are
-- idempotent: called again with the same arguments they return the same and change nothing.
--
-- How a set is joined to a table: PostgreSQL plans a function once, often while the tables are empty, and keeps the
-- plan while they grow. So that no plan reads a whole table, rows are found by `cross join lateral (… offset 0)`, an
-- index lookup per element; an update finds the ctid of each row in this way, which cannot change while the caller
-- holds the lock of the account or of the row. A function marked `-- set-based` gets two options of the planner from
-- migrate (db/schema.ts), which hold for what it calls, too: enable_seqscan is off for the same reason; plan_cache_mode
-- is force_generic_plan, because with arrays as parameters the planner would plan every call anew.
--
-- A *package* is one addition of credits, a *hold* reserves credits for a video, its *slices* say how many come from
-- which package. server/src/credit/README.md has the rules in prose.

-- Locks accounts in the order of their ids, so that two callers cannot deadlock; opens those that are new, unless
-- p_opens is false; writes off every expired package (EXPIRED rows). All other functions call it first, so that the
-- movements of one user are serialised and none of them sees expired credits.
create or replace function kinora.credit_lock_accounts(p_user_ids uuid[], p_now timestamptz, p_opens boolean default true)
returns void
language plpgsql
-- set-based
as $$
declare
  v_expired_ids uuid[];
  v_missing_ids uuid[];
  v_locked record;
begin
  perform kinora.check_clock(p_now);
  if p_now is null then
    raise exception 'p_now is null' using errcode = 'null_value_not_allowed';
  end if;
  -- The minimum says of nearly every set that nothing expires.
  select array_agg(user_id) as ids, min(next_expiry_at) as next_expiry_at
  into v_locked
  from (
    select user_id, next_expiry_at
    from kinora.credit_account
    where user_id = any(p_user_ids)
    order by user_id
    for no key update
  ) a;
  if v_locked.next_expiry_at <= p_now then
    v_expired_ids := array(
      select user_id from kinora.credit_account where user_id = any(v_locked.ids) and next_expiry_at <= p_now order by user_id
    );
  end if;

  if p_opens is not false and not coalesce(v_locked.ids @> p_user_ids, false) then
    select array_agg(distinct id order by id) into v_missing_ids
    from unnest(p_user_ids) id
    where id <> all(coalesce(v_locked.ids, '{}'));
  end if;
  if v_missing_ids is not null then
    insert into kinora.credit_account (user_id, created_at)
    select id, p_now from unnest(v_missing_ids) id
    on conflict (user_id) do nothing;
    -- Another caller may have opened one of them, and have moved credits since.
    perform from kinora.credit_account where user_id = any(v_missing_ids) order by user_id for no key update;
    v_expired_ids := v_expired_ids || v_missing_ids;
  end if;

  if v_expired_ids is not null then
    perform kinora.credit_write_off(v_expired_ids, p_now);
  end if;
end
$$;

-- Writes off the expired packages of locked accounts (EXPIRED rows), and reads when the next one of each expires.
create or replace function kinora.credit_write_off(p_user_ids uuid[], p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_movements kinora.credit_movement[];
begin
  with package as (
    select user_id, id, remaining, order_no, expires_at, created_at
    from kinora.credit_package
    where user_id = any(p_user_ids) and expires_at <= p_now and remaining > 0
  ),
  written_off as (
    update kinora.credit_package p
    set expired = p.expired + p.remaining, remaining = 0
    from package
    where p.user_id = package.user_id and p.id = package.id
  )
  select array_agg(
    kinora.movement(
      p_user_id => user_id, p_trans_type => 'EXPIRED', p_credits => -remaining, p_expired => remaining, p_package_id => id,
      p_order_no => order_no
    )
    order by user_id, expires_at, created_at, id
  )
  into v_movements
  from package;
  if v_movements is not null then
    perform kinora.credit_move_all(v_movements, p_now);
  end if;

  update kinora.credit_account a
  set next_expiry_at = coalesce(
    (
      select min(p.expires_at)
      from kinora.credit_package p
      where p.user_id = a.user_id and p.expires_at > p_now and p.remaining > 0
    ),
    'infinity'
  )
  where a.user_id = any(p_user_ids);
end
$$;

-- Locks one account and returns it, as credit_lock_accounts.
create or replace function kinora.credit_lock(p_user_id uuid, p_now timestamptz) returns kinora.credit_account
language plpgsql
as $$
declare
  v_account kinora.credit_account;
begin
  perform kinora.credit_lock_accounts(array[p_user_id], p_now);
  select * into v_account from kinora.credit_account where user_id = p_user_id;
  return v_account;
end
$$;

-- Locks one account, opened if it is new, and writes nothing off. By single statements, which a divided database sends
-- to the user's part: the deletion of an account begins on another one.
create or replace function kinora.credit_wait_for_account(p_user_id uuid, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.credit_account (user_id, created_at) values (p_user_id, p_now) on conflict (user_id) do nothing;
  perform from kinora.credit_account where user_id = p_user_id for no key update;
end
$$;

-- Returns the balance at p_now, after writing off expired packages, so that the history read beside it adds up.
-- A user without an account has zero credits; reading the balance opens no account.
create or replace function kinora.credit_balance(
  p_user_id uuid, p_now timestamptz,
  out available bigint, out frozen bigint, out used bigint, out total bigint, out expiring_soon bigint, out expired bigint,
  out clawed_back bigint, out owed bigint
)
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_lock(a.user_id, p_now)
  from kinora.credit_account a
  where a.user_id = p_user_id and a.next_expiry_at <= p_now;
  select b.available, b.frozen, b.used, b.total, b.expiring_soon, b.expired, b.clawed_back, b.owed
  into available, frozen, used, total, expiring_soon, expired, clawed_back, owed
  from kinora.credit_balance_all(jsonb_build_array(jsonb_build_object('user_id', p_user_id)), p_now) b;
end
$$;

-- Returns the balances of a set of users at p_now, in sequence; p_requests: a JSON array of {user_id}. It writes
-- nothing and so waits for no lock: is_due says that credit_balance has work to do for this user first. Invariant: its
-- condition is that of credit_balance. One statement is one snapshot, so expiring_soon is a part of these credits.
create or replace function kinora.credit_balance_all(p_requests jsonb, p_now timestamptz)
returns table (
  available bigint, frozen bigint, used bigint, total bigint, expiring_soon bigint, is_due boolean, expired bigint,
  clawed_back bigint, owed bigint
)
language plpgsql
as $$
#variable_conflict use_column
begin
  perform kinora.check_clock(p_now);
  return query
  select coalesce(a.available, 0), coalesce(a.frozen, 0), coalesce(a.used, 0), coalesce(a.total, 0), coalesce(s.credits, 0)::bigint,
         coalesce(a.next_expiry_at <= p_now, false), coalesce(a.expired, 0), coalesce(a.clawed_back, 0),
         case
           when exists (select from kinora.credit_package p where p.user_id = r.user_id and p.refund_claimed > 0) then
             kinora.credit_owed(r.user_id)
           else 0
         end
  from rows from (jsonb_to_recordset(p_requests) as (user_id uuid)) with ordinality r
  left join kinora.credit_account a on a.user_id = r.user_id
  left join lateral (
    select sum(p.remaining) as credits
    from kinora.credit_package p
    where p.user_id = r.user_id and p.expires_at > p_now and p.expires_at <= p_now + interval '7 days'
  ) s on true
  order by r.ordinality;
end
$$;

-- Returns a request for a hold; the arguments that a function takes are in kinora.hold_request.
create or replace function kinora.hold(
  p_user_id uuid, p_hold_id uuid, p_credits bigint default null, p_max_open integer default null, p_key_id uuid default null,
  p_token_id uuid default null, p_remark text default null, p_grace interval default null, p_batch_size integer default null,
  p_batch_credits bigint default null, p_may_wait boolean default null
) returns kinora.hold_request
language sql immutable
return row(
  p_user_id, p_hold_id, p_credits, p_max_open, p_key_id, p_token_id, p_remark, p_grace, p_batch_size, p_batch_credits, p_may_wait
)::kinora.hold_request;

-- Reserves credits for videos, FIFO: from the packages that expire first. The requests of a batch follow each other,
-- and batch_size of the first is their number. max_open caps the open holds of an account that do not wait; 0 means the
-- most that an account may ever have, a million, which keeps open_holds far below the limit of its type, integer. One
-- that may wait does where the cap is reached or others wait already. key_id: the API key of a request, null without
-- one; its budget must cover the request too, and that of its browser token (token_id). What an administrator has
-- limited of the account counts in the place of max_open, and beside these budgets. outcomes: 'frozen' (also for a
-- hold that exists already), or 'insufficient', 'over_budget' or 'too_many' with nothing changed. available: the
-- account's credits after the request. frozen: positions of those with a hold, by account; waiting: those of them that
-- wait.
create or replace function kinora.credit_freeze_holds(
  p_requests kinora.hold_request[], p_now timestamptz, out outcomes text[], out available bigint[], out frozen integer[],
  out waiting integer[]
)
language plpgsql
-- set-based
as $$
declare
  v_all record;
  -- The keys and tokens with a budget, and what is left of each.
  v_key_ids uuid[];
  v_budgets bigint[];
  v_accounts kinora.freeze_account[];
  v_decided record;
begin
  select array_agg(user_id) as user_ids, bool_or(key_id is not null) as have_keys into v_all from unnest(p_requests);
  perform kinora.credit_lock_accounts(v_all.user_ids, p_now);
  if v_all.have_keys then
    select b.key_ids, b.remaining into v_key_ids, v_budgets from kinora.api_key_budgets(p_requests, p_now) b;
  end if;
  v_accounts := kinora.credit_read_for_freeze(p_requests, p_now);
  v_decided := kinora.credit_decide_freeze(p_requests, v_accounts, v_key_ids, v_budgets);
  outcomes := v_decided.outcomes;
  available := v_decided.available;
  frozen := v_decided.frozen;
  waiting := v_decided.waiting;
  if frozen = '{}' then
    return;
  end if;
  perform kinora.credit_write_freeze(v_decided.holds, v_accounts);
  if v_all.have_keys then
    perform kinora.api_key_use(v_decided.holds, p_now);
  end if;
  perform kinora.credit_move_all(
    array(
      select kinora.movement(
        p_user_id => user_id, p_trans_type => 'VIDEO_CONSUME', p_credits => -credits, p_frozen => credits, p_open_holds => 1,
        p_video_id => hold_id, p_remark => remark
      )
      from unnest(v_decided.holds)
    ),
    p_now
  );
  if waiting <> '{}' then
    perform kinora.credit_count_waiting(array(select (p_requests[n]).user_id from unnest(waiting) n), 1);
  end if;
end
$$;

-- Counts holds that begin or end to wait, of locked accounts: p_user_ids has the account of each.
create or replace function kinora.credit_count_waiting(p_user_ids uuid[], p_by integer) returns void
language plpgsql
-- set-based
as $$
begin
  update kinora.credit_account a
  set waiting_holds = a.waiting_holds + p_by * w.holds
  from (
    select r.row_tid, d.holds
    from (select id, count(*)::integer as holds from unnest(p_user_ids) id group by id) d
    cross join lateral (select ctid as row_tid from kinora.credit_account where user_id = d.id offset 0) r
  ) w
  where a.ctid = w.row_tid;
end
$$;

-- Reads the locked accounts of a set of freezes: of each as many packages, FIFO, as its requests may need. 16 are
-- enough for nearly every one; an account whose first ones are too small is read again with more.
create or replace function kinora.credit_read_for_freeze(p_requests kinora.hold_request[], p_now timestamptz)
returns kinora.freeze_account[]
language plpgsql
as $$
declare
  v_read record;
  v_limit bigint := 16;
begin
  loop
    select array_agg(
             row(
               a.user_id, a.available, a.open_holds, a.waiting_holds, a.row_time, r.positions, h.ids, l.max_in_progress,
               l.unspent, p.ids, p.tids, p.credits
             )::kinora.freeze_account
           ) as accounts,
           bool_or(cardinality(p.ids) = v_limit and p.total < least(r.credits, a.available)) as is_short
    into v_read
    from (
      select user_id, array_agg(ordinality::integer order by ordinality) as positions, array_agg(hold_id) as hold_ids,
             sum(credits) as credits
      from unnest(p_requests) with ordinality
      group by user_id
    ) r
    cross join lateral (
      select c.user_id, c.available, c.open_holds, c.waiting_holds, greatest(p_now, c.moved_at) as row_time
      from kinora.credit_account c
      where c.user_id = r.user_id
      offset 0
    ) a
    cross join lateral (
      select array_agg(p.id order by p.expires_at, p.created_at, p.id) as ids,
             array_agg(p.row_tid order by p.expires_at, p.created_at, p.id) as tids,
             array_agg(p.remaining order by p.expires_at, p.created_at, p.id) as credits,
             sum(p.remaining) as total
      from (
        select id, ctid as row_tid, remaining, expires_at, created_at
        from kinora.credit_package
        where user_id = a.user_id and expires_at > p_now and remaining > 0
        order by expires_at, created_at, id
        limit v_limit
      ) p
    ) p
    cross join lateral (
      select array_agg(h.id) as ids
      from unnest(r.hold_ids) d (id)
      cross join lateral (select id from kinora.credit_hold where user_id = a.user_id and id = d.id offset 0) h
    ) h
    left join lateral (
      select k.max_in_progress, k.budget - kinora.api_key_owner_used(k.user_id, k.budget_period, a.row_time) as unspent
      from kinora.api_key k
      where k.user_id = a.user_id and k.id = a.user_id
      offset 0
    ) l on true;
    if v_read.is_short is not true then
      return v_read.accounts;
    end if;
    v_limit := v_limit * 16;
  end loop;
end
$$;

-- Decides which requests can be met. That depends on those before it: a large one that is refused leaves credits for a
-- small one after it. The first request of a batch is decided for all, and those after it have its outcome. p_key_ids,
-- p_budgets: the keys and tokens with a budget, and what is left of each. holds: those with a hold, by account.
create or replace function kinora.credit_decide_freeze(
  p_requests kinora.hold_request[], p_accounts kinora.freeze_account[], p_key_ids uuid[], p_budgets bigint[],
  out outcomes text[], out available bigint[], out frozen integer[], out waiting integer[], out holds kinora.hold_request[]
)
language plpgsql immutable
as $$
declare
  v_account kinora.freeze_account;
  v_request kinora.hold_request;
  v_n integer;
  v_key integer;
  v_size integer;
  v_credits bigint;
  v_token integer;
  v_max_open integer;
begin
  outcomes := array_fill(null::text, array[cardinality(p_requests)]);
  available := array_fill(null::bigint, array[cardinality(p_requests)]);
  frozen := '{}';
  waiting := '{}';
  foreach v_account in array p_accounts loop
    foreach v_n in array v_account.positions loop
      v_request := p_requests[v_n];
      v_key := array_position(p_key_ids, v_request.key_id);
      v_size := coalesce(v_request.batch_size, 1);
      v_credits := case v_size when 0 then 0 else coalesce(v_request.batch_credits, v_request.credits * v_size) end;
      v_token := array_position(p_key_ids, v_request.token_id);
      v_max_open := coalesce(v_account.max_open, nullif(greatest(v_request.max_open, 0), 0));
      if v_request.hold_id = any(v_account.hold_ids) then
        outcomes[v_n] := 'frozen';
      elsif v_size = 0 and outcomes[v_n - 1] <> 'frozen' then
        outcomes[v_n] := outcomes[v_n - 1];
      elsif v_account.open_holds + v_size > 1000000
        or v_account.open_holds - v_account.waiting_holds + v_size > v_max_open
        and v_request.may_wait is not true then
        outcomes[v_n] := 'too_many';
      elsif least(p_budgets[v_key], p_budgets[v_token], v_account.unspent) < v_credits then
        outcomes[v_n] := 'over_budget';
      elsif v_account.available < v_credits then
        outcomes[v_n] := 'insufficient';
      else
        if v_request.may_wait and (v_account.waiting_holds > 0 and v_max_open is not null or v_account.open_holds >= v_max_open) then
          waiting := waiting || v_n;
          v_account.waiting_holds := v_account.waiting_holds + 1;
        end if;
        outcomes[v_n] := 'frozen';
        frozen := frozen || v_n;
        holds := holds || v_request;
        v_account.available := v_account.available - v_request.credits;
        v_account.open_holds := v_account.open_holds + 1;
        v_account.hold_ids := v_account.hold_ids || v_request.hold_id;
        v_account.unspent := v_account.unspent - v_request.credits;
        if v_key is not null then
          p_budgets[v_key] := p_budgets[v_key] - v_request.credits;
        end if;
        if v_token is not null then
          p_budgets[v_token] := p_budgets[v_token] - v_request.credits;
        end if;
      end if;
      available[v_n] := v_account.available;
    end loop;
  end loop;
end
$$;

-- Lays the holds, those of an account one after the other, along the packages of their accounts: the slices of each
-- hold, and what is taken from which package, by its ctid.
create or replace function kinora.credit_slice_holds(
  p_holds kinora.hold_request[], p_accounts kinora.freeze_account[],
  out slices kinora.hold_slices[], out tids tid[], out taken bigint[]
)
language plpgsql immutable
as $$
declare
  v_account kinora.freeze_account;
  v_slices kinora.hold_slices;
  v_i integer := 1;
  -- The package to take from, and what was taken from it.
  v_package integer;
  v_taken bigint;
  v_missing bigint;
  v_credits bigint;
begin
  foreach v_account in array p_accounts loop
    v_package := 1;
    v_taken := 0;
    while (p_holds[v_i]).user_id = v_account.user_id loop
      v_slices := row('{}'::uuid[], '{}'::bigint[], v_account.row_time);
      v_missing := (p_holds[v_i]).credits;
      v_i := v_i + 1;
      while v_missing > 0 loop
        if v_package > coalesce(cardinality(v_account.package_ids), 0) then
          raise exception 'account % shows % credits available, its packages % fewer',
            v_account.user_id, v_account.available, v_missing;
        end if;
        v_credits := least(v_account.package_credits[v_package] - v_taken, v_missing);
        v_slices.package_ids := v_slices.package_ids || v_account.package_ids[v_package];
        v_slices.package_credits := v_slices.package_credits || v_credits;
        v_missing := v_missing - v_credits;
        v_taken := v_taken + v_credits;
        if v_taken = v_account.package_credits[v_package] then
          tids := tids || v_account.package_tids[v_package];
          taken := taken || v_taken;
          v_package := v_package + 1;
          v_taken := 0;
        end if;
      end loop;
      slices := slices || v_slices;
    end loop;
    if v_taken > 0 then
      tids := tids || v_account.package_tids[v_package];
      taken := taken || v_taken;
    end if;
  end loop;
end
$$;

-- Writes holds, and takes their credits from the packages.
create or replace function kinora.credit_write_freeze(p_holds kinora.hold_request[], p_accounts kinora.freeze_account[])
returns void
language plpgsql
as $$
declare
  v_sliced record := kinora.credit_slice_holds(p_holds, p_accounts);
begin
  with frozen_hold as (
    insert into kinora.credit_hold (user_id, id, credits, key_id, token_id, package_ids, package_credits, created_at)
    select user_id, hold_id, credits, key_id, token_id, package_ids, package_credits, created_at
    from unnest(p_holds, v_sliced.slices)
  )
  update kinora.credit_package p
  set remaining = p.remaining - t.credits, frozen = p.frozen + t.credits
  from unnest(v_sliced.tids, v_sliced.taken) t (row_tid, credits)
  where p.ctid = t.row_tid;
end
$$;

-- Returns the states of holds, null for an unknown hold.
create or replace function kinora.credit_hold_states(p_requests kinora.hold_request[]) returns text[]
language plpgsql
as $$
begin
  return array(
    select h.state
    from unnest(p_requests) with ordinality r
    left join lateral (
      select state from kinora.credit_hold where user_id = r.user_id and id = r.hold_id offset 0
    ) h on true
    order by r.ordinality
  );
end
$$;
