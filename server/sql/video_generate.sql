-- The beginning of a video: the request that creates it and freezes its credits.

-- Creates videos and freezes their credits. p_requests: a JSON array of kinora.generate_request. start_image_id names the user's
-- uploaded image, if the video starts from one. Returns one row per request, in the sequence of the array.
-- outcome: 'created'; 'replayed' (idempotent replay: same key and request, or same id); 'key_reused' (same key, another
-- request); 'image_link_expired', 'image_gone'; 'insufficient'; 'too_many' (the cap on videos in progress is reached).
-- Only 'created' creates a video. A start image that is still stored is kept for longer, also when its check is followed by
-- 'insufficient' or 'too_many'.
create or replace function kinora.video_generate_all(p_requests jsonb, p_now timestamptz)
returns table (outcome text, available bigint, id uuid, model text, credits bigint, created_at timestamptz)
language plpgsql
-- See credit.sql.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_requests constant kinora.generate_request[] :=
    array(select r from jsonb_populate_recordset(null::kinora.generate_request, p_requests) r);
  -- Whether there are idempotency keys or start images to check.
  v_has_checks boolean;
  v_rounds integer[];
  v_outcomes text[] := array_fill(null::text, array[cardinality(v_requests)]);
  v_available bigint[] := array_fill(null::bigint, array[cardinality(v_requests)]);
  -- The video of each request.
  v_ids uuid[] := array_fill(null::uuid, array[cardinality(v_requests)]);
  v_user_ids constant uuid[] := array(select user_id from unnest(v_requests));
  v_image_ids constant uuid[] := array(select start_image_id from unnest(v_requests));
  v_row record;
  -- The requests of a round that are not decided yet.
  v_positions integer[];
  v_frozen record;
  v_created uuid[];
begin
  perform kinora.check_clock(p_now);
  v_has_checks := exists(select from unnest(v_requests) where key is not null or start_image_id is not null);
  if v_has_checks then
    -- Of two callers with one key the second waits here and then finds the video that the first has created. With an image the
    -- account is locked first too: every path locks account, then image, then video.
    perform kinora.credit_lock_accounts(v_user_ids, p_now);
  end if;

  -- Of several requests with one key or one id, each is decided after those before it: in a round of its own.
  if cardinality(v_requests) = 1 then
    v_rounds := array[1];
  else
    v_rounds := array(
      select greatest(
        row_number() over (partition by user_id, id order by ordinality),
        case when key is not null then row_number() over (partition by user_id, key order by ordinality) end
      )
      from unnest(v_requests) with ordinality
      order by ordinality
    );
  end if;
  for v_round in 1 .. coalesce((select max(round) from unnest(v_rounds) round), 0) loop
    v_positions := array(select n::integer from generate_subscripts(v_rounds, 1) n where v_rounds[n] = v_round);
    if v_has_checks then
      for v_row in
        with request as (
          select r.user_id, r.start_image_id, r.start_image_due_at, r.ordinality as n, k.subject_id,
                 case
                   when k.request_hash = r.request_hash then 'replayed'
                   when k.key is not null then 'key_reused'
                   when r.start_image_id is not null and r.start_image_link_expired then 'image_link_expired'
                 end as outcome
          from unnest(v_requests) with ordinality r
          left join lateral (
            select key, request_hash, subject_id
            from kinora.idempotency_key
            where user_id = r.user_id and operation = 'video.generate' and key = r.key
            offset 0
          ) k on true
          where r.ordinality = any(v_positions)
        ),
        extended as (
          update kinora.video_image i
          set due_at = r.start_image_due_at
          from request r
          where r.outcome is null and i.user_id = r.user_id and i.id = r.start_image_id and i.state = 'kept'
            and i.user_id = any(v_user_ids) and i.id = any(v_image_ids)
          returning i.user_id, i.id
        )
        select r.n, r.subject_id,
               case when r.outcome is null and r.start_image_id is not null and e.id is null then 'image_gone' else r.outcome end
                 as outcome
        from request r
        left join extended e on e.user_id = r.user_id and e.id = r.start_image_id
        order by r.n
      loop
        v_outcomes[v_row.n] := v_row.outcome;
        v_ids[v_row.n] := v_row.subject_id;
        if v_row.outcome is not null then
          v_positions := array_remove(v_positions, v_row.n::integer);
        end if;
      end loop;
    end if;
    continue when v_positions = '{}';

    select array_agg(user_id order by ordinality) as user_ids, array_agg(id order by ordinality) as ids,
           array_agg(credits order by ordinality) as credits,
           array_agg(model || ', ' || duration_s || ' s' order by ordinality) as remarks,
           array_agg(max_in_progress order by ordinality) as max_open
    into v_row
    from unnest(v_requests) with ordinality
    where ordinality = any(v_positions);
    v_frozen := kinora.credit_freeze_holds(v_row.user_ids, v_row.ids, v_row.credits, v_row.remarks, v_row.max_open, p_now);

    for i in 1 .. cardinality(v_positions) loop
      v_outcomes[v_positions[i]] := v_frozen.outcomes[i];
      v_available[v_positions[i]] := v_frozen.available[i];
    end loop;

    with request as (
      select r.*
      from unnest(v_requests) with ordinality r
      where r.ordinality = any(v_positions) and v_outcomes[r.ordinality] = 'frozen'
    ),
    keyed as (
      insert into kinora.idempotency_key (
        user_id, operation, key, request_hash, subject_user_id, subject_id, created_at
      )
      select user_id, 'video.generate', key, request_hash, user_id, id, p_now
      from request
      where key is not null
    ),
    created as (
      insert into kinora.video (
        user_id, id, prompt, model, duration_s, aspect_ratio, quality, start_image_url, credits, providers, usual_s,
        created_at, updated_at, due_at, deadline_at
      )
      select user_id, id, prompt, model, duration_s, aspect_ratio, quality, start_image_url, credits, providers, usual_s,
             p_now, p_now, p_now, deadline_at
      from request
      on conflict on constraint video_pkey do nothing
      returning id
    )
    select array_agg(id) into v_created from created;
    for i in 1 .. cardinality(v_positions) loop
      if v_frozen.outcomes[i] = 'frozen' then
        v_ids[v_positions[i]] := v_row.ids[i];
        v_outcomes[v_positions[i]] := case when v_row.ids[i] = any(v_created) then 'created' else 'replayed' end;
      end if;
    end loop;
  end loop;

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
