/**
 * payment-b: translates its events, which are Stripe's. Verified by the official package over the raw body; read here
 * leniently, because two generations of the API (before and since 2025-03-31) put the same facts in different places.
 */
import { at, numberAt, textAt } from '../provider/read.ts'
import { type Effect, eventOrder, type PaymentEvent, type SubscriptionStatus } from './effect.ts'
import { goodUntil, type Plans, type Product } from './plans.ts'
import { dateAt, entryOf, idAt } from './read.ts'

type Outcome = Pick<PaymentEvent, 'effects' | 'without'>
/** `atMs` orders events; `at` is when something was bought, now where the event does not tell. */
type Time = { atMs: number; at: Date; externalId: string }
type Translate = (object: unknown, plans: Plans, time: Time) => Outcome

/** Null when it is no event at all: no id, no type, no object. `now` stands for a time that the event does not tell. */
export function translateB(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  const externalId = idAt(body, 'id')
  const type = textAt(body, 'type')
  const object = at(body, 'data', 'object')
  if (!externalId || !type || object === null || typeof object !== 'object') return null
  const translate = entryOf(translations, type)
  const createdAt = secondsAt(body, 'created')
  const time = { atMs: createdAt?.getTime() ?? 0, at: createdAt ?? now, externalId }
  const outcome: Outcome = translate
    ? translate(object, plans, time)
    : { effects: [], without: { state: 'ignored', reason: `Nothing follows from "${type}".` } }
  return { externalId, type, named: namedIn(object), refs: refsOf(object), ...outcome }
}

/** The rank of the event after which a subscription never comes back. */
const DELETED = 9

const translations: Record<string, Translate> = {
  'checkout.session.completed': checkout,
  'checkout.session.async_payment_succeeded': checkout,
  'customer.subscription.created': (object, plans, time) => subscription(object, plans, time, 1),
  'customer.subscription.updated': (object, plans, time) => subscription(object, plans, time, 5),
  'customer.subscription.deleted': (object, plans, time) => subscription(object, plans, time, DELETED, 'cancelled'),
  'invoice.payment_succeeded': invoicePaid,
  'invoice.payment_failed': invoiceFailed,
  'invoice_payment.paid': invoicePayment,
  'charge.refunded': (object) => returned(object, refundedPart(object)),
  'charge.dispute.created': (object) => returned(object, 1),
}

const statuses: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'cancelled',
  incomplete: 'incomplete',
  incomplete_expired: 'expired',
}

function checkout(object: unknown, plans: Plans, time: Time): Outcome {
  const ids = refsOf(object)
  if (textAt(object, 'mode') !== 'payment') return { effects: [{ do: 'link', ids: owned(ids) }], without: null }
  if (textAt(object, 'payment_status') !== 'paid') {
    return { effects: [], without: { state: 'ignored', reason: 'The session is not paid yet.' } }
  }
  const productId = textAt(object, 'metadata', 'productId')
  const product = productId ? plans.byId(productId) : null
  if (product?.kind !== 'pack') return unknownProduct(productId)
  const orderNo = idAt(object, 'payment_intent') ?? idAt(object) ?? time.externalId
  const source = `payment-b:${orderNo}`
  return {
    effects: [
      { do: 'link', ids: owned(ids) },
      { do: 'link', ids: paid(ids), source },
      {
        do: 'grant',
        source,
        transType: 'ORDER_PAY',
        credits: product.credits,
        expiresAt: goodUntil(product, time.at),
        orderNo,
        remark: product.name,
      },
    ],
    without: null,
  }
}

function subscription(
  object: unknown,
  plans: Plans,
  { atMs, externalId: eventId }: Time,
  rank: number,
  status: SubscriptionStatus = entryOf(statuses, textAt(object, 'status')) ?? 'incomplete',
): Outcome {
  const externalId = idAt(object)
  if (!externalId) return { effects: [], without: { state: 'failed', reason: 'The subscription has no id.' } }
  const item = at(object, 'items', 'data', 0)
  const product = productOf(item, plans)
  if (!product) return unknownProduct(priceIdOf(item))
  return {
    effects: [
      {
        do: 'subscription',
        externalId,
        customer: idAt(object, 'customer'),
        order: eventOrder(atMs, rank, eventId, rank === DELETED),
        status,
        plan: product.id,
        periodStart: secondsAt(item, 'current_period_start') ?? secondsAt(object, 'current_period_start'),
        periodEnd: secondsAt(item, 'current_period_end') ?? secondsAt(object, 'current_period_end'),
        // Newer accounts name the moment and leave the flag alone.
        cancelAtPeriodEnd: at(object, 'cancel_at_period_end') === true || numberAt(object, 'cancel_at') !== null,
        cancelledAt: secondsAt(object, 'canceled_at'),
      },
      { do: 'link', ids: owned(refsOf(object)) },
    ],
    without: null,
  }
}

function invoicePaid(object: unknown, plans: Plans, { at: boughtAt }: Time): Outcome {
  const orderNo = idAt(object)
  if (!orderNo || (numberAt(object, 'amount_paid') ?? 0) <= 0) {
    return { effects: [], without: { state: 'ignored', reason: 'No money was paid.' } }
  }
  const data = at(object, 'lines', 'data')
  const lines: unknown[] = Array.isArray(data) ? data : []
  const bought = lines.flatMap((line) => lineCredits(line, plans) ?? [])
  if (bought.length === 0) return unknownProduct(lines.map(priceIdOf).join(', ') || null)
  const newest = bought.filter((line) => line.credits > 0).at(-1)
  // What is paid from a balance that an earlier change of plan has left was credits once already.
  const total = numberAt(object, 'total') ?? 0
  const share = total > 0 ? Math.min(1, (numberAt(object, 'amount_paid') ?? 0) / total) : 1
  const credits = Math.round(share * bought.reduce((sum, line) => sum + line.credits, 0))
  const source = `payment-b:${orderNo}`
  const ids = refsOf(object)
  const effects: Effect[] = [
    { do: 'link', ids: owned(ids) },
    { do: 'link', ids: paid(ids), source },
  ]
  if (newest && credits > 0) {
    effects.push({
      do: 'grant',
      source,
      transType: 'SUBSCRIPTION',
      credits,
      expiresAt: newest.end ?? goodUntil(newest.product, newest.start ?? boughtAt),
      orderNo,
      remark: newest.product.name,
    })
  }
  return { effects, without: null }
}

