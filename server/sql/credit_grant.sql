-- Additions of credits: purchases, the new-user gift, an administrator's grant.

-- Returns whether credits of a source are for one person: the welcome gift, and those of codes and invitations. One
-- person's many gifts would feed a team.
create or replace function kinora.credit_is_personal(p_source text) returns boolean
language sql immutable
return p_source = 'new-user' or p_source like any('{code:%,invitation:%}');

-- Adds credits as a package. A second call for the same source returns the package that the first call created.
-- p_collects (setting OWED): what the user owes is paid from it first.
create or replace function kinora.credit_grant(
  p_user_id uuid, p_package_id uuid, p_source text, p_trans_type text, p_credits bigint, p_expires_at timestamptz,
  p_now timestamptz, p_order_no text, p_remark text, p_actor_id uuid default null, p_collects boolean default false
) returns kinora.credit_package
language plpgsql
as $$
declare
  v_package kinora.credit_package;
begin
  p_now := kinora.time_of_grant(p_now);
  perform kinora.credit_lock(p_user_id, p_now);
  select * into v_package from kinora.credit_package where user_id = p_user_id and source = p_source;
  if found then
    return v_package;
  end if;

  insert into kinora.credit_package (
    user_id, id, trans_type, source, order_no, initial, remaining, expires_at, created_at
  ) values (
    p_user_id, p_package_id, p_trans_type, p_source, p_order_no, p_credits, p_credits, p_expires_at,
    kinora.credit_row_time(p_user_id, p_now)
  )
  returning * into v_package;

  perform kinora.credit_move(
    kinora.movement(
      p_user_id, p_trans_type, p_credits, p_total => p_credits, p_next_expiry_at => p_expires_at,
      p_package_id => p_package_id, p_order_no => p_order_no, p_remark => p_remark, p_actor_id => p_actor_id,
      p_source => p_source, p_expires_at => p_expires_at
    ),
    p_now
  );
  perform kinora.team_log(
    p_team_id => p_user_id, p_actor_id => null, p_action => 'team.buy', p_subject => p_package_id::text, p_before => null,
    p_after => jsonb_build_object('credits', p_credits), p_now => p_now
  )
  where p_trans_type in ('ORDER_PAY', 'SUBSCRIPTION');
  perform kinora.webhook_write_one(
    p_user_id, 'credit.added', p_package_id,
    jsonb_build_object(
      'packageId', p_package_id, 'transType', p_trans_type, 'credits', p_credits, 'orderNo', p_order_no,
      'expiresAt', kinora.iso_time(p_expires_at)
    ),
    p_now
  );
  -- Refund claims that arrived before their payment.
  if exists (select from kinora.credit_refund_claim where user_id = p_user_id and source = p_source) then
    perform kinora.credit_claw_back(p_user_id, p_source, p_now);
  end if;
  if p_collects then
    perform kinora.credit_pay_owed(p_user_id, p_credits, p_now, p_package_id => p_package_id);
  end if;
  return v_package;
end
$$;

