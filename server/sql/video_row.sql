-- What the steps in the life of a video share: progress, cost, the log, the inputs. Nothing here moves credits.

-- Returns the progress that a client sees, 0..100. It never falls: without a report from the provider it is an estimate
-- from the model's usual time, and video_raise_progress starts the first report no lower than that estimate.
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

-- Returns the seconds until the film is ready; null: unknown, because it has taken longer than was expected, or final.
create or replace function kinora.video_estimated_s(p_video kinora.video, p_now timestamptz) returns integer
language sql immutable
return case (p_video).status
  when 'PENDING' then (p_video).usual_s
  when 'GENERATING' then nullif(greatest(0, ceil(extract(epoch from
    coalesce((p_video).expected_at, (p_video).accepted_at + (p_video).usual_s * interval '1 second') - p_now
  ))), 0)::integer
  when 'UPLOADING' then nullif(greatest(0, 5 - floor(extract(epoch from p_now - (p_video).result_at))), 0)::integer
end;

-- Returns the highest progress that a client can have seen. It allows one second after p_now, because clients read the
-- row while its writer waits for the row lock.
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

-- Takes over what the provider says of its task beside its state. After a final cost no reserved one is taken, and
-- amounts of two units never stand side by side. The route's rate of a unit goes before the account's.
create or replace function kinora.video_note_task(p_video kinora.video, p_step kinora.video_step) returns kinora.video
language plpgsql immutable
as $$
begin
  p_video.queue_position := p_step.queue_position;
  p_video.expected_at := p_step.expected_at;
  if p_step.cost_amount is null or p_step.cost_stage = 'reserved' and p_video.final_cost is not null then
    return p_video;
  end if;
  if p_step.cost_stage = 'reserved' then
    p_video.reserved_cost := p_step.cost_amount;
  else
    p_video.final_cost := p_step.cost_amount;
    p_video.reserved_cost := case when p_video.cost_unit = p_step.cost_unit then p_video.reserved_cost end;
  end if;
  p_video.cost_unit := p_step.cost_unit;
  p_video.unit_usd := coalesce((p_video.unit_rates ->> p_step.cost_unit)::numeric, p_step.unit_usd);
  return p_video;
end
$$;

-- Returns the seconds that a film is charged for. As of inputs (catalogue/inputs.ts), a film of 5.02 s is one of 5: its
-- last frame and that of its sound are no second more.
create or replace function kinora.video_whole_seconds(p_film_duration_s double precision) returns bigint
language sql immutable
return greatest(1, ceil(p_film_duration_s - 0.1));

-- Returns what a film costs: its price or, where that follows what is made, the rate of as many whole seconds as it
-- has, at least a credit and never more than was frozen. The rate comes from binary fractions, whose remainder is not a
-- credit more.
create or replace function kinora.video_cost(p_credits bigint, p_second_rate numeric, p_film_duration_s double precision)
returns bigint
language sql immutable
return case
  when p_second_rate is null or p_film_duration_s is null then p_credits
  else least(p_credits, greatest(1, ceil(p_second_rate * kinora.video_whole_seconds(p_film_duration_s) - 1e-9)))::bigint
end;

-- Appends an entry to the log of a video.
create or replace function kinora.video_log_add(p_video kinora.video, p_entry text, p_detail text, p_now timestamptz)
returns void
language sql
begin atomic
  insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
  values ((p_video).user_id, (p_video).id, kinora.uuid_v7(p_now), p_entry, p_detail, p_now);
end;

-- Returns whether the log of a video has such an entry.
create or replace function kinora.video_is_logged(p_video kinora.video, p_entry text) returns boolean
language sql stable
return exists (
  select
  from kinora.video_log
  where user_id = (p_video).user_id and video_id = (p_video).id and entry = p_entry
);

-- Replaces the link to another site by the asset that is stored here, in the input at a position (from 0), before the
-- task is sent. outcome: 'stored', 'stale' (lease lost, or sent before).
create or replace function kinora.video_store_input(
  p_user_id uuid, p_id uuid, p_lease uuid, p_position integer, p_source text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_video kinora.video;
begin
  perform kinora.check_clock(p_now);
  update kinora.video
  set made_of = jsonb_set(made_of, array[p_position::text, 'source'], to_jsonb(p_source), false)
  where user_id = p_user_id and id = p_id and lease_id = p_lease and status = 'PENDING' and submitted_at is null
  returning * into v_video;
  if not found then
    return 'stale';
  end if;
  perform kinora.video_log_add(
    v_video, 'input stored', v_video.made_of -> p_position ->> 'role', p_now
  );
  return 'stored';
end
$$;
