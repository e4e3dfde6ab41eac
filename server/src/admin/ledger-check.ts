/**
 * The check of the books that an administrator asks for while the service runs. It reads one moment of the database over a
 * connection of its own, so that no request waits for a place in the pool; without parallel workers, so that it takes one
 * processor of the database and no more; and one at a time, over all processes.
 */
import type { App } from '../app.ts'
import type { Difference } from '../credit/verify.ts'
import { openDb } from '../db.ts'
import { AppError } from '../errors.ts'

export type BooksCheck = {
  /** Users whose books were checked. */
  users: number
  /** What differs: nothing, when the books are right. At most `DIFFERENCES_MAX` of them. */
  differences: Difference[]
  /** How many differences there are. */
  total: number
  checkedAt: Date
  durationMs: number
}

/** Any number will do, as long as every process takes the same; it is held for as long as the connection is open. */
export const CHECK_LOCK = 7_415_061_897
/** Shorter than what proxies in front of a service are used to wait. */
const LIMIT_MS = 50_000
const DIFFERENCES_MAX = 500
const STATEMENT_CANCELLED = '57014'

/** @throws AppError CONFLICT while another check runs, UNAVAILABLE when it takes longer than `limitMs` */
export async function checkBooks(
  { config, now }: Pick<App, 'config' | 'now'>,
  limitMs: number = LIMIT_MS,
): Promise<BooksCheck> {
  const checkedAt = now()
  const started = performance.now()
  const sql = openDb(config.databaseUrl, {
    connections: 1,
    name: `kinora ledger check ${config.node}`,
    statementTimeoutMs: limitMs,
    parallel: false,
  })
  try {
    const [lock] = await sql<[{ taken: boolean }]>`select pg_try_advisory_lock(${CHECK_LOCK}) as taken`
    if (!lock.taken) {
      throw new AppError('CONFLICT', 'A check of the books is running already; wait for it to end.', { retryAfterS: 5 })
    }
    const found = await sql<(Difference & { total: number })[]>`
      select d.*, count(*) over () as total from kinora.verify() d limit ${DIFFERENCES_MAX}
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
    const limit = `${limitMs / 1000} seconds`
    const message = `The check took longer than ${limit} and was stopped; run "kinora verify" on the server instead.`
    throw new AppError('UNAVAILABLE', message)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
