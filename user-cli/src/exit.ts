/** The exit statuses, and the errors that end a command. */
import type { KinoraError } from '@kinora/client'

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notPermitted: 3,
  notFound: 4,
  notPaid: 5,
  filmFailed: 6,
  unavailable: 7,
  interrupted: 130,
} as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** What went wrong, in one sentence for the user. `code`: for programs, in the output of --json. */
export class CommandError extends Error {
  readonly exit: Exit
  readonly code: string
  readonly details: unknown

  constructor(exit: Exit, code: string, message: string, details?: unknown) {
    super(message)
    this.name = 'CommandError'
    this.exit = exit
    this.code = code
    this.details = details
  }
}

const KEY_REFUSED =
  'The service refuses this API key: it is wrong, expired or deleted. Run kinora login with another one, or set KINORA_API_KEY.'

/** A mistake in the command itself. */
export const usageError = (message: string): CommandError => new CommandError(EXIT.usage, 'USAGE', message)

/** The error of a call of the service. */
export function serviceError(error: KinoraError): CommandError {
  const { code, status } = error
  // The service's sentence names headers and cookies.
  const message = code === 'UNAUTHENTICATED' ? KEY_REFUSED : error.message
  return new CommandError(exitOf(code, status), code, message, 'details' in error ? error.details : undefined)
}

function exitOf(code: string, status: number): Exit {
  if (code === 'VIDEO_FAILED') return EXIT.filmFailed
  if (status === 401 || status === 403) return EXIT.notPermitted
  if (status === 402) return EXIT.notPaid
  if (status === 404) return EXIT.notFound
  // 502 and 504 are a proxy's, of a service that is away.
  if (status === 0 || status === 429 || (status >= 502 && status <= 504)) return EXIT.unavailable
  return [400, 413, 415, 422].includes(status) ? EXIT.usage : EXIT.failed
}
