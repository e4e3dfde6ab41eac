/**
 * The embedded PostgreSQL of one data folder: made on first use, started, and stopped with the process that opened it.
 * One process at a time has it open; others find it through `runningDatabase`.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import postgres from 'postgres'
import { readJson, writeJson } from '../data-dir.ts'
import { lockHolder, takeLock } from '../lock.ts'
import { type LogFile, openLogFile } from '../log-file.ts'
import { freePort } from '../ports.ts'
import { codeOf, explainFileError, Refusal } from '../cli-error.ts'
import { DATABASE_NAME, initialise, resetPassword } from './initialise.ts'
import { findPlace, type Place } from './paths.ts'
import { type Postmaster, startPostmaster, stopOrphan } from './postmaster.ts'

export type Database = {
  /** `postgres://…` with the password in it. */
  url: string
  clusterDir: string
  logFile: string
  /** Resolves when the server has ended, asked or not. */
  ended: Promise<void>
  lastLines: () => string[]
  stop: () => Promise<void>
  /** Ends it within moments; the next start repairs what that leaves. */
  kill: () => void
}

type Options = {
  /** Exists, real path. */
  dataDir: string
  /** What the process calls itself in others' messages, e.g. `kinora start`. */
  command: string
  /** Nothing waits for the disk: for tests only. */
  fast: boolean
  signal: AbortSignal
}

/**
 * `postgres.json`. `cluster` is `postgres` when the cluster lies in the data folder (which may be moved), else its whole
 * path; `made` says that it was whole once, so that its absence is a loss and not a beginning.
 */
type Kept = { cluster: string | null; made: boolean; port: number | null; password: string | null }

const MAJOR_VERSION = '18'
const START_LIMIT_MS = 120_000
const ATTEMPTS = 5

/**
 * @throws Refusal when another process has it open, when its files are damaged, missing or of another version, or when
 * it does not start
 */
