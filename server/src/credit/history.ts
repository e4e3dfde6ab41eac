/** A user's credit history: one row per movement of available credits, newest first. */
import type { App } from '../app.ts'
import { unknownCursor } from '../errors.ts'

export const TRANS_TYPES = [
  'NEW_USER',
  'ORDER_PAY',
  'SUBSCRIPTION',
  'VIDEO_CONSUME',
  'REFUND',
  'EXPIRED',
  'SYSTEM_ADJUST',
] as const
export type TransType = (typeof TRANS_TYPES)[number]

/** With `hash` and the other fields of kinora.history_text, the hash chain can be recomputed from what is returned. */
export type Transaction = {
  /** Number of the row among the user's, from 1. */
  n: number
  id: string
  transNo: string
  transType: TransType
  credits: number
  balanceAfter: number
  videoUuid: string | null
  orderNo: string | null
  remark: string | null
  /** State of the video's credit hold: `frozen`, `settled` or `released`; null on rows without a video. */
  state: string | null
  /** The package that was added or that the credits left; null on rows of videos. */
  packageId: string | null
  /** What was granted for, and when it expires: on rows of additions. */
  source: string | null
  expiresAt: Date | null
  /** The grace packages that a release made. */
  graces: Grace[] | null
  /** The administrator who caused it. */
  actorId: string | null
  /** SHA-256 over the hash of the row before and this row, in hexadecimal. */
  hash: string
  createdAt: Date
}
export type Grace = { packageId: string; credits: number; expiresAt: Date }
type StoredTransaction = Omit<Transaction, 'graces'> & {
  graces: [id: string, credits: number, expiresAtMs: number][] | null
}

const columns = (sql: App['sql']) => sql`
  t.n, t.id, t.trans_no, t.trans_type, t.credits, t.balance_after, t.video_id as video_uuid, t.order_no, t.remark, h.state,
  t.package_id, t.source, t.expires_at, t.graces, t.actor_id, coalesce(encode(t.hash, 'hex'), '') as hash, t.created_at
`

const toTransaction = (row: StoredTransaction): Transaction => ({
  ...row,
  graces:
    row.graces?.map(([packageId, credits, expiresAtMs]) => ({
      packageId,
      credits,
      expiresAt: new Date(expiresAtMs),
    })) ?? null,
})

export type HistoryQuery = { page: number; pageSize: number; transType?: TransType; cursor?: string }
type Page = { transactions: Transaction[]; total: number; nextCursor: string | null }

/**
 * Newest first; by `page` (from 1) or by `cursor`, the previous page's `nextCursor` (keyset pagination). `total` counts all
 * matching rows. Expired credits are written off first, so that the rows add up to the balance.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function history(
  app: App,
  userId: string,
  { page, pageSize, transType, cursor }: HistoryQuery,
): Promise<Page> {
  const before = cursor === undefined ? null : rowNumberOf(cursor)
  const skip = before === null ? (page - 1) * pageSize : 0
  if (transType === undefined) return allRows(app, userId, { before, skip, pageSize })
  await writeOffExpired(app, userId)
  return rowsOfType(app, userId, transType, { before, skip, pageSize })
}

async function writeOffExpired({ sql, now }: App, userId: string): Promise<void> {
  await sql`select from kinora.credit_balance(${userId}, ${now()})`
}

/** Rows with a number below `before`, without the newest `skip` of them. */
type Range = { before: number | null; skip: number; pageSize: number }

/**
 * A user's rows are numbered without gaps and the account has their number, so every page, however deep, is a range scan of
 * the primary key. One statement reads the page and whether credits have to be written off first, which is rare.
 */
async function allRows(
  app: App,
  userId: string,
  { before, skip, pageSize }: Range,
  isWrittenOff = false,
): Promise<Page> {
  const { sql, now } = app
  const result = await sql<(StoredTransaction & { total: number; isDue: boolean })[]>`
    select a.total, a.is_due, t.*
    from (
      select transactions as total, next_expiry_at <= ${now()} or ledger_version < 1 as is_due,
             ${before === null ? sql`transactions - ${skip}::bigint` : sql`least(transactions, ${before}::bigint - 1)`} as last
      from kinora.credit_account
      where user_id = ${userId}
    ) a
    left join lateral (
      select ${columns(sql)}
      from kinora.credit_transaction t
      left join kinora.credit_hold h on h.user_id = t.user_id and h.id = t.video_id
      where t.user_id = ${userId} and t.n <= a.last and t.n > a.last - ${pageSize}::bigint
    ) t on true
    order by t.n desc
  `
  const [first] = result
  if (first?.isDue && !isWrittenOff) {
    await writeOffExpired(app, userId)
    return allRows(app, userId, { before, skip, pageSize }, true)
  }
  const rows = result.filter(({ id }) => id !== null)
  const last = rows[0]?.n ?? 0
  return {
    transactions: rows.map(({ total, isDue, ...row }) => toTransaction(row)),
    total: first?.total ?? 0,
    nextCursor: last > pageSize ? String(last - pageSize + 1) : null,
  }
}

/** Rows of one type have gaps in their numbers, so the total needs a count and a page an offset. */
async function rowsOfType(
  { sql }: App,
  userId: string,
  transType: TransType,
  { before, skip, pageSize }: Range,
): Promise<Page> {
  const matching = sql`t.user_id = ${userId} and t.trans_type = ${transType}`
  const [rows, [count]] = await Promise.all([
    sql<StoredTransaction[]>`
      select ${columns(sql)}
      from kinora.credit_transaction t
      left join kinora.credit_hold h on h.user_id = t.user_id and h.id = t.video_id
      where ${matching} ${before === null ? sql`` : sql`and t.n < ${before}`}
      order by t.n desc
      limit ${pageSize + 1} offset ${skip}
    `,
    sql<[{ total: number }]>`select count(*) as total from kinora.credit_transaction t where ${matching}`,
  ])
  const shown = rows.slice(0, pageSize)
  return {
    transactions: shown.map(toTransaction),
    total: count.total,
    nextCursor: rows.length > pageSize ? String(shown.at(-1)?.n) : null,
  }
}

/** A cursor is the number of the last row returned. @throws AppError INVALID_REQUEST */
function rowNumberOf(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor)
  throw unknownCursor()
}
