-- A movement of credits as the functions of the ledger compute it, before it is numbered, chained and appended to the history.
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

-- One request of video_generate_all.
create type kinora.generate_request as (
  user_id uuid,
  id uuid,
  prompt text,
  model text,
  duration_s integer,
  aspect_ratio text,
  quality text,
  start_image_url text,
  start_image_id uuid,
  start_image_link_expired boolean,
  start_image_due_at timestamptz,
  credits bigint,
  providers text[],
  usual_s integer,
  deadline_at timestamptz,
  max_in_progress integer,
  key text,
  request_hash bytea
);

-- One step of a video, as video_apply takes it. `step` names the function video_<step>; the other attributes are its arguments,
-- null when it has none of that name.
create type kinora.video_step as (
  step text,
  user_id uuid,
  id uuid,
  lease uuid,
  lease_until timestamptz,
  provider text,
  provider_index integer,
  task_id text,
  progress integer,
  attempt integer,
  due_at timestamptz,
  deadline_at timestamptz,
  url text,
  is_retryable boolean,
  error_code text,
  error text,
  -- Life of a grace package, in seconds.
  grace_s integer,
  entry text,
  detail text,
  video_key text,
  thumbnail_key text,
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
