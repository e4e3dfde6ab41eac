-- Applying steps to videos: video_steps.sql decides, this file locks and writes. Invariant: status and credits
-- move in one transaction.

-- Locks the videos of the steps, in the order of their ids, and returns the decision of each step. A step of a video
-- sees what its steps before it in the array did. Element i of the decisions belongs to step i. videos, tids: the rows
-- that change, each as it is after all its steps. logged: the steps whose entry goes to the log. has_tasks: whether a
-- task of a provider's is to be recorded.
create or replace function kinora.video_decide(
  p_steps kinora.video_step[], p_now timestamptz,
  out outcomes text[], out decisions kinora.video_decision[], out tids tid[], out videos kinora.video[],
  out logged integer[], out has_tasks boolean
)
language plpgsql
as $$
declare
  v_row record;
  v_decision kinora.video_decision;
  -- The present video: its ctid, the row after the steps so far, and what they have logged.
  v_tid tid;
  v_video kinora.video;
  v_is_changed boolean := false;
  v_entries text[];
begin
  outcomes := array_fill(null::text, array[cardinality(p_steps)]);
  decisions := array_fill(null::kinora.video_decision, array[cardinality(p_steps)]);
  tids := '{}';
  videos := '{}';
  logged := '{}';
  has_tasks := false;
  for v_row in
    select s.n, s.step, s.user_id, s.id, v.row_tid, v.video
    from (
      select ordinality::integer as n, user_id, id, p_steps[ordinality] as step
      from unnest(p_steps) with ordinality
      order by user_id, id, ordinality offset 0
    ) s
    left join lateral (
      select ctid as row_tid, v as video from kinora.video v where v.user_id = s.user_id and v.id = s.id for no key update
    ) v on true
  loop
    if (v_row.user_id = v_video.user_id and v_row.id = v_video.id) is not true then
      if v_is_changed then
        tids := tids || v_tid;
        videos := videos || v_video;
      end if;
      v_tid := v_row.row_tid;
      v_video := v_row.video;
      v_is_changed := false;
      v_entries := '{}';
    end if;
    case (v_row.step).step
      when 'renew_lease' then v_decision := kinora.video_step_renew_lease(v_video, v_row.step, p_now);
      when 'defer' then v_decision := kinora.video_step_defer(v_video, v_row.step, p_now);
      when 'begin_submit' then v_decision := kinora.video_step_begin_submit(v_video, v_row.step, p_now);
      when 'retry_submit' then v_decision := kinora.video_step_retry_submit(v_video, v_row.step, p_now);
      when 'accept' then v_decision := kinora.video_step_accept(v_video, v_row.step, p_now);
      when 'reschedule_poll' then v_decision := kinora.video_step_reschedule_poll(v_video, v_row.step, p_now);
      when 'report_progress' then v_decision := kinora.video_step_report_progress(v_video, v_row.step, p_now);
      when 'poll_now' then v_decision := kinora.video_step_poll_now(v_video, v_row.step, p_now);
      when 'report_result' then v_decision := kinora.video_step_report_result(v_video, v_row.step, p_now);
      when 'report_failure' then v_decision := kinora.video_step_report_failure(v_video, v_row.step, p_now);
      when 'switch_link' then v_decision := kinora.video_step_switch_link(v_video, v_row.step, p_now);
      when 'begin_store' then v_decision := kinora.video_step_begin_store(v_video, v_row.step, p_now);
      when 'render' then v_decision := kinora.video_step_render(v_video, v_row.step, p_now);
      when 'complete' then v_decision := kinora.video_step_complete(v_video, v_row.step, p_now);
      when 'fail' then v_decision := kinora.video_step_fail(v_video, v_row.step, p_now);
      when 'cancel' then v_decision := kinora.video_step_cancel(v_video, v_row.step, p_now);
      when 'delete' then v_decision := kinora.video_step_delete(v_video, v_row.step, p_now);
    end case;
    outcomes[v_row.n] := v_decision.outcome;
    decisions[v_row.n] := v_decision;
    v_video := v_decision.video;
    v_is_changed := v_is_changed or v_decision.is_changed;
    has_tasks := has_tasks or v_decision.task_id is not null;
    if v_decision.entry is not null and not (
      v_decision.is_once and (v_decision.entry = any(v_entries) or kinora.video_is_logged(v_video, v_decision.entry))
    ) then
      v_entries := v_entries || v_decision.entry;
      logged := logged || v_row.n;
    end if;
  end loop;
  if v_is_changed then
    tids := tids || v_tid;
    videos := videos || v_video;
  end if;
