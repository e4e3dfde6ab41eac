-- Locking accounts, the beginning of every movement. credit.sql says how sets are joined to tables.

-- Locks accounts in the sequence of their ids, so that two callers cannot deadlock; opens those that are new, unless p_opens is
-- false; writes off every expired package (EXPIRED rows). All other functions call it first, so that the movements of one user are
-- serialised and none of them sees expired credits.
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

-- Locks one account, opened if it is new, and writes nothing off. By single statements, which a divided database sends to the user's
-- part: the deletion of an account begins on another one.
create or replace function kinora.credit_wait_for_account(p_user_id uuid, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.credit_account (user_id, created_at) values (p_user_id, p_now) on conflict (user_id) do nothing;
  perform from kinora.credit_account where user_id = p_user_id for no key update;
end
$$;
