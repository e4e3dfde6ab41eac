-- The files of films: records of files to remove, and what retention has removed. The step `begin_store` makes the
-- records. Nothing here moves credits.

-- Returns up to p_limit due records of stored files, and makes them due again at p_retry_at, in case a file cannot be
-- removed. is_orphan: no video was completed with the files, or its files were removed, and a worker that signed it may
-- have put them back. A valid lease is left out: its worker may be storing the files now. A lease that has passed on
-- never returns, so no video can be completed with these files later.
create or replace function kinora.video_files_due(p_now timestamptz, p_retry_at timestamptz, p_limit integer)
returns table (user_id uuid, video_id uuid, lease_id uuid, video_key text, thumbnail_key text, manifest_key text, is_orphan boolean)
language sql
begin atomic
  select kinora.check_clock(p_now);
  update kinora.video_file f
  set due_at = p_retry_at
  from (
    select d.user_id, d.video_id, d.lease_id, case when v.files_removed_at is null then v.video_key end as kept_key
    from kinora.video_file d
    left join kinora.video v on v.user_id = d.user_id and v.id = d.video_id
    where d.due_at <= p_now and v.lease_id is distinct from d.lease_id
    order by d.due_at
    limit p_limit
  ) due
  where f.user_id = due.user_id and f.video_id = due.video_id and f.lease_id = due.lease_id and f.due_at <= p_now
  returning f.user_id, f.video_id, f.lease_id, f.video_key, f.thumbnail_key, f.manifest_key, f.video_key is distinct from due.kept_key;
end;

-- The actor of what the service does by itself, in the audit log: the nil UUID (RFC 9562), which no user has.
create or replace function kinora.service_actor() returns uuid
language sql immutable
return '00000000-0000-0000-0000-000000000000'::uuid;

-- Retention has removed film and thumbnail, which is logged and audited. p_reason: the setting 'DELETED_KEPT' or
-- 'KEEP_FILMS', 'ACCOUNT_DELETED' or 'SUBJECT_ERASED'. outcome: 'recorded', 'unchanged' (another worker has recorded
-- it).
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
  update kinora.video_provenance p
  set due_at = null
  where p.user_id = p_user_id and p.video_id = p_id and p.due_at is not null;
  perform kinora.video_log_add(v_video, 'files removed', p_reason, p_now);
  -- The audit log has no use for what a test made.
  if p_reason <> 'KEEP_TEST_FILMS' then
    perform kinora.audit_add(
      p_actor_id => kinora.service_actor(),
      p_action => 'video.remove-files',
      p_user_id => p_user_id,
      p_subject => p_id::text,
      p_before => jsonb_build_object(
        'videoKey', v_video.video_key, 'thumbnailKey', v_video.thumbnail_key, 'manifestKey', v_video.manifest_key,
        'sizeBytes', v_video.size_bytes,
        'completedAt', v_video.completed_at, 'deletedAt', v_video.deleted_at
      ),
      p_after => null,
      p_request_id => null,
      p_reason => p_reason,
      p_now => p_now
    );
  end if;
  return 'recorded';
end
$$;

-- Hides final films of a user from everyone: a film whose files are removed is shown nowhere. The files stay until
-- p_files_due_at under the record p_takedown_id, which video_show forgets; a repeated call with an earlier time lets
-- the sweep remove them then.
create or replace function kinora.video_hide(
  p_user_id uuid, p_ids uuid[], p_takedown_id uuid, p_files_due_at timestamptz, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.check_clock(p_now);
  for v_video in
    update kinora.video v
    set files_removed_at = p_now, updated_at = p_now
    where v.user_id = p_user_id and v.id = any(p_ids) and v.due_at is null and v.video_key is not null
      and v.files_removed_at is null
    returning v.*
  loop
    insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, manifest_key, due_at)
    values (
      v_video.user_id, v_video.id, p_takedown_id, v_video.video_key, v_video.thumbnail_key, v_video.manifest_key,
      p_files_due_at
    )
    on conflict do nothing;
    perform kinora.video_log_add(v_video, 'hidden', p_takedown_id::text, p_now);
  end loop;
  update kinora.video_file f
  set due_at = least(f.due_at, p_files_due_at)
  where f.user_id = p_user_id and f.video_id = any(p_ids) and f.lease_id = p_takedown_id;
  -- What waits to be signed waits until it is shown again.
  update kinora.video_provenance p
  set due_at = 'infinity'
  where p.user_id = p_user_id and p.video_id = any(p_ids) and p.due_at is not null;
