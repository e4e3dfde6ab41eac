/** `/api/v1/team/log`: what was done to a team, for its owners. */
import { Type } from 'typebox'
import { listTeamLog, TEAM_ACTIONS, teamLogCsv } from '../account/team/log.ts'
import { ok, TextOrNull, Timestamp } from './request/envelope.ts'
import { linkedTeam } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { teamOf } from './team.ts'

const memberId = '01939b1e-1111-7aaa-8bbb-000000000001'
const entryExample = {
  id: '01939b1e-8888-7aaa-8bbb-000000000001',
  createdAt: '2026-01-15T09:30:00.000Z',
  action: 'team.set-role',
  by: 'member' as const,
  actorId: memberId,
  actorName: 'Ann',
  subject: '01939b1e-1111-7aaa-8bbb-000000000002',
  subjectName: 'Ben',
  before: { role: 'maker' },
  after: { role: 'admin' },
}
const Values = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'What changed, by field: role, budget, period, credits, name, email, scopes, origin, invitedBy',
})
const Entry = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: Timestamp('When it was done'),
    action: Type.String({
      description: `What was done: ${TEAM_ACTIONS.join(', ')}; by those who run the service such as team.lock, credits.add; others may follow`,
    }),
    by: Type.Enum(['member', 'key', 'operator', 'service'], {
      description: 'operator: those who run the service; service: the service itself, such as for a payment',
    }),
    actorId: TextOrNull('The member or the API key; null for the others'),
    actorName: TextOrNull('Of a member or a former one; null when the account is gone'),
    subject: TextOrNull('Id of the member, invitation, key, endpoint, folder, package or transfer that it concerns'),
    subjectName: TextOrNull('Of a member or a former one'),
    before: Values,
    after: Values,
  },
  {
    title: 'TeamLogEntry',
    examples: [entryExample],
  },
)

const route = routesOf({ tag: 'team', access: 'user' })

const listTeamLogRoute = route('GET', '/api/v1/team/log', {
  operationId: 'listTeamLog',
  summary: 'What was done to a team, newest first',
  config: { team: 'owner' },
  description:
    'Invitations, members, roles, budgets, API keys, webhook endpoints, deleted folders, purchases, moved credits, and what those who run the service ' +
    'did. It is kept as long as the team; an invited address goes with its account.',
  querystring: Type.Object({
    cursor: Type.Optional(Type.String({ description: 'The nextCursor of the page before' })),
    pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  }),
  data: Type.Object({ entries: Type.Array(Entry), nextCursor: TextOrNull('null: the last page') }),
  example: {
    entries: [entryExample],
    nextCursor: null,
  },
  handler: async (app, request) => ok(await listTeamLog(app, teamOf(request).userId, request.query)),
})

const downloadTeamLogRoute = route('GET', '/api/v1/team/log.csv', {
  operationId: 'downloadTeamLog',
  summary: 'The latest 10,000 entries of the log of a team as CSV',
  config: { team: 'owner', isDownload: true },
  description: 'All are in GET /api/v1/team/export.',
  querystring: Type.Object(linkedTeam),
  response: {
    200: {
      description: 'CSV',
      content: {
        'text/csv': { schema: Type.String({ examples: ['time,action,by,actor,subject,before,after\r\n'] }) },
      },
    },
  },
  handler: async (app, request, reply) => {
    const csv = await teamLogCsv(app, teamOf(request).userId)
    reply.type('text/csv; charset=utf-8')
    reply.header(
      'content-disposition',
      `attachment; filename="kinora-team-log-${app.now().toISOString().slice(0, 10)}.csv"`,
    )
    return csv
  },
})

export const registerTeamLog = together(listTeamLogRoute, downloadTeamLogRoute)
