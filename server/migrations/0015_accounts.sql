-- Deleted accounts and exports of personal data. The tables are new, so only the last index reads rows of before.

-- step: table deleted_account
-- A user who deleted the account. The user id stays as a pseudonym in the books: ledger, history, payments, audit log.
create table if not exists kinora.deleted_account (
  user_id uuid not null,
  -- HMAC-SHA256 of the e-mail address in lower case: the new-user gift is given once per address.
  email_hash bytea not null,
  -- When the user had signed up.
  created_at timestamptz not null,
  deleted_at timestamptz not null,
  -- When the sweep had erased everything that is not in the books; null until then.
  erased_at timestamptz,
  constraint deleted_account_pkey primary key (user_id)
);

-- step: index deleted_account_by_email
create index if not exists deleted_account_by_email on kinora.deleted_account (email_hash);

-- step: index deleted_account_to_erase
create index if not exists deleted_account_to_erase on kinora.deleted_account (user_id) where erased_at is null;

-- step: table account_export
-- The export that a user is downloading. The lease passes on when its download stalls or its process dies.
create table if not exists kinora.account_export (
  user_id uuid not null,
  lease_id uuid not null,
  lease_until timestamptz not null,
  constraint account_export_pkey primary key (user_id)
);

-- step: index payment_event_of_user
-- The payment events of a user that still have a body.
create index concurrently if not exists payment_event_of_user on kinora.payment_event (user_id) where user_id is not null and body <> '';
