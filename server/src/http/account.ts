/** `/api/v1/account`: the caller exports the account's data, or deletes the account. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Auth } from '../account/auth.ts'
import { signedIn } from '../account/credential/credential.ts'
import { ownSession } from '../account/own-session.ts'
import { confirmDeletion, deleteAccount } from '../account-data/delete.ts'
import { eraseSubject } from '../account-data/erase.ts'
import { exportData } from '../account-data/export.ts'
import type { App } from '../app.ts'
import { ok, Reason } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

export const Bytes = Type.Unsafe<Readable>(Type.String({ format: 'binary' }))
const Deleted = Type.Object(
  { userId: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedAccount', examples: [{ userId: '01939b1e-1111-7aaa-8bbb-000000000001', deleted: true }] },
)

/** What one who owes is deleted with. */
export const Owed = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'The credits that you know to be owed. 409 names them (`details.owed`) where they are more',
  }),
)

/** The body of a deletion that cannot be undone. */
export const ConfirmationBody = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Your password, as a confirmation; a user without one signs in again, at most 10 minutes before',
      }),
    ),
    owed: Owed,
  },
  { title: 'Confirmation', additionalProperties: false, examples: [{ password: 'correct horse battery' }] },
)

const route = routesOf<{ app: App; auth: Auth }>({ tag: 'account', access: 'user' })
const adminRoute = routesOf<{ app: App; auth: Auth }>({ tag: 'admin', access: 'admin' })

const exportAccountRoute = route('GET', '/api/v1/account/export', {
  operationId: 'exportAccount',
  summary: 'Download everything that is stored about you',
  config: { impersonation: 'none' },
  description:
    'A ZIP, streamed: account.json (profile, sessions, names of keys, subscriptions, balance, packages), history.json, ' +
    'payments.json, payment-events.json, webhooks.json, webhook-deliveries.json, mails.json, audit.json, assets.json, folders.json, publications.json, reports.json, takedowns.json and videos.json with prompts, and the films, thumbnails and assets ' +
    'that they name. A download that breaks off starts again from the beginning. 429: an export of yours is running already.',
  response: { 200: { description: 'A ZIP file', content: { 'application/zip': { schema: Bytes } } } },
  handler: async ({ app }, request, reply) => sendExport(app, request, reply, userOf(request).userId),
})

/** Answers with the ZIP of an owner, or of a subject. */
export async function sendExport(
  app: App,
  { method }: FastifyRequest,
  reply: FastifyReply,
  ownerId: string,
  subject: string | null = null,
) {
  const day = app.now().toISOString().slice(0, 10)
  reply.type('application/zip').header('content-disposition', `attachment; filename="kinora-${day}.zip"`)
  return reply.send(method === 'HEAD' ? Readable.from([]) : await exportData(app, ownerId, subject))
}

const deleteAccountRoute = route('DELETE', '/api/v1/account', {
  operationId: 'deleteAccount',
  summary: 'Delete your account',
  // The route checks a password: brute force is limited.
  config: { limit: 'password' },
  description:
    'Sessions, keys, e-mail address and name go at once, and links to films stop working. Films, start images, prompts and the ' +
    'bodies of payment events are erased within minutes; a video that a provider has runs to its end first. The books ' +
    'keep your user id as a pseudonym. Credentials stop working within a second. This cannot be undone. 400: the ' +
    'password is wrong. 403: an administrator impersonates the user. 409: a subscription still renews or a payment of it may still come (its first one is open, for a day; it is ' +
    'expired and the processor retries the payment), or you are the last administrator, or the last owner of a team (`details.teams`), or you owe ' +
    'credits of payments that were returned (`details.owed`), and `owed` does not say so.',
  body: ConfirmationBody,
  errors: ['CONFLICT'],
  data: Deleted,
  handler: async ({ app, auth }, request) => {
    const { userId, key } = userOf(request)
    const session = await ownSession(app, auth, request)
    // Nothing is known any more of a session that has ended since the request was authenticated.
    if (!key && !session) signedIn(null)
    const { password, owed = 0 } = request.body
    const signedInAt = session?.signedInAt ?? null
    await confirmDeletion(app, auth, { userId, password, signedInAt })
    await deleteAccount(app, { userId, actorId: userId, reason: null, owed, requestId: request.id })
    return ok({ userId, deleted: true as const })
  },
})

const deleteUserRoute = adminRoute('DELETE', '/api/v1/admin/users/:id', {
  operationId: 'deleteUser',
  summary: 'Delete the account of a user',
  description:
    'As DELETE /api/v1/account does, on behalf of the user; the audit log keeps who did it and why. 409: a subscription ' +
    'still renews or a payment of it may still come, or it is the last administrator, or the last owner of a team (`details.teams`), or owes credits ' +
    '(`details.owed`), and `owed` does not say so.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object(
    { reason: Reason(), owed: Owed },
    { additionalProperties: false, examples: [{ reason: 'Asked for it by e-mail' }] },
  ),
  errors: ['CONFLICT'],
  data: Deleted,
  handler: async ({ app }, request) => {
    const userId = request.params.id.toLowerCase()
    const { reason, owed = 0 } = request.body
    const by = { actorId: userOf(request).userId, reason: reason.trim(), requestId: request.id }
    await deleteAccount(app, { userId, owed, ...by })
    return ok({ userId, deleted: true as const })
  },
})

const SubjectParams = Type.Object({
  subject: Type.String({ title: 'Subject', maxLength: 64, description: 'Of browser tokens: your id of a visitor' }),
})
const Erasure = Type.Object(
  {
    subject: Type.String(),
    left: Type.Object({
      videos: Type.Integer({ description: 'In progress, or not erased yet' }),
      images: Type.Integer({ description: 'Uploads that are not removed yet' }),
    }),
    erased: Type.Boolean({ description: 'Whether nothing is left' }),
  },
  {
    title: 'SubjectErasure',
    examples: [{ subject: 'visitor-8812', left: { videos: 0, images: 0 }, erased: true }],
  },
)

const exportSubjectRoute = route('GET', '/api/v1/subject/:subject/export', {
  operationId: 'exportSubject',
  summary: 'Download everything that browser tokens of a subject made',
  config: { team: 'admin', test: true },
  description:
    'A ZIP, streamed: videos.json with prompts and metadata, assets.json, and the films, thumbnails and assets that they name. It is empty ' +
    'of both for a subject that is not known. 429: an export of yours is running already.',
  params: SubjectParams,
  response: { 200: { description: 'A ZIP file', content: { 'application/zip': { schema: Bytes } } } },
  handler: async ({ app }, request, reply) =>
    sendExport(app, request, reply, userOf(request).userId, request.params.subject),
})

const eraseSubjectRoute = route('DELETE', '/api/v1/subject/:subject', {
  operationId: 'eraseSubject',
  summary: 'Erase everything that browser tokens of a subject made so far',
  config: { team: 'admin', test: true },
  description:
    'Its tokens end, its films disappear, and prompts, films, images, metadata, logs and webhook deliveries are erased; the subject too. A video that a ' +
    'provider has runs to its end first. The books keep what it cost. What is left is erased within minutes; repeat the request to see it. This cannot ' +
    'be undone.',
  params: SubjectParams,
  data: Erasure,
  handler: async ({ app }, request) => ok(await eraseSubject(app, userOf(request).userId, request.params.subject)),
})

export const registerAccount = together(
  exportAccountRoute,
  deleteAccountRoute,
  deleteUserRoute,
  exportSubjectRoute,
  eraseSubjectRoute,
)