-- Opens the account of a new user and grants the NEW_USER gift, once: the first decision stands for ever. The server
-- calls it at registration, when an e-mail address is verified, and at every sign-in in case a crash lost a call.
-- p_limits, all in the transaction of the grant, so that concurrent sign-ups never have more than the limits allow:
--   email, needs_verified_email: the gift waits until the user has this address, verified
--   refusal: why the address gets no gift, also when the counters allow one
--   former_hash, address_hash: keyed hashes of the address, as it is and normalised; one gift for each
--   network_hash, network_max: gifts of a network on a day in UTC; null: unlimited
-- Lock order: account, gift_address, gift_network. outcome: 'granted', 'none' (the gift is 0 credits), 'replayed'
-- (decided before), 'waiting' (not decided yet), 'domain_denied', 'address_used', 'network_limit'.
create or replace function kinora.credit_grant_gift(
  p_user_id uuid, p_package_id uuid, p_credits bigint, p_expires_at timestamptz, p_now timestamptz,
  p_limits jsonb default null, p_collects boolean default false
) returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  perform kinora.check_clock(p_now);
  -- Checked without the lock first, because nearly every sign-in returns here.
  if exists (select from kinora.credit_account where user_id = p_user_id and gift_at is not null) then
    return 'replayed';
  end if;
  p_expires_at := p_expires_at + (kinora.time_of_grant(p_now) - p_now);
  -- The limits of the gift are about no user.
  perform kinora.commit_in_two_phases(p_user_id);
  perform kinora.credit_lock(p_user_id, p_now);
  if p_credits > 0 and (p_limits ->> 'needs_verified_email')::boolean and not exists (
    select
    from public."user" u
    where u.id = p_user_id::text and u.email = p_limits ->> 'email' and u."emailVerified"
  ) then
    return 'waiting';
  end if;
  update kinora.credit_account set gift_at = p_now where user_id = p_user_id and gift_at is null;
  if not found then
    return 'replayed';
  end if;
  if p_credits <= 0 then
    return 'none';
  end if;
  v_refusal := kinora.credit_gift_refusal(p_limits, p_now);
  if v_refusal is not null then
    update kinora.credit_account set gift_refusal = v_refusal where user_id = p_user_id;
    return v_refusal;
  end if;
  perform kinora.credit_grant(
    p_user_id, p_package_id, 'new-user', 'NEW_USER', p_credits, p_expires_at, p_now, null, 'Welcome gift',
    p_collects => p_collects
  );
  return 'granted';
end
$$;

-- Records that the user has been notified of this state of the gift.
create or replace function kinora.credit_gift_seen(p_user_id uuid, p_state text, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.credit_lock(p_user_id, p_now);
  update kinora.credit_account set gift_seen = p_state where user_id = p_user_id;
end
$$;

-- An administrator's grant, or what an administrator gives by a code or an invitation (p_source: code:<id>,
-- invitation:<id>). It touches rows of two users, as credit_correction_key does: the idempotency key is stored under
-- the administrator's id, so that reusing a key for another user is detected. outcome: 'granted', 'replayed' (same key,
-- same request), 'key_reused' (same key, another request).
create or replace function kinora.credit_adjust(
  p_user_id uuid, p_package_id uuid, p_credits bigint, p_expires_at timestamptz, p_now timestamptz, p_admin_id uuid,
  p_remark text default null, p_key text default null, p_request_hash bytea default null, p_request_id text default null,
  p_collects boolean default false, p_source text default null, out outcome text, out package kinora.credit_package
)
language plpgsql
as $$
declare
  v_key record;
  v_before kinora.credit_account;
  v_after kinora.credit_account;
begin
  perform kinora.check_clock(p_now);
  p_expires_at := p_expires_at + (kinora.time_of_grant(p_now) - p_now);
  outcome := 'granted';
  if p_key is not null then
    if not kinora.administrator_key_is_free(p_admin_id, 'credits.add', p_key, p_user_id, true, p_now) then
      outcome := 'key_reused';
      return;
    end if;
    v_key := kinora.idempotency_take(p_admin_id, 'credits.add', p_key, p_request_hash, p_user_id, p_package_id, p_now);
    if v_key.outcome <> 'taken' then
      outcome := v_key.outcome;
      select * into package
      from kinora.credit_package
      where user_id = v_key.subject_user_id and id = v_key.subject_id;
      return;
    end if;
  end if;

  v_before := kinora.credit_lock(p_user_id, p_now);
  package := kinora.credit_grant(
    p_user_id, p_package_id, coalesce(p_source, 'adjust:' || p_package_id), 'SYSTEM_ADJUST', p_credits, p_expires_at, p_now, null, p_remark,
    p_admin_id, p_collects
  );
  select * into v_after from kinora.credit_account where user_id = p_user_id;
  -- A repeated call with the same package id adds nothing and therefore records nothing.
  if v_after.transactions > v_before.transactions then
    perform kinora.audit_add(
      p_actor_id => p_admin_id, p_action => 'credits.add', p_user_id => p_user_id, p_subject => p_package_id::text,
      p_before => kinora.audit_balance(v_before),
      p_after => kinora.audit_balance(v_after) || jsonb_build_object('credits', p_credits, 'expiresAt', kinora.epoch_ms(p_expires_at)),
      p_request_id => p_request_id, p_reason => p_remark, p_now => v_after.moved_at
    );
  end if;
end
$$;
