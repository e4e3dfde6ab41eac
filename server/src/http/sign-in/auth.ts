/**
 * `/api/auth/*`: validates the operations that are documented and passes them on to better-auth, whose responses keep
 * their own shapes. Nothing else of better-auth is reachable. Limits the size of bodies, replaces better-auth's error
 * messages, and adds the balance to the session.
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
import { errorUrl } from '../../account/sign-in-providers.ts'
import type { App } from '../../app.ts'
import { grantGift } from '../../credit/gift.ts'
import { balance } from '../../credit/ledger.ts'
import { AppError } from '../../errors.ts'
import { wellFormedJson } from '../../text/json-reader.ts'
import { authWebhookPaths, authWebhooks } from '../payment-webhook.ts'
import { sendError, toAppError } from '../request/error-responses.ts'
import { userOf } from '../request/request.ts'
import { acceptRawBody, ignoreContentType, rawBodyOf } from '../request/request-body.ts'
import {
  applyKeyChange,
  type ShownKey,
  storeKeyLimits,
  takeKeyChange,
  takeKeyLimits,
  withKeyStates,
} from './auth-api-keys.ts'
import { type AuthError, authError, authErrorBody, type Site, toAuthError, unknownAuthPath } from './auth-errors.ts'
import { authOperations } from './auth-operations.ts'
import type { AuthOperation } from './auth-schemas.ts'
import { validateAuthRequest } from './auth-validation.ts'
import { registerOauth, registerOauthMetadata } from './oauth.ts'
import { registerOauthPages } from './oauth-pages.ts'

/** better-auth with this service's additions: credits for a new user, the balance in the session, payment webhooks. */
export const openSignIn = (app: App, options: Pick<AuthHooks, 'password'> = {}): Auth =>
  openAuth(
    app,
    {
      ...options,
      onSignedIn: (userId, ip) => grantGift(app, userId, ip),
      sessionExtras: async (userId) => ({ credits: await balance(app, userId) }),
    },
    [authWebhooks(app)],
  )

/** The size limit of every body but the webhook's, which is a payment event. */
const BODY_BYTES_MAX = 16 * 1024
const USER_AGENT_MAX = 512

export function registerAuth(server: FastifyInstance, app: App, auth: Auth): void {
  registerOauthMetadata(server, app)
  registerOauthPages(server, app, auth, { toRequest })
  server.register(async (scope) => {
    // better-auth has the body as it was sent, and the webhook plugin verifies a signature over the raw bytes.
    acceptRawBody(scope)

    for (const path of authWebhookPaths)
      scope.post(
        path,
        { config: { limit: 'webhook' }, schema: { hide: true }, onRequest: ignoreContentType },
        async (request, reply) => {
          const url = new URL(path, app.config.publicUrl)
          const response = await auth.handler(toRequest(app, request, url, rawBodyOf(request)))
          return send(reply, response).send(Buffer.from(await response.arrayBuffer()))
        },
      )

    scope.register(async (operations) => {
      operations.setErrorHandler(sendAuthError)
      for (const operation of authOperations) registerOperation(operations, app, auth, operation)
      registerRedirects(operations, app, auth)
      registerOauth(operations, app, auth, { toRequest, send })
      // Default deny: better-auth's other endpoints are off, as are those that a later version adds.
      const options = { config: { access: 'optional' as const }, bodyLimit: BODY_BYTES_MAX, schema: { hide: true } }
      operations.all('/api/auth/*', options, async (request, reply) =>
        sendRefusal({ status: 404, error: unknownAuthPath() }, request, reply),
      )
    })
  })
}

