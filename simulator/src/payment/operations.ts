/**
 * Everything that a payer, a subscriber, the operator or time can do: when it is allowed, and its script, which changes
 * the records and sends events. The pages derive their buttons from these tables.
 */
import type { Condition, Operation, OperationContext, Rules, Run } from './processor.ts'
import { type Product, productById } from './products.ts'
import type { Card, Checkout, Dispute, Line, Payment, Subscription } from './store.ts'
import { advance, monthsAfter, newId, newPayment, newSubscription, refusal } from './store.ts'

const updated = 'customer.subscription.updated'
const deleted = 'customer.subscription.deleted'
const invoicePaid = ['invoice.payment_succeeded', 'invoice_payment.paid']
const bought = ['subscription.paid', ...invoicePaid, 'checkout.session.completed']
const refunded = ['refund.created', 'charge.refunded']

const isSale: Condition<Checkout> = ({ isSetup }) => !isSetup
const isSetup: Condition<Checkout> = ({ isSetup }) => isSetup
const isPackByBank: Condition<Checkout> = ({ isSetup, productId }, { takesBankTransfers }) =>
  takesBankTransfers && !isSetup && productById(productId).months === 0
export const checkoutOperations: Operation<Checkout>[] = [
  ['pay', isSale, pay, ...bought],
  ['later', isPackByBank, payByBank, ...bought],
  ['decline', isSale, () => {}, 'payment_intent.payment_failed'],
  ['save-card', isSetup, saveCard('works'), 'checkout.session.completed'],
  ['save-card-that-declines', isSetup, saveCard('declines'), 'checkout.session.completed'],
  ['save-card-that-asks', isSetup, saveCard('asks'), 'checkout.session.completed'],
]

/** Saves a card for charges without the payer. */
function saveCard(card: Card): Run<Checkout> {
  return (checkout, { customer }) => {
    customer.card = card
    checkout.customerId = customer.id
  }
}

function pay(checkout: Checkout, context: OperationContext): void {
  const { customer, at } = context
  const { id: checkoutId, quantity, isFree, productId, innerMetadata: metadata } = checkout
  const product = productById(productId)
  const isPack = product.months === 0
  const subscription = isPack ? undefined : newSubscription(checkout, at)
  const lines = [newLine(product, quantity, at, subscription?.periodEnd ?? at)]
  const reason = isPack ? 'purchase' : 'first period'
  const about = { checkoutId, metadata, productId, subscriptionId: subscription?.id ?? null }
  const { prefixes, rules } = context.processor
  const id = newId(isPack ? prefixes.purchase : prefixes.period)
  const payment = newPayment(customer, { ...about, id, lines, createdAt: at, reason, isFree }, rules.hasBalance)
  Object.assign(context, { subscription, payment })
  if (subscription) {
    customer.subscriptions.push(subscription)
    // It charges the card again.
    customer.card ??= 'works'
  }
  // `active` comes before the payment is recorded.
  context.send('checkout.completed', 'subscription.active', 'customer.subscription.created')
  customer.payments.push(payment)
}

/** The money is on its way for days. */
function payByBank(checkout: Checkout, context: OperationContext): void {
  pay(checkout, context)
  if (context.payment && !checkout.isFree) Object.assign(context.payment, { status: 'pending', paidAt: null })
}

const isPastDue = ({ status }: Subscription): boolean => status === 'past_due'
const isEnding = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && cancelAtPeriodEnd
const isRenewing = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && !cancelAtPeriodEnd
const isOpen = ({ status }: Subscription): boolean => status === 'active' || status === 'past_due'
const canEnd: Condition<Subscription> = (each, { expires }) =>
  isPastDue(each) || isEnding(each) || (expires && each.status === 'canceled')

export const subscriptionOperations: Operation<Subscription>[] = [
  ['resume', isEnding, cancelAtPeriodEnd(false), 'subscription.update', updated],
  ['cancel-at-period-end', isRenewing, cancelAtPeriodEnd(true), 'subscription.scheduled_cancel', updated],
  ['cancel-now', isOpen, end, 'subscription.canceled', deleted],
  ['change-plan', isRenewing, changePlan, 'subscription.update', 'subscription.paid', updated, ...invoicePaid],
  ['next-period', isRenewing, (each, context) => renew(each, context, true)],
  ['next-period-fails', isRenewing, (each, context) => renew(each, context, false)],
  ['pay-open', isPastDue, payOpen, 'subscription.paid', ...invoicePaid, updated],
  ['period-ends', canEnd, endPeriod, 'subscription.expired', deleted],
]

