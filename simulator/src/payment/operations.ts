/**
 * Everything that a payer, a subscriber, the operator or time can do, as one table: when an operation is allowed, how it
 * changes the records, and the events that each processor sends for it. The portal derives its buttons from this table.
 */

import { changePlan, endSubscription, payOpenInvoice, renew } from './billing.ts'
import { advance } from './clock.ts'
import type { Processor, Product, Products } from './products.ts'
import type { Checkout, Customer, Payment, Subscription } from './store.ts'

/** What an operation works on and leaves for its events. */
export type Facts = {
  customer: Customer
  checkout: Checkout | null
  subscription: Subscription | null
  payment: Payment | null
  /** The time of the operation. */
  at: number
  /** payment-b bills a new period an hour after its start; the time of invoices and of what follows them. */
  billedAt?: number
  /** The amount of a refund. */
  refundCents?: number
}

/** An event type, and the fields of its object that differ from the current record. */
export type Step = string | [type: string, fields: Record<string, unknown>]
export type Steps = Record<Processor, Step[]>

/** Explains to the user of a page why an operation is not possible; HTTP 409. */
export class NotPossible extends Error {}

const updated = 'customer.subscription.updated'
const invoicePaid = ['invoice.payment_succeeded', 'invoice_payment.paid']
const both = (a: Step[], b: Step[]): Steps => ({ 'payment-a': a, 'payment-b': b })

/** Steps whose record does not exist are skipped: a pack has no subscription, a cheaper plan no payment. */
export const checkoutSteps: Record<string, Steps> = {
  pay: both(
    // `active` comes before the payment is recorded.
    ['checkout.completed', ['subscription.active', { last_transaction_id: undefined }], 'subscription.paid'],
    ['customer.subscription.created', ...invoicePaid, 'checkout.session.completed'],
  ),
  later: both([], ['checkout.session.completed']),
  decline: both([], ['payment_intent.payment_failed']),
}

type Context = { customer: Customer; products: Products; next: Product | undefined }
type Operation<Target> = {
  label: string | ((target: Target) => string)
  isAllowed: (target: Target, customer: Customer) => boolean
  refusal: string
  /** Changes the records. */
  apply: (target: Target, context: Context) => Partial<Facts>
  steps: Steps | ((before: Target) => Steps)
}
export type SubscriptionOperation = Operation<Subscription> & { row: 'Owner' | 'Plan' | 'Time' }

const isRunning = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && !cancelAtPeriodEnd
const isOver = ({ status }: Subscription): boolean => status === 'canceled' || status === 'expired'
const isPastDue = ({ status }: Subscription): boolean => status === 'past_due'

const renewal = {
  row: 'Time' as const,
  isAllowed: isRunning,
  refusal: 'Only an active subscription renews that does not end with its period.',
}

export const subscriptionOperations: Record<string, SubscriptionOperation> = {
  resume: {
    label: 'Resume',
    row: 'Owner',
    isAllowed: ({ status, cancelAtPeriodEnd }) => status === 'active' && cancelAtPeriodEnd,
    refusal: 'It is not about to end.',
    apply: (subscription) => update(subscription, { cancelAtPeriodEnd: false, cancelledAt: null }),
    steps: both(['subscription.update'], [updated]),
  },
  'cancel-at-period-end': {
    label: 'Cancel at period end',
    row: 'Owner',
    isAllowed: isRunning,
    refusal: 'It cannot be cancelled so now.',
    apply: (subscription) => {
      const facts = update(subscription, { cancelAtPeriodEnd: true })
      subscription.cancelledAt = facts.at
      return facts
    },
    steps: both(['subscription.scheduled_cancel'], [updated]),
  },
  'cancel-now': {
    label: 'Cancel now',
    row: 'Owner',
    isAllowed: (subscription) => !isOver(subscription),
    refusal: 'This subscription has ended.',
    apply: (subscription, { customer }) => endSubscription(customer, subscription, 'canceled', advance(subscription)),
    steps: both(['subscription.canceled'], ['customer.subscription.deleted']),
  },
  'change-plan': {
    label: 'Change plan',
    row: 'Plan',
    isAllowed: isRunning,
    refusal: 'Its plan cannot change now.',
    apply: (subscription, { customer, products, next }) => {
      if (!next) throw new NotPossible('There is no such product.')
      if (next.months === 0) throw new NotPossible(`${next.name} is not a subscription.`)
      if (next.id === subscription.productId) throw new NotPossible(`It is ${next.name} already.`)
      return changePlan(customer, subscription, products.byId(subscription.productId), next)
    },
    steps: both(['subscription.update', 'subscription.paid'], [updated, ...invoicePaid]),
  },
  'next-period': {
    label: 'Next period',
    ...renewal,
    apply: (subscription, { customer, products }) => renew(customer, subscription, products, true),
    steps: both(['subscription.paid'], [updated, ...invoicePaid]),
  },
  'next-period-fails': {
    label: 'Next period, payment fails',
    ...renewal,
    apply: (subscription, { customer, products }) => renew(customer, subscription, products, false),
    steps: both(['subscription.past_due'], [[updated, { status: 'active' }], 'invoice.payment_failed', updated]),
  },
  'pay-open': {
    label: 'Card works again',
    row: 'Time',
    isAllowed: isPastDue,
    refusal: 'Nothing is open to be paid.',
    apply: (subscription, { customer }) => payOpenInvoice(customer, subscription),
    steps: both(['subscription.paid'], [...invoicePaid, updated]),
  },
  'period-ends': {
    label: (subscription) => (isPastDue(subscription) ? 'Give up trying' : 'Period ends'),
    row: 'Time',
    isAllowed: (subscription, { processor }) =>
      isPastDue(subscription) ||
      (subscription.status === 'active' && subscription.cancelAtPeriodEnd) ||
      (subscription.status === 'canceled' && processor === 'payment-a'),
    refusal: 'It does not end with this period; cancel it first.',
    apply: (subscription, { customer }) => {
      const at = advance(subscription, isPastDue(subscription) ? 0 : subscription.periodEnd)
      return endSubscription(customer, subscription, customer.processor === 'payment-a' ? 'expired' : 'canceled', at)
    },
    // payment-a cancels only now what was to end with its period; what was cancelled before or never just expires.
    steps: ({ status }) =>
      both(
        [
          ...(status === 'active' ? [['subscription.canceled', { status: 'canceled' }] as Step] : []),
          'subscription.expired',
        ],
        ['customer.subscription.deleted'],
      ),
  },
}

