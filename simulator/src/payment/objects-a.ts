/** The objects of payment-a's events: times as ISO text, but milliseconds in a transaction. */
import { newId } from './ids.ts'
import type { Facts } from './operations.ts'
import type { Product, Products } from './products.ts'
import type { Customer, Payment, Subscription } from './store.ts'

/** @returns the object of an event of this type; null when its record does not exist and the event is not sent */
export function objectA(type: string, facts: Facts, products: Products): object | null {
  const { customer, subscription, payment } = facts
  if (type.startsWith('subscription.')) {
    const isUnpaid = type === 'subscription.paid' && !payment
    return subscription && !isUnpaid ? subscriptionA(customer, subscription, products) : null
  }
  if (!payment) return null
  if (type === 'checkout.completed') return checkoutA(facts, payment, products)
  const about = { ...paymentDetails(facts, payment, type, products), created_at: facts.at, mode: 'test' }
  return type === 'dispute.created'
    ? { id: newId('disp_'), object: 'dispute', amount: payment.cents, currency: payment.currency, ...about }
    : {
        id: newId('ref_'),
        object: 'refund',
        status: 'succeeded',
        refund_amount: facts.refundCents,
        refund_currency: payment.currency,
        reason: 'requested_by_customer',
        ...about,
      }
}

function checkoutA({ customer, checkout, subscription }: Facts, payment: Payment, products: Products) {
  if (!checkout) return null
  return {
    id: checkout.id,
    object: 'checkout',
    ...(checkout.reference === null ? {} : { request_id: checkout.reference }),
    order: orderA(customer, payment, products),
    product: productA(products.byId(checkout.productId)),
    customer: customerA(customer),
    ...(subscription ? { subscription: embedded(customer, subscription, products) } : {}),
    status: 'completed',
    metadata: checkout.metadata,
    mode: 'test',
  }
}

function subscriptionA(customer: Customer, subscription: Subscription, products: Products) {
  const product = products.byId(subscription.productId)
  const isPaid = ({ subscriptionId, paidAt }: Payment): boolean => subscriptionId === subscription.id && paidAt !== null
  const last = customer.payments.findLast(isPaid)
  const { status, cancelAtPeriodEnd, cancelledAt, periodEnd } = subscription
  return {
    id: subscription.id,
    object: 'subscription',
    product: productA(product),
    customer: customerA(customer),
    status: status === 'active' && cancelAtPeriodEnd ? 'scheduled_cancel' : status,
    last_transaction_id: last?.id ?? null,
    current_period_start_date: iso(subscription.periodStart),
    current_period_end_date: iso(periodEnd),
    canceled_at: cancelledAt === null ? null : iso(cancelledAt),
    metadata: subscription.metadata,
    mode: 'test',
  }
}

/** Inside other objects, a subscription names its product and customer by id. */
const embedded = (customer: Customer, subscription: Subscription, products: Products) => ({
  ...subscriptionA(customer, subscription, products),
  product: products.byId(subscription.productId).processorIds['payment-a'],
  customer: customer.id,
})

function paymentDetails(facts: Facts, payment: Payment, type: string, products: Products) {
  const { customer, subscription } = facts
  const isDispute = type === 'dispute.created'
  const refundStatus = payment.refundedCents < payment.cents ? 'partialRefund' : 'refunded'
  const period = payment.lines.at(-1)
  return {
    transaction: {
      id: payment.id,
      object: 'transaction',
      amount: payment.cents,
      amount_paid: payment.cents,
      currency: payment.currency,
      type: subscription ? 'invoice' : 'payment',
      status: isDispute ? 'chargeback' : refundStatus,
      refunded_amount: isDispute ? payment.cents : payment.refundedCents,
      order: payment.orderId,
      ...(subscription && period
        ? { subscription: subscription.id, period_start: period.periodStart, period_end: period.periodEnd }
        : {}),
      customer: customer.id,
      created_at: payment.paidAt,
    },
    ...(subscription ? { subscription: embedded(customer, subscription, products) } : {}),
    checkout: { id: payment.checkoutId, object: 'checkout', status: 'completed', metadata: payment.metadata },
    order: orderA(customer, payment, products),
    customer: customerA(customer),
  }
}

const orderA = (customer: Customer, payment: Payment, products: Products) => ({
  object: 'order',
  id: payment.orderId,
  customer: customer.id,
  product: products.byId(payment.productId).processorIds['payment-a'],
  amount: payment.cents,
  currency: payment.currency,
  transaction: payment.id,
  status: 'paid',
  type: payment.subscriptionId === null ? 'onetime' : 'recurring',
})

const productA = (product: Product) => ({
  id: product.processorIds['payment-a'],
  object: 'product',
  name: product.name,
  price: product.cents,
  currency: product.currency,
  billing_type: product.months === 0 ? 'onetime' : 'recurring',
  billing_period: { 0: 'once', 1: 'every-month', 12: 'every-year' }[product.months],
})

const customerA = ({ id, email }: Customer) => ({ id, object: 'customer', email, name: email.split('@')[0] })

const iso = (at: number): string => new Date(at).toISOString()
