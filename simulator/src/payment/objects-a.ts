/** payment-a's objects, as they stand in its events: times as ISO text, but milliseconds in a transaction. */
import type { Checkout, Customer, Payment, Subscription } from './account.ts'
import type { Product, Products } from './product.ts'

export function checkoutA(
  { customer, checkout, payment }: { customer: Customer; checkout: Checkout; payment: Payment },
  subscription: Subscription | null,
  products: Products,
) {
  return {
    id: checkout.id,
    object: 'checkout',
    ...(checkout.reference === null ? {} : { request_id: checkout.reference }),
    order: orderA(customer, payment, products),
    product: productA(products.byId(checkout.productId)),
    customer: customerA(customer),
    ...(subscription ? { subscription: namedSubscription(customer, subscription, products) } : {}),
    custom_fields: [],
    status: 'completed',
    metadata: checkout.metadata,
    mode: 'test',
  }
}

export function subscriptionA(customer: Customer, subscription: Subscription, products: Products) {
  const product = products.byId(subscription.productId)
  const paid = customer.payments
    .filter((each) => each.subscriptionId === subscription.id && each.paidAt !== null)
    .at(-1)
  const { status } = subscription
  const goesOn = status === 'active' && !subscription.isEnding
  return {
    id: subscription.id,
    object: 'subscription',
    product: productA(product),
    customer: customerA(customer),
    items: [
      {
        object: 'subscription_item',
        id: subscription.itemId,
        product_id: product.processorIds['payment-a'],
        units: 1,
        mode: 'test',
      },
    ],
    collection_method: 'charge_automatically',
    status: status === 'active' && subscription.isEnding ? 'scheduled_cancel' : status,
    last_transaction_id: paid?.id ?? null,
    last_transaction_date: paid?.paidAt ? iso(paid.paidAt) : null,
    next_transaction_date: goesOn ? iso(subscription.periodEnd) : null,
    current_period_start_date: iso(subscription.periodStart),
    current_period_end_date: iso(subscription.periodEnd),
    canceled_at: subscription.cancelledAt === null ? null : iso(subscription.cancelledAt),
    created_at: iso(subscription.createdAt),
    updated_at: iso(subscription.updatedAt),
    metadata: subscription.metadata,
    mode: 'test',
  }
}

/** Inside other objects, product and customer of a subscription are named by their ids. */
const namedSubscription = (customer: Customer, subscription: Subscription, products: Products) => ({
  ...subscriptionA(customer, subscription, products),
  product: productIdA(subscription.productId, products),
  customer: customer.id,
})

/** What a refund and a dispute say about the payment that went back. */
export function aboutPayment(
  { customer, payment, subscription }: { customer: Customer; payment: Payment; subscription: Subscription | null },
  status: string,
  products: Products,
) {
  const period = payment.lines.at(-1)
  return {
    transaction: {
      id: payment.id,
      object: 'transaction',
      amount: payment.cents,
      amount_paid: payment.cents,
      currency: payment.currency,
      type: subscription ? 'invoice' : 'payment',
      status,
      refunded_amount: status === 'chargeback' ? payment.cents : payment.refundedCents,
      order: payment.orderId,
      ...(subscription && period
        ? { subscription: subscription.id, period_start: period.periodStart, period_end: period.periodEnd }
        : {}),
      customer: customer.id,
      description: subscription ? 'Subscription payment' : 'Payment',
      created_at: payment.paidAt,
      mode: 'test',
    },
    ...(subscription ? { subscription: namedSubscription(customer, subscription, products) } : {}),
    checkout: {
      id: payment.checkoutId,
      object: 'checkout',
      status: 'completed',
      metadata: payment.metadata,
      mode: 'test',
    },
    order: orderA(customer, payment, products),
    customer: customerA(customer),
  }
}

function orderA(customer: Customer, payment: Payment, products: Products) {
  return {
    object: 'order',
    id: payment.orderId,
    customer: customer.id,
    product: productIdA(payment.productId, products),
    amount: payment.cents,
    currency: payment.currency,
    transaction: payment.id,
    status: 'paid',
    type: payment.subscriptionId === null ? 'onetime' : 'recurring',
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.createdAt),
    mode: 'test',
  }
}

function productA(product: Product) {
  return {
    id: product.processorIds['payment-a'],
    object: 'product',
    name: product.name,
    price: product.cents,
    currency: product.currency,
    billing_type: product.months === 0 ? 'onetime' : 'recurring',
    billing_period: { 0: 'once', 1: 'every-month', 12: 'every-year' }[product.months],
    status: 'active',
    mode: 'test',
  }
}

const customerA = ({ id, email, createdAt }: Customer) => ({
  id,
  object: 'customer',
  email,
  name: email.split('@')[0],
  country: 'DE',
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
  mode: 'test',
})

const productIdA = (id: string, products: Products): string => products.byId(id).processorIds['payment-a']
const iso = (at: number): string => new Date(at).toISOString()
