/**
 * payment-b: translates its events, which are Stripe's. The official package verifies them over the raw body. They are read
 * leniently here, because two API versions (before and since 2025-03-31) have the same facts in different fields.
 */
import { at, entryOf, numberAt, textAt } from '../../text/json-reader.ts'
import { type Effect, type PaymentEvent, type SubscriptionStatus, sortKeyOf } from '../effect.ts'
import { idAt } from '../event-reader.ts'
import {
  bindCustomer,
  commonStatuses,
  effectsOf,
  failed,
  ignored,
  linkLasting,
  linkPayment,
  type Outcome,
  packBought,
  remarkOf,
  unknownProduct,
} from '../outcome.ts'
import { goodUntil, type Plans } from '../plans.ts'
import { isDiscountedToZero, lineCredits, packsIn, priceIdOf, productOf, secondsAt } from './lines.ts'
import { dispute, refund, returned } from './returns.ts'

/** `atMs` sorts events; `at` is the time of purchase, or now when the event has none. */
type Time = { atMs: number; at: Date; externalId: string }
type Translate = (object: unknown, plans: Plans, time: Time) => Outcome

/** Null when the body is not an event (id, type or object missing). `now` replaces a missing time. */
export function translateB(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  const externalId = idAt(body, 'id')
  const type = textAt(body, 'type')
  const object = at(body, 'data', 'object')
  if (!externalId || !type || object === null || typeof object !== 'object') return null
  const translate = entryOf(translations, type)
  const createdAt = secondsAt(body, 'created')
  const time = { atMs: createdAt?.getTime() ?? 0, at: createdAt ?? now, externalId }
  const outcome = translate ? translate(object, plans, time) : ignored(`Nothing follows from "${type}".`)
  const isLive = at(body, 'livemode')
  const mode = typeof isLive === 'boolean' ? (isLive ? 'live' : 'test') : null
  return { externalId, type, userIdInMetadata: userIdIn(object), refs: refsOf(object), ...outcome, mode }
}

/** An invoice or a checkout session whose lines have to be read from the processor's API. */
export type Unlisted = { kind: 'invoice' | 'session'; id: string }

/** What an event lacks lines of: an invoice with `has_more`, or a session without line items. Null for every other event. */
export function unlistedIn(body: unknown): Unlisted | null {
  const translate = entryOf(translations, textAt(body, 'type'))
  const object = at(body, 'data', 'object')
  const id = idAt(object)
  if (id && translate === invoicePaid && at(object, 'lines', 'has_more') === true) return { kind: 'invoice', id }
  if (id && translate === checkout && at(object, 'line_items') === undefined) return { kind: 'session', id }
  return null
}

/** The event with these lines of its invoice or session. */
export function withLines(body: unknown, { kind }: Unlisted, lines: unknown[]): unknown {
  const event = structuredClone(body) as { data: { object: Record<string, unknown> } }
  event.data.object[kind === 'invoice' ? 'lines' : 'line_items'] = { data: lines, has_more: false }
  return event
}

/** The rank of the final event of a subscription. */
const DELETED = 9

