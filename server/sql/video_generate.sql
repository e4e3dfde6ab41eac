-- The beginning of a video: the request that creates it and freezes its credits.

-- Creates videos and freezes their credits. p_requests: a JSON array of kinora.generate_request. asset_ids names
-- the assets of the user among the inputs; key_id names the API key or the member that makes the
-- request, if one does; batch: of several videos, which are created all or none. Returns one row per request, in the
-- sequence of the array; ids: of a batch. outcome: 'created'; 'replayed' (idempotent replay: same key and request, or
-- same id); 'key_reused' (same key, another request); 'asset_link_expired', 'asset_gone'; 'shot_gone' (there is no such
-- shot, or not with the take that one that may wait names); 'insufficient'; 'over_budget' (of its API key); 'too_many'
-- (the cap on videos in progress is reached). Only 'created' creates a video. Assets that are still stored are kept for
-- longer, also when their check is followed by 'insufficient', 'over_budget' or 'too_many'.
create or replace function kinora.video_generate_all(p_requests jsonb, p_now timestamptz)
returns table (outcome text, available bigint, id uuid, model text, credits bigint, created_at timestamptz, ids uuid[])
language plpgsql
-- set-based
as $$
#variable_conflict use_column
declare
  v_requests constant kinora.generate_request[] :=
    array(select r from jsonb_populate_recordset(null::kinora.generate_request, p_requests) r);
  v_all record;
  -- The round in which a request is decided.
  v_rounds integer[];
  v_positions integer[];
  -- Element i is of request i; of a round, of its request i.
  v_results kinora.generate_result[];
  v_round_results kinora.generate_result[];
begin
  perform kinora.check_clock(p_now);
  select array_agg(user_id) as user_ids, bool_or(webhook_url is not null) as have_webhooks,
         bool_or(key is not null or asset_ids is not null or shot_id is not null) as have_checks,
         count(distinct (user_id, key)) filter (where key is not null) < count(key) as have_repeats,
         count(batch_id) > 0 as have_batches
  into v_all
  from unnest(v_requests);
  if v_all.have_checks then
    -- The second of two callers with one key waits here and then finds the video that the first has created. With
    -- assets the account is locked first too: every path locks account, then asset, then video.
    perform kinora.credit_lock_accounts(v_all.user_ids, p_now);
  end if;
  if v_all.have_repeats then
    -- Each of several requests with one key is decided after those before it, in a round of its own. One id twice needs
    -- none: its credits are frozen once, and only the request that froze them creates a video.
    v_rounds := array(
      select case when key is null then 1 else row_number() over (partition by user_id, key order by ordinality) end
      from unnest(v_requests) with ordinality
      order by ordinality
    );
    for v_round in 1 .. (select max(round) from unnest(v_rounds) round) loop
      v_positions := array_positions(v_rounds, v_round);
      v_round_results := kinora.video_check_and_create(
        array(select v_requests[n] from unnest(v_positions) n), p_now, v_all.have_batches
      );
      for i in 1 .. cardinality(v_positions) loop
        v_results[v_positions[i]] := v_round_results[i];
      end loop;
    end loop;
  elsif v_all.have_checks then
    v_results := kinora.video_check_and_create(v_requests, p_now, v_all.have_batches);
  else
    v_results := kinora.video_create(v_requests, p_now, v_all.have_batches);
  end if;
  if v_all.have_webhooks then
    perform kinora.webhook_of_videos(v_requests, array(select outcome from unnest(v_results)), p_now);
  end if;

  -- A video that was created is as requested; one of an earlier request is read.
  return query
  select r.outcome, r.available, r.video_id, coalesce(v.model, r.model), coalesce(v.credits, r.credits), coalesce(v.created_at, p_now),
         case when r.batch_id is not null then kinora.video_ids_of_batch(r.user_id, r.video_id) end
  from unnest(v_requests, v_results) with ordinality r
  left join lateral (
    select s.model, s.credits, s.created_at
    from kinora.video s
    where r.outcome = 'replayed' and s.user_id = r.user_id and s.id = r.video_id
    offset 0
  ) v on true
  order by r.ordinality;
end
$$;

-- Returns the ids of a batch, in the order of the request, by that of its first video; none for a video that is
-- alone.
create or replace function kinora.video_ids_of_batch(p_user_id uuid, p_id uuid) returns uuid[]
language sql stable
return array(select id from kinora.video where user_id = p_user_id and batch_id = p_id order by id);

-- Notes that the ends of videos were read: the same request without an idempotency key returns them no more. Of all, or
-- of those that p_made_by made (null: a session of the user). Returns the ids whose ends were new.
create or replace function kinora.video_note_ends_read(
  p_user_id uuid, p_ids uuid[], p_of_all boolean, p_made_by uuid default null
) returns setof uuid
language sql
as $$
  update kinora.video v
  set is_replayable = false
  from (
    select id
    from kinora.video
    where user_id = p_user_id and id = any(p_ids) and is_replayable and (p_of_all or made_by is not distinct from p_made_by)
    order by id
    for no key update
  ) r
  where v.user_id = p_user_id and v.id = r.id
  returning v.id;
