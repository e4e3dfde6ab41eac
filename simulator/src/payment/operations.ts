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
  /** Sends those events that the processor has, and whose record exists: a pack has no subscription, a cheaper plan no payment. */
  send: (...types: string[]) => void
}
type Run<Target> = (target: Target, act: Act) => void
type When<Target> = (target: Target, isA: boolean) => boolean
/** `refusal`: why it is not possible when `when` is not met. */
export type Operation<Target> = { label: string; when: When<Target>; refusal: string; run: Run<Target> }
export type Operations<Target> = Record<string, Operation<Target>>
const operation = <T>(label: string, when: When<T>, refusal: string, run: Run<T>) => ({ label, when, refusal, run })

const updated = 'customer.subscription.updated'
const deleted = 'customer.subscription.deleted'
const invoicePaid = ['invoice.payment_succeeded', 'invoice_payment.paid']
/** payment-b bills a new period an hour after its start; payment-a at once. */
const BILLING_DELAY_MS = 3_600_000

const always = () => true
const isLater = ({ productId }: Checkout, isA: boolean): boolean => !isA && productById(productId).months === 0
export const checkoutOperations: Operations<Checkout> = {
  pay: operation('Pay', always, '', (checkout, act) => pay(checkout, act, 'paid')),
  later: operation(
    'Pay by bank, days later',
    isLater,
    'Only a purchase at payment-b can be paid later.',
    (checkout, act) => pay(checkout, act, checkout.isFree ? 'paid' : 'pending'),
  ),
  decline: operation('Decline', always, '', (_checkout, act) => act.send('payment_intent.payment_failed')),
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
  const charge = { checkoutId, metadata, productId, subscriptionId, lines, createdAt: at, reason } as const
  act.payment = newPayment(customer, { ...charge, isFree })
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
const canEnd: When<Subscription> = (subscription, isA) =>
  isPastDue(subscription) || isEnding(subscription) || (isA && subscription.status === 'canceled')
const doesNotRenew = 'Only an active subscription renews that does not end with its period.'

export const subscriptionOperations: Operations<Subscription> = {
  resume: operation('Resume', isEnding, 'It is not about to end.', (subscription, act) => {
    Object.assign(subscription, { cancelAtPeriodEnd: false, cancelledAt: null })
    act.send('subscription.update', updated)
  }),
  'cancel-at-period-end': operation(
    'Cancel at period end',
    isRunning,
    'It cannot be cancelled so now.',
    (subscription, act) => {
      Object.assign(subscription, { cancelAtPeriodEnd: true, cancelledAt: act.at })
      act.send('subscription.scheduled_cancel', updated)
    },
  ),
  'cancel-now': operation('Cancel now', isOpen, 'This subscription has ended.', (subscription, act) => {
    end(subscription, act)
    act.send('subscription.canceled', deleted)
  }),
  'change-plan': operation('Change plan', isRunning, 'Its plan cannot change now.', changePlan),
  'next-period': operation('Next period', isRunning, doesNotRenew, (subscription, act) =>
    renew(subscription, act, true),
  ),
  'next-period-fails': operation('Next period, payment fails', isRunning, doesNotRenew, (subscription, act) =>
    renew(subscription, act, false),
  ),
  'pay-open': operation('Card works again', isPastDue, 'Nothing is open to be paid.', (subscription, act) => {
    act.payment = openPayments(subscription, act)[0] ?? null
    const [line] = act.payment?.lines ?? []
    if (act.payment) Object.assign(act.payment, { status: 'paid', paidAt: act.at })
    if (line && act.isA) startPeriod(subscription, line)
    subscription.status = 'active'
    act.send('subscription.paid', ...invoicePaid, updated)
  }),
  'period-ends': operation(
    'Period ends',
    canEnd,
    'It does not end with this period; cancel it first.',
    (subscription, act) => {
      const wasEnding = isEnding(subscription)
      if (!isPastDue(subscription)) act.at = advance(subscription, subscription.periodEnd)
      end(subscription, act)
      // payment-a cancels only now what was to end with its period; what was cancelled before or never just expires.
      if (wasEnding) act.send('subscription.canceled')
      if (act.isA) subscription.status = 'expired'
      act.send('subscription.expired', deleted)
    },
  ),
}

function isOpen({ status }: Subscription): boolean {
  return status === 'active' || status === 'past_due'
}

/** What is still open is not charged any more. */
function end(subscription: Subscription, act: Act): void {
  for (const payment of openPayments(subscription, act)) payment.status = 'failed'
  const cancelledAt = subscription.cancelledAt ?? act.at
  Object.assign(subscription, { status: 'canceled', cancelAtPeriodEnd: false, cancelledAt })
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
  act.payment = newPayment(act.customer, {
    checkoutId,
    metadata,
    productId,
    subscriptionId,
    lines,
    createdAt: act.at,
    reason,
  })
  act.customer.payments.push(act.payment)
  return act.payment
}

/** @param share of the price, for a proration; negative for unused time */
function newLine(product: Product, quantity: number, periodStart: number, periodEnd: number, share?: number): Line {
  const cents = quantity * Math.round(product.cents * (share ?? 1))
  return { productId: product.id, quantity, cents, periodStart, periodEnd, isProration: share !== undefined }
}

const isSettled = ({ status, cents, dispute }: Payment): boolean => status === 'paid' && cents > 0 && dispute === null
const isDisputed: When<Payment> = ({ dispute }, isA) => !isA && dispute?.status === 'needs_response'
const isInquired: When<Payment> = ({ dispute }) => dispute?.status === 'warning_needs_response'
const noInquiry = 'There is no open inquiry.'
const noDispute = 'There is no open dispute at payment-b.'

export const paymentOperations: Operations<Payment> = {
  refund: refund('Refund all', 1),
  'refund-half': refund('Refund half', 1 / 2),
  dispute: operation('Dispute', isSettled, 'There is nothing to dispute.', (payment, act) => {
    moveDispute(payment, act, 'needs_response')
    act.send('dispute.created', 'charge.dispute.created', 'charge.dispute.funds_withdrawn')
  }),
  inquire: operation(
    'Inquiry',
    (payment, isA) => !isA && isSettled(payment),
    'Only payment-b has inquiries, of a payment that is not disputed.',
    (payment, act) => moveDispute(payment, act, 'warning_needs_response', 'charge.dispute.created'),
  ),
  'inquiry-closed': operation('Inquiry closed', isInquired, noInquiry, (payment, act) =>
    moveDispute(payment, act, 'warning_closed', 'charge.dispute.closed'),
  ),
  'inquiry-becomes-dispute': operation('Inquiry becomes a dispute', isInquired, noInquiry, (payment, act) =>
    moveDispute(payment, act, 'needs_response', 'charge.dispute.updated', 'charge.dispute.funds_withdrawn'),
  ),
  'dispute-won': operation('Dispute won', isDisputed, noDispute, (payment, act) =>
    moveDispute(payment, act, 'won', 'charge.dispute.funds_reinstated', 'charge.dispute.closed'),
  ),
  'dispute-lost': operation('Dispute lost', isDisputed, noDispute, (payment, act) =>
    moveDispute(payment, act, 'lost', 'charge.dispute.closed'),
  ),
  arrives: settle('Money arrives', 'paid', 'checkout.session.async_payment_succeeded'),
  fails: settle('Money does not come', 'failed', 'checkout.session.async_payment_failed'),
}

/** Refunds that share of the payment, or what is left of it. */
function refund(label: string, share: number): Operation<Payment> {
  const isLeft = (payment: Payment) => isSettled(payment) && payment.cents > payment.refundedCents
  return operation(label, isLeft, 'Nothing is left to refund.', (payment, act) => {
    const cents = Math.min(Math.ceil(payment.cents * share), payment.cents - payment.refundedCents)
    payment.refundedCents += cents
    payment.refunds.push({ id: newId(act.isA ? 'ref_' : 're_'), cents, at: act.at })
    act.send('refund.created', 'charge.refunded')
  })
}

/** Opens a dispute, as an inquiry without a withdrawal, or moves it on. */
function moveDispute(payment: Payment, act: Act, status: Dispute['status'], ...types: string[]): void {
  const { id, at, movements }: Omit<Dispute, 'status'> = payment.dispute ?? {
    id: newId(act.isA ? 'disp_' : 'du_'),
    at: act.at,
    movements: [],
  }
  const isWithdrawn = movements.length % 2 === 1
  if (status === 'needs_response' && !isWithdrawn) movements.push(-payment.cents)
  if (status === 'won' && isWithdrawn) movements.push(payment.cents)
  payment.dispute = { id, at, movements, status }
  act.send(...types)
}

/** Money that was on its way arrives, or does not. */
function settle(label: string, status: 'paid' | 'failed', type: string): Operation<Payment> {
  const isPending = (payment: Payment) => payment.status === 'pending'
  return operation(label, isPending, 'This payment is not on its way.', (payment, act) => {
    Object.assign(payment, { status, paidAt: status === 'paid' ? act.at : null })
    act.send(type)
  })
}
