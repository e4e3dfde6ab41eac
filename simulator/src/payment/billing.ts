/** How a subscription is billed: renewals, late payments, plan changes and ends. */
import { advance, monthsAfter } from './clock.ts'
import type { Product, Products } from './products.ts'
import { type Customer, type Line, newCharge, newPayment, type Payment, type Subscription } from './store.ts'

/** payment-b bills a new period an hour after its start; payment-a at once. */
const BILLING_DELAY_MS = 3_600_000

export function renew(customer: Customer, subscription: Subscription, products: Products, isPaid: boolean) {
  const product = products.byId(subscription.productId)
  const isA = customer.processor === 'payment-a'
  const start = subscription.periodEnd
  const end = monthsAfter(subscription.anchorAt, product.months * (subscription.periods + 1))
  const at = advance(subscription, start)
  const billedAt = isA ? at : advance(subscription, at + BILLING_DELAY_MS)
  const lines = [newLine(product, product.cents, start, end)]
  const payment = newPayment(customer, subscription, product, lines, billedAt, 'next period')
  customer.payments.push(payment)
  // An amount that the balance covers needs no card.
  const isFailed = !isPaid && payment.cents > 0
  if (isFailed) Object.assign(payment, { status: 'open', paidAt: null, intentId: null, chargeId: null })
  // payment-b starts the new period even if unpaid; payment-a once it is paid.
  if (!isFailed || !isA) startPeriod(subscription, start, end)
  Object.assign(subscription, { status: isFailed ? 'past_due' : 'active', updatedAt: at })
  return { at, billedAt, payment }
}

export function payOpenInvoice(customer: Customer, subscription: Subscription) {
  const payment = openPayments(customer, subscription)[0] ?? null
  const at = advance(subscription)
  const isA = customer.processor === 'payment-a'
  const [line] = payment?.lines ?? []
  if (payment) Object.assign(payment, { status: 'paid', paidAt: at }, isA ? {} : newCharge())
  if (line && isA) startPeriod(subscription, line.periodStart, line.periodEnd)
  Object.assign(subscription, { status: 'active', updatedAt: at })
  return { at, payment }
}

/** What is still open is not charged any more. */
export function endSubscription(
  customer: Customer,
  subscription: Subscription,
  status: Subscription['status'],
  at: number,
) {
  for (const payment of openPayments(customer, subscription)) payment.status = 'failed'
  const { cancelledAt, endedAt } = subscription
  Object.assign(subscription, { status, cancelledAt: cancelledAt ?? at, endedAt: endedAt ?? at, updatedAt: at })
  subscription.cancelAtPeriodEnd = false
  return { at }
}

/**
 * Changes to another product now. payment-b prorates, and starts a new period only where the billing period changes.
 * payment-a charges a dearer product at once, less the unused time, and starts a new period; a cheaper one it only
 * records, and charges it when the period is over.
 */
export function changePlan(customer: Customer, subscription: Subscription, old: Product, next: Product) {
  const at = advance(subscription)
  const { periodStart, periodEnd } = subscription
  const left = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - periodStart)))
  const unusedCents = Math.round(old.cents * left)
  const isA = customer.processor === 'payment-a'
  const isOtherPeriod = next.months !== old.months
  const isNewPeriod = isA ? next.cents > unusedCents && next.cents > old.cents : isOtherPeriod
  const end = isNewPeriod ? monthsAfter(at, next.months) : periodEnd
  Object.assign(subscription, { productId: next.id, updatedAt: at })
  if (isNewPeriod) Object.assign(subscription, { anchorAt: at, periods: 1, periodStart: at, periodEnd: end })
  else if (isOtherPeriod) Object.assign(subscription, { anchorAt: periodEnd, periods: 0 })
  if (isA && !isNewPeriod) return { at, payment: null }

  const nextCents = isNewPeriod ? next.cents : Math.round(next.cents * left)
  const lines = [newLine(old, -unusedCents, at, periodEnd, true), newLine(next, nextCents, at, end, !isNewPeriod)]
  const payment = newPayment(customer, subscription, next, lines, at, 'plan change')
  customer.payments.push(payment)
  return { at, payment }
}

const openPayments = (customer: Customer, { id }: Subscription): Payment[] =>
  customer.payments.filter(({ subscriptionId, status }) => subscriptionId === id && status === 'open')

const startPeriod = (subscription: Subscription, periodStart: number, periodEnd: number): unknown =>
  Object.assign(subscription, { periodStart, periodEnd, periods: subscription.periods + 1 })

export const newLine = (
  product: Product,
  cents: number,
  periodStart: number,
  periodEnd: number,
  isProration = false,
): Line => ({
  productId: product.id,
  cents,
  periodStart,
  periodEnd,
  isProration,
})
