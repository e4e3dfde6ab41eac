/** `/api/v1/admin/audit`: administrators read what administrators and the service's sweeps did. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { AUDIT_ACTIONS, listAudit } from '../../admin/audit.ts'
import type { App } from '../../app.ts'
import { Envelope, errors, ok, TextOrNull, Timestamp } from '../request/envelope.ts'
import { cursorPage, cursorQuery } from '../request/paging.ts'
import { authenticated } from '../request/request.ts'

const State = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

const Entry = Type.Object({
  id: Type.String({ format: 'uuid' }),
  createdAt: Timestamp('When it was done'),
  action: Type.String({ description: `What was done: ${AUDIT_ACTIONS.join(', ')}; others may follow` }),
  actorId: Type.String({
    format: 'uuid',
    description: 'The administrator; 00000000-0000-0000-0000-000000000000 for the service itself',
  }),
  actorEmail: TextOrNull('The administrator’s e-mail address; null for the service itself and for a deleted account'),
  userId: TextOrNull('The user whose account it concerns; null for none'),
  userEmail: TextOrNull('That user’s e-mail address; null for a deleted account'),
  subject: TextOrNull(
    'Id of the package, payment event, video, session, mail, webhook endpoint or deleted user that it concerns',
  ),
  before: State('What was there before, by action: a balance, the state of an event, the changed fields of a user'),
  after: State('What was there after it'),
  requestId: TextOrNull('The request, as in x-request-id and in the log; null for the service itself'),
  reason: TextOrNull('Why, in the words of the administrator; for the service itself the setting'),
})

export function registerAdminAudit(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  http.route({
    method: 'GET',
    url: '/api/v1/admin/audit',
    config: { access: 'admin' },
    schema: {
      ...authenticated('admin'),
      operationId: 'listAudit',
      summary: 'What administrators did, newest first',
      description:
        'Every action of an administrator, and every removal of files by the service itself. Filters may be combined.',
      querystring: Type.Object({
        userId: Type.Optional(Type.String({ format: 'uuid', description: 'Entries that concern this user' })),
        actorId: Type.Optional(Type.String({ format: 'uuid', description: 'Entries of this administrator' })),
        action: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Entries of this action' })),
        ...cursorQuery,
      }),
      response: {
        200: Envelope(Type.Object({ entries: Type.Array(Entry), ...cursorPage })),
        ...errors(400, 401, 403),
      },
    },
    handler: async (request) => ok({ ...(await listAudit(app, request.query)), pageSize: request.query.pageSize }),
  })
}
