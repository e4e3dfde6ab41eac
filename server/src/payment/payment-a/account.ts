/**
 * Reads payment-a's account for reconciliation: its list of transactions, and for those that are missing the
 * subscription or the checkout. A transaction names neither product nor user, and there is no list of orders, refunds
 * and disputes: an order is read from its checkout, if this service has opened it, and what was returned from the
 * transaction.
 */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import {
  AccountError,
  derivedId,
  type Found,
  LATE_PAYMENT_MS,
  laggingSubscriptions,
  pagesOf,
  RETURNS_MS,
  type ReadContext,
  type Taken,
} from '../account-reader.ts'
import { dateAt, idAt, idsOf } from '../effect.ts'
import { isPaidStatus, paidIn, SUBSCRIPTION_RECONCILED, TRANSACTION_RETURNED } from './events.ts'

const PAGE = 50
/** A missing order is looked for in as many checkouts. */
const CHECKOUTS_MAX = 500

export async function* accountA(context: ReadContext): AsyncGenerator<Found[]> {
  const [nowMs, sinceMs] = [context.app.now().getTime(), context.since.getTime()]
  for await (const page of transactions(context, sinceMs - RETURNS_MS)) {
    yield await paid(
      context,
      page.filter((each) => createdMs(each) >= sinceMs),
    )
    yield await returnedOf(context, page, nowMs)
  }
  for await (const each of laggingSubscriptions(context, SUBSCRIPTION)) yield [record(each, nowMs)]
}

/** The id follows. */
export const SUBSCRIPTION = '/v1/subscriptions?subscription_id='

/** Transactions of all states, newest first, to the first before `sinceMs`; an ascending list is read whole. */
export const transactions = ({ get }: Pick<ReadContext, 'get'>, sinceMs: number, pagesMax?: number) =>
  pagesOf<unknown, number>(async (cursor) => {
    const page = cursor ?? 1
    const body = await get(`/v1/transactions/search?page_number=${page}&page_size=${PAGE}`)
    const items = at(body, 'items')
    if (!Array.isArray(items)) throw new AccountError('payment-a answered without a list of transactions.')
    const [firstMs, lastMs] = [createdMs(items[0]), createdMs(items.at(-1))]
    const isPast = lastMs < sinceMs && firstMs >= lastMs
    const next = numberAt(body, 'pagination', 'next_page')
    return { items, next: isPast || items.length === 0 || next === null || next <= page ? null : next }
  }, pagesMax)

/** The paid transactions of a page that are missing, as the events that would have brought them. */
async function paid(context: ReadContext, page: unknown[]): Promise<Found[]> {
  const transactions = page.filter((each) => idAt(each) !== null && isPaid(each))
  // A one-time grant is identified by its order; a link of the order shows that it was granted.
  const areMissing = await context.areMissing(
    transactions.map((each) => (idAt(each, 'subscription') ? null : idAt(each, 'order')) ?? idAt(each) ?? ''),
  )
  const missing = transactions.filter((_, index) => areMissing[index])
  const orders = new Set(missing.map((each) => idAt(each, 'order')).filter((id) => id !== null))
  const checkouts = await checkoutsOf(context, orders)
  const found: Found[] = []
  for (const transaction of missing) {
    const orderId = idAt(transaction, 'order') ?? ''
    const checkout = checkouts.get(orderId)
    const subscriptionId = idAt(transaction, 'subscription')
    // All transactions of a subscription share an order, and so a checkout.
    if (checkout && checkouts.delete(orderId)) found.push(checkoutCompleted(checkout, transaction, orderId))
    if (subscriptionId) found.push(await subscriptionPaid(context, subscriptionId, transaction))
    if (!checkout && !subscriptionId) {
      // Its checkout is not known here: an operator has to act.
      const order = { id: orderId, status: 'paid', type: 'onetime' }
      found.push(checkoutCompleted({ id: idAt(transaction), order, transaction }, transaction, orderId, 'unknown'))
    }
  }
  return found
}

/** Finds the checkouts of these orders, by order, among those that this service has opened. */
async function checkoutsOf({ app, get, since }: ReadContext, orders: Set<string>): Promise<Map<string, unknown>> {
  const checkouts = new Map<string, unknown>()
  if (orders.size === 0) return checkouts
  const opened = await app.sql<{ externalId: string }[]>`
    select external_id
    from kinora.payment_checkout
    where processor = 'payment-a' and created_at >= ${new Date(since.getTime() - LATE_PAYMENT_MS)}
    order by created_at desc
    limit ${CHECKOUTS_MAX}
  `
  for (const { externalId } of opened) {
    if (checkouts.size === orders.size) break
    const checkout = await get(`/v1/checkouts?checkout_id=${encodeURIComponent(externalId)}`)
    const orderId = idAt(checkout, 'order')
    if (orderId && orders.has(orderId)) checkouts.set(orderId, checkout)
  }
  return checkouts
}

const checkoutCompleted = (checkout: unknown, transaction: unknown, orderId: string, ...idParts: string[]): Found => ({
  kind: idAt(transaction, 'subscription') ? 'customer' : 'purchase',
  objectId: orderId || (idAt(transaction) ?? ''),
  event: eventOf('checkout.completed', checkout, transaction, orderId, ...idParts),
})

