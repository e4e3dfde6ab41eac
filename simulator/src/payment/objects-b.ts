/** The objects of payment-b's API and events in three generations, because the receiver must read them all. */
import type { ApiGeneration } from '../settings.ts'
import type { Act } from './operations.ts'
import { productById } from './products.ts'
import {
  type Checkout,
  type Customer,
  type Dispute,
  type Line,
  newId,
  type Payment,
  type Subscription,
} from './store.ts'

export const versions: Record<ApiGeneration, string> = {
  '2024': '2024-06-20',
  '2025': '2025-08-27.basil',
  '2026': '2026-06-24.dahlia',
}
/** Periods stand on the subscription, and payment and subscription on the invoice; later on the items and in `parent`. */
const isFlat = (api: ApiGeneration): boolean => api === '2024'

/** @returns the object of an event of this type; null when payment-b has no such event, or its record does not exist */
export function objectB(type: string, act: Act, api: ApiGeneration): object | null {
  const { customer, checkout, subscription, payment } = act
  if (type.startsWith('customer.subscription.')) return subscription && subscriptionB(customer, subscription, api)
  if (type === 'payment_intent.payment_failed') return checkout && declinedIntent(checkout)
  if (!payment) return null
  if (type.startsWith('checkout.session.')) return checkout && sessionB(checkout, { customer, payment })
  if (type === 'charge.refunded') return chargeB(customer, payment, api)
  if (type.startsWith('charge.dispute.')) return payment.dispute && disputeB(payment, payment.dispute)
  if (type.startsWith('invoice.')) return subscription && invoiceB(customer, subscription, payment, api)
  // Since 2025 the invoice does not name its payment; an invoice that the balance covers has none.
  const hasOwn = type === 'invoice_payment.paid' && subscription && !isFlat(api) && intentOf(payment) !== null
  return hasOwn ? invoicePaymentB(payment) : null
}

const base = (object: string, id: string | null) => ({ id, object, livemode: false })

/** @param paid null before the payment, when there is no customer, payment or subscription yet */
export function sessionB(checkout: Checkout, paid: { customer: Customer; payment: Payment } | null) {
  const { id, quantity, isFree, createdAt, reference, metadata } = checkout
  const { cents, months } = productById(checkout.productId)
  return {
    ...base('checkout.session', id),
    amount_subtotal: cents * quantity,
    amount_total: isFree ? 0 : cents * quantity,
    client_reference_id: reference,
    created: seconds(createdAt),
    customer: paid ? customerId(paid.customer) : checkout.customerId,
    metadata,
    mode: months === 0 ? 'payment' : 'subscription',
    payment_intent: paid && months === 0 ? intentOf(paid.payment) : null,
    payment_status: paid?.payment.status !== 'paid' ? 'unpaid' : isFree ? 'no_payment_required' : 'paid',
    status: paid ? 'complete' : 'open',
    subscription: paid?.payment.subscriptionId ?? null,
  }
}

export function subscriptionB(customer: Customer, subscription: Subscription, api: ApiGeneration) {
  const { id, status, cancelAtPeriodEnd, cancelledAt, periodStart, periodEnd, quantity, metadata } = subscription
  const period = { current_period_start: seconds(periodStart), current_period_end: seconds(periodEnd) }
  const item = { id: itemOf(id), object: 'subscription_item', price: priceB(subscription.productId), quantity }
  return {
    ...base('subscription', id),
    cancel_at: cancelAtPeriodEnd ? seconds(periodEnd) : null,
    // Since 2026 an end with the period shows in `cancel_at` alone.
    cancel_at_period_end: cancelAtPeriodEnd && api !== '2026',
    canceled_at: cancelledAt === null ? null : seconds(cancelledAt),
    ...(isFlat(api) ? period : {}),
    customer: customer.id,
    items: { object: 'list', data: [isFlat(api) ? item : { ...item, ...period }] },
    metadata,
    status,
  }
}

function priceB(productId: string) {
  const { id, cents, months, processorIds } = productById(productId)
  const recurring = months === 0 ? null : { interval: months === 12 ? 'year' : 'month', interval_count: 1 }
  const product = `prod_${id.replaceAll('-', '_')}`
  return { id: processorIds['payment-b'][0], object: 'price', product, recurring, unit_amount: cents }
}

const billingReasons: Record<Payment['reason'], string> = {
  purchase: 'manual',
  'first period': 'subscription_create',
  'next period': 'subscription_cycle',
  'plan change': 'subscription_update',
}

