/**
 * Sends events: signed as each processor signs, retried on its documented schedule until they are answered 200, and
 * carried on after a restart. The events of one operation go out one after another, in order unless `shuffle` is set.
 */
import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery, PaymentSettings } from '../settings.ts'
import { nextAttemptAt, postJson, sleepUntil } from '../webhook.ts'
import type { Processor } from './products.ts'
import type { Customer, PaymentEvent, Store } from './store.ts'

export type Outbox = ReturnType<typeof openOutbox>

/** Delays before each retry; then the processor gives up. payment-b's add up to just under three days. */
const RETRY_AFTER_S: Record<Processor, number[]> = {
  'payment-a': [30, 60, 300, 3600],
  'payment-b': [60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000],
}
const TIMEOUT_MS: Record<Processor, number> = { 'payment-a': 10_000, 'payment-b': 20_000 }
/** The payer's browser waits for the first attempts, but no longer than this. */
const PAYER_WAITS_MS = 10_000

export function openOutbox(context: {
  store: Store
  webhooks: PaymentSettings['webhooks']
  pace: number
  log: (line: string) => void
  closing: AbortSignal
}) {
  const { store, webhooks, pace, log, closing } = context

  /** Signs and sends any text once. @returns the HTTP status, null without a response */
  const post = async (processor: Processor, body: string, url = webhooks[processor].url): Promise<number | null> => {
    const headers = signature(processor, body, webhooks[processor].secret)
    return url ? postJson(url, body, { headers, timeoutMs: TIMEOUT_MS[processor], closing }) : null
  }

  /** Makes one attempt now, at another address with `url`. @returns the HTTP status, null without a response */
  const deliver = async (customer: Customer, event: PaymentEvent, url?: string): Promise<number | null> => {
    const at = new Date().toISOString()
    const status = await post(customer.processor, event.body, url)
    closing.throwIfAborted()
    event.deliveries.push({ at, status })
    if (status === 200 && url === undefined) Object.assign(event, { state: 'delivered', nextAt: null })
    store.saveCustomer(customer)
    log(`${customer.processor} ${event.id} ${event.type}: ${status ?? 'no response'}`)
    return status
  }

  /** Makes one attempt of the schedule; a failed one sets the time of the next. */
  const attempt = async (customer: Customer, event: PaymentEvent): Promise<void> => {
    event.attempts++
    if ((await deliver(customer, event)) === 200 || event.state === 'delivered') return
    const nextAt = nextAttemptAt(RETRY_AFTER_S[customer.processor], event.attempts, pace)
    Object.assign(event, { nextAt, state: nextAt === null ? 'given up' : 'waiting' })
    store.saveCustomer(customer)
  }

  const retry = async (customer: Customer, event: PaymentEvent): Promise<void> => {
    while (event.state === 'waiting') {
      await sleepUntil(event.nextAt ?? 0, closing)
      if (event.state === 'waiting') await attempt(customer, event)
    }
  }
  const retryAll = (customer: Customer, events: PaymentEvent[]): void => {
    for (const event of events) {
      retry(customer, event).catch((error: unknown) => {
        if (!closing.aborted) log(`${customer.processor} ${event.id} stopped: ${String(error)}`)
      })
    }
  }

  /** Resolves when each event was attempted once, or after PAYER_WAITS_MS. */
  const send = async (customer: Customer, events: PaymentEvent[], { chaos }: Delivery): Promise<void> => {
    const due = events.filter(({ state }) => state === 'waiting')
    const all = chaos.includes('double') ? [...due, ...due] : due
    const firstAttempts = async (): Promise<void> => {
      for (const event of chaos.includes('shuffle') ? shuffled(all, Math.random()) : all) {
        // The second of a pair is sent even if the first was delivered, but only the first counts for the schedule.
        await (event.attempts === 0 ? attempt(customer, event) : deliver(customer, event))
      }
      retryAll(customer, due)
    }
    const attempted = firstAttempts().catch((error: unknown) => {
      if (!closing.aborted) throw error
    })
    await Promise.race([attempted, sleep(PAYER_WAITS_MS, undefined, { ref: false })])
  }

  /** Takes up the deliveries that a stopped process left. */
  const resume = (): void => {
    for (const customer of store.customers.values()) retryAll(customer, customer.events)
  }
  return { send, deliver, post, resume }
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
