-- A user's recently deleted videos, for the event streams. Partial, so that it costs nothing when a video is created or
-- updated.
create index video_deleted on kinora.video (user_id, deleted_at) where deleted_at is not null;
