-- The files of films: records of files to remove, and what retention has removed. The step `begin_store` makes the records.
-- Nothing here moves credits.

-- Returns up to p_limit due records of stored files, and makes them due again at p_retry_at, in case a file cannot be removed.
-- is_orphan: no video was completed with the files. A valid lease is left out: its worker may be storing the files now. A
-- lease that has passed on never returns, so no video can be completed with these files later.
create or replace function kinora.video_files_due(p_now timestamptz, p_retry_at timestamptz, p_limit integer)
returns table (user_id uuid, video_id uuid, lease_id uuid, video_key text, thumbnail_key text, is_orphan boolean)
language sql
begin atomic
  select kinora.check_clock(p_now);
  update kinora.video_file f
  set due_at = p_retry_at
  from (
    select d.user_id, d.video_id, d.lease_id, v.video_key as kept_key
    from kinora.video_file d
    left join kinora.video v on v.user_id = d.user_id and v.id = d.video_id
    where d.due_at <= p_now and v.lease_id is distinct from d.lease_id
    order by d.due_at
    limit p_limit
  ) due
  where f.user_id = due.user_id and f.video_id = due.video_id and f.lease_id = due.lease_id and f.due_at <= p_now
  returning f.user_id, f.video_id, f.lease_id, f.video_key, f.thumbnail_key, f.video_key is distinct from due.kept_key;
end;

-- The actor of what the service does by itself, in the audit log: the nil UUID (RFC 9562), which no user has.
create or replace function kinora.service_actor() returns uuid
language sql immutable
return '00000000-0000-0000-0000-000000000000'::uuid;

-- Retention has removed film and thumbnail, which is logged and audited. p_reason: the setting 'DELETED_KEPT' or 'KEEP_FILMS', or
-- 'ACCOUNT_DELETED'.
-- outcome: 'recorded', 'unchanged' (another worker has recorded it).
create or replace function kinora.video_files_removed(p_user_id uuid, p_id uuid, p_reason text, p_now timestamptz)
returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.check_clock(p_now);
  update kinora.video
  set files_removed_at = p_now
  where user_id = p_user_id and id = p_id and files_removed_at is null
  returning * into v_video;
  if not found then
    return 'unchanged';
  end if;
  perform kinora.video_log_add(v_video, 'files removed', p_reason, p_now);
  perform kinora.audit_add(
    p_actor_id => kinora.service_actor(),
    p_action => 'video.remove-files',
    p_user_id => p_user_id,
    p_subject => p_id::text,
    p_before => jsonb_build_object(
      'videoKey', v_video.video_key, 'thumbnailKey', v_video.thumbnail_key, 'sizeBytes', v_video.size_bytes,
      'completedAt', v_video.completed_at, 'deletedAt', v_video.deleted_at
    ),
    p_after => null,
    p_request_id => null,
    p_reason => p_reason,
    p_now => p_now
  );
  return 'recorded';
end
$$;
