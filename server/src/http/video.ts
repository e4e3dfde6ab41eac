/** `/api/v1/video`: quote, generate, list, poll, read, cancel and delete the caller's videos. */
import { Type } from 'typebox'
import { onlyUser } from '../account/impersonation.ts'
import { makersOf } from '../account/team/team.ts'
import { schemasOfFilters } from '../db/filter.ts'
import { FILTERED_TOTAL_MAX } from '../db/filtered-pages.ts'
import { countedFilters, videoFilters } from '../db/video-filters.ts'
import type { ErrorCode } from '../errors.ts'
import { exampleOf, exampleRequest, optionSchemas, requestSchemas, schemasOf } from '../film/fields.ts'
import { GivenInputs } from '../film/inputs.ts'
import { filmCount, metadataSchema } from '../film/limits.ts'
import { cancel } from '../video/cancel.ts'
import { withPublished } from '../video/explore.ts'
import { generate } from '../video/generate.ts'
import { get, list, remove, taskStatus } from '../video/library.ts'
import { quote } from '../video/quote.ts'
import { URL_CHARACTERS_MAX } from '../webhook/url.ts'
import { Makers } from './makers.ts'
import { ok } from './request/envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, markReplay } from './request/idempotency.ts'
import { numberedPage, pageOrCursorQuery } from './request/paging.ts'
import { limitFilms } from './request/rate-limits.ts'
import { userOf } from './request/request.ts'
import { either } from './request/request-body.ts'
import { routesOf, together } from './request/routes.ts'

const { upscaleFrom: _, inputs: __, ...ofNewFilm } = requestSchemas
const QuoteBody = Type.Object(
  {
    ...ofNewFilm,
    prompt: Type.Optional(ofNewFilm.prompt),
    n: filmCount,
    metadata: Type.Optional(metadataSchema),
    shot: Type.Optional(
      Type.Object(
        {
          project: Type.String({ format: 'uuid', description: 'The id of a project' }),
          shot: Type.String({ format: 'uuid', description: 'The id of a shot of it' }),
        },
        {
          title: 'ShotOfProject',
          additionalProperties: false,
          description: 'The shot of which the film is a take: its chosen one, unless it has one that has not failed',
        },
      ),
    ),
    webhookUrl: Type.Optional(
      Type.String({
        description:
          `An https URL on the public Internet, of at most ${URL_CHARACTERS_MAX} characters: the final event of this video is ` +
          'sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints',
      }),
    ),
  },
  { title: 'QuoteRequest', additionalProperties: false, examples: [exampleRequest] },
)
const GenerateBody = Type.Object(
  { ...QuoteBody.properties, prompt: ofNewFilm.prompt },
  { title: 'GenerateRequest', 'x-base': QuoteBody, additionalProperties: false, examples: [exampleRequest] },
)
const { prompt, duration, ...others } = QuoteBody.properties
/** Inputs may decide how long the film is, or its prompt. */
const InputsBody = Type.Object(
  { ...others, prompt, duration: Type.Optional(duration), inputs: GivenInputs },
  {
    title: 'InputsRequest',
    'x-base': QuoteBody,
    additionalProperties: false,
    examples: [{ ...exampleRequest, inputs: [{ role: 'start', asset: exampleOf('list').uuid }] }],
  },
)
const { model: modelId, mode, options, metadata, shot, webhookUrl } = QuoteBody.properties
const UpscaleBody = Type.Object(
  {
    model: modelId,
    upscaleFrom: Type.String({
      format: 'uuid',
      description: 'The uuid of a completed video of yours: the new one is a larger copy of its film',
    }),
    quality: Type.Optional(
      Type.String({
        description: 'One of the resolutions of the model; its next one that is larger than the film when left out',
      }),
    ),
    ...optionSchemas,
    ...{ mode, options, metadata, shot, webhookUrl },
  },
  {
    title: 'UpscaleRequest',
    additionalProperties: false,
    examples: [{ model: 'bytedance-video-upscaler', upscaleFrom: exampleOf('list').uuid, quality: '4k' }],
  },
)
const { uuid, model, createdAt } = schemasOf('list')
const { uuid: exampleUuid, model: exampleModel, creditsUsed, createdAt: exampleTime } = exampleOf('list')
const generated = (creditsUsed: string) => ({
  uuid,
  status: Type.Literal('PENDING'),
  model,
  creditsUsed: Type.Integer({ description: creditsUsed }),
  createdAt,
})
const Generated = Type.Object(
  {
    ...generated('Credits frozen: of all videos of the request'),
    videos: Type.Optional(
      Type.Array(Type.Object(generated('Credits frozen for this video')), {
        description: 'Of a request with n: all its videos, the one of `uuid` first',
      }),
    ),
  },
  {
    title: 'GeneratedVideo',
    examples: [{ uuid: exampleUuid, status: 'PENDING', model: exampleModel, creditsUsed, createdAt: exampleTime }],
  },
)
const Quote = Type.Object(
  {
    credits: Type.Integer({ description: 'The price: what generate would freeze for the same body' }),
    ceiling: Type.Boolean({
      description:
        'Whether the price is the most: the film is as long as a link says, or the provider makes it. The seconds that are made are ' +
        'settled, and the rest comes back. false: it is the price',
    }),
    available: Type.Integer({
      description: 'Credits available now; with an API key, at most what is left of its budget',
    }),
    affordable: Type.Boolean({ description: 'Whether available covers the price' }),
    mode: Type.String({ description: 'One of the modes of the model: what its inputs make of the request' }),
    provider: Type.String({ description: 'The kind of provider that is tried first, such as fal or runway' }),
    estimatedSeconds: Type.Integer({ description: 'How long such a film takes there: the median of the last ones' }),
  },
  {
    title: 'Quote',
    examples: [
      {
        ...{ credits: creditsUsed, ceiling: false, available: 60, affordable: true },
        ...{ mode: 'text-to-video', provider: 'provider-b', estimatedSeconds: 41 },
      },
    ],
  },
)
const isPublished = Type.Boolean({ description: 'Whether everyone sees it on Explore' })
export const listItemExample = { ...exampleOf('list'), isPublished: false }
export const ListItem = Type.Object(
  { ...schemasOf('list'), isPublished },
  { title: 'ListedVideo', examples: [listItemExample] },
)
const Detail = Type.Object(
  { ...schemasOf('detail'), isPublished },
  { title: 'Video', 'x-base': ListItem, examples: [{ ...exampleOf('detail'), isPublished: false }] },
)
const TaskStatus = Type.Object(schemasOf('task'), {
  title: 'TaskStatus',
  examples: [{ ...exampleOf('task'), status: 'GENERATING', progress: 42 }],
})
const CANCELLED = 'Cancelled before it began; your credits are back.'
const Cancelled = Type.Object(
  { ...schemasOf('task'), message: Type.String({ description: 'What has become of the video, for its user' }) },
  {
    title: 'CancelledVideo',
    'x-base': TaskStatus,
    examples: [{ ...exampleOf('task'), status: 'FAILED', progress: 0, error: CANCELLED, message: CANCELLED }],
  },
)
const uuidOfVideo = { description: 'The uuid that generate returned' }
export const Uuid = Type.Object({ uuid: Type.String({ title: 'VideoUuid', ...uuidOfVideo }) })

