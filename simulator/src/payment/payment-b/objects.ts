/** The objects of payment-b's API and events. */
import type { OperationContext } from '../processor.ts'
import { idAt, productById } from '../products.ts'
import type { Checkout, Customer, Line, Note, Paid, Payment, Refund, Subscribed, Subscription } from '../store.ts'
import { newId } from '../store.ts'

export const SELLER = { name: 'payment-b', productPrefix: 'price' }
export const API_VERSION = '2025-08-27.basil'

/** @returns the object of an event of this type; none when payment-b has no such event, or its record does not exist */
export function objectB(type: string, context: OperationContext): object | undefined {
  const { customer, checkout, subscription, payment } = context
  if (type.startsWith('customer.subscription.')) return subscription && subscriptionB({ customer, subscription })
  if (type === 'payment_intent.payment_failed') return checkout && declinedIntent(checkout)
  if (checkout?.isSetup && type.startsWith('checkout.session.')) return sessionB(checkout)
  if (!payment) return
  if (type.startsWith('checkout.session.')) return checkout && sessionB(checkout, { customer, payment })
  if (type === 'charge.refunded') return chargeB({ customer, payment })
  if (type === 'refund.failed')
    return refundB(
      { customer, payment },
      payment.refunds.findLast(({ status }) => status === 'failed'),
    )
  if (type === 'credit_note.created') return creditNoteB({ customer, payment }, payment.notes.at(-1))
  if (type === 'credit_note.voided') return creditNoteB({ customer, payment }, latestVoided(payment))
  if (type.startsWith('charge.dispute.')) return disputeB(payment)
  if (type.startsWith('invoice.')) return invoiceB({ customer, payment, subscription })
  return type === 'invoice_payment.paid' ? invoicePaymentB(payment) : undefined
}

const base = (object: string, id: string | null) => ({ id, object, livemode: false })

/** @param paid missing before the payment, when there is no customer, payment or subscription yet */
export function sessionB(checkout: Checkout, paid?: Paid) {
  const { id, quantity, isFree, createdAt, reference, metadata } = checkout
  const about = { client_reference_id: reference, created: seconds(createdAt), metadata }
  if (checkout.isSetup) {
    const status = checkout.customerId === null ? 'open' : 'complete'
    const nothing = { amount_subtotal: null, amount_total: null, payment_status: 'no_payment_required' }
    return {
      ...base('checkout.session', id),
      ...about,
      ...nothing,
      customer: checkout.customerId,
      mode: 'setup',
      status,
    }
  }
  const { cents, months } = productById(checkout.productId)
  return {
    ...base('checkout.session', id),
    ...about,
    amount_subtotal: cents * quantity,
    amount_total: isFree ? 0 : cents * quantity,
    currency: productById(checkout.productId).currency.toLowerCase(),
    customer: paid ? customerId(paid.customer) : checkout.customerId,
    customer_details: paid ? { address: { country: COUNTRY } } : null,
    total_details: { amount_tax: 0 },
    mode: months === 0 ? 'payment' : 'subscription',
    payment_intent: paid && months === 0 ? intentOf(paid.payment) : null,
    payment_status: paid?.payment.status !== 'paid' ? 'unpaid' : isFree ? 'no_payment_required' : 'paid',
    status: paid ? 'complete' : 'open',
    subscription: paid?.payment.subscriptionId ?? null,
  }
}

export function subscriptionB({ customer, subscription }: Subscribed) {
  const { id, status, cancelAtPeriodEnd, cancelledAt, periodStart, periodEnd, quantity, metadata } = subscription
  const item = {
    id: id.replace('sub_', 'si_'),
    object: 'subscription_item',
    price: { id: priceOf(subscription.productId), object: 'price' },
    quantity,
    current_period_start: seconds(periodStart),
    current_period_end: seconds(periodEnd),
  }
  return {
    ...base('subscription', id),
    cancel_at: cancelAtPeriodEnd ? seconds(periodEnd) : null,
    cancel_at_period_end: cancelAtPeriodEnd,
    canceled_at: cancelledAt === null ? null : seconds(cancelledAt),
    customer: customer.id,
    items: { object: 'list', data: [item] },
    metadata,
    status,
  }
}

export const priceOf = (productId: string) => idAt(SELLER, productById(productId))

const billingReasons: Record<Payment['reason'], string> = {
  purchase: 'manual',
  invoice: 'manual',
  'first period': 'subscription_create',
  'next period': 'subscription_cycle',
  'plan change': 'subscription_update',
}

