/** `/api/v1/credit`: the caller's balance, packages and history. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { history, TRANS_TYPES } from '../credit/history.ts'
import { balance } from '../credit/ledger.ts'
import { packages } from '../credit/packages.ts'
import { Envelope, errors, ok, TextOrNull, Timestamp } from './envelope.ts'
import { NextCursor, pagingOrCursor, userOf } from './request.ts'

export const Balance = Type.Object({
  available: Type.Integer({ description: 'Usable now: not frozen, not expired' }),
  frozen: Type.Integer({ description: 'Reserved for videos in progress' }),
  used: Type.Integer({ description: 'Consumed over all time' }),
  total: Type.Integer({ description: 'Ever received' }),
  expiringSoon: Type.Integer({ description: 'Available credits that expire within 7 days' }),
})
const Package = Type.Object({
  id: Type.String({ format: 'uuid' }),
  transType: Type.String({
    description: 'How the credits came: NEW_USER, ORDER_PAY, SUBSCRIPTION, REFUND or SYSTEM_ADJUST',
  }),
  initial: Type.Integer({ description: 'Credits it came with' }),
  remaining: Type.Integer({ description: 'Credits available from it' }),
  frozen: Type.Integer({ description: 'Credits of it reserved for videos in progress' }),
  orderNo: TextOrNull('On packages of a purchase'),
  expiresAt: Timestamp('When what remains of it expires'),
  createdAt: Timestamp('When it came'),
})
const TransType = Type.Enum([...TRANS_TYPES], { description: 'What moved the credits' })
const Transaction = Type.Object({
  id: Type.String({ format: 'uuid' }),
  transNo: Type.String({ description: 'Short and readable aloud' }),
  transType: TransType,
  credits: Type.Integer({ description: 'Signed: negative when credits went' }),
  balanceAfter: Type.Integer({ description: 'Available right after this row; all rows add up to it' }),
  videoUuid: TextOrNull('On rows of a video'),
  orderNo: TextOrNull('On rows of a purchase'),
  remark: TextOrNull('A note'),
  state: TextOrNull('On rows of a video: frozen, settled or released'),
  createdAt: Timestamp('When it happened'),
})

/** Of one's own history, and of a user's that an administrator reads. */
export const HistoryQuery = Type.Object({
  ...pagingOrCursor,
  transType: Type.Optional(TransType),
})
export const History = Type.Object({
  transactions: Type.Array(Transaction),
  total: Type.Integer({ description: 'All that match' }),
  page: Type.Integer(),
  pageSize: Type.Integer(),
  nextCursor: NextCursor,
})

export function registerCredit(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = { tags: ['credit'], security: [{ session: [] }, { bearer: [] }, { apiKey: [] }] }
  http.route({
    method: 'GET',
    url: '/api/v1/credit/balance',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'getBalance',
      summary: 'Your balance',
      response: { 200: Envelope(Balance), ...errors(401) },
    },
    handler: async (request) => ok(await balance(app, userOf(request).userId)),
  })
  http.route({
    method: 'GET',
    url: '/api/v1/credit/packages',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'listPackages',
      summary: 'What you have left, and when it expires',
      description:
        'Packages with something remaining or frozen, in the order they are consumed: first to expire first.',
      response: { 200: Envelope(Type.Object({ packages: Type.Array(Package) })), ...errors(401) },
    },
    handler: async (request) => ok({ packages: await packages(app, userOf(request).userId) }),
  })
  http.route({
    method: 'GET',
    url: '/api/v1/credit/history',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'listTransactions',
      summary: 'Your credit transactions, newest first',
      querystring: HistoryQuery,
      response: {
        200: Envelope(History),
        ...errors(400, 401),
      },
    },
    handler: async (request) => {
      const { page, pageSize } = request.query
      return ok({ ...(await history(app, userOf(request).userId, request.query)), page, pageSize })
    },
  })
}