function cancelAtPeriodEnd(cancelAtPeriodEnd: boolean): Run<Subscription> {
  return (each, { at }) => Object.assign(each, { cancelAtPeriodEnd, cancelledAt: cancelAtPeriodEnd ? at : null })
}

/** What is still open is not charged any more. */
function end(subscription: Subscription, context: OperationContext): void {
  for (const payment of openPayments(subscription, context)) payment.status = 'failed'
  const cancelledAt = subscription.cancelledAt ?? context.at
  Object.assign(subscription, { status: 'canceled', cancelAtPeriodEnd: false, cancelledAt })
}

function endPeriod(subscription: Subscription, context: OperationContext): void {
  const wasEnding = isEnding(subscription)
  if (!isPastDue(subscription)) context.at = advance(subscription, subscription.periodEnd)
  end(subscription, context)
  // What was to end with its period is cancelled only now; what was cancelled before or never just expires.
  if (wasEnding) context.send('subscription.canceled')
  if (context.processor.rules.expires) subscription.status = 'expired'
}

const openPayments = ({ id }: Subscription, { customer }: OperationContext): Payment[] =>
  customer.payments.filter(({ subscriptionId, status }) => subscriptionId === id && status === 'open')

function payOpen(subscription: Subscription, context: OperationContext): void {
  context.payment = openPayments(subscription, context)[0]
  const [line] = context.payment?.lines ?? []
  if (context.payment) Object.assign(context.payment, { status: 'paid', paidAt: context.at })
  if (line && startsPaid(context)) startPeriod(subscription, line)
  subscription.status = 'active'
}

/** A period starts once it is paid. */
const startsPaid = ({ processor }: OperationContext): boolean => processor.rules.billingDelayMs === null

/**
 * A processor that prorates starts a new period only where the billing period changes. Another one charges a dearer
 * product at once, less the unused time, and starts a new period; a cheaper one it only records, and charges it when
 * the period is over.
 */
function changePlan(subscription: Subscription, context: OperationContext): void {
  const { at, processor, next } = context
  const { isNewPeriod, isOtherPeriod, end, lines } = planChange(subscription, processor.rules, at, next)
  subscription.productId = next?.id ?? subscription.productId
  if (isNewPeriod) Object.assign(subscription, { anchorAt: at, periods: 1, periodStart: at, periodEnd: end })
  else if (isOtherPeriod) Object.assign(subscription, { anchorAt: subscription.periodEnd, periods: 0 })
  if (lines.length > 0) bill(subscription, context, 'plan change', ...lines)
}

/** What a change of the plan does, also for a preview. @throws HTTPException 409 for a product that is no other plan */
export function planChange(
  subscription: Subscription,
  { prorates }: Pick<Rules, 'prorates'>,
  at: number,
  next: Product | undefined,
) {
  const old = productById(subscription.productId)
  if (!next || next.months === 0 || next === old) throw refusal(409, 'product must be another subscription.')
  const { periodStart, periodEnd, quantity } = subscription
  const left = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - periodStart)))
  const isOtherPeriod = next.months !== old.months
  const isDearer = next.cents > old.cents && next.cents > Math.round(old.cents * left)
  const isNewPeriod = prorates ? isOtherPeriod : isDearer
  const end = isNewPeriod ? monthsAfter(at, next.months) : periodEnd
  const rest = newLine(next, quantity, at, end, isNewPeriod ? undefined : left)
  const lines = isNewPeriod || prorates ? [newLine(old, quantity, at, periodEnd, -left), rest] : []
  return { isNewPeriod, isOtherPeriod, end, lines }
}

