/** `/api/v1/video`: quote, generate, list, poll, read, cancel and delete the caller's videos. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { cancel } from '../video/cancel.ts'
import { exampleRequest, requestSchemas, schemasOf } from '../video/fields.ts'
import { get, list, remove, taskStatus } from '../video/library.ts'
import { generate } from '../video/lifecycle.ts'
import { quote } from '../video/quote.ts'
import { URL_CHARACTERS_MAX } from '../webhook/url.ts'
import { changeErrors, Envelope, errors, ok } from './request/envelope.ts'
import { numberedPage, pageOrCursorQuery } from './request/paging.ts'
import { authenticated, IdempotencyHeaders, idempotencyKeyOf, userOf } from './request/request.ts'

const GenerateBody = Type.Object(
  {
    ...requestSchemas,
    webhookUrl: Type.Optional(
      Type.String({
        description:
          `An https URL on the public Internet, of at most ${URL_CHARACTERS_MAX} characters: the final event of this video is ` +
          'sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [exampleRequest],
  },
)
const { uuid, model, createdAt } = schemasOf('list')
const Generated = Type.Object({
  uuid,
  status: Type.Literal('PENDING'),
  model,
  creditsUsed: Type.Integer({ description: 'Credits frozen for this video' }),
  createdAt,
})
const Quote = Type.Object({
  credits: Type.Integer({ description: 'The price: what generate would freeze for the same body' }),
  available: Type.Integer({
    description: 'Credits available now; with an API key, at most what is left of its budget',
  }),
  affordable: Type.Boolean({ description: 'Whether available covers the price' }),
})
const ListItem = Type.Object(schemasOf('list'))
const Detail = Type.Object(schemasOf('detail'))
const TaskStatus = Type.Object(schemasOf('task'))
const Uuid = Type.Object({ uuid: Type.String({ description: 'The uuid that generate returned' }) })

export function registerVideo(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = authenticated('video')

  http.route({
    method: 'POST',
    url: '/api/v1/video/generate',
    config: { access: 'user', scope: 'generate', limit: 'generate' },
    schema: {
      ...shared,
      operationId: 'generateVideo',
      summary: 'Generate a video',
      description:
        'Freezes the price and responds at once; poll GET /api/v1/video/task, or read GET /api/v1/video/events.',
      headers: IdempotencyHeaders,
      body: GenerateBody,
      response: { 200: Envelope(Generated), ...changeErrors(401, 402, 409, 422) },
    },
    handler: async (request) =>
      ok(await generate(app, userOf(request), request.body, idempotencyKeyOf(request.headers))),
  })

  http.route({
    method: 'POST',
    url: '/api/v1/video/quote',
    config: { access: 'user', scope: 'read' },
    schema: {
      ...shared,
      operationId: 'quoteVideo',
      summary: 'The price of a video, without generating it',
      description: 'Takes the body of generate and refuses what generate would refuse. Nothing is generated or frozen.',
      body: GenerateBody,
      response: { 200: Envelope(Quote), ...changeErrors(401) },
    },
    handler: async (request) => ok(await quote(app, userOf(request), request.body)),
  })

  http.route({
    method: 'GET',
    url: '/api/v1/video/list',
    config: { access: 'user', scope: 'read' },
    schema: {
      ...shared,
      operationId: 'listVideos',
      summary: 'Your videos, newest first',
      querystring: Type.Object({
        ...pageOrCursorQuery,
        status: Type.Optional(schemasOf('list').status),
        model: Type.Optional(Type.String({ maxLength: 100, description: 'Only videos of this model' })),
        q: Type.Optional(
          Type.String({
            maxLength: 100,
            description:
              'Only videos with this text in their prompt, case-insensitive. Of more than 2,000 videos, total counts 200 at most.',
          }),
        ),
      }),
      response: {
        200: Envelope(
          Type.Object({
            videos: Type.Array(ListItem),
            ...numberedPage,
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
    config: { access: 'user', scope: 'read' },
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
    config: { access: 'user', scope: 'read' },
    schema: {
      ...shared,
      operationId: 'getVideo',
      summary: 'One video in full',
      params: Uuid,
      response: { 200: Envelope(Detail), ...errors(400, 401, 404) },
    },
    handler: async (request) => ok(await get(app, userOf(request).userId, request.params.uuid)),
  })

  http.route({
    method: 'POST',
    url: '/api/v1/video/:uuid/cancel',
    config: { access: 'user', scope: 'generate' },
    schema: {
      ...shared,
      operationId: 'cancelVideo',
      summary: 'Cancel a video that has not started',
      description:
        'Possible until it is submitted to a provider. The video is FAILED then, and its credits are back at once.',
      params: Uuid,
      response: { 200: Envelope(TaskStatus), ...changeErrors(401, 404, 409) },
    },
    handler: async (request) => ok(await cancel(app, userOf(request).userId, request.params.uuid)),
  })

  http.route({
    method: 'DELETE',
    url: '/api/v1/video/:uuid',
    config: { access: 'user', scope: 'generate' },
    schema: {
      ...shared,
      operationId: 'deleteVideo',
      summary: 'Delete a video',
      description: 'It disappears from every list; its record and its cost stay. A generation in progress runs on.',
      params: Uuid,
      response: {
        200: Envelope(Type.Object({ uuid, deleted: Type.Literal(true) })),
        ...changeErrors(401, 404),
      },
    },
    handler: async (request) => {
      await remove(app, userOf(request).userId, request.params.uuid)
      return ok({ uuid: request.params.uuid.toLowerCase(), deleted: true as const })
    },
  })
}
