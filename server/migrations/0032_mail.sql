-- Mail: the outbox, one row a message, and which notices a user wants.

create table kinora.mail (
  id uuid not null,
  -- Null: the recipient has no account.
  user_id uuid,
  -- server/src/mail/kinds.ts has them.
  kind text not null,
  -- What the message is about. A second message of the user with the same key is not written.
  key text not null,
  -- A notice can be unsubscribed, and waits behind messages that a person is waiting for.
  is_notice boolean not null,
  recipient text not null,
  -- What the templates fill in.
  data jsonb not null,
  -- A link that authenticates its reader, sealed (server/src/config/seal.ts); null: none, or the message is final.
  link bytea,
  has_link boolean not null,
  state text not null default 'pending',
  attempt integer not null default 0,
  -- When the next attempt is due, or the lease of the present one ends; null when the state is final.
  due_at timestamptz,
  -- Not sent any more after this time.
  expires_at timestamptz not null,
  lease_id uuid,
  -- The latest attempt: when, and what the server responded or why there was no response.
  attempted_at timestamptz,
  response text,
  created_at timestamptz not null,
  constraint mail_pkey primary key (id),
  constraint mail_state_known check (state in ('pending', 'sent', 'failed', 'expired')),
  constraint mail_due_when_pending check ((state = 'pending') = (due_at is not null)),
  constraint mail_no_link_when_sent check (state = 'pending' or link is null)
) with (fillfactor = 80);

create unique index mail_once on kinora.mail (user_id, key);
create index mail_due on kinora.mail (is_notice, due_at) where state = 'pending';
create index mail_expiry on kinora.mail (expires_at) where state = 'pending';
-- The administrators' list of one state; those that were sent are most rows, and the primary key finds them.
create index mail_unsent on kinora.mail (state, id) where state <> 'sent';
create index mail_age on kinora.mail using brin (created_at);

-- The notices that a user has switched on or off; without a row: the default of the notice.
create table kinora.mail_setting (
  user_id uuid not null,
  kind text not null,
  is_wanted boolean not null,
  updated_at timestamptz not null,
  constraint mail_setting_pkey primary key (user_id, kind)
);
