/**
 * payment-b: translates its events, which are Stripe's. The official package verifies them over the raw body. They are
 * read leniently here, because two API versions (before and since 2025-03-31) have the same facts in different fields.
 */
import { at, entryOf, numberAt, textAt } from '../../text/json-reader.ts'
import {
  bindCustomer,
  dateAt,
  type Effect,
  effectsOf,
  failed,
  idAt,
  idsOf,
  ignored,
  type Lacking,
  type Line,
  linkLasting,
  linkPayment,
  type Outcome,
  type PaymentEvent,
  paymentOf,
  type Return,
  returnKeyOf,
  returnOf,
  sortKeyOf,
  statusAt,
  unknownProduct,
  wholeQuantity,
} from '../effect.ts'
import { goodUntil, type Plans, type Product, processorId } from '../plans.ts'

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

/** The events of a dispute by their position in one second; those with a final status come behind all others. */
const disputeSteps = ['created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed']

/** The rank of the final event of a subscription. */
const DELETED = 9

const translations: Record<string, Translate> = {
  'checkout.session.completed': checkout,
  'checkout.session.async_payment_succeeded': checkout,
  'customer.subscription.created': (object, plans, time) => subscription(object, plans, time, 1),
  'customer.subscription.updated': (object, plans, time, previous) =>
    subscription(object, plans, time, 5, { tie: 'unknown', ...previousOf(previous, plans) }),
  'customer.subscription.deleted': (object, plans, time) =>
    subscription(object, plans, time, DELETED, { status: 'cancelled' }),
  'invoice.payment_succeeded': invoicePaid,
  'invoice.paid': invoicePaid,
  'invoice.payment_failed': invoiceFailed,
  'invoice_payment.paid': invoicePayment,
  'credit_note.created': (object, _, { atMs }) => creditNote(object, atMs),
  'credit_note.updated': (object, _, { atMs }) => creditNote(object, atMs),
  'credit_note.voided': (object, _, { atMs }) => creditNote(object, atMs),
  'charge.refunded': (object, _, { atMs }) => refunded(object, atMs),
  'charge.refund.updated': (object, _, { atMs }) => refund(object, atMs),
  'refund.updated': (object, _, { atMs }) => refund(object, atMs),
  'refund.failed': (object, _, { atMs }) => refund(object, atMs),
}
for (const step of disputeSteps)
  translations[`charge.dispute.${step}`] = (object, _, { atMs }) => dispute(object, atMs, step)

function checkout(object: unknown, plans: Plans, time: Time): Outcome {
  const ids = refsOf(object)
  const bound = bindCustomer(object, 'userId')
  const mode = textAt(object, 'mode')
  const saved: Effect[] = mode === 'setup' ? [{ do: 'card' }] : []
  if (mode !== 'payment') return effectsOf(linkLasting(ids), ...bound, ...saved)
  const status = textAt(object, 'payment_status')
  // No payment is required with a discount of 100 %, and none follows.
  const isFree = status === 'no_payment_required'
  if (status !== 'paid' && !isFree) return ignored('The session is not paid yet.')
  const named = plans.byId(textAt(object, 'metadata', 'productId') ?? '')
  const sold = named && plans.byProcessorId('payment-b', processorId(named, 'payment-b'))
  const currency = currencyAt(object) ?? sold?.price.currency ?? 'USD'
  // A session of a checkout of ours is worth its product, with any lines, when that is what it costs.
  const isOne = numberAt(object, 'amount_subtotal') === sold?.price.cents && currency === sold?.price.currency
  const items = itemsAt(object, 'line_items') ?? (isOne ? [{ quantity: 1 }] : null)
  if (items === null) return lacking(object, 'checkout/sessions', 'line_items')
  const lines = linesIn(items, currency, plans, sold)
  if (typeof lines === 'string') return unknownProduct('payment-b', lines)
  const plan = lines.find(({ product }) => product.kind !== 'pack')
  if (plan) return unknownProduct('payment-b', plan.product.id)
  const total = isFree ? 0 : (numberAt(object, 'amount_total') ?? sum(lines.map(({ value }) => value)))
  // An invoice of the session is the same payment.
  const orderNo = idAt(object, 'invoice') ?? idAt(object, 'payment_intent') ?? idAt(object) ?? time.externalId
  const sortKey = sortKeyOf(time.atMs, 0, time.externalId)
  const chain = idAt(object, 'invoice') && idAt(object, 'customer')
  return effectsOf(
    ...linkPayment(ids, `payment-b:${orderNo}`),
    ...bound,
    ...paymentOf('payment-b', { orderNo, chain, currency, lines, total, paid: total, at: time.at, sortKey }),
  )
}

