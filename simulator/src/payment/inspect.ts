/**
 * For tests and the curious: what the processors know and what they sent, as JSON; and a way to have any event, or any text,
 * sent at will. Open to whoever reaches the simulator.
 */
import type { FastifyInstance } from 'fastify'
import type { Customer, SentEvent } from './account.ts'
import type { Desk } from './desk.ts'
import { document, html } from './look.ts'
import { shuffled } from './outbox.ts'
import { type Processor, processors } from './product.ts'

type Query = { customer?: string; email?: string; processor?: string }
type Send = { event: string; type: string; status: number | null }
type Wish = {
  /** One event by its id, or all of a customer, or any text under a good signature. */
  event?: unknown
  customer?: unknown
  processor?: unknown
  body?: unknown
  /** How often each is sent: 1. */
  times?: unknown
  /** The same seed gives the same disorder. */
  shuffle?: unknown
  seed?: unknown
  /** All at the same moment instead of one after another. */
  together?: unknown
  /** Where to, if not where the settings say. */
  url?: unknown
}

const TIMES_MAX = 1000

export function inspectRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk
  app.get<{ Querystring: Query }>('/simulator/payments', async ({ query }) => ({
    customers: [...accounts.customers.values()].filter((each) => matches(each, query)).map((each) => describe(each)),
    checkouts: [...accounts.checkouts.values()].map((checkout) => ({
      ...checkout,
      url: `${desk.baseUrl()}/${checkout.processor}/checkout/${checkout.id}`,
    })),
  }))

  app.post<{ Body: Wish | null }>('/simulator/payments/deliver', async (request, reply) => {
    const wish = request.body ?? {}
    const sends = sendsOf(wish)
    if (typeof sends === 'string') return reply.code(400).send({ error: sends })
    const deliveries: Send[] = []
    if (wish.together === true) deliveries.push(...(await Promise.all(sends.map((send) => send()))))
    else for (const send of sends) deliveries.push(await send())
    return { deliveries }
  })

  app.get('/simulator/customers', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(customersPage([...accounts.customers.values()])),
  )

  const describe = (customer: Customer) => {
    const { portal, ...rest } = customer
    return { ...rest, portalUrl: `${desk.baseUrl()}/${customer.processor}/portal/${portal}` }
  }

  /** What the wish comes to, in order, or what is wrong with it. */
  function sendsOf(wish: Wish): (() => Promise<Send>)[] | string {
    const times = wish.times ?? 1
    if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > TIMES_MAX) {
      return `times must be a whole number from 1 to ${TIMES_MAX}.`
    }
    const url = typeof wish.url === 'string' ? wish.url : undefined
    const once = onceOf(wish, url)
    if (typeof once === 'string') return once
    const sends = Array.from({ length: Number(times) }, () => once).flat()
    if (wish.shuffle !== true) return sends
    return shuffled(sends, typeof wish.seed === 'number' ? seeded(wish.seed) : Math.random)
  }

  function onceOf(wish: Wish, url: string | undefined): (() => Promise<Send>)[] | string {
    const send = (customer: Customer, event: SentEvent) => async (): Promise<Send> => {
      const status = await desk.outbox.deliver(customer, event, url)
      return { event: event.id, type: event.type, status }
    }
    if (typeof wish.event === 'string') {
      const found = accounts.eventById(wish.event)
      return found ? [send(found.customer, found.event)] : 'There is no such event.'
    }
    if (typeof wish.customer === 'string') {
      const customer = accounts.customers.get(wish.customer)
      return customer ? customer.events.map((event) => send(customer, event)) : 'There is no such customer.'
    }
    const processor = processors.find((each): each is Processor => each === wish.processor)
    if (!processor || wish.body === undefined) return 'Name an event, a customer, or a processor and a body.'
    const text = typeof wish.body === 'string' ? wish.body : JSON.stringify(wish.body)
    return [async () => ({ event: '', type: '', status: await desk.outbox.post(processor, text, url) })]
  }
}

function matches(customer: Customer, { customer: id, email, processor }: Query): boolean {
  return (
    (id === undefined || customer.id === id) &&
    (email === undefined || customer.email === email) &&
    (processor === undefined || customer.processor === processor)
  )
}

/** Mulberry32: small, and the same everywhere for the same seed. */
function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function customersPage(customers: Customer[]): string {
  const rows = customers.toReversed().map(({ processor, portal, email, id, subscriptions, payments }) => {
    const counts = `payments: ${payments.length} · subscriptions: ${subscriptions.length}`
    return html`<li><div><a href="/${processor}/portal/${portal}">${email}</a><div class="small quiet">${processor} · ${counts}<code>${id}</code></div></div></li>`
  })
  return document(
    'Customers',
    'Payments',
    html`<h1>Customers</h1>
    ${rows.length === 0 ? html`<p class="quiet">Whoever buys something appears here.</p>` : html`<ul class="rows">${rows}</ul>`}`,
  )
}
