/**
 * payment-a: verifies and translates its events. The header `creem-signature` is the lower-case hex HMAC-SHA256 of the raw
 * body; it carries no time, so an event is known to be old only because it is remembered.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { at, numberAt, textAt } from '../provider/read.ts'
import { type Effect, eventOrder, type PaymentEvent, type SubscriptionStatus } from './effect.ts'
import { goodUntil, type Plans } from './plans.ts'
import { dateAt, entryOf, idAt } from './read.ts'

export function isSignedByA(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // Compared as bytes: as many characters can be more of them.
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Null when it is no event at all: no id, no type, no object. `now` stands for a time that the event does not tell. */
export function translateA(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  const externalId = idAt(body, 'id')
  const type = textAt(body, 'eventType') ?? textAt(body, 'type')
  const object = at(body, 'object')
  if (!externalId || !type || object === null || typeof object !== 'object') return null
  const event: PaymentEvent = {
    externalId,
    type,
    named: namedIn(object),
    refs: refsOf(object),
    effects: [],
    without: null,
  }
  const createdAt = dateAt(body, 'created_at')
  const time = { atMs: createdAt?.getTime() ?? 0, externalId }

  if (type === 'checkout.completed') return { ...event, ...checkout(object, plans, createdAt ?? now) }
  if (type === 'refund.created' || type === 'dispute.created') return { ...event, ...returned(object, type) }
  const spelling = entryOf(subscriptionEvents, type.replace(/^subscription\./, ''))
  if (type.startsWith('subscription.') && spelling) return { ...event, ...subscription(object, plans, time, spelling) }
  return { ...event, without: { state: 'ignored', reason: `Nothing follows from "${type}".` } }
}

type Outcome = Pick<PaymentEvent, 'effects' | 'without'>

/** `rank` orders events of one moment; `grants`: the event says that a period is there to be used. */
type Spelling = {
  rank: number
  grants: boolean | 'when new'
  isEnd?: true
  status?: SubscriptionStatus
  endsWithPeriod?: true
}
const subscriptionEvents: Record<string, Spelling> = {
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
  active: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  scheduled_cancel: 'active',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  expired: 'expired',
  incomplete: 'incomplete',
}

function checkout(object: unknown, plans: Plans, boughtAt: Date): Outcome {
  const orderId = idAt(object, 'order')
  const productId = idAt(object, 'product')
  const product = productId ? plans.byProcessorId('payment-a', productId) : null
  const ids = refsOf(object)
  if (textAt(object, 'order', 'type') === 'recurring' || idAt(object, 'subscription')) {
    return { effects: [{ do: 'link', ids }], without: null }
  }
  if (textAt(object, 'order', 'status') !== 'paid' || !orderId) {
    return { effects: [], without: { state: 'ignored', reason: 'The order is not paid.' } }
  }
  if (product?.kind !== 'pack') return unknownProduct(productId)
  const source = `payment-a:${orderId}`
  return {
    effects: [
      { do: 'link', ids: owned(ids) },
      { do: 'link', ids: paid(ids), source },
      {
        do: 'grant',
        source,
        transType: 'ORDER_PAY',
        credits: product.credits,
        expiresAt: goodUntil(product, boughtAt),
        orderNo: orderId,
        remark: product.name,
      },
    ],
    without: null,
  }
}

/** How old a period may be to be taken for one that has just begun. */
const NEW_PERIOD_MS = 86_400_000

function subscription(
  object: unknown,
  plans: Plans,
  { atMs, externalId: eventId }: { atMs: number; externalId: string },
  spelling: Spelling,
): Outcome {
  const externalId = idAt(object)
  if (!externalId) return { effects: [], without: { state: 'failed', reason: 'The subscription has no id.' } }
  const productId = idAt(object, 'product')
  const product = productId ? plans.byProcessorId('payment-a', productId) : null
  if (product?.kind !== 'subscription') return unknownProduct(productId)

  const word = textAt(object, 'status')
  // A word that nobody knows is no reason to give credits; none at all is, for the event's name says enough.
  const status = spelling.status ?? (word === null ? 'active' : (entryOf(statuses, word) ?? 'incomplete'))
  const periodStart = dateAt(object, 'current_period_start_date')
  const customer = idAt(object, 'customer')
  const order = eventOrder(atMs, spelling.rank, eventId, spelling.isEnd)
  const effects: Effect[] = [
    periodStart
      ? {
          do: 'subscription',
          externalId,
          customer,
          order,
          status,
          plan: product.id,
          periodStart,
          periodEnd: dateAt(object, 'current_period_end_date'),
          cancelAtPeriodEnd: spelling.endsWithPeriod === true || word === 'scheduled_cancel',
          cancelledAt: dateAt(object, 'canceled_at'),
        }
      : // An event that leaves the period out, as `subscription.active` may, must not wipe out what another one told.
        { do: 'subscription', externalId, customer, order, status },
    { do: 'link', ids: owned(refsOf(object)) },
  ]
  // A change in mid-period names that period too, perhaps with a dearer plan that is not paid for: it grants nothing.
  const isNew = periodStart !== null && atMs - periodStart.getTime() < NEW_PERIOD_MS
  const grants = spelling.grants === true || (spelling.grants === 'when new' && isNew)
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
  return { effects, without: null }
}

function returned(object: unknown, type: string): Outcome {
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
    return { effects: [], without: { state: 'ignored', reason: 'Nothing was refunded.' } }
  }
  const source = subscriptionId
    ? periodStart && periodSource(subscriptionId, periodStart)
    : orderId && `payment-a:${orderId}`
  const ids = [transactionId, orderId].filter((id) => id !== null)
  if (!source && ids.length === 0) return { effects: [], without: { state: 'failed', reason: 'It names no payment.' } }
  // Without both amounts, and for a dispute, which takes the payment whole, all of it counts as gone.
  const part = isRefund && amount !== null && paidAmount !== null && paidAmount > 0 ? amount / paidAmount : 1
  const claim: Effect = {
    do: 'claw_back',
    ...(source ? { source } : {}),
    ids,
    key: idAt(object) ?? type,
    part: Math.min(1, part),
  }
  return { effects: [claim], without: null }
}

/** One period is paid for once, whichever of its events comes first: its second tells it apart, not its milliseconds. */
const periodSource = (subscriptionId: string, periodStart: Date): string =>
  `payment-a:${subscriptionId}:${periodStart.toISOString().slice(0, 19)}`

const unknownProduct = (productId: string | null): Outcome => ({
  effects: [],
  without: { state: 'failed', reason: `catalogue/plans.json has no such product for payment-a: ${productId}.` },
})

const namedIn = (object: unknown): string | null =>
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

/** Customers and subscriptions live on; the rest of what an order names is one payment. */
const lasting = /^(cust?|sub)_/
const owned = (ids: string[]): string[] => ids.filter((id) => lasting.test(id))
const paid = (ids: string[]): string[] => ids.filter((id) => !lasting.test(id))
