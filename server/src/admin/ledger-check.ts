/**
 * Recorded runs of the ledger check: started by an administrator in the background of an API process, or by `kinora
 * verify --record`. The row of a run is a lease: one run at a time over all processes, and a run whose process died is
 * taken over after a minute. A run of an API process has its own connection, so that no request waits for one of the
 * pool, without parallel workers, so that it uses one CPU of the database.
 */

import type { App } from '../app.ts'
import { type Config, sessionUrl } from '../config/config.ts'
import { type Books, type Difference, type RangeResult, type UserRange, verifyInRanges } from '../credit/verify.ts'
import { call, part } from '../db/call.ts'
import { openDatabase } from '../db/database.ts'
import type { Sql } from '../db/db.ts'
import type { Database } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'

export type LedgerCheckRun = {
  id: string
  /** 'finished': all users are checked. 'abandoned': its process died. */
  state: 'running' | 'finished' | 'stopped' | 'failed' | 'abandoned'
  startedAt: Date
  finishedAt: Date | null
  /** Accounts when it started, and checked so far. */
  usersTotal: number
  users: number
  /** The first 500. */
  differences: Difference[]
  /** The number of all differences. */
  total: number
  error: string | null
}

/** Renews the lease during a long range; a third of the lease (ledger_check_lease). */
const RENEW_EVERY_MS = 20_000

/** The run in progress and the last one that has ended. */
export async function readLedgerChecks({
  sql,
}: Pick<App, 'sql'>): Promise<{ running: LedgerCheckRun | null; last: LedgerCheckRun | null }> {
  const [running] = await sql<LedgerCheckRun[]>`
    select ${columns(sql)} from kinora.ledger_check_run
    where state = 'running' and updated_at >= now() - ${part(sql, 'ledger_check_lease', {})}
  `
  const [last] = await sql<LedgerCheckRun[]>`
    select ${columns(sql)} from kinora.ledger_check_run where state <> 'running' order by started_at desc limit 1
  `
  return { running: running ?? null, last: last ?? null }
}

/** Starts runs in the background of a process. `stop` ends the one in progress, at a graceful shutdown. */
export function openLedgerChecks(app: App) {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  return {
    /** @throws AppError CONFLICT while another run is in progress in any process */
    start: async (adminId: string): Promise<LedgerCheckRun> => {
      const run = await startRun(app.sql, adminId)
      running = runInBackground(app, run, stopping.signal)
      return run
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Never rejects: no caller awaits it before the shutdown, and an unhandled rejection would end the process. */
async function runInBackground(app: App, run: LedgerCheckRun, signal: AbortSignal): Promise<void> {
  const { config, log, sql } = app
  try {
    const books = await openBooks(config, { connections: 2, name: `kinora ledger check ${config.processName}` })
    try {
      await recordRun(books, run, { signal })
    } finally {
      await books.close()
    }
  } catch (err) {
    log.error({ err, run: run.id }, 'the check of the books failed')
    // The run could not record this itself without a connection of its own; of a run that has ended it changes nothing.
    await recordFailure(sql, run.id, err)
  }
}

/** Connections for a check. */
export const openBooks = (config: Config, options: { connections: number; name: string }): Promise<Database> =>
  openDatabase(sessionUrl(config), { ...options, statementTimeoutMs: 0, parallel: false })

/** @throws AppError CONFLICT while another run is in progress */
export async function startRun(sql: Sql, adminId: string | null): Promise<LedgerCheckRun> {
  const [run] = await sql<LedgerCheckRun[]>`
    select ${columns(sql)}
    from ${part(sql, 'ledger_check_start', { id: newId(new Date()), startedBy: adminId })}
    where id is not null
  `
  if (run) return run
  throw new AppError('CONFLICT', 'A check of the books is running already; wait for it to end.', { retryAfterS: 5 })
}

/**
 * Checks all users and records progress and differences in the row of a run.
 * @returns the users who are not checked when it was stopped
 */
export async function recordRun(
  database: Books,
  { id }: Pick<LedgerCheckRun, 'id'>,
  options: {
    signal?: AbortSignal
    connections?: number
    /** Called with each range; returns further differences of it. */
    onRange?: (result: RangeResult) => Promise<Difference[]>
  } = {},
): Promise<UserRange[]> {
  const { sql } = database
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, ...(options.signal ? [options.signal] : [])])
  const progress = async (users: number, found: Difference[], state: Progress['state'] = 'running') => {
    const hasLease = await ledgerCheckProgress(sql, { id, users, differences: found, state })
    if (!hasLease) lost.abort()
  }
  const renewal = setInterval(() => progress(0, []).catch(() => undefined), RENEW_EVERY_MS)
  try {
    const rest = await verifyInRanges(database, {
      ...(options.connections ? { connections: options.connections } : {}),
      signal,
      onRange: async (result) => {
        const more = (await options.onRange?.(result)) ?? []
        await progress(result.users, [...result.differences, ...more])
      },
    })
    await progress(0, [], rest.length === 0 ? 'finished' : 'stopped')
    return rest
  } catch (error) {
    await recordFailure(sql, id, error)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Ends a run that still has its lease as failed. Without a database the lease ends it. */
async function recordFailure(sql: Sql, id: string, cause: unknown): Promise<void> {
  const error = cause instanceof Error ? cause.message : String(cause)
  const failure = { id, users: 0, differences: [], state: 'failed' as const, error }
  await ledgerCheckProgress(sql, failure).catch(() => undefined)
}

/** Adds to the run; a state other than 'running' ends it. */
type Progress = {
  id: string
  users: number
  differences: Partial<Difference>[]
  state: 'running' | 'finished' | 'stopped' | 'failed'
  error?: string | null
}

/** @returns whether the run still has its lease; without it nothing is recorded */
export async function ledgerCheckProgress(sql: Sql, progress: Progress): Promise<boolean> {
  return await call(sql, 'ledger_check_progress', {
    id: progress.id,
    users: progress.users,
    differences: progress.differences,
    state: progress.state,
    error: progress.error ?? null,
  })
}

const columns = (sql: Sql) => sql`id, state, started_at, finished_at, users_total, users, differences, total, error`
