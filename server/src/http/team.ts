/** `/api/v1/team`: teams, their members, roles and budgets. The header X-Team makes a request a team's. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Auth } from '../account/auth.ts'
import { actingId, type Caller, signedIn } from '../account/credential/credential.ts'
import { BUDGET_PERIODS, keyStates } from '../account/key/api-key.ts'
import { requireScope } from '../account/key/scope.ts'
import { ownSession } from '../account/own-session.ts'
import { ROLES } from '../account/team/role.ts'
import {
  changeMember,
  changeTeam,
  createTeam,
  listMembers,
  noSuchTeam,
  readTeam,
  refuseOwnBudget,
  setMemberBudget,
  TEAM_NAME_MAX,
  TEAMS_MAX,
  teamsOf,
} from '../account/team/team.ts'
import { confirmDeletion, deleteTeam } from '../account-data/delete.ts'
import type { App } from '../app.ts'
import { balance } from '../credit/ledger.ts'
import { movableCredits, moveToTeam } from '../credit/transfer.ts'
import { AppError } from '../errors.ts'
import { Bytes, ConfirmationBody, sendExport } from './account.ts'
import { Balance } from './credit.ts'
import { Deleted, Name, ok, Timestamp } from './request/envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, markReplay } from './request/idempotency.ts'
import { linkedTeam, userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { keyBudget } from './sign-in/auth-schemas.ts'

const id = '01939b1e-7777-7aaa-8bbb-000000000001'
const memberId = '01939b1e-1111-7aaa-8bbb-000000000001'
const createdAt = '2026-01-15T09:30:00.000Z'
export const TeamRole = Type.Enum([...ROLES], {
  title: 'TeamRole',
  description:
    'viewer: reads. maker: makes films too, and changes own ones. admin: changes the films of all, and manages members, keys and webhooks. ' +
    'owner: pays, and deletes the team',
})
const teamFields = {
  id: Type.String({ format: 'uuid', description: 'The value of X-Team' }),
  name: Type.String(),
  role: TeamRole,
  members: Type.Integer({ description: 'How many it has' }),
  locked: Type.Boolean({ description: 'Whether an administrator has locked it: requests for it are refused' }),
  secondFactorRequired: Type.Boolean({ description: 'Whether it refuses members without a second factor' }),
  createdAt: Timestamp('When it was made'),
}
const teamExample = {
  ...{ id, name: 'Studio North', role: 'owner' as const, members: 3 },
  ...{ locked: false, secondFactorRequired: false, createdAt },
}
const { role: _role, ...changedFields } = teamFields
const { role: _owner, ...changedExample } = teamExample
const Team = Type.Object(teamFields, { title: 'Team', examples: [teamExample] })
const credits = Type.Integer()
const memberUse = {
  budget: Type.Union(
    [
      Type.Object(
        {
          credits,
          period: Type.Enum([...BUDGET_PERIODS]),
          used: credits,
          resetAt: Timestamp('When the next period begins'),
        },
        { title: 'MemberBudgetState' },
      ),
      Type.Null(),
    ],
    { description: 'What the member may spend in a period; null: as much as the team has' },
  ),
  used: Type.Object(
    { day: credits, week: credits, month: credits },
    { title: 'MemberUse', description: 'Credits frozen or spent in the UTC day, the ISO week and the calendar month' },
  ),
}
const useExample = { budget: null, used: { day: 16, week: 32, month: 96 } }
const TeamDetail = Type.Object(
  { ...teamFields, ...memberUse, balance: Balance },
  {
    title: 'TeamDetail',
    'x-base': Team,
    examples: [
      {
        ...{ ...teamExample, ...useExample },
        balance: {
          available: 44,
          frozen: 0,
          used: 16,
          total: 70,
          expiringSoon: 0,
          expired: 10,
          clawedBack: 0,
          owed: 0,
        },
      },
    ],
  },
)
export const Member = Type.Object(
  {
    userId: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: Type.String(),
    role: TeamRole,
    ...memberUse,
    hasSecondFactor: Type.Optional(
      Type.Boolean({ description: 'Whether the member has set one up; only owners read it' }),
    ),
    createdAt: Timestamp('Since when'),
  },
  {
    title: 'TeamMember',
    examples: [{ userId: memberId, name: 'Ann', email: 'ann@example.com', role: 'maker', ...useExample, createdAt }],
  },
)
const NameBody = Type.Object(
  { name: Name(TEAM_NAME_MAX) },
  { additionalProperties: false, examples: [{ name: teamExample.name }] },
)
export const keyId = '01939b1e-3333-7000-8000-000000000001'
export const GivenIds = Type.Array(Type.String({ format: 'uuid' }), {
  title: 'GivenIds',
  maxItems: 500,
  uniqueItems: true,
  description: 'Ids of keys and endpoints that you, an owner, take over: they go on as yours',
})
const takenOver = Type.Optional(GivenIds)
export const MemberId = Type.Object({
  id: Type.String({ title: 'MemberId', description: 'The user id of the member' }),
})

const route = routesOf<{ app: App; auth: Auth }>({ tag: 'team', access: 'user', test: false })

/** The caller of an operation about a team. @throws AppError INVALID_REQUEST without X-Team */
export function teamOf(request: Pick<FastifyRequest, 'caller'>): Caller & { team: NonNullable<Caller['team']> } {
  const caller = userOf(request)
  const { team } = caller
  if (team) return { ...caller, team }
  throw new AppError('INVALID_REQUEST', 'Name the team in the header X-Team, or send an API key of the team.', {
    details: [{ path: 'X-Team', message: 'is missing' }],
  })
}

