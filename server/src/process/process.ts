/**
 * The process's interface to the operating system and to its parent process: shutdown signals, messages over the IPC
 * channel, and messages for the operator when it cannot start.
 */

import { ConfigError } from '../config/config.ts'
import { OperatorError, SchemaTooNewError } from '../errors.ts'
import { UsageError } from './command-arguments.ts'

/** Resolves at the first SIGTERM or SIGINT, or when the parent dies. A second signal exits at once with status 1. */
export function shutdownRequested(): Promise<void> {
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

/** `status`: its exit status. `isFinal`: its primary is not to start it again. */
export type ParentMessage =
  | { kind: 'ready'; url: string; port: number }
  | { kind: 'failed'; message: string; status: number; isFinal: boolean }

/** Sends a message to the parent process over the IPC channel, if there is one. */
export function notifyParent(message: ParentMessage): void {
  process.send?.(message)
}

const PROTOCOL_VIOLATION = '08P01'
export const USE_POOLER =
  'It is a pooler: set DATABASE_POOLER=transaction, and DATABASE_URL_DIRECT to the address of PostgreSQL itself'

/** What helps against too_many_connections (53300). */
export const MORE_SESSIONS =
  'Raise max_connections, or the limit of the role, lower DATABASE_CONNECTIONS, or put a pooler in between: docs/growing.md#behind-a-pooler'

const WRONG_ARGUMENTS = 2
/** EX_CONFIG of sysexits.h. The units of deploy/systemd do not start again what ends with it. */
const WRONG_SETTING = 78
/** invalid_password, invalid_authorization_specification, invalid_catalog_name: DATABASE_URL is wrong. */
const REFUSED_DATABASE_URL = ['28P01', '28000', '3D000']

/** The exit status of a process that an error has ended: 1 where the same settings may do at another time. */
export function exitStatusOf(error: unknown): number {
  if (error instanceof UsageError) return WRONG_ARGUMENTS
  const { code = '', port } = error as { code?: string; port?: number }
  const isForbiddenPort = code === 'EACCES' && port !== undefined
  const isOfSettings = error instanceof ConfigError || REFUSED_DATABASE_URL.includes(code) || isPoolerRefusal(error)
  return isOfSettings || isForbiddenPort ? WRONG_SETTING : 1
}

/** Whether a pooler has refused the limits that a session is opened with. */
export const isPoolerRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === PROTOCOL_VIOLATION &&
  /startup parameter/.test(error.message)

/** The problem and its remedy, for the operator at a terminal. An unexpected error keeps its stack trace. */
export function explainStartError(error: unknown): string {
  if ([ConfigError, OperatorError, SchemaTooNewError, UsageError].some((kind) => error instanceof kind))
    return (error as Error).message
  const {
    code = '',
    message = '',
    address,
    port,
    hostname,
    stack,
  } = error as NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. Choose another one: PORT=${(port ?? 8080) + 1}`
    case 'EACCES':
      return port
        ? `Port ${port} may not be used by this user. Choose one above 1023: PORT=8080`
        : `Not allowed: ${message}`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}. Set HOST to one it has, or to 0.0.0.0`
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EROFS':
      return `A file or folder cannot be made: ${message}`
    case 'ENOSPC':
      return 'The disk is full. Free some space and start again.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${hostname} does not resolve (${code}). Check the host in DATABASE_URL, and the name server of this machine.`
    case '53300':
      return `The database has no session left: ${message}. ${MORE_SESSIONS}.`
    case 'ECONNREFUSED':
    case 'CONNECT_TIMEOUT':
    case '57P03':
      return `The database does not answer (${code}). Check DATABASE_URL and that PostgreSQL runs.`
    case '28P01':
    case '28000':
      return `The database refuses this user or password: ${message}. Check DATABASE_URL.`
    case '3D000':
      return `${message}. Create it with createdb, or change DATABASE_URL.`
    case PROTOCOL_VIOLATION:
      return isPoolerRefusal(error)
        ? `The database refuses the connection: ${message}. ${USE_POOLER}.`
        : (stack ?? message)
    // undefined_table
    case '42P01':
      return `The database has no tables of Kinora (${message}): run \`kinora migrate\`, or set another DATABASE_URL.`
    case '42501':
      return `The database user lacks a right: ${message}. Grant it, or use another user in DATABASE_URL.`
    default:
      return stack ?? String(error)
  }
}
