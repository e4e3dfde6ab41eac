/** Vendors of the models of others; fal has a file of its own. */
import { type TSchema, Type } from 'typebox'
import {
  byFrames,
  digits,
  type Facts,
  type Fields,
  flag,
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
  veoRatio,
} from './fields.ts'

/** https://replicate.com/<model>/api */
const veoAtReplicate = object(
  {
    prompt: text,
    duration: one(4, 6, 8),
    resolution: one('720p', '1080p'),
    aspect_ratio: one('16:9', '9:16'),
    generate_audio: flag,
  },
  { image: link, last_frame: link, reference_images: list(link, 1, 3), negative_prompt: text, seed: Type.Integer() },
)
const hailuoAtReplicate = (image: Fields, optional: Fields = {}) =>
  object(
    { prompt: text, duration: one(6, 10), resolution: one('768p', '1080p'), prompt_optimizer: flag, ...image },
    optional,
  )

/** VideoGenerationRequest of @openrouter/sdk */
const frame = (type: string) =>
  object({ type: Type.Literal('image_url'), image_url: object({ url: link }), frame_type: Type.Literal(type) })
const openrouter = (
  seconds: TSchema,
  qualities: string[],
  ratio: TSchema,
  hasAudio = true,
  imageRatio: Fields = {},
): Facts => {
  const facts = (media: Fields) =>
    object({
      prompt: text,
      duration: seconds,
      resolution: one(...qualities),
      ...(hasAudio ? { generate_audio: flag } : {}),
      ...media,
    })
  return {
    'text-to-video': facts({ aspect_ratio: ratio }),
    'image-to-video': facts({ ...imageRatio, frame_images: Type.Tuple([frame('first_frame')]) }),
    'first-last': facts({ ...imageRatio, frame_images: Type.Tuple([frame('first_frame'), frame('last_frame')]) }),
  }
}

/** GatewayVideoModel.buildRequestBody of @ai-sdk/gateway; the options of @ai-sdk/klingai, bytedance and alibaba */
const startImage = { image: object({ type: Type.Literal('url'), url: link }) }
const vercel = (fields: Fields, ratio: TSchema, optional: Fields = {}, imageRatio: Fields = {}): Facts => ({
  'text-to-video': object({ prompt: text, n: Type.Literal(1), aspectRatio: ratio, ...fields }, optional),
  'image-to-video': object({ prompt: text, n: Type.Literal(1), ...imageRatio, ...fields, ...startImage }, optional),
})
const pixels = (...sizes: string[]) => ({ resolution: one(...sizes) })
const hd = ['1280x720', '720x1280', '1920x1080', '1080x1920']
/** The sizes name a quality: a portrait film has them too, and its ratio beside them. */
const veoAtVercel = vercel(
  { duration: one(4, 6, 8), generateAudio: flag, ...pixels('1280x720', '1920x1080') },
  veoRatio.aspect_ratio,
  { seed: number },
  { aspectRatio: veoRatio.aspect_ratio },
)
const klingAtVercel = (seconds: TSchema, more: Fields) =>
  vercel(
    {
      duration: seconds,
      providerOptions: object({
        klingai: object({ mode: one('std', 'pro'), sound: one('on', 'off'), ...more }, { negativePrompt: text }),
      }),
    },
    RATIO3,
  )
const seedanceAtVercel = (from: number, to: number) =>
  vercel(
    {
      duration: integer(from, to),
      resolution: one('480p', '720p'),
      generateAudio: flag,
      providerOptions: object({ bytedance: object({ watermark: flag }) }),
    },
    RATIO6,
  )
const wanOptions = (more: Fields = {}, optional: Fields = {}) => ({
  providerOptions: object({ alibaba: object({ promptExtend: flag, watermark: flag, ...more }, optional) }),
})
const wan3AtVercel = vercel(
  { duration: integer(2, 30), resolution: one('480P', '720P', '1080P'), generateAudio: flag, ...wanOptions() },
  RATIO5,
  { seed: number },
)
const grokAtVercel = (...sizes: string[]) =>
  vercel(
    { duration: integer(1, 15), generateAudio: flag, ...pixels(...sizes) },
    one('16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'),
  )

