/**
 * The embedded PostgreSQL of a data folder: initialised on first use, started, and stopped together with the process
 * that opened it. One process at a time holds its lock; others connect to it through `runningDatabase`.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import postgres from 'postgres'
import { CliError, errorCode, explainFileError } from '../cli-error.ts'
import { readJson, writeJson } from '../data-dir.ts'
import { acquireLock, lockHolder } from '../lock.ts'
import { type LogFile, openLogFile } from '../log-file.ts'
import { freePort } from '../ports.ts'
import { DATABASE_NAME, initialiseCluster, resetPassword } from './initialise.ts'
import { type ClusterPaths, resolveClusterPaths } from './paths.ts'
import { type Postmaster, startPostmaster, stopOrphan } from './postmaster.ts'
import { ensureRoles, passwordOf, roles } from './roles.ts'

/** `postgres://…` with the password in it: for the service, and for migrations. */
export type DatabaseUrls = { serviceUrl: string; ownerUrl: string }

export type Database = DatabaseUrls & {
  /** The superuser's. */
  url: string
  clusterDir: string
  logFile: string
  /** Resolves when the server process has ended, whether stopped or crashed. */
  ended: Promise<void>
  lastLines: () => string[]
  stop: () => Promise<void>
  /** Stops it without a checkpoint; the next start runs crash recovery. */
  kill: () => void
}

type Options = {
  /** An existing folder, real path. */
  dataDir: string
  /** The lock holder's name in other processes' messages, e.g. `kinora start`. */
  command: string
  /** Starts without fsync: for tests only. */
  fast: boolean
  signal: AbortSignal
}

/**
 * The content of `postgres.json`. `cluster` is `postgres` when the cluster is in the data folder, which may be moved,
 * else an absolute path. `made` is true after the first start: a missing cluster is then a loss and is not initialised
 * anew.
 */
type ClusterState = { cluster: string | null; made: boolean; port: number | null; password: string | null }

const MAJOR_VERSION = '18'
const READY_TIMEOUT_MS = 120_000
const START_ATTEMPTS = 5

/**
 * @throws CliError when another process holds the lock, when the cluster is damaged, missing or of another major
 * version, or when the server does not start
 */
