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
-- more than p_bytes_max bytes; 'too_many': as many have its name as can.
create or replace function kinora.asset_add(
  p_user_id uuid, p_asset jsonb, p_bytes_max bigint, p_named_max integer, p_due_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_asset constant kinora.asset := jsonb_populate_record(null::kinora.asset, p_asset);
begin
  perform kinora.check_clock(p_now);
  -- The assets of a user are counted and named one after the other.
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if v_asset.size_bytes + kinora.asset_bytes(p_user_id) > p_bytes_max then
    return 'full';
  end if;
  if v_asset.name is not null and kinora.asset_named(p_user_id, v_asset.name, v_asset.id) >= p_named_max then
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

-- Returns the bytes of a user's assets.
create or replace function kinora.asset_bytes(p_user_id uuid) returns bigint
language sql stable
return (select coalesce(sum(size_bytes), 0) from kinora.asset where user_id = p_user_id and state <> 'going');

-- Returns how many other assets of a user have a name.
create or replace function kinora.asset_named(p_user_id uuid, p_name text, p_id uuid) returns bigint
language sql stable
return (select count(*) from kinora.asset where user_id = p_user_id and name = p_name and id <> p_id and state <> 'going');

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
  if p_name is not null and kinora.asset_named(p_user_id, p_name, p_id) >= p_named_max then
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
begin
  perform kinora.check_clock(p_now);
  update kinora.asset
  set state = 'going', due_at = p_now
  where user_id = p_user_id and id = p_id and state = 'kept';
  return case when found then 'deleted' else 'not_found' end;
end
$$;
