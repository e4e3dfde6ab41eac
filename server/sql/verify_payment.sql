-- The rules of payments: their objects, refunds and events; and of redeemed codes.

-- What payments have made in the ledger. PL/pgSQL, because a divided database has the packages in other parts:
-- it reads them by a statement without joins, which has no parameters of SQL functions. A plan for each range: a generic one cannot tell a
-- range from the whole table.
create or replace function kinora.verify_payment_packages(p_from uuid, p_to uuid)
returns table (user_id uuid, id uuid, parent_id uuid, trans_type text, source text, initial bigint)
language plpgsql stable rows 20000
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select p.user_id, p.id, p.parent_id, p.trans_type, p.source, p.initial
  from kinora.credit_package p
  where p.user_id >= p_from and (p_to is null or p.user_id < p_to);
end
$$;

create or replace function kinora.verify_payment_refund_claims(p_from uuid, p_to uuid)
returns table (user_id uuid, source text, key text, part numeric)
language plpgsql stable rows 1000
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select c.user_id, c.source, c.key, c.part
  from kinora.credit_refund_claim c
  where c.user_id >= p_from and (p_to is null or c.user_id < p_to);
end
$$;

-- Whether a source of credits is a test's. Tests replace this function in their template database; no code of the server does.
create or replace function kinora.verify_test_source(p_source text) returns boolean
language sql stable
return false;

