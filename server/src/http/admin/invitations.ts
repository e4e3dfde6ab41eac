/** `/api/v1/admin/invitations`: invitations to sign up. `POST /api/v1/invitation`: a guest opens one. */
import { Type } from 'typebox'
import {
  createInvitation,
  findInvitation,
  invitationCookie,
  listInvitations,
  revokeInvitation,
} from '../../account/invitation.ts'
import { AppError } from '../../errors.ts'
import { ok, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { listQuery, uncountedPage } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'
import { CREDITS_MAX } from './credits.ts'

const INVITATION_DAYS_MAX = 365
const id = '01939b1e-6666-7aaa-8bbb-000000000001'
const terms = { email: 'ann@example.com', credits: 200, replacesGift: true }
const expiresAt = '2026-01-22T09:30:00.000Z'
const shown = {
  email: TextOrNull('The one address that may sign up with it; null: any'),
  credits: Type.Integer({ description: 'Its gift; 0: none' }),
  replacesGift: Type.Boolean({ description: 'Whether the new-user gift is left out' }),
  expiresAt: Timestamp('Until when it can be used'),
}
const AdminInvitation = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...shown,
    state: Type.Enum(['open', 'used', 'revoked', 'expired']),
    actorId: Type.String({ description: 'Who made it; the nil UUID for an operator at a terminal' }),
    createdAt: Timestamp('When it was made'),
    usedAt: TimestampOrNull('When an account was made with it'),
    usedBy: TextOrNull('The id of that user; null after the deletion of the account'),
  },
  {
    title: 'AdminInvitation',
    examples: [
      {
        ...{ id, ...terms, expiresAt, state: 'open', actorId: '01939b1e-1111-7aaa-8bbb-000000000002' },
        ...{ createdAt: '2026-01-15T09:30:00.000Z', usedAt: null, usedBy: null },
      },
    ],
  },
)
const Body = Type.Object(
  {
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254, description: 'Without it, any address' })),
    credits: Type.Integer({ minimum: 0, maximum: CREDITS_MAX, default: 0, description: 'Its gift, for 30 days' }),
    replacesGift: Type.Boolean({ default: false, description: 'true: instead of the new-user gift, not beside it' }),
    days: Type.Integer({
      minimum: 1,
      maximum: INVITATION_DAYS_MAX,
      default: 7,
      description: 'How long it can be used',
    }),
  },
  { additionalProperties: false, examples: [{ ...terms, days: 7 }] },
)

const route = routesOf({ tag: 'admin', access: 'admin' })

const createRoute = route('POST', '/api/v1/admin/invitations', {
  operationId: 'createInvitation',
  summary: 'Invite to sign up',
  config: { unrepeatable: 'its answer has a secret of which only a hash is kept' },
  description: 'Returns a link that makes one account. It is shown this once. No mail is sent.',
  body: Body,
  data: Type.Object({ id: Type.String({ format: 'uuid' }), link: Type.String(), expiresAt: shown.expiresAt }),
  example: { id, link: `https://kinora.example/sign-up#invitation=${'q7Zk'.repeat(10)}q7Z`, expiresAt },
  handler: async (app, request) => {
    const { email = null, ...invitation } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    return ok(await createInvitation(app, { email, ...invitation, ...by }))
  },
})

const listRoute = route('GET', '/api/v1/admin/invitations', {
  operationId: 'listInvitations',
  summary: 'Invitations, newest first',
  querystring: listQuery({}),
  data: Type.Object({ invitations: Type.Array(AdminInvitation), ...uncountedPage }),
  handler: async (app, { query }) => ok(await listInvitations(app.sql, { ...query, now: app.now() })),
})

const revokeRoute = route('DELETE', '/api/v1/admin/invitations/:id', {
  operationId: 'revokeInvitation',
  summary: 'Revoke an invitation',
  description: 'Repeating the call changes nothing. 409: it was used.',
  params: Type.Object({ id: Type.String() }),
  errors: ['CONFLICT'],
  data: Type.Object({ id: Type.String() }),
  example: { id },
  handler: async (app, request) => {
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    await revokeInvitation(app.sql, request.params.id, by)
    return ok({ id: request.params.id })
  },
})

const openRoute = routesOf({ tag: 'config' })('POST', '/api/v1/invitation', {
  operationId: 'openInvitation',
  summary: 'Open an invitation',
  config: { limit: 'password' },
  description:
    'Takes the token of its link and sets a cookie for an hour, with which sign-up/email and sign-in/social make an account where ' +
    'signUp of GET /api/v1/config/sign-in is invite; with open the gift of the invitation counts too. 404: it was used, revoked, or has ended.',
  body: Type.Object(
    { token: Type.String({ pattern: '^[\\w-]{43}$' }) },
    { additionalProperties: false, examples: [{ token: `${'q7Zk'.repeat(10)}q7Z` }] },
  ),
  errors: ['NOT_FOUND'],
  data: Type.Object(shown),
  example: { ...terms, expiresAt },
  handler: async (app, request, reply) => {
    const { token } = request.body
    const invitation = await findInvitation(app, token)
    if (!invitation) {
      throw new AppError('NOT_FOUND', 'This invitation was used or revoked, or it has ended. Ask for a new one.')
    }
    reply.header('set-cookie', invitationCookie(app.config, token))
    return ok(invitation)
  },
})

export const registerInvitations = together(createRoute, listRoute, revokeRoute, openRoute)
