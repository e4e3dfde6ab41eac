/**
 * payment-a's API as the service calls it, and the objects of its API and events. The API: JSON, key in `x-api-key`; a
 * checkout, the URL of a customer's portal, and what reconciliation reads: transactions in pages, and one checkout or
 * subscription by its id. Times in objects are ISO text, but milliseconds in a transaction.
 */
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isWebUrl } from '../../settings.ts'
import { refundByCall } from '../operations.ts'
import type { OperationContext, ProcessorContext } from '../processor.ts'
import { idAt, productBy, productById } from '../products.ts'
import type { Checkout, Customer, Paid, Payment, Subscribed } from '../store.ts'
import { found, newCheckout, newId, refusal } from '../store.ts'

export const SELLER = { name: 'payment-a', productPrefix: 'prod' }

type CheckoutBody = Partial<Record<'product_id' | 'success_url' | 'request_id', string>> & {
  metadata?: Record<string, string>
  customer?: { id?: string; email?: string }
}

export function paymentARoutes({ store, settings, baseUrl, events }: ProcessorContext) {
  const app = new Hono()
  const { apiKey } = settings.payment(SELLER.name)
  const customerBy = (id?: string) => found(store.customerBy(SELLER.name, id), missing('Customer'))
  app.use('/v1/*', async (c, next) => {
    const key = c.req.header('x-api-key')
    if (!key || (apiKey && key !== apiKey)) throw refusal(403, 'Forbidden')
    await next()
  })
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? error.status : 500
    return c.json({ trace_id: newId(''), status, message: error.message.split('\n'), timestamp: Date.now() }, status)
  })

  app.post('/v1/checkouts', async (c) => {
    const checkout = readCheckout(await c.req.json<CheckoutBody>(), customerBy)
    store.saveCheckout(checkout)
    return c.json({ ...checkoutA(checkout), checkout_url: `${baseUrl()}/payment-a/checkout/${checkout.id}` })
  })

  app.post('/v1/customers/billing', async (c) => {
    const { id } = customerBy((await c.req.json<{ customer_id?: string }>()).customer_id)
    return c.json({ customer_portal_link: `${baseUrl()}/payment-a/portal/${id}` })
  })

  app.get('/v1/transactions/search', (c) => {
    const [page, size] = [Number(c.req.query('page_number') ?? 1), Number(c.req.query('page_size') ?? 10)]
    const { customer_id: of, order_id: order } = c.req.query()
    const paid = store
      .paymentsOf(SELLER.name)
      .filter(({ customer, payment }) => payment.paidAt !== null && (of === undefined || customer.id === of))
    const all = paid
      .map(transactionA)
      .filter((each) => order === undefined || each.order === order)
      .sort((a, b) => Number(b.created_at) - Number(a.created_at))
    const next_page = page * size < all.length ? page + 1 : null
    return c.json({ items: all.slice((page - 1) * size, page * size), pagination: { next_page } })
  })

  const paidBy = (id?: string) =>
    found(
      store.paymentsOf(SELLER.name).find(({ payment }) => payment.id === id),
      missing('Transaction'),
    )
  app.get('/v1/transactions', (c) => c.json(transactionA(paidBy(c.req.query('transaction_id')))))

  app.post('/v1/refunds', async (c) => {
    const paid = paidBy((await c.req.json<{ transaction_id?: string }>()).transaction_id)
    await events.operate(refundByCall(paid.payment, null, null), paid.payment, paid)
    return c.json({ status: 'succeeded' })
  })
  app.get('/dashboard/:id', (c) =>
    c.redirect(`/payment-a/portal/${found(store.customerOf(c.req.param('id')), missing('Page')).id}`),
  )

  app.get('/v1/checkouts', (c) => {
    const checkout = found(store.checkouts.get(c.req.query('checkout_id') ?? ''), missing('Checkout'))
    return c.json(checkoutA(checkout, store.paidBy(checkout)))
  })

  app.get('/v1/subscriptions', (c) => {
    const all = store.subscriptionsOf(SELLER.name).map(subscriptionA)
    return c.json(
      found(
        all.find(({ id }) => id === c.req.query('subscription_id')),
        missing('Subscription'),
      ),
    )
  })
  return app
}

function readCheckout(body: CheckoutBody, customerBy: (id: string) => Customer): Checkout {
  const { product_id, success_url = '', metadata = {}, customer, request_id } = body
  const problems = typeof product_id === 'string' ? [] : ['product_id must be a string']
  if (success_url !== '' && !isWebUrl(success_url)) problems.push('success_url must be a URL address')
  if (problems.length > 0) throw refusal(400, problems.join('\n'))
  const product = found(productBy(SELLER, String(product_id)), missing('Product'))
  const known = customer?.id === undefined ? null : customerBy(customer.id)
  return newCheckout({
    id: newId('ch_'),
    processor: SELLER.name,
    productId: product.id,
    customerId: known?.id ?? null,
    email: known?.email ?? customer?.email ?? null,
    metadata,
    reference: request_id ?? null,
    successUrl: success_url,
  })
}

const missing = (what: string) => refusal(404, `${what} not found`)

