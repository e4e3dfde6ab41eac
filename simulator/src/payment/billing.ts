/** How the records change: what a checkout sells, renewals, late payments, plan changes and ends. */
import { advance, monthsAfter } from './clock.ts'
import { type Product, productById } from './products.ts'
import {
  type Checkout,
  type Customer,
  type Dispute,
  type Line,
  metadataOf,
  newCharge,
  newId,
  newPayment,
  newSubscription,
  type Payment,
  type Subscription,
} from './store.ts'

/** payment-b bills a new period an hour after its start; payment-a at once. */
const BILLING_DELAY_MS = 3_600_000

/** @param isPending the money arrives, or fails to, days later; purchases at payment-b only */
export function payCheckout(checkout: Checkout, customer: Customer, isPending: boolean) {
  const at = advance(customer)
  const product = productById(checkout.productId)
  const isPurchase = product.months === 0
  const subscription = isPurchase ? null : newSubscription(checkout, product, at)
  const { quantity, isFree } = checkout
  const payment = newPayment(customer, {
    checkoutId: checkout.id,
    subscription,
    product,
    lines: [newLine(product, quantity, { from: at, to: subscription?.periodEnd ?? at })],
    at,
    reason: isPurchase ? 'purchase' : 'first period',
    metadata: metadataOf(checkout),
    isFree,
  })
  if (isPending && !isFree) Object.assign(payment, { status: 'pending', paidAt: null })
  checkout.customerId = customer.id
  if (subscription) customer.subscriptions.push(subscription)
  customer.payments.push(payment)
  return { subscription, payment, at }
}

export function renew(customer: Customer, subscription: Subscription, isPaid: boolean) {
  const product = productById(subscription.productId)
  const isA = customer.processor === 'payment-a'
  const start = subscription.periodEnd
  const end = monthsAfter(subscription.anchorAt, product.months * (subscription.periods + 1))
  const at = advance(subscription, start)
  const billedAt = isA ? at : advance(subscription, at + BILLING_DELAY_MS)
  const lines = [newLine(product, subscription.quantity, { from: start, to: end })]
  const payment = bill(customer, subscription, { product, lines, at: billedAt, reason: 'next period' })
  // An amount that the balance covers needs no card.
  const isFailed = !isPaid && payment.cents > 0
  if (isFailed) Object.assign(payment, { status: 'open', paidAt: null, intentId: null, chargeId: null })
  // payment-b starts the new period even if unpaid; payment-a once it is paid.
  if (!isFailed || !isA) startPeriod(subscription, start, end)
  subscription.status = isFailed ? 'past_due' : 'active'
  return { at, billedAt, payment }
}

export function payOpenInvoice(customer: Customer, subscription: Subscription) {
  const payment = openPayments(customer, subscription)[0] ?? null
  const at = advance(subscription)
  const isA = customer.processor === 'payment-a'
  const [line] = payment?.lines ?? []
  if (payment) Object.assign(payment, { status: 'paid', paidAt: at }, isA ? {} : newCharge())
  if (line && isA) startPeriod(subscription, line.periodStart, line.periodEnd)
  subscription.status = 'active'
  return { at, payment }
}

/** Sets that a subscription ends with its period, or does not after all. */
export function endWithPeriod(subscription: Subscription, cancelAtPeriodEnd: boolean) {
  const at = advance(subscription)
  Object.assign(subscription, { cancelAtPeriodEnd, cancelledAt: cancelAtPeriodEnd ? at : null })
  return { at }
}

/** What is still open is not charged any more. */
export function end(customer: Customer, subscription: Subscription, status: Subscription['status'], at: number) {
  for (const payment of openPayments(customer, subscription)) payment.status = 'failed'
  const { cancelledAt, endedAt } = subscription
  Object.assign(subscription, { status, cancelledAt: cancelledAt ?? at, endedAt: endedAt ?? at })
  subscription.cancelAtPeriodEnd = false
  return { at }
}

/**
 * Changes to another product now. payment-b prorates, and starts a new period only where the billing period changes.
 * payment-a charges a dearer product at once, less the unused time, and starts a new period; a cheaper one it only
 * records, and charges it when the period is over.
 */
