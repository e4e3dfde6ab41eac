/**
 * This process and whoever started it: how it is told to stop, how it tells that it is ready, and how it explains in a
 * sentence why it cannot start.
 */
import { ConfigError } from './config.ts'

/** Settles at the first SIGTERM, SIGINT or loss of the parent; a second signal ends the process at once. */
export function whenStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => {
    process.once('SIGTERM', () => process.exit(1))
    process.once('SIGINT', () => process.exit(1))
    resolve()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.once('disconnect', stop)
  return promise
}

/** Tells the process that started this one, if it listens. */
export function report(
  message: { kind: 'ready'; url: string; port: number } | { kind: 'failed'; message: string },
): void {
  process.send?.(message)
}

/** What went wrong and what to do, for a person at a terminal. A bug is shown whole. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  const {
    code = '',
    message = '',
    address,
    port,
    stack,
  } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. Choose another one: PORT=${(port ?? 8080) + 1}`
    case 'EACCES':
      return port
        ? `Port ${port} may not be used by this user. Choose one above 1023: PORT=8080`
        : `Not allowed: ${message}`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}. Set HOST to one it has, or to 0.0.0.0`
    case 'ENOSPC':
      return 'The disk is full. Make some room and start again.'
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'CONNECT_TIMEOUT':
    case '57P03':
      return `The database does not answer (${code}). Check DATABASE_URL and that PostgreSQL runs.`
    case '28P01':
    case '28000':
      return `The database refuses this user or password: ${message}. Check DATABASE_URL.`
    case '3D000':
      return `${message}. Make it with createdb, or change DATABASE_URL.`
    case '42501':
      return `The database user lacks a right: ${message}. Grant it, or use another user in DATABASE_URL.`
    default:
      return stack ?? String(error)
  }
}
