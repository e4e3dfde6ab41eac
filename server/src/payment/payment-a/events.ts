/**
 * payment-a: verifies and translates its events. The header `creem-signature` is the lower-case hex HMAC-SHA256 of the raw
 * body. It contains no timestamp, so replays are detected by the stored event ids only.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { at, entryOf, numberAt, textAt } from '../../text/json-reader.ts'
import { type Effect, type Mode, type PaymentEvent, type SubscriptionStatus, sortKeyOf } from '../effect.ts'
import { dateAt, idAt } from '../event-reader.ts'
import {
  bindCustomer,
  commonStatuses,
  effectsOf,
  failed,
  ignored,
  linkLasting,
  type Outcome,
  packBought,
  remarkOf,
  unknownProduct,
} from '../outcome.ts'
import { goodUntil, type Plans } from '../plans.ts'

export function hasValidSignatureA(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // Compared as bytes: strings of equal length may differ in bytes, and timingSafeEqual throws on unequal lengths.
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The types of reconciliation's own events: a subscription with one of its transactions, and a transaction. */
export const SUBSCRIPTION_RECONCILED = 'subscription.reconciled'
export const TRANSACTION_RETURNED = 'transaction.returned'

/** Null when the body is not an event (id, type or object missing). `now` replaces a missing time. */
export function translateA(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  const externalId = idAt(body, 'id')
  const type = textAt(body, 'eventType') ?? textAt(body, 'type')
  const object = at(body, 'object')
  if (!externalId || !type || object === null || typeof object !== 'object') return null
  const event: PaymentEvent = {
    externalId,
    type,
    userIdInMetadata: userIdIn(object),
    refs: refsOf(object),
    effects: [],
    notApplied: null,
    mode: modeIn(body, object),
  }
  const createdAt = dateAt(body, 'created_at')
  const time = { atMs: createdAt?.getTime() ?? 0, externalId }

  if (type === 'checkout.completed') return { ...event, ...checkout(object, plans, createdAt ?? now) }
  if (type === TRANSACTION_RETURNED) return { ...event, ...returnedInAll(object) }
  if (type === 'refund.created' || type === 'dispute.created') return { ...event, ...refund(object, type) }
  const kind = entryOf(subscriptionEvents, type.replace(/^subscription\./, ''))
  if (type.startsWith('subscription.') && kind) return { ...event, ...subscription(object, plans, time, kind) }
  return { ...event, ...ignored(`Nothing follows from "${type}".`) }
}

/**
 * `rank` sorts events of one timestamp. `evidence`: how well the event shows which plan its transaction paid for; without it the
 * event proves no payment. `update` proves none, because `paid` is sent beside it; the specification's `updated` is the only
 * event of a renewal in that set of names.
 */
type SubscriptionEvent = {
  rank: number
  evidence?: 0 | 1 | 2
  isEnd?: true
  status?: SubscriptionStatus
  endsWithPeriod?: true
}
const subscriptionEvents: Record<string, SubscriptionEvent> = {
  created: { rank: 1, evidence: 1 },
  trialing: { rank: 2, status: 'trialing' },
  active: { rank: 3, evidence: 1 },
  paid: { rank: 4, evidence: 0, status: 'active' },
  // Has the product of now beside the transaction; an event of the transaction itself knows better.
  reconciled: { rank: 4, evidence: 1, status: 'active' },
  updated: { rank: 5, evidence: 2 },
  update: { rank: 5 },
  past_due: { rank: 6, status: 'past_due' },
  unpaid: { rank: 7, status: 'past_due' },
  paused: { rank: 7, status: 'past_due' },
  scheduled_cancel: { rank: 8, status: 'active', endsWithPeriod: true },
  cancelled: { rank: 9, status: 'cancelled', isEnd: true },
  canceled: { rank: 9, status: 'cancelled', isEnd: true },
  // Not the end: payment retries follow, and a later paid period reopens the record.
  expired: { rank: 10, status: 'expired' },
}
const statuses: Record<string, SubscriptionStatus> = {
  ...commonStatuses,
  scheduled_cancel: 'active',
  cancelled: 'cancelled',
  expired: 'expired',
}