end
$$;

-- Writes the rows of videos, at ctids that the caller has locked.
create or replace function kinora.video_write_rows(p_tids tid[], p_videos kinora.video[]) returns void
language plpgsql
as $$
begin
  update kinora.video v
  set status = d.status,
      credits = d.credits,
      providers = d.providers,
      provider_index = d.provider_index,
      provider_task_id = d.provider_task_id,
      provider_handle = d.provider_handle,
      submitted_at = d.submitted_at,
      accepted_at = d.accepted_at,
      result_at = d.result_at,
      result_url = d.result_url,
      other_result_url = d.other_result_url,
      lost_at = d.lost_at,
      queue_position = d.queue_position,
      expected_at = d.expected_at,
      route_model = d.route_model,
      catalogue_usd = d.catalogue_usd,
      unit_rates = d.unit_rates,
      reserved_cost = d.reserved_cost,
      final_cost = d.final_cost,
      cost_unit = d.cost_unit,
      unit_usd = d.unit_usd,
      progress = d.progress,
      error_code = d.error_code,
      error = d.error,
      video_key = d.video_key,
      thumbnail_key = d.thumbnail_key,
      manifest_key = d.manifest_key,
      size_bytes = d.size_bytes,
      film_duration_s = d.film_duration_s,
      film_width = d.film_width,
      film_height = d.film_height,
      completed_at = d.completed_at,
      deleted_at = d.deleted_at,
      updated_at = d.updated_at,
      due_at = d.due_at,
      deadline_at = d.deadline_at,
      attempt = d.attempt,
      lease_id = d.lease_id,
      lease_until = d.lease_until
  from unnest(p_tids, p_videos) d (row_tid)
  where v.ctid = d.row_tid;
end
$$;

-- Writes the records of the files that workers are about to store, and removes those of the films that are completed,
-- of which it writes where they come from. Element i of the decisions belongs to step i.
create or replace function kinora.video_write_files(p_steps kinora.video_step[], p_decisions kinora.video_decision[]) returns void
language plpgsql
as $$
begin
  insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, manifest_key, due_at)
  select user_id, id, lease, video_key, thumbnail_key, manifest_key, due_at
  from unnest(p_steps) with ordinality
  where step = 'begin_store' and (p_decisions[ordinality]).outcome = 'recorded'
  -- The same call again, after its connection was lost.
  on conflict do nothing;

  -- The files of a completed video are its own; the record that the sweep would remove them by is not needed any more.
  delete from kinora.video_file f
  using unnest(p_decisions) d
  cross join lateral (
    select ctid as row_tid, video_key
    from kinora.video_file
    where user_id = (d.video).user_id and video_id = (d.video).id
    offset 0
  ) r
  where d.credits = 'settle' and r.video_key = (d.video).video_key and f.ctid = r.row_tid;

  insert into kinora.video_provenance (
    user_id, video_id, film_sha256, thumbnail_sha256, manifest_id, signer, signed_at, is_labelled, due_at
  )
  select s.user_id, s.id, decode(p.film_sha256, 'hex'), decode(p.thumbnail_sha256, 'hex'), p.manifest_id, p.signer, p.signed_at,
         coalesce(p.is_labelled, false), p.due_at
  from unnest(p_steps) with ordinality s
  cross join lateral jsonb_to_record(s.provenance) as p (
    film_sha256 text, thumbnail_sha256 text, manifest_id uuid, signer text, signed_at timestamptz, is_labelled boolean,
    due_at timestamptz
  )
  where s.step = 'complete' and s.provenance is not null and (p_decisions[s.ordinality]).outcome = 'completed'
  on conflict do nothing;
end
$$;

