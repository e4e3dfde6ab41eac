/**
 * The ledger check that an administrator starts while the service runs. It reads one snapshot of the database over its own
 * connection, so that no request waits for one of the pool; without parallel workers, so that it uses one CPU of the database;
 * and one at a time over all processes, by an advisory lock.
 */
import type { App } from '../app.ts'
import type { Difference } from '../credit/verify.ts'
import { openDb } from '../db.ts'
import { AppError } from '../errors.ts'

export type LedgerCheck = {
  /** Users whose accounts were checked. */
  users: number
  /** At most `DIFFERENCES_MAX`; empty when the ledger is consistent. */
  differences: Difference[]
  /** The number of all differences. */
  total: number
  checkedAt: Date
  durationMs: number
}

/** Key of a session-level advisory lock: an arbitrary number, the same in every process. */
export const LEDGER_CHECK_LOCK = 7_415_061_897
/** Below the usual response timeout of reverse proxies. */
const TIMEOUT_MS = 50_000
const DIFFERENCES_MAX = 500
const STATEMENT_CANCELLED = '57014'

/** @throws AppError CONFLICT while another check runs, UNAVAILABLE when it takes longer than `timeoutMs` */
export async function checkLedger(
  { config, now }: Pick<App, 'config' | 'now'>,
  timeoutMs: number = TIMEOUT_MS,
): Promise<LedgerCheck> {
  const checkedAt = now()
  const started = performance.now()
  const sql = openDb(config.databaseUrl, {
    connections: 1,
    name: `kinora ledger check ${config.processName}`,
    statementTimeoutMs: timeoutMs,
    parallel: false,
  })
  try {
    const [lock] = await sql<[{ taken: boolean }]>`select pg_try_advisory_lock(${LEDGER_CHECK_LOCK}) as taken`
    if (!lock.taken) {
      throw new AppError('CONFLICT', 'A check of the books is running already; wait for it to end.', { retryAfterS: 5 })
    }
    const found = await sql<(Difference & { total: number })[]>`
      select d.user_id, d.subject, d.rule, d.expected, d.found, count(*) over () as total
      from kinora.verify() d
      limit ${DIFFERENCES_MAX}
    `
    const [{ users }] = await sql<[{ users: number }]>`select count(*) as users from kinora.credit_account`
    return {
      users,
      differences: found.map(({ total: _, ...difference }) => difference),
      total: found[0]?.total ?? 0,
      checkedAt,
      durationMs: Math.round(performance.now() - started),
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === STATEMENT_CANCELLED)) throw error
    const limit = `${timeoutMs / 1000} seconds`
    const message = `The check took longer than ${limit} and was stopped; run "kinora verify" on the server instead.`
    throw new AppError('UNAVAILABLE', message)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
