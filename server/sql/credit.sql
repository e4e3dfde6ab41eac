-- The ledger. Invariant: only this file writes credit_* tables.
--
-- Every function first locks the user's account row and writes off expired credits, then moves credits. All functions are
-- idempotent: called again with the same arguments they return the same and change nothing. A *package* is one addition of
-- credits, a *hold* reserves credits for a video, its *slices* record from which packages.
-- server/src/credit/README.md has the rules in prose.
--
-- One file although it is long: it holds every statement that can create, move or destroy credits, so that a reviewer has
-- one file to audit. Pure functions and reads are in ids.sql and verify.sql.

-- Appends one history row for a movement that the account row already shows.
create or replace function kinora.credit_record(
  p_account kinora.credit_account, p_trans_type text, p_credits bigint, p_now timestamptz,
  p_package_id uuid default null, p_video_id uuid default null, p_order_no text default null,
  p_remark text default null, p_actor_id uuid default null
) returns void
language sql
begin atomic
  insert into kinora.credit_transaction (
    user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
    created_at
  ) values (
    (p_account).user_id, (p_account).transactions, kinora.uuid_v7(p_now),
    kinora.credit_trans_no((p_account).number, (p_account).transactions),
    p_trans_type, p_credits, (p_account).available, p_package_id, p_video_id, p_order_no, p_remark, p_actor_id,
    p_now
  );
end;

-- Locks the account, opens it if it is new, and writes off every expired package (EXPIRED rows). All other functions call it
-- first, so that the movements of one user are serialised and none of them sees expired credits.
create or replace function kinora.credit_lock(p_user_id uuid, p_now timestamptz) returns kinora.credit_account
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_package record;
begin
  select * into v_account from kinora.credit_account where user_id = p_user_id for no key update;
  if not found then
    insert into kinora.credit_account (user_id, created_at) values (p_user_id, p_now)
    on conflict (user_id) do nothing;
    select * into v_account from kinora.credit_account where user_id = p_user_id for no key update;
  end if;

  -- "is not true" also returns for a null p_now, which below would set next_expiry_at to infinity.
  if (v_account.next_expiry_at <= p_now) is not true then
    return v_account;
  end if;

  for v_package in
    select id, remaining, order_no
    from kinora.credit_package
    where user_id = p_user_id and expires_at <= p_now and remaining > 0
    order by expires_at, created_at, id
  loop
    update kinora.credit_package
    set expired = expired + remaining, remaining = 0
    where user_id = p_user_id and id = v_package.id;

    update kinora.credit_account
    set available = available - v_package.remaining,
        expired = expired + v_package.remaining,
        transactions = transactions + 1
    where user_id = p_user_id
    returning * into v_account;

    perform kinora.credit_record(
      v_account, 'EXPIRED', -v_package.remaining, p_now, v_package.id, p_order_no => v_package.order_no
    );
  end loop;

  update kinora.credit_account
  set next_expiry_at = coalesce(
    (
      select min(expires_at)
      from kinora.credit_package
      where user_id = p_user_id and expires_at > p_now and remaining > 0
    ),
    'infinity'
  )
  where user_id = p_user_id
  returning * into v_account;
  return v_account;
end
$$;

-- Adds credits as a package. A second call for the same source returns the package that the first call created.
create or replace function kinora.credit_grant(
  p_user_id uuid, p_package_id uuid, p_source text, p_trans_type text, p_credits bigint, p_expires_at timestamptz,
  p_now timestamptz, p_order_no text, p_remark text, p_actor_id uuid default null
) returns kinora.credit_package
language plpgsql
as $$
declare
  v_account kinora.credit_account := kinora.credit_lock(p_user_id, p_now);
  v_package kinora.credit_package;
begin
  select * into v_package from kinora.credit_package where user_id = p_user_id and source = p_source;
  if found then
    return v_package;
  end if;

  insert into kinora.credit_package (
    user_id, id, trans_type, source, order_no, initial, remaining, expires_at, created_at
  ) values (
    p_user_id, p_package_id, p_trans_type, p_source, p_order_no, p_credits, p_credits, p_expires_at, p_now
  )
  returning * into v_package;

  update kinora.credit_account
  set available = available + p_credits,
      total = total + p_credits,
      transactions = transactions + 1,
      next_expiry_at = least(next_expiry_at, p_expires_at)
  where user_id = p_user_id
  returning * into v_account;

  perform kinora.credit_record(
    v_account, p_trans_type, p_credits, p_now, p_package_id, null, p_order_no, p_remark, p_actor_id
  );
  return v_package;
end
$$;

