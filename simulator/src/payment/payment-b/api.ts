/**
 * payment-b's API as its official package calls it: form-encoded bodies, the key as Bearer or as the name of Basic,
 * `Idempotency-Key`, errors in its own shape, and a `request-id` on every response. Its lists are newest first, page by
 * `limit`, `starting_after` and `has_more`, and filter by `created` and `status`.
 */
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { formOf } from '../../html.ts'
import type { ApiContext } from '../processor.ts'
import { productBy } from '../products.ts'
import { type Checkout, found, newCheckout, newId, refusal, type Store } from '../store.ts'
import { chargeRoutes, customerB, documentUrl, listedInvoice, PORTAL } from './charges.ts'
import { customerOf, entriesOf, missing, required } from './form.ts'
import * as wire from './objects.ts'

type Listed = { id?: string | null; created?: number; status?: string; customer?: string | null }

const PAGE = 10
const PAGE_MAX = 100

export function paymentBRoutes(context: ApiContext) {
  const { store, settings, baseUrl } = context
  const app = new Hono()
  app.use('/v1/*', async (c, next) => {
    c.header('request-id', newId('req_', 14))
    checkKey(c.req.header('authorization'), settings.payment(wire.SELLER.name).apiKey)
    await once(c, store, next)
  })
  app.onError((error, c) => {
    const isKnown = error instanceof HTTPException
    const type = isKnown ? 'invalid_request_error' : 'api_error'
    const details = { type, ...(isKnown ? (error.cause as object) : {}), message: error.message }
    return c.json({ error: details }, isKnown ? error.status : 500)
  })

  app.post('/v1/checkout/sessions', async (c) => {
    const form = await formOf(c)
    const checkout = readSession(form, store)
    store.saveCheckout(checkout)
    return c.json({ ...wire.sessionB(checkout), url: `${baseUrl()}/payment-b/checkout/${checkout.id}` })
  })

  app.post('/v1/billing_portal/sessions', async (c) => {
    const form = await formOf(c)
    const customer = customerOf(store, required(form, 'customer'))
    store.saveCustomer(Object.assign(customer, { returnUrl: form.get('return_url') }))
    const url = `${baseUrl()}/payment-b/portal/${customer.id}`
    return c.json({ id: newId('bps_'), object: 'billing_portal.session', customer: customer.id, url })
  })

  chargeRoutes(app, context)
  for (const [path, all] of Object.entries(listsOf(store, baseUrl))) {
    const one = (id: string) =>
      found(
        all().find((each) => each.id === id),
        missing(path, id, 'id', 404),
      )
    app.get(`/v1/${path}`, (c) => c.json(page(c, all())))
    app.get(`/v1/${path}/:id`, (c) => c.json(one(c.req.param('id'))))
    app.get(`/v1/${path}/:id/:part`, (c) => {
      const { [c.req.param('part')]: part } = one(c.req.param('id')) as Record<string, { data: Listed[] } | undefined>
      return c.json(page(c, part?.data ?? []))
    })
  }
  app.all('/v1/*', (c) => {
    throw refusal(404, `Unrecognized request URL (${c.req.method}: ${c.req.path}).`)
  })
  return app
}

/** A request with an idempotency key: the response of the first one, whatever it was. */
async function once(c: Context, { replays }: Store, next: () => Promise<void>): Promise<void> {
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined
  if (key === undefined) return await next()
  const request = `${c.req.path.replace('/payment-b', '')} ${await c.req.text()}`
  const first = replays.get(key)
  if (first && first.request !== request) {
    const message = 'Keys for idempotent requests can only be used with the parameters of their first request.'
    throw refusal(400, message, { type: 'idempotency_error' })
  }
  if (first) {
    c.res = new Response(first.body, { status: first.status, headers: { 'content-type': 'application/json' } })
    c.header('idempotent-replayed', 'true')
    return
  }
  await next()
  replays.set(key, { request, status: c.res.status, body: await c.res.clone().text() })
  const [oldest = ''] = replays.keys()
  if (replays.size > REPLAYS_MAX) replays.delete(oldest)
}
const REPLAYS_MAX = 5_000

