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

type Attempt = { event: string; type: string; status: number | null }
type DeliverRequest = Partial<Record<string, unknown>>

const TIMES_MAX = 1000

export function inspectionRoutes(app: FastifyInstance, { store, outbox, baseUrl }: PaymentContext): void {
  app.get<{ Querystring: Partial<Record<string, string>> }>('/simulator/payments', async ({ query }) => ({
    customers: [...store.customers.values()]
      .filter(({ id, email, processor }) => matches(query, { customer: id, email, processor }))
      .map(({ portal, ...rest }) => ({ ...rest, portalUrl: `${baseUrl()}/${rest.processor}/portal/${portal}` })),
    checkouts: [...store.checkouts.values()].map((checkout) => ({
      ...checkout,
      url: `${baseUrl()}/${checkout.processor}/checkout/${checkout.id}`,
    })),
  }))

  app.get('/simulator/customers', async (_request, reply) =>
    sendPage(reply, 'Customers', 'Payments', customersView([...store.customers.values()])),
  )

  /**
   * Sends `event` by its id, all events of `customer`, or any `body` of `processor` with a valid signature: `times`, in
   * the order that `seed` gives with `shuffle`, `together` or one after another, to `url` or to the webhook URL.
   */
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
      return attemptsWith(
        customer,
        customer.events.filter(({ state }) => state !== 'dropped'),
      )
    }
    const processor = processors.find((each) => each === request.processor)
    if (!processor || request.body === undefined) {
      throw new HttpError(400, 'Name an event, a customer, or a processor and a body.')
    }
    const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    return [async () => ({ event: '', type: '', status: await outbox.post(processor, text, url) })]
  }
}

const matches = (query: Partial<Record<string, string>>, record: Record<string, string>): boolean =>
  Object.entries(record).every(([name, value]) => !query[name] || query[name] === value)
