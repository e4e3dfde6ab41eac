/**
 * payment-b's reads: its lists of invoices, charges, refunds, disputes and checkout sessions, newest first, and one subscription
 * or the lines of one invoice. Lists page by `limit`, `starting_after` and `has_more`, and filter by `created`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PaymentSettings } from '../settings.ts'
import { refundsOf } from './billing.ts'
import { HttpError } from './http-error.ts'
import {
  chargeB,
  disputeB,
  generations,
  invoiceB,
  invoicePaymentB,
  seconds,
  sessionB,
  subscriptionB,
} from './objects-b.ts'
import type { Customer, Payment, Store } from './store.ts'

type Listed = { id: string | null | undefined; created: number; [field: string]: unknown }

const PAGE = 10
const PAGE_MAX = 100

export function listRoutesB(app: FastifyInstance, store: Store, settings: PaymentSettings): void {
  const generation = generations[settings.delivery.api]
  const payments = () => store.paymentsOf('payment-b')
  const invoices = () => payments().flatMap(({ customer, payment }) => invoiceOf(customer, payment) ?? [])

  function invoiceOf(customer: Customer, payment: Payment) {
    const subscription = customer.subscriptions.find(({ id }) => id === payment.subscriptionId)
    if (!subscription) return null
    const paidBy = payment.intentId === null ? [] : [invoicePaymentB(payment)]
    return {
      ...invoiceB(customer, subscription, payment, generation),
      created: seconds(payment.createdAt),
      livemode: false,
      ...(generation.isFlat ? {} : { payments: { object: 'list', data: paidBy, has_more: false } }),
      status_transitions: { paid_at: payment.paidAt === null ? null : seconds(payment.paidAt) },
    }
  }
  const charge = (customer: Customer, payment: Payment) => ({
    ...chargeB(customer, payment, generation),
    created: seconds(payment.paidAt ?? payment.createdAt),
    livemode: false,
  })

  app.get('/v1/invoices', async (request) => list(request, invoices()))
  app.get('/v1/charges', async (request) =>
    list(
      request,
      payments().flatMap(({ customer, payment }) => (payment.chargeId ? charge(customer, payment) : [])),
    ),
  )
  app.get('/v1/refunds', async (request) => {
    const isExpanded = expands(request, 'data.charge')
    const all = payments().flatMap(({ customer, payment }) =>
      refundsOf(payment).map(({ id, cents, at }) => ({
        id,
        object: 'refund',
        amount: cents,
        charge: isExpanded ? charge(customer, payment) : payment.chargeId,
        created: seconds(at),
        currency: payment.currency.toLowerCase(),
        payment_intent: payment.intentId,
        status: 'succeeded',
      })),
    )
    return list(request, all)
  })
  app.get('/v1/disputes', async (request) =>
    list(
      request,
      payments().flatMap(({ payment }) => (payment.dispute ? disputeB(payment) : [])),
    ),
  )
  app.get('/v1/checkout/sessions', async (request) => {
    const paidBy = new Map(payments().map((each) => [each.payment.checkoutId, each]))
    const isExpanded = expands(request, 'data.line_items')
    const all = [...store.checkouts.values()]
      .filter(({ processor }) => processor === 'payment-b')
      .map((checkout) => ({
        ...sessionB(checkout, null, paidBy.get(checkout.id) ?? null),
        // Events have no line items.
        ...(isExpanded ? { line_items: { object: 'list', data: [{ quantity: checkout.quantity }] } } : {}),
        created: seconds(checkout.createdAt),
        livemode: false,
      }))
    return list(request, all)
  })

  app.get<{ Params: { id: string } }>('/v1/checkout/sessions/:id/line_items', async (request) => {
    const checkout = store.checkouts.get(request.params.id)
    if (checkout?.processor !== 'payment-b') {
      throw new HttpError(404, `No such checkout.session: '${request.params.id}'`, { code: 'resource_missing' })
    }
    return list(request, [
      { id: `li_${checkout.id}`, object: 'item', quantity: checkout.quantity, created: seconds(checkout.createdAt) },
    ])
  })

  app.get<{ Params: { id: string } }>('/v1/subscriptions/:id', async ({ params }) => {
    const found = store.findSubscription('payment-b', params.id)
    if (found) return subscriptionB(found.customer, found.subscription, generation)
    throw new HttpError(404, `No such subscription: '${params.id}'`, { code: 'resource_missing', param: 'id' })
  })
  app.get<{ Params: { id: string } }>('/v1/invoices/:id/lines', async (request) => {
    const invoice = invoices().find(({ id }) => id === request.params.id)
    if (!invoice) throw new HttpError(404, `No such invoice: '${request.params.id}'`, { code: 'resource_missing' })
    const lines = invoice.lines.data.map((line, n) => ({ id: `il_${invoice.id}_${n}`, created: -n, ...line }))
    return list(request, lines)
  })
}

/** One page of the objects that match `status` and `created`. */
function list(request: FastifyRequest, all: Listed[]) {
  const query = queryOf(request)
  const [gte, status] = [Number(query.get('created[gte]') ?? Number.NEGATIVE_INFINITY), query.get('status')]
  const limit = Number(query.get('limit') ?? PAGE)
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
    throw new HttpError(400, `This value must be from 1 to ${PAGE_MAX}.`, { param: 'limit' })
  }
  const matching = all
    .filter((each) => each.created >= gte && (status === null || each.status === status))
    .sort((a, b) => b.created - a.created)
  const after = query.get('starting_after')
  const position = after === null ? -1 : matching.findIndex(({ id }) => id === after)
  if (after !== null && position < 0) {
    throw new HttpError(400, `No such object: '${after}'`, { code: 'resource_missing', param: 'starting_after' })
  }
  const data = matching.slice(position + 1, position + 1 + limit)
  const url = request.url.split('?')[0]
  return { object: 'list', data, has_more: position + 1 + data.length < matching.length, url }
}

const expands = (request: FastifyRequest, field: string): boolean => queryOf(request).get('expand[0]') === field
/** As sent: the names contain brackets. */
const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://simulator').searchParams
