/**
 * Invoices of payment-b that cannot be granted at once: lines that the event lacks are read from the processor's API,
 * events wait for it with backoff, and unknown prices and free purchases are told apart.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Problem } from '../../src/payment/effect.ts'
import { countProblems, type EventState, retryEvents } from '../../src/payment/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import {
  applyStored,
  deliver,
  deliverAll,
  movesOf,
  type Processor,
  paymentEnv,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import {
  checkoutA,
  DAY_MS,
  type Event,
  eventA,
  eventB,
  type Generation,
  invoiceB,
  type LineB,
  newName,
  sessionB,
  startOfToday,
  subscriptionA,
} from '../support/payment/payment-events.ts'

type Fields = Record<string, unknown>

/** Fakes payment-b's lists of invoice lines and line items, in pages; `fails` responds 500, as without a version. */
const linesOf = new Map<string, Fields[]>()
let fails = false
let calls = 0
const api = createServer((request, response) => {
  calls += 1
  const url = new URL(request.url ?? '', 'http://api')
  const [, id = ''] = /^\/v1\/(?:invoices|checkout\/sessions)\/([^/]+)\/(?:lines|line_items)$/.exec(url.pathname) ?? []
  const lines = linesOf.get(id)
  response.setHeader('content-type', 'application/json')
  const isAnswered = !fails && lines && /^\d{4}-\d\d-\d\d/.test(String(request.headers['stripe-version']))
  response.statusCode = isAnswered ? 200 : 500
  if (!isAnswered) return response.end('{"error":{"message":"no"}}')
  const from = lines.findIndex((line) => line.id === url.searchParams.get('starting_after')) + 1
  const page = lines.slice(from, from + 2)
  response.end(JSON.stringify({ object: 'list', data: page, has_more: from + 2 < lines.length, url: url.pathname }))
}).listen(0, '127.0.0.1')
await once(api, 'listening')
after(() => api.close())

const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
const kinora = await openKinora({
  env: { ...paymentEnv, PAYMENT_A_URL: apiUrl, PAYMENT_B_URL: apiUrl, METRICS_PORT: '0' },
})
const start = startOfToday()
const end = start + 31 * DAY_MS
const pro: LineB = { price: 'price_pro_monthly', start, end, amount: 2990 }
const generations: Generation[] = ['old', 'new']
const send = (...events: unknown[]) => deliverAll(kinora, 'payment-b', ...events)

/** A paid invoice with these fields; `change` is applied to its first line. */
function paid(as: Person, generation: Generation, lines: LineB[], fields: Fields = {}, change: Fields = {}): Event {
  const invoice = invoiceB(generation, as.userId, { subscription: newName('sub'), lines })
  const data = (invoice.lines as { data: Fields[] }).data
  Object.assign(data[0] ?? {}, change)
  return eventB('invoice.payment_succeeded', { ...invoice, ...fields })
}

/** The event with its first line only; the API has all of them. */
function cut(event: Event): Event {
  const invoice = (event.data as { object: Fields & { id: string; lines: { data: Fields[] } } }).object
  const lines = invoice.lines.data.map((line, n) => ({ ...line, id: `il_${invoice.id}_${n}` }))
  linesOf.set(invoice.id, lines)
  return { ...event, data: { object: { ...invoice, lines: { data: lines.slice(0, 1), has_more: true } } } }
}

const remarksOf = async (as: Person) =>
  (
    await kinora.call<{ transactions: { remark: string }[] }>('GET', '/api/v1/credit/history', { as })
  ).data.transactions.map(({ remark }) => remark)

async function problemCount(problem: Problem): Promise<number> {
  const counts = await countProblems(kinora.app)
  return counts.filter((each) => each.problem === problem).reduce((sum, { events }) => sum + events, 0)
}

