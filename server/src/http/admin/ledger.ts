/** `/api/v1/admin/credits` and `/api/v1/admin/ledger`: administrators grant credits and check the ledger. */
import { Type } from 'typebox'
import { openLedgerChecks, readLedgerChecks } from '../../admin/ledger-check.ts'
import { adjust } from '../../credit/ledger.ts'
import { ok, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, markReplay } from '../request/idempotency.ts'
import { requireUser, userOf } from '../request/request.ts'
import { type Route, routesOf } from '../request/routes.ts'
import { CREDITS_MAX } from './credits.ts'

const AddBody = Type.Object(
  {
    credits: Type.Integer({ minimum: 1, maximum: CREDITS_MAX }),
    userId: Type.Optional(Type.String({ description: 'The user who receives them; you when left out' })),
    expiryDays: Type.Integer({ minimum: 1, maximum: 3650, default: 365, description: 'Days until they expire' }),
    remark: Type.Optional(Type.String({ maxLength: 500, description: 'Shown in the user’s history' })),
  },
  { additionalProperties: false, examples: [{ credits: 100, expiryDays: 30, remark: 'Sorry for the outage' }] },
)

const runExample = {
  id: '01939b1e-2222-7aaa-8bbb-000000000009',
  state: 'running' as const,
  startedAt: '2026-01-15T09:30:00.000Z',
  finishedAt: null,
  usersTotal: 1240,
  users: 0,
  differences: [],
  total: 0,
  error: null,
}
const LedgerCheckRun = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    state: Type.Enum(['running', 'finished', 'stopped', 'failed', 'abandoned'], {
      description: 'finished: all users are checked; stopped: at a shutdown; abandoned: its process died',
    }),
    startedAt: Timestamp('When it started'),
    finishedAt: TimestampOrNull('When it ended; null while it runs'),
    usersTotal: Type.Integer({ description: 'Number of users when it started' }),
    users: Type.Integer({ description: 'Number of users checked so far' }),
    differences: Type.Array(
      Type.Object({
        userId: Type.String({ format: 'uuid' }),
        subject: Type.String({ description: 'What differs: the account, a package, a hold, a transaction or a video' }),
        rule: Type.String({ description: 'The invariant that is broken' }),
        expected: Type.String(),
        found: Type.String(),
        advice: Type.String({ description: 'What an operator does about it' }),
      }),
      { description: 'Empty when the ledger is correct; at most the first 500' },
    ),
    total: Type.Integer({ description: 'Number of all differences' }),
    error: TextOrNull('Why it failed'),
  },
  { title: 'LedgerCheck', examples: [runExample] },
)
type LedgerChecks = ReturnType<typeof openLedgerChecks>
const RunOrNull = (description: string) => Type.Union([LedgerCheckRun, Type.Null()], { description })

const route = routesOf({ tag: 'credit', access: 'admin' })

const addCreditsRoute = route('POST', '/api/v1/admin/credits/add', {
  operationId: 'addCredits',
  summary: 'Give a user credits',
  headers: IdempotencyHeaders,
  body: AddBody,
  data: Type.Object({ credits: Type.Integer(), userId: Type.String(), expiryDate: Timestamp('When they expire') }),
  example: { credits: 100, userId: '01939b1e-1111-7aaa-8bbb-000000000001', expiryDate: '2026-02-14T09:30:00.000Z' },
  handler: async (app, request, reply) => {
    const adminId = userOf(request).userId
    const { credits, expiryDays, remark = null } = request.body
    const userId = (request.body.userId ?? adminId).toLowerCase()
    await requireUser(app, userId)
    const idempotencyKey = idempotencyKeyOf(request.headers)
    const added = await adjust(app, {
      adminId,
      userId,
      credits,
      expiryDays,
      remark,
      idempotencyKey,
      requestId: request.id,
    })
    markReplay(reply, added.isReplay)
    return ok({ ...added, userId })
  },
})

const checkLedgerRoute = routesOf<LedgerChecks>({ tag: 'admin', access: 'admin' })(
  'POST',
  '/api/v1/admin/ledger/check',
  {
    operationId: 'checkLedger',
    summary: 'Start to recompute every balance',
    description: 'Runs in the background, while the service runs. 409: a check is running already, in any process.',
    errors: ['CONFLICT'],
    data: LedgerCheckRun,
    handler: async (checks, request) => ok(await checks.start(userOf(request).userId)),
  },
)

const getLedgerChecksRoute = routesOf({ tag: 'admin', access: 'admin' })('GET', '/api/v1/admin/ledger/check', {
  operationId: 'getLedgerChecks',
  summary: 'Read the ledger check in progress and the last one',
  description: 'Also the runs of `kinora verify --record`.',
  data: Type.Object({
    running: RunOrNull('The check in progress, with what it has found so far'),
    last: RunOrNull('The last check that has ended'),
  }),
  example: {
    running: null,
    last: { ...runExample, state: 'finished', finishedAt: runExample.startedAt, users: runExample.usersTotal },
  },
  handler: async (app) => ok(await readLedgerChecks(app)),
})

export const registerAdmin: Route = (server, app) => {
  addCreditsRoute(server, app)
  const checks = openLedgerChecks(app)
  server.addHook('onClose', checks.stop)
  checkLedgerRoute(server, checks)
  getLedgerChecksRoute(server, app)
}
