/** `/api/v1/admin/videos` and `/api/v1/admin/providers`: what is in progress, for whom, and why it takes so long. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { providerHealth } from '../admin/provider-health.ts'
import { unfinished } from '../admin/unfinished.ts'
import type { App } from '../app.ts'
import { Envelope, errors, ok, TextOrNull, Timestamp, TimestampOrNull } from './envelope.ts'
import { cursorPaging, NextCursor } from './request.ts'

const Video = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  userId: Type.String({ format: 'uuid' }),
  email: TextOrNull('Of its owner; null when the account is gone'),
  model: Type.String(),
  status: Type.Enum(['PENDING', 'GENERATING', 'UPLOADING']),
  provider: Type.String({ description: 'Whose turn it is' }),
  providerTaskId: TextOrNull('What the provider calls it; name it when you ask them'),
  attempt: Type.Integer({ description: 'Tries of the present step so far' }),
  progress: Type.Integer({ description: '0 to 99' }),
  createdAt: Timestamp('When it was asked for'),
  submittedAt: TimestampOrNull('When it was sent to the provider'),
  acceptedAt: TimestampOrNull('When the provider took it'),
  dueAt: Timestamp('When the next step is due'),
  leaseUntil: TimestampOrNull('Until when a worker has it; null: none has'),
  deadlineAt: Timestamp('When the time of the provider is over'),
  isOverdue: Type.Boolean({ description: 'Due for more than a minute, and no worker has taken it up' }),
  why: Type.String({ description: 'What is being waited for, and until when, in a sentence' }),
  lastEvent: Type.Union(
    [Type.Object({ event: Type.String(), detail: TextOrNull('Particulars'), at: Timestamp('When') }), Type.Null()],
    { description: 'What was last noted about it' },
  ),
})
const Provider = Type.Object({
  id: Type.String(),
  configured: Type.Boolean({ description: 'Whether the service has settings for it' }),
  models: Type.Array(Type.String(), { description: 'What is made there' }),
  inProgress: Type.Integer({ description: 'Tasks it has now' }),
  waiting: Type.Integer({ description: 'Videos that wait to be sent to it' }),
  succeeded: Type.Integer({ description: 'Films of it that were kept, within the window' }),
  failed: Type.Integer({
    description: 'Tasks it did not take or answer, that failed, were late, or gave no usable film, within the window',
  }),
  refused: Type.Integer({ description: 'Tasks it refused for what they asked for, within the window' }),
  failureShare: Type.Union([Type.Number(), Type.Null()], {
    description: '0 to 1: failed of failed and succeeded; null when there was neither',
  }),
  medianSeconds: Type.Union([Type.Number(), Type.Null()], { description: 'From acceptance to result' }),
  lastSuccessAt: TimestampOrNull('Within the last 24 hours'),
  lastFailureAt: TimestampOrNull('Within the last 24 hours'),
  lastFailureReason: TextOrNull('What was wrong then'),
})

export function registerAdminVideos(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = { tags: ['admin'], security: [{ session: [] }, { bearer: [] }, { apiKey: [] }] }
  http.route({
    method: 'GET',
    url: '/api/v1/admin/videos',
    config: { access: 'admin' },
    schema: {
      ...shared,
      operationId: 'listUnfinishedVideos',
      summary: 'Unfinished videos of all users, oldest first',
      querystring: Type.Object({
        state: Type.Enum(['in-progress', 'overdue'], {
          default: 'in-progress',
          description: 'overdue: due for more than a minute, and no worker has taken it up',
        }),
        userId: Type.Optional(Type.String({ format: 'uuid' })),
        provider: Type.Optional(Type.String({ maxLength: 100 })),
        ...cursorPaging,
      }),
      response: {
        200: Envelope(
          Type.Object({
            videos: Type.Array(Video),
            total: Type.Integer({ description: 'All that match' }),
            counts: Type.Object(
              { inProgress: Type.Integer(), overdue: Type.Integer() },
              { description: 'Of all users and providers' },
            ),
            pageSize: Type.Integer(),
            nextCursor: NextCursor,
          }),
        ),
        ...errors(400, 401, 403),
      },
    },
    handler: async (request) => ok({ ...(await unfinished(app, request.query)), pageSize: request.query.pageSize }),
  })
  http.route({
    method: 'GET',
    url: '/api/v1/admin/providers',
    config: { access: 'admin' },
    schema: {
      ...shared,
      operationId: 'listProviders',
      summary: 'How the AI providers do',
      response: {
        200: Envelope(
          Type.Object({
            providers: Type.Array(Provider),
            windowSeconds: Type.Integer({ description: 'An hour; less where less is plenty' }),
            checkedAt: Timestamp('Now'),
          }),
        ),
        ...errors(401, 403),
      },
    },
    handler: async () => ok(await providerHealth(app)),
  })
}
