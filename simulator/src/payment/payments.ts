/**
 * Both payment processors: their APIs, their pages and their records. For tests and debugging also the records as JSON, a list of
 * customers, and a route that sends any event, or any text, on request. It has no authentication.
 */
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { sendPage } from '../html.ts'
import type { Context } from '../settings.ts'
import { paymentARoutes } from './api-a.ts'
import { paymentBRoutes } from './api-b.ts'
import { openEvents, type PaymentContext, shuffled } from './events.ts'
import { paymentPages } from './pages.ts'
import { processors } from './products.ts'
import { refusal } from './refusal.ts'
import { openStore } from './store.ts'
import { customersView } from './views.ts'

/** Which events, or which `body` of a `processor`, and how. */
type DeliverRequest = { event?: string; customer?: string; processor?: string; body?: unknown } & {
  times?: number
  shuffle?: boolean
  seed?: number
  together?: boolean
  url?: string
}

const TIMES_MAX = 1000

/** `resume` takes up the deliveries of a stopped process; call it once the simulator listens. */
export function openPayments(simulator: Context) {
  const store = openStore(simulator.settings.dataDir)
  const events = openEvents(store, simulator)
  const context = { ...simulator, store, events }
  const app = new Hono()
  app.route('/simulator', inspection(context))
  for (const processor of processors) app.route(`/${processor}`, paymentPages(context, processor))
  app.route('/payment-a', paymentARoutes(context))
  app.route('/payment-b', paymentBRoutes(context))
  // The official package takes a host and a port but no path, so that payment-b's API is also at the root.
  app.route('/', paymentBRoutes(context))
  return { app, resume: events.resume }
}

function inspection({ store, events, baseUrl }: PaymentContext): Hono {
  const app = new Hono()
  app.onError((error, c) => c.json({ error: error.message }, error instanceof HTTPException ? error.status : 500))
  app.get('/payments', (c) => {
    const wanted = c.req.query()
    const customers = [...store.customers.values()].filter(({ id: customer, email, processor }) =>
      Object.entries({ customer, email, processor }).every(([name, value]) => !wanted[name] || wanted[name] === value),
    )
    const url = (of: string, page: string, id: string): string => `${baseUrl()}/${of}/${page}/${id}`
    return c.json({
      customers: customers.map(({ portal, ...each }) => ({
        ...each,
        portalUrl: url(each.processor, 'portal', portal),
      })),
      checkouts: [...store.checkouts.values()].map((each) => ({
        ...each,
        url: url(each.processor, 'checkout', each.id),
      })),
    })
  })
  app.get('/customers', (c) => sendPage(c, 'Customers', customersView([...store.customers.values()])))

  /**
   * Sends `event` by its id, all events of `customer`, or any `body` of `processor` with a valid signature: `times`, in
   * the order that `seed` gives with `shuffle`, `together` or one after another, to `url` or to the webhook URL.
   */
  app.post('/payments/deliver', async (c) => {
    const request = await c.req.json<DeliverRequest>()
    const { times = 1, shuffle, seed = Math.random(), together } = request
    if (!Number.isInteger(times) || times < 1 || times > TIMES_MAX) {
      throw refusal(400, `times must be a whole number from 1 to ${TIMES_MAX}.`)
    }
    const all = Array.from({ length: times }, () => attemptsOf(request)).flat()
    const sequence = shuffle ? shuffled(all, seed) : all
    if (together) return c.json({ deliveries: await Promise.all(sequence.map((attempt) => attempt())) })
    const deliveries: Awaited<ReturnType<(typeof all)[number]>>[] = []
    for (const attempt of sequence) deliveries.push(await attempt())
    return c.json({ deliveries })
  })

  /** @returns the attempts in order; @throws HTTPException 400 */
  function attemptsOf({ url, event: id, customer: customerId, processor: name, body }: DeliverRequest) {
    const found = [...store.customers.values()].flatMap((customer) =>
      customer.events
        .filter((event) => (id ? event.id === id : customer.id === customerId && event.state !== 'dropped'))
        .map((event) => async () => {
          return { event: event.id, type: event.type, status: await events.deliver(customer, event, url) }
        }),
    )
    if (found.length > 0) return found
    const processor = processors.find((each) => each === name)
    if (!processor || body === undefined) throw refusal(400, 'Name an event, a customer, or a processor and a body.')
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return [async () => ({ event: '', type: '', status: await events.post(processor, text, url) })]
  }
  return app
}
