-- Runs of the ledger check, which administrators see, and the payments that a payment event granted. The new table is empty and
-- the new column is null for rows from before, so no table is rewritten.

-- step: table ledger_check_run
-- One row per run. At most one is 'running': its process renews updated_at, and a run whose process died is taken over.
create table if not exists kinora.ledger_check_run (
  id uuid not null,
  -- running, finished (all users), stopped (at shutdown or by the operator), failed, abandoned (its process died)
  state text not null default 'running',
  -- The administrator who started it; null: an operator at a terminal, or a timer.
  started_by uuid,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  -- Accounts to check and checked so far; the run continues at next_user_id, null when it is at the end.
  users_total bigint not null default 0,
  users bigint not null default 0,
  next_user_id uuid,
  -- All differences are counted, the first 500 are stored.
  total bigint not null default 0,
  differences jsonb not null default '[]',
  error text,
  constraint ledger_check_run_pkey primary key (id),
  constraint ledger_check_run_state_known check (state in ('running', 'finished', 'stopped', 'failed', 'abandoned'))
);

-- step: index ledger_check_run_one_running
create unique index if not exists ledger_check_run_one_running on kinora.ledger_check_run (state) where state = 'running';

-- step: columns of payment_event
-- The sources of the payments for which an applied event granted credits. Null: applied before this migration.
alter table kinora.payment_event add column if not exists sources text[];

-- step: index payment_event_applied_to
create index concurrently if not exists payment_event_applied_to on kinora.payment_event (user_id) where state = 'applied';
