/**
 * Everything that a payer, a subscriber, the operator or time can do, as tables: when an operation is allowed, how it
 * changes the records, and the events that each processor sends for it. The pages derive their buttons from these
 * tables.
 */
import {
  change,
  changePlan,
  end,
  endWithPeriod,
  moveDispute,
  payCheckout,
  payOpenInvoice,
  refund,
  renew,
} from './billing.ts'
import { advance } from './clock.ts'
import { HttpError } from './http-error.ts'
import { type Processor, type Product, productById } from './products.ts'
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
/** A step whose record does not exist is skipped: a pack has no subscription, a cheaper plan no payment. */
type Steps = Record<Processor, Step[]>
type Condition<Target> = [isMet: (target: Target, processor: Processor) => boolean, refusal: string]

export type Operation<Target> = {
  label: string
  /** Groups the buttons of a subscription. */
  row?: 'Owner' | 'Plan' | 'Time'
  /** When it is possible, and why it is not otherwise; missing: always. */
  when?: Condition<Target>
  /** Changes the records. `next` is the product of a plan change. */
  apply: (target: Target, customer: Customer, next?: Product) => Partial<Facts> & { at: number }
  events: Steps | ((before: Target) => Steps)
}
type Operations<Target> = Record<string, Operation<Target>>

const both = (a: Step[], b: Step[]): Steps => ({ 'payment-a': a, 'payment-b': b })
const updated = 'customer.subscription.updated'
const deleted = 'customer.subscription.deleted'
const invoicePaid = ['invoice.payment_succeeded', 'invoice_payment.paid']

export const checkoutOperations: Operations<Checkout> = {
  pay: {
    label: 'Pay',
    apply: (checkout, customer) => payCheckout(checkout, customer, false),
    events: both(
      // `active` comes before the payment is recorded.
      ['checkout.completed', ['subscription.active', { last_transaction_id: undefined }], 'subscription.paid'],
      ['customer.subscription.created', ...invoicePaid, 'checkout.session.completed'],
    ),
  },
  later: {
    label: 'Pay by bank, days later',
    when: [
      ({ productId }, processor) => processor === 'payment-b' && productById(productId).months === 0,
      'Only a purchase at payment-b can be paid later.',
    ],
    apply: (checkout, customer) => payCheckout(checkout, customer, true),
    events: both([], ['checkout.session.completed']),
  },
  decline: {
    label: 'Decline',
    apply: (_checkout, customer) => ({ at: advance(customer) }),
    events: both([], ['payment_intent.payment_failed']),
  },
}

const isRunning = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && !cancelAtPeriodEnd
const isEnding = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && cancelAtPeriodEnd
const isOver = ({ status }: Subscription): boolean => status === 'canceled' || status === 'expired'
const isPastDue = ({ status }: Subscription): boolean => status === 'past_due'
const renews: Condition<Subscription> = [
  isRunning,
  'Only an active subscription renews that does not end with its period.',
]

export const subscriptionOperations: Operations<Subscription> = {
  resume: {
    label: 'Resume',
    row: 'Owner',
    when: [isEnding, 'It is not about to end.'],
    apply: (subscription) => endWithPeriod(subscription, false),
    events: both(['subscription.update'], [updated]),
  },
  'cancel-at-period-end': {
    label: 'Cancel at period end',
    row: 'Owner',
    when: [isRunning, 'It cannot be cancelled so now.'],
    apply: (subscription) => endWithPeriod(subscription, true),
    events: both(['subscription.scheduled_cancel'], [updated]),
  },
  'cancel-now': {
    label: 'Cancel now',
    row: 'Owner',
    when: [(subscription) => !isOver(subscription), 'This subscription has ended.'],
    apply: (subscription, customer) => end(customer, subscription, 'canceled', advance(subscription)),
    events: both(['subscription.canceled'], [deleted]),
  },
  'change-plan': {
    label: 'Change plan',
    row: 'Plan',
    when: [isRunning, 'Its plan cannot change now.'],
    apply: (subscription, customer, next) => {
      if (!next) throw new HttpError(409, 'There is no such product.')
      if (next.months === 0) throw new HttpError(409, `${next.name} is not a subscription.`)
      if (next.id === subscription.productId) throw new HttpError(409, `It is ${next.name} already.`)
      return changePlan(customer, subscription, next)
    },
    events: both(['subscription.update', 'subscription.paid'], [updated, ...invoicePaid]),
  },
  'next-period': {
    label: 'Next period',
    row: 'Time',
    when: renews,
    apply: (subscription, customer) => renew(customer, subscription, true),
    events: both(['subscription.paid'], [updated, ...invoicePaid]),
  },
  'next-period-fails': {
    label: 'Next period, payment fails',
    row: 'Time',
    when: renews,
    apply: (subscription, customer) => renew(customer, subscription, false),
    events: both(['subscription.past_due'], [[updated, { status: 'active' }], 'invoice.payment_failed', updated]),
  },
  'pay-open': {
    label: 'Card works again',
    row: 'Time',
    when: [isPastDue, 'Nothing is open to be paid.'],
    apply: (subscription, customer) => payOpenInvoice(customer, subscription),
    events: both(['subscription.paid'], [...invoicePaid, updated]),
  },
  'period-ends': {
    label: 'Period ends',
    row: 'Time',
    when: [
      (subscription, processor) =>
        isPastDue(subscription) ||
        isEnding(subscription) ||
        (subscription.status === 'canceled' && processor === 'payment-a'),
      'It does not end with this period; cancel it first.',
    ],
    apply: (subscription, customer) => {
      const at = advance(subscription, isPastDue(subscription) ? 0 : subscription.periodEnd)
      return end(customer, subscription, customer.processor === 'payment-a' ? 'expired' : 'canceled', at)
    },
    // payment-a cancels only now what was to end with its period; what was cancelled before or never just expires.
    events: ({ status }) =>
      status === 'active'
        ? both([['subscription.canceled', { status: 'canceled' }], 'subscription.expired'], [deleted])
        : both(['subscription.expired'], [deleted]),
  },
}

