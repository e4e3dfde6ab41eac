-- Refund claims that wait for credits, grace bounded by the root package, corrections with an audit log, and the hash chain of
-- the history. Every new column is nullable or has a constant default, so that no table is rewritten. Rows written before are
-- completed account by account (kinora.credit_upgrade), at the account's next movement or by the worker's sweep.

-- step: columns of credit_account
-- 0: rows of this account were written before this migration and are not chained yet. The functions open new accounts with 1; those
-- of the release before open them with 0 until they are replaced.
alter table kinora.credit_account add column if not exists ledger_version smallint not null default 0;

-- step: columns of credit_account
-- Head of the hash chain: the hash of the newest history row; empty before the first.
alter table kinora.credit_account add column if not exists history_hash bytea not null default '\x';

-- step: index credit_account_to_upgrade
-- It is empty when every account is upgraded. Its predicate has a column that changes once, so that
-- updates of amounts stay HOT.
create index concurrently if not exists credit_account_to_upgrade on kinora.credit_account (user_id) where ledger_version = 0;

-- step: columns of credit_package
-- Of a grace package: the package at the beginning of its chain of parents. Null for that package itself.
alter table kinora.credit_package add column if not exists root_id uuid;

-- step: columns of credit_package
-- The part of clawed_back that an administrator took; the rest was taken for refund claims.
alter table kinora.credit_package add column if not exists taken bigint not null default 0;

-- step: check package_taken_in_range
alter table kinora.credit_package
  drop constraint if exists package_taken_in_range,
  add constraint package_taken_in_range check (taken >= 0 and taken <= clawed_back) not valid;

-- step: validate package_taken_in_range
alter table kinora.credit_package validate constraint package_taken_in_range;

-- step: columns of credit_refund_claim
-- A reversed refund claim (a dispute won, funds reinstated) counts for nothing. A reversal may precede its claim: part is 0 then.
alter table kinora.credit_refund_claim add column if not exists reversed_at timestamptz;

-- step: check refund_claim_part_in_range
alter table kinora.credit_refund_claim
  drop constraint if exists refund_claim_part_in_range,
  add constraint refund_claim_part_in_range check (part >= 0 and part <= 1) not valid;

-- step: validate refund_claim_part_in_range
alter table kinora.credit_refund_claim validate constraint refund_claim_part_in_range;

-- step: columns of credit_transaction
-- What a row fixes: of an addition the source and expiry of its package; of a release the grace packages that it made, as
-- [[id, credits, expiry in epoch milliseconds], …]; and its hash, which continues that of the row before.
alter table kinora.credit_transaction add column if not exists source text;

-- step: columns of credit_transaction
alter table kinora.credit_transaction add column if not exists expires_at timestamptz;

-- step: columns of credit_transaction
alter table kinora.credit_transaction add column if not exists graces jsonb;

-- step: columns of credit_transaction
alter table kinora.credit_transaction add column if not exists hash bytea;

-- step: table audit
-- What administrators did. Insert-only: a row is written in the same statement as the change that it records.
create table if not exists kinora.audit (
  id uuid not null,
  -- The administrator.
  actor_id uuid not null,
  -- What was done: credits.add, credits.take, credits.reverse-expiry, payment.apply, …
  action text not null,
  -- Whose account it concerns, if any user's.
  user_id uuid,
  -- The package, payment event or other object that was changed.
  subject text,
  before jsonb,
  after jsonb,
  request_id text,
  reason text,
  created_at timestamptz not null,
  constraint audit_pkey primary key (id)
);

-- step: index audit_of_user
create index if not exists audit_of_user on kinora.audit (user_id, id);

-- step: index audit_by_actor
create index if not exists audit_by_actor on kinora.audit (actor_id, id);
