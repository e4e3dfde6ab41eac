/**
 * `/ai-gateway`: the wire format of Vercel's AI Gateway for video models, for the packages `ai` and `@ai-sdk/gateway`. Start and
 * status, or one request that waits for the film (Server-Sent Events).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { App } from '../../app.ts'
import { catalogue } from '../../catalogue/catalogue.ts'
import { generateOnce } from '../../compatible/repeated-request.ts'
import { type VideoView, viewVideo } from '../../compatible/video-view.ts'
import { type AppError, statusOf } from '../../errors.ts'
import { contentTypeOf } from '../../storage/key.ts'
import type { GenerateInput } from '../../video/generate-request.ts'
import { fileLink } from '../../video/library.ts'
import type { Generated } from '../../video/replay.ts'
import { toAppError } from '../request/error-responses.ts'
import { disconnection, idempotencyKeyOf, userOf } from '../request/request.ts'
import { idsOf } from '../request/request-trace.ts'
import { shapeOf } from './film-sizes.ts'
import {
  AI_SDK_PAUSE_MS,
  commonFields,
  commonOf,
  DEFAULT_ASPECT_RATIO,
  type ErrorShape,
  enabledModels,
  fieldOf,
  Ignored,
  invalidField,
  registerFormat,
  type Shared,
  silently,
  unsupportedField,
} from './format.ts'
import { LARGE_BODY_BYTES_MAX } from './large-bodies.ts'
import { startImageOf } from './start-image.ts'

/** Longer than the deadline of most models. */
const WAIT_MS = 15 * 60_000
/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000

const File = Type.Union([
  Type.Object({ type: Type.Literal('url'), url: Type.String() }),
  Type.Object({ type: Type.Literal('file'), data: Type.String(), mediaType: Type.Optional(Type.String()) }),
])
const Body = Type.Object({
  prompt: Type.String(),
  n: Type.Optional(Type.Number()),
  aspectRatio: Type.Optional(Type.String()),
  resolution: Type.Optional(Type.String()),
  duration: Type.Optional(Type.Number()),
  fps: Ignored,
  ...commonFields,
  generateAudio: Ignored,
  // Options of each provider; the package sends an empty object otherwise.
  providerOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  image: Type.Optional(File),
  frameImages: Type.Optional(Type.Array(Type.Object({ image: File, frameType: Type.String() }))),
  inputReferences: Type.Optional(Type.Array(Type.Unknown())),
  callbackUrl: Type.Optional(Type.String()),
})
const StatusBody = Type.Object({ operation: Type.Object({ uuid: Type.String() }) })

export function registerAiGateway(server: FastifyInstance, app: App, { limitLarge, waitForFilm }: Shared): void {
  registerFormat(server, { prefix: '/ai-gateway', format: 'aiGateway', errorShape: gatewayError }, (scope) => {
    const http = scope.withTypeProvider<TypeBoxTypeProvider>()
    const start = {
      config: { access: 'user', scope: 'generate', limit: 'generate' },
      onRequest: limitLarge,
      bodyLimit: LARGE_BODY_BYTES_MAX,
      schema: { hide: true, body: Body },
    } as const

    http.route({
      method: 'POST',
      url: '/video-model/start',
      ...start,
      handler: async (request, reply) => {
        const { uuid, creditsUsed } = await generateFor(app, request, reply, request.body)
        return {
          operation: { uuid },
          warnings: warningsOf(request.body),
          providerMetadata: { kinora: { uuid, creditsUsed } },
        }
      },
    })

    http.route({
      method: 'POST',
      url: '/video-model/status',
      config: { access: 'user', scope: 'read' },
      schema: { hide: true, body: StatusBody },
      handler: async (request) =>
        toStatus(app, await viewVideo(app, userOf(request).userId, request.body.operation.uuid)),
    })

    http.route({
      method: 'POST',
      url: '/video-model',
      ...start,
      handler: async (request, reply) => {
        const { uuid } = await generateFor(app, request, reply, request.body)
        return sendEvent(request, reply, async () => {
          const video = await waitForFilm(request, uuid, { waitMs: WAIT_MS, signal: disconnection(reply) })
          return toEvent(app, video, warningsOf(request.body))
        })
      },
    })

    http.route({
      method: 'GET',
      url: '/config',
      config: { access: 'user', scope: 'read' },
      schema: { hide: true },
      handler: async () => ({
        models: enabledModels(app).map(({ id, name, company }) => ({
          id,
          name,
          description: `${name} of ${company}`,
          specification: { specificationVersion: 'v4', provider: 'kinora', modelId: id },
          modelType: 'video',
        })),
      }),
    })
  })
}

type Body = Static<typeof Body>

