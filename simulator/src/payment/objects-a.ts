/** The objects of payment-a's API and events. Times are ISO text, but milliseconds in a transaction. */
import type { OperationContext } from './operations.ts'
import { productById } from './products.ts'
import { type Checkout, type Customer, type Payment, type Subscription, subscriptionOf } from './store.ts'

/** @returns the object of an event of this type; none when payment-a has no such event, or its record does not exist */
export function objectA(type: string, context: OperationContext): object | undefined {
  const { customer, checkout, subscription, payment, at } = context
  const isUnpaid = type === 'subscription.paid' && !payment
  if (type.startsWith('subscription.'))
    return subscription && !isUnpaid ? subscriptionA(customer, subscription) : undefined
  if (!payment) return
  if (type === 'checkout.completed') return checkout && checkoutA(checkout, { customer, payment })
  const { cents: amount, currency, dispute, refunds, checkoutId, metadata } = payment
  const about = {
    ...aboutA(customer, payment),
    transaction: transactionA(customer, payment),
    checkout: { id: checkoutId, object: 'checkout', status: 'completed', metadata },
    created_at: at,
  }
  if (type === 'dispute.created') return { ...about, id: dispute?.id, object: 'dispute', amount, currency }
  if (type !== 'refund.created') return
  const refund = refunds.at(-1)
  return { ...about, id: refund?.id, object: 'refund', refund_amount: refund?.cents, refund_currency: currency }
}

/** @param paid by whom; the order and the customer are those of the payment */
export const checkoutA = (checkout: Checkout, paid?: { customer: Customer; payment: Payment }) => ({
  ...(paid ? aboutA(paid.customer, paid.payment) : { mode: 'test' }),
  id: checkout.id,
  object: 'checkout',
  status: paid ? 'completed' : 'pending',
  metadata: checkout.metadata,
  product: productA(checkout.productId),
  request_id: checkout.reference ?? undefined,
})

/** What stands beside every payment: its order, customer and subscription. */
function aboutA(customer: Customer, payment: Payment) {
  const { checkoutId, currency } = payment
  const subscription = subscriptionOf(customer, payment)
  const type = subscription ? 'recurring' : 'onetime'
  const order = { id: orderIdOf(checkoutId), object: 'order', status: 'paid', type, currency, ...amountsA(payment) }
  // Inside other objects, a subscription names its product and customer by id.
  const product = productA(payment.productId).id
  const embedded = subscription && { ...subscriptionA(customer, subscription), product, customer: customer.id }
  return { order, customer: customerA(customer), subscription: embedded, mode: 'test' }
}

const amountsA = ({ cents, discountCents }: Payment) => ({
  amount: cents + discountCents,
  discount_amount: discountCents,
  amount_paid: cents,
})

/** One order covers all payments of a subscription. */
export const orderIdOf = (checkoutId: string): string => checkoutId.replace('ch_', 'ord_')

export function subscriptionA(customer: Customer, subscription: Subscription) {
  const { id, status, cancelAtPeriodEnd, cancelledAt, metadata } = subscription
  const isPaid = ({ subscriptionId, paidAt }: Payment): boolean => subscriptionId === id && paidAt !== null
  return {
    id,
    object: 'subscription',
    product: productA(subscription.productId),
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

export function transactionA(customer: Customer, payment: Payment) {
  const { id, cents, refundedCents, currency, subscriptionId, dispute, paidAt } = payment
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
    created_at: paidAt,
    mode: 'test',
  }
}

function productA(productId: string) {
  const { months, name, processorIds } = productById(productId)
  const billing_type = months === 0 ? 'onetime' : 'recurring'
  return { id: processorIds['payment-a'][0], object: 'product', name, billing_type }
}

const customerA = ({ id, email }: Customer) => ({ id, object: 'customer', email })

const iso = (at: number): string => new Date(at).toISOString()
