/** `/api/v1/admin/mails`: administrators read the outbox of mail, and send again what has failed. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getMail, listMails, MAIL_STATES, mailFilters, retryMail } from '../../admin/mails.ts'
import { ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { listQuery, uncountedPage } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

const mail = {
  id: Type.String({ format: 'uuid', description: 'The part before the @ of its Message-ID' }),
  kind: Type.String({ description: 'password.reset, sign-in.new, credit.low and so on; others may follow' }),
  userId: TextOrNull('Whose it is; null when the recipient has no account'),
  to: Type.String({
    description: 'The address of the recipient; empty: the owners of the team, to each of whom it is passed on',
  }),
  subject: Type.String(),
  status: Type.Enum([...MAIL_STATES], {
    description:
      'failed: the server refused it, or no attempt is left; expired: it was out of date before it could be sent',
  }),
  attempts: Type.Integer(),
  response: TextOrNull('What the SMTP server responded to the latest attempt, or why there was no response'),
  createdAt: Timestamp('When it was written'),
  attemptedAt: TimestampOrNull('When it was last sent'),
  nextAttemptAt: TimestampOrNull('When it is sent next; null when its status is final'),
  expiresAt: Timestamp('It is not sent after this time'),
  canRetry: Type.Boolean({
    description: 'Whether it can be sent again: it waits no more, and has no link for its reader',
  }),
}
const mailExample = {
  id: '01939b1e-7777-7000-8000-000000000001',
  kind: 'credit.low',
  userId: '01939b1e-1111-7aaa-8bbb-000000000001',
  to: 'ann@example.com',
  subject: 'Your Kinora credits are running low',
  status: 'failed',
  attempts: 1,
  response: '550 no such mailbox here',
  createdAt: '2026-01-15T09:30:00.000Z',
  attemptedAt: '2026-01-15T09:30:00.000Z',
  nextAttemptAt: null,
  expiresAt: '2026-01-18T09:30:00.000Z',
  canRetry: true,
}
const ListedMail = Type.Object(mail, { title: 'ListedMail', examples: [mailExample] })
const Mail = Type.Object(
  { ...mail, text: Type.String({ description: 'As plain text' }) },
  {
    title: 'Mail',
    examples: [
      {
        ...mailExample,
        text: '44 credits left\n\nYou asked for a mail when fewer than 50 credits are available.',
      },
    ],
  },
)
const Id = Type.Object({ id: Type.String() })
const actor = (request: FastifyRequest) => ({ actorId: userOf(request).userId, requestId: request.id })

const route = routesOf({ tag: 'desk', access: 'admin' })

const listMailsRoute = route('GET', '/api/v1/admin/mails', {
  operationId: 'listMails',
  summary: 'The outbox of mail, newest first',
  description: 'Without SMTP_URL nothing is sent, and the messages wait here until they expire.',
  querystring: listQuery(mailFilters),
  data: Type.Object({
    isMailSetUp: Type.Boolean({ description: 'Whether messages are sent', examples: [true] }),
    mails: Type.Array(ListedMail),
    ...uncountedPage,
  }),
  handler: async (app, request) => ok(await listMails(app, request.query)),
})

const getMailRoute = route('GET', '/api/v1/admin/mails/:id', {
  operationId: 'getMail',
  summary: 'One mail with its text',
  description:
    'A link that signs in, resets a password or verifies an address is shown only while mail is not set up; the audit log keeps ' +
    'who has seen it.',
  params: Id,
  data: Mail,
  handler: async (app, request) => ok(await getMail(app, request.params.id, actor(request))),
})

const retryMailRoute = route('POST', '/api/v1/admin/mails/:id/retry', {
  operationId: 'retryMail',
  summary: 'Send a mail again',
  description:
    'One that has failed; one that was sent or is out of date as another mail, to the present address of its user. 409: it waits, or has a ' +
    'link, which is gone; its user asks for a new one.',
  params: Id,
  body: Type.Object(
    { reason: Reason() },
    { additionalProperties: false, examples: [{ reason: 'The user asked for it' }] },
  ),
  errors: ['CONFLICT'],
  data: Type.Object({ id: Type.String() }),
  example: { id: mailExample.id },
  handler: async (app, request) => {
    await retryMail(app, request.params.id, { ...actor(request), reason: request.body.reason.trim() })
    return ok({ id: request.params.id })
  },
})

export const registerAdminMails = together(listMailsRoute, getMailRoute, retryMailRoute)
