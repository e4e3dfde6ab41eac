/**
 * For tests and debugging: the records as JSON, a list of customers, and a route that sends any event, or any text, on
 * request. It has no authentication.
 */
import type { FastifyInstance } from 'fastify'
import type { PaymentContext } from './events.ts'
import { document, html } from './html.ts'
import { shuffled } from './outbox.ts'
import { processors } from './products.ts'
import type { Customer, SentEvent } from './store.ts'

type Query = { customer?: string; email?: string; processor?: string }
type Attempt = { event: string; type: string; status: number | null }
/** One event by its id, all of a customer, or any text of a processor with a valid signature. */
type DeliverRequest = {
  event?: unknown
  customer?: unknown
  processor?: unknown
  body?: unknown
  /** How often each is sent. */
  times?: unknown
  shuffle?: unknown
  /** The same seed gives the same order. */
  seed?: unknown
  /** All concurrently instead of one after another. */
  together?: unknown
  /** Sends elsewhere than to the webhook URL of the settings. */
  url?: unknown
}

const TIMES_MAX = 1000

export function inspectionRoutes(app: FastifyInstance, { store, outbox, baseUrl }: PaymentContext): void {
  app.get<{ Querystring: Query }>('/simulator/payments', async ({ query }) => ({
    customers: [...store.customers.values()]
      .filter(({ id }) => !query.customer || id === query.customer)
      .filter(({ email }) => !query.email || email === query.email)
      .filter(({ processor }) => !query.processor || processor === query.processor)
      .map(({ portal, ...rest }) => ({ ...rest, portalUrl: `${baseUrl()}/${rest.processor}/portal/${portal}` })),
    checkouts: [...store.checkouts.values()].map((checkout) => ({
      ...checkout,
      url: `${baseUrl()}/${checkout.processor}/checkout/${checkout.id}`,
    })),
  }))

  app.post<{ Body: DeliverRequest | null }>('/simulator/payments/deliver', async ({ body }, reply) => {
    const { times = 1, shuffle, seed, together } = body ?? {}
    const once = attemptsOf(body ?? {})
    if (typeof once === 'string') return reply.code(400).send({ error: once })
    if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > TIMES_MAX) {
      return reply.code(400).send({ error: `times must be a whole number from 1 to ${TIMES_MAX}.` })
    }
    const all = Array.from({ length: Number(times) }, () => once).flat()
    const sequence = shuffle === true ? shuffled(all, typeof seed === 'number' ? seed : Math.random()) : all
    const deliveries: Attempt[] = []
    if (together === true) deliveries.push(...(await Promise.all(sequence.map((attempt) => attempt()))))
    else for (const attempt of sequence) deliveries.push(await attempt())
    return { deliveries }
  })

  app.get('/simulator/customers', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(customersPage([...store.customers.values()])),
  )

  /** @returns the attempts in order, or what is wrong with the request */
  function attemptsOf(request: DeliverRequest): (() => Promise<Attempt>)[] | string {
    const url = typeof request.url === 'string' ? request.url : undefined
    const attempt = (customer: Customer, event: SentEvent) => async (): Promise<Attempt> => {
      return { event: event.id, type: event.type, status: await outbox.deliver(customer, event, url) }
    }
    if (request.event !== undefined) {
      const found = [...store.customers.values()].flatMap((customer) =>
        customer.events.filter(({ id }) => id === request.event).map((event) => attempt(customer, event)),
      )
      return found.length > 0 ? found : 'There is no such event.'
    }
    if (request.customer !== undefined) {
      const customer = store.customers.get(String(request.customer))
      return customer ? customer.events.map((event) => attempt(customer, event)) : 'There is no such customer.'
    }
    const processor = processors.find((each) => each === request.processor)
    if (!processor || request.body === undefined) return 'Name an event, a customer, or a processor and a body.'
    const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    return [async () => ({ event: '', type: '', status: await outbox.post(processor, text, url) })]
  }
}

function customersPage(customers: Customer[]): string {
  const rows = customers.toReversed().map(({ processor, portal, email, id, subscriptions, payments }) => {
    const counts = `payments: ${payments.length} · subscriptions: ${subscriptions.length}`
    return html`<li><div><a href="/${processor}/portal/${portal}">${email}</a><div class="small quiet">${processor} · ${counts}<code>${id}</code></div></div></li>`
  })
  const list = rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="quiet">Buyers appear here.</p>`
  return document('Customers', 'Payments', html`<h1>Customers</h1>${list}`)
}
