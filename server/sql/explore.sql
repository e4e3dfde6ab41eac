-- Explore: films that their makers published, and the reports of them. A row here is the maker's wish and the
-- administrators' decision; whether the film is there to be shown is in the row of its video, which each reader asks
-- (server/src/video/explore.ts).

-- Publishes a film, or changes what is shown with it. p_id: its place in the list, which it keeps when it is taken back
-- and published again: no film returns to the top that way. p_administrator_id: who publishes it for the maker; null:
-- the maker, who takes over what an administrator published. outcome: 'published', 'removed' (by an administrator:
-- nothing is changed).
create or replace function kinora.explore_publish(
  p_user_id uuid, p_video_id uuid, p_id uuid, p_shows_name boolean, p_now timestamptz, p_administrator_id uuid default null
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.explore_film as f (user_id, video_id, id, shows_name, published_at, administrator_id)
  values (p_user_id, p_video_id, p_id, p_shows_name, p_now, p_administrator_id)
  on conflict (user_id, video_id) do update
  set shows_name = excluded.shows_name,
      published_at = coalesce(f.published_at, excluded.published_at),
      administrator_id = case when f.published_at is null or p_administrator_id is null then p_administrator_id else f.administrator_id end
  where f.removed_at is null;
  return case when found then 'published' else 'removed' end;
end
$$;

-- Reports a published film, once for each user. p_report_id: of the report; p_max: the reports of a user in an hour.
-- outcome: 'reported', 'unchanged' (the user has reported it before), 'not_found' (it is not published), 'too_many'.
create or replace function kinora.explore_report_film(
  p_id uuid, p_report_id uuid, p_reporter_id uuid, p_reason text, p_max integer, p_now timestamptz, p_note text default null
) returns text
language plpgsql
as $$
declare
  v_film kinora.explore_film;
begin
  perform kinora.check_clock(p_now);
  select * into v_film from kinora.explore_film f where f.id = p_id for no key update;
  if not found or v_film.published_at is null or v_film.removed_at is not null then
    return 'not_found';
  end if;
  if (
    select count(*) from kinora.explore_report r where r.user_id = p_reporter_id and r.created_at > p_now - interval '1 hour'
  ) >= p_max then
    return 'too_many';
  end if;
  insert into kinora.explore_report (user_id, maker_id, video_id, id, reason, note, created_at)
  values (p_reporter_id, v_film.user_id, v_film.video_id, p_report_id, p_reason, p_note, p_now)
  on conflict do nothing;
  if not found then
    return 'unchanged';
  end if;
  update kinora.explore_film f
  -- The id is made before the lock: of two reports at once the later one may get it first.
  set reported_id = least(f.reported_id, p_report_id), open_reports = f.open_reports + 1
  where f.id = p_id;
  return 'reported';
end
$$;

-- Records an administrator's decision on a film that was published, and closes its reports. p_removes: it is not
-- published any more, and never again; else it stays. A removed film stays removed. user_id, video_id: whose film it
-- is, null when it was not found. outcome: 'removed', 'kept', 'unchanged' (it was removed before, or it stays and has
-- no open report), 'not_found'.
create or replace function kinora.explore_decide(
  p_id uuid, p_removes boolean, p_actor_id uuid, p_request_id text, p_reason text, p_now timestamptz
) returns table (outcome text, user_id uuid, video_id uuid, removal_reason text)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_film kinora.explore_film;
begin
  perform kinora.check_clock(p_now);
  select * into v_film from kinora.explore_film f where f.id = p_id for no key update;
  if v_film.id is null then
    return query select 'not_found', null::uuid, null::uuid, null::text;
    return;
  elsif v_film.removed_at is not null or (not p_removes and v_film.open_reports = 0) then
    return query select 'unchanged', v_film.user_id, v_film.video_id, v_film.removal_reason;
    return;
  end if;
  update kinora.explore_film f
  set removed_at = case when p_removes then p_now end,
      removal_reason = case when p_removes then p_reason end,
      reported_id = null,
      open_reports = 0
  where f.id = p_id;
  if p_removes then
    perform kinora.audit_add(
      p_actor_id => p_actor_id, p_action => 'explore.remove', p_user_id => v_film.user_id, p_subject => v_film.video_id::text,
      p_before => null, p_after => jsonb_build_object('reports', v_film.open_reports), p_request_id => p_request_id,
      p_reason => p_reason, p_now => p_now
    );
  else
    perform kinora.audit_add(
      p_actor_id => p_actor_id, p_action => 'explore.keep', p_user_id => v_film.user_id, p_subject => v_film.video_id::text,
      p_before => null, p_after => jsonb_build_object('reports', v_film.open_reports), p_request_id => p_request_id,
      p_reason => p_reason, p_now => p_now
    );
  end if;
  return query
  select case when p_removes then 'removed' else 'kept' end, v_film.user_id, v_film.video_id, case when p_removes then p_reason end;
end
$$;
