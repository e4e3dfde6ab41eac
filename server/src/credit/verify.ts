/**
 * The ledger's self-check, used by `kinora verify`, by administrators and by the tests. Large ledgers are checked in
 * ranges of users, each in a statement and therefore in a snapshot of its own: a rule compares rows of one user, or an
 * administrator's idempotency key with the row of another user, which are written in one transaction
 * (server/sql/verify.sql).
 */

import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { call } from '../db/call.ts'
import type { Sql } from '../db/db.ts'
import type { Database } from '../db/parts.ts'
import { NIL_UUID } from '../id.ts'
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
/** The users from `from` (included) to `to` (excluded, null: to the last one). */
export type UserRange = { from: string; to: string | null }
export type RangeResult = UserRange & { users: number; differences: Difference[] }

/** History rows of a range: 100,000 take a second or two, which a standby's conflicts and an interrupt can wait for. */
const ROWS_PER_RANGE = 100_000
/** serialization_failure: a standby cancels a statement whose snapshot needs rows that the primary has vacuumed. */
const STANDBY_CONFLICT = '40001'
const TRIES_PER_RANGE = 5

/** What of a database has the books. */
export type Books = Pick<Database, 'sql' | 'allParts' | 'payments'>

type Options = {
  /** The users to check; all when left out. */
  only?: readonly UserRange[]
  rowsPerRange?: number
  /** Ranges that are checked at the same time, each over its own connection of the pool. */
  connections?: number
  signal?: AbortSignal
  /** Called once for each range, one call at a time. */
  onRange: (result: RangeResult) => Promise<void> | void
}

/** Recomputes each balance from packages, holds, history. @returns the differences; empty: a consistent ledger */
export async function verify({ allParts, payments }: Pick<Books, 'allParts' | 'payments'>): Promise<Difference[]> {
  // Not `push(...)`: a hundred thousand differences as arguments exceed the stack.
  let found: Difference[] = []
  for (const part of allParts) {
    const rows = await call(part, 'verify', {})
    found = found.concat((rows as Omit<Difference, 'advice'>[]).map(withAdvice))
    await checkSums(part, (differences) => {
      found = found.concat(differences)
    })
  }
  if (!payments) return found
  return found.concat((await checkPayments(payments, { from: NIL_UUID, to: null })) ?? [])
}

/**
 * Checks users range by range. A range has the users of all parts. Reads only.
 * @returns the users who are not checked after an abort
 */
export async function verifyInRanges({ allParts, payments }: Books, options: Options): Promise<UserRange[]> {
  const { rowsPerRange = ROWS_PER_RANGE, connections = 1, signal, onRange } = options
  const waiting = [...(options.only ?? [EVERYBODY])]
  const unfinished: UserRange[] = []
  if (!options.only)
    for (const part of allParts)
      await checkSums(part, (differences) => onRange({ ...NOBODY, users: 0, differences }), signal)
  let reports = Promise.resolve()

  async function* ranges(): AsyncGenerator<UserRange> {
    for (let whole = waiting[0]; whole && !signal?.aborted; whole = waiting[0]) {
      const end = await endOfRange(allParts, whole.from, rowsPerRange)
      const isLast = end === null || (whole.to !== null && end >= whole.to)
      const range = { from: whole.from, to: isLast ? whole.to : end }
      if (isLast) waiting.shift()
      else waiting[0] = { from: end, to: whole.to }
      unfinished.push(range)
      yield range
    }
  }
  await forEachConcurrently(ranges(), connections, async (range) => {
    const result = await checkRange(allParts, payments, range, signal)
    if (!result) return
    unfinished.splice(unfinished.indexOf(range), 1)
    reports = reports.then(() => onRange({ ...range, ...result }))
    await reports
  })
  return [...unfinished, ...waiting]
}
const EVERYBODY: UserRange = { from: NIL_UUID, to: null }

