/**
 * What went wrong with a fetch, in one error. The rule: its message may be recorded and shown, so it names the host at
 * most; path and query of a signed link are secrets, and the addresses behind a name are the operator's business.
 */
export type FetchCode =
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

export class FetchRefused extends Error {
  readonly code: FetchCode
  /** Whether the same fetch may succeed later. */
  readonly retryable: boolean
  /** The HTTP status, for code `STATUS`. */
  readonly status: number | undefined

  /** @param message one sentence that is fit to be shown */
  constructor(code: FetchCode, message: string, more: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.name = 'FetchRefused'
    this.code = code
    this.status = more.status
    this.retryable = code === 'STATUS' ? mayPass(more.status) : ['TIMEOUT', 'UNREACHABLE', 'INCOMPLETE'].includes(code)
  }
}

/**
 * Says in our words what the network did to a fetch. Refusals pass unchanged, and so do mistakes of our own.
 * @param otherwise the code for a failure of the network that has no code of its own
 */
export function refusalFrom(error: unknown, otherwise: 'UNREACHABLE' | 'INCOMPLETE', hostname: string): unknown {
  if (error instanceof FetchRefused) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'UND_ERR_INVALID_ARG':
      return error
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new FetchRefused('TIMEOUT', `${hostname} stopped answering.`, { cause: error })
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new FetchRefused('TOO_LARGE', `${hostname} sent too long a header.`, { cause: error })
  }
  const message = otherwise === 'INCOMPLETE' ? 'broke off in the middle of the file' : 'could not be reached'
  return new FetchRefused(otherwise, `${hostname} ${message}.`, { cause: error })
}

/**
 * Statuses that time may mend. 403 and 404 are among them because object stores answer so for a file that has been
 * announced but has not arrived everywhere yet.
 */
function mayPass(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || [403, 404, 408, 425, 429].includes(status))
}