export async function openDatabase({ dataDir, command, fast, signal }: Options): Promise<Database> {
  const place = findPlace(dataDir, clusterDirOf(dataDir, readKept(dataDir)))
  // Beside the cluster, not in the data folder: copies of a data folder may point to one cluster.
  const lock = takeLock(`${place.clusterDir}.lock`, command)
  if ('pid' in lock) {
    throw new Refusal(
      `The database in ${dataDir} is in use by "${lock.command}" (process ${lock.pid}). Stop that first.`,
    )
  }
  const log = openLogFile(path.join(dataDir, 'logs', 'postgres.log'))
  const close = () => {
    log.close()
    lock.release()
  }
  try {
    const kept = readKept(dataDir)
    const cluster = path.dirname(place.clusterDir) === dataDir ? 'postgres' : place.clusterDir
    writeKept(dataDir, { ...kept, cluster })
    await stopOrphan(place.clusterDir)
    const password = await makeReady(place, kept, dataDir, fast, signal)
    const { postmaster, url, port } = await startUntilReady(place, kept.port, password, log, fast, signal)
    writeKept(dataDir, { cluster, made: true, port, password })
    return {
      url,
      clusterDir: place.clusterDir,
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

/** The URL of the database that another process has open on this folder, null when none has. */
export function runningDatabase(dataDir: string): string | null {
  const kept = readKept(dataDir)
  const clusterDir = clusterDirOf(dataDir, kept)
  if (!clusterDir || !kept.port || !kept.password || !lockHolder(`${clusterDir}.lock`)) return null
  return urlOf(kept.port, kept.password)
}

/** Whether the folder has had a database before. */
export function hasDatabase(dataDir: string): boolean {
  return readKept(dataDir).made
}

function clusterDirOf(dataDir: string, { cluster }: Kept): string | null {
  return cluster === null ? null : path.resolve(dataDir, cluster)
}

/** @returns the password that the cluster has from now on */
async function makeReady(place: Place, kept: Kept, dataDir: string, fast: boolean, signal: AbortSignal) {
  const password = kept.password ?? randomBytes(24).toString('hex')
  const version = versionOf(place.clusterDir)
  if (version === null && kept.made) {
    throw new Refusal(
      `The database of ${dataDir} should be in ${place.clusterDir}, and is not there any more. Put a backup of it back, ` +
        `or delete ${path.join(dataDir, 'postgres.json')} to begin with an empty one.`,
    )
  }
  if (version === null) {
    await initialise(place, password, fast, signal)
  } else if (version !== MAJOR_VERSION) {
    throw new Refusal(
      `The database in ${place.clusterDir} was written by PostgreSQL ${version}; this is PostgreSQL ${MAJOR_VERSION}. ` +
        `Dump it with version ${version} and restore it here (pg_dump, psql), or choose another folder: DATA_DIR=/some/folder`,
    )
  } else if (kept.password === null) {
    await resetPassword(place, password, signal)
  }
  return password
}

function versionOf(clusterDir: string): string | null {
  try {
    return readFileSync(path.join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw explainFileError(error, clusterDir)
  }
  if (existsSync(clusterDir)) {
    throw new Refusal(`${clusterDir} is in the way of the database: it is no PostgreSQL cluster. Move it away.`)
  }
  return null
}

async function startUntilReady(
  place: Place,
  keptPort: number | null,
  password: string,
  log: LogFile,
  fast: boolean,
  signal: AbortSignal,
): Promise<{ postmaster: Postmaster; url: string; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted()
    const port = await freePort(keptPort)
    const url = urlOf(port, password)
    log.mark()
    const postmaster = startPostmaster(place, port, log.fd, fast)
    try {
      await untilReady(postmaster, url, signal)
      return { postmaster, url, port }
    } catch (error) {
      await postmaster.stop()
      if (signal.aborted || error instanceof Refusal) throw error
      const lines = log.tail(12)
      // Both pass by themselves: somebody took the port in between, or a killed server's last processes are still there.
      const passing = /could not bind|Address already in use|pre-existing shared memory block/.test(lines.join('\n'))
      if (!passing || attempt === ATTEMPTS) throw explainLog(place.clusterDir, lines, log.path)
      await wait(attempt * 200)
    }
  }
}

/** @throws when the server ends, when it takes too long, or when it refuses the password */
async function untilReady(postmaster: Postmaster, url: string, signal: AbortSignal): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => undefined,
    backoff: false,
  })
  const giveUpAt = Date.now() + START_LIMIT_MS
  try {
    for (;;) {
      signal.throwIfAborted()
      if (postmaster.hasEnded()) throw new Error('the server ended')
      try {
        await sql`select 1`
        return
      } catch (error) {
        const code = codeOf(error)
        if (code === '28P01') {
          throw new Refusal(
            'The database refuses the password in postgres.json. Delete the line "password" there; the next start sets a new one.',
          )
        }
        // 57P03: it is starting up, or repairing itself after it was killed.
        if (!['ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED', '57P03', 'CONNECT_TIMEOUT'].includes(code ?? ''))
          throw error
        if (Date.now() > giveUpAt) throw error
      }
      await wait(15)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function explainLog(clusterDir: string, lines: string[], logFile: string): Refusal {
  if (lines.some((line) => /No space left on device|Disk quota exceeded/i.test(line))) {
    return new Refusal(
      `The disk that holds the database in ${clusterDir} is full. Free some space (1 GB is a good start) and start again.`,
    )
  }
  return new Refusal(
    `The database in ${clusterDir} does not start. Its last lines (all of them: ${logFile}):\n` +
      `${lines.map((line) => `  ${line}`).join('\n')}\n` +
      'Put a backup of that folder back, or choose another data folder: DATA_DIR=/some/folder npm start',
  )
}

function urlOf(port: number, password: string): string {
  return `postgres://${DATABASE_NAME}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`
}

function readKept(dataDir: string): Kept {
  const { cluster, made, port, password } = readJson(path.join(dataDir, 'postgres.json'))
  return {
    cluster: typeof cluster === 'string' ? cluster : null,
    made: made === true,
    port: Number.isInteger(port) ? Number(port) : null,
    password: typeof password === 'string' && /^[0-9A-Za-z]+$/.test(password) ? password : null,
  }
}

function writeKept(dataDir: string, kept: Kept): void {
  if (!isDeepStrictEqual(readKept(dataDir), kept)) writeJson(path.join(dataDir, 'postgres.json'), kept)
}
