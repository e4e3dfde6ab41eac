/**
 * `/api/auth/*`: better-auth answers here, in its own shapes. This file hands requests over, counts sign-ins by address,
 * and composes the session with the balance.
 */
import type { FastifyInstance } from 'fastify'
import { type Auth, openAuth } from '../account/auth.ts'
import type { App } from '../app.ts'
import { balance, grantGift } from '../credit/ledger.ts'
import { paymentAWebhook } from '../payment/webhook-plugin.ts'
import { inPlainWords } from './auth-errors.ts'
import { nothingHere } from './envelope.ts'

/** better-auth as this service uses it: a gift at registration, the balance in the session, payment-a's webhook. */
export const openSignIn = (app: App): Auth =>
  openAuth(
    app,
    {
      onSignedIn: (userId) => grantGift(app, userId),
      sessionExtras: async (userId) => ({ credits: await balance(app, userId) }),
    },
    [paymentAWebhook(app)],
  )

const guessable = [
  '/api/auth/sign-in/*',
  '/api/auth/sign-up/*',
  '/api/auth/request-password-reset',
  '/api/auth/reset-password',
  // These ask for the password of whoever is signed in: a session that was stolen must not be a way to guess it.
  '/api/auth/change-password',
  '/api/auth/verify-password',
]

export function registerAuth(server: FastifyInstance, app: App, auth: Auth): void {
  server.register(async (scope) => {
    // better-auth reads the body itself; some of its plugins need the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    for (const url of [...guessable, '/api/auth/*']) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        config: { limit: guessable.includes(url) ? 'sign-in' : 'none' },
        schema: { hide: true },
        handler: async (request, reply) => {
          const url = addressOf(request.url, app.config.publicUrl)
          const headers = new Headers()
          for (const [name, value] of Object.entries(request.headers)) {
            if (value !== undefined) headers.set(name, String(value))
          }
          // Browsers send Sec-Fetch-Site with Sec-Fetch-Mode; Node's fetch sends the second alone, for which better-auth
          // would ask it for an Origin. Cookies are held against the Origin all the same.
          if (!headers.has('sec-fetch-site')) headers.delete('sec-fetch-mode')
          // What better-auth keeps with a session: the address as Fastify knows it, behind a proxy or not.
          headers.set('x-kinora-address', request.ip)
          const body = request.body as Buffer | undefined
          const response = await auth.handler(
            new Request(url, {
              method: request.method,
              headers,
              ...(body?.length ? { body: new Uint8Array(body) } : {}),
            }),
          )
          reply.code(response.status)
          for (const [name, value] of response.headers) {
            // Several cookies come as several headers; everything else once.
            if (name !== 'set-cookie') reply.header(name, value)
          }
          const cookies = response.headers.getSetCookie()
          if (cookies.length > 0) reply.header('set-cookie', cookies)
          if (response.status >= 400) {
            const refusal = inPlainWords(response.status, await response.text(), app.config.publicUrl)
            return reply.type('application/json').send(JSON.stringify(refusal))
          }
          return reply.send(Buffer.from(await response.arrayBuffer()))
        },
      })
    }
  })
}

/**
 * The address as better-auth is to read it. One with `..` in it, however written, would be resolved on the way and lead to
 * another route than the one whose allowance was counted.
 * @throws AppError NOT_FOUND
 */
function addressOf(target: string, publicUrl: string): URL {
  const url = URL.parse(target, publicUrl)
  if (url !== null && url.pathname === target.split('?')[0]) return url
  throw nothingHere()
}