$$;

-- Notes ends as unread again: the response that showed them was not sent whole.
create or replace function kinora.video_note_ends_unread(p_user_id uuid, p_ids uuid[]) returns void
language sql
as $$
  update kinora.video set is_replayable = true where user_id = p_user_id and id = any(p_ids) and not is_replayable;
$$;

-- Creates the videos of requests with keys or assets, of which no two have one key. The accounts are locked.
create or replace function kinora.video_check_and_create(
  p_requests kinora.generate_request[], p_now timestamptz, p_have_batches boolean
)
returns kinora.generate_result[]
language plpgsql
as $$
declare
  v_results kinora.generate_result[] := kinora.video_check_requests(p_requests);
  v_positions constant integer[] := array(
    select ordinality from unnest(v_results) with ordinality where outcome is null order by ordinality
  );
  v_open constant kinora.generate_request[] := array(select p_requests[n] from unnest(v_positions) n);
  v_created kinora.generate_result[];
begin
  if v_positions = '{}' then
    return v_results;
  end if;
  v_created := kinora.video_create(v_open, p_now, p_have_batches);
  insert into kinora.idempotency_key (user_id, operation, key, request_hash, subject_user_id, subject_id, created_at)
  select user_id, 'video.generate', key, request_hash, user_id, id, p_now
  from unnest(v_open, v_created)
  where outcome in ('created', 'replayed') and key is not null;
  for i in 1 .. cardinality(v_positions) loop
    v_results[v_positions[i]] := v_created[i];
  end loop;
  return v_results;
end
$$;

-- Checks idempotency keys and assets, and keeps the assets for longer. Returns a result for each request; its outcome
-- is null when the request can go on.
create or replace function kinora.video_check_requests(p_requests kinora.generate_request[]) returns kinora.generate_result[]
language plpgsql
as $$
declare
  v_results kinora.generate_result[];
begin
  with request as (
    select r.user_id, r.asset_ids, r.asset_due_at, r.ordinality as n, k.subject_id,
           case
             when k.request_hash = r.request_hash then 'replayed'
             when k.key is not null then 'key_reused'
             when r.asset_link_expired then 'asset_link_expired'
             when r.shot_id is not null and not kinora.video_has_shots(p_requests[r.ordinality]) then 'shot_gone'
           end as outcome
    from unnest(p_requests) with ordinality r
    left join lateral (
      select key, request_hash, subject_id
      from kinora.idempotency_key
      where user_id = r.user_id and operation = 'video.generate' and key = r.key
      offset 0
    ) k on true
  ),
  wanted as (
    select r.user_id, id, max(r.asset_due_at) as due_at
    from request r, unnest(r.asset_ids) id
    where r.outcome is null
    group by r.user_id, id
  ),
  locked as (
    select a.ctid as row_tid, a.user_id, a.id, w.due_at
    from kinora.asset a
    join wanted w on w.user_id = a.user_id and w.id = a.id
    where a.state = 'kept' and a.user_id = any(array(select user_id from wanted)) and a.id = any(array(select id from wanted))
    order by a.user_id, a.id
    for update of a
  ),
  extended as (
    update kinora.asset a
    set due_at = greatest(a.due_at, l.due_at)
    from locked l
    where a.ctid = l.row_tid
    returning a.user_id, a.id
  )
  select array_agg(
    row(
      case
        when r.outcome is null and exists (
          select from unnest(r.asset_ids) id
          where not exists (select from extended e where e.user_id = r.user_id and e.id = id)
        ) then 'asset_gone'
        else r.outcome
      end,
      null, r.subject_id
    )::kinora.generate_result
    order by r.n
  )
  into v_results
  from request r;
  return v_results;
end
$$;

-- Returns whether the shots of a request are there; of one that may wait with the takes that they had.
create or replace function kinora.video_has_shots(p_request kinora.generate_request) returns boolean
language plpgsql stable
as $$
begin
  return not exists (
    select
    from unnest(kinora.video_each_of_batches(array[p_request])) r
    where not exists (
      select
      from kinora.shot s
      where s.user_id = r.user_id and s.project_id = r.project_id and s.id = r.shot_id
        and (r.may_wait is not true or s.take_id is not distinct from r.take_id)
    )
  );
end
$$;

-- Freezes the credits of requests, and creates the videos of those that have them. Invariant: a hold and its video are
-- created in one transaction, so that a hold that exists has its video. The result of a batch is that of its first
-- video.
create or replace function kinora.video_create(p_requests kinora.generate_request[], p_now timestamptz, p_have_batches boolean)
returns kinora.generate_result[]
language plpgsql
as $$
declare
  -- One for each video.
  v_requests constant kinora.generate_request[] :=
    case when p_have_batches then kinora.video_each_of_batches(p_requests) else p_requests end;
  v_frozen record;
  v_results kinora.generate_result[] := '{}';
  v_outcome text;