/**
 * The lines; or, when the product or the price of one of them is not known, its price's id: all or nothing, because
 * credits for a part of them would hide it.
 */
function linesIn(items: unknown[], currency: string, plans: Plans, sold: Product | null = null): Line[] | string {
  const lines = items.map((item) => lineOf(item, currency, plans, sold))
  const unknown = items.filter((_, index) => lines[index] === null)
  if (lines.length === 0) return 'no lines'
  if (unknown.length > 0) return unknown.map((item) => priceIdOf(item) ?? 'a line without a price').join(', ')
  return lines.filter((line) => line !== null)
}

function subscription(
  object: unknown,
  plans: Plans,
  { atMs, externalId: eventId }: Time,
  rank: number,
  change: Partial<Extract<Effect, { do: 'subscription'; plan: string | null }>> = {},
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
    status: statusAt(object, 'incomplete'),
    ...(product || isEnd ? {} : { onlyKnown: true }),
    plan: product?.id ?? null,
    soldAs: product?.soldAs,
    periodStart: secondsAt(item, 'current_period_start') ?? secondsAt(object, 'current_period_start'),
    periodEnd,
    // Newer API versions set `cancel_at` and leave the flag false. A date after the period's end: it renews.
    cancelAtPeriodEnd:
      at(object, 'cancel_at_period_end') === true || (cancelAt !== null && !(periodEnd && cancelAt > periodEnd)),
    cancelledAt: secondsAt(object, 'canceled_at'),
    ...change,
  }
  if (!product && !isEnd) return unknownProduct('payment-b', priceIdOf(item), [record])
  return effectsOf(record, linkLasting(refsOf(object)))
}

/** What an event says that the record was before it; nothing when that is of no field of the record. */
function previousOf(attributes: unknown, plans: Plans) {
  const status = textAt(attributes, 'status') === null ? null : statusAt(attributes, 'incomplete')
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
  const all = itemsAt(object, 'lines')
  if (all === null) return lacking(object, 'invoices', 'lines')
  const listed = withFlatFees(all)
  const due = numberAt(object, 'total')
  if (!due && !numberAt(object, 'amount_paid') && listed.every((line) => numberAt(line, 'amount') === 0)) {
    return ignored('Nothing was due.')
  }
  // A credit note before the payment is a discount.
  const credited = numberAt(object, 'pre_payment_credit_notes_amount') ?? 0
  // Where a discount takes all, the rest of the old plan is worth nothing, so each change back and forth would bring
  // the rest of the new one.
  const isFree = due === credited && discountIn(object) + credited > 0
  const currency = currencyAt(object) ?? productOf(listed[0], plans)?.price.currency ?? 'USD'
  const sold = linesIn(listed, currency, plans)
  if (typeof sold === 'string') return unknownProduct('payment-b', sold)
  const lines = beforeDiscount(
    sold.filter((_, index) => !isFree || !isProration(listed[index])),
    discountIn(object),
  )
  const total = (due ?? sum(lines.map(({ value }) => value))) - credited
  const paid = Math.max(0, numberAt(object, 'amount_paid') ?? 0)
  const covered = coveredIn(object, total)
  const isNothing = lines.every(({ value }) => value === 0) || total > 0
  if (paid + covered <= 0 && isNothing) return ignored('Nothing was paid.')
  const source = `payment-b:${orderNo}`
  const number = textAt(object, 'number')
  const chain = idAt(object, 'customer')
  const made = secondsAt(object, 'status_transitions', 'paid_at') ?? time.at
  const sortKey = sortKeyOf(time.atMs, 0, time.externalId)
  return effectsOf(
    ...linkPayment(refsOf(object), source),
    ...paymentOf('payment-b', { orderNo, number, chain, currency, lines, total, paid, covered, at: made, sortKey }),
  )
}