const translations: Record<string, Translate> = {
  'checkout.session.completed': checkout,
  'checkout.session.async_payment_succeeded': checkout,
  'customer.subscription.created': (object, plans, time) => subscription(object, plans, time, 1),
  'customer.subscription.updated': (object, plans, time) => subscription(object, plans, time, 5),
  'customer.subscription.deleted': (object, plans, time) => subscription(object, plans, time, DELETED, 'cancelled'),
  'invoice.payment_succeeded': invoicePaid,
  'invoice.paid': invoicePaid,
  'invoice.payment_failed': invoiceFailed,
  'invoice_payment.paid': invoicePayment,
  'charge.refunded': refund,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
  'charge.dispute.funds_withdrawn': (object) => returned(object, 'taken'),
  'charge.dispute.funds_reinstated': (object) => returned(object, 'given_back'),
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
  const productId = textAt(object, 'metadata', 'productId')
  const product = productId ? plans.byId(productId) : null
  if (product?.kind !== 'pack') return unknownProduct('payment-b', productId)
  const orderNo = idAt(object, 'payment_intent') ?? idAt(object) ?? time.externalId
  const paid = isFree ? 0 : numberAt(object, 'amount_total')
  const quantity = packsIn(object, product)
  if (quantity === null) {
    return linesMissing(
      'The event does not show how many were bought, and the lines of its checkout could not be read from the processor yet.',
    )
  }
  return packBought('payment-b', product, { orderNo, boughtAt: time.at, ids, lasting, paid, quantity, bound })
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
  const item = at(object, 'items', 'data', 0)
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

function invoicePaid(object: unknown, plans: Plans, { at: boughtAt }: Time): Outcome {
  const orderNo = idAt(object)
  const paid = numberAt(object, 'amount_paid') ?? 0
  const isFree = paid <= 0 && isDiscountedToZero(object)
  if (!orderNo || (paid <= 0 && !isFree)) {
    return ignored('No money was paid.')
  }
  if (at(object, 'lines', 'has_more') === true) {
    return linesMissing('The event lacks some lines of the invoice, and they could not be read from the processor yet.')
  }
  const data = at(object, 'lines', 'data')
  const lines: unknown[] = Array.isArray(data) ? data : []
  const bought = lines.flatMap((line) => lineCredits(line, plans) ?? [])
  // All or nothing: credits for a part of the lines would hide that the catalogue lacks a product.
  if (bought.length === 0 || bought.length < lines.length) {
    const unknown = lines.filter((line) => lineCredits(line, plans) === null)
    return unknownProduct(
      'payment-b',
      unknown.map((line) => priceIdOf(line) ?? 'a line without a price').join(', ') || null,
    )
  }
  // The rest of the old plan is worth nothing without money, so each change back and forth would grant the rest of the new one.
  const granted = isFree ? bought.filter(({ isProration }) => !isProration) : bought
  // The end tells them apart: the prorated rest of the old period may stand before or after the line of the new one.
  const newestLine = granted
    .filter((line) => line.credits > 0)
    .toSorted((a, b) => (a.end?.getTime() ?? 0) - (b.end?.getTime() ?? 0))
    .at(-1)
  // The share paid from a credit balance grants nothing: an earlier plan change already granted it as credits.
  const total = numberAt(object, 'total') ?? 0
  const share = total > 0 ? Math.min(1, paid / total) : 1
  const credits = Math.round(share * granted.reduce((sum, line) => sum + line.credits, 0))
  const source = `payment-b:${orderNo}`
  const ids = refsOf(object)
  const effects: Effect[] = linkPayment(ids, lasting, source)
  if (newestLine && credits > 0) {
    const validFrom = newestLine.start ?? boughtAt
    effects.push({
      do: 'grant',
      source,
      transType: 'SUBSCRIPTION',
      credits,
      validFrom,
      expiresAt: newestLine.end ?? goodUntil(newestLine.product, validFrom),
      orderNo,
      remark: remarkOf(newestLine.product, isFree ? 0 : paid),
      paid: Math.round(Math.max(0, paid)),
    })
  }
  return effectsOf(...effects)
}

/** The worker tries the event again. */
const linesMissing = (reason: string): Outcome => ({
  effects: [],
  notApplied: { state: 'failed', reason, problem: 'lines_missing', retry: true },
})

function invoiceFailed(object: unknown, _plans: Plans, { atMs, externalId }: Time): Outcome {
  const subscriptionId = subscriptionOf(object)
  if (!subscriptionId) return ignored('The invoice is of no subscription.')
  return {
    effects: [
      {
        do: 'subscription',
        externalId: subscriptionId,
        customer: idAt(object, 'customer'),
        sortKey: sortKeyOf(atMs, 6, externalId),
        status: 'past_due',
      },
    ],
    notApplied: null,
  }
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
