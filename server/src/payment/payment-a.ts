/**
 * payment-a: verifies and translates its events. The header `creem-signature` is the lower-case hex HMAC-SHA256 of the raw
 * body. It contains no timestamp, so replays are detected by the stored event ids only.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { at, entryOf, numberAt, textAt } from '../json-reader.ts'
import { type Effect, type PaymentEvent, type SubscriptionStatus, sortKeyOf } from './effect.ts'
import { dateAt, idAt } from './event-reader.ts'
import {
  commonStatuses,
  effectsOf,
  failed,
  ignored,
  linkLasting,
  type Outcome,
  packBought,
  unknownProduct,
} from './outcome.ts'
import { goodUntil, type Plans } from './plans.ts'

export function hasValidSignatureA(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // As bytes: strings of equal length may differ in bytes, and timingSafeEqual throws on unequal lengths.
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Null when the body is not an event (id, type or object missing). `now` replaces a missing time. */
export function translateA(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  const externalId = idAt(body, 'id')
  const type = textAt(body, 'eventType') ?? textAt(body, 'type')
  const object = at(body, 'object')
  if (!externalId || !type || object === null || typeof object !== 'object') return null
  const event: PaymentEvent = {
    externalId,
    type,
    named: userIdIn(object),
    refs: refsOf(object),
    effects: [],
    without: null,
  }
  const createdAt = dateAt(body, 'created_at')
  const time = { atMs: createdAt?.getTime() ?? 0, externalId }

  if (type === 'checkout.completed') return { ...event, ...checkout(object, plans, createdAt ?? now) }
  if (type === 'refund.created' || type === 'dispute.created') return { ...event, ...refund(object, type) }
  const kind = entryOf(subscriptionEvents, type.replace(/^subscription\./, ''))
  if (type.startsWith('subscription.') && kind) return { ...event, ...subscription(object, plans, time, kind) }
  return { ...event, ...ignored(`Nothing follows from "${type}".`) }
}

/** `rank` sorts events of one timestamp; `grants`: whether the event means that a period is paid. */
type SubscriptionEvent = {
  rank: number
  grants: boolean | 'when new'
  isEnd?: true
  status?: SubscriptionStatus
  endsWithPeriod?: true
}
const subscriptionEvents: Record<string, SubscriptionEvent> = {
  created: { rank: 1, grants: true },
  trialing: { rank: 2, grants: false, status: 'trialing' },
  active: { rank: 3, grants: true },
  paid: { rank: 4, grants: true, status: 'active' },
  updated: { rank: 5, grants: 'when new' },
  update: { rank: 5, grants: 'when new' },
  past_due: { rank: 6, grants: false, status: 'past_due' },
  unpaid: { rank: 7, grants: false, status: 'past_due' },
  paused: { rank: 7, grants: false, status: 'past_due' },
  scheduled_cancel: { rank: 8, grants: false, status: 'active', endsWithPeriod: true },
  cancelled: { rank: 9, grants: false, status: 'cancelled' },
  canceled: { rank: 9, grants: false, status: 'cancelled' },
  expired: { rank: 10, grants: false, status: 'expired', isEnd: true },
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
  if (textAt(object, 'order', 'type') === 'recurring' || idAt(object, 'subscription')) {
    return effectsOf({ do: 'link', ids })
  }
  if (textAt(object, 'order', 'status') !== 'paid' || !orderId) {
    return ignored('The order is not paid.')
  }
  if (product?.kind !== 'pack') return unknownProduct('payment-a', productId)
  return packBought('payment-a', product, { orderNo: orderId, boughtAt, ids, lasting })
}

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
  const product = productId ? plans.byProcessorId('payment-a', productId) : null
  if (product?.kind !== 'subscription') return unknownProduct('payment-a', productId)

  const statusText = textAt(object, 'status')
  // An unknown status grants nothing. A missing one counts as active, because the event's type implies it.
  const status = kind.status ?? (statusText === null ? 'active' : (entryOf(statuses, statusText) ?? 'incomplete'))
  const periodStart = dateAt(object, 'current_period_start_date')
  const customer = idAt(object, 'customer')
  const sortKey = sortKeyOf(atMs, kind.rank, eventId, kind.isEnd)
  const effects: Effect[] = [
    periodStart
      ? {
          do: 'subscription',
          externalId,
          customer,
          sortKey,
          status,
          plan: product.id,
          periodStart,
          periodEnd: dateAt(object, 'current_period_end_date'),
          cancelAtPeriodEnd: kind.endsWithPeriod === true || statusText === 'scheduled_cancel',
          cancelledAt: dateAt(object, 'canceled_at'),
        }
      : // An event without a period, as `subscription.active` may be, must not overwrite the stored period.
        { do: 'subscription', externalId, customer, sortKey, status },
    linkLasting(refsOf(object), lasting),
  ]
  // A plan change in mid-period names the same period, possibly with an unpaid dearer plan, so it grants nothing.
  const isNew = periodStart !== null && atMs - periodStart.getTime() < NEW_PERIOD_MS
  const grants = kind.grants === true || (kind.grants === 'when new' && isNew)
  if (grants && status === 'active' && periodStart) {
    const source = periodSource(externalId, periodStart)
    const transaction = idAt(object, 'last_transaction_id')
    if (transaction) effects.push({ do: 'link', ids: [transaction], source })
    effects.push({
      do: 'grant',
      source,
      transType: 'SUBSCRIPTION',
      credits: product.credits,
      expiresAt: goodUntil(product, periodStart, dateAt(object, 'current_period_end_date')),
      orderNo: transaction ?? externalId,
      remark: product.name,
    })
  }
  return effectsOf(...effects)
}

