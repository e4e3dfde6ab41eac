-- The life of a video, in the order it happens. Invariant: status and credits move in one transaction; a function that
-- finds the row in another state than it expects changes nothing, so each may be called again.
--
-- A worker reports under the lease it claimed the row with; a lease that has passed on makes the report 'stale'.
-- A provider's report carries no lease but the provider's name and its task id.
-- Lock order: functions that move credits lock the account before the video, so they cannot deadlock.
--
-- One file although it is long: the states of a video are one state machine, and a change of one transition can only be
-- judged beside the others. What moves no status is in video_row.sql.

-- Creates a video and freezes its credits. p_start_image_id names the user's uploaded image, if the video starts from one.
-- outcome: 'created'; 'replayed' (idempotent replay: same key and request, or same id); 'key_reused' (same key, another
-- request); 'image_link_expired', 'image_gone'; 'insufficient'; 'too_many' (the cap on videos in progress is reached).
-- Only 'created' creates a video. A start image that is still stored is kept for longer, also when its check is followed by
-- 'insufficient' or 'too_many'.
create or replace function kinora.video_generate(
  p_user_id uuid, p_id uuid, p_now timestamptz, p_prompt text, p_model text, p_duration_s integer, p_aspect_ratio text,
  p_quality text, p_start_image_url text, p_start_image_id uuid, p_start_image_link_expired boolean,
  p_start_image_due_at timestamptz, p_credits bigint, p_providers text[], p_usual_s integer, p_deadline_at timestamptz,
  p_max_in_progress integer, p_key text, p_request_hash bytea,
  out outcome text, out available bigint, out id uuid, out model text, out credits bigint, out created_at timestamptz
)
language plpgsql
as $$
declare
  v_key kinora.idempotency_key;
begin
  perform kinora.check_clock(p_now);
  if p_key is not null or p_start_image_id is not null then
    -- Of two requests with one key the second waits here and then finds the video that the first has created.
    -- With an image the account is locked first too: every path locks account, then image.
    perform kinora.credit_lock(p_user_id, p_now);
  end if;
  if p_key is not null then
    select * into v_key
    from kinora.idempotency_key k
    where k.user_id = p_user_id and k.operation = 'video.generate' and k.key = p_key;
    if found then
      outcome := case when v_key.request_hash = p_request_hash then 'replayed' else 'key_reused' end;
      select v.id, v.model, v.credits, v.created_at into id, model, credits, created_at
      from kinora.video v
      where v.user_id = p_user_id and v.id = v_key.subject_id;
      return;
    end if;
  end if;

  if p_start_image_id is not null then
    if p_start_image_link_expired then
      outcome := 'image_link_expired';
      return;
    end if;
    if not kinora.start_image_extend(p_user_id, p_start_image_id, p_start_image_due_at) then
      outcome := 'image_gone';
      return;
    end if;
  end if;

  select f.outcome, f.available into outcome, available
  from kinora.credit_freeze(
    p_user_id, p_id, p_credits, p_now, p_model || ', ' || p_duration_s || ' s', p_max_in_progress
  ) f;
  if outcome <> 'frozen' then
    return;
  end if;

  insert into kinora.video (
    user_id, id, prompt, model, duration_s, aspect_ratio, quality, start_image_url, credits, providers, usual_s,
    created_at, updated_at, due_at, deadline_at
  ) values (
    p_user_id, p_id, p_prompt, p_model, p_duration_s, p_aspect_ratio, p_quality, p_start_image_url, p_credits,
    p_providers, p_usual_s, p_now, p_now, p_now, p_deadline_at
  )
  on conflict on constraint video_pkey do nothing;
  outcome := case when found then 'created' else 'replayed' end;

  if p_key is not null then
    insert into kinora.idempotency_key (
      user_id, operation, key, request_hash, subject_user_id, subject_id, created_at
    ) values (
      p_user_id, 'video.generate', p_key, p_request_hash, p_user_id, p_id, p_now
    );
  end if;

  id := p_id;
  model := p_model;
  credits := p_credits;
  created_at := p_now;
end
$$;

-- Records that the task is about to be sent to the provider. Until the outcome of the submit is recorded it is unknown
-- whether the provider has the task, and it is never sent a second time.
-- outcome: 'begun', 'stale' (lease lost, or sent before).
create or replace function kinora.video_begin_submit(p_user_id uuid, p_id uuid, p_lease uuid, p_now timestamptz)
returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.video
  set submitted_at = p_now
  where user_id = p_user_id and id = p_id and lease_id = p_lease and status = 'PENDING' and submitted_at is null;
  return case when found then 'begun' else 'stale' end;
