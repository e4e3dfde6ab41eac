-- Corrections by an administrator: taking credits back, and reversing an expiry (credit_owed.sql: what is owed). Each
-- is recorded in the audit log, and p_dry_run returns what it would do without doing it.

-- Stores a request's idempotency key with the id of its audit entry. Returns the outcome of an earlier request of this
-- administrator with the key ('replayed', or 'key_reused' for another request) and its audit entry, or nulls. With
-- p_entry_id null it only looks the key up. Another part of a divided database may have the entry.
create or replace function kinora.credit_correction_key(
  p_admin_id uuid, p_operation text, p_key text, p_request_hash bytea, p_user_id uuid, p_entry_id uuid, p_now timestamptz,
  out outcome text, out entry kinora.audit
)
language plpgsql
as $$
declare
  v_key kinora.idempotency_key;
begin
  if p_key is null then
    return;
  end if;
  if not kinora.administrator_key_is_free(p_admin_id, p_operation, p_key, p_user_id, p_entry_id is not null, p_now) then
    outcome := 'key_reused';
    return;
  end if;
  if p_entry_id is not null then
    insert into kinora.idempotency_key (user_id, operation, key, request_hash, subject_user_id, subject_id, created_at)
    values (p_admin_id, p_operation, p_key, p_request_hash, p_user_id, p_entry_id, p_now)
    on conflict (user_id, operation, key) do nothing;
    if found then
      return;
    end if;
  end if;
  select * into v_key
  from kinora.idempotency_key
  where user_id = p_admin_id and operation = p_operation and key = p_key;
  if found then
    outcome := case when v_key.request_hash = p_request_hash then 'replayed' else 'key_reused' end;
    select * into entry from kinora.audit where id = v_key.subject_id;
  end if;
end
$$;

-- Takes credits of a user back, FIFO, never more than are available. They count as clawed back, and as taken in their
-- package. outcome: 'taken' (with p_dry_run: it would be), 'replayed' (same key, same request), 'key_reused',
-- 'insufficient'. available: before the taking. packages: [[id, credits, expiry in epoch milliseconds], …], what is
-- taken from which.
create or replace function kinora.credit_take(
  p_user_id uuid, p_credits bigint, p_now timestamptz, p_reason text, p_admin_id uuid, p_key text default null,
  p_request_hash bytea default null, p_request_id text default null, p_dry_run boolean default false, out outcome text,
  out available bigint, out packages jsonb
)
language plpgsql
as $$
declare
  v_account kinora.credit_account := kinora.credit_lock(p_user_id, p_now);
  v_before constant jsonb := kinora.audit_balance(v_account);
  v_earlier record;
  v_package record;
  v_missing bigint := p_credits;
  v_taken bigint;
  v_audit_id constant uuid := kinora.uuid_v7(p_now);
begin
  if (p_credits > 0) is not true then
    raise exception 'p_credits is %', p_credits using errcode = 'check_violation';
  end if;
  select * into v_earlier
  from kinora.credit_correction_key(
    p_admin_id, 'credits.take', p_key, p_request_hash, p_user_id,
    case when v_account.available >= p_credits and not p_dry_run then v_audit_id end, p_now
  );
  if v_earlier.outcome is not null then
    outcome := v_earlier.outcome;
    available := (v_earlier.entry).before ->> 'available';
    packages := coalesce((v_earlier.entry).after -> 'packages', '[]');
    return;
  end if;
  available := v_account.available;
  packages := '[]';
  if available < p_credits then
    outcome := 'insufficient';
    return;
  end if;

  outcome := 'taken';
  for v_package in
    select id, order_no, remaining, expires_at
    from kinora.credit_package
    where user_id = p_user_id and expires_at > p_now and remaining > 0
    order by expires_at, created_at, id
  loop
    v_taken := least(v_package.remaining, v_missing);
    v_missing := v_missing - v_taken;
    packages := packages
      || jsonb_build_array(jsonb_build_array(v_package.id, v_taken, kinora.epoch_ms(v_package.expires_at)));
    if not p_dry_run then
      update kinora.credit_package
      set remaining = remaining - v_taken, clawed_back = clawed_back + v_taken, taken = taken + v_taken
      where user_id = p_user_id and id = v_package.id;
      perform kinora.credit_move(
        kinora.movement(
          p_user_id, 'SYSTEM_ADJUST', -v_taken, p_clawed_back => v_taken, p_package_id => v_package.id,
          p_order_no => v_package.order_no, p_remark => p_reason, p_actor_id => p_admin_id
        ),
        p_now
      );
    end if;
    exit when v_missing = 0;
  end loop;
  if v_missing > 0 then
    raise exception 'account % shows % credits available, its packages % fewer', p_user_id, available, v_missing;
  end if;
  if p_dry_run then
    return;
  end if;

  select * into v_account from kinora.credit_account where user_id = p_user_id;
  perform kinora.audit_add(
    p_actor_id => p_admin_id, p_action => 'credits.take', p_user_id => p_user_id, p_subject => null, p_before => v_before,
    p_after => kinora.audit_balance(v_account) || jsonb_build_object('credits', p_credits, 'packages', packages),
    p_request_id => p_request_id, p_reason => p_reason, p_now => v_account.moved_at, p_id => v_audit_id
  );