/** None for the payment of a checkout of a pack. */
export function invoiceB({ customer, payment, subscription }: Paid) {
  if (!subscription && payment.reason !== 'invoice') return
  const { id, status, cents, discountCents, paidAt, lines } = payment
  const details = subscription && { metadata: subscription.metadata, subscription: subscription.id }
  const subtotal = lines.reduce((sum, line) => sum + line.cents, 0)
  return {
    ...base('invoice', id),
    amount_due: cents,
    attempt_count: status === 'open' ? 1 : 0,
    next_payment_attempt: status === 'open' ? seconds(payment.createdAt) + 3 * 86_400 : null,
    amount_paid: status === 'paid' ? cents : 0,
    currency: payment.currency.toLowerCase(),
    billing_reason: billingReasons[payment.reason],
    created: seconds(payment.createdAt),
    customer: customer.id,
    customer_address: { country: COUNTRY },
    lines: { object: 'list', data: lines.map((line) => lineB(line, subscription)) },
    metadata: subscription ? {} : payment.metadata,
    number: `K-${String(customer.payments.indexOf(payment) + 1).padStart(4, '0')}`,
    status: status === 'paid' || status === 'draft' || status === 'void' ? status : 'open',
    status_transitions: { paid_at: paidAt === null ? null : seconds(paidAt) },
    subtotal,
    total: subtotal - discountCents,
    total_discount_amounts: discountCents > 0 ? [{ amount: discountCents, discount: `di_${id}` }] : [],
    parent: details ? { type: 'subscription_details', subscription_details: details } : null,
  }
}

export function lineB(line: Line, subscription?: Subscription) {
  const { isProration: proration, cents: amount, quantity } = line
  const details = { proration, subscription: subscription?.id }
  return {
    object: 'line_item',
    amount,
    quantity,
    metadata: subscription?.metadata ?? {},
    period: { start: seconds(line.periodStart), end: seconds(line.periodEnd) },
    parent: subscription
      ? { type: 'subscription_item_details', subscription_item_details: details }
      : { type: 'invoice_item_details', invoice_item_details: { proration } },
    pricing: { type: 'price_details', price_details: { price: priceOf(line.productId) } },
  }
}

/** An invoice does not name its payment; one that the balance covers has none. */
export function invoicePaymentB(payment: Payment) {
  const payment_intent = intentOf(payment)
  if ((payment.subscriptionId === null && payment.reason !== 'invoice') || payment_intent === null) return
  const { cents: amount_paid, id: invoice } = payment
  const id = newId('inpay_')
  return { id, object: 'invoice_payment', amount_paid, invoice, payment: { type: 'payment_intent', payment_intent } }
}

export function chargeB({ customer, payment }: Paid) {
  const { cents, refundedCents, subscriptionId, metadata } = payment
  return {
    ...base('charge', chargeOf(payment)),
    amount: cents,
    currency: payment.currency.toLowerCase(),
    amount_refunded: refundedCents,
    customer: customerId(customer),
    // Metadata of a subscription is not copied to its charges.
    metadata: subscriptionId === null ? metadata : {},
    payment_intent: intentOf(payment),
    refunded: refundedCents >= cents,
  }
}

export function refundB(paid: Paid, refund: Refund | undefined) {
  if (!refund) return
  const { id, cents: amount, at, status, failedAt } = refund
  const { id: charge, payment_intent, currency } = chargeB(paid)
  const failure_balance_transaction = failedAt === null ? null : id.replace('re_', 'txn_')
  const about = { failure_balance_transaction, created: seconds(at), status }
  return { id, object: 'refund', amount, charge, payment_intent, currency, ...about }
}

export function creditNoteB({ customer, payment }: Paid, note: Note | undefined) {
  if (!note) return
  const { id, cents, refund, at, voidedAt } = note
  const amount = cents + (refund?.cents ?? 0)
  return {
    ...base('credit_note', id),
    amount,
    created: seconds(at),
    currency: payment.currency.toLowerCase(),
    customer: customer.id,
    customer_balance_transaction: cents > 0 ? id.replace('cn_', 'cbtxn_') : null,
    invoice: payment.id,
    out_of_band_amount: null,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    refunds: refund ? [{ amount_refunded: refund.cents, refund: refund.id, type: 'refund' }] : [],
    status: voidedAt === null ? 'issued' : 'void',
    total: amount,
    type: 'post_payment',
    voided_at: voidedAt === null ? null : seconds(voidedAt),
  }
}

const latestVoided = ({ notes }: Payment): Note | undefined =>
  notes.toSorted((a, b) => (a.voidedAt ?? 0) - (b.voidedAt ?? 0)).at(-1)