/** https://docs.kie.ai and GET /api/v1/models/<id>/schema: the fields inside `input` */
const seedanceAtKie = (
  from: number,
  to: number,
  qualities: string[],
  references: Fields = { reference_image_urls: list(link, 1, 9) },
): Facts => {
  const facts = (ratio: TSchema, media: Fields, optional: Fields = {}) =>
    object(
      {
        prompt: text,
        duration: integer(from, to),
        resolution: one(...qualities),
        aspect_ratio: ratio,
        generate_audio: flag,
        return_last_frame: off,
        ...media,
      },
      optional,
    )
  return {
    'text-to-video': facts(RATIO6, {}),
    'image-to-video': facts(one('adaptive'), { first_frame_url: link }),
    'first-last': facts(one('adaptive'), { first_frame_url: link, last_frame_url: link }),
    reference: facts(RATIO6, {}, references),
  }
}
const wan3AtKie: Facts = (() => {
  const facts = (ratio: TSchema, media: Fields) =>
    object(
      {
        prompt: text,
        duration: integer(2, 30),
        resolution: one('480P', '720P', '1080P'),
        aspect_ratio: ratio,
        audio: flag,
        ...media,
      },
      { seed },
    )
  return {
    'text-to-video': facts(RATIO5, {}),
    'image-to-video': facts(one('adaptive'), { first_frame_url: link }),
    'first-last': facts(one('adaptive'), { first_frame_url: link, last_frame_url: link }),
    reference: facts(RATIO5, { reference_image_urls: list(link, 1, 10) }),
  }
})()
const imagesAtKie = (facts: (media: Fields) => TSchema, ratio: TSchema, imageRatio: Fields = {}): Facts => ({
  'text-to-video': facts({ aspect_ratio: ratio }),
  ...byFrames((images) => facts({ ...imageRatio, image_urls: list(link, images, images) })),
})
const framesAtKie = (facts: (media: Fields) => TSchema, ratio: Fields): Facts => ({
  'text-to-video': facts(ratio),
  'image-to-video': facts({ first_frame_url: link }),
  'first-last': facts({ first_frame_url: link, last_frame_url: link }),
})
const wan27AtKie = framesAtKie(
  (media) =>
    object(
      {
        prompt: text,
        duration: integer(2, 15),
        resolution: one('720p', '1080p'),
        prompt_extend: flag,
        watermark: flag,
        ...media,
      },
      { negative_prompt: text, seed },
    ),
  { ratio: RATIO5 },
)

