-- Transfers: a user moves own credits into a team, in one transaction of both accounts, and never back. The packages
-- keep their expiry, and name the user's packages that they came from, by which a refund finds them
-- (credit_refund_claim.sql). Lock order: the user's account, the team, the team's account, whose id is after every id
-- of a user.

-- Returns the packages of a user of which credits may be moved, in the order in which they are used: none that are
-- for one person, and none of a payment that is being returned.
create or replace function kinora.credit_transferable(p_user_id uuid, p_now timestamptz)
returns table (package_id uuid, trans_type text, credits bigint, expires_at timestamptz)
language plpgsql stable
as $$
begin
  return query
  select p.id, r.trans_type, p.remaining, p.expires_at
  from kinora.credit_package p
  join kinora.credit_package r on r.user_id = p.user_id and r.id = coalesce(p.root_id, p.id)
  where p.user_id = p_user_id and p.expires_at > p_now and p.remaining > 0 and not kinora.credit_is_personal(r.source)
    and not exists (
      select from kinora.credit_refund_claim c where c.user_id = r.user_id and c.source = r.source and c.part > 0
    )
  order by p.expires_at, p.created_at, p.id;
end
$$;

-- Moves credits of a user into a team of which the user is a member; p_transfer_id: a new id. outcome: 'moved',
-- 'replayed' (same key, same request, or same id), 'key_reused', 'not_found' (the team is deleted, or the user no
-- member), 'locked' (the team), 'owed' (the user owes credits), 'insufficient'; only the first changes anything.
-- credits: what could be moved before, or what the user owes. packages: [[id, credits, expiry in epoch milliseconds],
-- …], those that the credits left.
create or replace function kinora.credit_transfer(
  p_user_id uuid, p_team_id uuid, p_transfer_id uuid, p_credits bigint, p_now timestamptz, p_key text default null,
  p_request_hash bytea default null, p_collects boolean default false, out outcome text, out transfer_id uuid,
  out credits bigint, out packages jsonb
)
language plpgsql
as $$
declare
  v_key kinora.idempotency_key;
  v_team kinora.team;
begin
  perform kinora.check_clock(p_now);
  if (p_credits > 0) is not true then
    raise exception 'p_credits is %', p_credits using errcode = 'check_violation';
  end if;
  perform kinora.credit_lock(p_user_id, p_now);
  select * into v_key
  from kinora.idempotency_key k
  where k.user_id = p_user_id and k.operation = 'credits.transfer' and k.key = p_key;
  transfer_id := coalesce(v_key.subject_id, p_transfer_id);
  if v_key.request_hash <> p_request_hash then
    outcome := 'key_reused';
    return;
  end if;
  select t.graces into packages
  from kinora.credit_transaction t
  where t.user_id = p_user_id and t.source = 'transfer:' || transfer_id || ':' || p_team_id and t.source like 'transfer:%';
  if found then
    outcome := 'replayed';
    return;
  end if;

  -- Changes of members, and the deletion and the lock of the team, wait.
  select * into v_team from kinora.team t where t.id = p_team_id for share;
  credits := kinora.credit_owed(p_user_id);
  outcome := case
    when not exists (select from kinora.team_member m where m.team_id = v_team.id and m.user_id = p_user_id) then 'not_found'
    when v_team.locked_at is not null then 'locked'
    when credits > 0 then 'owed'
  end;
  if outcome is not null then
    return;
  end if;
  select coalesce(sum(t.credits), 0) into credits from kinora.credit_transferable(p_user_id, p_now) t;
  if credits < p_credits then
    outcome := 'insufficient';
    return;
  end if;
  if p_key is not null then
    insert into kinora.idempotency_key (user_id, operation, key, request_hash, subject_user_id, subject_id, created_at)
    values (p_user_id, 'credits.transfer', p_key, p_request_hash, p_team_id, p_transfer_id, p_now);
  end if;
  packages := kinora.credit_write_transfer(p_user_id, p_team_id, p_transfer_id, p_credits, p_now, p_collects);
  outcome := 'moved';
end
$$;

-- Writes the packages and the two rows of a transfer, FIFO, locks the team's account, and returns the packages that the
-- credits left. p_collects (setting OWED): what the team owes is paid from the new packages first.
create or replace function kinora.credit_write_transfer(
  p_user_id uuid, p_team_id uuid, p_transfer_id uuid, p_credits bigint, p_now timestamptz, p_collects boolean
) returns jsonb
language plpgsql
as $$
declare
  v_source constant text := 'transfer:' || p_transfer_id || ':';
  v_moved record;
