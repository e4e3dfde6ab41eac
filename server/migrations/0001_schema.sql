-- The schema: types, tables with their named constraints and indexes, and the triggers of the sign-in tables. The
-- functions that move credits and status are in server/sql, one current text, applied whole by every migrate that finds
-- it changed. A later change is a migration of its own, by the rules of docs/upgrades.md. One file, because the first
-- migration makes all tables in one transaction, without the statement timeout of later ones; it is searched by its
-- headings and tables, not read from end to end.
--
-- `user_id` leads every key, so that all rows of one user can live on one shard. It is the id of the owner of films and
-- credits: a user, or a team (kinora.team), whose rows are those of a user. The exceptions find a user by a key of
-- another system, belong to no user, or serve sweeps over all users. No table references the sign-in tables: when a
-- user is deleted there, the ledger still adds up.
--
-- Vacuum runs by the tables' own pace. PostgreSQL's default waits until a fifth of a table is dead: two million rows at
-- ten million videos, whose places are then not used again for hours.

create schema if not exists kinora;

-- Both extensions are trusted: the owner of the database may create them. They are in no schema whose functions are
-- replaced.
create extension if not exists pg_trgm schema public;
create extension if not exists btree_gin schema public;

-- An operator may have created them in another schema. The indexes below name their operator classes without one.
select set_config('search_path', concat_ws(', ', 'public', (
  select string_agg(distinct quote_ident(n.nspname), ', ')
  from pg_extension e
  join pg_namespace n on n.oid = e.extnamespace
  where e.extname in ('pg_trgm', 'btree_gin')
)), true);

-- ## Ledger

-- One row per user: the quantities of the balance, kept in step with the rows below by server/sql/credit.sql alone.
create table kinora.credit_account (
  user_id uuid not null,
  number bigint generated always as identity,
  available bigint not null default 0,
  frozen bigint not null default 0,
  used bigint not null default 0,
  expired bigint not null default 0,
  clawed_back bigint not null default 0,
  total bigint not null default 0,
  -- Number of rows in credit_transaction; the next row gets this number plus one.
  transactions bigint not null default 0,
  -- Head of the hash chain: the hash of the newest history row; empty before the first.
  history_hash bytea not null default '\x',
  -- Holds in state 'frozen', one per video in progress; the cap on them is checked under this row's lock. Those of
  -- videos that wait for a place do not count towards it.
  open_holds integer not null default 0,
  waiting_holds integer not null default 0,
  -- No package with remaining credits expires before this moment. It may be too early, never too late.
  next_expiry_at timestamptz not null default 'infinity',
  -- The user is notified when available credits fall below it; null: never.
  low_credits bigint,
  -- When the new-user gift was decided on, granted or not; it is decided once.
  gift_at timestamptz,
  -- Why the gift was decided against.
  gift_refusal text,
  -- The state of the gift that the user has been notified of.
  gift_seen text,
  -- Time of the newest history row; the next one is not before it, whichever process writes it.
  moved_at timestamptz not null default '-infinity',
  created_at timestamptz not null,
  constraint credit_account_pkey primary key (user_id),
  constraint available_not_negative check (available >= 0),
  constraint frozen_not_negative check (frozen >= 0),
  constraint used_not_negative check (used >= 0),
  constraint expired_not_negative check (expired >= 0),
  constraint clawed_back_not_negative check (clawed_back >= 0),
  constraint waiting_holds_are_open check (waiting_holds between 0 and open_holds),
  constraint total_adds_up check (total = available + frozen + used + expired + clawed_back)
) with (
  -- Updated in place (HOT) by each movement: vacuum frees the line pointers and keeps the table small.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000
);

create index credit_account_next_expiry on kinora.credit_account (next_expiry_at, user_id) where next_expiry_at < 'infinity';

