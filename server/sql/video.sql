-- The life of a video, in the order it happens. Every change of status is a conditional update that finds the row in the
-- state it expects or changes nothing, and moves the credits in the same transaction.
--
-- What a worker reports carries the lease it claimed the row with; a report under a lease that has ended changes
-- nothing. What a provider reports carries no lease (p_lease null) but the provider's name and its task id.
-- Functions that move credits lock the account before the video, all of them, so they cannot deadlock.
--
-- One file although it is long: the states of a video are one machine, and whether a change of one is right can only be
-- seen beside the others. What moves no status is in video_row.sql.

-- Makes a video and freezes its credits.
-- outcome: 'created'; 'replayed' (same key, same request, or the same id: the first answer again); 'key_reused' (same
-- key, another request); 'insufficient'; 'too_many' (as many in progress as the operator allows). Only 'created' changes anything.
create or replace function kinora.video_generate(
  p_user_id uuid, p_id uuid, p_now timestamptz, p_prompt text, p_model text, p_duration_s integer, p_aspect_ratio text,
  p_quality text, p_start_image_url text, p_credits bigint, p_providers text[], p_usual_s integer,
  p_deadline_at timestamptz, p_max_in_progress integer, p_key text, p_request_hash bytea,
  out outcome text, out available bigint, out id uuid, out model text, out credits bigint, out created_at timestamptz
)
language plpgsql
as $$
declare
  v_key kinora.idempotency_key;
begin
  if p_key is not null then
    -- Of two requests with one key the second waits here, and then finds what the first has made.
    perform kinora.credit_lock(p_user_id, p_now);
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

-- Records that the task is about to leave for the provider. From here until an answer is recorded nobody knows whether
-- the provider has it, and it is not sent again.
create or replace function kinora.video_submitting(p_user_id uuid, p_id uuid, p_lease uuid, p_now timestamptz)
returns boolean
language sql
begin atomic
  update kinora.video
  set submitted_at = p_now
  where user_id = p_user_id and id = p_id and lease_id = p_lease and status = 'PENDING' and submitted_at is null
  returning true;
end;

