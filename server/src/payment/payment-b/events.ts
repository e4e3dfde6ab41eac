/**
 * payment-b: translates its events, which are Stripe's. The official package verifies them over the raw body. They are read
 * leniently here, because two API versions (before and since 2025-03-31) have the same facts in different fields.
 */
import { at, entryOf, numberAt, textAt } from '../../text/json-reader.ts'
import { type Effect, type Lacking, type PaymentEvent, type SubscriptionStatus, sortKeyOf } from '../effect.ts'
import { idAt } from '../event-reader.ts'
import {
  bindCustomer,
  commonStatuses,
  effectsOf,
  failed,
  ignored,
  type Line,
  linkLasting,
  linkPayment,
  type Outcome,
  paymentOf,
  unknownProduct,
} from '../outcome.ts'
import type { Plans, Product } from '../plans.ts'
import { currencyAt, isProration, itemsAt, lineOf, priceIdOf, productOf, secondsAt } from './lines.ts'
import { dispute, refund, refunded } from './returns.ts'

/** `atMs` sorts events; `at` is the time of purchase, or now when the event has none. */
type Time = { atMs: number; at: Date; externalId: string; type: string }
type Translate = (object: unknown, plans: Plans, time: Time, previous?: unknown) => Outcome

/** Null when the body is not an event (id, type or object missing). `now` replaces a missing time. */
export function translateB(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  const externalId = idAt(body, 'id')
  const type = textAt(body, 'type')
  const object = at(body, 'data', 'object')
  if (!externalId || !type || object === null || typeof object !== 'object') return null
  const translate = entryOf(translations, type)
  const createdAt = secondsAt(body, 'created')
  const time = { atMs: createdAt?.getTime() ?? 0, at: createdAt ?? now, externalId, type }
  const outcome = translate
    ? translate(object, plans, time, at(body, 'data', 'previous_attributes'))
    : ignored(`Nothing follows from "${type}".`)
  const isLive = at(body, 'livemode')
  const mode = typeof isLive === 'boolean' ? (isLive ? 'live' : 'test') : null
  return { externalId, type, userIdInMetadata: userIdIn(object), refs: refsOf(object), ...outcome, mode }
}

/** The rank of the final event of a subscription. */
const DELETED = 9

const translations: Record<string, Translate> = {
  'checkout.session.completed': checkout,
  'checkout.session.async_payment_succeeded': checkout,
  'customer.subscription.created': (object, plans, time) => subscription(object, plans, time, 1),
  'customer.subscription.updated': (object, plans, time, previous) => {
    const outcome = subscription(object, plans, time, 5)
    const tie = { tie: 'unknown' as const, ...previousOf(previous, plans) }
    return {
      ...outcome,
      effects: outcome.effects.map((each) => (each.do === 'subscription' ? { ...each, ...tie } : each)),
    }
  },
  'customer.subscription.deleted': (object, plans, time) => subscription(object, plans, time, DELETED, 'cancelled'),
  'invoice.payment_succeeded': invoicePaid,
  'invoice.paid': invoicePaid,
  'invoice.payment_failed': invoiceFailed,
  'invoice_payment.paid': invoicePayment,
  'charge.refunded': (object, _, { atMs }) => refunded(object, atMs),
  'charge.refund.updated': (object, _, { atMs }) => refund(object, atMs),
  'refund.updated': (object, _, { atMs }) => refund(object, atMs),
  'refund.failed': (object, _, { atMs }) => refund(object, atMs),
  ...Object.fromEntries(
    ['created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed'].map((step): [string, Translate] => [
      `charge.dispute.${step}`,
      (object, _, { atMs }) => dispute(object, atMs, step),
    ]),
  ),
}

const statuses: Record<string, SubscriptionStatus> = { ...commonStatuses, incomplete_expired: 'expired' }

function checkout(object: unknown, plans: Plans, time: Time): Outcome {
  const ids = refsOf(object)
  const bound = boundCustomer(object)
  if (textAt(object, 'mode') !== 'payment') return effectsOf(linkLasting(ids, lasting), ...bound)
  const status = textAt(object, 'payment_status')
  // No payment is required with a discount of 100 %, and none follows.
  const isFree = status === 'no_payment_required'
  if (status !== 'paid' && !isFree) {
    return ignored('The session is not paid yet.')
  }
  const sold = plans.byId(textAt(object, 'metadata', 'productId') ?? '')
  const currency = currencyAt(object) ?? sold?.price.currency ?? 'USD'
  // Whatever its lines are, a session of a checkout of ours is worth its product when that is what it costs.
  const isOne = numberAt(object, 'amount_subtotal') === sold?.price.cents && currency === sold?.price.currency
  const items = itemsAt(object, 'line_items') ?? (isOne ? [{ quantity: 1 }] : null)
  if (items === null) return lacking(`/v1/checkout/sessions/${pathOf(object)}/line_items?limit=100`, 'line_items')
  const lines = linesIn(items, currency, plans, sold)
  if (typeof lines === 'string') return unknownProduct('payment-b', lines)
  const plan = lines.find(({ product }) => product.kind !== 'pack')
  if (plan) return unknownProduct('payment-b', plan.product.id)
  const total = isFree ? 0 : (numberAt(object, 'amount_total') ?? lines.reduce((sum, { value }) => sum + value, 0))
  // An invoice of the session is the same payment.
  const orderNo = idAt(object, 'invoice') ?? idAt(object, 'payment_intent') ?? idAt(object) ?? time.externalId
  const sortKey = sortKeyOf(time.atMs, 0, time.externalId)
  const chain = idAt(object, 'invoice') && idAt(object, 'customer')
  return effectsOf(
    ...linkPayment(ids, lasting, `payment-b:${orderNo}`),
    ...bound,
    ...paymentOf('payment-b', { orderNo, chain, currency, lines, total, paid: total, at: time.at, sortKey }),
  )
}

