-- The ledger: locking accounts, freezing, settling and releasing credits. Invariant: only the files credit*.sql
-- write credit_* tables, and only credit_history.sql appends to the history.
--
-- Every function takes a set: arrays with one element per request, for any number of accounts. It first locks the accounts and
-- writes off expired credits, then moves the credits of the whole set by one statement per table. Element i of a result belongs
-- to request i. The requests of one account take effect in the sequence of the array, as if each had been made by itself. All
-- functions are idempotent: called again with the same arguments they return the same and change nothing.
--
-- A *package* is one addition of credits, a *hold* reserves credits for a video, its *slices* record from which packages.
-- server/src/credit/README.md has the rules in prose.

-- Locks accounts in the sequence of their ids, so that two callers cannot deadlock; opens those that are new; writes off every
-- expired package (EXPIRED rows). All other functions call it first, so that the movements of one user are serialised and none
-- of them sees expired credits.
create or replace function kinora.credit_lock_accounts(p_user_ids uuid[], p_now timestamptz) returns void
language plpgsql
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
as $$
declare
  v_request record;
  v_user_id uuid;
  v_available bigint;
  v_open_holds integer;
  -- Of the present account: the holds that the set has frozen.
  v_hold_ids uuid[];
  -- Positions of the requests that freeze credits.
  v_frozen integer[] := '{}';
  v_missing bigint;
  v_movements kinora.credit_movement[];
begin
  perform kinora.credit_lock_accounts(p_user_ids, p_now);
  outcomes := array_fill(null::text, array[cardinality(p_user_ids)]);
  available := array_fill(null::bigint, array[cardinality(p_user_ids)]);

  -- Whether a request can be met depends on those before it: a large one that is refused leaves credits for a small one after
  -- it. So the decisions are a loop, which touches no table; the changes below are sets.
  for v_request in
    select r.n::integer as n, r.user_id, r.hold_id, r.credits, r.max_open, a.available, a.open_holds,
           h.id is not null as is_frozen
    from unnest(p_user_ids, p_hold_ids, p_credits, p_max_open) with ordinality r (user_id, hold_id, credits, max_open, n)
    join kinora.credit_account a on a.user_id = r.user_id
    left join kinora.credit_hold h on h.user_id = r.user_id and h.id = r.hold_id
    order by r.user_id, r.n
  loop
    if v_request.user_id is distinct from v_user_id then
      v_user_id := v_request.user_id;
      v_available := v_request.available;
      v_open_holds := v_request.open_holds;
      v_hold_ids := '{}';
    end if;
    if v_request.is_frozen or v_request.hold_id = any(v_hold_ids) then
      outcomes[v_request.n] := 'frozen';
    elsif v_open_holds >= least(nullif(greatest(v_request.max_open, 0), 0), 1000000) then
      outcomes[v_request.n] := 'too_many';
    elsif v_available < v_request.credits then
      outcomes[v_request.n] := 'insufficient';
    else
      outcomes[v_request.n] := 'frozen';
      v_available := v_available - v_request.credits;
      v_open_holds := v_open_holds + 1;
      v_hold_ids := v_hold_ids || v_request.hold_id;
      v_frozen := v_frozen || v_request.n;
    end if;
    available[v_request.n] := v_available;
  end loop;
  if v_frozen = '{}' then
    return;
  end if;

  -- The frozen requests of an account laid end to end, and its packages laid end to end: where a request and a package overlap
  -- there is a slice.
  with request as (
    select user_id, hold_id, credits, sum(credits) over (partition by user_id order by n)::bigint as ends_at
    from unnest(p_user_ids, p_hold_ids, p_credits) with ordinality r (user_id, hold_id, credits, n)
    where n = any(v_frozen)
  ),
  package as (
    select user_id, id, remaining,
           sum(remaining) over (partition by user_id order by expires_at, created_at, id)::bigint as ends_at
    from kinora.credit_package
    where user_id = any(p_user_ids) and expires_at > p_now and remaining > 0
  ),
  slice as (
    select r.user_id, r.hold_id, p.id as package_id,
           least(r.ends_at, p.ends_at) - greatest(r.ends_at - r.credits, p.ends_at - p.remaining) as credits
    from request r
    join package p
      on p.user_id = r.user_id and p.ends_at > r.ends_at - r.credits and p.ends_at - p.remaining < r.ends_at
  ),
  frozen_hold as (
    insert into kinora.credit_hold (user_id, id, credits, created_at)
    select user_id, hold_id, credits, p_now from request
  ),
  frozen_slice as (
    insert into kinora.credit_slice (user_id, hold_id, package_id, credits)
    select user_id, hold_id, package_id, credits from slice
  ),
  frozen_package as (
    update kinora.credit_package p
    set remaining = p.remaining - s.credits, frozen = p.frozen + s.credits
    from (select user_id, package_id, sum(credits) as credits from slice group by user_id, package_id) s
    where p.user_id = s.user_id and p.id = s.package_id
  )
  select (select sum(credits) from request) - coalesce((select sum(credits) from slice), 0) into v_missing;
  if v_missing <> 0 then
    raise exception 'the accounts show % credits available that their packages do not have: users %', v_missing, p_user_ids;
  end if;

  select array_agg(
    row(
      user_id, 'VIDEO_CONSUME', -credits, credits, 0, 0, 0, 1, 'infinity', null, hold_id, null, remark, null, null, null, null
    )::kinora.credit_movement
    order by n
  )
  into v_movements
  from unnest(p_user_ids, p_hold_ids, p_credits, p_remarks) with ordinality r (user_id, hold_id, credits, remark, n)
  where n = any(v_frozen);
  perform kinora.credit_move_all(v_movements, p_now);
