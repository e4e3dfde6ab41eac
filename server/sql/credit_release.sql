-- Releasing the credits of holds, and how long they last when their package has expired. credit.sql has the rules of
-- sets.

-- Returns the credits of holds to the balance. Requests have a grace, and a remark for the history; of several requests
-- for a hold the first one counts. Returns the state of each hold afterwards: 'released', 'settled' if that came first,
-- or null for an unknown hold. p_is_locked: the caller has locked the accounts.
create or replace function kinora.credit_release_holds(
  p_requests kinora.hold_request[], p_now timestamptz, p_is_locked boolean default false
) returns text[]
language plpgsql
-- set-based
as $$
declare
  v_released kinora.hold_request[];
begin
  if p_is_locked is not true then
    perform kinora.credit_lock_accounts(array(select user_id from unnest(p_requests)), p_now);
  end if;
  with request as (
    select distinct on (user_id, hold_id) user_id, hold_id, remark, grace, ordinality as n
    from unnest(p_requests) with ordinality
    order by user_id, hold_id, ordinality
  ),
  released as (
    update kinora.credit_hold h
    set state = 'released', closed_at = r.row_time
    from request d
    cross join lateral (
      select h.ctid as row_tid, greatest(p_now, a.moved_at) as row_time
      from kinora.credit_hold h
      join kinora.credit_account a on a.user_id = h.user_id
      where h.user_id = d.user_id and h.id = d.hold_id
      offset 0
    ) r
    where h.ctid = r.row_tid and h.state = 'frozen'
    returning h.user_id, h.id, d.remark, d.grace, d.n
  )
  select array_agg(kinora.hold(p_user_id => user_id, p_hold_id => id, p_remark => remark, p_grace => grace) order by n)
  into v_released
  from released;
  if v_released is not null then
    perform kinora.credit_release_closed(v_released, p_now);
  end if;
  if cardinality(v_released) = cardinality(p_requests) then
    return array_fill('released'::text, array[cardinality(v_released)]);
  end if;
  return kinora.credit_hold_states(p_requests);
end
$$;