-- Opens the account of a new user and grants the NEW_USER gift, once: the first call decides for ever whether there is one.
-- The server calls it at registration, and again at every sign-in in case a crash lost the first call.
-- outcome: 'granted', 'none' (the gift is 0 credits), 'replayed' (decided before).
create or replace function kinora.credit_grant_gift(
  p_user_id uuid, p_package_id uuid, p_credits bigint, p_expires_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
begin
  -- Checked without the lock first, because nearly every sign-in returns here.
  if exists (select from kinora.credit_account where user_id = p_user_id and gift_at is not null) then
    return 'replayed';
  end if;
  perform kinora.credit_lock(p_user_id, p_now);
  update kinora.credit_account set gift_at = p_now where user_id = p_user_id and gift_at is null;
  if not found then
    return 'replayed';
  end if;
  if p_credits <= 0 then
    return 'none';
  end if;
  perform kinora.credit_grant(
    p_user_id, p_package_id, 'new-user', 'NEW_USER', p_credits, p_expires_at, p_now, null, 'Welcome gift'
  );
  return 'granted';
end
$$;

-- An administrator's grant. This is the one function that touches rows of two users: the idempotency key is stored under the
-- administrator's id, so that reusing a key for another user is detected.
-- outcome: 'granted', 'replayed' (same key, same request), 'key_reused' (same key, another request).
create or replace function kinora.credit_adjust(
  p_user_id uuid, p_package_id uuid, p_credits bigint, p_expires_at timestamptz, p_now timestamptz, p_remark text,
  p_admin_id uuid, p_key text, p_request_hash bytea,
  out outcome text, out package kinora.credit_package
)
language plpgsql
as $$
declare
  v_key kinora.idempotency_key;
begin
  outcome := 'granted';
  if p_key is not null then
    insert into kinora.idempotency_key (
      user_id, operation, key, request_hash, subject_user_id, subject_id, created_at
    ) values (
      p_admin_id, 'credits.add', p_key, p_request_hash, p_user_id, p_package_id, p_now
    )
    on conflict (user_id, operation, key) do nothing;
    if not found then
      select * into v_key
      from kinora.idempotency_key
      where user_id = p_admin_id and operation = 'credits.add' and key = p_key;
      outcome := case when v_key.request_hash = p_request_hash then 'replayed' else 'key_reused' end;
      select * into package
      from kinora.credit_package
      where user_id = v_key.subject_user_id and id = v_key.subject_id;
      return;
    end if;
  end if;

  package := kinora.credit_grant(
    p_user_id, p_package_id, 'adjust:' || p_package_id, 'SYSTEM_ADJUST', p_credits, p_expires_at, p_now, null, p_remark,
    p_admin_id
  );
end
$$;

-- Reserves credits for a video, FIFO: from the packages that expire first. p_max_open caps the open holds (0: no cap).
-- outcome: 'frozen' (also for a hold that exists already), or 'insufficient' or 'too_many' with nothing changed.
create or replace function kinora.credit_freeze(
  p_user_id uuid, p_hold_id uuid, p_credits bigint, p_now timestamptz, p_remark text, p_max_open integer default 0,
  out outcome text, out available bigint
)
language plpgsql
as $$
declare
  v_account kinora.credit_account := kinora.credit_lock(p_user_id, p_now);
  v_package record;
  v_missing bigint := p_credits;
  v_slice bigint;
begin
  outcome := 'frozen';
  available := v_account.available;
  if exists (select from kinora.credit_hold where user_id = p_user_id and id = p_hold_id) then
    return;
  end if;
  if p_max_open > 0 and v_account.open_holds >= p_max_open then
    outcome := 'too_many';
    return;
  end if;
  if v_account.available < p_credits then
    outcome := 'insufficient';
    return;
  end if;

  insert into kinora.credit_hold (user_id, id, credits, created_at) values (p_user_id, p_hold_id, p_credits, p_now);

  for v_package in
    select p.id, p.remaining
    from kinora.credit_package p
    where p.user_id = p_user_id and p.expires_at > p_now and p.remaining > 0
    order by p.expires_at, p.created_at, p.id
  loop
    v_slice := least(v_package.remaining, v_missing);
    update kinora.credit_package p
    set remaining = p.remaining - v_slice, frozen = p.frozen + v_slice
    where p.user_id = p_user_id and p.id = v_package.id;
    insert into kinora.credit_slice (user_id, hold_id, package_id, credits)
    values (p_user_id, p_hold_id, v_package.id, v_slice);
    v_missing := v_missing - v_slice;
    exit when v_missing = 0;
  end loop;
  if v_missing > 0 then
    raise exception 'account % shows % credits available, its packages % fewer', p_user_id, v_account.available, v_missing;
  end if;

  update kinora.credit_account a
  set available = a.available - p_credits,
      frozen = a.frozen + p_credits,
      open_holds = a.open_holds + 1,
      transactions = a.transactions + 1
  where a.user_id = p_user_id
  returning * into v_account;

  perform kinora.credit_record(
    v_account, 'VIDEO_CONSUME', -p_credits, p_now, p_video_id => p_hold_id, p_remark => p_remark
  );
  available := v_account.available;
end
$$;

-- Consumes the credits of a hold. Returns the state of the hold afterwards: 'settled', 'released' if that came first, or null
-- for an unknown hold.
create or replace function kinora.credit_settle(p_user_id uuid, p_hold_id uuid, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v_hold kinora.credit_hold;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  update kinora.credit_hold
  set state = 'settled', closed_at = p_now
  where user_id = p_user_id and id = p_hold_id and state = 'frozen'
  returning * into v_hold;
  if not found then
    return (select state from kinora.credit_hold where user_id = p_user_id and id = p_hold_id);
  end if;

  update kinora.credit_package p
  set frozen = p.frozen - s.credits, used = p.used + s.credits
  from kinora.credit_slice s
  where s.user_id = p_user_id and s.hold_id = p_hold_id and p.user_id = p_user_id and p.id = s.package_id;

  update kinora.credit_account
  set frozen = frozen - v_hold.credits, used = used + v_hold.credits, open_holds = open_holds - 1
  where user_id = p_user_id;
  return 'settled';
end
$$;

-- Returns the credits of a hold to the balance. Credits whose package has expired meanwhile come back in a grace package.
-- Returns the state of the hold afterwards: 'released', 'settled' if that came first, or null for an unknown hold.
create or replace function kinora.credit_release(
  p_user_id uuid, p_hold_id uuid, p_now timestamptz, p_grace interval, p_remark text
) returns text
language plpgsql
as $$
declare
  v_account kinora.credit_account := kinora.credit_lock(p_user_id, p_now);
  v_hold kinora.credit_hold;
  v_slice record;
  v_next_expiry_at timestamptz := 'infinity';
begin
  update kinora.credit_hold
  set state = 'released', closed_at = p_now
  where user_id = p_user_id and id = p_hold_id and state = 'frozen'
  returning * into v_hold;
  if not found then
    return (select state from kinora.credit_hold where user_id = p_user_id and id = p_hold_id);
  end if;

  for v_slice in
    select p.id, p.order_no, p.expires_at, s.credits
    from kinora.credit_slice s
    join kinora.credit_package p on p.user_id = s.user_id and p.id = s.package_id
    where s.user_id = p_user_id and s.hold_id = p_hold_id
    order by p.expires_at, p.created_at, p.id
  loop
    if v_slice.expires_at > p_now then
      update kinora.credit_package
      set frozen = frozen - v_slice.credits, remaining = remaining + v_slice.credits
      where user_id = p_user_id and id = v_slice.id;
      v_next_expiry_at := least(v_next_expiry_at, v_slice.expires_at);
    else
      update kinora.credit_package
      set frozen = frozen - v_slice.credits, moved = moved + v_slice.credits
      where user_id = p_user_id and id = v_slice.id;
      insert into kinora.credit_package (
        user_id, id, trans_type, source, order_no, parent_id, initial, remaining, expires_at, created_at
      ) values (
        p_user_id, kinora.uuid_v7(p_now), 'REFUND', 'release:' || p_hold_id || ':' || v_slice.id, v_slice.order_no,
        v_slice.id, v_slice.credits, v_slice.credits, p_now + p_grace, p_now
      );
      v_next_expiry_at := least(v_next_expiry_at, p_now + p_grace);
    end if;
  end loop;

  update kinora.credit_account
  set available = available + v_hold.credits,
      frozen = frozen - v_hold.credits,
      open_holds = open_holds - 1,
      transactions = transactions + 1,
      next_expiry_at = least(next_expiry_at, v_next_expiry_at)
  where user_id = p_user_id
  returning * into v_account;

  perform kinora.credit_record(
    v_account, 'REFUND', v_hold.credits, p_now, p_video_id => p_hold_id, p_remark => p_remark
  );
  return 'released';
end
$$;

-- Returns the balance at p_now, after writing off expired packages, so that the history read beside it adds up.
-- A user without an account has zero credits; reading the balance opens no account.
create or replace function kinora.credit_balance(
  p_user_id uuid, p_now timestamptz,
  out available bigint, out frozen bigint, out used bigint, out total bigint, out expiring_soon bigint
)
language plpgsql
as $$
begin
  perform kinora.credit_lock(a.user_id, p_now)
  from kinora.credit_account a
  where a.user_id = p_user_id and a.next_expiry_at <= p_now;

  -- One statement is one snapshot, so that expiring_soon is a part of the available credits returned beside it.
  select coalesce(a.available, 0), coalesce(a.frozen, 0), coalesce(a.used, 0), coalesce(a.total, 0), coalesce(s.credits, 0)
  into available, frozen, used, total, expiring_soon
  from (
    select sum(p.remaining) as credits
    from kinora.credit_package p
    where p.user_id = p_user_id and p.expires_at > p_now and p.expires_at <= p_now + interval '7 days'
  ) s
  left join kinora.credit_account a on a.user_id = p_user_id;
end
$$;

-- Records a refund claim: p_part (0 to 1) of a payment was refunded or disputed. Then claws back as many credits.
-- A claim repeated under the same key counts with its greatest part.
create or replace function kinora.credit_claim_refund(
  p_user_id uuid, p_source text, p_key text, p_part numeric, p_now timestamptz
) returns void
language plpgsql
as $$
begin
  perform kinora.credit_lock(p_user_id, p_now);
  insert into kinora.credit_refund_claim (user_id, source, key, part, created_at)
  values (p_user_id, p_source, p_key, least(1, p_part), p_now)
  on conflict (user_id, source, key) do update set part = greatest(credit_refund_claim.part, excluded.part);
  perform kinora.credit_claw_back(p_user_id, p_source, p_now);
end
$$;

-- Copies refund claims that arrived before it was known what their payment had bought to p_source, and claws back.
create or replace function kinora.credit_match_refund_claims(
  p_user_id uuid, p_source text, p_earlier_sources text[], p_now timestamptz
) returns void
language plpgsql
as $$
begin
  perform kinora.credit_lock(p_user_id, p_now);
  insert into kinora.credit_refund_claim (user_id, source, key, part, created_at)
  select p_user_id, p_source, c.key, max(c.part), p_now
  from kinora.credit_refund_claim c
  where c.user_id = p_user_id and c.source = any(p_earlier_sources) and c.source <> p_source
  group by c.key
  on conflict (user_id, source, key) do update set part = greatest(credit_refund_claim.part, excluded.part);
  if found then
    perform kinora.credit_claw_back(p_user_id, p_source, p_now);
  end if;
end
$$;

-- Takes credits back from the package that a payment bought: the part that its refund claims add up to, at most what remains.
-- Credits that cannot be taken now are not taken later.
create or replace function kinora.credit_claw_back(p_user_id uuid, p_source text, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_account kinora.credit_account := kinora.credit_lock(p_user_id, p_now);
  v_bought kinora.credit_package;
  v_package record;
  v_outstanding bigint;
  v_take bigint;
begin
  select * into v_bought from kinora.credit_package where user_id = p_user_id and source = p_source;
  if not found then
    return;
  end if;
  select least(v_bought.initial, round(v_bought.initial * coalesce(sum(part), 0)))
  into v_outstanding
  from kinora.credit_refund_claim
  where user_id = p_user_id and source = p_source;
  update kinora.credit_package set refund_claimed = v_outstanding
  where user_id = p_user_id and id = v_bought.id and refund_claimed < v_outstanding;
  v_outstanding := v_outstanding - v_bought.refund_claimed;
  -- Credits that were released after the package's expiry are in its grace packages, or in grace packages of those.
  for v_package in
    with recursive descendants as (
      select v_bought.id
      union all
      select p.id
      from descendants d
      join kinora.credit_package p on p.user_id = p_user_id and p.parent_id = d.id
    )
    select p.id, p.remaining
    from descendants d
    join kinora.credit_package p on p.user_id = p_user_id and p.id = d.id
    where p.remaining > 0
    order by p.expires_at, p.created_at, p.id
  loop
    v_take := least(v_package.remaining, v_outstanding);
    exit when v_take <= 0;
    update kinora.credit_package
    set remaining = remaining - v_take, clawed_back = clawed_back + v_take
    where user_id = p_user_id and id = v_package.id;

    update kinora.credit_account
    set available = available - v_take, clawed_back = clawed_back + v_take, transactions = transactions + 1
    where user_id = p_user_id
    returning * into v_account;

    perform kinora.credit_record(
      v_account, v_bought.trans_type, -v_take, p_now, v_package.id, null, v_bought.order_no, 'Payment returned'
    );
    v_outstanding := v_outstanding - v_take;
  end loop;
end
$$;
