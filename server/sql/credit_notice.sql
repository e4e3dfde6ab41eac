-- Notices about balances. Nothing here moves credits.

-- Sets the threshold of available credits below which the user is notified; null: never.
create or replace function kinora.credit_set_low(
  p_user_id uuid, p_now timestamptz, p_low_credits bigint default null
) returns void
language plpgsql
as $$
begin
  perform kinora.credit_lock(p_user_id, p_now);
  update kinora.credit_account set low_credits = p_low_credits where user_id = p_user_id;
end
$$;

-- Notifies users whose available credits have just fallen below their threshold. Element i of the arrays is one user.
-- Called by credit_move_all, in the transaction that moves the credits.
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
  perform kinora.mail_write_one(
    user_id, 'credit.low', null, jsonb_build_object('available', available, 'threshold', low_credits), p_now
  )
  from unnest(p_user_ids, p_available, p_low_credits) n (user_id, available, low_credits)
  order by user_id;
end
$$;

-- Notifies users of packages with remaining credits that expire before p_until: once a package, those users only who
-- have webhooks or get this notice by mail. Reads the next p_limit accounts after (p_after_at, p_after_user_id), in the
-- sequence of their next expiry. Returns the last of these accounts; null: there are no more.
create or replace function kinora.credit_notify_expiry(
  p_after_at timestamptz, p_after_user_id uuid, p_until timestamptz, p_limit integer, p_now timestamptz,
  out last_at timestamptz, out last_user_id uuid
)
language plpgsql
-- set-based
as $$
declare
  v_user_ids uuid[];
  v_expiring_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  select array_agg(a.user_id order by a.next_expiry_at, a.user_id), (array_agg(a.next_expiry_at order by a.next_expiry_at desc))[1]
  into v_user_ids, last_at
  from (
    select user_id, next_expiry_at
    from kinora.credit_account
    where next_expiry_at < 'infinity' and next_expiry_at <= p_until
      and (next_expiry_at, user_id) > (p_after_at, p_after_user_id)
    order by next_expiry_at, user_id
    limit p_limit
  ) a;
  last_user_id := v_user_ids[cardinality(v_user_ids)];
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
    and (
      exists (select from kinora.webhook_account w where w.user_id = u.user_id)
      or kinora.mail_is_wanted(u.user_id, 'credit.expiring')
    )
  );
  perform kinora.credit_write_expiry(v_expiring_ids, p_until, p_now);
end
$$;

-- Notifies users of their packages that expire before p_until, once a package. Accounts are locked first, which writes
-- off what has expired.
create or replace function kinora.credit_write_expiry(p_user_ids uuid[], p_until timestamptz, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_event record;
begin
  perform kinora.credit_lock_accounts(p_user_ids, p_now);

  with expiring as (
    select p.user_id, p.id, p.remaining, p.expires_at, w.user_id is not null as has_webhooks
    from unnest(p_user_ids) u (user_id)
    cross join lateral (
      select user_id, id, remaining, expires_at
      from kinora.credit_package
      where user_id = u.user_id and expires_at > p_now and expires_at <= p_until and remaining > 0
      offset 0
    ) p
    left join lateral (select user_id from kinora.webhook_account where user_id = u.user_id offset 0) w on true
    where not exists (
      select from kinora.expiry_notice n where n.user_id = p.user_id and n.package_id = p.id
    )
  ),
  noticed as (
    insert into kinora.expiry_notice (user_id, package_id, created_at)
    select user_id, id, p_now from expiring
    on conflict do nothing
    returning user_id, package_id
  )
  select array_agg(e.user_id order by e.user_id, e.id) as user_ids,
         array_agg(e.id order by e.user_id, e.id) as ids,
         array_agg(e.has_webhooks order by e.user_id, e.id) as have_webhooks,
         array_agg(
           jsonb_build_object('packageId', e.id, 'credits', e.remaining, 'expiresAt', kinora.iso_time(e.expires_at))
           order by e.user_id, e.id
         ) as data
  into v_event
  from noticed n
  join expiring e on e.user_id = n.user_id and e.id = n.package_id;
  if v_event.user_ids is null then
    return;
  end if;
  perform kinora.webhook_write(
    array_agg(user_id order by n), array_agg('credit.expiring'::text order by n), array_agg(id order by n), array_agg(data order by n),
    p_now
  )
  from unnest(v_event.user_ids, v_event.ids, v_event.data, v_event.have_webhooks) with ordinality
    e (user_id, id, data, has_webhooks, n)
  where has_webhooks
  having count(*) > 0;
  perform kinora.mail_write(
    v_event.user_ids, array_fill('credit.expiring'::text, array[cardinality(v_event.user_ids)]),
    array(select 'credit.expiring ' || id from unnest(v_event.ids) with ordinality i (id, n) order by n), v_event.data, p_now
  );
end
$$;
