-- The rules of payments: their objects, refunds and events; and of redeemed codes.

-- What payments have made in the ledger. PL/pgSQL, because a divided database has the packages in other parts: it reads
-- them by a statement without joins, which has no parameters of SQL functions. A plan for each range: a generic one
-- cannot tell a range from the whole table.
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

-- Whether a source of credits is a test's. Tests replace this function in their template database; no code of the
-- server does.
create or replace function kinora.verify_test_source(p_source text) returns boolean
language sql stable
return false;

-- Every package goes back to a payment, a gift, an administrator, a code or an invitation.
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
  -- The packages of each payment, by source; a payment without any has a row too.
  paid as materialized (
    select coalesce(p.user_id, k.user_id) as user_id, p.name, p.granted, p.packages, k.id, k.parent_id, k.trans_type, k.source, k.initial
    from (
      select p.user_id, p.source || p.part as name, p.granted, p.packages,
             p.source || p.part || case when n = 1 then '' else ':' || n end as source
      from payment p
      cross join lateral generate_series(1, greatest(p.packages, 1)) n
    ) p
    full join package k on k.user_id = p.user_id and k.source = p.source
  )
  select k.user_id, 'package ' || k.id, 'a package was paid for, given or granted by an administrator', 'a known source',
         k.trans_type || ' ' || k.source
  from paid k
  where k.name is null
    and k.parent_id is null
    and not (k.source = 'new-user' and k.trans_type = 'NEW_USER')
    and not (k.source = 'adjust:' || k.id and k.trans_type = 'SYSTEM_ADJUST')
    -- verify_transfer, verify_redemption and verify_invitation have their rules.
    and k.source not like all('{transfer:%,code:%,invitation:%}')
    and not kinora.verify_test_source(k.source)
  union all
  select p.user_id, 'payment ' || p.name, 'the packages of a payment bring what was granted for it',
         p.granted || ' in ' || p.packages, coalesce(sum(p.initial), 0) || ' in ' || count(p.id)
  from paid p
  where p.name is not null
  group by p.user_id, p.name, p.granted, p.packages
  having p.granted <> coalesce(sum(p.initial), 0) or p.packages <> count(p.id);
end;

-- Every payment, refund and dispute goes back to an applied event, and every applied event forward to its effects.
create or replace function kinora.verify_payment_event(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
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
  )
  select m.user_id, 'payment ' || split_part(m.fact, ' ', 1), 'a payment is as its event brought it', 'an applied event', 'no such facts'
  from (
    select p.user_id, p.processor, kinora.payment_digest(p) as fact
    from kinora.payment p
    where p.user_id >= p_from and (p_to is null or p.user_id < p_to)
    except
    select e.user_id, e.processor, e.fact from event e
  ) m
  union all
  select m.user_id, 'refund ' || split_part(m.fact, ' ', 1), 'a refund or dispute is as its event brought it', 'an applied event', 'no such facts'
  from (
    select o.user_id, o.processor, kinora.payment_digest(r) as fact
    from object o
    join kinora.payment_return r on r.processor = o.processor and r.source = o.source
    where o.external_id = o.source
    except
    select e.user_id, e.processor, e.fact from event e
  ) m
  union all
  select e.user_id, 'payment event ' || e.external_id, 'an applied payment event has its effects', e.key, 'none'
  from event e
  where e.state = 'applied'
    and not exists (select from kinora.payment_return r where r.processor = e.processor and r.key = e.key)
    and not exists (select from kinora.payment_price r where r.processor = e.processor and r.sold_as = e.key)
    and not exists (
      select
      from kinora.payment_object o
      join kinora.payment p on p.user_id = o.user_id and p.source = o.source
      where o.processor = e.processor and o.external_id in (e.key, regexp_replace(e.key, ':pack$', '')) and p.source || p.part = e.key
    );
end;

-- Returns the rows of the history with what a return took or gave back, and its keys. As verify_payment_packages.
create or replace function kinora.verify_payment_returns(p_from uuid, p_to uuid)
returns table (user_id uuid, n bigint, source text)
language plpgsql stable rows 100
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select t.user_id, t.n, t.source
  from kinora.credit_transaction t
  where t.user_id >= p_from and (p_to is null or t.user_id < p_to) and t.source like 'return:%';
end
$$;