-- Settles the credits of videos that are completed, with the rest released that a film did not cost, and releases those
-- of videos that have failed. Returns whether there are any.
create or replace function kinora.video_move_credits(p_decisions kinora.video_decision[], p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_settled constant kinora.hold_request[] := array(
    select kinora.hold(
      p_user_id => (video).user_id, p_hold_id => (video).id,
      p_credits => case when (video).second_rate is not null then (video).credits end,
      p_remark => case
        when (video).second_rate is not null then
          'Film of ' || kinora.video_whole_seconds((video).film_duration_s) || ' s costs ' || (video).credits
      end,
      p_grace => grace_s * interval '1 second'
    )
    from unnest(p_decisions)
    where credits = 'settle' and (video).credits > 0
  );
  v_released constant kinora.hold_request[] := array(
    select kinora.hold(
      p_user_id => (video).user_id, p_hold_id => (video).id, p_remark => (video).error, p_grace => grace_s * interval '1 second'
    )
    from unnest(p_decisions)
    where credits = 'release' and (video).credits > 0
  );
begin
  perform kinora.credit_count_waiting(array_agg((video).user_id), -1)
  from unnest(p_decisions)
  where credits = 'release' and (video).is_waiting
  having count(*) > 0;
  if v_settled <> '{}' then
    perform kinora.video_assert_holds(v_settled, kinora.credit_settle_holds(v_settled, p_now, p_is_locked => true), 'settled');
  end if;
  if v_released <> '{}' then
    perform kinora.video_assert_holds(v_released, kinora.credit_release_holds(v_released, p_now, p_is_locked => true), 'released');
  end if;
  return exists (select from unnest(p_decisions) where credits is not null);
end
$$;

-- Refuses the whole set when a hold is not in the state that its video demands.
create or replace function kinora.video_assert_holds(p_holds kinora.hold_request[], p_states text[], p_state text) returns void
language plpgsql
as $$
begin
  if p_state <> any(p_states) or array_position(p_states, null) is not null then
    raise exception 'the credits of videos % are not frozen and cannot be %', (
      select array_agg((p_holds[n]).hold_id) from generate_subscripts(p_holds, 1) n where p_states[n] is distinct from p_state
    ), p_state;
  end if;
end
$$;

-- Applies steps of any number of videos and returns the outcome of each, in the order of the array: a JSON array of
-- kinora.video_step.
-- Lock order: accounts before videos, both in the order of their ids, so that two callers cannot deadlock.
create or replace function kinora.video_apply(p_steps jsonb, p_now timestamptz) returns text[]
language plpgsql
-- set-based
as $$
declare
  v_steps kinora.video_step[];
  v_seed constant bytea := uuid_send(kinora.uuid_v7(p_now));
  v_decided record;
  v_user_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  v_steps := array(select s from jsonb_populate_recordset(null::kinora.video_step, p_steps) s);
  -- A lease lasts a minute. One of a process whose clock is ahead would keep the video from every other worker.
  perform kinora.check_clock(max(lease_until) - interval '1 minute') from unnest(v_steps);

  -- A delete moves no credits, but of a final video it changes a counter (count.sql), and it writes the deliveries of a
  -- user with webhooks; both demand the account's lock. Whether the video is final is known only under its own lock,
  -- which comes later. A user without an account has no videos and gets none.
  select array_agg(distinct s.user_id) into v_user_ids
  from unnest(v_steps) s
  where s.step in ('complete', 'fail', 'report_failure', 'cancel', 'delete');
  if v_user_ids is not null then
    perform kinora.credit_lock_accounts(v_user_ids, p_now, p_opens => false);
  end if;

  v_decided := kinora.video_decide(v_steps, p_now);
  if v_decided.videos <> '{}' then
    perform kinora.video_write_rows(v_decided.tids, v_decided.videos);
  end if;
  if v_decided.logged <> '{}' then
    insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
    select (v_steps[n]).user_id, (v_steps[n]).id, kinora.uuid_of_set(v_seed, n), (v_decided.decisions[n]).entry,
           (v_decided.decisions[n]).detail, p_now
    from unnest(v_decided.logged) n;
  end if;
  if v_decided.has_tasks then
    -- Callbacks without a signed reference find the video by its task.
    insert into kinora.provider_task (provider, task_id, user_id, video_id)
    select (video).providers[(video).provider_index], task_id, (video).user_id, (video).id
    from unnest(v_decided.decisions)
    where task_id is not null
    -- The conflict has no target: in a divided database the key begins with the user's id.
    on conflict do nothing;
  end if;
  if 'recorded' = any(v_decided.outcomes) or 'completed' = any(v_decided.outcomes) then
    perform kinora.video_write_files(v_steps, v_decided.decisions);
  end if;

  if kinora.video_move_credits(v_decided.decisions, p_now) or 'deleted' = any(v_decided.outcomes) then
    perform kinora.video_wake_waiting(v_decided.decisions, p_now);
    perform kinora.shot_take_delete(v_decided.decisions);
    perform kinora.video_count_add(v_decided.decisions);
    perform kinora.webhook_write_videos(v_decided.decisions, p_now);
    perform kinora.mail_write_videos(v_decided.decisions, p_now);
  end if;
  return v_decided.outcomes;
end
$$;