/** The objects that can be listed, with everything that `expand` can ask for. */
function listsOf(store: Store, baseUrl: () => string): Record<string, () => Listed[]> {
  const payments = () => store.paymentsOf(wire.SELLER.name)
  return {
    invoices: () => payments().flatMap((paid) => listedInvoice(paid, baseUrl()) ?? []),
    charges: () =>
      payments().flatMap((paid) => {
        const charge = {
          ...wire.chargeB(paid),
          status: 'succeeded',
          receipt_number: null,
          receipt_url: documentUrl(paid.payment, baseUrl()),
        }
        return charge.id === null ? [] : { ...charge, created: wire.seconds(paid.payment.createdAt) }
      }),
    customers: () => store.customersOf(wire.SELLER.name).flatMap((each) => (each.isGuest ? [] : customerB(each))),
    'billing_portal/configurations': () => [PORTAL],
    refunds: () =>
      payments().flatMap((paid) =>
        paid.payment.refunds.flatMap((each) => {
          const refund = wire.refundB(paid, each)
          const { failedAt } = each
          const failure_balance_transaction = failedAt === null ? null : { created: wire.seconds(failedAt) }
          return refund ? { ...refund, charge: wire.chargeB(paid), failure_balance_transaction } : []
        }),
      ),
    credit_notes: () =>
      payments().flatMap((paid) => paid.payment.notes.flatMap((each) => wire.creditNoteB(paid, each) ?? [])),
    disputes: () => payments().flatMap(({ payment }) => wire.disputeB(payment) ?? []),
    subscriptions: () => store.subscriptionsOf(wire.SELLER.name).map(wire.subscriptionB),
    'checkout/sessions': () => {
      const all = [...store.checkouts.values()].filter(({ processor }) => processor === wire.SELLER.name)
      return all.map((checkout) => {
        if (checkout.isSetup) return wire.sessionB(checkout)
        const session = wire.sessionB(checkout, store.paidBy(checkout))
        const item = {
          id: checkout.id.replace('cs_', 'li_'),
          object: 'item',
          amount_subtotal: session.amount_subtotal,
          amount_total: session.amount_total,
          price: { id: wire.priceOf(checkout.productId), object: 'price' },
          quantity: checkout.quantity,
        }
        return { ...session, line_items: { object: 'list', data: [item] } }
      })
    },
  }
}

/** One page of the objects that match `status` and `created`. */
function page(c: Context, all: Listed[]) {
  const { status, customer, limit: limitText, starting_after: after, 'created[gte]': gte = '0' } = c.req.query()
  const limit = Number(limitText ?? PAGE)
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
    throw refusal(400, `This value must be from 1 to ${PAGE_MAX}.`, { param: 'limit' })
  }
  const matching = all
    .filter((each) => (each.created ?? 0) >= Number(gte) && (status === undefined || each.status === status))
    .filter((each) => customer === undefined || each.customer === customer)
    .sort((a, b) => (b.created ?? 0) - (a.created ?? 0))
  const position = after === undefined ? -1 : matching.findIndex(({ id }) => id === after)
  if (after !== undefined && position < 0) throw missing('object', after, 'starting_after')
  const data = matching.slice(position + 1, position + 1 + limit)
  return { object: 'list', data, has_more: position + 1 + data.length < matching.length, url: c.req.path }
}

function readSession(form: URLSearchParams, store: Store): Checkout {
  const mode = required(form, 'mode')
  const customerId = form.get('customer')
  const known = customerId ? customerOf(store, customerId) : null
  const about = {
    id: newId('cs_test_'),
    processor: wire.SELLER.name,
    customerId,
    email: known?.email ?? form.get('customer_email'),
    keepsCustomer: form.get('customer_creation') === 'always',
    metadata: entriesOf(form, 'metadata'),
    reference: form.get('client_reference_id'),
    successUrl: required(form, 'success_url'),
    cancelUrl: form.get('cancel_url'),
  }
  if (mode === 'setup') return newCheckout({ ...about, productId: '', isSetup: true })
  const price = required(form, 'line_items[0][price]')
  const product = found(productBy(wire.SELLER, price), missing('price', price, 'line_items[0][price]'))
  if (mode !== (product.months > 0 ? 'subscription' : 'payment')) {
    throw refusal(400, `The price is not for \`${mode}\` mode.`, { param: 'line_items' })
  }
  const inner = mode === 'payment' ? 'payment_intent_data' : 'subscription_data'
  return newCheckout({ ...about, productId: product.id, innerMetadata: entriesOf(form, `${inner}[metadata]`) })
}

function checkKey(authorization: string | undefined, apiKey: string | null): void {
  const [scheme = '', credentials = ''] = authorization?.split(' ') ?? []
  const basic = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  const key = { basic, bearer: credentials }[scheme.toLowerCase()]
  if (!key) throw refusal(401, 'You did not provide an API key: send it as Authorization: Bearer.')
  if (apiKey && key !== apiKey) throw refusal(401, 'Invalid API Key provided.', { code: 'api_key_invalid' })
}
