-- Payment events, and the subscriptions that follow from them.

-- Every payment event, kept for ever by processor and the processor's id: payment-a's events carry no signed time, so only the
-- stored id reveals a replay. `payment_event` and `payment_object` are keyed by the processor: they are how a user is found.
create table kinora.payment_event (
  processor text not null,
  external_id text not null,
  id uuid not null,
  type text not null,
  state text not null,
  -- Why it is unmatched, ignored or failed; null when applied.
  reason text,
  user_id uuid,
  -- Ids of the processor's objects in the event by which its user may be found, now or later.
  refs text[] not null default '{}',
  body text not null,
  received_at timestamptz not null,
  applied_at timestamptz,
  constraint payment_event_pkey primary key (processor, external_id),
  constraint payment_event_state_known check (state in ('applied', 'ignored', 'unmatched', 'failed'))
);

create unique index payment_event_id on kinora.payment_event (id);
create index payment_event_by_state on kinora.payment_event (state, id);
create index payment_event_waiting on kinora.payment_event using gin (refs) where state = 'unmatched';

-- The user, and the grant, that a processor's object belongs to: customers, subscriptions, payments. A row is inserted when it is
-- known and its source is set once; its user never changes.
create table kinora.payment_object (
  processor text not null,
  external_id text not null,
  user_id uuid not null,
  -- The source of the package that this payment bought, if it bought one.
  source text,
  constraint payment_object_pkey primary key (processor, external_id)
);

create index payment_object_of_user on kinora.payment_object (user_id, processor);

-- The subscription record that users see. Status and facts move forward separately, each by the processor's own time, so that any
-- order of delivery has the same result.
create table kinora.subscription (
  user_id uuid not null,
  id uuid not null,
  processor text not null,
  external_id text not null,
  -- The processor's customer id, for which the billing portal is opened.
  customer text,
  plan text,
  status text not null,
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  cancelled_at timestamptz,
  -- The sort keys of the events that facts and status were taken from: event time, rank and id as text.
  facts_order text not null default '',
  status_order text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint subscription_pkey primary key (user_id, id),
  constraint subscription_one_per_external_id unique (user_id, processor, external_id),
  constraint subscription_status_known check (
    status in ('active', 'trialing', 'past_due', 'cancelled', 'expired', 'incomplete')
  )
);

-- Refund claims: what a refund or dispute takes back of the package that its payment bought. A claim may precede the package.
create table kinora.credit_claim (
  user_id uuid not null,
  source text not null,
  -- The id of the refund, dispute or charge.
  key text not null,
  -- The part of the payment, from 0 to 1; a repeated key counts with its greatest part.
  part numeric not null,
  created_at timestamptz not null,
  constraint credit_claim_pkey primary key (user_id, source, key),
  constraint claim_part_in_range check (part > 0 and part <= 1)
);

-- How many credits of a package refund claims have asked for; credits that could not be taken then are not taken later.
alter table kinora.credit_package
  add column claimed bigint not null default 0,
  add constraint package_part_claimed_in_range check (claimed >= 0 and claimed <= initial);
