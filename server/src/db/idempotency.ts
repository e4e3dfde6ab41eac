/**
 * Idempotency keys: what a request is recognised by, and deeds that are done once for a key. The key's row is written
 * in the statement of the deed (server/sql/idempotency.sql): a process that dies leaves both or neither, and a second
 * request with the key waits for the first one.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'
import { part } from './call.ts'
import type { Fragment, Query } from './db.ts'

/** The key of a request, as it is stored; `hash`: of the request. */
export type RequestKey = { userId: string; operation: string; key: string; hash: Buffer }

/** Thrown by a deed that an earlier request with the key has done: `id` is what that made. */
export class Repeated extends Error {
  readonly id: string
  constructor(id: string) {
    super('This request was done before.')
    this.id = id
  }
}

type Deed<Outcome extends string> = {
  id: string
  /** The outcome with which it was done; with every other one the key stays free. */
  done: Outcome
  now: Date
  /** SQL expression: what is written beside the deed, once it is done. */
  beside?: Fragment
  /** Whether it writes no user's rows, such as that of a team. */
  isOfNoUser?: true
}

/**
 * Does a deed, a SQL expression whose value is its outcome, unless a request with the key has done it.
 * @param key null: the deed is done in any case
 * @throws Repeated; AppError IDEMPOTENCY_KEY_REUSED
 */
export async function once<Outcome extends string>(
  sql: Query,
  key: RequestKey | null,
  deed: Fragment,
  { id, done, now, beside = sql`null::text`, isOfNoUser }: Deed<Outcome>,
): Promise<Outcome> {
  if (key === null) {
    const [row] = await sql<[{ outcome: Outcome }]>`
      with made as materialized (
        select ${deed} as outcome
      )
      select outcome, case outcome
               when ${done} then ${beside}
             end
      from made
    `
    return row.outcome
  }
  const { take, giveBack } = isOfNoUser ? besideKey(sql, key, id, now) : ownKey(sql, key, id, now)
  type Row = { taken: 'taken' | 'replayed' | 'key_reused'; subjectId: string; outcome: Outcome }
  const [row] = await sql<[Row]>`
    with key as materialized (
      select outcome, subject_id from ${take}
    ), made as materialized (
      select outcome as taken, subject_id, case outcome
               when 'taken' then ${deed}
             end as outcome
      from key
    )
    select taken, subject_id, outcome, case outcome
             when ${done} then ${beside}
           end, case
             when taken = 'taken' and outcome <> ${done} then ${giveBack}
           end
    from made
  `
  if (row.taken === 'key_reused') throw idempotencyKeyReused()
  if (row.taken === 'replayed') throw new Repeated(row.subjectId)
  return row.outcome
}

const ownKey = (sql: Query, { userId, operation, key, hash }: RequestKey, subjectId: string, now: Date) => ({
  take: part(sql, 'idempotency_take', {
    ...{ userId, operation, key, requestHash: hash, subjectUserId: userId, subjectId, now },
  }),
  giveBack: part(sql, 'idempotency_give_back', { userId, operation, key }),
})

const besideKey = (
  sql: Query,
  { userId: ownerId, operation, key, hash }: RequestKey,
  subjectId: string,
  now: Date,
) => ({
  take: part(sql, 'idempotency_take_beside', { ownerId, operation, key, requestHash: hash, subjectId, now }),
  giveBack: part(sql, 'idempotency_give_back_beside', { ownerId, operation, key }),
})

/** What a request with this key has made; null for a key that is free. @throws AppError IDEMPOTENCY_KEY_REUSED */
export async function findMade(sql: Query, { userId, operation, key, hash }: RequestKey): Promise<string | null> {
  const [row] = await sql<{ subjectId: string; isSame: boolean }[]>`
    select subject_id, request_hash = ${hash} as is_same
    from kinora.idempotency_key
    where user_id = ${userId} and operation = ${operation} and key = ${key}
  `
  if (!row) return null
  if (!row.isSame) throw idempotencyKeyReused()
  return row.subjectId
}

/** The SHA-256 of a request's validated values: the same values in another order on the wire are the same request. */
export const requestHash = (request: Record<string, unknown>): Buffer =>
  createHash('sha256').update(JSON.stringify(request, inOrder)).digest()

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

export const idempotencyKeyReused = () =>
  new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request; take a new one.')
