/** Notices about a balance: the user's threshold, and the sweep for credits that are about to expire. */

import type { App } from '../app.ts'
import type { Functions } from '../db/bindings.ts'
import { call } from '../db/call.ts'
import { inEach } from '../db/parts.ts'
import { NIL_UUID } from '../id.ts'
import { usage } from './usage.ts'

/** The same as `expiringSoon` of the balance. */
const EXPIRING_DAYS = 7
const BATCH = 500
const DAY_MS = 86_400_000

/** The threshold of available credits below which the user is notified; null: never. */
export async function lowCreditsOf({ sql }: App, userId: string): Promise<number | null> {
  const [row] = await sql<{ lowCredits: number | null }[]>`
    select low_credits from kinora.credit_account where user_id = ${userId}
  `
  return row?.lowCredits ?? null
}

/** @param lowCredits whole credits; null: never */
export async function setLowCredits({ sql, now }: App, userId: string, lowCredits: number | null): Promise<void> {
  await call(sql, 'credit_set_low', { userId, lowCredits, now: now() })
}

export type SpendingAlert = { day: number | null; week: number | null }

/** The credits of a day and of a week in UTC from which on an owner gets a mail; null: none. */
export async function spendingAlertOf({ sql }: App, userId: string): Promise<SpendingAlert> {
  const [rule] = await sql<SpendingAlert[]>`
    select day_credits as day, week_credits as week from kinora.spending_rule where user_id = ${userId}
  `
  return rule ?? { day: null, week: null }
}

export async function setSpendingAlert({ sql, now }: App, userId: string, { day, week }: SpendingAlert): Promise<void> {
  await call(sql, 'spending_alert_set', { userId, dayCredits: day, weekCredits: week, now: now() })
}

/**
 * Notifies owners whose films of this day or ISO week, of UTC, have cost what they set: once a period and number, by
 * the key of the mail. Only accounts that have moved since their last check are read.
 */
export async function notifySpending(app: App, signal?: AbortSignal): Promise<void> {
  const moved = (sql: App['sql']) =>
    sql<(SpendingAlert & { userId: string; movedAt: string })[]>`
      select r.user_id, r.day_credits as day, r.week_credits as week, a.moved_at::text as moved_at
      from kinora.spending_rule r
      join kinora.credit_account a on a.user_id = r.user_id and a.moved_at > r.checked_at
      where coalesce(r.day_credits, r.week_credits) is not null
      limit ${BATCH}
    `
  for await (const rules of inEach(app, app.database.parts(), moved)) {
    for (const { userId, movedAt, ...limits } of rules) {
      if (signal?.aborted) return
      await compareSpending(app, userId, limits)
      await app.sql`update kinora.spending_rule set checked_at = ${movedAt}::text::timestamptz where user_id = ${userId}`
    }
  }
}

async function compareSpending(app: App, userId: string, limits: SpendingAlert): Promise<void> {
  const now = app.now()
  const day = new Date(now.toISOString().slice(0, 10))
  const week = new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS)
  const days = await usage(app, userId, { by: 'day', since: week, until: new Date(day.getTime() + DAY_MS) })
  for (const [period, since] of [
    ['day', day],
    ['week', week],
  ] as const) {
    const limit = limits[period]
    const from = since.toISOString().slice(0, 10)
    const credits = days.reduce((sum, each) => sum + ((each.key ?? '') >= from ? each.credits : 0), 0)
    if (limit === null || credits < limit) continue
    const data = { period, credits, limit, since: from }
    await call(app.sql, 'mail_write_one', {
      userId,
      kind: 'credit.spent',
      key: `spent ${period} ${from} ${limit}`,
      data,
      now,
    })
  }
}

/** Notifies users of credits that expire within seven days, once a package. */
export async function notifyExpiring(app: App, signal?: AbortSignal): Promise<void> {
  for await (const _ of inEach(app, app.database.parts(), (sql) => notifyExpiringOf({ sql, now: app.now }, signal)));
}

async function notifyExpiringOf({ sql, now }: Pick<App, 'sql' | 'now'>, signal?: AbortSignal): Promise<void> {
  type Last = { lastAt: Date; lastUserId: string }
  for (let after: Last | null = { lastAt: new Date(0), lastUserId: NIL_UUID }; after !== null && !signal?.aborted; ) {
    const at = now()
    const until = new Date(at.getTime() + EXPIRING_DAYS * 86_400_000)
    const last: Functions['credit_notify_expiry']['result'] = await call(sql, 'credit_notify_expiry', {
      afterAt: after.lastAt,
      afterUserId: after.lastUserId,
      until,
      limit: BATCH,
      now: at,
    })
    after = last.lastAt && last.lastUserId ? { lastAt: last.lastAt, lastUserId: last.lastUserId } : null
  }
}