-- Every package goes back to a payment, a gift or an administrator, every payment, refund and dispute to an applied event, and every
-- applied event forward to its effects.
create or replace function kinora.verify_payment_package(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as materialized (
    select user_id, id, parent_id, trans_type, source, initial from kinora.verify_payment_packages(p_from, p_to)
  ),
  payment as not materialized (
    select user_id, processor, source, part, granted, packages
    from kinora.payment
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  object as not materialized (
    select user_id, processor, external_id, source
    from kinora.payment_object
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  event as not materialized (
    select user_id, processor, external_id, state, f.fact, split_part(f.fact, ' ', 1) as key
    from kinora.payment_event
    cross join lateral unnest(facts) f (fact)
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  -- Each payment's packages, by source.
  paid as materialized (
    select p.user_id, p.processor, p.source as payment, p.source || p.part || case when n = 1 then '' else ':' || n end as source,
           p.source || p.part as name
    from payment p
    cross join lateral generate_series(1, p.packages) n
  )
  select k.user_id, 'package ' || k.id, 'a package was paid for, given or granted by an administrator', 'a known source',
         k.trans_type || ' ' || k.source
  from package k
  left join paid p on p.user_id = k.user_id and p.source = k.source
  where k.parent_id is null
    and p.source is null
    and not (k.source = 'new-user' and k.trans_type = 'NEW_USER')
    and not (k.source = 'adjust:' || k.id and k.trans_type = 'SYSTEM_ADJUST')
    -- verify_transfer has its rules.
    and k.source not like 'transfer:%'
    and not kinora.verify_test_source(k.source)
  union all
  select p.user_id, 'payment ' || p.source || p.part, 'the packages of a payment bring what was granted for it',
         p.granted || ' in ' || p.packages, coalesce(sum(k.initial), 0) || ' in ' || count(k.id)
  from payment p
  left join paid s on s.user_id = p.user_id and s.name = p.source || p.part
  left join package k on k.user_id = p.user_id and k.source = s.source
  group by p.user_id, p.source, p.part, p.granted, p.packages
  having p.granted <> coalesce(sum(k.initial), 0) or p.packages <> count(k.id)
  union all
  select p.user_id, 'payment ' || p.source || p.part, 'a payment is as its event brought it', 'an applied event', 'no such facts'
  from kinora.payment p
  where p.user_id >= p_from
    and (p_to is null or p.user_id < p_to)
    and not exists (
      select from event e where e.user_id = p.user_id and e.processor = p.processor and e.fact = kinora.payment_digest(p)
    )
  union all
  select o.user_id, 'refund ' || r.key, 'a refund or dispute is as its event brought it', 'an applied event', 'no such facts'
  from object o
  join kinora.payment_return r on r.processor = o.processor and r.source = o.source
  where o.external_id = o.source
    and not exists (
      select from event e where e.user_id = o.user_id and e.processor = o.processor and e.fact = kinora.payment_digest(r)
    )
  union all
  select e.user_id, 'payment event ' || e.external_id, 'an applied payment event has its effects', e.key, 'none'
  from event e
  where e.state = 'applied'
    and not exists (select from kinora.payment_return r where r.processor = e.processor and r.key = e.key)
    and not exists (
      select
      from kinora.payment_object o
      join kinora.payment p on p.user_id = o.user_id and p.source = o.source
      where o.processor = e.processor and o.external_id in (e.key, regexp_replace(e.key, ':pack$', '')) and p.source || p.part = e.key
    );
end;

-- The refund claims on a payment's packages are its refunds and disputes, and what it was granted too much.
create or replace function kinora.verify_payment_claim(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as materialized (
    select user_id, source, initial from kinora.verify_payment_packages(p_from, p_to)
  ),
  refund_claim as materialized (
    select user_id, source, key, part from kinora.verify_payment_refund_claims(p_from, p_to)
  ),
  payment as not materialized (
    select user_id, processor, source, part, paid, currency, round(worth) as worth, kept, granted, packages
    from kinora.payment
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  returned as materialized (
    select p.user_id, p.source || p.part as name, p.kept, p.worth, r.key, sum(r.part) over w as upto,
           sum(r.part) over (partition by p.user_id, p.source, p.part) as part,
           round(p.worth * least(1, sum(r.part) over w)) as credits
    from payment p
    cross join lateral kinora.payment_returns_of(p.processor, p.source, p.paid, p.currency) r
    where exists (select from kinora.payment_return e where e.processor = p.processor and e.source = p.source)
    window w as (partition by p.user_id, p.source, p.part order by r.key)
  ),
  expected as (
    select user_id, source || part as name, 'plan change' as key, granted - worth as credits from payment
    union all
    select user_id, name, key, credits - coalesce(lag(credits) over (partition by user_id, name order by key), 0) from returned
  ),
  claimed as (
    select p.user_id, p.source || p.part as name, c.key, sum(round(k.initial * c.part)) as credits
    from payment p
    cross join lateral generate_series(1, p.packages) n
    join package k on k.user_id = p.user_id and k.source = p.source || p.part || case when n = 1 then '' else ':' || n end
    join refund_claim c on c.user_id = k.user_id and c.source = k.source
    group by p.user_id, p.source, p.part, c.key
  )
  select coalesce(e.user_id, c.user_id), 'payment ' || coalesce(e.name, c.name) || ', ' || coalesce(e.key, c.key),
         'a payment is claimed back as far as it was returned', coalesce(e.credits, 0)::text, coalesce(c.credits, 0)::text
  from expected e
  full join claimed c on c.user_id = e.user_id and c.name = e.name and c.key = e.key
  where coalesce(e.credits, 0) <> coalesce(c.credits, 0)
  union all
  select p.user_id, 'payment ' || p.source || p.part, 'a payment keeps the share that was not returned',
         round(1 - least(1, coalesce(r.part, 0)), 9)::text, round(p.kept, 9)::text
  from payment p
  left join (select distinct user_id, name, part from returned) r on r.user_id = p.user_id and r.name = p.source || p.part
  where round(1 - least(1, coalesce(r.part, 0)), 9) <> round(p.kept, 9);
end;

-- A redeemed code has brought its credits, and counts its users.
create or replace function kinora.verify_redemption(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  redemption as materialized (
    select user_id, code_id, package_id
    from kinora.redemption
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  -- Not read where no code was redeemed.
  package as materialized (
    select user_id, id, trans_type, initial
    from kinora.verify_payment_packages(p_from, p_to)
    where exists (select from redemption)
  )
  select r.user_id, 'code ' || r.code_id, 'a redeemed code has brought its credits', coalesce(c.credits::text, 'a code'),
         coalesce(k.initial::text, 'none')
  from redemption r
  left join kinora.redemption_code c on c.id = r.code_id
  left join package k on k.user_id = r.user_id and k.id = r.package_id and k.trans_type = 'SYSTEM_ADJUST'
  where c.credits is distinct from k.initial
  union all
  select r.user_id, 'code ' || r.code_id, 'a code counts the users who redeemed it', all_of.users::text, c.uses::text
  -- Once over all ranges: in that of the code's first user.
  from (select distinct on (code_id) code_id, user_id from redemption order by code_id, user_id) r
  join kinora.redemption_code c on c.id = r.code_id and not exists (
    select from kinora.redemption earlier where earlier.code_id = c.id and earlier.user_id < p_from
  )
  cross join lateral (select count(*) as users from kinora.redemption each where each.code_id = r.code_id) all_of
  where c.uses <> all_of.users;
end;

-- All of these rules. A divided database checks them in one place.
create or replace function kinora.verify_payment(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  select * from kinora.verify_payment_package(p_from, p_to)
  union all select * from kinora.verify_payment_claim(p_from, p_to)
  union all select * from kinora.verify_redemption(p_from, p_to);
end;
