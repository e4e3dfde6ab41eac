/**
 * Errors as values. An error of the service, a proxy's error page and a missing response all become one shape, with a
 * code for programs and a sentence for users.
 */
import type { components } from './openapi.ts'
import type { components as operatorComponents } from './openapi-operator.ts'

type ServiceError = components['schemas']['Error']['error']
type SignInError = operatorComponents['schemas']['SignInError']['error']

/** The codes of the service, those of `/api/auth/*`, and two of the client: no response came, the video failed. */
export type ErrorCode = ServiceError['code'] | SignInError['code'] | 'UNREACHABLE' | 'VIDEO_FAILED'

type ErrorFields = {
  /** One sentence that the user can act on. */
  message: string
  /** The HTTP status; 0 when no response came. */
  status: number
  /** Identifies the request in the service's log; null when the response had none. */
  requestId: string | null
  /** Seconds after which the same request may succeed; null when the service did not send it. */
  retryAfterSeconds: number | null
}

type CodeAndDetails<Known> = Known extends { code: ErrorCode }
  ? 'details' extends keyof Known
    ? Omit<Known, 'message' | 'requestId'>
    : Omit<Known, 'message' | 'requestId'> & { details?: never }
  : never

/** A discriminated union: `code` determines the type of `details`. */
export type KinoraError = ErrorFields &
  (
    | CodeAndDetails<ServiceError>
    | { code: Exclude<SignInError['code'], ServiceError['code']>; details?: never }
    | { code: 'VIDEO_FAILED'; details: { uuid: string } }
    | { code: 'UNREACHABLE'; details?: never }
  )

/** Either `data` or `error`; the other one is undefined. */
export type Result<Data> = { data: Data; error: undefined } | { data: undefined; error: KinoraError }

/** Thrown by the iteration over events, which cannot return an error as a value. */
export class KinoraStreamError extends Error {
  readonly error: KinoraError

  constructor(error: KinoraError) {
    super(error.message)
    this.name = 'KinoraStreamError'
    this.error = error
  }
}

export function unreachableError(): KinoraError {
  const message = 'The service cannot be reached. Check the connection and try again.'
  return { code: 'UNREACHABLE', message, status: 0, requestId: null, retryAfterSeconds: null }
}

/**
 * The error for a response that is not a success.
 * @param body the parsed body, or its text when it is no JSON
 */
export function errorFromResponse(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
): KinoraError {
  const fields = { status, requestId: headers.get('x-request-id'), retryAfterSeconds: retryAfterSeconds(headers) }
  if (isRecord(body) && isRecord(body.error) && typeof body.error.code === 'string') {
    // Cast: a code that ErrorCode lacks comes from a service newer than this client.
    return { ...fields, ...body.error } as KinoraError
  }
  const code = codeOf(status)
  return { ...fields, code, message: foreignResponseMessage(status) }
}

/** The code for responses without one of the service: those of proxies. */
function codeOf(status: number) {
  if (status >= 502 && status <= 504) return 'UNAVAILABLE' as const
  const codes = {
    401: 'UNAUTHENTICATED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    409: 'CONFLICT',
    413: 'PAYLOAD_TOO_LARGE',
    415: 'UNSUPPORTED_MEDIA_TYPE',
    429: 'RATE_LIMITED',
  } as const
  const code = codes[status as keyof typeof codes]
  return code ?? (status >= 400 && status < 500 ? ('INVALID_REQUEST' as const) : ('INTERNAL' as const))
}

function foreignResponseMessage(status: number): string {
  if (status >= 502 && status <= 504) return 'The service does not answer at the moment. Try again shortly.'
  if (status === 413) return 'That is too large to be sent.'
  if (status === 429) return 'That was too often. Wait a little and try again.'
  if (status < 400) return 'The response is not from Kinora. Check the address, and any proxy in between.'
  return `The response is not from Kinora (status ${status}). Check the address, and any proxy in between.`
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