/**
 * The member who calls an operation about members or own credits, and the session of the request; null with the user's
 * own API key.
 * @throws AppError FORBIDDEN for an API key of the team; those of teamOf
 */
export async function memberOf(app: App, auth: Auth, request: Pick<FastifyRequest, 'caller' | 'headers'>) {
  const caller = teamOf(request)
  const { userId: teamId, actorId, team } = caller
  if (actorId === teamId) {
    throw new AppError('FORBIDDEN', 'An API key of the team may not do this; a member may.')
  }
  requireScope({ key: { scopes: team.scopes } }, 'account')
  const person = team.isSession ? { ...caller, userId: actorId, team: null, key: null } : null
  const session = await ownSession(app, auth, { headers: request.headers, caller: person })
  // The session has ended since the request was authenticated.
  if (person && !session) signedIn(null)
  return { teamId, actorId, role: team.role, session }
}

const listTeamsRoute = route('GET', '/api/v1/teams', {
  operationId: 'listTeams',
  summary: 'The teams of which you are a member',
  config: { scope: 'read', team: 'none' },
  data: Type.Object({ teams: Type.Array(Team) }),
  handler: async ({ app }, request) => ok({ teams: await teamsOf(app, userOf(request).userId) }),
})

const createTeamRoute = route('POST', '/api/v1/team', {
  operationId: 'createTeam',
  summary: 'Make a team',
  description: `You are its owner. It has a balance of its own, and no credits. 409: you own ${TEAMS_MAX} teams, which is the most.`,
  body: NameBody,
  errors: ['CONFLICT'],
  data: Team,
  example: { ...teamExample, members: 1 },
  handler: async ({ app }, request) =>
    ok(await createTeam(app, userOf(request).userId, request.body.name, request.onceKey)),
  replay: async ({ app }, request, made) => {
    const team = (await teamsOf(app, userOf(request).userId)).find((each) => each.id === made)
    if (team) return ok(team)
    throw noSuchTeam()
  },
})

const getTeamRoute = route('GET', '/api/v1/team', {
  operationId: 'getTeam',
  summary: 'The team of this request: your role, its balance, the budget of you or of its API key',
  config: { scope: 'read' },
  data: TeamDetail,
  handler: async ({ app }, request) => {
    const { userId, actorId, team, key } = teamOf(request)
    const spenderId = key?.id ?? actorId
    const [found, credit, states] = await Promise.all([
      readTeam(app, userId),
      balance(app, userId),
      keyStates(app, userId, [spenderId]),
    ])
    const { budget = null, used = { day: 0, week: 0, month: 0 } } = states.get(spenderId) ?? {}
    return ok({ ...found, role: team.role, budget, used, balance: credit })
  },
})

