/**
 * `/api/auth/*`: validates the operations that are documented and passes them on to better-auth, whose responses keep their own
 * shapes. Nothing else of better-auth is reachable. Limits the size of bodies, replaces better-auth's error messages, and adds the
 * balance to the session.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REQUEST_ID_HEADER } from '../../account/audited-operations.ts'
import { type Auth, type AuthHooks, openAuth } from '../../account/auth.ts'
import { CAPTCHA_UNAVAILABLE } from '../../account/captcha.ts'
import { deviceOf, withoutDevice } from '../../account/device.ts'
import { nameOfKey } from '../../account/key/api-key.ts'
import { keepOwnSession } from '../../account/own-session.ts'
import { refusalOf } from '../../account/restrictions.ts'
import { ADDRESS_HEADER, DEVICE_HEADER } from '../../account/sign-in-guard.ts'
import type { App } from '../../app.ts'
import { grantGift } from '../../credit/gift.ts'
import { balance } from '../../credit/ledger.ts'
import { AppError, statusOf } from '../../errors.ts'
import { paymentAWebhook } from '../../payment/webhook-plugin.ts'
import { sendError, toAppError } from '../request/error-responses.ts'
import { acceptRawBody, ignoreContentType, rawBodyOf } from '../request/raw-body.ts'
import { userOf } from '../request/request.ts'
import {
  applyKeyChange,
  type ShownKey,
  storeKeyLimits,
  takeKeyChange,
  takeKeyLimits,
  withKeyStates,
} from './auth-api-keys.ts'
import { type AuthError, authError, toAuthError, unknownAuthPath } from './auth-errors.ts'
import { authOperations } from './auth-openapi.ts'
import { registerAuthRedirects } from './auth-redirects.ts'
import { documentedFields } from './auth-response.ts'
import type { AuthOperation } from './auth-schemas.ts'
import { validateAuthRequest } from './auth-validation.ts'
import { registerOauth, registerOauthMetadata } from './oauth.ts'
import { registerOauthPages } from './oauth-pages.ts'

/** better-auth with this service's additions: credits for a new user, the balance in the session, payment-a's webhook. */
export const openSignIn = (app: App, options: Pick<AuthHooks, 'password'> = {}): Auth =>
  openAuth(
    app,
    {
      ...options,
      onSignedIn: (userId, ip) => grantGift(app, userId, ip),
      sessionExtras: async (userId) => ({ credits: await balance(app, userId) }),
    },
    [paymentAWebhook(app)],
  )

/** Operations that check a password, a code or a mailed token, or mail one: brute force and floods of mail are limited there. */
const passwordOperations = [
  'signIn',
  'signUp',
  'changePassword',
  'verifyPassword',
  'createApiKey',
  'updateApiKey',
  'requestPasswordReset',
  'resetPassword',
  'sendVerificationEmail',
  'changeEmail',
  'addPasskey',
  'deletePasskey',
  'signInWithPasskey',
  'linkProvider',
  'unlinkAccount',
  'enableTwoFactor',
  'disableTwoFactor',
  'generateRecoveryCodes',
  'verifyTotp',
  'verifyRecoveryCode',
  'mailSignInLink',
  'signInWithLink',
]

/** Operations that respond with API keys. */
const keyOperations = ['createApiKey', 'listApiKeys', 'updateApiKey']

/** Of every body but the webhook's, which is a payment event. */
const BODY_BYTES_MAX = 16 * 1024
const USER_AGENT_MAX = 512

export function registerAuth(server: FastifyInstance, app: App, auth: Auth): void {
  registerOauthMetadata(server, app)
  registerOauthPages(server, app, auth, { toRequest })
  server.register(async (scope) => {
    // better-auth has the body as it was sent, and the webhook plugin verifies a signature over the raw bytes.
    acceptRawBody(scope)

    scope.post(
      '/api/auth/payment-a/webhook',
      { config: { limit: 'webhook' }, schema: { hide: true }, onRequest: ignoreContentType },
      async (request, reply) => {
        const url = new URL('/api/auth/payment-a/webhook', app.config.publicUrl)
        const response = await auth.handler(toRequest(app, request, url, rawBodyOf(request)))
        return send(reply, response).send(Buffer.from(await response.arrayBuffer()))
      },
    )

    scope.register(async (operations) => {
      operations.setErrorHandler(sendAuthError)
      for (const operation of authOperations) registerOperation(operations, app, auth, operation)
      registerAuthRedirects(operations, app, auth, { toRequest, send })
      registerOauth(operations, app, auth, { toRequest, send })
      // Default deny: better-auth's other endpoints are off, as are those that a later version adds.
      const options = { config: { access: 'optional' as const }, bodyLimit: BODY_BYTES_MAX, schema: { hide: true } }
      operations.all('/api/auth/*', options, async (_request, reply) =>
        reply.code(404).type('application/json').send(JSON.stringify(unknownAuthPath())),
      )
    })
  })
}

