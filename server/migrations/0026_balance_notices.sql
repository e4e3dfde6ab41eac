-- Notices about a balance: it fell below a threshold of the user's, or credits are about to expire.

-- step: threshold
-- The user is notified when available credits fall below it; null: never.
alter table kinora.credit_account add column if not exists low_credits bigint;

-- step: table expiry_notice
-- The packages whose expiry has been notified, once each.
create table if not exists kinora.expiry_notice (
  user_id uuid not null,
  package_id uuid not null,
  created_at timestamptz not null,
  constraint expiry_notice_pkey primary key (user_id, package_id)
);

-- step: index expiry_notice_age
create index concurrently if not exists expiry_notice_age on kinora.expiry_notice using brin (created_at);
