-- The life of a video after video_generate.sql, in the order it happens: one function for each step. A step decides
-- what it does to the row and touches no table; video_apply.sql locks, decides and writes for a whole set of steps.
-- Invariants: a step that finds the row in another state than it expects changes nothing, so each may be repeated; the
-- decision that makes a video final also settles or releases its credits.
--
-- The combiner repeats a call whose connection was lost, with the same time. When the first one was committed, a step
-- whose caller needs to know returns its outcome: begin_submit, accept, complete, cancel. The others may find the state
-- that they left themselves, and return 'stale', 'final' or 'unchanged', on which their callers act as on that outcome.
--
-- A worker reports under the lease it claimed the row with; a lease that has passed on makes the report 'stale'. A
-- provider's report carries no lease but the provider's name and its task id. A step is called with the locked row; all
-- attributes are null when there is no such video. Progress and the log are in video_row.sql.

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

-- Returns whether the step has the lease of the video and, with p_status, the video has this status.
create or replace function kinora.video_has_lease(p_video kinora.video, p_step kinora.video_step, p_status text default null)
returns boolean
language sql immutable
return (p_video).lease_id is not distinct from (p_step).lease and (p_status is null or (p_video).status = p_status);

-- Ends the lease of a video, if there is one: the row is due again at p_due_at, or never when that is null.
create or replace function kinora.video_end_lease(p_video kinora.video, p_due_at timestamptz) returns kinora.video
language plpgsql immutable
as $$
begin
  p_video.lease_id := null;
  p_video.lease_until := null;
  p_video.due_at := p_due_at;
  return p_video;
end
$$;

