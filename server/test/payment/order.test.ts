// slow
/**
 * What a user does at either processor, with every type of event there is, delivered in random orders and some events
 * again: the books and the records end the same.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { lazy } from '../../src/async/lazy.ts'
import { applyWhole } from '../../src/payment/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { deliver, type Processor, paymentEnv } from '../support/payment/payment-delivery.ts'
import type { Event } from '../support/payment/payment-events.ts'
import { lifeA } from '../support/payment/payment-life-a.ts'
import { lifeB, linesAt } from '../support/payment/payment-life-b.ts'

/** payment-b's lists of lines. */
const api = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', data: linesAt(request.url ?? ''), has_more: false, url: '/' }))
}).listen(0, '127.0.0.1')
await once(api, 'listening')
after(() => api.close())

const kinora = await openKinora({
  env: { ...paymentEnv, PAYMENT_B_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}` },
})
const SEEDS = Number(process.env.PAYMENT_SEEDS ?? 24)
const AT_ONCE = 10
/** Every event comes at least once, and this share of them again. */
const AGAIN = 0.3

/** A seeded random generator, so that a failing order can be reproduced. */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_769 + 1
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

function shuffled<T>(items: T[], seed: number): T[] {
  const random = generator(seed)
  const result = [...items, ...items.filter(() => random() < AGAIN)]
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j] as T, result[i] as T]
  }
  return result
}

/** The records and what is left of each payment, by the last part of the processor's ids. */
async function endOf({ userId }: Person) {
  const { sql } = kinora.app
  const records = await sql<{ name: string; record: Record<string, unknown> }[]>`
    select regexp_replace(external_id, '^.*_', '') as name, status, plan, current_period_start, current_period_end,
           cancel_at_period_end, cancelled_at
    from kinora.subscription
    where user_id = ${userId}
  `
  const payments = await sql<{ name: string; credits: number }[]>`
    select regexp_replace(order_no, '^.*_', '') as name, sum(credits)::bigint as credits
    from kinora.credit_transaction
    where user_id = ${userId}
    group by 1
    having sum(credits) <> 0
  `
  const [account] = await sql<{ available: number }[]>`
    select available from kinora.credit_account where user_id = ${userId}
  `
  return {
    records: Object.fromEntries(records.map(({ name, ...record }) => [name, record])),
    payments: Object.fromEntries(payments.map(({ name, credits }) => [name, credits])),
    available: account?.available,
  }
}

/**
 * Another person does the same in order: over HTTP for kinds 0 and 1; the others bypass it, because other files test
 * it.
 * @param kind a seed below KINDS
 */
async function expectedOf(processor: Processor, life: typeof lifeA, kind: number) {
  const person = await kinora.person({ credits: 0 })
  for (const event of life(IN_ORDER + kind, person.userId)) {
    if (kind < 2) assert.equal((await deliver(kinora, processor, event)).status, 200)
    await applyWhole(kinora.app, processor, JSON.stringify(event))
  }
  const end = await endOf(person)
  assert.ok(Number(end.available) > 1000, 'credits of several payments are left')
  return end
}
/** Seeds differ in their ids, in the names of their events (odd or even) and in what names the user (every third). */
const KINDS = 6
const IN_ORDER = 10_000 * KINDS

/** The worker's part, for the events of one person. */
async function retry(events: Event[]): Promise<void> {
  const waiting = await kinora.app.sql<{ processor: Processor; body: string }[]>`
    select processor, body from kinora.payment_event where state = 'waiting' and external_id = any(${events.map(({ id }) => id)})
  `
  for (const { processor, body } of waiting) await applyWhole(kinora.app, processor, body)
}

async function deliverShuffled(processor: Processor, life: typeof lifeA): Promise<void> {
  const inOrder = Array.from({ length: KINDS }, (_, kind) => lazy(() => expectedOf(processor, life, kind)))
  let next = 0
  const deliverNext = async () => {
    for (let seed = next++; seed < SEEDS; seed = next++) {
      const expected = await inOrder[seed % KINDS]?.()
      const person = await kinora.person({ credits: 0 })
      const events = shuffled(life(seed, person.userId), seed)
      for (const event of events) await applyWhole(kinora.app, processor, JSON.stringify(event))
      await retry(events)
      assert.deepEqual(await endOf(person), expected, `seed ${seed}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, deliverNext))
  const waiting = await kinora.app.sql`
    select external_id, type, state, reason
    from kinora.payment_event
    where processor = ${processor} and state not in ('applied', 'ignored')
  `
  assert.deepEqual([...waiting], [], 'every event has found its user')
}

test(`200: payment-a: every event of both sets of names in ${SEEDS} random orders → same books, same records`, () =>
  deliverShuffled('payment-a', lifeA))

test(`200: payment-b: every event of both generations in ${SEEDS} random orders → same books, same records`, () =>
  deliverShuffled('payment-b', lifeB))

/** The types of events in the table of payment/README.md. */
function documentedTypes(processor: Processor): Set<string> {
  const text = readFileSync(new URL('../../src/payment/README.md', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => /^\|.*`/.test(line))
  const types = new Set<string>()
  for (const row of rows) {
    const cell = row.split('|')[processor === 'payment-a' ? 1 : 2] ?? ''
    let prefix = processor === 'payment-a' ? 'subscription' : ''
    for (const [, name = ''] of cell.matchAll(/`([a-z_]*(?:\.[a-z_]+)+)`/g)) {
      if (!name.startsWith('.')) prefix = name.replace(/\.[a-z_]+$/, '')
      types.add(name.startsWith('.') ? prefix + name : name)
    }
  }
  return types
}

test('lives: every documented type of event of both processors → is delivered', () => {
  const lives: [processor: Processor, life: typeof lifeA, named: (event: Event) => unknown][] = [
    ['payment-a', lifeA, ({ eventType }) => eventType],
    ['payment-b', lifeB, ({ type }) => type],
  ]
  for (const [processor, life, named] of lives) {
    const delivered = new Set([...life(0, 'user'), ...life(1, 'user')].map(named))
    const documented = documentedTypes(processor)
    assert.ok(documented.size > 10, processor)
    assert.deepEqual(
      [...documented].filter((type) => !delivered.has(type)),
      [],
      processor,
    )
  }
})
