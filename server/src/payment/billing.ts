/**
 * Sending a user to a processor, to pay or to look after a subscription, and the record of the subscription. What the user
 * did there comes back by webhook and by nothing else: no redirect is believed.
 */
import Stripe from 'stripe'
import type { App } from '../app.ts'
import type { PaymentSettings } from '../config.ts'
import { AppError } from '../errors.ts'
import { openCaller } from '../provider/call.ts'
import { textAt } from '../provider/read.ts'
import type { SubscriptionStatus } from './effect.ts'
import { type Plans, type Processor, type Product, plans, processorId } from './plans.ts'

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
  createdAt: Date
  updatedAt: Date
}

const TIMEOUT_S = 15

/** Both answer the address of a page of the processor. */
type Desk = {
  checkout: (product: Product, user: Buyer) => Promise<string>
  portal: (customer: string) => Promise<string>
  close: () => Promise<void>
}
type Buyer = { userId: string; email: string }

export type Billing = {
  /** Where one can pay; none when payments are not set up. */
  processors: Processor[]
  /** @throws AppError INVALID_REQUEST for an unknown product, UNAVAILABLE when no processor can be reached */
  checkout: (productId: string, processor: Processor | null, user: Buyer) => Promise<{ url: string }>
  /** @throws AppError CONFLICT when the user has never paid, UNAVAILABLE */
  portal: (userId: string) => Promise<{ url: string }>
  stripe: Stripe | null
  close: () => Promise<void>
}

export function openBilling(app: App): Billing {
  const a = app.config.payments['payment-a']
  const b = app.config.payments['payment-b']
  const stripe = b ? openStripe(b) : null
  const desks = new Map<Processor, Desk>()
  if (a) desks.set('payment-a', openDeskA(app, a))
  if (stripe) desks.set('payment-b', openDeskB(app, stripe))

  const deskOf = (processor: Processor): Desk => {
    const desk = desks.get(processor)
    if (!desk) {
      const message = 'Payments are not set up here; ask whoever runs this service.'
      throw new AppError('UNAVAILABLE', message, { retryAfterS: 3600 })
    }
    return desk
  }
  return {
    processors: [...desks.keys()],
    stripe,
    checkout: async (productId, processor, user) => {
      const product = plans().byId(productId)
      if (!product) throw unknownProduct(plans(), productId)
      const chosen = processor ?? [...desks.keys()][0] ?? 'payment-a'
      return { url: await reached(app, chosen, () => deskOf(chosen).checkout(product, user)) }
    },
    portal: async (userId) => {
      const customer = await customerOf(app, userId)
      if (!customer)
        throw new AppError('CONFLICT', 'You have not bought anything yet; the portal opens with your first purchase.')
      const { processor, externalId } = customer
      return { url: await reached(app, processor, () => deskOf(processor).portal(externalId)) }
    },
    close: async () => {
      await Promise.all([...desks.values()].map((desk) => desk.close()))
    },
  }
}

/** The user's subscription: the one that runs, else the one that ran last. */
export async function subscriptionOf({ sql }: App, userId: string): Promise<Subscription | null> {
  const [row] = await sql<Subscription[]>`
    select id, user_id, processor, external_id, plan, status, current_period_start, current_period_end,
           cancel_at_period_end, cancelled_at, created_at, updated_at
    from kinora.subscription
    where user_id = ${userId}
    order by status in ('active', 'trialing', 'past_due') desc, current_period_end desc nulls last, id desc
    limit 1
  `
  return row ?? null
}

/** Whose portal to open: the customer of the subscription that runs or ran last, else whoever bought something. */
async function customerOf({ sql }: App, userId: string): Promise<{ processor: Processor; externalId: string } | null> {
  const [subscriber] = await sql<{ processor: Processor; externalId: string }[]>`
    select processor, customer as external_id
    from kinora.subscription
    where user_id = ${userId} and customer is not null
    order by status in ('active', 'trialing', 'past_due') desc, current_period_end desc nulls last, id desc
    limit 1
  `
  if (subscriber) return subscriber
  const [buyer] = await sql<{ processor: Processor; externalId: string }[]>`
    select processor, external_id
    from kinora.payment_object
    where user_id = ${userId} and external_id ~ '^cust?_'
    limit 1
  `
  return buyer ?? null
}