const discountIn = (invoice: unknown): number => sum(amountsOf(at(invoice, 'total_discount_amounts')))
const amountsOf = (list: unknown): number[] =>
  Array.isArray(list) ? list.map((each) => numberAt(each, 'amount') ?? 0) : []
const sum = (amounts: number[]): number => amounts.reduce((all, amount) => all + amount, 0)

/** A negative line is what was paid for the rest, after the positive lines' discount: brought to the price. */
function beforeDiscount(lines: Line[], discount: number): Line[] {
  const gross = sum(lines.map(({ value }) => Math.max(0, value)))
  const paidPart = 1 - discount / gross
  if (discount <= 0 || !(paidPart > 0)) return lines
  return lines.map((line) => (line.value < 0 ? { ...line, value: line.value / paidPart } : line))
}

/** What a balance took off an invoice; negative for what was carried over from an earlier one. */
function coveredIn(invoice: unknown, total: number): number {
  const due = numberAt(invoice, 'amount_due')
  const balance = (numberAt(invoice, 'ending_balance') ?? 0) - (numberAt(invoice, 'starting_balance') ?? 0)
  return due === null ? balance : Math.max(total - due, balance)
}

function lacking(object: unknown, list: string, into: Lacking['into']): Outcome {
  const path = `/v1/${list}/${encodeURIComponent(idAt(object) ?? '')}/${into}?limit=100`
  return { ...effectsOf(), lacks: { path, into } }
}

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

const refsOf = (object: unknown): string[] =>
  idsOf(
    idAt(object),
    idAt(object, 'payment_intent'),
    ...paymentsOf(object),
    idAt(object, 'payment', 'payment_intent'),
    idAt(object, 'invoice'),
    idAt(object, 'charge'),
    subscriptionOf(object),
    idAt(object, 'customer'),
  )

/** `amount_refunded` is what was refunded of the charge in all. */
function refunded(charge: unknown, atMs: number): Outcome {
  const amount = numberAt(charge, 'amount')
  const total = numberAt(charge, 'amount_refunded') ?? amount
  if (total !== null && total <= 0) return ignored('Nothing was refunded.')
  return returned(
    charge,
    { kind: 'refunded', state: 'taken', at: dateAt([atMs], 0), sortKey: returnKeyOf(atMs, 0, total ?? 0) },
    total,
    amount,
  )
}

/** A refund that has succeeded counts by itself, not in its charge's total; a failed or cancelled one is undone. */
function refund(object: unknown, atMs: number): Outcome {
  const status = textAt(object, 'status')
  const isUndone = status === 'failed' || status === 'canceled'
  if (!isUndone && status !== 'succeeded') return ignored('The charge shows what was refunded.')
  const facts = {
    kind: 'refund',
    state: isUndone ? 'failed' : 'taken',
    sortKey: returnKeyOf(atMs, Number(isUndone)),
  } as const
  return returned(object, facts, numberAt(object, 'amount') ?? 0)
}

/**
 * A credit note for a paid invoice takes back what it gives to the customer's balance, which pays like money later, and
 * what the operator gives back beside the processor. What it refunds is a refund of its own; what it took off an open
 * invoice was never paid.
 */
function creditNote(object: unknown, atMs: number): Outcome {
  const isVoid = textAt(object, 'status') === 'void'
  const outside = numberAt(object, 'out_of_band_amount') ?? 0
  const toBalance = creditedIn(object, outside)
  const id = idAt(object)
  if (toBalance === null)
    return { ...effectsOf(), lacks: { path: `/v1/credit_notes/${encodeURIComponent(id ?? '')}`, into: null } }
  const facts = {
    state: isVoid ? ('given back' as const) : ('taken' as const),
    sortKey: returnKeyOf(atMs, isVoid ? 1 : 0),
  }
  const effects = [
    ...(toBalance > 0 ? returned(object, { kind: 'credited', ...facts }, toBalance).effects : []),
    ...(outside > 0
      ? returned({ ...(object as object), id: `${id}:outside` }, { kind: 'refund', ...facts }, outside).effects
      : []),
  ]
  return effects.length > 0 ? effectsOf(...effects) : ignored('Its refunds and its invoice show what it credited.')
}