-- One row per addition of credits. Its initial credits are always accounted for: remaining, frozen, used, expired,
-- clawed back, (released after the expiration date) moved into a grace package, or transferred to a team.
create table kinora.credit_package (
  user_id uuid not null,
  id uuid not null,
  trans_type text not null,
  -- What the credits were granted for. One package per source, so that repeated deliveries grant once.
  source text not null,
  order_no text,
  -- The package whose released credits a grace package holds.
  parent_id uuid,
  -- The package at the beginning of a grace package's chain of parents. Null for that package itself.
  root_id uuid,
  -- The member who has transferred the credits of a team's package, and the member's package; null: none has.
  from_user_id uuid,
  from_package_id uuid,
  initial bigint not null,
  remaining bigint not null,
  frozen bigint not null default 0,
  used bigint not null default 0,
  expired bigint not null default 0,
  clawed_back bigint not null default 0,
  -- The parts of clawed_back that an administrator took, and that paid what other packages owed; the rest was taken for
  -- refund claims on this package.
  taken bigint not null default 0,
  collected bigint not null default 0,
  -- How many credits refund claims ask for. Of a package that was granted: what other packages paid of it, and what
  -- administrators forgave.
  refund_claimed bigint not null default 0,
  repaid bigint not null default 0,
  forgiven bigint not null default 0,
  -- Of a package of a team that was deleted: what it owed and its payer owes since. Of the payer's package: what its
  -- packages in such teams have passed on.
  passed_on bigint not null default 0,
  assumed bigint not null default 0,
  moved bigint not null default 0,
  -- What has left the account for packages of teams.
  transferred bigint not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint credit_package_pkey primary key (user_id, id),
  constraint credit_package_one_per_source unique (user_id, source),
  constraint package_type_known check (
    trans_type in ('NEW_USER', 'ORDER_PAY', 'SUBSCRIPTION', 'REFUND', 'SYSTEM_ADJUST')
  ),
  constraint package_initial_positive check (initial > 0),
  constraint package_parts_not_negative check (
    remaining >= 0 and frozen >= 0 and used >= 0 and expired >= 0 and clawed_back >= 0 and moved >= 0 and transferred >= 0
  ),
  constraint package_adds_up check (initial = remaining + frozen + used + expired + clawed_back + moved + transferred),
  constraint package_from_complete check ((from_user_id is null) = (from_package_id is null)),
  constraint package_taken_in_range check (taken >= 0 and collected >= 0 and taken + collected <= clawed_back),
  constraint package_refund_claimed_in_range check (refund_claimed >= 0 and refund_claimed <= initial),
  constraint package_passed_on_in_range check (
    passed_on >= 0 and (passed_on = 0 or from_user_id is not null) and assumed >= 0 and assumed <= refund_claimed
  ),
  constraint package_repaid_in_range check (repaid >= 0 and forgiven >= 0 and repaid + forgiven <= initial)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- The FIFO order of consuming and expiring. The index contains no amount, so that updates of amounts are HOT.
create index credit_package_fifo on kinora.credit_package (user_id, expires_at, created_at, id);

-- Every read of a balance adds up what is owed: few packages have claims, and few are grace packages.
create index credit_package_claimed on kinora.credit_package (user_id) where refund_claimed > 0;
create index credit_package_of_root on kinora.credit_package (user_id, root_id) where root_id is not null;

-- A claim on a payment finds the packages of teams that have credits of it.
create index credit_package_from on kinora.credit_package (from_user_id, from_package_id) where from_user_id is not null;

-- One row per freeze. Its id is the id of the video that the credits are reserved for. Its slices lie in two arrays and
-- not in rows of their own: nothing looks for the holds of a package, and nearly every hold has one slice.
create table kinora.credit_hold (
  user_id uuid not null,
  id uuid not null,
  credits bigint not null,
  state text not null default 'frozen',
  -- The API key whose request froze the credits, or the member of the team; null: a session of the user.
  key_id uuid,
  -- The browser token of that key, if one did.
  token_id uuid,
  -- The packages that the credits were taken from, in the order in which they are used, and how many from each.
  package_ids uuid[] not null,
  package_credits bigint[] not null,
  -- Of a settled hold, what was released as it was settled, because the film cost less than was frozen for it: the
  -- last credits of its slices.
  rest bigint not null default 0,
  created_at timestamptz not null,
  closed_at timestamptz,
  constraint credit_hold_pkey primary key (user_id, id),
  constraint hold_credits_positive check (credits > 0),
  constraint hold_rest_is_a_part check (rest = 0 or rest > 0 and rest < credits and state = 'settled'),
  constraint hold_state_known check (state in ('frozen', 'settled', 'released')),
  constraint hold_closed_when_not_frozen check ((state = 'frozen') = (closed_at is null)),
  constraint slice_credits_positive check (0 < all (package_credits))
) with (
  fillfactor = 85, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- One row per movement of the available balance. A user's rows, ordered by `n`, add up to Available after each of them.
create table kinora.credit_transaction (
  user_id uuid not null,
  n bigint not null,
  id uuid not null,
  trans_no text not null,
  trans_type text not null,
  credits bigint not null,
  balance_after bigint not null,
  package_id uuid,
  video_id uuid,
  order_no text,
  remark text,
  -- The administrator who caused the movement, if one did.
  actor_id uuid,
  created_at timestamptz not null,
  -- The source and expiry of an addition's package. Of a transfer: transfer:<its id>:<the team, or the member>. Of
  -- credits that refunds and disputes took or gave back: return:<processor>:<their ids>.
  source text,
  expires_at timestamptz,
  -- The grace packages that a release made, as [[id, credits, expiry in epoch milliseconds], …]. Of a transfer: the
  -- packages that credits left, or came to.
  graces jsonb,
  -- Continues the hash of the row before, and covers every other column.
  hash bytea,
  constraint credit_transaction_pkey primary key (user_id, n),
  constraint transaction_type_known check (
    trans_type in ('NEW_USER', 'ORDER_PAY', 'SUBSCRIPTION', 'VIDEO_CONSUME', 'REFUND', 'EXPIRED', 'SYSTEM_ADJUST')
  ),
  constraint transaction_moves_something check (credits <> 0),
  constraint balance_after_not_negative check (balance_after >= 0)
) with (
  -- Rows are only added. Vacuum marks their pages, without which an index-only scan reads the table as well.
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- The history filtered by type. VIDEO_CONSUME is nearly every second row and is read by the primary key.
create index transaction_of_type on kinora.credit_transaction (user_id, trans_type, n) where trans_type <> 'VIDEO_CONSUME';

-- The two rows of a transfer find each other.
create index transaction_of_transfer on kinora.credit_transaction (user_id, source) where source like 'transfer:%';

-- What refunds and disputes took and gave back, for the check of the books.
create index transaction_of_return on kinora.credit_transaction (user_id) where source like 'return:%';

-- The rows of a user's history by type, so that totals of lists count no rows; kinora.verify recomputes them. Those of
-- VIDEO_CONSUME are the rest, so that freezing credits writes no counter.
create table kinora.transaction_count (
  user_id uuid not null,
  trans_type text not null,
  transactions bigint not null,
  constraint transaction_count_pkey primary key (user_id, trans_type),
  constraint transaction_count_positive check (transactions > 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Refund claims: what a refund or dispute takes back of the package that its payment bought. A claim may precede the
-- package.
create table kinora.credit_refund_claim (
  user_id uuid not null,
  source text not null,
  -- The id of the refund or dispute; 'plan change' of what a payment was granted too much.
  key text not null,
  -- The part of the package, from 0 to 1; 0 of a dispute that was won and of a refund that failed.
  part numeric not null,
  created_at timestamptz not null,
  constraint credit_refund_claim_pkey primary key (user_id, source, key),
  constraint refund_claim_part_in_range check (part >= 0 and part <= 1)
);

-- The packages whose expiry has been notified, once each.
create table kinora.expiry_notice (
  user_id uuid not null,
  package_id uuid not null,
  created_at timestamptz not null,
  constraint expiry_notice_pkey primary key (user_id, package_id)
);

create index expiry_notice_age on kinora.expiry_notice using brin (created_at);

-- Limits of the new-user gift: one for each normalised e-mail address, and a cap for each network and day. Addresses
-- are stored as keyed hashes only (HMAC-SHA256 with AUTH_SECRET), and neither table names a user.

-- Normalised e-mail addresses that have had the gift.
create table kinora.gift_address (
  address_hash bytea not null,
  created_at timestamptz not null,
  constraint gift_address_pkey primary key (address_hash)
);

create index gift_address_age on kinora.gift_address using brin (created_at);

-- How many gifts a network (IPv4 /24, IPv6 /64) had on a day in UTC.
create table kinora.gift_network (
  network_hash bytea not null,
  day date not null,
  gifts integer not null,
  constraint gift_network_pkey primary key (network_hash, day)
);

-- Requests by what moderation decided about them, on a day in UTC. Category '' counts all of an outcome; a refused
-- request counts in each of its categories too.
create table kinora.moderation_count (
  day date not null,
  outcome text not null,
  category text not null,
  requests bigint not null,
  constraint moderation_count_pkey primary key (day, outcome, category),
  constraint moderation_count_outcome_known check (outcome in ('allowed', 'refused', 'failed'))
);

-- A movement of credits as the functions of the ledger compute it, before it is numbered, chained and appended to the
-- history.
create type kinora.credit_movement as (
  user_id uuid,
  trans_type text,
  -- Differences: of the available credits, and of the account's other quantities.
  credits bigint,
  frozen bigint,
  expired bigint,
  clawed_back bigint,
  total bigint,
  open_holds integer,
  -- When credits that the movement adds expire; infinity when it adds none.
  next_expiry_at timestamptz,
  package_id uuid,
  video_id uuid,
  order_no text,
  remark text,
  actor_id uuid,
  source text,
  expires_at timestamptz,
  graces jsonb
);

-- What numbering and chaining add to the history row of a movement.
create type kinora.numbered_row as (
  n bigint, id uuid, trans_no text, balance_after bigint, hash bytea, created_at timestamptz
);

-- One request of credit_freeze_holds, credit_settle_holds or credit_release_holds; attributes that a function does not
-- take are null.
create type kinora.hold_request as (
  user_id uuid,
  hold_id uuid,
  -- A freeze's price, or what is settled of a hold (null: all); of a freeze the most holds of the account that may be
  -- open at a time (0: no cap), and the API key that pays, if any, and its browser token.
  credits bigint,
  max_open integer,
  key_id uuid,
  token_id uuid,
  -- The remark of a freeze or a release in the user's history, also of the release of a rest.
  remark text,
  -- The most that released credits last whose package has expired.
  grace interval,
  -- Of the first freeze of a batch: how many they are, which are met all or none, and what all cost. Of the others: 0.
  -- Null: it is alone.
  batch_size integer,
  batch_credits bigint,
  -- Whether it waits for a place when max_open hold none.
  may_wait boolean
);

-- An account as credit_freeze_holds finds it.
create type kinora.freeze_account as (
  user_id uuid,
  available bigint,
  open_holds integer,
  waiting_holds integer,
  -- The time of the rows of this call, as credit_row_time has it.
  row_time timestamptz,
  -- Its requests, in their sequence, and those of their holds that exist already.
  positions integer[],
  hold_ids uuid[],
  -- Its own limits, null without: of holds that do not wait, and what is left of its budget.
  max_open integer,
  unspent bigint,
  -- Its packages with credits, in the order in which they are used.
  package_ids uuid[],
  package_tids tid[],
  package_credits bigint[]
);

-- The slices of a hold as the table has them, and when it is frozen.
create type kinora.hold_slices as (
  package_ids uuid[],
  package_credits bigint[],
  created_at timestamptz
);

-- A slice of a hold that is released, or of the rest of one that is settled. hold_credits: of all slices of the hold
-- that are released.
create type kinora.release_slice as (
  user_id uuid,
  hold_id uuid,
  hold_credits bigint,
  is_rest boolean,
  frozen_at timestamptz,
  key_id uuid,
  remark text,
  credits bigint,
  package_id uuid,
  order_no text,
  expires_at timestamptz,
  -- The package that was granted, and what refund claims ask of it and have not got.
  root_id uuid,
  root_type text,
  root_order_no text,
  root_source text,
  owed bigint,
  -- Until when the credits may be used that claims leave.
  usable_until timestamptz
);

-- Where the credits of a released slice go; the rest returns to its package.
create type kinora.release_decision as (
  -- To refund claims.
  taken bigint,
  expired bigint,
  -- To a grace package with this id.
  moved bigint,
  grace_id uuid
);

-- ## API keys

-- Scope and budget of a key or of a program, the budget of a member of a team, or the limits that an administrator has
-- set of an owner. The row is kept when its key is deleted or the member leaves: a request that is under way still
-- finds its budget.
create table kinora.api_key (
  user_id uuid not null,
  -- public."apikey"."id", public."oauthConsent"."id" of a program, the user id of a member, or the owner's own id.
  id uuid not null,
  -- Of a member and of an owner none: the role says what a member may do.
  scopes text[] not null,
  -- Of a program: the user who connected it. In a team what it uses counts against the budget of that member, too; what
  -- a key of the team uses does not count against its maker's (made_by), and no owner takes a program over.
  connected_by uuid,
  -- Credits that the key may spend in a period; null: as many as the account has.
  budget bigint,
  budget_period text,
  created_at timestamptz not null,
  -- The member who answers for a key of a team; null: of a user, or a member's budget. And since when it is suspended
  -- (authority.sql).
  made_by uuid,
  suspended_at timestamptz,
  -- Of an owner alone: the most videos in progress at a time, and the most requests in a minute; null: as the service.
  max_in_progress integer,
  max_requests integer,
  constraint api_key_pkey primary key (user_id, id),
  constraint api_key_limits_of_owner check (id = user_id or (max_in_progress is null and max_requests is null)),
  constraint api_key_limits_not_negative check (max_in_progress >= 0 and max_requests > 0),
  constraint api_key_scopes_known check (scopes <@ array['read', 'generate', 'account']),
  constraint api_key_budget_not_negative check (budget >= 0),
  constraint api_key_period_known check (budget_period in ('day', 'week', 'month')),
  constraint api_key_budget_has_period check ((budget is null) = (budget_period is null))
);

create index api_key_given on kinora.api_key (user_id, made_by) where made_by is not null;
create index api_key_of_programs on kinora.api_key (user_id, connected_by) where connected_by is not null;

-- What a key has frozen or spent, by the UTC day of the freeze; a released hold is taken off again. The sum of the days
-- of a period is what its budget has lost.
create table kinora.api_key_usage (
  user_id uuid not null,
  key_id uuid not null,
  day date not null,
  credits bigint not null,
  videos integer not null,
  constraint api_key_usage_pkey primary key (user_id, key_id, day),
  constraint api_key_usage_not_negative check (credits >= 0 and videos >= 0)
) with (fillfactor = 70);

-- A browser token: a visitor's page holds it for some minutes, and reaches what its subject made. Its budget is spent
-- once: what a failed film gives back goes to the account and to the key.
create table kinora.key_token (
  user_id uuid not null,
  id uuid not null,
  -- public."apikey"."id": its giver, with which it ends.
  key_id uuid not null,
  -- The customer's id of the visitor; of a token that names none its own, 'token:' and its id.
  subject text not null,
  scopes text[] not null,
  budget bigint not null,
  used bigint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint key_token_pkey primary key (user_id, id),
  constraint key_token_scopes_known check (scopes <@ array['read', 'generate']),
  constraint key_token_within_budget check (used >= 0 and used <= budget),
  constraint key_token_subject_size check (length(subject) between 1 and 64)
);
create index key_token_age on kinora.key_token (expires_at);

-- Subjects whose data is to be erased (server/sql/subject.sql). The row goes with the last of what was made before
-- requested_at.
create table kinora.subject_erasure (
  user_id uuid not null,
  subject text not null,
  requested_at timestamptz not null,
  constraint subject_erasure_pkey primary key (user_id, subject)
);

-- ## What administrators note

-- Notes of administrators about a user or a team, and the tags by which they find them again. Both go with the account.
create table kinora.owner_note (
  user_id uuid not null,
  id uuid not null,
  text text not null,
  -- The administrator.
  actor_id uuid not null,
  created_at timestamptz not null,
  constraint owner_note_pkey primary key (user_id, id)
);

create table kinora.owner_tag (
  user_id uuid not null,
  tag text not null,
  constraint owner_tag_pkey primary key (user_id, tag)
);

create index owner_tag_of_tag on kinora.owner_tag (tag, user_id);

-- ## Idempotency, audit, checks

-- What a request with an Idempotency-Key created, for the idempotent replay.
create table kinora.idempotency_key (
  user_id uuid not null,
  operation text not null,
  key text not null,
  request_hash bytea not null,
  -- The created video or package, and its owner.
  subject_user_id uuid not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  constraint idempotency_key_pkey primary key (user_id, operation, key)
);

create index idempotency_key_age on kinora.idempotency_key using brin (created_at);

-- What administrators did, and what members of a team did to it. Insert-only: a row is written in the same statement as
-- the change that it records.
create table kinora.audit (
  id uuid not null,
  -- The administrator, or the member.
  actor_id uuid not null,
  -- What was done: credits.add, credits.take, credits.collect, payment.apply, …
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
create index audit_by_action on kinora.audit (action, id);
create index audit_by_invited on kinora.audit ((after ->> 'email')) where action = 'team.invite';

-- One row per run of the ledger check. At most one is 'running': its process renews updated_at, and a run whose process
-- died is taken over.
create table kinora.ledger_check_run (
  id uuid not null,
  -- running, finished (all users), stopped (at shutdown or by the operator), failed, abandoned (its process died)
  state text not null default 'running',
  -- The administrator who started it; null: an operator at a terminal, or a timer.
  started_by uuid,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  -- Accounts to check and checked so far.
  users_total bigint not null default 0,
  users bigint not null default 0,
  -- All differences are counted, the first 500 are stored.
  total bigint not null default 0,
  differences jsonb not null default '[]',
  error text,
  constraint ledger_check_run_pkey primary key (id),
  constraint ledger_check_run_state_known check (state in ('running', 'finished', 'stopped', 'failed', 'abandoned'))
);

create unique index ledger_check_run_one_running on kinora.ledger_check_run (state) where state = 'running';

-- ## Videos

-- The video row is the workflow: its next step, when it is due, and the lease of the worker are its columns.
create table kinora.video (
  user_id uuid not null,
  id uuid not null,
  prompt text not null,
  model text not null,
  duration_s integer not null,
  aspect_ratio text not null,
  quality text not null,
  -- What it is made of: a text, or the roles of its inputs.
  mode text not null default 'text-to-video',
  -- The inputs (server/src/film/inputs.ts), in their order; null: a text alone.
  made_of jsonb,
  seed integer,
  negative_prompt text,
  audio boolean,
  -- What the model alone has, by the names of its options.
  options jsonb,
  -- The film of which this one is a remix (OpenAI's videos).
  remixed_from uuid,
  -- The first of the videos that one request has made together; null: it has made this one alone.
  batch_id uuid,
  -- The API key that made the request, or the member of the team; null: a session of the user.
  made_by uuid,
  -- The subject of the browser token that made it; null: none did.
  subject text,
  -- What the request noted for its own use: texts by name.
  metadata jsonb,
  -- The price, copied from the catalogue when the video was created; once the video is completed, what was settled.
  credits bigint not null,
  -- Credits for a second of film, exact, where the price follows what is made: credits is the most until then. Null: it
  -- does not.
  second_rate numeric,

  -- Whether video_search has its prompt. It does not have a user's first ones (video_generate.sql).
  has_trigrams boolean not null default true,

  -- From here on is what steps change: of an update PostgreSQL logs what lies between the first column that has changed
  -- and the last one, and the prompt is longer than all of it.
  status text not null default 'PENDING',
  -- Whether it has no place among its user's videos in progress yet; a final one never had any.
  is_waiting boolean not null default false,
  -- Providers in order of preference, and the position (from 1) of the one in use.
  providers text[] not null,
  provider_index integer not null default 1,
  provider_task_id text,
  -- What the provider needs beside the task id to find the task, sealed (video/handle.ts); null: nothing.
  provider_handle bytea,
  -- Set before the task is sent. Set while provider_task_id is null, it is unknown whether the provider has the task,
  -- and the task is not sent again, unless the provider is certain that it has none.
  submitted_at timestamptz,
  accepted_at timestamptz,
  -- When the provider was first known to have finished, and the URL of its film.
  result_at timestamptz,
  result_url text,
  -- A second link to the film, which the provider reported for the same task. Tried when result_url cannot be used.
  other_result_url text,

  -- Since when the provider does not know the task any more: by two polls in a row it is lost.
  lost_at timestamptz,
  -- Tasks before this one, and when the provider expects the film, as it said last.
  queue_position integer,
  expected_at timestamptz,
  -- The provider's name of the model, and the cost in USD by the catalogue, both of the route by which the task was
  -- sent last. unit_rates: what one of the provider's units is worth there, in USD by the name of the unit.
  route_model text,
  catalogue_usd numeric,
  unit_rates jsonb,
  -- What the provider says that the film costs the operator, in its own unit; unit_usd: what one is worth, null when
  -- that is unknown.
  reserved_cost numeric,
  final_cost numeric,
  cost_unit text,
  unit_usd numeric,

  -- The highest progress reported; video_progress() computes what a client sees.
  progress integer,
  usual_s integer not null,
  error_code text,
  error text,

  video_key text,
  thumbnail_key text,
  -- The file that says where the film comes from; null: that is in the film, or nowhere.
  manifest_key text,
  size_bytes bigint,
  film_duration_s double precision,
  film_width integer,
  film_height integer,

  -- The order that the user keeps (video_library.sql); null: in no folder.
  favourite boolean not null default false,
  folder_id uuid,

  -- Whether the same request without an idempotency key returns this video (server/src/compatible/repeated-request.ts):
  -- true until its end was read; null: never.
  is_replayable boolean,

  -- When retention removed film and thumbnail; the row stays, because the ledger names it.
  files_removed_at timestamptz,

  created_at timestamptz not null,
  completed_at timestamptz,
  deleted_at timestamptz,
  updated_at timestamptz not null,

  -- When the next step is due; null when the status is final.
  due_at timestamptz,
  -- How long a provider may take; afterwards it is polled once more, then the credits are released.
  deadline_at timestamptz not null,
  -- Attempts of the current step, and the lease of the worker that runs it.
  attempt integer not null default 0,
  lease_id uuid,
  lease_until timestamptz,

  constraint video_pkey primary key (user_id, id),
  constraint video_status_known check (status in ('PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED')),
  -- A cut of a project's takes (server/sql/cut.sql) may be free; then it has no hold.
  constraint video_credits_positive check (credits > 0 or credits = 0 and model = 'cut'),
  constraint video_second_rate_positive check (second_rate > 0),
  constraint video_waiting_is_not_sent check (not is_waiting or submitted_at is null),
  constraint video_due_unless_final check ((due_at is null) = (status in ('COMPLETED', 'FAILED'))),
  constraint video_completed_has_film check (status <> 'COMPLETED' or video_key is not null),
  constraint video_failed_has_reason check (status <> 'FAILED' or error is not null and error_code is not null)
) with (
  -- A video has seven versions in its life, all but one in new index entries.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

create index video_batch on kinora.video (user_id, batch_id) where batch_id is not null;
create index video_of_subject on kinora.video (user_id, subject, id) where subject is not null;

-- What workers claim. Status first: a long backlog of submits must not delay the few films to collect.
create index video_due on kinora.video (status, due_at) where due_at is not null;

-- Workers claim from different parts of a long backlog (server/sql/video_claim.sql). The last byte of an id is random.
-- The expression has no function of Kinora in it, because these are replaced with each release.
create index video_due_bucket on kinora.video (status, (get_byte(uuid_send(id), 15) & 63), due_at) where due_at is not null;

-- What lists, filters and event streams read of a user with very many videos. Most steps of a video change due_at and
-- so enter the row into every index that has it; these are partial, so that only a video's last step writes them,
-- except the one of unfinished ones.
create index video_final on kinora.video (user_id, status, id) where due_at is null and deleted_at is null;
create index video_final_model on kinora.video (user_id, model, status, id) where due_at is null and deleted_at is null;
create index video_final_aspect_ratio on kinora.video (user_id, aspect_ratio, status, id) where due_at is null and deleted_at is null;
create index video_unfinished on kinora.video (user_id, id) where due_at is not null;
-- Films that are marked, sorted or made of more than a text are the fewer ones: all others cost these indexes nothing.
create index video_final_favourite on kinora.video (user_id, status, id) where due_at is null and deleted_at is null and favourite;
create index video_final_made_by on kinora.video (user_id, made_by, status, id)
where due_at is null and deleted_at is null and made_by is not null;
create index video_final_folder on kinora.video (user_id, folder_id, status, id)
where due_at is null and deleted_at is null and folder_id is not null;
create index video_final_mode on kinora.video (user_id, mode, status, id)
where due_at is null and deleted_at is null and mode <> 'text-to-video';
-- What a folder has, for its number of films and for its end.
create index video_of_folder on kinora.video (user_id, folder_id, deleted_at) where folder_id is not null;

-- What an event stream that resumes reads: final videos that changed since, and recently deleted ones.
create index video_changed on kinora.video (user_id, updated_at) where due_at is null;
create index video_deleted on kinora.video (user_id, deleted_at) where deleted_at is not null;

-- The search in prompts. New entries gather in a list that every search reads, so the list is kept short.
create index video_search on kinora.video using gin (user_id, lower(prompt) gin_trgm_ops)
with (gin_pending_list_limit = 512) where due_at is null and deleted_at is null and has_trigrams;
-- The prompts that a search reads instead.
create index video_read_by_search on kinora.video (user_id) where due_at is null and deleted_at is null and not has_trigrams;

-- As few rows as have metadata; the search in it reads bitmaps.
create index video_metadata on kinora.video using gin (user_id, metadata jsonb_path_ops)
with (gin_pending_list_limit = 512) where due_at is null and deleted_at is null and metadata is not null;

-- The videos that are made of inputs: those that use an asset or another film. An input refers to an asset by `kinora:`
-- and its storage key.
create index video_made_of on kinora.video using gin (user_id, made_of jsonb_path_ops) where made_of is not null;

-- The films that retention can remove: those of deleted videos, and with KEEP_FILMS all.
create index video_files_deleted on kinora.video (deleted_at)
where deleted_at is not null and video_key is not null and files_removed_at is null;
create index video_files_completed on kinora.video (completed_at) where video_key is not null and files_removed_at is null;

-- The films of test keys that are not deleted yet: kinora.is_test, which is inlined, because functions are replaced.
create index video_of_test on kinora.video (completed_at)
where deleted_at is null and due_at is null and get_byte(uuid_send(user_id), 8) & 64 <> 0;

-- What the films of a period have cost and earned, and which they are.
create index video_ended on kinora.video (completed_at) where due_at is null;
-- Those that failed are the fewer ones, and what administrators look for.
create index video_failed on kinora.video (completed_at, id) where status = 'FAILED';
-- Finds a film whose user is not known, for administrators. Ids begin with their time, so entries are added at the
-- right end.
create index video_ended_by_id on kinora.video (id) where due_at is null;

-- What films have cost and earned, summed by the day in UTC on which they ended, and by the month (film_sum.sql);
-- `since`: its first day. Reports add these up instead of a year of films. `grouped_by`: what a row's films have in
-- common beside it: '' (nothing), 'model', 'account', 'route' (all three) or 'user'; the other keys are empty. user_id
-- is nil but for 'user'. Every row can be made again from the videos.
create table kinora.film_sum (
  user_id uuid not null,
  grouped_by text not null,
  span text not null,
  since date not null,
  model text not null,
  account text not null,
  vendor_model text not null,
  films bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  film_seconds numeric not null,
  credits_earned bigint not null,
  credits_returned bigint not null,
  stated_costs bigint not null,
  reserved_costs bigint not null,
  catalogue_costs bigint not null,
  unknown_costs bigint not null,
  known_usd numeric not null,
  differing bigint not null,
  differing_expected_usd numeric not null,
  differing_found_usd numeric not null,
  earned_usd numeric not null,
  unvalued_credits bigint not null,
  known_earned_usd numeric not null,
  known_unvalued bigint not null,
  -- Of completed films: [seconds of generation, films], as the elements of a JSON array. Null: none.
  seconds text,
  -- [unit, amount] of stated costs in units without a value, as the elements of a JSON array. Null: none.
  unpriced text,
  constraint film_sum_pkey primary key (user_id, grouped_by, span, since, model, account, vendor_model),
  constraint film_sum_span_known check (span in ('day', 'month'))
);

create index film_sum_of_period on kinora.film_sum (grouped_by, span, since);

-- Which days are summed, of all users of a part of the database: those from `since` (included) to `until` (excluded).
-- The row of the nil user alone. Days before `over` have ended, and a film of one of them may be in a transaction that
-- is not ended while `xid` is not.
create table kinora.film_sum_state (
  user_id uuid not null,
  since date not null,
  until date not null,
  over date not null,
  xid xid8 not null,
  -- The days from `usage_until` on have no rows in usage_sum yet.
  usage_until date not null,
  constraint film_sum_state_pkey primary key (user_id)
);

-- Payments whose credits have another worth than when the days were summed on which films used them: these days are
-- read from the videos until the sweep has summed them again, those before `done` first.
create table kinora.film_sum_stale (
  user_id uuid not null,
  id uuid not null,
  source text not null,
  done date not null default '-infinity',
  constraint film_sum_stale_pkey primary key (user_id, id)
);

-- What the films of a user with many of them have cost, by the day in UTC on which they were requested, by model and
-- who made them: the sums of credit_hold for the report of usage. A day has all of its rows or none. maker_id is nil
-- for sessions of the user.
create table kinora.usage_sum (
  user_id uuid not null,
  day date not null,
  model text not null,
  maker_id uuid not null,
  credits bigint not null,
  videos bigint not null,
  constraint usage_sum_pkey primary key (user_id, day, model, maker_id)
);

-- A user's final videos that are not deleted, so that totals of lists count no rows; kinora.verify recomputes them. The
-- functions of the ledger keep them under the lock of the account. Videos in progress are few and are counted by their
-- index.
create table kinora.video_count (
  user_id uuid not null,
  model text not null,
  status text not null,
  videos bigint not null,
  constraint video_count_pkey primary key (user_id, model, status),
  constraint video_count_not_negative check (videos >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- A user's folders. A video is in one at most.
create table kinora.video_folder (
  user_id uuid not null,
  id uuid not null,
  name text not null,
  -- The user, the member of the team, or the key that made it, as a video's.
  made_by uuid not null,
  created_at timestamptz not null,
  constraint video_folder_pkey primary key (user_id, id),
  constraint video_folder_name_once unique (user_id, name)
);

-- Films that are made of several shots in their order. A change names the version that it was made from.
create table kinora.project (
  user_id uuid not null,
  id uuid not null,
  name text not null,
  aspect_ratio text not null,
  -- How a take of another shape fills the frame: with bars, or cropped.
  fit text not null,
  -- The sound beside the shots' own (server/src/project/project.ts); null: none.
  sound jsonb,
  -- The newest cut, a video that may be deleted; null: none.
  cut_id uuid,
  -- Counts the changes of the columns before, without the cut, and of which shots there are, in which order.
  version integer not null default 1,
  -- As a video's: a user, a member of the team, or a key. changed_by: of this version.
  made_by uuid not null,
  changed_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint project_pkey primary key (user_id, id),
  constraint project_aspect_ratio_known check (aspect_ratio in ('16:9', '9:16', '1:1')),
  constraint project_fit_known check (fit in ('fit', 'crop'))
);

create table kinora.shot (
  user_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  -- From 1, without gaps but after a deletion.
  position integer not null,
  -- The fields of a generate request, as far as they are decided.
  settings jsonb not null,
  notes text not null default '',
  -- The chosen take, which may be deleted since; null: none. Its cut in milliseconds; null: its begin, its end.
  take_id uuid,
  in_ms integer,
  out_ms integer,
  version integer not null default 1,
  changed_by uuid not null,
  changed_at timestamptz not null,
  constraint shot_pkey primary key (user_id, project_id, id),
  constraint shot_cut_forward check (0 <= coalesce(in_ms, 0) and coalesce(in_ms, 0) < out_ms)
);

-- Of which shot a video is a take. One that is deleted has no row.
create table kinora.shot_take (
  user_id uuid not null,
  video_id uuid not null,
  project_id uuid not null,
  shot_id uuid not null,
  created_at timestamptz not null,
  constraint shot_take_pkey primary key (user_id, video_id)
);

create index shot_take_of_shot on kinora.shot_take (user_id, project_id, shot_id, video_id);

-- The log of a video, step by step, for operators.
create table kinora.video_log (
  user_id uuid not null,
  video_id uuid not null,
  id uuid not null,
  entry text not null,
  detail text,
  at timestamptz not null,
  constraint video_log_pkey primary key (user_id, video_id, id)
) with (
  -- The retention sweep deletes its oldest rows in batches.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000
);

-- Recent entries of all users, for provider health. Entries are only inserted, in the order of time, so a BRIN index is
-- enough: 24 kB for 1.25 million entries.
create index video_log_at on kinora.video_log using brin (at) with (autosummarize = on);

-- Finds the video of a provider's task when a callback carries no signed reference. Insert-only.
create table kinora.provider_task (
  provider text not null,
  task_id text not null,
  user_id uuid not null,
  video_id uuid not null,
  created_at timestamptz not null default now(),
  constraint provider_task_pkey primary key (provider, task_id)
);

create index provider_task_age on kinora.provider_task (created_at);

-- The limits of the accounts at providers that have some (provider_slot.sql): a row for each slot that was taken once,
-- of the tasks at a time (kind 'task') and of the submits in the time of a rate limit (kind 'submit').
create table kinora.provider_slot (
  account text not null,
  kind text not null,
  -- From 1 to the limit.
  n integer not null,
  -- Of a task: `<user id>.<video id>`, null when the slot is free.
  holder text,
  -- Of a submit: when the slot is free. Of a task: until then its video may be about to be sent.
  until timestamptz not null,
  constraint provider_slot_pkey primary key (account, kind, n),
  constraint provider_slot_kind_known check (kind in ('task', 'submit'))
) with (fillfactor = 50);

-- The routes, a model at an account, that have failed once (route_health.sql).
create table kinora.route_health (
  account text not null,
  model text not null,
  -- Null: it works again.
  failing_since timestamptz,
  -- Only tasks that ended since then count against it.
  recovered_at timestamptz,
  -- When a film was last sent to it first although it fails.
  probe_at timestamptz not null,
  -- What the vendor said when it did not know the model; null: it fails otherwise, or works.
  unknown_model text,
  constraint route_health_pkey primary key (account, model)
);

-- What is left on accounts at providers: a row an hour and account, which the worker that inserts it asks the vendor
-- for.
create table kinora.provider_balance (
  account text not null,
  hour timestamptz not null,
  asked_at timestamptz not null,
  -- In `USD` or the vendor's unit; null: not told, for this reason, or not yet.
  amount numeric,
  unit text,
  problem text,
  -- By how much it fell since it was told before, in the same unit; null: it was not told before.
  spent numeric,
  -- Since when it has been low; a refill ends that.
  low_since timestamptz,
  constraint provider_balance_pkey primary key (account, hour),
  constraint provider_balance_complete check ((amount is null) = (unit is null))
);

create index provider_balance_age on kinora.provider_balance (hour);

-- What administrators have switched off (catalogue_switch.sql): a model, an account, or with both a route, which is the
-- model at the account. Invariant: a row is off, and no row is on.
create table kinora.catalogue_switch (
  -- Empty: every model of the account.
  model text not null,
  -- Empty: every account of the model.
  account text not null,
  reason text not null,
  actor_id uuid not null,
  created_at timestamptz not null,
  constraint catalogue_switch_pkey primary key (model, account),
  constraint catalogue_switch_names_something check (model <> '' or account <> '')
);

-- Files of the catalogue that administrators wrote, or took as drafts (catalogue_taken.sql). Invariant: of a file the
-- highest version is in force, beside the release's and below that of CATALOGUE_DIR; its removal puts the one before in
-- force.
create table kinora.catalogue_taken (
  -- As in the folder: 'plans.json', 'templates.json', 'models/<id>.json'.
  file text not null,
  version integer not null,
  -- The file's text: jsonb would lose the sequence of its modes.
  entry text not null,
  reason text not null,
  actor_id uuid not null,
  created_at timestamptz not null,
  constraint catalogue_taken_pkey primary key (file, version)
);

-- When the list of an account was last compared with the catalogue, and the lease of the worker that compares it.
create table kinora.catalogue_comparison (
  account text not null,
  lease uuid,
  lease_until timestamptz,
  next_at timestamptz not null,
  compared_at timestamptz,
  problem text,
  constraint catalogue_comparison_pkey primary key (account)
);

-- What the last comparison found. name: the vendor's name of the model; model: ours. draft: the changed file; problems:
-- its mistakes; base: a digest of the file that it changes, null for a new one.
create table kinora.catalogue_finding (
  account text not null,
  kind text not null,
  name text not null,
  model text not null,
  text text not null,
  draft text,
  base text,
  problems text[] not null,
  found_at timestamptz not null,
  constraint catalogue_finding_pkey primary key (account, kind, name, model)
);

-- The files that a worker stores under its lease, recorded before they exist and until the video is completed with
-- them: a worker that dies or loses its lease leaves no file that no row knows.
create table kinora.video_file (
  user_id uuid not null,
  video_id uuid not null,
  lease_id uuid not null,
  video_key text not null,
  thumbnail_key text not null,
  manifest_key text,
  -- When the sweep removes the files, unless the lease is still valid.
  due_at timestamptz not null,
  constraint video_file_pkey primary key (user_id, video_id, lease_id)
);

create index video_file_due on kinora.video_file (due_at);

-- What the stored files of a film say about where they come from (server/src/provenance), and how they are recognised
-- by their bytes. Films that were stored without it, or while it was off, have no row or one that is due.
create table kinora.video_provenance (
  user_id uuid not null,
  video_id uuid not null,
  -- SHA-256 of the files; null: they were not read yet.
  film_sha256 bytea,
  thumbnail_sha256 bytea,
  -- The manifest in the film or beside it; null while no film has it, and set before one has.
  manifest_id uuid,
  -- Whose certificate it is signed with, and when; null: it is not signed.
  signer text,
  signed_at timestamptz,
  -- Whether the film has China's label (GB 45438-2025).
  is_labelled boolean not null default false,
  -- When a worker signs the stored film, and how often it has failed; null: never.
  due_at timestamptz,
  attempt integer not null default 0,
  constraint video_provenance_pkey primary key (user_id, video_id),
  constraint video_provenance_signed_completely check (
    (signed_at is null) = (signer is null) and (signed_at is null or manifest_id is not null and film_sha256 is not null)
  )
);

create index video_provenance_by_film on kinora.video_provenance (film_sha256) where film_sha256 is not null;
create index video_provenance_by_thumbnail on kinora.video_provenance (thumbnail_sha256) where thumbnail_sha256 is not null;
create index video_provenance_due on kinora.video_provenance (due_at) where due_at is not null;
create index video_provenance_signed_later on kinora.video_provenance (signed_at) where attempt > 0;

-- The pictures, films and sounds that users keep as inputs of films.
create table kinora.asset (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Assets of one name are a character, place or product of the user's films; null: none, and it goes when nothing uses
  -- it.
  name text,
  -- The API key, program or member of the team that uploaded it, or the user; null: Kinora fetched it.
  made_by uuid,
  -- The subject of the browser token that uploaded it; null: none did.
  subject text,
  -- SHA-256 of user id, subject and uploaded bytes: a repeated upload is the same asset.
  digest bytea not null,
  key text not null,
  -- A second file of a film that becomes its sound: the sound until the row is one, the film after it.
  other_key text,
  content_type text not null,
  -- Of a picture or film, in pixels; null: a sound.
  width integer,
  height integer,
  -- Of a film or sound.
  duration_s double precision,
  has_sound boolean,
  size_bytes bigint not null,
  -- 'storing': its file is being written to storage; 'going': it is being removed. Either way the row exists, so that a
  -- crash leaves no file that no row knows.
  state text not null default 'storing',
  created_at timestamptz not null,
  -- When the sweep checks whether a video uses it, and removes it if none does.
  due_at timestamptz not null,
  constraint asset_pkey primary key (user_id, id),
  constraint asset_kind_known check (kind in ('image', 'film', 'sound')),
  constraint asset_state_known check (state in ('storing', 'kept', 'going'))
);

create unique index asset_one_per_digest on kinora.asset (user_id, digest) where state = 'kept';
create index asset_of_name on kinora.asset (user_id, name, id) where name is not null;
create index asset_due on kinora.asset (due_at);
-- What test keys uploaded: kinora.is_test, inlined.
create index asset_of_test on kinora.asset (created_at) where state = 'kept' and get_byte(uuid_send(user_id), 8) & 64 <> 0;
create index asset_of_subject on kinora.asset (user_id, subject, id) where subject is not null;

-- Files that arrive by more than one request, until they are assets.
create table kinora.asset_upload (
  user_id uuid not null,
  id uuid not null,
  -- Who sends it, and no other: as those of the asset.
  made_by uuid not null,
  subject text,
  -- What the asset is to be; null: any kind, no name.
  kind text,
  name text,
  size_bytes bigint not null,
  -- How much has arrived and is stored.
  received_bytes bigint not null default 0,
  -- The sizes of its pieces in storage, in their order; 0: one that is being written, or was given up. A piece is here
  -- before it is written and until it is removed, so a process that dies leaves no file that no row knows.
  pieces integer[] not null default '{}',
  -- The request that receives now: a later one takes over, and an earlier one records nothing more.
  lease_id uuid,
  -- What it has become; null: it is not complete.
  asset_id uuid,
  created_at timestamptz not null,
  -- When it ends, with all its pieces: after this it is as if it had never been.
  due_at timestamptz not null,
  constraint asset_upload_pkey primary key (user_id, id),
  constraint asset_upload_kind_known check (kind in ('image', 'film', 'sound')),
  constraint asset_upload_size check (received_bytes between 0 and size_bytes)
);

create index asset_upload_due on kinora.asset_upload (due_at);

-- Films whose owner has made a public link to them.
create table kinora.video_share (
  user_id uuid not null,
  video_id uuid not null,
  -- The nonce of the link's token (server/src/video/share.ts), which seals user and video with a key that is not in the
  -- database.
  nonce bytea not null,
  shows_prompt boolean not null,
  -- Whether the page offers the film as a file. No protection: who can watch a film can keep it.
  allows_download boolean not null,
  -- The administrator who made it for the user: it ends with the rights of an administrator. Null: the owner.
  administrator_id uuid,
  created_at timestamptz not null,
  constraint video_share_pkey primary key (user_id, video_id),
  constraint video_share_nonce_size check (octet_length(nonce) = 12)
);

create index video_share_administrator on kinora.video_share (administrator_id) where administrator_id is not null;

-- Films that their makers published (explore.sql). Whether a film is there to be shown is in the row of its video.
create table kinora.explore_film (
  user_id uuid not null,
  video_id uuid not null,
  -- Of the publication, and its place in the list: a film that is published again has another one.
  id uuid not null,
  shows_name boolean not null,
  -- Null: its maker took it back.
  published_at timestamptz,
  -- As that of video_share.
  administrator_id uuid,
  -- By an administrator, for ever.
  removed_at timestamptz,
  removal_reason text,
  -- The first report that no administrator has decided on.
  reported_id uuid,
  open_reports integer not null default 0,
  constraint explore_film_pkey primary key (user_id, video_id),
  constraint explore_film_removed_with_reason check ((removed_at is null) = (removal_reason is null)),
  constraint explore_film_reported_when_open check ((reported_id is null) = (open_reports = 0))
);

create unique index explore_film_by_id on kinora.explore_film (id);
create index explore_film_listed on kinora.explore_film (id) where published_at is not null and removed_at is null;
create index explore_film_administrator on kinora.explore_film (administrator_id) where administrator_id is not null;
create index explore_film_reported on kinora.explore_film (reported_id) where reported_id is not null;

-- The films of `kinora samples` (server/src/video/model-samples.ts), which show what a model makes. A row is written
-- with the request of its film.
create table kinora.model_sample (
  user_id uuid not null,
  video_id uuid not null,
  model text not null,
  constraint model_sample_pkey primary key (user_id, video_id)
);

-- Reports of published films; user_id: who reports.
create table kinora.explore_report (
  user_id uuid not null,
  maker_id uuid not null,
  video_id uuid not null,
  id uuid not null,
  reason text not null,
  note text,
  created_at timestamptz not null,
  constraint explore_report_pkey primary key (user_id, maker_id, video_id),
  constraint explore_report_of_film foreign key (maker_id, video_id) references kinora.explore_film (user_id, video_id)
    on delete cascade
);

create index explore_report_of_film on kinora.explore_report (maker_id, video_id, id);

-- Films that administrators took down (takedown.sql), each with its statement of reasons, which is kept.
create table kinora.takedown (
  user_id uuid not null,
  id uuid not null,
  video_id uuid not null,
  -- The cuts that contain it, which share its state.
  cut_ids uuid[] not null default '{}',
  -- 'hidden': its files are not served, and kept for an objection; 'removed': they are deleted; 'lifted': the
  -- decision was wrong.
  state text not null,
  -- By the law or by the operator's terms, and by which rule of them; by a notice or by the operator itself.
  ground text not null,
  rule text not null,
  source text not null,
  is_automated boolean not null,
  reason text not null,
  -- SHA-256 of the files, which no upload may be unless it is lifted.
  hashes bytea[] not null default '{}',
  actor_id uuid not null,
  decided_at timestamptz not null,
  -- What the maker says against it, and what was answered.
  objection text,
  objected_at timestamptz,
  answer text,
  answered_at timestamptz,
  -- When the films came into the state; null: they are not there yet.
  applied_at timestamptz,
  constraint takedown_pkey primary key (user_id, id),
  constraint takedown_state_known check (state in ('hidden', 'removed', 'lifted')),
  constraint takedown_ground_known check (ground in ('law', 'terms')),
  constraint takedown_source_known check (source in ('notice', 'own'))
);

create unique index takedown_by_id on kinora.takedown (id);
create unique index takedown_in_force on kinora.takedown (user_id, video_id) where state <> 'lifted';
create index takedown_by_hash on kinora.takedown using gin (hashes) where state <> 'lifted';
create index takedown_objected on kinora.takedown (id) where objected_at is not null and answered_at is null;
create index takedown_to_apply on kinora.takedown (id) where applied_at is null;

-- What administrators tell all users, and when the service takes no new work. A row of the past stays.
create table kinora.incident (
  id uuid not null,
  text_en text not null,
  text_zh text not null,
  -- Where users read it.
  is_banner boolean not null,
  is_mail boolean not null,
  -- Maintenance: new films and uploads are refused from its start to its end.
  pauses boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  actor_id uuid not null,
  changed_at timestamptz not null,
  -- The last user whose mail is written, by id; null: all are.
  mailed_to text,
  constraint incident_pkey primary key (id),
  constraint incident_has_end check (ends_at >= starts_at)
);

create index incident_end on kinora.incident (ends_at);
create index incident_to_mail on kinora.incident (id) where mailed_to is not null;

-- One request of video_generate_all.
create type kinora.generate_request as (
  user_id uuid,
  id uuid,
  prompt text,
  model text,
  duration_s integer,
  aspect_ratio text,
  quality text,
  mode text,
  made_of jsonb,
  seed integer,
  negative_prompt text,
  audio boolean,
  options jsonb,
  -- Of a request for several videos: the id of the first one, which is the request's, and what each has of its own: its
  -- id, and its seed or all that it is made from.
  batch_id uuid,
  batch jsonb,
  -- The shot of which it is to be a take. may_wait: it waits for a place where there is none, and is made only while
  -- the shot has the chosen take take_id.
  project_id uuid,
  shot_id uuid,
  take_id uuid,
  may_wait boolean,
  -- The assets among its inputs, which are kept until asset_due_at at least.
  asset_ids uuid[],
  asset_link_expired boolean,
  asset_due_at timestamptz,
  credits bigint,
  second_rate numeric,
  providers text[],
  usual_s integer,
  deadline_at timestamptz,
  max_in_progress integer,
  key text,
  request_hash bytea,
  is_replayable boolean,
  -- The API key that makes the request, if one does, and its browser token.
  key_id uuid,
  token_id uuid,
  -- Of the browser token.
  subject text,
  metadata jsonb,
  webhook_url text,
  webhook_origin text,
  webhook_format text,
  webhook_events text[]
);

-- What becomes of a request: its outcome, the account's credits after it, and the video that it created or that an
-- earlier one did.
create type kinora.generate_result as (outcome text, available bigint, video_id uuid);

-- One step of a video, as video_apply takes it. `step` names the function video_<step>; the other attributes are its
-- arguments, null when it has none of that name.
create type kinora.video_step as (
  step text,
  user_id uuid,
  id uuid,
  lease uuid,
  lease_until timestamptz,
  provider text,
  provider_index integer,
  -- The accounts in another order; null: as they are.
  providers text[],
  task_id text,
  handle bytea,
  progress integer,
  queue_position integer,
  expected_at timestamptz,
  cost_amount numeric,
  cost_unit text,
  -- 'reserved' or 'final'.
  cost_stage text,
  unit_usd numeric,
  route_model text,
  catalogue_usd numeric,
  unit_rates jsonb,
  attempt integer,
  due_at timestamptz,
  deadline_at timestamptz,
  url text,
  is_retryable boolean,
  is_finished boolean,
  is_lost boolean,
  error_code text,
  error text,
  -- Life of a grace package, in seconds.
  grace_s integer,
  entry text,
  detail text,
  video_key text,
  thumbnail_key text,
  manifest_key text,
  -- Of 'complete': what becomes the row of kinora.video_provenance; null: it has none.
  provenance jsonb,
  size_bytes bigint,
  duration_s double precision,
  width integer,
  height integer
);

-- What a step does to its video: the outcome for the caller, and the changes to write.
create type kinora.video_decision as (
  outcome text,
  -- The row after the step; as it was when is_changed is not true.
  video kinora.video,
  is_changed boolean,
  -- The entry for the log, if any. is_once: not when the log has such an entry.
  entry text,
  detail text,
  is_once boolean,
  -- The provider's task that now belongs to the video, if any.
  task_id text,
  -- What becomes of the hold: 'settle', 'release' or null for neither. grace_s: see video_step.
  credits text,
  grace_s integer
);

-- ## Payments

-- Every payment event, kept for ever by processor and the processor's id: payment-a's events carry no signed time, so
-- only the stored id reveals a replay. `payment_event` and `payment_object` are keyed by the processor: they are how a
-- user is found.
create table kinora.payment_event (
  processor text not null,
  external_id text not null,
  id uuid not null,
  type text not null,
  state text not null,
  -- Why it is unmatched, ignored, waiting or failed; null when applied.
  reason text,
  -- Why an event needs attention, for metrics: unknown_product, other_mode, lines_missing, no_transaction; null when it
  -- needs none.
  problem text,
  user_id uuid,
  -- Ids of the processor's objects in the event by which its user may be found, now or later.
  refs text[] not null default '{}',
  -- The sources of the payments for which an applied event granted credits.
  sources text[],
  -- What an applied event says of payments, refunds and disputes: the key of each, and a digest of its facts.
  facts text[] not null default '{}',
  body text not null,
  received_at timestamptz not null,
  applied_at timestamptz,
  -- The administrator who applied it by hand.
  applied_by uuid,
  -- When the worker tries again, and how often it has.
  retry_at timestamptz,
  retries integer not null default 0,
  -- When, by which administrator and why it was dismissed. Null unless its state is dismissed.
  dismissed_at timestamptz,
  dismissed_by uuid,
  dismissed_reason text,
  constraint payment_event_pkey primary key (processor, external_id),
  constraint payment_event_state_known check (state in ('applied', 'ignored', 'unmatched', 'waiting', 'failed', 'dismissed')),
  constraint payment_event_dismissal_complete check (
    (state = 'dismissed') = (dismissed_at is not null)
    and (state = 'dismissed') = (dismissed_by is not null)
    and (state = 'dismissed') = (dismissed_reason is not null)
  )
);

create unique index payment_event_id on kinora.payment_event (id);
create index payment_event_by_state on kinora.payment_event (state, id);
create index payment_event_unmatched on kinora.payment_event using gin (refs) where state = 'unmatched';
-- Reconciliation asks whether an event of an object waits, has failed or is dismissed.
create index payment_event_not_applied on kinora.payment_event using gin (refs) where state in ('waiting', 'failed', 'dismissed');
create index payment_event_applied_to on kinora.payment_event (user_id) where state = 'applied';
create index payment_event_retry on kinora.payment_event (retry_at) where retry_at is not null;
create index payment_event_problem on kinora.payment_event (problem, processor) where problem is not null;
-- The bodies that retention removes, and those of one user.
create index payment_event_body on kinora.payment_event (received_at) where body <> '' and state in ('applied', 'ignored');
create index payment_event_dismissed_body on kinora.payment_event (dismissed_at) where body <> '' and state = 'dismissed';
create index payment_event_of_user on kinora.payment_event (user_id) where user_id is not null and body <> '';
-- Disputes, and payments that failed: the fewest events.
create index payment_event_notice on kinora.payment_event (id) where type ~ '(dispute\.created|failed|past_due|unpaid)$';

-- The user, and the grant, that a processor's object belongs to: customers, subscriptions, payments. A row is inserted
-- when it is known and its source is set once; its user never changes.
create table kinora.payment_object (
  processor text not null,
  external_id text not null,
  user_id uuid not null,
  -- The source of the package that this payment bought, if it bought one.
  source text,
  -- Whether a checkout that names the user in our metadata bound the customer. Only such a customer's portal opens.
  by_checkout boolean not null default false,
  constraint payment_object_pkey primary key (processor, external_id)
);

create index payment_object_of_user on kinora.payment_object (user_id, processor);

-- Checkouts that this service opened: payment-a's transactions name neither product nor user. Deleted after 60 days.
create table kinora.payment_checkout (
  processor text not null,
  external_id text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  -- What it offered, by which its payment is judged: our metadata names the offer; sold_as is the processor's id.
  offer_id uuid not null,
  sold_as text not null,
  cents integer not null,
  currency text not null,
  credits integer not null,
  constraint payment_checkout_pkey primary key (processor, external_id)
);

create index payment_checkout_age on kinora.payment_checkout (processor, created_at);
create index payment_checkout_offer on kinora.payment_checkout (offer_id);

-- What an owner has asked for about spending: mails when films of a day or a week cost more, and the automatic top-up.
create table kinora.spending_rule (
  user_id uuid not null,
  day_credits bigint,
  week_credits bigint,
  -- The account's movements are compared with both up to this time.
  checked_at timestamptz not null default '-infinity',
  -- The pack that is bought when fewer credits than `below` are available, so often a month at most; null: none.
  product text,
  below bigint,
  month_max integer,
  -- Why nothing is bought until the owner asks for it again: no_card, declined, …
  paused text,
  constraint spending_rule_pkey primary key (user_id),
  constraint spending_rule_complete check ((product is null) = (below is null) and (product is null) = (month_max is null))
);

-- The charges of automatic top-ups (top_up.sql).
create table kinora.top_up (
  user_id uuid not null,
  id uuid not null,
  product text not null,
  -- charging; action: the owner confirms the payment at `url`; paid; failed: `reason` says why.
  state text not null default 'charging',
  -- The invoice at the processor.
  external_id text,
  url text,
  reason text,
  -- How often the processor gave no answer.
  attempt integer not null default 0,
  lease uuid,
  -- When a worker goes on with it, also after its lease; null: its state is final.
  due_at timestamptz,
  created_at timestamptz not null,
  constraint top_up_pkey primary key (user_id, id),
  constraint top_up_state_known check (state in ('charging', 'action', 'paid', 'failed')),
  constraint top_up_due_until_final check ((state in ('charging', 'action')) = (due_at is not null))
);

-- Never two at once.
create unique index top_up_under_way on kinora.top_up (user_id) where due_at is not null;
create index top_up_due on kinora.top_up (due_at) where due_at is not null;

-- What each id of a processor was first paid at: it stays the price of that id when plans.json changes. Written with
-- the first payment, of this user.
create table kinora.payment_price (
  processor text not null,
  sold_as text not null,
  user_id uuid not null,
  cents integer not null,
  currency text not null,
  credits integer not null,
  first_paid_at timestamptz not null,
  constraint payment_price_pkey primary key (processor, sold_as)
);

-- What was paid for: the lines of an order, of an invoice or of a transaction, and what they are worth in credits. One
-- row per payment, and one more (part ':pack') for the packs on an invoice that has a plan too. Amounts are in the
-- currency's smallest unit.
create table kinora.payment (
  user_id uuid not null,
  processor text not null,
  -- Its package has the source source || part, and a number behind it from the second package on.
  source text not null,
  part text not null default '',
  -- The payments whose money may come back as a balance that pays a later one: of a customer, or of a subscription.
  chain text not null,
  trans_type text not null,
  order_no text not null,
  remark text not null,
  currency text not null,
  -- The credits of its lines at their products' rates, signed, and at the most: those of the products.
  credits numeric not null,
  cap numeric not null,
  -- The price of its lines without tax, signed: what is paid and what is discounted.
  value numeric not null,
  -- What was due for it, with tax and after discounts; what came in money; what a balance or a credit note covered.
  total numeric not null,
  paid numeric not null,
  covered numeric not null,
  -- Where it stands among the payments of its second: what the processor numbers, and else what its amounts show.
  seq text not null default '',
  -- The part of the product's price that is not in value: of a plan change, the rest of the old plan.
  rest numeric not null,
  -- The credits for one smallest unit of money at the plan with the fewest, and at the one with the most.
  low numeric not null,
  high numeric not null,
  at timestamptz not null,
  valid_from timestamptz not null,
  expires_at timestamptz not null,
  -- The part of total that is tax, and the country of the payer, where the processor tells: for the books alone.
  tax numeric not null default 0,
  country text,
  -- Of the event that these facts are from: the earliest that names the payment knows best what it was for.
  sort_key text not null,
  -- Its event names no amount, which is taken to be the whole product's: of a plan change it waits for the amount.
  is_whole boolean not null default false,
  -- Its credits pay first what the user owes (setting OWED).
  collects boolean not null default false,
  -- By all that is known now: what a balance that negative lines brought covered of it, the money that it brought, what
  -- it is worth, and the share that was not returned.
  own numeric not null default 0,
  money numeric not null default 0,
  worth numeric not null default 0,
  kept numeric not null default 1,
  -- The credits that its packages brought, and their number.
  granted bigint not null default 0,
  packages smallint not null default 0,
  constraint payment_pkey primary key (user_id, source, part)
);

-- What payments of a period have brought.
create index payment_at on kinora.payment (at, user_id, source, part);
-- Those that were refunded or disputed are the fewer ones.
create index payment_returned on kinora.payment (at, user_id, source, part) where kept < 1;
create index payment_of_chain on kinora.payment (user_id, processor, chain);

-- Refunds and disputes as the processor reports them. One may precede its payment; then source is null until a link
-- names it.
create table kinora.payment_return (
  processor text not null,
  -- The id of the refund or dispute; of what was returned in all, that of the charge or transaction.
  key text not null,
  -- refunded, returned: what was refunded of a charge in all, or also disputed; it counts as far as the refunds (and
  -- disputes) that are known by themselves do not make it up. credited: by a credit note, to the balance of the
  -- customer.
  kind text not null,
  charge text not null,
  -- Ids of the processor's objects that it returns, the most specific first.
  ids text[] not null,
  -- The payment whose credits it takes back.
  source text,
  -- What it takes by currency, in the smallest unit; '' is the payment's. share, of the payment: for a payment in any
  -- other currency.
  amounts jsonb not null,
  share numeric not null,
  state text not null,
  -- When it was made, or a total was reached; null where the processor does not say.
  at timestamptz,
  -- Of the latest event of it.
  sort_key text not null,
  created_at timestamptz not null,
  constraint payment_return_pkey primary key (processor, key),
  constraint payment_return_kind_known check (kind in ('refund', 'dispute', 'refunded', 'returned', 'credited')),
  constraint payment_return_state_known check (state in ('taken', 'given back', 'failed'))
);

create index payment_return_unknown on kinora.payment_return using gin (ids) where source is null;
create index payment_return_of_source on kinora.payment_return (processor, source) where source is not null;

-- Refunds that administrators have asked a processor for. The id is the processor's idempotency key, so that a call
-- whose answer was lost is repeated. What a refund takes is known by its event alone (payment_return).
create table kinora.payment_refund (
  user_id uuid not null,
  id uuid not null,
  processor text not null,
  -- The payment.
  source text not null,
  -- In the smallest unit of the payment's currency. is_whole: it is all that was left.
  cents bigint not null,
  is_whole boolean not null,
  -- What of the payment had been returned, or was about to be, when it was asked for.
  returned numeric not null,
  reason text not null,
  actor_id uuid not null,
  -- open: the worker asks at due_at, until there is an answer. accepted: the processor has it, as external_id. refused:
  -- answer says why.
  state text not null default 'open',
  external_id text,
  answer text,
  due_at timestamptz not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint payment_refund_pkey primary key (user_id, id),
  constraint payment_refund_state_known check (state in ('open', 'accepted', 'refused')),
  constraint payment_refund_end_complete check ((state = 'open') = (ended_at is null))
);

-- One of two administrators at once.
create unique index payment_refund_one_open on kinora.payment_refund (user_id, source) where state = 'open';
create index payment_refund_due on kinora.payment_refund (due_at) where state = 'open';

-- The subscription record that users see. Status and facts move forward separately, each by the processor's own time,
-- so that any order of delivery has the same result.
create table kinora.subscription (
  user_id uuid not null,
  id uuid not null,
  processor text not null,
  external_id text not null,
  -- The processor's customer id, for which the billing portal is opened.
  customer text,
  plan text,
  -- The processor's id of the plan, which has a price of its own.
  sold_as text,
  status text not null,
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  cancelled_at timestamptz,
  -- The processor tries the payment of an expired one again, until it is cancelled.
  retries_expired boolean not null default false,
  -- The sort keys of the events that facts and status were taken from: event time, rank and id as text.
  facts_sort_key text not null default '',
  status_sort_key text not null default '',
  -- Of the latest event that says that it has expired.
  expired_sort_key text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint subscription_pkey primary key (user_id, id),
  constraint subscription_one_per_external_id unique (user_id, processor, external_id),
  constraint subscription_status_known check (
    status in ('active', 'trialing', 'past_due', 'cancelled', 'expired', 'incomplete')
  )
);

-- Records that still look as if they renewed, by the end of their period.
create index subscription_renewing on kinora.subscription (processor, (coalesce(current_period_end, updated_at)))
where status in ('active', 'trialing', 'past_due') or (status = 'expired' and cancelled_at is null);
-- The list of all, newest first.
create index subscription_by_id on kinora.subscription (id);
-- Records whose first payment is open.
create index subscription_incomplete on kinora.subscription (processor, updated_at) where status = 'incomplete';

-- Reconciliation asks the payment processors for what was paid, refunded and disputed, and applies what no webhook
-- brought. One row a processor: which process reconciles now, when it is due again, and how the last run ended.
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

-- ## Outbound webhooks

-- The endpoint's row is its queue: when something is due and the lease of the worker are its columns, so that one
-- endpoint that hangs costs one claim, however many deliveries wait for it.

-- One row per user who has ever used webhooks. A step of a video whose user has none writes nothing.
create table kinora.webhook_account (
  user_id uuid not null,
  -- Sealed (server/src/webhook/secret.ts). Signs the deliveries to the webhookUrl of generate requests.
  secret bytea not null,
  previous_secret bytea,
  -- The time until which deliveries carry the signature of the previous secret too.
  previous_until timestamptz,
  -- The secrets before previous_secret, newest first, and until when each of them signs. A rotation keeps them: the
  -- response to the rotation before it may have been lost, and then the receiver has none of the newer secrets.
  earlier_secrets bytea[] not null default '{}',
  earlier_until timestamptz[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_account_pkey primary key (user_id)
);

create table kinora.webhook_endpoint (
  user_id uuid not null,
  id uuid not null,
  -- false: the queue of one origin that webhookUrls of the user's generate requests name; its url is that origin.
  is_registered boolean not null,
  url text not null,
  description text,
  -- The types of event that it gets; empty: all.
  events text[] not null default '{}',
  -- The subject whose events alone it gets; null: all. The metadata of which an event has all entries; empty: any.
  subject text,
  metadata jsonb not null default '{}',
  -- Sealed; null: that of webhook_account. The other secrets are as there.
  secret bytea,
  previous_secret bytea,
  previous_until timestamptz,
  earlier_secrets bytea[] not null default '{}',
  earlier_until timestamptz[] not null default '{}',
  -- Why nothing is sent; null: enabled.
  disabled_reason text,
  disabled_at timestamptz,
  -- The first failure since the last success, and how many attempts in a row have failed.
  failing_since timestamptz,
  failures integer not null default 0,
  -- Not before this time: the endpoint asked for a pause, or did not respond.
  paused_until timestamptz,
  -- When the next delivery is due; infinity: none, or disabled.
  due_at timestamptz not null default 'infinity',
  lease_id uuid,
  lease_until timestamptz,
  -- As those of api_key.
  made_by uuid,
  suspended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoint_pkey primary key (user_id, id),
  constraint webhook_disabled_reason_known check (disabled_reason in ('owner', 'gone', 'failing')),
  constraint webhook_disabled_at_with_reason check ((disabled_reason is null) = (disabled_at is null)),
  constraint webhook_disabled_not_due check (disabled_reason is null and suspended_at is null or due_at = 'infinity')
) with (fillfactor = 70);

-- Endpoints that fail have a limit of their own, so that many of them that hang leave room for the others.
create index webhook_endpoint_due on kinora.webhook_endpoint (due_at) where failing_since is null and due_at < 'infinity';
create index webhook_endpoint_failing_due on kinora.webhook_endpoint (due_at) where failing_since is not null and due_at < 'infinity';

-- The webhookUrl of a generate request, until the video's final event is written for it.
create table kinora.webhook_of_video (
  user_id uuid not null,
  video_id uuid not null,
  url text not null,
  origin text not null,
  -- The wire format of what is sent to it, 'openrouter' or 'replicate', null: Kinora's own; and which of Replicate's
  -- events, null: all.
  format text,
  events text[],
  constraint webhook_of_video_pkey primary key (user_id, video_id)
);

-- One row per event and endpoint. id: the same for all endpoints of an event; "msg_" and its digits are the webhook-id.
create table kinora.webhook_delivery (
  user_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  type text not null,
  -- The video, package or subscription.
  subject_id uuid,
  -- The webhookUrl of a generate request; null: the endpoint's URL.
  url text,
  -- What is sent and signed, byte for byte the same at every attempt.
  body text not null,
  -- The wire format, as in webhook_of_video. Unless null, the body is the video as it was, which the worker writes in
  -- the format when it sends it.
  format text,
  state text not null default 'pending',
  attempt integer not null default 0,
  -- When the next attempt is due; null when the state is final.
  due_at timestamptz,
  -- The latest attempt.
  attempted_at timestamptz,
  duration_ms integer,
  -- The status and the beginning of the body of the response; null without one.
  response_status integer,
  response_body text,
  error text,
  created_at timestamptz not null,
  constraint webhook_delivery_pkey primary key (user_id, endpoint_id, id),
  constraint webhook_delivery_state_known check (state in ('pending', 'delivered', 'failed')),
  constraint webhook_delivery_due_when_pending check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

create index webhook_delivery_due on kinora.webhook_delivery (user_id, endpoint_id, due_at, id) where due_at is not null;
create index webhook_delivery_age on kinora.webhook_delivery using brin (created_at);

-- ## Mail

-- The outbox, one row a message.
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
  -- Empty: the owners of the team, to each of whom the worker passes it on.
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

-- ## Invitations and redemption codes

-- Invitations to sign up (invitation.sql), each for one account. A link has the token.
create table kinora.invitation (
  id uuid not null,
  -- SHA-256.
  token_hash bytea not null,
  -- The one address that may use it, in lower case; null: any.
  email text,
  -- The gift; 0: none.
  credits bigint not null,
  -- Whether the new-user gift is left out.
  replaces_gift boolean not null,
  -- The administrator who made it.
  actor_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz,
  -- The user; null again after the deletion of the account.
  used_by uuid,
  constraint invitation_pkey primary key (id),
  constraint invitation_credits_not_negative check (credits >= 0),
  constraint invitation_of_a_user_is_used check (used_by is null or used_at is not null)
);

create unique index invitation_by_token on kinora.invitation (token_hash);
create unique index invitation_by_user on kinora.invitation (used_by) where used_by is not null;

-- Redemption codes (redemption_code.sql): texts for which a user gets credits, once.
create table kinora.redemption_code (
  id uuid not null,
  -- As it is shown: A-Z, 0-9 and hyphens, which do not count.
  code text not null,
  credits bigint not null,
  -- How long the credits last after they were redeemed.
  credit_days integer not null,
  uses_max integer not null,
  -- How many of kinora.redemption are of it.
  uses integer not null default 0,
  -- Whether only those may redeem it who have paid nothing yet.
  new_customers boolean not null,
  -- How many users of one network (IPv4 /24, IPv6 /64) may; null: any number.
  network_max integer,
  -- For administrators.
  note text,
  -- The administrator who made it, who counts as the giver of the credits.
  actor_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When an administrator ended it.
  ended_at timestamptz,
  constraint redemption_code_pkey primary key (id),
  constraint redemption_code_credits_positive check (credits > 0 and credit_days > 0),
  constraint redemption_code_network_max_positive check (network_max > 0),
  constraint redemption_code_uses_within_limit check (uses between 0 and uses_max)
);

create unique index redemption_code_by_text on kinora.redemption_code (replace(code, '-', ''));

-- Which user has redeemed which code (credit_redeem.sql).
create table kinora.redemption (
  user_id uuid not null,
  code_id uuid not null,
  -- The package of its credits.
  package_id uuid not null,
  created_at timestamptz not null,
  constraint redemption_pkey primary key (user_id, code_id)
);

create index redemption_of_code on kinora.redemption (code_id, user_id);

-- How often a person (a normalised e-mail address) and a network have redeemed a code, as keyed hashes: no row names a
-- user, and so the deletion of an account leaves it. Deleted when the code has ended.
create table kinora.redemption_mark (
  code_id uuid not null,
  hash bytea not null,
  uses integer not null,
  constraint redemption_mark_pkey primary key (code_id, hash)
);

-- ## Personal data

-- A user who deleted the account. The user id stays as a pseudonym in the books: ledger, history, payments, audit log.
create table kinora.deleted_account (
  user_id uuid not null,
  -- HMAC-SHA256 of the normalised e-mail address: the new-user gift is given once per address.
  email_hash bytea not null,
  -- When the user had signed up.
  created_at timestamptz not null,
  deleted_at timestamptz not null,
  -- When the sweep had erased everything that is not in the books; null until then.
  erased_at timestamptz,
  -- A distributed database deletes an account in two transactions: sign-in on the coordinator, then the user's rows on
  -- a shard. What the second one has to record: the entry of the audit log, as {"id", "actor_id", "role", "request_id",
  -- "reason"}. Null: the rows of the user are removed too, and what a team owed has passed on to its payers.
  unfinished jsonb,
  -- Whether it was a team: users alone are listed and counted.
  is_team boolean not null default false,
  constraint deleted_account_pkey primary key (user_id)
);

create index deleted_account_by_email on kinora.deleted_account (email_hash);
create index deleted_account_to_erase on kinora.deleted_account (user_id) where erased_at is null;

-- What owners have stated about the persons in the inputs of their films.
create table kinora.consent (
  user_id uuid not null,
  -- Of the text: the first digits of its SHA-256.
  version text not null,
  text text not null,
  -- The user, the member of the team, or the API key.
  given_by uuid not null,
  given_at timestamptz not null,
  constraint consent_pkey primary key (user_id, version)
);

-- The export that a user is downloading. The lease passes on when its download stalls or its process dies.
create table kinora.account_export (
  user_id uuid not null,
  lease_id uuid not null,
  lease_until timestamptz not null,
  constraint account_export_pkey primary key (user_id)
);

-- ## Teams

-- A team owns films and credits as a user does: its id is `user_id` of their rows.
create table kinora.team (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  -- Since when an administrator keeps its members and keys out, and why; null: none does.
  locked_at timestamptz,
  lock_reason text,
  -- A member acts for it with a second factor only (team_change).
  requires_factor boolean not null default false,
  constraint team_pkey primary key (id),
  -- After every id of a user: who holds the account of a user may lock that of a team (newTeamId).
  constraint team_after_users check (id >= 'ff000000-0000-0000-0000-000000000000'),
  constraint team_lock_complete check ((locked_at is null) = (lock_reason is null))
);

-- Who acts for a team, and in which role (team.sql). Invariant: a team has an owner.
create table kinora.team_member (
  team_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamptz not null,
  constraint team_member_pkey primary key (team_id, user_id),
  constraint team_member_role_known check (role in ('viewer', 'maker', 'admin', 'owner'))
);

create index team_member_of_user on kinora.team_member (user_id);

-- Invitations to a team, each for one address and one member. Its row goes when it is accepted, revoked, replaced or
-- has ended.
create table kinora.team_invitation (
  id uuid not null,
  team_id uuid not null,
  -- In lower case.
  email text not null,
  role text not null,
  -- SHA-256 of the token in the mailed link.
  token_hash bytea not null,
  -- The member who invited.
  actor_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint team_invitation_pkey primary key (id),
  constraint team_invitation_once unique (team_id, email),
  constraint team_invitation_role_known check (role in ('viewer', 'maker', 'admin', 'owner'))
);

create unique index team_invitation_by_token on kinora.team_invitation (token_hash);
create index team_invitation_by_email on kinora.team_invitation (email);
create index team_invitation_expiry on kinora.team_invitation (expires_at);

-- ## Rate limits

-- The counters of the rate limits that several API processes share (RATE_LIMIT_STORE=postgresql). Unlogged: a commit
-- that writes nothing else waits for no disk, and after a crash of the database counting begins anew. Every attempt
-- updates its row, so half of a page is left for its next versions (HOT).
create unlogged table kinora.rate_counter (
  counter text not null,
  -- A user id, the prefix of an IP address, or the hash of an account or device.
  key text not null,
  count integer not null,
  -- The end of the window; rows whose window is over are deleted within minutes.
  until timestamptz not null,
  constraint rate_counter_pkey primary key (counter, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- ## Sign-in

-- The tables of better-auth 1.7 with its plugins admin, api-key, two-factor, passkey and oauth-provider, with the
-- library's names. A test asks the library whether it would change anything. Ids are UUIDv7 as text.

create table public."user" (
  "id" text not null primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "role" text,
  "banned" boolean,
  "banReason" text,
  "banExpires" timestamptz,
  "twoFactorEnabled" boolean,
  -- The language in which the service writes to the user (server/src/text/language.ts); null: it is not known yet, so
  -- English.
  "language" text
);

-- The administrator's search for a part of an address or name.
create index "user_search" on public."user"
using gin (lower("email") gin_trgm_ops, lower("name") gin_trgm_ops) with (fastupdate = off);

create table public."session" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null,
  "token" text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references public."user" ("id") on delete cascade,
  -- The administrator who impersonates the user, and the session of the administrator in which that began. The end of
  -- the parent ends it.
  "impersonatedBy" text references public."user" ("id") on delete cascade,
  "parentId" text references public."session" ("id") on delete cascade,
  -- Why the administrator may change something; null: the session reads only.
  "impersonationReason" text,
  -- Begun with a passkey, which counts as both factors.
  "withPasskey" boolean not null default false,
  constraint "session_impersonation_has_parent" check (
    ("impersonatedBy" is null) = ("parentId" is null) and ("impersonatedBy" is not null or "impersonationReason" is null)
  )
);

create index "session_userId_idx" on public."session" ("userId");
create index "session_impersonatedBy_idx" on public."session" ("impersonatedBy") where "impersonatedBy" is not null;
create index "session_parentId_idx" on public."session" ("parentId") where "parentId" is not null;
create index "session_end" on public."session" ("expiresAt");

create table public."account" (
  "id" text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references public."user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);

create index "account_userId_idx" on public."account" ("userId");

create table public."verification" (
  "id" text not null primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);

create index "verification_identifier_idx" on public."verification" ("identifier");
create index "verification_end" on public."verification" ("expiresAt");

create table public."apikey" (
  "id" text not null primary key,
  "configId" text not null,
  "name" text,
  "start" text,
  "referenceId" text not null,
  "prefix" text,
  "key" text not null,
  "refillInterval" integer,
  "refillAmount" integer,
  "lastRefillAt" timestamptz,
  "enabled" boolean,
  "rateLimitEnabled" boolean,
  "rateLimitTimeWindow" integer,
  "rateLimitMax" integer,
  "requestCount" integer,
  "remaining" integer,
  "lastRequest" timestamptz,
  "expiresAt" timestamptz,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null,
  "permissions" text,
  "metadata" text
);

create index "apikey_configId_idx" on public."apikey" ("configId");
create index "apikey_referenceId_idx" on public."apikey" ("referenceId");
create index "apikey_key_idx" on public."apikey" ("key");
-- The search of administrators for the beginning of a key.
create index "apikey_start" on public."apikey" ("start");

-- Secret and recovery codes are encrypted with AUTH_SECRET. A row that is not verified is a set-up that was not
-- finished.
create table public."twoFactor" (
  "id" text not null primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null unique references public."user" ("id") on delete cascade,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz,
  -- The 30 s of the latest code of the app that was accepted, counted from 1970 (RFC 6238): each code counts once.
  "lastStep" integer
);

create table public."passkey" (
  "id" text not null primary key,
  "name" text,
  "publicKey" text not null,
  "userId" text not null references public."user" ("id") on delete cascade,
  "credentialID" text not null,
  "counter" integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  "transports" text,
  "createdAt" timestamptz,
  "aaguid" text
);

create index "passkey_userId_idx" on public."passkey" ("userId");
create unique index "passkey_credentialID_idx" on public."passkey" ("credentialID");

-- ## OAuth 2.1 for MCP clients

create table public."oauthClient" (
  "id" text not null primary key,
  "clientId" text not null unique,
  "clientSecret" text,
  "clientDiscoveryId" text,
  "disabled" boolean,
  "skipConsent" boolean,
  "enableEndSession" boolean,
  "subjectType" text,
  "scopes" jsonb,
  "clientCredentialsScopes" jsonb,
  "userId" text references public."user" ("id") on delete cascade,
  "createdAt" timestamptz,
  "updatedAt" timestamptz,
  "name" text,
  "uri" text,
  "icon" text,
  "contacts" jsonb,
  "tos" text,
  "policy" text,
  "softwareId" text,
  "softwareVersion" text,
  "softwareStatement" text,
  "redirectUris" jsonb not null,
  "postLogoutRedirectUris" jsonb,
  "backchannelLogoutUri" text,
  "backchannelLogoutSessionRequired" boolean,
  "tokenEndpointAuthMethod" text,
  "applicationType" text,
  "jwks" text,
  "jwksUri" text,
  "grantTypes" jsonb,
  "responseTypes" jsonb,
  "requirePKCE" boolean,
  "dpopBoundAccessTokens" boolean,
  "referenceId" text,
  "metadata" jsonb
);

create index "oauthClient_userId_idx" on public."oauthClient" ("userId");
-- Those that no user has connected are removed, oldest first.
create index "oauthClient_createdAt_idx" on public."oauthClient" ("createdAt");

create table public."oauthResource" (
  "id" text not null primary key,
  "identifier" text not null unique,
  "name" text not null,
  "accessTokenTtl" integer,
  "refreshTokenTtl" integer,
  "signingAlgorithm" text,
  "signingKeyId" text,
  "allowedScopes" jsonb,
  "customClaims" jsonb,
  "dpopBoundAccessTokensRequired" boolean,
  "disabled" boolean,
  "createdAt" timestamptz,
  "updatedAt" timestamptz,
  "policyVersion" integer,
  "metadata" jsonb
);

create table public."oauthClientResource" (
  "id" text not null primary key,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "resourceId" text not null references public."oauthResource" ("identifier") on delete cascade,
  "metadata" jsonb,
  "createdAt" timestamptz
);

create index "oauthClientResource_clientId_idx" on public."oauthClientResource" ("clientId");
create index "oauthClientResource_resourceId_idx" on public."oauthClientResource" ("resourceId");
create unique index "oauthClientResource_clientId_resourceId_uidx" on public."oauthClientResource" ("clientId", "resourceId");

create table public."oauthRefreshToken" (
  "id" text not null primary key,
  "token" text not null unique,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "sessionId" text references public."session" ("id") on delete set null,
  "userId" text not null references public."user" ("id") on delete cascade,
  "referenceId" text,
  "authorizationCodeId" text,
  "resources" jsonb,
  "requestedUserInfoClaims" jsonb,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null,
  "revoked" timestamptz,
  "rotatedAt" timestamptz,
  "rotationReplayResponse" text,
  "rotationReplayExpiresAt" timestamptz,
  "authTime" timestamptz,
  "confirmation" jsonb,
  "scopes" jsonb not null,
  -- The absolute end of a program's connection, set by a trigger below.
  "endsAt" timestamptz
);

create index "oauthRefreshToken_clientId_idx" on public."oauthRefreshToken" ("clientId");
create index "oauthRefreshToken_sessionId_idx" on public."oauthRefreshToken" ("sessionId");
create index "oauthRefreshToken_userId_idx" on public."oauthRefreshToken" ("userId");
create index "oauthRefreshToken_authorizationCodeId_idx" on public."oauthRefreshToken" ("authorizationCodeId");
create index "oauthRefreshToken_expiresAt_idx" on public."oauthRefreshToken" ("expiresAt");

create table public."oauthAccessToken" (
  "id" text not null primary key,
  "token" text not null unique,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "sessionId" text references public."session" ("id") on delete set null,
  "userId" text references public."user" ("id") on delete cascade,
  "referenceId" text,
  "authorizationCodeId" text,
  "resources" jsonb,
  "requestedUserInfoClaims" jsonb,
  "refreshId" text references public."oauthRefreshToken" ("id") on delete cascade,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null,
  "revoked" timestamptz,
  "confirmation" jsonb,
  "scopes" jsonb not null
);

create index "oauthAccessToken_clientId_idx" on public."oauthAccessToken" ("clientId");
create index "oauthAccessToken_sessionId_idx" on public."oauthAccessToken" ("sessionId");
create index "oauthAccessToken_userId_idx" on public."oauthAccessToken" ("userId");
create index "oauthAccessToken_authorizationCodeId_idx" on public."oauthAccessToken" ("authorizationCodeId");
create index "oauthAccessToken_refreshId_idx" on public."oauthAccessToken" ("refreshId");
create index "oauthAccessToken_expiresAt_idx" on public."oauthAccessToken" ("expiresAt");

create table public."oauthConsent" (
  "id" text not null primary key,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "userId" text references public."user" ("id") on delete cascade,
  "referenceId" text,
  "resources" jsonb,
  "requestedUserInfoClaims" jsonb,
  "scopes" jsonb not null,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null,
  -- The user or the team that the program acts for. Null until its budget is stored (kinora.api_key): the consent does
  -- not count before.
  "ownerId" uuid
);

create index "oauthConsent_clientId_idx" on public."oauthConsent" ("clientId");
create index "oauthConsent_userId_idx" on public."oauthConsent" ("userId");

create table public."oauthClientAssertion" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null
);

-- ## Triggers of the sign-in tables

-- A library writes these tables, so triggers keep what Kinora has to know of them in the transaction of the change.
-- Their functions are in schema public, because those of schema kinora are replaced with every release, and a trigger
-- holds its function by OID.

-- Revoked credentials, for the caches of the API processes: a revocation and its row are one transaction, whichever
-- process, library or operator revokes.
create table kinora.credential_revocation (
  -- The transaction. A poller reads by it, because transactions become visible in another sequence than that of their
  -- times.
  xid xid8 not null default pg_current_xact_id(),
  -- public."user"."id".
  user_id text not null,
  at timestamptz not null default now(),
  constraint credential_revocation_pkey primary key (xid, user_id)
);

-- The argument of the trigger names the column that has the user's id.
create function public.note_revocation() returns trigger
language plpgsql
as $$
begin
  insert into kinora.credential_revocation (user_id) values (to_jsonb(coalesce(old, new)) ->> tg_argv[0]) on conflict do nothing;
  return null;
end
$$;

create trigger session_deleted after delete on public."session"
for each row execute function public.note_revocation('userId');

create trigger session_changed after update on public."session"
for each row
when (
  old."token" <> new."token" or old."userId" <> new."userId" or old."expiresAt" > new."expiresAt"
)
execute function public.note_revocation('userId');

create trigger apikey_deleted after delete on public."apikey"
for each row execute function public.note_revocation('referenceId');

create trigger apikey_changed after update on public."apikey"
for each row
when (
  old."key" <> new."key"
  or old."referenceId" <> new."referenceId"
  or old."enabled" is distinct from new."enabled"
  or old."expiresAt" is distinct from new."expiresAt"
)
execute function public.note_revocation('referenceId');

create trigger user_deleted after delete on public."user"
for each row execute function public.note_revocation('id');

create trigger user_changed after update on public."user"
for each row
when (
  old."role" is distinct from new."role"
  or old."banned" is distinct from new."banned"
  or old."banExpires" is distinct from new."banExpires"
  or old."twoFactorEnabled" is distinct from new."twoFactorEnabled"
)
execute function public.note_revocation('id');

-- The rights of an administrator (ADMIN_SECOND_FACTOR) and of a member (requires_factor) come and go with the factor.
create trigger passkey_added after insert on public."passkey"
for each row execute function public.note_revocation('userId');

create trigger passkey_deleted after delete on public."passkey"
for each row execute function public.note_revocation('userId');

-- An impersonation names who gave it: it begins while that user is an administrator and ends when the user is one no
-- longer, whichever process, library or operator changes that. The lock of the row puts a beginning and a demotion at
-- the same time one after the other. No administrator impersonates an administrator, so it also ends when its user
-- becomes one. A library that extends sessions extends no impersonation.
create function public.guard_impersonation() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' then
    new."expiresAt" := least(old."expiresAt", new."expiresAt");
    return new;
  end if;
  perform from public."user" u
  where u."id" = new."impersonatedBy" and 'admin' = any(string_to_array(u."role", ','))
    and not coalesce(u."banned" and coalesce(u."banExpires" > new."createdAt", true), false)
  for share;
  if not found then
    raise exception 'an impersonation begins while its user is an administrator';
  end if;
  new."expiresAt" := least(new."expiresAt", (select p."expiresAt" from public."session" p where p."id" = new."parentId"));
  return new;
end
$$;

create trigger impersonation_guarded before insert or update on public."session"
for each row when (new."impersonatedBy" is not null) execute function public.guard_impersonation();

create function public.end_impersonations() returns trigger
language plpgsql
as $$
begin
  delete from public."session" s
  where s."impersonatedBy" = new."id" and (new."banned" is true or not coalesce('admin' = any(string_to_array(new."role", ',')), false))
     or s."userId" = new."id" and s."impersonatedBy" is not null and 'admin' = any(string_to_array(new."role", ','));
  return null;
end
$$;

create trigger user_impersonations after update on public."user"
for each row
when (old."role" is distinct from new."role" or old."banned" is distinct from new."banned")
execute function public.end_impersonations();

-- What an administrator shared or published for users ends for good: the rights of a later promotion do not bring it
-- back.
create function public.end_made_for_users() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and new."banned" is not true and 'admin' = any(string_to_array(new."role", ',')) then
    return null;
  end if;
  delete from kinora.video_share s where s.administrator_id = old."id"::uuid;
  update kinora.explore_film f set published_at = null, administrator_id = null where f.administrator_id = old."id"::uuid;
  return null;
end
$$;

create trigger administrator_made_for_users after update or delete on public."user"
for each row when ('admin' = any(string_to_array(old."role", ',')))
execute function public.end_made_for_users();

-- A disconnected program loses its access within a second.
create trigger oauth_consent_deleted after delete on public."oauthConsent"
for each row execute function public.note_revocation('userId');

-- Tokens end with the consent, so that none of them counts for the next one.
create function public.end_oauth_tokens() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  delete from public."oauthAccessToken" t where t."clientId" = old."clientId" and t."userId" = old."userId";
  delete from public."oauthRefreshToken" t where t."clientId" = old."clientId" and t."userId" = old."userId";
  return null;
end
$$;

create trigger oauth_consent_ended after delete on public."oauthConsent"
for each row execute function public.end_oauth_tokens();

create trigger oauth_consent_changed after update on public."oauthConsent"
for each row
when (old."scopes" is distinct from new."scopes")
execute function public.note_revocation('userId');

create trigger oauth_token_deleted after delete on public."oauthAccessToken"
for each row
when (old."userId" is not null)
execute function public.note_revocation('userId');

create trigger oauth_token_revoked after update on public."oauthAccessToken"
for each row
when (old."userId" is not null and old."revoked" is distinct from new."revoked")
execute function public.note_revocation('userId');

-- Session tokens are stored as SHA-256 hashes. The trigger keeps any other program, and an operator, from storing one
-- as it is. The text is that of hashSessionToken in server/src/account/sessions.ts.
create function public.stored_token(token text) returns text
language sql immutable strict parallel safe
return 'sha256:' || rtrim(translate(encode(sha256(convert_to(token, 'UTF8')), 'base64'), '+/', '-_'), '=');

create function public.hash_session_token() returns trigger
language plpgsql
as $$
begin
  new."token" := public.stored_token(new."token");
  return new;
end
$$;

create trigger session_token_hashed before insert or update of "token" on public."session"
for each row when (new."token" not like 'sha256:%') execute function public.hash_session_token();

-- The absolute end of a program's connection (ASVS 10.4.8): better-auth's plugin gives each refresh token 30 days from
-- its own issue, so a program that refreshes would stay connected for ever. All tokens of one consent have one
-- authorizationCodeId. The first one sets the end, its successors inherit it, and no token expires later.
create function public.bound_refresh_token() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  select min(t."endsAt") into new."endsAt"
  from public."oauthRefreshToken" t
  where t."authorizationCodeId" = new."authorizationCodeId";
  new."endsAt" := coalesce(new."endsAt", new."createdAt" + interval '90 days');
  new."expiresAt" := least(new."expiresAt", new."endsAt");
  return new;
end
$$;

create trigger oauth_refresh_token_bounded before insert on public."oauthRefreshToken"
for each row execute function public.bound_refresh_token();

-- The number of users, deleted ones included, for the administrator's list. In shards, so that two sign-ups seldom wait
-- for each other.
create table kinora.user_count (
  shard integer not null,
  users bigint not null,
  constraint user_count_pkey primary key (shard)
) with (fillfactor = 50);

create function public.count_users() returns trigger
language plpgsql
as $$
declare
  v_users bigint;
begin
  if tg_op = 'INSERT' then
    select count(*) into v_users from changed c where (to_jsonb(c) ->> 'is_team')::boolean is not true;
  else
    select -count(*) into v_users from changed;
  end if;
  if v_users <> 0 then
    insert into kinora.user_count (shard, users)
    values (1 + pg_backend_pid() % 16, v_users)
    on conflict (shard) do update set users = kinora.user_count.users + excluded.users;
  end if;
  return null;
end
$$;

create trigger user_counted after insert on public."user"
referencing new table as changed for each statement execute function public.count_users();

create trigger user_discounted after delete on public."user"
referencing old table as changed for each statement execute function public.count_users();

-- No function deletes rows of deleted accounts.
create trigger deleted_account_counted after insert on kinora.deleted_account
referencing new table as changed for each statement execute function public.count_users();
