-- Settling holds: their credits are used, all or as many as the film cost. credit.sql has the rules of sets.

-- Consumes the credits of holds. A request may have the credits that are consumed, those of the packages that are used
-- first: the rest is released in the same step, with its grace and remark. Returns the state of each hold afterwards:
-- 'settled', 'released' if that came first, or null for an unknown hold. Of several requests for a hold the first one
-- counts. p_is_locked: the caller has locked the accounts.
create or replace function kinora.credit_settle_holds(
  p_requests kinora.hold_request[], p_now timestamptz, p_is_locked boolean default false
) returns text[]
language plpgsql
-- set-based
as $$
declare
  v_settled record;
begin
  if p_is_locked is not true then
    perform kinora.credit_lock_accounts(array(select user_id from unnest(p_requests)), p_now);
  end if;
  with request as (
    select distinct on (user_id, hold_id) user_id, hold_id, credits, remark, grace, ordinality as n
    from unnest(p_requests) with ordinality
    order by user_id, hold_id, ordinality
  ),
  settled as (
    update kinora.credit_hold h
    set state = 'settled',
        -- Of a release it is the time of its row.
        closed_at = case when d.credits < h.credits then kinora.credit_row_time(h.user_id, p_now) else p_now end,
        rest = greatest(0, h.credits - d.credits)
    from request d
    cross join lateral (
      select ctid as row_tid from kinora.credit_hold where user_id = d.user_id and id = d.hold_id offset 0
    ) r
    where h.ctid = r.row_tid and h.state = 'frozen'
    returning h.user_id, h.id, h.credits - h.rest as credits, h.rest, h.package_ids, h.package_credits, d.remark, d.grace, d.n
  ),
  used_package as (
    update kinora.credit_package p
    set frozen = p.frozen - s.credits, used = p.used + s.credits
    from (
      select s.user_id, s.package_id, sum(s.credits - coalesce(s.rest, 0)) as credits
      from (
        select user_id, unnest(package_ids) as package_id, unnest(package_credits) as credits,
               unnest(case when rest > 0 then kinora.credit_slice_rest(package_credits, rest) end) as rest
        from settled
      ) s
      group by s.user_id, s.package_id
    ) s
    cross join lateral (
      select ctid as row_tid from kinora.credit_package where user_id = s.user_id and id = s.package_id offset 0
    ) r
    where p.ctid = r.row_tid
  ),
  used_account as (
    update kinora.credit_account a
    set frozen = a.frozen - s.credits, used = a.used + s.credits, open_holds = a.open_holds - s.holds
    from (select user_id, sum(credits) as credits, count(*) as holds from settled group by user_id) s
    cross join lateral (select ctid as row_tid from kinora.credit_account where user_id = s.user_id offset 0) r
    where a.ctid = r.row_tid
  )
  select count(*) as holds,
         array_agg(kinora.hold(p_user_id => user_id, p_hold_id => id, p_remark => remark, p_grace => grace) order by n)
           filter (where rest > 0) as with_rest
  into v_settled
  from settled;
  if v_settled.with_rest is not null then
    perform kinora.credit_release_closed(v_settled.with_rest, p_now);
  end if;
  if v_settled.holds = cardinality(p_requests) then
    return array_fill('settled'::text, array[v_settled.holds::integer]);
  end if;
  return kinora.credit_hold_states(p_requests);
end
$$;

-- Returns how much of each slice of a hold is its rest: the last p_rest credits of all.
create or replace function kinora.credit_slice_rest(p_package_credits bigint[], p_rest bigint) returns bigint[]
language plpgsql immutable
as $$
declare
  v_rest bigint[] := p_package_credits;
begin
  for i in reverse cardinality(p_package_credits) .. 1 loop
    v_rest[i] := least(p_package_credits[i], p_rest);
    p_rest := p_rest - v_rest[i];
  end loop;
  return v_rest;
end
$$;
