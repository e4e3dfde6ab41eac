-- An index by which workers claim from different parts of a long backlog: see server/sql/video_claim.sql. The last byte of an id is
-- random. The expression has no function of Kinora in it, because these are replaced with each release.

-- step: due videos by bucket
create index concurrently if not exists video_due_bucket
on kinora.video (status, (get_byte(uuid_send(id), 15) & 63), due_at)
where due_at is not null;
