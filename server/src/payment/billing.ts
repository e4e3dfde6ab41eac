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
import {
  type Buyer,
  type Charge,
  type Charged,
  type Page,
  type PaymentClient,
  type PaymentDocument,
  type Preview,
  UnknownCustomer,
} from './processor.ts'
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
  /**
   * @param to the processor whose portal it is, and the plan that it offers to change to; null: any
   * @throws AppError CONFLICT when the user has never paid, or another owner pays at payment-a; UNAVAILABLE
   */
  portal: (
    user: Payer,
    to?: { processor?: Processor | undefined; plan?: string | undefined },
  ) => Promise<{ url: string }>
  /** Invoices and receipts, the newest first. @throws AppError UNAVAILABLE */
  documents: (user: Payer) => Promise<(PaymentDocument & { processor: Processor })[]>
  /**
   * What a change of the running plan costs; null: its processor shows that on its own page only.
   * @throws AppError INVALID_REQUEST, CONFLICT when no plan runs; UNAVAILABLE
   */
  preview: (userId: string, plan: string) => Promise<Preview | null>
  /** The processor that charges a saved card without its owner; null: none of them does. */
  offSession: Processor | null
  /** The page that saves a card; null: there is one. @throws AppError UNAVAILABLE */
  cardPage: (user: Buyer) => Promise<string | null>
  /** @throws when it is not known what became of it */
  charge: (charge: Omit<Charge, 'customer'>) => Promise<Charged>
  close: () => Promise<void>
}

type Payer = Omit<Buyer, 'email'>

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
    portal: async (user, { processor: wanted, plan } = {}) => {
      const running = plan === undefined ? null : await planToChange(app, user.userId, plan)
      for (const { processor, externalId } of await customersOf(app, user)) {
        if (wanted !== undefined && processor !== wanted) continue
        const change = running?.processor === processor && running.customer === externalId ? running : null
        const page = await openPage(app, processor, [externalId], (id) => clientOf(processor).portal(id, change))
        if (page !== null) return { url: page.url }
      }
      const isOfTeam = user.userId !== user.payerId && (await subscriptionOf(app, user.userId)) !== null
      throw new AppError('CONFLICT', isOfTeam ? OF_ANOTHER_OWNER : NOTHING_BOUGHT)
    },
    documents: async (user) => {
      const customers = (await customersOf(app, user)).filter(({ processor }) => clients.has(processor))
      const found = await Promise.all(
        customers.map(async ({ processor, externalId }) => {
          const documents = await ask(app, processor, () => clientOf(processor).documents(externalId))
          return (documents ?? []).map((each) => ({ ...each, processor }))
        }),
      )
      return found.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    },
    preview: async (userId, plan) => {
      const change = await planToChange(app, userId, plan)
      const { preview } = clientOf(change.processor)
      return preview && (await ask(app, change.processor, () => preview(change)))
    },
    ...offSessionOf(app, clients),
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

/** What is done with a saved card, at the processor that can. */
function offSessionOf(
  app: App,
  clients: Map<Processor, PaymentClient>,
): Pick<Billing, 'offSession' | 'cardPage' | 'charge'> {
  const [processor, { offSession = null } = {}] = [...clients].find(([, client]) => client.offSession) ?? []
  if (!processor || !offSession) {
    const cardPage = () => Promise.reject(notSetUp())
    return { offSession: null, cardPage, charge: async () => ({ state: 'failed', id: null, reason: 'no_card' }) }
  }
  return {
    offSession: processor,
    cardPage: async (user) => {
      const [customer = null] = await customersAt(app, processor, user.userId)
      if (customer !== null && (await ask(app, processor, () => offSession.hasCard(customer)))) return null
      const customers = customer === null ? [null] : [customer, null]
      const page = await openPage(app, processor, customers, (id) => offSession.cardPage(user, id))
      return page?.url ?? null
    },
    charge: async (charge) => {
      const [customer] = await customersAt(app, processor, charge.userId)
      if (customer === undefined) return { state: 'failed', id: null, reason: 'no_card' }
      return await offSession.charge({ ...charge, customer })
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

/** The customers at a processor that a checkout bound to an owner. */
async function customersAt(app: App, processor: Processor, userId: string): Promise<string[]> {
  const all = await customersOf(app, { userId, payerId: userId })
  return all.filter((each) => each.processor === processor).map(({ externalId }) => externalId)
}

/** The running plan, and another one that is sold at its processor. @throws AppError INVALID_REQUEST, CONFLICT */
async function planToChange({ sql }: App, userId: string, plan: string) {
  const sold = await plansInForce({ sql })
  const product = sold.byId(plan)
  if (!product?.listed || product.kind !== 'subscription') throw unknownProduct(sold, plan)
  const [running] = await sql<{ processor: Processor; subscription: string; customer: string | null; plan: string }[]>`
    select processor, external_id as subscription, customer, plan
    from kinora.subscription
    where user_id = ${userId} and status in ('active', 'trialing', 'past_due')
    order by current_period_end desc nulls last, id desc
    limit 1
  `
  if (!running || running.plan === plan)
    throw new AppError('CONFLICT', running ? 'This is the plan that runs.' : 'No plan runs; buy this one instead.')
  return { ...running, product }
}

/**
 * Opens a page for one customer after the other until the processor knows one; null: it knows none. The browser opens
 * the returned URL, so it must be http or https.
 */
async function openPage<T>(app: App, processor: Processor, customers: T[], call: (customer: T) => Promise<Page>) {
  for (const customer of customers) {
    const page = await ask(app, processor, async () => {
      const opened = await call(customer)
      if (!/^https?:$/.test(URL.parse(opened.url)?.protocol ?? ''))
        throw new Error('the response contains no http(s) URL')
      return opened
    })
    if (page !== null) return page
  }
  return null
}

/** Null: the processor does not know the customer. Maps every other failure to UNAVAILABLE. */
async function ask<T>(app: App, processor: Processor, call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof UnknownCustomer) return null
    if (error instanceof AppError) throw error
    app.log.error({ err: error, processor }, 'the payment processor could not be reached')
    const message = 'The payment processor does not answer at the moment; try again shortly.'
    throw new AppError('UNAVAILABLE', message, { retryAfterS: 10 })
  }
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
