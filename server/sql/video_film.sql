-- The film of a finished task: the links from which it can be downloaded, and the files that it is stored in. Nothing here
-- moves credits; video_complete does, when the files are stored.

-- Another link to the film of an UPLOADING video, whose row the caller has locked. When result_url could not be used, the new
-- link is tried at once; while result_url is being tried or was not tried yet, the new link is tried after it.
-- outcome: 'uploading' (the link is new), 'unchanged'.
create or replace function kinora.video_add_link(p_video kinora.video, p_url text, p_now timestamptz) returns text
language plpgsql
as $$
begin
  if p_url in (p_video.result_url, p_video.other_result_url) then
    return 'unchanged';
  end if;
  perform kinora.video_log_add_once(p_video, 'another result', null, p_now);
  if p_video.attempt > 0 and p_video.lease_id is null then
    p_video.other_result_url := p_video.result_url;
    p_video.result_url := p_url;
    p_video.attempt := 0;
    p_video.due_at := p_now;
    p_video.updated_at := p_now;
    perform kinora.video_save(p_video);
  else
    -- The lease stays: a worker may be downloading from result_url.
    update kinora.video
    set other_result_url = p_url, updated_at = p_now
    where user_id = p_video.user_id and id = p_video.id;
  end if;
  return 'uploading';
end
$$;

-- result_url could not be used: ends the lease and makes the row due at p_due_at with the other link. The first link is
-- tried again after that one if p_is_retryable.
-- outcome: 'switched', 'no_other' (there is no other link; the lease stays), 'stale' (lease lost).
create or replace function kinora.video_switch_link(
  p_user_id uuid, p_id uuid, p_lease uuid, p_is_retryable boolean, p_due_at timestamptz, p_reason text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video := kinora.video_lock_leased(p_user_id, p_id, p_lease);
  v_failed_url text := v_video.result_url;
begin
  perform kinora.check_clock(p_now);
  if v_video.status is distinct from 'UPLOADING' then
    return 'stale';
  elsif v_video.other_result_url is null then
    return 'no_other';
  end if;
  v_video.result_url := v_video.other_result_url;
  v_video.other_result_url := case when p_is_retryable then v_failed_url end;
  v_video.attempt := v_video.attempt + 1;
  v_video.due_at := p_due_at;
  perform kinora.video_save(v_video);
  perform kinora.video_log_add(v_video, 'not collected yet', p_reason, p_now);
  return 'switched';
end
$$;

-- Records the keys under which a worker is about to store the film; the sweep removes the files after p_due_at, unless the
-- video was completed with them or the lease is still valid.
-- outcome: 'begun', 'stale' (lease lost).
create or replace function kinora.video_begin_store(
  p_user_id uuid, p_id uuid, p_lease uuid, p_video_key text, p_thumbnail_key text, p_due_at timestamptz
) returns text
language plpgsql
as $$
begin
  insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, due_at)
  select v.user_id, v.id, p_lease, p_video_key, p_thumbnail_key, p_due_at
  from kinora.video v
  where v.user_id = p_user_id and v.id = p_id and v.lease_id = p_lease and v.status = 'UPLOADING';
  return case when found then 'begun' else 'stale' end;
end
$$;

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

-- Retention has removed film and thumbnail, which is logged and audited. p_reason names the setting: 'DELETED_KEPT', 'KEEP_FILMS', 'ACCOUNT_DELETED'.
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