const route = routesOf({ tag: 'video', access: 'user' })

/** What the catalogue, and the inputs, refuse of a request. */
export const requestErrors: ErrorCode[] = [
  'UNSUPPORTED_MODEL',
  'MODEL_UNAVAILABLE',
  'DURATION_OUT_OF_RANGE',
  'UNSUPPORTED_QUALITY',
  'UNSUPPORTED_ASPECT_RATIO',
  'UNSUPPORTED_MODE',
  'CONFLICT',
]

/** What else is refused before a film is made. */
export const generateErrors: ErrorCode[] = [
  'CONTENT_REFUSED',
  'CONSENT_REQUIRED',
  'INSUFFICIENT_CREDITS',
  'KEY_BUDGET_EXCEEDED',
  'TOO_MANY_IN_PROGRESS',
]

const generateVideoRoute = route('POST', '/api/v1/video/generate', {
  operationId: 'generateVideo',
  summary: 'Generate a video',
  config: { scope: 'generate', token: true, limit: 'generate', impersonation: 'change' },
  description: 'Freezes the price and responds at once; poll GET /api/v1/video/task, or read GET /api/v1/video/events.',
  headers: IdempotencyHeaders,
  body: either(GenerateBody, { inputs: InputsBody, upscaleFrom: UpscaleBody }),
  errors: [...requestErrors, ...generateErrors],
  data: Generated,
  handler: async (app, request, reply) => {
    const { body } = request
    const caller = userOf(request)
    // The service would call it long after the impersonation has ended.
    if (caller.impersonation && body.webhookUrl !== undefined) throw onlyUser()
    await limitFilms(app, request, reply, 'n' in body ? body.n : undefined)
    const made = await generate(app, caller, body, idempotencyKeyOf(request.headers))
    markReplay(reply, !made.isNew)
    return ok(made)
  },
})

