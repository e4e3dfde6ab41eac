-- The beginning of a video: the request that creates it and freezes its credits.

-- Checks idempotency keys and start images of the requests at p_positions, whose accounts the caller has locked, and keeps the
-- images for longer. outcome: as that of video_generate_all; null for a request that can go on.
create or replace function kinora.video_check_requests(
  p_requests kinora.generate_request[], p_positions integer[], p_user_ids uuid[], p_image_ids uuid[]
) returns table (n integer, subject_id uuid, outcome text)
language plpgsql
-- set-based
as $$
#variable_conflict use_column
begin
  return query
  with request as (
    select r.user_id, r.start_image_id, r.start_image_due_at, r.ordinality::integer as n, k.subject_id,
           case
             when k.request_hash = r.request_hash then 'replayed'
             when k.key is not null then 'key_reused'
             when r.start_image_id is not null and r.start_image_link_expired then 'image_link_expired'
           end as outcome
    from unnest(p_requests) with ordinality r
    left join lateral (
      select key, request_hash, subject_id
      from kinora.idempotency_key
      where user_id = r.user_id and operation = 'video.generate' and key = r.key
      offset 0
    ) k on true
    where r.ordinality = any(p_positions)
  ),
  extended as (
    update kinora.video_image i
    set due_at = r.start_image_due_at
    from request r
    where r.outcome is null and i.user_id = r.user_id and i.id = r.start_image_id and i.state = 'kept'
      and i.user_id = any(p_user_ids) and i.id = any(p_image_ids)
    returning i.user_id, i.id
  )
  select r.n, r.subject_id,
         case when r.outcome is null and r.start_image_id is not null and e.id is null then 'image_gone' else r.outcome end
  from request r
  left join extended e on e.user_id = r.user_id and e.id = r.start_image_id;
end
$$;

-- Creates videos and freezes their credits. p_requests: a JSON array of kinora.generate_request. start_image_id names the user's
-- uploaded image, if the video starts from one; key_id names the API key that makes the request, if one does. Returns one row per
-- request, in the sequence of the array.
-- outcome: 'created'; 'replayed' (idempotent replay: same key and request, or same id); 'key_reused' (same key, another
-- request); 'image_link_expired', 'image_gone'; 'insufficient'; 'over_budget' (of its API key); 'too_many' (the cap on videos in
-- progress is reached). Only 'created' creates a video. A start image that is still stored is kept for longer, also when its check
-- is followed by 'insufficient', 'over_budget' or 'too_many'.
create or replace function kinora.video_generate_all(p_requests jsonb, p_now timestamptz)
returns table (outcome text, available bigint, id uuid, model text, credits bigint, created_at timestamptz)
language plpgsql
-- set-based
as $$
#variable_conflict use_column
declare
  v_requests constant kinora.generate_request[] :=
    array(select r from jsonb_populate_recordset(null::kinora.generate_request, p_requests) r);
  v_all record;
  -- In which round a request is decided; null: all in one.
  v_rounds integer[];
  v_outcomes text[];
  v_available bigint[];
  -- The video of each request.
  v_ids uuid[];
  -- The requests of a round that are not decided yet.
  v_positions integer[];
  v_n integer;
  v_frozen record;
  v_created integer[];
  v_row record;
