/**
 * Automatic top-ups: below a balance a pack is bought with the saved card, so often a month at most. One charge of an
 * owner is under way at a time (top_up.sql). Its credits come by the event of its payment, which is applied here as its
 * webhook would be, whichever comes first. A failure pauses the top-up until the owner asks for it again.
 */
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { claimInParts } from '../db/claim.ts'
import { AppError } from '../errors.ts'
import type { Dispatcher } from '../process/dispatch-loop.ts'
import type { Billing } from './billing.ts'
import { applyWhole } from './events.ts'
import { plansInForce } from './prices.ts'
import type { Buyer, Charged, ChargeRefusal } from './processor.ts'

export type TopUpRule = { productId: string; below: number; maxPerMonth: number }
/** no_answer: the processor gave none for most of a day; not_applied: it was paid, and an administrator has to look. */
export type TopUpFailure = ChargeRefusal | 'no_answer' | 'not_applied' | 'not_sold'
export type TopUp = {
  rule: (TopUpRule & { paused: TopUpFailure | null }) | null
  /** The newest charge. `url`: where its owner confirms it. */
  last: {
    state: Job['state']
    productId: string
    url: string | null
    reason: TopUpFailure | null
    createdAt: Date
  } | null
}

type Job = {
  userId: string
  id: string
  lease: string
  product: string
  state: 'charging' | 'action' | 'paid' | 'failed'
  attempt: number
  createdAt: Date
}

const MAX = 20
/** The calls of a charge take so long at most, each being tried twice. */
const LEASE_MS = 5 * 60_000
const ASK_EVERY_MS = 5 * 60_000
/** payment-b forgets idempotency keys after 24 hours. */
const OVER_MS = 23 * 3600_000

export async function topUpOf({ sql }: App, userId: string): Promise<TopUp> {
  const [rule] = await sql<(TopUpRule & { paused: TopUpFailure | null })[]>`
    select product as product_id, below, month_max as max_per_month, paused
    from kinora.spending_rule
    where user_id = ${userId} and product is not null
  `
  const [last] = await sql<(NonNullable<TopUp['last']> & { externalId: string | null })[]>`
    select state, product as product_id, url, reason, created_at, external_id
    from kinora.top_up
    where user_id = ${userId}
    order by id desc
    limit 1
  `
  // The owner has just confirmed it.
  const isPaid = last?.state === 'action' && (await isGranted(sql, userId, last.externalId))
  const { externalId: _, ...shown } = last ?? {}
  const newest = last ? ({ ...shown, ...(isPaid && { state: 'paid', url: null }) } as TopUp['last']) : null
  return { rule: rule ?? null, last: newest }
}

const isGranted = async (sql: App['sql'], userId: string, invoice: string | null): Promise<boolean> =>
  (
    await sql`
      select from kinora.payment_object
      where user_id = ${userId} and external_id = ${invoice} and source is not null
    `
  ).length > 0

/**
 * Switches it on, or changes it. @returns the page that saves a card; null: there is one
 * @throws AppError INVALID_REQUEST for what is no pack; CONFLICT when no processor can charge; UNAVAILABLE
 */
export async function setTopUp(app: App, billing: Billing, user: Buyer, rule: TopUpRule): Promise<string | null> {
  if (billing.offSession === null) throw new AppError('CONFLICT', NO_PROCESSOR)
  const product = (await plansInForce(app)).byId(rule.productId)
  if (!product?.listed || product.kind !== 'pack') {
    const details = [{ path: 'productId', message: 'is not a pack' }]
    throw new AppError('INVALID_REQUEST', 'Choose a pack of GET /api/v1/config/plans.', { details })
  }
  const cardUrl = await billing.cardPage(user)
  await call(app.sql, 'top_up_set', {
    userId: user.userId,
    product: rule.productId,
    below: rule.below,
    monthMax: rule.maxPerMonth,
    paused: cardUrl === null ? null : 'no_card',
    now: app.now(),
  })
  return cardUrl
}

const NO_PROCESSOR =
  'The payment processor of this service charges no customer who is away, so packs are not bought by themselves. Buy one on the page Plans.'

export const endTopUp = ({ sql, now }: App, userId: string): Promise<void> =>
  call(sql, 'top_up_set', { userId, now: now() })

/** Charges that are due. For the worker. */
export const topUps = (app: App, billing: Pick<Billing, 'charge'>): Dispatcher<Job> => ({
  name: 'top-ups',
  max: MAX,
  claim: async (limit) => {
    const { jobs } = await claimInParts(
      app,
      app.database.parts(),
      { limit, leaseMs: LEASE_MS },
      async (sql, lease, missing) => (await call(sql, 'top_up_claim', { limit: missing, ...lease })) as Job[],
    )
    app.crashPoint('top-up.claimed')
    return jobs
  },
  describe: ({ userId, id }) => ({ userId, topUp: id }),
  serve: (job) => serve(app, billing, job),
})

async function serve(app: App, billing: Pick<Billing, 'charge'>, job: Job): Promise<void> {
  const { userId, id, attempt, state } = job
  const product = (await plansInForce(app)).byId(job.product)
  if (product?.kind !== 'pack') return await record(app, job, { state: 'failed', id: null, reason: 'not_sold' })
  const isOld = app.now().getTime() - job.createdAt.getTime() > OVER_MS
  // Switched off, or the account is deleted: what is not paid yet is given up.
  const isOver = isOld || (await topUpOf(app, userId)).rule === null
  let charged: Charged
  try {
    charged = await billing.charge({ id, attempt, userId, product, isWaiting: state === 'action', isOver })
  } catch (err) {
    app.log.warn({ err, userId, topUp: id }, 'it is not known what became of an automatic top-up; it is tried again')
    if (isOld) return await record(app, job, { state: 'failed', id: null, reason: 'no_answer' })
    const dueAt = new Date(app.now().getTime() + Math.min(60, 2 ** attempt) * 60_000)
    return await record(app, job, { state, dueAt })
  }
  app.crashPoint('top-up.charged')
  if (charged.state !== 'paid') return await record(app, job, charged)
  const applied = await applyWhole(app, 'payment-b', JSON.stringify(charged.event))
  app.crashPoint('top-up.applied')
  const isGranted = applied === 'applied' || applied === 'known'
  await record(app, job, isGranted ? charged : { state: 'failed', id: charged.id, reason: 'not_applied' })
}

type Recorded =
  | Charged
  | { state: 'failed'; id: string | null; reason: TopUpFailure }
  | { state: Job['state']; dueAt: Date }

async function record(app: App, job: Job, outcome: Recorded): Promise<void> {
  const { userId, id, lease, product } = job
  const [url, reason] = ['url' in outcome ? outcome.url : null, 'reason' in outcome ? outcome.reason : null]
  const sold = (await plansInForce(app)).byId(product)
  const asked = 'dueAt' in outcome ? outcome.dueAt : new Date(app.now().getTime() + ASK_EVERY_MS)
  await call(app.sql, 'top_up_record', {
    userId,
    id,
    lease,
    state: outcome.state,
    dueAt: outcome.state === 'action' || outcome.state === 'charging' ? asked : null,
    externalId: 'id' in outcome ? outcome.id : null,
    url,
    reason,
    notice: { state: outcome.state, reason, url, product: sold?.name ?? product, credits: sold?.credits ?? null },
    now: app.now(),
  })
}
