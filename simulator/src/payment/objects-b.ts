/**
 * The objects of payment-b's events in three generations of its API, because the receiver must read them all:
 * 2024: periods stand on the subscription, payment and subscription on the invoice.
 * 2025 (since 2025-03-31): periods stand on the items, the invoice names its subscription under `parent`.
 * 2026: as 2025; an end with the period shows in `cancel_at` alone, and prorations are invoice items.
 */
import { newId } from './ids.ts'
import type { Facts } from './operations.ts'
import type { Product, Products } from './products.ts'
import type { Checkout, Customer, Line, Payment, Subscription } from './store.ts'

export const apiGenerations = ['2024', '2025', '2026'] as const
export type ApiGeneration = (typeof apiGenerations)[number]
export const apiVersions = { '2024': '2024-06-20', '2025': '2025-08-27.basil', '2026': '2026-06-24.dahlia' } as const

type Context = { products: Products; api: ApiGeneration; baseUrl: string }

/** @returns the object of an event of this type; null when its record does not exist and the event is not sent */
export function objectB(type: string, facts: Facts, context: Context): object | null {
  const { customer, checkout, subscription, payment } = facts
  if (type.startsWith('customer.subscription.')) {
    return subscription && subscriptionB(customer, subscription, context)
  }
  if (type === 'payment_intent.payment_failed') return checkout && declinedIntent(checkout, facts.at, context.products)
  if (!payment) return null
  if (type.startsWith('checkout.session.')) return checkout && sessionB(checkout, context, { customer, payment })
  if (type.startsWith('charge.')) {
    return type === 'charge.refunded' ? chargeB(customer, payment, context.api) : disputeB(payment)
  }
  if (!subscription) return null
  if (type !== 'invoice_payment.paid') return invoiceB(customer, subscription, payment, context)
  // Since 2025 the invoice does not name its payment; an invoice that the balance covers has none.
  return context.api === '2024' || payment.intentId === null ? null : invoicePaymentB(payment)
}

/** @param paid null before the payment, when there is no customer, payment or subscription yet */
export function sessionB(
  checkout: Checkout,
  { products, baseUrl }: Pick<Context, 'products' | 'baseUrl'>,
  paid: { customer: Customer; payment: Payment } | null,
) {
  const product = products.byId(checkout.productId)
  const isPurchase = product.months === 0
  const email = paid?.customer.email ?? checkout.email
  return {
    id: checkout.id,
    object: 'checkout.session',
    amount_total: product.cents,
    client_reference_id: checkout.reference,
    customer: paid ? customerId(paid.customer) : checkout.customerId,
    customer_details: email === null ? null : { email },
    metadata: checkout.metadata,
    mode: isPurchase ? 'payment' : 'subscription',
    payment_intent: paid && isPurchase ? paid.payment.intentId : null,
    payment_status: paid?.payment.status === 'paid' ? 'paid' : 'unpaid',
    status: paid ? 'complete' : 'open',
    subscription: paid?.payment.subscriptionId ?? null,
    url: paid ? null : `${baseUrl}/payment-b/checkout/${checkout.id}`,
  }
}

function subscriptionB(customer: Customer, subscription: Subscription, { products, api }: Context) {
  const { id, status, cancelAtPeriodEnd, cancelledAt, periodEnd } = subscription
  const period = { current_period_start: seconds(subscription.periodStart), current_period_end: seconds(periodEnd) }
  const product = products.byId(subscription.productId)
  const item = {
    id: subscription.itemId,
    object: 'subscription_item',
    ...(api === '2024' ? {} : period),
    price: priceB(product),
    subscription: id,
  }
  return {
    id,
    object: 'subscription',
    cancel_at: cancelAtPeriodEnd ? seconds(periodEnd) : null,
    cancel_at_period_end: cancelAtPeriodEnd && api !== '2026',
    canceled_at: cancelledAt === null ? null : seconds(cancelledAt),
    ...(api === '2024' ? period : {}),
    customer: customer.id,
    items: { object: 'list', data: [item] },
    metadata: subscription.metadata,
    status,
  }
}

