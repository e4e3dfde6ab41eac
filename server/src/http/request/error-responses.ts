/** Error responses: maps every thrown error to the error envelope and its status. */
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CLOCK_AHEAD } from '../../db/clock.ts'
import { isDatabaseUnavailable } from '../../db/outage.ts'
import { AppError, type ErrorCode, statusOf } from '../../errors.ts'
import { newId } from '../../id.ts'
import { wellFormedJson } from '../../text/json-reader.ts'
import { nearest } from '../../text/nearest.ts'
import { NOT_BLANK, statusName } from './envelope.ts'
import { idsOf } from './request-trace.ts'
import { defaultHeaders } from './security-headers.ts'
import { whereToLook } from './where-to-look.ts'

/** @param serveStudioPage sends the studio's page when a browser navigates to an unknown path, else returns null */
export function registerErrors(
  http: FastifyInstance,
  serveStudioPage: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null,
): Methods {
  const methods = openMethods(http)
  http.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(toAppError(error, request), error, request, reply),
  )
  http.setNotFoundHandler((request, reply) => {
    const page = serveStudioPage(request, reply)
    if (page) return page
    const { origin } = request.headers
    if (request.method === 'OPTIONS' && origin && request.headers['access-control-request-method']) {
      const error = new AppError(
        'FORBIDDEN',
        `Pages of ${origin.slice(0, 200)} may not call this service: ${ALLOW_PAGES}`,
      )
      return sendError(error, error, request, reply)
    }
    const allowed = methods.at(request.url.split('?')[0] ?? '')
    const where = whereToLook(request.url, methods.known())
    const error =
      allowed.length > 0
        ? new AppError(
            'METHOD_NOT_ALLOWED',
            `This address answers ${allowed.join(' and ')}, not ${request.method}${where ? `; ${where}` : ''}.`,
          )
        : notFound(request.url, methods.known())
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    sendError(error, error, request, reply)
  })
  return methods
}

const ALLOW_PAGES = 'its operator allows them by the setting CORS_ORIGINS.'

/** @param known paths of which a misspelt one may mean one */
export function notFound(url: string, known: Iterable<string> = []): AppError {
  const where = whereToLook(url, known)
  return new AppError(
    'NOT_FOUND',
    `There is nothing at this address; ${where ? `${where}; ` : ''}GET /docs says what there is.`,
  )
}

/** @param beside what a client of another library reads at the top of the body */
export function sendError(
  error: AppError,
  cause: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  beside: object = {},
): void {
  const status = statusOf[error.code]
  // What this service refuses itself is no bug, and needs no stack. A health check logs its own reason.
  const isRefusal = cause === error && status === 503
  if (isRefusal && request.routeOptions.config?.limit !== 'none') request.log.warn(idsOf(request), error.message)
  if (status >= 500 && !isRefusal) request.log.error({ err: cause, ...idsOf(request) }, error.message)
  if (error.retryAfterS) reply.header('retry-after', String(error.retryAfterS))
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    // A message may name a part of the request.
    .serializer(wellFormedJson)
    .send({
      success: false,
      data: {},
      error: {
        code: error.code,
        message: error.message,
        ...(error.details === undefined ? {} : { details: error.details }),
        requestId: request.id,
      },
      ...beside,
    })
}

/** Fastify's `frameworkErrors`: a URL that cannot be parsed. No hook runs for it, so the headers are set here. */
export function sendInvalidUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...defaultHeaders, 'x-request-id': request.id })
  const message = 'The address cannot be read; check its % signs and its length.'
  sendError(new AppError('INVALID_REQUEST', message), error, request, reply)
}

/**
 * Node's `clientError`: bytes that are not HTTP (400), headers that are too long (431), a request timeout (408).
 * Fastify has no request and no reply then, so the response is written to the socket.
 */
