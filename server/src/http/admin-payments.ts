/** `/api/v1/admin/payments/events`: what the processors reported, for administrators to look into and to apply. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { userExists } from '../account/administrator.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { applyAgain, listEvents } from '../payment/events.ts'
import { Envelope, errors, ok, TextOrNull, Timestamp, TimestampOrNull } from './envelope.ts'
import { cursorPaging, NextCursor } from './request.ts'

const State = Type.Enum(['applied', 'ignored', 'unmatched', 'failed'], {
  description:
    'applied; ignored: nothing follows; unmatched: names no user we know; failed: something has to be mended first',
})
const entry = {
  id: Type.String({ format: 'uuid' }),
  processor: Type.String(),
  externalId: Type.String({ description: 'What the processor calls it' }),
  type: Type.String(),
  state: State,
  reason: TextOrNull('Why it is not applied'),
  userId: TextOrNull('Who got what it brought'),
  receivedAt: Timestamp('When it came'),
  appliedAt: TimestampOrNull('When it was applied'),
}

export function registerAdminPayments(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = { tags: ['admin'], security: [{ session: [] }, { bearer: [] }, { apiKey: [] }] }
  http.route({
    method: 'GET',
    url: '/api/v1/admin/payments/events',
    config: { access: 'admin' },
    schema: {
      ...shared,
      operationId: 'listPaymentEvents',
      summary: 'Payment events, newest first',
      querystring: Type.Object({ state: Type.Optional(State), ...cursorPaging }),
      response: {
        200: Envelope(
          Type.Object({
            events: Type.Array(
              Type.Object({
                ...entry,
                effects: Type.Array(Type.String(), {
                  description: 'What it asks for by today’s catalogue, in sentences',
                }),
                body: Type.String({ description: 'As it came' }),
              }),
            ),
            total: Type.Integer({ description: 'All that match' }),
            pageSize: Type.Integer(),
            nextCursor: NextCursor,
          }),
        ),
        ...errors(400, 401, 403),
      },
    },
    handler: async (request) => ok({ ...(await listEvents(app, request.query)), pageSize: request.query.pageSize }),
  })
  http.route({
    method: 'POST',
    url: '/api/v1/admin/payments/events/:id/apply',
    config: { access: 'admin' },
    schema: {
      ...shared,
      operationId: 'applyPaymentEvent',
      summary: 'Apply a payment event again',
      description:
        'With today’s catalogue, and for the given user when it is unmatched. What was applied is not applied twice.',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object(
        { userId: Type.Optional(Type.String({ description: 'Whose payment it is, when the event does not say' })) },
        { additionalProperties: false },
      ),
      response: { 200: Envelope(Type.Object(entry)), ...errors(400, 401, 403, 404, 409) },
    },
    handler: async (request) => {
      const userId = request.body.userId?.toLowerCase() ?? null
      if (userId !== null && !(await userExists(app, userId))) {
        throw new AppError('NOT_FOUND', 'There is no user with this userId.')
      }
      return ok(await applyAgain(app, request.params.id, userId))
    },
  })
}
