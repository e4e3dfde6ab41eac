/** `/api/v1/admin`: the books, for administrators: to give credits, and to have everything recomputed. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { userExists } from '../account/administrator.ts'
import { checkLedger } from '../admin/ledger-check.ts'
import type { App } from '../app.ts'
import { adjust } from '../credit/ledger.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { Envelope, errors, ok, Timestamp } from './envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, userOf } from './request.ts'

const CREDITS_MAX = 10_000_000

const AddBody = Type.Object(
  {
    credits: Type.Integer({ minimum: 1, maximum: CREDITS_MAX }),
    userId: Type.Optional(Type.String({ description: 'Who gets them; yourself when left out' })),
    expiryDays: Type.Integer({ minimum: 1, maximum: 3650, default: 365, description: 'How long they are good for' }),
    remark: Type.Optional(Type.String({ maxLength: 500, description: 'Shown in the history of the user' })),
  },
  { additionalProperties: false, examples: [{ credits: 100, expiryDays: 30, remark: 'Sorry for the outage' }] },
)

const BooksCheck = Type.Object({
  users: Type.Integer({ description: 'Whose books were checked' }),
  differences: Type.Array(
    Type.Object({
      userId: Type.String({ format: 'uuid' }),
      subject: Type.String({ description: 'What differs: the account, a package, a hold, a transaction or a video' }),
      rule: Type.String({ description: 'What ought to be so' }),
      expected: Type.String(),
      found: Type.String(),
    }),
    { description: 'None when the books are right; the first 500' },
  ),
  total: Type.Integer({ description: 'All differences' }),
  checkedAt: Timestamp('The moment of the books'),
  durationMs: Type.Integer(),
})

export function registerAdmin(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = { tags: ['admin'], security: [{ session: [] }, { bearer: [] }, { apiKey: [] }] }
  http.route({
    method: 'POST',
    url: '/api/v1/admin/credits/add',
    config: { access: 'admin' },
    schema: {
      ...shared,
      operationId: 'addCredits',
      summary: 'Give a user credits',
      headers: IdempotencyHeaders,
      body: AddBody,
      response: {
        200: Envelope(
          Type.Object({ credits: Type.Integer(), userId: Type.String(), expiryDate: Timestamp('Good until then') }),
        ),
        ...errors(400, 401, 403, 404, 409, 413, 415, 422),
      },
    },
    handler: async (request) => {
      const adminId = userOf(request).userId
      const { credits, expiryDays, remark = null } = request.body
      const userId = (request.body.userId ?? adminId).toLowerCase()
      if (!isUuid(userId) || !(await userExists(app, userId))) {
        throw new AppError('NOT_FOUND', 'There is no user with this userId.')
      }
      const idempotencyKey = idempotencyKeyOf(request.headers)
      const added = await adjust(app, { adminId, userId, credits, expiryDays, remark, idempotencyKey })
      return ok({ ...added, userId })
    },
  })
  http.route({
    method: 'POST',
    url: '/api/v1/admin/ledger/check',
    config: { access: 'admin' },
    schema: {
      ...shared,
      operationId: 'checkLedger',
      summary: 'Recompute every balance',
      description:
        'Reads one moment of the books while the service goes on. 409: a check is running already. 503: it took longer ' +
        'than 50 seconds and was stopped; `kinora verify` has no limit.',
      response: { 200: Envelope(BooksCheck), ...errors(401, 403, 409) },
    },
    handler: async () => ok(await checkLedger(app)),
  })
}
