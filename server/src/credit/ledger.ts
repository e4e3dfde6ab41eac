/**
 * The ledger's operations: balance, an administrator's grant, expiry (gift.ts has the new-user gift), then the typed
 * functions of the SQL that they call. Each is one round trip, one transaction, idempotent. Grants of payments, freeze,
 * settle and release happen inside payment_receive, video_generate_all and video_apply.
 */

import postgres from 'postgres'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { idempotencyKeyReused, requestHash } from '../db/idempotency.ts'
import { countInEach, type Database } from '../db/parts.ts'
import { newId } from '../id.ts'

/**
 * Whole credits. `expiringSoon`: available credits that expire within 7 days. `clawedBack`: taken for refunds and by
 * administrators. `owed`: what refunds could not take back, because it is used or frozen.
 */
export type Balance = {
  available: number
  frozen: number
  used: number
  total: number
  expiringSoon: number
  expired: number
  clawedBack: number
  owed: number
}

const DAY_MS = 86_400_000
/** SQLSTATE class 23: integrity constraint violation. */
const CONSTRAINT_VIOLATION = /^23/

/** The balance now; expired credits are written off first. */
export async function balance({ sql, calls, now }: App, userId: string): Promise<Balance> {
  const at = now()
  const { isDue, ...read } = await calls.balance.add(userId, { user_id: userId }, at)
  return isDue ? await creditBalance(sql, { userId, now: at }) : read
}

export type Adjustment = {
  adminId: string
  userId: string
  credits: number
  expiryDays: number
  remark: string | null
  idempotencyKey: string | null
  requestId?: string | null
}

/**
 * An administrator's grant: a package of type SYSTEM_ADJUST.
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export async function adjust(
  { sql, now, config }: App,
  request: Adjustment,
): Promise<{ credits: number; expiryDate: Date; isReplay: boolean }> {
  const at = now()
  const { adminId, userId, credits, expiryDays, remark, idempotencyKey, requestId = null } = request
  const { outcome, initial, expiresAt } = await creditAdjust(sql, {
    userId,
    packageId: newId(at),
    credits,
    expiresAt: new Date(at.getTime() + expiryDays * DAY_MS),
    remark,
    adminId,
    idempotency: idempotencyKey
      ? { key: idempotencyKey, requestHash: requestHash({ userId, credits, expiryDays, remark }) }
      : null,
    requestId,
    collectsOwed: config.owed === 'collect',
    now: at,
  })
  switch (outcome) {
    case 'granted':
    case 'replayed':
      return { credits: initial, expiryDate: expiresAt, isReplay: outcome === 'replayed' }
    case 'key_reused':
      throw idempotencyKeyReused()
  }
}

/**
 * Writes off the expired credits of up to `batch` users of each part of the database. Returns the number of users
 * processed; a user whose rows violate a constraint is skipped and logged, so that the others need not wait for the
 * repair.
 */
export async function expireDue(
  app: Pick<App, 'now' | 'log'> & { database: Pick<Database, 'parts'> },
  batch = 500,
): Promise<number> {
  const { database, now, log } = app
  return countInEach(app, database.parts(), (sql) => expireDueOf({ sql, now, log }, batch))
}

async function expireDueOf({ sql, now, log }: Pick<App, 'sql' | 'now' | 'log'>, batch: number): Promise<number> {
  const at = now()
  let processed = 0
  // Keyset pagination: users that fail stay due, and must not fill the batches of those after them.
  let after: { userId: string; dueAt: Date } | undefined
  while (processed < batch) {
    const due: { userId: string; dueAt: Date }[] = await sql`
      select user_id, next_expiry_at as due_at
      from kinora.credit_account
      where next_expiry_at <= ${at} ${after ? sql`and (next_expiry_at, user_id) > (${after.dueAt}, ${after.userId})` : sql``}
      order by next_expiry_at, user_id
      limit ${batch - processed}
    `
    for (const { userId } of due) if (await expire({ sql, log }, { userId, now: at })) processed += 1
    after = due.at(-1)
    if (!after) break
  }
  return processed
}

/** Returns whether the user's rows allowed it. */
async function expire({ sql, log }: Pick<App, 'sql' | 'log'>, user: UserAt): Promise<boolean> {
  try {
    await creditLock(sql, user)
    return true
  } catch (err) {
    // Any other error concerns the database and therefore all users.
    if (!(err instanceof postgres.PostgresError && CONSTRAINT_VIOLATION.test(err.code))) throw err
    log.error(
      { err, userId: user.userId },
      'expired credits cannot be written off; "kinora verify" shows what is wrong',
    )
    return false
  }
}

/** A user and the time of the call, by the clock of the process. */
type UserAt = { userId: string; now: Date }

/** Opens the account if it is new and writes off what has expired. Returns the available credits. */
export async function creditLock(sql: Query, { userId, now }: UserAt): Promise<{ available: number }> {
  const { available } = await call(sql, 'credit_lock', { userId, now })
  return { available }
}

export async function creditBalance(sql: Query, { userId, now }: UserAt): Promise<Balance> {
  return await call(sql, 'credit_balance', { userId, now })
}

export type AdjustOutcome = {
  outcome: 'granted' | 'replayed' | 'key_reused'
  /** The package that the first request with this key created. */
  id: string
  initial: number
  expiresAt: Date
}

export async function creditAdjust(
  sql: Query,
  adjustment: UserAt & {
    packageId: string
    credits: number
    expiresAt: Date
    remark: string | null
    adminId: string
    idempotency: { key: string; requestHash: Buffer } | null
    requestId?: string | null
    collectsOwed?: boolean
    /** Of what an administrator gives by a code or an invitation. */
    source?: string
  },
): Promise<AdjustOutcome> {
  const { idempotency } = adjustment
  const adjusted = part(sql, 'credit_adjust', {
    userId: adjustment.userId,
    packageId: adjustment.packageId,
    credits: adjustment.credits,
    expiresAt: adjustment.expiresAt,
    now: adjustment.now,
    remark: adjustment.remark,
    adminId: adjustment.adminId,
    key: idempotency?.key ?? null,
    requestHash: idempotency?.requestHash ?? null,
    requestId: adjustment.requestId ?? null,
    collects: adjustment.collectsOwed ?? false,
    source: adjustment.source ?? null,
  })
  const [row] = await sql<[AdjustOutcome]>`
    select a.outcome, (a.package).id, (a.package).initial, (a.package).expires_at
    from ${adjusted} a
  `
  return row
}
