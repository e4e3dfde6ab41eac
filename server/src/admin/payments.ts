/** What users have paid, and their subscriptions, for administrators: of one user, and a search over all. */

import { Type } from 'typebox'
import type { App } from '../app.ts'
import { processorNames } from '../config/processors.ts'
import { part } from '../db/call.ts'
import type { Fragment, Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, codecs, type PageQuery, readPage } from '../db/page.ts'
import { likePattern } from '../db/video-filters.ts'
import { firstIdOf, isUuid } from '../id.ts'
import { type Subscription, subscriptionColumns, subscriptionsOf } from '../payment/billing.ts'
import { requireOwner, withOwners } from './owner.ts'
import { type Period, type PeriodQuery, periodOf } from './period.ts'

/** What a user paid; amounts are without tax, in the currency's smallest unit. */
export type UserPayment = {
  /** The processor and its order. */
  id: string
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

export const userPaymentColumns = (sql: Query): Fragment => sql`
  p.source as id, p.processor, p.order_no, p.remark, upper(p.currency) as currency, round(p.money)::float8 as received,
  round(p.money * (1 - p.kept))::float8 as returned, p.granted as credits, p.at
`

const PAYMENTS_MAX = 100

/** The latest ones first, at most PAYMENTS_MAX of each. @throws AppError NOT_FOUND */
export async function paymentsOf(
  app: App,
  userId: string,
): Promise<{ subscriptions: Subscription[]; payments: UserPayment[] }> {
  const id = await requireOwner(app, userId)
  const [subscriptions, payments] = await Promise.all([
    subscriptionsOf(app, id, PAYMENTS_MAX),
    app.sql<UserPayment[]>`
      select ${userPaymentColumns(app.sql)}
      from kinora.payment p
      where user_id = ${id}
      order by at desc, source desc, part
      limit ${PAYMENTS_MAX}
    `,
  ])
  return { subscriptions: [...subscriptions], payments: [...payments] }
}

/** Whether a payment, or a part of it, was refunded or disputed. */
export const PAYMENT_STATES = ['kept', 'returned_in_part', 'returned'] as const
type Context = { period: Period; found: Found | null }
type Condition<Value> = (sql: Query, value: Value, text: string) => Fragment
/** The filters of a search over all users. */
const searchFilters = (isWithin: Condition<Period>, isFound: Condition<Found>) => ({
  q: filter(
    Type.String({
      maxLength: 200,
      description:
        'A user id, a processor’s id (of an order, invoice, charge, customer or subscription), or a part of an e-mail address or of the name of a user or team, which finds 100 users and 100 teams at most',
    }),
    (sql, q, { found }: Context) => (found ? isFound(sql, found, q.trim()) : sql`true`),
  ),
  from: filter(
    Type.String({ format: 'date', description: 'First day, in the operator’s time zone; without both, all time' }),
    (sql, day, { period }: Context) => isWithin(sql, period, day),
  ),
  to: filter(
    Type.String({ format: 'date', description: 'Last day; default: today. At most 366 days' }),
    (sql, day, { period }: Context) => isWithin(sql, period, day),
  ),
})
const contextOf = async (app: App, query: PeriodQuery & { q?: string }): Promise<Context> => ({
  period: periodOf(query, app.now(), app.config.site.timeZone),
  found: await findOwners(app, query.q?.trim() ?? ''),
})

const byState: Record<(typeof PAYMENT_STATES)[number], (sql: Query) => Fragment> = {
  kept: (sql) => sql`p.kept = 1`,
  returned_in_part: (sql) => sql`p.kept > 0 and p.kept < 1`,
  returned: (sql) => sql`p.kept = 0`,
}
export const paymentFilters = {
  ...searchFilters(
    (sql, [since, until]) => sql`p.at >= ${since} and p.at < ${until}`,
    (sql, { users, payers, sources }) => sql`
      (p.user_id = any(${users}::uuid[]) or p.source = any(${sources}) and p.user_id = any(${payers}::uuid[]))
    `,
  ),
  state: filter(
    Type.Enum([...PAYMENT_STATES], { description: 'Whether it, or a part, was refunded or disputed' }),
    (sql, state) => byState[state](sql),
  ),
}

/**
 * Payments of all users, the latest first; without a period those of all time. Not counted.
 * @throws AppError INVALID_REQUEST for an invalid period or cursor
 */
export async function listPayments(app: App, query: QueryOf<typeof paymentFilters> & PageQuery) {
  const { sql } = app
  const context = await contextOf(app, query)
  const { rows, ...page } = await readPage(sql, query, {
    sequence: {
      columns: [
        { sql: 'p.at', field: 'at', codec: codecs.time },
        { sql: 'p.user_id', field: 'userId', codec: codecs.uuid },
        { sql: 'p.source', field: 'source', codec: codecs.text },
        { sql: 'p.part', field: 'part', codec: codecs.text },
      ],
      isAscending: false,
    },
    where: () => matches(sql, paymentFilters, query, context),
    rows: (_, { where, order, limit }) => sql<(UserPayment & { userId: string; source: string; part: string })[]>`
      select p.user_id, ${userPaymentColumns(sql)}, p.source, p.part
      from kinora.payment p
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { payments: await withOwners(app, rows), ...page }
}

export const subscriptionFilters = {
  ...searchFilters(
    (sql, [since, until]) => sql`id >= ${firstIdOf(since)} and id < ${firstIdOf(until)}`,
    (sql, { users, payers }, text) => sql`
      (user_id = any(${[...users, ...payers]}::uuid[]) ${isUuid(text) ? sql`or id = ${text}` : sql``})
    `,
  ),
  status: filter(
    Type.Enum(['active', 'trialing', 'past_due', 'cancelled', 'expired', 'incomplete'], {
      description: 'As of Subscription',
    }),
    (sql, status) => sql`status = ${status}`,
  ),
}

/**
 * Subscriptions of all users, the newest first; a period is that of their beginnings. Not counted.
 * @throws AppError INVALID_REQUEST for an invalid period or cursor
 */
export async function listSubscriptions(app: App, query: QueryOf<typeof subscriptionFilters> & PageQuery) {
  const { sql } = app
  const context = await contextOf(app, query)
  const { rows, ...page } = await readPage(sql, query, {
    sequence: by('id', 'id'),
    where: () => matches(sql, subscriptionFilters, query, context),
    rows: (_, { where, order, limit }) => sql<(Subscription & { userId: string })[]>`
      select ${subscriptionColumns(sql)}
      from kinora.subscription
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { subscriptions: await withOwners(app, rows), ...page }
}

/** All payments of `users`, and those of `payers` with one of the `sources`. */
type Found = { users: string[]; payers: string[]; sources: string[] }
/** Users and teams of one answer to a search by a part of address or name: the newest. */
const OWNERS_MAX = 100

/** Finds who and what a search is about. @returns null for an empty text: everything */
async function findOwners({ sql }: App, text: string): Promise<Found | null> {
  if (text === '') return null
  if (isUuid(text)) return { users: [text], payers: [], sources: [] }
  const objects = await sql<{ userId: string; source: string | null }[]>`
    select user_id, source
    from kinora.payment_object
    where processor = any(${processorNames}) and external_id = any(${[text, ...processorNames.map((each) => `${each}:${text}`)]})
  `
  if (objects.length > 0) {
    const [ofPayments, ofUsers] = [objects.filter(({ source }) => source), objects.filter(({ source }) => !source)]
    return {
      users: ofUsers.map((each) => each.userId),
      payers: ofPayments.map((each) => each.userId),
      sources: ofPayments.flatMap(({ source }) => source ?? []),
    }
  }
  const pattern = likePattern(text.toLowerCase())
  const users = await sql<{ id: string }[]>`
    select id from ${part(sql, 'user_search', { pattern, before: null, limit: OWNERS_MAX })} id
    union all
    (select id::text from kinora.team where lower(name) like ${pattern} order by id desc limit ${OWNERS_MAX})
  `
  return { users: users.map(({ id }) => id).filter(isUuid), payers: [], sources: [] }
}
