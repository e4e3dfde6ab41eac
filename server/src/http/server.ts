/**
 * The HTTP server: the steps that every request passes, in this order: request id, CSRF check and authentication, rate
 * limit, validation, route handler, envelope.
 */
import net from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import type { Auth } from '../account/auth.ts'
import {
  administrator,
  type Caller,
  type Credentials,
  openCredentials,
  requireFactorOfAdmin,
  signedIn,
} from '../account/credential/credential.ts'
import { auditImpersonation, type ImpersonationUse, permitImpersonation } from '../account/impersonation.ts'
import { refuseTestKey, refuseToken, requireScope, roleNeeded, type Scope } from '../account/key/scope.ts'
import { aboutTheUser, type RoleNeeded, requireRole } from '../account/team/role.ts'
import type { App } from '../app.ts'
import { isDatabaseUnavailable } from '../db/outage.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { openBilling } from '../payment/billing.ts'
import { openShownFiles } from '../video/film-files.ts'
import { fileLink } from '../video/library.ts'
import { registerAccount } from './account.ts'
import { registerAdminAudit } from './admin/audit.ts'
import { registerAdminCatalogue } from './admin/catalogue.ts'
import { registerCodes } from './admin/codes.ts'
import { registerAdminCosts } from './admin/costs.ts'
import { registerAdminCredits } from './admin/credits.ts'
import { registerAdminDesk } from './admin/desk.ts'
import { registerAdminExplore } from './admin/explore.ts'
import { registerIncidents } from './admin/incidents.ts'
import { registerInvitations } from './admin/invitations.ts'
import { registerAdmin } from './admin/ledger.ts'
import { registerAdminMails } from './admin/mails.ts'
import { registerAdminModels } from './admin/models.ts'
import { registerAdminModeration } from './admin/moderation.ts'
import { registerAdminOverview } from './admin/overview.ts'
import { registerAdminPayments } from './admin/payments.ts'
import { registerAdminSearch } from './admin/search.ts'
import { registerAdminSetup } from './admin/setup.ts'
import { registerAdminTakedowns } from './admin/takedowns.ts'
import { registerAdminTeams } from './admin/teams.ts'
import { registerAdminUsers } from './admin/users.ts'
import { registerAdminVideos } from './admin/videos.ts'
import { registerAssets } from './assets.ts'
import { registerBilling } from './billing.ts'
import { registerCallback } from './callback.ts'
import { registerCatalogue } from './catalogue.ts'
import { registerConsent } from './consent.ts'
import { registerCredit, registerGift, registerRedeem, registerUsage } from './credit.ts'
import { registerDocs } from './docs/docs.ts'
import { registerEvents } from './events.ts'
import { registerExplore } from './explore.ts'
import { registerFiles } from './files.ts'
import { registerKey } from './key.ts'
import { registerLibrary } from './library.ts'
import { registerNotices } from './notices.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import { registerHealth } from './operations/health.ts'
import { registerPaymentWebhooks } from './payment-webhook.ts'
import { registerProject } from './project.ts'
import { registerProjectShots } from './project-shots.ts'
import { registerProvenance } from './provenance.ts'
import { registerCors } from './request/cors.ts'
import { rejectCrossSiteRequest } from './request/csrf.ts'
import { type Deprecation, registerDeprecation } from './request/deprecation.ts'
import { registerErrors, sendInvalidUrl } from './request/error-responses.ts'
import { registerIdempotency } from './request/idempotency.ts'
import { forgetAccepted, limitRequest, limitUnauthenticated, type RouteLimit } from './request/rate-limits.ts'
import { acceptEmptyJson, BODY_BYTES_MAX, drainTooLargeBodies, refuseUnknownFields } from './request/request-body.ts'
import { openRequestLog } from './request/request-log.ts'
import {
  closeConnection,
  defaultTimeouts,
  type RequestTimeouts,
  registerRequestTimeouts,
} from './request/request-timeouts.ts'
import { registerRequestTrace } from './request/request-trace.ts'
import { together } from './request/routes.ts'
import { defaultHeaders, securityHeaders } from './request/security-headers.ts'
import { buildSerializer, compileValidator } from './request/validator.ts'
import { registerShare } from './share.ts'
import { registerAuth } from './sign-in/auth.ts'
import { registerSignInOptions } from './sign-in/sign-in-options.ts'
import { registerStudio, type SendStudioPage } from './studio.ts'
import { registerTakedown } from './takedown.ts'
import { registerTeam } from './team.ts'
import { registerTeamGiven } from './team-given.ts'
import { registerTeamInvitations } from './team-invitations.ts'
import { registerTeamKeys } from './team-keys.ts'
import { registerTeamLog } from './team-log.ts'
import { registerUploads } from './uploads.ts'
import { registerVideo } from './video.ts'
import { registerWebhookDeliveries } from './webhook-deliveries.ts'
import { registerWebhookEndpoints } from './webhook-endpoints.ts'
import { registerWriter } from './writer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** Who may call; public when left out. `optional`: public, but a valid credential counts for rate limits. */
    access?: 'user' | 'admin' | 'optional'
    /** What an API key needs for it; `account` when left out. `any`: the route checks it itself, or any key will do. */
    scope?: Scope | 'any'
    /** The role that a request for a team needs; absent: scope read: viewer, generate: maker, all others: none. */
    team?: RoleNeeded
    /** Whether a browser token may call it; default deny. What it reaches there is its subject's (video/made-by.ts). */
    token?: true
    /** Whether a test key may call it; absent: where the scope is read or generate (account/key/scope.ts). */
    test?: boolean
    /** What it is to an administrator who acts for the user; absent: a GET is a read, all else refused. */
    impersonation?: ImpersonationUse
    /** better-auth checks the role of an administrator for it. */
    isAdministration?: true
    /** Whether its address may name the team (`linkedTeam`): the response is a file, which is fetched by a link. */
    isDownload?: true
    /** It knows something while the database does not answer; absent: 503. */
    outage?: 'answers'
    /** The API for which OAuth tokens count here. */
    audience?: 'mcp'
    /** Reads what an earlier request has made: the route takes an Idempotency-Key; see idempotency.ts. */
    replay?: (request: FastifyRequest, id: string) => Promise<unknown>
    /** Why a POST takes none, where a repetition makes a second thing. */
    unrepeatable?: string
    /** Which rate limit applies; see rate-limits.ts. */
    limit?: RouteLimit
    /** `raw`: the route reads the bytes of the body itself; see request-body.ts. */
    body?: 'raw'
    /** The notice of a route that will end. */
    deprecated?: Deprecation
  }
}