const isPaid = ({ status, cents, disputed }: Payment): boolean => status === 'paid' && cents > 0 && !disputed
const refundable: Condition<Payment> = [
  (payment) => isPaid(payment) && payment.cents > payment.refundedCents,
  'Nothing is left to refund.',
]
const inquired: Condition<Payment> = [
  ({ dispute }) => dispute?.status === 'warning_needs_response',
  'There is no open inquiry.',
]
const disputed: Condition<Payment> = [
  ({ dispute }, processor) => processor === 'payment-b' && dispute?.status === 'needs_response',
  'There is no open dispute at payment-b.',
]
const pending: Condition<Payment> = [({ status }) => status === 'pending', 'This payment is not on its way.']

export const paymentOperations: Operations<Payment> = {
  refund: {
    label: 'Refund all',
    when: refundable,
    apply: (payment, customer) => refund(customer, payment, payment.cents),
    events: both(['refund.created'], ['charge.refunded']),
  },
  'refund-half': {
    label: 'Refund half',
    when: refundable,
    apply: (payment, customer) => refund(customer, payment, Math.ceil(payment.cents / 2)),
    events: both(['refund.created'], ['charge.refunded']),
  },
  dispute: {
    label: 'Dispute',
    when: [isPaid, 'There is nothing to dispute.'],
    apply: (payment, customer) => moveDispute(customer, payment, 'needs_response'),
    events: both(['dispute.created'], ['charge.dispute.created', 'charge.dispute.funds_withdrawn']),
  },
  inquire: {
    label: 'Inquiry',
    when: [
      (payment, processor) => processor === 'payment-b' && isPaid(payment),
      'Only payment-b has inquiries, of a payment that is not disputed.',
    ],
    apply: (payment, customer) => moveDispute(customer, payment, 'warning_needs_response'),
    events: both([], ['charge.dispute.created']),
  },
  'inquiry-closed': {
    label: 'Inquiry closed',
    when: inquired,
    apply: (payment, customer) => moveDispute(customer, payment, 'warning_closed'),
    events: both([], ['charge.dispute.closed']),
  },
  'inquiry-becomes-dispute': {
    label: 'Inquiry becomes a dispute',
    when: inquired,
    apply: (payment, customer) => moveDispute(customer, payment, 'needs_response'),
    events: both([], ['charge.dispute.updated', 'charge.dispute.funds_withdrawn']),
  },
  'dispute-won': {
    label: 'Dispute won',
    when: disputed,
    apply: (payment, customer) => moveDispute(customer, payment, 'won'),
    events: both([], ['charge.dispute.funds_reinstated', 'charge.dispute.closed']),
  },
  'dispute-lost': {
    label: 'Dispute lost',
    when: disputed,
    apply: (payment, customer) => moveDispute(customer, payment, 'lost'),
    events: both([], ['charge.dispute.closed']),
  },
  arrives: {
    label: 'Money arrives',
    when: pending,
    apply: (payment, customer) => change(customer, payment, { status: 'paid' }),
    events: both([], ['checkout.session.async_payment_succeeded']),
  },
  fails: {
    label: 'Money does not come',
    when: pending,
    apply: (payment, customer) => change(customer, payment, { status: 'failed' }),
    events: both([], ['checkout.session.async_payment_failed']),
  },
}
