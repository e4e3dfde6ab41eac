-- What every step of a video's life shares and what moves no status: the progress that is shown, what is noted of it, whose
-- task it is, and the lease under which a worker holds the row.

-- What a client is shown, 0..100. It never falls: while the provider has reported nothing it is an estimate from the
-- usual time of the model, and the first report starts no lower than that estimate had come.
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

-- The most that may have been shown by p_now. A second more, for whoever looks while the lock is waited for.
create or replace function kinora.video_shown(p_video kinora.video, p_now timestamptz) returns integer
language sql immutable
return kinora.video_progress(p_video, p_now + interval '1 second');

-- The progress to keep when a provider reports p_progress (null: nothing new): never lower than what was shown.
create or replace function kinora.video_raise_progress(p_video kinora.video, p_progress integer, p_now timestamptz)
returns integer
language sql immutable
return case
  when p_progress is null then (p_video).progress
  else greatest(least(p_progress, 95), kinora.video_shown(p_video, p_now))
end;

create or replace function kinora.video_note(p_video kinora.video, p_event text, p_detail text, p_now timestamptz)
returns void
language sql
begin atomic
  insert into kinora.video_event (user_id, video_id, id, event, detail, at)
  values ((p_video).user_id, (p_video).id, kinora.uuid_v7(p_now), p_event, p_detail, p_now);
end;

-- The same for what a provider may repeat as often as it likes.
create or replace function kinora.video_note_once(p_video kinora.video, p_event text, p_detail text, p_now timestamptz)
returns void
language sql
begin atomic
  select kinora.video_note(p_video, p_event, p_detail, p_now)
  where not exists (
    select from kinora.video_event e
    where e.user_id = (p_video).user_id and e.video_id = (p_video).id and e.event = p_event
  );
end;

-- Remembers whose task it is at the provider whose turn it is, for callbacks without a signed reference.
create or replace function kinora.video_route(p_video kinora.video, p_task_id text) returns void
language sql
begin atomic
  insert into kinora.provider_task (provider, task_id, user_id, video_id)
  select (p_video).providers[(p_video).turn], p_task_id, (p_video).user_id, (p_video).id
  where p_task_id is not null
  on conflict (provider, task_id) do nothing;
end;

-- Claims those of the given videos that are still due. A claimed row is next due when its lease ends, so that a worker
-- that dies delays it by one lease and no more. Rows are locked in the order given (sorted by the caller) rather than
-- in the order of a scan, so that two workers cannot wait for each other in a circle. The coalesce is there for that: it
-- keeps the planner from the index of what is due, which it would rather follow while it believes that little is due.
create or replace function kinora.video_claim(
  p_user_ids uuid[], p_ids uuid[], p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns setof kinora.video
language sql
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
begin atomic
  update kinora.video v
  set lease_id = p_lease, lease_until = p_lease_until, due_at = p_lease_until
  from unnest(p_user_ids, p_ids) as due (user_id, id)
  where v.user_id = due.user_id and v.id = due.id and coalesce(v.due_at, 'infinity') <= p_now
  returning v.*;
end;

-- Keeps a lease that is still held. Answers false when it has passed to somebody else.
create or replace function kinora.video_renew(p_user_id uuid, p_id uuid, p_lease uuid, p_lease_until timestamptz)
returns boolean
language sql
begin atomic
  update kinora.video
  set lease_until = p_lease_until, due_at = p_lease_until
  where user_id = p_user_id and id = p_id and lease_id = p_lease
  returning true;
end;

-- Ends a lease and makes the row due again at p_due_at: nothing came of the step, or it has to be tried again.
create or replace function kinora.video_defer(
  p_user_id uuid, p_id uuid, p_lease uuid, p_attempt integer, p_due_at timestamptz, p_event text, p_detail text,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  update kinora.video
  set lease_id = null, lease_until = null, attempt = p_attempt, due_at = p_due_at
  where user_id = p_user_id and id = p_id and lease_id = p_lease
  returning * into v_video;
  if found and p_event is not null then
    perform kinora.video_note(v_video, p_event, p_detail, p_now);
  end if;
  return v_video.id is not null;
end
$$;