function openDeskA(app: App, { url, apiKey }: PaymentSettings): Desk {
  const caller = openCaller(TIMEOUT_S)
  const post = async (path: string, body: unknown, field: string): Promise<string> => {
    const answer = await caller.call('POST', `${url}${path}`, {
      headers: { 'x-api-key': apiKey },
      body: JSON.stringify(body),
    })
    const address = answer.kind === 'answered' && answer.status < 300 ? textAt(answer.body, field) : null
    if (!address) throw new Error(answer.kind === 'answered' ? `HTTP ${answer.status}` : answer.reason)
    return address
  }
  return {
    checkout: (product, user) =>
      post(
        '/v1/checkouts',
        {
          product_id: processorId(product, 'payment-a'),
          success_url: paidPage(app, product),
          request_id: `${user.userId}.${app.now().getTime()}`,
          customer: { email: user.email },
          metadata: { referenceId: user.userId },
        },
        'checkout_url',
      ),
    portal: (customer) => post('/v1/customers/billing', { customer_id: customer }, 'customer_portal_link'),
    close: caller.close,
  }
}

function openDeskB(app: App, stripe: Stripe): Desk {
  const plansPage = `${app.config.publicUrl}/plans`
  return {
    checkout: async (product, user) => {
      const metadata = { userId: user.userId, productId: product.id }
      const session = await stripe.checkout.sessions.create({
        mode: product.kind === 'pack' ? 'payment' : 'subscription',
        line_items: [{ price: processorId(product, 'payment-b'), quantity: 1 }],
        client_reference_id: user.userId,
        customer_email: user.email,
        metadata,
        // Invoices carry the metadata of their subscription, so each of them names its user by itself.
        ...(product.kind === 'pack'
          ? { payment_intent_data: { metadata }, customer_creation: 'always' as const }
          : { subscription_data: { metadata } }),
        success_url: paidPage(app, product),
        cancel_url: plansPage,
      })
      return pageOf(session)
    },
    portal: async (customer) => pageOf(await stripe.billingPortal.sessions.create({ customer, return_url: plansPage })),
    close: async () => {},
  }
}

/**
 * Where somebody comes back to after paying: the plans, which wait for the credits of this product to arrive. `since`, in
 * ms of the epoch, tells them from those of an earlier purchase; the page believes nothing else of its address.
 */
const paidPage = ({ config, now }: App, { id }: Product): string =>
  `${config.publicUrl}/plans?paid=${id}&since=${now().getTime()}`

function pageOf({ url }: { url: string | null }): string {
  if (!url) throw new Error('the session has no address')
  return url
}

function openStripe({ url, apiKey }: PaymentSettings): Stripe {
  const { protocol, hostname, port } = new URL(url)
  return new Stripe(apiKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    maxNetworkRetries: 1,
    timeout: TIMEOUT_S * 1000,
    telemetry: false,
  })
}

/** A processor that does not answer is nobody's bug here. What it answers is opened by a browser: a page of the web, or nothing. */
async function reached(app: App, processor: Processor, call: () => Promise<string>): Promise<string> {
  try {
    const address = await call()
    if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) throw new Error('the answer names no page of the web')
    return address
  } catch (error) {
    if (error instanceof AppError) throw error
    app.log.error({ err: error, processor }, 'the payment processor could not be reached')
    throw new AppError('UNAVAILABLE', 'The payment processor does not answer at the moment; try again shortly.', {
      retryAfterS: 10,
    })
  }
}

const unknownProduct = ({ products }: Plans, productId: string) =>
  new AppError(
    'INVALID_REQUEST',
    `There is no product "${productId.slice(0, 60)}"; choose one of ${products.map((product) => product.id).join(', ')}.`,
    { details: [{ path: 'productId', message: 'is not a product' }] },
  )
