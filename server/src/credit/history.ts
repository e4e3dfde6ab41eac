/** A user's credit history: one row per movement of available credits, newest first. */
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { filter, isPlain, matches, type QueryOf } from '../db/filter.ts'
import { by, codecs, type Keyset, keysetOf, type PageQuery } from '../db/page.ts'
import { filmOfTransaction, transactionJson } from '../db/pages.ts'
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

export const historyFilters = {
  transType: filter(
    Type.Enum([...TRANS_TYPES], {
      title: 'TransType',
      description:
        'Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:)',
    }),
    // Each is the condition of an index of its own.
    (sql, type) =>
      type === 'VIDEO_CONSUME'
        ? sql`trans_type = 'VIDEO_CONSUME'`
        : sql`trans_type = ${type} and trans_type <> 'VIDEO_CONSUME'`,
  ),
}
export type HistoryQuery = QueryOf<typeof historyFilters> & PageQuery & { prompts?: boolean }
/** `transactions`: a JSON array as text. */
type Page = { transactions: string; total: number; nextCursor: string | null }

const byNumber = by('n', 'n', codecs.number)

/**
 * Newest first; by `page` (from 1) or by `cursor`, the previous page's `nextCursor` (keyset pagination). `total` counts
 * all matching rows. Expired credits are written off first, so that the rows add up to the balance. `prompts`: each row
 * of a film has the beginning of its prompt.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function history(app: App, userId: string, query: HistoryQuery): Promise<Page> {
  const keyset = keysetOf(byNumber, query)
  if (isPlain(historyFilters, query)) return allRows(app, userId, query, keyset)
  await creditBalance(app.sql, { userId, now: app.now() })
  return matchingRows(app, userId, query, keyset)
}

/** A user's page; credits have to be written off before it, which is rare. */
async function allRows(
  app: App,
  userId: string,
  query: HistoryQuery,
  keyset: Keyset<'n'>,
  isWrittenOff = false,
): Promise<Page> {
  const { calls, now } = app
  const { pageSize, prompts = false } = query
  const page = { before: keyset.last?.[0] ?? null, skip: keyset.skip, page_size: pageSize, prompts }
  const row = await calls.history.add(userId, { user_id: userId, ...page }, now())
  if (row.isDue && !isWrittenOff) {
    await creditBalance(app.sql, { userId, now: now() })
    return allRows(app, userId, query, keyset, true)
  }
  const first = (row.last ?? 0) - pageSize + 1
  return {
    transactions: `[${row.rows ?? ''}]`,
    total: row.total ?? 0,
    nextCursor: keyset.nextCursor({ n: first }, first > 1),
  }
}

/**
 * Rows of one type, by an index of their own: only their numbers are read up to the page. The account's counters have
 * the total.
 */
async function matchingRows({ sql }: App, userId: string, query: HistoryQuery, keyset: Keyset<'n'>): Promise<Page> {
  const { transType, prompts = false } = query
  const counted = sql`
    select coalesce(sum(transactions), 0)::bigint from kinora.transaction_count
    where user_id = ${userId} ${transType === 'VIDEO_CONSUME' ? sql`` : sql`and ${matches(sql, historyFilters, query)}`}
  `
  const [found, [count]] = await Promise.all([
    sql<{ n: number; json: string }[]>`
      with page as materialized (
        select n from kinora.credit_transaction
        where user_id = ${userId} and ${matches(sql, historyFilters, query)} and ${keyset.isBehind(sql)}
        order by ${keyset.order(sql)}
        limit ${keyset.limit} offset ${keyset.skip}
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
    transType === 'VIDEO_CONSUME'
      ? sql<[{ total: number }]>`
          select coalesce(sum(transactions), 0)::bigint - (${counted}) as total
          from kinora.credit_account
          where user_id = ${userId}
        `
      : sql<[{ total: number }]>`select (${counted}) as total`,
  ])
  const { rows, nextCursor } = keyset.pageOf(found)
  return { transactions: `[${rows.map(({ json }) => json).join()}]`, total: count.total, nextCursor }
}