begin
  perform kinora.check_clock(p_now);
  select array_agg(user_id order by ordinality) as user_ids, array_agg(id order by ordinality) as ids,
         array_agg(
           kinora.hold(
             p_user_id => user_id, p_hold_id => id, p_credits => credits, p_max_open => max_in_progress,
             p_key_id => key_id, p_remark => model || ', ' || duration_s || ' s'
           )
           order by ordinality
         ) as holds,
         array_agg(ordinality::integer order by ordinality) as positions,
         array_agg(start_image_id) as image_ids, bool_or(webhook_url is not null) as has_webhooks,
         bool_or(key is not null or start_image_id is not null) as has_checks,
         count(distinct (user_id, key)) filter (where key is not null) < count(key) as has_repeats
  into v_all
  from unnest(v_requests) with ordinality;
  if v_all.has_checks then
    -- Of two callers with one key the second waits here and then finds the video that the first has created. With an image the
    -- account is locked first too: every path locks account, then image, then video.
    perform kinora.credit_lock_accounts(v_all.user_ids, p_now);
  end if;
  if v_all.has_repeats then
    -- Of several requests with one key, each is decided after those before it: in a round of its own. One id twice needs none: its
    -- credits are frozen once, and only the request that froze them creates a video.
    v_rounds := array(
      select case when key is null then 1 else row_number() over (partition by user_id, key order by ordinality) end
      from unnest(v_requests) with ordinality
      order by ordinality
    );
  end if;

  for v_round in 1 .. coalesce((select max(round) from unnest(v_rounds) round), 1) loop
    v_positions := v_all.positions;
    if v_rounds is not null then
      v_positions := array(select n from unnest(v_all.positions) n where v_rounds[n] = v_round);
    end if;
    if v_all.has_checks then
      for v_row in
        select c.n, c.subject_id, c.outcome
        from kinora.video_check_requests(v_requests, v_positions, v_all.user_ids, v_all.image_ids) c
        where c.outcome is not null
      loop
        v_outcomes[v_row.n] := v_row.outcome;
        v_ids[v_row.n] := v_row.subject_id;
        v_positions := array_remove(v_positions, v_row.n);
      end loop;
    end if;
    continue when v_positions = '{}' or v_positions is null;

    v_frozen := kinora.credit_freeze_holds(
      case when v_positions = v_all.positions then v_all.holds else array(select v_all.holds[n] from unnest(v_positions) n) end, p_now
    );
    for i in 1 .. cardinality(v_positions) loop
      v_n := v_positions[i];
      v_available[v_n] := v_frozen.available[i];
      v_outcomes[v_n] := v_frozen.outcomes[i];
      if v_frozen.outcomes[i] = 'frozen' then
        v_ids[v_n] := v_all.ids[v_n];
        -- Invariant: a hold and its video are created in one transaction, so that a hold that exists has its video.
        v_outcomes[v_n] := 'replayed';
      end if;
    end loop;
    v_created := '{}';
    foreach v_n in array v_frozen.frozen loop
      v_outcomes[v_positions[v_n]] := 'created';
      v_created := v_created || v_positions[v_n];
    end loop;

    insert into kinora.video (
      user_id, id, prompt, model, duration_s, aspect_ratio, quality, start_image_url, credits, providers, usual_s,
      created_at, updated_at, due_at, deadline_at
    )
    select user_id, id, prompt, model, duration_s, aspect_ratio, quality, start_image_url, credits, providers, usual_s,
           p_now, p_now, p_now, deadline_at
    from unnest(v_requests) with ordinality
    where ordinality = any(v_created);
    if v_all.has_checks then
      insert into kinora.idempotency_key (
        user_id, operation, key, request_hash, subject_user_id, subject_id, created_at
      )
      select user_id, 'video.generate', key, request_hash, user_id, id, p_now
      from unnest(v_requests) with ordinality
      where ordinality = any(v_positions) and v_outcomes[ordinality] in ('created', 'replayed') and key is not null;
    end if;
  end loop;

  if v_all.has_webhooks then
    perform kinora.webhook_of_videos(v_requests, v_outcomes, p_now);
  end if;

  -- A video that was created is as requested; one of an earlier request is read.
  return query
  select v_outcomes[r.ordinality], v_available[r.ordinality], v_ids[r.ordinality],
         coalesce(v.model, r.model), coalesce(v.credits, r.credits), coalesce(v.created_at, p_now)
  from unnest(v_requests) with ordinality r
  left join lateral (
    select s.model, s.credits, s.created_at
    from kinora.video s
    where v_outcomes[r.ordinality] = 'replayed' and s.user_id = r.user_id and s.id = v_ids[r.ordinality]
    offset 0
  ) v on true
  order by r.ordinality;
end
$$;
