/**
 * The payment processors: users pay, and webhooks report it, each until it is answered with 200: late, twice, in any
 * order. The events are in payments.ts.
 */
import { createHmac } from 'node:crypto'
import type { Call } from './api.ts'
import type { FaultInjector } from './fault-injector.ts'
import { type Event, openPayments, type Payment, type Processor, seconds } from './payments.ts'
import { secrets } from './processes.ts'
import type { Scheduler } from './scheduler.ts'
import type { Request, Response } from './services.ts'

export type Processors = {
  payments: Payment[]
  pending: () => number
  /** Their APIs: what an event lacks. */
  host: (request: Request) => Response
  start: (userIds: string[], count: number) => void
}

/** A webhook is tried for longer than any fault lasts. */
const TRIES = 40
const PAUSE_MAX_MS = 60_000

export function openProcessors(scheduler: Scheduler, injector: FaultInjector, call: Call): Processors {
  const { random } = scheduler
  const { payments, objects, makers } = openPayments(scheduler, injector)
  let pending = 0

  const send = async (event: Event): Promise<void> => {
    for (let tries = 1; tries <= TRIES; tries++) {
      const body = JSON.stringify(event.body)
      const isCut = injector.injects('body cut')
      const response = injector.injects('webhook dropped')
        ? null
        : await call({
            method: 'POST',
            path: event.processor === 'payment-a' ? '/api/auth/payment-a/webhook' : '/api/webhooks/payment-b',
            headers: { 'content-type': 'application/json', ...signature(event.processor, body) },
            body: isCut ? body.slice(0, body.length >> 1) : body,
          })
      const type = event.body.eventType ?? event.body.type
      scheduler.trace(event.processor, `webhook ${event.id} ${type} → ${response?.status ?? 'no response'}`)
      if (response?.status === 200 && !isCut) return
      await scheduler.sleep(Math.min(PAUSE_MAX_MS, random.between(500, 2_000) * 2 ** tries))
    }
    scheduler.trace(event.processor, `gives up ${event.id}`)
  }
  const sendLater = (event: Event) => {
    const lateMs = random.between(0, injector.injects('webhook late') ? 120_000 : random.pick([3_000, 3_000, 40_000]))
    const times = injector.injects('request twice') ? 2 : 1
    for (let n = 0; n < times; n++) {
      pending++
      scheduler.after(lateMs + n * random.between(0, 10_000), null, () => {
        send(event).finally(() => {
          pending--
        })
      })
    }
  }
  const signature = (processor: Processor, body: string): Record<string, string> => {
    const hmac = (text: string) => createHmac('sha256', secrets[processor]).update(text).digest('hex')
    if (processor === 'payment-a') return { 'creem-signature': hmac(body) }
    const t = seconds(scheduler.nowMs())
    return { 'stripe-signature': `t=${t},v1=${hmac(`${t}.${body}`)}` }
  }

  return {
    payments,
    pending: () => pending,
    host: ({ url }) => {
      const body = objects.get(url.searchParams.get('transaction_id') ?? url.pathname)
      return body ? { status: 200, body } : { status: 404, body: {} }
    },
    start: (userIds, count) => {
      for (let n = 0; n < count; n++) {
        pending++
        scheduler.after(random.between(0, 20_000), null, () => {
          pending--
          const userId = random.pick(userIds)
          const make = random.pick(makers)
          for (const event of make(userId, userIds)) sendLater(event)
        })
      }
    },
  }
}