const priceB = (product: Product) => ({
  id: product.processorIds['payment-b'],
  object: 'price',
  currency: product.currency.toLowerCase(),
  product: `prod_${product.id.replaceAll('-', '_')}`,
  recurring: product.months === 0 ? null : { interval: product.months === 12 ? 'year' : 'month', interval_count: 1 },
  unit_amount: product.cents,
})

const billingReasons: Record<Payment['reason'], string> = {
  purchase: 'manual',
  'first period': 'subscription_create',
  'next period': 'subscription_cycle',
  'plan change': 'subscription_update',
}

function invoiceB(customer: Customer, subscription: Subscription, payment: Payment, { products, api }: Context) {
  const isPaid = payment.status === 'paid'
  const total = payment.lines.reduce((sum, line) => sum + line.cents, 0)
  const { id: subscriptionId, metadata } = subscription
  const lines = payment.lines.map((line) => lineB(line, subscription, products.byId(line.productId), api))
  const details = { metadata, subscription: subscriptionId }
  return {
    id: payment.id,
    object: 'invoice',
    amount_paid: isPaid ? payment.cents : 0,
    billing_reason: billingReasons[payment.reason],
    currency: payment.currency.toLowerCase(),
    customer: customer.id,
    lines: { object: 'list', data: lines },
    metadata: {},
    status: isPaid ? 'paid' : 'open',
    total,
    ...(api === '2024'
      ? {
          charge: payment.chargeId,
          payment_intent: payment.intentId,
          subscription: subscriptionId,
          subscription_details: { metadata },
        }
      : { parent: { type: 'subscription_details', subscription_details: details } }),
  }
}

function lineB(line: Line, { id, itemId, metadata }: Subscription, product: Product, api: ApiGeneration) {
  const common = {
    object: 'line_item',
    amount: line.cents,
    metadata,
    period: { start: seconds(line.periodStart), end: seconds(line.periodEnd) },
  }
  const proration = line.isProration
  if (api === '2024')
    return { ...common, price: priceB(product), proration, subscription: id, subscription_item: itemId }
  const type = proration && api === '2026' ? 'invoice_item_details' : 'subscription_item_details'
  const price = product.processorIds['payment-b']
  return {
    ...common,
    parent: { type, [type]: { proration, subscription: id } },
    pricing: { type: 'price_details', price_details: { price, product: priceB(product).product } },
  }
}

const invoicePaymentB = (payment: Payment) => ({
  id: newId('inpay_1', 23),
  object: 'invoice_payment',
  amount_paid: payment.cents,
  invoice: payment.id,
  payment: { type: 'payment_intent', payment_intent: payment.intentId },
})

/** Only the oldest generation names the invoice of a charge. */
const chargeB = (customer: Customer, payment: Payment, api: ApiGeneration) => ({
  id: payment.chargeId,
  object: 'charge',
  amount: payment.cents,
  amount_refunded: payment.refundedCents,
  currency: payment.currency.toLowerCase(),
  customer: customerId(customer),
  disputed: payment.disputed,
  ...(api === '2024' ? { invoice: payment.subscriptionId === null ? null : payment.id } : {}),
  metadata: payment.metadata,
  payment_intent: payment.intentId,
  refunded: payment.refundedCents >= payment.cents,
})

const disputeB = (payment: Payment) => ({
  id: newId('du_1', 23),
  object: 'dispute',
  amount: payment.cents,
  charge: payment.chargeId,
  currency: payment.currency.toLowerCase(),
  payment_intent: payment.intentId,
  reason: 'fraudulent',
  status: 'needs_response',
})

/** A payment that the bank declined. */
function declinedIntent(checkout: Checkout, at: number, products: Products) {
  const product = products.byId(checkout.productId)
  return {
    id: newId('pi_3', 23),
    object: 'payment_intent',
    amount: product.cents,
    created: seconds(at),
    currency: product.currency.toLowerCase(),
    customer: checkout.customerId,
    last_payment_error: { code: 'card_declined', message: 'Your card was declined.', type: 'card_error' },
    metadata: product.months === 0 ? checkout.innerMetadata : {},
    status: 'requires_payment_method',
  }
}

/** The API has no id for a guest. */
const customerId = ({ id, isGuest }: Customer): string | null => (isGuest ? null : id)

export const seconds = (at: number): number => Math.floor(at / 1000)
