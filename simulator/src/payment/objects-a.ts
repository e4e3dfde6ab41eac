/** The objects of payment-a's events: times as ISO text, but milliseconds in a transaction. */
import type { Facts } from './operations.ts'
import { type Product, processorIdOf, productById } from './products.ts'
import type { Checkout, Customer, Payment, Subscription } from './store.ts'

/** @returns the object of an event of this type; null when its record does not exist and the event is not sent */
export function objectA(type: string, facts: Facts): object | null {
  const { customer, checkout, subscription, payment } = facts
  if (type.startsWith('subscription.')) {
    const isUnpaid = type === 'subscription.paid' && !payment
    return subscription && !isUnpaid ? subscriptionA(customer, subscription) : null
  }
  if (!payment) return null
  const about = {
    order: orderA(customer, payment),
    customer: customerA(customer),
    ...(subscription ? { subscription: embedded(customer, subscription) } : {}),
    mode: 'test',
  }
  if (type === 'checkout.completed') {
    return checkout && { ...checkoutA(checkout), product: productA(productById(checkout.productId)), ...about }
  }
  const transaction = transactionA(customer, payment)
  const paid = { id: payment.checkoutId, object: 'checkout', status: 'completed', metadata: payment.metadata }
  const details = { ...about, transaction, checkout: paid, created_at: facts.at }
  const { cents, currency } = payment
  if (type === 'dispute.created') {
    return { ...details, id: payment.dispute?.id, object: 'dispute', amount: cents, currency }
  }
  return {
    ...details,
    id: payment.refunds.at(-1)?.id,
    object: 'refund',
    status: 'succeeded',
    refund_amount: facts.refundCents,
    refund_currency: currency,
    reason: 'requested_by_customer',
  }
}

const checkoutA = (checkout: Checkout) => ({
  id: checkout.id,
  object: 'checkout',
  ...(checkout.reference === null ? {} : { request_id: checkout.reference }),
  status: 'completed',
  metadata: checkout.metadata,
})

export function subscriptionA(customer: Customer, subscription: Subscription) {
  const isPaid = ({ subscriptionId, paidAt }: Payment): boolean => subscriptionId === subscription.id && paidAt !== null
  const { id, status, cancelAtPeriodEnd, cancelledAt, metadata } = subscription
  return {
    id,
    object: 'subscription',
    product: productA(productById(subscription.productId)),
    customer: customerA(customer),
    status: status === 'active' && cancelAtPeriodEnd ? 'scheduled_cancel' : status,
    last_transaction_id: customer.payments.findLast(isPaid)?.id ?? null,
    current_period_start_date: iso(subscription.periodStart),
    current_period_end_date: iso(subscription.periodEnd),
    canceled_at: cancelledAt === null ? null : iso(cancelledAt),
    metadata,
    mode: 'test',
  }
}

/** Inside other objects, a subscription names its product and customer by id. */
const embedded = (customer: Customer, subscription: Subscription) => ({
  ...subscriptionA(customer, subscription),
  product: processorIdOf(productById(subscription.productId), 'payment-a'),
  customer: customer.id,
})

export function transactionA(customer: Customer, payment: Payment) {
  const { id, cents, discountCents, currency, subscriptionId, disputed } = payment
  const refundedCents = disputed ? cents : payment.refundedCents
  const period = payment.lines.at(-1)
  return {
    id,
    object: 'transaction',
    amount: cents + discountCents,
    discount_amount: discountCents,
    amount_paid: cents,
    currency,
    type: subscriptionId ? 'invoice' : 'payment',
    status: transactionStatus(payment),
    refunded_amount: refundedCents,
    order: payment.orderId,
    ...(subscriptionId && period
      ? { subscription: subscriptionId, period_start: period.periodStart, period_end: period.periodEnd }
      : {}),
    customer: customer.id,
    created_at: payment.paidAt,
  }
}

/** In the list of transactions; events have it as it is then. */
function transactionStatus({ disputed, refundedCents, cents, status }: Payment): string {
  if (disputed) return 'chargeback'
  if (refundedCents > 0) return refundedCents < cents ? 'partialRefund' : 'refunded'
  return status === 'paid' ? 'paid' : status === 'failed' ? 'uncollectible' : 'pending'
}

/** A checkout as the API returns it: with the order and the customer once it is paid. */
export function completedCheckoutA(checkout: Checkout, paid: { customer: Customer; payment: Payment } | null) {
  const product = productA(productById(checkout.productId))
  const mode = 'test'
  if (!paid) return { ...checkoutA(checkout), status: 'pending', product, mode }
  const { customer, payment } = paid
  const subscription = customer.subscriptions.find(({ id }) => id === payment.subscriptionId)
  return {
    ...checkoutA(checkout),
    product,
    order: orderA(customer, payment),
    customer: customerA(customer),
    ...(subscription ? { subscription: embedded(customer, subscription) } : {}),
    mode,
  }
}

const orderA = (customer: Customer, payment: Payment) => ({
  object: 'order',
  id: payment.orderId,
  customer: customer.id,
  product: processorIdOf(productById(payment.productId), 'payment-a'),
  amount: payment.cents + payment.discountCents,
  discount_amount: payment.discountCents,
  amount_due: payment.cents,
  amount_paid: payment.cents,
  currency: payment.currency,
  transaction: payment.id,
  status: 'paid',
  type: payment.subscriptionId === null ? 'onetime' : 'recurring',
})

const productA = (product: Product) => ({
  id: processorIdOf(product, 'payment-a'),
  object: 'product',
  name: product.name,
  price: product.cents,
  currency: product.currency,
  billing_type: product.months === 0 ? 'onetime' : 'recurring',
  billing_period: { 0: 'once', 1: 'every-month', 12: 'every-year' }[product.months],
})

const customerA = ({ id, email }: Customer) => ({ id, object: 'customer', email, name: email.split('@')[0] })

const iso = (at: number): string => new Date(at).toISOString()