end
$$;

-- Makes the expired credits of a package available until p_expires_at. Returns the id of the grace package that has
-- them when the package itself expires at another time.
create or replace function kinora.credit_restore_expired(
  p_package kinora.credit_package, p_root_id uuid, p_expires_at timestamptz, p_now timestamptz
) returns uuid
language plpgsql
as $$
declare
  v_credits constant bigint := p_package.expired;
  v_grace_id constant uuid := kinora.uuid_v7(p_now);
begin
  if p_expires_at = p_package.expires_at then
    update kinora.credit_package
    set expired = expired - v_credits, remaining = remaining + v_credits
    where user_id = p_package.user_id and id = p_package.id;
    return null;
  end if;
  update kinora.credit_package
  set expired = expired - v_credits, moved = moved + v_credits
  where user_id = p_package.user_id and id = p_package.id;
  insert into kinora.credit_package (
    user_id, id, trans_type, source, order_no, parent_id, root_id, initial, remaining, expires_at, created_at
  ) values (
    p_package.user_id, v_grace_id, 'REFUND', 'reversal:' || v_grace_id, p_package.order_no, p_package.id, p_root_id, v_credits,
    v_credits, p_expires_at, kinora.credit_row_time(p_package.user_id, p_now)
  );
  return v_grace_id;
end
$$;

-- Reverses the expiry of a package: its expired credits are available again until p_expires_at, or until its own expiry
-- when that is null and has not passed (a wrong clock wrote them off). Another expiry than its own makes a grace
-- package, because a package's expiry never changes. Refund claims take first what they are owed. outcome: 'reversed'
-- (with p_dry_run: it would be), 'replayed' (same key, same request), 'key_reused', 'not_found' (no such package of
-- this user), 'nothing' (no credits of it have expired), 'past' (it would expire at once).
create or replace function kinora.credit_reverse_expiry(
  p_user_id uuid, p_package_id uuid, p_now timestamptz, p_reason text, p_admin_id uuid, p_expires_at timestamptz default null,
  p_key text default null, p_request_hash bytea default null, p_request_id text default null, p_dry_run boolean default false,
  out outcome text, out credits bigint, out expires_at timestamptz
)
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_before jsonb;
  v_earlier record;
  v_package kinora.credit_package;
  v_root kinora.credit_package;
  v_grace_id uuid;
  v_audit_id constant uuid := kinora.uuid_v7(p_now);
begin
  perform kinora.check_clock(p_now);
  -- Checked before credit_lock, which would open an account for a user who has none.
  if not exists (select from kinora.credit_package p where p.user_id = p_user_id and p.id = p_package_id) then
    outcome := 'not_found';
    return;
  end if;
  v_account := kinora.credit_lock(p_user_id, p_now);
  v_before := kinora.audit_balance(v_account);
  select * into v_package from kinora.credit_package p where p.user_id = p_user_id and p.id = p_package_id;
  select * into v_root
  from kinora.credit_package p
  where p.user_id = p_user_id and p.id = coalesce(v_package.root_id, v_package.id);
  credits := v_package.expired;
  expires_at := coalesce(p_expires_at, v_package.expires_at);
  outcome := case when credits = 0 then 'nothing' when expires_at <= p_now then 'past' else 'reversed' end;
  select * into v_earlier
  from kinora.credit_correction_key(
    p_admin_id, 'credits.reverse-expiry', p_key, p_request_hash, p_user_id,
    case when outcome = 'reversed' and not p_dry_run then v_audit_id end, p_now
  );
  if v_earlier.outcome is not null then
    outcome := v_earlier.outcome;
    credits := (v_earlier.entry).after ->> 'credits';
    expires_at := to_timestamp(((v_earlier.entry).after ->> 'expiresAt')::numeric / 1000);
    return;
  end if;
  if outcome <> 'reversed' or p_dry_run then
    return;
  end if;

  v_grace_id := kinora.credit_restore_expired(v_package, v_root.id, expires_at, p_now);
  perform kinora.credit_move(
    kinora.movement(
      p_user_id, 'EXPIRED', credits, p_expired => -credits, p_next_expiry_at => expires_at, p_package_id => p_package_id,
      p_order_no => v_package.order_no, p_remark => p_reason, p_actor_id => p_admin_id,
      p_graces => case
        when v_grace_id is not null then
          jsonb_build_array(jsonb_build_array(v_grace_id, credits, kinora.epoch_ms(expires_at)))
      end
    ),
    p_now
  );
  perform kinora.credit_claw_back(p_user_id, v_root.source, p_now);

  select * into v_account from kinora.credit_account where user_id = p_user_id;
  perform kinora.audit_add(
    p_actor_id => p_admin_id, p_action => 'credits.reverse-expiry', p_user_id => p_user_id, p_subject => p_package_id::text,
    p_before => v_before,
    p_after => kinora.audit_balance(v_account)
      || jsonb_build_object('credits', credits, 'expiresAt', kinora.epoch_ms(expires_at)),
    p_request_id => p_request_id, p_reason => p_reason, p_now => v_account.moved_at, p_id => v_audit_id
  );
end
$$;
