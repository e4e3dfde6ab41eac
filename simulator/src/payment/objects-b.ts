/** The objects of payment-b's events in three generations of its API, because the receiver must read them all. */
import type { ApiGeneration } from '../settings.ts'
import type { Facts } from './operations.ts'
import { type Product, processorIdOf, productById } from './products.ts'
import { type Checkout, type Customer, type Line, newId, type Payment, type Subscription } from './store.ts'

type Generation = {
  version: string
  /**
   * Periods stand on the subscription, and payment and subscription on the invoice; else on the items and in
   * `parent`.
   */
  isFlat: boolean
  /** Since 2026 an end with the period shows in `cancel_at` alone. */
  hasCancelFlag: boolean
  /** Prorations are invoice items. */
  hasInvoiceItems: boolean
}

export const generations: Record<ApiGeneration, Generation> = {
  '2024': { version: '2024-06-20', isFlat: true, hasCancelFlag: true, hasInvoiceItems: false },
  '2025': { version: '2025-08-27.basil', isFlat: false, hasCancelFlag: true, hasInvoiceItems: false },
  '2026': { version: '2026-06-24.dahlia', isFlat: false, hasCancelFlag: false, hasInvoiceItems: true },
}

/** @returns the object of an event of this type; null when its record does not exist and the event is not sent */
export function objectB(type: string, facts: Facts, generation: Generation): object | null {
  const { customer, checkout, subscription, payment } = facts
  if (type.startsWith('customer.subscription.')) {
    return subscription && subscriptionB(customer, subscription, generation)
  }
  if (type === 'payment_intent.payment_failed') return checkout && declinedIntent(checkout, facts.at)
  if (!payment) return null
  if (type.startsWith('checkout.session.')) return checkout && sessionB(checkout, null, { customer, payment })
  if (type === 'charge.refunded') return chargeB(customer, payment, generation)
  if (type.startsWith('charge.dispute.')) return disputeB(payment)
  if (!subscription) return null
  if (type !== 'invoice_payment.paid') return invoiceB(customer, subscription, payment, generation)
  // Since 2025 the invoice does not name its payment; an invoice that the balance covers has none.
  return generation.isFlat || payment.intentId === null ? null : invoicePaymentB(payment)
}

/** @param paid null before the payment, when there is no customer, payment or subscription yet */
export function sessionB(
  checkout: Checkout,
  url: string | null,
  paid: { customer: Customer; payment: Payment } | null = null,
) {
  const product = productById(checkout.productId)
  const isPurchase = product.months === 0
  const email = paid?.customer.email ?? checkout.email
  const { quantity, isFree } = checkout
  const paidStatus = isFree ? 'no_payment_required' : 'paid'
  return {
    id: checkout.id,
    object: 'checkout.session',
    amount_subtotal: product.cents * quantity,
    amount_total: isFree ? 0 : product.cents * quantity,
    client_reference_id: checkout.reference,
    currency: product.currency.toLowerCase(),
    customer: paid ? customerId(paid.customer) : checkout.customerId,
    customer_details: email === null ? null : { email },
    metadata: checkout.metadata,
    mode: isPurchase ? 'payment' : 'subscription',
    payment_intent: paid && isPurchase ? paid.payment.intentId : null,
    payment_status: paid?.payment.status === 'paid' ? paidStatus : 'unpaid',
    status: paid ? 'complete' : 'open',
    subscription: paid?.payment.subscriptionId ?? null,
    url,
  }
}

export function subscriptionB(customer: Customer, subscription: Subscription, { isFlat, hasCancelFlag }: Generation) {
  const { id, status, cancelAtPeriodEnd, cancelledAt, periodStart, periodEnd } = subscription
  const period = { current_period_start: seconds(periodStart), current_period_end: seconds(periodEnd) }
  const item = {
    id: subscription.itemId,
    object: 'subscription_item',
    ...(isFlat ? {} : period),
    price: priceB(productById(subscription.productId)),
    quantity: subscription.quantity,
    subscription: id,
  }
  return {
    id,
    object: 'subscription',
    cancel_at: cancelAtPeriodEnd ? seconds(periodEnd) : null,
    cancel_at_period_end: cancelAtPeriodEnd && hasCancelFlag,
    canceled_at: cancelledAt === null ? null : seconds(cancelledAt),
    ...(isFlat ? period : {}),
    customer: customer.id,
    items: { object: 'list', data: [item] },
    metadata: subscription.metadata,
    status,
  }
}

