/** What users have paid, and their subscriptions, for administrators: of one user, and a search over all. */

import type { App } from '../app.ts'
import { processorNames } from '../config/processors.ts'
import { part } from '../db/call.ts'
import { likePattern } from '../db/filtered-pages.ts'
import { unknownCursor } from '../errors.ts'
import { firstIdOf, isUuid } from '../id.ts'
import { type Subscription, subscriptionColumns, subscriptionsOf } from '../payment/billing.ts'
import { type Owner, requireOwner, withOwners } from './owner.ts'
import { type Period, type PeriodQuery, periodOf } from './period.ts'

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
  const id = await requireOwner(app, userId)
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

/** Whether a payment, or a part of it, was refunded or disputed. */
export const PAYMENT_STATES = ['kept', 'returned_in_part', 'returned'] as const
export type ListedPayment = UserPayment & Owner & { userId: string }
export type ListedSubscription = Subscription & Owner & { userId: string }

type Search = PeriodQuery & { q?: string; cursor?: string; pageSize: number }
export type PaymentsQuery = Search & { state?: (typeof PAYMENT_STATES)[number] }
export type SubscriptionsQuery = Search & { status?: string }
type PaymentRow = UserPayment & { userId: string; source: string; part: string }

/**
 * Payments of all users, the latest first; without a period those of all time. Not counted.
 * @param query `q`: a user id, a processor's id of anything that belongs to a payment, or a part of an e-mail address or of the name of a user or team
 * @throws AppError INVALID_REQUEST for an invalid period or cursor
 */
export async function listPayments(
  app: App,
  query: PaymentsQuery,
): Promise<{ payments: ListedPayment[]; nextCursor: string | null }> {
  const { sql } = app
  const { state, pageSize } = query
  const period = searchedPeriod(app, query)
  const before = paymentCursor(query.cursor)
  const found = await findOwners(app, query)
  const rows = await sql<PaymentRow[]>`
    select p.user_id, p.processor, p.order_no, p.remark, upper(p.currency) as currency, round(p.money)::float8 as received,
           round(p.money * (1 - p.kept))::float8 as returned, p.granted as credits, p.at, p.source, p.part
    from kinora.payment p
    where true
      ${period ? sql`and p.at >= ${period[0]} and p.at < ${period[1]}` : sql``}
      ${before ? sql`and (p.at, p.user_id, p.source, p.part) < (${before.at}, ${before.userId}, ${before.source}, ${before.part})` : sql``}
      ${found ? sql`and (p.user_id = any(${found.users}::uuid[]) or p.source = any(${found.sources}) and p.user_id = any(${found.payers}::uuid[]))` : sql``}
      ${state === 'kept' ? sql`and p.kept = 1` : sql``}
      ${state === 'returned' ? sql`and p.kept = 0` : sql``}
      ${state === 'returned_in_part' ? sql`and p.kept > 0 and p.kept < 1` : sql``}
    order by p.at desc, p.user_id desc, p.source desc, p.part desc
    limit ${pageSize + 1}
  `
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  const cursor = last && JSON.stringify([last.at.getTime(), last.userId, last.source, last.part])
  const payments = await withOwners(app, page)
  return {
    payments: payments.map(({ source: _, part: __, ...payment }) => payment),
    nextCursor: cursor && rows.length > pageSize ? Buffer.from(cursor).toString('base64url') : null,
  }
}

/**
 * Subscriptions of all users, the newest first; a period is that of their beginnings. Not counted.
 * @param query `q`: as of listPayments, or the id of a subscription
 * @throws AppError INVALID_REQUEST for an invalid period or cursor
 */
export async function listSubscriptions(
  app: App,
  query: SubscriptionsQuery,
): Promise<{ subscriptions: ListedSubscription[]; nextCursor: string | null }> {
  const { sql } = app
  const { status, cursor, pageSize, q = '' } = query
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const period = searchedPeriod(app, query)
  const found = await findOwners(app, query)
  const text = q.trim()
  const rows = await sql<(Subscription & { userId: string })[]>`
    select ${subscriptionColumns(sql)}
    from kinora.subscription
    where true
      ${period ? sql`and id >= ${firstIdOf(period[0])} and id < ${firstIdOf(period[1])}` : sql``}
      ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
      ${found ? sql`and (user_id = any(${[...found.users, ...found.payers]}::uuid[]) ${isUuid(text) ? sql`or id = ${text}` : sql``})` : sql``}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
    order by id desc
    limit ${pageSize + 1}
  `
  const page = rows.slice(0, pageSize)
  return {
    subscriptions: await withOwners(app, page),
    nextCursor: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null,
  }
}

const searchedPeriod = ({ now }: App, query: Search): Period | null =>
  query.from === undefined && query.to === undefined ? null : periodOf(query, now())

function paymentCursor(cursor: string | undefined) {
  if (cursor === undefined) return null
  try {
    const [ms, userId, source, part] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const at = new Date(Number(ms))
    if (!Number.isNaN(at.getTime()) && typeof userId === 'string' && isUuid(userId))
      return { at, userId, source: String(source), part: String(part) }
  } catch {
    // Below.
  }
  throw unknownCursor()
}

/** Users of an answer to a search by a part of their address or name, and teams of one by a part of their name: the newest. */
const OWNERS_MAX = 100

/**
 * Finds who and what a search is about: all payments of `users`, and those of `payers` with one of the `sources`.
 * @returns null: everything
 */
async function findOwners(
  { sql }: App,
  { q = '' }: Search,
): Promise<{ users: string[]; payers: string[]; sources: string[] } | null> {
  const text = q.trim()
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