begin
  perform kinora.credit_lock(p_team_id, p_now);
  with slice as materialized (
    select t.package_id, t.trans_type, t.expires_at, t.n, kinora.uuid_v7(p_now, t.n::integer) as id,
           (least(t.until, p_credits) - (t.until - t.credits))::bigint as credits
    from (
      select f.*, sum(f.credits) over (order by f.n) as until
      from rows from (kinora.credit_transferable(p_user_id, p_now)) with ordinality f (package_id, trans_type, credits, expires_at, n)
    ) t
    where t.until - t.credits < p_credits
  ),
  left_package as (
    update kinora.credit_package p
    set remaining = p.remaining - s.credits, transferred = p.transferred + s.credits
    from slice s
    where p.user_id = p_user_id and p.id = s.package_id
  ),
  added_package as (
    insert into kinora.credit_package (
      user_id, id, trans_type, source, from_user_id, from_package_id, initial, remaining, expires_at, created_at
    )
    select p_team_id, s.id, s.trans_type, v_source || s.package_id, p_user_id, s.package_id, s.credits, s.credits, s.expires_at,
           kinora.credit_row_time(p_team_id, p_now)
    from slice s
  )
  select min(s.expires_at) as expires_at,
         jsonb_agg(jsonb_build_array(s.package_id, s.credits, kinora.epoch_ms(s.expires_at)) order by s.n) as left_packages,
         jsonb_agg(jsonb_build_array(s.id, s.credits, kinora.epoch_ms(s.expires_at)) order by s.n) as packages
  into v_moved
  from slice s;
  perform kinora.credit_move_all(
    array[
      kinora.movement(
        p_user_id, 'SYSTEM_ADJUST', -p_credits, p_total => -p_credits, p_remark => 'Moved into a team',
        p_source => v_source || p_team_id, p_graces => v_moved.left_packages
      ),
      kinora.movement(
        p_team_id, 'SYSTEM_ADJUST', p_credits, p_total => p_credits, p_next_expiry_at => v_moved.expires_at,
        p_remark => 'Moved into the team by a member', p_source => v_source || p_user_id, p_graces => v_moved.packages
      )
    ],
    p_now
  );
  perform kinora.team_log(
    p_team_id => p_team_id, p_actor_id => p_user_id, p_action => 'team.move-credits', p_subject => p_transfer_id::text,
    p_before => null, p_after => jsonb_build_object('credits', p_credits), p_now => p_now
  );
  perform kinora.webhook_write_one(
    p_team_id, 'credit.added', p.id,
    jsonb_build_object(
      'packageId', p.id, 'transType', 'SYSTEM_ADJUST', 'credits', p.initial, 'orderNo', null, 'expiresAt', kinora.iso_time(p.expires_at)
    ),
    p_now
  )
  from kinora.credit_package p
  where p.user_id = p_team_id and p.id in (select (e.package ->> 0)::uuid from jsonb_array_elements(v_moved.packages) e (package))
  order by p.id;
  if p_collects then
    perform kinora.credit_pay_owed(p_team_id, p_credits, p_now, p_package_id => (e.package ->> 0)::uuid)
    from jsonb_array_elements(v_moved.packages) e (package);
  end if;
  return v_moved.left_packages;
end
$$;

-- Lets the payers owe what a deleted team owes. Called again when its films have ended, whose credits pay first. Locks
-- the payers, then the accounts of all teams that have credits of theirs, which what they owe is asked of too.
create or replace function kinora.team_pass_on_owed(p_team_id uuid, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_payers constant uuid[] := array(
    select distinct p.from_user_id from kinora.credit_package p where p.user_id = p_team_id and p.from_user_id is not null order by 1
  );
  v_root record;
begin
  perform kinora.credit_lock_accounts(v_payers, p_now, false);
  perform kinora.credit_lock_accounts(
    array(select distinct p.user_id from kinora.credit_package p where p.from_user_id = any(v_payers) order by 1), p_now, false
  );
  for v_root in
    select distinct r.user_id, r.source
    from kinora.credit_package p
    join kinora.credit_package f on f.user_id = p.from_user_id and f.id = p.from_package_id
    join kinora.credit_package r on r.user_id = f.user_id and r.id = coalesce(f.root_id, f.id)
    where p.user_id = p_team_id and p.refund_claimed + p.passed_on > 0
    order by r.user_id, r.source
  loop
    perform kinora.credit_claw_back(v_root.user_id, v_root.source, p_now);
  end loop;
end
$$;
