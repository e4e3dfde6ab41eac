/**
 * The movements of credits, one line each onto server/sql/credit.sql. Freeze, settle and release have no line here: they
 * happen inside the functions of server/sql/video.sql, together with the status they belong to.
 */
import { createHash } from 'node:crypto'
import postgres from 'postgres'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'

/** Whole credits. `expiringSoon`: available credits that expire within 7 days. */
export type Balance = { available: number; frozen: number; used: number; total: number; expiringSoon: number }

const DAY_MS = 86_400_000

/** The balance now; credits whose time has passed are written off first. */
export async function balance({ sql, now }: App, userId: string): Promise<Balance> {
  const [row] = await sql<[Balance]>`select * from kinora.credit_balance(${userId}, ${now()})`
  return row
}

/** Opens a new user's account and gives the gift of registration, once whatever happens. */
export async function welcome({ sql, now, config }: App, userId: string): Promise<void> {
  const at = now()
  const expiresAt = new Date(at.getTime() + config.newUserCreditsDays * DAY_MS)
  await sql`select kinora.credit_welcome(${userId}, ${newId(at)}, ${config.newUserCredits}, ${expiresAt}, ${at})`
}

export type Adjustment = {
  adminId: string
  userId: string
  credits: number
  expiryDays: number
  remark: string | null
  idempotencyKey: string | null
}

/**
 * An administrator's grant: a package of type SYSTEM_ADJUST.
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export async function adjust(app: App, request: Adjustment): Promise<{ credits: number; expiryDate: Date }> {
  const at = app.now()
  const { adminId, userId, credits, expiryDays, remark, idempotencyKey } = request
  const expiresAt = new Date(at.getTime() + expiryDays * DAY_MS)
  const [row] = await app.sql<[{ outcome: string; initial: number; expiresAt: Date }]>`
    select a.outcome, (a.package).initial, (a.package).expires_at
    from kinora.credit_adjust(
      ${userId}, ${newId(at)}, ${credits}, ${expiresAt}, ${at}, ${remark}, ${adminId}, ${idempotencyKey},
      ${requestHash({ userId, credits, expiryDays, remark })}
    ) a
  `
  if (row.outcome === 'key_reused') throw keyReused()
  return { credits: row.initial, expiryDate: row.expiresAt }
}

/**
 * Writes off what has expired of every user, a batch at a time. Answers how many users that was done for; a user whose
 * books do not allow it is left out and logged, so that nobody else has to wait for that to be mended.
 */
export async function expireDue({ sql, now, log }: Pick<App, 'sql' | 'now' | 'log'>, batch = 500): Promise<number> {
  const at = now()
  const due = await sql<{ userId: string }[]>`
    select user_id from kinora.credit_account where next_expiry_at <= ${at} limit ${batch}
  `
  let done = 0
  for (const { userId } of due) {
    try {
      await sql`select from kinora.credit_lock(${userId}, ${at})`
      done += 1
    } catch (err) {
      // Class 23: a constraint, the last line of defence. Anything else is trouble of the database, for all alike.
      if (!(err instanceof postgres.PostgresError && err.code.startsWith('23'))) throw err
      log.error({ err, userId }, 'what has expired cannot be written off; ask "kinora verify" what is wrong')
    }
  }
  return done
}

/** Forgets idempotency keys after two days; clients may rely on 24 hours. */
export async function forgetKeys({ sql, now }: App): Promise<void> {
  await sql`delete from kinora.idempotency_key where created_at < ${new Date(now().getTime() - 2 * DAY_MS)}`
}

/** What "the same body" means for an Idempotency-Key: the same checked values, whatever their order on the wire. */
export const requestHash = (request: Record<string, unknown>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest()

export const keyReused = () =>
  new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request; take a new one.')