const quoteVideoRoute = route('POST', '/api/v1/video/quote', {
  operationId: 'quoteVideo',
  summary: 'The price of a video, without generating it',
  config: { scope: 'read', token: true, impersonation: 'read' },
  description:
    'Takes the body of generate, with or without a prompt, and refuses what generate would refuse, but for what moderation decides. ' +
    'Nothing is generated or frozen.',
  body: either(QuoteBody, { inputs: InputsBody, upscaleFrom: UpscaleBody }),
  errors: requestErrors,
  data: Quote,
  handler: async (app, request) => ok(await quote(app, userOf(request), request.body)),
})

const listVideosRoute = route('GET', '/api/v1/video/list', {
  operationId: 'listVideos',
  summary: 'Your videos, newest first',
  config: { scope: 'read', token: true },
  description:
    `With a filter, unless it is one of ${Object.keys(countedFilters).join(' and ')}, total counts ${FILTERED_TOTAL_MAX.toLocaleString('en')} at most, ` +
    'with metadata as with q. A cursor belongs to one sort.',
  querystring: Type.Object({
    ...pageOrCursorQuery,
    ...schemasOfFilters(videoFilters),
    sort: Type.Optional(Type.Enum(['newest', 'oldest'], { default: 'newest', description: 'Which comes first' })),
  }),
  data: Type.Object({ videos: Type.Array(ListItem), makers: Makers, ...numberedPage }),
  handler: async (app, request) => {
    const { page, pageSize } = request.query
    const caller = userOf(request)
    const found = await list(app, caller, request.query)
    // The names of keys and members are not for a visitor's page.
    const madeBy = caller.key?.token ? [] : found.videos.map((video) => video.madeBy)
    const [videos, makers] = await Promise.all([
      withPublished(app, caller.userId, found.videos),
      makersOf(app, caller.userId, madeBy),
    ])
    return ok({ ...found, videos, makers, page, pageSize })
  },
})

const getTaskRoute = route('GET', '/api/v1/video/task', {
  operationId: 'getTask',
  summary: 'Status and progress of a video',
  config: { scope: 'read', token: true },
  querystring: Type.Object({ uuid: Type.String(uuidOfVideo) }),
  data: TaskStatus,
  handler: async (app, request) => ok(await taskStatus(app, userOf(request), request.query.uuid)),
})

const getVideoRoute = route('GET', '/api/v1/video/:uuid', {
  operationId: 'getVideo',
  summary: 'One video in full',
  config: { scope: 'read', token: true },
  params: Uuid,
  data: Detail,
  handler: async (app, request) => {
    const caller = userOf(request)
    const video = await get(app, caller, request.params.uuid)
    const [shown = { ...video, isPublished: false }] = await withPublished(app, caller.userId, [video])
    return ok(shown)
  },
})

const cancelVideoRoute = route('POST', '/api/v1/video/:uuid/cancel', {
  operationId: 'cancelVideo',
  summary: 'Cancel a video',
  config: { scope: 'generate', token: true, impersonation: 'change' },
  description:
    'At once until it is submitted to a provider; afterwards the provider is asked, if it can stop a task. Cancelled: the video ' +
    'is FAILED and its credits are back. Still GENERATING: the provider was asked and may finish it all the same. 409: it is too ' +
    'late, or the provider cannot stop it; the film is kept.',
  params: Uuid,
  errors: ['CONFLICT'],
  data: Cancelled,
  handler: async (app, request) => ok(await cancel(app, userOf(request), request.params.uuid)),
})

const deleteVideoRoute = route('DELETE', '/api/v1/video/:uuid', {
  operationId: 'deleteVideo',
  summary: 'Delete a video',
  config: { scope: 'generate', token: true },
  description: 'It disappears from every list; its record and its cost stay. A generation in progress runs on.',
  params: Uuid,
  data: Type.Object({ uuid, deleted: Type.Literal(true) }),
  example: { uuid: exampleUuid, deleted: true },
  handler: async (app, request) => {
    await remove(app, userOf(request), request.params.uuid)
    return ok({ uuid: request.params.uuid.toLowerCase(), deleted: true as const })
  },
})

export const registerVideo = together(
  generateVideoRoute,
  quoteVideoRoute,
  listVideosRoute,
  getTaskRoute,
  getVideoRoute,
  cancelVideoRoute,
  deleteVideoRoute,
)
