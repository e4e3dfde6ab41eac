/** Delivers signed events to the webhooks of both payment processors, and reads their effects. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { processorOf } from '../../../../simulator/src/payment/processors.ts'
import { forEachProcessor, type Processor, processorNames, processorPart } from '../../../src/config/processors.ts'
import type { Subscription } from '../../../src/payment/billing.ts'
import { type EventState, retryEvents, type StoredEvent } from '../../../src/payment/events.ts'
import { processors } from '../../../src/payment/processors.ts'
import type { Answer, Kinora, Person } from '../harness.ts'
import { DAY_MS } from './payment-events.ts'

export type { Processor }
export type Delivered = { status: number; text: string }

export const secrets = forEachProcessor((processor) => `the webhook secret of ${processor}, 40 bytes`)
/** Settings of all processors. @param urlOf where the API of each is; without it, nowhere */
export const paymentEnvAt = (urlOf: (processor: Processor) => string): Record<string, string> =>
  Object.fromEntries(
    processorNames.flatMap((processor) => {
      const part = processorPart(processor)
      return [
        [`PAYMENT_${part}_URL`, urlOf(processor)],
        [`PAYMENT_${part}_API_KEY`, `key-${part.toLowerCase()}`],
        [`PAYMENT_${part}_WEBHOOK_SECRET`, secrets[processor]],
      ]
    }),
  )
export const paymentEnv = paymentEnvAt(() => 'http://127.0.0.1:9')
export const webhooks = forEachProcessor((processor) => processors[processor].webhookPath)

export const hmac = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** The signature header for a body, as the simulator makes it. */
export const signed = (processor: Processor, body: string, atMs = Date.now(), secret = secrets[processor]) =>
  processorOf({ processor }).sign(body, secret, atMs)

export const textOf = (event: unknown): string => (typeof event === 'string' ? event : JSON.stringify(event))

/** One delivery with a valid signature, to the test's service or to another one at `url`. */
export async function deliver(
  kinora: Kinora,
  processor: Processor,
  event: unknown,
  url = kinora.url,
): Promise<Delivered> {
  const body = textOf(event)
  const response = await fetch(url + webhooks[processor], {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signed(processor, body, kinora.app.now().getTime()) },
  })
  return { status: response.status, text: await response.text() }
}

/** Delivers the events sequentially and asserts 200 for each. */
export async function deliverAll(kinora: Kinora, processor: Processor, ...events: unknown[]): Promise<void> {
  for (const event of events) {
    const { status, text } = await deliver(kinora, processor, event)
    assert.equal(status, 200, text)
    assert.deepEqual(JSON.parse(text), { success: true, data: { received: true } })
    // The worker reads from the processor's API what an event lacks.
    await retryEvents(kinora.app)
  }
}

export type Row = { transType: string; credits: number; orderNo: string | null; balanceAfter: number }

/** The user's history, oldest first, abbreviated. */
export async function historyOf(kinora: Kinora, as: Person): Promise<Row[]> {
  const { data } = await kinora.call<{ transactions: Row[] }>('GET', '/api/v1/credit/history?pageSize=100', { as })
  return data.transactions
    .map(({ transType, credits, orderNo, balanceAfter }) => ({ transType, credits, orderNo, balanceAfter }))
    .reverse()
}

/** The history's types and credits only. */
export const movesOf = async (kinora: Kinora, as: Person): Promise<string[]> =>
  (await historyOf(kinora, as)).map(({ transType, credits }) => `${transType} ${credits}`)

export async function recordOf(kinora: Kinora, as: Person): Promise<Subscription | null> {
  return (await kinora.call<{ subscription: Subscription | null }>('GET', '/api/v1/billing/subscription', { as })).data
    .subscription
}

export async function storedAs(kinora: Kinora, event: { id: string }): Promise<StoredEvent | null> {
  const [row] = await kinora.app.sql<StoredEvent[]>`
    select id, state, reason, user_id, type from kinora.payment_event where external_id = ${event.id}
  `
  return row ?? null
}
export const stateOf = async (kinora: Kinora, event: { id: string }): Promise<EventState | undefined> =>
  (await storedAs(kinora, event))?.state

/** The administrator applies a stored event, to the user that it names or to the one given. */
export async function applyStored(
  kinora: Kinora,
  event: { id: string },
  root: Person,
  userId?: string,
): Promise<Answer<StoredEvent>> {
  const { id } = (await storedAs(kinora, event)) ?? assert.fail('not stored')
  return kinora.call('POST', `/api/v1/admin/payments/events/${id}/apply`, { as: root, body: userId ? { userId } : {} })
}

/** Runs the callback that many days later, with a session that is valid then. */
export async function later(kinora: Kinora, as: Person, days: number, work: () => Promise<void>): Promise<void> {
  await kinora.app
    .sql`update public."session" set "expiresAt" = "expiresAt" + interval '3000 days' where "userId" = ${as.userId}`
  kinora.turnClock(days * DAY_MS)
  try {
    await work()
  } finally {
    kinora.turnClock(-days * DAY_MS)
  }
}