/** The lines; or, when the product or the price of one of them is not known, its price's id: all or nothing, because credits for a part of them would hide it. */
function linesIn(items: unknown[], currency: string, plans: Plans, sold: Product | null = null): Line[] | string {
  const lines = items.map((item) => lineOf(item, currency, plans, sold))
  const unknown = items.filter((_, index) => lines[index] === null)
  if (lines.length === 0) return 'no lines'
  if (unknown.length > 0) return unknown.map((item) => priceIdOf(item) ?? 'a line without a price').join(', ')
  return lines.filter((line) => line !== null)
}

/** Our checkout names the user in the session's metadata. A payment link's URL can set `client_reference_id`, but no metadata. */
const boundCustomer = (session: unknown): Effect[] =>
  textAt(session, 'metadata', 'userId') === null ? [] : bindCustomer(idAt(session, 'customer'))

function subscription(
  object: unknown,
  plans: Plans,
  { atMs, externalId: eventId }: Time,
  rank: number,
  status: SubscriptionStatus = entryOf(statuses, textAt(object, 'status')) ?? 'incomplete',
): Outcome {
  const externalId = idAt(object)
  if (!externalId) return failed('The subscription has no id.')
  // The item that the catalogue knows: the others are add-ons.
  const items = itemsAt(object, 'items') ?? []
  const item = items.find((each) => productOf(each, plans)?.kind === 'subscription') ?? items[0]
  const product = productOf(item, plans)
  const periodEnd = secondsAt(item, 'current_period_end') ?? secondsAt(object, 'current_period_end')
  const cancelAt = secondsAt(object, 'cancel_at')
  const isEnd = rank === DELETED
  const record: Effect = {
    do: 'subscription',
    externalId,
    customer: idAt(object, 'customer'),
    sortKey: sortKeyOf(atMs, rank, eventId, isEnd),
    status,
    ...(product || isEnd ? {} : { onlyKnown: true }),
    plan: product?.id ?? null,
    periodStart: secondsAt(item, 'current_period_start') ?? secondsAt(object, 'current_period_start'),
    periodEnd,
    // Newer API versions set `cancel_at` and leave the flag false. A later date than the period's end: it renews until then.
    cancelAtPeriodEnd:
      at(object, 'cancel_at_period_end') === true || (cancelAt !== null && !(periodEnd && cancelAt > periodEnd)),
    cancelledAt: secondsAt(object, 'canceled_at'),
  }
  if (!product && !isEnd) return unknownProduct('payment-b', priceIdOf(item), [record])
  return effectsOf(record, linkLasting(refsOf(object), lasting))
}

/** What an event says that the record was before it; nothing when that is of no field of the record. */
function previousOf(attributes: unknown, plans: Plans) {
  const status = entryOf(statuses, textAt(attributes, 'status'))
  const plan = productOf(itemsAt(attributes, 'items')?.[0], plans)?.id
  const isEnding = at(attributes, 'cancel_at_period_end')
  const previous = {
    ...(status ? { status } : {}),
    ...(plan ? { plan } : {}),
    ...(typeof isEnding === 'boolean' ? { cancelAtPeriodEnd: isEnding } : {}),
  }
  return Object.keys(previous).length > 0 ? { previous } : {}
}

