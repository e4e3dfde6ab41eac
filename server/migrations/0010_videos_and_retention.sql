-- The films of videos (links, stored files), and what the retention sweep reads. New columns are null or have a constant
-- default, so no table is rewritten.

-- step: columns of video
alter table kinora.video
  -- A second link to the film, which the provider reported for the same task. Tried when result_url cannot be used.
  add column if not exists other_result_url text,
  -- When retention removed film and thumbnail; the row stays, because the ledger names it.
  add column if not exists files_removed_at timestamptz;

-- step: index video_files_deleted
-- The films that retention can remove: those of deleted videos, and with KEEP_FILMS all.
create index concurrently if not exists video_files_deleted on kinora.video (deleted_at)
where deleted_at is not null and video_key is not null and files_removed_at is null;

-- step: index video_files_completed
create index concurrently if not exists video_files_completed on kinora.video (completed_at)
where video_key is not null and files_removed_at is null;

-- step: table video_file
-- The files that a worker stores under its lease, recorded before they exist and until the video is completed with them: a
-- worker that dies or loses its lease leaves no file that no row knows.
create table if not exists kinora.video_file (
  user_id uuid not null,
  video_id uuid not null,
  lease_id uuid not null,
  video_key text not null,
  thumbnail_key text not null,
  -- When the sweep removes the files, unless the lease is still valid.
  due_at timestamptz not null,
  constraint video_file_pkey primary key (user_id, video_id, lease_id)
);

-- step: index video_file_due
create index if not exists video_file_due on kinora.video_file (due_at);

-- step: columns of provider_task
-- The age of a task's route. Rows from before count from now on.
alter table kinora.provider_task add column if not exists created_at timestamptz not null default now();

-- step: index provider_task_age
create index concurrently if not exists provider_task_age on kinora.provider_task (created_at);

-- step: index session_end
create index concurrently if not exists session_end on public."session" ("expiresAt");

-- step: index verification_end
create index concurrently if not exists verification_end on public."verification" ("expiresAt");

-- step: index payment_event_body
create index concurrently if not exists payment_event_body on kinora.payment_event (received_at)
where body <> '' and state in ('applied', 'ignored');