function refund(object: unknown, type: string): Outcome {
  const subscriptionId = idAt(object, 'transaction', 'subscription') ?? idAt(object, 'subscription')
  const periodStart = dateAt(object, 'transaction', 'period_start')
  const orderId = idAt(object, 'transaction', 'order') ?? idAt(object, 'order')
  const transactionId = idAt(object, 'transaction')
  const amount = numberAt(object, 'refund_amount') ?? numberAt(object, 'amount')
  const paidAmount =
    numberAt(object, 'transaction', 'amount_paid') ??
    numberAt(object, 'transaction', 'amount') ??
    numberAt(object, 'order', 'amount')
  const isRefund = type === 'refund.created'
  if (isRefund && amount !== null && amount <= 0) {
    return ignored('Nothing was refunded.')
  }
  const source = subscriptionId
    ? periodStart && periodSource(subscriptionId, periodStart)
    : orderId && `payment-a:${orderId}`
  const ids = [transactionId, orderId].filter((id) => id !== null)
  if (!source && ids.length === 0) return failed('It names no payment.')
  // The whole payment counts as refunded for a dispute, and when one of the amounts is missing.
  const part = isRefund && amount !== null && paidAmount !== null && paidAmount > 0 ? amount / paidAmount : 1
  return effectsOf({
    do: 'claw_back',
    ...(source ? { source } : {}),
    ids,
    key: idAt(object) ?? type,
    part: Math.min(1, part),
  })
}

/** Identifies a paid period by its start in seconds (milliseconds vary between events), so that its events grant once. */
const periodSource = (subscriptionId: string, periodStart: Date): string =>
  `payment-a:${subscriptionId}:${periodStart.toISOString().slice(0, 19)}`

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
      idAt(object, 'transaction', 'order'),
      idAt(object, 'transaction', 'subscription'),
      idAt(object, 'customer'),
      idAt(object, 'transaction', 'customer'),
    ].filter((id) => id !== null),
  ),
]

/** Ids of customers and subscriptions, which outlive a payment. */
const lasting = /^(cust?|sub)_/