/**
 * What one line of an invoice buys, and until when. A plan changed in mid-period bills the time left: the old plan
 * negative, the new one positive. Both count in proportion to that time, so that changing to and fro buys nothing beyond what was paid for.
 */
function lineCredits(line: unknown, plans: Plans) {
  const product = productOf(line, plans)
  const start = secondsAt(line, 'period', 'start')
  const end = secondsAt(line, 'period', 'end')
  if (product?.kind !== 'subscription') return null
  const isPart =
    at(line, 'proration') === true ||
    at(line, 'parent', 'subscription_item_details', 'proration') === true ||
    at(line, 'parent', 'invoice_item_details', 'proration') === true
  const sign = Math.sign(numberAt(line, 'amount') ?? 1)
  // A line that costs nothing, such as days on trial beside something that is paid for, buys nothing.
  if (!isPart || !start || !end)
    return { product, start, end: start && goodUntil(product, start, end), credits: sign > 0 ? product.credits : 0 }
  const wholeMs = goodUntil(product, start).getTime() - start.getTime()
  const share = Math.min(1, Math.max(0, (end.getTime() - start.getTime()) / wholeMs))
  return { product, start, end, credits: product.credits * share * sign }
}

function invoiceFailed(object: unknown, _plans: Plans, { atMs, externalId }: Time): Outcome {
  const subscriptionId = subscriptionOf(object)
  if (!subscriptionId)
    return { effects: [], without: { state: 'ignored', reason: 'The invoice is of no subscription.' } }
  return {
    effects: [
      {
        do: 'subscription',
        externalId: subscriptionId,
        customer: idAt(object, 'customer'),
        order: eventOrder(atMs, 6, externalId),
        status: 'past_due',
      },
    ],
    without: null,
  }
}

/** Tells which payment paid an invoice; a refund names only the payment. */
function invoicePayment(object: unknown): Outcome {
  const invoiceId = idAt(object, 'invoice')
  const paymentId = idAt(object, 'payment', 'payment_intent') ?? idAt(object, 'payment', 'charge')
  if (!invoiceId || !paymentId) return { effects: [], without: { state: 'ignored', reason: 'It names no payment.' } }
  return { effects: [{ do: 'link', ids: [paymentId], source: `payment-b:${invoiceId}` }], without: null }
}

function returned(object: unknown, part: number): Outcome {
  const key = idAt(object)
  if (part <= 0) return { effects: [], without: { state: 'ignored', reason: 'Nothing was refunded.' } }
  if (!key) return { effects: [], without: { state: 'failed', reason: 'It has no id.' } }
  // The payment first: it is what one-time grants are named for. An invoice leads to a subscription's grant.
  const ids = [idAt(object, 'payment_intent'), idAt(object, 'invoice'), idAt(object, 'charge'), key]
  return { effects: [{ do: 'claw_back', ids: ids.filter((id) => id !== null), key, part }], without: null }
}

/** `amount_refunded` is all that has been refunded so far, so the charge itself is the key and its part only grows. */
function refundedPart(charge: unknown): number {
  const amount = numberAt(charge, 'amount') ?? 0
  const refunded = numberAt(charge, 'amount_refunded') ?? amount
  return amount > 0 ? Math.min(1, refunded / amount) : 1
}

const unknownProduct = (productId: string | null): Outcome => ({
  effects: [],
  without: { state: 'failed', reason: `catalogue/plans.json has no such product for payment-b: ${productId}.` },
})

const priceIdOf = (line: unknown): string | null =>
  idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price') ?? idAt(line, 'plan')

function productOf(line: unknown, plans: Plans): Product | null {
  const priceId = priceIdOf(line)
  return priceId ? plans.byProcessorId('payment-b', priceId) : null
}

const subscriptionOf = (object: unknown): string | null =>
  idAt(object, 'parent', 'subscription_details', 'subscription') ?? idAt(object, 'subscription')

const namedIn = (object: unknown): string | null =>
  textAt(object, 'client_reference_id') ??
  textAt(object, 'metadata', 'userId') ??
  textAt(object, 'parent', 'subscription_details', 'metadata', 'userId') ??
  textAt(object, 'subscription_details', 'metadata', 'userId')

const refsOf = (object: unknown): string[] => [
  ...new Set(
    [
      idAt(object),
      idAt(object, 'payment_intent'),
      idAt(object, 'payments', 'data', 0, 'payment', 'payment_intent'),
      idAt(object, 'payment', 'payment_intent'),
      idAt(object, 'invoice'),
      idAt(object, 'charge'),
      subscriptionOf(object),
      idAt(object, 'customer'),
    ].filter((id) => id !== null),
  ),
]

/** Customers and subscriptions live on; the rest is one payment. */
const lasting = /^(cus|sub)_/
const owned = (ids: string[]): string[] => ids.filter((id) => lasting.test(id))
const paid = (ids: string[]): string[] => ids.filter((id) => !lasting.test(id))

function secondsAt(object: unknown, ...path: string[]): Date | null {
  const seconds = numberAt(object, ...path)
  return seconds === null ? null : dateAt([seconds * 1000], 0)
}
