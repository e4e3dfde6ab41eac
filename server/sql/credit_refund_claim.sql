-- Refund claims: the part of a payment that refunds and disputes ask back. A claim takes what remains of the package
-- that the payment bought, with its grace packages; what is released into them later is taken then, until the claim is
-- met. What it cannot take is owed: credit_owed.sql. Credits that were moved into a team (credit_transfer.sql) are
-- claimed there.

-- Sets refund claims on a package: p_parts has the part of it, from 0 to 1, by the key of each claim. Then takes or
-- gives back as many credits. A claim of 0 asks for nothing: its dispute was won, or its refund has failed. Claims that
-- p_parts does not name stay.
create or replace function kinora.credit_claim_refund(p_user_id uuid, p_source text, p_parts jsonb, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.credit_lock(p_user_id, p_now);
  insert into kinora.credit_refund_claim (user_id, source, key, part, created_at)
  select p_user_id, p_source, c.key, least(1, c.value::numeric), p_now
  from jsonb_each_text(p_parts) c
  order by c.key
  on conflict (user_id, source, key) do update set part = excluded.part;
  perform kinora.credit_claw_back(p_user_id, p_source, p_now);
end
$$;

-- Returns the remark of what claims take, for the user's history: 'Plan changed' when a plan change alone asks for it.
create or replace function kinora.credit_refund_claim_remark(p_user_id uuid, p_source text) returns text
language sql stable
return (
  select case
    when p_source like 'transfer:%' then 'Payment of moved credits returned'
    when bool_and(key = 'plan change') then 'Plan changed'
    else 'Payment returned'
  end
  from kinora.credit_refund_claim
  where user_id = p_user_id and source = p_source and part > 0
);

-- Returns what the row of such a movement names as its source, return:<processor>:<keys>: the refunds and disputes with
-- claims on the payment, also those that ask for nothing any more. The chain of the history keeps them, so verify
-- misses one that is gone. Null: not of a payment.
create or replace function kinora.credit_return_source(p_user_id uuid, p_root_id uuid) returns text
language sql stable
return (
  select 'return:' || split_part(min(r.source), ':', 1) || ':' || string_agg(c.key, ' ' order by c.key)
  from kinora.credit_package p
  join kinora.credit_package f
    on f.user_id = coalesce(p.from_user_id, p.user_id) and f.id = coalesce(p.from_package_id, p.id)
  join kinora.credit_package r on r.user_id = f.user_id and r.id = coalesce(f.root_id, f.id)
  join kinora.credit_refund_claim c on c.user_id = r.user_id and c.source = r.source
  where p.user_id = p_user_id and p.id = p_root_id and r.source like 'payment-_:%' and c.key <> 'plan change'
);

-- Brings what was taken from a payment's package and its grace packages, and from those of teams that have credits of
-- it, to what the refund claims ask for; what teams owe that were deleted, the user owes. The account of the user is
-- locked before those of the teams, whose ids are after it: all to which the user has moved credits at once, because
-- the caller may have claims on several payments. A package that came from a user keeps its share, which the user's
-- claims set.
create or replace function kinora.credit_claw_back(p_user_id uuid, p_source text, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_root kinora.credit_package;
  v_package kinora.credit_package;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  select * into v_root from kinora.credit_package where user_id = p_user_id and source = p_source;
  if not found then
    return;
  elsif v_root.from_user_id is not null then
    perform kinora.credit_meet_claims(v_root, p_now);
    return;
  end if;
  perform kinora.credit_lock_accounts(
    array(select distinct user_id from kinora.credit_package where from_user_id = p_user_id order by user_id), p_now
  );
  update kinora.credit_package p
  set refund_claimed = s.claimed, passed_on = 0, assumed = 0
  from kinora.credit_claim_shares(p_user_id, v_root.id) s
  where p.user_id = s.user_id and p.id = s.package_id and (p.refund_claimed, p.passed_on, p.assumed) <> (s.claimed, 0, 0);
  for v_package in
    select p.*
    from kinora.credit_claim_shares(p_user_id, v_root.id) s
    join kinora.credit_package p on p.user_id = s.user_id and p.id = s.package_id
    where p.id <> v_root.id
    order by p.user_id, p.id
  loop
    perform kinora.credit_meet_claims(v_package, p_now);
    perform kinora.credit_pass_on(v_package, v_root);
  end loop;
  perform kinora.credit_meet_claims(v_root, p_now);
end
$$;

-- Lets the payer owe what a package of a team owes that was deleted: the claim on it becomes one on the payer's
-- package. Credits that films in progress hold count as used.
create or replace function kinora.credit_pass_on(p_package kinora.credit_package, p_root kinora.credit_package) returns void
language plpgsql
as $$
declare
  v_owed bigint;
begin
  if p_package.refund_claimed = 0 or not exists (select from kinora.deleted_account d where d.user_id = p_package.user_id) then
    return;
  end if;
  select o.owed into v_owed from kinora.credit_owed_packages(p_package.user_id) o where o.package_id = p_package.id;
  update kinora.credit_package p
  set refund_claimed = p.refund_claimed - v_owed, passed_on = v_owed
  where p.user_id = p_package.user_id and p.id = p_package.id and v_owed > 0;
  update kinora.credit_package p
  set refund_claimed = p.refund_claimed + v_owed, assumed = p.assumed + v_owed
  where p.user_id = p_root.user_id and p.id = p_root.id and v_owed > 0;
end
$$;

-- Returns what refund claims ask for of a payment's package, and of each package of a team that has credits of it: in
-- proportion, and whole credits whose sum is exact, because the packages lie along one line of credits, the user's at
-- its end.
create or replace function kinora.credit_claim_shares(p_user_id uuid, p_root_id uuid)
returns table (user_id uuid, package_id uuid, claimed bigint)
language sql stable
begin atomic
  with
  root as (
    select r.id, r.initial,
           (
             select least(1, coalesce(sum(c.part), 0))
             from kinora.credit_refund_claim c
             where c.user_id = p_user_id and c.source = r.source
           ) as part
    from kinora.credit_package r
    where r.user_id = p_user_id and r.id = p_root_id
  ),
  transferred as (
    select t.user_id, t.id, t.initial, sum(t.initial) over (order by t.id) as until
    from kinora.credit_package p
    join kinora.credit_package t on t.from_user_id = p_user_id and t.from_package_id = p.id
    where p.user_id = p_user_id and (p.id = p_root_id or p.root_id = p_root_id)
  )
  select t.user_id, t.id, round(t.until * r.part)::bigint - round((t.until - t.initial) * r.part)::bigint
  from transferred t
  cross join root r
  union all
  select p_user_id, r.id, round(r.initial * r.part)::bigint - round((select coalesce(sum(initial), 0) from transferred) * r.part)::bigint
  from root r;
end;

-- Takes from a granted package and its grace packages what refund claims ask for, or gives back after a reversal.
create or replace function kinora.credit_meet_claims(p_root kinora.credit_package, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_shortfall constant bigint := kinora.credit_refund_claim_shortfall(p_root.user_id, p_root.id);
begin
  if v_shortfall > 0 then
    perform kinora.credit_take_claimed(p_root, v_shortfall, p_now);
  elsif v_shortfall < 0 then
    perform kinora.credit_give_back(p_root, -v_shortfall, p_now);
  end if;
end
$$;

-- Takes up to p_credits from a granted package and its grace packages, those that expire first before the others.
create or replace function kinora.credit_take_claimed(p_root kinora.credit_package, p_credits bigint, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_package record;
  v_moved bigint;
begin
  for v_package in
    select id, remaining
    from kinora.credit_package
    where user_id = p_root.user_id and coalesce(root_id, id) = p_root.id and remaining > 0
    order by expires_at, created_at, id
  loop
    exit when p_credits <= 0;
    v_moved := least(v_package.remaining, p_credits);
    p_credits := p_credits - v_moved;
    update kinora.credit_package
    set remaining = remaining - v_moved, clawed_back = clawed_back + v_moved
    where user_id = p_root.user_id and id = v_package.id;
    perform kinora.credit_move(
      kinora.movement(
        p_root.user_id, p_root.trans_type, -v_moved, p_clawed_back => v_moved, p_package_id => v_package.id,
        p_order_no => p_root.order_no, p_remark => kinora.credit_refund_claim_remark(p_root.user_id, p_root.source),
        p_source => kinora.credit_return_source(p_root.user_id, p_root.id)
      ),
      p_now
    );
  end loop;
end
$$;

-- Gives up to p_credits back: first what packages of the user paid of what this one owed, then what claims took from it
-- and its grace packages. In the reverse sequence, so that the credits that last longest come first. Credits of a
-- package that has expired meanwhile expire at once; claims on a package that gets credits back are met first.
create or replace function kinora.credit_give_back(p_root kinora.credit_package, p_credits bigint, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_package record;
  v_moved bigint;
  v_repaid bigint := 0;
begin
  for v_package in
    select id, coalesce(root_id, id) as root_id, order_no, expires_at, expires_at > p_now as is_usable, is_collected,
           case when is_collected then collected else clawed_back - taken - collected end as credits
    from kinora.credit_package
    cross join (values (true), (false)) t (is_collected)
    where user_id = p_root.user_id
      and case when is_collected then p_root.repaid > 0 else coalesce(root_id, id) = p_root.id end
      and case when is_collected then collected else clawed_back - taken - collected end > 0
    order by is_collected desc, expires_at desc, created_at desc, id desc
  loop
    exit when p_credits <= 0;
    v_moved := least(v_package.credits, p_credits, case when v_package.is_collected then p_root.repaid - v_repaid end);
    continue when v_moved = 0;
    p_credits := p_credits - v_moved;
    v_repaid := v_repaid + case when v_package.is_collected then v_moved else 0 end;
    update kinora.credit_package
    set clawed_back = clawed_back - v_moved,
        collected = collected - case when v_package.is_collected then v_moved else 0 end,
        remaining = remaining + case when v_package.is_usable then v_moved else 0 end,
        expired = expired + case when v_package.is_usable then 0 else v_moved end
    where user_id = p_root.user_id and id = v_package.id;
    perform kinora.credit_move(
      kinora.movement(
        p_root.user_id, p_root.trans_type, v_moved, p_clawed_back => -v_moved,
        p_next_expiry_at => case when v_package.is_usable then v_package.expires_at else 'infinity' end,
        p_package_id => v_package.id, p_order_no => p_root.order_no, p_remark => 'Payment reinstated',
        p_source => kinora.credit_return_source(p_root.user_id, p_root.id)
      ),
      p_now
    );
    if not v_package.is_usable then
      perform kinora.credit_move(
        kinora.movement(
          p_root.user_id, 'EXPIRED', -v_moved, p_expired => v_moved, p_package_id => v_package.id, p_order_no => v_package.order_no
        ),
        p_now
      );
    end if;
    if v_package.is_collected then
      update kinora.credit_package set repaid = repaid - v_moved where user_id = p_root.user_id and id = p_root.id;
      perform kinora.credit_claw_back(p_root.user_id, r.source, p_now)
      from kinora.credit_package r
      where r.user_id = p_root.user_id and r.id = v_package.root_id and r.id <> p_root.id and r.refund_claimed > 0;
    end if;
  end loop;
end
$$;