for (const generation of generations) {
  test(`200: ${generation} API: invoice with more lines than its event → all lines are read and granted`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const part = (price: string, amount: number) => ({ price, start: start + 15.5 * DAY_MS, end, amount, isPart: true })
    const lines = [
      pro,
      part('price_basic_monthly', -495),
      part('price_basic_monthly', 495),
      { ...pro, price: 'price_basic_monthly' },
    ]
    const event = cut(paid(ann, generation, lines))
    await send(event, event)
    assert.equal(await stateOf(kinora, event), 'applied')
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 1240'])
  })

  test(`200: ${generation} API: quantity above one → that many times the credits`, async () => {
    const ann = await kinora.person({ credits: 0 })
    await send(paid(ann, generation, [{ ...pro, amount: 3 * pro.amount }], {}, { quantity: 3 }))
    await send(paid(ann, generation, [pro], {}, { quantity: 0 }), paid(ann, generation, [pro], {}, { quantity: 'x' }))
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 2880', 'SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
  })

  test(`200: ${generation} API: one line of an unknown price → failed with the price, no credits; alert`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const before = await problemCount('unknown_product')
    const event = paid(ann, generation, [pro, { ...pro, price: 'price_unknown' }])
    await send(event)
    assert.equal(await stateOf(kinora, event), 'failed')
    const reason = String((await storedAs(kinora, event))?.reason)
    assert.match(reason, /price_unknown/)
    assert.doesNotMatch(reason, /price_pro_monthly/)
    assert.deepEqual(await movesOf(kinora, ann), [])
    assert.equal(await problemCount('unknown_product'), before + 1)
  })

  test(`200: ${generation} API: discount of 100 % → granted and shown as free; trial → not; a balance pays like money`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const free = { amount_paid: 0, total: 0, total_discount_amounts: [{ amount: 2990, discount: 'di_1' }] }
    await send(paid(ann, generation, [pro], free))
    assert.deepEqual(await remarksOf(ann), ['Pro, monthly, free'])
    await send(
      paid(ann, generation, [{ ...pro, amount: 0 }], { amount_paid: 0, total: 0, total_discount_amounts: [] }),
      paid(ann, generation, [pro], { amount_paid: 0, total: 2990, amount_due: 0 }),
      // A plan change at no cost.
      paid(
        ann,
        generation,
        [
          { ...pro, price: 'price_basic_monthly', amount: -500, isPart: true },
          { ...pro, amount: 500, isPart: true },
        ],
        { amount_paid: 0, total: 0, total_discount_amounts: [] },
      ),
      paid(ann, generation, [{ ...pro, amount: -2990 }], { amount_paid: 0, total: -2990 }),
    )
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
  })
}

test('200: discount of 100 %, plan changed back and forth in mid-period → no credits until the next period', async () => {
  const ann = await kinora.person({ credits: 0 })
  const free = { amount_paid: 0, total: 0, total_discount_amounts: [{ amount: 4000, discount: 'di_1' }] }
  const part = (price: string, amount: number) => ({ price, start: start + 15 * DAY_MS, end, amount, isPart: true })
  // What a discount paid for is worth nothing when it is left.
  const up = [part('price_basic_monthly', 0), part('price_ultimate_monthly', 4000)]
  const down = [part('price_ultimate_monthly', 0), part('price_basic_monthly', 500)]
  for (const generation of generations) {
    for (const lines of [up, down, up]) {
      const event = paid(ann, generation, lines, free)
      await send(event)
      assert.equal(await stateOf(kinora, event), 'ignored')
    }
  }
  await send(paid(ann, 'new', [...up, ...down, ...up, { ...pro, price: 'price_ultimate_monthly', amount: 7990 }], free))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 2850'])
})

test('200: session that needs no payment → granted and shown as free; with line items → the quantity', async () => {
  const ann = await kinora.person({ credits: 0 })
  await send(
    eventB(
      'checkout.session.completed',
      sessionB(ann.userId, { payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 }),
    ),
    eventB('checkout.session.completed', sessionB(ann.userId, { line_items: { data: [{ quantity: 2 }] } })),
  )
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY 1920'])
  assert.deepEqual(await remarksOf(ann), ['Standard pack', 'Standard pack, free'])
})

