/**
 * Everything that a payer, a subscriber, the operator or time can do: when it is allowed, and its script, which changes the records
 * and sends events on the way. The pages derive their buttons from these tables.
 */
import { HTTPException } from 'hono/http-exception'
import { type Product, productById } from './products.ts'
import {
  advance,
  type Checkout,
  type Customer,
  type Dispute,
  type Line,
  monthsAfter,
  newId,
  newPayment,
  newSubscription,
  type Payment,
  type Subscription,
} from './store.ts'

/** One operation under way. Its events are about these records, as they are when they are sent. */
export type Act = {
  customer: Customer
  isA: boolean
  checkout: Checkout | null
  subscription: Subscription | null
  payment: Payment | null
  /** The product of a plan change. */
  next: Product | null
  /** The time of the events. */
  at: number
  /**
   * Sends those of the events that the processor has, and whose record exists: a pack has no subscription, a cheaper plan no
   * payment.
   */
  send: (...types: string[]) => void
}

export type Operation<Target> = {
  label: string
  /** Missing: always. */
  when?: (target: Target, isA: boolean) => boolean
  /** Why it is not possible otherwise. */
  refusal?: string
  run: (target: Target, act: Act) => void
}
type Operations<Target> = Record<string, Operation<Target>>

const updated = 'customer.subscription.updated'
const deleted = 'customer.subscription.deleted'
const invoicePaid = ['invoice.payment_succeeded', 'invoice_payment.paid']
/** payment-b bills a new period an hour after its start; payment-a at once. */
const BILLING_DELAY_MS = 3_600_000

export const checkoutOperations: Operations<Checkout> = {
  pay: { label: 'Pay', run: (checkout, act) => pay(checkout, act, 'paid') },
  later: {
    label: 'Pay by bank, days later',
    when: ({ productId }, isA) => !isA && productById(productId).months === 0,
    refusal: 'Only a purchase at payment-b can be paid later.',
    run: (checkout, act) => pay(checkout, act, checkout.isFree ? 'paid' : 'pending'),
  },
  decline: { label: 'Decline', run: (_checkout, act) => act.send('payment_intent.payment_failed') },
}

function pay(checkout: Checkout, act: Act, status: 'paid' | 'pending'): void {
  const { customer, at } = act
  const { id: checkoutId, quantity, isFree, productId, innerMetadata: metadata } = checkout
  const product = productById(productId)
  const isPack = product.months === 0
  act.subscription = isPack ? null : newSubscription(checkout, at)
  const lines = [newLine(product, quantity, at, act.subscription?.periodEnd ?? at)]
  const subscriptionId = act.subscription?.id ?? null
  const reason = isPack ? 'purchase' : 'first period'
  act.payment = newPayment(customer, { checkoutId, metadata, productId, subscriptionId, lines, at, reason, isFree })
  if (status === 'pending') Object.assign(act.payment, { status, paidAt: null })
  Object.assign(checkout, { customerId: customer.id, state: 'complete' })
  if (act.subscription) customer.subscriptions.push(act.subscription)
  // `active` comes before the payment is recorded.
  act.send('checkout.completed', 'subscription.active', 'customer.subscription.created')
  customer.payments.push(act.payment)
  act.send('subscription.paid', ...invoicePaid, 'checkout.session.completed')
}

const isRunning = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && !cancelAtPeriodEnd
const isEnding = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && cancelAtPeriodEnd
const isPastDue = ({ status }: Subscription): boolean => status === 'past_due'
const renews = { when: isRunning, refusal: 'Only an active subscription renews that does not end with its period.' }

