-- What is owed: credits of returned payments that could not be taken, because they are used or frozen. Credits that
-- expired or that an administrator took are not owed: the user has had nothing of them. It is paid with other credits
-- of the user, by an administrator or (setting OWED) by the next addition, or forgiven by an administrator.

-- Returns how many credits of a package that was granted its refund claims ask for and have not got, from it and its
-- grace packages, from other packages, or by forgiveness. Negative: claims got more than they ask for, because one was
-- reversed.
create or replace function kinora.credit_refund_claim_shortfall(p_user_id uuid, p_root_id uuid) returns bigint
language sql stable
return (
  select case when w.missing > 0 then greatest(0, w.missing - w.forgiven) else w.missing end
  from (
    select max(refund_claimed) - max(repaid) - sum(clawed_back - taken - collected) as missing, max(forgiven) as forgiven
    from kinora.credit_package
    where user_id = p_user_id and (id = p_root_id or root_id = p_root_id)
  ) w
);

-- Returns the packages of a user that owe credits. Credits that paid for another package count as used: the user has
-- had them. So do those that a team has used which was deleted: they count for the payer (assumed), and for the team no
-- more (passed_on).
create or replace function kinora.credit_owed_packages(p_user_id uuid) returns table (package_id uuid, owed bigint)
-- PL/pgSQL: a divided database is asked for it from another part, where it takes no parameters of SQL functions.
language plpgsql stable
as $$
begin
  return query
  select r.id, o.owed
  from kinora.credit_package r
  cross join lateral (
    select least(
      r.refund_claimed - sum(p.clawed_back - p.taken - p.collected),
      sum(p.used + p.frozen + p.collected) + r.assumed - r.passed_on
    )::bigint - r.repaid - r.forgiven as owed
    from kinora.credit_package p
    where p.user_id = p_user_id and (p.id = r.id or p.root_id = r.id)
  ) o
  where r.user_id = p_user_id and r.refund_claimed > 0 and o.owed > 0
  order by r.expires_at, r.created_at, r.id;
end
$$;

-- Returns the credits that a user owes.
create or replace function kinora.credit_owed(p_user_id uuid) returns bigint
language sql stable
return (select coalesce(sum(owed), 0)::bigint from kinora.credit_owed_packages(p_user_id));

-- Pays up to p_credits of what the user of a locked account owes, the package that expires first before the others,
-- with available credits: of p_package_id, or FIFO where that is null. A row of the history for each package that pays
-- and each that owed. packages: [[id, credits, expiry in epoch milliseconds], …], what is taken from which.
create or replace function kinora.credit_pay_owed(
  p_user_id uuid, p_credits bigint, p_now timestamptz, p_package_id uuid default null, p_remark text default 'Paid what was owed',
  p_actor_id uuid default null, p_dry_run boolean default false, out packages jsonb
)
language plpgsql
as $$
declare
  v_part record;
begin
  packages := '[]';
  -- Lays both lists along one line of credits; where intervals of them overlap, a package pays for another.
  for v_part in
    with owing as (
      select package_id, owed, sum(owed) over (order by n) as until
      from rows from (kinora.credit_owed_packages(p_user_id)) with ordinality o (package_id, owed, n)
    ),
    paying as (
      select id, expires_at, created_at, remaining, sum(remaining) over (order by expires_at, created_at, id) as until
      from kinora.credit_package
      where user_id = p_user_id and expires_at > p_now and remaining > 0 and (p_package_id is null or id = p_package_id)
    )
    select p.id, p.expires_at, r.id as root_id, r.trans_type, r.order_no,
           (least(p.until, o.until, p_credits) - greatest(p.until - p.remaining, o.until - o.owed))::bigint as credits
    from paying p
    join owing o on o.until > p.until - p.remaining and o.until - o.owed < p.until
    join kinora.credit_package r on r.user_id = p_user_id and r.id = o.package_id
    where greatest(p.until - p.remaining, o.until - o.owed) < p_credits
    order by p.until, o.until
  loop
    packages := packages || jsonb_build_array(jsonb_build_array(v_part.id, v_part.credits, kinora.epoch_ms(v_part.expires_at)));
    continue when p_dry_run;
    update kinora.credit_package p
    set remaining = remaining - v_part.credits,
        clawed_back = clawed_back + v_part.credits,
        collected = collected + v_part.credits
    where p.user_id = p_user_id and p.id = v_part.id;
    update kinora.credit_package p set repaid = repaid + v_part.credits where p.user_id = p_user_id and p.id = v_part.root_id;
    perform kinora.credit_move(
      kinora.movement(
        p_user_id, v_part.trans_type, -v_part.credits, p_clawed_back => v_part.credits, p_package_id => v_part.id,
        p_order_no => v_part.order_no, p_remark => p_remark, p_actor_id => p_actor_id
      ),
      p_now
    );
  end loop;
  -- A package that paid for several is listed once.
  select coalesce(jsonb_agg(jsonb_build_array(id, credits, expires_at) order by n), '[]')
  into packages
  from (
    select part -> 0 as id, sum((part ->> 1)::bigint) as credits, part -> 2 as expires_at, min(n) as n
    from jsonb_array_elements(packages) with ordinality t (part, n)
    group by part -> 0, part -> 2
  ) p;