/** @returns the object of an event of this type; none when payment-a has no such event, or its record does not exist */
export function objectA(type: string, { customer, checkout, subscription, payment, at }: OperationContext) {
  if (type.startsWith('subscription.')) {
    const isUnpaid = type === 'subscription.paid' && !payment
    return subscription && !isUnpaid ? subscriptionA({ customer, subscription }) : undefined
  }
  if (!payment) return
  const paid = { customer, payment, subscription }
  if (type === 'checkout.completed') return checkout && checkoutA(checkout, paid)
  const { cents: amount, currency, dispute, refunds, checkoutId, metadata } = payment
  const about = {
    ...aboutA(paid),
    transaction: transactionA(paid),
    checkout: { id: checkoutId, object: 'checkout', status: 'completed', metadata },
    created_at: at,
  }
  if (type === 'dispute.created') return { ...about, id: dispute?.id, object: 'dispute', amount, currency }
  if (type !== 'refund.created') return
  const { id, cents: refund_amount, status } = refunds.at(-1) ?? {}
  return { ...about, id, object: 'refund', status, refund_amount, refund_currency: currency }
}

/** @param paid the payer; the order and the customer are those of the payment */
const checkoutA = (checkout: Checkout, paid?: Paid) => ({
  ...(paid ? aboutA(paid) : { mode: 'test' }),
  id: checkout.id,
  object: 'checkout',
  status: paid ? 'completed' : 'pending',
  metadata: checkout.metadata,
  product: productA(checkout.productId),
  request_id: checkout.reference ?? undefined,
})

/** What stands beside every payment: its order, customer and subscription. */
function aboutA({ customer, payment, subscription }: Paid) {
  const { checkoutId, currency } = payment
  const type = subscription ? 'recurring' : 'onetime'
  const order = { id: orderIdOf(checkoutId), object: 'order', status: 'paid', type, currency, ...amountsA(payment) }
  // A subscription inside other objects names its product and customer by id.
  const product = productA(payment.productId).id
  const embedded = subscription && { ...subscriptionA({ customer, subscription }), product, customer: customer.id }
  return { order, customer: customerA(customer), subscription: embedded, mode: 'test' }
}

const amountsA = ({ cents, discountCents }: Payment) => ({
  amount: cents + discountCents,
  discount_amount: discountCents,
  amount_paid: cents,
})

/** One order covers all payments of a subscription. */
const orderIdOf = (checkoutId: string): string => checkoutId.replace('ch_', 'ord_')

/** What payment-a appends to the return URL: ids, and a signature over them. */
export function returnParameters(checkout: Checkout, paid: Paid | undefined, apiKey: string | null) {
  const ids = Object.entries({
    request_id: checkout.reference ?? '',
    checkout_id: checkout.id,
    order_id: orderIdOf(checkout.id),
    customer_id: paid?.customer.id ?? '',
    subscription_id: paid?.payment.subscriptionId ?? '',
    product_id: productA(checkout.productId).id ?? '',
  }).filter(([, value]) => value !== '')
  const salted = [...ids, ['salt', apiKey ?? '']].map((pair) => pair.join('=')).join('|')
  return Object.fromEntries([...ids, ['signature', createHash('sha256').update(salted).digest('hex')]])
}

function subscriptionA({ customer, subscription }: Subscribed) {
  const { id, status, cancelAtPeriodEnd, cancelledAt, metadata } = subscription
  const isPaid = ({ subscriptionId, paidAt }: Payment): boolean => subscriptionId === id && paidAt !== null
  const last = customer.payments.findLast(isPaid)
  return {
    id,
    object: 'subscription',
    product: productA(subscription.productId),
    customer: customerA(customer),
    status: status === 'active' && cancelAtPeriodEnd ? 'scheduled_cancel' : status,
    last_transaction_id: last?.id ?? null,
    ...(last && { last_transaction: transactionA({ customer, payment: last, subscription }) }),
    current_period_start_date: iso(subscription.periodStart),
    current_period_end_date: iso(subscription.periodEnd),
    canceled_at: cancelledAt === null ? null : iso(cancelledAt),
    metadata,
    mode: 'test',
  }
}

function transactionA({ customer, payment }: Paid) {
  const { id, cents, refundedCents, currency, subscriptionId, paidAt } = payment
  // A dispute that was won leaves no trace.
  const dispute = payment.dispute?.status === 'won' ? null : payment.dispute
  const paidStatus = refundedCents === 0 ? 'paid' : refundedCents < cents ? 'partialRefund' : 'refunded'
  const { periodStart: period_start, periodEnd: period_end } = payment.lines.at(-1) ?? {}
  return {
    id,
    object: 'transaction',
    ...amountsA(payment),
    currency,
    status: dispute ? 'chargeback' : paidStatus,
    refunded_amount: dispute ? cents : refundedCents,
    order: orderIdOf(payment.checkoutId),
    ...(subscriptionId && { subscription: subscriptionId, period_start, period_end }),
    customer: customer.id,
    tax_amount: 0,
    tax_country: 'DE',
    created_at: paidAt,
    mode: 'test',
  }
}

function productA(productId: string) {
  const product = productById(productId)
  const { months, name } = product
  const billing_type = months === 0 ? 'onetime' : 'recurring'
  return { id: idAt(SELLER, product), object: 'product', name, billing_type }
}

const customerA = ({ id, email }: Customer) => ({ id, object: 'customer', email, country: 'DE' })

const iso = (at: number): string => new Date(at).toISOString()