const refund = {
  isAllowed: ({ status, cents, refundedCents, disputed }: Payment) =>
    status === 'paid' && cents > refundedCents && !disputed,
  refusal: 'Nothing is left to refund.',
  steps: both(['refund.created'], ['charge.refunded']),
}
const settlement = {
  isAllowed: ({ status }: Payment) => status === 'pending',
  refusal: 'This payment is not on its way.',
}

export const paymentOperations: Record<string, Operation<Payment>> = {
  refund: {
    label: 'Refund all',
    ...refund,
    apply: (payment, { customer }) => refundCents(payment, customer, payment.cents),
  },
  'refund-half': {
    label: 'Refund half',
    ...refund,
    apply: (payment, { customer }) => refundCents(payment, customer, Math.ceil(payment.cents / 2)),
  },
  dispute: {
    label: 'Dispute',
    isAllowed: ({ status, cents, disputed }) => status === 'paid' && cents > 0 && !disputed,
    refusal: 'There is nothing to dispute.',
    apply: (payment, { customer }) => {
      payment.disputed = true
      return { at: advance(clockOf(payment, customer)) }
    },
    steps: both(['dispute.created'], ['charge.dispute.created']),
  },
  arrives: {
    label: 'Money arrives',
    ...settlement,
    apply: (payment, { customer }) => {
      const at = advance(customer)
      Object.assign(payment, { status: 'paid', paidAt: at })
      return { at }
    },
    steps: both([], ['checkout.session.async_payment_succeeded']),
  },
  fails: {
    label: 'Money does not come',
    ...settlement,
    apply: (payment, { customer }) => {
      payment.status = 'failed'
      return { at: advance(customer) }
    },
    steps: both([], ['checkout.session.async_payment_failed']),
  },
}

/** @throws NotPossible */
export function operate<Target>(
  operations: Record<string, Operation<Target>>,
  name: string,
  target: Target,
  context: Context,
) {
  const operation = operations[name]
  if (!operation) throw new NotPossible('There is no such operation.')
  if (!operation.isAllowed(target, context.customer)) throw new NotPossible(operation.refusal)
  const steps = typeof operation.steps === 'function' ? operation.steps(target) : operation.steps
  return { facts: operation.apply(target, context), steps }
}

function update(subscription: Subscription, changes: Partial<Subscription>): { at: number } {
  const at = advance(subscription)
  Object.assign(subscription, changes, { updatedAt: at })
  return { at }
}

/** Refunds up to `cents` of what is left. */
function refundCents(payment: Payment, customer: Customer, cents: number): Partial<Facts> {
  const refunded = Math.min(cents, payment.cents - payment.refundedCents)
  payment.refundedCents += refunded
  return { at: advance(clockOf(payment, customer)), refundCents: refunded }
}

/** A payment of a subscription lives in that subscription's time, which may be ahead. */
const clockOf = (payment: Payment, customer: Customer) =>
  customer.subscriptions.find(({ id }) => id === payment.subscriptionId) ?? customer