-- The provider certainly did not take the task: it may be sent again, to the provider whose turn it now is.
create or replace function kinora.video_not_taken(
  p_user_id uuid, p_id uuid, p_lease uuid, p_turn integer, p_attempt integer, p_due_at timestamptz, p_reason text,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  update kinora.video
  set submitted_at = null, turn = p_turn, attempt = p_attempt, due_at = p_due_at, lease_id = null, lease_until = null
  where user_id = p_user_id and id = p_id and lease_id = p_lease and status = 'PENDING' and provider_task_id is null
  returning * into v_video;
  if found then
    perform kinora.video_note(v_video, 'not taken', p_reason, p_now);
  end if;
  return v_video.id is not null;
end
$$;

-- The provider took the task: PENDING to GENERATING. After an early callback only the task id is completed.
-- Answers the status afterwards.
create or replace function kinora.video_accepted(
  p_user_id uuid, p_id uuid, p_lease uuid, p_task_id text, p_due_at timestamptz, p_deadline_at timestamptz,
  p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  update kinora.video
  set provider_task_id = coalesce(provider_task_id, p_task_id),
      accepted_at = coalesce(accepted_at, p_now),
      status = case when status = 'PENDING' then 'GENERATING' else status end,
      deadline_at = case when status = 'PENDING' then p_deadline_at else deadline_at end,
      due_at = case when status = 'PENDING' then p_due_at else due_at end,
      attempt = case when status = 'PENDING' then 0 else attempt end,
      -- Another worker's lease on the row ends too while it is PENDING: what it would report is out of date.
      lease_id = case when status = 'PENDING' or lease_id = p_lease then null else lease_id end,
      lease_until = case when status = 'PENDING' or lease_id = p_lease then null else lease_until end,
      updated_at = p_now
  where user_id = p_user_id and id = p_id and submitted_at is not null
  returning * into v_video;
  if not found then
    return null;
  end if;
  perform kinora.video_route(v_video, p_task_id);
  perform kinora.video_note(
    v_video, case when v_video.provider_task_id = p_task_id then 'accepted' else 'accepted as another task' end,
    v_video.providers[v_video.turn] || ' ' || p_task_id, p_now
  );
  return v_video.status;
end
$$;

-- Whether word from a provider is about this video's task, and whether it still matters:
-- 'open', 'final', or 'other_task' when the provider or the task id is not the recorded one.
create or replace function kinora.video_hears(p_video kinora.video, p_provider text, p_task_id text) returns text
language sql immutable
return case
  when p_provider <> (p_video).providers[(p_video).turn] then 'other_task'
  when p_task_id <> (p_video).provider_task_id then 'other_task'
  when (p_video).submitted_at is null then 'other_task'
  when (p_video).status in ('COMPLETED', 'FAILED') then 'final'
  else 'open'
end;

-- A worker asked, and the provider is still at it.
create or replace function kinora.video_running(
  p_user_id uuid, p_id uuid, p_lease uuid, p_progress integer, p_attempt integer, p_due_at timestamptz, p_now timestamptz
) returns boolean
language sql
begin atomic
  update kinora.video v
  set progress = kinora.video_raise_progress(v, p_progress, p_now),
      attempt = p_attempt,
      due_at = p_due_at,
      lease_id = null,
      lease_until = null,
      updated_at = p_now
  where v.user_id = p_user_id and v.id = p_id and v.status = 'GENERATING' and v.lease_id = p_lease
  returning true;
end;

-- The provider called back to say that it is still at it. While the answer to the submit is outstanding, or was lost,
-- that is how we learn that the task was taken and what it is called: PENDING to GENERATING, to be asked about from
-- p_due_at on. The time of the model begins to count, as with any other acceptance.
-- outcome: 'running', 'known' (nothing to note), 'final', 'other_task', 'not_found'.
create or replace function kinora.video_reported(
  p_user_id uuid, p_id uuid, p_provider text, p_task_id text, p_progress integer, p_due_at timestamptz, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
  v_heard text;
begin
  select * into v_video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  if not found then
    return 'not_found';
  end if;
  v_heard := kinora.video_hears(v_video, p_provider, p_task_id);
  if v_heard <> 'open' then
    return v_heard;
  end if;
  if v_video.status = 'PENDING' and p_task_id is not null then
    update kinora.video v
    set status = 'GENERATING',
        provider_task_id = p_task_id,
        accepted_at = p_now,
        deadline_at = v.deadline_at + (p_now - v.created_at),
        due_at = p_due_at,
        attempt = 0,
        lease_id = null,
        lease_until = null
    where v.user_id = p_user_id and v.id = p_id;
    perform kinora.video_route(v_video, p_task_id);
    perform kinora.video_note(v_video, 'accepted', p_provider || ' ' || p_task_id, p_now);
  end if;
  update kinora.video v
  set progress = kinora.video_raise_progress(v, p_progress, p_now), updated_at = p_now
  where v.user_id = p_user_id and v.id = p_id and v.status = 'GENERATING';
  return case when found then 'running' else 'known' end;
end
$$;

-- The provider has the film: to UPLOADING, due at once. Recorded and no more when the video is final already.
-- outcome: 'taken', 'known' (it was UPLOADING before), 'final', 'other_task', 'not_found'.
create or replace function kinora.video_result(
  p_user_id uuid, p_id uuid, p_provider text, p_task_id text, p_url text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
  v_heard text;
begin
  select * into v_video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  if not found then
    return 'not_found';
  end if;
  v_heard := kinora.video_hears(v_video, p_provider, p_task_id);
  if v_heard = 'other_task' then
    return v_heard;
  end if;
  if v_heard = 'final' then
    if v_video.status = 'FAILED' then
      perform kinora.video_note_once(v_video, 'late result', 'not charged', p_now);
    end if;
    return v_heard;
  end if;
  if v_video.status = 'UPLOADING' then
    return 'known';
  end if;

  update kinora.video
  set status = 'UPLOADING',
      provider_task_id = coalesce(provider_task_id, p_task_id),
      accepted_at = coalesce(accepted_at, submitted_at),
      result_at = p_now,
      result_url = p_url,
      attempt = 0,
      due_at = p_now,
      lease_id = null,
      lease_until = null,
      updated_at = p_now
  where user_id = p_user_id and id = p_id
  returning * into v_video;
  perform kinora.video_route(v_video, p_task_id);
  perform kinora.video_note(v_video, 'result', p_provider, p_now);
  return 'taken';
end
$$;

-- The film is stored: COMPLETED, and the credits are settled. Answers false when the lease has passed on.
create or replace function kinora.video_completed(
  p_user_id uuid, p_id uuid, p_lease uuid, p_video_key text, p_thumbnail_key text, p_size_bytes bigint,
  p_duration_s double precision, p_width integer, p_height integer, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  update kinora.video
  set status = 'COMPLETED',
      video_key = p_video_key,
      thumbnail_key = p_thumbnail_key,
      size_bytes = p_size_bytes,
      film_duration_s = p_duration_s,
      film_width = p_width,
      film_height = p_height,
      completed_at = p_now,
      updated_at = p_now,
      due_at = null,
      lease_id = null,
      lease_until = null
  where user_id = p_user_id and id = p_id and lease_id = p_lease and status = 'UPLOADING'
  returning * into v_video;
  if not found then
    return false;
  end if;
  if kinora.credit_settle(p_user_id, p_id, p_now) is distinct from 'settled' then
    raise exception 'the credits of video % are not there to be settled', p_id;
  end if;
  perform kinora.video_note(v_video, 'completed', null, p_now);
  return true;
end
$$;

-- FAILED, and the credits go back. By a worker under its lease (p_provider null), or by a provider's word, which counts
-- only as long as no result is known: after "completed" the film itself decides.
-- outcome: 'failed', 'known' (a result is being collected), 'final', 'other_task', 'stale' (lease lost), 'not_found'.
create or replace function kinora.video_failed(
  p_user_id uuid, p_id uuid, p_lease uuid, p_provider text, p_task_id text, p_error_code text, p_error text,
  p_grace interval, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
  v_heard text;
begin
  perform kinora.credit_lock(p_user_id, p_now);
  select * into v_video from kinora.video where user_id = p_user_id and id = p_id for no key update;
  if not found then
    return 'not_found';
  end if;
  if p_provider is null then
    if v_video.due_at is null then
      return 'final';
    elsif v_video.lease_id is distinct from p_lease then
      return 'stale';
    end if;
  else
    v_heard := kinora.video_hears(v_video, p_provider, p_task_id);
    if v_heard = 'other_task' or v_video.status = 'FAILED' then
      return v_heard;
    end if;
    if v_video.status in ('UPLOADING', 'COMPLETED') then
      perform kinora.video_note_once(v_video, 'contradicted', p_error, p_now);
      return case v_heard when 'final' then 'final' else 'known' end;
    end if;
  end if;

  update kinora.video v
  set status = 'FAILED',
      provider_task_id = coalesce(v.provider_task_id, p_task_id),
      progress = kinora.video_shown(v, p_now),
      error_code = p_error_code,
      error = p_error,
      completed_at = p_now,
      updated_at = p_now,
      due_at = null,
      lease_id = null,
      lease_until = null
  where v.user_id = p_user_id and v.id = p_id;
  if kinora.credit_release(p_user_id, p_id, p_now, p_grace, p_error) is distinct from 'released' then
    raise exception 'the credits of video % are not there to be released', p_id;
  end if;
  perform kinora.video_route(v_video, p_task_id);
  perform kinora.video_note(v_video, 'failed', p_error_code || ': ' || p_error, p_now);
  return 'failed';
end
$$;

-- Called off by its owner: FAILED, and the credits go back, as long as nobody has recorded that it leaves for a provider.
-- outcome: 'cancelled' (then or before), 'taken' (a provider has it or may have it), 'final', null (no such video).
create or replace function kinora.video_cancelled(
  p_user_id uuid, p_id uuid, p_error text, p_grace interval, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.credit_lock(v.user_id, p_now) from kinora.video v where v.user_id = p_user_id and v.id = p_id;
  update kinora.video
  set status = 'FAILED', error_code = 'CANCELLED', error = p_error, completed_at = p_now, updated_at = p_now,
      due_at = null, lease_id = null, lease_until = null
  where user_id = p_user_id and id = p_id and deleted_at is null and status = 'PENDING' and submitted_at is null
  returning * into v_video;
  if not found then
    select * into v_video from kinora.video where user_id = p_user_id and id = p_id and deleted_at is null;
    return case when v_video.error_code = 'CANCELLED' then 'cancelled' when v_video.due_at is not null then 'taken'
      when found then 'final' end;
  end if;
  if kinora.credit_release(p_user_id, p_id, p_now, p_grace, p_error) is distinct from 'released' then
    raise exception 'the credits of video % are not there to be released', p_id;
  end if;
  perform kinora.video_note(v_video, 'cancelled', null, p_now);
  return 'cancelled';
end
$$;

-- Takes a video from its owner's sight. Status, ledger and a generation still running are left alone.
create or replace function kinora.video_deleted(p_user_id uuid, p_id uuid, p_now timestamptz) returns boolean
language sql
begin atomic
  update kinora.video
  set deleted_at = p_now, updated_at = p_now
  where user_id = p_user_id and id = p_id and deleted_at is null
  returning true;
end;
