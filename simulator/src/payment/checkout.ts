/** Checkouts: begun by the service, then paid or declined by a person. Each can be paid once, however often it is tried. */
import type { Accounts, Checkout, Customer, Payment, Subscription } from './account.ts'
import { monthsAfter, passed, tick, wholeSecond } from './clock.ts'
import type { Happening } from './happening.ts'
import { newName } from './name.ts'
import type { Product, Products } from './product.ts'

export type Ask = Pick<
  Checkout,
  'processor' | 'metadata' | 'innerMetadata' | 'reference' | 'successUrl' | 'cancelUrl'
> &
  Partial<Pick<Checkout, 'customerId' | 'email' | 'keepsCustomer' | 'key'>> & { product: Product }

export function beginCheckout(accounts: Accounts, { product, ...ask }: Ask): Checkout {
  const checkout: Checkout = {
    customerId: null,
    email: null,
    keepsCustomer: false,
    key: null,
    ...ask,
    id: ask.processor === 'payment-a' ? newName('ch_') : newName('cs_test_a1', 58),
    productId: product.id,
    createdAt: wholeSecond(Date.now()),
    state: 'open',
  }
  accounts.saveCheckout(checkout)
  return checkout
}

/**
 * @param email of whoever pays, where the checkout does not know
 * @param late the money is promised and comes, or does not come, days later; purchases at payment-b only
 */
export function payCheckout(
  { accounts, products }: { accounts: Accounts; products: Products },
  checkout: Checkout,
  { email, late = false }: { email: string | null; late?: boolean },
): Happening {
  const product = products.byId(checkout.productId)
  const customer = customerOf(accounts, checkout, product, email)
  const at = tick(customer)
  checkout.customerId = customer.id
  const payment = firstPayment(checkout, product, at)
  customer.payments.push(payment)
  if (product.months === 0) {
    if (late) Object.assign(payment, { status: 'pending', paidAt: null })
    passed(customer, at)
    return { what: late ? 'purchase pending' : 'purchase paid', customer, at, checkout, payment }
  }
  const subscription = newSubscription(checkout, product, at)
  payment.subscriptionId = subscription.id
  customer.subscriptions.push(subscription)
  return { what: 'subscribed', customer, at, checkout, subscription, payment }
}

/** A declined card makes nobody a customer, only a guest; the checkout stays open for the next try. */
export function declineCheckout(
  { accounts, products }: { accounts: Accounts; products: Products },
  checkout: Checkout,
  given: string | null,
): Happening {
  const email = checkout.email ?? given ?? 'buyer@example.com'
  const known = checkout.customerId ? accounts.customers.get(checkout.customerId) : undefined
  const customer = known ?? accounts.byEmail(checkout.processor, email, true) ?? newCustomer(checkout, email, true)
  const at = tick(customer)
  passed(customer, at)
  return { what: 'declined', customer, at, checkout, product: products.byId(checkout.productId) }
}

function customerOf(accounts: Accounts, checkout: Checkout, product: Product, given: string | null): Customer {
  const known = checkout.customerId ? accounts.customers.get(checkout.customerId) : undefined
  if (known) return known
  const email = checkout.email ?? given ?? 'buyer@example.com'
  // payment-a knows people by their address. payment-b makes a customer for each checkout that names none, and for a
  // purchase not even that, unless it is asked to: it keeps the payer as a guest.
  const isGuest = checkout.processor === 'payment-b' && product.months === 0 && !checkout.keepsCustomer
  const before =
    checkout.processor === 'payment-a' || isGuest ? accounts.byEmail(checkout.processor, email, isGuest) : undefined
  return before ?? newCustomer(checkout, email, isGuest)
}

function newCustomer({ processor }: Checkout, email: string, isGuest: boolean): Customer {
  const id = processor === 'payment-a' ? newName('cust_') : newName(isGuest ? 'gcus_' : 'cus_', 14)
  return {
    id,
    processor,
    email,
    isGuest,
    createdAt: wholeSecond(Date.now()),
    portal: newName('', 32),
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
  return {
    id: checkout.processor === 'payment-a' ? newName('sub_') : newName('sub_1', 23),
    itemId: checkout.processor === 'payment-a' ? newName('sitem_') : newName('si_', 14),
    checkoutId: checkout.id,
    productId: product.id,
    metadata: checkout.processor === 'payment-a' ? checkout.metadata : checkout.innerMetadata,
    status: 'active',
    createdAt: at,
    anchorAt: at,
    periods: 1,
    periodStart: at,
    periodEnd: monthsAfter(at, product.months),
    isEnding: false,
    cancelledAt: null,
    endedAt: null,
    updatedAt: at,
    aheadMs: 0,
    lastAt: at,
  }
}

function firstPayment(checkout: Checkout, product: Product, at: number): Payment {
  const isA = checkout.processor === 'payment-a'
  const intentId = isA ? null : newName('pi_3', 23)
  const periodEnd = product.months === 0 ? at : monthsAfter(at, product.months)
  return {
    id: isA ? newName('tran_') : product.months === 0 && intentId ? intentId : newName('in_1', 23),
    checkoutId: checkout.id,
    subscriptionId: null,
    productId: product.id,
    metadata: isA ? checkout.metadata : product.months === 0 ? checkout.innerMetadata : {},
    reason: product.months === 0 ? 'purchase' : 'first period',
    orderId: isA ? newName('ord_') : null,
    intentId,
    chargeId: isA ? null : newName('ch_3', 23),
    lines: [
      {
        id: newName('il_1', 23),
        productId: product.id,
        cents: product.cents,
        periodStart: at,
        periodEnd,
        isPart: false,
      },
    ],
    balance: { before: 0, after: 0 },
    cents: product.cents,
    currency: product.currency,
    status: 'paid',
    attempts: 1,
    createdAt: at,
    paidAt: at,
    refundedCents: 0,
    disputed: false,
  }
}
