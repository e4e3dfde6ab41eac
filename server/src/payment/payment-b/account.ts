/** Reads payment-b's account to reconcile: Stripe's lists of sessions, invoices, refunds, credit notes and disputes. */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import {
  derivedId,
  type Found,
  LATE_PAYMENT_MS,
  laggingSubscriptions,
  pagesOf,
  RETURNS_MS,
  type ReadContext,
} from '../account-reader.ts'
import { idAt } from '../effect.ts'

const PAGE = 100

/** Payments first, so that a refund finds its payment. */
export async function* accountB(context: ReadContext): AsyncGenerator<Found[]> {
  const [nowS, sinceMs] = [Math.floor(context.app.now().getTime() / 1000), context.since.getTime()]
  const lateMs = sinceMs - LATE_PAYMENT_MS
  for await (const page of list(context, 'invoices?status=paid&expand[]=data.payments', lateMs)) {
    const paid = page.filter((invoice) => paidAtS(invoice) * 1000 >= sinceMs)
    yield await invoicesPaid(context, paid)
  }
  for await (const page of list(context, 'checkout/sessions?status=complete&expand[]=data.line_items', lateMs))
    yield page.filter((each) => textAt(each, 'payment_status') !== 'unpaid').map(session)
  // A refund fails weeks after it was made.
  for await (const page of list(context, 'refunds?expand[]=data.failure_balance_transaction', lateMs))
    yield page.map((each) => refund(each, nowS))
  for await (const page of list(context, 'credit_notes?', sinceMs - RETURNS_MS)) yield page.map(creditNote)
  for await (const page of list(context, 'disputes?', sinceMs - RETURNS_MS))
    yield page.map((each) => dispute(each, nowS))
  for await (const each of laggingSubscriptions(context, SUBSCRIPTION)) yield [record(each, nowS)]
}

/** The id follows. */
export const SUBSCRIPTION = '/v1/subscriptions/'

/** A list from a time on, newest first. */
const list = ({ get }: ReadContext, query: string, sinceMs: number) =>
  listB(get, `${query}&created[gte]=${Math.max(0, Math.floor(sinceMs / 1000))}`)

/** A list as Stripe pages it. */
export const listB = (get: ReadContext['get'], query: string, pagesMax?: number) =>
  pagesOf<object, string>(async (after) => {
    const page = await get(`/v1/${query}&limit=${PAGE}${after ? `&starting_after=${after}` : ''}`)
    const items = at(page, 'data') as object[]
    return { items, next: at(page, 'has_more') === true ? idAt(items.at(-1)) : null }
  }, pagesMax)

/** Paid invoices, each missing one with the subscription as it is now: its own events may not have arrived either. */
async function invoicesPaid(context: ReadContext, invoices: object[]): Promise<Found[]> {
  const missing = await context.areMissing(invoices.map(idOf))
  const found: Found[] = []
  for (const [index, invoice] of invoices.entries()) {
    const subscriptionId =
      idAt(invoice, 'parent', 'subscription_details', 'subscription') ?? idAt(invoice, 'subscription')
    const objectId = idOf(invoice)
    found.push({ kind: 'period', objectId, event: invoiceEvent(invoice) })
    if (!missing[index] || !subscriptionId) continue
    const subscription = (await context.get(SUBSCRIPTION + encodeURIComponent(subscriptionId))) as object
    const nowS = Math.max(Math.floor(context.app.now().getTime() / 1000), paidAtS(invoice))
    const event = eventOf('customer.subscription.updated', subscription, nowS, subscriptionId, objectId)
    found.push({ kind: 'subscription', objectId, event })
  }
  return found
}

/** The event of a paid invoice. */
export const invoiceEvent = (invoice: object) => eventOf('invoice.paid', invoice, paidAtS(invoice), idOf(invoice))

/** A purchase, or the checkout of a subscription, which binds its customer. */
const session = (object: object): Found => ({
  kind: textAt(object, 'mode') === 'payment' ? 'purchase' : 'customer',
  objectId: idOf(object),
  event: eventOf('checkout.session.completed', object, createdS(object), idOf(object)),
})

/** A refund by itself. A failure has the time its money came back, so it undoes no later refund; else now. */
function refund(object: object, nowS: number): Found {
  const status = textAt(object, 'status') ?? ''
  const isUndone = status === 'failed' || status === 'canceled'
  const failedS = numberAt(object, 'failure_balance_transaction', 'created') ?? nowS
  const atS = isUndone ? Math.max(failedS, createdS(object)) : createdS(object)
  const event = eventOf('refund.updated', object, atS, idOf(object), status)
  return { kind: 'refund', objectId: idAt(object, 'charge') ?? idOf(object), event }
}

const creditNote = (object: object): Found => {
  const voidedAt = numberAt(object, 'voided_at')
  const type = textAt(object, 'status') === 'void' ? 'voided' : 'created'
  const event = eventOf(`credit_note.${type}`, object, voidedAt ?? createdS(object), idOf(object), type)
  return { kind: 'credit note', objectId: idOf(object), event }
}

/** A dispute as of its last movement of funds, so that no event of before outranks its end. */
function dispute(object: object, nowS: number): Found {
  const [status, list] = [textAt(object, 'status') ?? '', at(object, 'balance_transactions')]
  const movedS = (Array.isArray(list) ? list : []).map((each) => numberAt(each, 'created') ?? nowS)
  const isOver = status === 'won' || status === 'lost'
  const atS = Math.max(createdS(object), ...movedS, ...(isOver && movedS.length === 0 ? [nowS] : []))
  const event = eventOf('charge.dispute.updated', object, atS, idOf(object), status, movedS.length)
  return { kind: 'dispute', objectId: idOf(object), event }
}

/** A subscription as it is now. A cancelled one is the processor's `deleted`. */
function record(object: object, nowS: number): Found {
  const status = textAt(object, 'status') ?? ''
  const type = `customer.subscription.${status === 'canceled' ? 'deleted' : 'updated'}`
  const periodEnd =
    numberAt(object, 'items', 'data', 0, 'current_period_end') ?? numberAt(object, 'current_period_end') ?? 0
  const event = eventOf(type, object, nowS, idOf(object), status, periodEnd)
  return { kind: 'subscription', objectId: idOf(object), event }
}

const eventOf = (type: string, object: object, created: number, ...idParts: (string | number)[]) => ({
  id: derivedId(...idParts),
  object: 'event',
  type,
  created,
  data: { object },
  ...(typeof at(object, 'livemode') === 'boolean' ? { livemode: at(object, 'livemode') } : {}),
})

const idOf = (object: object): string => idAt(object) ?? ''
const createdS = (object: object): number => numberAt(object, 'created') ?? 0
const paidAtS = (invoice: object): number => numberAt(invoice, 'status_transitions', 'paid_at') ?? createdS(invoice)
