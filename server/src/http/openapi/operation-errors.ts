/**
 * The error responses of an operation: one for the statuses 4XX and one for 5XX, each with the codes that it may have.
 * errors.ts has the status of each code.
 */
import type { FastifyContextConfig } from 'fastify'
import { type ErrorCode, statusOf } from '../../errors.ts'
import { ErrorBody } from '../request/envelope.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** The codes that the handler throws, beside those that access, method, path and headers imply (`refusalOf`). */
    errors?: ErrorCode[]
  }
}

/** An error response of openapi.json. */
export type ErrorResponse = { name: string; description: string; codes: ErrorCode[] }

/** The part of a route that decides which errors it has. */
type Route = {
  method: string | string[]
  url: string
  config?: FastifyContextConfig
  schema: { operationId?: string; errors?: ErrorCode[]; headers?: unknown }
}

const BODY_CODES: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
/** Beside CSRF, role and scope: a request for a team that is not the caller's is 404. */
const CALLER_CODES: ErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'INSUFFICIENT_SCOPE', 'NOT_FOUND']
/** More own codes than these would make a name of them too long, so that the operation gives it. */
const NAMED_CODES_MAX = 2

const inOrder = (codes: Iterable<ErrorCode>): ErrorCode[] => {
  const given = new Set(codes)
  return (Object.keys(statusOf) as ErrorCode[]).filter((code) => given.has(code))
}

export const serverError: ErrorResponse = describe('ServerError', ['INTERNAL', 'UNAVAILABLE'])

/** The 4XX response of a route. Two routes with the same codes have the same one. */
export function refusalOf({ method, url, config = {}, schema }: Route): ErrorResponse {
  const isRead = [method].flat().every((each) => each === 'GET' || each === 'HEAD')
  const hasCaller = config.access === 'user' || config.access === 'admin'
  // 400: any path may be out of its normal form. The body parser comes before the handler, also where no body is
  // expected.
  const implied: ErrorCode[] = [
    'INVALID_REQUEST',
    'RATE_LIMITED',
    ...(hasCaller ? CALLER_CODES : []),
    ...(isRead ? [] : BODY_CODES),
  ]
  const { errors = [], operationId = '' } = schema
  const own: ErrorCode[] = [
    ...(url.includes(':') ? ['NOT_FOUND' as const] : []),
    ...(config.access === 'optional' ? ['FORBIDDEN' as const] : []),
    ...(takesIdempotencyKey(schema.headers) ? (['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...errors,
  ]
  const beyond = inOrder(own.filter((code) => !implied.includes(code)))
  const kind = `${hasCaller ? 'User' : 'Public'}${isRead ? 'Read' : 'Change'}`
  const named = beyond.length > NAMED_CODES_MAX ? pascalCase(operationId) : kind + beyond.map(pascalCase).join('')
  return describe(`${named}Error`, [...implied, ...own])
}

/** A code for programs and a status, which are those of the table of errors.ts. */
export const errorSchema = ({ codes }: Pick<ErrorResponse, 'codes'>) => ({
  allOf: [ErrorBody, { properties: { error: { properties: { code: { enum: codes } } } } }],
})

function describe(name: string, codes: Iterable<ErrorCode>): ErrorResponse {
  const ordered = inOrder(codes)
  return { name, description: ordered.map((code) => `${statusOf[code]} ${code}`).join(', '), codes: ordered }
}

const takesIdempotencyKey = (headers: unknown): boolean =>
  Object.hasOwn((headers as { properties?: object } | undefined)?.properties ?? {}, 'idempotency-key')

/** IDEMPOTENCY_KEY_REUSED → IdempotencyKeyReused, generateVideo → GenerateVideo */
const pascalCase = (name: string): string =>
  /^[A-Z_]+$/.test(name)
    ? name
        .toLowerCase()
        .split('_')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')
    : name.charAt(0).toUpperCase() + name.slice(1)