export function sendMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  const requestId = newId(new Date())
  const message =
    status === 408
      ? 'The request did not arrive in time; send it again, or over a faster line.'
      : 'This is not a request that can be read; check its first line, its headers and their length.'
  const body = JSON.stringify({ success: false, data: {}, error: { code: 'INVALID_REQUEST', message, requestId } })
  socket.end(
    `HTTP/1.1 ${status} ${statusName(status)}\r\n` +
      'content-type: application/json; charset=utf-8\r\nconnection: close\r\n' +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Maps a thrown error to the caller's. An unexpected error is a bug: its message is logged, never sent. */
export function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (error.validationContext === 'body' && request.body === undefined) {
    const details = [{ path: 'body', message: 'is missing' }]
    return new AppError('INVALID_REQUEST', 'This operation needs a body: send a JSON object.', { details })
  }
  if (error.validation) return notValid(error)
  // The body of a client that has gone has the code of a lost connection too, and a status.
  if (error.statusCode === undefined && isDatabaseUnavailable(error)) {
    return new AppError('UNAVAILABLE', 'The database does not answer at the moment; try again shortly.', {
      retryAfterS: 2,
    })
  }
  if (error.code === LOCK_NOT_AVAILABLE && request.headers['idempotency-key']) {
    return new AppError('CONFLICT', 'A request with this Idempotency-Key is still running; send it again shortly.', {
      retryAfterS: 1,
    })
  }
  if (error.code === LOCK_NOT_AVAILABLE) {
    return new AppError('UNAVAILABLE', 'Another request of this account takes long; try again shortly.', {
      retryAfterS: 1,
    })
  }
  if (error.code === CLOCK_AHEAD) {
    return new AppError(
      'UNAVAILABLE',
      'The clock of this server is wrong, so nothing was changed; try again shortly.',
      {
        retryAfterS: 30,
      },
    )
  }
  if (NULL_CHARACTER.includes(error.code ?? '')) {
    return new AppError('INVALID_REQUEST', 'The request has a null character (U+0000) in a text; leave it out.')
  }
  const known = fastifyErrors[error.statusCode ?? 500]
  return known ? new AppError(known[0], known[1]) : new AppError('INTERNAL', 'Something went wrong on our side.')
}

/** Names each field that a schema refuses. */
function notValid({ validation = [], validationContext: context }: FastifyError): AppError {
  const part = context === 'querystring' ? 'query' : (context ?? 'request')
  const details = problemsOf(validation).map(({ instancePath, params, keyword, message, parentSchema }) => {
    const field = params.missingProperty ?? params.additionalProperty
    const path = [instancePath.slice(1).replaceAll('/', '.'), field].filter(Boolean).join('.')
    const { allowedValues, allowedValue } = params
    const allowed = keyword === 'const' ? [allowedValue] : Array.isArray(allowedValues) ? allowedValues : null
    const isBlank = params.pattern === NOT_BLANK
    const unknown = keyword === 'additionalProperties' ? unknownField(String(field), parentSchema) : undefined
    const known = unknown ?? (allowed ? oneOf(allowed) : isBlank ? 'must not be blank' : validationMessages[keyword])
    return { path: path || part, message: known ?? message ?? 'is not valid' }
  })
  // A field that is misspelt is missing too.
  const first = details.find(({ message }) => message.includes('did you mean')) ?? details[0]
  return new AppError('INVALID_REQUEST', `The ${part} is not valid: ${first?.path} ${first?.message}.`, { details })
}

/** What Ajv reports with `verbose` (validator.ts). `parentSchema`: of the object. */
type Problem = NonNullable<FastifyError['validation']>[number] & { parentSchema?: { properties?: object } }

