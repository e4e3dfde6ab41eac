-- Written by `npm run schema` from server/src/db/video-filters.ts.

-- Returns whether a list that is narrowed has the video. It is inlined, so that with a plan made for the values each
-- condition is there or not, and an index serves it.
create or replace function kinora.video_matches(p_video kinora.video, p_filter jsonb) returns boolean
language sql immutable
return (p_filter -> 'status' is null or (p_video.status = (p_filter ->> 'status')))
  and (p_filter -> 'kind' is null or (case when (p_filter ->> 'kind') = 'cut' then p_video.model = 'cut' else p_video.model <> 'cut' end))
  and (p_filter -> 'model' is null or (p_video.model = (p_filter ->> 'model')))
  and (p_filter -> 'mode' is null or (p_video.mode = (p_filter ->> 'mode') and ((p_filter ->> 'mode') = 'text-to-video' or p_video.mode <> 'text-to-video')))
  and (p_filter -> 'aspectRatio' is null or (p_video.aspect_ratio = (p_filter ->> 'aspectRatio')))
  and (p_filter -> 'favourite' is null or (p_video.favourite = (p_filter ->> 'favourite')::boolean))
  and (p_filter -> 'folder' is null or (case when (p_filter ->> 'folder')::uuid = '00000000-0000-0000-0000-000000000000' then p_video.folder_id is null else p_video.folder_id = (p_filter ->> 'folder')::uuid end))
  and (p_filter -> 'madeBy' is null or (p_video.made_by = (p_filter ->> 'madeBy')::uuid))
  and (p_filter -> 'subject' is null or (p_video.subject = (p_filter ->> 'subject')))
  and (p_filter -> 'from' is null or (p_video.id > (p_filter ->> 'from')::uuid))
  and (p_filter -> 'to' is null or (p_video.id < (p_filter ->> 'to')::uuid))
  and (p_filter -> 'metadata' is null or (p_video.metadata @> (p_filter ->> 'metadata')::text::jsonb))
  and (p_filter -> 'q' is null or ((p_video.has_trigrams or not p_video.has_trigrams) and lower(p_video.prompt) like lower((p_filter ->> 'q'))));

-- Returns ids of a user's videos behind a cursor, the newest or the oldest first. Each part is read from an index in
-- the sequence of the page, and because each has a limit, they are merged row by row: without it the planner, which
-- expects a user to have few videos, sorts all of them. The plan is made for the values of the filter.
create or replace function kinora.video_page(
  p_user_id uuid, p_filter jsonb, p_is_oldest_first boolean, p_skip bigint, p_limit bigint, p_cursor uuid default null
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
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and v.status = 'COMPLETED' and v.due_at is null and coalesce(p_filter ->> 'status', 'COMPLETED') = 'COMPLETED'
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id > p_cursor)
        order by v.id asc limit p_skip + p_limit
      ) union all
      (
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and v.status = 'FAILED' and v.due_at is null and coalesce(p_filter ->> 'status', 'FAILED') = 'FAILED'
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id > p_cursor)
        order by v.id asc limit p_skip + p_limit
      ) union all
      (
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and v.due_at is not null
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id > p_cursor)
        order by v.id asc limit p_skip + p_limit
      )
    ) v
    order by v.id asc limit p_limit offset p_skip;
  else
    return query
    select v.id
    from (
      (
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and v.status = 'COMPLETED' and v.due_at is null and coalesce(p_filter ->> 'status', 'COMPLETED') = 'COMPLETED'
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id < p_cursor)
        order by v.id desc limit p_skip + p_limit
      ) union all
      (
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and v.status = 'FAILED' and v.due_at is null and coalesce(p_filter ->> 'status', 'FAILED') = 'FAILED'
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id < p_cursor)
        order by v.id desc limit p_skip + p_limit
      ) union all
      (
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and v.due_at is not null
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id < p_cursor)
        order by v.id desc limit p_skip + p_limit
      )
    ) v
    order by v.id desc limit p_limit offset p_skip;
  end if;
end
$$;