function checkout(object: unknown, plans: Plans, boughtAt: Date): Outcome {
  const orderId = idAt(object, 'order')
  const productId = idAt(object, 'product')
  const product = productId ? plans.byProcessorId('payment-a', productId) : null
  const ids = refsOf(object)
  const type = textAt(object, 'order', 'type') ?? textAt(object, 'product', 'billing_type')
  if (type === 'recurring' || idAt(object, 'subscription')) {
    return effectsOf({ do: 'link', ids }, ...boundCustomer(object))
  }
  if (textAt(object, 'order', 'status') !== 'paid' || !orderId) {
    return ignored('The order is not paid.')
  }
  // Reconciliation comes here: a transaction names no product, and its checkout is not one of ours.
  if (!productId) return failed(notOurCheckout(orderId))
  if (product?.kind !== 'pack') return unknownProduct('payment-a', productId)
  const paid = paidIn(object, 'order')
  return packBought('payment-a', product, {
    orderNo: orderId,
    boughtAt,
    ids,
    lasting,
    paid,
    bound: boundCustomer(object),
  })
}

const notOurCheckout = (orderId: string): string =>
  `The order ${orderId} was not bought through a checkout of this service, so neither its user nor its product is known: find it in the account of payment-a, and grant the credits.`

/** Our checkout sets the metadata of the checkout itself. */
const boundCustomer = (checkout: unknown): Effect[] =>
  textAt(checkout, 'metadata', 'referenceId') === null ? [] : bindCustomer(idAt(checkout, 'customer'))

/** The amount that was paid, after discounts; null when the event does not name it. */
const paidIn = (object: unknown, ...path: string[]): number | null =>
  numberAt(object, ...path, 'amount_paid') ??
  numberAt(object, ...path, 'amount_due') ??
  numberAt(object, ...path, 'amount')

/** The age up to which a period counts as new. */
const NEW_PERIOD_MS = 86_400_000

function subscription(
  object: unknown,
  plans: Plans,
  { atMs, externalId: eventId }: { atMs: number; externalId: string },
  kind: SubscriptionEvent,
): Outcome {
  const externalId = idAt(object)
  if (!externalId) return failed('The subscription has no id.')
  const productId = idAt(object, 'product')
  const found = productId ? plans.byProcessorId('payment-a', productId) : null
  const product = found?.kind === 'subscription' ? found : null

  const statusText = textAt(object, 'status')
  // An unknown status grants nothing. A missing one counts as active, because the event's type implies it.
  const status = kind.status ?? (statusText === null ? 'active' : (entryOf(statuses, statusText) ?? 'incomplete'))
  const periodStart = dateAt(object, 'current_period_start_date')
  const customer = idAt(object, 'customer')
  const sortKey = sortKeyOf(atMs, kind.rank, eventId, kind.isEnd)
  const statusOnly = {
    do: 'subscription' as const,
    externalId,
    customer,
    sortKey,
    status,
    ...(product || kind.isEnd ? {} : { onlyKnown: true as const }),
  }
  const record: Effect = periodStart
    ? {
        ...statusOnly,
        plan: product?.id ?? null,
        periodStart,
        periodEnd: dateAt(object, 'current_period_end_date'),
        cancelAtPeriodEnd: kind.endsWithPeriod === true || statusText === 'scheduled_cancel',
        cancelledAt: dateAt(object, 'canceled_at'),
      }
    : // An event without a period, as `subscription.active` may be, must not overwrite the stored period.
      statusOnly
  if (!product && !kind.isEnd) return unknownProduct('payment-a', productId, [record])
  const effects: Effect[] = [record, linkLasting(refsOf(object), lasting)]
  if (!product || kind.evidence === undefined || status !== 'active') return effectsOf(...effects)
  const transaction = idAt(object, 'last_transaction_id') ?? idAt(object, 'last_transaction')
  if (!transaction) {
    if (kind.evidence > 0) return effectsOf(...effects)
    return failed('It names no transaction, so it proves no payment; compare it with the account.', 'no_transaction')
  }
  // Reconciliation reads the period from the transaction.
  if (!periodStart) return effectsOf(...effects)
  const isNew = atMs - periodStart.getTime() < NEW_PERIOD_MS
  const paid = paidIn(object, 'last_transaction')
  effects.push({
    do: 'charge',
    transaction,
    source: `payment-a:${transaction}`,
    subscription: externalId,
    period: periodOf(externalId, periodStart),
    periodStart,
    expiresAt: goodUntil(product, periodStart, dateAt(object, 'current_period_end_date')),
    credits: product.credits,
    remark: remarkOf(product, paid),
    chargedAt: dateAt(object, 'last_transaction_date') ?? new Date(Math.max(atMs, periodStart.getTime())),
    // An `updated` in mid-period may name a new plan beside the transaction that paid for the old one.
    evidence: kind.evidence === 2 && !isNew ? 3 : kind.evidence,
    sortKey,
    ...(paid === null ? {} : { paid: Math.round(paid) }),
  })
  return effectsOf(...effects)
}

