-- The rules of payments: their objects, charges, refunds and events.

-- What payments have made in the ledger. PL/pgSQL, because the rules run on the coordinator of a distributed database, which has the
-- payments: Citus reads the shards for a statement without joins, and has no parameters of SQL functions. A plan for each range: a
-- generic one cannot tell a range from the whole table.
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
    select user_id, processor, transaction, source, granted, packages, corrected_part, corrections
    from kinora.subscription_charge
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  object as not materialized (
    select user_id, processor, external_id, source
    from kinora.payment_object
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  event as not materialized (
    select user_id, processor, external_id, sources
    from kinora.payment_event
    where user_id >= p_from and (p_to is null or user_id < p_to) and state = 'applied'
  )
  select c.user_id, 'transaction ' || c.transaction, 'the packages of a charge bring what was granted for it',
         c.granted::text, coalesce(sum(p.initial), 0)::text
  from charge c
  left join lateral generate_series(1, c.packages) n on true
  left join package p
    on p.user_id = c.user_id and p.source = c.source || case when n > 1 then ':' || n else '' end
  group by c.user_id, c.processor, c.transaction, c.granted
  having c.granted <> coalesce(sum(p.initial), 0)
  union all
  -- A grant links a payment to itself (external_id = source) in the call that makes its package. A charge may be worth nothing.
  select o.user_id, 'payment ' || o.source, 'a payment has its package', 'a package', 'none'
  from object o
  where o.external_id = o.source
    and not exists (select from package p where p.user_id = o.user_id and p.source = o.source)
    and not exists (
      select from charge c
      where c.user_id = o.user_id and c.processor = o.processor
        and (c.source = o.source and c.granted = 0 or c.processor || ':' || c.transaction = o.source and c.source <> o.source)
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
  left join refund_claim f
    on f.user_id = c.user_id and f.source = c.source and f.key = 'period:' || c.corrections
  where c.corrected_part > 0 and (f.part is distinct from c.corrected_part or f.reversed_at is not null)
  union all
  -- claimed_state: 1 taken, 2 given back, 3 lost, 4 lost after it was given back, under a claim of its own.
  select o.user_id, 'refund ' || r.key, 'a refund claim is as its refund or dispute says',
         r.claimed_part || case r.claimed_state when 2 then ', reversed' else '' end,
         coalesce(f.part || case when f.reversed_at is not null then ', reversed' else '' end, 'no refund claim')
  from object o
  join kinora.payment_return r on r.processor = o.processor and r.source = o.source
  left join refund_claim f
    on f.user_id = o.user_id and f.source = r.source
    and f.key = r.key || case r.claimed_state when 4 then ':lost' else '' end
  where o.external_id = o.source
    and r.claimed_state > 0
    and case r.claimed_state
      when 2 then f.reversed_at is null
      else f.part is distinct from least(1, r.claimed_part) or f.reversed_at is not null
    end
  union all
  -- A claim that was stored before refunds had rows of their own was copied from an earlier source, or is older than them.
  select f.user_id, 'refund claim ' || f.key, 'a refund claim on a payment has its refund or dispute', 'a refund or dispute',
         'none'
  from refund_claim f
  join kinora.payment_object o
    on o.processor = split_part(f.source, ':', 1) and o.external_id = f.source and o.user_id = f.user_id
  where f.key not like 'period:%'
    and f.created_at >= (select applied_at from kinora.migration where name = '0009_payment_edges.sql')
    and not exists (
      select from kinora.payment_return r
      where r.processor = o.processor and r.key in (f.key, regexp_replace(f.key, ':lost$', ''))
    )
    and not exists (
      select from refund_claim e where e.user_id = f.user_id and e.key = f.key and e.source <> f.source
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
