/** Checkouts: opened by the service, then paid or declined by a payer. Each is paid once, however often it is tried. */
import { newLine } from './billing.ts'
import { advance } from './clock.ts'
import type { Facts } from './operations.ts'
import type { Product } from './products.ts'
import { type Checkout, type Customer, newCustomer, newPayment, newSubscription, type Store } from './store.ts'

/** @param isPending the money arrives, or fails to, days later; purchases at payment-b only */
export function payCheckout(checkout: Checkout, product: Product, customer: Customer, isPending: boolean): Facts {
  const at = advance(customer)
  checkout.customerId = customer.id
  const isPurchase = product.months === 0
  const subscription = isPurchase ? null : newSubscription(checkout, product, at)
  const line = newLine(product, product.cents, at, subscription?.periodEnd ?? at)
  const payment = newPayment(customer, checkout, product, [line], at, isPurchase ? 'purchase' : 'first period')
  if (isPurchase && payment.intentId) Object.assign(payment, { id: payment.intentId, metadata: checkout.innerMetadata })
  if (isPending) Object.assign(payment, { status: 'pending', paidAt: null })
  if (subscription) {
    payment.subscriptionId = subscription.id
    if (payment.orderId) payment.orderId = subscription.orderId
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
  // payment-a identifies customers by e-mail address; payment-b creates one for each checkout that names none.
  const before = processor === 'payment-a' || isGuest ? store.findCustomer(payer) : undefined
  return before ?? newCustomer(payer)
}
