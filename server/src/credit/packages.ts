/** A user's credit packages that are not used up, in the order in which they are consumed. */
import type { App } from '../app.ts'
import { codecs, type PageQuery, readCountedPage } from '../db/page.ts'
import { creditBalance } from './ledger.ts'

/** Whole credits. An expired package is listed only while some of its credits are frozen. */
export type Package = {
  id: string
  transType: string
  initial: number
  remaining: number
  frozen: number
  orderNo: string | null
  source: string
  expiresAt: Date
  createdAt: Date
}

/**
 * The user's packages with remaining or frozen credits. Expired credits are written off first.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function packages({ sql, now }: Pick<App, 'sql' | 'now'>, userId: string, query: PageQuery) {
  await creditBalance(sql, { userId, now: now() })
  const { rows, ...page } = await readCountedPage(sql, query, {
    // The index `credit_package_fifo` has the packages in this sequence.
    sequence: {
      columns: [
        { sql: 'expires_at', field: 'expiresAt', codec: codecs.time },
        { sql: 'created_at', field: 'createdAt', codec: codecs.time },
        { sql: 'id', field: 'id', codec: codecs.uuid },
      ],
      isAscending: true,
    },
    where: () => sql`(remaining > 0 or frozen > 0)`,
    rows: (_, { where, order, limit }) => sql<Package[]>`
      select id, trans_type, initial, remaining, frozen, order_no, source, expires_at, created_at
      from kinora.credit_package
      where user_id = ${userId} and ${where}
      order by ${order}
      limit ${limit}
    `,
    count: (_, where) => sql<{ total: number }[]>`
      select count(*) as total from kinora.credit_package where user_id = ${userId} and ${where}
    `,
  })
  return { packages: rows, ...page }
}
