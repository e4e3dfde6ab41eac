-- Written by `npm run schema` from server/src/db/video-filters.ts.

-- Returns whether a list that is narrowed has the video. It is inlined, so that with a plan made for the values each condition is there or not, and
-- an index serves it.
create or replace function kinora.video_matches(p_video kinora.video, p_filter jsonb) returns boolean
language sql immutable
return (p_filter -> 'status' is null or (p_video.status = (p_filter ->> 'status')))
  and (p_filter -> 'model' is null or (p_video.model = (p_filter ->> 'model')))
  and (p_filter -> 'mode' is null or ((num_nonnulls(p_video.upscaled_from, p_video.extended_from, p_video.reference_image_urls, p_video.end_image_url, p_video.start_image_url) > 0) = ((p_filter ->> 'mode') <> 'text-to-video')
    and ((p_filter ->> 'mode') = 'text-to-video' or case
      when p_video.upscaled_from is not null then 'upscale'
      when p_video.extended_from is not null then 'extend'
      when p_video.reference_image_urls is not null then 'reference'
      when p_video.end_image_url is not null then 'first-last'
      else 'image-to-video'
    end = (p_filter ->> 'mode'))))
  and (p_filter -> 'favourite' is null or (p_video.favourite = (p_filter ->> 'favourite')::boolean))
  and (p_filter -> 'folder' is null or (case when (p_filter ->> 'folder')::uuid = '00000000-0000-0000-0000-000000000000' then p_video.folder_id is null else p_video.folder_id = (p_filter ->> 'folder')::uuid end))
  and (p_filter -> 'madeBy' is null or (p_video.made_by = (p_filter ->> 'madeBy')::uuid))
  and (p_filter -> 'subject' is null or (p_video.subject = (p_filter ->> 'subject')))
  and (p_filter -> 'from' is null or (p_video.id > (p_filter ->> 'from')::uuid))
  and (p_filter -> 'to' is null or (p_video.id < (p_filter ->> 'to')::uuid))
  and (p_filter -> 'metadata' is null or (p_video.metadata @> (p_filter ->> 'metadata')::text::jsonb))
  and (p_filter -> 'q' is null or (lower(p_video.prompt) like lower((p_filter ->> 'q'))));
