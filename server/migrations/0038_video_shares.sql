-- Shares: films whose owner has made a public link to them.

-- step: table
create table if not exists kinora.video_share (
  user_id uuid not null,
  video_id uuid not null,
  -- Of the link's token (server/src/video/share.ts), which seals user and video with a key that is not in the database.
  nonce bytea not null,
  shows_prompt boolean not null,
  created_at timestamptz not null,
  constraint video_share_pkey primary key (user_id, video_id),
  constraint video_share_nonce_size check (octet_length(nonce) = 12)
);
