-- The tables of the ledger and of the videos. Migrations contain tables, named constraints and indexes only; the functions that
-- move credits and status are in server/sql, one current text, applied whole by every migrate that finds it changed.
--
-- `user_id` leads every key, so that all rows of one user can live on one shard. The exceptions are `provider_task` (it finds
-- a user by a provider's key) and the indexes that sweeps over all users need. No table references the sign-in tables: when a
-- user is deleted there, the ledger still adds up.

create schema if not exists kinora;

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
  -- Holds in state 'frozen', one per video in progress; the cap on them is checked under this row's lock.
  open_holds integer not null default 0,
  -- No package with remaining credits expires before this moment. It may be too early, never too late.
  next_expiry_at timestamptz not null default 'infinity',
  -- When the new-user gift was decided on, granted or not; it is decided once. (0007 renames it to gift_at.)
  welcomed_at timestamptz,
  created_at timestamptz not null,
  constraint credit_account_pkey primary key (user_id),
  constraint available_not_negative check (available >= 0),
  constraint frozen_not_negative check (frozen >= 0),
  constraint used_not_negative check (used >= 0),
  constraint expired_not_negative check (expired >= 0),
  constraint clawed_back_not_negative check (clawed_back >= 0),
  constraint open_holds_not_negative check (open_holds >= 0),
  constraint total_adds_up check (total = available + frozen + used + expired + clawed_back)
) with (fillfactor = 70);

create index credit_account_next_expiry on kinora.credit_account (next_expiry_at) where next_expiry_at < 'infinity';

-- One row per addition of credits. Its initial credits are always accounted for: remaining, frozen, used, expired, clawed back,
-- or (released after the expiration date) moved into a grace package.
create table kinora.credit_package (
  user_id uuid not null,
  id uuid not null,
  trans_type text not null,
  -- What the credits were granted for. One package per source, so that repeated deliveries grant once.
  source text not null,
  order_no text,
  -- Of a grace package: the package whose released credits it holds.
  parent_id uuid,
  initial bigint not null,
  remaining bigint not null,
  frozen bigint not null default 0,
  used bigint not null default 0,
  expired bigint not null default 0,
  clawed_back bigint not null default 0,
  moved bigint not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint credit_package_pkey primary key (user_id, id),
  constraint credit_package_one_per_source unique (user_id, source),
  constraint package_type_known check (
    trans_type in ('NEW_USER', 'ORDER_PAY', 'SUBSCRIPTION', 'REFUND', 'SYSTEM_ADJUST')
  ),
  constraint package_initial_positive check (initial > 0),
  constraint package_parts_not_negative check (
    remaining >= 0 and frozen >= 0 and used >= 0 and expired >= 0 and clawed_back >= 0 and moved >= 0
  ),
  constraint package_adds_up check (initial = remaining + frozen + used + expired + clawed_back + moved)
) with (fillfactor = 70);

-- The FIFO order of consuming and expiring. The index contains no amount, so that updates of amounts are HOT.
create index credit_package_fifo on kinora.credit_package (user_id, expires_at, created_at, id);

-- One row per freeze. Its id is the id of the video that the credits are reserved for.
create table kinora.credit_hold (
  user_id uuid not null,
  id uuid not null,
  credits bigint not null,
  state text not null default 'frozen',
  created_at timestamptz not null,
  closed_at timestamptz,
  constraint credit_hold_pkey primary key (user_id, id),
  constraint hold_credits_positive check (credits > 0),
  constraint hold_state_known check (state in ('frozen', 'settled', 'released')),
  constraint hold_closed_when_not_frozen check ((state = 'frozen') = (closed_at is null))
) with (fillfactor = 85);

-- The packages that a hold took its credits from.
create table kinora.credit_slice (
  user_id uuid not null,
  hold_id uuid not null,
  package_id uuid not null,
  credits bigint not null,
  constraint credit_slice_pkey primary key (user_id, hold_id, package_id),
  constraint slice_credits_positive check (credits > 0)
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
  constraint credit_transaction_pkey primary key (user_id, n),
  constraint transaction_type_known check (
    trans_type in ('NEW_USER', 'ORDER_PAY', 'SUBSCRIPTION', 'VIDEO_CONSUME', 'REFUND', 'EXPIRED', 'SYSTEM_ADJUST')
  ),
  constraint transaction_moves_something check (credits <> 0),
  constraint balance_after_not_negative check (balance_after >= 0)
);

-- The video row is the workflow: its next step, when it is due, and the lease of the worker are its columns.
create table kinora.video (
  user_id uuid not null,
  id uuid not null,
  status text not null default 'PENDING',
  prompt text not null,
  model text not null,
  duration_s integer not null,
  aspect_ratio text not null,
  quality text not null,
  start_image_url text,
  -- The price, copied from the catalogue when the video was created.
  credits bigint not null,

  -- Providers in order of preference, and the position (from 1) of the one in use. (0007 renames it to provider_index.)
  providers text[] not null,
  turn integer not null default 1,
  provider_task_id text,
  -- Set before the task is sent. Set while provider_task_id is null, it is unknown whether the provider has the task, and the
  -- task is never sent again.
  submitted_at timestamptz,
  accepted_at timestamptz,
  -- When the provider was first known to have finished, and the URL of its film.
  result_at timestamptz,
  result_url text,

  -- The highest progress reported; video_progress() computes what a client sees.
  progress integer,
  usual_s integer not null,
  error_code text,
  error text,

  video_key text,
  thumbnail_key text,
  size_bytes bigint,
  film_duration_s double precision,
  film_width integer,
  film_height integer,

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
  constraint video_credits_positive check (credits > 0),
  constraint video_due_unless_final check ((due_at is null) = (status in ('COMPLETED', 'FAILED'))),
  constraint video_completed_has_film check (status <> 'COMPLETED' or video_key is not null),
  constraint video_failed_has_reason check (status <> 'FAILED' or error is not null)
) with (fillfactor = 70);

-- Status first: a long backlog of submits must not delay the few films to collect.
create index video_due on kinora.video (status, due_at) where due_at is not null;

-- The log of a video, step by step, for operators. (0007 renames it to video_log.)
create table kinora.video_event (
  user_id uuid not null,
  video_id uuid not null,
  id uuid not null,
  event text not null,
  detail text,
  at timestamptz not null,
  constraint video_event_pkey primary key (user_id, video_id, id)
);

-- Finds the video of a provider's task when a callback carries no signed reference. Insert-only.
create table kinora.provider_task (
  provider text not null,
  task_id text not null,
  user_id uuid not null,
  video_id uuid not null,
  constraint provider_task_pkey primary key (provider, task_id)
);

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
