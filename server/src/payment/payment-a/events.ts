/** payment-a: translates its events. */
import { at, entryOf, numberAt, textAt } from '../../text/json-reader.ts'
import {
  type Booked,
  bindCustomer,
  dateAt,
  type Effect,
  effectsOf,
  failed,
  idAt,
  idsOf,
  ignored,
  linkLasting,
  linkPayment,
  type Mode,
  type Outcome,
  type PaymentEvent,
  payerIn,
  paymentOf,
  returnKeyOf,
  returnOf,
  type SubscriptionStatus,
  sortKeyOf,
  statusAt,
  unknownProduct,
  wholeQuantity,
} from '../effect.ts'
import { goodUntil, type Plans, type Product } from '../plans.ts'

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

  if (type === 'checkout.completed') return { ...event, ...checkout(object, plans, createdAt ?? now, time) }
  if (type === TRANSACTION_RETURNED) return { ...event, ...returned({ transaction: object }, type, time.atMs) }
  if (/^(refund|dispute)\./.test(type)) return { ...event, ...returned(object, type, time.atMs) }
  const kind = entryOf(subscriptionEvents, type.replace(/^subscription\./, ''))
  if (type.startsWith('subscription.') && kind) return { ...event, ...subscription(object, plans, time, kind) }
  return { ...event, ...ignored(`Nothing follows from "${type}".`) }
}

/**
 * `rank` sorts events of one timestamp. `isPaid`: the transaction that it names is one that the subscriber has paid.
 * `update` may repeat an older one, because `paid` is sent beside it; `updated` is the only event of a renewal in its
 * set of names.
 */
