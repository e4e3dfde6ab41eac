/**
 * The error codes of the API, each with its HTTP status. The code, message and details of an `AppError` are sent to the
 * caller. Every other error is a bug: it is logged with its stack, and the caller gets a 500 without details.
 */
export const statusOf = {
  INVALID_REQUEST: 400,
  UNSUPPORTED_MODEL: 400,
  MODEL_UNAVAILABLE: 400,
  DURATION_OUT_OF_RANGE: 400,
  UNSUPPORTED_QUALITY: 400,
  UNSUPPORTED_ASPECT_RATIO: 400,
  UNSUPPORTED_MODE: 400,
  CONTENT_REFUSED: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  KEY_BUDGET_EXCEEDED: 402,
  FORBIDDEN: 403,
  CONSENT_REQUIRED: 403,
  INSUFFICIENT_SCOPE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  TOO_MANY_IN_PROGRESS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof statusOf

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  /** Seconds after which the same request may succeed; sent as `Retry-After`. */
  readonly retryAfterS: number | undefined

  /** @param message one sentence that the client's user can act on */
  constructor(code: ErrorCode, message: string, options: { details?: unknown; retryAfterS?: number } = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.retryAfterS = options.retryAfterS
  }
}

/** The error for a cursor that is not the `nextCursor` of a page. */
export const unknownCursor = () =>
  new AppError('INVALID_REQUEST', 'The cursor must be the nextCursor of an earlier page.', {
    details: [{ path: 'cursor', message: 'must be the nextCursor of an earlier page' }],
  })

/** An operator can repair it: the message has the remedy, and no stack trace is printed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** The database's schema no longer accepts processes of this version. The message names both versions. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'
}
