/** Notices about a balance: the user's threshold, and the sweep for credits that are about to expire. */

import type { App } from '../app.ts'
import type { Functions } from '../db/bindings.ts'
import { call } from '../db/call.ts'
import { inEach } from '../db/parts.ts'
import { NIL_UUID } from '../id.ts'

/** The same as `expiringSoon` of the balance. */
const EXPIRING_DAYS = 7
const BATCH = 500

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
