/** `/api/v1/admin/audit`: administrators read what administrators and the service's sweeps did. */
import { Type } from 'typebox'
import { AUDIT_ACTIONS, auditFilters, listAudit } from '../../admin/audit.ts'
import { ok, TextOrNull, Timestamp } from '../request/envelope.ts'
import { cursorPage, listQuery } from '../request/paging.ts'
import { routesOf } from '../request/routes.ts'
import { owner } from './users.ts'

const State = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

const Entry = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: Timestamp('When it was done'),
    action: Type.String({ description: `What was done: ${AUDIT_ACTIONS.join(', ')}; others may follow` }),
    actorId: Type.String({
      format: 'uuid',
      description: 'The administrator; 00000000-0000-0000-0000-000000000000 for the service itself',
    }),
    actorEmail: TextOrNull('The administrator’s e-mail address; null for the service itself and for a deleted account'),
    userId: TextOrNull('The user or team that it concerns; null for none'),
    userEmail: owner.email,
    team: owner.team,
    subject: TextOrNull(
      'Id of the package, payment event, video, session, mail, webhook endpoint or deleted user that it concerns',
    ),
    before: State('What was there before, by action: a balance, the state of an event, the changed fields of a user'),
    after: State('What was there after it'),
    requestId: TextOrNull('The request, as in x-request-id and in the log; null for the service itself'),
    reason: TextOrNull('Why, in the words of the administrator; for the service itself the setting'),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
        createdAt: '2026-01-15T09:30:00.000Z',
        action: 'credits.take',
        actorId: '01939b1e-1111-7aaa-8bbb-000000000009',
        actorEmail: 'root@example.com',
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        userEmail: 'ann@example.com',
        team: null,
        subject: null,
        before: { available: 44, frozen: 16, used: 0, expired: 0, clawedBack: 0, total: 60 },
        after: {
          available: 4,
          frozen: 16,
          used: 0,
          expired: 0,
          clawedBack: 40,
          total: 60,
          credits: 40,
          packages: [['01939b1e-2222-7aaa-8bbb-000000000002', 40, 1771061400000]],
        },
        requestId: '01939b1e-3333-7aaa-8bbb-000000000001',
        reason: 'Granted twice by mistake',
      },
    ],
  },
)

export const registerAdminAudit = routesOf({ tag: 'admin', access: 'admin' })('GET', '/api/v1/admin/audit', {
  operationId: 'listAudit',
  summary: 'What administrators did, newest first',
  description:
    'Every action of an administrator, and every removal of files by the service itself. Filters may be combined.',
  querystring: listQuery(auditFilters),
  data: Type.Object({ entries: Type.Array(Entry), ...cursorPage }),
  handler: async (app, request) => ok(await listAudit(app, request.query)),
})
