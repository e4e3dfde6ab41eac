-- The files of films, and what the retention sweep reads. New columns are null or have a constant default, so no table is
-- rewritten. Each index can also be built concurrently.

alter table kinora.video
  -- When retention removed film and thumbnail; the row stays, because the ledger names it.
  add column files_removed_at timestamptz;

-- The films that retention can remove: those of deleted videos, and with KEEP_FILMS all.
create index video_files_deleted on kinora.video (deleted_at)
where deleted_at is not null and video_key is not null and files_removed_at is null;
create index video_files_completed on kinora.video (completed_at)
where video_key is not null and files_removed_at is null;