function registerOperation(scope: FastifyInstance, app: App, auth: Auth, operation: AuthOperation): void {
  const { method, path, operationId, session, minimumMs } = operation
  const { publicUrl } = app.config
  scope.route({
    method: method === 'get' ? 'GET' : 'POST',
    url: path,
    config: { access: 'optional', ...(passwordOperations.includes(operationId) ? { limit: 'password' } : {}) },
    bodyLimit: BODY_BYTES_MAX,
    schema: { hide: true },
    handler: async (request, reply) => {
      const minimum = minimumMs === undefined ? null : sleep(minimumMs)
      const refuse = (status: number, error: AuthError) =>
        reply.code(status).type('application/json').send(JSON.stringify(error))

      const valid = validateAuthRequest(operation, {
        contentType: request.headers['content-type'],
        body: rawBodyOf(request),
        search: new URLSearchParams(request.raw.url?.split('?')[1] ?? ''),
      })
      if ('error' in valid) return refuse(valid.status, valid.error)
      const site = request.headers['sec-fetch-site']
      if (operation.isSameOriginOnly && site !== undefined && site !== 'same-origin') {
        return refuse(403, toAuthError(403, JSON.stringify({ code: 'INVALID_ORIGIN' }), publicUrl))
      }

      // The route's path and not the one that was sent: better-auth serves the operation that was validated.
      const url = new URL(path, publicUrl)
      url.search = valid.query.toString()
      const limits = operationId === 'createApiKey' && valid.body ? takeKeyLimits(valid.body) : null
      const { headers, caller } = request
      const refusal = await refusalOf(app, auth, {
        operationId,
        session,
        headers,
        caller,
        body: valid.body ?? {},
        query: valid.query,
      })
      if (refusal) return refuse(refusal.status, authError(refusal.code))
      const change = operationId === 'updateApiKey' && valid.body ? takeKeyChange(valid.body) : null
      if (change && valid.body) {
        const name = await nameOfKey(app, userOf(request).userId, change.id)
        if (name === null) return refuse(404, authError('KEY_NOT_FOUND'))
        // better-auth refuses a change of nothing, and its response is wanted.
        valid.body.name ??= name
      }

      const bytes = valid.body ? Buffer.from(JSON.stringify(valid.body)) : Buffer.alloc(0)
      const response = await auth.handler(toRequest(app, request, url, bytes))
      await minimum
      if (response.status >= 500) {
        const text = await response.text()
        if (operationId === 'signUp' && toAuthError(500, text, publicUrl).code === CAPTCHA_UNAVAILABLE) {
          app.log.error({ response: text }, 'a CAPTCHA could not be verified')
          throw new AppError('UNAVAILABLE', 'The CAPTCHA cannot be checked at the moment; try again shortly.', {
            retryAfterS: 10,
          })
        }
        throw new Error(`better-auth failed with ${response.status}: ${text}`)
      }
      // The error of an operation that better-auth means for navigations.
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
      if (location !== null) {
        const code = URL.parse(location, publicUrl)?.searchParams.get('error') ?? 'BAD_REQUEST'
        return refuse(400, toAuthError(400, JSON.stringify({ code }), publicUrl))
      }
      const error = response.status >= 400 ? toAuthError(response.status, await response.text(), publicUrl) : null
      if (error && NOT_STORED.includes(error.code)) {
        throw new AppError('UNAVAILABLE', 'This cannot be stored at the moment; try again shortly.', { retryAfterS: 1 })
      }
      send(reply, response)
      if (error) return refuse(response.status, error)
      let result: unknown = await response.json()
      if (limits) await storeKeyLimits(app, result as ShownKey, limits)
      // Last, because better-auth refuses what comes from another site.
      if (change) result = await applyKeyChange(app, result as ShownKey, change)
      const shown = documentedFields(
        operation.response,
        keyOperations.includes(operationId) ? await withKeyStates(app, result as ShownKey) : result,
      )
      return reply.type('application/json').serializer(JSON.stringify).send(shown)
    },
  })
}

/** better-auth's 4xx for a statement that failed, which it has logged: the database, or the node of the user's shard, is away. */
const NOT_STORED = ['FAILED_TO_CREATE_USER', 'FAILED_TO_CREATE_SESSION']

/** The request that better-auth gets. */
function toRequest({ config }: App, request: FastifyRequest, url: URL, body: Buffer): Request {
  const { method, headers: sent, ip, id } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, String(value))
  headers.delete('content-length')
  if (body.length === 0) headers.delete('content-type')
  // Browsers send Sec-Fetch-Site with Sec-Fetch-Mode. Node's fetch sends only Sec-Fetch-Mode, for which better-auth
  // would require an Origin. Requests with a cookie are still checked against the Origin.
  if (!headers.has('sec-fetch-site')) headers.delete('sec-fetch-mode')
  // better-auth stores this IP address with the session: Fastify's, which accounts for trusted proxies.
  headers.set(ADDRESS_HEADER, ip)
  // Stored with the session, too.
  headers.set('user-agent', (headers.get('user-agent') ?? '').slice(0, USER_AGENT_MAX))
  const device = deviceOf(config, sent.cookie)
  headers.set(DEVICE_HEADER, device ? `${device.id}.${device.account}` : '')
  // With any cookie at all better-auth requires an Origin; a program that has signed out has no other cookie.
  const cookies = withoutDevice(sent.cookie ?? '')
  if (cookies) headers.set('cookie', cookies)
  else headers.delete('cookie')
  keepOwnSession(headers, request, config.publicUrl)
  // Recorded in the audit log with an administrator's operation.
  headers.set(REQUEST_ID_HEADER, id)
  return new Request(url, {
    method: method === 'HEAD' ? 'GET' : method,
    headers,
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  })
}

/** Status and headers of better-auth's response. */
function send(reply: FastifyReply, { status, headers }: Response): FastifyReply {
  reply.code(status)
  for (const [name, value] of headers) {
    // Set-Cookie is set below: each cookie is a header of its own.
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value)
  }
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply
}

/** 413, 429 and 5xx come from this service and have its envelope; the other errors have the shape of /api/auth. */
function sendAuthError(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(cause, request)
  const status = statusOf[error.code]
  if (status >= 500 || status === 429 || status === 413) {
    sendError(error, cause, request, reply)
    return
  }
  reply
    .code(status)
    .type('application/json')
    .serializer(JSON.stringify)
    .send({ code: error.code, message: error.message } satisfies AuthError)
}
