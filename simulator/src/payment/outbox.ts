/**
 * Sends events: signed as each processor signs, made again on its documented schedule until they are answered 200, and
 * carried on after a restart. The events of one action go out one after another, so that their order is the one
 * promised, unless disorder is asked for.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Manner, PaymentSettings } from '../settings.ts'
import type { Accounts, Customer, SentEvent } from './account.ts'
import type { Processor } from './product.ts'

export type Outbox = {
  /** Resolves when each was tried once, or after a while: the payer is not kept waiting longer. */
  send: (customer: Customer, events: SentEvent[], manner: Manner) => Promise<void>
  /** One try now, whatever was before; elsewhere than usual with `url`. @returns the HTTP status, null without answer */
  deliver: (customer: Customer, event: SentEvent, url?: string) => Promise<number | null>
  /** Signs and sends any text once. */
  post: (processor: Processor, body: string, url?: string) => Promise<number | null>
  /** Takes up what a stopped process left. */
  resume: () => void
}

/** After so many seconds each; then the processor gives up. payment-b's come to just under three days. */
const RETRY_AFTER_S: Record<Processor, number[]> = {
  'payment-a': [30, 60, 300, 3600],
  'payment-b': [60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000],
}
const RETRY_FLOOR_MS = 100
const TIMEOUT_MS: Record<Processor, number> = { 'payment-a': 10_000, 'payment-b': 20_000 }
const PAYER_WAITS_MS = 10_000
const SLEEP_MS_MAX = 2 ** 31 - 1

export function openOutbox(world: {
  accounts: Accounts
  webhooks: PaymentSettings['webhooks']
  pace: number
  log: (line: string) => void
  closing: AbortSignal
}): Outbox {
  const { accounts, webhooks, closing, log } = world

  const post: Outbox['post'] = async (processor, body, url) => {
    const webhook = webhooks[processor]
    const target = url ?? webhook.url
    if (!target) return null
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature(processor, body, webhook.secret) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS[processor])]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }

  const deliver: Outbox['deliver'] = async (customer, event, url) => {
    const at = new Date().toISOString()
    const status = await post(customer.processor, event.body, url)
    closing.throwIfAborted()
    event.deliveries.push({ at, status })
    if (status === 200 && url === undefined) Object.assign(event, { state: 'delivered', nextAt: null })
    accounts.saveCustomer(customer)
    log(`${customer.processor} ${event.id} ${event.type}: ${status ?? 'no answer'}`)
    return status
  }

  /** One try of the schedule; a failed one names the time of the next. */
  const attempt = async (customer: Customer, event: SentEvent): Promise<void> => {
    event.attempts++
    if ((await deliver(customer, event)) === 200 || event.state === 'delivered') return
    const waitS = RETRY_AFTER_S[customer.processor][event.attempts - 1]
    const waitMs = Math.max(RETRY_FLOOR_MS, (waitS ?? 0) * 1000 * world.pace)
    Object.assign(event, waitS === undefined ? { state: 'given up', nextAt: null } : { nextAt: Date.now() + waitMs })
    accounts.saveCustomer(customer)
  }

  const goOn = (customer: Customer, event: SentEvent): void => {
    const live = async (): Promise<void> => {
      while (event.state === 'waiting') {
        const left = (event.nextAt ?? 0) - Date.now()
        if (left > 0) await sleep(Math.min(left, SLEEP_MS_MAX), undefined, { signal: closing })
        else await attempt(customer, event)
      }
    }
    live().catch((error: unknown) => {
      if (!closing.aborted) log(`${customer.processor} ${event.id} stopped: ${String(error)}`)
    })
  }

  const send: Outbox['send'] = async (customer, events, manner) => {
    const due = events.filter((event) => event.state === 'waiting')
    const round = manner.double ? [...due, ...due] : due
    const firstTries = async (): Promise<void> => {
      for (const event of manner.shuffle ? shuffled(round, Math.random) : round) {
        // The second of a pair is sent whatever became of the first, but only the first counts for the schedule.
        await (event.attempts === 0 ? attempt(customer, event) : deliver(customer, event))
      }
      for (const event of due) goOn(customer, event)
    }
    const tried = firstTries().catch((error: unknown) => {
      if (!closing.aborted) throw error
    })
    await Promise.race([tried, sleep(PAYER_WAITS_MS, undefined, { ref: false })])
  }

  const resume = (): void => {
    for (const customer of accounts.customers.values()) {
      for (const event of customer.events) if (event.state === 'waiting') goOn(customer, event)
    }
  }
  return { send, deliver, post, resume }
}

/** payment-b's signature names the time of sending, which is the real one, however far ahead the event's own is. */
function signature(processor: Processor, body: string, secret: string): Record<string, string> {
  const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')
  if (processor === 'payment-a') return { 'creem-signature': hmac(body) }
  const sentAt = Math.floor(Date.now() / 1000)
  return { 'stripe-signature': `t=${sentAt},v1=${hmac(`${sentAt}.${body}`)}` }
}

/** @param random numbers from 0 to below 1, as from Math.random */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
