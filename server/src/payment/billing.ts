/**
 * Checkout and customer-portal sessions at the payment processors, and the stored subscription. The outcome of a payment
 * arrives by webhook only; the redirect back to the studio is not trusted.
 */
import type Stripe from 'stripe'
import type { App } from '../app.ts'
import type { PaymentSettings } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { openHttpClient } from '../net/http-client.ts'
import { textAt } from '../text/json-reader.ts'
import type { SubscriptionStatus } from './effect.ts'
import { idAt } from './event-reader.ts'
import { openStripe } from './payment-b/stripe.ts'
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

/** Both return the URL of a page of the processor. */
type PaymentClient = {
  checkout: (product: Product, user: Buyer) => Promise<string>
  portal: (customer: string) => Promise<string>
  close: () => Promise<void>
}
type Buyer = { userId: string; email: string }

export type Billing = {
  /** The configured processors; empty when payments are not configured. */
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
  const clients = new Map<Processor, PaymentClient>()
  if (a) clients.set('payment-a', openPaymentA(app, a))
  if (stripe) clients.set('payment-b', openPaymentB(app, stripe))

  const clientOf = (processor: Processor): PaymentClient => {
    const client = clients.get(processor)
    if (!client) {
      const message = 'Payments are not set up here; ask the operator of this service.'
      throw new AppError('UNAVAILABLE', message, { retryAfterS: 3600 })
    }
    return client
  }
  return {
    processors: [...clients.keys()],
    stripe,
    checkout: async (productId, processor, user) => {
      const product = plans().byId(productId)
      if (!product?.listed) throw unknownProduct(plans(), productId)
      const chosen = processor ?? [...clients.keys()][0] ?? 'payment-a'
      return { url: await sessionUrl(app, chosen, () => clientOf(chosen).checkout(product, user)) }
    },
    portal: async (userId) => {
      const customer = await customerOf(app, userId)
      if (!customer)
        throw new AppError('CONFLICT', 'You have not bought anything yet; the portal opens with your first purchase.')
      const { processor, externalId } = customer
      return { url: await sessionUrl(app, processor, () => clientOf(processor).portal(externalId)) }
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

/** The user's running subscription, otherwise the last one. */
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

/**
 * The user's customer at a processor: that of the running or last subscription, otherwise of any purchase. Only a customer that
 * a checkout of ours bound to the user: other events merely name one, and a portal shows its owner's cards and addresses.
 */
async function customerOf({ sql }: App, userId: string): Promise<{ processor: Processor; externalId: string } | null> {
  const [customer] = await sql<{ processor: Processor; externalId: string }[]>`
    select o.processor, o.external_id
    from kinora.payment_object o
    left join kinora.subscription s
      on s.user_id = o.user_id and s.processor = o.processor and s.customer = o.external_id
    where o.user_id = ${userId} and o.by_checkout
    order by s.status in ('active', 'trialing', 'past_due') desc nulls last, s.current_period_end desc nulls last,
             s.id desc nulls last, o.external_id desc
    limit 1
  `
  return customer ?? null
}

function openPaymentA(app: App, { url, apiKey }: PaymentSettings): PaymentClient {
  const client = openHttpClient(TIMEOUT_S)
  const post = async (path: string, body: unknown, field: string): Promise<{ page: string; id: string | null }> => {
    const result = await client.call('POST', `${url}${path}`, {
      headers: { 'x-api-key': apiKey },
      body: JSON.stringify(body),
    })
    const page = result.kind === 'response' && result.status < 300 ? textAt(result.body, field) : null
    if (!page) throw new Error(result.kind === 'response' ? `HTTP ${result.status}` : result.reason)
    return { page, id: result.kind === 'response' ? idAt(result.body) : null }
  }
  return {
    checkout: async (product, user) => {
      const request = {
        product_id: processorId(product, 'payment-a'),
        success_url: successUrl(app, product),
        request_id: `${user.userId}.${app.now().getTime()}`,
        customer: { email: user.email },
        metadata: { referenceId: user.userId },
      }
      const { page, id } = await post('/v1/checkouts', request, 'checkout_url')
      if (id) await rememberCheckout(app, id, user)
      return page
    },
    portal: async (customer) =>
      (await post('/v1/customers/billing', { customer_id: customer }, 'customer_portal_link')).page,
    close: client.close,
  }
}

/** Serves reconciliation: payment-a's list of transactions names neither product nor user, but its checkouts do. */
async function rememberCheckout({ sql, now }: App, id: string, { userId }: Buyer): Promise<void> {
  await sql`
    insert into kinora.payment_checkout (processor, external_id, user_id, created_at)
    values ('payment-a', ${id}, ${userId}, ${now()})
    on conflict (processor, external_id) do nothing
  `
}

function openPaymentB(app: App, stripe: Stripe): PaymentClient {
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
        // Invoices copy the metadata of their subscription, so each of them names its user.
        ...(product.kind === 'pack'
          ? { payment_intent_data: { metadata }, customer_creation: 'always' as const }
          : { subscription_data: { metadata } }),
        // payment-b fills in the session’s id, as payment-a appends `checkout_id` by itself.
        success_url: `${successUrl(app, product)}&checkout_id={CHECKOUT_SESSION_ID}`,
        cancel_url: plansPage,
      })
      return urlOf(session)
    },
    portal: async (customer) => urlOf(await stripe.billingPortal.sessions.create({ customer, return_url: plansPage })),
    close: async () => {},
  }
}

/**
 * The page after a payment: the plans page, which waits for the credits of this product. `since`, in milliseconds of the
 * epoch, distinguishes them from an earlier purchase's; the page trusts nothing else in its URL. `checkout_id`, of the
 * processor, says that the payer finished the checkout: payment-a returns by this URL after a declined card too, without it.
 */
const successUrl = ({ config, now }: App, { id }: Product): string =>
  `${config.publicUrl}/plans?paid=${id}&since=${now().getTime()}`

function urlOf({ url }: { url: string | null }): string {
  if (!url) throw new Error('the session has no URL')
  return url
}

/** Maps every failure of a processor to UNAVAILABLE. The browser opens the returned URL, so it must be http or https. */
async function sessionUrl(app: App, processor: Processor, call: () => Promise<string>): Promise<string> {
  try {
    const url = await call()
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new Error('the response contains no http(s) URL')
    return url
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
    `There is no product "${productId.slice(0, 60)}"; choose one of ${products
      .filter(({ listed }) => listed)
      .map((product) => product.id)
      .join(', ')}.`,
    { details: [{ path: 'productId', message: 'is not a product' }] },
  )
