/**
 * `/openrouter/api/v1`, its videos also at `/api/v1/videos`: the wire format of OpenRouter's video generation, for its
 * packages `@openrouter/sdk` and `@openrouter/ai-sdk-provider`. Create, get, content, and the models with their prices.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { listOf, type Model } from '../catalogue/model.ts'
import { type Pricing, pricingOf } from '../catalogue/price.ts'
import { AppError } from '../errors.ts'
import type { RequestedParameters } from '../film/fields.ts'
import { REFERENCES_MAX } from '../film/limits.ts'
import { sendStoredFile } from '../http/files.ts'
import { typed, userOf } from '../http/request/request.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { sizesOf, statedShape } from './film-sizes.ts'
import {
  AI_SDK_PAUSE_MS,
  commonFields,
  commonOf,
  type ErrorShape,
  enabledModels,
  generates,
  Ignored,
  invalidField,
  OwnOptions,
  ownInputsOf,
  ownOptionsOf,
  reads,
  registerFormat,
  type Shared,
  silently,
  unsupportedField,
  wholeRequest,
} from './format.ts'
import { inputsOf, type Medium, ownMedia } from './input.ts'
import { type FrameType, fieldsOfFormats, isFrame } from './input-fields.ts'
import { registerAccount } from './openrouter-account.ts'
import { generateOnce } from './repeated-request.ts'
import { viewVideo } from './video-view.ts'
import { toGeneration } from './wire-formats.ts'

const Link = Type.Object({ url: Type.String() })
const Image = Type.Object({ image_url: Link })
const REFERENCE_TYPES = ['image_url', 'video_url', 'audio_url'] as const
const Reference = Type.Object({
  image_url: Type.Optional(Link),
  video_url: Type.Optional(Link),
  audio_url: Type.Optional(Link),
})
const Body = Type.Object({
  model: Type.String(),
  prompt: Type.Optional(Type.String()),
  duration: Type.Optional(Type.Number()),
  resolution: Type.Optional(Type.String()),
  aspect_ratio: Type.Optional(Type.String()),
  size: Type.Optional(Type.String()),
  frame_images: Type.Optional(
    Type.Array(Type.Intersect([Image, Type.Object({ frame_type: Type.Optional(Type.String()) })])),
  ),
  input_references: Type.Optional(Type.Array(Reference, { maxItems: REFERENCES_MAX })),
  previous_job_id: Type.Optional(Type.String()),
  generate_audio: Type.Optional(Type.Boolean()),
  callback_url: Type.Optional(Type.String()),
  ...commonFields,
  // Options of each provider by its name; Kinora's are those of the model.
  provider: Type.Optional(Type.Object({ options: Type.Optional(Type.Object({ kinora: Type.Optional(OwnOptions) })) })),
  user: Ignored,
  session_id: Ignored,
  trace: Ignored,
})
const Id = Type.Object({ id: Type.String() })

/** The base address of the format, and its videos at Kinora's own, whose other paths are not of this format. */
const BASE = '/openrouter/api/v1'
const VIDEOS_AT_OURS = '/api/v1/videos'

export function registerOpenRouter(server: FastifyInstance, app: App, { limitLarge }: Shared): void {
  const format = { format: 'openRouter', errorShape: openRouterError } as const
  registerFormat(server, { prefix: BASE, ...format }, (scope) => {
    registerAccount(scope, app)
    scope.register(async (videos) => registerVideos(videos, app, limitLarge), { prefix: '/videos' })
  })
  registerFormat(server, { prefix: VIDEOS_AT_OURS, ...format }, (scope) => registerVideos(scope, app, limitLarge))
}

function registerVideos(scope: FastifyInstance, app: App, limitLarge: Shared['limitLarge']): void {
  const http = typed(scope)

  http.post('/', generates(limitLarge, { body: Body }), async (request, reply) => {
    const { body } = request
    const call = { app, request, reply }
    const wanted = requestOf(app, body, await inputsOf(call, mediaOf(app, body)))
    if (body.callback_url !== undefined) {
      wanted.webhookUrl = body.callback_url
      wanted.webhookFormat = { name: 'openrouter', field: 'callback_url', events: null }
    }
    // OpenRouter's own package sends a request for up to an hour when its connection breaks, at first after 0 to 1 s.
    const repetition = silently(call, body, isAiSdk(request) ? AI_SDK_PAUSE_MS : 0)
    const { uuid } = await generateOnce(call, wanted, repetition)
    return reply.code(202).send({ id: uuid, polling_url: `${scope.prefix}/${uuid}`, status: 'pending' })
  })

  http.get('/models', reads({}), async () => ({ data: enabledModels(app).map((model) => toModel(model, app)) }))

  http.get('/:id', reads({ params: Id }), async (request) => ({
    polling_url: `${scope.prefix}/${request.params.id}`,
    ...toGeneration(app, await viewVideo(app, userOf(request), request.params.id)),
  }))

  http.get('/:id/content', reads({ params: Id }), async (request, reply) => {
    const { videoKey: key } = await viewVideo(app, userOf(request), request.params.id)
    if (key === null) throw new AppError('NOT_FOUND', 'There is no film; get the video until its status is completed.')
    return sendStoredFile(request, reply, app, { key, remainingS: 60 })
  })
}

