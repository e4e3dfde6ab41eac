/** What a member of a team has given, and the owner who takes it over (account/team/authority.ts). */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Auth } from '../account/auth.ts'
import { givenThatEnds, takeOver } from '../account/team/authority.ts'
import { requireRole } from '../account/team/role.ts'
import type { App } from '../app.ts'
import { changeErrors, Envelope, errors, ok } from './request/envelope.ts'
import { authenticated, type Http, typed } from './request/request.ts'
import { GivenIds, keyId, MemberId, memberOf, TeamRole } from './team.ts'

const shared = authenticated('team')

export function registerTeamGiven(server: FastifyInstance, app: App, auth: Auth): void {
  const http = typed(server)
  givenRoute(http, app, auth)
  takeOverRoute(http, app, auth)
}

const Given = Type.Object(
  {
    kind: Type.Enum(['invitation', 'key', 'endpoint', 'program']),
    id: Type.String({ format: 'uuid' }),
    name: Type.String({
      description: 'The invited address, the name of the key or the program, or the URL of the endpoint',
    }),
  },
  { title: 'TeamGiven', examples: [{ kind: 'key', id: keyId, name: 'server' }] },
)

function givenRoute(http: Http, app: App, auth: Auth): void {
  http.route({
    method: 'GET',
    url: '/api/v1/team/members/:id/given',
    config: { access: 'user', scope: 'any', team: 'viewer' },
    schema: {
      ...shared,
      operationId: 'listTeamGiven',
      summary: 'What a member has given that ends with the role',
      description:
        'Open invitations, keys, connected programs and webhook endpoints that end when the member is removed or leaves, or gets the role of the query. 403: you are neither an admin nor this member.',
      params: MemberId,
      querystring: Type.Object({ role: Type.Optional(TeamRole) }, { additionalProperties: false }),
      response: { 200: Envelope(Type.Object({ given: Type.Array(Given) })), ...errors(400, 401, 403, 404) },
    },
    handler: async (request) => {
      const { teamId, actorId, role: actorRole } = await memberOf(app, auth, request)
      const userId = request.params.id.toLowerCase()
      const given = await givenThatEnds(app, { teamId, userId, role: request.query.role ?? null })
      if (userId !== actorId) requireRole(actorRole, 'admin')
      return ok({ given })
    },
  })
}

function takeOverRoute(http: Http, app: App, auth: Auth): void {
  http.route({
    method: 'POST',
    url: '/api/v1/team/take-over',
    config: { access: 'user', team: 'owner' },
    schema: {
      ...shared,
      operationId: 'takeOverTeamGiven',
      summary: 'Take over keys and webhook endpoints of a team',
      description:
        'You answer for them from now on, so they do not end with their former maker, and a suspension ends. Who knows the text of a key can still use ' +
        'it. 403: also while an administrator impersonates the user. 404: one of them has ended; nothing is taken over.',
      body: Type.Object({ ids: GivenIds }, { additionalProperties: false, examples: [{ ids: [keyId] }] }),
      response: { 200: Envelope(Type.Object({ ids: GivenIds }), { ids: [keyId] }), ...changeErrors(401, 404) },
    },
    handler: async (request) => {
      const { teamId, actorId } = await memberOf(app, auth, request)
      const { ids } = request.body
      await takeOver(app, { teamId, actorId, ids })
      return ok({ ids })
    },
  })
}