export function changePlan(customer: Customer, subscription: Subscription, next: Product) {
  const old = productById(subscription.productId)
  const at = advance(subscription)
  const { periodStart, periodEnd, quantity } = subscription
  const left = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - periodStart)))
  const unusedCents = Math.round(old.cents * left)
  const isA = customer.processor === 'payment-a'
  const isOtherPeriod = next.months !== old.months
  const isNewPeriod = isA ? next.cents > unusedCents && next.cents > old.cents : isOtherPeriod
  const end = isNewPeriod ? monthsAfter(at, next.months) : periodEnd
  subscription.productId = next.id
  if (isNewPeriod) Object.assign(subscription, { anchorAt: at, periods: 1, periodStart: at, periodEnd: end })
  else if (isOtherPeriod) Object.assign(subscription, { anchorAt: periodEnd, periods: 0 })
  if (isA && !isNewPeriod) return { at, payment: null }

  const lines = [
    newLine(old, quantity, { from: at, to: periodEnd }, -left),
    newLine(next, quantity, { from: at, to: end }, isNewPeriod ? undefined : left),
  ]
  return { at, payment: bill(customer, subscription, { product: next, lines, at, reason: 'plan change' }) }
}

/** Refunds up to `cents` of what is left. */
export function refund(customer: Customer, payment: Payment, cents: number) {
  const refundCents = Math.min(cents, payment.cents - payment.refundedCents)
  const changed = change(customer, payment, { refundedCents: payment.refundedCents + refundCents })
  const id = customer.processor === 'payment-a' ? newId('ref_') : newId('re_3', 23)
  payment.refunds = [...refundsOf(payment), { id, cents: refundCents, at: changed.at }]
  return { ...changed, refundCents }
}

/** A record of an older version of the simulator has no refunds. */
export const refundsOf = ({ refunds }: Partial<Pick<Payment, 'refunds'>>) => refunds ?? []

/** Opens a dispute, as an inquiry without a withdrawal, or moves it on. */
export function moveDispute(customer: Customer, payment: Payment, status: Dispute['status']) {
  const changed = change(customer, payment, { disputed: true })
  const isA = customer.processor === 'payment-a'
  const before = payment.dispute ?? { id: newId(isA ? 'disp_' : 'du_1', isA ? 22 : 23), at: changed.at, movements: [] }
  const movements = [...before.movements]
  const isWithdrawn = movements.length % 2 === 1
  if (status === 'needs_response' && !isWithdrawn) movements.push(-payment.cents)
  if (status === 'won' && isWithdrawn) movements.push(payment.cents)
  payment.dispute = { ...before, status, movements }
  return changed
}

export function change(customer: Customer, payment: Payment, changes: Partial<Payment>) {
  // A payment of a subscription lives in that subscription's time, which may be ahead.
  const at = advance(customer.subscriptions.find(({ id }) => id === payment.subscriptionId) ?? customer)
  if (changes.status === 'paid') payment.paidAt = at
  Object.assign(payment, changes)
  return { at }
}

type Bill = { product: Product; lines: Line[]; at: number; reason: Payment['reason'] }

function bill(customer: Customer, subscription: Subscription, invoice: Bill): Payment {
  const { checkoutId, metadata } = subscription
  const payment = newPayment(customer, { checkoutId, metadata, subscription, ...invoice })
  customer.payments.push(payment)
  return payment
}

const openPayments = (customer: Customer, { id }: Subscription): Payment[] =>
  customer.payments.filter(({ subscriptionId, status }) => subscriptionId === id && status === 'open')

const startPeriod = (subscription: Subscription, periodStart: number, periodEnd: number): unknown =>
  Object.assign(subscription, { periodStart, periodEnd, periods: subscription.periods + 1 })

/** @param share of the price, for a proration; negative for unused time */
function newLine(product: Product, quantity = 1, period: { from: number; to: number }, share?: number): Line {
  return {
    productId: product.id,
    quantity,
    cents: quantity * Math.round(product.cents * (share ?? 1)),
    periodStart: period.from,
    periodEnd: period.to,
    isProration: share !== undefined,
  }
}
