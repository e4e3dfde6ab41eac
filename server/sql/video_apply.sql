-- Applying steps to videos: video.sql decides, this file locks and writes. Invariant: status and credits move in one transaction.

-- Returns the decision of each step, in the sequence of the array for each video: a step sees what the steps before it did.
-- The caller has locked the rows. n: the step's position in the array.
create or replace function kinora.video_decide(p_steps kinora.video_step[], p_now timestamptz)
returns table (n bigint, decision kinora.video_decision)
language plpgsql stable
as $$
declare
  v_row record;
  v_video kinora.video;
  v_is_same boolean;
begin
  for v_row in
    select s.n, s.step, v.video, (s.step).id as id, (s.step).user_id as user_id
    from (select row_number() over () as n, s as step from unnest(p_steps) s) s
    left join lateral (
      select v as video from kinora.video v where v.user_id = (s.step).user_id and v.id = (s.step).id offset 0
    ) v on true
    order by (s.step).user_id, (s.step).id, s.n
  loop
    v_is_same := v_row.user_id = v_video.user_id and v_row.id = v_video.id;
    if v_is_same is not true then
      v_video := v_row.video;
    end if;
    case (v_row.step).step
      when 'renew_lease' then decision := kinora.video_step_renew_lease(v_video, v_row.step, p_now);
      when 'defer' then decision := kinora.video_step_defer(v_video, v_row.step, p_now);
      when 'begin_submit' then decision := kinora.video_step_begin_submit(v_video, v_row.step, p_now);
      when 'retry_submit' then decision := kinora.video_step_retry_submit(v_video, v_row.step, p_now);
      when 'accept' then decision := kinora.video_step_accept(v_video, v_row.step, p_now);
      when 'reschedule_poll' then decision := kinora.video_step_reschedule_poll(v_video, v_row.step, p_now);
      when 'report_progress' then decision := kinora.video_step_report_progress(v_video, v_row.step, p_now);
      when 'report_result' then decision := kinora.video_step_report_result(v_video, v_row.step, p_now);
      when 'report_failure' then decision := kinora.video_step_report_failure(v_video, v_row.step, p_now);
      when 'switch_link' then decision := kinora.video_step_switch_link(v_video, v_row.step, p_now);
      when 'begin_store' then decision := kinora.video_step_begin_store(v_video, v_row.step, p_now);
      when 'complete' then decision := kinora.video_step_complete(v_video, v_row.step, p_now);
      when 'fail' then decision := kinora.video_step_fail(v_video, v_row.step, p_now);
      when 'cancel' then decision := kinora.video_step_cancel(v_video, v_row.step, p_now);
      when 'delete' then decision := kinora.video_step_delete(v_video, v_row.step, p_now);
    end case;
    v_video := decision.video;
    n := v_row.n;
    return next;
  end loop;
end
$$;

-- Writes decisions to rows that the caller has locked: the rows, their logs, the provider tasks, the records of files. Element i
-- of the decisions belongs to step i. Credits are not moved here.
create or replace function kinora.video_write(
  p_steps kinora.video_step[], p_decisions kinora.video_decision[], p_now timestamptz
) returns void
language plpgsql
-- See credit.sql.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  update kinora.video v
  set status = (d.video).status,
      provider_index = (d.video).provider_index,
      provider_task_id = (d.video).provider_task_id,
      submitted_at = (d.video).submitted_at,
      accepted_at = (d.video).accepted_at,
      result_at = (d.video).result_at,
      result_url = (d.video).result_url,
      other_result_url = (d.video).other_result_url,
      progress = (d.video).progress,
      error_code = (d.video).error_code,
      error = (d.video).error,
      video_key = (d.video).video_key,
      thumbnail_key = (d.video).thumbnail_key,
      size_bytes = (d.video).size_bytes,
      film_duration_s = (d.video).film_duration_s,
      film_width = (d.video).film_width,
      film_height = (d.video).film_height,
      completed_at = (d.video).completed_at,
      deleted_at = (d.video).deleted_at,
      updated_at = (d.video).updated_at,
      due_at = (d.video).due_at,
      deadline_at = (d.video).deadline_at,
      attempt = (d.video).attempt,
      lease_id = (d.video).lease_id,
      lease_until = (d.video).lease_until
  from (
    -- Of several steps of one video the last one has the row after all of them.
    select distinct on ((video).user_id, (video).id) video
    from unnest(p_decisions) with ordinality
    where is_changed
    order by (video).user_id, (video).id, ordinality desc
  ) d
  cross join lateral (
    select ctid as row_id from kinora.video where user_id = (d.video).user_id and id = (d.video).id offset 0
  ) r
  where v.ctid = r.row_id;

  insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
  select (video).user_id, (video).id, kinora.uuid_v7(p_now, ordinality::integer), entry, detail, p_now
  from (
    select *, row_number() over (partition by (video).user_id, (video).id, entry order by ordinality) as k
    from unnest(p_decisions) with ordinality
    where entry is not null
  ) d
  left join lateral (
    select true as is_logged
    from kinora.video_log l
    where d.is_once and l.user_id = (d.video).user_id and l.video_id = (d.video).id and l.entry = d.entry
    limit 1
  ) l on true
  where not is_once or k = 1 and is_logged is null;

  -- For callbacks without a signed reference.
  insert into kinora.provider_task (provider, task_id, user_id, video_id)
  select (video).providers[(video).provider_index], task_id, (video).user_id, (video).id
  from unnest(p_decisions)
  where task_id is not null
  -- Without a target: on a distributed database the key begins with the user's id.
  on conflict do nothing;

  insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, due_at)
  select user_id, id, lease, video_key, thumbnail_key, due_at
  from unnest(p_steps) with ordinality
  where step = 'begin_store' and (p_decisions[ordinality]).outcome = 'recorded'
  -- The same call again, after its connection was lost.
  on conflict do nothing;

  -- The files of a completed video are its own; the record that the sweep would remove them by is not needed any more.
  delete from kinora.video_file f
  using unnest(p_decisions) d
  cross join lateral (
    select ctid as row_id, video_key
    from kinora.video_file
    where user_id = (d.video).user_id and video_id = (d.video).id
    offset 0
  ) r
  where d.credits = 'settle' and r.video_key = (d.video).video_key and f.ctid = r.row_id;
