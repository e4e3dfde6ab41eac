-- What webhooks show of a video. Written by `npm run schema` from server/src/film/fields.ts.

-- Returns the data of an event of a video.
create or replace function kinora.webhook_data(p_video kinora.video) returns jsonb
language sql stable
return jsonb_build_object(
  'uuid', p_video.id,
  'model', p_video.model,
  'status', p_video.status,
  'provenance', case when p_video.status = 'COMPLETED' then (select jsonb_build_object('signed', count(p.signed_at) > 0, 'signer', max(p.signer), 'label', case when bool_or(p.is_labelled) then 'AIGC' end) from kinora.video_provenance p where p.user_id = p_video.user_id and p.video_id = p_video.id) end,
  'duration', coalesce(floor(p_video.film_duration_s * 100 + 0.5) / 100, p_video.duration_s)::float8,
  'aspectRatio', kinora.film_aspect_ratio(p_ordered => p_video.aspect_ratio, p_width => p_video.film_width, p_height => p_video.film_height),
  'quality', kinora.film_quality(p_ordered => p_video.quality, p_width => p_video.film_width, p_height => p_video.film_height),
  'creditsUsed', case when p_video.status = 'FAILED' then 0 else p_video.credits end,
  'createdAt', kinora.iso_time(p_video.created_at),
  'completedAt', kinora.iso_time(case when p_video.status = 'COMPLETED' then p_video.completed_at end),
  'seed', p_video.seed,
  'mode', p_video.mode,
  'extendedFrom', case when p_video.mode = 'extend' then kinora.input_video(p_inputs => p_video.made_of) end,
  'upscaledFrom', case when p_video.mode = 'upscale' then kinora.input_video(p_inputs => p_video.made_of) end,
  'project', case when p_video.model = 'cut' then p_video.options ->> 'project' end,
  'batchId', p_video.batch_id,
  'subject', p_video.subject,
  'metadata', p_video.metadata,
  'error', p_video.error,
  'failure', case when p_video.status = 'FAILED' then jsonb_build_object('code', p_video.error_code, 'message', p_video.error, 'retryable', p_video.error_code = any('{PROVIDER_ERROR,PROVIDER_BUSY,TIMED_OUT,CANCELLED,LOST,NOT_ACCEPTED,FILM_UNUSABLE,FILM_UNREACHABLE,NOT_AS_ORDERED,NOT_STORED}')) end
);

-- Returns a video as its webhooks in another service's format are made of it (server/src/compatible/wire-formats.ts).
create or replace function kinora.webhook_view(p_video kinora.video) returns jsonb
language sql stable
return jsonb_build_object(
  'uuid', p_video.id,
  'prompt', p_video.prompt,
  'model', p_video.model,
  'status', p_video.status,
  'videoKey', case when p_video.files_removed_at is null and p_video.deleted_at is null then p_video.video_key end,
  'thumbnailKey', case when p_video.files_removed_at is null and p_video.deleted_at is null then p_video.thumbnail_key end,
  'durationS', p_video.duration_s,
  'aspectRatio', p_video.aspect_ratio,
  'quality', p_video.quality,
  'creditsUsed', case when p_video.status = 'FAILED' then 0 else p_video.credits end,
  'createdAt', kinora.iso_time(p_video.created_at),
  'acceptedAt', kinora.iso_time(p_video.accepted_at),
  'completedAt', kinora.iso_time(case when p_video.status = 'COMPLETED' then p_video.completed_at end),
  'failedAt', kinora.iso_time(case when p_video.status = 'FAILED' then p_video.updated_at end),
  'madeOf', p_video.made_of,
  'seed', p_video.seed,
  'negativePrompt', p_video.negative_prompt,
  'audio', p_video.audio,
  'options', p_video.options,
  'mode', p_video.mode,
  'extendedFrom', case when p_video.mode = 'extend' then kinora.input_video(p_inputs => p_video.made_of) end,
  'upscaledFrom', case when p_video.mode = 'upscale' then kinora.input_video(p_inputs => p_video.made_of) end,
  'batchId', p_video.batch_id,
  'metadata', p_video.metadata,
  'error', p_video.error,
  'failure', case when p_video.status = 'FAILED' then jsonb_build_object('code', p_video.error_code, 'message', p_video.error, 'retryable', p_video.error_code = any('{PROVIDER_ERROR,PROVIDER_BUSY,TIMED_OUT,CANCELLED,LOST,NOT_ACCEPTED,FILM_UNUSABLE,FILM_UNREACHABLE,NOT_AS_ORDERED,NOT_STORED}')) end,
  'remixedFrom', p_video.remixed_from
);
