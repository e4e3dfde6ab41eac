-- Notices about balances. Nothing here moves credits.

-- Sets the threshold of available credits below which the user is notified; null: never.
create or replace function kinora.credit_set_low(p_user_id uuid, p_low_credits bigint, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.credit_lock(p_user_id, p_now);
  update kinora.credit_account set low_credits = p_low_credits where user_id = p_user_id;
end
$$;

-- Notifies users whose available credits have just fallen below their threshold. Element i of the arrays is one user. Called by
-- credit_move_all, in the transaction that moves the credits.
create or replace function kinora.credit_notify_low(
  p_user_ids uuid[], p_available bigint[], p_low_credits bigint[], p_now timestamptz
) returns void
language plpgsql
as $$
begin
  perform kinora.webhook_write_one(
    user_id, 'credit.low', null, jsonb_build_object('available', available, 'threshold', low_credits), p_now
  )
  from unnest(p_user_ids, p_available, p_low_credits) n (user_id, available, low_credits)
  order by user_id;
end
$$;

-- Notifies the next p_limit users after p_after_user_id, in the sequence of their ids, of packages with remaining credits that
-- expire before p_until: once a package. Only users with webhooks are read.
-- Returns the id of the last of these users; null: there are no more.
create or replace function kinora.credit_notify_expiring(
  p_after_user_id uuid, p_until timestamptz, p_limit integer, p_now timestamptz
) returns uuid
language plpgsql
-- See credit.sql.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_user_ids uuid[];
  v_expiring_ids uuid[];
  v_event record;
begin
  perform kinora.check_clock(p_now);
  v_user_ids := array(
    select user_id from kinora.webhook_account where user_id > p_after_user_id order by user_id limit p_limit
  );
  -- The accounts of the other users are not waited for.
  v_expiring_ids := array(
    select u.user_id
    from unnest(v_user_ids) u (user_id)
    where exists (
      select
      from kinora.credit_package p
      where p.user_id = u.user_id and p.expires_at > p_now and p.expires_at <= p_until and p.remaining > 0
        and not exists (select from kinora.expiry_notice n where n.user_id = p.user_id and n.package_id = p.id)
    )
  );
  perform kinora.credit_lock_accounts(v_expiring_ids, p_now);
  with expiring as (
    select p.user_id, p.id, p.remaining, p.expires_at
    from unnest(v_expiring_ids) u (user_id)
    cross join lateral (
      select user_id, id, remaining, expires_at
      from kinora.credit_package
      where user_id = u.user_id and expires_at > p_now and expires_at <= p_until and remaining > 0
      offset 0
    ) p
  ),
  noticed as (
    insert into kinora.expiry_notice (user_id, package_id, created_at)
    select user_id, id, p_now from expiring
    on conflict do nothing
    returning user_id, package_id
  )
  select array_agg(e.user_id order by e.user_id, e.id) as user_ids,
         array_agg('credit.expiring'::text) as types,
         array_agg(e.id order by e.user_id, e.id) as ids,
         array_agg(
           jsonb_build_object('packageId', e.id, 'credits', e.remaining, 'expiresAt', kinora.iso_time(e.expires_at))
           order by e.user_id, e.id
         ) as data
  into v_event
  from noticed n
  join expiring e on e.user_id = n.user_id and e.id = n.package_id;
  if v_event.user_ids is not null then
    perform kinora.webhook_write(v_event.user_ids, v_event.types, v_event.ids, v_event.data, p_now);
  end if;
  return v_user_ids[cardinality(v_user_ids)];
end
$$;
