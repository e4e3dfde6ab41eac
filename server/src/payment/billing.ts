/**
 * Checkout and customer-portal sessions at the payment processors, and the stored subscription. The outcome of a
 * payment arrives by webhook only; the redirect back to the studio is not trusted.
 */
import type { App } from '../app.ts'
import { type Processor, processorNames } from '../config/processors.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import type { SubscriptionStatus } from './effect.ts'
import { type Plans, type Product, processorId } from './plans.ts'
import { plansInForce } from './prices.ts'
import { type Buyer, type Page, type PaymentClient, UnknownCustomer } from './processor.ts'
import { processors } from './processors.ts'

export type Subscription = {
  id: string
  userId: string
  processor: Processor
  externalId: string
  plan: string | null
  status: SubscriptionStatus
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
  cancelledAt: Date | null
  /** It has expired, and the processor tries its payment again, until it is cancelled. */
  isRetried: boolean
  createdAt: Date
  updatedAt: Date
}

/** Customers of a user that are tried, the newest subscription's first. */
const CUSTOMERS_MAX = 5

export type Billing = {
  /** The configured processors; empty when payments are not configured. */
  processors: Processor[]
  /**
   * @throws AppError INVALID_REQUEST for an unknown product, CONFLICT for a plan while one runs, UNAVAILABLE when no
   * processor can be reached
   */
  checkout: (productId: string, processor: Processor | null, user: Buyer) => Promise<{ url: string }>
  /** @throws AppError CONFLICT when the user has never paid, or another owner pays at payment-a; UNAVAILABLE */
  portal: (user: Omit<Buyer, 'email'>) => Promise<{ url: string }>
  close: () => Promise<void>
}