function unknownField(field: string, { properties = {} }: Problem['parentSchema'] = {}): string {
  const names = Object.keys(properties)
  const written = inLowerCase(field)
  const byOthers = namesOfOthers.get(written)?.find((name) => names.includes(name))
  const near = nearest(written, names.map(inLowerCase), CHARACTERS_PER_MISTAKE)
  const meant = byOthers ?? names.find((name) => inLowerCase(name) === near)
  return `is not a known field${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}

const CHARACTERS_PER_MISTAKE = 4
const inLowerCase = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** What other services call a field. */
const namesOfOthers = new Map(
  Object.entries({
    pageSize: 'limit perpage size count first take maxresults',
    page: 'offset skip',
    cursor: 'after startingafter next nextcursor pagetoken',
    duration: 'seconds durationseconds length',
    quality: 'resolution size',
    aspectRatio: 'ratio',
    startImageUrl: 'image imageurl startimage',
    webhookUrl: 'webhook callbackurl',
  })
    .flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const))
    .reduce((all, [other, name]) => all.set(other, [...(all.get(other) ?? []), name]), new Map<string, string[]>()),
)

/**
 * The problems without those that say nothing beside the others: that a part of a schema applies, and of a union that
 * no branch does. Where constants tell the branches apart, the branch counts that the value names; where it names none,
 * the constants are the values that there are.
 */
function problemsOf(all: Problem[]): Problem[] {
  const unions = all.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => schemaPath)
  return unions.reduce(
    (problems, union) => {
      const within = problems.filter(({ schemaPath }) => schemaPath.startsWith(`${union}/`))
      const constants = within.filter(({ keyword }) => keyword === 'const')
      const [constant] = constants
      if (!constant) return problems
      const branchOf = ({ schemaPath }: Problem) => schemaPath.slice(union.length + 1).split('/')[0]
      const others = new Set(constants.map(branchOf))
      const meant = within.filter((problem) => !others.has(branchOf(problem)))
      const values = {
        ...constant,
        keyword: 'enum',
        params: { allowedValues: constants.map(({ params }) => params.allowedValue as unknown) },
      }
      return [...problems.filter((each) => !within.includes(each)), ...(meant.length > 0 ? meant : [values])]
    },
    all.filter(({ keyword }) => keyword !== 'if' && (keyword !== 'anyOf' || all.length === 1)),
  )
}

const oneOf = (allowed: unknown[]) =>
  allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`

/** SQLSTATE lock_not_available: a lock was not granted within lock_timeout. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * SQLSTATE character_not_in_repertoire, of a parameter, and untranslatable_character, within JSON: a text that
 * PostgreSQL cannot store. From this service that is one with U+0000.
 */
const NULL_CHARACTER = ['22021', '22P05']

const validationMessages: Record<string, string> = {
  required: 'is missing',
}

const fastifyErrors: Record<number, [ErrorCode, string]> = {
  400: ['INVALID_REQUEST', 'The body is not valid JSON.'],
  413: ['PAYLOAD_TOO_LARGE', 'The body is too large.'],
  414: ['INVALID_REQUEST', 'The address is too long.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON with "Content-Type: application/json".'],
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

export type Methods = {
  /** The methods that have a route at this path. Empty: none. */
  at: (path: string) => Method[]
  /** The paths without parameters. */
  known: () => Iterable<string>
  /** Called after all routes: sends other methods of a path without parameters to the not-found handler. */
  refuseOthers: () => void
}

function openMethods(http: FastifyInstance): Methods {
  /** Methods by path, of the paths without parameters. */
  const own = new Map<string, Set<string>>()
  let isComplete = false
  http.addHook('onRoute', ({ url, method }) => {
    // Fastify adds HEAD to each GET. Of the route of a prefix it reports nothing else for the path with a trailing
    // slash.
    if (isComplete || method === 'HEAD' || /[:*]/.test(url)) return
    own.set(url, new Set([...(own.get(url) ?? []), ...[method].flat()]))
  })
  return {
    at: (path) => METHODS.filter((method) => own.get(path)?.has(method) ?? http.findRoute({ url: path, method })),
    known: () => own.keys(),
    refuseOthers: () => {
      isComplete = true
      for (const [url, methods] of own) {
        const others = METHODS.filter((method) => !methods.has(method) && hasParameterRoute(http, url, method))
        if (others.length === 0) continue
        http.route({ method: others, url, schema: { hide: true }, handler: (_request, reply) => reply.callNotFound() })
      }
    },
  }
}

/** A wildcard does not count: its route decides which paths it has. */
function hasParameterRoute(http: FastifyInstance, url: string, method: Method): boolean {
  const names = Object.keys(http.findRoute({ url, method })?.params ?? {})
  return names.length > 0 && !names.includes('*')
}
