-- The ids of pages that a search keeps from being rows of an index in their sequence; video_filter.sql has those of a
-- filter.

-- Searches go by an index of trigrams, which finds all matches at once and in no sequence. A plan is made for each
-- search, because a general one does not know that a text is rare; and only bitmap scans are allowed, because that
-- index knows no others.

-- Returns ids of final videos of a user behind a cursor that a search finds; the newest or the oldest first.
create or replace function kinora.video_search(
  p_user_id uuid, p_filter jsonb, p_is_oldest_first boolean, p_limit bigint, p_cursor uuid default null
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
  where v.user_id = p_user_id and v.due_at is null and v.deleted_at is null and kinora.video_matches(p_video => v, p_filter => p_filter)
    and (p_cursor is null or case when p_is_oldest_first then v.id > p_cursor else v.id < p_cursor end)
  order by case when p_is_oldest_first then v.id end, v.id desc
  limit p_limit;
end
$$;

-- Returns the number of these videos, p_max at most.
create or replace function kinora.video_search_count(p_user_id uuid, p_filter jsonb, p_max bigint) returns bigint
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
      where v.user_id = p_user_id and v.due_at is null and v.deleted_at is null
        and kinora.video_matches(p_video => v, p_filter => p_filter)
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
