-- Reconciliation: asks the payment processors for what was paid, refunded and disputed, and applies what no webhook brought.
-- Every statement is additive and needs its lock for a moment only.

-- One row a processor: which process reconciles now, when it is due again, and how the last run ended.
create table kinora.reconcile_state (
  processor text not null,
  lease uuid,
  lease_until timestamptz,
  next_at timestamptz not null,
  last_success_at timestamptz,
  last_error text,
  constraint reconcile_state_pkey primary key (processor)
);

-- The differences found so far, by kind, for metrics.
create table kinora.reconcile_count (
  processor text not null,
  kind text not null,
  found bigint not null,
  constraint reconcile_count_pkey primary key (processor, kind)
);

-- Checkouts that this service opened at payment-a, whose transactions name neither product nor user. Deleted after 60 days.
create table kinora.payment_checkout (
  processor text not null,
  external_id text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  constraint payment_checkout_pkey primary key (processor, external_id)
);
create index payment_checkout_age on kinora.payment_checkout (processor, created_at);

-- The part of the payment that was returned in all, up to and including this return; null when its event does not name it.
alter table kinora.payment_return add column total numeric;
