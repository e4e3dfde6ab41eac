-- The life of a video after video_generate.sql, in the order it happens: one function for each step. This file: leases, the submit,
-- and GENERATING (polls, reported progress); video_end.sql continues with the result. A step decides what it does to the row and
-- touches no table; video_apply.sql locks, decides and writes for a whole set of steps. Invariant: a step that finds the row in
-- another state than it expects changes nothing, so each may be repeated.
--
-- The combiner repeats a call whose connection was lost, with the same time. When the first one was committed, a step whose caller
-- needs to know returns the outcome of the first: begin_submit, accept, complete, cancel. The others may find the state that
-- they left themselves, and return 'stale', 'final' or 'unchanged'; their callers do then what they do after the outcome of the
-- first.
--
-- A worker reports under the lease it claimed the row with; a lease that has passed on makes the report 'stale'.
-- A provider's report carries no lease but the provider's name and its task id.
-- A step is called with the locked row; all attributes are null when there is no such video.
-- Progress and the log are in video_row.sql.

-- A decision that changes nothing.
create or replace function kinora.video_unchanged(
  p_video kinora.video, p_outcome text, p_entry text default null, p_detail text default null
) returns kinora.video_decision
language sql immutable
return row(p_outcome, p_video, false, p_entry, p_detail, true, null, null, null)::kinora.video_decision;

-- A decision that changes the row.
create or replace function kinora.video_changed(
  p_video kinora.video, p_outcome text, p_entry text default null, p_detail text default null,
  p_task_id text default null, p_credits text default null, p_grace_s integer default null, p_is_once boolean default false
) returns kinora.video_decision
language sql immutable
return row(
  p_outcome, p_video, true, p_entry, p_detail, p_is_once, p_task_id, p_credits, p_grace_s
)::kinora.video_decision;

