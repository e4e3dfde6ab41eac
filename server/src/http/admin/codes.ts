/** `/api/v1/admin/codes`: administrators make redemption codes. */
import { Type } from 'typebox'
import { createCode, createdCode, endCode, listCodes } from '../../credit/redemption.ts'
import { ok, TextOrNull, Timestamp } from '../request/envelope.ts'
import { listQuery, uncountedPage } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'
import { CREDITS_MAX } from './credits.ts'

const DAYS_MAX = 3650
const USES_MAX = 1_000_000
const id = '01939b1e-6666-7aaa-8bbb-000000000011'
const code = 'SPRING-2026'
const expiresAt = '2026-02-14T09:30:00.000Z'
const terms = {
  ...{ credits: 200, creditDays: 365, usesMax: 50, newCustomers: true, networkMax: 5 },
  note: 'Newsletter of spring',
}
const Code = Type.String({ description: 'Capitals, hyphens and spaces do not count when it is redeemed' })
const AdminCode = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    code: Code,
    credits: Type.Integer({ description: 'What each user gets' }),
    creditDays: Type.Integer({ description: 'How long these credits last' }),
    usesMax: Type.Integer({ description: 'How many users may redeem it' }),
    uses: Type.Integer({ description: 'How many have' }),
    newCustomers: Type.Boolean({ description: 'Whether only those may who have paid nothing yet' }),
    networkMax: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How many users of one network (IPv4 /24, IPv6 /64) may; null: any number',
    }),
    note: TextOrNull('For administrators'),
    state: Type.Enum(['open', 'used_up', 'ended', 'expired'], { description: 'ended: by an administrator' }),
    actorId: Type.String({ description: 'Who made it; the nil UUID for an operator at a terminal' }),
    createdAt: Timestamp('When it was made'),
    expiresAt: Timestamp('Until when it can be redeemed'),
  },
  {
    title: 'AdminCode',
    examples: [
      {
        ...{ id, code, ...terms, uses: 12, state: 'open', actorId: '01939b1e-1111-7aaa-8bbb-000000000002' },
        ...{ createdAt: '2026-01-15T09:30:00.000Z', expiresAt },
      },
    ],
  },
)
const Body = Type.Object(
  {
    code: Type.Optional(
      Type.String({ maxLength: 60, description: '8 to 40 letters and digits, with hyphens; without it a random one' }),
    ),
    credits: Type.Integer({ minimum: 1, maximum: CREDITS_MAX, description: 'What each user gets' }),
    creditDays: Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: 365, description: 'How long these last' }),
    usesMax: Type.Integer({ minimum: 1, maximum: USES_MAX, default: 1, description: 'How many users may redeem it' }),
    newCustomers: Type.Boolean({ default: false, description: 'Whether only those may who have paid nothing yet' }),
    networkMax: Type.Union([Type.Integer({ minimum: 1, maximum: USES_MAX }), Type.Null()], {
      default: null,
      description: 'How many users of one network (IPv4 /24, IPv6 /64) may; null: any number',
    }),
    days: Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: 30, description: 'How long it can be redeemed' }),
    note: Type.Optional(Type.String({ maxLength: 500, description: 'For administrators' })),
  },
  { additionalProperties: false, examples: [{ code, ...terms, days: 30 }] },
)

const route = routesOf({ tag: 'admin', access: 'admin' })

const createRoute = route('POST', '/api/v1/admin/codes', {
  operationId: 'createCode',
  summary: 'Make a redemption code',
  description:
    'A user who redeems it gets its credits, once for each e-mail address; they cannot be moved into a team. 409: there is a code with these letters and digits.',
  body: Body,
  errors: ['CONFLICT'],
  data: Type.Object({ id: Type.String({ format: 'uuid' }), code: Code, expiresAt: AdminCode.properties.expiresAt }),
  example: { id, code, expiresAt },
  handler: async (app, request) => {
    const { code: own = null, note, ...rest } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    return ok(await createCode(app.sql, { ...rest, code: own, note: note?.trim() || null, ...by }, request.onceKey))
  },
  replay: async (app, _request, made) => ok(await createdCode(app.sql, made)),
})

const listRoute = route('GET', '/api/v1/admin/codes', {
  operationId: 'listCodes',
  summary: 'Redemption codes, newest first',
  querystring: listQuery({}),
  data: Type.Object({ codes: Type.Array(AdminCode), ...uncountedPage }),
  handler: async (app, { query }) => ok(await listCodes(app.sql, { ...query, now: app.now() })),
})

const endRoute = route('DELETE', '/api/v1/admin/codes/:id', {
  operationId: 'endCode',
  summary: 'End a redemption code',
  description: 'No user can redeem it any more; what was redeemed stays. Repeating the call changes nothing.',
  params: Type.Object({ id: Type.String() }),
  data: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  example: { id },
  handler: async (app, request) => {
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    await endCode(app.sql, request.params.id, by)
    return ok({ id: request.params.id.toLowerCase() })
  },
})

export const registerCodes = together(createRoute, listRoute, endRoute)
