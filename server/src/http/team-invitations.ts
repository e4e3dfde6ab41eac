/** `/api/v1/team/invitations`: a team invites members by mail, and users accept. */
import type { FastifyInstance } from 'fastify'
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
import { Envelope, ok, TextOrNull, Timestamp } from './request/envelope.ts'
import { authenticated, type Http, typed, userOf } from './request/request.ts'
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
    examples: [{ ...example, link: `https://kinora.example/account#team-invitation=${token}` }],
  },
)

const shared = authenticated('team')

export function registerTeamInvitations(server: FastifyInstance, app: App, auth: Auth): void {
  const http = typed(server)
  inviteRoute(http, app, auth)
  listRoute(http, app)
  revokeRoute(http, app, auth)
  openRoute(http, app)
  acceptRoute(http, app)
}

function inviteRoute(http: Http, app: App, auth: Auth): void {
  http.route({
    method: 'POST',
    url: '/api/v1/team/invitations',
    config: { access: 'user', team: 'admin' },
    schema: {
      ...shared,
      operationId: 'inviteTeamMember',
      summary: 'Invite to a team',
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
      response: { 200: Envelope(Created) },
    },
    handler: async (request) => {
      const { role: actorRole, teamId, actorId } = await memberOf(app, auth, request)
      const { email, role = 'maker' } = request.body
      return ok(await inviteMember(app, { teamId, actorId, actorRole, email, role }))
    },
  })
}

function listRoute(http: Http, app: App): void {
  http.route({
    method: 'GET',
    url: '/api/v1/team/invitations',
    config: { access: 'user', team: 'admin' },
    schema: {
      ...shared,
      operationId: 'listTeamInvitations',
      summary: 'The open invitations of a team, newest first',
      response: { 200: Envelope(Type.Object({ invitations: Type.Array(Invitation) })) },
    },
    handler: async (request) => ok({ invitations: await listTeamInvitations(app, teamOf(request).userId) }),
  })
}

function revokeRoute(http: Http, app: App, auth: Auth): void {
  http.route({
    method: 'DELETE',
    url: '/api/v1/team/invitations/:id',
    config: { access: 'user', team: 'admin' },
    schema: {
      ...shared,
      operationId: 'revokeTeamInvitation',
      summary: 'Revoke an invitation to a team',
      params: Type.Object({ id: Type.String() }),
      response: { 200: Envelope(Type.Object({ id: Type.String() }), { id }) },
    },
    handler: async (request) => {
      const { teamId, actorId } = await memberOf(app, auth, request)
      const { id } = request.params
      await revokeTeamInvitation(app, { teamId, actorId, id })
      return ok({ id })
    },
  })
}

const TokenBody = Type.Object(
  { token: Type.String({ pattern: INVITATION_TOKEN }) },
  { additionalProperties: false, examples: [{ token }] },
)
const offer = { team: 'Studio North', inviter: 'Ann', role: 'maker' as const }

function openRoute(http: Http, app: App): void {
  http.route({
    method: 'POST',
    url: '/api/v1/team/invitations/open',
    config: { access: 'user', limit: 'password' },
    schema: {
      ...shared,
      operationId: 'openTeamInvitation',
      summary: 'Read an invitation to a team',
      description:
        'Takes the token of the link, and changes nothing. 403: mail is set up, this is not the link of the mail, and your address is not verified ' +
        '(`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address.',
      body: TokenBody,
      response: {
        200: Envelope(
          Type.Object({
            team: Type.String({ description: 'The name of the team' }),
            inviter: TextOrNull('The name of the member who invited; null when the account is gone'),
            role: TeamRole,
          }),
          offer,
        ),
      },
    },
    handler: async (request) => ok(await openTeamInvitation(app, userOf(request).userId, request.body.token)),
  })
}

function acceptRoute(http: Http, app: App): void {
  http.route({
    method: 'POST',
    url: '/api/v1/team/invitations/accept',
    config: { access: 'user', limit: 'password' },
    schema: {
      ...shared,
      operationId: 'acceptTeamInvitation',
      summary: 'Accept an invitation to a team',
      description:
        'Takes the token of the link. 403: mail is set up, this is not the link of the mail, and your address is not verified ' +
        '(`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address.',
      body: TokenBody,
      errors: ['CONFLICT'],
      response: { 200: Envelope(Type.Object({ teamId: Type.String() }), { teamId }) },
    },
    handler: async (request) => {
      const { userId } = userOf(request)
      return ok({ teamId: await acceptTeamInvitation(app, userId, request.body.token) })
    },
  })
}
