/** `/api/v1/admin/credits/take`, `…/collect`, `…/forgive` and `…/reverse-expiry`: corrections of a ledger. */
import { Type } from 'typebox'
import { reverseExpiry, settleOwed, takeCredits } from '../../credit/correction.ts'
import { ok, Reason, Timestamp } from '../request/envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, markReplay } from '../request/idempotency.ts'
import { requireUser, userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

/** The most credits of one addition or taking. */
export const CREDITS_MAX = 10_000_000

const correction = {
  userId: Type.String({ description: 'The user whose credits they are' }),
  reason: Reason('Shown in the user’s history and in the audit log'),
  dryRun: Type.Optional(Type.Boolean({ description: 'true: only return what would happen', default: false })),
}
const DryRun = Type.Boolean({ description: 'Whether nothing was changed' })

const TakeBody = Type.Object(
  { ...correction, credits: Type.Integer({ minimum: 1, maximum: CREDITS_MAX }) },
  {
    additionalProperties: false,
    examples: [{ userId: '01939b1e-1111-7aaa-8bbb-000000000001', credits: 40, reason: 'Granted twice by mistake' }],
  },
)
const OwedBody = Type.Object(TakeBody.properties, {
  additionalProperties: false,
  examples: [{ userId: '01939b1e-1111-7aaa-8bbb-000000000001', credits: 16, reason: 'Refunded by mistake' }],
})
const ReverseBody = Type.Object(
  {
    ...correction,
    packageId: Type.String({ description: 'The package whose credits have expired' }),
    expiryDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        description: 'Days from now until they expire again; without it they keep the expiry of their package',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        packageId: '01939b1e-2222-7aaa-8bbb-000000000002',
        reason: 'Written off by a worker with a wrong clock',
      },
    ],
  },
)

const Parts = Type.Array(
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    credits: Type.Integer({ description: 'Credits taken from it' }),
    expiresAt: Timestamp('When it expires'),
  }),
  { description: 'What is taken from which package' },
)
const Taken = Type.Object(
  {
    userId: Type.String(),
    credits: Type.Integer({ description: 'Credits taken' }),
    available: Type.Object({
      before: Type.Integer({ description: 'Available before' }),
      after: Type.Integer({ description: 'Available after' }),
    }),
    packages: Parts,
    dryRun: DryRun,
  },
  {
    title: 'TakenCredits',
    examples: [
      {
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        credits: 40,
        available: { before: 44, after: 4 },
        packages: [{ id: '01939b1e-2222-7aaa-8bbb-000000000002', credits: 40, expiresAt: '2026-02-14T09:30:00.000Z' }],
        dryRun: false,
      },
    ],
  },
)
const OwedSettlement = Type.Object(
  {
    ...Taken.properties,
    credits: Type.Integer({ description: 'Credits collected or forgiven' }),
    owed: Type.Object({
      before: Type.Integer({ description: 'Owed before' }),
      after: Type.Integer({ description: 'Owed after' }),
    }),
  },
  {
    title: 'OwedSettlement',
    examples: [
      {
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        credits: 16,
        owed: { before: 16, after: 0 },
        available: { before: 60, after: 44 },
        packages: [{ id: '01939b1e-2222-7aaa-8bbb-000000000002', credits: 16, expiresAt: '2026-02-14T09:30:00.000Z' }],
        dryRun: false,
      },
    ],
  },
)

const route = routesOf({ tag: 'admin', access: 'admin' })

const takeCreditsRoute = route('POST', '/api/v1/admin/credits/take', {
  operationId: 'takeCredits',
  summary: 'Take credits back from a user',
  description:
    'Takes from the packages that expire first, all of the credits or none. 409: fewer are available; ' +
    '`error.details.available` says how many.',
  headers: IdempotencyHeaders,
  body: TakeBody,
  data: Taken,
  handler: async (app, request, reply) => {
    const { credits, reason, dryRun = false } = request.body
    const userId = request.body.userId.toLowerCase()
    await requireUser(app, userId)
    const taken = await takeCredits(app, {
      adminId: userOf(request).userId,
      userId,
      credits,
      reason,
      idempotencyKey: idempotencyKeyOf(request.headers),
      requestId: request.id,
      isDryRun: dryRun,
    })
    markReplay(reply, taken.isReplay)
    return ok({ ...taken, userId, dryRun })
  },
})

/** Two operations on what a user owes; each takes and returns the same. */
const settleOwedRoute = (operation: 'collect' | 'forgive') => {
  const forgives = operation === 'forgive'
  return route('POST', `/api/v1/admin/credits/${operation}`, {
    operationId: forgives ? 'forgiveOwed' : 'collectOwed',
    summary: forgives ? 'Forgive credits that a user owes' : 'Collect credits that a user owes',
    description:
      (forgives
        ? 'No refund or dispute of the same payments asks for these credits again. '
        : 'Takes them from the packages that expire first. ') +
      'All of the credits or none. 409: fewer are owed' +
      `${forgives ? '' : ' or available'}; \`error.details\` says how many.`,
    headers: IdempotencyHeaders,
    body: OwedBody,
    data: OwedSettlement,
    handler: async (app, request, reply) => {
      const { credits, reason, dryRun = false } = request.body
      const userId = request.body.userId.toLowerCase()
      await requireUser(app, userId)
      const settled = await settleOwed(app, {
        adminId: userOf(request).userId,
        userId,
        credits,
        forgives,
        reason,
        idempotencyKey: idempotencyKeyOf(request.headers),
        requestId: request.id,
        isDryRun: dryRun,
      })
      markReplay(reply, settled.isReplay)
      return ok({ ...settled, userId, dryRun })
    },
  })
}

const reverseExpiryRoute = route('POST', '/api/v1/admin/credits/reverse-expiry', {
  operationId: 'reverseExpiry',
  summary: 'Make expired credits available again',
  description:
    'Reverses the expiry of one package, for example after a machine with a wrong clock has written it off. 409: ' +
    'nothing of it has expired, or it would expire at once because its expiry has passed by now.',
  headers: IdempotencyHeaders,
  body: ReverseBody,
  data: Type.Object({
    userId: Type.String(),
    packageId: Type.String(),
    credits: Type.Integer({ description: 'Credits that are available again' }),
    expiryDate: Timestamp('When they expire'),
    dryRun: DryRun,
  }),
  example: {
    userId: '01939b1e-1111-7aaa-8bbb-000000000001',
    packageId: '01939b1e-2222-7aaa-8bbb-000000000002',
    credits: 44,
    expiryDate: '2026-02-14T09:30:00.000Z',
    dryRun: false,
  },
  handler: async (app, request, reply) => {
    const { reason, expiryDays = null, dryRun = false } = request.body
    const userId = request.body.userId.toLowerCase()
    const packageId = request.body.packageId.toLowerCase()
    await requireUser(app, userId)
    const { credits, expiresAt, isReplay } = await reverseExpiry(app, {
      adminId: userOf(request).userId,
      userId,
      packageId,
      expiryDays,
      reason,
      idempotencyKey: idempotencyKeyOf(request.headers),
      requestId: request.id,
      isDryRun: dryRun,
    })
    markReplay(reply, isReplay)
    return ok({ userId, packageId, credits, expiryDate: expiresAt, dryRun })
  },
})

export const registerAdminCredits = together(
  takeCreditsRoute,
  settleOwedRoute('collect'),
  settleOwedRoute('forgive'),
  reverseExpiryRoute,
)