const priceB = (product: Product) => ({
  id: processorIdOf(product, 'payment-b'),
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

export function invoiceB(customer: Customer, subscription: Subscription, payment: Payment, generation: Generation) {
  const isPaid = payment.status === 'paid'
  const { id: subscriptionId, metadata } = subscription
  const details = { metadata, subscription: subscriptionId }
  const { chargeId: charge, intentId: payment_intent, discountCents } = payment
  const subtotal = payment.lines.reduce((sum, line) => sum + line.cents, 0)
  return {
    id: payment.id,
    object: 'invoice',
    amount_paid: isPaid ? payment.cents : 0,
    billing_reason: billingReasons[payment.reason],
    currency: payment.currency.toLowerCase(),
    customer: customer.id,
    lines: { object: 'list', data: payment.lines.map((line) => lineB(line, subscription, generation)) },
    metadata: {},
    status: isPaid ? 'paid' : 'open',
    subtotal,
    total: subtotal - discountCents,
    total_discount_amounts: discountCents > 0 ? [{ amount: discountCents, discount: `di_${payment.id}` }] : [],
    ...(generation.isFlat
      ? { charge, payment_intent, subscription: subscriptionId, subscription_details: { metadata } }
      : { parent: { type: 'subscription_details', subscription_details: details } }),
  }
}

function lineB(line: Line, subscription: Subscription, { isFlat, hasInvoiceItems }: Generation) {
  const product = productById(line.productId)
  const proration = line.isProration
  const common = {
    object: 'line_item',
    amount: line.cents,
    quantity: line.quantity,
    metadata: subscription.metadata,
    period: { start: seconds(line.periodStart), end: seconds(line.periodEnd) },
  }
  const { id, itemId } = subscription
  if (isFlat) return { ...common, price: priceB(product), proration, subscription: id, subscription_item: itemId }
  const type = proration && hasInvoiceItems ? 'invoice_item_details' : 'subscription_item_details'
  const price = { price: processorIdOf(product, 'payment-b'), product: priceB(product).product }
  return {
    ...common,
    parent: { type, [type]: { proration, subscription: id } },
    pricing: { type: 'price_details', price_details: price },
  }
}

export const invoicePaymentB = (payment: Payment) => ({
  id: newId('inpay_1', 23),
  object: 'invoice_payment',
  amount_paid: payment.cents,
  invoice: payment.id,
  payment: { type: 'payment_intent', payment_intent: payment.intentId },
})

/** Only the oldest generation names the invoice of a charge. */
export const chargeB = (customer: Customer, payment: Payment, { isFlat }: Generation) => ({
  id: payment.chargeId,
  object: 'charge',
  amount: payment.cents,
  amount_refunded: payment.refundedCents,
  currency: payment.currency.toLowerCase(),
  customer: customerId(customer),
  disputed: payment.disputed,
  ...(isFlat ? { invoice: payment.subscriptionId === null ? null : payment.id } : {}),
  metadata: payment.metadata,
  payment_intent: payment.intentId,
  refunded: payment.refundedCents >= payment.cents,
})

export function disputeB(payment: Payment) {
  const { dispute } = payment
  return {
    id: dispute?.id,
    object: 'dispute',
    amount: payment.cents,
    balance_transactions: (dispute?.movements ?? []).map((amount) => ({ object: 'balance_transaction', amount })),
    charge: payment.chargeId,
    created: seconds(dispute?.at ?? payment.createdAt),
    currency: payment.currency.toLowerCase(),
    livemode: false,
    payment_intent: payment.intentId,
    reason: 'fraudulent',
    status: dispute?.status,
  }
}

/** A payment that the bank declined. */
function declinedIntent(checkout: Checkout, at: number) {
  const { cents, currency, months } = productById(checkout.productId)
  return {
    id: newId('pi_3', 23),
    object: 'payment_intent',
    amount: cents,
    created: seconds(at),
    currency: currency.toLowerCase(),
    customer: checkout.customerId,
    last_payment_error: { code: 'card_declined', message: 'Your card was declined.', type: 'card_error' },
    metadata: months === 0 ? checkout.innerMetadata : {},
    status: 'requires_payment_method',
  }
}

/** The API has no id for a guest. */
const customerId = ({ id, isGuest }: Customer): string | null => (isGuest ? null : id)

export const seconds = (at: number): number => Math.floor(at / 1000)