const changeTeamRoute = route('PATCH', '/api/v1/team', {
  operationId: 'changeTeam',
  summary: 'Rename a team, or require a second factor of its members',
  config: { team: 'admin' },
  description:
    'What is left out stays. An owner who has a second factor requires one of all: from then on a member without is refused within a second ' +
    '(403, `details.reason` is second_factor_missing), and with the member the own API keys and connected programs. API keys of the team go on.',
  body: Type.Object(
    { name: Type.Optional(NameBody.properties.name), secondFactorRequired: Type.Optional(Type.Boolean()) },
    { additionalProperties: false, minProperties: 1, examples: [{ secondFactorRequired: true }] },
  ),
  data: Type.Object(changedFields),
  example: changedExample,
  handler: async ({ app }, request) => {
    const caller = teamOf(request)
    const { userId: teamId, hasSecondFactor: hasFactor = false } = caller
    await changeTeam(app, { teamId, actorId: actingId(caller), hasFactor }, request.body)
    return ok(await readTeam(app, teamId))
  },
})

const exportTeamRoute = route('GET', '/api/v1/team/export', {
  operationId: 'exportTeam',
  summary: 'Download everything that is stored about a team',
  config: { team: 'owner', isDownload: true, impersonation: 'none' },
  description:
    'As GET /api/v1/account/export: account.json has the team, its members, invitations and names of keys. Of a film and a row of the history ' +
    'it says by which member or key. 429: an export of the team is running already.',
  querystring: Type.Object(linkedTeam),
  response: { 200: { description: 'A ZIP file', content: { 'application/zip': { schema: Bytes } } } },
  handler: async ({ app }, request, reply) => sendExport(app, request, reply, teamOf(request).userId),
})

const deleteTeamRoute = route('DELETE', '/api/v1/team', {
  operationId: 'deleteTeam',
  summary: 'Delete a team',
  // The route checks a password: brute force is limited.
  config: { team: 'owner', limit: 'password' },
  description:
    'As DELETE /api/v1/account deletes a user: keys and memberships go at once, films, images and prompts within minutes; a video that a ' +
    'provider has runs to its end first. Its credits are lost, and this cannot be undone. 400: the password is wrong. 403: also while ' +
    'an administrator impersonates the owner. 409: a subscription of it still renews, or it owes credits of payments that were returned ' +
    '(`details.owed`), and `owed` does not say so. Those owe them then who have paid and moved the credits.',
  body: ConfirmationBody,
  errors: ['CONFLICT'],
  data: Deleted,
  example: { id, deleted: true },
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId, session } = await memberOf(app, auth, request)
    const { password, owed = 0 } = request.body
    await confirmDeletion(app, auth, { userId: actorId, password, signedInAt: session?.signedInAt ?? null })
    await deleteTeam(app, { userId: teamId, actorId, reason: null, owed, requestId: request.id })
    return ok({ id: teamId, deleted: true as const })
  },
})

const listMembersRoute = route('GET', '/api/v1/team/members', {
  operationId: 'listTeamMembers',
  summary: 'The members of a team, with what each has spent',
  config: { scope: 'read' },
  data: Type.Object({ members: Type.Array(Member) }),
  handler: async ({ app }, request) => {
    const { userId, team } = teamOf(request)
    const members = await listMembers(app, userId)
    if (team.role === 'owner') return ok({ members })
    return ok({ members: members.map(({ hasSecondFactor: _, ...member }) => member) })
  },
})

const changeMemberRoute = route('PATCH', '/api/v1/team/members/:id', {
  operationId: 'changeTeamMember',
  summary: 'Change the role or the budget of a member',
  config: { team: 'admin' },
  description:
    'What is left out stays. A role counts within a second; what the member has given and the new role could not give (open invitations, keys, ' +
    'endpoints) ends with the former one, except takeOver. 403: only owners change owners, make them, and set the own budget; also while an ' +
    'administrator impersonates the user. 409: the last owner keeps the role; takeOver has what this member has not made.',
  params: MemberId,
  body: Type.Object(
    {
      role: Type.Optional(TeamRole),
      budget: Type.Optional(Type.Union([keyBudget, Type.Null()], { description: 'null: as much as the team has' })),
      takeOver: takenOver,
    },
    { additionalProperties: false, examples: [{ role: 'maker', budget: { credits: 500, period: 'month' } }] },
  ),
  errors: ['CONFLICT'],
  data: Type.Object({ userId: Type.String() }),
  example: { userId: memberId },
  handler: async ({ app, auth }, request) => {
    const { role: actorRole, teamId, actorId } = await memberOf(app, auth, request)
    const { role, budget, takeOver = [] } = request.body
    const change = { teamId, actorId, userId: request.params.id.toLowerCase() }
    if (budget !== undefined) refuseOwnBudget({ ...change, role: actorRole })
    // First, because it alone can be refused when the caller may set the budget: a refused request changes nothing.
    if (role !== undefined) await changeMember(app, { ...change, role, takeOver })
    if (budget !== undefined) await setMemberBudget(app, { ...change, role: actorRole, budget })
    return ok({ userId: change.userId })
  },
})

