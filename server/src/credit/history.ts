/** A user's credit history: one row per movement of available credits, newest first. */
import type { App } from '../app.ts'
import { filmOfTransaction, transactionJson } from '../db/pages.ts'
import { unknownCursor } from '../errors.ts'
import { creditBalance } from './ledger.ts'

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

export type HistoryQuery = { page: number; pageSize: number; transType?: TransType; cursor?: string; prompts?: boolean }
/** `transactions`: a JSON array as text. */
type Page = { transactions: string; total: number; nextCursor: string | null }

/**
 * Newest first; by `page` (from 1) or by `cursor`, the previous page's `nextCursor` (keyset pagination). `total` counts
 * all matching rows. Expired credits are written off first, so that the rows add up to the balance. `prompts`: each row
 * of a film has the beginning of its prompt.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function history(
  app: App,
  userId: string,
  { page, pageSize, transType, cursor, prompts = false }: HistoryQuery,
): Promise<Page> {
  const before = cursor === undefined ? null : rowNumberOf(cursor)
  const skip = before === null ? (page - 1) * pageSize : 0
  if (transType === undefined) return allRows(app, userId, { before, skip, pageSize, prompts })
  await creditBalance(app.sql, { userId, now: app.now() })
  return rowsOfType(app, userId, transType, { before, skip, pageSize, prompts })
}

/** Rows with a number below `before`, without the newest `skip` of them. */
type Range = { before: number | null; skip: number; pageSize: number; prompts: boolean }

/** A user's page; credits have to be written off before it, which is rare. */
async function allRows(app: App, userId: string, range: Range, isWrittenOff = false): Promise<Page> {
  const { calls, now } = app
  const { before, skip, pageSize, prompts } = range
  const row = await calls.history.add(userId, { user_id: userId, before, skip, page_size: pageSize, prompts }, now())
  if (row.isDue && !isWrittenOff) {
    await creditBalance(app.sql, { userId, now: now() })
    return allRows(app, userId, range, true)
  }
  const last = row.last ?? 0
  return {
    transactions: `[${row.rows ?? ''}]`,
    total: row.total ?? 0,
    nextCursor: last > pageSize ? String(last - pageSize + 1) : null,
  }
}

/** Rows of one type, by an index of their own: up to the page only numbers are read. Counters have the total. */
async function rowsOfType(
  { sql }: App,
  userId: string,
  transType: TransType,
  { before, skip, pageSize, prompts }: Range,
): Promise<Page> {
  const isConsume = transType === 'VIDEO_CONSUME'
  const matching = isConsume
    ? sql`trans_type = 'VIDEO_CONSUME'`
    : sql`trans_type = ${transType} and trans_type <> 'VIDEO_CONSUME'`
  const counted = sql`
    select coalesce(sum(transactions), 0)::bigint from kinora.transaction_count
    where user_id = ${userId} ${isConsume ? sql`` : sql`and trans_type = ${transType}`}
  `
  const [rows, [count]] = await Promise.all([
    sql<{ n: number; json: string }[]>`
      with page as materialized (
        select n from kinora.credit_transaction
        where user_id = ${userId} and ${matching} ${before === null ? sql`` : sql`and n < ${before}`}
        order by n desc
        limit ${pageSize + 1} offset ${skip}
      )
      select t.n, ${transactionJson(sql)} as json
      from page
      cross join lateral (
        select * from kinora.credit_transaction where user_id = ${userId} and n = page.n offset 0
      ) t
      left join lateral (
        select state, key_id from kinora.credit_hold where user_id = t.user_id and id = t.video_id offset 0
      ) h on true
      ${filmOfTransaction(sql, sql`${prompts}`)}
      order by t.n desc
    `,
    isConsume
      ? sql<[{ total: number }]>`
          select coalesce(sum(transactions), 0)::bigint - (${counted}) as total
          from kinora.credit_account
          where user_id = ${userId}
        `
      : sql<[{ total: number }]>`select (${counted}) as total`,
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
