/**
 * The HTTP server: what every request meets, whatever its address. In this order: an id, who it is from, how often, is it
 * well formed, then the route, and at the end the envelope.
 */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Auth } from '../account/auth.ts'
import { administrator, type Caller, openCredentials, signedIn } from '../account/credential.ts'
import type { App } from '../app.ts'
import { newId } from '../id.ts'
import { openBilling } from '../payment/billing.ts'
import { registerAdmin } from './admin.ts'
import { registerAdminPayments } from './admin-payments.ts'
import { registerAdminUsers } from './admin-users.ts'
import { registerAdminVideos } from './admin-videos.ts'
import { registerAuth } from './auth.ts'
import { registerBilling } from './billing.ts'
import { registerCallback } from './callback.ts'
import { registerCatalogue } from './catalogue.ts'
import { registerCredit } from './credit.ts'
import { refuseOtherPages } from './csrf.ts'
import { registerDocs } from './docs.ts'
import { answerUnreadableAddress, registerErrors } from './envelope.ts'
import { registerEvents } from './events.ts'
import { registerFiles } from './files.ts'
import { registerHealth } from './health.ts'
import { registerImage } from './image.ts'
import { registerOpenApi } from './openapi.ts'
import { registerLimits } from './rate-limits.ts'
import { arrivalTimes, limitArrival, refuseConnection } from './request-timeouts.ts'
import { headersFor } from './security-headers.ts'
import { registerStudio } from './studio.ts'
import { registerVideo } from './video.ts'
import { registerWebhook } from './webhook.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** Who may call: anybody when left out. */
    access?: 'user' | 'admin'
    /** Which allowance a request draws on; see limits.ts. */
    limit?: 'generate' | 'image' | 'sign-in' | 'none'
  }
}

const BODY_BYTES_MAX = 1024 * 1024
const DRAIN_MS = 8_000

export type Http = FastifyInstance

/** Builds the server with all its routes; it does not listen yet. */
export async function openHttp(app: App, auth: Auth, times = arrivalTimes): Promise<Http> {
  const http = Fastify({
    // A line per request would be most of the log; what went wrong is logged where it went wrong.
    loggerInstance: app.log.child({}, { level: quieter(app.log.level) }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: app.config.proxies === 0 ? false : (_address, hop) => hop < app.config.proxies,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']) ?? newId(app.now()),
    // The outer net; limitArrival holds all but uploads to less. Headers have a minute, Node's own measure.
    requestTimeout: Math.max(times.requestMs, times.uploadMs),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: answerUnreadableAddress,
    clientErrorHandler: refuseConnection,
  })

  limitArrival(http, times)
  // Fastify would read a text as a body too; here everything but JSON is 415.
  http.removeContentTypeParser('text/plain')
  // Bodies are taken as they are or refused; a query is text and has to be read as numbers.
  const body = addFormats.default(new Ajv({ allErrors: true, useDefaults: true, strict: false }))
  const query = addFormats.default(new Ajv({ coerceTypes: true, useDefaults: true, strict: false }))
  http.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? body : query).compile(schema as object))

  const showPage = await registerStudio(http, app)
  registerErrors(http, showPage)
  http.decorateRequest('caller', null)
  const whoIs = openCredentials(app)
  const headers = headersFor(app.config)
  http.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
    const { access } = request.routeOptions.config
    if (!access) return
    refuseOtherPages(request, app.config)
    request.caller = await whoIs(request.headers)
    if (access === 'admin') administrator(request.caller)
    else signedIn(request.caller)
  })
  await registerLimits(http, app)
  await registerOpenApi(http, app)
  registerDocs(http)

  registerVideo(http, app)
  await registerImage(http, app)
  registerEvents(http, app, whoIs)
  registerCatalogue(http)
  registerCredit(http, app)
  registerAdmin(http, app)
  registerAdminUsers(http, app)
  registerAdminVideos(http, app)
  registerAdminPayments(http, app)
  const billing = openBilling(app)
  http.addHook('onClose', billing.close)
  registerBilling(http, app, billing)
  registerWebhook(http, app, billing)
  registerCallback(http, app)
  registerAuth(http, app, auth)
  registerFiles(http, {
    storage: app.storage,
    publicUrl: app.config.publicUrl,
    authSecret: app.config.authSecret,
  })
  await registerHealth(http, app)
  return http
}

/** Stops taking requests, lets those in hand finish, and closes what stays open after `DRAIN_MS`. */
export async function closeHttp(http: Http): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), DRAIN_MS)
  await http.close()
  clearTimeout(timer)
}

/** Fastify tells at `info` which addresses it listens on; main.ts says it once, in words. */
const quieter = (level: string): string => (level === 'info' ? 'warn' : level)

/** A caller's own id is kept when it can do no harm in a log. */
function requestIdOf(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : null
}
