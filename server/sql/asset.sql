-- What users keep as inputs of films. Lock order: account, asset, video.

-- Sets the time until which an asset is kept without a video. Returns false when it is no longer stored.
create or replace function kinora.asset_extend(p_user_id uuid, p_id uuid, p_due_at timestamptz) returns boolean
language plpgsql
as $$
begin
  update kinora.asset
  set due_at = greatest(due_at, p_due_at)
  where user_id = p_user_id and id = p_id and state = 'kept';
  return found;
end
$$;

-- Records an asset whose file is about to be stored. Returns 'added'; 'full': with it the assets of the user would have
-- more than p_bytes_max bytes; 'too_many': as many have its name as can. p_upload_id: of the upload that it was.
create or replace function kinora.asset_add(
  p_user_id uuid, p_asset jsonb, p_bytes_max bigint, p_named_max integer, p_due_at timestamptz, p_now timestamptz,
  p_upload_id uuid default null
) returns text
language plpgsql
as $$
declare
  v_asset constant kinora.asset := jsonb_populate_record(null::kinora.asset, p_asset);
begin
  perform kinora.check_clock(p_now);
  -- The assets of a user are counted and named one after the other.
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if v_asset.size_bytes + kinora.asset_bytes(p_user_id, p_upload_id) > p_bytes_max then
    return 'full';
  end if;
  if v_asset.name is not null and kinora.asset_named(p_user_id, v_asset.name, v_asset.id, v_asset.subject) >= p_named_max then
    return 'too_many';
  end if;
  insert into kinora.asset (
    user_id, id, kind, name, made_by, subject, digest, key, content_type, width, height, duration_s, has_sound, size_bytes,
    created_at, due_at
  ) values (
    p_user_id, v_asset.id, v_asset.kind, v_asset.name, v_asset.made_by, v_asset.subject, v_asset.digest, v_asset.key,
    v_asset.content_type, v_asset.width, v_asset.height, v_asset.duration_s, v_asset.has_sound, v_asset.size_bytes, p_now, p_due_at
  );
  return 'added';
end
$$;

-- Returns an asset as its webhooks have it.
create or replace function kinora.asset_event(p_asset kinora.asset) returns jsonb
language sql stable
return jsonb_build_object(
  'id', p_asset.id, 'kind', p_asset.kind, 'name', p_asset.name, 'contentType', p_asset.content_type,
  'width', p_asset.width, 'height', p_asset.height, 'durationS', p_asset.duration_s, 'hasSound', p_asset.has_sound,
  'sizeBytes', p_asset.size_bytes, 'madeBy', p_asset.made_by, 'subject', p_asset.subject,
  'createdAt', kinora.iso_time(p_asset.created_at)
);