const DRAIN_MS = 8_000
const HAND_OVER_MS = 1_000

export type Http = FastifyInstance

/** Registers the APIs in the formats of other services. */
export type RegisterFormats = (http: Http, app: App, credentials: Credentials) => Promise<void>
type HttpOptions = { timeouts?: RequestTimeouts; registerFormats?: RegisterFormats }

/** Builds the server with all its routes, without listening. */
export async function openHttp(
  app: App,
  auth: Auth,
  { timeouts = defaultTimeouts, registerFormats = async () => {} }: HttpOptions = {},
): Promise<Http> {
  const http = Fastify({
    // No line per request: it would be most of the log. Errors are logged where they occur.
    loggerInstance: app.log.child({}, { level: withoutInfo(app.log.level) }) as FastifyBaseLogger,
    childLoggerFactory: openRequestLog,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: app.config.trustedProxies === 0 ? false : (_address, hop) => hop < app.config.trustedProxies,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']) ?? newId(app.now()),
    // Upper bound for uploads; registerRequestTimeouts limits other requests to less. Headers have Node's default of a
    // minute.
    requestTimeout: Math.max(timeouts.requestMs, timeouts.uploadMs),
    forceCloseConnections: 'idle',
    // Fastify's own 503 has neither the envelope nor Retry-After; refuseWhileClosing responds.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    schemaController: { compilersFactory: { buildSerializer } },
    frameworkErrors: sendInvalidUrl,
    clientErrorHandler: closeConnection,
  })

  registerRequestTimeouts(http, timeouts)
  // Fastify also parses text/plain by default; here every content type but JSON is 415.
  http.removeContentTypeParser('text/plain')
  acceptEmptyJson(http)
  http.setValidatorCompiler(compileValidator)

  const { serveStudioPage, sendStudioPage } = await registerStudio(http, app)
  const methods = registerErrors(http, serveStudioPage)
  http.decorateRequest('caller', null)
  registerRequestTrace(http, app.tracing)
  // Before what may refuse a request: a page can read why.
  await registerCors(http, app.config)
  refuseWhileClosing(http)
  const credentials = openCredentials(app)
  http.addHook('onClose', credentials.close)
  registerAdmission(http, app, credentials)
  http.addHook('onRoute', (route) => {
    if (route.config?.limit !== 'webhook' && route.config?.limit !== 'redeem') return
    route.onResponse = (request, reply, done) => {
      forgetAccepted(app, request, reply.statusCode)
      done()
    }
  })
  if (app.config.accessLog) logRequests(http, app)
  refuseUnknownFields(http)
  registerIdempotency(http, app)
  registerDeprecation(http)
  drainTooLargeBodies(http)
  const readDocuments = await registerOpenApi(http, app)
  registerDocs(http, app, readDocuments)

  await registerRoutes(http, app, { auth, credentials, sendStudioPage, registerFormats })
  await registerHealth(http, app)
  // The routes of plugins are registered when these are loaded.
  await http.after()
  methods.refuseOthers()
  return http
}

