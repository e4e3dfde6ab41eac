/**
 * For tests and debugging: the records as JSON, a list of customers, and a route that sends any event, or any text, on
 * request. It has no authentication.
 */
import type { FastifyInstance } from 'fastify'
import { sendPage } from '../html.ts'
import type { PaymentContext } from './events.ts'
import { HttpError } from './http-error.ts'
import { shuffled } from './outbox.ts'
import { processors } from './products.ts'
import type { Customer, PaymentEvent } from './store.ts'
import { customersView } from './views.ts'

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

  app.get('/simulator/customers', async (_request, reply) =>
    sendPage(reply, 'Customers', 'Payments', customersView([...store.customers.values()])),
  )

  app.post<{ Body: DeliverRequest | null }>('/simulator/payments/deliver', async ({ body }) => {
    const { times = 1, shuffle, seed, together } = body ?? {}
    const once = attemptsOf(body ?? {})
    if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > TIMES_MAX) {
      throw new HttpError(400, `times must be a whole number from 1 to ${TIMES_MAX}.`)
    }
    const all = Array.from({ length: Number(times) }, () => once).flat()
    const sequence = shuffle === true ? shuffled(all, typeof seed === 'number' ? seed : Math.random()) : all
    if (together === true) return { deliveries: await Promise.all(sequence.map((attempt) => attempt())) }
    const deliveries: Attempt[] = []
    for (const attempt of sequence) deliveries.push(await attempt())
    return { deliveries }
  })

  /** @returns the attempts in order; @throws HttpError 400 */
  function attemptsOf(request: DeliverRequest): (() => Promise<Attempt>)[] {
    const url = typeof request.url === 'string' ? request.url : undefined
    const attemptsWith = (customer: Customer, events: PaymentEvent[]) =>
      events.map((event) => async (): Promise<Attempt> => {
        return { event: event.id, type: event.type, status: await outbox.deliver(customer, event, url) }
      })
    if (request.event !== undefined) {
      for (const customer of store.customers.values()) {
        const event = customer.events.find(({ id }) => id === request.event)
        if (event) return attemptsWith(customer, [event])
      }
      throw new HttpError(400, 'There is no such event.')
    }
    if (request.customer !== undefined) {
      const customer = store.customers.get(String(request.customer))
      if (!customer) throw new HttpError(400, 'There is no such customer.')
      return attemptsWith(customer, customer.events)
    }
    const processor = processors.find((each) => each === request.processor)
    if (!processor || request.body === undefined) {
      throw new HttpError(400, 'Name an event, a customer, or a processor and a body.')
    }
    const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    return [async () => ({ event: '', type: '', status: await outbox.post(processor, text, url) })]
  }
}
