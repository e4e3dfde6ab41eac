/** A user's credit history: one row per movement of available credits, newest first. */
import type { App } from '../app.ts'
import { transactionJson } from '../db/pages.ts'
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

export type HistoryQuery = { page: number; pageSize: number; transType?: TransType; cursor?: string }
/** `transactions`: a JSON array as text. */
type Page = { transactions: string; total: number; nextCursor: string | null }

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

/** A user's page; credits have to be written off before it, which is rare. */
async function allRows(app: App, userId: string, range: Range, isWrittenOff = false): Promise<Page> {
  const { calls, now } = app
  const { before, skip, pageSize } = range
  const row = await calls.history.add(userId, { user_id: userId, before, skip, page_size: pageSize }, now())
  if (row.isDue && !isWrittenOff) {
    await writeOffExpired(app, userId)
    return allRows(app, userId, range, true)
  }
  const last = row.last ?? 0
  return {
    transactions: `[${row.rows ?? ''}]`,
    total: row.total ?? 0,
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
    sql<{ n: number; json: string }[]>`
      select t.n, ${transactionJson(sql)} as json
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
    transactions: `[${shown.map(({ json }) => json).join()}]`,
    total: count.total,
    nextCursor: rows.length > pageSize ? String(shown.at(-1)?.n) : null,
  }
}

/** A cursor is the number of the last row returned. @throws AppError INVALID_REQUEST */
function rowNumberOf(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor)
  throw unknownCursor()
}