end
$$;

-- Shows films again that video_hide has hidden, unless the sweep has begun to remove their files: it makes a record due
-- again an hour later, before the first file goes.
create or replace function kinora.video_show(p_user_id uuid, p_ids uuid[], p_takedown_id uuid, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.check_clock(p_now);
  for v_video in
    with kept as (
      delete from kinora.video_file f
      where f.user_id = p_user_id and f.video_id = any(p_ids) and f.lease_id = p_takedown_id
        and f.due_at > p_now + interval '2 hours'
      returning f.video_id
    )
    update kinora.video v
    set files_removed_at = null, updated_at = p_now
    where v.user_id = p_user_id and v.id = any(array(select k.video_id from kept k))
    returning v.*
  loop
    perform kinora.video_log_add(v_video, 'shown again', p_takedown_id::text, p_now);
  end loop;
  update kinora.video_provenance p
  set due_at = p_now
  where p.user_id = p_user_id and p.video_id = any(p_ids) and p.due_at = 'infinity';
end
$$;

-- Claims up to p_limit stored films that are due to be signed: each is due again after a pause that grows with its
-- attempts, and has the id of its manifest from the first attempt on. Its files are recorded under that id until it is
-- signed, in case they are removed while they are stored again. PL/pgSQL, because a body that is parsed once depends on
-- each column of a table with `on conflict do update`, which could not be dropped.
create or replace function kinora.videos_to_sign(p_now timestamptz, p_limit integer)
returns table (
  user_id uuid, id uuid, model text, made_of jsonb, video_key text, thumbnail_key text, manifest_key text, made_at timestamptz, manifest_id uuid
)
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  return query
  with claimed as (
    update kinora.video_provenance p
    set due_at = p_now + interval '15 minutes' * power(2, least(p.attempt, 5)),
        attempt = p.attempt + 1,
        manifest_id = coalesce(p.manifest_id, gen_random_uuid())
    from (
      select d.user_id, d.video_id
      from kinora.video_provenance d
      where d.due_at <= p_now
      order by d.due_at
      limit p_limit
      for update skip locked
    ) due
    join kinora.video v on v.user_id = due.user_id and v.id = due.video_id
    where p.user_id = due.user_id and p.video_id = due.video_id and p.due_at <= p_now
    returning v.user_id, v.id, v.model, v.made_of, v.video_key, v.thumbnail_key, v.manifest_key, v.completed_at, p.manifest_id
  ), recorded as (
    insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, manifest_key, due_at)
    select c.user_id, c.id, c.manifest_id, c.video_key, c.thumbnail_key, c.manifest_key, p_now + interval '1 hour'
    from claimed c
    on conflict on constraint video_file_pkey do update set due_at = excluded.due_at
  )
  select c.user_id, c.id, c.model, c.made_of, c.video_key, c.thumbnail_key, c.manifest_key, c.completed_at, c.manifest_id
  from claimed c;
end
$$;