/**
 * A line for each request, without credentials: the path has no query, which may have a signature, and no sealed token,
 * also at another method, such as that of a preflight.
 */
function logRequests(http: Http, { log }: App): void {
  http.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { id: reqId, method, ip } = request
    const { url: route = '' } = request.routeOptions
    const path = route.includes('/:token') ? route : request.url.split('?', 1)[0]?.replace(/[\w-]{80,}/g, ':token')
    const userId = request.caller?.userId ?? null
    log.info({ reqId, method, path, status: statusCode, ms: Math.round(elapsedTime), ip, userId }, 'request')
    done()
  })
}

/** A request on an open connection during the drain belongs to another process, by a new connection. */
function refuseWhileClosing(http: Http): void {
  let isClosing = false
  http.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  http.addHook('onRequest', ({ id }, reply, done) => {
    if (!isClosing) return done()
    reply.headers({ ...defaultHeaders, 'x-request-id': id, connection: 'close' })
    done(new AppError('UNAVAILABLE', 'This process is stopping; send the request again.', { retryAfterS: 1 }))
  })
}

/**
 * A path that URL parsing or a proxy would normalize to another one, so that two parties may read it as two routes:
 * another first character than `/`, an empty or dot segment, a backslash, a fragment, an escape of what needs none (RFC
 * 3986, 6.2.2), of a separator or of a control character.
 */
