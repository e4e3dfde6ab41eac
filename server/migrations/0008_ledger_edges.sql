-- Refund claims that wait for credits, grace bounded by the root package, corrections with an audit log, and the hash chain of
-- the history. Every new column is nullable or has a constant default, so that no table is rewritten. Rows written before are
-- completed account by account (kinora.credit_upgrade), at the account's next movement or by the worker's sweep.

-- 0: rows of this account were written before this migration and are not chained yet. New accounts begin with 1.
alter table kinora.credit_account add column ledger_version smallint not null default 0;
alter table kinora.credit_account alter column ledger_version set default 1;
-- Head of the hash chain: the hash of the newest history row; empty before the first.
alter table kinora.credit_account add column history_hash bytea not null default '\x';

-- Could be built concurrently. It is empty when every account is upgraded. Its predicate has a column that changes once, so that
-- updates of amounts stay HOT.
create index credit_account_to_upgrade on kinora.credit_account (user_id) where ledger_version = 0;

-- Of a grace package: the package at the beginning of its chain of parents. Null for that package itself.
alter table kinora.credit_package add column root_id uuid;
-- The part of clawed_back that an administrator took; the rest was taken for refund claims.
alter table kinora.credit_package add column taken bigint not null default 0;
alter table kinora.credit_package
  add constraint package_taken_in_range check (taken >= 0 and taken <= clawed_back) not valid;
alter table kinora.credit_package validate constraint package_taken_in_range;

-- A reversed refund claim (a dispute won, funds reinstated) counts for nothing. A reversal may precede its claim: part is 0 then.
alter table kinora.credit_refund_claim add column reversed_at timestamptz;
alter table kinora.credit_refund_claim drop constraint refund_claim_part_in_range;
alter table kinora.credit_refund_claim
  add constraint refund_claim_part_in_range check (part >= 0 and part <= 1) not valid;
alter table kinora.credit_refund_claim validate constraint refund_claim_part_in_range;

-- What a row fixes: of an addition the source and expiry of its package; of a release the grace packages that it made, as
-- [[id, credits, expiry in epoch milliseconds], …]; and its hash, which continues that of the row before.
alter table kinora.credit_transaction add column source text;
alter table kinora.credit_transaction add column expires_at timestamptz;
alter table kinora.credit_transaction add column graces jsonb;
alter table kinora.credit_transaction add column hash bytea;

-- What administrators did. Insert-only: a row is written in the same statement as the change that it records.
create table kinora.audit (
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

create index audit_of_user on kinora.audit (user_id, id);
create index audit_by_actor on kinora.audit (actor_id, id);