type SubscriptionEvent = {
  rank: number
  isPaid?: true
  isEnd?: true
  status?: SubscriptionStatus
  endsWithPeriod?: true
}
const subscriptionEvents: Record<string, SubscriptionEvent> = {
  created: { rank: 1, isPaid: true },
  trialing: { rank: 2, status: 'trialing' },
  active: { rank: 3, isPaid: true },
  paid: { rank: 4, isPaid: true, status: 'active' },
  reconciled: { rank: 4, isPaid: true, status: 'active' },
  updated: { rank: 5, isPaid: true },
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

function checkout(object: unknown, plans: Plans, boughtAt: Date, { atMs, externalId }: Time): Outcome {
  const orderId = idAt(object, 'order')
  const productId = idAt(object, 'product')
  const product = productId ? plans.byProcessorId('payment-a', productId) : null
  const ids = refsOf(object)
  const bound = bindCustomer(object, 'referenceId')
  const type = textAt(object, 'order', 'type') ?? textAt(object, 'product', 'billing_type')
  const payers = linkPayer(object)
  if (type === 'recurring' || idAt(object, 'subscription')) {
    return effectsOf(...payers, { do: 'link', ids }, ...bound)
  }
  if (textAt(object, 'order', 'status') !== 'paid' || !orderId) {
    return ignored('The order is not paid.')
  }
  // Reconciliation comes here: a transaction names no product, and its checkout is not one of ours.
  if (!productId) return failed(notOurCheckout(orderId))
  if (product?.kind !== 'pack') return unknownProduct('payment-a', productId)
  const amounts = amountsOf(at(object, 'order'), product, object)
  const payment = { orderNo: orderId, chain: null, at: boughtAt, sortKey: sortKeyOf(atMs, 0, externalId) }
  return effectsOf(
    ...payers,
    ...linkPayment(ids, `payment-a:${orderId}`),
    ...bound,
    ...paymentOf('payment-a', {
      ...payment,
      ...amounts,
      ...bookedIn(at(object, 'order'), object),
      lines: [{ product, ...amounts, start: null, end: null }],
    }),
  )
}

/**
 * Links the customer of what is bought for a team to the payer, before the team gets it: payment-a knows customers by
 * their e-mail address, so this one is also of what the payer buys without the team, which the other owners must not
 * see in its portal.
 */
function linkPayer(object: unknown): Effect[] {
  const [customer, payer] = [idAt(object, 'customer'), payerIn(object)]
  return customer && payer.payerId ? [{ do: 'link', ids: [customer], ...payer }] : []
}

const notOurCheckout = (orderId: string): string =>
  `The order ${orderId} was not bought through a checkout of this service, so neither its user nor its product is known: find it in the account of payment-a, and grant the credits.`

/**
 * The amounts of an order or a transaction. Without any, they are taken to be those of the whole product (`isWhole`).
 * @param about the event's object, which has quantity and product
 */
function amountsOf(paidObject: unknown, product: Product, about: unknown) {
  const units = numberAt(about, 'units') ?? numberAt(paidObject, 'units') ?? numberAt(about, 'items', 0, 'units')
  const quantity = wholeQuantity(units)
  const currency = (
    textAt(paidObject, 'currency') ??
    textAt(about, 'product', 'currency') ??
    product.price.currency
  ).toUpperCase()
  const amount = numberAt(paidObject, 'amount')
  const discount = Math.max(0, numberAt(paidObject, 'discount_amount') ?? 0)
  const named = paidIn(paidObject)
  const isCatalogue = currency === product.price.currency
  const own =
    textAt(about, 'product', 'currency')?.toUpperCase() === currency ? numberAt(about, 'product', 'price') : null
  const price = isCatalogue ? product.price.cents : (own ?? (amount ?? (named ?? 0) + discount) / quantity) || 1
  const paid = Math.max(0, Math.round(named ?? price * quantity))
  // Tax beside the price is no part of it; tax within it is.
  const tax = Math.max(0, numberAt(paidObject, 'tax_amount') ?? 0)
  const mode = textAt(about, 'product', 'tax_mode')
  const beside = amount === null ? 0 : Math.max(0, Math.min(tax, paid + discount - amount))
  const taxBeside = mode === 'exclusive' ? tax : mode === 'inclusive' ? 0 : beside
  const value = Math.max(0, paid - taxBeside) + discount
  return {
    quantity,
    currency,
    price,
    paid,
    total: paid,
    value,
    rest: price * quantity - value,
    isWhole: named === null,
  }
}

const bookedIn = (paidObject: unknown, about: unknown): Booked => ({
  tax: Math.max(0, numberAt(paidObject, 'tax_amount') ?? 0),
  country: textAt(paidObject, 'tax_country') ?? textAt(about, 'customer', 'country'),
})

/** The amount that was paid, after discounts; null when the event does not name it. */
export function paidIn(object: unknown): number | null {
  const [paid, amount] = [numberAt(object, 'amount_paid') ?? numberAt(object, 'amount_due'), numberAt(object, 'amount')]
  return paid ?? (amount === null ? null : Math.max(0, amount - (numberAt(object, 'discount_amount') ?? 0)))
}

/** Statuses of a transaction that money came of, even if it was returned since. */
export const isPaidStatus = (status: string | null): boolean =>
  status === null || /^(paid|succeeded|success|completed|partial_?refund(ed)?|refunded|charged?_?back)$/i.test(status)

type Time = { atMs: number; externalId: string }

function subscription(
  object: unknown,
  plans: Plans,
  { atMs, externalId: eventId }: Time,
  kind: SubscriptionEvent,
): Outcome {
  const externalId = idAt(object)
  if (!externalId) return failed('The subscription has no id.')
  const productId = idAt(object, 'product')
  const found = productId ? plans.byProcessorId('payment-a', productId) : null
  const product = found?.kind === 'subscription' ? found : null

  const ownStatus = statusAt(object, 'active')
  // A trial may be paid for.
  const status = kind.isPaid && ownStatus === 'trialing' ? ownStatus : (kind.status ?? ownStatus)
  const periodStart = dateAt(object, 'current_period_start_date')
  const customer = idAt(object, 'customer')
  const sortKey = sortKeyOf(atMs, kind.rank, eventId, kind.isEnd)
  const statusOnly = {
    do: 'subscription' as const,
    externalId,
    customer,
    sortKey,
    status,
    retriesExpired: true as const,
    ...(product || kind.isEnd ? {} : { onlyKnown: true as const }),
  }
  const record: Effect = periodStart
    ? {
        ...statusOnly,
        plan: product?.id ?? null,
        soldAs: product?.soldAs,
        periodStart,
        periodEnd: dateAt(object, 'current_period_end_date'),
        cancelAtPeriodEnd: kind.endsWithPeriod === true || textAt(object, 'status') === 'scheduled_cancel',
        cancelledAt: dateAt(object, 'canceled_at'),
      }
    : // An event without a period, as `subscription.active` may be, must not overwrite the stored period.
      statusOnly
  if (!product && !kind.isEnd) return unknownProduct('payment-a', productId, [record])
  const effects: Effect[] = [record, ...linkPayer(object), linkLasting(refsOf(object))]
  if (!product || !kind.isPaid || status !== 'active') return effectsOf(...effects)
  const transactionId = idAt(object, 'last_transaction_id') ?? idAt(object, 'last_transaction')
  if (!transactionId) {
    if (kind.status === undefined) return effectsOf(...effects)
    return failed('It names no transaction, so it proves no payment; compare it with the account.', 'no_transaction')
  }
  // Another transaction's amounts say nothing of this one.
  const transaction = idAt(object, 'last_transaction') === transactionId ? at(object, 'last_transaction') : null
  const start = dateAt(transaction, 'period_start') ?? periodStart
  // Reconciliation reads the period from the transaction.
  if (!start) return effectsOf(...effects)
  if (!isPaidStatus(textAt(transaction, 'status'))) return effectsOf(...effects)
  const end = dateAt(transaction, 'period_end') ?? dateAt(object, 'current_period_end_date')
  const amounts = amountsOf(transaction, product, object)
  const paidAt = dateAt(transaction, 'created_at') ?? dateAt(object, 'last_transaction_date')
  effects.push(
    ...linkPayment([transactionId], `payment-a:${transactionId}`),
    ...paymentOf('payment-a', {
      ...amounts,
      ...bookedIn(transaction, object),
      orderNo: transactionId,
      chain: externalId,
      lines: [{ product, ...amounts, start, end: goodUntil(product, start, end) }],
      at: paidAt ?? new Date(Math.max(atMs, start.getTime())),
      // The earliest event that names a transaction knows its plan; reconciliation has the plan of today, and one
      // without an amount no plan.
      sortKey: `${amounts.isWhole ? 2 : kind === subscriptionEvents.reconciled ? 1 : 0}.${sortKey}`,
    }),
  )
  const path = `/v1/transactions?transaction_id=${encodeURIComponent(transactionId)}`
  return { ...effectsOf(...effects), ...(amounts.isWhole ? { lacks: { path, into: 'last_transaction' } } : {}) }
}

/** A refund, or a dispute, sent once the funds are withdrawn. It takes nothing until it has succeeded. */
function returned(object: unknown, type: string, atMs: number): Outcome {
  const transaction = at(object, 'transaction')
  const transactionId = idAt(transaction)
  // All payments of a subscription may share an order, so there only the transaction tells them apart.
  const isOfSubscription = (idAt(transaction, 'subscription') ?? idAt(object, 'subscription')) !== null
  const orderId = isOfSubscription ? null : (idAt(transaction, 'order') ?? idAt(object, 'order'))
  const ids = idsOf(transactionId, orderId)
  const [charge] = ids
  if (!charge) return failed('It names no payment.')
  const status = (textAt(object, 'status') ?? 'succeeded').toLowerCase()
  const isFailed = /^(failed|cancell?ed|declined)$/.test(status)
  const kind = type.startsWith('dispute') ? 'dispute' : 'refund'
  if (kind === 'refund' && !isFailed && !isPaidStatus(status)) return ignored(`The refund is ${status}.`)
  const amount = numberAt(object, 'refund_amount') ?? numberAt(object, 'amount')
  if (amount !== null && amount <= 0) return ignored('Nothing was returned.')
  const paid = paidIn(transaction) ?? paidIn(at(object, 'order'))
  const paidCurrency = (textAt(transaction, 'currency') ?? textAt(object, 'order', 'currency'))?.toUpperCase() ?? ''
  const currency = (textAt(object, 'refund_currency') ?? textAt(object, 'currency'))?.toUpperCase() ?? paidCurrency
  const state = kind === 'dispute' ? (status === 'won' ? 'given back' : 'taken') : isFailed ? 'failed' : 'taken'
  const total = state === 'taken' ? totalOf(transaction, charge, ids, atMs, type) : []
  // Of a refund in another currency the transaction's total shows its part of what was paid.
  const isForeign = currency !== paidCurrency && paidCurrency !== ''
  if (type === TRANSACTION_RETURNED || (isForeign && total.length > 0)) return effectsOf(...total)
  const key = idAt(object) ?? `${type}:${charge}`
  const facts = {
    key,
    kind,
    charge,
    ids,
    state,
    at: null,
    sortKey: returnKeyOf(atMs, state === 'taken' ? 0 : 1),
  } as const
  return effectsOf(returnOf(facts, amount, currency, isForeign ? null : paid), ...total)
}

/** What was returned of a transaction in all. payment-a has no list of refunds and disputes. */
function totalOf(transaction: unknown, charge: string, ids: string[], atMs: number, type: string): Effect[] {
  const isChargedBack = /^charged?_?back/i.test(textAt(transaction, 'status') ?? '')
  const paid = paidIn(transaction)
  const now = type === TRANSACTION_RETURNED ? 0 : null
  const amount = isChargedBack ? paid : (numberAt(transaction, 'refunded_amount') ?? now)
  // An event's total may be older than the event; none is no total then.
  if (!isChargedBack && !amount && now === null) return []
  const sortKey = returnKeyOf(atMs, 0, amount ?? 0)
  const facts = { key: charge, kind: 'returned', charge, ids, state: 'taken', at: dateAt([atMs], 0), sortKey } as const
  return [returnOf(facts, amount, textAt(transaction, 'currency')?.toUpperCase() ?? '', paid)]
}

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

const refsOf = (object: unknown): string[] =>
  idsOf(
    ...[object, at(object, 'transaction')].flatMap((each) => [
      idAt(each),
      ...['order', 'subscription', 'checkout', 'last_transaction_id'].map((name) => idAt(each, name)),
    ]),
    idAt(object, 'customer'),
    idAt(object, 'transaction', 'customer'),
  )