export const resellers: Record<string, Record<string, Facts>> = {
  // https://docs.evolink.ai/en/api-manual/video-series/kling/kling-v3-text-to-video
  evolink: {
    'kling-v3-text-to-video': object(
      {
        prompt: Type.String({ minLength: 1, maxLength: 2500 }),
        duration: integer(3, 15),
        aspect_ratio: RATIO3,
        quality: one('720p', '1080p'),
        sound: one('on', 'off'),
      },
      { negative_prompt: text },
    ),
  },
  replicate: {
    'google/veo-3.1': veoAtReplicate,
    'google/veo-3.1-fast': veoAtReplicate,
    'minimax/hailuo-2.3': hailuoAtReplicate({}, { first_frame_image: link }),
    'minimax/hailuo-2.3-fast': hailuoAtReplicate({ first_frame_image: link }),
  },
  openrouter: {
    'google/veo-3.1': openrouter(one(4, 6, 8), ['720p', '1080p'], veoRatio.aspect_ratio, true, veoRatio),
    'google/veo-3.1-fast': openrouter(one(4, 6, 8), ['720p'], veoRatio.aspect_ratio, true, veoRatio),
    'google/veo-3.1-lite': openrouter(one(4, 6, 8), ['720p', '1080p'], veoRatio.aspect_ratio, true, veoRatio),
    'bytedance/seedance-2.5': openrouter(integer(4, 15), ['480p', '720p'], RATIO6),
    'bytedance/seedance-2.0': openrouter(integer(4, 15), ['480p', '720p'], RATIO6),
    'bytedance/seedance-2.0-fast': openrouter(integer(4, 15), ['480p', '720p'], RATIO6),
    'bytedance/seedance-2.0-mini': openrouter(integer(4, 15), ['480p', '720p'], RATIO6),
    'alibaba/wan-3.0': openrouter(integer(2, 30), ['480p'], RATIO5),
    'minimax/hailuo-3-max': openrouter(integer(5, 10), ['480p', '768p'], RATIO6, false),
    'x-ai/grok-imagine-video': openrouter(integer(1, 15), ['480p', '720p'], RATIO8),
    'x-ai/grok-imagine-video-1.5': openrouter(integer(1, 15), ['480p'], RATIO8),
    'x-ai/grok-imagine-video-1.5-lite': openrouter(integer(1, 15), ['480p'], RATIO8),
  },
  vercel: {
    'google/veo-3.1-generate-001': veoAtVercel,
    'google/veo-3.1-fast-generate-001': veoAtVercel,
    'google/veo-3.1-lite-generate-001': veoAtVercel,
    'klingai/kling-v3.0-t2v': klingAtVercel(integer(3, 15), { multiShot: off }),
    'klingai/kling-v3.0-i2v': klingAtVercel(integer(3, 15), { multiShot: off }),
    'klingai/kling-v2.6-t2v': klingAtVercel(one(5, 10), {}),
    'klingai/kling-v2.6-i2v': klingAtVercel(one(5, 10), {}),
    'bytedance/seedance-2.5': seedanceAtVercel(4, 30),
    'bytedance/seedance-2.0': seedanceAtVercel(4, 15),
    'bytedance/seedance-2.0-fast': seedanceAtVercel(4, 15),
    'bytedance/seedance-2.0-mini': seedanceAtVercel(4, 15),
    'alibaba/wan-v3.0-video': wan3AtVercel,
    'alibaba/wan-v3.0-video-prime': wan3AtVercel,
    'alibaba/wan-v2.7-t2v': vercel(
      { duration: integer(2, 15), resolution: one('720P', '1080P'), ...wanOptions({}, { negativePrompt: text }) },
      RATIO5,
      { seed: number },
    ),
    ...Object.fromEntries(
      (['t2v', 'i2v'] as const).map((mode) => [
        `alibaba/wan-v2.6-${mode}`,
        object(
          {
            prompt: text,
            n: Type.Literal(1),
            duration: integer(2, 15),
            ...(mode === 't2v' ? pixels(...hd) : { ...pixels('720P', '1080P'), ...startImage }),
            ...wanOptions({ shotType: Type.Literal('single') }, { negativePrompt: text }),
          },
          { seed: number },
        ),
      ]),
    ),
    'spacexai/grok-imagine-video': grokAtVercel('854x480', '1280x720'),
    'spacexai/grok-imagine-video-1.5': grokAtVercel('854x480', '1280x720', '1920x1080'),
    'spacexai/grok-imagine-video-1.5-lite': grokAtVercel('854x480', '1280x720', '1920x1080'),
  },
  kie: {
    'veo-3-1': imagesAtKie(
      (media) =>
        object({
          prompt: text,
          model: one('veo3', 'veo3_fast', 'veo3_lite'),
          duration: one(4, 6, 8),
          resolution: one('720p', '1080p', '4k'),
          ...media,
        }),
      veoRatio.aspect_ratio,
      veoRatio,
    ),
    'google/gemini-omni-flash-1-1': imagesAtKie(
      (media) =>
        object({
          prompt: text,
          duration: one('4', '6', '8', '10'),
          resolution: one('360p', '720p', '1080p', '4k'),
          ...media,
        }),
      veoRatio.aspect_ratio,
      veoRatio,
    ),
    'kling-3.0/video': imagesAtKie(
      (media) =>
        object({
          prompt: text,
          duration: digits(3, 15),
          mode: one('std', 'pro', '4K'),
          sound: flag,
          multi_shots: off,
          ...media,
        }),
      RATIO3,
    ),
    'kling-3.0/motion-control': object(
      {
        input_urls: list(link, 1, 1),
        video_urls: list(link, 1, 1),
        mode: one('720p', '1080p'),
        character_orientation: one('image', 'video'),
      },
      { prompt: text },
    ),
    ...Object.fromEntries(
      ['kling/v3-turbo-text-to-video', 'kling/v3-turbo-image-to-video'].map((name) => [
        name,
        imagesAtKie(
          (media) => object({ prompt: text, duration: digits(3, 15), resolution: one('720p', '1080p'), ...media }),
          RATIO3,
        ),
      ]),
    ),
    'bytedance/seedance-2-5': seedanceAtKie(4, 30, ['480p', '720p', '1080p'], {
      reference_image_urls: list(link, 1, 30),
      reference_video_urls: list(link, 1, 10),
      reference_audio_urls: list(link, 1, 10),
    }),
    'bytedance/seedance-2': seedanceAtKie(4, 15, ['480p', '720p', '1080p', '4k']),
    'bytedance/seedance-2-fast': seedanceAtKie(4, 15, ['480p', '720p']),
    'bytedance/seedance-2-mini': seedanceAtKie(4, 15, ['480p', '720p']),
    'wan/3-0-video@v3': wan3AtKie,
    'wan/3-0-video-prime@v3': wan3AtKie,
    'wan/2-7-text-to-video': wan27AtKie,
    'wan/2-7-image-to-video': wan27AtKie,
    'wan/2-6-image-to-video': object({
      prompt: text,
      duration: one('5', '10', '15'),
      resolution: one('720p', '1080p'),
      image_urls: list(link, 1, 1),
      multi_shots: off,
    }),
    ...Object.fromEntries(
      ['minimax-h3/text-to-video', 'minimax-h3/image-to-video'].map((name) => [
        name,
        framesAtKie(
          (media) => object({ prompt: text, duration: integer(4, 15), resolution: one('768P', '2K'), ...media }),
          { aspect_ratio: RATIO6 },
        ),
      ]),
    ),
    ...Object.fromEntries(
      ['text-to-video', 'image-to-video', 'transition'].map((name) => [
        `pixverse-v6/${name}`,
        imagesAtKie(
          (media) =>
            object(
              {
                prompt: text,
                duration: integer(1, 15),
                quality: one('360p', '540p', '720p', '1080p'),
                generate_audio_switch: flag,
                ...media,
              },
              { seed },
            ),
          RATIO8,
        ),
      ]),
    ),
  },
}
