/** Endpoints of @fal-ai/client (types/endpoints.d.ts), else of fal.ai/models/<id>/llms.txt. */
import { type TSchema, Type } from 'typebox'
import {
  digits,
  type Fields,
  flag,
  HAPPY_HORSE_RATIO,
  integer,
  link,
  list,
  number,
  object,
  off,
  one,
  RATIO3,
  RATIO5,
  RATIO6,
  RATIO8,
  seed,
  text,
} from './fields.ts'

export const fal: Record<string, TSchema> = {}
const veoAtFal = (id: string, qualities: string[], hasReferences: boolean) => {
  const facts = (media: Fields, optional: Fields = { seed: number, negative_prompt: text }) =>
    object(
      {
        prompt: text,
        duration: one('4s', '6s', '8s'),
        resolution: one(...qualities),
        aspect_ratio: one('16:9', '9:16'),
        generate_audio: flag,
        auto_fix: off,
        ...media,
      },
      optional,
    )
  fal[id] = facts({})
  fal[`${id}/image-to-video`] = facts({ image_url: link })
  fal[`${id}/first-last-frame-to-video`] = facts({ first_frame_url: link, last_frame_url: link })
  // https://fal.ai/models/fal-ai/veo3.1/extend-video/llms.txt
  if (qualities.includes('4k')) {
    fal[`${id}/extend-video`] = object(
      {
        prompt: text,
        video_url: link,
        duration: one('7s'),
        resolution: one('720p'),
        aspect_ratio: one('auto', '16:9', '9:16'),
        generate_audio: flag,
        auto_fix: off,
      },
      { seed: number, negative_prompt: text },
    )
  }
  if (hasReferences) fal[`${id}/reference-to-video`] = facts({ image_urls: list(link, 1, 3) }, {})
}
veoAtFal('fal-ai/veo3.1', ['720p', '1080p', '4k'], true)
veoAtFal('fal-ai/veo3.1/fast', ['720p', '1080p', '4k'], false)
veoAtFal('fal-ai/veo3.1/lite', ['720p', '1080p'], false)
for (const [id, seconds] of [
  ['v3/standard', digits(3, 15)],
  ['v3/pro', digits(3, 15)],
  ['v3/4k', digits(3, 15)],
  ['v2.6/pro', one('5', '10')],
] as const) {
  const common = { prompt: text, duration: seconds, generate_audio: flag }
  fal[`fal-ai/kling-video/${id}/text-to-video`] = object({ ...common, aspect_ratio: RATIO3 }, { negative_prompt: text })
  fal[`fal-ai/kling-video/${id}/image-to-video`] = object(
    { ...common, start_image_url: link },
    { negative_prompt: text, end_image_url: link },
  )
}
for (const tier of ['standard', 'pro']) {
  const id = `fal-ai/kling-video/v3/turbo/${tier}`
  fal[`${id}/text-to-video`] = object({ prompt: text, duration: digits(3, 15), aspect_ratio: RATIO3 })
  fal[`${id}/image-to-video`] = object({ prompt: text, duration: digits(3, 15), image_url: link })
}
const kling4 = { prompt: text, duration: integer(3, 30), resolution: one('720p', '1080p') }
fal['kling/v4/text-to-video'] = object({ ...kling4, aspect_ratio: one('auto', '16:9', '9:16') })
fal['kling/v4/image-to-video'] = object({ ...kling4, start_image_url: link }, { end_image_url: link })
const seedanceAtFal = (id: string, seconds: TSchema, qualities: string[], more: Fields = {}, optional: Fields = {}) => {
  const facts = (ratio: TSchema, media: Fields, end: Fields = {}) =>
    object(
      {
        prompt: text,
        duration: seconds,
        resolution: one(...qualities),
        aspect_ratio: ratio,
        generate_audio: flag,
        ...more,
        ...media,
      },
      { ...optional, ...end },
    )
  fal[`${id}/text-to-video`] = facts(RATIO6, {})
  fal[`${id}/image-to-video`] = facts(one('auto'), { image_url: link }, { end_image_url: link })
  fal[`${id}/reference-to-video`] = facts(RATIO6, { image_urls: list(link, 1, 9) })
}
seedanceAtFal('bytedance/seedance-2.5', digits(4, 30), ['480p', '720p'])
seedanceAtFal('bytedance/seedance-2.5/flash', digits(4, 30), ['480p', '720p'])
seedanceAtFal('bytedance/seedance-2.0', digits(4, 15), ['480p', '720p', '1080p'])
seedanceAtFal('bytedance/seedance-2.0/fast', digits(4, 15), ['480p', '720p'])
seedanceAtFal(
  'fal-ai/bytedance/seedance/v1.5/pro',
  digits(4, 12),
  ['480p', '720p', '1080p'],
  { camera_fixed: flag },
  { seed: number },
)
for (const id of ['alibaba/wan-3.0', 'alibaba/wan-3.0-prime']) {
  const facts = (ratio: TSchema, media: Fields, optional: Fields = {}) =>
    object(
      {
        prompt: text,
        duration: integer(2, 30),
        resolution: one('480p', '720p', '1080p'),
        aspect_ratio: ratio,
        audio: flag,
        enable_prompt_expansion: flag,
        ...media,
      },
      optional,
    )
  fal[`${id}/text-to-video`] = facts(RATIO5, {})
  fal[`${id}/image-to-video`] = facts(one('adaptive'), { start_image_url: link }, { end_image_url: link })
  fal[`${id}/reference-to-video`] = facts(RATIO5, { reference_image_urls: list(link, 1, 10) })
}
const happyHorseAtFal = (media: Fields, optional: Fields = { seed }) =>
  object({ prompt: text, duration: integer(3, 15), resolution: one('720p', '1080p'), ...media }, optional)
