/**
 * What can be done to a subscription, by its owner, by the operator or by time. Each move checks that it is possible
 * now, changes the record, and answers what happened. Times jump: the next period begins when somebody asks for it.
 */
import type { Customer, Line, Payment, Subscription } from './account.ts'
import { jump, monthsAfter, passed, tick } from './clock.ts'
import type { Happening } from './happening.ts'
import { newName } from './name.ts'
import type { Product, Products } from './product.ts'

/** Says to a person why something cannot be done. */
export class NotPossible extends Error {}

export type Owned = { customer: Customer; subscription: Subscription }

/** payment-b bills a new period an hour after it began; payment-a at once. */
const BILLING_DELAY_MS = 3_600_000

export function renew({ customer, subscription }: Owned, products: Products, isPaid: boolean): Happening {
  if (subscription.status !== 'active') throw new NotPossible('Only an active subscription renews.')
  if (subscription.isEnding) throw new NotPossible('It ends with this period; resume it first.')
  const product = products.byId(subscription.productId)
  const isA = customer.processor === 'payment-a'
  const at = jump(subscription, subscription.periodEnd)
  const start = subscription.periodEnd
  const end = monthsAfter(subscription.anchorAt, product.months * (subscription.periods + 1))
  const line = newLine(product, product.cents, start, end, false)
  const paidAt = isA ? at : at + BILLING_DELAY_MS
  const payment = newPayment(customer, subscription, 'next period', [line], paidAt)
  // What the credit covers needs no card.
  const fails = !isPaid && payment.cents > 0
  if (fails) Object.assign(payment, { status: 'open', paidAt: null, intentId: null, chargeId: null })
  // payment-b counts the new period from its first day, paid or not; payment-a once it is paid.
  if (!fails || !isA) nextPeriod(subscription, start, end)
  Object.assign(subscription, { status: fails ? 'past_due' : 'active', updatedAt: at })
  customer.payments.push(payment)
  passed(subscription, paidAt)
  return { what: fails ? 'renewal failed' : 'renewed', customer, at, subscription, payment, paidAt }
}

/** The card works again: what is open is paid. */
export function payOpen({ customer, subscription }: Owned): Happening {
  const payment = customer.payments.find((each) => each.subscriptionId === subscription.id && each.status === 'open')
  const [line] = payment?.lines ?? []
  if (!payment || !line || subscription.status !== 'past_due') throw new NotPossible('Nothing is open to be paid.')
  const at = tick(subscription)
  const isA = customer.processor === 'payment-a'
  Object.assign(payment, { status: 'paid', paidAt: at, attempts: payment.attempts + 1 })
  if (!isA) Object.assign(payment, { intentId: newName('pi_3', 23), chargeId: newName('ch_3', 23) })
  if (isA) nextPeriod(subscription, line.periodStart, line.periodEnd)
  Object.assign(subscription, { status: 'active', updatedAt: at })
  passed(subscription, at)
  return { what: 'renewal paid late', customer, at, subscription, payment }
}

/** Ends it now; what is open is not asked for any more. */
export function cancelNow({ customer, subscription }: Owned): Happening {
  const at = touched(subscription)
  giveUpOpen(customer, subscription)
  Object.assign(subscription, { status: 'canceled', cancelledAt: at, endedAt: at, isEnding: false, updatedAt: at })
  return { what: 'cancelled', customer, at, subscription }
}

export function cancelAtPeriodEnd({ customer, subscription }: Owned): Happening {
  if (subscription.status !== 'active' || subscription.isEnding) throw new NotPossible('It cannot be cancelled so now.')
  const at = touched(subscription)
  Object.assign(subscription, { isEnding: true, cancelledAt: at, updatedAt: at })
  return { what: 'ending', customer, at, subscription }
}

export function resume({ customer, subscription }: Owned): Happening {
  if (subscription.status !== 'active' || !subscription.isEnding) throw new NotPossible('It is not about to end.')
  const at = touched(subscription)
  Object.assign(subscription, { isEnding: false, cancelledAt: null, updatedAt: at })
  return { what: 'resumed', customer, at, subscription }
}

/** The period that it was cancelled in runs out, or nobody tries an unpaid one any longer. */
export function endPeriod({ customer, subscription }: Owned): Happening {
  const { status, isEnding, periodEnd } = subscription
  const isOver = status === 'canceled' && customer.processor === 'payment-a'
  if (!isOver && status !== 'past_due' && !(status === 'active' && isEnding)) {
    throw new NotPossible('It does not end with this period; cancel it first.')
  }
  const at = status === 'past_due' ? tick(subscription) : jump(subscription, periodEnd)
  passed(subscription, at)
  giveUpOpen(customer, subscription)
  Object.assign(subscription, {
    status: customer.processor === 'payment-a' ? 'expired' : 'canceled',
    cancelledAt: subscription.cancelledAt ?? at,
    endedAt: subscription.endedAt ?? at,
    isEnding: false,
    updatedAt: at,
  })
  return { what: 'ended', customer, at, subscription, why: status === 'past_due' ? 'unpaid' : 'asked for' }
}