export const subscriptionOperations: Operations<Subscription> = {
  resume: {
    label: 'Resume',
    when: isEnding,
    refusal: 'It is not about to end.',
    run: (subscription, act) => {
      Object.assign(subscription, { cancelAtPeriodEnd: false, cancelledAt: null })
      act.send('subscription.update', updated)
    },
  },
  'cancel-at-period-end': {
    label: 'Cancel at period end',
    when: isRunning,
    refusal: 'It cannot be cancelled so now.',
    run: (subscription, act) => {
      Object.assign(subscription, { cancelAtPeriodEnd: true, cancelledAt: act.at })
      act.send('subscription.scheduled_cancel', updated)
    },
  },
  'cancel-now': {
    label: 'Cancel now',
    when: ({ endedAt }) => endedAt === null,
    refusal: 'This subscription has ended.',
    run: (subscription, act) => {
      end(subscription, act)
      act.send('subscription.canceled', deleted)
    },
  },
  'change-plan': {
    label: 'Change plan',
    when: isRunning,
    refusal: 'Its plan cannot change now.',
    run: changePlan,
  },
  'next-period': { label: 'Next period', ...renews, run: (subscription, act) => renew(subscription, act, true) },
  'next-period-fails': {
    label: 'Next period, payment fails',
    ...renews,
    run: (subscription, act) => renew(subscription, act, false),
  },
  'pay-open': {
    label: 'Card works again',
    when: isPastDue,
    refusal: 'Nothing is open to be paid.',
    run: (subscription, act) => {
      act.payment = openPayments(subscription, act)[0] ?? null
      const [line] = act.payment?.lines ?? []
      if (act.payment) Object.assign(act.payment, { status: 'paid', paidAt: act.at })
      if (line && act.isA) startPeriod(subscription, line)
      subscription.status = 'active'
      act.send('subscription.paid', ...invoicePaid, updated)
    },
  },
  'period-ends': {
    label: 'Period ends',
    when: (subscription, isA) =>
      isPastDue(subscription) || isEnding(subscription) || (isA && subscription.status === 'canceled'),
    refusal: 'It does not end with this period; cancel it first.',
    run: (subscription, act) => {
      const wasEnding = isEnding(subscription)
      if (!isPastDue(subscription)) act.at = advance(subscription, subscription.periodEnd)
      end(subscription, act)
      // payment-a cancels only now what was to end with its period; what was cancelled before or never just expires.
      if (wasEnding) act.send('subscription.canceled')
      if (act.isA) subscription.status = 'expired'
      act.send('subscription.expired', deleted)
    },
  },
}

/** What is still open is not charged any more. */
function end(subscription: Subscription, act: Act): void {
  for (const payment of openPayments(subscription, act)) payment.status = 'failed'
  const { cancelledAt, endedAt } = subscription
  const times = { cancelledAt: cancelledAt ?? act.at, endedAt: endedAt ?? act.at }
  Object.assign(subscription, { status: 'canceled', cancelAtPeriodEnd: false, ...times })
}

const openPayments = ({ id }: Subscription, { customer }: Act): Payment[] =>
  customer.payments.filter(({ subscriptionId, status }) => subscriptionId === id && status === 'open')

/**
 * payment-b prorates, and starts a new period only where the billing period changes. payment-a charges a dearer product at once,
 * less the unused time, and starts a new period; a cheaper one it only records, and charges it when the period is over.
 */
function changePlan(subscription: Subscription, act: Act): void {
  const { at, isA, next } = act
  const old = productById(subscription.productId)
  if (!next) throw new HTTPException(409, { message: 'There is no such product.' })
  if (next.months === 0) throw new HTTPException(409, { message: `${next.name} is not a subscription.` })
  if (next === old) throw new HTTPException(409, { message: `It is ${next.name} already.` })
  const { periodStart, periodEnd, quantity } = subscription
  const left = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - periodStart)))
  const isOtherPeriod = next.months !== old.months
  const isDearer = next.cents > old.cents && next.cents > Math.round(old.cents * left)
  const isNewPeriod = isA ? isDearer : isOtherPeriod
  const end = isNewPeriod ? monthsAfter(at, next.months) : periodEnd
  subscription.productId = next.id
  if (isNewPeriod) Object.assign(subscription, { anchorAt: at, periods: 1, periodStart: at, periodEnd: end })
  else if (isOtherPeriod) Object.assign(subscription, { anchorAt: periodEnd, periods: 0 })
  if (isNewPeriod || !isA) {
    const rest = newLine(next, quantity, at, end, isNewPeriod ? undefined : left)
    bill(subscription, act, 'plan change', newLine(old, quantity, at, periodEnd, -left), rest)
  }
  act.send('subscription.update', 'subscription.paid', updated, ...invoicePaid)
}

function renew(subscription: Subscription, act: Act, isPaid: boolean): void {
  const { productId, quantity, periodEnd, anchorAt, periods } = subscription
  const product = productById(productId)
  const line = newLine(product, quantity, periodEnd, monthsAfter(anchorAt, product.months * (periods + 1)))
  act.at = advance(subscription, periodEnd)
  // payment-b starts the new period even if unpaid; payment-a once it is paid.
  if (!act.isA) {
    startPeriod(subscription, line)
    act.send(updated)
    act.at = advance(subscription, act.at + BILLING_DELAY_MS)
  }
  const payment = bill(subscription, act, 'next period', line)
  // An amount that the balance covers needs no card.
  if (isPaid || payment.cents === 0) {
    if (act.isA) startPeriod(subscription, line)
    act.send('subscription.paid', ...invoicePaid)
    return
  }
  Object.assign(payment, { status: 'open', paidAt: null })
  subscription.status = 'past_due'
  act.send('subscription.past_due', 'invoice.payment_failed', updated)
}

