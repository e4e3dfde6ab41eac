-- Cuts: one film of a project's takes. A cut is a video whose model is 'cut', so that its files, links, signature and
-- deletion are those of a film. A worker renders it in the place of a provider, under its lease. made_of has its takes
-- in their order, one for each shot, and then the sound beside; options have the rest of the recipe.

-- Creates a cut as video_generate_all creates a video: p_request is a JSON object of kinora.generate_request. Returns
-- its result, and beside the outcomes there 'busy': the user has a cut in progress, which is the most.
create or replace function kinora.cut_create(p_request jsonb, p_now timestamptz)
returns table (outcome text, available bigint, id uuid)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_request constant kinora.generate_request := jsonb_populate_record(null::kinora.generate_request, p_request);
  v_result kinora.generate_result;
begin
  perform kinora.check_clock(p_now);
  -- The second of two callers waits here, and then finds what the first has created.
  perform kinora.credit_lock_accounts(array[v_request.user_id], p_now);
  v_result := (kinora.video_check_requests(array[v_request]))[1];
  if v_result.outcome is null and exists (
    select from kinora.video v where v.user_id = v_request.user_id and v.due_at is not null and v.model = 'cut'
  ) then
    v_result.outcome := 'busy';
  elsif v_result.outcome is null then
    v_result := (kinora.video_check_and_create(array[v_request], p_now, false))[1];
    if v_result.outcome = 'created' then
      update kinora.project
      set cut_id = v_result.video_id
      where user_id = v_request.user_id and id = (v_request.options ->> 'project')::uuid;
    end if;
  end if;
  return query select v_result.outcome, v_result.available, v_result.video_id;
end
$$;

-- A worker renders a cut under its lease, which this renews. PENDING to GENERATING by the first such step, then
-- progress, and GENERATING to UPLOADING when it is rendered (is_finished). outcome: 'rendering', 'stale' (the lease has
-- passed on, or the cut is cancelled).
create or replace function kinora.video_step_render(p_video kinora.video, p_step kinora.video_step, p_now timestamptz)
returns kinora.video_decision
language plpgsql immutable
as $$
declare
  v_status constant text := p_video.status;
begin
  if not kinora.video_has_lease(p_video, p_step) or p_video.due_at is null then
    return kinora.video_unchanged(p_video, 'stale');
  end if;
  p_video.status := case
    when v_status = 'UPLOADING' or p_step.is_finished then 'UPLOADING'
    else 'GENERATING'
  end;
  p_video.submitted_at := coalesce(p_video.submitted_at, p_now);
  p_video.accepted_at := coalesce(p_video.accepted_at, p_now);
  p_video.progress := kinora.video_raise_progress(p_video, p_step.progress, p_now);
  p_video.result_at := case when p_video.status = 'UPLOADING' then coalesce(p_video.result_at, p_now) end;
  p_video.lease_until := p_step.lease_until;
  p_video.due_at := p_step.lease_until;
  p_video.updated_at := p_now;
  return kinora.video_changed(
    p_video, 'rendering',
    case when p_video.status <> v_status then case p_video.status when 'UPLOADING' then 'rendered' else 'rendering' end end
  );
end
$$;
