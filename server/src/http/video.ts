/** `/api/v1/video`: quote, generate, list, follow, read, cancel and delete the caller's videos. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { cancel } from '../video/cancel.ts'
import { PROMPT_CHARACTERS_MAX, START_IMAGE_URL_CHARACTERS_MAX } from '../video/catalogue.ts'
import { get, list, remove, taskStatus } from '../video/library.ts'
import { generate } from '../video/lifecycle.ts'
import { quote } from '../video/quote.ts'
import { STATUSES } from '../video/status.ts'
import { Envelope, errors, ok, TextOrNull, Timestamp, TimestampOrNull } from './envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, NextCursor, pagingOrCursor, userOf } from './request.ts'

const Status = Type.Enum([...STATUSES], {
  description: 'PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final',
})
const numberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const GenerateBody = Type.Object(
  {
    prompt: Type.String({
      description: `What the film shows; 1 to ${PROMPT_CHARACTERS_MAX} characters after trimming`,
    }),
    model: Type.String({
      description: 'An id of GET /api/v1/config/models',
      examples: ['alpha-2', 'beta-3-1', 'delta-1-5'],
    }),
    duration: Type.Number({ description: 'Whole seconds, within the minDuration and maxDuration of the model' }),
    aspectRatio: Type.String({ description: 'One of the aspectRatios of the model, such as 16:9' }),
    quality: Type.Optional(Type.String({ description: 'One of the resolutions of the model; 720p when left out' })),
    startImageUrl: Type.Optional(
      Type.String({
        description:
          `An https URL of at most ${START_IMAGE_URL_CHARACTERS_MAX} characters, or the url of POST /api/v1/video/image; ` +
          'makes it image-to-video',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ prompt: 'A paper boat in a rain gutter, dawn', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }],
  },
)
const Generated = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  status: Type.Literal('PENDING'),
  model: Type.String(),
  creditsUsed: Type.Integer({ description: 'Credits frozen for this video' }),
  createdAt: Timestamp('When the video was made'),
})
const Quote = Type.Object({
  credits: Type.Integer({ description: 'What generate would freeze for the same body' }),
  available: Type.Integer({ description: 'Credits available now' }),
  affordable: Type.Boolean({ description: 'Whether that is enough' }),
})
const listItem = {
  uuid: Type.String({ format: 'uuid' }),
  prompt: Type.String({ description: 'In lists the first 120 characters, then …' }),
  model: Type.String(),
  status: Status,
  videoUrl: TextOrNull('Signed link to the film; read the video again to renew it. Add ?download for an attachment'),
  thumbnailUrl: TextOrNull('Signed link to a JPEG'),
  duration: Type.Number({ description: 'Seconds' }),
  aspectRatio: Type.String(),
  creditsUsed: Type.Integer({ description: 'The price in credits; 0 once released' }),
  createdAt: Timestamp('When the video was made'),
  completedAt: TimestampOrNull('When the film was ready'),
}
const ListItem = Type.Object(listItem)
const Detail = Type.Object({
  ...listItem,
  provider: Type.String({ description: 'The AI provider whose turn it is, or that made the film' }),
  startImageUrl: TextOrNull('As given; of an uploaded image a new link'),
  resolution: Type.String({ description: 'As asked for; of the film itself once it is there' }),
  fileSize: numberOrNull('Bytes'),
  generationTime: numberOrNull('Seconds from acceptance by the provider to its result'),
  error: TextOrNull('Why the video failed'),
})
const TaskStatus = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  status: Status,
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Never falls' }),
  error: TextOrNull('Why the video failed'),
})
const Uuid = Type.Object({ uuid: Type.String({ description: 'The uuid of the generate answer' }) })

export function registerVideo(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = { tags: ['video'], security: [{ session: [] }, { bearer: [] }, { apiKey: [] }] }

  http.route({
    method: 'POST',
    url: '/api/v1/video/generate',
    config: { access: 'user', limit: 'generate' },
    schema: {
      ...shared,
      operationId: 'generateVideo',
      summary: 'Make a video',
      description: 'Freezes the price and answers at once; follow the video with GET /api/v1/video/task.',
      headers: IdempotencyHeaders,
      body: GenerateBody,
      response: { 200: Envelope(Generated), ...errors(400, 401, 402, 409, 413, 415, 422) },
    },
    handler: async (request) =>
      ok(await generate(app, userOf(request).userId, request.body, idempotencyKeyOf(request.headers))),
  })

  http.route({
    method: 'POST',
    url: '/api/v1/video/quote',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'quoteVideo',
      summary: 'The price of a video, without making it',
      description: 'Takes the body of generate and refuses what generate would refuse. Nothing is made or frozen.',
      body: GenerateBody,
      response: { 200: Envelope(Quote), ...errors(400, 401, 413, 415) },
    },
    handler: async (request) => ok(await quote(app, userOf(request).userId, request.body)),
  })

  http.route({
    method: 'GET',
    url: '/api/v1/video/list',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'listVideos',
      summary: 'Your videos, newest first',
      querystring: Type.Object({
        ...pagingOrCursor,
        status: Type.Optional(Status),
        model: Type.Optional(Type.String({ maxLength: 100, description: 'Only videos of this model' })),
        q: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'Only videos with this text in their prompt, in upper or lower case',
          }),
        ),
      }),
      response: {
        200: Envelope(
          Type.Object({
            videos: Type.Array(ListItem),
            total: Type.Integer({ description: 'All that match' }),
            page: Type.Integer(),
            pageSize: Type.Integer(),
            nextCursor: NextCursor,
          }),
        ),
        ...errors(400, 401),
      },
    },
    handler: async (request) => {
      const { page, pageSize } = request.query
      return ok({ ...(await list(app, userOf(request).userId, request.query)), page, pageSize })
    },
  })

  http.route({
    method: 'GET',
    url: '/api/v1/video/task',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'getTask',
      summary: 'Status and progress of a video',
      querystring: Uuid,
      response: { 200: Envelope(TaskStatus), ...errors(400, 401, 404) },
    },
    handler: async (request) => ok(await taskStatus(app, userOf(request).userId, request.query.uuid)),
  })

  http.route({
    method: 'GET',
    url: '/api/v1/video/:uuid',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'getVideo',
      summary: 'One video with all its facts',
      params: Uuid,
      response: { 200: Envelope(Detail), ...errors(401, 404) },
    },
    handler: async (request) => ok(await get(app, userOf(request).userId, request.params.uuid)),
  })

  http.route({
    method: 'POST',
    url: '/api/v1/video/:uuid/cancel',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'cancelVideo',
      summary: 'Cancel a video that has not begun',
      description: 'Possible until it is sent to a provider; then it is FAILED and the credits are back at once.',
      params: Uuid,
      response: { 200: Envelope(TaskStatus), ...errors(401, 404, 409) },
    },
    handler: async (request) => ok(await cancel(app, userOf(request).userId, request.params.uuid)),
  })

  http.route({
    method: 'DELETE',
    url: '/api/v1/video/:uuid',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'deleteVideo',
      summary: 'Delete a video',
      description: 'It is gone from every list; its record and what it cost stay. A generation still running runs on.',
      params: Uuid,
      response: {
        200: Envelope(Type.Object({ uuid: Type.String({ format: 'uuid' }), deleted: Type.Literal(true) })),
        ...errors(401, 404),
      },
    },
    handler: async (request) => {
      await remove(app, userOf(request).userId, request.params.uuid)
      return ok({ uuid: request.params.uuid.toLowerCase(), deleted: true as const })
    },
  })
}