test('200: session that does not show how many packs it sold → its line items are read; until then it waits', async () => {
  const ann = await kinora.person({ credits: 0 })
  const three = eventB(
    'checkout.session.completed',
    sessionB(ann.userId, { id: 'cs_three', amount_subtotal: 3 * 3990, line_items: undefined }),
  )
  const foreign = eventB(
    'checkout.session.completed',
    sessionB(ann.userId, { id: 'cs_foreign', currency: 'jpy', line_items: undefined }),
  )
  await send(three)
  assert.equal(await stateOf(kinora, three), 'waiting')
  assert.match(String((await storedAs(kinora, three))?.reason), /could not be read/)
  assert.deepEqual(await movesOf(kinora, ann), [])
  linesOf.set('cs_three', [{ id: 'li_1', quantity: 3 }])
  linesOf.set('cs_foreign', [{ id: 'li_2', quantity: 1, price: { id: 'price_pack_standard' }, amount_subtotal: 3990 }])
  kinora.turnClock(60_000)
  await send(three, foreign, three)
  kinora.turnClock(-60_000)
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 2880', 'ORDER_PAY 960'])
  const root = await kinora.person({ role: 'admin' })
  const { data } = await kinora.call<{ events: { externalId: string; effects: string[] }[] }>(
    'GET',
    '/api/v1/admin/payments/events?state=applied',
    { as: root },
  )
  const listed = data.events.find(({ externalId }) => externalId === three.id)
  assert.match(String(listed?.effects), /^Gives 2,880 credits, good until \d{4}-\d\d-\d\d\.$/)
})

test('200: invoice whose lines the processor’s API does not return → waiting, after four tries failed, retried with backoff until it does, granted once', async () => {
  const ann = await kinora.person({ credits: 0 })
  const event = cut(paid(ann, 'new', [pro, { ...pro, price: 'price_basic_monthly' }]))
  fails = true
  kinora.holdClock()
  const nextAt = async () => {
    const [row] = await kinora.app.sql<{ retryAt: Date | null }[]>`
      select retry_at from kinora.payment_event where external_id = ${event.id}
    `
    return row?.retryAt ?? null
  }
  await send(event)
  assert.equal(await stateOf(kinora, event), 'waiting')
  assert.match(String((await storedAs(kinora, event))?.reason), /could not be read/)
  assert.equal(await retryEvents(kinora.app), 0, 'not yet')
  const pauses: number[] = []
  const states: unknown[] = []
  let turnedMs = 0
  for (let n = 0; n < 4; n += 1) {
    const waitMs = Number(await nextAt()) - kinora.app.now().getTime()
    pauses.push(waitMs / 60_000)
    kinora.turnClock(waitMs)
    turnedMs += waitMs
    assert.equal(await retryEvents(kinora.app), 1)
    assert.equal(await retryEvents(kinora.app), 0, 'once for its time')
    states.push([await stateOf(kinora, event), await problemCount('lines_missing')])
  }
  assert.deepEqual(pauses, [1, 2, 4, 8])
  assert.deepEqual(states, [
    ['waiting', 0],
    ['waiting', 0],
    ['failed', 1],
    ['failed', 1],
  ])
  assert.deepEqual(await movesOf(kinora, ann), [])
  fails = false
  kinora.turnClock(16 * 60_000)
  assert.equal(await retryEvents(kinora.app), 1)
  assert.equal(await stateOf(kinora, event), 'applied')
  assert.equal(await nextAt(), null)
  assert.equal(await problemCount('lines_missing'), 0)
  await send(event)
  kinora.turnClock(DAY_MS)
  assert.equal(await retryEvents(kinora.app), 0)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 1240'])
  kinora.turnClock(-turnedMs - 16 * 60_000 - DAY_MS)
})

