-- Start images that users uploaded.

create table kinora.video_image (
  user_id uuid not null,
  id uuid not null,
  -- Of the bytes as they were sent: the same upload again is the same image.
  digest bytea not null,
  key text not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  size_bytes bigint not null,
  -- 'storing': its file is on the way into storage; 'going': on the way out. Both so that a process that dies leaves a
  -- row by which its file is found and removed.
  state text not null default 'storing',
  created_at timestamptz not null,
  -- When to look whether a video uses it; an image that none does goes then.
  due_at timestamptz not null,
  constraint video_image_pkey primary key (user_id, id),
  constraint video_image_state_known check (state in ('storing', 'kept', 'going'))
);

create unique index video_image_one_per_digest on kinora.video_image (user_id, digest) where state = 'kept';
create index video_image_due on kinora.video_image (due_at);

-- Finds the videos that begin with an uploaded image; such a video names it by `kinora:` and its key.
create index video_by_image on kinora.video (user_id, start_image_url) where start_image_url like 'kinora:%';