const OTHER_FORM =
  /^(?!\/)|^[^?]*?(?:\/\/|\/\.{1,2}(?:[/?]|$)|[\\#]|%(?:[01][\dA-F]|2[D-F]|3\d|[46][1-9A-F]|[57][\dA]|5[CF]|7[EF]))/i

const notNormal = () =>
  new AppError(
    'INVALID_REQUEST',
    'The path is not in its normal form; send it without empty and dot segments and without escapes of plain characters.',
  )

/**
 * The steps of a request before its body is read: headers, CSRF check, authentication, rate limit, the team that it is
 * for, permission. Limits count a person's requests, whichever teams they are for.
 */
function registerAdmission(http: Http, app: App, credentials: Credentials): void {
  const headers = { ...securityHeaders(app.config), 'server-version': manifest.version }
  /** Synchronous for a cached credential with counters in memory: a request that waits for nothing makes no promise. */
  const admit = (request: FastifyRequest, reply: FastifyReply): Promise<void> | void => {
    reply.headers(headers).header('x-request-id', request.id)
    if (OTHER_FORM.test(request.url)) throw notNormal()
    // Read once: Fastify makes the object at each access.
    const { config } = request.routeOptions
    const { access } = config
    if (access && access !== 'optional') rejectCrossSiteRequest(request, app.config)
    const caller = access ? credentials.authenticate(request) : null
    if (caller instanceof Promise) {
      const found = config.outage === 'answers' ? caller.catch((error) => known(request, error)) : caller
      return found.then((found) => count(request, reply, config, found))
    }
    return count(request, reply, config, caller)
  }
  const known = (request: FastifyRequest, error: { code?: string }): Caller => {
    const caller = isDatabaseUnavailable(error) ? credentials.lastAdministrator(request) : null
    if (!caller) throw error
    return caller
  }
  const count = (
    request: FastifyRequest,
    reply: FastifyReply,
    config: FastifyContextConfig,
    found: Caller | null,
  ): Promise<void> | void => {
    // A token of OAuth counts at the API that it was made for, and nowhere else.
    const audience = found?.key?.audience
    const caller = audience === undefined || audience === config.audience ? found : null
    request.caller = caller
    const isCounted = limitRequest(app, request, reply, config)
    return isCounted ? isCounted.then(() => enter(request, config)) : enter(request, config)
  }
  const enter = (request: FastifyRequest, config: FastifyContextConfig): Promise<void> | void => {
    const { caller, headers, method } = request
    if (caller?.impersonation) permitImpersonation(caller.impersonation, { method, use: config.impersonation })
    if (config.access === 'admin' || config.isAdministration) requireFactorOfAdmin(app, caller)
    if (!caller) return permit(config, null, headers)
    if (config.access === 'optional' && headers['x-team'] !== undefined) throw aboutTheUser()
    const acting = credentials.actFor(caller, config.isDownload ? withLinkedTeam(request) : headers)
    const go = (found: Caller) => {
      request.caller = found
      permit(config, found, headers)
    }
    return acting instanceof Promise ? acting.then(go) : go(acting)
  }
  http.addHook('preHandler', async (request) => {
    const { caller, method, id: requestId, params, routeOptions } = request
    if (!caller?.impersonation) return
    const { actorId, userId, impersonation } = caller
    const { uuid, id } = (params ?? {}) as { uuid?: string; id?: string }
    const target = { userId: actorId, teamId: userId === actorId ? null : userId, subject: uuid ?? id }
    const route = { method, use: routeOptions.config.impersonation, path: routeOptions.url ?? '' }
    await auditImpersonation(app, { ...route, ...target, requestId, impersonation })
  })
  http.addHook('onRequest', (request, reply, done) => {
    let pending: Promise<void> | void
    try {
      pending = admit(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (pending) pending.then(() => done(), done)
    else done()
  })
}

/** The headers of a request, with the team that the address of a download names: a link has no headers. */
const withLinkedTeam = ({ headers, query }: FastifyRequest): FastifyRequest['headers'] => {
  const { team } = query as { team?: string }
  return team === undefined || headers['x-team'] !== undefined ? headers : { ...headers, 'x-team': team }
}

type Registered = {
  auth: Auth
  credentials: Credentials
  sendStudioPage: SendStudioPage
  registerFormats: RegisterFormats
}

async function registerRoutes(http: Http, app: App, given: Registered): Promise<void> {
  const { auth, credentials, sendStudioPage, registerFormats } = given
  registerVideo(http, app)
  registerLibrary(http, app)
  registerProject(http, app)
  registerProjectShots(http, app)
  registerWriter(http, app)
  registerShare(http, app, sendStudioPage)
  registerProvenance(http, app)
  registerExplore(http, app)
  registerTakedown(http, app)
  await registerUploads(http, app)
  registerAssets(http, app)
  registerEvents(http, app, credentials)
  registerCatalogue(http, app)
  registerSignInOptions(http, app)
  registerCredit(http, app)
  registerGift(http, app)
  registerRedeem(http, app)
  registerUsage(http, app)
  registerAdministration(http, { app, auth })
  await registerFormats(http, app, credentials)
  const billing = openBilling(app)
  http.addHook('onClose', billing.close)
  registerBilling(http, { app, billing })
  registerPaymentWebhooks(http, app)
  registerWebhookEndpoints(http, app)
  registerWebhookDeliveries(http, app)
  registerCallback(http, app)
  registerAccount(http, { app, auth })
  registerConsent(http, app)
  registerNotices(http, app)
  registerKey(http, app)
  registerTeam(http, { app, auth })
  registerTeamInvitations(http, { app, auth })
  registerTeamKeys(http, { app, auth })
  registerTeamGiven(http, { app, auth })
  registerTeamLog(http, app)
  registerAuth(http, app, auth)
  registerFiles(http, {
    storage: app.storage,
    config: app.config,
    now: () => app.now(),
    authSecret: app.config.authSecret,
    shownFile: openShownFiles(app),
    linkTo: (key) => fileLink(app, key),
    onForged: (request, reply) => limitUnauthenticated(app, request, reply),
  })
}

function registerAdministration(http: Http, { app, auth }: { app: App; auth: Auth }): void {
  registerAdmin(http, app)
  registerAdminCosts(http, app)
  registerAdminCredits(http, app)
  registerAdminAudit(http, app)
  registerAdminUsers(http, { app, auth })
  registerAdminTeams(http, app)
  registerAdminDesk(http, { app, auth })
  registerAdminVideos(http, app)
  registerAdminSearch(http, app)
  registerAdminOverview(http, app)
  registerAdminPayments(http, app)
  registerAdminMails(http, app)
  registerAdminExplore(http, app)
  registerAdminTakedowns(http, app)
  registerIncidents(http, app)
  together(registerAdminModels, registerAdminCatalogue, registerAdminSetup)(http, app)
  registerInvitations(http, app)
  registerCodes(http, app)
  registerAdminModeration(http, app)
}

/**
 * Graceful shutdown. The port is closed first, and for `handOverMs` requests on open connections are served with
 * `Connection: close`: a proxy learns that way to use another process. Closing an idle connection at once would break
 * the request that it has just sent there, which it may not repeat. Then drains what is in flight; the limit of all is
 * `DRAIN_MS`.
 */
export async function closeHttp(http: Http, handOverMs = HAND_OVER_MS): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), DRAIN_MS)
  await handOver(http, handOverMs)
  await http.close()
  clearTimeout(timer)
}

async function handOver({ server }: Http, limitMs: number): Promise<void> {
  if (limitMs === 0) return
  const ended = Promise.withResolvers<void>()
  const timer = setTimeout(ended.resolve, limitMs)
  // Not maxRequestsPerSocket, which sends the header and leaves the connection open.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  // That of an HTTP server closes idle connections too.
  net.Server.prototype.close.call(server, () => ended.resolve())
  await ended.promise
  clearTimeout(timer)
}

function permit(
  { access, scope = 'account', team, token, test }: FastifyContextConfig,
  caller: Caller | null,
  headers: FastifyRequest['headers'],
): void {
  if (access !== 'admin' && access !== 'user') return
  if (caller?.team) requireRole(caller.team.role, access === 'admin' ? 'none' : (team ?? roleNeeded(scope)))
  const permitted = access === 'admin' ? administrator(caller, headers) : signedIn(caller, headers)
  if (scope !== 'any') requireScope(permitted, scope)
  if (!token) refuseToken(permitted)
  if (!(test ?? (scope === 'read' || scope === 'generate'))) refuseTestKey(permitted)
}

/** Fastify logs its listening addresses at `info`; main.ts logs the address itself. */
const withoutInfo = (level: string): string => (level === 'info' ? 'warn' : level)

/** Returns the caller's request id when it is safe to log: no log injection, at most 64 characters. */
function requestIdOf(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : null
}
