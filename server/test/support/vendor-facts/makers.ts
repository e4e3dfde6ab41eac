/** Vendors of their own models. */
import { type TSchema, Type } from 'typebox'
import {
  byFrames,
  type Facts,
  type Fields,
  flag,
  HAPPY_HORSE_RATIO,
  integer,
  link,
  list,
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

/** TextToVideoCreateParams and ImageToVideoCreateParams of @runwayml/sdk */
const runwaySizes = one('1280:720', '720:1280', '1080:1920', '1920:1080')
const positioned = (position: string) => object({ uri: link, position: Type.Literal(position) })
const runwayPrompt = Type.String({ minLength: 1, maxLength: 1000 })
const veoAtRunway = (() => {
  const facts = (image: Fields) =>
    object(
      { promptText: runwayPrompt, duration: one(4, 6, 8), ratio: runwaySizes, audio: flag, ...image },
      { negativePrompt: text, seed: integer(0, 2 ** 32 - 1) },
    )
  return {
    'text-to-video': facts({}),
    'image-to-video': facts({ promptImage: Type.Tuple([positioned('first')]) }),
    'first-last': facts({ promptImage: Type.Tuple([positioned('first'), positioned('last')]) }),
  }
})()
const genRatios = one('1280:720', '720:1280', '1104:832', '832:1104', '960:960', '1584:672')
const gen = (ratios: TSchema, more: Fields) =>
  object(
    { promptText: runwayPrompt, duration: integer(2, 10), ratio: ratios, ...more },
    { seed: integer(0, 2 ** 32 - 1) },
  )
const genImage = { promptImage: Type.Tuple([positioned('first')]) }

/** https://kling.ai/document-api, the current design: fields of each model beside its path */
const klingOptions = object({ watermark_info: object({ enabled: flag }) })
const klingPart = (type: string) =>
  object(type === 'prompt' ? { type: Type.Literal(type), text } : { type: Type.Literal(type), url: link })
const klingParts = {
  'image-to-video': Type.Tuple([klingPart('prompt'), klingPart('first_frame')]),
  'first-last': Type.Tuple([klingPart('prompt'), klingPart('first_frame'), klingPart('last_frame')]),
}
const klingAt = (settings: Fields): Facts => ({
  'text-to-video': object({
    prompt: text,
    settings: object({ ...settings, aspect_ratio: RATIO3 }),
    options: klingOptions,
  }),
  ...Object.fromEntries(
    Object.entries(klingParts).map(([mode, contents]) => [
      mode,
      object({ contents, settings: object(settings), options: klingOptions }),
    ]),
  ),
})
const sound = one('native', 'off')
const kling3 = { duration: integer(3, 15), resolution: one('720p', '1080p', '4k'), audio: sound }
const klingOmni: Facts = {
  'text-to-video': object({
    contents: Type.Tuple([klingPart('prompt')]),
    settings: object({ ...kling3, aspect_ratio: RATIO3 }),
    options: klingOptions,
  }),
  ...Object.fromEntries(
    Object.entries(klingParts).map(([mode, contents]) => [
      mode,
      object({ contents, settings: object(kling3), options: klingOptions }),
    ]),
  ),
  reference: object({
    contents: list(Type.Union([klingPart('prompt'), klingPart('refer_image')]), 2, 8),
    settings: object({ ...kling3, aspect_ratio: RATIO3 }),
    options: klingOptions,
  }),
  edit: object({
    contents: list(Type.Union([klingPart('prompt'), klingPart('base_video'), klingPart('refer_image')]), 2, 6),
    settings: object({ resolution: kling3.resolution, audio: one('original', 'off'), multi_shot: off }),
    options: klingOptions,
  }),
}
const direct = (name: string, facts: Facts) => ({ [`text-to-video/${name}`]: facts, [`image-to-video/${name}`]: facts })

/** ModelArk, and MiniMax V2, which has the same parts */
const part = (role?: string) => {
  if (role === undefined) return object({ type: Type.Literal('text'), text })
  const kind = role.endsWith('_video') ? 'video_url' : role.endsWith('_audio') ? 'audio_url' : 'image_url'
  return object({ type: Type.Literal(kind), [kind]: object({ url: link }), role: Type.Literal(role) })
}
const contentOf = (references: number, kinds: string[]) => ({
  'text-to-video': Type.Tuple([part()]),
  'image-to-video': Type.Tuple([part(), part('first_frame')]),
  'first-last': Type.Tuple([part(), part('first_frame'), part('last_frame')]),
  reference: list(Type.Union([part(), ...kinds.map((kind) => part(`reference_${kind}`))]), 2, references + 1),
})
const withContent = (
  [references, ...kinds]: [number, ...string[]],
  ratio: TSchema,
  fields: Fields,
  optional: Fields = {},
): { [mode: string]: TSchema } =>
  Object.fromEntries(
    Object.entries(contentOf(references, kinds)).map(([mode, content]) => {
      const ratios = mode === 'text-to-video' || mode === 'reference' ? ratio : one('adaptive')
      return [mode, object({ content, ratio: ratios, ...fields }, optional)]
    }),
  )
const seedance = (
  seconds: [number, number],
  qualities: string[],
  optional: Fields = {},
  more: Fields = {},
  references: [number, ...string[]] = [9, 'image'],
): { [mode: string]: TSchema } =>
  withContent(
    references,
    RATIO6,
    {
      resolution: one(...qualities),
      duration: integer(...seconds),
      generate_audio: flag,
      watermark: flag,
      return_last_frame: off,
      ...more,
    },
    optional,
  )
const h3 = (seconds: [number, number], qualities: string[], ...kinds: string[]) =>
  withContent([12, 'image', ...kinds], RATIO6, {
    resolution: one(...qualities),
    duration: integer(...seconds),
    aigc_watermark: flag,
  })
const hailuo = (image: Fields, optional: Fields = {}) =>
  object(
    {
      prompt: text,
      duration: one(6, 10),
      resolution: one('768P', '1080P'),
      prompt_optimizer: flag,
      fast_pretreatment: off,
      aigc_watermark: flag,
      ...image,
    },
    optional,
  )

/** https://www.alibabacloud.com/help/en/model-studio: three forms of a request */
const wanParameters = { duration: integer(2, 15), prompt_extend: flag, watermark: flag }
const wan3Media = (...types: string[]) =>
  Type.Tuple(types.map((type) => object({ type: Type.Literal(type), url: link })))
const wan3: Facts = (() => {
  const facts = (ratio: TSchema, media: Fields) =>
    object({
      input: object({ prompt: text, ...media }),
      parameters: object(
        { ...wanParameters, duration: integer(2, 30), resolution: one('480P', '720P', '1080P'), ratio, audio: flag },
        { seed },
      ),
    })
  return {
    'text-to-video': facts(RATIO5, {}),
    'image-to-video': facts(one('adaptive'), { media: wan3Media('first_frame') }),
    'first-last': facts(one('adaptive'), { media: wan3Media('first_frame', 'last_frame') }),
    reference: facts(RATIO5, { media: list(object({ type: Type.Literal('reference_image'), url: link }), 1, 10) }),
  }
})()

/** …/happyhorse-text-to-video-api-reference and those of its other modes */
const happyHorse = (ratio: Fields, media: Fields) =>
  object({
    input: object({ prompt: text, ...media }),
    parameters: object(
      { resolution: one('720P', '1080P'), duration: integer(3, 15), watermark: flag, ...ratio },
      { seed },
    ),
  })

/** https://platform.vidu.com/docs */
const vidu = (optional: Facts | null, facts: (media: Fields) => TSchema): Facts => ({
  'text-to-video': facts({ aspect_ratio: RATIO5 }),
  ...byFrames((images) => facts({ images: list(link, images, images) })),
  ...(optional ?? {}),
})
const viduFields = (from: number) => (media: Fields) =>
  object(
    {
      prompt: text,
      duration: integer(from, 16),
      resolution: one('540p', '720p', '1080p'),
      audio: flag,
      watermark: flag,
      off_peak: off,
      ...media,
    },
    { seed },
  )
const viduReference = { reference: viduFields(3)({ aspect_ratio: RATIO5, images: list(link, 1, 7) }) }

/** https://docs.platform.pixverse.ai: ids of images are those of its uploads */
const pixverse = (media: Fields) =>
  object(
    {
      prompt: text,
      duration: integer(1, 15),
      quality: one('360p', '540p', '720p', '1080p'),
      generate_audio_switch: flag,
      water_mark: flag,
      ...media,
    },
    { seed },
  )

/** At most four within the film, in steps of a third of a second. */
const grokKeyframes = (qualities: string[], ratio: Fields): TSchema => {
  const image = object({ url: link })
  const at = Type.Number({ minimum: 1 / 3, maximum: 15 })
  return object(
    { prompt: text, duration: integer(1, 15), resolution: one(...qualities), generate_audio: flag, ...ratio },
    { image, last_frame: image, keyframes: list(object({ image, timestamp_s: at }), 1, 4) },
  )
}

/** https://docs.x.ai; the body that @ai-sdk/xai builds */
const grok = (qualities: string[], seconds: [number, number], hasFrames: boolean, hasReferences: boolean): Facts => {
  const ratio = { aspect_ratio: one('16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '5:2') }
  const facts = (media: Fields, allowed = qualities, [from, to] = seconds) =>
    object({ prompt: text, duration: integer(from, to), resolution: one(...allowed), generate_audio: flag, ...media })
  const image = object({ url: link })
  return {
    'text-to-video': facts(ratio),
    'image-to-video': facts({ image }),
    ...(hasFrames ? { 'first-last': facts({ image, last_frame: image }) } : {}),
    ...(hasReferences
      ? {
          reference: facts(
            { ...ratio, reference_images: list(image, 1, 7) },
            ['480p', '720p'],
            hasFrames ? [1, 15] : [1, 10],
          ),
        }
      : {}),
    // It keeps the size of its source.
    extend: object({ prompt: text, duration: integer(1, 10), video: object({ url: link }) }),
    edit: object({ prompt: text, video: object({ url: link }) }),
    ...(hasFrames ? { keyframes: grokKeyframes(qualities, ratio) } : {}),
  }
}

const lumaStrength = one(...['adhere', 'flex', 'reimagine'].flatMap((word) => [1, 2, 3].map((n) => `${word}_${n}`)))

export const makers: Record<string, Record<string, Facts>> = {
  runway: {
    'veo3.1': veoAtRunway,
    'veo3.1_fast': veoAtRunway,
    'gen4.5': {
      'text-to-video': gen(one('1280:720', '720:1280'), { outputFormat: Type.Literal('mp4') }),
      'image-to-video': gen(genRatios, { outputFormat: Type.Literal('mp4'), ...genImage }),
    },
    gen4_turbo: gen(genRatios, genImage),
    // VideoToVideoCreateParams, CharacterPerformanceCreateParams
    aleph2: object(
      { videoUri: link, outputFormat: one('mp4') },
      {
        promptText: runwayPrompt,
        keyframes: list(object({ uri: link, seconds: Type.Number({ minimum: 0 }) }), 1, 5),
        seed: integer(0, 2 ** 32 - 1),
      },
    ),
    act_two: object(
      {
        character: object({ type: one('image', 'video'), uri: link }),
        reference: object({ type: one('video'), uri: link }),
        ratio: genRatios,
        bodyControl: flag,
        expressionIntensity: integer(1, 5),
      },
      { seed: integer(0, 2 ** 32 - 1) },
    ),
  },
  kling: {
    ...direct('kling-3.0', klingAt({ ...kling3, multi_shot: off })),
    ...direct('kling-3.0-turbo', klingAt({ duration: integer(3, 15), resolution: one('720p', '1080p') })),
    ...direct('kling-2.6', klingAt({ duration: one(5, 10), resolution: one('720p', '1080p'), audio: sound })),
    'omni-video/kling-3.0-omni': klingOmni,
    'motion-control/kling-3.0': object({
      contents: list(Type.Union([klingPart('prompt'), klingPart('image'), klingPart('video')]), 2, 3),
      settings: object({
        character_orientation: one('image', 'video'),
        resolution: one('720p', '1080p'),
        audio: one('original', 'off'),
      }),
      options: klingOptions,
    }),
    // https://kling.ai/document-api/api/video/lip-sync; the adapter sends `identify_face` first
    'v1/videos/advanced-lip-sync/': object({
      identify_face: object({ video_url: link }),
      face_choose: list(
        object({
          sound_file: link,
          sound_start_time: integer(0, 0),
          sound_end_time: integer(2_000, 60_000),
          sound_insert_time: integer(0, 0),
          sound_volume: integer(0, 2),
          original_audio_volume: integer(0, 2),
        }),
        1,
        1,
      ),
      watermark_info: object({ enabled: flag }),
    }),
    // The legacy API names no model for it.
    'v1/videos/avatar/image2video/': object(
      { image: link, sound_file: link, mode: one('std', 'pro'), watermark_info: object({ enabled: flag }) },
      { prompt: text },
    ),
  },
  ark: {
    'dreamina-seedance-2-5-260628': {
      ...seedance([4, 30], ['480p', '720p', '1080p'], { omni_reference_task_type: Type.Literal('reference') }, {}, [
        50,
        'image',
        'video',
        'audio',
      ]),
      edit: object({
        content: list(Type.Union([part(), part('reference_video'), part('reference_image')]), 2, 32),
        ratio: one('adaptive'),
        resolution: one('480p', '720p', '1080p'),
        duration: Type.Literal(-1),
        generate_audio: flag,
        watermark: flag,
        return_last_frame: off,
        omni_reference_task_type: Type.Literal('edit'),
      }),
    },
    'dreamina-seedance-2-0-260128': seedance([4, 15], ['480p', '720p', '1080p', '4k']),
    'dreamina-seedance-2-0-fast-260128': seedance([4, 15], ['480p', '720p']),
    'dreamina-seedance-2-0-mini-260615': seedance([4, 15], ['480p', '720p']),
    'seedance-1-5-pro-251215': seedance(
      [4, 12],
      ['480p', '720p', '1080p'],
      { seed },
      { camera_fixed: flag, service_tier: Type.Literal('default') },
    ),
  },
  minimax: {
    'MiniMax-H3': h3([4, 15], ['768P', '2K'], 'video', 'audio'),
    'MiniMax-H3-Max': h3([5, 15], ['480P', '768P']),
    'MiniMax-Hailuo-2.3': hailuo({}, { first_frame_image: link }),
    'MiniMax-Hailuo-2.3-Fast': hailuo({ first_frame_image: link }),
  },
  dashscope: {
    'wan3.0-video': wan3,
    'wan3.0-video-prime': wan3,
    'happyhorse-1.1-t2v': happyHorse({ ratio: HAPPY_HORSE_RATIO }, {}),
    'happyhorse-1.1-i2v': happyHorse({}, { media: wan3Media('first_frame') }),
    'happyhorse-1.1-r2v': happyHorse(
      { ratio: RATIO5 },
      { media: list(object({ type: Type.Literal('reference_image'), url: link }), 1, 9) },
    ),
    'wan2.7-t2v': object({
      input: object({ prompt: text }, { negative_prompt: text }),
      parameters: object({ ...wanParameters, resolution: one('720P', '1080P'), ratio: RATIO5 }, { seed }),
    }),
    'wan2.7-videoedit': object({
      input: object(
        {
          prompt: text,
          media: list(object({ type: one('video', 'reference_image'), url: link }), 1, 2),
        },
        { negative_prompt: text },
      ),
      parameters: object({ prompt_extend: flag, watermark: flag, resolution: one('720P', '1080P') }, { seed }),
    }),
    'image2video/wan2.2-animate-move': object({
      input: object({ image_url: link, video_url: link, watermark: flag }),
      parameters: object({ mode: one('wan-std', 'wan-pro') }),
    }),
    'wan2.6-t2v': object({
      input: object({ prompt: text }, { negative_prompt: text }),
      parameters: object(
        {
          ...wanParameters,
          size: one('1280*720', '720*1280', '1920*1080', '1080*1920'),
          shot_type: Type.Literal('single'),
        },
        { seed },
      ),
    }),
    'wan2.6-i2v': object({
      input: object({ prompt: text, img_url: link }, { negative_prompt: text }),
      parameters: object(
        { ...wanParameters, resolution: one('720P', '1080P'), shot_type: Type.Literal('single') },
        { seed },
      ),
    }),
  },
  luma: {
    'ray-3.2': (() => {
      const facts = (media: Fields, seconds = one('5s', '10s')) =>
        object({
          prompt: Type.String({ minLength: 1, maxLength: 6000 }),
          aspect_ratio: RATIO6,
          video: object({ resolution: one('360p', '540p', '720p', '1080p'), duration: seconds, hdr: off, ...media }),
        })
      const image = object({ url: link })
      return {
        'text-to-video': facts({ loop: flag }),
        'image-to-video': facts({ loop: flag, start_frame: image }),
        'first-last': facts({ start_frame: image, end_frame: image }, one('5s')),
        extend: facts({ start_frame: object({ generation_id: text }) }, one('5s')),
        keyframes: facts({ keyframes: list(image, 1, 64), keyframe_indexes: list(integer(0, 240), 1, 64) }),
        edit: object({
          type: one('video_edit'),
          prompt: Type.String({ minLength: 1, maxLength: 6000 }),
          source: object({ url: link, media_type: one('video/mp4') }),
          video: object({
            resolution: one('540p', '720p', '1080p'),
            edit: Type.Union([object({ auto_controls: Type.Literal(true) }), object({ strength: lumaStrength })]),
          }),
        }),
      }
    })(),
  },
  vidu: {
    'viduq3-pro': vidu(null, viduFields(1)),
    'viduq3-turbo': vidu(null, viduFields(1)),
    'reference2video/viduq3-turbo': viduReference,
    'reference2video/viduq3': viduReference,
  },
  pixverse: {
    v6: {
      'text-to-video': pixverse({ aspect_ratio: RATIO8, generate_multi_clip_switch: off }),
      'image-to-video': pixverse({ img_id: text, generate_multi_clip_switch: off }),
      'first-last': pixverse({ first_frame_img: text, last_frame_img: text }),
      extend: pixverse({ video_media_id: text }),
    },
  },
  xai: {
    'grok-imagine-video': grok(['480p', '720p'], [1, 15], false, true),
    'grok-imagine-video-1.5': grok(['480p', '720p', '1080p'], [1, 15], true, true),
    'grok-imagine-video-1.5-lite': grok(['480p', '720p', '1080p'], [1, 15], false, false),
  },
}
