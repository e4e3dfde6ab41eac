-- The order that a user keeps among the videos: favourites and folders. Neither is a step of a video: nothing here
-- changes its status, its credits or when it changed. Lock order: account, folder, videos in the order of their ids.

-- Makes a folder. Returns 'created', 'taken' (the user has one of this name) or 'too_many' (p_max).
create or replace function kinora.video_folder_create(
  p_user_id uuid, p_id uuid, p_name text, p_made_by uuid, p_max integer, p_now timestamptz
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  -- The folders of a user are made and named one after the other.
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if exists (select from kinora.video_folder f where f.user_id = p_user_id and f.name = p_name) then
    return 'taken';
  end if;
  if (select count(*) from kinora.video_folder f where f.user_id = p_user_id) >= p_max then
    return 'too_many';
  end if;
  insert into kinora.video_folder (user_id, id, name, made_by, created_at) values (p_user_id, p_id, p_name, p_made_by, p_now);
  return 'created';
end
$$;

-- Renames a folder. Returns 'renamed', 'taken' or 'not_found'.
create or replace function kinora.video_folder_rename(p_user_id uuid, p_id uuid, p_name text, p_now timestamptz) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if exists (select from kinora.video_folder f where f.user_id = p_user_id and f.name = p_name and f.id <> p_id) then
    return 'taken';
  end if;
  update kinora.video_folder set name = p_name where user_id = p_user_id and id = p_id;
  return case when found then 'renamed' else 'not_found' end;
end
$$;

-- Deletes a folder; its videos stay, in none. Returns 'more' when it had more videos than one call takes out, and is to
-- be called again; 'deleted' or 'not_found'.
create or replace function kinora.video_folder_delete(
  p_user_id uuid, p_id uuid, p_batch integer, p_actor_id uuid, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  -- video_arrange waits for it, and puts nothing into a folder that is gone.
  perform from kinora.video_folder f where f.user_id = p_user_id and f.id = p_id for update;
  if not found then
    return 'not_found';
  end if;
  v_ids := array(
    select v.id from kinora.video v where v.user_id = p_user_id and v.folder_id = p_id order by v.id limit p_batch for no key update
  );
  update kinora.video set folder_id = null where user_id = p_user_id and id = any(v_ids);
  if cardinality(v_ids) = p_batch then
    return 'more';
  end if;
  perform kinora.team_log(
    p_team_id => p_user_id, p_actor_id => p_actor_id, p_action => 'team.delete-folder', p_subject => f.id::text,
    p_before => jsonb_build_object('name', f.name), p_after => null, p_now => p_now
  )
  from kinora.video_folder f
  where f.user_id = p_user_id and f.id = p_id;
  delete from kinora.video_folder where user_id = p_user_id and id = p_id;
  return 'deleted';
end
$$;

-- Marks videos, moves them to a folder, or both. p_favourite null: the mark stays. p_moves: whether they go to
-- p_folder_id, which is null for none. Returns the ids of the videos that the user has; null: the user has no such
-- folder.
create or replace function kinora.video_arrange(
  p_user_id uuid, p_ids uuid[], p_moves boolean, p_now timestamptz, p_favourite boolean default null,
  p_folder_id uuid default null
) returns uuid[]
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  if p_folder_id is not null then
    perform from kinora.video_folder f where f.user_id = p_user_id and f.id = p_folder_id for share;
    if not found then
      return null;
    end if;
  end if;
  v_ids := array(
    select v.id
    from kinora.video v
    where v.user_id = p_user_id and v.id = any(p_ids) and v.deleted_at is null
    order by v.id
    for no key update
  );
  update kinora.video
  set favourite = coalesce(p_favourite, favourite),
      folder_id = case when p_moves then p_folder_id else folder_id end
  where user_id = p_user_id and id = any(v_ids);
  return v_ids;
end
$$;
