/** Notices about a balance: the user's threshold, and the sweep for credits that are about to expire. */
import type { App } from '../app.ts'

/** As `expiringSoon` of the balance. */
const EXPIRING_DAYS = 7
const BATCH = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The threshold of available credits below which the user is notified; null: never. */
export async function lowCreditsOf({ sql }: App, userId: string): Promise<number | null> {
  const [row] = await sql<{ lowCredits: number | null }[]>`
    select low_credits from kinora.credit_account where user_id = ${userId}
  `
  return row?.lowCredits ?? null
}

/** @param lowCredits whole credits; null: never */
export async function setLowCredits({ sql, now }: App, userId: string, lowCredits: number | null): Promise<void> {
  await sql`select kinora.credit_set_low(p_user_id => ${userId}, p_low_credits => ${lowCredits}, p_now => ${now()})`
}

/** Notifies users of credits that expire within seven days, once a package. */
export async function notifyExpiring({ sql, now }: App, signal?: AbortSignal): Promise<void> {
  for (let after: string | null = FIRST_ID; after !== null && !signal?.aborted; ) {
    const at = now()
    const until = new Date(at.getTime() + EXPIRING_DAYS * 86_400_000)
    const [row]: { last: string | null }[] = await sql`
      select kinora.credit_notify_expiring(
        p_after_user_id => ${after}, p_until => ${until}, p_limit => ${BATCH}, p_now => ${at}
      ) as last
    `
    after = row?.last ?? null
  }
}