test('200: webhook of an event that lacks lines, an amount or its sequence → stored without a call of the API, completed by the worker', async () => {
  const ann = await kinora.person({ credits: 0 })
  const [id, at] = [newName('sub'), Date.now()]
  const period = { start, end, transaction: newName('tran') }
  const session = sessionB(ann.userId, { id: newName('cs'), amount_subtotal: 7980, line_items: undefined })
  linesOf.set(String(session.id), [{ id: 'li_1', quantity: 2, price: { id: 'price_pack_standard' } }])
  const updated = (change: Fields) =>
    eventB(
      'customer.subscription.updated',
      {
        id,
        status: 'active',
        metadata: { userId: ann.userId },
        items: { data: [{ price: { id: 'price_pro_monthly' } }] },
        ...change,
      },
      at,
    )
  const events: [Processor, Event, EventState][] = [
    ['payment-b', cut(paid(ann, 'new', [pro, pro])), 'waiting'],
    ['payment-b', eventB('checkout.session.completed', session), 'waiting'],
    ['payment-b', eventB('checkout.session.completed', sessionB(ann.userId, { line_items: undefined })), 'applied'],
    [
      'payment-a',
      eventA('subscription.paid', subscriptionA(newName('sub'), ann.userId, period, { last_transaction: null })),
      'waiting',
    ],
    ['payment-b', updated({}), 'applied'],
    ['payment-b', updated({ cancel_at_period_end: true }), 'waiting'],
  ]
  fails = false
  const before = calls
  for (const [processor, event, state] of events) {
    assert.equal((await deliver(kinora, processor, event)).status, 200)
    assert.equal(await stateOf(kinora, event), state)
  }
  assert.equal(calls, before)
  assert.equal(await problemCount('lines_missing'), 0)
  kinora.turnClock(6 * 60_000)
  assert.equal(await problemCount('lines_missing'), 4, 'no worker has tried them')
  kinora.turnClock(-6 * 60_000)
  await retryEvents(kinora.app)
  assert.equal(calls, before + 4)
  for (const [, event] of events) assert.equal(await stateOf(kinora, event), 'applied')
  assert.deepEqual((await movesOf(kinora, ann)).toSorted(), [
    'ORDER_PAY 1920',
    'ORDER_PAY 960',
    'SUBSCRIPTION 1920',
    'SUBSCRIPTION 960',
  ])
})

test('200: API does not respond for days → the event stays failed for an operator, without further calls', async () => {
  const ann = await kinora.person({ credits: 0 })
  const event = cut(paid(ann, 'old', [pro, pro]))
  fails = true
  await send(event)
  let turnedMs = 0
  for (let n = 0; n < 25; n += 1) {
    kinora.turnClock(6 * 3_600_000)
    turnedMs += 6 * 3_600_000
    await retryEvents(kinora.app)
  }
  const before = calls
  kinora.turnClock(30 * DAY_MS)
  assert.equal(await retryEvents(kinora.app), 0)
  kinora.turnClock(-turnedMs - 30 * DAY_MS)
  assert.equal(calls, before)
  assert.equal(await stateOf(kinora, event), 'failed')
  // An administrator's application reads them too.
  fails = false
  const root = await kinora.person({ role: 'admin', credits: 0 })
  assert.equal((await applyStored(kinora, event, root)).status, 200)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 1920'])
})

test('200: administrator applies an event → the audit log names the administrator, the user and the effects', async () => {
  const ann = await kinora.person({ credits: 0 })
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const event = eventA('checkout.completed', checkoutA(null))
  await deliverAll(kinora, 'payment-a', event)
  const stored = await storedAs(kinora, event)
  const answer = await applyStored(kinora, event, root, ann.userId)
  assert.equal(answer.status, 200)
  await applyStored(kinora, event, root, ann.userId)
  const rows = await kinora.app.sql<
    { actorId: string; userId: string; requestId: string; before: Fields; after: Fields }[]
  >`
    select actor_id, user_id, request_id, before, after from kinora.audit
    where user_id = ${ann.userId} and action = 'payment.apply' and subject = ${stored?.id ?? ''}
  `
  assert.equal(rows.length, 1, 'applying it again changes nothing')
  const [row] = rows
  assert.deepEqual(
    [row?.actorId, row?.userId, row?.requestId],
    [root.userId, ann.userId, answer.headers.get('x-request-id')],
  )
  assert.equal(row?.before.state, 'unmatched')
  assert.deepEqual([row?.after.state, row?.after.event], ['applied', event.id])
  // An event that is applied by itself has no entry.
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(ann.userId)))
  const [all] = await kinora.app.sql`select count(*) as n from kinora.audit where user_id = ${ann.userId}`
  assert.equal(all?.n, 1)
})
