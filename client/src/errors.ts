/**
 * What can go wrong, as a value. Whatever comes back from the network, a refusal of the service, the page of a proxy in
 * between or nothing at all, the caller sees one shape with a code to decide by and a sentence to show.
 */
import type { components } from './openapi.ts'

/** The codes of the service, and two of the client: no answer came, and the video that was waited for failed. */
export type ErrorCode = components['schemas']['Error']['error']['code'] | 'UNREACHABLE' | 'VIDEO_FAILED'

type ErrorFacts = {
  /** One sentence that the person in front of the screen can act on. */
  message: string
  /** The HTTP status; 0 when no answer came. */
  status: number
  /** Name it when you ask for help; null when the answer had none. */
  requestId: string | null
  /** Seconds after which the same request may succeed; null when the service did not say. */
  retryAfterSeconds: number | null
  /** The finer code of `/api/auth/*`, such as INVALID_EMAIL_OR_PASSWORD; present in answers from there alone. */
  authCode?: string
}

/** Deciding by `code` also gives `details` its type. */
export type KinoraError = ErrorFacts &
  (
    | { code: 'INSUFFICIENT_CREDITS'; details: { required: number; available: number } }
    | { code: 'INVALID_REQUEST'; details?: { path: string; message: string }[] }
    | { code: 'VIDEO_FAILED'; details: { uuid: string } }
    | { code: Exclude<ErrorCode, 'INSUFFICIENT_CREDITS' | 'INVALID_REQUEST' | 'VIDEO_FAILED'>; details?: unknown }
  )

/** Either `data` or `error`; the other one is undefined. */
export type Answer<Data> = { data: Data; error: undefined } | { data: undefined; error: KinoraError }

/** Thrown where a value cannot be handed back: by the iteration over events. */
export class KinoraStreamError extends Error {
  readonly error: KinoraError

  constructor(error: KinoraError) {
    super(error.message)
    this.name = 'KinoraStreamError'
    this.error = error
  }
}

export function unreachable(): KinoraError {
  const message = 'The service cannot be reached. Check the connection and try again.'
  return { code: 'UNREACHABLE', message, status: 0, requestId: null, retryAfterSeconds: null }
}

/**
 * The error that an answer stands for.
 * @param body the parsed body, or its text when it is no JSON
 */
export function errorOf({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): KinoraError {
  const facts = { status, requestId: headers.get('x-request-id'), retryAfterSeconds: retryAfterSeconds(headers) }
  if (isRecord(body) && isRecord(body.error) && typeof body.error.code === 'string') {
    // The description of the API lists the codes, so one that is not among them comes of a service newer than this client.
    return { ...facts, ...body.error } as KinoraError
  }
  const code = codeOf(status)
  if (isRecord(body) && typeof body.message === 'string') {
    const authCode = typeof body.code === 'string' ? { authCode: body.code } : {}
    return { ...facts, code, message: asSentence(body.message), ...authCode }
  }
  return { ...facts, code, message: strangeAnswer(status) }
}

/** For answers without a code of ours: those of the sign-in, and those of whatever stands between. */
function codeOf(status: number): Exclude<ErrorCode, 'INSUFFICIENT_CREDITS' | 'VIDEO_FAILED'> {
  if (status >= 502 && status <= 504) return 'UNAVAILABLE'
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
  const known = codes[status as keyof typeof codes]
  return known ?? (status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'INTERNAL')
}

function strangeAnswer(status: number): string {
  if (status >= 502 && status <= 504) return 'The service does not answer at the moment. Try again shortly.'
  if (status === 413) return 'That is too large to be sent.'
  if (status === 429) return 'That was too often. Wait a little and try again.'
  if (status < 400) return 'The answer is not one of Kinora. Check the address, and what stands in between.'
  return `The answer is not one of Kinora (status ${status}). Check the address, and what stands in between.`
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** `Retry-After` has seconds or a date. */
function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
