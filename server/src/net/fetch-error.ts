/**
 * The one error class of the SSRF guard: `safe-fetch.ts`, `safe-post.ts` and `ssrf-guard.ts`. Invariant: its message
 * may be stored and shown to users, so it contains the host name at most. Path and query of a signed link are secrets,
 * and resolved addresses disclose the operator's network.
 */
export type FetchCode =
  | 'URL_REFUSED'
  | 'ADDRESS_REFUSED'
  | 'SCHEME_REFUSED'
  | 'PORT_REFUSED'
  | 'TOO_MANY_REDIRECTS'
  | 'TOO_LARGE'
  | 'TYPE_REFUSED'
  | 'TIMEOUT'
  | 'UNREACHABLE'
  | 'STATUS'
  | 'INCOMPLETE'
  | 'NOT_READY'

export class FetchError extends Error {
  readonly code: FetchCode
  /** Whether a retry of the same fetch may succeed. */
  readonly retryable: boolean
  /** The HTTP status, for code `STATUS`. */
  readonly status: number | undefined

  /** @param message one sentence that may be shown to users */
  constructor(code: FetchCode, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'FetchError'
    this.code = code
    this.status = options.status
    this.retryable =
      code === 'STATUS'
        ? isTransient(options.status)
        : ['TIMEOUT', 'UNREACHABLE', 'INCOMPLETE', 'NOT_READY'].includes(code)
  }
}

/**
 * Translates an error of undici or a socket into a FetchError. A FetchError passes unchanged, and so does an invalid
 * argument, which is a bug of this program.
 * @param fallback the code for a network failure that has no FetchCode of its own
 */
export function toFetchError(error: unknown, fallback: 'UNREACHABLE' | 'INCOMPLETE', hostname: string): unknown {
  if (error instanceof FetchError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'UND_ERR_INVALID_ARG':
      return error
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new FetchError('TIMEOUT', `${hostname} stopped answering.`, { cause: error })
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new FetchError('TOO_LARGE', `${hostname} sent too long a header.`, { cause: error })
  }
  const message = fallback === 'INCOMPLETE' ? 'broke off in the middle of the file' : 'could not be reached'
  return new FetchError(fallback, `${hostname} ${message}.`, { cause: error })
}

/**
 * Whether a status is worth a retry. 403 and 404 are, because eventually consistent object stores return them for a
 * file that has been announced but is not replicated everywhere yet.
 */
function isTransient(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || [403, 404, 408, 425, 429].includes(status))
}