function registerOperation(scope: FastifyInstance, app: App, auth: Auth, operation: AuthOperation): void {
  const { method, path, limit, response } = operation
  scope.route({
    method: method === 'get' ? 'GET' : 'POST',
    url: path,
    config: {
      access: 'optional',
      limit,
      impersonation: operation.session === 'none' || operation.isAllowedWhileImpersonating ? 'read' : 'none',
      ...(method === 'post' && { unrepeatable: 'sign-in and its keys are not repeated by it' }),
      ...(path.startsWith('/api/auth/admin/') && !operation.isAllowedWhileImpersonating && { isAdministration: true }),
    },
    bodyLimit: BODY_BYTES_MAX,
    schema: { hide: true },
    handler: async (request, reply) => {
      const outcome = await call(app, auth, operation, request, reply)
      if ('error' in outcome) return sendRefusal(outcome, request, reply)
      return reply.type('application/json').serializer(JSON.stringify).send(documentedFields(response, outcome.result))
    },
  })
}

type Refused = { status: number; error: AuthError }
type Outcome = { result: unknown } | Refused

/** Calls an operation of better-auth, unless its schema or its policy refuses the request. */
async function call(
  app: App,
  auth: Auth,
  operation: AuthOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Outcome> {
  const { operationId, path, isSameOriginOnly } = operation
  const site = siteOf(app, request)
  const search = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
  const { headers, caller } = request
  const valid = validateAuthRequest(operation, {
    contentType: headers['content-type'],
    body: rawBodyOf(request),
    search,
  })
  if ('error' in valid) return valid
  const fetchSite = headers['sec-fetch-site'] ?? 'same-origin'
  if (isSameOriginOnly && fetchSite !== 'same-origin') return refused(403, 'INVALID_ORIGIN', site)

  const { body, query } = valid
  const limits = operationId === 'createApiKey' && body ? takeKeyLimits(body) : null
  const refusal = await refusalOf(app, auth, { operation, headers, caller, body: body ?? {}, query })
  if (refusal) return { status: refusal.status, error: authError(refusal.code) }
  const change = operationId === 'updateApiKey' && body ? takeKeyChange(body) : null
  if (change && body) {
    const name = await nameOfKey(app, userOf(request).userId, change.id)
    if (name === null) return { status: 404, error: authError('KEY_NOT_FOUND') }
    // better-auth refuses a change of nothing, and its response is wanted.
    body.name ??= name
  }

  // The route's path and not the one that was sent: better-auth serves the operation that was validated.
  const url = new URL(path, site.publicUrl)
  url.search = query.toString()
  const bytes = body ? Buffer.from(JSON.stringify(body)) : Buffer.alloc(0)
  const response = await withMinimum(operation, auth.handler(toRequest(app, request, url, bytes)))
  const error = await errorOf(app, operation, response, site)
  const isRedirect = response.status >= 300 && response.status < 400
  if (!isRedirect) send(reply, response)
  if (error) return error
  let result: unknown = await response.json()
  if (limits) await storeKeyLimits(app, result as ShownKey, limits)
  // Last, because better-auth refuses what comes from another site.
  if (change) result = await applyKeyChange(app, result as ShownKey, change)
  return { result: operation.showsKeys ? await withKeyStates(app, result as ShownKey) : result }
}

/** better-auth's response, after the least time of the operation. */
async function withMinimum({ minimumMs }: AuthOperation, pending: Promise<Response>): Promise<Response> {
  const [response] = await Promise.all([pending, minimumMs === undefined ? null : sleep(minimumMs)])
  return response
}

const siteOf = ({ config: { publicUrl, corsOrigins } }: App, { headers: { origin } }: FastifyRequest): Site => ({
  publicUrl,
  corsOrigins,
  origin,
})

const refused = (status: number, code: string, site: Site): Refused => ({
  status,
  error: toAuthError(status, JSON.stringify({ code }), site),
})

/** better-auth's refusal; null: a success. @throws AppError UNAVAILABLE, or the error of an unexpected failure */
async function errorOf(
  { log }: App,
  operation: AuthOperation,
  response: Response,
  site: Site,
): Promise<Refused | null> {
  const { status, headers } = response
  if (status >= 500) {
    const text = await response.text()
    if (operation.operationId === 'signUp' && text.includes(CAPTCHA_UNAVAILABLE)) {
      log.error({ response: text }, 'a CAPTCHA could not be verified')
      throw new AppError('UNAVAILABLE', 'The CAPTCHA cannot be checked at the moment; try again shortly.', {
        retryAfterS: 10,
      })
    }
    throw new Error(`better-auth failed with ${status}: ${text}`)
  }
  // The error of an operation that better-auth means for navigations.
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null) {
    return refused(400, URL.parse(location, site.publicUrl)?.searchParams.get('error') ?? 'BAD_REQUEST', site)
  }
  if (status < 400) return null
  const text = await response.text()
  const error = toAuthError(status, text, site)
  const isNotStored = NOT_STORED.some((code) => text.includes(`"${code}"`))
  if (isNotStored) {
    throw new AppError('UNAVAILABLE', 'This cannot be stored at the moment; try again shortly.', { retryAfterS: 1 })
  }
  return { status, error }
}