-- Renews a lease. outcome: 'renewed', 'stale' (the lease has passed on or the video is final).
create or replace function kinora.video_step_renew_lease(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if not kinora.video_has_lease(p_video, p_step) then
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
  if not kinora.video_has_lease(p_video, p_step) then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.attempt := p_step.attempt;
  p_video := kinora.video_end_lease(p_video, p_step.due_at);
  return kinora.video_changed(p_video, 'deferred', p_step.entry, p_step.detail);
end
$$;

-- Records that the task is about to be sent to the provider, by which route. Until the outcome of the submit is
-- recorded it is unknown whether the provider has the task, and it is not sent a second time, unless the provider is
-- certain that it has none. providers, provider_index: where it is sent, when that has changed. outcome: 'begun',
-- 'stale' (lease lost, sent before, or it waits for its place).
create or replace function kinora.video_step_begin_submit(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if not kinora.video_has_lease(p_video, p_step, 'PENDING') then
    return kinora.video_unchanged(p_video, 'stale');
  elsif p_video.submitted_at = p_now then
    -- The same call again, after its connection was lost: the task was not sent yet.
    return kinora.video_unchanged(p_video, 'begun');
  elsif p_video.submitted_at is not null or p_video.is_waiting then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.submitted_at := p_now;
  p_video.route_model := p_step.route_model;
  p_video.catalogue_usd := p_step.catalogue_usd;
  p_video.unit_rates := p_step.unit_rates;
  p_video.providers := coalesce(p_step.providers, p_video.providers);
  p_video.provider_index := coalesce(p_step.provider_index, p_video.provider_index);
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
  if not kinora.video_has_lease(p_video, p_step, 'PENDING') or p_video.provider_task_id is not null then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.submitted_at := null;
  p_video.providers := coalesce(p_step.providers, p_video.providers);
  p_video.provider_index := p_step.provider_index;
  p_video.provider_handle := null;
  p_video.attempt := p_step.attempt;
  p_video := kinora.video_end_lease(p_video, p_step.due_at);
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
  p_video.provider_handle := p_step.handle;
  p_video.accepted_at := p_now;
  p_video := kinora.video_note_task(p_video, p_step);
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.deadline_at := p_deadline_at;
  p_video := kinora.video_end_lease(p_video, p_step.due_at);
  p_video.attempt := 0;
  p_video.updated_at := p_now;
  return kinora.video_changed(
    p_video, p_outcome, 'accepted', p_video.providers[p_video.provider_index] || ' ' || p_step.task_id, p_step.task_id
  );
end
$$;

-- The provider's response to the submit: it accepted the task. Needs no lease: the task exists, even when the lease was
-- lost. outcome: 'accepted' (PENDING to GENERATING), 'recorded' (an early callback has moved the video; its task id is
-- completed), 'not_found' (no such video, or it was never sent).
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
  if p_video.provider_task_id = p_step.task_id then
    p_video.provider_handle := coalesce(p_step.handle, p_video.provider_handle);
  end if;
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

-- A worker polled the provider, and the task is still running, finished without a film so far, or unknown there: due
-- again at due_at. outcome: 'scheduled', 'stale' (lease lost).
create or replace function kinora.video_step_reschedule_poll(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if not kinora.video_has_lease(p_video, p_step, 'GENERATING') then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video := kinora.video_note_task(p_video, p_step);
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.result_at := case when p_step.is_finished then coalesce(p_video.result_at, p_now) end;
  p_video.lost_at := case when p_step.is_lost then coalesce(p_video.lost_at, p_now) end;
  p_video.attempt := p_step.attempt;
  p_video := kinora.video_end_lease(p_video, p_step.due_at);
  p_video.updated_at := p_now;
  return kinora.video_changed(
    p_video, 'scheduled', case when p_step.is_finished then 'finished without a film' end, p_is_once => true
  );
end
$$;

-- Returns why a provider's report changes nothing, or null when it is about this video's task and can still change it:
-- 'final', 'other_task' (not the recorded task id; before the end also not the recorded provider, or never sent),
-- 'not_found'. A final video accepts a late report of an earlier provider, which would repeat a refused one for
-- nothing; another task id is refused even then.
create or replace function kinora.video_match_report(p_video kinora.video, p_step kinora.video_step) returns text
language sql immutable
return case
  when (p_video).id is null then 'not_found'
  when (p_step).task_id <> (p_video).provider_task_id then 'other_task'
  when (p_video).status in ('COMPLETED', 'FAILED') then 'final'
  when (p_step).provider <> (p_video).providers[(p_video).provider_index] then 'other_task'
  when (p_video).submitted_at is null then 'other_task'
end;

-- A callback reports that the task is still running. While the response to the submit is outstanding or lost, the
-- callback also reports the acceptance and the task id: PENDING to GENERATING, with the model's deadline counted from
-- now on. outcome: 'running', 'unchanged', 'final', 'other_task', 'not_found'.
create or replace function kinora.video_step_report_progress(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
declare
  v_match text := kinora.video_match_report(p_video, p_step);
begin
  if v_match is not null then
    return kinora.video_unchanged(p_video, v_match);
  elsif p_video.status = 'PENDING' and p_step.task_id is not null then
    return kinora.video_to_generating(
      p_video, p_step, 'running', p_video.deadline_at + (p_now - p_video.created_at), p_now
    );
  elsif p_video.status <> 'GENERATING' then
    return kinora.video_unchanged(p_video, 'unchanged');
  end if;
  -- The lease stays: a worker may be polling at this moment.
  p_video := kinora.video_note_task(p_video, p_step);
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.updated_at := p_now;
  return kinora.video_changed(p_video, 'running');
end
$$;

-- The task may have changed, as a callback tells, or be about to end: it is polled at once, from the shortest pause on.
-- A worker that is polling it loses its lease, because it may have asked before. It also reports the acceptance, as
-- progress does. outcome: 'scheduled', 'running' (PENDING to GENERATING), 'unchanged', 'final', 'other_task',
-- 'not_found'.
create or replace function kinora.video_step_poll_now(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
declare
  v_match text := kinora.video_match_report(p_video, p_step);
begin
  if p_video.status = 'PENDING' then
    return kinora.video_step_report_progress(p_video, p_step, p_now);
  elsif v_match is not null then
    return kinora.video_unchanged(p_video, v_match);
  elsif p_video.status <> 'GENERATING' then
    return kinora.video_unchanged(p_video, 'unchanged');
  end if;
  p_video.attempt := 0;
  p_video := kinora.video_end_lease(p_video, p_now);
  return kinora.video_changed(p_video, 'scheduled', p_step.entry, p_step.detail, p_is_once => true);
end
$$;

-- The provider has finished the film: to UPLOADING, due at once. A late result of a FAILED video is logged and not
-- charged. outcome: 'uploading', 'unchanged' (the link is known), 'final', 'other_task', 'not_found'.
create or replace function kinora.video_step_report_result(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
declare
  v_match text := kinora.video_match_report(p_video, p_step);
  v_new_task_id constant text := case when p_video.provider_task_id is null then p_step.task_id end;
begin
  if v_match = 'final' and p_video.status = 'FAILED' then
    return kinora.video_unchanged(p_video, 'final', 'late result', 'not charged');
  elsif v_match is not null then
    return kinora.video_unchanged(p_video, v_match);
  elsif p_video.status = 'UPLOADING' then
    return kinora.video_step_add_link(p_video, p_step, p_now);
  end if;
  p_video.status := 'UPLOADING';
  p_video.provider_task_id := coalesce(p_video.provider_task_id, p_step.task_id);
  p_video.accepted_at := coalesce(p_video.accepted_at, p_video.submitted_at);
  p_video := kinora.video_note_task(p_video, p_step);
  p_video.provider_handle := coalesce(p_video.provider_handle, p_step.handle);
  p_video.result_at := p_now;
  p_video.result_url := p_step.url;
  p_video.attempt := 0;
  p_video := kinora.video_end_lease(p_video, p_now);
  p_video.updated_at := p_now;
  return kinora.video_changed(p_video, 'uploading', 'result', p_step.provider, v_new_task_id);
end
$$;

-- Another link to the film of an UPLOADING video. When result_url could not be used, the new link is tried at once;
-- while result_url is being tried or was not tried yet, the new link is tried after it. outcome: 'uploading' (the link
-- is new), 'unchanged'.
create or replace function kinora.video_step_add_link(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_step.url in (p_video.result_url, p_video.other_result_url) then
    return kinora.video_unchanged(p_video, 'unchanged');
  end if;
  if p_video.attempt > 0 and p_video.lease_id is null then
    p_video.other_result_url := p_video.result_url;
    p_video.result_url := p_step.url;
    p_video.attempt := 0;
    p_video.due_at := p_now;
  else
    -- The lease stays: a worker may be downloading from result_url.
    p_video.other_result_url := p_step.url;
  end if;
  p_video.updated_at := p_now;
  return kinora.video_changed(p_video, 'uploading', 'another result', p_is_once => true);
end
$$;

-- result_url could not be used: ends the lease and makes the row due at due_at with the other link. The first link is
-- tried again after that one if is_retryable.
-- outcome: 'switched', 'no_other' (there is no other link; the lease stays), 'stale' (lease lost).
create or replace function kinora.video_step_switch_link(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
declare
  v_failed_url text := p_video.result_url;
begin
  if not kinora.video_has_lease(p_video, p_step, 'UPLOADING') then
    return kinora.video_unchanged(p_video, 'stale');
  elsif p_video.other_result_url is null then
    return kinora.video_unchanged(p_video, 'no_other');
  end if;
  p_video.result_url := p_video.other_result_url;
  p_video.other_result_url := case when p_step.is_retryable then v_failed_url end;
  p_video.attempt := p_video.attempt + 1;
  p_video := kinora.video_end_lease(p_video, p_step.due_at);
  return kinora.video_changed(p_video, 'switched', 'not collected yet', p_step.detail);
end
$$;

-- Records the keys under which a worker is about to store the film (video_write_files does); the sweep removes them
-- after due_at, unless the video was completed with them or the lease is still valid. outcome: 'recorded', 'stale'
-- (lease lost).
create or replace function kinora.video_step_begin_store(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  -- video_apply.sql records the files: p_step.video_key, p_step.thumbnail_key, p_step.manifest_key, p_step.due_at.
  if not kinora.video_has_lease(p_video, p_step, 'UPLOADING') then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  return kinora.video_unchanged(p_video, 'recorded');
end
$$;

-- The film is stored: COMPLETED, and what it costs is settled, the rest released.
-- outcome: 'completed' (by this call or an earlier one with the same files), 'stale' (lease lost).
create or replace function kinora.video_step_complete(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql stable
as $$
begin
  if p_video.status = 'COMPLETED' and p_video.video_key = p_step.video_key then
    return kinora.video_unchanged(p_video, 'completed');
  end if;
  if not kinora.video_has_lease(p_video, p_step, 'UPLOADING') then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  -- video_apply.sql writes p_step.provenance.
  p_video := kinora.video_note_task(p_video, p_step);
  p_video.status := 'COMPLETED';
  p_video.video_key := p_step.video_key;
  p_video.thumbnail_key := p_step.thumbnail_key;
  p_video.manifest_key := p_step.manifest_key;
  p_video.size_bytes := p_step.size_bytes;
  p_video.film_duration_s := p_step.duration_s;
  p_video.film_width := p_step.width;
  p_video.film_height := p_step.height;
  p_video.credits := kinora.video_cost(p_video.credits, p_video.second_rate, p_step.duration_s);
  p_video.completed_at := kinora.time_of_grant(p_now);
  p_video.updated_at := p_now;
  p_video := kinora.video_end_lease(p_video, null);
  return kinora.video_changed(p_video, 'completed', 'completed', p_credits => 'settle', p_grace_s => p_step.grace_s);
end
$$;

-- Moves a video to FAILED, with the credits released.
create or replace function kinora.video_to_failed(
  p_video kinora.video, p_outcome text, p_error_code text, p_error text, p_entry text, p_detail text, p_task_id text,
  p_grace_s integer, p_now timestamptz
) returns kinora.video_decision
language plpgsql stable
as $$
begin
  p_video.progress := kinora.video_progress_seen(p_video, p_now);
  p_video.status := 'FAILED';
  p_video.error_code := p_error_code;
  p_video.error := p_error;
  p_video.completed_at := kinora.time_of_grant(p_now);
  p_video.updated_at := p_now;
  p_video := kinora.video_end_lease(p_video, null);
  return kinora.video_changed(p_video, p_outcome, p_entry, p_detail, p_task_id, 'release', p_grace_s);
end
$$;

-- A worker gives up under its lease: FAILED, and the credits are released.
-- outcome: 'failed', 'final', 'stale' (lease lost), 'not_found'.
create or replace function kinora.video_step_fail(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql stable
as $$
begin
  if p_video.id is null then
    return kinora.video_unchanged(p_video, 'not_found');
  elsif p_video.due_at is null then
    return kinora.video_unchanged(p_video, 'final');
  elsif not kinora.video_has_lease(p_video, p_step) then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  return kinora.video_to_failed(
    p_video, 'failed', p_step.error_code, p_step.error, 'failed', p_step.error_code || ': ' || p_step.error, null,
    p_step.grace_s, p_now
  );
end
$$;

-- The provider reports that the generation failed or was cancelled: FAILED, and the credits are released. After a
-- reported result the report is logged as contradicted and changes nothing: the film itself decides. outcome: 'failed',
-- 'cancelled' (the error code is CANCELLED), 'unchanged' (a result is being collected), 'final', 'other_task',
-- 'not_found'.
create or replace function kinora.video_step_report_failure(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql stable
as $$
declare
  v_match text := kinora.video_match_report(p_video, p_step);
  v_outcome text := case p_step.error_code when 'CANCELLED' then 'cancelled' else 'failed' end;
begin
  if v_match in ('not_found', 'other_task') or p_video.status = 'FAILED' then
    return kinora.video_unchanged(p_video, v_match);
  elsif p_video.status in ('UPLOADING', 'COMPLETED') then
    return kinora.video_unchanged(
      p_video, case v_match when 'final' then 'final' else 'unchanged' end, 'contradicted', p_step.error
    );
  end if;
  p_video.provider_task_id := coalesce(p_video.provider_task_id, p_step.task_id);
  p_video := kinora.video_note_task(p_video, p_step);
  return kinora.video_to_failed(
    p_video, v_outcome, p_step.error_code, p_step.error, v_outcome, p_step.error_code || ': ' || p_step.error,
    p_step.task_id, p_step.grace_s, p_now
  );
end
$$;

-- The owner cancels: FAILED, the credits released, until a worker begins to send the task; a cut, until it is stored.
-- outcome: 'cancelled' (by this call or an earlier one), 'submitted' (a provider has it or may), 'final', 'not_found'.
create or replace function kinora.video_step_cancel(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql stable
as $$
begin
  if p_video.id is null or p_video.deleted_at is not null then
    return kinora.video_unchanged(p_video, 'not_found');
  elsif p_video.error_code = 'CANCELLED' then
    return kinora.video_unchanged(p_video, 'cancelled');
  elsif p_video.due_at is null then
    return kinora.video_unchanged(p_video, 'final');
  elsif p_video.model <> 'cut' and (p_video.status <> 'PENDING' or p_video.submitted_at is not null) then
    return kinora.video_unchanged(p_video, 'submitted');
  end if;
  return kinora.video_to_failed(
    p_video, 'cancelled', 'CANCELLED', p_step.error, 'cancelled', null, null, p_step.grace_s, p_now
  );
end
$$;

-- The owner deletes the video softly. Its status, its ledger rows and a generation that is still running are left
-- alone. outcome: 'deleted', 'not_found' (unknown, of another user, or deleted before: of several deletes one succeeds,
-- so that a repetition after a lost connection does not).
create or replace function kinora.video_step_delete(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
begin
  if p_video.id is null or p_video.deleted_at is not null then
    return kinora.video_unchanged(p_video, 'not_found');
  end if;
  p_video.deleted_at := p_now;
  p_video.updated_at := p_now;
  return kinora.video_changed(p_video, 'deleted');
end
$$;