-- Returns the credits of holds that were released, and the rests of those that were settled, to the balance. What
-- refund claims are owed by their packages is taken first. Credits whose package has expired meanwhile come back in a
-- grace package, or expire when their grace is over too. An API key gets its credits back for the day on which they
-- were frozen.
create or replace function kinora.credit_release_closed(p_requests kinora.hold_request[], p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_closed record;
  v_decisions kinora.release_decision[];
begin
  if exists (select from unnest(p_requests) where grace is null) then
    raise exception 'a grace is null' using errcode = 'null_value_not_allowed';
  end if;
  v_closed := kinora.credit_read_closed(p_requests, p_now);
  v_decisions := kinora.credit_decide_release(v_closed.slices, p_now, uuid_send(kinora.uuid_v7(p_now)));
  perform kinora.credit_write_release(v_closed.slices, v_decisions, p_now);
  if v_closed.have_keys then
    perform kinora.api_key_give_back(v_closed.slices);
  end if;
  perform kinora.credit_move_all(kinora.credit_release_movements(v_closed.slices, v_decisions), p_now);
end
$$;

-- Returns the slices of closed holds that are released: in the order of the requests, those of a hold in the order in
-- which packages are used.
create or replace function kinora.credit_read_closed(
  p_requests kinora.hold_request[], p_now timestamptz, out slices kinora.release_slice[], out have_keys boolean
)
language plpgsql
as $$
begin
  -- Its columns are the attributes of release_slice.
  with slice as (
    select h.user_id, h.id as hold_id, h.released as hold_credits, h.is_rest, h.created_at as frozen_at, h.key_id, d.remark,
           s.credits, (s.p).id as package_id, (s.p).order_no, (s.p).expires_at,
           (s.r).id as root_id, (s.r).trans_type as root_type, (s.r).order_no as root_order_no, (s.r).source as root_source,
           case
             when (s.r).refund_claimed > 0 then greatest(0, kinora.credit_refund_claim_shortfall(h.user_id, (s.r).id))
             else 0
           end as owed,
           case
             when (s.p).expires_at > p_now then (s.p).expires_at
             else kinora.credit_grace_end(s.p, s.r, h.created_at, d.grace, p_now)
           end as usable_until
    from unnest(p_requests) with ordinality d
    cross join lateral (
      select c.user_id, c.id, c.created_at, c.key_id, c.package_ids, t.is_rest,
             case when t.is_rest then c.rest else c.credits end as released,
             case when t.is_rest then kinora.credit_slice_rest(c.package_credits, c.rest) else c.package_credits end as package_credits
      from kinora.credit_hold c
      cross join lateral (select c.state = 'settled' as is_rest) t
      where c.user_id = d.user_id and c.id = d.hold_id
      offset 0
    ) h
    cross join lateral (
      select s.credits, p.p, r.r
      from (select unnest(h.package_ids) as package_id, unnest(h.package_credits) as credits) s
      cross join lateral (
        select p from kinora.credit_package p where p.user_id = h.user_id and p.id = s.package_id offset 0
      ) p
      cross join lateral (
        select r
        from kinora.credit_package r
        where r.user_id = h.user_id and r.id = coalesce((p.p).root_id, (p.p).id)
        offset 0
      ) r
      where s.credits > 0
      offset 0
    ) s
    order by d.ordinality, (s.p).expires_at, (s.p).created_at, (s.p).id
  )
  select coalesce(array_agg(s::kinora.release_slice), '{}'), bool_or(key_id is not null) into slices, have_keys from slice s;
end
$$;

-- Decides where the credits of slices go. Claims on a granted package take from its slices in their sequence until they
-- have what is owed. p_seed: the ids of grace packages are those of a set, see uuid_of_set.
create or replace function kinora.credit_decide_release(p_slices kinora.release_slice[], p_now timestamptz, p_seed bytea)
returns kinora.release_decision[]
language plpgsql immutable
as $$
declare
  v_decisions kinora.release_decision[] := '{}';
  v_slice kinora.release_slice;
  v_decision kinora.release_decision;
  v_rest bigint;
  -- The granted packages with claims, what is still owed of each, and the position of the present one.
  v_roots uuid[] := '{}';
  v_owed bigint[] := '{}';
  v_root integer;
begin
  foreach v_slice in array p_slices loop
    v_decision := row(0, 0, 0, null);
    if v_slice.owed > 0 then
      v_root := array_position(v_roots, v_slice.root_id);
      if v_root is null then
        v_roots := v_roots || v_slice.root_id;
        v_owed := v_owed || v_slice.owed;
        v_root := cardinality(v_roots);
      end if;
      v_decision.taken := least(v_slice.credits, v_owed[v_root]);
      v_owed[v_root] := v_owed[v_root] - v_decision.taken;
    end if;
    v_rest := v_slice.credits - v_decision.taken;
    if v_slice.usable_until <= p_now then
      v_decision.expired := v_rest;
    elsif v_slice.expires_at <= p_now and v_rest > 0 then
      v_decision.moved := v_rest;
      v_decision.grace_id := kinora.uuid_of_set(p_seed, cardinality(v_decisions));
    end if;
    v_decisions := v_decisions || v_decision;
  end loop;
  return v_decisions;
end
$$;

-- Writes the packages of slices, and the grace packages. Element i of the decisions belongs to slice i.
create or replace function kinora.credit_write_release(
  p_slices kinora.release_slice[], p_decisions kinora.release_decision[], p_now timestamptz
) returns void
language plpgsql
as $$
begin
  with released_package as (
    update kinora.credit_package p
    set frozen = p.frozen - d.credits,
        clawed_back = p.clawed_back + d.taken,
        moved = p.moved + d.moved,
        expired = p.expired + d.expired,
        remaining = p.remaining + d.credits - d.taken - d.moved - d.expired
    from (
      select user_id, package_id, sum(credits) as credits, sum(taken) as taken, sum(moved) as moved, sum(expired) as expired
      from unnest(p_slices, p_decisions)
      group by user_id, package_id
    ) d
    cross join lateral (
      select ctid as row_tid from kinora.credit_package where user_id = d.user_id and id = d.package_id offset 0
    ) r
    where p.ctid = r.row_tid
  )
  insert into kinora.credit_package (
    user_id, id, trans_type, source, order_no, parent_id, root_id, initial, remaining, expires_at, created_at
  )
  select user_id, grace_id, 'REFUND', 'release:' || hold_id || ':' || package_id, order_no, package_id, root_id, moved, moved,
         usable_until, kinora.credit_row_time(user_id, p_now)
  from unnest(p_slices, p_decisions)
  where grace_id is not null;
end
$$;

-- Returns the movements of a release: it adds the hold, or its rest, in one row; what leaves the balance again at once
-- is in the rows after it.
create or replace function kinora.credit_release_movements(
  p_slices kinora.release_slice[], p_decisions kinora.release_decision[]
) returns kinora.credit_movement[]
language plpgsql
as $$
begin
  return array(
    select m
    from (
      select min(ordinality) as n, 0 as step,
             kinora.movement(
               p_user_id => user_id, p_trans_type => 'REFUND', p_credits => hold_credits, p_frozen => -hold_credits,
               p_open_holds => case when is_rest then 0 else -1 end,
               p_next_expiry_at => coalesce(min(usable_until) filter (where credits > taken + expired), 'infinity'),
               p_video_id => hold_id, p_remark => remark,
               p_graces => jsonb_agg(jsonb_build_array(grace_id, moved, kinora.epoch_ms(usable_until)) order by ordinality)
                 filter (where grace_id is not null)
             ) as m
      from unnest(p_slices, p_decisions) with ordinality
      group by user_id, hold_id, hold_credits, is_rest, remark
      union all
      select ordinality, 1,
             kinora.movement(
               p_user_id => user_id, p_trans_type => root_type, p_credits => -taken, p_clawed_back => taken,
               p_package_id => package_id, p_order_no => root_order_no,
               p_remark => kinora.credit_refund_claim_remark(user_id, root_source),
               p_source => kinora.credit_return_source(user_id, root_id)
             )
      from unnest(p_slices, p_decisions) with ordinality
      where taken > 0
      union all
      select ordinality, 2,
             kinora.movement(
               p_user_id => user_id, p_trans_type => 'EXPIRED', p_credits => -expired, p_expired => expired,
               p_package_id => package_id, p_order_no => order_no
             )
      from unnest(p_slices, p_decisions) with ordinality
      where expired > 0
    ) movement
    order by n, step
  );
end
$$;

-- How long after its freeze a hold is released at the latest while the service runs. The catalogue allows deadlines of
-- an hour: one may pass before a provider accepts the task, and one counts from there. The film is then collected for
-- an hour, and the last download may take a quarter of an hour. Another quarter is for its inspection, its storing and
-- the claims in between.
create or replace function kinora.longest_deadline() returns interval
language sql immutable
return interval '3 hours 30 minutes';

-- Returns when the credits of a package that was granted expire for the last time: with the package or, when an
-- administrator has reversed the expiry, at the time that the administrator set.
create or replace function kinora.credit_last_expiry(p_root kinora.credit_package) returns timestamptz
language sql stable
return greatest(
  (p_root).expires_at,
  (
    select max(p.expires_at)
    from kinora.credit_package p
    where p.user_id = (p_root).user_id and p.root_id = (p_root).id and p.source like 'reversal:%'
  )
);

-- Returns until when credits may be used that are released at p_now from a package which has expired: for as long as
-- was left when they were frozen, at most p_grace (REFUND_GRACE). Credits of the package that was granted get ten
-- minutes at least; those of a grace package had them. Invariant: a chain of grace packages ends p_grace and the
-- longest deadline after its root's last expiry.
create or replace function kinora.credit_grace_end(
  p_package kinora.credit_package, p_root kinora.credit_package, p_frozen_at timestamptz, p_grace interval, p_now timestamptz
) returns timestamptz
language sql stable
return least(
  p_now + least(
    p_grace,
    greatest((p_package).expires_at - p_frozen_at, case when (p_package).parent_id is null then interval '10 minutes' end)
  ),
  kinora.credit_last_expiry(p_root) + p_grace + kinora.longest_deadline()
);
