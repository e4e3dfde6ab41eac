/** Reads payment-b's account for reconciliation: Stripe's lists of sessions, invoices, refunds and disputes. */
import type Stripe from 'stripe'
import { parseRetryAfter } from '../../async/backoff.ts'
import type { PaymentSettings } from '../../config/config.ts'
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import {
  AccountError,
  derivedId,
  type Found,
  isTransientStatus,
  LATE_PAYMENT_MS,
  laggingSubscriptions,
  pagesOf,
  RETURNS_MS,
  type ReadAccount,
  type ReadContext,
} from '../account-reader.ts'
import { idAt } from '../event-reader.ts'
import { openStripe, stripeErrors } from './stripe.ts'

const PAGE = 100
const OPTIONS = { timeout: 15_000, maxNetworkRetries: 0 }

type Listed = { id: string }
type List<Item> = Promise<{ data: Item[]; has_more: boolean }>
type Page = { limit: number; created: { gte: number }; starting_after?: string }

/** Payments first, so that a refund finds its payment. */
export const accountB = (settings: PaymentSettings): ReadAccount =>
  async function* read(context) {
    const stripe = openStripe(settings)
    const sinceMs = context.since.getTime()
    const invoices = list(context, sinceMs - LATE_PAYMENT_MS, (page) =>
      stripe.invoices.list({ ...page, status: 'paid', expand: ['data.payments'] }, OPTIONS),
    )
    for await (const page of invoices) {
      yield await invoicesPaid(
        stripe,
        context,
        page.filter((invoice) => paidAtS(invoice) * 1000 >= sinceMs),
      )
    }
    const sessions = list(context, sinceMs - LATE_PAYMENT_MS, (page) =>
      stripe.checkout.sessions.list({ ...page, status: 'complete', expand: ['data.line_items'] }, OPTIONS),
    )
    for await (const page of sessions) yield page.filter(isPaid).map(session)

    const refunds = list(context, sinceMs, (page) => stripe.refunds.list({ ...page, expand: ['data.charge'] }, OPTIONS))
    for await (const page of refunds) yield page.map(refund).filter((each) => each !== null)
    const disputes = list(context, sinceMs - RETURNS_MS, (page) => stripe.disputes.list(page, OPTIONS))
    for await (const page of disputes) yield page.map(dispute)

    const nowS = Math.floor(context.app.now().getTime() / 1000)
    const retrieve = (id: string) => context.call(() => stripe.subscriptions.retrieve(id, {}, OPTIONS).catch(refuse))
    for await (const subscription of laggingSubscriptions(context, retrieve)) yield [record(subscription, nowS)]
  }

/** A list from a time on, newest first, as Stripe pages it. */
const list = <Item extends Listed>({ call }: ReadContext, sinceMs: number, request: (page: Page) => List<Item>) =>
  pagesOf<Item, string>(async (after) => {
    const created = { gte: Math.max(0, Math.floor(sinceMs / 1000)) }
    const page = { limit: PAGE, created, ...(after === null ? {} : { starting_after: after }) }
    const { data, has_more } = await call(() => request(page).catch(refuse))
    return { items: data, next: has_more ? (data.at(-1)?.id ?? null) : null }
  })

/** Paid invoices, each missing one with the subscription as it is now: its own events may not have arrived either. */
async function invoicesPaid(stripe: Stripe, context: ReadContext, invoices: Stripe.Invoice[]): Promise<Found[]> {
  const missing = await context.areMissing(
    invoices.map((invoice) => [{ do: 'link', ids: [invoice.id], source: `payment-b:${invoice.id}` }]),
  )
  const found: Found[] = []
  for (const [index, invoice] of invoices.entries()) {
    const subscriptionId =
      idAt(invoice, 'parent', 'subscription_details', 'subscription') ?? idAt(invoice, 'subscription')
    const event = eventOf('invoice.paid', invoice, paidAtS(invoice), invoice.id)
    found.push({ kind: 'period', objectId: invoice.id, event })
    if (!missing[index] || !subscriptionId) continue
    const subscription = await context.call(() =>
      stripe.subscriptions.retrieve(subscriptionId, {}, OPTIONS).catch(refuse),
    )
    const nowS = Math.max(Math.floor(context.app.now().getTime() / 1000), paidAtS(invoice))
    found.push({
      kind: 'subscription',
      objectId: invoice.id,
      event: eventOf('customer.subscription.updated', subscription, nowS, subscriptionId, invoice.id),
    })
  }
  return found
}

const isPaid = (session: Stripe.Checkout.Session): boolean => session.payment_status !== 'unpaid'

/** A purchase, or the checkout of a subscription, which binds its customer. */
function session(object: Stripe.Checkout.Session): Found {
  const kind = object.mode === 'payment' ? 'purchase' : 'customer'
  const event = eventOf('checkout.session.completed', object, object.created, object.id)
  return { kind, objectId: object.id, event }
}

/** The charge of a refund shows what was refunded in all. */
function refund(object: Stripe.Refund): Found | null {
  const charge = at(object, 'charge')
  const chargeId = idAt(charge)
  const refunded = numberAt(charge, 'amount_refunded')
  if (!chargeId || typeof charge !== 'object' || charge === null || !refunded) return null
  const event = eventOf('charge.refunded', charge, object.created, chargeId, refunded)
  return { kind: 'refund', objectId: chargeId, event }
}

function dispute(object: Stripe.Dispute): Found {
  const event = eventOf('charge.dispute.updated', object, object.created, object.id, object.status)
  return { kind: 'dispute', objectId: object.id, event }
}

/** A subscription as it is now. A cancelled one is the processor's `deleted`. */
function record(object: Stripe.Subscription, nowS: number): Found {
  const type = object.status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated'
  const periodEnd =
    numberAt(object, 'items', 'data', 0, 'current_period_end') ?? numberAt(object, 'current_period_end') ?? 0
  return {
    kind: 'subscription',
    objectId: object.id,
    event: eventOf(type, object, nowS, object.id, object.status, periodEnd),
  }
}

const eventOf = (type: string, object: object, created: number, ...idParts: (string | number)[]) => ({
  id: derivedId(...idParts),
  object: 'event',
  type,
  created,
  data: { object },
  ...(typeof at(object, 'livemode') === 'boolean' ? { livemode: at(object, 'livemode') } : {}),
})

const paidAtS = (invoice: Stripe.Invoice): number =>
  numberAt(invoice, 'status_transitions', 'paid_at') ?? numberAt(invoice, 'created') ?? 0

/** @throws AccountError */
function refuse(error: unknown): never {
  if (!(error instanceof stripeErrors().StripeError)) throw error
  const status = error.statusCode
  const waitS = parseRetryAfter(textAt(error.headers, 'retry-after'), new Date())
  const reason = status === undefined ? 'did not answer' : `answered HTTP ${status}`
  const retry = { status: status ?? null, retryAfterMs: waitS && waitS * 1000 }
  throw new AccountError(`payment-b ${reason}.`, isTransientStatus(status), retry)
}
