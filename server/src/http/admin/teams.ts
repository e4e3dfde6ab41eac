/**
 * `/api/v1/admin/teams`: administrators read teams and their members, lock and delete a team, and make a member an
 * owner. `/api/v1/admin/users` has the history and payments of one.
 */
import { Type } from 'typebox'
import { deleteTeam } from '../../account-data/delete.ts'
import { getTeam, listTeams, lockTeam, makeOwner, membersOfTeam, teamFilters } from '../../admin/teams.ts'
import { Owed } from '../account.ts'
import { Deleted, ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { cursorPage, listQuery } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'
import { Member } from '../team.ts'
import { UserCredits, userCreditsExample } from './users.ts'

const id = '01939b1e-7777-7aaa-8bbb-000000000001'
const teamExample = {
  ...{ id, name: 'Studio North', members: 3, createdAt: '2026-01-15T09:30:00.000Z', deletedAt: null, locked: false },
  credits: userCreditsExample,
}
const fields = {
  id: Type.String(),
  name: Type.String({ description: 'Empty when it was deleted' }),
  members: Type.Integer({ description: 'How many it has' }),
  createdAt: Timestamp('When it was made'),
  deletedAt: TimestampOrNull('When it was deleted; its books remain'),
  locked: Type.Boolean({ description: 'Whether its members and keys are refused' }),
  credits: UserCredits,
}
const ListedTeam = Type.Object(fields, { title: 'ListedTeam', examples: [teamExample] })
const AdminTeam = Type.Object(
  {
    ...fields,
    lockReason: TextOrNull('Why it is locked'),
    lockedAt: TimestampOrNull('Since when it is locked'),
    inProgress: Type.Integer({ description: 'Videos in progress' }),
    apiKeys: Type.Integer(),
  },
  {
    title: 'AdminTeam',
    examples: [{ ...teamExample, lockReason: null, lockedAt: null, inProgress: 1, apiKeys: 2 }],
  },
)
const Id = Type.Object({ id: Type.String() })
const ReasonBody = (reason: string) =>
  Type.Object({ reason: Reason() }, { additionalProperties: false, examples: [{ reason }] })
const DeletionBody = Type.Object(
  { reason: Reason(), owed: Owed },
  { additionalProperties: false, examples: [{ reason: 'Asked for by its owner' }] },
)

const route = routesOf({ tag: 'admin', access: 'admin' })

const listRoute = route('GET', '/api/v1/admin/teams', {
  operationId: 'listTeamsAsAdmin',
  summary: 'Teams, newest first',
  querystring: listQuery(teamFilters),
  data: Type.Object({ teams: Type.Array(ListedTeam), ...cursorPage }),
  handler: async (app, { query }) => ok(await listTeams(app, query)),
})

const getRoute = route('GET', '/api/v1/admin/teams/:id', {
  operationId: 'getTeamAsAdmin',
  summary: 'One team',
  params: Id,
  data: AdminTeam,
  handler: async (app, request) => ok(await getTeam(app, request.params.id)),
})

const membersRoute = route('GET', '/api/v1/admin/teams/:id/members', {
  operationId: 'listTeamMembersAsAdmin',
  summary: 'The members of any team, with what each has spent',
  params: Id,
  data: Type.Object({ members: Type.Array(Member) }),
  handler: async (app, request) => ok({ members: await membersOfTeam(app, request.params.id) }),
})

const lockRoute = (operation: 'lock' | 'unlock') => {
  const isLocked = operation === 'lock'
  return route('POST', `/api/v1/admin/teams/:id/${operation}`, {
    operationId: `${operation}Team`,
    summary: isLocked ? 'Lock a team' : 'Unlock a team',
    description: isLocked
      ? 'Its members and keys are refused within a second, and its shared and published films are hidden; films in progress end. ' +
        'The audit log keeps the reason. Repeating the call changes nothing.'
      : 'The audit log keeps the reason. Repeating the call changes nothing.',
    params: Id,
    body: ReasonBody(isLocked ? 'Chargebacks' : 'They have paid'),
    data: AdminTeam,
    handler: async (app, request) => {
      const by = { actorId: userOf(request).userId, requestId: request.id }
      await lockTeam(app, request.params.id, { isLocked, reason: request.body.reason.trim(), ...by })
      return ok(await getTeam(app, request.params.id))
    },
  })
}

const makeOwnerRoute = route('POST', '/api/v1/admin/teams/:id/members/:userId/owner', {
  operationId: 'makeTeamOwner',
  summary: 'Make a member of a team an owner',
  description:
    'Where the owners have gone, or the account of the last one is to be deleted. The audit log keeps the reason. Repeating the call changes nothing.',
  params: Type.Object({ id: Type.String(), userId: Type.String({ description: 'The user id of the member' }) }),
  body: ReasonBody('The owner has left the company'),
  data: Type.Object({ userId: Type.String() }),
  example: { userId: '01939b1e-1111-7aaa-8bbb-000000000001' },
  handler: async (app, request) => {
    const { id: teamId, userId } = request.params
    const by = { actorId: userOf(request).userId, requestId: request.id }
    await makeOwner(app, { teamId, userId, reason: request.body.reason.trim(), ...by })
    return ok({ userId: userId.toLowerCase() })
  },
})

const deleteRoute = route('DELETE', '/api/v1/admin/teams/:id', {
  operationId: 'deleteTeamAsAdmin',
  summary: 'Delete a team',
  description:
    'As DELETE /api/v1/team does, on behalf of its owners; the audit log keeps who did it and why. 409: a subscription of it still renews, or a ' +
    'payment of it may still come, or it owes credits (`details.owed`), and `owed` does not say so.',
  params: Id,
  body: DeletionBody,
  errors: ['CONFLICT'],
  data: Deleted,
  example: { id, deleted: true },
  handler: async (app, request) => {
    const { id: teamId } = await getTeam(app, request.params.id)
    const { reason, owed = 0 } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id }
    await deleteTeam(app, { userId: teamId, reason: reason.trim(), owed, ...by })
    return ok({ id: teamId, deleted: true as const })
  },
})

export const registerAdminTeams = together(
  listRoute,
  getRoute,
  membersRoute,
  lockRoute('lock'),
  lockRoute('unlock'),
  makeOwnerRoute,
  deleteRoute,
)
