/** What members have given a team, its take-over by an owner (team/authority.ts), or end (oauth-grant.ts). */
import { Type } from 'typebox'
import type { Auth } from '../account/auth.ts'
import { connectedApps, disconnectFromTeam } from '../account/oauth-grant.ts'
import { givenThatEnds, takeOver } from '../account/team/authority.ts'
import { requireRole } from '../account/team/role.ts'
import type { App } from '../app.ts'
import { ok, Timestamp } from './request/envelope.ts'
import { routesOf, together } from './request/routes.ts'
import { keyExample, keyFields } from './sign-in/auth-schemas.ts'
import { GivenIds, keyId, MemberId, memberOf, TeamRole, teamOf } from './team.ts'

const route = routesOf<{ app: App; auth: Auth }>({ tag: 'team', access: 'user' })

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

const givenRoute = route('GET', '/api/v1/team/members/:id/given', {
  operationId: 'listTeamGiven',
  summary: 'What a member has given that ends with the role',
  config: { scope: 'any', team: 'viewer' },
  description:
    'Open invitations, keys, connected programs and webhook endpoints that end when the member is removed or leaves, or gets the role of the query. 403: you are neither an admin nor this member.',
  params: MemberId,
  querystring: Type.Object({ role: Type.Optional(TeamRole) }, { additionalProperties: false }),
  data: Type.Object({ given: Type.Array(Given) }),
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId, role: actorRole } = await memberOf(app, auth, request)
    const userId = request.params.id.toLowerCase()
    const given = await givenThatEnds(app, { teamId, userId, role: request.query.role ?? null })
    if (userId !== actorId) requireRole(actorRole, 'admin')
    return ok({ given })
  },
})

const takeOverRoute = route('POST', '/api/v1/team/take-over', {
  operationId: 'takeOverTeamGiven',
  summary: 'Take over keys and webhook endpoints of a team',
  config: { team: 'owner' },
  description:
    'You answer for them from now on, so they do not end with their former maker, and a suspension ends. Who knows the text of a key can still use ' +
    'it. 403: also while an administrator impersonates the user. 404: one of them has ended; nothing is taken over.',
  body: Type.Object({ ids: GivenIds }, { additionalProperties: false, examples: [{ ids: [keyId] }] }),
  data: Type.Object({ ids: GivenIds }),
  example: { ids: [keyId] },
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId } = await memberOf(app, auth, request)
    const { ids } = request.body
    await takeOver(app, { teamId, actorId, ids })
    return ok({ ids })
  },
})

const Program = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String({ description: 'As it calls itself; may be empty' }),
    scopes: keyFields.scopes,
    budget: keyFields.budget,
    used: keyFields.used,
    connectedBy: Type.Object(
      { id: Type.String({ format: 'uuid' }), name: Type.String() },
      { description: 'The member for whom it acts, and who may do no less than it' },
    ),
    createdAt: Timestamp('When it was connected'),
  },
  {
    title: 'TeamProgram',
    examples: [
      {
        ...{
          id: keyId,
          name: 'Storyboarder',
          scopes: keyExample.scopes,
          budget: keyExample.budget,
          used: keyExample.used,
        },
        connectedBy: { id: '01939b1e-1111-7aaa-8bbb-000000000001', name: 'Ann' },
        createdAt: '2026-01-15T09:30:00.000Z',
      },
    ],
  },
)

const listProgramsRoute = route('GET', '/api/v1/team/programs', {
  operationId: 'listTeamPrograms',
  summary: 'The programs that members have connected to a team',
  config: { team: 'owner' },
  description: 'By OAuth, newest first. Each acts for the team as the member who connected it, and within its budget.',
  data: Type.Object({ programs: Type.Array(Program) }),
  handler: async ({ app }, request) => ok({ programs: await connectedApps(app, { teamId: teamOf(request).userId }) }),
})

const disconnectRoute = route('DELETE', '/api/v1/team/programs/:id', {
  operationId: 'disconnectTeamProgram',
  summary: 'Disconnect a program from a team',
  config: { team: 'owner' },
  description: 'Its tokens stop working within a second. The member may connect it again. 404: it has ended.',
  params: Type.Object({ id: Type.String() }),
  data: Type.Object({ id: Type.String() }),
  example: { id: keyId },
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId } = await memberOf(app, auth, request)
    const { id } = request.params
    await disconnectFromTeam(app, { teamId, actorId, id })
    return ok({ id })
  },
})

export const registerTeamGiven = together(givenRoute, takeOverRoute, listProgramsRoute, disconnectRoute)
