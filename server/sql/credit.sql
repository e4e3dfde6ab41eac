-- The ledger: locking accounts, freezing, settling and releasing credits. Invariant: only the files credit*.sql
-- write credit_* tables, and only credit_history.sql appends to the history.
--
-- Every function takes a set: arrays with one element per request, for any number of accounts. It first locks the accounts and
-- writes off expired credits, then moves the credits of the whole set by one statement per table. Element i of a result belongs
-- to request i. The requests of one account take effect in the sequence of the array, as if each had been made by itself. All
-- functions are idempotent: called again with the same arguments they return the same and change nothing.
--
-- How a set is joined to a table: PostgreSQL plans a function once, often while the tables are empty, and keeps the plan while they
-- grow. So that no plan reads a whole table, rows are read by `cross join lateral (… offset 0)`, an index lookup per element,
-- and an update repeats the ids of its set as arrays. enable_seqscan is off for the same reason.
--
-- A *package* is one addition of credits, a *hold* reserves credits for a video, its *slices* record from which packages.
-- server/src/credit/README.md has the rules in prose.

-- Locks accounts in the sequence of their ids, so that two callers cannot deadlock; opens those that are new; writes off every
-- expired package (EXPIRED rows). All other functions call it first, so that the movements of one user are serialised and none
-- of them sees expired credits.
create or replace function kinora.credit_lock_accounts(p_user_ids uuid[], p_now timestamptz) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_expired_ids uuid[];
  v_movements kinora.credit_movement[];
  v_missing_ids uuid[];
  v_locked record;
