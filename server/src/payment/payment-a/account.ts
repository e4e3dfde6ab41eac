/**
 * Reads payment-a's account for reconciliation: its list of transactions, and for those that are missing the subscription or the
 * checkout. A transaction names neither product nor user, and there is no list of orders, refunds and disputes: an order is read
 * from its checkout, if this service has opened it, and what was returned from the transaction.
 */
import type { PaymentSettings } from '../../config/config.ts'
import { openHttpClient } from '../../net/http-client.ts'
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import {
  AccountError,
  derivedId,
  type Found,
  LATE_PAYMENT_MS,
  laggingSubscriptions,
  pagesOf,
  RETURNS_MS,
  type ReadAccount,
  type ReadContext,
  readFrom,
} from '../account-reader.ts'
import { dateAt, idAt } from '../event-reader.ts'
import { isPaidStatus, SUBSCRIPTION_RECONCILED, TRANSACTION_RETURNED } from './events.ts'

const TIMEOUT_S = 15
const PAGE = 50
/** A missing order is looked for in as many checkouts. */
const CHECKOUTS_MAX = 500

type Get = (path: string) => Promise<unknown>

export const accountA = (settings: PaymentSettings): ReadAccount =>
  async function* read(context) {
    const client = openHttpClient(TIMEOUT_S)
    const get: Get = (path) => context.call(() => readFrom(client, 'payment-a', settings, path))
    try {
      for await (const page of transactions(get, context.since.getTime() - RETURNS_MS)) {
        yield await paid(
          get,
          context,
          page.filter((each) => createdMs(each) >= context.since.getTime()),
        )
        yield page
          .filter((each) => (numberAt(each, 'refunded_amount') ?? 0) > 0 || isChargedBack(each))
          .map((each) => returned(each, context.app.now().getTime()))
      }
      const nowMs = context.app.now().getTime()
      for await (const subscription of laggingSubscriptions(context, (id) => subscriptionOf(get, id))) {
        yield [record(subscription, nowMs)]
      }
    } finally {
      await client.close()
    }
  }

/** Transactions of all states, newest first. Pages end once one lies before `sinceMs`; an ascending list is read whole. */
const transactions = (get: Get, sinceMs: number) =>
  pagesOf<unknown, number>(async (cursor) => {
    const page = cursor ?? 1
    const body = await get(`/v1/transactions/search?page_number=${page}&page_size=${PAGE}`)
    const items = at(body, 'items')
    if (!Array.isArray(items)) throw new AccountError('payment-a answered without a list of transactions.', false)
    const [firstMs, lastMs] = [createdMs(items[0]), createdMs(items.at(-1))]
    const isPast = lastMs < sinceMs && firstMs >= lastMs
    const next = numberAt(body, 'pagination', 'next_page')
    return { items, next: isPast || items.length === 0 || next === null || next <= page ? null : next }
  })

/** The paid transactions of a page that are missing, as the events that would have brought them. */
async function paid(get: Get, context: ReadContext, page: unknown[]): Promise<Found[]> {
  const transactions = page.filter((each) => idAt(each) !== null && isPaid(each))
  const areMissing = await context.areMissing(
    transactions.map((each) => {
      const id = idAt(each) ?? ''
      const orderId = idAt(each, 'order')
      // A one-time grant is identified by its order; a link of the order shows that it was granted.
      if (!idAt(each, 'subscription')) return [{ do: 'link', ids: [orderId ?? id], source: `payment-a:${orderId}` }]
      return [{ do: 'link', ids: [id], source: `payment-a:${id}` }]
    }),
  )
  const missing = transactions.filter((_, index) => areMissing[index])
  const orders = new Set(missing.map((each) => idAt(each, 'order')).filter((id) => id !== null))
  const checkouts = await checkoutsOf(get, context, orders)
  const found: Found[] = []
  for (const transaction of missing) {
    const orderId = idAt(transaction, 'order')
    const checkout = orderId ? checkouts.get(orderId) : undefined
    const subscriptionId = idAt(transaction, 'subscription')
    // All transactions of a subscription share an order, and so a checkout.
    if (orderId && checkout && checkouts.delete(orderId)) found.push(checkoutCompleted(checkout, transaction))
    if (subscriptionId) found.push(await subscriptionPaid(get, subscriptionId, transaction))
    if (!checkout && !subscriptionId) found.push(unknownOrder(transaction))
  }
  return found
}

/** Finds the checkouts of these orders, by order, among those that this service has opened. */
async function checkoutsOf(get: Get, { app, since }: ReadContext, orders: Set<string>): Promise<Map<string, unknown>> {
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

function checkoutCompleted(checkout: unknown, transaction: unknown): Found {
  const orderId = idAt(checkout, 'order') ?? ''
  const isSubscription = idAt(transaction, 'subscription') !== null
  return {
    kind: isSubscription ? 'customer' : 'purchase',
    objectId: orderId,
    event: eventOf('checkout.completed', checkout, transaction, orderId),
  }
}

/** The subscription with this transaction and the period that it paid for. */
async function subscriptionPaid(get: Get, subscriptionId: string, transaction: unknown): Promise<Found> {
  const subscription = await subscriptionOf(get, subscriptionId)
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

const subscriptionOf = async (get: Get, id: string) =>
  (await get(`/v1/subscriptions?subscription_id=${encodeURIComponent(id)}`)) as Record<string, unknown>

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

/** A purchase whose checkout is not known here: an operator has to act. */
const unknownOrder = (transaction: unknown): Found => ({
  kind: 'purchase',
  objectId: idAt(transaction, 'order') ?? idAt(transaction) ?? '',
  event: eventOf(
    'checkout.completed',
    { id: idAt(transaction), order: { id: idAt(transaction, 'order'), status: 'paid', type: 'onetime' }, transaction },
    transaction,
    idAt(transaction, 'order') ?? '',
    'unknown',
  ),
})

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

const createdMs = (transaction: unknown): number => dateAt(transaction, 'created_at')?.getTime() ?? 0
const statusOf = (transaction: unknown): string => (textAt(transaction, 'status') ?? '').toLowerCase()
const isChargedBack = (transaction: unknown): boolean => /^charged?_?back/.test(statusOf(transaction))
const isPaid = (transaction: unknown): boolean => isPaidStatus(statusOf(transaction))
