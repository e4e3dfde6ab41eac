/**
 * The one shape of an answer: `{ success, data }`, and beside it `error` when something went wrong. Errors become answers
 * here and nowhere else.
 */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { AppError, type ErrorCode, statusOf } from '../errors.ts'
import { newId } from '../id.ts'
import { plainHeaders } from './security-headers.ts'

export const ok = <T>(data: T) => ({ success: true as const, data })

/** The schema of a good answer around its data. */
export const Envelope = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data }, { description: 'Success' })

export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
/** Dates are written as ISO 8601 in UTC. */
export const Timestamp = (description: string) => Type.Unsafe<Date>(Type.String({ format: 'date-time', description }))
export const TimestampOrNull = (description: string) =>
  Type.Unsafe<Date | null>(Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description }))

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    data: Type.Object({}),
    error: Type.Object({
      code: Type.Enum(Object.keys(statusOf) as ErrorCode[], { description: 'What went wrong, for programs' }),
      message: Type.String({ description: 'What went wrong and what to do, for people' }),
      details: Type.Optional(Type.Unknown({ description: 'For programs: which field, how many credits, and so on' })),
      requestId: Type.String({ description: 'The same as the header X-Request-Id; name it when you ask for help' }),
    }),
  },
  { $id: 'Error' },
)

export const statusName = (status: number): string => STATUS_CODES[status] ?? ''

/** The error answers that a route names in its description. */
export const errors = (...statuses: number[]) =>
  Object.fromEntries(
    [...new Set([...statuses, 429, 500, 503])].map((status) => [
      status,
      { description: statusName(status), ...Type.Ref('Error#') },
    ]),
  )

/** @param showPage answers instead, and says so, when a browser asks for a page of the studio */
export function registerErrors(
  app: FastifyInstance,
  showPage: (request: FastifyRequest, reply: FastifyReply) => boolean,
): void {
  app.addSchema(ErrorBody)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(toAppError(error, request), error, request, reply),
  )
  app.setNotFoundHandler((request, reply) => {
    if (showPage(request, reply)) return
    const allowed = methodsOf(app, request.url.split('?')[0] ?? '')
    const error =
      allowed.length > 0
        ? new AppError('METHOD_NOT_ALLOWED', `This address answers ${allowed.join(' and ')}, not ${request.method}.`)
        : nothingHere()
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    answerError(error, error, request, reply)
  })
}

export const nothingHere = () =>
  new AppError('NOT_FOUND', 'There is nothing at this address; GET /docs says what there is.')

export function answerError(error: AppError, cause: Error, request: FastifyRequest, reply: FastifyReply): void {
  const status = statusOf[error.code]
  if (status >= 500) request.log.error({ err: cause }, error.message)
  if (error.retryAfterS) reply.header('retry-after', String(error.retryAfterS))
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      success: false,
      data: {},
      error: {
        code: error.code,
        message: error.message,
        ...(error.details === undefined ? {} : { details: error.details }),
        requestId: request.id,
      },
    })
}

/** Such a request meets no route and no hook, so what they would do is done here. */
export function answerUnreadableAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...plainHeaders, 'x-request-id': request.id })
  const message = 'The address cannot be read; check its % signs and its length.'
  answerError(new AppError('INVALID_REQUEST', message), error, request, reply)
}

/** Bytes that are no HTTP request: there is no request yet to answer, so the answer is written to the socket by hand. */
export function answerUnreadableRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  const requestId = newId(new Date())
  const message =
    status === 408
      ? 'The request did not arrive in time; send it again, or over a faster line.'
      : 'This is not a request that can be read; check its first line, its headers and their length.'
  const body = JSON.stringify({ success: false, data: {}, error: { code: 'INVALID_REQUEST', message, requestId } })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'content-type: application/json; charset=utf-8\r\nconnection: close\r\n' +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** What a thrown error means to the caller. Whatever is not expected is a bug, and its words stay in the log. */
function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (error.validation) {
    const where = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'request')
    const details = error.validation.map(({ instancePath, params, keyword, message }) => {
      const field = params.missingProperty ?? params.additionalProperty
      const path = [instancePath.slice(1).replaceAll('/', '.'), field].filter(Boolean).join('.')
      return { path: path || where, message: sentences[keyword] ?? message ?? 'is not valid' }
    })
    const first = details[0]
    return new AppError('INVALID_REQUEST', `The ${where} is not valid: ${first?.path} ${first?.message}.`, { details })
  }
  if (isDatabaseAway(error)) {
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
  if (error.code === NULL_CHARACTER) {
    return new AppError('INVALID_REQUEST', 'The request has a null character (U+0000) in a text; leave it out.')
  }
  const code = codesOfFastify[error.statusCode ?? 500]
  return code ? new AppError(code[0], code[1]) : new AppError('INTERNAL', 'Something went wrong on our side.')
}

/** PostgreSQL's word for a lock that was waited for longer than lock_timeout. */
const LOCK_NOT_AVAILABLE = '55P03'

/** PostgreSQL's word for a text that it cannot store, which from us is one with U+0000. */
const NULL_CHARACTER = '22021'

const sentences: Record<string, string> = {
  additionalProperties: 'is not a known field',
  required: 'is missing',
}

const codesOfFastify: Record<number, [ErrorCode, string]> = {
  400: ['INVALID_REQUEST', 'The body is not valid JSON.'],
  413: ['PAYLOAD_TOO_LARGE', 'The body is too large.'],
  414: ['INVALID_REQUEST', 'The address is too long.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON with "Content-Type: application/json".'],
}

const databaseAwayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  // admin_shutdown, crash_shutdown, cannot_connect_now, read_only_sql_transaction, query_canceled, and what is said when
  // an administrator closed the database to new connections
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '57014',
  '55000',
])
/** Classes of SQLSTATE: the connection broke, or the database lacks room, memory or connections. */
const databaseAwayClasses = /^(08|53)/
const isDatabaseAway = (error: { code?: string }): boolean =>
  databaseAwayCodes.has(error.code ?? '') || databaseAwayClasses.test(error.code ?? '')

/** The methods that have a route at this address, for 405 and its Allow header. */
function methodsOf(app: FastifyInstance, url: string): string[] {
  return (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => app.findRoute({ url, method }))
}
