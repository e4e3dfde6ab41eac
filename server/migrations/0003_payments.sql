-- What the payment processors reported, and the subscriptions that follow from it.

-- Every event for ever, by processor and the processor's id: payment-a's carry no time, so a replayed one is known only
-- by having been seen. `payment_event` and `payment_object` begin with the processor and not with a user: they are how
-- a user is found.
create table kinora.payment_event (
  processor text not null,
  external_id text not null,
  id uuid not null,
  type text not null,
  state text not null,
  -- Why it is unmatched, ignored or failed; null when applied.
  reason text,
  user_id uuid,
  -- Ids of the processor's objects in it that may tell whose it is, now or later.
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

-- Which user, and which grant, an object of a processor belongs to: customers, subscriptions, payments. A row is added
-- when it is learnt and completed once; it never changes its user.
create table kinora.payment_object (
  processor text not null,
  external_id text not null,
  user_id uuid not null,
  -- The source of the package that this payment bought, where it bought one.
  source text,
  constraint payment_object_pkey primary key (processor, external_id)
);

create index payment_object_of_user on kinora.payment_object (user_id, processor);

-- The record that users see. Its two groups of facts move forward separately, each in the processor's own time, so that
-- the outcome is the same in whatever order events arrive.
create table kinora.subscription (
  user_id uuid not null,
  id uuid not null,
  processor text not null,
  external_id text not null,
  -- Whose it is there: the portal is opened for this customer.
  customer text,
  plan text,
  status text not null,
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  cancelled_at timestamptz,
  -- The event that each group was last taken from: its time, rank and id, so that the greater text is the later event.
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

-- What a refund or dispute asks back of the package that its payment bought. It may come before the package does.
create table kinora.credit_claim (
  user_id uuid not null,
  source text not null,
  -- The refund, dispute, or charge that asks.
  key text not null,
  -- The part of the payment, from 0 to 1; a key that is told again counts its greatest part.
  part numeric not null,
  created_at timestamptz not null,
  constraint credit_claim_pkey primary key (user_id, source, key),
  constraint claim_part_in_range check (part > 0 and part <= 1)
);

-- How much of a package has been asked back so far; what could not be taken then is not taken later.
alter table kinora.credit_package
  add column claimed bigint not null default 0,
  add constraint package_part_claimed_in_range check (claimed >= 0 and claimed <= initial);
