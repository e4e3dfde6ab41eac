-- Start images that users uploaded.

create table kinora.video_image (
  user_id uuid not null,
  id uuid not null,
  -- SHA-256 of user id and uploaded bytes: a repeated upload is the same image.
  digest bytea not null,
  key text not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  size_bytes bigint not null,
  -- 'storing': its file is being written to storage; 'going': it is being removed. Either way the row exists, so that a crash
  -- leaves no file that no row knows.
  state text not null default 'storing',
  created_at timestamptz not null,
  -- When the sweep checks whether a video uses the image, and removes it if none does.
  due_at timestamptz not null,
  constraint video_image_pkey primary key (user_id, id),
  constraint video_image_state_known check (state in ('storing', 'kept', 'going'))
);

create unique index video_image_one_per_digest on kinora.video_image (user_id, digest) where state = 'kept';
create index video_image_due on kinora.video_image (due_at);

-- Finds the videos that start from an uploaded image; such a video refers to it by `kinora:` and its storage key.
create index video_by_image on kinora.video (user_id, start_image_url) where start_image_url like 'kinora:%';