/** better-auth's 4xx for a statement that failed, which it logged: the database, or the user's node, is away. */
const NOT_STORED = ['FAILED_TO_CREATE_USER', 'FAILED_TO_CREATE_SESSION']

const VALUE_CHARACTERS_MAX = 4096
/** Parameters of an authorization response (RFC 6749, RFC 9207). */
const authorizationParameters = ['code', 'state', 'error', 'error_description', 'iss']

/**
 * The address at which a browser arrives from elsewhere, with a sign-in under way: better-auth serves it and redirects.
 * Invariant: no redirect leaves this service (open redirect).
 */
function registerRedirects(scope: FastifyInstance, app: App, auth: Auth): void {
  const { publicUrl, signIn } = app.config
  scope.get<{ Params: { id: string } }>(
    '/api/auth/callback/:id',
    { config: { access: 'optional' }, schema: { hide: true } },
    async (request, reply) => {
      const { id } = request.params
      if (!signIn.providers.some((provider) => provider.id === id)) {
        return sendRefusal({ status: 404, error: unknownAuthPath() }, request, reply)
      }
      const sent = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
      const url = new URL(`/api/auth/callback/${id}`, publicUrl)
      for (const name of authorizationParameters) {
        const value = sent.get(name)
        if (value !== null && value.length <= VALUE_CHARACTERS_MAX) url.searchParams.set(name, value)
      }
      const response = await auth.handler(toRequest(app, request, url, Buffer.alloc(0)))
      const location = URL.parse(response.headers.get('location') ?? '', publicUrl)
      send(reply, response)
      if (location?.origin !== new URL(publicUrl).origin) {
        return reply.redirect(`${errorUrl(app.config)}?error=failed`, 302)
      }
      return reply.redirect(location.href, 302)
    },
  )
}

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
  // better-auth requires an Origin with any cookie at all; a program that has signed out has no other cookie.
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

type Schema = {
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/**
 * Reduces a successful response to what is documented: a field that a later version of better-auth adds is not sent
 * before it is in openapi.json. What is neither object nor array stays as it is.
 */
function documentedFields(schema: unknown, value: unknown): unknown {
  const { anyOf, items, properties } = schema as Schema
  if (value === null || typeof value !== 'object') return value
  // The unions of these responses are an object or null.
  if (anyOf) return documentedFields(anyOf.find((each) => each.properties) ?? {}, value)
  if (Array.isArray(value)) return items ? value.map((each) => documentedFields(items, each)) : value
  if (!properties) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      return field ? [[name, documentedFields(field, each)]] : []
    }),
  )
}

const sendRefusal = ({ status, error }: Refused, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(wellFormedJson)
    .send(authErrorBody(error, request.id))

function sendAuthError(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(cause, request)
  const { code, message } = error
  sendError(error, cause, request, reply, { code, message })
}
