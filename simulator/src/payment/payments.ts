/**
 * Both payment processors: their APIs, their pages and their records. For tests and debugging also the records as JSON, a list of
 * customers, and a route that sends any event, or any text, on request. It has no authentication.
 */
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { sendPage } from '../html.ts'
import type { Settings } from '../settings.ts'
import { paymentARoutes } from './api-a.ts'
import { paymentBRoutes } from './api-b.ts'
import { openEvents, type PaymentContext, shuffled } from './events.ts'
import { paymentPages } from './pages.ts'
import { processors } from './products.ts'
import { openStore } from './store.ts'
import { customersView } from './views.ts'

type Attempt = { event: string; type: string; status: number | null }
type DeliverRequest = { times?: number; shuffle?: boolean; seed?: number; together?: boolean; url?: string } & {
  event?: string
  customer?: string
  processor?: string
  body?: unknown
}

const TIMES_MAX = 1000

/** `resume` takes up the deliveries of a stopped process; call it once the simulator listens. */
export function openPayments(options: { settings: Settings; baseUrl: () => string; log: (line: string) => void }) {
  const { settings, baseUrl, log } = options
  const store = openStore(settings.dataDir)
  const events = openEvents(store, { settings: settings.payment, pace: settings.pace, log })
  const context = { store, events, settings: settings.payment, baseUrl }
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
  app.onError((error, c) => c.json({ error: error.message }, error instanceof HTTPException ? 400 : 500))
  app.get('/payments', (c) => {
    const wanted = c.req.query()
    const isWanted = (record: Record<string, string>): boolean =>
      Object.entries(record).every(([name, value]) => !wanted[name] || wanted[name] === value)
    return c.json({
      customers: [...store.customers.values()]
        .filter(({ id, email, processor }) => isWanted({ customer: id, email, processor }))
        .map(({ portal, ...rest }) => ({ ...rest, portalUrl: `${baseUrl()}/${rest.processor}/portal/${portal}` })),
      checkouts: [...store.checkouts.values()].map((checkout) => ({
        ...checkout,
        url: `${baseUrl()}/${checkout.processor}/checkout/${checkout.id}`,
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
      throw new HTTPException(400, { message: `times must be a whole number from 1 to ${TIMES_MAX}.` })
    }
    const all = Array.from({ length: times }, () => attemptsOf(request)).flat()
    const sequence = shuffle ? shuffled(all, seed) : all
    if (together) return c.json({ deliveries: await Promise.all(sequence.map((attempt) => attempt())) })
    const deliveries: Attempt[] = []
    for (const attempt of sequence) deliveries.push(await attempt())
    return c.json({ deliveries })
  })

  /** @returns the attempts in order; @throws HTTPException 400 */
  function attemptsOf({ url, event: id, customer: customerId, ...request }: DeliverRequest) {
    const found = [...store.customers.values()].flatMap((customer) =>
      customer.events
        .filter((event) => (id ? event.id === id : customer.id === customerId && event.state !== 'dropped'))
        .map((event) => async (): Promise<Attempt> => {
          return { event: event.id, type: event.type, status: await events.deliver(customer, event, url) }
        }),
    )
    if (found.length > 0) return found
    const processor = processors.find((each) => each === request.processor)
    if (!processor || request.body === undefined) {
      throw new HTTPException(400, { message: 'Name an event, a customer, or a processor and a body.' })
    }
    const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    return [async (): Promise<Attempt> => ({ event: '', type: '', status: await events.post(processor, text, url) })]
  }
  return app
}