/** A refund, or a dispute, which payment-a sends when it has withdrawn the funds. */
function refund(object: unknown, type: string): Outcome {
  const subscriptionId = idAt(object, 'transaction', 'subscription') ?? idAt(object, 'subscription')
  const periodStart = dateAt(object, 'transaction', 'period_start')
  const orderId = idAt(object, 'transaction', 'order') ?? idAt(object, 'order')
  const transactionId = idAt(object, 'transaction')
  const amount = numberAt(object, 'refund_amount') ?? numberAt(object, 'amount')
  const paidAmount = paidIn(object, 'transaction') ?? numberAt(object, 'order', 'amount')
  if (amount !== null && amount <= 0) {
    return ignored('Nothing was returned.')
  }
  const source = subscriptionId
    ? periodStart && periodOf(subscriptionId, periodStart)
    : orderId && `payment-a:${orderId}`
  // All payments of a subscription may share an order, so there only the transaction tells them apart.
  const ids = [transactionId, subscriptionId ? null : orderId].filter((id) => id !== null)
  if (!source && ids.length === 0) return failed('It names no payment.')
  // The whole payment counts as returned when one of the amounts is missing.
  const part = Math.min(1, amount !== null && paidAmount !== null && paidAmount > 0 ? amount / paidAmount : 1)
  const total = returnedPart(at(object, 'transaction'))
  return effectsOf({
    do: 'claw_back',
    ...(source ? { source } : {}),
    ids,
    key: idAt(object) ?? `${type}:${ids[0] ?? source}`,
    part,
    ...(total === null ? {} : { total: Math.max(part, total) }),
  })
}

/** What was returned of a transaction in all. payment-a has no list of refunds and disputes. */
function returnedInAll(transaction: unknown): Outcome {
  const id = idAt(transaction)
  const total = returnedPart(transaction)
  if (!id || !total) return ignored('Nothing was returned.')
  const orderId = idAt(transaction, 'subscription') ? null : idAt(transaction, 'order')
  const ids = [id, orderId].filter((each) => each !== null)
  return effectsOf({ do: 'claw_back', ids, key: `returned:${id}`, total })
}

/** The part of a transaction that was refunded or charged back, from 0 to 1; null when it does not show. */
function returnedPart(transaction: unknown): number | null {
  if (/^charged?_?back/i.test(textAt(transaction, 'status') ?? '')) return 1
  const returned = numberAt(transaction, 'refunded_amount')
  const paid = paidIn(transaction)
  return returned !== null && returned >= 0 && paid !== null && paid > 0 ? Math.min(1, returned / paid) : null
}

/** Identifies a period by its start in seconds, because milliseconds vary between events. */
const periodOf = (subscriptionId: string, periodStart: Date): string =>
  `payment-a:${subscriptionId}:${periodStart.toISOString().slice(0, 19)}`

/** `mode` stands on the object; some events have it on the envelope. */
function modeIn(body: unknown, object: unknown): Mode | null {
  const text = textAt(object, 'mode') ?? textAt(body, 'mode')
  return entryOf(modes, text) ?? null
}
const modes: Record<string, Mode> = { test: 'test', sandbox: 'test', local: 'test', prod: 'live', live: 'live' }

const userIdIn = (object: unknown): string | null =>
  [['metadata'], ['subscription', 'metadata'], ['checkout', 'metadata'], ['order', 'metadata']]
    .flatMap((path) => [textAt(object, ...path, 'referenceId'), textAt(object, ...path, 'userId')])
    .find((name) => name !== null) ?? null

const refsOf = (object: unknown): string[] => [
  ...new Set(
    [
      idAt(object),
      idAt(object, 'order'),
      idAt(object, 'subscription'),
      idAt(object, 'checkout'),
      idAt(object, 'transaction'),
      idAt(object, 'last_transaction_id'),
      idAt(object, 'transaction', 'order'),
      idAt(object, 'transaction', 'subscription'),
      idAt(object, 'customer'),
      idAt(object, 'transaction', 'customer'),
    ].filter((id) => id !== null),
  ),
]

/** Ids of customers and subscriptions, which outlive a payment. */
const lasting = /^(cust?|sub)_/