export function openBilling(app: App): Billing {
  const clients = new Map<Processor, PaymentClient>()
  for (const processor of processorNames) {
    const settings = app.config.payments[processor]
    if (settings) clients.set(processor, processors[processor].open(app, settings))
  }
  const clientOf = (processor: Processor): PaymentClient => {
    const client = clients.get(processor)
    if (!client) throw notSetUp()
    return client
  }
  return {
    processors: [...clients.keys()],
    checkout: async (productId, processor, user) => {
      const sold = await plansInForce(app)
      const product = sold.byId(productId)
      if (!product?.listed) throw unknownProduct(sold, productId)
      if (product.kind === 'subscription') await refuseSecondPlan(app, user.userId)
      const chosen = processor ?? [...clients.keys()][0]
      if (chosen === undefined) throw notSetUp()
      const customers = (await customersOf(app, user)).filter((each) => each.processor === chosen)
      const ids = [...customers.map(({ externalId }) => externalId), null]
      const offered = sold.byProcessorId(chosen, processorId(product, chosen)) ?? product
      const offerId = newId(app.now())
      const page = await openPage(app, chosen, ids, (id) => clientOf(chosen).checkout(offered, offerId, user, id))
      if (page === null) throw new Error('a checkout without a customer knows none')
      if (page.id !== null) await saveOffer(app, chosen, page.id, offered, offerId, user)
      return { url: page.url }
    },
    portal: async (user) => {
      for (const { processor, externalId } of await customersOf(app, user)) {
        const page = await openPage(app, processor, [externalId], clientOf(processor).portal)
        if (page !== null) return { url: page.url }
      }
      const isOfTeam = user.userId !== user.payerId && (await subscriptionOf(app, user.userId)) !== null
      throw new AppError('CONFLICT', isOfTeam ? OF_ANOTHER_OWNER : NOTHING_BOUGHT)
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

const notSetUp = () => {
  const message = 'Payments are not set up here; ask the operator of this service.'
  return new AppError('UNAVAILABLE', message, { retryAfterS: 3600 })
}

const NOTHING_BOUGHT = 'Nothing has been bought yet; the portal opens with the first purchase.'
const OF_ANOTHER_OWNER =
  'The portal of this plan opens for the owner who bought it, because it shows that owner’s other purchases too.'

/** The user's running subscription, otherwise the last one. */
export const subscriptionOf = async (app: App, userId: string): Promise<Subscription | null> =>
  (await subscriptionsOf(app, userId, 1))[0] ?? null

export const subscriptionColumns = (sql: App['sql']) => sql`
  id, user_id, processor, external_id, plan, status, current_period_start, current_period_end, cancel_at_period_end, cancelled_at,
  created_at, updated_at, status = 'expired' and retries_expired and cancelled_at is null and not cancel_at_period_end as is_retried
`

/** The running one before the others, then the last ones. */
export async function subscriptionsOf({ sql }: App, userId: string, limit: number): Promise<Subscription[]> {
  return await sql<Subscription[]>`
    select ${subscriptionColumns(sql)}
    from kinora.subscription
    where user_id = ${userId}
    order by status in ('active', 'trialing', 'past_due') desc, current_period_end desc nulls last, id desc
    limit ${limit}
  `
}

/** @throws AppError CONFLICT: a second plan would be charged beside the first, which the portal changes. */
async function refuseSecondPlan(app: App, userId: string): Promise<void> {
  const subscription = await subscriptionOf(app, userId)
  if (!subscription || !['active', 'trialing', 'past_due'].includes(subscription.status)) return
  throw new AppError(
    'CONFLICT',
    'A plan of yours is running. Change or cancel it in the customer portal (POST /api/v1/billing/portal).',
    { details: { plan: subscription.plan, status: subscription.status } },
  )
}

/**
 * The user's customers at the processors: that of the running or last subscription, then those of any purchase. Only
 * customers that a checkout of ours bound to the user: other events merely name one, and a portal shows its owner's
 * cards and addresses. For a team also the payer's own that has a subscription of the team.
 */
async function customersOf(
  { sql }: App,
  { userId, payerId }: Omit<Buyer, 'email'>,
): Promise<{ processor: Processor; externalId: string }[]> {
  return await sql<{ processor: Processor; externalId: string }[]>`
    select o.processor, o.external_id
    from kinora.payment_object o
    left join kinora.subscription s
      on s.user_id = ${userId} and s.processor = o.processor and s.customer = o.external_id
    where o.user_id in (${userId}, ${payerId}) and (o.user_id = ${userId} or s.id is not null) and o.by_checkout
    order by s.status in ('active', 'trialing', 'past_due') desc nulls last, s.current_period_end desc nulls last,
             s.id desc nulls last, o.external_id desc
    limit ${CUSTOMERS_MAX}
  `
}

/**
 * Opens a page for one customer after the other until the processor knows one; null: it knows none. Maps every failure
 * of a processor to UNAVAILABLE. The browser opens the returned URL, so it must be http or https.
 */
async function openPage<T>(app: App, processor: Processor, customers: T[], call: (customer: T) => Promise<Page>) {
  for (const customer of customers) {
    try {
      const page = await call(customer)
      if (!/^https?:$/.test(URL.parse(page.url)?.protocol ?? ''))
        throw new Error('the response contains no http(s) URL')
      return page
    } catch (error) {
      if (error instanceof UnknownCustomer) continue
      if (error instanceof AppError) throw error
      app.log.error({ err: error, processor }, 'the payment processor could not be reached')
      const message = 'The payment processor does not answer at the moment; try again shortly.'
      throw new AppError('UNAVAILABLE', message, { retryAfterS: 10 })
    }
  }
  return null
}

/**
 * A payment is judged by what its checkout offered. Serves reconciliation too: payment-a's list of transactions names
 * neither product nor user, but its checkouts do.
 */
async function saveOffer(
  { sql, now }: App,
  processor: Processor,
  id: string,
  offered: Product,
  offerId: string,
  { userId }: Buyer,
) {
  const { price, credits } = offered
  await sql`
    insert into kinora.payment_checkout (
      processor, external_id, user_id, created_at, offer_id, sold_as, cents, currency, credits
    )
    values (
      ${processor}, ${id}, ${userId}, ${now()}, ${offerId}, ${processorId(offered, processor)}, ${price.cents}, ${price.currency}, ${credits}
    )
    on conflict (processor, external_id) do nothing
  `
}

function unknownProduct({ products }: Plans, productId: string): AppError {
  const ids = products.filter(({ listed }) => listed).map(({ id }) => id)
  const message = `There is no product "${productId.slice(0, 60)}"; choose one of ${ids.join(', ')}.`
  return new AppError('INVALID_REQUEST', message, { details: [{ path: 'productId', message: 'is not a product' }] })
}
