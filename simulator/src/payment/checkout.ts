/** Checkouts: opened by the service, then paid or declined by a payer. Each is paid once, however often it is tried. */
import { newLine, newPayment } from './billing.ts'
import { advance, monthsAfter, wholeSecond } from './clock.ts'
import { newId } from './ids.ts'
import type { Facts } from './operations.ts'
import type { Product } from './products.ts'
import type { Checkout, Customer, Payment, Store, Subscription } from './store.ts'

export type NewCheckout = Pick<
  Checkout,
  'processor' | 'customerId' | 'email' | 'metadata' | 'reference' | 'successUrl'
> &
  Partial<Checkout>

export function openCheckout(store: Store, product: Product, fields: NewCheckout): Checkout {
  const checkout: Checkout = {
    keepsCustomer: false,
    innerMetadata: {},
    cancelUrl: null,
    idempotency: null,
    ...fields,
    id: fields.processor === 'payment-a' ? newId('ch_') : newId('cs_test_a1', 58),
    productId: product.id,
    createdAt: wholeSecond(Date.now()),
    state: 'open',
  }
  store.saveCheckout(checkout)
  return checkout
}

/** @param isPending the money arrives, or fails to, days later; purchases at payment-b only */
export function payCheckout(
  checkout: Checkout,
  product: Product,
  customer: Customer,
  isPending: boolean,
): Facts & { payment: Payment } {
  const at = advance(customer)
  checkout.customerId = customer.id
  const isA = customer.processor === 'payment-a'
  const isPurchase = product.months === 0
  const subscription = isPurchase ? null : newSubscription(checkout, product, at)
  const line = newLine(product, product.cents, at, subscription?.periodEnd ?? at)
  const payment = newPayment(customer, checkout, product, [line], at, isPurchase ? 'purchase' : 'first period')
  if (isPurchase && !isA) Object.assign(payment, { id: payment.intentId, metadata: checkout.innerMetadata })
  if (isPending) Object.assign(payment, { status: 'pending', paidAt: null })
  if (subscription) {
    payment.subscriptionId = subscription.id
    customer.subscriptions.push(subscription)
  }
  customer.payments.push(payment)
  return { customer, checkout, subscription, payment, at }
}

/** The customer of a checkout; a payer unknown so far becomes one. */
export function customerOf(store: Store, checkout: Checkout, email: string | null, isGuest: boolean): Customer {
  const known = store.customers.get(checkout.customerId ?? '')
  if (known) return known
  const { processor } = checkout
  const payer = { processor, email: checkout.email ?? email ?? 'buyer@example.com', isGuest }
  const isA = processor === 'payment-a'
  // payment-a identifies customers by e-mail address; payment-b creates one for each checkout that names none.
  const before = isA || isGuest ? store.findCustomer(payer) : undefined
  if (before) return before
  return {
    ...payer,
    id: isA ? newId('cust_') : newId(isGuest ? 'gcus_' : 'cus_', 14),
    createdAt: wholeSecond(Date.now()),
    portal: newId('', 32),
    returnUrl: null,
    balanceCents: 0,
    subscriptions: [],
    payments: [],
    events: [],
    aheadMs: 0,
    lastAt: 0,
  }
}

function newSubscription(checkout: Checkout, product: Product, at: number): Subscription {
  const isA = checkout.processor === 'payment-a'
  return {
    id: isA ? newId('sub_') : newId('sub_1', 23),
    itemId: isA ? newId('sitem_') : newId('si_', 14),
    checkoutId: checkout.id,
    productId: product.id,
    metadata: isA ? checkout.metadata : checkout.innerMetadata,
    status: 'active',
    createdAt: at,
    anchorAt: at,
    periods: 1,
    periodStart: at,
    periodEnd: monthsAfter(at, product.months),
    cancelAtPeriodEnd: false,
    cancelledAt: null,
    endedAt: null,
    updatedAt: at,
    aheadMs: 0,
    lastAt: at,
  }
}