end
$$;

-- The provider certainly did not accept the task: it becomes due again at p_due_at, for the provider at p_provider_index.
-- outcome: 'scheduled', 'stale' (lease lost, or accepted meanwhile).
create or replace function kinora.video_retry_submit(
  p_user_id uuid, p_id uuid, p_lease uuid, p_provider_index integer, p_attempt integer, p_due_at timestamptz,
  p_reason text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video := kinora.video_lock_leased(p_user_id, p_id, p_lease);
begin
  perform kinora.check_clock(p_now);
  if v_video.status is distinct from 'PENDING' or v_video.provider_task_id is not null then
    return 'stale';
  end if;
  v_video.submitted_at := null;
  v_video.provider_index := p_provider_index;
  v_video.attempt := p_attempt;
  v_video.due_at := p_due_at;
  perform kinora.video_save(v_video);
  perform kinora.video_log_add(v_video, 'not accepted', p_reason, p_now);
  return 'scheduled';
end
$$;

-- PENDING to GENERATING, for a row that the caller has locked: the provider has the task, to be polled from p_due_at on.
create or replace function kinora.video_start_generating(
  p_video kinora.video, p_task_id text, p_progress integer, p_due_at timestamptz, p_deadline_at timestamptz,
  p_now timestamptz
) returns void
language plpgsql
as $$
begin
  p_video.status := 'GENERATING';
  p_video.provider_task_id := p_task_id;
  p_video.accepted_at := p_now;
  p_video.progress := kinora.video_raise_progress(p_video, p_progress, p_now);
  p_video.deadline_at := p_deadline_at;
  p_video.due_at := p_due_at;
  p_video.attempt := 0;
  p_video.updated_at := p_now;
  perform kinora.video_save(p_video);
  perform kinora.video_route_task(p_video, p_task_id);
  perform kinora.video_log_add(
    p_video, 'accepted', p_video.providers[p_video.provider_index] || ' ' || p_task_id, p_now
  );
end
$$;

-- The provider's response to the submit: it accepted the task. Needs no lease: the task exists, even when the lease was lost.
-- outcome: 'accepted' (PENDING to GENERATING), 'recorded' (an early callback has moved the video; its task id is completed),
-- 'not_found' (no such video, or it was never sent).
create or replace function kinora.video_accept(
  p_user_id uuid, p_id uuid, p_task_id text, p_due_at timestamptz, p_deadline_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.check_clock(p_now);
  select * into v_video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  if v_video.submitted_at is null then
    return 'not_found';
  end if;
  if v_video.status = 'PENDING' then
    perform kinora.video_start_generating(v_video, p_task_id, null, p_due_at, p_deadline_at, p_now);
    return 'accepted';
  end if;
  update kinora.video
  set provider_task_id = coalesce(provider_task_id, p_task_id),
      accepted_at = coalesce(accepted_at, p_now),
      updated_at = p_now
  where user_id = p_user_id and id = p_id
  returning * into v_video;
  perform kinora.video_route_task(v_video, p_task_id);
  perform kinora.video_log_add(
    v_video, case when v_video.provider_task_id = p_task_id then 'accepted' else 'accepted as another task' end,
    v_video.providers[v_video.provider_index] || ' ' || p_task_id, p_now
  );
  return 'recorded';
end
$$;

-- A worker polled the provider, and the task is still running: due again at p_due_at.
-- outcome: 'scheduled', 'stale' (lease lost).
create or replace function kinora.video_reschedule_poll(
  p_user_id uuid, p_id uuid, p_lease uuid, p_progress integer, p_attempt integer, p_due_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video := kinora.video_lock_leased(p_user_id, p_id, p_lease);
begin
  perform kinora.check_clock(p_now);
  if v_video.status is distinct from 'GENERATING' then
    return 'stale';
  end if;
  v_video.progress := kinora.video_raise_progress(v_video, p_progress, p_now);
  v_video.attempt := p_attempt;
  v_video.due_at := p_due_at;
  v_video.updated_at := p_now;
  perform kinora.video_save(v_video);
  return 'scheduled';
end
$$;

-- Locks the row for a provider's report and returns whether the report is about this video's task and can still change it.
-- match: 'open', 'final', 'other_task' (not the recorded provider or task id, or never sent), 'not_found'.
create or replace function kinora.video_lock_reported(
  p_user_id uuid, p_id uuid, p_provider text, p_task_id text, out match text, out video kinora.video
)
language plpgsql
as $$
begin
  select * into video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  match := case
    when not found then 'not_found'
    when p_provider <> video.providers[video.provider_index] then 'other_task'
    when p_task_id <> video.provider_task_id then 'other_task'
    when video.submitted_at is null then 'other_task'
    when video.status in ('COMPLETED', 'FAILED') then 'final'
    else 'open'
  end;
end
$$;

-- A callback reports that the task is still running. While the response to the submit is outstanding or lost, the callback
-- also reports the acceptance and the task id: PENDING to GENERATING, with the model's deadline counted from now on.
-- outcome: 'running', 'unchanged', 'final', 'other_task', 'not_found'.
create or replace function kinora.video_report_progress(
  p_user_id uuid, p_id uuid, p_provider text, p_task_id text, p_progress integer, p_due_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_report record := kinora.video_lock_reported(p_user_id, p_id, p_provider, p_task_id);
  v_video kinora.video := v_report.video;
begin
  perform kinora.check_clock(p_now);
  if v_report.match <> 'open' then
    return v_report.match;
  end if;
  if v_video.status = 'PENDING' and p_task_id is not null then
    perform kinora.video_start_generating(
      v_video, p_task_id, p_progress, p_due_at, v_video.deadline_at + (p_now - v_video.created_at), p_now
    );
    return 'running';
  end if;
  if v_video.status <> 'GENERATING' then
    return 'unchanged';
  end if;
  -- The lease stays: a worker may be polling at this moment.
  update kinora.video
  set progress = kinora.video_raise_progress(v_video, p_progress, p_now), updated_at = p_now
  where user_id = p_user_id and id = p_id;
  return 'running';
end
$$;

-- The provider has finished the film: to UPLOADING, due at once. A late result of a FAILED video is logged and not charged.
-- outcome: 'uploading', 'unchanged' (the link is known), 'final', 'other_task', 'not_found'.
create or replace function kinora.video_report_result(
  p_user_id uuid, p_id uuid, p_provider text, p_task_id text, p_url text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_report record := kinora.video_lock_reported(p_user_id, p_id, p_provider, p_task_id);
  v_video kinora.video := v_report.video;
begin
  perform kinora.check_clock(p_now);
  if v_report.match = 'final' and v_video.status = 'FAILED' then
    perform kinora.video_log_add_once(v_video, 'late result', 'not charged', p_now);
  end if;
  if v_report.match <> 'open' then
    return v_report.match;
  end if;
  if v_video.status = 'UPLOADING' then
    return kinora.video_add_link(v_video, p_url, p_now);
  end if;
  v_video.status := 'UPLOADING';
  v_video.provider_task_id := coalesce(v_video.provider_task_id, p_task_id);
  v_video.accepted_at := coalesce(v_video.accepted_at, v_video.submitted_at);
  v_video.result_at := p_now;
  v_video.result_url := p_url;
  v_video.attempt := 0;
  v_video.due_at := p_now;
  v_video.updated_at := p_now;
  perform kinora.video_save(v_video);
  perform kinora.video_route_task(v_video, p_task_id);
  perform kinora.video_log_add(v_video, 'result', p_provider, p_now);
  return 'uploading';
end
$$;

-- The film is stored: COMPLETED, and the credits are settled.
-- outcome: 'completed', 'stale' (lease lost).
create or replace function kinora.video_complete(
  p_user_id uuid, p_id uuid, p_lease uuid, p_video_key text, p_thumbnail_key text, p_size_bytes bigint,
  p_duration_s double precision, p_width integer, p_height integer, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  v_video := kinora.video_lock_leased(p_user_id, p_id, p_lease);
  if v_video.status is distinct from 'UPLOADING' then
    return 'stale';
  end if;
  v_video.status := 'COMPLETED';
  v_video.video_key := p_video_key;
  v_video.thumbnail_key := p_thumbnail_key;
  v_video.size_bytes := p_size_bytes;
  v_video.film_duration_s := p_duration_s;
  v_video.film_width := p_width;
  v_video.film_height := p_height;
  v_video.completed_at := p_now;
  v_video.updated_at := p_now;
  v_video.due_at := null;
  perform kinora.video_save(v_video);
  delete from kinora.video_file where user_id = p_user_id and video_id = p_id and lease_id = p_lease;
  if kinora.credit_settle(p_user_id, p_id, p_now) is distinct from 'settled' then
    raise exception 'the credits of video % are not frozen and cannot be settled', p_id;
  end if;
  perform kinora.video_log_add(v_video, 'completed', null, p_now);
  return 'completed';
end
$$;

-- To FAILED with the credits released, for an account and a row that the caller has locked.
create or replace function kinora.video_fail_and_release(
  p_video kinora.video, p_error_code text, p_error text, p_grace interval, p_now timestamptz
) returns void
language plpgsql
as $$
begin
  p_video.progress := kinora.video_progress_seen(p_video, p_now);
  p_video.status := 'FAILED';
  p_video.error_code := p_error_code;
  p_video.error := p_error;
  p_video.completed_at := p_now;
  p_video.updated_at := p_now;
  p_video.due_at := null;
  perform kinora.video_save(p_video);
  if kinora.credit_release(p_video.user_id, p_video.id, p_now, p_grace, p_error) is distinct from 'released' then
    raise exception 'the credits of video % are not frozen and cannot be released', p_video.id;
  end if;
end
$$;

-- A worker gives up under its lease: FAILED, and the credits are released.
-- outcome: 'failed', 'final', 'stale' (lease lost), 'not_found'.
create or replace function kinora.video_fail(
  p_user_id uuid, p_id uuid, p_lease uuid, p_error_code text, p_error text, p_grace interval, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  select * into v_video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  if not found then
    return 'not_found';
  elsif v_video.due_at is null then
    return 'final';
  elsif v_video.lease_id is distinct from p_lease then
    return 'stale';
  end if;
  perform kinora.video_fail_and_release(v_video, p_error_code, p_error, p_grace, p_now);
  perform kinora.video_log_add(v_video, 'failed', p_error_code || ': ' || p_error, p_now);
  return 'failed';
end
$$;

-- The provider reports that the generation failed: FAILED, and the credits are released. After a reported result the report
-- is logged as contradicted and changes nothing: the film itself decides.
-- outcome: 'failed', 'unchanged' (a result is being collected), 'final', 'other_task', 'not_found'.
create or replace function kinora.video_report_failure(
  p_user_id uuid, p_id uuid, p_provider text, p_task_id text, p_error text, p_grace interval, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_report record;
  v_video kinora.video;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  v_report := kinora.video_lock_reported(p_user_id, p_id, p_provider, p_task_id);
  v_video := v_report.video;
  if v_report.match in ('not_found', 'other_task') or v_video.status = 'FAILED' then
    return v_report.match;
  end if;
  if v_video.status in ('UPLOADING', 'COMPLETED') then
    perform kinora.video_log_add_once(v_video, 'contradicted', p_error, p_now);
    return case v_report.match when 'final' then 'final' else 'unchanged' end;
  end if;
  v_video.provider_task_id := coalesce(v_video.provider_task_id, p_task_id);
  perform kinora.video_fail_and_release(v_video, 'PROVIDER_FAILED', p_error, p_grace, p_now);
  perform kinora.video_route_task(v_video, p_task_id);
  perform kinora.video_log_add(v_video, 'failed', 'PROVIDER_FAILED: ' || p_error, p_now);
  return 'failed';
end
$$;

-- The owner cancels: FAILED, and the credits are released, as long as no worker has begun to send the task to a provider.
-- outcome: 'cancelled' (by this call or an earlier one), 'submitted' (a provider has it or may have it), 'final', 'not_found'.
create or replace function kinora.video_cancel(
  p_user_id uuid, p_id uuid, p_error text, p_grace interval, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.check_clock(p_now);
  -- Checked before credit_lock, which would open an account for a user who has none.
  if not exists (select from kinora.video v where v.user_id = p_user_id and v.id = p_id) then
    return 'not_found';
  end if;
  perform kinora.credit_lock(p_user_id, p_now);
  select * into v_video
  from kinora.video
  where user_id = p_user_id and id = p_id and deleted_at is null
  for no key update;
  if not found then
    return 'not_found';
  elsif v_video.error_code = 'CANCELLED' then
    return 'cancelled';
  elsif v_video.due_at is null then
    return 'final';
  elsif v_video.status <> 'PENDING' or v_video.submitted_at is not null then
    return 'submitted';
  end if;
  perform kinora.video_fail_and_release(v_video, 'CANCELLED', p_error, p_grace, p_now);
  perform kinora.video_log_add(v_video, 'cancelled', null, p_now);
  return 'cancelled';
end
$$;

-- Soft-deletes a video. Its status, its ledger rows and a generation that is still running are left alone.
-- outcome: 'deleted', 'not_found' (unknown, of another user, or deleted before).
create or replace function kinora.video_delete(p_user_id uuid, p_id uuid, p_now timestamptz) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.video
  set deleted_at = p_now, updated_at = p_now
  where user_id = p_user_id and id = p_id and deleted_at is null;
  return case when found then 'deleted' else 'not_found' end;
end
$$;