/** None for a payment without a dispute. */
export function disputeB(payment: Payment) {
  if (payment.dispute === null) return
  const { id, status, at, movements } = payment.dispute
  return {
    ...base('dispute', id),
    amount: payment.cents,
    currency: payment.currency.toLowerCase(),
    balance_transactions: movements.map(({ cents, at: created }) => ({
      object: 'balance_transaction',
      amount: cents,
      created: seconds(created),
      currency: payment.currency.toLowerCase(),
    })),
    charge: chargeOf(payment),
    created: seconds(at),
    evidence_details: { due_by: seconds(at) + EVIDENCE_DAYS * 86_400, has_evidence: false, submission_count: 0 },
    payment_intent: intentOf(payment),
    reason: 'fraudulent',
    status,
  }
}
/** For which the operator may answer a dispute. */
const EVIDENCE_DAYS = 9

/** What the processor keeps of a payment, and of a dispute. */
const feeOf = (cents: number): number => Math.round(cents * 0.029) + 30
const DISPUTE_FEE = 1500

/** The movements of the account that a payment has made. */
export function balanceTransactionsB(paid: Paid) {
  const { payment } = paid
  const { refunds, dispute, paidAt } = payment
  const intent = intentOf(payment)
  if (intent === null || paidAt === null) return []
  const currency = payment.currency.toLowerCase()
  const moved = (
    id: string,
    category: string,
    amount: number,
    fee: number,
    at: number,
    source: object | undefined,
  ) => ({
    id,
    object: 'balance_transaction',
    ...{ amount, currency, fee, net: amount - fee, created: seconds(at), source, status: 'available' },
    ...{ type: category.startsWith('dispute') ? 'adjustment' : category, reporting_category: category },
  })
  const charge = { ...chargeB(paid), billing_details: { address: { country: COUNTRY } } }
  return [
    moved(intent.replace('pi_', 'txn_'), 'charge', payment.cents, feeOf(payment.cents), paidAt, charge),
    ...refunds.flatMap((each) => {
      const [id, source] = [each.id.replace('re_', 'txn_'), refundB(paid, each)]
      return [
        moved(`${id}r`, 'refund', -each.cents, 0, each.at, source),
        ...(each.failedAt === null ? [] : [moved(id, 'refund_failure', each.cents, 0, each.failedAt, source)]),
      ]
    }),
    ...(dispute?.movements ?? []).map(({ cents, at }, n) => {
      const [id, source] = [`${dispute?.id.replace('du_', 'txn_')}${n}`, disputeB(payment)]
      return moved(
        id,
        cents < 0 ? 'dispute' : 'dispute_reversal',
        cents,
        cents < 0 ? DISPUTE_FEE : -DISPUTE_FEE,
        at,
        source,
      )
    }),
  ]
}

/** All payers live here. */
const COUNTRY = 'DE'
type Moved = ReturnType<typeof balanceTransactionsB>[number]

/** A payout has the movements of a day in a currency. An account is paid out at once. */
export function payoutsB(all: Moved[]) {
  const days = Map.groupBy(all, ({ created, currency }) => `${Math.floor(created / 86_400)}${currency}`)
  return [...days].map(([day, transactions]) => {
    const amount = transactions.reduce((sum, { net }) => sum + net, 0)
    const created = Math.max(...transactions.map((each) => each.created))
    const payout = { id: `po_${day}`, object: 'payout', automatic: true, amount, created, status: 'paid' }
    return { ...payout, currency: transactions[0]?.currency, transactions }
  })
}

/** A payment that the bank declined. */
function declinedIntent({ productId, customerId, innerMetadata }: Checkout) {
  const { cents, months } = productById(productId)
  return {
    id: newId('pi_'),
    object: 'payment_intent',
    amount: cents,
    customer: customerId,
    currency: productById(productId).currency.toLowerCase(),
    last_payment_error: {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
      payment_method: { type: 'card', card: { brand: 'visa', last4: '9995' } },
      type: 'card_error',
    },
    // Metadata of a subscription is not copied to its payments.
    metadata: months === 0 ? innerMetadata : {},
    status: 'requires_payment_method',
  }
}

/** Null as long as no money moved. */
const intentOf = ({ id, cents, status }: Payment): string | null =>
  cents > 0 && (status === 'paid' || status === 'pending') ? id.replace('in_', 'pi_') : null
const chargeOf = (payment: Payment): string | null => intentOf(payment)?.replace('pi_', 'ch_') ?? null

/** The API has no id for a guest. */
const customerId = ({ id, isGuest }: Customer): string | null => (isGuest ? null : id)

export const seconds = (at: number): number => Math.floor(at / 1000)