function renew(subscription: Subscription, context: OperationContext, isPaid: boolean): void {
  const { productId, quantity, periodEnd, anchorAt, periods } = subscription
  const product = productById(productId)
  const line = newLine(product, quantity, periodEnd, monthsAfter(anchorAt, product.months * (periods + 1)))
  context.at = advance(subscription, periodEnd)
  const { billingDelayMs } = context.processor.rules
  if (billingDelayMs !== null) {
    startPeriod(subscription, line)
    context.send(updated)
    context.at = advance(subscription, context.at + billingDelayMs)
  }
  const payment = bill(subscription, context, 'next period', line)
  // An amount that the balance covers needs no card.
  if (isPaid || payment.cents === 0) {
    if (startsPaid(context)) startPeriod(subscription, line)
    context.send('subscription.paid', ...invoicePaid)
    return
  }
  Object.assign(payment, { status: 'open', paidAt: null })
  subscription.status = 'past_due'
  context.send('subscription.past_due', 'invoice.payment_failed', updated)
}

const startPeriod = (subscription: Subscription, { periodStart, periodEnd }: Line): unknown =>
  Object.assign(subscription, { periodStart, periodEnd, periods: subscription.periods + 1 })

function bill(subscription: Subscription, context: OperationContext, reason: Payment['reason'], ...lines: Line[]) {
  const { id: subscriptionId, checkoutId, metadata, productId } = subscription
  const about = { checkoutId, metadata, productId, subscriptionId, isFree: false }
  const { prefixes, rules } = context.processor
  const charge = { ...about, id: newId(prefixes.period), lines, createdAt: context.at, reason }
  context.payment = newPayment(context.customer, charge, rules.hasBalance)
  context.customer.payments.push(context.payment)
  return context.payment
}

/** @param share of the price, for a proration; negative for unused time */
export function newLine(
  product: Product,
  quantity: number,
  periodStart: number,
  periodEnd: number,
  share?: number,
): Line {
  const cents = quantity * Math.round(product.cents * (share ?? 1))
  return { productId: product.id, quantity, cents, periodStart, periodEnd, isProration: share !== undefined }
}

const isSettled = ({ status, cents, dispute }: Payment): boolean => status === 'paid' && cents > 0 && dispute === null
const isRefundable = (payment: Payment): boolean => isSettled(payment) && payment.cents > payment.refundedCents
const isRefunded = ({ refunds }: Payment): boolean => refunds.some(({ status }) => status === 'succeeded')
const isCreditable: Condition<Payment> = (payment, { hasBalance }) =>
  hasBalance && payment.subscriptionId !== null && payment.status === 'paid' && creditable(payment) > 0
const isCreditableByCard: Condition<Payment> = (payment, rules) => isCreditable(payment, rules) && isRefundable(payment)
const hasNote = ({ notes }: Payment): boolean => notes.some(({ voidedAt }) => voidedAt === null)
const canBeInquired: Condition<Payment> = (payment, { followsDisputes }) => followsDisputes && isSettled(payment)
const isInquired: Condition<Payment> = ({ dispute }) => dispute?.status === 'warning_needs_response'
const isDisputed: Condition<Payment> = ({ dispute }) => dispute?.status === 'needs_response'
const canBeLost: Condition<Payment> = (payment, rules) => rules.followsDisputes && isDisputed(payment, rules)
const isOpenInvoice = ({ status, reason }: Payment): boolean => status === 'open' && reason === 'invoice'
const isPending = ({ status }: Payment): boolean => status === 'pending'

const opened = 'charge.dispute.created'
const withdrawn = 'charge.dispute.funds_withdrawn'
const closed = 'charge.dispute.closed'
export const paymentOperations: Operation<Payment>[] = [
  ['refund', isRefundable, refund(1), ...refunded],
  ['refund-half', isRefundable, refund(1 / 2), ...refunded],
  ['refund-fails', isRefunded, failRefund, 'refund.created', 'refund.failed'],
  ['credit', isCreditable, credit(0), 'credit_note.created'],
  ['credit-and-refund', isCreditableByCard, credit(1 / 2), 'charge.refunded', 'credit_note.created'],
  ['void-note', hasNote, voidNote, 'credit_note.voided'],
  ['dispute', isSettled, dispute('needs_response'), 'dispute.created', opened, withdrawn],
  ['inquire', canBeInquired, dispute('warning_needs_response'), opened],
  ['inquiry-closed', isInquired, dispute('warning_closed'), closed],
  ['inquiry-becomes-dispute', isInquired, dispute('needs_response'), 'charge.dispute.updated', withdrawn],
  ['dispute-won', isDisputed, dispute('won'), 'charge.dispute.funds_reinstated', closed],
  ['dispute-lost', canBeLost, dispute('lost'), closed],
  ['arrives', isPending, settle('paid'), 'checkout.session.async_payment_succeeded'],
  ['fails', isPending, settle('failed'), 'checkout.session.async_payment_failed'],
  ['confirm', isOpenInvoice, settle('paid'), ...invoicePaid],
]