fal['alibaba/happy-horse/text-to-video'] = happyHorseAtFal({ aspect_ratio: RATIO5 })
fal['alibaba/happy-horse/image-to-video'] = happyHorseAtFal({ image_url: link })
fal['alibaba/happy-horse/reference-to-video'] = happyHorseAtFal({
  aspect_ratio: RATIO5,
  image_urls: list(link, 1, 9),
})
fal['alibaba/happy-horse/v1.1/text-to-video'] = happyHorseAtFal({ aspect_ratio: HAPPY_HORSE_RATIO }, {})
fal['blackforestlabs/flux-3/text-to-video'] = object({
  prompt: text,
  duration: integer(5, 20),
  resolution: one('720p', '1080p'),
  aspect_ratio: one('auto', '21:9', '2:1', '16:9', '4:3', '1:1', '3:4', '9:16'),
  generate_audio: flag,
})
for (const id of ['fal-ai/minimax/hailuo-2.3', 'fal-ai/minimax/hailuo-2.3-fast']) {
  const image = { image_url: link }
  fal[`${id}/standard/text-to-video`] = object({ prompt: text, duration: one('6', '10'), prompt_optimizer: flag })
  fal[`${id}/standard/image-to-video`] = object({
    prompt: text,
    duration: one('6', '10'),
    prompt_optimizer: flag,
    ...image,
  })
  fal[`${id}/pro/text-to-video`] = object({ prompt: text, prompt_optimizer: flag })
  fal[`${id}/pro/image-to-video`] = object({ prompt: text, prompt_optimizer: flag, ...image })
}
const h3AtFal = { prompt: text, duration: integer(5, 15) }
fal['minimax/h3/text-to-video'] = object({ ...h3AtFal, resolution: one('768P', '2K'), aspect_ratio: RATIO6 })
fal['minimax/h3/image-to-video'] = object(
  { ...h3AtFal, resolution: one('768P', '2K'), image_url: link },
  { end_image_url: link },
)
const h3MaxAtFal = {
  ...h3AtFal,
  resolution: one('480P', '768P', '1080P'),
  prompt_expansion_mode: Type.Literal('balanced'),
}
fal['minimax/h3-max/text-to-video'] = object({ ...h3MaxAtFal, aspect_ratio: RATIO6 })
fal['minimax/h3-max/image-to-video'] = object({ ...h3MaxAtFal, image_url: link })
fal['minimax/h3-max-turbo/text-to-video'] = object({ ...h3MaxAtFal, aspect_ratio: RATIO6 })
fal['minimax/h3-max-turbo/image-to-video'] = object({ ...h3MaxAtFal, image_url: link }, { end_image_url: link })
const pixverseAtFal = (media: Fields) =>
  object(
    {
      prompt: text,
      duration: integer(1, 15),
      resolution: one('360p', '540p', '720p', '1080p'),
      generate_audio_switch: flag,
      generate_multi_clip_switch: off,
      thinking_type: one('enabled', 'disabled', 'auto'),
      ...media,
    },
    { seed: number },
  )