-- A refund or dispute that has taken credits, or has a claim, is known, even if it takes nothing now.
create or replace function kinora.verify_return(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  named as materialized (
    select t.user_id, 'transaction ' || t.n as subject, split_part(t.source, ':', 2) as processor, k.key
    from kinora.verify_payment_returns(p_from, p_to) t
    cross join lateral unnest(string_to_array(substring(t.source from '^return:[^:]*:(.*)$'), ' ')) k (key)
    union all
    select c.user_id, 'package of ' || c.source, split_part(c.source, ':', 1), c.key
    from kinora.verify_payment_refund_claims(p_from, p_to) c
    where c.source like 'payment-_:%' and c.key <> 'plan change'
  )
  select n.user_id, n.subject, 'a refund or dispute that took credits is known', n.key, 'none'
  from named n
  where not exists (select from kinora.payment_return r where r.processor = n.processor and r.key = n.key);
end;

-- What an id of a processor was first paid at is what the event of that payment says.
create or replace function kinora.verify_payment_price(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  select p.user_id, 'price ' || p.sold_as, 'a price is as its event brought it', 'an applied event', 'no such facts'
  from kinora.payment_price p
  where p.user_id >= p_from
    and (p_to is null or p.user_id < p_to)
    and not exists (
      select
      from kinora.payment_event e
      where e.user_id = p.user_id and e.processor = p.processor and kinora.payment_digest(p) = any(e.facts)
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
    select user_id, source, part, round(worth) as worth, kept, granted, packages
    from kinora.payment
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  returned as materialized (
    select p.user_id, p.source || p.part as name, p.kept, round(p.worth) as worth, r.key, sum(r.part) over w as upto,
           sum(r.part) over (partition by p.user_id, p.source, p.part) as part,
           round(round(p.worth) * least(1, sum(r.part) over w)) as credits
    from kinora.payment p
    cross join lateral kinora.payment_returns_of(p) r
    where p.user_id >= p_from
      and (p_to is null or p.user_id < p_to)
      and exists (select from kinora.payment_return e where e.processor = p.processor and e.source = p.source)
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

-- A code is as an administrator made it, counts its users, and is what each package of its credits was granted for.
-- Rules of codes alone are checked once: in the range that begins with the first user.
create or replace function kinora.verify_redemption(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as materialized (
    select user_id, id, trans_type, source, initial from kinora.verify_payment_packages(p_from, p_to) where source like 'code:%'
  ),
  redemption as materialized (
    select user_id, code_id, package_id
    from kinora.redemption
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  code as materialized (
    select c.id::text as id, c.actor_id, c.uses, kinora.code_facts(c) as facts, c.ended_at is not null as is_ended
    from kinora.redemption_code c
    where p_from = '00000000-0000-0000-0000-000000000000'
  ),
  entry as materialized (
    select subject as id, actor_id, action, after
    from kinora.audit
    where action in ('code.create', 'code.end') and p_from = '00000000-0000-0000-0000-000000000000'
  )
  select coalesce(r.user_id, k.user_id), 'code ' || coalesce(r.code_id::text, split_part(k.source, ':', 2)),
         'a redeemed code has brought its credits', coalesce(c.credits || ' in ' || r.package_id, 'no redemption'),
         coalesce(k.initial || ' in ' || k.id, 'none')
  from redemption r
  full join package k on k.user_id = r.user_id and k.source = 'code:' || r.code_id
  left join kinora.redemption_code c on c.id = r.code_id
  where (c.credits, r.package_id, 'SYSTEM_ADJUST') is distinct from (k.initial, k.id, k.trans_type)
  union all
  select c.actor_id, 'code ' || c.id, 'a code counts the users who redeemed it', coalesce(r.users, 0)::text, c.uses::text
  from code c
  left join (
    select code_id::text as id, count(*) as users from kinora.redemption where exists (select from code) group by code_id
  ) r on r.id = c.id
  where c.uses <> coalesce(r.users, 0)
  union all
  select coalesce(c.actor_id, e.actor_id), 'code ' || coalesce(c.id, e.id), 'a code is as the audit log says',
         coalesce(e.after || jsonb_build_object('actorId', e.actor_id), '"no entry"')::text,
         coalesce(c.facts || jsonb_build_object('actorId', c.actor_id), '"no code"')::text
  from code c
  full join (select id, actor_id, after from entry where action = 'code.create') e on e.id = c.id
  where (c.actor_id, c.facts) is distinct from (e.actor_id, e.after)
  union all
  select c.actor_id, 'code ' || c.id, 'a code has ended as the audit log says', case when e.id is null then 'open' else 'ended' end,
         case when c.is_ended then 'ended' else 'open' end
  from code c
  left join (select distinct id from entry where action = 'code.end') e on e.id = c.id
  where c.is_ended <> (e.id is not null);
end;

-- The credits of an invitation are those that an administrator gave it, and went to the user who signed up with it.
create or replace function kinora.verify_invitation(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as materialized (
    select user_id, id, trans_type, source, initial from kinora.verify_payment_packages(p_from, p_to) where source like 'invitation:%'
  )
  select k.user_id, 'package ' || k.id, 'the credits of an invitation are as the audit log says',
         coalesce(e.after ->> 'credits', 'no entry') || ' for ' || coalesce(i.used_by::text, 'no user'),
         k.initial || ' for ' || k.user_id
  from package k
  left join kinora.invitation i on i.id = k.id and k.source = 'invitation:' || i.id
  left join kinora.audit e on e.action = 'invitation.create' and e.subject = i.id::text
  left join kinora.deleted_account d on d.user_id = k.user_id
  where (i.credits, e.after ->> 'credits', k.trans_type) is distinct from (k.initial, k.initial::text, 'SYSTEM_ADJUST')
    -- The deletion of an account clears used_by.
    or coalesce(i.used_by, d.user_id) is distinct from k.user_id;
end;

-- All of these rules. A divided database checks them in one place.
create or replace function kinora.verify_payment(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  select * from kinora.verify_payment_package(p_from, p_to)
  union all select * from kinora.verify_payment_event(p_from, p_to)
  union all select * from kinora.verify_payment_claim(p_from, p_to)
  union all select * from kinora.verify_payment_price(p_from, p_to)
  union all select * from kinora.verify_return(p_from, p_to)
  union all select * from kinora.verify_redemption(p_from, p_to)
  union all select * from kinora.verify_invitation(p_from, p_to);
end;