/** What a credit note gave to the balance; null before 2025-03-31, where a refund has no amount. */
function creditedIn(note: unknown, outside: number): number | null {
  const isOld = numberAt(note, 'post_payment_amount') === null
  const isRefunded = at(note, 'refund') != null
  if (isOld && isRefunded && at(note, 'customer_balance_transaction') != null) return null
  const all = isOld
    ? textAt(note, 'type') === 'pre_payment' || isRefunded
      ? 0
      : numberAt(note, 'amount')
    : numberAt(note, 'post_payment_amount')
  const refunds = at(note, 'refunds')
  // A refund of a payment beside the processor is of no charge, so nothing else shows it.
  const refunded = Array.isArray(refunds)
    ? refunds.filter((each) => textAt(each, 'type') !== 'payment_record_refund')
    : []
  return (all ?? 0) - outside - sum(refunded.map((each) => numberAt(each, 'amount_refunded') ?? 0))
}

/**
 * A dispute takes the net of its `balance_transactions`, in any status. Without that list its status decides, and the
 * event's type. An inquiry (`warning_*`) and a prevented dispute withdraw nothing.
 */
function dispute(object: unknown, atMs: number, type: string): Outcome {
  const status = textAt(object, 'status') ?? 'needs_response'
  if (/^(warning_|prevented$)/.test(status)) return ignored('No funds were withdrawn.')
  const list = at(object, 'balance_transactions')
  const moves = amountsOf(list)
  const isGivenBack = status === 'won' || (type === 'funds_reinstated' && status !== 'lost')
  if (moves.length === 0 && Array.isArray(list) && status !== 'lost' && !isGivenBack)
    return ignored('No funds were withdrawn.')
  // In the currency of the account, which may not be that of the payment.
  const net = -sum(moves)
  const withdrawn = Math.max(0, ...moves.map((amount) => -amount))
  const share = moves.length === 0 ? Number(!isGivenBack) : Math.min(1, Math.max(0, net / (withdrawn || 1)))
  const amount = numberAt(object, 'amount')
  // The list only grows.
  const rank = (/^(won|lost)$/.test(status) ? 50 : 0) + Math.min(4, moves.length) * 10 + disputeSteps.indexOf(type)
  const state = share > 0 ? 'taken' : 'given back'
  const movedIn = Array.isArray(list) ? currencyAt(list[0]) : null
  const moved = movedIn === null ? {} : { [movedIn]: Math.max(0, net) }
  const sortKey = returnKeyOf(atMs, rank)
  const outcome = returned(object, { kind: 'dispute', state, sortKey }, amount && Math.round(amount * share))
  for (const each of outcome.effects)
    if (each.do === 'return') Object.assign(each, { share, amounts: { ...moved, ...each.amounts } })
  return outcome
}

function returned(
  object: unknown,
  facts: Pick<Return, 'kind' | 'state' | 'sortKey'> & Partial<Pick<Return, 'at'>>,
  amount: number | null,
  paid: number | null = null,
): Outcome {
  const key = idAt(object)
  if (!key) return failed('It has no id.')
  // The payment first: one-time grants are identified by it. An invoice identifies a subscription's grant.
  const ids = idsOf(idAt(object, 'payment_intent'), idAt(object, 'invoice'), idAt(object, 'charge'), key)
  const about = { at: secondsAt(object, 'created'), ...facts, key, charge: idAt(object, 'charge') ?? key, ids }
  return effectsOf(returnOf(about, amount, currencyAt(object), paid))
}

/** The items of a list that an object has; null when the event lacks some of them. */
function itemsAt(object: unknown, name: string): unknown[] | null {
  const data = at(object, name, 'data')
  return Array.isArray(data) && at(object, name, 'has_more') !== true ? data : null
}

/**
 * A line of an invoice, or a line item of a session, in a currency. Null: an unknown product or price in it.
 */
