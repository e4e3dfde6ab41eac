/** `/api/v1/account/notices`: the caller's notices by mail; and the link that switches one off. */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { NOTICES, type Notice } from '../mail/kinds.ts'
import { noticesOf, setNotice } from '../mail/notices.ts'
import { isMailSetUp } from '../mail/outbox.ts'
import { unsubscribe, unsubscribePage } from '../mail/unsubscribe.ts'
import { Envelope, ok } from './request/envelope.ts'
import { limitUnauthenticated } from './request/rate-limits.ts'
import { typed, userOf } from './request/request.ts'
import { acceptRawBody } from './request/request-body.ts'
import { routesOf, together } from './request/routes.ts'

const descriptions: Record<Notice, string> = {
  'credit.low': 'The available credits fall below the threshold of PUT /api/v1/credit/alert',
  'credit.expiring': 'Credits expire within seven days, once a package',
  'payment.failed': 'A payment for the subscription failed',
  'payment.top-up': 'An automatic top-up was paid, has failed, or is to be confirmed; to owners of a team',
  'credit.spent': 'Films of a day or week have cost what PUT /api/v1/credit/alert set',
  'video.done': 'A film is completed or has failed; off until it is switched on',
  'webhook.disabled': 'A webhook endpoint was disabled',
  'team.suspended':
    'Keys or endpoints of a team were suspended, whose maker an administrator has locked or deleted; to owners',
  'service.notice': 'Maintenance and incidents, as the operator announces them',
}
const fields = Object.fromEntries(
  NOTICES.map((kind) => [kind, Type.Boolean({ description: descriptions[kind] })]),
) as Record<Notice, ReturnType<typeof Type.Boolean>>
const noticesExample = {
  'credit.low': true,
  'credit.expiring': true,
  'payment.failed': true,
  'payment.top-up': true,
  'credit.spent': true,
  'video.done': false,
  'webhook.disabled': true,
  'team.suspended': true,
  'service.notice': true,
}
const Notices = Type.Object(fields, { title: 'Notices', examples: [noticesExample] })
const Settings = Type.Object(
  {
    isMailSetUp: Type.Boolean({ description: 'Whether this service sends mail', examples: [true] }),
    notices: Notices,
  },
  { title: 'NoticeSettings' },
)
const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'From the link of the message' }),
})

const url = '/api/v1/account/notices'

const settingsOf = async (app: App, userId: string) =>
  ok({ isMailSetUp: isMailSetUp(app.config), notices: await noticesOf(app, userId) })

const route = routesOf({ tag: 'account', access: 'user' })

const getNoticesRoute = route('GET', url, {
  operationId: 'getNotices',
  summary: 'Which notices you get by mail',
  description: 'They are sent to a verified address only.',
  data: Settings,
  handler: async (app, request) => settingsOf(app, userOf(request).userId),
})

const setNoticesRoute = route('PUT', url, {
  operationId: 'setNotices',
  summary: 'Switch notices by mail on or off',
  description: 'Those that the body leaves out stay as they are. Mail about the sign-in cannot be switched off.',
  body: Type.Partial(Notices, {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ 'video.done': true }],
  }),
  data: Settings,
  example: { isMailSetUp: true, notices: { ...noticesExample, 'video.done': true } },
  handler: async (app, request) => {
    const { userId } = userOf(request)
    const wanted = request.body as Partial<Record<Notice, boolean>>
    for (const kind of NOTICES) {
      const isWanted = wanted[kind]
      if (isWanted !== undefined) await setNotice(app, userId, kind, isWanted)
    }
    return settingsOf(app, userId)
  },
})

function registerUnsubscribe(server: FastifyInstance, app: App): void {
  server.register(async (scope) => {
    // RFC 8058: a mail program sends a form, which says nothing that the token does not.
    acceptRawBody(scope)
    const links = typed(scope)
    links.route({
      method: 'POST',
      url: `${url}/unsubscribe`,
      config: { limit: 'signed', body: 'raw' },
      schema: {
        tags: ['account'],
        operationId: 'unsubscribe',
        summary: 'Switch a notice off, with the token of a message',
        description:
          'For mail programs (List-Unsubscribe-Post, RFC 8058) and the page of the link; needs no sign-in. The body is not read. 400: ' +
          'the token is not ours.',
        querystring: Token,
        response: {
          200: Envelope(Type.Object({ notice: Type.Enum([...NOTICES], { description: 'What is off now' }) }), {
            notice: 'credit.low',
          }),
        },
      },
      handler: async (request, reply) => {
        const notice = await unsubscribe(app, request.query.token)
        if (notice) return ok({ notice })
        await limitUnauthenticated(app, request, reply)
        throw new AppError('INVALID_REQUEST', 'This link is not complete. Open it from the mail again, or sign in.')
      },
    })
    // Mail programs without RFC 8058 open the link of the header: a page asks first, because scanners open links too.
    links.route({
      method: 'GET',
      url: `${url}/unsubscribe`,
      config: { limit: 'signed' },
      schema: { hide: true, querystring: Token },
      handler: async (request, reply) => reply.redirect(unsubscribePage(app.config, request.query.token), 303),
    })
  })
}

export const registerNotices = together(getNoticesRoute, setNoticesRoute, registerUnsubscribe)
