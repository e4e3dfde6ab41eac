/**
 * The ledger's self-check, used by `kinora verify`, by administrators and by the tests. Large ledgers are checked in ranges of
 * users, each in a statement and therefore in a snapshot of its own: every rule compares the rows of one user (server/sql/verify.sql).
 */
import type { App } from '../app.ts'
import type { Sql } from '../db.ts'
import { adviceOf } from './advice.ts'

/** `advice`: what an operator does about it. */
export type Difference = {
  userId: string
  subject: string
  rule: string
  expected: string
  found: string
  advice: string
}
/** From the user `from` (included) to the user `to` (excluded, null: to the last one). */
export type UserRange = { from: string; to: string | null }
/** `nextUserId`: all users before it are checked; null when all are. */
export type RangeResult = UserRange & { users: number; differences: Difference[]; nextUserId: string | null }

export const FIRST_USER = '00000000-0000-0000-0000-000000000000'
/** History rows of a range: 100,000 take a second or two, which a standby's conflicts and an interrupt can wait for. */
const ROWS_PER_RANGE = 100_000
/** serialization_failure: a standby cancels a statement whose snapshot needs rows that the primary has vacuumed. */
const STANDBY_CONFLICT = '40001'
const TRIES_PER_RANGE = 5

type Options = {
  from?: string
  rowsPerRange?: number
  /** Ranges that are checked at the same time, each over its own connection of the pool. */
  connections?: number
  signal?: AbortSignal
  /** Of a distributed database its shards: a range has the users of all of them. Default: the database itself. */
  parts?: readonly Sql[]
  /** Called once for each range, one call at a time. */
  onRange: (result: RangeResult) => Promise<void> | void
}

/** Recomputes every balance from packages, holds and history. @returns the differences; empty when the ledger is consistent */
export async function verify({
  sql,
  distributed,
}: Pick<App, 'sql'> & Partial<Pick<App, 'distributed'>>): Promise<Difference[]> {
  const found: Difference[] = []
  for (const part of distributed?.all ?? [sql]) {
    const rows = await part<Omit<Difference, 'advice'>[]>`
      select user_id, subject, rule, expected, found from kinora.verify()
    `
    found.push(...rows.map(withAdvice))
  }
  return found
}

/**
 * Checks all users from `from` on, range by range. Reads only.
 * @returns the user to go on with after an abort; null when all users are checked
 */
export async function verifyInRanges(sql: Sql, options: Options): Promise<string | null> {
  const { from = FIRST_USER, rowsPerRange = ROWS_PER_RANGE, connections = 1, signal, parts = [sql], onRange } = options
  /** Starts of the ranges that are not finished, ascending: the first one is where to go on. */
  const unfinished: string[] = []
  let next: string | null = from
  let ends = Promise.resolve()
  let reports = Promise.resolve()

  const takeRange = async (): Promise<UserRange | null> => {
    const before = ends
    const { promise, resolve } = Promise.withResolvers<void>()
    ends = promise
    await before
    try {
      if (next === null || signal?.aborted) return null
      const range: UserRange = { from: next, to: await endOfRange(parts, next, rowsPerRange) }
      unfinished.push(range.from)
      next = range.to
      return range
    } finally {
      resolve()
    }
  }
  const runLane = async () => {
    for (let range = await takeRange(); range; range = await takeRange()) {
      const result = await checkParts(parts, range, signal)
      if (!result) return
      unfinished.splice(unfinished.indexOf(range.from), 1)
      const nextUserId = unfinished[0] ?? next
      reports = reports.then(() => onRange({ ...range, ...result, nextUserId }))
      await reports
    }
  }
  await Promise.all(Array.from({ length: connections }, runLane))
  return unfinished[0] ?? next
}

/** By the rows of the first part: a hash divides the users, so the others have about as many. */
async function endOfRange([sql, ...others]: readonly Sql[], from: string, rows: number): Promise<string | null> {
  const rowsOfPart = Math.ceil(rows / (1 + others.length))
  if (!sql) return null
  const [row] = await sql<{ end: string | null }[]>`select kinora.verify_range_end(${from}, ${rowsOfPart}) as end`
  return row?.end ?? null
}

async function checkParts(parts: readonly Sql[], range: UserRange, signal?: AbortSignal) {
  const all = { users: 0, differences: [] as Difference[] }
  for (const part of parts) {
    const result = await checkRange(part, range, signal)
    if (!result) return null
    all.users += result.users
    all.differences.push(...result.differences)
  }
  return all
}

/** @returns null when it was aborted */
async function checkRange(sql: Sql, range: UserRange, signal?: AbortSignal) {
  for (let tries = 1; ; tries++) {
    // Unprepared, so that the plan is made for this range: a generic one cannot tell a range from the whole ledger.
    const query = sql.unsafe<Omit<Difference, 'advice'>[]>(
      'select user_id, subject, rule, expected, found from kinora.verify($1::uuid, $2::uuid)',
      [range.from, range.to],
    )
    const cancel = () => query.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const found = await query
      const [count] = await sql<[{ users: number }]>`
        select count(*) as users
        from kinora.credit_account
        where user_id >= ${range.from} and (${range.to}::uuid is null or user_id < ${range.to})
      `
      return { users: count.users, differences: found.map(withAdvice) }
    } catch (error) {
      if (signal?.aborted) return null
      const isConflict = error instanceof Error && 'code' in error && error.code === STANDBY_CONFLICT
      if (!isConflict || tries === TRIES_PER_RANGE) throw error
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
}

const withAdvice = (difference: Omit<Difference, 'advice'>): Difference => ({
  ...difference,
  advice: adviceOf(difference.rule),
})
