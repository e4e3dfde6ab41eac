/** What users have paid, for administrators. */
import type { App } from '../app.ts'
import { type Subscription, subscriptionsOf } from '../payment/billing.ts'
import { getUser } from './users.ts'

/** What a user paid; amounts are without tax, in the currency's smallest unit. */
export type UserPayment = {
  processor: string
  orderNo: string
  remark: string
  currency: string
  received: number
  /** What of it was refunded or disputed since. */
  returned: number
  /** What it granted. */
  credits: number
  at: Date
}

const PAYMENTS_MAX = 100

/** The latest ones first, at most PAYMENTS_MAX of each. @throws AppError NOT_FOUND */
export async function paymentsOf(
  app: App,
  userId: string,
): Promise<{ subscriptions: Subscription[]; payments: UserPayment[] }> {
  const { id } = await getUser(app, userId)
  const [subscriptions, payments] = await Promise.all([
    subscriptionsOf(app, id, PAYMENTS_MAX),
    app.sql<UserPayment[]>`
      select processor, order_no, remark, upper(currency) as currency, round(money)::float8 as received,
             round(money * (1 - kept))::float8 as returned, granted as credits, at
      from kinora.payment
      where user_id = ${id}
      order by at desc, source desc, part
      limit ${PAYMENTS_MAX}
    `,
  ])
  return { subscriptions: [...subscriptions], payments: [...payments] }
}
