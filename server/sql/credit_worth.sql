-- What credits were sold for. A divided database has its payments apart: there no credit has a value, and nothing
-- marks.

-- Returns where the credits of a package came from, by way of the packages that a release or a transfer to a team has
-- made of it: its user, type and source, and the credits of it that are used.
create or replace function kinora.credit_origin(p_user_id uuid, p_package_id uuid)
returns table (user_id uuid, trans_type text, source text, used bigint)
language sql stable
begin atomic
  select coalesce(f.user_id, p.user_id),
         coalesce(fr.trans_type, f.trans_type, r.trans_type, p.trans_type),
         coalesce(fr.source, f.source, r.source, p.source),
         coalesce(fr.used, f.used, r.used, p.used)
  from kinora.credit_package p
  left join kinora.credit_package r on r.user_id = p.user_id and r.id = p.root_id
  left join kinora.credit_package f
    on f.user_id = coalesce(r.from_user_id, p.from_user_id) and f.id = coalesce(r.from_package_id, p.from_package_id)
  left join kinora.credit_package fr on fr.user_id = f.user_id and fr.id = f.root_id
  where p.user_id = p_user_id and p.id = p_package_id;
end;

-- Returns the source of the payment that a package of this source was granted for. The source of a payment's package is
-- the payment's, `:pack` for that part of it, and a number from its second package on.
create or replace function kinora.credit_payment_source(p_source text) returns text
language sql immutable
return regexp_replace(p_source, '(:pack)?(:[0-9]+)?$', '');

-- Returns what one credit of a package was sold for, without tax and refunds: in USD, null in another currency; and in
-- the smallest unit of its own, null for a gift; and as what product. A payment that was returned in part is spread
-- over what it has left, or what was used of it.
create or replace function kinora.credit_worth(p_user_id uuid, p_package_id uuid)
returns table (usd numeric, cents numeric, currency text, product text)
language sql stable
begin atomic
  select case
           when o.trans_type not in ('ORDER_PAY', 'SUBSCRIPTION') then 0
           when upper(pay.currency) = 'USD' then c.cents / 100
         end,
         c.cents, upper(pay.currency), regexp_replace(pay.remark, ', free$', '')
  from kinora.credit_origin(p_user_id, p_package_id) o
  left join kinora.payment pay
    on pay.user_id = o.user_id
    and pay.source = kinora.credit_payment_source(o.source)
    and pay.part = case when o.source ~ ':pack(:[0-9]+)?$' then ':pack' else '' end
  cross join lateral (
    select case
             when pay.source is not null
               then coalesce(pay.money * pay.kept / nullif(greatest(pay.granted * pay.kept, o.used), 0), 0)
           end as cents
  ) c;
end;

-- Returns whether the worth of a payment's credits still changes with each film that uses them: a part of the payment
-- was returned, and more may be used of a package than it has left.
create or replace function kinora.credit_worth_is_open(p_user_id uuid, p_source text) returns boolean
language sql stable
return exists (
  select
  from kinora.payment pay
  join kinora.credit_package p on p.user_id = pay.user_id and kinora.credit_payment_source(p.source) = pay.source
  where pay.user_id = p_user_id and pay.source = p_source and pay.kept > 0 and pay.kept < 1
    and p.remaining + p.frozen > 0 and p.used + p.remaining + p.frozen > pay.granted * pay.kept
);

-- Marks the days on which films used credits of a payment whose worth changes with this change of it.
create or replace function kinora.film_sum_mark(p_before kinora.payment, p_payment kinora.payment) returns void
language sql
begin atomic
  insert into kinora.film_sum_stale (user_id, id, source)
  select p_payment.user_id, gen_random_uuid(), p_payment.source
  where p_before.granted > 0
    and (p_before.money, p_before.kept, p_before.granted) is distinct from (p_payment.money, p_payment.kept, p_payment.granted);
end;

-- Returns the days on which films ended that used credits of a payment of a user: the user's, or of teams into which
-- they were transferred.
create or replace function kinora.film_sum_days_of(p_user_id uuid, p_source text) returns setof date
language sql stable
begin atomic
  with
  owner as (
    select p_user_id as user_id
    union
    select p.user_id from kinora.credit_package p where p.from_user_id = p_user_id
  ),
  sold as (
    select p.user_id, array_agg(p.id) as package_ids
    from owner w
    join kinora.credit_package p on p.user_id = w.user_id
    cross join lateral kinora.credit_origin(p.user_id, p.id) o
    where o.user_id = p_user_id and kinora.credit_payment_source(o.source) = p_source
    group by p.user_id
  )
  select distinct (v.completed_at at time zone 'UTC')::date
  from sold s
  join kinora.credit_hold h on h.user_id = s.user_id and h.package_ids && s.package_ids and h.state = 'settled'
  join kinora.video v on v.user_id = h.user_id and v.id = h.id
  where v.due_at is null;
end;
