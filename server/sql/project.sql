-- Projects: shots in their order, and the takes of each. A change names the version that it was made from, and one of
-- another version changes nothing, so that of two people's edits at once none is lost. Lock order: account, project,
-- shot, video.

-- Makes a project of p_shots, a JSON array of kinora.shot. Returns 'made' or 'too_many' (p_max).
create or replace function kinora.project_make(
  p_user_id uuid, p_project jsonb, p_shots jsonb, p_made_by uuid, p_max integer, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_project kinora.project := jsonb_populate_record(null::kinora.project, p_project);
begin
  perform kinora.check_clock(p_now);
  -- The projects of a user are made and counted one after the other.
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if (select count(*) from kinora.project p where p.user_id = p_user_id) >= p_max then
    return 'too_many';
  end if;
  insert into kinora.project (user_id, id, name, aspect_ratio, fit, sound, made_by, changed_by, created_at, updated_at)
  values (
    p_user_id, v_project.id, v_project.name, v_project.aspect_ratio, v_project.fit, v_project.sound, p_made_by, p_made_by, p_now,
    p_now
  )
  returning * into v_project;
  perform kinora.shot_insert(p_user_id, v_project.id, 0, p_shots, p_made_by, p_now);
  perform kinora.webhook_write_one(p_user_id, 'project.created', v_project.id, kinora.project_event(v_project), p_now);
  return 'made';
end
$$;

-- Returns a project as its webhooks have it.
create or replace function kinora.project_event(p_project kinora.project) returns jsonb
language sql stable
return jsonb_build_object(
  'id', p_project.id, 'name', p_project.name, 'aspectRatio', p_project.aspect_ratio, 'fit', p_project.fit,
  'createdAt', kinora.iso_time(p_project.created_at)
);

create or replace function kinora.shot_insert(
  p_user_id uuid, p_project_id uuid, p_after integer, p_shots jsonb, p_made_by uuid, p_now timestamptz
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.shot (user_id, project_id, id, position, settings, notes, changed_by, changed_at)
  select p_user_id, p_project_id, s.id, p_after + s.ordinality, s.settings, coalesce(s.notes, ''), p_made_by, p_now
  from rows from (jsonb_to_recordset(p_shots) as (id uuid, settings jsonb, notes text)) with ordinality s;
end
$$;

-- Changes what p_change has of a project, and with p_order the order of its shots. Returns 'changed'; 'stale': it has
-- another version; 'other_shots': p_order has not each of its shots once; 'not_found'.
create or replace function kinora.project_change(
  p_user_id uuid, p_id uuid, p_version integer, p_change jsonb, p_changed_by uuid, p_now timestamptz,
  p_order uuid[] default null
) returns text
language plpgsql
as $$
declare
  v_project kinora.project;
begin
  perform kinora.check_clock(p_now);
  select * into v_project from kinora.project p where p.user_id = p_user_id and p.id = p_id for no key update;
  if not found then
    return 'not_found';
  elsif v_project.version <> p_version then
    return 'stale';
  end if;
  if p_order is not null then
    if array(select s.id from kinora.shot s where s.user_id = p_user_id and s.project_id = p_id order by s.id)
      <> array(select id from unnest(p_order) id order by id) then
      return 'other_shots';
    end if;
    update kinora.shot
    set position = array_position(p_order, id)
    where user_id = p_user_id and project_id = p_id and position <> array_position(p_order, id);
  end if;
  v_project := jsonb_populate_record(v_project, p_change);
  update kinora.project
  set name = v_project.name, aspect_ratio = v_project.aspect_ratio, fit = v_project.fit, sound = v_project.sound,
      version = version + 1, changed_by = p_changed_by, updated_at = p_now
  where user_id = p_user_id and id = p_id;
  return 'changed';
end
$$;

-- Deletes a project; its takes stay, as videos. Returns 'deleted' or 'not_found'.
create or replace function kinora.project_delete(p_user_id uuid, p_id uuid, p_actor_id uuid, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v_project kinora.project;
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  select * into v_project from kinora.project p where p.user_id = p_user_id and p.id = p_id for update;
  if not found then
    return 'not_found';
  end if;
  perform kinora.team_log(
    p_team_id => p_user_id, p_actor_id => p_actor_id, p_action => 'team.delete-project', p_subject => p_id::text,
    p_before => jsonb_build_object('name', v_project.name), p_after => null, p_now => p_now
  );
  delete from kinora.shot_take where user_id = p_user_id and project_id = p_id;
  delete from kinora.shot where user_id = p_user_id and project_id = p_id;
  delete from kinora.project where user_id = p_user_id and id = p_id;
  perform kinora.webhook_write_one(p_user_id, 'project.deleted', p_id, kinora.project_event(v_project), p_now);
  return 'deleted';
end
$$;

-- Adds shots to a project after another one, or at its end. Returns 'added'; 'too_many': with them it would have more
-- than p_max; 'no_such_shot' (p_after); 'not_found'.
create or replace function kinora.shot_add(
  p_user_id uuid, p_project_id uuid, p_shots jsonb, p_made_by uuid, p_max integer, p_now timestamptz, p_after uuid default null
) returns text
language plpgsql
as $$
declare
  v_shots record;
begin
  perform kinora.check_clock(p_now);
  perform from kinora.project p where p.user_id = p_user_id and p.id = p_project_id for no key update;
  if not found then
    return 'not_found';
  end if;
  select count(*) as number,
         case when p_after is null then coalesce(max(s.position), 0) else max(s.position) filter (where s.id = p_after) end as last
  into v_shots
  from kinora.shot s
  where s.user_id = p_user_id and s.project_id = p_project_id;
  if v_shots.last is null then
    return 'no_such_shot';
  elsif v_shots.number + jsonb_array_length(p_shots) > p_max then
    return 'too_many';
  end if;
  update kinora.shot
  set position = position + jsonb_array_length(p_shots)
  where user_id = p_user_id and project_id = p_project_id and position > v_shots.last;
  perform kinora.shot_insert(p_user_id, p_project_id, v_shots.last, p_shots, p_made_by, p_now);
  update kinora.project
  set version = version + 1, changed_by = p_made_by, updated_at = p_now
  where user_id = p_user_id and id = p_project_id;
  return 'added';
end
$$;

-- Changes what p_change has of a shot. Another take begins uncut. A video that is a take of no shot becomes one of this
-- shot when it is chosen. Returns 'changed'; 'stale': it has another version; 'no_take': the user has no such video, or
-- it is a take of another shot; 'cut_backward': the end would not be behind the begin; 'not_found'.
create or replace function kinora.shot_change(
  p_user_id uuid, p_project_id uuid, p_id uuid, p_version integer, p_change jsonb, p_changed_by uuid, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_shot kinora.shot;
  v_new kinora.shot;
begin
  perform kinora.check_clock(p_now);
  select * into v_shot
  from kinora.shot s
  where s.user_id = p_user_id and s.project_id = p_project_id and s.id = p_id
  for no key update;
  if not found then
    return 'not_found';
  elsif v_shot.version <> p_version then
    return 'stale';
  end if;
  v_new := v_shot;
  if p_change ? 'take_id' and (p_change ->> 'take_id')::uuid is distinct from v_shot.take_id then
    v_new.in_ms := null;
    v_new.out_ms := null;
  end if;
  v_new := jsonb_populate_record(v_new, p_change);
  if v_new.take_id is distinct from v_shot.take_id and v_new.take_id is not null
    and not kinora.shot_take_add(v_new, p_now) then
    return 'no_take';
  end if;
  if coalesce(v_new.in_ms, 0) >= v_new.out_ms then
    return 'cut_backward';
  end if;
  update kinora.shot
  set settings = v_new.settings, notes = v_new.notes, take_id = v_new.take_id, in_ms = v_new.in_ms, out_ms = v_new.out_ms,
      version = version + 1, changed_by = p_changed_by, changed_at = p_now
  where user_id = p_user_id and project_id = p_project_id and id = p_id;
  return 'changed';
end
$$;

-- Makes the chosen video of a shot a take of it. Returns whether it is one.
create or replace function kinora.shot_take_add(p_shot kinora.shot, p_now timestamptz) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.shot_take (user_id, video_id, project_id, shot_id, created_at)
  select v.user_id, v.id, p_shot.project_id, p_shot.id, p_now
  from kinora.video v
  where v.user_id = p_shot.user_id and v.id = p_shot.take_id and v.deleted_at is null
  for no key update
  on conflict do nothing;
  return exists (
    select from kinora.shot_take t
    where t.user_id = p_shot.user_id and t.video_id = p_shot.take_id and t.project_id = p_shot.project_id and t.shot_id = p_shot.id
  );
end
$$;

-- Videos that are deleted are takes no more.
create or replace function kinora.shot_take_delete(p_decisions kinora.video_decision[]) returns void
language plpgsql
as $$
begin
  delete from kinora.shot_take t
  using unnest(p_decisions) d
  where d.outcome = 'deleted' and t.user_id = (d.video).user_id and t.video_id = (d.video).id;
end
$$;

-- Deletes a shot; its takes stay, as videos. Returns 'deleted', 'stale' (it has another version than p_version; null is
-- any) or 'not_found'.
create or replace function kinora.shot_delete(
  p_user_id uuid, p_project_id uuid, p_id uuid, p_deleted_by uuid, p_now timestamptz, p_version integer default null
) returns text
language plpgsql
as $$
declare
  v_version integer;
begin
  perform kinora.check_clock(p_now);
  perform from kinora.project p where p.user_id = p_user_id and p.id = p_project_id for no key update;
  select s.version into v_version
  from kinora.shot s
  where s.user_id = p_user_id and s.project_id = p_project_id and s.id = p_id
  for update;
  if not found then
    return 'not_found';
  elsif v_version <> p_version then
    return 'stale';
  end if;
  delete from kinora.shot_take where user_id = p_user_id and project_id = p_project_id and shot_id = p_id;
  delete from kinora.shot where user_id = p_user_id and project_id = p_project_id and id = p_id;
  update kinora.project
  set version = version + 1, changed_by = p_deleted_by, updated_at = p_now
  where user_id = p_user_id and id = p_project_id;
  return 'deleted';
end
$$;

-- Deletes all projects of a user whose account is deleted.
create or replace function kinora.project_erase(p_user_id uuid) returns void
language plpgsql
as $$
begin
  delete from kinora.shot_take where user_id = p_user_id;
  delete from kinora.shot where user_id = p_user_id;
  delete from kinora.project where user_id = p_user_id;
end
$$;
