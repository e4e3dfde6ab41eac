-- The ledger: locking an account, freezing, settling and releasing credits. Invariant: only the files credit*.sql
-- write credit_* tables, and only credit_history.sql changes the amounts of an account.
--
-- Every function first locks the user's account row and writes off expired credits, then moves credits. All functions are
-- idempotent: called again with the same arguments they return the same and change nothing. A *package* is one addition of
-- credits, a *hold* reserves credits for a video, its *slices* record from which packages.
-- server/src/credit/README.md has the rules in prose.

-- Locks the account, opens it if it is new, and writes off every expired package (EXPIRED rows). All other functions call it
-- first, so that the movements of one user are serialised and none of them sees expired credits.
create or replace function kinora.credit_lock(p_user_id uuid, p_now timestamptz) returns kinora.credit_account
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_package record;
begin
  perform kinora.check_clock(p_now);
  select * into v_account from kinora.credit_account where user_id = p_user_id for no key update;
  if not found then
    insert into kinora.credit_account (user_id, created_at, ledger_version) values (p_user_id, p_now, 1)
    on conflict (user_id) do nothing;
    select * into v_account from kinora.credit_account where user_id = p_user_id for no key update;
  end if;

  if v_account.ledger_version < 1 then
    v_account := kinora.credit_upgrade(v_account, p_now);
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

    v_account := kinora.credit_move(
      v_account, 'EXPIRED', -v_package.remaining, p_now, p_expired => v_package.remaining,
      p_package_id => v_package.id, p_order_no => v_package.order_no
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

-- Reserves credits for a video, FIFO: from the packages that expire first. p_max_open caps the open holds; 0 means the most that
-- an account may ever have, a million, which keeps open_holds far below the limit of its type, integer.
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
  if v_account.open_holds >= least(nullif(greatest(p_max_open, 0), 0), 1000000) then
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

  v_account := kinora.credit_move(
    v_account, 'VIDEO_CONSUME', -p_credits, p_now, p_frozen => p_credits, p_open_holds => 1,
    p_video_id => p_hold_id, p_remark => p_remark
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

-- Returns the credits of a hold to the balance. What refund claims are owed by their packages is taken first. Credits whose package
-- has expired meanwhile come back in a grace package, or expire when their grace is over too.
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
  v_taken bigint;
  v_rest bigint;
  v_expires_at timestamptz;
  v_grace_id uuid;
  v_graces jsonb;
  v_next_expiry_at timestamptz := 'infinity';
  -- What leaves the balance again at once, in columns: package, type, order number, credits.
  v_leaving kinora.credit_transaction[] := '{}';
  v_row kinora.credit_transaction;
begin
  if p_grace is null then
    raise exception 'p_grace is null' using errcode = 'null_value_not_allowed';
  end if;
  update kinora.credit_hold
  set state = 'released', closed_at = p_now
  where user_id = p_user_id and id = p_hold_id and state = 'frozen'
  returning * into v_hold;
  if not found then
    return (select state from kinora.credit_hold where user_id = p_user_id and id = p_hold_id);
  end if;

  for v_slice in
    select p as package, r as root, s.credits
    from kinora.credit_slice s
    join kinora.credit_package p on p.user_id = s.user_id and p.id = s.package_id
    join kinora.credit_package r on r.user_id = p.user_id and r.id = coalesce(p.root_id, p.id)
    where s.user_id = p_user_id and s.hold_id = p_hold_id
    order by p.expires_at, p.created_at, p.id
  loop
    v_taken := 0;
    if (v_slice.root).refund_claimed > 0 then
      v_taken := least(
        v_slice.credits, greatest(0, kinora.credit_claim_shortfall(p_user_id, (v_slice.root).id))
      );
    end if;
    v_rest := v_slice.credits - v_taken;
    v_expires_at := (v_slice.package).expires_at;
    v_grace_id := null;
    if v_expires_at <= p_now then
      v_expires_at := kinora.credit_grace_end(v_slice.package, v_slice.root, v_hold.created_at, p_grace, p_now);
      if v_expires_at > p_now and v_rest > 0 then
        v_grace_id := kinora.uuid_v7(p_now);
      end if;
    end if;

    update kinora.credit_package
    set frozen = frozen - v_slice.credits,
        clawed_back = clawed_back + v_taken,
        moved = moved + case when v_grace_id is not null then v_rest else 0 end,
        expired = expired + case when v_expires_at <= p_now then v_rest else 0 end,
        remaining = remaining + case when v_grace_id is null and v_expires_at > p_now then v_rest else 0 end
    where user_id = p_user_id and id = (v_slice.package).id;
    if v_grace_id is not null then
      insert into kinora.credit_package (
        user_id, id, trans_type, source, order_no, parent_id, root_id, initial, remaining, expires_at, created_at
      ) values (
        p_user_id, v_grace_id, 'REFUND', 'release:' || p_hold_id || ':' || (v_slice.package).id,
        (v_slice.package).order_no, (v_slice.package).id, (v_slice.root).id, v_rest, v_rest, v_expires_at, p_now
      );
      v_graces := coalesce(v_graces, '[]')
        || jsonb_build_array(jsonb_build_array(v_grace_id, v_rest, kinora.epoch_ms(v_expires_at)));
    end if;

    v_row.package_id := (v_slice.package).id;
    if v_taken > 0 then
      v_row.trans_type := (v_slice.root).trans_type;
      v_row.order_no := (v_slice.root).order_no;
      v_row.credits := v_taken;
      v_leaving := v_leaving || v_row;
    end if;
    if v_rest > 0 and v_expires_at <= p_now then
      v_row.trans_type := 'EXPIRED';
      v_row.order_no := (v_slice.package).order_no;
      v_row.credits := v_rest;
      v_leaving := v_leaving || v_row;
    elsif v_rest > 0 then
      v_next_expiry_at := least(v_next_expiry_at, v_expires_at);
    end if;
  end loop;

  v_account := kinora.credit_move(
    v_account, 'REFUND', v_hold.credits, p_now, p_frozen => -v_hold.credits, p_open_holds => -1,
    p_next_expiry_at => v_next_expiry_at, p_video_id => p_hold_id, p_remark => p_remark, p_graces => v_graces
  );
  foreach v_row in array v_leaving loop
    if v_row.trans_type = 'EXPIRED' then
      v_account := kinora.credit_move(
        v_account, 'EXPIRED', -v_row.credits, p_now, p_expired => v_row.credits,
        p_package_id => v_row.package_id, p_order_no => v_row.order_no
      );
    else
      v_account := kinora.credit_move(
        v_account, v_row.trans_type, -v_row.credits, p_now, p_clawed_back => v_row.credits,
        p_package_id => v_row.package_id, p_order_no => v_row.order_no, p_remark => 'Payment returned'
      );
    end if;
  end loop;
  return 'released';
end
$$;