export function invoiceB(customer: Customer, subscription: Subscription, payment: Payment, api: ApiGeneration) {
  const { id, status, cents, discountCents, paidAt, lines } = payment
  const { id: subscriptionId, metadata } = subscription
  const details = { metadata, subscription: subscriptionId }
  const subtotal = lines.reduce((sum, line) => sum + line.cents, 0)
  const flat = { charge: chargeOf(payment), payment_intent: intentOf(payment), subscription_details: { metadata } }
  return {
    ...base('invoice', id),
    amount_paid: status === 'paid' ? cents : 0,
    billing_reason: billingReasons[payment.reason],
    created: seconds(payment.createdAt),
    customer: customer.id,
    lines: { object: 'list', data: lines.map((line) => lineB(line, subscription, api)) },
    metadata: {},
    status: status === 'paid' ? 'paid' : 'open',
    status_transitions: { paid_at: paidAt === null ? null : seconds(paidAt) },
    subtotal,
    total: subtotal - discountCents,
    total_discount_amounts: discountCents > 0 ? [{ amount: discountCents, discount: `di_${id}` }] : [],
    ...(isFlat(api)
      ? { ...flat, subscription: subscriptionId }
      : { parent: { type: 'subscription_details', subscription_details: details } }),
  }
}

function lineB(line: Line, { id, metadata }: Subscription, api: ApiGeneration) {
  const { isProration: proration, cents: amount, quantity } = line
  const price = priceB(line.productId)
  const period = { start: seconds(line.periodStart), end: seconds(line.periodEnd) }
  const common = { object: 'line_item', amount, quantity, metadata, period }
  if (isFlat(api)) return { ...common, price, proration, subscription: id, subscription_item: itemOf(id) }
  // Since 2026 prorations are invoice items.
  const type = proration && api === '2026' ? 'invoice_item_details' : 'subscription_item_details'
  return {
    ...common,
    parent: { type, [type]: { proration, subscription: id } },
    pricing: { type: 'price_details', price_details: { price: price.id, product: price.product } },
  }
}

export const invoicePaymentB = (payment: Payment) => ({
  id: newId('inpay_'),
  object: 'invoice_payment',
  amount_paid: payment.cents,
  invoice: payment.id,
  payment: { type: 'payment_intent', payment_intent: intentOf(payment) },
})

export function chargeB(customer: Customer, payment: Payment, api: ApiGeneration) {
  const { id, cents, refundedCents, subscriptionId, metadata } = payment
  return {
    ...base('charge', chargeOf(payment)),
    amount: cents,
    amount_refunded: refundedCents,
    customer: customerId(customer),
    // Only the oldest generation names the invoice of a charge.
    ...(isFlat(api) && subscriptionId !== null ? { invoice: id } : {}),
    // Metadata of a subscription is not copied to its charges.
    metadata: subscriptionId === null ? metadata : {},
    payment_intent: intentOf(payment),
    refunded: refundedCents >= cents,
  }
}

export const disputeB = (payment: Payment, { id, status, at, movements }: Dispute) => ({
  ...base('dispute', id),
  amount: payment.cents,
  balance_transactions: movements.map((amount) => ({ object: 'balance_transaction', amount })),
  charge: chargeOf(payment),
  created: seconds(at),
  payment_intent: intentOf(payment),
  status,
})

/** A payment that the bank declined. */
function declinedIntent({ productId, customerId, innerMetadata }: Checkout) {
  const { cents, months } = productById(productId)
  return {
    id: newId('pi_'),
    object: 'payment_intent',
    amount: cents,
    customer: customerId,
    last_payment_error: { code: 'card_declined', message: 'Your card was declined.', type: 'card_error' },
    // Metadata of a subscription is not copied to its payments.
    metadata: months === 0 ? innerMetadata : {},
    status: 'requires_payment_method',
  }
}

/** Null as long as no money moved. */
export const intentOf = ({ id, cents, status }: Payment): string | null =>
  cents > 0 && (status === 'paid' || status === 'pending') ? id.replace('in_', 'pi_') : null
export const chargeOf = (payment: Payment): string | null => intentOf(payment)?.replace('pi_', 'ch_') ?? null
const itemOf = (subscriptionId: string): string => subscriptionId.replace('sub_', 'si_')

/** The API has no id for a guest. */
const customerId = ({ id, isGuest }: Customer): string | null => (isGuest ? null : id)

export const seconds = (at: number): number => Math.floor(at / 1000)
