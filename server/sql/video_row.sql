-- What every step in the life of a video shares: progress, the log, the routing of provider tasks, the start image, and the
-- lease under which a worker processes the row. Nothing here moves credits.

-- Returns the progress that a client sees, 0..100. It never falls: without a report from the provider it is an estimate from
-- the model's usual time, and video_raise_progress starts the first report no lower than that estimate.
create or replace function kinora.video_progress(p_video kinora.video, p_now timestamptz) returns integer
language sql immutable
return case (p_video).status
  when 'PENDING' then 0
  when 'GENERATING' then coalesce(
    (p_video).progress,
    least(95, greatest(0, floor(95 * extract(epoch from p_now - (p_video).accepted_at) / (p_video).usual_s)))::integer
  )
  when 'UPLOADING' then least(99, 96 + greatest(0, floor(extract(epoch from p_now - (p_video).result_at))))::integer
  when 'COMPLETED' then 100
  else coalesce((p_video).progress, 0)
end;

-- Returns the highest progress that a client can have seen. It allows one second after p_now, because clients read the row
-- while its writer waits for the row lock.
create or replace function kinora.video_progress_seen(p_video kinora.video, p_now timestamptz) returns integer
language sql immutable
return kinora.video_progress(p_video, p_now + interval '1 second');

-- Returns the progress to store when a provider reports p_progress (null: no report): never lower than what was seen.
create or replace function kinora.video_raise_progress(p_video kinora.video, p_progress integer, p_now timestamptz)
returns integer
language sql immutable
return case
  when p_progress is null then (p_video).progress
  else greatest(least(p_progress, 95), kinora.video_progress_seen(p_video, p_now))
end;

-- Appends an entry to the log of a video.
create or replace function kinora.video_log_add(p_video kinora.video, p_entry text, p_detail text, p_now timestamptz)
returns void
language sql
begin atomic
  insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
  values ((p_video).user_id, (p_video).id, kinora.uuid_v7(p_now), p_entry, p_detail, p_now);
end;

-- Appends an entry that a provider can cause repeatedly; only the first one is stored, so that the log stays bounded.
create or replace function kinora.video_log_add_once(p_video kinora.video, p_entry text, p_detail text, p_now timestamptz)
returns void
language sql
begin atomic
  select kinora.video_log_add(p_video, p_entry, p_detail, p_now)
  where not exists (
    select from kinora.video_log l
    where l.user_id = (p_video).user_id and l.video_id = (p_video).id and l.entry = p_entry
  );
end;

-- Stores which video a provider's task belongs to, for callbacks without a signed reference.
create or replace function kinora.video_route_task(p_video kinora.video, p_task_id text) returns void
language sql
begin atomic
  insert into kinora.provider_task (provider, task_id, user_id, video_id)
  select (p_video).providers[(p_video).provider_index], p_task_id, (p_video).user_id, (p_video).id
  where p_task_id is not null
  on conflict (provider, task_id) do nothing;
end;

-- Sets the time until which an uploaded start image is kept without a video. Returns false when it is no longer stored.
create or replace function kinora.start_image_extend(p_user_id uuid, p_id uuid, p_due_at timestamptz) returns boolean
language plpgsql
as $$
begin
  update kinora.video_image
  set due_at = p_due_at
  where user_id = p_user_id and id = p_id and state = 'kept';
  return found;
end
$$;

-- Writes the row back after a step and ends the lease: a worker with an ended lease can record nothing.
-- The caller has locked the row and changed a copy of it, so this is the only UPDATE that clears a lease.
create or replace function kinora.video_save(p_video kinora.video) returns void
language sql
begin atomic
  update kinora.video
  set status = (p_video).status,
      provider_index = (p_video).provider_index,
      provider_task_id = (p_video).provider_task_id,
      submitted_at = (p_video).submitted_at,
      accepted_at = (p_video).accepted_at,
      result_at = (p_video).result_at,
      result_url = (p_video).result_url,
      other_result_url = (p_video).other_result_url,
      progress = (p_video).progress,
      error_code = (p_video).error_code,
      error = (p_video).error,
      video_key = (p_video).video_key,
      thumbnail_key = (p_video).thumbnail_key,
      size_bytes = (p_video).size_bytes,
      film_duration_s = (p_video).film_duration_s,
      film_width = (p_video).film_width,
      film_height = (p_video).film_height,
      completed_at = (p_video).completed_at,
      updated_at = (p_video).updated_at,
      due_at = (p_video).due_at,
      deadline_at = (p_video).deadline_at,
      attempt = (p_video).attempt,
      lease_id = null,
      lease_until = null
  where user_id = (p_video).user_id and id = (p_video).id;
end;

-- Claims those of the given videos that are still due, with a lease until p_lease_until. A claimed row becomes due again when
-- its lease ends, so that a worker that dies delays it by one lease at most.
-- Rows are locked in the order given (sorted by the caller) and not in scan order, so that two workers cannot deadlock. The
-- coalesce keeps the planner off the index of due rows, which it would prefer while it estimates that few are due.
create or replace function kinora.video_claim(
  p_user_ids uuid[], p_ids uuid[], p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns setof kinora.video
language sql
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
as $$
  select kinora.check_clock(p_now);
  update kinora.video v
  set lease_id = p_lease, lease_until = p_lease_until, due_at = p_lease_until
  from unnest(p_user_ids, p_ids) as due (user_id, id)
  where v.user_id = due.user_id and v.id = due.id and coalesce(v.due_at, 'infinity') <= p_now
  returning v.*;
$$;

-- Locks the row for a worker that reports the outcome of a step. Returns a row of nulls when its lease has passed on.
create or replace function kinora.video_lock_leased(p_user_id uuid, p_id uuid, p_lease uuid) returns kinora.video
language sql
as $$
  select * from kinora.video
  where user_id = p_user_id and id = p_id and lease_id = p_lease
  for no key update;
$$;

-- Renews a lease.
-- outcome: 'renewed', 'stale' (the lease has passed on or the video is final).
create or replace function kinora.video_renew_lease(p_user_id uuid, p_id uuid, p_lease uuid, p_lease_until timestamptz)
returns text
language plpgsql
as $$
begin
  -- A lease lasts a minute. One of a process whose clock is ahead would keep the video from every other worker.
  perform kinora.check_clock(p_lease_until - interval '1 minute');
  update kinora.video
  set lease_until = p_lease_until, due_at = p_lease_until
  where user_id = p_user_id and id = p_id and lease_id = p_lease;
  return case when found then 'renewed' else 'stale' end;
end
$$;

-- Ends a lease and makes the row due again at p_due_at, because the step was interrupted or has to be repeated.
-- outcome: 'deferred', 'stale' (lease lost).
create or replace function kinora.video_defer(
  p_user_id uuid, p_id uuid, p_lease uuid, p_attempt integer, p_due_at timestamptz, p_entry text, p_detail text,
  p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video := kinora.video_lock_leased(p_user_id, p_id, p_lease);
begin
  perform kinora.check_clock(p_now);
  if v_video.id is null then
    return 'stale';
  end if;
  v_video.attempt := p_attempt;
  v_video.due_at := p_due_at;
  perform kinora.video_save(v_video);
  if p_entry is not null then
    perform kinora.video_log_add(v_video, p_entry, p_detail, p_now);
  end if;
  return 'deferred';
end
$$;