/** The subscription with this transaction and the period that it paid for. */
async function subscriptionPaid({ get }: ReadContext, subscriptionId: string, transaction: unknown): Promise<Found> {
  const subscription = (await get(SUBSCRIPTION + encodeURIComponent(subscriptionId))) as object
  const id = idAt(transaction) ?? ''
  const [start, end] = [dateAt(transaction, 'period_start'), dateAt(transaction, 'period_end')]
  const object = {
    ...subscription,
    last_transaction_id: id,
    last_transaction: transaction,
    last_transaction_date: new Date(createdMs(transaction)).toISOString(),
    ...(start && end
      ? { current_period_start_date: start.toISOString(), current_period_end_date: end.toISOString() }
      : {}),
  }
  return { kind: 'period', objectId: id, event: eventOf(SUBSCRIPTION_RECONCILED, object, transaction, id) }
}

/** A subscription as it is now, which proves no payment. */
function record(subscription: object, nowMs: number): Found {
  const [id, status] = [idAt(subscription) ?? '', statusOf(subscription)]
  const type = /^cancell?ed$/.test(status) ? 'subscription.canceled' : 'subscription.update'
  const periodEnd = dateAt(subscription, 'current_period_end_date')?.getTime() ?? 0
  return {
    kind: 'subscription',
    objectId: id,
    event: { id: derivedId(id, status, periodEnd), eventType: type, created_at: nowMs, object: subscription },
  }
}

/**
 * What is returned of a page's transactions by now; and, where that is less than what was taken back, the refunds that
 * have failed and the disputes that were won: payment-a lists neither, so a transaction's total is all that shows them.
 */
async function returnedOf({ takenOf }: ReadContext, page: unknown[], nowMs: number): Promise<Found[]> {
  const ids = page.flatMap((each) => idsOf(idAt(each), idAt(each, 'order')))
  const taken = Map.groupBy(await takenOf(ids), ({ charge }) => charge)
  return page.flatMap((transaction) => {
    const known = taken.get(idAt(transaction) ?? '') ?? []
    const cents = numberAt(transaction, 'refunded_amount') ?? 0
    const total = known.find(({ kind }) => kind === 'returned')
    if (isChargedBack(transaction)) return [returned(transaction, nowMs)]
    // A processor that has shown a chargeback shows its end.
    const wasChargedBack = total !== undefined && total.cents > cents && total.cents === paidIn(transaction)
    return [
      ...(cents > 0 || total ? [returned(transaction, nowMs)] : []),
      ...undone(
        known.filter(({ kind }) => kind === 'refund'),
        cents,
      ).map((each) => undo('refund.created', transaction, each, nowMs)),
      ...known
        .filter(({ kind }) => kind === 'dispute' && wasChargedBack)
        .map((each) => undo('dispute.created', transaction, each, nowMs)),
    ]
  })
}

/** The refunds, the latest first, without which the others come to this total; none where no choice does. */
function undone(refunds: Taken[], total: number): Taken[] {
  let excess = refunds.reduce((sum, { cents }) => sum + cents, 0) - total
  const failed = refunds.filter(({ cents }) => {
    if (cents > excess) return false
    excess -= cents
    return true
  })
  return excess === 0 ? failed : []
}

/** The event of a refund that failed, or of a dispute that was won. */
function undo(type: string, transaction: unknown, { key, cents }: Taken, nowMs: number): Found {
  const kind = type.startsWith('refund') ? 'refund' : 'dispute'
  const object = {
    id: key,
    status: kind === 'refund' ? 'failed' : 'won',
    amount: cents,
    currency: textAt(transaction, 'currency'),
    transaction,
  }
  const event = eventOf(type, object, transaction, key, 'undone')
  return { kind, objectId: idAt(transaction) ?? '', event: { ...event, created_at: nowMs } }
}

/** What is returned of it by now. */
function returned(transaction: unknown, nowMs: number): Found {
  const id = idAt(transaction) ?? ''
  const amount = isChargedBack(transaction) ? 'all' : (numberAt(transaction, 'refunded_amount') ?? 0)
  const event = eventOf(TRANSACTION_RETURNED, transaction, transaction, id, 'returned', amount)
  return {
    kind: isChargedBack(transaction) ? 'dispute' : 'refund',
    objectId: id,
    event: { ...event, created_at: nowMs },
  }
}

const eventOf = (eventType: string, object: unknown, transaction: unknown, ...idParts: (string | number)[]) => ({
  id: derivedId(...idParts),
  eventType,
  created_at: createdMs(transaction),
  object,
})

export const createdMs = (transaction: unknown): number => dateAt(transaction, 'created_at')?.getTime() ?? 0
const statusOf = (transaction: unknown): string => (textAt(transaction, 'status') ?? '').toLowerCase()
const isChargedBack = (transaction: unknown): boolean => /^charged?_?back/.test(statusOf(transaction))
export const isPaid = (transaction: unknown): boolean => isPaidStatus(statusOf(transaction))