const isAiSdk = ({ headers }: FastifyRequest) => /\bai-sdk\//.test(headers['user-agent'] ?? '')

type Body = Static<typeof Body>

/** @throws AppError UNSUPPORTED_QUALITY, INVALID_REQUEST */
function requestOf(app: App, body: Body, inputs: Partial<RequestedParameters>): FilmInput {
  const { model, prompt, duration, generate_audio: audio } = body
  const shape = statedShape(
    catalogue(app.config).get(model),
    { name: 'size', value: body.size },
    {
      aspectRatio: { name: 'aspect_ratio', value: body.aspect_ratio },
      quality: { name: 'resolution', value: body.resolution },
    },
  )
  const stated = {
    ...commonOf(body),
    ...ownOptionsOf(body.provider?.options?.kinora),
    ...(audio !== undefined && { audio }),
    ...inputs,
    ...shape,
  }
  return wholeRequest(app, { ...stated, ...(prompt !== undefined && { prompt }), model, duration })
}

/** @throws AppError INVALID_REQUEST for another type of frame or reference */
function mediaOf(app: App, body: Body): Parameters<typeof inputsOf>[1] {
  const { frame_images: frames = [], input_references: references = [], previous_job_id: job } = body
  const { inputs, mode } = ownInputsOf(body.provider?.options?.kinora)
  return {
    model: catalogue(app.config).get(body.model),
    mode,
    media: [
      ...frames.map(({ frame_type: type = 'first_frame', image_url: { url } }): Medium => {
        if (!isFrame(type)) throw unsupportedField('frame_images', `a ${type}`)
        return { ...fields[type], name: 'frame_images', value: url }
      }),
      ...references.map((reference): Medium => {
        const [type, other] = REFERENCE_TYPES.filter((each) => reference[each])
        const url = type && reference[type]?.url
        if (!type || url === undefined || other)
          throw invalidField('input_references', `A reference has one of ${REFERENCE_TYPES.join(', ')}.`)
        return { ...fields[type], name: 'input_references', value: url }
      }),
      ...(job === undefined ? [] : [{ ...fields.job, name: 'previous_job_id', value: { video: job } }]),
      ...ownMedia(inputs, 'provider.options.kinora.inputs'),
    ],
  }
}
const fields = fieldsOfFormats.openRouter

const toModel = (model: Model, { config }: App) => ({
  id: model.id,
  canonical_slug: model.id,
  name: model.name,
  created: 0,
  description: `${model.name} of ${model.company}; prices are in credits.`,
  supported_resolutions: model.summary.resolutions.map((each) => (each === '4k' ? '4K' : each)),
  supported_aspect_ratios: model.summary.aspectRatios,
  supported_sizes: sizesOf(model),
  supported_durations: durationsOf(model),
  supported_frame_images: framesOf(model),
  generate_audio: Object.hasOwn(model.options ?? {}, 'audio') || null,
  seed: Object.hasOwn(model.options ?? {}, 'seed'),
  creativity: null,
  upscale_factor: null,
  pricing_skus: pricesOf(pricingOf(model, config)),
  allowed_passthrough_parameters: passedThrough(model),
})

const durationsOf = (model: Model): unknown[] => {
  const all = [...model.constraints.values()].flatMap((each) => listOf(each.get('duration')?.values ?? null) ?? [])
  return [...new Set(all)].sort((a, b) => Number(a) - Number(b))
}

function framesOf({ summary: { modes } }: Model): FrameType[] | null {
  if (modes.includes('first-last')) return ['first_frame', 'last_frame']
  return modes.includes('image-to-video') ? ['first_frame'] : null
}

/** The options of `provider.options.kinora`. */
const passedThrough = ({ options = {} }: Model): string[] =>
  Object.keys(options).filter((name) => name !== 'audio' && name !== 'seed')

const pricesOf = (pricing: Pricing | null) =>
  Object.fromEntries(
    Object.entries(pricing?.credits ?? {}).map(([quality, credits]) => [
      `credits_per_${pricing?.per}_${quality}`,
      String(credits),
    ]),
  )

const openRouterError: ErrorShape = (error, status) => ({
  error: { code: status, message: error.message, metadata: { code: error.code, details: error.details } },
})
