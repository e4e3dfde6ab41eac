-- What a user has deleted lately, for the event streams. A row is in it from its deletion on and no sooner, so that it
-- costs nothing when a video is made or moves on.
create index video_deleted on kinora.video (user_id, deleted_at) where deleted_at is not null;
