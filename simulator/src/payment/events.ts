/**
 * Runs operations and sends their events: signed as each processor signs, one after another, in order unless `shuffle` is set,
 * retried on the processor's documented schedule until they are answered 200, and carried on after a restart.
 */
import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { attempt, newMessage, postJson, retry } from '../deliveries.ts'
import type { Context, Delivery } from '../settings.ts'
import { objectA } from './objects-a.ts'
import { objectB, seconds, versions } from './objects-b.ts'
import type { Act, Operation } from './operations.ts'
import type { Processor } from './products.ts'
import { refusal } from './refusal.ts'
import { advance, type Customer, newId, type PaymentEvent, type Store } from './store.ts'

export type PaymentContext = Context & { store: Store; events: ReturnType<typeof openEvents> }
/** What an operation works on. */
type Scene = Pick<Act, 'customer'> & Partial<Pick<Act, 'checkout' | 'subscription' | 'payment' | 'next'>>

/** Delays before each retry; then the processor gives up. payment-b's add up to just under three days. */
const RETRY_AFTER_S: Record<Processor, number[]> = {
  'payment-a': [30, 60, 300, 3600],
  'payment-b': [60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000],
}
const TIMEOUT_MS: Record<Processor, number> = { 'payment-a': 10_000, 'payment-b': 20_000 }
/** The payer's browser waits for the first attempts, but no longer than this. */
const PAYER_WAITS_MS = 10_000
/** payment-a's events of one operation all fall into the second before the next operation. */
const GAP_MS = 250

/** The specification's names of a subscription's events where it has one for them; others are updates. */
const specifiedNames: Record<string, string> = { active: 'created', canceled: 'cancelled', expired: 'expired' }

export function openEvents(store: Store, { settings: { payment: settings, pace }, log }: Context) {
  /** Signs and sends any text once. @returns the HTTP status, null without a response */
  const post = async (processor: Processor, body: string, url = settings[processor].url): Promise<number | null> => {
    const headers = signature(processor, body, settings[processor].secret)
    return url ? postJson(url, body, { headers, timeoutMs: TIMEOUT_MS[processor] }) : null
  }
  const routeOf = (customer: Customer, url?: string) => ({
    retryAfterS: RETRY_AFTER_S[customer.processor],
    pace,
    post: async ({ id, type, body }: PaymentEvent) => {
      const status = await post(customer.processor, body, url)
      log(`${customer.processor} ${id} ${type}: ${status ?? 'no response'}`)
      return status
    },
    isReceived: (status: number | null) => status === 200,
    save: () => store.saveCustomer(customer),
  })

  async function send(customer: Customer, events: PaymentEvent[], { chaos }: Delivery): Promise<void> {
    const due = events.filter(({ state }) => state === 'waiting')
    const all = chaos.includes('double') ? [...due, ...due] : due
    const route = routeOf(customer)
    for (const event of chaos.includes('shuffle') ? shuffled(all, Math.random()) : all) await attempt(event, route)
    for (const event of due) retry(event, route)
  }

  return {
    post,
    /** Makes one attempt now, at another address with `url`. @returns the HTTP status, null without a response */
    deliver: (customer: Customer, event: PaymentEvent, url?: string) => attempt(event, routeOf(customer, url)),
    /**
     * Changes the records, stores them with the events of the change, and sends the events.
     * @returns the events, each attempted once or PAYER_WAITS_MS ago; @throws HTTPException 409 when it is not possible
     */
    operate: async <Target>(operation: Operation<Target>, target: Target, scene: Scene, delivery: Delivery) => {
      const { customer } = scene
      const isA = customer.processor === 'payment-a'
      if (!operation.isPossible(target, isA))
        throw refusal(409, 'This is not possible now; the page has no button for it.')
      const { chaos } = delivery
      const sent = chaos.includes('drop') ? 'dropped' : chaos.includes('hold') ? 'held' : 'waiting'
      const state = settings[customer.processor].url ? sent : 'kept'
      const events: PaymentEvent[] = []
      const act: Act = {
        ...{ checkout: null, subscription: null, payment: null, next: null },
        ...scene,
        isA,
        at: advance(scene.subscription ?? customer),
        send: (...types) => {
          for (const type of types) {
            const draft = (isA ? draftA : draftB)(type, act, delivery, events)
            if (draft) events.push({ ...draft, ...newMessage(state) })
          }
        },
      }
      operation.run(target, act)
      act.send(...operation.types)
      customer.events.push(...events)
      // payment-a sends no event for a declined card, so that a payer who never paid is not stored.
      if (store.customers.has(customer.id) || act.payment || events.length > 0) store.saveCustomer(customer)
      if (act.checkout) store.saveCheckout(act.checkout)
      await Promise.race([send(customer, events, delivery), sleep(PAYER_WAITS_MS, undefined, { ref: false })])
      return events
    },
    /** Takes up the deliveries that a stopped process left. */
    resume: (): void => {
      for (const customer of store.customers.values()) {
        for (const event of customer.events) retry(event, routeOf(customer))
      }
    },
  }
}

type Draft = Pick<PaymentEvent, 'id' | 'type' | 'at' | 'body'> | null

function draftA(sentType: string, act: Act, { names }: Delivery, earlier: PaymentEvent[]): Draft {
  const object = objectA(sentType, act)
  if (!object) return null
  let type = sentType
  const [, name] = /^subscription\.(.*)/.exec(type) ?? []
  if (names === 'specified' && name) {
    // One event for each paid period: the one before is of the same period.
    const before = name === 'paid' && earlier.at(-1)?.type.startsWith('subscription.') ? earlier.pop() : null
    type = before?.type ?? `subscription.${specifiedNames[name] ?? 'updated'}`
  }
  const [id, at] = [newId('evt_'), act.at + earlier.length * GAP_MS]
  return { id, type, at, body: JSON.stringify({ id, eventType: type, created_at: at, object }) }
}

function draftB(type: string, act: Act, { api }: Delivery): Draft {
  const object = objectB(type, act, api)
  if (!object) return null
  const [id, { at }] = [newId('evt_'), act]
  const head = { id, object: 'event', api_version: versions[api], created: seconds(at), livemode: false, type }
  return { id, type, at, body: JSON.stringify({ ...head, data: { object } }, null, 2) }
}

/** payment-b's signature carries the time of sending, which is the real one, however far ahead the event's own is. */
function signature(processor: Processor, body: string, secret: string): Record<string, string> {
  const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')
  if (processor === 'payment-a') return { 'creem-signature': hmac(body) }
  const sentAt = Math.floor(Date.now() / 1000)
  return { 'stripe-signature': `t=${sentAt},v1=${hmac(`${sentAt}.${body}`)}` }
}

/** Sorted by a hash of seed and index: one seed always gives the same order. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const hash = (index: number): string => createHash('sha256').update(`${seed}:${index}`).digest('hex')
  const keyed = items.map((item, index) => ({ item, key: hash(index) }))
  return keyed.sort((a, b) => a.key.localeCompare(b.key)).map(({ item }) => item)
}