function invoicePaid(object: unknown, plans: Plans, time: Time): Outcome {
  const orderNo = idAt(object)
  const status = textAt(object, 'status')
  if (!orderNo || (status !== null && status !== 'paid') || (numberAt(object, 'amount_remaining') ?? 0) > 0) {
    return ignored('The invoice is not paid in full yet.')
  }
  const listed = itemsAt(object, 'lines')
  if (listed === null) return lacking(`/v1/invoices/${pathOf(object)}/lines?limit=100`, 'lines')
  // Where a discount takes all, the rest of the old plan is worth nothing, so each change back and forth would bring the rest of the new one.
  const isFree = numberAt(object, 'total') === 0 && discountIn(object) > 0
  const items = isFree ? listed.filter((line) => !isProration(line)) : listed
  const currency = currencyAt(object) ?? productOf(listed[0], plans)?.price.currency ?? 'USD'
  const sold = linesIn(listed, currency, plans)
  if (typeof sold === 'string') return unknownProduct('payment-b', sold)
  const lines = beforeDiscount(
    sold.filter((_, index) => !isFree || items.includes(listed[index])),
    discountIn(object),
  )
  const total = numberAt(object, 'total') ?? lines.reduce((sum, { value }) => sum + value, 0)
  const paid = Math.max(0, numberAt(object, 'amount_paid') ?? 0)
  const covered = coveredIn(object, total)
  const isNothing = lines.every(({ value }) => value === 0) || total > 0
  if (paid + covered <= 0 && isNothing) return ignored('Nothing was paid.')
  const source = `payment-b:${orderNo}`
  const chain = idAt(object, 'customer')
  const made = secondsAt(object, 'status_transitions', 'paid_at') ?? time.at
  const sortKey = sortKeyOf(time.atMs, 0, time.externalId)
  return effectsOf(
    ...linkPayment(refsOf(object), lasting, source),
    ...paymentOf('payment-b', { orderNo, chain, currency, lines, total, paid, covered, at: made, sortKey }),
  )
}

const discountIn = (invoice: unknown): number => {
  const discounts = at(invoice, 'total_discount_amounts')
  return Array.isArray(discounts) ? discounts.reduce((sum, each) => sum + (numberAt(each, 'amount') ?? 0), 0) : 0
}

/** A negative line is what was paid for the rest, after the discount that the positive lines have before it: brought to the price too. */
function beforeDiscount(lines: Line[], discount: number): Line[] {
  const gross = lines.reduce((sum, { value }) => sum + Math.max(0, value), 0)
  const paidPart = 1 - discount / gross
  if (discount <= 0 || !(paidPart > 0)) return lines
  return lines.map((line) => (line.value < 0 ? { ...line, value: line.value / paidPart } : line))
}

/** What a balance or a credit note took off an invoice; negative for what was carried over from an earlier one. */
function coveredIn(invoice: unknown, total: number): number {
  const due = numberAt(invoice, 'amount_due')
  const balance = (numberAt(invoice, 'ending_balance') ?? 0) - (numberAt(invoice, 'starting_balance') ?? 0)
  const credited = balance + (numberAt(invoice, 'pre_payment_credit_notes_amount') ?? 0)
  return due === null ? credited : Math.max(total - due, credited)
}

const lacking = (path: string, into: Lacking['into']): Outcome => ({ ...effectsOf(), lacks: { path, into } })
const pathOf = (object: unknown): string => encodeURIComponent(idAt(object) ?? '')

/** A renewal that failed. Of any other invoice, the subscription's own events have the status. */
function invoiceFailed(object: unknown, _plans: Plans, { atMs, externalId }: Time): Outcome {
  const subscriptionId = subscriptionOf(object)
  if (!subscriptionId || textAt(object, 'billing_reason') !== 'subscription_cycle') {
    return ignored('The invoice is of no renewal.')
  }
  return effectsOf({
    do: 'subscription',
    externalId: subscriptionId,
    customer: idAt(object, 'customer'),
    sortKey: sortKeyOf(atMs, 6, externalId),
    status: 'past_due',
  })
}

/** Links an invoice to its payment, because a refund names the payment only. */
function invoicePayment(object: unknown): Outcome {
  const invoiceId = idAt(object, 'invoice')
  const paymentId = paymentIn(object)
  if (!invoiceId || !paymentId) return ignored('It names no payment.')
  return effectsOf({ do: 'link', ids: [paymentId], source: `payment-b:${invoiceId}` })
}

const subscriptionOf = (object: unknown): string | null =>
  idAt(object, 'parent', 'subscription_details', 'subscription') ?? idAt(object, 'subscription')

/** The metadata first: only our API key can set it, and a payment link's URL can set `client_reference_id`. */
const userIdIn = (object: unknown): string | null =>
  textAt(object, 'metadata', 'userId') ??
  textAt(object, 'client_reference_id') ??
  textAt(object, 'parent', 'subscription_details', 'metadata', 'userId') ??
  textAt(object, 'subscription_details', 'metadata', 'userId')

/** Several payments may pay one invoice. */
function paymentsOf(invoice: unknown): (string | null)[] {
  const payments = at(invoice, 'payments', 'data')
  return Array.isArray(payments) ? payments.map(paymentIn) : []
}

/** The id that a refund or dispute names of an invoice's payment. */
const paymentIn = (object: unknown): string | null =>
  idAt(object, 'payment', 'payment_intent') ?? idAt(object, 'payment', 'charge')

const refsOf = (object: unknown): string[] => [
  ...new Set(
    [
      idAt(object),
      idAt(object, 'payment_intent'),
      ...paymentsOf(object),
      idAt(object, 'payment', 'payment_intent'),
      idAt(object, 'invoice'),
      idAt(object, 'charge'),
      subscriptionOf(object),
      idAt(object, 'customer'),
    ].filter((id) => id !== null),
  ),
]

/** Ids of customers and subscriptions, which outlive a payment. */
const lasting = /^(cus|sub)_/