end
$$;

-- Forgives up to p_credits of what the user of a locked account owes, the package that expires first before the others.
create or replace function kinora.credit_forgive_owed(p_user_id uuid, p_credits bigint) returns void
language sql
begin atomic
  update kinora.credit_package p
  set forgiven = p.forgiven + least(o.until, p_credits) - (o.until - o.owed)
  from (
    select package_id, owed, (sum(owed) over (order by n))::bigint as until
    from rows from (kinora.credit_owed_packages(p_user_id)) with ordinality o (package_id, owed, n)
  ) o
  where p.user_id = p_user_id and p.id = o.package_id and o.until - o.owed < p_credits;
end;

-- An administrator collects what a user owes from available credits, FIFO, or forgives it: all of p_credits or nothing.
-- outcome: 'settled' (with p_dry_run: it would be), 'replayed' (same key, same request), 'key_reused', 'insufficient'
-- (less is owed or, to collect, available). owed, available: before. packages: as credit_pay_owed.
create or replace function kinora.credit_settle_owed(
  p_user_id uuid, p_forgives boolean, p_credits bigint, p_now timestamptz, p_reason text, p_admin_id uuid,
  p_key text default null, p_request_hash bytea default null, p_request_id text default null, p_dry_run boolean default false,
  out outcome text, out owed bigint, out available bigint, out packages jsonb
)
language plpgsql
as $$
declare
  v_account kinora.credit_account := kinora.credit_lock(p_user_id, p_now);
  v_before constant jsonb := kinora.audit_balance(v_account) || jsonb_build_object('owed', kinora.credit_owed(p_user_id));
  v_action constant text := case when p_forgives then 'credits.forgive' else 'credits.collect' end;
  v_audit_id constant uuid := kinora.uuid_v7(p_now);
  v_earlier record;
  v_at constant timestamptz := kinora.credit_row_time(p_user_id, p_now);
  v_after jsonb;
begin
  if (p_credits > 0) is not true then
    raise exception 'p_credits is %', p_credits using errcode = 'check_violation';
  end if;
  owed := v_before ->> 'owed';
  available := v_account.available;
  packages := '[]';
  outcome := case when owed < p_credits or not p_forgives and available < p_credits then 'insufficient' else 'settled' end;
  select * into v_earlier
  from kinora.credit_correction_key(
    p_admin_id, v_action, p_key, p_request_hash, p_user_id, case when outcome = 'settled' and not p_dry_run then v_audit_id end, p_now
  );
  if v_earlier.outcome is not null then
    outcome := v_earlier.outcome;
    owed := (v_earlier.entry).before ->> 'owed';
    available := (v_earlier.entry).before ->> 'available';
    packages := coalesce((v_earlier.entry).after -> 'packages', '[]');
    return;
  end if;
  if outcome = 'insufficient' then
    return;
  end if;

  if not p_forgives then
    packages := kinora.credit_pay_owed(
      p_user_id, p_credits, p_now, p_remark => p_reason, p_actor_id => p_admin_id, p_dry_run => p_dry_run
    );
  elsif not p_dry_run then
    perform kinora.credit_forgive_owed(p_user_id, p_credits);
  end if;
  if p_dry_run then
    return;
  end if;
  select kinora.audit_balance(a) || jsonb_build_object('owed', kinora.credit_owed(p_user_id), 'credits', p_credits, 'packages', packages)
  into v_after
  from kinora.credit_account a
  where a.user_id = p_user_id;
  if p_forgives then
    perform kinora.audit_add(
      p_actor_id => p_admin_id, p_action => 'credits.forgive', p_user_id => p_user_id, p_subject => null,
      p_before => v_before, p_after => v_after, p_request_id => p_request_id, p_reason => p_reason, p_now => v_at,
      p_id => v_audit_id
    );
  else
    perform kinora.audit_add(
      p_actor_id => p_admin_id, p_action => 'credits.collect', p_user_id => p_user_id, p_subject => null,
      p_before => v_before, p_after => v_after, p_request_id => p_request_id, p_reason => p_reason, p_now => v_at,
      p_id => v_audit_id
    );
  end if;
end
$$;
