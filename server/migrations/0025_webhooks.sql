-- Outbound webhooks. The endpoint's row is its queue: when something is due and the lease of the worker are its columns, so that
-- one endpoint that hangs costs one claim, however many deliveries wait for it.

-- One row per user who has ever used webhooks. A step of a video whose user has none writes nothing.
create table kinora.webhook_account (
  user_id uuid not null,
  -- Sealed (server/src/webhook/secret.ts). Signs the deliveries to the webhookUrl of generate requests.
  secret bytea not null,
  previous_secret bytea,
  -- Until when deliveries carry the signature of the previous secret too.
  previous_until timestamptz,
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
  -- Sealed; null: that of webhook_account.
  secret bytea,
  previous_secret bytea,
  previous_until timestamptz,
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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoint_pkey primary key (user_id, id),
  constraint webhook_disabled_reason_known check (disabled_reason in ('owner', 'gone', 'failing')),
  constraint webhook_disabled_at_with_reason check ((disabled_reason is null) = (disabled_at is null)),
  constraint webhook_disabled_not_due check (disabled_reason is null or due_at = 'infinity')
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
) with (fillfactor = 80);

create index webhook_delivery_due on kinora.webhook_delivery (user_id, endpoint_id, due_at, id) where due_at is not null;
create index webhook_delivery_age on kinora.webhook_delivery using brin (created_at);
