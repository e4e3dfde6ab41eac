-- Searches by an index of trigrams, which finds all matches at once and in no sequence. A plan is made for each search, because a
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