/** Checks the sums of all users, each day in a statement, and with the first of a month those of the month. */
async function checkSums(
  part: Sql,
  onDay: (differences: Difference[]) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const [state] = await part<{ since: string; until: string }[]>`
    select since::text as since, until::text as until from kinora.film_sum_state
  `
  for (let day = state?.since; state && day && day < state.until && !signal?.aborted; ) {
    const next = dayText(Date.parse(day) + DAY_MS)
    const found = await readOf<Omit<Difference, 'advice'>>(part, FILM_SUMS, [day, next], signal)
    if (found) await onDay(found.map(withAdvice))
    day = next
  }
}
const DAY_MS = 86_400_000
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const NOBODY: UserRange = { from: NIL_UUID, to: NIL_UUID }
const FILM_SUMS = `
  select user_id, subject, rule, expected, found from kinora.verify_film_sum(p_since => $1::text::date, p_until => $2::text::date)
`

/** Estimated by the rows of the first part: a hash divides the users, so the others have about as many. */
async function endOfRange([sql, ...others]: readonly Sql[], from: string, rows: number): Promise<string | null> {
  const rowsOfPart = Math.ceil(rows / (1 + others.length))
  if (!sql) return null
  return await call(sql, 'verify_range_end', { from, rows: rowsOfPart })
}

/** @returns null when it was aborted */
async function checkRange(
  parts: readonly Sql[],
  payments: Database['payments'],
  range: UserRange,
  signal?: AbortSignal,
) {
  const all = { users: 0, differences: [] as Difference[] }
  for (const part of parts) {
    const found = await compare(part, 'verify', range, signal)
    const counted = await readOf<{ users: number }>(part, COUNT_USERS, [range.from, range.to], signal)
    if (!found || !counted) return null
    all.differences = all.differences.concat(found)
    for (const { users } of counted) all.users += users
  }
  if (payments) {
    const found = await checkPayments(payments, range, signal)
    if (!found) return null
    all.differences = all.differences.concat(found)
  }
  return all
}

/**
 * The rules of payments where these are not with their users. A payment that commits meanwhile looks like a difference:
 * what is found counts when it is found again after every transaction that was under way by then has ended.
 * @returns null when it was aborted
 */
async function checkPayments(
  { sql, transactionsEnded }: NonNullable<Database['payments']>,
  range: UserRange,
  signal?: AbortSignal,
): Promise<Difference[] | null> {
  const first = await compare(sql, 'verify_payment', range, signal)
  if (!first || first.length === 0) return first
  await transactionsEnded(signal)
  const second = await compare(sql, 'verify_payment', range, signal)
  const keys = new Set(first.map((difference) => JSON.stringify(difference)))
  return second?.filter((difference) => keys.has(JSON.stringify(difference))) ?? null
}

/** @returns null when it was aborted */
async function compare(sql: Sql, rules: 'verify' | 'verify_payment', range: UserRange, signal?: AbortSignal) {
  const text = `select user_id, subject, rule, expected, found from kinora.${rules}(p_from => $1::uuid, p_to => $2::uuid)`
  const found = await readOf<Omit<Difference, 'advice'>>(sql, text, [range.from, range.to], signal)
  return found?.map(withAdvice) ?? null
}

const COUNT_USERS = `
  select count(*) as users from kinora.credit_account where user_id >= $1::uuid and ($2::uuid is null or user_id < $2::uuid)
`

/** @returns null when it was aborted */
async function readOf<Row extends object>(
  sql: Sql,
  text: string,
  range: [from: string, to: string | null],
  signal?: AbortSignal,
): Promise<Row[] | null> {
  for (let tries = 1; ; tries++) {
    if (signal?.aborted) return null
    // Unprepared, so that the plan is made for this range: a generic one cannot tell a range from the whole ledger.
    const query = sql.unsafe<Row[]>(text, range)
    const cancel = () => query.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await query
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