end
$$;

-- Consumes the credits of holds. Returns the state of each hold afterwards: 'settled', 'released' if that came first, or null for
-- an unknown hold.
create or replace function kinora.credit_settle_holds(p_user_ids uuid[], p_hold_ids uuid[], p_now timestamptz) returns text[]
language plpgsql
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
    returning h.user_id, h.id, h.credits
  ),
  used_package as (
    update kinora.credit_package p
    set frozen = p.frozen - s.credits, used = p.used + s.credits
    from (
      select s.user_id, s.package_id, sum(s.credits) as credits
      from settled
      join kinora.credit_slice s on s.user_id = settled.user_id and s.hold_id = settled.id
      group by s.user_id, s.package_id
    ) s
    where p.user_id = s.user_id and p.id = s.package_id
  ),
  used_account as (
    update kinora.credit_account a
    set frozen = a.frozen - s.credits, used = a.used + s.credits, open_holds = a.open_holds - s.holds
    from (select user_id, sum(credits) as credits, count(*) as holds from settled group by user_id) s
    where a.user_id = s.user_id
  )
  select array_agg(case when settled.id is not null then 'settled' else h.state end order by r.n)
  into v_states
  from unnest(p_user_ids, p_hold_ids) with ordinality r (user_id, hold_id, n)
  left join settled on settled.user_id = r.user_id and settled.id = r.hold_id
  left join kinora.credit_hold h on h.user_id = r.user_id and h.id = r.hold_id;
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
    returning h.user_id, h.id, h.credits, h.created_at, r.remark, r.grace, r.n
  ),
  slice as (
    select h.user_id, h.n, h.id as hold_id, s.credits, p.id as package_id, p.order_no, r.id as root_id,
           r.trans_type as root_type, r.order_no as root_order_no, r.refund_claimed, p.expires_at,
           row_number() over (partition by h.user_id, h.id order by p.expires_at, p.created_at, p.id) as k,
           case
             when p.expires_at > p_now then p.expires_at
             else kinora.credit_grace_end(p, r, h.created_at, h.grace, p_now)
           end as usable_until
    from released h
    join kinora.credit_slice s on s.user_id = h.user_id and s.hold_id = h.id
    join kinora.credit_package p on p.user_id = s.user_id and p.id = s.package_id
    join kinora.credit_package r on r.user_id = p.user_id and r.id = coalesce(p.root_id, p.id)
  ),
  -- What each package that was granted owes to refund claims.
  owed as (
    select user_id, root_id, greatest(0, kinora.credit_claim_shortfall(user_id, root_id)) as credits
    from slice
    where refund_claimed > 0
    group by user_id, root_id
  ),
  -- The slices of such a package laid end to end: the part of a slice before the end of what is owed is taken.
  taken as (
    select s.user_id, s.hold_id, s.package_id,
           least(sum(s.credits) over earlier, o.credits) - least(sum(s.credits) over earlier - s.credits, o.credits) as credits
    from slice s
    join owed o on o.user_id = s.user_id and o.root_id = s.root_id
    window earlier as (partition by s.user_id, s.root_id order by s.n, s.k)
  ),
  -- Where the credits go. Materialised, because uuid_v7 is volatile.
  part as materialized (
    select s.*, coalesce(t.credits, 0)::bigint as taken, (s.credits - coalesce(t.credits, 0))::bigint as rest,
           s.usable_until <= p_now as is_expired,
           case
             when s.expires_at <= p_now and s.usable_until > p_now and s.credits > coalesce(t.credits, 0)
             then kinora.uuid_v7(p_now)
           end as grace_id
    from slice s
    left join taken t on t.user_id = s.user_id and t.hold_id = s.hold_id and t.package_id = s.package_id
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
    where p.user_id = d.user_id and p.id = d.package_id
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
    select h.n, 0 as k, 0 as step,
           row(
             h.user_id, 'REFUND', h.credits, -h.credits, 0, 0, 0, -1,
             coalesce(min(p.usable_until) filter (where p.rest > 0 and not p.is_expired), 'infinity'), null, h.id, null,
             h.remark, null, null, null,
             jsonb_agg(jsonb_build_array(p.grace_id, p.rest, kinora.epoch_ms(p.usable_until)) order by p.k)
               filter (where p.grace_id is not null)
           )::kinora.credit_movement as m
    from released h
    join part p on p.user_id = h.user_id and p.hold_id = h.id
    group by h.user_id, h.id, h.n, h.credits, h.remark
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
  ),
  outcome as (
    select r.n, case when released.id is not null then 'released' else h.state end as state
    from unnest(p_user_ids, p_hold_ids) with ordinality r (user_id, hold_id, n)
    left join released on released.user_id = r.user_id and released.id = r.hold_id
    left join kinora.credit_hold h on h.user_id = r.user_id and h.id = r.hold_id
  )
  select (select array_agg(state order by n) from outcome), (select array_agg(m order by n, k, step) from movement)
  into v_states, v_movements;
  if v_movements is not null then
    perform kinora.credit_move_all(v_movements, p_now);
  end if;
  return v_states;
end
$$;