begin
  perform kinora.check_clock(p_now);
  if p_now is null then
    raise exception 'p_now is null' using errcode = 'null_value_not_allowed';
  end if;
  select array_agg(user_id) as ids,
         array_agg(user_id) filter (where ledger_version < 1) as to_upgrade,
         array_agg(user_id) filter (where next_expiry_at <= p_now) as expired
  into v_locked
  from (
    select user_id, ledger_version, next_expiry_at
    from kinora.credit_account
    where user_id = any(p_user_ids)
    order by user_id
    for no key update
  ) a;
  v_expired_ids := v_locked.expired;

  select array_agg(distinct id order by id) into v_missing_ids
  from unnest(p_user_ids) id
  where id <> all(coalesce(v_locked.ids, '{}'));
  if v_missing_ids is not null then
    insert into kinora.credit_account (user_id, created_at, ledger_version)
    select id, p_now, 1 from unnest(v_missing_ids) id
    on conflict (user_id) do nothing;
    -- Another caller may have opened one of them, and have moved credits since.
    perform from kinora.credit_account where user_id = any(v_missing_ids) order by user_id for no key update;
    v_expired_ids := v_expired_ids || v_missing_ids;
  end if;

  if v_locked.to_upgrade is not null then
    perform kinora.credit_upgrade(a, p_now) from kinora.credit_account a where a.user_id = any(v_locked.to_upgrade);
  end if;
  if v_expired_ids is null then
    return;
  end if;

  with package as (
    select user_id, id, remaining, order_no, expires_at, created_at
    from kinora.credit_package
    where user_id = any(v_expired_ids) and expires_at <= p_now and remaining > 0
  ),
  written_off as (
    update kinora.credit_package p
    set expired = p.expired + p.remaining, remaining = 0
    from package
    where p.user_id = package.user_id and p.id = package.id
  )
  select array_agg(
    row(
      user_id, 'EXPIRED', -remaining, 0, remaining, 0, 0, 0, 'infinity', id, null, order_no, null, null, null, null, null
    )::kinora.credit_movement
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
  where a.user_id = any(v_expired_ids);
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

-- Reserves credits for videos, FIFO: from the packages that expire first. p_max_open caps the open holds of an account; 0 means
-- the most that an account may ever have, a million, which keeps open_holds far below the limit of its type, integer.
-- outcomes: 'frozen' (also for a hold that exists already), or 'insufficient' or 'too_many' with nothing changed.
-- available: the account's credits after the request.
create or replace function kinora.credit_freeze_holds(
  p_user_ids uuid[], p_hold_ids uuid[], p_credits bigint[], p_remarks text[], p_max_open integer[], p_now timestamptz,
  out outcomes text[], out available bigint[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_account record;
  v_n integer;
  v_available bigint;
  v_open_holds integer;
  -- Of the present account: the holds that the set has frozen, and the position of the package to take from.
  v_hold_ids uuid[];
  v_remaining bigint[];
  v_package integer;
  v_missing bigint;
  v_credits bigint;
  -- Positions of the requests that freeze credits.
  v_frozen integer[] := '{}';
  -- Slices: position of the request, package, credits.
  v_slice_requests integer[] := '{}';
  v_slice_packages uuid[] := '{}';
  v_slice_credits bigint[] := '{}';
  v_movements kinora.credit_movement[];
begin
  perform kinora.credit_lock_accounts(p_user_ids, p_now);
  outcomes := array_fill(null::text, array[cardinality(p_user_ids)]);
  available := array_fill(null::bigint, array[cardinality(p_user_ids)]);

  -- Whether a request can be met depends on those before it: a large one that is refused leaves credits for a small one after
  -- it. So a loop in memory decides, and lays the requests of an account along its packages; the tables are changed by sets.
  for v_account in
    select a.user_id, a.available, a.open_holds, r.positions, p.ids as package_ids, p.remaining, h.ids as hold_ids
    from (
      select user_id, array_agg(n::integer order by n) as positions
      from unnest(p_user_ids) with ordinality r (user_id, n)
      group by user_id
    ) r
    cross join lateral (
      select c.user_id, c.available, c.open_holds from kinora.credit_account c where c.user_id = r.user_id offset 0
    ) a
    cross join lateral (
      select array_agg(p.id order by p.expires_at, p.created_at, p.id) as ids,
             array_agg(p.remaining order by p.expires_at, p.created_at, p.id) as remaining
      from kinora.credit_package p
      where p.user_id = a.user_id and p.expires_at > p_now and p.remaining > 0
    ) p
    cross join lateral (
      select array_agg(h.id) as ids
      from unnest(r.positions) n
      cross join lateral (
        select id from kinora.credit_hold where user_id = a.user_id and id = p_hold_ids[n] offset 0
      ) h
    ) h
  loop
    v_available := v_account.available;
    v_open_holds := v_account.open_holds;
    v_hold_ids := v_account.hold_ids;
    v_remaining := v_account.remaining;
    v_package := 1;
    foreach v_n in array v_account.positions loop
      if p_hold_ids[v_n] = any(v_hold_ids) then
        outcomes[v_n] := 'frozen';
      elsif v_open_holds >= least(nullif(greatest(p_max_open[v_n], 0), 0), 1000000) then
        outcomes[v_n] := 'too_many';
      elsif v_available < p_credits[v_n] then
        outcomes[v_n] := 'insufficient';
      else
        outcomes[v_n] := 'frozen';
        v_available := v_available - p_credits[v_n];
        v_open_holds := v_open_holds + 1;
        v_hold_ids := v_hold_ids || p_hold_ids[v_n];
        v_frozen := v_frozen || v_n;
        v_missing := p_credits[v_n];
        while v_missing > 0 loop
          if v_package > coalesce(cardinality(v_remaining), 0) then
            raise exception 'account % shows % credits available, its packages % fewer',
              v_account.user_id, v_account.available, v_missing;
          end if;
          v_credits := least(v_remaining[v_package], v_missing);
          v_slice_requests := v_slice_requests || v_n;
          v_slice_packages := v_slice_packages || v_account.package_ids[v_package];
          v_slice_credits := v_slice_credits || v_credits;
          v_missing := v_missing - v_credits;
          v_remaining[v_package] := v_remaining[v_package] - v_credits;
          if v_remaining[v_package] = 0 then
            v_package := v_package + 1;
          end if;
        end loop;
      end if;
      available[v_n] := v_available;
    end loop;
  end loop;
  if v_frozen = '{}' then
    return;
  end if;

  with slice as (
    select p_user_ids[n] as user_id, p_hold_ids[n] as hold_id, package_id, credits
    from unnest(v_slice_requests, v_slice_packages, v_slice_credits) s (n, package_id, credits)
  ),
  frozen_hold as (
    insert into kinora.credit_hold (user_id, id, credits, created_at)
    select p_user_ids[n], p_hold_ids[n], p_credits[n], p_now from unnest(v_frozen) n
  ),
  frozen_slice as (
    insert into kinora.credit_slice (user_id, hold_id, package_id, credits)
    select user_id, hold_id, package_id, credits from slice
  )
  update kinora.credit_package p
  set remaining = p.remaining - s.credits, frozen = p.frozen + s.credits
  from (select user_id, package_id, sum(credits) as credits from slice group by user_id, package_id) s
  where p.user_id = s.user_id and p.id = s.package_id and p.user_id = any(p_user_ids) and p.id = any(v_slice_packages);

  select array_agg(
    row(
      p_user_ids[n], 'VIDEO_CONSUME', -p_credits[n], p_credits[n], 0, 0, 0, 1, 'infinity', null, p_hold_ids[n], null,
      p_remarks[n], null, null, null, null
    )::kinora.credit_movement
    order by n
  )
  into v_movements
  from unnest(v_frozen) n;
  perform kinora.credit_move_all(v_movements, p_now);
end
$$;

-- Consumes the credits of holds. Returns the state of each hold afterwards: 'settled', 'released' if that came first, or null for
-- an unknown hold.
create or replace function kinora.credit_settle_holds(p_user_ids uuid[], p_hold_ids uuid[], p_now timestamptz) returns text[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_states text[];
begin
  perform kinora.credit_lock_accounts(p_user_ids, p_now);
  with settled as (
    update kinora.credit_hold h
    set state = 'settled', closed_at = p_now
    from (select distinct user_id, hold_id from unnest(p_user_ids, p_hold_ids) r (user_id, hold_id)) r
    where h.user_id = r.user_id and h.id = r.hold_id and h.state = 'frozen'
      and h.user_id = any(p_user_ids) and h.id = any(p_hold_ids)
    returning h.user_id, h.id, h.credits
  ),
  used_package as (
    update kinora.credit_package p
    set frozen = p.frozen - s.credits, used = p.used + s.credits
    from (
      select h.user_id, s.package_id, sum(s.credits) as credits
      from settled h
      cross join lateral (
        select package_id, credits from kinora.credit_slice where user_id = h.user_id and hold_id = h.id offset 0
      ) s
      group by h.user_id, s.package_id
    ) s
    where p.user_id = s.user_id and p.id = s.package_id and p.user_id = any(p_user_ids)
  ),
  used_account as (
    update kinora.credit_account a
    set frozen = a.frozen - s.credits, used = a.used + s.credits, open_holds = a.open_holds - s.holds
    from (select user_id, sum(credits) as credits, count(*) as holds from settled group by user_id) s
    where a.user_id = s.user_id and a.user_id = any(p_user_ids)
  )
  -- This reads the states before the update above.
  select array_agg(case h.state when 'frozen' then 'settled' else h.state end order by r.n)
  into v_states
  from unnest(p_user_ids, p_hold_ids) with ordinality r (user_id, hold_id, n)
  left join lateral (
    select state from kinora.credit_hold where user_id = r.user_id and id = r.hold_id offset 0
  ) h on true;
  return v_states;
end
$$;

-- Returns the credits of holds to the balance. What refund claims are owed by their packages is taken first. Credits whose package
-- has expired meanwhile come back in a grace package, or expire when their grace is over too.
-- Returns the state of each hold afterwards: 'released', 'settled' if that came first, or null for an unknown hold.
create or replace function kinora.credit_release_holds(
  p_user_ids uuid[], p_hold_ids uuid[], p_remarks text[], p_graces interval[], p_now timestamptz
) returns text[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_states text[];
  v_movements kinora.credit_movement[];
begin
  if array_position(p_graces, null) is not null then
    raise exception 'a grace is null' using errcode = 'null_value_not_allowed';
  end if;
  perform kinora.credit_lock_accounts(p_user_ids, p_now);
  with request as (
    select distinct on (user_id, hold_id) user_id, hold_id, remark, grace, n
    from unnest(p_user_ids, p_hold_ids, p_remarks, p_graces) with ordinality r (user_id, hold_id, remark, grace, n)
    order by user_id, hold_id, n
  ),
  released as (
    update kinora.credit_hold h
    set state = 'released', closed_at = p_now
    from request r
    where h.user_id = r.user_id and h.id = r.hold_id and h.state = 'frozen'
      and h.user_id = any(p_user_ids) and h.id = any(p_hold_ids)
    returning h.user_id, h.id, h.credits, h.created_at, r.remark, r.grace, r.n
  ),
  slice as (
    select h.user_id, h.n, h.id as hold_id, h.credits as hold_credits, h.remark, s.credits, (s.p).id as package_id,
           (s.p).order_no, (s.r).id as root_id, (s.r).trans_type as root_type, (s.r).order_no as root_order_no,
           (s.p).expires_at,
           row_number() over (partition by h.user_id, h.id order by (s.p).expires_at, (s.p).created_at, (s.p).id) as k,
           -- What the package that was granted owes to refund claims.
           case
             when (s.r).refund_claimed > 0 then greatest(0, kinora.credit_claim_shortfall(h.user_id, (s.r).id))
             else 0
           end as owed,
           case
             when (s.p).expires_at > p_now then (s.p).expires_at
             else kinora.credit_grace_end(s.p, s.r, h.created_at, h.grace, p_now)
           end as usable_until
    from released h
    cross join lateral (
      select s.credits, p.p, r.r
      from kinora.credit_slice s
      cross join lateral (
        select p from kinora.credit_package p where p.user_id = s.user_id and p.id = s.package_id offset 0
      ) p
      cross join lateral (
        select r
        from kinora.credit_package r
        where r.user_id = s.user_id and r.id = coalesce((p.p).root_id, (p.p).id)
        offset 0
      ) r
      where s.user_id = h.user_id and s.hold_id = h.id
      offset 0
    ) s
  ),
  -- The slices of a granted package laid end to end: the part of a slice before the end of what is owed is taken.
  claimed as (
    select *,
           least(sum(credits) over earlier, owed) - least(sum(credits) over earlier - credits, owed) as taken
    from slice
    window earlier as (partition by user_id, root_id order by n, k)
  ),
  -- Where the credits go. Materialised, because uuid_v7 is volatile.
  part as materialized (
    select *, credits - taken as rest, usable_until <= p_now as is_expired,
           case
             when expires_at <= p_now and usable_until > p_now and credits > taken then kinora.uuid_v7(p_now)
           end as grace_id
    from claimed
  ),
  released_package as (
    update kinora.credit_package p
    set frozen = p.frozen - d.credits,
        clawed_back = p.clawed_back + d.taken,
        moved = p.moved + d.moved,
        expired = p.expired + d.expired,
        remaining = p.remaining + d.credits - d.taken - d.moved - d.expired
    from (
      select user_id, package_id, sum(credits) as credits, sum(taken) as taken,
             coalesce(sum(rest) filter (where grace_id is not null), 0) as moved,
             coalesce(sum(rest) filter (where is_expired), 0) as expired
      from part
      group by user_id, package_id
    ) d
    where p.user_id = d.user_id and p.id = d.package_id and p.user_id = any(p_user_ids)
  ),
  grace_package as (
    insert into kinora.credit_package (
      user_id, id, trans_type, source, order_no, parent_id, root_id, initial, remaining, expires_at, created_at
    )
    select user_id, grace_id, 'REFUND', 'release:' || hold_id || ':' || package_id, order_no, package_id, root_id, rest, rest,
           usable_until, p_now
    from part
    where grace_id is not null
  ),
  -- A release adds the whole hold in one row; what leaves the balance again at once is in the rows after it.
  movement as (
    select n, 0 as k, 0 as step,
           row(
             user_id, 'REFUND', hold_credits, -hold_credits, 0, 0, 0, -1,
             coalesce(min(usable_until) filter (where rest > 0 and not is_expired), 'infinity'), null, hold_id, null, remark,
             null, null, null,
             jsonb_agg(jsonb_build_array(grace_id, rest, kinora.epoch_ms(usable_until)) order by k)
               filter (where grace_id is not null)
           )::kinora.credit_movement as m
    from part
    group by user_id, hold_id, n, hold_credits, remark
    union all
    select n, k, 1,
           row(
             user_id, root_type, -taken, 0, 0, taken, 0, 0, 'infinity', package_id, null, root_order_no, 'Payment returned',
             null, null, null, null
           )::kinora.credit_movement
    from part
    where taken > 0
    union all
    select n, k, 2,
           row(
             user_id, 'EXPIRED', -rest, 0, rest, 0, 0, 0, 'infinity', package_id, null, order_no, null, null, null, null, null
           )::kinora.credit_movement
    from part
    where rest > 0 and is_expired
  )
  -- This reads the states before the updates above.
  select (
           select array_agg(case h.state when 'frozen' then 'released' else h.state end order by r.n)
           from unnest(p_user_ids, p_hold_ids) with ordinality r (user_id, hold_id, n)
           left join lateral (
             select state from kinora.credit_hold where user_id = r.user_id and id = r.hold_id offset 0
           ) h on true
         ),
         (select array_agg(m order by n, k, step) from movement)
  into v_states, v_movements;
  if v_movements is not null then
    perform kinora.credit_move_all(v_movements, p_now);
  end if;
  return v_states;
end
$$;