/**
 * Changes to another product, now. payment-b bills the time left, for and against, and begins a new period only where
 * the rhythm changes. payment-a bills a dearer product at once, less the time left, and begins a new period; a
 * cheaper one it only notes, and bills it when the period is over.
 */
export function changePlan({ customer, subscription }: Owned, products: Products, next: Product): Happening {
  if (subscription.status !== 'active' || subscription.isEnding) throw new NotPossible('Its plan cannot change now.')
  if (next.months === 0) throw new NotPossible(`${next.name} is not a subscription.`)
  if (next.id === subscription.productId) throw new NotPossible(`It is ${next.name} already.`)
  const old = products.byId(subscription.productId)
  const before = structuredClone(subscription)
  const at = touched(subscription)
  const { periodStart, periodEnd } = subscription
  const left = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - periodStart)))
  const unusedCents = Math.round(old.cents * left)
  const isA = customer.processor === 'payment-a'
  const isOtherRhythm = next.months !== old.months
  const isNewCycle = isA ? next.cents > unusedCents && next.cents > old.cents : isOtherRhythm
  const end = isNewCycle ? monthsAfter(at, next.months) : periodEnd
  Object.assign(subscription, { productId: next.id, updatedAt: at })
  if (isNewCycle) Object.assign(subscription, { anchorAt: at, periods: 1, periodStart: at, periodEnd: end })
  else if (isOtherRhythm) Object.assign(subscription, { anchorAt: periodEnd, periods: 0 })
  if (isA && !isNewCycle) return { what: 'plan changed', customer, at, subscription, before, payment: null }

  const lines = [
    newLine(old, -unusedCents, at, periodEnd, true),
    newLine(next, isNewCycle ? next.cents : Math.round(next.cents * left), at, end, !isNewCycle),
  ]
  const payment = newPayment(customer, subscription, 'plan change', lines, at)
  customer.payments.push(payment)
  return { what: 'plan changed', customer, at, subscription, before, payment }
}

/** The time of a move that takes no time. */
function touched(subscription: Subscription): number {
  if (subscription.status === 'canceled' || subscription.status === 'expired') {
    throw new NotPossible('This subscription has ended.')
  }
  const at = tick(subscription)
  passed(subscription, at)
  return at
}

function nextPeriod(subscription: Subscription, periodStart: number, periodEnd: number): void {
  Object.assign(subscription, { periodStart, periodEnd, periods: subscription.periods + 1 })
}

function giveUpOpen(customer: Customer, subscription: Subscription): void {
  for (const payment of customer.payments) {
    if (payment.subscriptionId === subscription.id && payment.status === 'open') payment.status = 'failed'
  }
}

const newLine = (product: Product, cents: number, periodStart: number, periodEnd: number, isPart: boolean): Line => ({
  id: newName('il_1', 23),
  productId: product.id,
  cents,
  periodStart,
  periodEnd,
  isPart,
})

/** What the lines come to, less what the customer has to their credit; what falls below nothing is credit again. */
function newPayment(
  customer: Customer,
  subscription: Subscription,
  reason: Payment['reason'],
  lines: Line[],
  at: number,
): Payment {
  const isA = customer.processor === 'payment-a'
  const total = lines.reduce((sum, line) => sum + line.cents, 0)
  const before = isA ? 0 : customer.balanceCents
  const cents = Math.max(0, total + before)
  const after = isA ? 0 : Math.min(0, total + before)
  customer.balanceCents = after
  const first = customer.payments.find((payment) => payment.subscriptionId === subscription.id)
  return {
    id: isA ? newName('tran_') : newName('in_1', 23),
    checkoutId: subscription.checkoutId,
    subscriptionId: subscription.id,
    productId: subscription.productId,
    metadata: isA ? subscription.metadata : {},
    reason,
    orderId: first?.orderId ?? null,
    intentId: isA || cents === 0 ? null : newName('pi_3', 23),
    chargeId: isA || cents === 0 ? null : newName('ch_3', 23),
    lines,
    balance: { before, after },
    cents,
    currency: first?.currency ?? 'USD',
    status: 'paid',
    attempts: 1,
    createdAt: at,
    paidAt: at,
    refundedCents: 0,
    disputed: false,
  }
}
