-- The ids of pages that a filter, a search or their depth keeps from being the first rows of a primary key.

-- Returns ids of a user's videos, the newest first. A filter that is null matches all. p_before: older ones only.
-- Each part is read from an index in the sequence of the page, and because each has a limit, they are merged row by row: without it the
-- planner, which expects a user to have few videos, sorts all of them.
create or replace function kinora.video_page(
  p_user_id uuid, p_status text, p_model text, p_before uuid, p_skip bigint, p_limit bigint
) returns setof uuid
language plpgsql stable
-- set-based
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
  v_before constant uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if p_model is null then
    return query
    select v.id
    from (
      (
        select c.id
        from kinora.video c
        where c.user_id = p_user_id and c.status = 'COMPLETED' and c.due_at is null and c.deleted_at is null
          and c.id < v_before and coalesce(p_status, 'COMPLETED') = 'COMPLETED'
        order by c.id desc
        limit p_skip + p_limit
      )
      union all
      (
        select f.id
        from kinora.video f
        where f.user_id = p_user_id and f.status = 'FAILED' and f.due_at is null and f.deleted_at is null
          and f.id < v_before and coalesce(p_status, 'FAILED') = 'FAILED'
        order by f.id desc
        limit p_skip + p_limit
      )
      union all
      (
        select u.id
        from kinora.video u
        where u.user_id = p_user_id and u.due_at is not null and u.deleted_at is null and u.id < v_before
          and (p_status is null or u.status = p_status)
        order by u.id desc
        limit p_skip + p_limit
      )
    ) v
    order by v.id desc
    limit p_limit offset p_skip;
  else
    return query
    select v.id
    from (
      (
        select c.id
        from kinora.video c
        where c.user_id = p_user_id and c.status = 'COMPLETED' and c.model = p_model and c.due_at is null and c.deleted_at is null
          and c.id < v_before and coalesce(p_status, 'COMPLETED') = 'COMPLETED'
        order by c.id desc
        limit p_skip + p_limit
      )
      union all
      (
        select f.id
        from kinora.video f
        where f.user_id = p_user_id and f.status = 'FAILED' and f.model = p_model and f.due_at is null and f.deleted_at is null
          and f.id < v_before and coalesce(p_status, 'FAILED') = 'FAILED'
        order by f.id desc
        limit p_skip + p_limit
      )
      union all
      (
        select u.id
        from kinora.video u
        where u.user_id = p_user_id and u.due_at is not null and u.deleted_at is null and u.id < v_before
          and (p_status is null or u.status = p_status) and u.model = p_model
        order by u.id desc
        limit p_skip + p_limit
      )
    ) v
    order by v.id desc
    limit p_limit offset p_skip;
  end if;
end
$$;

-- Searches go by an index of trigrams, which finds all matches at once and in no sequence. A plan is made for each search, because a
-- general one does not know that a text is rare; and only bitmap scans are allowed, because that index knows no others.

-- Returns final videos of a user whose prompt matches p_pattern, a pattern of `like` in lower case; the newest first.
create or replace function kinora.video_search(
  p_user_id uuid, p_pattern text, p_status text, p_model text, p_before uuid, p_limit bigint
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
    and (p_status is null or v.status = p_status) and (p_model is null or v.model = p_model)
    and (p_before is null or v.id < p_before)
  order by v.id desc
  limit p_limit;
end
$$;

-- Returns the number of these videos, p_max at most.
create or replace function kinora.video_search_count(
  p_user_id uuid, p_pattern text, p_status text, p_model text, p_max bigint
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
        and (p_status is null or v.status = p_status) and (p_model is null or v.model = p_model)
      limit p_max
    ) found
  );
end
$$;

-- Returns the ids of users whose e-mail address or name matches p_pattern, a pattern of `like` in lower case; the newest first.
create or replace function kinora.user_search(p_pattern text, p_before text, p_limit bigint) returns setof text
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
