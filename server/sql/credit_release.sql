-- Releasing the credits of holds. See credit.sql.

-- Returns the credits of holds to the balance. What refund claims are owed by their packages is taken first. Credits whose package
-- has expired meanwhile come back in a grace package, or expire when their grace is over too. An API key gets its credits back for
-- the day on which they were frozen.
-- Returns the state of each hold afterwards: 'released', 'settled' if that came first, or null for an unknown hold.
-- p_is_locked: the caller has locked the accounts.
create or replace function kinora.credit_release_holds(
  p_user_ids uuid[], p_hold_ids uuid[], p_remarks text[], p_graces interval[], p_now timestamptz,
  p_is_locked boolean default false
) returns text[]
language plpgsql
-- set-based
as $$
declare
  v_released bigint;
  v_movements kinora.credit_movement[];
begin
  if array_position(p_graces, null) is not null then
    raise exception 'a grace is null' using errcode = 'null_value_not_allowed';
  end if;
  if p_is_locked is not true then
    perform kinora.credit_lock_accounts(p_user_ids, p_now);
  end if;
  with request as (
    select distinct on (user_id, hold_id) user_id, hold_id, remark, grace, n
    from unnest(p_user_ids, p_hold_ids, p_remarks, p_graces) with ordinality r (user_id, hold_id, remark, grace, n)
    order by user_id, hold_id, n
  ),
  released as (
    update kinora.credit_hold h
    set state = 'released', closed_at = p_now
    from request d
    cross join lateral (
      select ctid as row_tid from kinora.credit_hold where user_id = d.user_id and id = d.hold_id offset 0
    ) r
    where h.ctid = r.row_tid and h.state = 'frozen'
    returning h.user_id, h.id, h.credits, h.created_at, h.key_id, d.remark, d.grace, d.n
  ),
  returned_usage as (
    update kinora.api_key_usage u
    set credits = u.credits - d.credits, videos = u.videos - d.videos
    from (
      select user_id, key_id, (created_at at time zone 'utc')::date as day, sum(credits) as credits, count(*) as videos
      from released
      where key_id is not null
      group by 1, 2, 3
    ) d
    cross join lateral (
      select ctid as row_tid
      from kinora.api_key_usage
      where user_id = d.user_id and key_id = d.key_id and day = d.day
      offset 0
    ) r
    where u.ctid = r.row_tid
  ),
  slice as (
    select h.user_id, h.n, h.id as hold_id, h.credits as hold_credits, h.remark, s.credits, (s.p).id as package_id,
           (s.p).order_no, (s.r).id as root_id, (s.r).source as root_source, (s.r).trans_type as root_type,
           (s.r).order_no as root_order_no,
           (s.p).expires_at,
           row_number() over (partition by h.user_id, h.id order by (s.p).expires_at, (s.p).created_at, (s.p).id) as k,
           -- What the package that was granted owes to refund claims.
           case
             when (s.r).refund_claimed > 0 then greatest(0, kinora.credit_refund_claim_shortfall(h.user_id, (s.r).id))
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
           (least(sum(credits) over earlier, owed) - least(sum(credits) over earlier - credits, owed))::bigint as taken
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
    cross join lateral (
      select ctid as row_tid from kinora.credit_package where user_id = d.user_id and id = d.package_id offset 0
    ) r
    where p.ctid = r.row_tid
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
           kinora.movement(
             p_user_id => user_id, p_trans_type => 'REFUND', p_credits => hold_credits, p_frozen => -hold_credits,
             p_open_holds => -1,
             p_next_expiry_at => coalesce(min(usable_until) filter (where rest > 0 and not is_expired), 'infinity'),
             p_video_id => hold_id, p_remark => remark,
             p_graces => jsonb_agg(jsonb_build_array(grace_id, rest, kinora.epoch_ms(usable_until)) order by k)
               filter (where grace_id is not null)
           ) as m
    from part
    group by user_id, hold_id, n, hold_credits, remark
    union all
    select n, k, 1,
           kinora.movement(
             p_user_id => user_id, p_trans_type => root_type, p_credits => -taken, p_clawed_back => taken,
             p_package_id => package_id, p_order_no => root_order_no,
             p_remark => kinora.credit_refund_claim_remark(user_id, root_source)
           )
    from part
    where taken > 0
    union all
    select n, k, 2,
           kinora.movement(
             p_user_id => user_id, p_trans_type => 'EXPIRED', p_credits => -rest, p_expired => rest,
             p_package_id => package_id, p_order_no => order_no
           )
    from part
    where rest > 0 and is_expired
  )
  select (select count(*) from released), (select array_agg(m order by n, k, step) from movement)
  into v_released, v_movements;
  if v_movements is not null then
    perform kinora.credit_move_all(v_movements, p_now);
  end if;
  if v_released = cardinality(p_hold_ids) then
    return array_fill('released'::text, array[v_released::integer]);
  end if;
  return kinora.credit_hold_states(p_user_ids, p_hold_ids);
end
$$;
