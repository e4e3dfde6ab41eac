/**
 * `/ai-gateway`: the wire format of Vercel's AI Gateway for video models, for the packages `ai` and `@ai-sdk/gateway`.
 * Start and status, or one request that waits for the film (Server-Sent Events).
 */
import { isDeepStrictEqual } from 'node:util'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import type { Model } from '../catalogue/model.ts'
import { type AppError, statusOf } from '../errors.ts'
import { isFinal, type RequestedParameters } from '../film/fields.ts'
import type { Kind } from '../film/inputs.ts'
import { FILMS_MAX, filmCount, REFERENCES_MAX } from '../film/limits.ts'
import { limitFilms } from '../http/request/rate-limits.ts'
import { disconnection, userOf } from '../http/request/request.ts'
import { contentTypeOf } from '../storage/key.ts'
import { noteEndsRead } from '../video/end-read.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { fileLink } from '../video/library.ts'
import type { Generated } from '../video/replay.ts'
import { errorOfEvent, sendEvents } from './event-stream.ts'
import { statedShape } from './film-sizes.ts'
import {
  AI_SDK_PAUSE_MS,
  type Call,
  commonFields,
  commonOf,
  type ErrorShape,
  enabledModels,
  fieldOf,
  generates,
  Ignored,
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
import { fieldsOfFormats, isFrame } from './input-fields.ts'
import { generateOnce } from './repeated-request.ts'
import { readVideo, type VideoView } from './video-view.ts'
import { FILM_WAIT_MS, noteEndsOfWait } from './wait-for-film.ts'

const File = Type.Union([
  Type.Object({ type: Type.Literal('url'), url: Type.String(), mediaType: Type.Optional(Type.String()) }),
  Type.Object({ type: Type.Literal('file'), data: Type.String(), mediaType: Type.Optional(Type.String()) }),
])
const Body = Type.Object({
  prompt: Type.Optional(Type.String()),
  n: filmCount,
  aspectRatio: Type.Optional(Type.String()),
  resolution: Type.Optional(Type.String()),
  duration: Type.Optional(Type.Number()),
  fps: Ignored,
  ...commonFields,
  generateAudio: Type.Optional(Type.Boolean()),
  // Options of each provider by its name; Kinora's are those of the model.
  providerOptions: Type.Optional(
    Type.Intersect([Type.Record(Type.String(), Type.Unknown()), Type.Object({ kinora: Type.Optional(OwnOptions) })]),
  ),
  image: Type.Optional(File),
  frameImages: Type.Optional(Type.Array(Type.Object({ image: File, frameType: Type.String() }))),
  inputReferences: Type.Optional(Type.Array(File, { maxItems: REFERENCES_MAX })),
  callbackUrl: Type.Optional(Type.String()),
})
/** `uuids`: all films of a start with `n`. */
const Operation = Type.Object({
  uuid: Type.String(),
  uuids: Type.Optional(Type.Array(Type.String(), { maxItems: FILMS_MAX })),
})
const StatusBody = Type.Object({ operation: Operation })

export function registerAiGateway(server: FastifyInstance, app: App, { limitLarge, waitForFilm }: Shared): void {
  registerFormat(server, { prefix: '/ai-gateway', format: 'aiGateway', errorShape: gatewayError }, (scope) => {
    const http = scope.withTypeProvider<TypeBoxTypeProvider>()
    http.post('/video-model/start', generates(limitLarge, { body: Body }), async (request, reply) => {
      const { uuid, creditsUsed, videos } = await generateFor({ app, request, reply }, request.body)
      return {
        operation: { uuid, ...(videos && { uuids: videos.map((video) => video.uuid) }) },
        warnings: warningsOf(app, request),
        providerMetadata: { kinora: { uuid, creditsUsed } },
      }
    })

    http.post('/video-model/status', reads({ body: StatusBody }), async (request) => {
      const { uuid, uuids = [uuid] } = request.body.operation
      const caller = userOf(request)
      const videos = await Promise.all(uuids.map((each) => readVideo(app, caller, each)))
      if (videos.every(({ status }) => isFinal(status))) await noteEndsRead(app, caller, videos)
      return toStatus(app, videos)
    })

    http.post('/video-model', generates(limitLarge, { body: Body }), async (request, reply) => {
      const made = await generateFor({ app, request, reply }, request.body)
      return sendEvent(request, reply, async () => {
        const signal = AbortSignal.any([disconnection(reply), AbortSignal.timeout(FILM_WAIT_MS)])
        const videos: VideoView[] = []
        for (const { uuid } of made.videos ?? [made]) {
          videos.push(await waitForFilm(request, uuid, { waitMs: FILM_WAIT_MS, signal }))
        }
        await noteEndsOfWait({ app, request, reply }, videos)
        return toEvent(app, videos, warningsOf(app, request))
      })
    })

    http.get('/config', reads({}), async () => ({
      models: enabledModels(app).map(({ id, name, company }) => ({
        id,
        name,
        description: `${name} of ${company}`,
        specification: { specificationVersion: 'v4', provider: 'kinora', modelId: id },
        modelType: 'video',
      })),
    }))
  })
}

type Body = Static<typeof Body>

const modelIdOf = (headers: FastifyRequest['headers']): string => String(headers['ai-model-id'] ?? '')

/** An Idempotency-Key is an option of `/start`; the package sends none with a request that waits. */
async function generateFor(call: Call, body: Body): Promise<Generated> {
  const { app, request, reply } = call
  const model = modelIdOf(request.headers)
  await limitFilms(app, request, reply, body.n)
  const wanted = requestOf(app, model, body, await inputsOf(call, mediaOf(app, model, body)))
  return generateOnce(call, wanted, silently(call, [model, body], AI_SDK_PAUSE_MS))
}

/** @throws AppError INVALID_REQUEST, UNSUPPORTED_QUALITY */
function requestOf(app: App, model: string, body: Body, inputs: Partial<RequestedParameters>): FilmInput {
  const { prompt, n = 1, duration, resolution, generateAudio: audio } = body
  if (body.callbackUrl !== undefined) throw unsupportedField('callbackUrl', 'webhook')
  const known = catalogue(app.config).get(model)
  const shape = statedShape(
    known,
    { name: 'resolution', value: resolution },
    { aspectRatio: { name: 'aspectRatio', value: body.aspectRatio } },
  )
  const stated = {
    ...commonOf(body),
    ...ownOptionsOf(body.providerOptions?.kinora),
    ...(audio !== undefined && hasAudio(known) && { audio }),
    ...inputs,
    ...shape,
  }
  const whole = wholeRequest(app, { ...stated, ...(prompt !== undefined && { prompt }), model, duration })
  return n === 1 ? whole : { ...whole, n }
}

const hasAudio = (model: Model | undefined): boolean => Object.hasOwn(model?.options ?? {}, 'audio')

/** @throws AppError INVALID_REQUEST for another type of frame */
function mediaOf(app: App, model: string, body: Body): Parameters<typeof inputsOf>[1] {
  const { image, frameImages = [], inputReferences = [] } = body
  const { inputs, mode } = ownInputsOf(body.providerOptions?.kinora)
  const contentOf = (file: Static<typeof File>) => (file.type === 'url' ? file.url : `data:;base64,${file.data}`)
  // The package sends the first frame as the image too.
  const isFrameToo = frameImages.some((frame) => isDeepStrictEqual(frame.image, image))
  return {
    model: catalogue(app.config).get(model),
    mode,
    media: [
      ...(image && !isFrameToo ? [{ ...fields.start, name: 'image', value: contentOf(image) }] : []),
      ...frameImages.map(({ frameType: type, image: file }): Medium => {
        if (!isFrame(type)) throw unsupportedField('frameImages', `a ${type}`)
        return { ...fields[type], name: 'frameImages', value: contentOf(file) }
      }),
      ...inputReferences.map((file) => ({
        ...{ ...fields[kindOfFile(file)], name: 'inputReferences', value: contentOf(file) },
      })),
      ...ownMedia(inputs, 'providerOptions.kinora.inputs'),
    ],
  }
}
const fields = fieldsOfFormats.aiGateway

const KIND_OF_TYPE: Record<string, Kind> = { video: 'film', audio: 'sound' }
const ENDINGS: [Kind, RegExp][] = [
  ['film', /\.(mp4|mov|webm)$/i],
  ['sound', /\.(mp3|wav|m4a|ogg)$/i],
]
/** By its media type; of a link without one by its ending. */
function kindOfFile(file: Static<typeof File>): Kind {
  if (file.mediaType !== undefined) return KIND_OF_TYPE[file.mediaType.replace(/\/.*$/s, '')] ?? 'image'
  const path = file.type === 'url' ? (URL.parse(file.url)?.pathname ?? '') : ''
  return ENDINGS.find(([, ending]) => ending.test(path))?.[0] ?? 'image'
}

/** What the request names and Kinora does not take into account. */
function warningsOf({ config }: App, { headers, body }: { headers: FastifyRequest['headers']; body: Body }) {
  const { kinora: _, ...otherOptions } = body.providerOptions ?? {}
  const unsupported = {
    fps: body.fps,
    generateAudio: hasAudio(catalogue(config).get(modelIdOf(headers))) ? undefined : body.generateAudio,
    providerOptions: Object.values(otherOptions).find((each) => !isEmpty(each)),
  }
  return Object.entries(unsupported).flatMap(([feature, value]) =>
    value === undefined ? [] : [{ type: 'unsupported', feature }],
  )
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const filmOf = (app: App, { videoKey }: VideoView) =>
  videoKey === null ? [] : [{ type: 'url', url: fileLink(app, videoKey) ?? '', mediaType: contentTypeOf(videoKey) }]

const metadataOf = (videos: VideoView[]) => ({
  kinora: { uuid: videos[0]?.uuid ?? '', creditsUsed: videos.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0) },
})

/** Of several films those that were made, when all are final. */
function toStatus(app: App, videos: VideoView[]) {
  const providerMetadata = metadataOf(videos)
  if (!videos.every(({ status }) => isFinal(status))) return { status: 'pending', providerMetadata }
  if (videos.some(({ status }) => status === 'COMPLETED')) {
    return {
      status: 'completed',
      videos: videos.flatMap((video) => filmOf(app, video)),
      warnings: [],
      providerMetadata,
    }
  }
  if (videos.every(({ failure }) => failure?.code === 'CANCELLED')) return { status: 'cancelled', providerMetadata }
  return { status: 'error', error: errorOf(videos), providerMetadata }
}

function toEvent(app: App, videos: VideoView[], warnings: object[]): object {
  const { status, videos: films, providerMetadata } = toStatus(app, videos)
  if (status === 'completed') return { type: 'result', videos: films, warnings, providerMetadata }
  const isPending = status === 'pending'
  return {
    type: 'error',
    message: isPending ? 'The film is not ready yet; use the option poll, which waits longer.' : errorOf(videos),
    errorType: isPending ? 'timeout_error' : 'invalid_request_error',
    statusCode: isPending ? 408 : 422,
    param: null,
  }
}

const errorOf = (videos: VideoView[]): string => videos.find(({ error }) => error !== null)?.error ?? ''

/** Sends one event when it is known. */
const sendEvent = (request: FastifyRequest, reply: FastifyReply, makeEvent: () => Promise<object>) =>
  sendEvents(reply, async (send) => send(await makeEvent().catch((cause) => errorEvent(request, cause))))

function errorEvent(request: FastifyRequest, cause: unknown): object {
  const error = errorOfEvent(request, cause)
  return {
    ...{ type: 'error', message: error.message, errorType: typeOf(error) },
    ...{ statusCode: statusOf[error.code], param: null },
  }
}

function typeOf({ code }: AppError): string {
  const status = statusOf[code]
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'forbidden'
  if (code === 'UNSUPPORTED_MODEL' || code === 'MODEL_UNAVAILABLE') return 'model_not_found'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limit_exceeded'
  return status >= 500 ? 'internal_server_error' : 'invalid_request_error'
}

const gatewayError: ErrorShape = (error) => ({
  error: { message: error.message, type: typeOf(error), param: fieldOf(error), code: error.code },
})