end
$$;

-- Applies steps of any number of videos and returns the outcome of each, in the sequence of the array: a JSON array of
-- kinora.video_step.
-- Lock order: accounts before videos, both in the sequence of their ids, so that two callers cannot deadlock.
create or replace function kinora.video_apply(p_steps jsonb, p_now timestamptz) returns text[]
language plpgsql
-- See credit.sql.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_steps kinora.video_step[];
  v_decisions kinora.video_decision[];
  v_outcomes text[];
  v_user_ids uuid[];
  v_ids uuid[];
  v_released record;
  v_states text[];
begin
  perform kinora.check_clock(p_now);
  v_steps := array(select s from jsonb_populate_recordset(null::kinora.video_step, p_steps) s);
  -- A lease lasts a minute. One of a process whose clock is ahead would keep the video from every other worker.
  perform kinora.check_clock(max(lease_until) - interval '1 minute') from unnest(v_steps);

  -- Only those of existing videos: locking opens an account for a user who has none. A delete moves no credits, but of a final
  -- video it changes a counter (count.sql), and it writes the deliveries of a user with webhooks; both demand the account's lock.
  select array_agg(distinct s.user_id) into v_user_ids
  from unnest(v_steps) s
  cross join lateral (select due_at from kinora.video where user_id = s.user_id and id = s.id offset 0) v
  where s.step in ('complete', 'fail', 'report_failure', 'cancel')
    or s.step = 'delete' and (v.due_at is null or exists (select from kinora.webhook_account where user_id = s.user_id));
  if v_user_ids is not null then
    perform kinora.credit_lock_accounts(v_user_ids, p_now);
  end if;
  perform
  from (select distinct user_id, id from unnest(v_steps) order by user_id, id) s
  cross join lateral (
    select from kinora.video where user_id = s.user_id and id = s.id for no key update
  ) v;

  select array_agg((d.decision).outcome order by d.n), array_agg(d.decision order by d.n)
  into v_outcomes, v_decisions
  from kinora.video_decide(v_steps, p_now) d;
  perform kinora.video_write(v_steps, v_decisions, p_now);

  select array_agg((video).user_id order by ordinality), array_agg((video).id order by ordinality)
  into v_user_ids, v_ids
  from unnest(v_decisions) with ordinality
  where credits = 'settle';
  if v_ids is not null then
    v_states := kinora.credit_settle_holds(v_user_ids, v_ids, p_now);
    if 'settled' <> any(v_states) or array_position(v_states, null) is not null then
      raise exception 'the credits of videos % are not frozen and cannot be settled', (
        select array_agg(id) from unnest(v_ids, v_states) s (id, state) where state is distinct from 'settled'
      );
    end if;
  end if;

  select array_agg((video).user_id order by ordinality) as user_ids, array_agg((video).id order by ordinality) as ids,
         array_agg((video).error order by ordinality) as remarks,
         array_agg(grace_s * interval '1 second' order by ordinality) as graces
  into v_released
  from unnest(v_decisions) with ordinality
  where credits = 'release';
  if v_released.ids is not null then
    v_states := kinora.credit_release_holds(
      v_released.user_ids, v_released.ids, v_released.remarks, v_released.graces, p_now
    );
    if 'released' <> any(v_states) or array_position(v_states, null) is not null then
      raise exception 'the credits of videos % are not frozen and cannot be released', (
        select array_agg(id) from unnest(v_released.ids, v_states) s (id, state) where state is distinct from 'released'
      );
    end if;
  end if;
  if v_ids is not null or v_released.ids is not null or 'deleted' = any(v_outcomes) then
    perform kinora.video_count_add(v_decisions);
    perform kinora.webhook_write_videos(v_decisions, p_now);
    perform kinora.mail_write_videos(v_decisions, p_now);
  end if;
  return v_outcomes;
end
$$;
