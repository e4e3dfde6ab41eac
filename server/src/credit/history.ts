/**
 * The history of a user's credits: one row per movement of Available, newest first.
 */
import type { App } from '../app.ts'

export type Transaction = {
  id: string
  transNo: string
  transType: string
  credits: number
  balanceAfter: number
  videoUuid: string | null
  orderNo: string | null
  remark: string | null
  /** Of the credits of a video: `frozen`, `settled` or `released`; null on other rows. */
  state: string | null
  createdAt: Date
}

/** One page of a user's rows; `page` from 1. What has expired is written off first, so that the rows add up. */
export async function history(
  { sql, now }: App,
  userId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ transactions: Transaction[]; total: number }> {
  await sql`select from kinora.credit_balance(${userId}, ${now()})`
  // A user's rows are numbered without gaps, so the number of the newest is how many there are, and a page is a range
  // of the primary key however deep it lies.
  const [newest] = await sql<{ n: number }[]>`
    select n from kinora.credit_transaction where user_id = ${userId} order by n desc limit 1
  `
  const total = newest?.n ?? 0
  const last = total - (page - 1) * pageSize
  const transactions = await sql<Transaction[]>`
    select t.id, t.trans_no, t.trans_type, t.credits, t.balance_after, t.video_id as video_uuid, t.order_no, t.remark,
           h.state, t.created_at
    from kinora.credit_transaction t
    left join kinora.credit_hold h on h.user_id = t.user_id and h.id = t.video_id
    where t.user_id = ${userId} and t.n <= ${last} and t.n > ${last - pageSize}
    order by t.n desc
  `
  return { transactions: [...transactions], total }
}

export type Difference = { userId: string; subject: string; rule: string; expected: string; found: string }

/** Recomputes every balance from the rows and answers what differs: nothing, when the books are right. */
export async function verify({ sql }: Pick<App, 'sql'>): Promise<Difference[]> {
  return [...(await sql<Difference[]>`select * from kinora.verify()`)]
}