async function generateFor(app: App, request: FastifyRequest, reply: FastifyReply, body: Body): Promise<Generated> {
  const model = String(request.headers['ai-model-id'] ?? '')
  const wanted = requestOf(model, body)
  const image = imageOf(body)
  if (image !== null) wanted.startImageUrl = await startImageOf(app, request, reply, image)
  return generateOnce(app, userOf(request), wanted, {
    // An option of `/start`; the package sends none with a request that waits.
    idempotencyKey: idempotencyKeyOf(request.headers),
    repetition: silently(app, reply, [model, body], AI_SDK_PAUSE_MS),
  })
}

/** @throws AppError INVALID_REQUEST, UNSUPPORTED_QUALITY */
function requestOf(model: string, body: Body): GenerateInput {
  const { prompt, n = 1, aspectRatio = DEFAULT_ASPECT_RATIO, resolution } = body
  if (n !== 1) throw invalidField('n', 'Kinora makes one film at a time; call it again for another one.')
  if (body.callbackUrl !== undefined) throw unsupportedField('callbackUrl', 'webhook')
  if ((body.inputReferences ?? []).length > 0) throw unsupportedField('inputReferences')
  const known = catalogue().get(model)
  const duration = body.duration ?? known?.summary.minDuration ?? 0
  if (resolution === undefined || !known?.listed) return { ...commonOf(body), prompt, model, duration, aspectRatio }
  const stated = { aspectRatio: { name: 'aspectRatio', value: body.aspectRatio } }
  return {
    ...commonOf(body),
    prompt,
    model,
    duration,
    ...shapeOf(known, { name: 'resolution', value: resolution }, stated),
  }
}

/** The picture that the film begins with: a link or the data as a data URL. @throws AppError INVALID_REQUEST */
function imageOf({ image, frameImages = [] }: Body): string | null {
  const files = [...(image ? [image] : []), ...frameImages.map((frame) => frame.image)]
  if (files.length > 1 || frameImages.some(({ frameType }) => frameType !== 'first_frame')) {
    throw unsupportedField('frameImages', 'frameImages other than one first_frame')
  }
  const [file] = files
  if (!file) return null
  return file.type === 'url' ? file.url : `data:;base64,${file.data}`
}

/** What the request names and Kinora does not take into account. */
const warningsOf = (body: Body) =>
  Object.entries<unknown>(body)
    .filter(([feature, value]) => UNSUPPORTED.includes(feature) && value !== undefined && !isEmpty(value))
    .map(([feature]) => ({ type: 'unsupported', feature }))

const UNSUPPORTED = Object.entries<TSchema>(Body.properties).flatMap(([name, schema]) =>
  schema === Ignored || name === 'providerOptions' ? [name] : [],
)

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const filmOf = (app: App, { videoKey }: VideoView) =>
  videoKey === null ? [] : [{ type: 'url', url: fileLink(app, videoKey) ?? '', mediaType: contentTypeOf(videoKey) }]

const metadataOf = ({ uuid, creditsUsed }: VideoView) => ({ kinora: { uuid, creditsUsed } })

function toStatus(app: App, video: VideoView) {
  const providerMetadata = metadataOf(video)
  if (video.failure?.code === 'CANCELLED') return { status: 'cancelled', providerMetadata }
  if (video.status === 'FAILED') return { status: 'error', error: video.error ?? '', providerMetadata }
  if (video.status !== 'COMPLETED') return { status: 'pending', providerMetadata }
  return { status: 'completed', videos: filmOf(app, video), warnings: [], providerMetadata }
}

function toEvent(app: App, video: VideoView, warnings: object[]): object {
  if (video.status === 'COMPLETED') {
    return { type: 'result', videos: filmOf(app, video), warnings, providerMetadata: metadataOf(video) }
  }
  const isFailed = video.status === 'FAILED'
  return {
    type: 'error',
    message: isFailed ? video.error : 'The film is not ready yet; use the option poll, which waits longer.',
    errorType: isFailed ? 'invalid_request_error' : 'timeout_error',
    statusCode: isFailed ? 422 : 408,
    param: null,
  }
}

/** Sends one event when it is known, and comments until then. The headers are sent first, so an error is an event too. */
async function sendEvent(request: FastifyRequest, reply: FastifyReply, makeEvent: () => Promise<object>) {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  raw.write(':\n\n')
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS)
  try {
    raw.end(`data: ${JSON.stringify(await makeEvent())}\n\n`)
  } catch (cause) {
    const error = toAppError(cause as FastifyError, request)
    const statusCode = statusOf[error.code]
    if (statusCode >= 500) request.log.error({ err: cause, ...idsOf(request) }, error.message)
    const event = { type: 'error', message: error.message, errorType: typeOf(error), statusCode, param: null }
    raw.end(`data: ${JSON.stringify(event)}\n\n`)
  } finally {
    clearInterval(heartbeat)
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
