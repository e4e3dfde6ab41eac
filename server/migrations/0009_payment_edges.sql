-- Payments at their edges: each charge of a subscription's period is known by its transaction, refunds and disputes are kept by
-- themselves until their payment is known, and events that wait for the processor's API are retried. Every new column is
-- nullable or has a constant default, so that no table is rewritten.

-- step: columns of payment_object
-- What was paid, in the currency's smallest unit: a dispute takes back in proportion. On the row whose external_id is a source.
alter table kinora.payment_object add column if not exists paid bigint;

-- step: columns of payment_object
-- Of a customer: a checkout that names the user in our metadata bound it. Only such a customer's portal opens.
alter table kinora.payment_object add column if not exists by_checkout boolean not null default false;

-- step: columns of payment_event
-- Why an event needs attention, for metrics: unknown_product, other_mode, lines_missing, no_transaction; null when it needs none.
alter table kinora.payment_event add column if not exists problem text;

-- step: columns of payment_event
-- When the worker tries again, and how often it has.
alter table kinora.payment_event add column if not exists retry_at timestamptz;

-- step: columns of payment_event
alter table kinora.payment_event add column if not exists retries integer not null default 0;

-- step: columns of payment_event
-- The administrator who applied it by hand.
alter table kinora.payment_event add column if not exists applied_by uuid;

-- step: index payment_event_retry
create index concurrently if not exists payment_event_retry on kinora.payment_event (retry_at) where retry_at is not null;

-- step: index payment_event_problem
create index concurrently if not exists payment_event_problem on kinora.payment_event (problem, processor) where problem is not null;

-- step: table payment_return
-- Refunds and disputes as the processor reports them. One may precede its payment; then source is null until a link names it.
create table if not exists kinora.payment_return (
  processor text not null,
  -- The id of the refund, dispute or charge.
  key text not null,
  -- Ids of the processor's objects that it returns, the most specific first.
  ids text[] not null,
  -- The payment whose credits it takes back.
  source text,
  -- The returned part of the payment, from 0 to 1; null when only the amount is known.
  part numeric,
  amount bigint,
  -- 1: taken; 2: given back (a dispute won, funds reinstated); 3: lost, which is final.
  state smallint not null,
  -- The state that the ledger's claim shows; 0: there is no claim yet; 4: lost after it was given back, under a claim of its own.
  claimed_state smallint not null default 0,
  -- The part that the ledger's claim has.
  claimed_part numeric not null default 0,
  created_at timestamptz not null,
  constraint payment_return_pkey primary key (processor, key),
  constraint payment_return_state_known check (state between 1 and 3)
);

-- step: index payment_return_unknown
create index if not exists payment_return_unknown on kinora.payment_return using gin (ids) where source is null;

-- step: index payment_return_of_source
create index if not exists payment_return_of_source on kinora.payment_return (processor, source) where source is not null;

-- step: table subscription_charge
-- Paid transactions of a subscription at payment-a. The first of a period grants the plan's credits, a later one the difference
-- to the dearer plan for the rest of the period.
create table if not exists kinora.subscription_charge (
  user_id uuid not null,
  processor text not null,
  -- The processor's id of the transaction.
  transaction text not null,
  subscription text not null,
  -- Subscription and start of the period, as a source has been before transactions were known.
  period text not null,
  period_start timestamptz not null,
  expires_at timestamptz not null,
  -- The credits of the plan that was paid for, for a whole period.
  credits bigint not null,
  remark text not null,
  -- The time of the earliest event that proves the payment.
  charged_at timestamptz not null,
  -- How well an event shows which plan was paid for; 0 is best. Rank and sort key of the best event so far.
  evidence smallint not null,
  evidence_sort_key text not null,
  source text not null,
  -- The credits that its packages brought, and those it is worth by all that is known of the period.
  granted bigint not null default 0,
  worth bigint not null default 0,
  packages smallint not null default 0,
  -- The claim that takes back what was granted too much, because an earlier transaction became known later.
  corrected_part numeric not null default 0,
  corrections smallint not null default 0,
  constraint subscription_charge_pkey primary key (user_id, processor, transaction)
);

-- step: index subscription_charge_of_period
create index if not exists subscription_charge_of_period on kinora.subscription_charge (user_id, processor, period);

-- repeated step: customers that a checkout has bound so far
update kinora.payment_object
set by_checkout = true
where (processor, external_id) in (
  select o.processor, o.external_id
  from kinora.payment_object o
  join kinora.payment_event e on e.processor = o.processor and e.user_id = o.user_id and o.external_id = any(e.refs)
  where not o.by_checkout
    and o.external_id ~ '^cust?_'
    and e.state = 'applied'
    and e.type in ('checkout.completed', 'checkout.session.completed', 'checkout.session.async_payment_succeeded')
  limit 5000
);

-- repeated step: periods granted so far, one charge each, under the source that its package has
insert into kinora.subscription_charge (
  user_id, processor, transaction, subscription, period, period_start, expires_at, credits, remark, charged_at,
  evidence, evidence_sort_key, source, granted, worth, packages
)
select distinct on (p.user_id, p.source)
       p.user_id, o.processor, o.external_id, split_part(p.source, ':', 2), p.source,
       (substr(p.source, length(p.source) - 18) || 'Z')::timestamptz, p.expires_at, p.initial, '', p.created_at,
       0, '', p.source, p.initial, p.initial, 1
from kinora.payment_object o
join kinora.credit_package p on p.user_id = o.user_id and p.source = o.source
where o.processor = 'payment-a'
  and o.external_id <> o.source
  and o.source ~ ':\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$'
  and not exists (
    select from kinora.subscription_charge c where c.user_id = p.user_id and c.source = p.source
  )
order by p.user_id, p.source, o.external_id
limit 5000
on conflict (user_id, processor, transaction) do nothing;