-- Makes the stored films due to be signed, now, that have no content credentials and do not wait for them: of p_limit
-- videos behind the one that is named, in the order of the key. PROVENANCE=off has stored them. A repeated call
-- finds none. films: how many; user_id, id: the last of these videos, null behind the end.
create or replace function kinora.videos_mark_unsigned(
  p_after_user_id uuid, p_after_id uuid, p_limit integer, p_now timestamptz
) returns table (films integer, user_id uuid, id uuid)
language sql
begin atomic
  select kinora.check_clock(p_now);
  with range as materialized (
    select v.user_id, v.id
    from kinora.video v
    where (v.user_id, v.id) > (p_after_user_id, p_after_id)
    order by v.user_id, v.id
    limit p_limit
  ), stored as (
    -- Locked against a removal of the files, which ends what is due.
    select v.user_id, v.id
    from range r
    join kinora.video v on v.user_id = r.user_id and v.id = r.id
    where v.status = 'COMPLETED' and v.video_key is not null and v.files_removed_at is null
    order by v.user_id, v.id
    for share of v
  ), marked as (
    insert into kinora.video_provenance (user_id, video_id, due_at)
    select s.user_id, s.id, p_now from stored s
    on conflict do nothing
    returning video_id
  )
  select (select count(*)::integer from marked), last.user_id, last.id
  from (select) one
  left join (select r.user_id, r.id from range r order by r.user_id desc, r.id desc limit 1) last on true;
end;

-- A stored film was signed in its place. p_provenance: as the attribute of kinora.video_step. outcome: 'recorded',
-- 'gone' (its files were removed meanwhile; it is not signed any more, and the record leads the sweep to what was put
-- back).
create or replace function kinora.video_signed(
  p_user_id uuid, p_id uuid, p_size_bytes bigint, p_provenance jsonb, p_now timestamptz, p_manifest_key text default null
) returns text
language plpgsql
as $$
declare
  v_is_stored boolean;
begin
  perform kinora.check_clock(p_now);
  update kinora.video v
  set size_bytes = p_size_bytes,
      manifest_key = p_manifest_key
  where v.user_id = p_user_id and v.id = p_id and v.files_removed_at is null;
  v_is_stored := found;
  update kinora.video_provenance p
  set film_sha256 = case when v_is_stored then decode(p_provenance ->> 'film_sha256', 'hex') end,
      thumbnail_sha256 = case when v_is_stored then decode(p_provenance ->> 'thumbnail_sha256', 'hex') end,
      signer = case when v_is_stored then p_provenance ->> 'signer' end,
      signed_at = case when v_is_stored then (p_provenance ->> 'signed_at')::timestamptz end,
      is_labelled = v_is_stored and (p_provenance ->> 'is_labelled')::boolean,
      due_at = null
  where p.user_id = p_user_id and p.video_id = p_id;
  if v_is_stored then
    delete from kinora.video_file f
    using kinora.video_provenance p
    where p.user_id = p_user_id and p.video_id = p_id and f.user_id = p.user_id and f.video_id = p.video_id
      and f.lease_id = p.manifest_id;
  end if;
  return case when v_is_stored then 'recorded' else 'gone' end;
end
$$;

-- Makes a deleted video available again, for an administrator, as long as its files are kept: those of videos that were
-- deleted until p_since (null: none) may be removed at any moment. A shot does not get its take back. outcome:
-- 'restored', 'not_deleted', 'gone' (its files), 'not_found'.
create or replace function kinora.video_restore(
  p_user_id uuid, p_id uuid, p_actor_id uuid, p_request_id text, p_reason text, p_now timestamptz, p_since timestamptz default null
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  -- The counter demands the account's lock (count.sql).
  perform kinora.credit_lock_accounts(array[p_user_id], p_now, p_opens => false);
  select * into v_video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  if not found then
    return 'not_found';
  elsif v_video.deleted_at is null then
    return 'not_deleted';
  elsif v_video.files_removed_at is not null or v_video.deleted_at <= p_since then
    return 'gone';
  end if;
  update kinora.video set deleted_at = null, updated_at = p_now where user_id = p_user_id and id = p_id;
  if v_video.due_at is null then
    update kinora.video_count
    set videos = videos + 1
    where user_id = p_user_id and model = v_video.model and status = v_video.status;
  end if;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'video.restore', p_user_id => p_user_id, p_subject => p_id::text,
    p_before => jsonb_build_object('deletedAt', v_video.deleted_at), p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'restored';
end
$$;