begin
  v_frozen := kinora.video_freeze(v_requests, p_now);
  insert into kinora.video (
    user_id, id, prompt, model, duration_s, aspect_ratio, quality, mode, made_of, seed,
    negative_prompt, audio, options, batch_id, made_by, subject, metadata, has_trigrams,
    credits, second_rate, providers, usual_s, is_replayable, created_at, updated_at, is_waiting, due_at, deadline_at
  )
  select r.user_id, id, prompt, model, duration_s, aspect_ratio, quality, mode, made_of, seed,
         -- Each video has a row of the history, so that a search reads a thousand prompts of a user at most.
         negative_prompt, audio, options, batch_id, key_id, subject, metadata, a.transactions > 1000,
         credits, second_rate, providers, usual_s, is_replayable, p_now, p_now, w.is_waiting,
         case when w.is_waiting then p_now + kinora.video_waiting_pause() else p_now end, deadline_at
  from unnest(v_requests) with ordinality r
  cross join lateral (select transactions from kinora.credit_account where user_id = r.user_id offset 0) a
  cross join lateral (select ordinality = any(v_frozen.waiting) as is_waiting) w
  where ordinality = any(v_frozen.frozen);
  if exists (select from unnest(v_requests) where shot_id is not null) then
    perform kinora.shot_take_new(array(select v_requests[n] from unnest(v_frozen.frozen) n), p_now);
  end if;
  for n in 1 .. cardinality(v_requests) loop
    continue when (v_requests[n]).batch_id <> (v_requests[n]).id;
    v_outcome := v_frozen.outcomes[n];
    v_outcome := case when v_outcome <> 'frozen' then v_outcome when n = any(v_frozen.frozen) then 'created' else 'replayed' end;
    v_results := v_results || row(
      v_outcome, v_frozen.available[n], case when v_outcome in ('created', 'replayed') then (v_requests[n]).id end
    )::kinora.generate_result;
  end loop;
  return v_results;
end
$$;

-- Records new videos as the takes of their shots, and chooses the first one for a shot that has no take, or whose take
-- is deleted or has failed.
create or replace function kinora.shot_take_new(p_requests kinora.generate_request[], p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.shot_take (user_id, video_id, project_id, shot_id, created_at)
  select r.user_id, r.id, r.project_id, r.shot_id, p_now
  from unnest(p_requests) r
  where r.shot_id is not null;
  update kinora.shot s
  set take_id = r.id, in_ms = null, out_ms = null
  from (
    select distinct on (user_id, project_id, shot_id) user_id, project_id, shot_id, id
    from unnest(p_requests)
    where shot_id is not null
    order by user_id, project_id, shot_id, id
  ) r
  where s.user_id = r.user_id and s.project_id = r.project_id and s.id = r.shot_id and not exists (
    select
    from kinora.video v
    where v.user_id = s.user_id and v.id = s.take_id and v.deleted_at is null and v.status <> 'FAILED'
  );
end
$$;

-- Freezes the credits of requests. A free cut, which is the only request of its call, needs none.
create or replace function kinora.video_freeze(
  p_requests kinora.generate_request[], p_now timestamptz, out outcomes text[], out available bigint[], out frozen integer[],
  out waiting integer[]
)
language plpgsql
as $$
begin
  if p_requests[1].credits = 0 then
    outcomes := array['frozen'];
    available := array[null::bigint];
    frozen := array[1];
    waiting := '{}';
    return;
  end if;
  select f.outcomes, f.available, f.frozen, f.waiting
  into outcomes, available, frozen, waiting
  from kinora.credit_freeze_holds(
    array(
      select kinora.hold(
        p_user_id => user_id, p_hold_id => id, p_credits => credits, p_max_open => max_in_progress, p_key_id => key_id,
        p_token_id => token_id,
        p_remark => model || ', ' || duration_s || ' s',
        p_batch_size => case when batch_id = id then jsonb_array_length(batch) when batch_id is not null then 0 end,
        p_batch_credits => case
          when batch_id = id and may_wait then (select sum((b ->> 'credits')::bigint)::bigint from jsonb_array_elements(batch) b)
        end,
        p_may_wait => may_wait
      )
      from unnest(p_requests)
    ),
    p_now
  ) f;
end
$$;

-- Returns the requests with one in the place of each batch's videos.
create or replace function kinora.video_each_of_batches(p_requests kinora.generate_request[]) returns kinora.generate_request[]
language plpgsql immutable
as $$
declare
  v_requests kinora.generate_request[] := '{}';
  v_request kinora.generate_request;
begin
  foreach v_request in array p_requests loop
    for i in 0 .. coalesce(jsonb_array_length(v_request.batch), 1) - 1 loop
      if v_request.batch_id is not null then
        v_request := jsonb_populate_record(v_request, v_request.batch -> i);
      end if;
      v_requests := v_requests || v_request;
    end loop;
  end loop;
  return v_requests;
end
$$;
