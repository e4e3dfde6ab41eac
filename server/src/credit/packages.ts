/** A user's credit packages that are not used up, in the order in which they are consumed. */
import type { App } from '../app.ts'
import { creditBalance } from './ledger.ts'

/** Whole credits. An expired package is listed only while some of its credits are frozen. */
export type Package = {
  id: string
  transType: string
  initial: number
  remaining: number
  frozen: number
  orderNo: string | null
  expiresAt: Date
  createdAt: Date
}

/** The user's packages with remaining or frozen credits. Expired credits are written off first. */
export async function packages({ sql, now }: App, userId: string): Promise<Package[]> {
  await creditBalance(sql, { userId, now: now() })
  return [
    ...(await sql<Package[]>`
      select id, trans_type, initial, remaining, frozen, order_no, expires_at, created_at
      from kinora.credit_package
      where user_id = ${userId} and (remaining > 0 or frozen > 0)
      order by expires_at, created_at, id
    `),
  ]
}
