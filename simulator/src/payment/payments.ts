/**
 * Both payment processors: their APIs, their pages and their records. For tests and debugging also the records as JSON, a list of
 * customers, and a route that sends events on request. It has no authentication.
 */
import { Hono } from 'hono'
import { html } from 'hono/html'
import { HTTPException } from 'hono/http-exception'
import { records, sendPage } from '../html.ts'
import type { Context } from '../settings.ts'
import { openEvents, type PaymentContext } from './events.ts'
import { paymentPages } from './pages.ts'
import { paymentARoutes } from './payment-a.ts'
import { paymentBRoutes } from './payment-b.ts'
import { openStore, refusal } from './store.ts'

/** `resume` takes up the deliveries of a stopped process; call it once the simulator listens. */
export function openPayments(simulator: Context) {
  const store = openStore(simulator.settings.dataDir)
  const events = openEvents(store, simulator)
  const context = { ...simulator, store, events }
  const app = new Hono()
  app.route('/simulator', inspection(context))
  for (const base of ['/payment-a', '/payment-b']) app.route(base, paymentPages(context))
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
    const url = (of: { processor: string; id: string }, page: string) => `${baseUrl()}/${of.processor}/${page}/${of.id}`
    return c.json({
      customers: customers.map((each) => ({ ...each, portalUrl: url(each, 'portal') })),
      checkouts: [...store.checkouts.values()].map((each) => ({ ...each, url: url(each, 'checkout') })),
    })
  })
  app.get('/customers', (c) => {
    const facts = [...store.customers.values()].map(({ id, email, processor }) => ({ id, email, processor }))
    const link = ({ id, processor }: (typeof facts)[number]) => html`<a href="/${processor}/portal/${id}">Portal</a>`
    return sendPage(c, 'Customers', records('Who bought something', facts, link))
  })

  /** Sends `event` by its id, or all events of `customer`, to `url` or to the webhook URL. */
  app.post('/payments/deliver', async (c) => {
    const request = await c.req.json<{ event?: string; customer?: string; url?: string }>()
    const deliveries: { event: string; type: string; status: number | null }[] = []
    for (const customer of store.customers.values()) {
      for (const event of customer.events) {
        if (request.event ? event.id !== request.event : customer.id !== request.customer) continue
        const status = await events.deliver(customer, event, request.url)
        deliveries.push({ event: event.id, type: event.type, status })
      }
    }
    if (deliveries.length === 0) throw refusal(400, 'Name an event or a customer.')
    return c.json({ deliveries })
  })
  return app
}
