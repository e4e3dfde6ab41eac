/** What a user has left and until when: the packages that still hold something, in the order they are consumed. */
import type { App } from '../app.ts'

/** Whole credits. A package whose time has passed is here only for what is still frozen in it. */
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

/** The user's packages with something remaining or frozen. What has expired is written off first. */
export async function packages({ sql, now }: App, userId: string): Promise<Package[]> {
  await sql`select from kinora.credit_balance(${userId}, ${now()})`
  return [
    ...(await sql<Package[]>`
      select id, trans_type, initial, remaining, frozen, order_no, expires_at, created_at
      from kinora.credit_package
      where user_id = ${userId} and (remaining > 0 or frozen > 0)
      order by expires_at, created_at, id
    `),
  ]
}