const startPeriod = (subscription: Subscription, { periodStart, periodEnd }: Line): unknown =>
  Object.assign(subscription, { periodStart, periodEnd, periods: subscription.periods + 1 })

function bill(subscription: Subscription, act: Act, reason: Payment['reason'], ...lines: Line[]): Payment {
  const { id: subscriptionId, checkoutId, metadata, productId } = subscription
  act.payment = newPayment(act.customer, { checkoutId, metadata, productId, subscriptionId, lines, at: act.at, reason })
  act.customer.payments.push(act.payment)
  return act.payment
}

/** @param share of the price, for a proration; negative for unused time */
function newLine(product: Product, quantity: number, periodStart: number, periodEnd: number, share?: number): Line {
  const cents = quantity * Math.round(product.cents * (share ?? 1))
  return { productId: product.id, quantity, cents, periodStart, periodEnd, isProration: share !== undefined }
}

type Condition = Pick<Operation<Payment>, 'when' | 'refusal'>
const isSettled = ({ status, cents, dispute }: Payment): boolean => status === 'paid' && cents > 0 && dispute === null
const undisputed: Condition = { when: isSettled, refusal: 'There is nothing to dispute.' }
const undisputedB: Condition = {
  when: (payment, isA) => !isA && isSettled(payment),
  refusal: 'Only payment-b has inquiries, of a payment that is not disputed.',
}
const inquired: Condition = {
  when: ({ dispute }) => dispute?.status === 'warning_needs_response',
  refusal: 'There is no open inquiry.',
}
const disputedB: Condition = {
  when: ({ dispute }, isA) => !isA && dispute?.status === 'needs_response',
  refusal: 'There is no open dispute at payment-b.',
}

export const paymentOperations: Operations<Payment> = {
  refund: refund('Refund all', 1),
  'refund-half': refund('Refund half', 1 / 2),
  dispute: dispute(
    'Dispute',
    undisputed,
    'needs_response',
    'dispute.created',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ),
  inquire: dispute('Inquiry', undisputedB, 'warning_needs_response', 'charge.dispute.created'),
  'inquiry-closed': dispute('Inquiry closed', inquired, 'warning_closed', 'charge.dispute.closed'),
  'inquiry-becomes-dispute': dispute(
    'Inquiry becomes a dispute',
    inquired,
    'needs_response',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
  ),
  'dispute-won': dispute('Dispute won', disputedB, 'won', 'charge.dispute.funds_reinstated', 'charge.dispute.closed'),
  'dispute-lost': dispute('Dispute lost', disputedB, 'lost', 'charge.dispute.closed'),
  arrives: settle('Money arrives', 'paid', 'checkout.session.async_payment_succeeded'),
  fails: settle('Money does not come', 'failed', 'checkout.session.async_payment_failed'),
}

/** Refunds that share of the payment, or what is left of it. */
function refund(label: string, share: number): Operation<Payment> {
  return {
    label,
    when: (payment) => isSettled(payment) && payment.cents > payment.refundedCents,
    refusal: 'Nothing is left to refund.',
    run: (payment, act) => {
      const cents = Math.min(Math.ceil(payment.cents * share), payment.cents - payment.refundedCents)
      payment.refundedCents += cents
      payment.refunds.push({ id: newId(act.isA ? 'ref_' : 're_'), cents, at: act.at })
      act.send('refund.created', 'charge.refunded')
    },
  }
}

/** Opens a dispute, as an inquiry without a withdrawal, or moves it on. */
function dispute(
  label: string,
  condition: Condition,
  status: Dispute['status'],
  ...types: string[]
): Operation<Payment> {
  return {
    label,
    ...condition,
    run: (payment, act) => {
      const before = payment.dispute ?? { id: newId(act.isA ? 'disp_' : 'du_'), at: act.at, movements: [] }
      const movements = [...before.movements]
      const isWithdrawn = movements.length % 2 === 1
      if (status === 'needs_response' && !isWithdrawn) movements.push(-payment.cents)
      if (status === 'won' && isWithdrawn) movements.push(payment.cents)
      payment.dispute = { ...before, status, movements }
      act.send(...types)
    },
  }
}

/** Money that was on its way arrives, or does not. */
function settle(label: string, status: 'paid' | 'failed', type: string): Operation<Payment> {
  return {
    label,
    when: (payment) => payment.status === 'pending',
    refusal: 'This payment is not on its way.',
    run: (payment, act) => {
      Object.assign(payment, { status, paidAt: status === 'paid' ? act.at : null })
      act.send(type)
    },
  }
}