/** Refunds that share of the payment, or what is left of it. */
function refund(share: number, key: string | null = null): Run<Payment> {
  return (payment, { processor, at }) => {
    const cents = Math.min(Math.ceil(payment.cents * share - 1e-6), payment.cents - payment.refundedCents)
    payment.refundedCents += cents
    payment.refunds.push({ id: newId(processor.prefixes.refund), cents, at, status: 'succeeded', failedAt: null, key })
  }
}

/**
 * What a call of the API refunds. `cents`: null for all that is left.
 * @throws HTTPException 400
 */
export function refundByCall(
  { cents: paid, refundedCents, dispute }: Payment,
  cents: number | null,
  key: string | null,
) {
  const left = paid - refundedCents
  const refuse = (code: string, message: string) => refusal(400, message, { code })
  if (dispute !== null && dispute.status !== 'won')
    throw refuse('charge_disputed', 'Charge is disputed, so it cannot be refunded.')
  if (left === 0) throw refuse('charge_already_refunded', 'Charge has already been refunded.')
  if (cents !== null && cents > left)
    throw refuse('amount_too_large', `Refund amount (${cents}) is greater than unrefunded amount on charge (${left})`)
  return ['refund', () => true, refund((cents ?? left) / paid, key), ...refunded] satisfies Operation<Payment>
}

/** The bank of the payer sends the last refund back. */
function failRefund(payment: Payment, { at }: OperationContext): void {
  const last = payment.refunds.findLast(({ status }) => status === 'succeeded')
  if (!last) return
  Object.assign(last, { status: 'failed', failedAt: at })
  // The latest to change stands last.
  payment.refunds = [...payment.refunds.filter((each) => each !== last), last]
  payment.refundedCents -= last.cents
}

/** What an invoice was due, less what was refunded or credited of it. */
function creditable({ lines, discountCents, refundedCents, notes }: Payment): number {
  const due = lines.reduce((sum, { cents }) => sum + cents, 0) - discountCents
  return notes.reduce((sum, { cents, voidedAt }) => sum - (voidedAt === null ? cents : 0), due - refundedCents)
}

/** Credits what is left of an invoice: that share of it by a refund, the rest to the customer's balance. */
function credit(share: number): Run<Payment> {
  return (payment, context) => {
    const all = creditable(payment)
    if (share > 0) refund((all * share) / payment.cents)(payment, context)
    const made = share > 0 ? (payment.refunds.at(-1) ?? null) : null
    const cents = all - (made?.cents ?? 0)
    context.customer.balanceCents -= cents
    payment.notes.push({ id: newId('cn_'), cents, refund: made, at: context.at, voidedAt: null })
  }
}

function voidNote({ notes }: Payment, { customer, at }: OperationContext): void {
  const last = notes.findLast(({ voidedAt }) => voidedAt === null)
  if (!last) return
  last.voidedAt = at
  customer.balanceCents += last.cents
}

/** Opens a dispute, as an inquiry without a withdrawal, or moves it on. */
function dispute(status: Dispute['status']): Run<Payment> {
  return (payment, { processor, at }) => {
    const id = payment.dispute?.id ?? newId(processor.prefixes.dispute)
    const movements = payment.dispute?.movements ?? []
    const isWithdrawn = movements.length % 2 === 1
    if (status === 'needs_response' && !isWithdrawn) movements.push({ cents: -payment.cents, at })
    if (status === 'won' && isWithdrawn) movements.push({ cents: payment.cents, at })
    payment.dispute = { id, at: payment.dispute?.at ?? at, movements, status }
  }
}

/** Money that was on its way arrives, or does not. */
function settle(status: 'paid' | 'failed'): Run<Payment> {
  return (payment, { at }) => Object.assign(payment, { status, paidAt: status === 'paid' ? at : null })
}