export async function openDatabase({ dataDir, command, fast, signal }: Options): Promise<Database> {
  const paths = resolveClusterPaths(dataDir, clusterDirOf(dataDir, readState(dataDir)))
  // The lock file is beside the cluster, not in the data folder: copies of a data folder may refer to one cluster.
  const lock = acquireLock(`${paths.clusterDir}.lock`, command)
  if ('pid' in lock) {
    throw new CliError(
      `The database in ${dataDir} is in use by "${lock.command}" (process ${lock.pid}). Stop that first.`,
    )
  }
  const log = openLogFile(path.join(dataDir, 'logs', 'postgres.log'))
  const close = () => {
    log.close()
    lock.release()
  }
  try {
    const state = readState(dataDir)
    const cluster = path.dirname(paths.clusterDir) === dataDir ? 'postgres' : paths.clusterDir
    writeState(dataDir, { ...state, cluster })
    await stopOrphan(paths.clusterDir)
    const password = await prepareCluster(paths, state, dataDir, fast, signal)
    const { postmaster, url, port } = await startWithRetry(paths, state.port, password, log, fast, signal)
    writeState(dataDir, { cluster, made: true, port, password })
    try {
      await ensureRoles(url, password)
    } catch (error) {
      await postmaster.stop()
      throw error
    }
    return {
      url,
      ...roleUrls(port, password),
      clusterDir: paths.clusterDir,
      logFile: log.path,
      ended: postmaster.ended,
      lastLines: () => log.tail(8),
      kill: postmaster.kill,
      stop: async () => {
        await postmaster.stop()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** The URLs of the database that another process is running on this data folder, else null. */
export function runningDatabase(dataDir: string): DatabaseUrls | null {
  const state = readState(dataDir)
  const clusterDir = clusterDirOf(dataDir, state)
  if (!clusterDir || !state.port || !state.password || !lockHolder(`${clusterDir}.lock`)) return null
  return roleUrls(state.port, state.password)
}

/** Whether the data folder has had a database. */
export function hasDatabase(dataDir: string): boolean {
  return readState(dataDir).made
}

function clusterDirOf(dataDir: string, { cluster }: ClusterState): string | null {
  return cluster === null ? null : path.resolve(dataDir, cluster)
}

/** Initialises the cluster or sets a new password where necessary. @returns the password of its role */
async function prepareCluster(
  paths: ClusterPaths,
  state: ClusterState,
  dataDir: string,
  fast: boolean,
  signal: AbortSignal,
) {
  const password = state.password ?? randomBytes(24).toString('hex')
  const version = versionOf(paths.clusterDir)
  if (version === null && state.made) {
    throw new CliError(
      `The database of ${dataDir} should be in ${paths.clusterDir}, and is not there any more. Restore it from a backup, ` +
        `or delete ${path.join(dataDir, 'postgres.json')} to begin with an empty one.`,
    )
  }
  if (version === null) {
    await initialiseCluster(paths, password, fast, signal)
  } else if (version !== MAJOR_VERSION) {
    throw new CliError(
      `The database in ${paths.clusterDir} was written by PostgreSQL ${version}; this is PostgreSQL ${MAJOR_VERSION}. ` +
        `Dump it with version ${version} and restore it here (pg_dump, psql), or choose another folder: DATA_DIR=/some/folder`,
    )
  } else if (state.password === null) {
    await resetPassword(paths, password, signal)
  }
  return password
}

function versionOf(clusterDir: string): string | null {
  try {
    return readFileSync(path.join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw explainFileError(error, clusterDir)
  }
  if (existsSync(clusterDir)) {
    throw new CliError(`${clusterDir} is in the way of the database: it is no PostgreSQL cluster. Move it away.`)
  }
  return null
}

async function startWithRetry(
  paths: ClusterPaths,
  preferredPort: number | null,
  password: string,
  log: LogFile,
  fast: boolean,
  signal: AbortSignal,
): Promise<{ postmaster: Postmaster; url: string; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted()
    const port = await freePort(preferredPort)
    const url = urlOf(port, password)
    log.mark()
    const postmaster = startPostmaster(paths, port, log.fd, fast)
    try {
      await waitUntilReady(postmaster, url, signal)
      return { postmaster, url, port }
    } catch (error) {
      await postmaster.stop()
      if (signal.aborted || error instanceof CliError) throw error
      const lines = log.tail(12)
      // Transient: another program took the port since the check, or processes of a killed server have not exited yet.
      const isTransient = /could not bind|Address already in use|pre-existing shared memory block/.test(
        lines.join('\n'),
      )
      if (!isTransient || attempt === START_ATTEMPTS) throw explainLog(paths.clusterDir, lines, log.path)
      await sleep(attempt * 200)
    }
  }
}

/** @throws Error when the server ends, does not accept connections in time, or rejects the password */
async function waitUntilReady(postmaster: Postmaster, url: string, signal: AbortSignal): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => undefined,
    backoff: false,
  })
  const deadlineMs = Date.now() + READY_TIMEOUT_MS
  try {
    for (;;) {
      signal.throwIfAborted()
      if (postmaster.hasEnded()) throw new Error('the server ended')
      try {
        await sql`select 1`
        return
      } catch (error) {
        const code = errorCode(error)
        if (code === '28P01') {
          throw new CliError(
            'The database rejects the password in postgres.json. Delete the line "password" there; the next start sets a new one.',
          )
        }
        // 57P03 (cannot_connect_now): the server is starting up or in crash recovery.
        if (!['ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED', '57P03', 'CONNECT_TIMEOUT'].includes(code ?? ''))
          throw error
        if (Date.now() > deadlineMs) throw error
      }
      await sleep(15)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function explainLog(clusterDir: string, lines: string[], logFile: string): CliError {
  if (lines.some((line) => /No space left on device|Disk quota exceeded/i.test(line))) {
    return new CliError(
      `The disk that holds the database in ${clusterDir} is full. Free some space (1 GB is a good start) and start again.`,
    )
  }
  return new CliError(
    `The database in ${clusterDir} does not start. Its last lines (all of them: ${logFile}):\n` +
      `${lines.map((line) => `  ${line}`).join('\n')}\n` +
      'Restore that folder from a backup, or choose another data folder: DATA_DIR=/some/folder npm start',
  )
}

function urlOf(port: number, password: string, role: string = DATABASE_NAME): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`
}

function roleUrls(port: number, password: string): DatabaseUrls {
  return {
    serviceUrl: urlOf(port, passwordOf(roles.service, password), roles.service),
    ownerUrl: urlOf(port, passwordOf(roles.owner, password), roles.owner),
  }
}

function readState(dataDir: string): ClusterState {
  const { cluster, made, port, password } = readJson(path.join(dataDir, 'postgres.json'))
  return {
    cluster: typeof cluster === 'string' ? cluster : null,
    made: made === true,
    port: Number.isInteger(port) ? Number(port) : null,
    password: typeof password === 'string' && /^[0-9A-Za-z]+$/.test(password) ? password : null,
  }
}

function writeState(dataDir: string, state: ClusterState): void {
  if (!isDeepStrictEqual(readState(dataDir), state)) writeJson(path.join(dataDir, 'postgres.json'), state)
}
