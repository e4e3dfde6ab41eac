/**
 * `/api/auth/*`: passes requests to better-auth, whose responses keep their own shapes. Limits the size of bodies, replaces
 * better-auth's error messages, and adds the balance to the session.
 */
import type { FastifyInstance } from 'fastify'
import { REQUEST_ID_HEADER } from '../account/audited-operations.ts'
import { type Auth, openAuth } from '../account/auth.ts'
import { deviceOf, withoutDevice } from '../account/device.ts'
import { ADDRESS_HEADER, DEVICE_HEADER } from '../account/sign-in-guard.ts'
import type { App } from '../app.ts'
import { balance, grantGift } from '../credit/ledger.ts'
import { paymentAWebhook } from '../payment/webhook-plugin.ts'
import { toAuthError } from './auth-errors.ts'
import { notFound } from './error-responses.ts'
import { acceptRawBody, rawBodyOf } from './raw-body.ts'

/** better-auth with this service's additions: credits for a new user, the balance in the session, payment-a's webhook. */
export const openSignIn = (app: App): Auth =>
  openAuth(
    app,
    {
      onSignedIn: (userId) => grantGift(app, userId),
      sessionExtras: async (userId) => ({ credits: await balance(app, userId) }),
    },
    [paymentAWebhook(app)],
  )

/** Routes that check a password: brute force is limited there. */
const passwordRoutes = [
  '/api/auth/sign-in/*',
  '/api/auth/sign-up/*',
  '/api/auth/request-password-reset',
  '/api/auth/reset-password',
  // Both check the signed-in user's password: a stolen session must not allow guessing it.
  '/api/auth/change-password',
  '/api/auth/verify-password',
]

/** Its body is a payment event, which is larger than what a person sends. */
const WEBHOOK = '/api/auth/payment-a/webhook'
const BODY_BYTES_MAX = 16 * 1024
const USER_AGENT_MAX = 512

export function registerAuth(server: FastifyInstance, app: App, auth: Auth): void {
  server.register(async (scope) => {
    // better-auth parses the body itself, and the webhook plugin verifies a signature over the raw bytes.
    acceptRawBody(scope)

    for (const url of [...passwordRoutes, WEBHOOK, '/api/auth/*']) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        config: passwordRoutes.includes(url)
          ? { access: 'anyone', limit: 'password' }
          : url === WEBHOOK
            ? { limit: 'webhook' }
            : { access: 'anyone' },
        ...(url === WEBHOOK ? {} : { bodyLimit: BODY_BYTES_MAX }),
        schema: { hide: true },
        handler: async (request, reply) => {
          const url = resolveUrl(request.url, app.config.publicUrl)
          const headers = new Headers()
          for (const [name, value] of Object.entries(request.headers)) {
            if (value !== undefined) headers.set(name, String(value))
          }
          // Browsers send Sec-Fetch-Site with Sec-Fetch-Mode. Node's fetch sends only Sec-Fetch-Mode, for which better-auth
          // would require an Origin. Requests with a cookie are still checked against the Origin.
          if (!headers.has('sec-fetch-site')) headers.delete('sec-fetch-mode')
          // better-auth stores this IP address with the session: Fastify's, which accounts for trusted proxies.
          headers.set(ADDRESS_HEADER, request.ip)
          // Stored with the session, too.
          headers.set('user-agent', (headers.get('user-agent') ?? '').slice(0, USER_AGENT_MAX))
          const device = deviceOf(app.config, request.headers.cookie)
          headers.set(DEVICE_HEADER, device ? `${device.id}.${device.account}` : '')
          // With any cookie at all better-auth requires an Origin; a program that has signed out has no other cookie.
          const cookies = withoutDevice(headers.get('cookie') ?? '')
          if (cookies) headers.set('cookie', cookies)
          else headers.delete('cookie')
          // Recorded in the audit log with an administrator's operation.
          headers.set(REQUEST_ID_HEADER, request.id)
          const body = rawBodyOf(request)
          const response = await auth.handler(
            new Request(url, {
              method: request.method,
              headers,
              ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
            }),
          )
          reply.code(response.status)
          for (const [name, value] of response.headers) {
            // Set-Cookie is set below: each cookie is a header of its own.
            if (name !== 'set-cookie') reply.header(name, value)
          }
          const newCookies = response.headers.getSetCookie()
          if (newCookies.length > 0) reply.header('set-cookie', newCookies)
          if (response.status >= 400) {
            const error = toAuthError(response.status, await response.text(), app.config.publicUrl)
            return reply.type('application/json').send(JSON.stringify(error))
          }
          return reply.send(Buffer.from(await response.arrayBuffer()))
        },
      })
    }
  })
}

/**
 * Returns the URL that better-auth routes by. A path that URL parsing normalizes (`..`, `%2e%2e`, `\`, `//`) is refused:
 * Fastify matched the raw path, so better-auth would reach a route whose rate limit was not applied.
 * @throws AppError NOT_FOUND
 */
function resolveUrl(target: string, publicUrl: string): URL {
  const url = URL.parse(target, publicUrl)
  if (url !== null && url.pathname === target.split('?')[0]) return url
  throw notFound()
}
