/** `/api/v1/team/invitations`: a team invites members by mail, and users accept. */
import { Type } from 'typebox'
import type { Auth } from '../account/auth.ts'
import {
  acceptTeamInvitation,
  INVITATION_TOKEN,
  inviteMember,
  listTeamInvitations,
  openTeamInvitation,
  revokeTeamInvitation,
} from '../account/team/invitation.ts'
import type { App } from '../app.ts'
import { ok, TextOrNull, Timestamp } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { memberOf, TeamRole, teamOf } from './team.ts'

const id = '01939b1e-6666-7aaa-8bbb-000000000002'
const teamId = '01939b1e-7777-7aaa-8bbb-000000000001'
const token = `${'q7Zk'.repeat(10)}q7Z`
const fields = {
  id: Type.String({ format: 'uuid' }),
  email: Type.String({ description: 'The one address that may accept it' }),
  role: TeamRole,
  actorId: Type.String({ description: 'The member who invited, or invited again' }),
  inviter: TextOrNull('The name of this member'),
  createdAt: Timestamp('When it was made, or made anew'),
  expiresAt: Timestamp('Until when it can be accepted'),
}
const example = {
  ...{
    id,
    email: 'ben@example.com',
    role: 'maker' as const,
    actorId: '01939b1e-1111-7aaa-8bbb-000000000001',
    inviter: 'Ann',
  },
  ...{ createdAt: '2026-01-15T09:30:00.000Z', expiresAt: '2026-01-22T09:30:00.000Z' },
}
const Invitation = Type.Object(fields, { title: 'TeamInvitation', examples: [example] })
const Created = Type.Object(
  {
    ...fields,
    link: Type.String({
      description:
        'For the invited person; shown this once. Where mail is set up, it is not that of the mail, and needs an account whose address is verified',
    }),
  },
  {
    title: 'CreatedTeamInvitation',
    'x-base': Invitation,
    examples: [{ ...example, link: `https://kinora.example/account#team-invitation=${token}` }],
  },
)

const route = routesOf<{ app: App; auth: Auth }>({ tag: 'team', access: 'user' })

const inviteRoute = route('POST', '/api/v1/team/invitations', {
  operationId: 'inviteTeamMember',
  summary: 'Invite to a team',
  config: { team: 'admin', unrepeatable: 'an invitation takes the place of the earlier one of its address' },
  description:
    'By mail, for seven days; an earlier invitation of the address stops working. It ends when you may not invite to this role any more. ' +
    '403: only owners invite owners; also where mail is set up ' +
    'and your address is not verified (`details.reason` email_not_verified), and while an administrator impersonates the user. 409: the address is of a ' +
    'member already, or the team is full.',
  body: Type.Object(
    { email: Type.String({ format: 'email', maxLength: 254 }), role: Type.Optional(TeamRole) },
    { additionalProperties: false, examples: [{ email: example.email, role: example.role }] },
  ),
  errors: ['CONFLICT'],
  data: Created,
  handler: async ({ app, auth }, request) => {
    const { role: actorRole, teamId, actorId } = await memberOf(app, auth, request)
    const { email, role = 'maker' } = request.body
    return ok(await inviteMember(app, { teamId, actorId, actorRole, email, role }))
  },
})

const listRoute = route('GET', '/api/v1/team/invitations', {
  operationId: 'listTeamInvitations',
  summary: 'The open invitations of a team, newest first',
  config: { team: 'admin' },
  data: Type.Object({ invitations: Type.Array(Invitation) }),
  handler: async ({ app }, request) => ok({ invitations: await listTeamInvitations(app, teamOf(request).userId) }),
})

const revokeRoute = route('DELETE', '/api/v1/team/invitations/:id', {
  operationId: 'revokeTeamInvitation',
  summary: 'Revoke an invitation to a team',
  config: { team: 'admin' },
  params: Type.Object({ id: Type.String() }),
  data: Type.Object({ id: Type.String() }),
  example: { id },
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId } = await memberOf(app, auth, request)
    const { id } = request.params
    await revokeTeamInvitation(app, { teamId, actorId, id })
    return ok({ id })
  },
})

const TokenBody = Type.Object(
  { token: Type.String({ pattern: INVITATION_TOKEN }) },
  { additionalProperties: false, examples: [{ token }] },
)
const offer = { team: 'Studio North', inviter: 'Ann', role: 'maker' as const }

const openRoute = route('POST', '/api/v1/team/invitations/open', {
  operationId: 'openTeamInvitation',
  summary: 'Read an invitation to a team',
  config: { limit: 'password' },
  description:
    'Takes the token of the link, and changes nothing. 403: mail is set up, this is not the link of the mail, and your address is not verified ' +
    '(`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address.',
  body: TokenBody,
  data: Type.Object({
    team: Type.String({ description: 'The name of the team' }),
    inviter: TextOrNull('The name of the member who invited; null when the account is gone'),
    role: TeamRole,
  }),
  example: offer,
  handler: async ({ app }, request) => ok(await openTeamInvitation(app, userOf(request).userId, request.body.token)),
})

const acceptRoute = route('POST', '/api/v1/team/invitations/accept', {
  operationId: 'acceptTeamInvitation',
  summary: 'Accept an invitation to a team',
  config: { limit: 'password' },
  description:
    'Takes the token of the link. 403: mail is set up, this is not the link of the mail, and your address is not verified ' +
    '(`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address.',
  body: TokenBody,
  errors: ['CONFLICT'],
  data: Type.Object({ teamId: Type.String() }),
  example: { teamId },
  handler: async ({ app }, request) => {
    const { userId } = userOf(request)
    return ok({ teamId: await acceptTeamInvitation(app, userId, request.body.token) })
  },
})

export const registerTeamInvitations = together(inviteRoute, listRoute, revokeRoute, openRoute, acceptRoute)