-- Keeps an asset whose file is stored, until p_due_at at least. Raises unique_violation when the user keeps the same
-- bytes already.
create or replace function kinora.asset_keep(p_user_id uuid, p_id uuid, p_due_at timestamptz, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_asset kinora.asset;
begin
  perform kinora.check_clock(p_now);
  -- What writes deliveries holds the account (webhook.sql).
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  update kinora.asset
  set state = 'kept', due_at = p_due_at
  where user_id = p_user_id and id = p_id and state = 'storing'
  returning * into v_asset;
  if found then
    perform kinora.webhook_write_one(p_user_id, 'asset.created', p_id, kinora.asset_event(v_asset), p_now);
  end if;
end
$$;

-- Returns whether a video uses the file of an asset: one that is not deleted, or that is still in progress. A failed
-- video does not count: its credits were released, and free uploads must not fill the disk. Or whether a project does:
-- its sound, or an input of a shot that names it by its id.
create or replace function kinora.asset_is_used(p_user_id uuid, p_key text) returns boolean
language sql stable
return exists (
  select from kinora.video v
  where v.user_id = p_user_id and v.made_of @> jsonb_build_array(jsonb_build_object('source', 'kinora:' || p_key))
    and (v.deleted_at is null and v.status <> 'FAILED' or v.due_at is not null)
) or exists (
  select from kinora.asset a
  where a.user_id = p_user_id and a.key = p_key and (
    exists (select from kinora.project p where p.user_id = p_user_id and p.sound ->> 'asset' = a.id::text)
    or exists (
      select from kinora.shot s
      where s.user_id = p_user_id
        and s.settings @> jsonb_build_object('inputs', jsonb_build_array(jsonb_build_object('asset', a.id::text)))
    )
  )
);

-- Returns the bytes of a user's assets, and of uploads that are to become some, without p_upload_id.
create or replace function kinora.asset_bytes(p_user_id uuid, p_upload_id uuid default null) returns bigint
language sql stable
return (select coalesce(sum(size_bytes), 0) from kinora.asset where user_id = p_user_id and state <> 'going')
  + (
    select coalesce(sum(size_bytes), 0) from kinora.asset_upload
    where user_id = p_user_id and asset_id is null and id is distinct from p_upload_id
  );

-- Returns how many other assets of a user, or of a subject of the user's, have a name.
create or replace function kinora.asset_named(p_user_id uuid, p_name text, p_id uuid, p_subject text) returns bigint
language sql stable
return (
  select count(*) from kinora.asset
  where user_id = p_user_id and name = p_name and id <> p_id and state <> 'going' and subject is not distinct from p_subject
);

-- Gives an asset a name, or takes it (p_name null), and keeps it until p_due_at at least. Returns 'named', 'too_many'
-- or 'not_found'.
create or replace function kinora.asset_name(
  p_user_id uuid, p_id uuid, p_named_max integer, p_due_at timestamptz, p_now timestamptz, p_name text default null
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if p_name is not null
    and kinora.asset_named(
      p_user_id, p_name, p_id, (select subject from kinora.asset where user_id = p_user_id and id = p_id)
    ) >= p_named_max then
    return 'too_many';
  end if;
  update kinora.asset
  set name = p_name, due_at = greatest(due_at, p_due_at)
  where user_id = p_user_id and id = p_id and state = 'kept';
  return case when found then 'named' else 'not_found' end;
end
$$;

-- Lets the next sweep remove an asset; films that were made of it stay. Returns 'deleted' or 'not_found'.
create or replace function kinora.asset_delete(p_user_id uuid, p_id uuid, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v_asset kinora.asset;
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  update kinora.asset
  set state = 'going', due_at = p_now
  where user_id = p_user_id and id = p_id and state = 'kept'
  returning * into v_asset;
  if not found then
    return 'not_found';
  end if;
  perform kinora.webhook_write_one(p_user_id, 'asset.deleted', p_id, kinora.asset_event(v_asset), p_now);
  return 'deleted';
end
$$;

-- Makes a film its sound, whose file is stored under p_sound ->> 'key', and keeps the key of the film until its file is
-- removed. Returns 'changed'; 'used': a video has it as a film; 'full'; 'not_found'.
create or replace function kinora.asset_change_to_sound(
  p_user_id uuid, p_id uuid, p_sound jsonb, p_bytes_max bigint, p_due_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_sound constant kinora.asset := jsonb_populate_record(null::kinora.asset, p_sound);
  v_film kinora.asset;
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  -- A request that generates from it has the row, or waits for it.
  select a.* into v_film
  from kinora.asset a
  where a.user_id = p_user_id and a.id = p_id and a.state = 'kept' and a.kind = 'film' and a.other_key = v_sound.key
  for update;
  if not found then
    return 'not_found';
  end if;
  if kinora.asset_is_used(p_user_id, v_film.key) then
    return 'used';
  end if;
  if v_sound.size_bytes - v_film.size_bytes + kinora.asset_bytes(p_user_id) > p_bytes_max then
    return 'full';
  end if;
  update kinora.asset
  set kind = 'sound', key = v_sound.key, other_key = v_film.key, digest = v_sound.digest,
      content_type = v_sound.content_type, width = null, height = null, duration_s = v_sound.duration_s,
      has_sound = true, size_bytes = v_sound.size_bytes, due_at = greatest(due_at, p_due_at)
  where user_id = p_user_id and id = p_id;
  return 'changed';
end
$$;

-- Begins to receive a file, once for each id. Returns 'opened'; 'full': with it the assets of the user would have more
-- than p_bytes_max bytes; 'too_many': p_open_max of the user's are not complete.
create or replace function kinora.asset_upload_open(
  p_user_id uuid, p_upload jsonb, p_bytes_max bigint, p_open_max integer, p_due_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_upload constant kinora.asset_upload := jsonb_populate_record(null::kinora.asset_upload, p_upload);
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if exists (select from kinora.asset_upload u where u.user_id = p_user_id and u.id = v_upload.id) then
    return 'opened';
  end if;
  if (select count(*) from kinora.asset_upload u where u.user_id = p_user_id and u.asset_id is null and u.due_at > p_now)
    >= p_open_max then
    return 'too_many';
  end if;
  if v_upload.size_bytes + kinora.asset_bytes(p_user_id) > p_bytes_max then
    return 'full';
  end if;
  insert into kinora.asset_upload (user_id, id, made_by, subject, kind, name, size_bytes, created_at, due_at)
  values (
    p_user_id, v_upload.id, v_upload.made_by, v_upload.subject, v_upload.kind, v_upload.name, v_upload.size_bytes, p_now,
    p_due_at
  );
  return 'opened';
end
$$;