const removeMemberRoute = route('DELETE', '/api/v1/team/members/:id', {
  operationId: 'removeTeamMember',
  summary: 'Remove a member, or leave a team',
  config: { scope: 'any', team: 'viewer' },
  description:
    'Access ends within a second, and with it what the member has given: open invitations, keys with their browser tokens, and endpoints, except ' +
    'takeOver. The films stay with the team. 403: you are neither an admin nor this member; only owners remove owners; ' +
    'also while an administrator impersonates the user. ' +
    '409: the last owner cannot leave; takeOver has what this member has not made.',
  params: MemberId,
  body: Type.Optional(
    Type.Union([
      Type.Object({ takeOver: takenOver }, { additionalProperties: false, examples: [{ takeOver: [keyId] }] }),
      Type.Null(),
    ]),
  ),
  errors: ['CONFLICT'],
  data: Type.Object({ userId: Type.String(), removed: Type.Literal(true) }),
  example: {
    userId: memberId,
    removed: true,
  },
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId } = await memberOf(app, auth, request)
    const userId = request.params.id.toLowerCase()
    await changeMember(app, { teamId, userId, actorId, role: null, takeOver: request.body?.takeOver ?? [] })
    return ok({ userId, removed: true as const })
  },
})

const getMovableCreditsRoute = route('GET', '/api/v1/team/credits', {
  operationId: 'getMovableCredits',
  summary: 'How many of your own credits you can move into a team',
  config: { scope: 'any', team: 'viewer' },
  description:
    'The welcome gift cannot be moved, nor credits of a payment that is being returned; while you owe credits, none can. 403: also for an API ' +
    'key of the team, which has no credits of its own.',
  data: Type.Object({ movable: Type.Integer(), owed: Type.Integer({ description: 'What you owe' }) }),
  example: {
    movable: 280,
    owed: 0,
  },
  handler: async ({ app, auth }, request) =>
    ok(await movableCredits(app, (await memberOf(app, auth, request)).actorId)),
})

const moveCreditsRoute = route('POST', '/api/v1/team/credits', {
  operationId: 'moveCredits',
  summary: 'Move own credits into a team',
  config: { scope: 'any', team: 'viewer' },
  description:
    'Any member may; no operation moves them back. Those that expire first go first, and keep their expiry. When their payment is returned, the team ' +
    'loses its part of them. Both histories have a row, whose source is transfer:<id>:<the id of the team, or yours>. ' +
    '403: also for an API key of the team, and while an administrator impersonates you. 409: so many cannot be moved (`details.available` can), you owe credits ' +
    '(`details.owed`), or the service keeps you and the team in different databases.',
  headers: IdempotencyHeaders,
  body: Type.Object(
    { credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }) },
    { additionalProperties: false, examples: [{ credits: 100 }] },
  ),
  data: Type.Object({
    id: Type.String({ description: 'Of the transfer' }),
    teamId: Type.String(),
    credits: Type.Integer(),
    packages: Type.Array(Type.Object({ credits: Type.Integer(), expiresAt: Timestamp('When they expire, as before') })),
  }),
  example: { id: memberId, teamId: id, credits: 100, packages: [{ credits: 100, expiresAt: createdAt }] },
  handler: async ({ app, auth }, request, reply) => {
    const { teamId, actorId } = await memberOf(app, auth, request)
    const { isReplay, ...transfer } = await moveToTeam(app, {
      ...{ userId: actorId, teamId, credits: request.body.credits },
      idempotencyKey: idempotencyKeyOf(request.headers),
    })
    markReplay(reply, isReplay)
    return ok(transfer)
  },
})

export const registerTeam = together(
  listTeamsRoute,
  createTeamRoute,
  getTeamRoute,
  changeTeamRoute,
  exportTeamRoute,
  deleteTeamRoute,
  listMembersRoute,
  changeMemberRoute,
  removeMemberRoute,
  getMovableCreditsRoute,
  moveCreditsRoute,
)