function lineOf(line: unknown, currency: string, plans: Plans, sold: Product | null = null): Line | null {
  const product = productOf(line, plans) ?? (priceIdOf(line) === null ? sold : null)
  const quantity = wholeQuantity(numberAt(line, 'quantity'))
  const named = numberAt(line, 'amount') ?? numberAt(line, 'amount_subtotal')
  const unit = numberAt(line, 'pricing', 'unit_amount_decimal')
  const whole = isProration(line) || !named ? null : named / quantity
  // Of a proration, pricing has its part of the price.
  const own = unitAmountIn(at(line, 'price'), currency) || (isProration(line) ? null : unit)
  const [start, end] = [secondsAt(line, 'period', 'start'), secondsAt(line, 'period', 'end')]
  const inOther = isProration(line) ? Math.abs(named ?? 0) / quantity / partOf(product, start, end) : (unit ?? whole)
  const fallback = product?.price.currency === currency ? product.price.cents : inOther
  const price = (isTiered(line, currency) ? whole : own || null) ?? fallback
  if (!product || !price || !(price > 0)) return null
  const life =
    product.kind === 'pack'
      ? { start: null, end: null }
      : { start, end: isProration(line) ? end : start && goodUntil(product, start, end) }
  return { product, quantity, value: named ?? price * quantity, price, ...life }
}

/** The part of its period that a proration pays for: the period has the end of that. */
function partOf(product: Product | null, start: Date | null, end: Date | null): number {
  if (!start || !end || product?.kind !== 'subscription') return 1
  const first = new Date(end)
  first.setUTCMonth(first.getUTCMonth() - (product.period === 'year' ? 12 : 1))
  // Day 31 after a shorter month: its last day.
  if (first.getUTCDate() !== end.getUTCDate()) first.setUTCDate(0)
  return Math.min(1, (end.getTime() - start.getTime()) / (end.getTime() - first.getTime()))
}

/** What one costs by a price object, in this currency. */
function unitAmountIn(price: unknown, currency: string): number | null {
  const isItsOwn = (currencyAt(price) ?? currency) === currency
  const option = isItsOwn ? price : at(price, 'currency_options', currency.toLowerCase())
  return numberAt(option, 'unit_amount_decimal') ?? numberAt(option, 'unit_amount')
}

/** A price in tiers names none of one. */
const isTiered = (line: unknown, currency: string): boolean =>
  textAt(line, 'price', 'billing_scheme') === 'tiered' ||
  (at(line, 'pricing', 'unit_amount_decimal') === null && unitAmountIn(at(line, 'price'), currency) === null)

/** The flat fee of a tier, a line of no units, is a part of what the units of its price cost. */
function withFlatFees(lines: unknown[]): unknown[] {
  const amountOf = (line: unknown) => numberAt(line, 'amount') ?? 0
  const keyOf = (line: unknown) => `${priceIdOf(line)} ${isProration(line)} ${amountOf(line) < 0}`
  const fees = Map.groupBy(
    lines.filter((line) => numberAt(line, 'quantity') === 0),
    keyOf,
  )
  return lines
    .filter((line) => numberAt(line, 'quantity') !== 0)
    .map((line) => {
      const own = fees.get(keyOf(line))
      if (!own) return line
      fees.delete(keyOf(line))
      const price = priceIdOf(line)
      const pricing = { price_details: { price }, unit_amount_decimal: null }
      return { ...(line as object), amount: sum([line, ...own].map(amountOf)), price, pricing }
    })
    .concat([...fees.values()].flat())
}

const isProration = (line: unknown): boolean =>
  at(line, 'proration') === true ||
  at(line, 'parent', 'subscription_item_details', 'proration') === true ||
  at(line, 'parent', 'invoice_item_details', 'proration') === true

const priceIdOf = (line: unknown): string | null =>
  idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price') ?? idAt(line, 'plan')

function productOf(line: unknown, plans: Plans): Product | null {
  const priceId = priceIdOf(line)
  return priceId ? plans.byProcessorId('payment-b', priceId) : null
}

const currencyAt = (object: unknown): string | null => textAt(object, 'currency')?.toUpperCase() ?? null

function secondsAt(object: unknown, ...path: string[]): Date | null {
  const seconds = numberAt(object, ...path)
  return seconds === null ? null : dateAt([seconds * 1000], 0)
}