-- Renews a lease.
-- outcome: 'renewed', 'stale' (the lease has passed on or the video is final).
create or replace function kinora.video_step_renew_lease(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.lease_id is distinct from p_step.lease then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.lease_until := p_step.lease_until;
  p_video.due_at := p_step.lease_until;
  return kinora.video_changed(p_video, 'renewed');
end
$$;

-- Ends a lease and makes the row due again at due_at, because the step was interrupted or has to be repeated.
-- outcome: 'deferred', 'stale' (lease lost).
create or replace function kinora.video_step_defer(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.lease_id is distinct from p_step.lease then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.lease_id := null;
  p_video.lease_until := null;
  p_video.attempt := p_step.attempt;
  p_video.due_at := p_step.due_at;
  return kinora.video_changed(p_video, 'deferred', p_step.entry, p_step.detail);
end
$$;

-- Records that the task is about to be sent to the provider. Until the outcome of the submit is recorded it is unknown
-- whether the provider has the task, and it is never sent a second time.
-- outcome: 'begun', 'stale' (lease lost, or sent before).
create or replace function kinora.video_step_begin_submit(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.lease_id is distinct from p_step.lease or p_video.status <> 'PENDING' then
    return kinora.video_unchanged(p_video, 'stale');
  elsif p_video.submitted_at = p_now then
    -- The same call again, after its connection was lost: the task was not sent yet.
    return kinora.video_unchanged(p_video, 'begun');
  elsif p_video.submitted_at is not null then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.submitted_at := p_now;
  return kinora.video_changed(p_video, 'begun');
end
$$;

-- The provider certainly did not accept the task: it becomes due again at due_at, for the provider at provider_index.
-- outcome: 'scheduled', 'stale' (lease lost, or accepted meanwhile).
create or replace function kinora.video_step_retry_submit(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.lease_id is distinct from p_step.lease or p_video.status <> 'PENDING' or p_video.provider_task_id is not null then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.lease_id := null;
  p_video.lease_until := null;
  p_video.submitted_at := null;
  p_video.provider_index := p_step.provider_index;
  p_video.attempt := p_step.attempt;
  p_video.due_at := p_step.due_at;
  return kinora.video_changed(p_video, 'scheduled', 'not accepted', p_step.detail);
end
$$;

-- PENDING to GENERATING: the provider has the task, to be polled from due_at on.
create or replace function kinora.video_to_generating(
  p_video kinora.video, p_step kinora.video_step, p_outcome text, p_deadline_at timestamptz, p_now timestamptz
) returns kinora.video_decision
language plpgsql immutable
as $$
begin
  p_video.status := 'GENERATING';
  p_video.provider_task_id := p_step.task_id;
  p_video.accepted_at := p_now;
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.deadline_at := p_deadline_at;
  p_video.due_at := p_step.due_at;
  p_video.lease_id := null;
  p_video.lease_until := null;
  p_video.attempt := 0;
  p_video.updated_at := p_now;
  return kinora.video_changed(
    p_video, p_outcome, 'accepted', p_video.providers[p_video.provider_index] || ' ' || p_step.task_id, p_step.task_id
  );
end
$$;

-- The provider's response to the submit: it accepted the task. Needs no lease: the task exists, even when the lease was lost.
-- outcome: 'accepted' (PENDING to GENERATING), 'recorded' (an early callback has moved the video; its task id is completed),
-- 'not_found' (no such video, or it was never sent).
create or replace function kinora.video_step_accept(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.submitted_at is null then
    return kinora.video_unchanged(p_video, 'not_found');
  elsif p_video.status = 'PENDING' then
    return kinora.video_to_generating(p_video, p_step, 'accepted', p_step.deadline_at, p_now);
  elsif p_video.provider_task_id = p_step.task_id and p_video.accepted_at = p_now then
    return kinora.video_unchanged(p_video, 'accepted');
  end if;
  p_video.provider_task_id := coalesce(p_video.provider_task_id, p_step.task_id);
  p_video.accepted_at := coalesce(p_video.accepted_at, p_now);
  p_video.updated_at := p_now;
  return kinora.video_changed(
    p_video, 'recorded',
    case when p_video.provider_task_id = p_step.task_id then 'accepted' else 'accepted as another task' end,
    p_video.providers[p_video.provider_index] || ' ' || p_step.task_id, p_step.task_id,
    -- A repetition is not recognised here: an early callback has set accepted_at.
    p_is_once => true
  );
end
$$;

-- A worker polled the provider, and the task is still running: due again at due_at.
-- outcome: 'scheduled', 'stale' (lease lost).
create or replace function kinora.video_step_reschedule_poll(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.lease_id is distinct from p_step.lease or p_video.status <> 'GENERATING' then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.lease_id := null;
  p_video.lease_until := null;
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.attempt := p_step.attempt;
  p_video.due_at := p_step.due_at;
  p_video.updated_at := p_now;
  return kinora.video_changed(p_video, 'scheduled');
end
$$;

-- Returns whether a provider's report is about this video's task and can still change it: 'open', 'final', 'other_task' (not the
-- recorded task id; before the end also not the recorded provider, or never sent), 'not_found'. A final video accepts a late report of
-- an earlier provider, which would repeat a refused one for nothing; another task id is refused even then.
create or replace function kinora.video_match_report(p_video kinora.video, p_step kinora.video_step) returns text
language sql immutable
return case
  when (p_video).id is null then 'not_found'
  when (p_step).task_id <> (p_video).provider_task_id then 'other_task'
  when (p_video).status in ('COMPLETED', 'FAILED') then 'final'
  when (p_step).provider <> (p_video).providers[(p_video).provider_index] then 'other_task'
  when (p_video).submitted_at is null then 'other_task'
  else 'open'
end;

-- A callback reports that the task is still running. While the response to the submit is outstanding or lost, the callback
-- also reports the acceptance and the task id: PENDING to GENERATING, with the model's deadline counted from now on.
-- outcome: 'running', 'unchanged', 'final', 'other_task', 'not_found'.
create or replace function kinora.video_step_report_progress(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
declare
  v_match text := kinora.video_match_report(p_video, p_step);
begin
  if v_match <> 'open' then
    return kinora.video_unchanged(p_video, v_match);
  elsif p_video.status = 'PENDING' and p_step.task_id is not null then
    return kinora.video_to_generating(
      p_video, p_step, 'running', p_video.deadline_at + (p_now - p_video.created_at), p_now
    );
  elsif p_video.status <> 'GENERATING' then
    return kinora.video_unchanged(p_video, 'unchanged');
  end if;
  -- The lease stays: a worker may be polling at this moment.
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.updated_at := p_now;
  return kinora.video_changed(p_video, 'running');
end
$$;
