/**
 * Everything that a payer, a subscriber, the operator or time can do, as tables: when an operation is allowed, how it
 * changes the records, and the events that each processor sends for it. The pages derive their buttons from these tables.
 */
import { change, changePlan, end, endWithPeriod, payCheckout, payOpenInvoice, refund, renew } from './billing.ts'
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

export type Operation<Target> = {
  label: string
  /** Groups the buttons of a subscription. */
  row?: 'Owner' | 'Plan' | 'Time'
  /** Missing: always. */
  isAllowed?: (target: Target, processor: Processor) => boolean
  /** Explains to the user of a page why the operation is not possible. */
  refusal?: string
  /** Changes the records. `next` is the product of a plan change. */
  apply: (target: Target, customer: Customer, next?: Product) => Partial<Facts> & { at: number }
  /**
   * The events of payment-a and of payment-b. A step whose record does not exist is skipped: a pack has no subscription,
   * a cheaper plan no payment.
   */
  a: Step[] | ((before: Target) => Step[])
  b: Step[]
}
type Operations<Target> = Record<string, Operation<Target>>

const updated = 'customer.subscription.updated'
const invoicePaid = ['invoice.payment_succeeded', 'invoice_payment.paid']

export const checkoutOperations: Operations<Checkout> = {
  pay: {
    label: 'Pay',
    apply: (checkout, customer) => payCheckout(checkout, customer, false),
    // `active` comes before the payment is recorded.
    a: ['checkout.completed', ['subscription.active', { last_transaction_id: undefined }], 'subscription.paid'],
    b: ['customer.subscription.created', ...invoicePaid, 'checkout.session.completed'],
  },
  later: {
    label: 'Pay by bank, days later',
    isAllowed: ({ processor, productId }) => processor === 'payment-b' && productById(productId).months === 0,
    refusal: 'Only a purchase at payment-b can be paid later.',
    apply: (checkout, customer) => payCheckout(checkout, customer, true),
    a: [],
    b: ['checkout.session.completed'],
  },
  decline: {
    label: 'Decline',
    apply: (_checkout, customer) => ({ at: advance(customer) }),
    a: [],
    b: ['payment_intent.payment_failed'],
  },
}

const isRunning = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && !cancelAtPeriodEnd
const isEnding = ({ status, cancelAtPeriodEnd }: Subscription): boolean => status === 'active' && cancelAtPeriodEnd
const isOver = ({ status }: Subscription): boolean => status === 'canceled' || status === 'expired'
const isPastDue = ({ status }: Subscription): boolean => status === 'past_due'

const renewal = {
  row: 'Time' as const,
  isAllowed: isRunning,
  refusal: 'Only an active subscription renews that does not end with its period.',
}

export const subscriptionOperations: Operations<Subscription> = {
  resume: {
    label: 'Resume',
    row: 'Owner',
    isAllowed: isEnding,
    refusal: 'It is not about to end.',
    apply: (subscription) => endWithPeriod(subscription, false),
    a: ['subscription.update'],
    b: [updated],
  },
  'cancel-at-period-end': {
    label: 'Cancel at period end',
    row: 'Owner',
    isAllowed: isRunning,
    refusal: 'It cannot be cancelled so now.',
    apply: (subscription) => endWithPeriod(subscription, true),
    a: ['subscription.scheduled_cancel'],
    b: [updated],
  },
  'cancel-now': {
    label: 'Cancel now',
    row: 'Owner',
    isAllowed: (subscription) => !isOver(subscription),
    refusal: 'This subscription has ended.',
    apply: (subscription, customer) => end(customer, subscription, 'canceled', advance(subscription)),
    a: ['subscription.canceled'],
    b: ['customer.subscription.deleted'],
  },
  'change-plan': {
    label: 'Change plan',
    row: 'Plan',
    isAllowed: isRunning,
    refusal: 'Its plan cannot change now.',
    apply: (subscription, customer, next) => {
      if (!next) throw new HttpError(409, 'There is no such product.')
      if (next.months === 0) throw new HttpError(409, `${next.name} is not a subscription.`)
      if (next.id === subscription.productId) throw new HttpError(409, `It is ${next.name} already.`)
      return changePlan(customer, subscription, next)
    },
    a: ['subscription.update', 'subscription.paid'],
    b: [updated, ...invoicePaid],
  },
  'next-period': {
    label: 'Next period',
    ...renewal,
    apply: (subscription, customer) => renew(customer, subscription, true),
    a: ['subscription.paid'],
    b: [updated, ...invoicePaid],
  },
  'next-period-fails': {
    label: 'Next period, payment fails',
    ...renewal,
    apply: (subscription, customer) => renew(customer, subscription, false),
    a: ['subscription.past_due'],
    b: [[updated, { status: 'active' }], 'invoice.payment_failed', updated],
  },
  'pay-open': {
    label: 'Card works again',
    row: 'Time',
    isAllowed: isPastDue,
    refusal: 'Nothing is open to be paid.',
    apply: (subscription, customer) => payOpenInvoice(customer, subscription),
    a: ['subscription.paid'],
    b: [...invoicePaid, updated],
  },
  'period-ends': {
    label: 'Period ends',
    row: 'Time',
    isAllowed: (subscription, processor) =>
      isPastDue(subscription) ||
      isEnding(subscription) ||
      (subscription.status === 'canceled' && processor === 'payment-a'),
    refusal: 'It does not end with this period; cancel it first.',
    apply: (subscription, customer) => {
      const at = advance(subscription, isPastDue(subscription) ? 0 : subscription.periodEnd)
      return end(customer, subscription, customer.processor === 'payment-a' ? 'expired' : 'canceled', at)
    },
    // payment-a cancels only now what was to end with its period; what was cancelled before or never just expires.
    a: ({ status }) => [
      ...(status === 'active' ? [['subscription.canceled', { status: 'canceled' }] as Step] : []),
      'subscription.expired',
    ],
    b: ['customer.subscription.deleted'],
  },
}

const refundable = {
  isAllowed: ({ status, cents, refundedCents, disputed }: Payment) =>
    status === 'paid' && cents > refundedCents && !disputed,
  refusal: 'Nothing is left to refund.',
  a: ['refund.created'],
  b: ['charge.refunded'],
}
const settlement = {
  isAllowed: ({ status }: Payment) => status === 'pending',
  refusal: 'This payment is not on its way.',
  a: [],
}

export const paymentOperations: Operations<Payment> = {
  refund: {
    label: 'Refund all',
    ...refundable,
    apply: (payment, customer) => refund(customer, payment, payment.cents),
  },
  'refund-half': {
    label: 'Refund half',
    ...refundable,
    apply: (payment, customer) => refund(customer, payment, Math.ceil(payment.cents / 2)),
  },
  dispute: {
    label: 'Dispute',
    isAllowed: ({ status, cents, disputed }) => status === 'paid' && cents > 0 && !disputed,
    refusal: 'There is nothing to dispute.',
    apply: (payment, customer) => change(customer, payment, { disputed: true }),
    a: ['dispute.created'],
    b: ['charge.dispute.created'],
  },
  arrives: {
    label: 'Money arrives',
    ...settlement,
    apply: (payment, customer) => change(customer, payment, { status: 'paid' }),
    b: ['checkout.session.async_payment_succeeded'],
  },
  fails: {
    label: 'Money does not come',
    ...settlement,
    apply: (payment, customer) => change(customer, payment, { status: 'failed' }),
    b: ['checkout.session.async_payment_failed'],
  },
}
