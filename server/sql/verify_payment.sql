-- The rules of payments: their objects, charges, refunds and events.

-- What payments have made in the ledger. PL/pgSQL, because a divided database has the packages in other parts:
-- it reads them by a statement without joins, which has no parameters of SQL functions. A plan for each range: a generic one cannot tell a
-- range from the whole table.
create or replace function kinora.verify_payment_packages(p_from uuid, p_to uuid)
returns table (user_id uuid, id uuid, parent_id uuid, source text, initial bigint)
language plpgsql stable rows 20000
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select p.user_id, p.id, p.parent_id, p.source, p.initial
  from kinora.credit_package p
  where p.user_id >= p_from and (p_to is null or p.user_id < p_to);
end
$$;

create or replace function kinora.verify_payment_refund_claims(p_from uuid, p_to uuid)
returns table (user_id uuid, source text, key text, part numeric, created_at timestamptz, reversed_at timestamptz)
language plpgsql stable rows 1000
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select c.user_id, c.source, c.key, c.part, c.created_at, c.reversed_at
  from kinora.credit_refund_claim c
  where c.user_id >= p_from and (p_to is null or c.user_id < p_to);
end
$$;

create or replace function kinora.verify_payment(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as materialized (
    select user_id, id, parent_id, source, initial from kinora.verify_payment_packages(p_from, p_to)
  ),
  refund_claim as materialized (
    select user_id, source, key, part, created_at, reversed_at from kinora.verify_payment_refund_claims(p_from, p_to)
  ),
  charge as not materialized (
    select user_id, processor, transaction, period, period_start, expires_at, credits, charged_at, evidence, source, granted, worth,
           packages, corrected_part, corrections
    from kinora.subscription_charge
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  object as not materialized (
    select user_id, processor, external_id, source, paid
    from kinora.payment_object
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  event as not materialized (
    select user_id, processor, external_id, sources
    from kinora.payment_event
    where user_id >= p_from and (p_to is null or user_id < p_to) and state = 'applied'
  ),
  -- The packages of a payment: further ones of a charge have a number behind its source.
  paid as not materialized (
    select user_id, processor, source, source as package_source from object where external_id = source
    union all
    select c.user_id, c.processor, c.source, c.source || ':' || n
    from charge c
    cross join lateral generate_series(2, c.packages) n
    where c.packages > 1
  ),
  -- Refunds and disputes of payments: the part that each asks for, by payment_return.sql. With packages and scale of the charge here,
  -- because a further join has so low an estimate that the planner compares every refund with every claim.
  returned as (
    select o.user_id, o.processor, o.source, r.key, r.state, r.claimed_state, r.claimed_part,
           least(1, coalesce(r.part, 1) * least(1, coalesce(r.amount::numeric / nullif(o.paid, 0), 1))) as part,
           greatest(1, c.packages) as packages, least(1, c.worth::numeric / nullif(c.granted, 0)) as scale
    from object o
    join kinora.payment_return r on r.processor = o.processor and r.source = o.source
    left join charge c on c.user_id = o.user_id and c.processor = o.processor and c.source = o.source
    where o.external_id = o.source
  ),
  -- Each charge with the dearest plan of the period before it, by payment_charge.sql; those before the first that is proved are left out.
  charge_level as (
    select k.*, max(k.credits) over (
             partition by k.user_id, k.processor, k.period
             order by k.charged_at, k.transaction
             rows between unbounded preceding and 1 preceding
           ) as level
    from (
      select c.*, bool_or(c.evidence <> 3) over (
               partition by c.user_id, c.processor, c.period
               order by c.charged_at, c.transaction
             ) as is_proved
      from charge c
    ) k
    where k.is_proved
  ),
  charge_worth as (
    select c.user_id, c.processor, c.transaction, c.source, c.granted, c.worth, c.corrected_part,
           least(1, c.worth::numeric / c.granted) as scale, coalesce(r.part, 0) as part, coalesce(r.claimed_part, 0) as claimed_part
    from charge c
    left join (
      select user_id, processor, source, sum(part) as part, sum(claimed_part) as claimed_part
      from returned
      where state <> 2
      group by user_id, processor, source
    ) r on r.user_id = c.user_id and r.processor = c.processor and r.source = c.source
    where c.granted > 0
  )
  select c.user_id, 'transaction ' || c.transaction, 'the packages of a charge bring what was granted for it',
         c.granted || ' in ' || c.packages, coalesce(sum(p.initial), 0) || ' in ' || count(p.id)
  from charge c
  left join lateral generate_series(1, c.packages) n on true
  left join package p
    on p.user_id = c.user_id and p.source = c.source || case when n > 1 then ':' || n else '' end
  group by c.user_id, c.processor, c.transaction, c.granted, c.packages
  having c.granted <> coalesce(sum(p.initial), 0) or c.packages <> count(p.id)
  union all
  -- A grant links a payment to itself (external_id = source) in the call that makes its package. A charge may be worth nothing.
  select o.user_id, 'payment ' || o.source, 'a payment has its package', 'a package', 'none'
  from object o
  where o.external_id = o.source
    and not exists (select from package p where p.user_id = o.user_id and p.source = o.source)
    and not exists (
      select from charge c
      where c.user_id = o.user_id and c.processor = o.processor and c.source = o.source and c.granted = 0
    )
  union all
  select p.user_id, 'package ' || p.id, 'a package of a payment processor has its payment', p.source, 'no payment'
  from package p
  where p.parent_id is null
    and split_part(p.source, ':', 1) in ('payment-a', 'payment-b')
    and not exists (
      select from kinora.payment_object o
      where o.processor = split_part(p.source, ':', 1) and o.external_id = p.source and o.user_id = p.user_id
    )
    and not exists (
      select from charge c
      where c.user_id = p.user_id and (p.source = c.source or p.source like c.source || ':%')
    )
  union all
  select c.user_id, 'transaction ' || c.transaction, 'the transaction of a charge is linked to its payment', c.source,
         coalesce(o.source, 'no payment')
  from charge c
  left join kinora.payment_object o on o.processor = c.processor and o.external_id = c.transaction
  where o.source is null
  union all
  select c.user_id, 'transaction ' || c.transaction, 'what a charge got too much is claimed back', c.corrected_part::text,
         coalesce(f.part::text || case when f.reversed_at is not null then ', reversed' else '' end, 'no refund claim')
  from charge c
  cross join lateral generate_series(1, greatest(1, c.packages)) n
  left join refund_claim f
    on f.user_id = c.user_id and f.source = c.source || case when n > 1 then ':' || n else '' end
    and f.key = 'period:' || c.corrections
  where case
      when c.corrected_part > 0 then f.part is distinct from c.corrected_part or f.reversed_at is not null
      -- The key of the next claim is free: a claim that was reversed stays reversed.
      else f.key is not null
    end
  union all
  -- Otherwise the next event of the period would grant or claim back another amount.
  select c.user_id, 'transaction ' || c.transaction, 'the worth of a charge follows from its period', w.worth::text, c.worth::text
  from charge_level c
  cross join lateral (
    select case
      when c.level is null then c.credits
      when isfinite(c.period_start) and isfinite(c.expires_at) and isfinite(c.charged_at) then
        round(greatest(0, c.credits - c.level) * coalesce(greatest(0, least(1,
          extract(epoch from c.expires_at - c.charged_at) / nullif(extract(epoch from c.expires_at - c.period_start), 0)
        )), 0))
    end as worth
  ) w
  where c.worth is distinct from w.worth
  union all
  -- Together with what refunds and disputes claim. A charge that an event of a new plan alone proves is worth nothing yet.
  select c.user_id, 'transaction ' || c.transaction, 'a charge grants and claims back what it is worth',
         c.worth || ', ' || w.corrected_part || ' claimed back', c.granted || ', ' || c.corrected_part || ' claimed back'
  from charge_worth c
  cross join lateral (
    select greatest(0, round(1 - c.scale * (1 - least(1, c.part)) - c.claimed_part, 12)) as corrected_part
  ) w
  where c.worth > c.granted or c.corrected_part <> w.corrected_part and (c.worth > 0 or c.corrected_part > 0)
  union all
  -- claimed_state: 1 taken, 2 given back, 3 lost, 4 lost after it was given back, under a claim of its own.
  select r.user_id, 'refund ' || r.key, 'a refund claim is as its refund or dispute says',
         r.claimed_part || case r.claimed_state when 2 then ', reversed' else '' end,
         coalesce(f.part || case when f.reversed_at is not null then ', reversed' else '' end, 'no refund claim')
  from returned r
  cross join lateral generate_series(1, r.packages) n
  left join refund_claim f
    on f.user_id = r.user_id and f.source = r.source || case when n > 1 then ':' || n else '' end
    and f.key = r.key || case r.claimed_state when 4 then ':lost' else '' end
  where r.claimed_state > 0
    and case r.claimed_state
      when 2 then f.reversed_at is null
      else f.part is distinct from least(1, r.claimed_part) or f.reversed_at is not null
    end
  union all
  -- A claim counts as soon as its payment has a package. It never gets smaller, although a charge may get less worth.
  select r.user_id, 'refund ' || r.key, 'a refund or dispute of a payment is claimed', 'state ' || r.state || ', ' || e.part,
         'state ' || r.claimed_state || ', ' || r.claimed_part
  from returned r
  cross join lateral (
    select case when r.state = 2 then 0 else r.part * r.scale end as part
  ) e
  where (
      r.claimed_state <> r.state and not (r.state = 3 and r.claimed_state = 4)
      or r.claimed_part < e.part
      or r.state = 2 and r.claimed_part > 0
    )
    and exists (select from package p where p.user_id = r.user_id and p.source = r.source)
  union all
  select f.user_id, 'refund claim ' || f.key, 'a refund claim on a payment has its refund or dispute', 'a refund or dispute',
         'none'
  from refund_claim f
  join paid p on p.user_id = f.user_id and p.package_source = f.source
  where f.key not like 'period:%'
    and not exists (
      select from kinora.payment_return r
      where r.processor = p.processor and r.key in (f.key, regexp_replace(f.key, ':lost$', '')) and r.source = p.source
    )
  union all
  select e.user_id, 'payment event ' || e.external_id, 'an applied payment event has its payments', s.source, 'none'
  from event e
  cross join lateral unnest(e.sources) as s (source)
  where not exists (
    select from kinora.payment_object o
    where o.processor = e.processor and o.external_id = s.source and o.source is not null
  );
end;
