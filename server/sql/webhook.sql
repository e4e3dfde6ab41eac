-- Outbound webhooks, the writing side: the rows of deliveries, written in the transaction that changes what they
-- report. webhook_send.sql has the claim and the record of attempts.
--
-- Lock order: accounts, videos, then endpoints. Invariant: a transaction that writes deliveries holds the accounts of
-- their users. So one transaction at a time writes those of a user, and two never wait for each other's endpoints,
-- although one transaction writes credit.low before other events and meets the users in two sequences. The functions of
-- webhook_endpoint.sql and webhook_send.sql lock one endpoint and then wait for nothing.

-- Returns the id of the queue for one origin of a user's webhookUrls. The id is a hash, so concurrent calls write one
-- row per origin.
create or replace function kinora.webhook_origin_id(p_user_id uuid, p_origin text) returns uuid
language sql immutable
return encode(substring(sha256(convert_to(p_user_id::text || ' ' || p_origin, 'UTF8')) from 1 for 16), 'hex')::uuid;

-- Keeps the webhookUrl of each created video, and writes Replicate's event start, which no later step of the video is.
-- p_requests: as video_generate_all has it.
create or replace function kinora.webhook_of_videos(
  p_requests kinora.generate_request[], p_outcomes text[], p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_started record;
begin
  with kept as (
    insert into kinora.webhook_of_video as w (user_id, video_id, url, origin, format, events)
    select r.user_id, coalesce((b.video ->> 'id')::uuid, r.id), r.webhook_url, r.webhook_origin, r.webhook_format, r.webhook_events
    from unnest(p_requests) with ordinality r
    left join lateral jsonb_array_elements(r.batch) b (video) on true
    where p_outcomes[r.ordinality] = 'created' and r.webhook_url is not null
    on conflict do nothing
    returning w.user_id, w.video_id, w.url, w.origin, w.format, w.events
  )
  select array_agg(user_id) as user_ids, array_agg(video_id) as video_ids, array_agg(url) as urls,
         array_agg(origin) as origins, array_agg(kinora.webhook_origin_id(user_id, origin)) as endpoint_ids
  into v_started
  from kept
  where format = 'replicate' and coalesce('start' = any(events), true);
  if v_started.user_ids is null then
    return;
  end if;
  perform kinora.webhook_lock_origins(v_started.user_ids, v_started.origins, p_now);
  insert into kinora.webhook_delivery (user_id, endpoint_id, id, type, subject_id, url, body, format, due_at, created_at)
  select s.user_id, s.endpoint_id, kinora.uuid_v7(p_now, s.n::integer), 'video.started', s.video_id, s.url,
         jsonb_build_object('type', 'video.started', 'timestamp', kinora.iso_time(p_now), 'view', kinora.webhook_view(v.video))::text,
         'replicate', p_now, p_now
  from unnest(v_started.user_ids, v_started.video_ids, v_started.urls, v_started.endpoint_ids)
    with ordinality s (user_id, video_id, url, endpoint_id, n)
  cross join lateral (select v as video from kinora.video v where v.user_id = s.user_id and v.id = s.video_id offset 0) v;
  update kinora.webhook_endpoint
  set due_at = greatest(p_now, paused_until)
  where user_id = any(v_started.user_ids) and id = any(v_started.endpoint_ids) and due_at > greatest(p_now, paused_until);
end
$$;

-- Opens the queues of origins and locks them, in the order of users and ids.
create or replace function kinora.webhook_lock_origins(p_user_ids uuid[], p_origins text[], p_now timestamptz) returns void
language sql
as $$
  insert into kinora.webhook_endpoint (user_id, id, is_registered, url, created_at, updated_at)
  select distinct user_id, kinora.webhook_origin_id(user_id, origin), false, origin, p_now, p_now
  from unnest(p_user_ids, p_origins) o (user_id, origin)
  order by 1, 2
  -- Locks a row that exists, so that the sweep of queues that are empty leaves it.
  on conflict (user_id, id) do update set updated_at = excluded.updated_at;
$$;

-- Takes the URLs of generate requests whose video has its first final event here; numbers are the positions of these
-- events.
create or replace function kinora.webhook_take_urls(
  p_user_ids uuid[], p_types text[], p_subject_ids uuid[],
  out numbers bigint[], out user_ids uuid[], out urls text[], out origins text[], out formats text[], out endpoint_ids uuid[]
)
language plpgsql
as $$
#variable_conflict use_column
begin
  with final as (
    delete from kinora.webhook_of_video w
    using (
      select distinct on (user_id, subject_id) user_id, subject_id, type, n
      from unnest(p_user_ids, p_types, p_subject_ids) with ordinality e (user_id, type, subject_id, n)
      where type like 'video.%'
      order by user_id, subject_id, n
    ) e
    cross join lateral (
      select ctid as row_tid from kinora.webhook_of_video where user_id = e.user_id and video_id = e.subject_id offset 0
    ) r
    where w.ctid = r.row_tid
    returning e.n, e.type, w.user_id, w.video_id, w.url, w.origin, w.format, w.events
  )
  select array_agg(n), array_agg(user_id), array_agg(url), array_agg(origin), array_agg(format),
         array_agg(kinora.webhook_origin_id(user_id, origin))
  into numbers, user_ids, urls, origins, formats, endpoint_ids
  from final
  -- A finished film is, of Replicate's events, both output and completed; a failure is completed.
  where format is distinct from 'replicate' or events is null or 'completed' = any(events)
     or 'output' = any(events) and type = 'video.completed';
end
$$;

-- Writes the deliveries of events: one row for each endpoint of the user that wants the type, due at once. Element i of
-- the arrays is one event. The caller leaves out users without a row in webhook_account.
create or replace function kinora.webhook_write(
  p_user_ids uuid[], p_types text[], p_subject_ids uuid[], p_data jsonb[], p_now timestamptz
) returns void
language plpgsql
-- set-based
as $$
declare
  v_target constant record := kinora.webhook_take_urls(p_user_ids, p_types, p_subject_ids);
begin
  if v_target.user_ids is not null then
    perform kinora.webhook_lock_origins(v_target.user_ids, v_target.origins, p_now);
  end if;

  -- A worker that finds the queue empty and sleeps takes the same lock first, so that it sees these rows or is woken.
  perform
  from kinora.webhook_endpoint
  where user_id = any(p_user_ids)
  order by user_id, id
  for no key update;

  with event as materialized (
    select n, user_id, type, subject_id, data ->> 'subject' as subject,
           case when jsonb_typeof(data -> 'metadata') = 'object' then data -> 'metadata' else '{}' end as metadata,
           kinora.uuid_v7(p_now, n::integer) as id,
           jsonb_build_object('type', type, 'timestamp', kinora.iso_time(p_now), 'data', data)::text as body
    from unnest(p_user_ids, p_types, p_subject_ids, p_data) with ordinality e (user_id, type, subject_id, data, n)
  ),
  target as (
    select e.n, e.user_id, e.type, e.subject_id, e.id, e.body, t.id as endpoint_id, null::text as url, null::text as format
    from event e
    cross join lateral (
      select id
      from kinora.webhook_endpoint
      where user_id = e.user_id and is_registered and disabled_reason is null and (events = '{}' or e.type = any(events))
        and (subject is null or subject = e.subject) and e.metadata @> metadata
      offset 0
    ) t
    union all
    select e.n, e.user_id, e.type, e.subject_id, e.id,
           case when v.view is null then e.body else ((e.body::jsonb - 'data') || jsonb_build_object('view', v.view))::text end,
           t.endpoint_id, t.url, t.format
    from unnest(v_target.numbers, v_target.endpoint_ids, v_target.urls, v_target.formats) t (n, endpoint_id, url, format)
    join event e on e.n = t.n
    left join lateral (
      select kinora.webhook_view(v) as view
      from kinora.video v
      where t.format is not null and v.user_id = e.user_id and v.id = e.subject_id
      offset 0
    ) v on true
  ),
  written as (
    insert into kinora.webhook_delivery (user_id, endpoint_id, id, type, subject_id, url, body, format, due_at, created_at)
    select user_id, endpoint_id, id, type, subject_id, url, body, format, p_now, p_now
    from target
    returning user_id, endpoint_id
  )
  update kinora.webhook_endpoint e
  set due_at = greatest(p_now, e.paused_until)
  from (select distinct user_id, endpoint_id from written) w
  cross join lateral (
    select ctid as row_tid
    from kinora.webhook_endpoint
    where user_id = w.user_id and id = w.endpoint_id and due_at > greatest(p_now, paused_until) and suspended_at is null
    offset 0
  ) r
  where e.ctid = r.row_tid;
end
$$;

-- Writes one event of a user, if the user has webhooks.
create or replace function kinora.webhook_write_one(
  p_user_id uuid, p_type text, p_subject_id uuid, p_data jsonb, p_now timestamptz
) returns void
language plpgsql
as $$
begin
  if exists (select from kinora.webhook_account where user_id = p_user_id) then
    perform kinora.webhook_write(array[p_user_id], array[p_type], array[p_subject_id], array[p_data], p_now);
  end if;
end
$$;

-- Writes the events of decisions that have been applied to videos: COMPLETED, FAILED (also cancelled), deleted. A
-- repeated call changes no row, so it writes none. A deleted video has had its last event.
create or replace function kinora.webhook_write_videos(p_decisions kinora.video_decision[], p_now timestamptz) returns void
language plpgsql
-- set-based
as $$
declare
  v_event record;
begin
  select array_agg((d.video).user_id order by d.ordinality) as user_ids,
         array_agg(
           case when (d.video).model = 'cut' and d.outcome = 'completed' then 'project.rendered' else 'video.' || d.outcome end
           order by d.ordinality
         ) as types,
         array_agg((d.video).id order by d.ordinality) as ids,
         array_agg(kinora.webhook_data(d.video) order by d.ordinality) as data
  into v_event
  from unnest(p_decisions) with ordinality d
  cross join lateral (select from kinora.webhook_account where user_id = (d.video).user_id offset 0) a
  where d.is_changed and d.outcome in ('completed', 'failed', 'cancelled', 'deleted')
    and ((d.video).deleted_at is null or d.outcome = 'deleted');
  if v_event.user_ids is not null then
    perform kinora.webhook_write(v_event.user_ids, v_event.types, v_event.ids, v_event.data, p_now);
  end if;
end
$$;
