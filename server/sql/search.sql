-- The ids of pages that a filter, a search or their depth keeps from being the first rows of a primary key.

-- Returns whether a list that is narrowed has the video. It is inlined, so that with a plan made for the values each
-- condition is there or not, and an index serves it.
create or replace function kinora.video_matches(p_video kinora.video, p_filter kinora.video_filter) returns boolean
language sql immutable
return ((p_filter).status is null or (p_video).status = (p_filter).status)
  and ((p_filter).model is null or (p_video).model = (p_filter).model)
  and ((p_filter).favourite is null or (p_video).favourite = (p_filter).favourite)
  and ((p_filter).made_by is null or (p_video).made_by = (p_filter).made_by)
  and ((p_filter).subject is null or (p_video).subject = (p_filter).subject)
  and ((p_filter).metadata is null or (p_video).metadata @> (p_filter).metadata)
  and ((p_filter).folder_id is null or (p_video).folder_id = (p_filter).folder_id)
  and ((p_filter).is_unfiled is null or ((p_video).folder_id is null) = (p_filter).is_unfiled)
  and (
    (p_filter).mode is null
    or (
      num_nonnulls(
        (p_video).upscaled_from, (p_video).extended_from, (p_video).reference_image_urls, (p_video).end_image_url, (p_video).start_image_url
      ) > 0
    ) = ((p_filter).mode <> 'text-to-video')
  )
  and (
    (p_filter).mode is null
    or (p_filter).mode = 'text-to-video'
    or case
      when (p_video).upscaled_from is not null then 'upscale'
      when (p_video).extended_from is not null then 'extend'
      when (p_video).reference_image_urls is not null then 'reference'
      when (p_video).end_image_url is not null then 'first-last'
      else 'image-to-video'
    end = (p_filter).mode
  );

-- Returns ids of a user's videos between two ids, the newest or the oldest first. Each part is read from an index in
-- the sequence of the page, and because each has a limit, they are merged row by row: without it the planner, which
-- expects a user to have few videos, sorts all of them. The plan is made for the values of the filter.
create or replace function kinora.video_page(
  p_user_id uuid, p_filter kinora.video_filter, p_after uuid, p_before uuid, p_is_oldest_first boolean, p_skip bigint, p_limit bigint
) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
begin
  if p_is_oldest_first then
    return query
    select v.id
    from (
      (
        select c.id
        from kinora.video c
        where c.user_id = p_user_id and c.status = 'COMPLETED' and c.due_at is null and coalesce((p_filter).status, 'COMPLETED') = 'COMPLETED'
          and c.deleted_at is null and c.id > p_after and c.id < p_before and kinora.video_matches(p_video => c, p_filter => p_filter)
        order by c.id
        limit p_skip + p_limit
      )
      union all
      (
        select f.id
        from kinora.video f
        where f.user_id = p_user_id and f.status = 'FAILED' and f.due_at is null and coalesce((p_filter).status, 'FAILED') = 'FAILED'
          and f.deleted_at is null and f.id > p_after and f.id < p_before and kinora.video_matches(p_video => f, p_filter => p_filter)
        order by f.id
        limit p_skip + p_limit
      )
      union all
      (
        select u.id
        from kinora.video u
        where u.user_id = p_user_id and u.due_at is not null
          and u.deleted_at is null and u.id > p_after and u.id < p_before and kinora.video_matches(p_video => u, p_filter => p_filter)
        order by u.id
        limit p_skip + p_limit
      )
    ) v
    order by v.id
    limit p_limit offset p_skip;
  else
    return query
    select v.id
    from (
      (
        select c.id
        from kinora.video c
        where c.user_id = p_user_id and c.status = 'COMPLETED' and c.due_at is null and coalesce((p_filter).status, 'COMPLETED') = 'COMPLETED'
          and c.deleted_at is null and c.id > p_after and c.id < p_before and kinora.video_matches(p_video => c, p_filter => p_filter)
        order by c.id desc
        limit p_skip + p_limit
      )
      union all
      (
        select f.id
        from kinora.video f
        where f.user_id = p_user_id and f.status = 'FAILED' and f.due_at is null and coalesce((p_filter).status, 'FAILED') = 'FAILED'
          and f.deleted_at is null and f.id > p_after and f.id < p_before and kinora.video_matches(p_video => f, p_filter => p_filter)
        order by f.id desc
        limit p_skip + p_limit
      )
      union all
      (
        select u.id
        from kinora.video u
        where u.user_id = p_user_id and u.due_at is not null
          and u.deleted_at is null and u.id > p_after and u.id < p_before and kinora.video_matches(p_video => u, p_filter => p_filter)
        order by u.id desc
        limit p_skip + p_limit
      )
    ) v
    order by v.id desc
    limit p_limit offset p_skip;
  end if;
end
$$;

-- Searches go by an index of trigrams, which finds all matches at once and in no sequence. A plan is made for each
-- search, because a general one does not know that a text is rare; and only bitmap scans are allowed, because that
-- index knows no others.

-- Returns final videos of a user between two ids whose prompt matches p_pattern, a pattern of `like` in lower case; the
-- newest or the oldest first.
create or replace function kinora.video_search(
  p_user_id uuid, p_pattern text, p_filter kinora.video_filter, p_after uuid, p_before uuid, p_is_oldest_first boolean, p_limit bigint
) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_indexscan = off
set enable_indexonlyscan = off
as $$
begin
  return query
  select v.id
  from kinora.video v
  where v.user_id = p_user_id and v.due_at is null and v.deleted_at is null and lower(v.prompt) like p_pattern
    and kinora.video_matches(p_video => v, p_filter => p_filter) and v.id > p_after and v.id < p_before
  order by case when p_is_oldest_first then v.id end, v.id desc
  limit p_limit;
end
$$;

-- Returns the number of these videos, p_max at most.
create or replace function kinora.video_search_count(
  p_user_id uuid, p_pattern text, p_filter kinora.video_filter, p_after uuid, p_before uuid, p_max bigint
) returns bigint
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_indexscan = off
set enable_indexonlyscan = off
as $$
begin
  return (
    select count(*)
    from (
      select
      from kinora.video v
      where v.user_id = p_user_id and v.due_at is null and v.deleted_at is null and lower(v.prompt) like p_pattern
        and kinora.video_matches(p_video => v, p_filter => p_filter) and v.id > p_after and v.id < p_before
      limit p_max
    ) found
  );
end
$$;

-- Returns the ids of users whose e-mail address or name matches p_pattern, a pattern of `like` in lower case; the
-- newest first.
create or replace function kinora.user_search(p_pattern text, p_limit bigint, p_before text default null) returns setof text
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_indexscan = off
set enable_indexonlyscan = off
as $$
begin
  return query
  select u."id"
  from public."user" u
  where (lower(u."email") like p_pattern or lower(u."name") like p_pattern) and (p_before is null or u."id" < p_before)
  order by u."id" desc
  limit p_limit;
end
$$;

-- Returns the number of these users, p_max at most.
create or replace function kinora.user_search_count(p_pattern text, p_max bigint) returns bigint
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_indexscan = off
set enable_indexonlyscan = off
as $$
begin
  return (
    select count(*)
    from (
      select
      from public."user" u
      where lower(u."email") like p_pattern or lower(u."name") like p_pattern
      limit p_max
    ) found
  );
end
$$;
