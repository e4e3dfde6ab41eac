/**
 * The clock of this process against the database's, which is the judge. A process whose clock is wrong would write off
 * credits and give up videos too early, or too late: the database refuses a time that is ahead (server/sql/clock.sql),
 * the worker claims nothing, and `/readyz` reports it.
 */

import type { Logger } from 'pino'
import { part } from './call.ts'
import type { Query } from './db.ts'

type Clock = { sql: Query; now: () => Date }

/** SQLSTATE of a call that the database refused because its time is ahead. */
export const CLOCK_AHEAD = 'KN001'
const CHECK_EVERY_MS = 5_000
const LOG_EVERY_MS = 60_000

/** @throws Error that names the difference when the clock differs by more than kinora.clock_limit(), two minutes */
export async function checkClock({ sql, now }: Clock): Promise<void> {
  const sentMs = now().getTime()
  const [{ databaseMs, limitMs }] = await sql<[{ databaseMs: number; limitMs: number }]>`
    select extract(epoch from clock_timestamp())::double precision * 1000 as database_ms,
           extract(epoch from ${part(sql, 'clock_limit', {})})::double precision * 1000 as limit_ms
  `
  const receivedMs = now().getTime()
  // The database read its clock between the two, so a slow response is no difference.
  const aheadMs = Math.max(sentMs - databaseMs, 0)
  const behindMs = Math.max(databaseMs - receivedMs, 0)
  if (Math.max(aheadMs, behindMs) <= limitMs) return
  const difference =
    aheadMs > 0 ? `${Math.round(aheadMs / 1000)} s ahead of` : `${Math.round(behindMs / 1000)} s behind`
  throw new ClockError(`the clock of this machine is ${difference} the database's; synchronise it (NTP)`)
}

export class ClockError extends Error {}

/**
 * Returns a function that tells whether the clock is right, checked every five seconds at most. While it is wrong an
 * error is logged once a minute. A failed query throws.
 * @param judge the database whose clock is asked
 */
export function openClockGuard(app: Clock & { log: Logger }, judge = () => app.sql): () => Promise<boolean> {
  const { log } = app
  let check: Promise<boolean> | null = null
  let checkedMs = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  const isRight = async (): Promise<boolean> => {
    try {
      await checkClock({ ...app, sql: judge() })
      if (loggedMs > Number.NEGATIVE_INFINITY) log.info('the clock of this machine is right again')
      loggedMs = Number.NEGATIVE_INFINITY
      return true
    } catch (error) {
      if (!(error instanceof ClockError)) throw error
      if (performance.now() - loggedMs >= LOG_EVERY_MS) {
        log.error(`${error.message}. This process claims no videos and expires no credits until then`)
        loggedMs = performance.now()
      }
      return false
    }
  }
  return () => {
    if (check === null || performance.now() - checkedMs >= CHECK_EVERY_MS) {
      checkedMs = performance.now()
      check = isRight()
      check.catch(() => {
        check = null
      })
    }
    return check
  }
}