fal['fal-ai/pixverse/v6/text-to-video'] = pixverseAtFal({ aspect_ratio: RATIO8 })
fal['fal-ai/pixverse/v6/image-to-video'] = pixverseAtFal({ image_url: link })
fal['fal-ai/pixverse/v6/transition'] = pixverseAtFal({ first_image_url: link, end_image_url: link })
// https://fal.ai/models/fal-ai/pixverse/v6/extend/llms.txt
fal['fal-ai/pixverse/v6/extend'] = object(
  {
    prompt: text,
    video_url: link,
    duration: integer(1, 15),
    resolution: one('360p', '540p', '720p', '1080p'),
    generate_audio_switch: flag,
  },
  { seed: number, negative_prompt: text, style: text },
)
fal['fal-ai/bytedance-upscaler/upscale/video'] = object(
  { video_url: link, target_resolution: one('1080p', '2k', '4k') },
  {
    target_fps: one('30fps', '60fps'),
    enhancement_preset: one('general', 'ugc', 'short_series', 'aigc', 'old_film'),
    enhancement_tier: one('fast', 'standard', 'pro'),
    fidelity: one('high', 'medium'),
  },
)
// https://fal.ai/models/xai/grok-imagine-video/extend-video/llms.txt
fal['xai/grok-imagine-video/extend-video'] = object({ prompt: text, video_url: link, duration: integer(2, 10) })
const grokAtFal = { prompt: text, duration: integer(1, 15), resolution: one('480p', '720p', '1080p') }
fal['xai/grok-imagine-video/v1.5/text-to-video'] = object({
  ...grokAtFal,
  aspect_ratio: one('16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'),
})
fal['xai/grok-imagine-video/v1.5/image-to-video'] = object({ ...grokAtFal, image_url: link })
for (const tier of ['', '/fast']) {
  const common = {
    prompt: text,
    duration: tier === '/fast' ? one(6, 8, 10, 12, 14, 16, 18, 20) : one(6, 8, 10),
    resolution: one('1080p', '1440p', '2160p'),
    fps: one(24, 25, 48, 50),
    generate_audio: flag,
  }
  fal[`fal-ai/ltx-2.3/text-to-video${tier}`] = object({ ...common, aspect_ratio: one('16:9', '9:16') })
  fal[`fal-ai/ltx-2.3/image-to-video${tier}`] = object(
    { ...common, aspect_ratio: one('auto', '16:9', '9:16'), image_url: link },
    { end_image_url: link },
  )
}
for (const tier of ['fast', 'pro']) {
  const common = {
    prompt: text,
    duration: tier === 'fast' ? one(6, 8, 10, 12, 14, 16, 18, 20) : one(6, 8, 10),
    resolution: tier === 'fast' ? one('720p', '1080p', '1440p', '2160p') : one('720p', '1080p'),
    generate_audio: flag,
  }
  fal[`lightricks/ltx-2.5/text-to-video/${tier}`] = object({ ...common, aspect_ratio: one('16:9', '9:16') })
  fal[`lightricks/ltx-2.5/image-to-video/${tier}`] = object(
    { ...common, aspect_ratio: one('auto', '16:9', '9:16'), image_url: link },
    { end_image_url: link },
  )
}
// Films that are edited, moved and made to speak.
for (const tier of ['standard', 'pro']) {
  fal[`fal-ai/kling-video/v3/${tier}/motion-control`] = object(
    { image_url: link, video_url: link, character_orientation: one('image', 'video') },
    { prompt: text, keep_original_sound: flag },
  )
  fal[`fal-ai/kling-video/ai-avatar/v2/${tier}`] = object({ image_url: link, audio_url: link }, { prompt: text })
}
fal['fal-ai/kling-video/o3/4k/video-to-video/edit'] = object(
  { prompt: text, video_url: link, keep_audio: flag },
  { image_urls: list(link, 1, 4) },
)
fal['fal-ai/kling-video/lipsync/audio-to-video'] = object({ video_url: link, audio_url: link })
fal['kling/v4/video-to-video/edit'] = object({ prompt: text, video_url: link, resolution: one('720p', '1080p') })
fal['google/gemini-omni-flash/v1.1/edit'] = object({
  prompt: text,
  video_url: link,
  resolution: one('360p', '720p', '1080p', '4k'),
})
const seedance25AtFal = { prompt: text, resolution: one('480p', '720p', '1080p'), generate_audio: flag }
fal['bytedance/seedance-2.5/reference-to-video'] = Type.Union([
  object(
    { ...seedance25AtFal, task: one('reference'), duration: digits(4, 30), aspect_ratio: RATIO6 },
    { image_urls: list(link, 1, 30), video_urls: list(link, 1, 10), audio_urls: list(link, 1, 10) },
  ),
  object({ ...seedance25AtFal, task: one('editing'), video_urls: list(link, 1, 1) }, { image_urls: list(link, 1, 30) }),
])
fal['xai/grok-imagine-video/edit-video'] = object({
  prompt: text,
  video_url: link,
  resolution: one('auto', '480p', '720p'),
})
fal['fal-ai/wan/v2.7/edit-video'] = object(
  { prompt: text, video_url: link, resolution: one('720p', '1080p'), audio_setting: one('auto', 'origin') },
  { reference_image_url: link, seed: number },
)
fal['fal-ai/sync-lipsync/v3'] = object({
  video_url: link,
  audio_url: link,
  sync_mode: one('cut_off', 'loop', 'bounce', 'silence', 'remap'),
})
fal['veed/fabric-1.0'] = object({ image_url: link, audio_url: link, resolution: one('480p', '720p') })
fal['fal-ai/heygen/avatar4/image-to-video'] = object({
  image_url: link,
  audio_url: link,
  resolution: one('360p', '480p', '540p', '720p', '1080p'),
  aspect_ratio: one('16:9', '9:16', '1:1'),
  talking_style: one('stable', 'expressive'),
  caption: off,
})
fal['fal-ai/bytedance/omnihuman/v1.5'] = object(
  { image_url: link, audio_url: link, resolution: one('720p', '1080p'), turbo_mode: flag },
  { prompt: text },
)
