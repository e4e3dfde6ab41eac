/** Unmatched and failed events: stored, listed for administrators with their body, and applied to a chosen user. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryEvents, type StoredEvent } from '../../src/payment/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import {
  applyStored,
  deliver,
  deliverAll,
  movesOf,
  paymentEnv,
  recordOf,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  checkoutA,
  DAY_MS,
  type Event,
  eventA,
  eventB,
  invoiceB,
  newName,
  returnedA,
  sessionB,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const root = await kinora.person({ role: 'admin', credits: 0 })
const start = startOfToday()
const end = start + 31 * DAY_MS
const pro = { price: 'price_pro_monthly', start, end, amount: 2990 }
const list = '/api/v1/admin/payments/events'

type Listed = StoredEvent & { body: string; effects: string[] }
const listed = async (query: string) =>
  (
    await kinora.call<{ events: Listed[]; total: number; nextCursor: string | null }>('GET', `${list}${query}`, {
      as: root,
    })
  ).data
const idOf = async (event: Event) => (await storedAs(kinora, event))?.id ?? assert.fail('not stored')
const apply = (event: Event, userId?: string) => applyStored(kinora, event, root, userId)

/** Simulates a fixed catalogue, which needs a restart, by editing the stored events instead. */
const mendCatalogue = () => kinora.app.sql`
  update kinora.payment_event set body = replace(body, 'prod_of_tomorrow', 'prod_pack_pro') where state = 'failed'
`

/** A paid period of an unknown subscription. */
function unmatched() {
  const subscription = newName('sub')
  const invoice = invoiceB('new', null, { subscription, lines: [pro] })
  return { subscription, invoice, event: eventB('invoice.payment_succeeded', invoice) }
}

test('200: event with no user or an unknown one → stored as unmatched and listed', async () => {
  const { event } = unmatched()
  const unknown = [newName('user'), '00000000-0000-7000-8000-000000000000', "'; drop table x; --", '', 'null'].map(
    (userId) => eventA('checkout.completed', checkoutA(userId)),
  )
  await deliverAll(kinora, 'payment-b', event)
  await deliverAll(kinora, 'payment-a', ...unknown)
  const { events } = await listed('?state=unmatched')
  assert.deepEqual(
    events.map(({ externalId }) => externalId),
    [event, ...unknown].map(({ id }) => id).reverse(),
    'newest first',
  )
  const shown = events.at(-1)
  assert.equal(shown?.body, JSON.stringify(event))
  assert.deepEqual(
    [shown?.processor, shown?.type, shown?.state, shown?.userId, shown?.appliedAt],
    ['payment-b', 'invoice.payment_succeeded', 'unmatched', null, null],
  )
  assert.match(String(shown?.reason), /names no user/)
  assert.deepEqual(shown?.effects.length, 1)
  assert.match(String(shown?.effects), /^Gives 960 credits \(.+\), good until \d{4}-\d\d-\d\d\.$/)
})

test('200: administrator applies it to a user → applied once, dependent events follow', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { subscription, event } = unmatched()
  const record = eventB('customer.subscription.created', subscriptionB('new', null, { id: subscription, start, end }))
  await deliverAll(kinora, 'payment-b', event, record)
  const { status, data } = await apply(event, ann.userId.toUpperCase())
  assert.equal(status, 200)
  assert.deepEqual([data.state, data.userId, data.reason], ['applied', ann.userId, null])
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  assert.equal((await recordOf(kinora, ann))?.externalId, subscription, 'waited for the same subscription')
  // Applied to another user or delivered again, it grants nothing more.
  const bob = await kinora.person({ credits: 0 })
  assert.deepEqual((await apply(event, bob.userId)).data.userId, ann.userId)
  await deliverAll(kinora, 'payment-b', event, event)
  assert.deepEqual([await movesOf(kinora, ann), await movesOf(kinora, bob)], [['SUBSCRIPTION 960'], []])
  // The next period finds the user by the link.
  const next = invoiceB('old', null, { subscription, lines: [{ ...pro, start: end, end: end + 28 * DAY_MS }] })
  await deliverAll(kinora, 'payment-b', eventB('invoice.payment_succeeded', next))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
})

test('200: two events of one payment applied to different users → one grant', async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const order = { id: newName('ord'), status: 'paid', type: 'onetime' }
  const failing = { order, product: { id: 'prod_of_tomorrow' } }
  const events = [0, 1].map(() => eventA('checkout.completed', checkoutA(null, failing))) as [Event, Event]
  await deliverAll(kinora, 'payment-a', ...events)
  await mendCatalogue()
  assert.equal((await apply(events[0], ann.userId)).status, 200)
  assert.equal((await apply(events[1], bob.userId)).status, 200)
  assert.deepEqual([await movesOf(kinora, ann), await movesOf(kinora, bob)], [['ORDER_PAY 2850'], []])
})

test('200: chain of waiting events that each link the next → applied together with the first', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { invoice, event } = unmatched()
  const payment = newName('pi')
  const chain = [
    eventB('charge.refunded', chargeB(payment, 2990, 1495)),
    eventB('invoice_payment.paid', { id: newName('inpay'), invoice: invoice.id, payment: { payment_intent: payment } }),
  ]
  await deliverAll(kinora, 'payment-b', ...chain, event)
  assert.equal((await apply(event, ann.userId)).status, 200)
  for (const each of chain) assert.equal(await stateOf(kinora, each), 'applied', String(each.type))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -480'])
})

test('200: payment without an amount, tried for half an hour, whose user becomes known → waits for the worker alone', async () => {
  const ann = await kinora.person({ credits: 0 })
  const subscription = newName('sub')
  const event = eventA(
    'subscription.paid',
    subscriptionA(subscription, null, { start, end }, { last_transaction: null }),
  )
  await deliver(kinora, 'payment-a', event)
  for (let n = 0; n < 5; n += 1) {
    await retryEvents(kinora.app)
    kinora.turnClock(2 ** n * 60_000)
  }
  const tries = () => kinora.app.sql`select state, retries from kinora.payment_event where external_id = ${event.id}`
  assert.deepEqual([...(await tries())], [{ state: 'unmatched', retries: 5 }])
  const checkout = checkoutA(ann.userId, { subscription: { id: subscription } })
  await deliver(kinora, 'payment-a', eventA('checkout.completed', checkout))
  assert.deepEqual([...(await tries())], [{ state: 'waiting', retries: 0 }])
  await retryEvents(kinora.app)
  kinora.turnClock(-31 * 60_000)
  assert.equal(await stateOf(kinora, event), 'applied')
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
})

test('200: more waiting events than one query returns → all applied', async () => {
  const ann = await kinora.person({ credits: 0 })
  const subscription = newName('sub')
  const invoices = Array.from({ length: 230 }, (_, n) => {
    const from = start + n * DAY_MS
    return eventB(
      'invoice.payment_succeeded',
      invoiceB('new', null, { subscription, lines: [{ ...pro, start: from, end }] }),
    )
  })
  for (let i = 0; i < invoices.length; i += 46) {
    await Promise.all(invoices.slice(i, i + 46).map((each) => deliverAll(kinora, 'payment-b', each)))
  }
  const session = sessionB(ann.userId, { mode: 'subscription', subscription })
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session))
  assert.equal((await kinora.balance(ann)).total, 230 * 960)
})

test('200: unknown product → failed; after the catalogue is fixed → can be applied', async () => {
  const ann = await kinora.person({ credits: 0 })
  const event = eventA(
    'checkout.completed',
    checkoutA(ann.userId, {
      product: { id: 'prod_of_tomorrow' },
      order: { id: newName('ord'), status: 'paid', type: 'onetime', amount: 9990 },
    }),
  )
  await deliverAll(kinora, 'payment-a', event, event)
  const [shown] = (await listed('?state=failed')).events
  assert.equal(shown?.externalId, event.id)
  assert.match(String(shown?.reason), /prod_of_tomorrow/)
  const still = await apply(event)
  assert.deepEqual([still.status, still.error?.code], [409, 'CONFLICT'])
  assert.match(String(still.error?.message), /prod_of_tomorrow/)

  await mendCatalogue()
  assert.equal((await apply(event)).status, 200)
  assert.equal((await apply(event)).status, 200)
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 2850'])
  assert.equal(await stateOf(kinora, event), 'applied')
})

test('409: event still without effect → unchanged, with the reason', async () => {
  const ignored = eventB('customer.created', { id: newName('cus') })
  const { event } = unmatched()
  await deliverAll(kinora, 'payment-b', ignored, event)
  for (const [each, why] of [
    [ignored, /Nothing follows/],
    [event, /names no user/],
  ] as const) {
    const { status, error } = await apply(each)
    assert.deepEqual([status, error?.code], [409, 'CONFLICT'])
    assert.match(String(error?.message), why)
  }
})

test('400, 401, 403, 404: invalid body or query, no administrator, unknown event or user → refused', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = unmatched()
  await deliverAll(kinora, 'payment-b', event)
  const path = `${list}/${await idOf(event)}/apply`
  const unknownId = '00000000-0000-7000-8000-000000000000'
  const cases: [status: number, method: string, path: string, as?: Person | undefined, body?: unknown][] = [
    [401, 'GET', list],
    [403, 'GET', list, ann],
    [401, 'POST', path, undefined, { userId: ann.userId }],
    [403, 'POST', path, ann, { userId: ann.userId }],
    [404, 'POST', path, root, { userId: unknownId }],
    [404, 'POST', path, root, { userId: 'unknown' }],
    [404, 'POST', `${list}/${unknownId}/apply`, root, { userId: ann.userId }],
    [404, 'POST', `${list}/evt_1/apply`, root, {}],
    [400, 'POST', path, root, { userId: 1 }],
    [400, 'POST', path, root, { user: ann.userId }],
    [400, 'GET', `${list}?state=lost`, root],
    [400, 'GET', `${list}?cursor=7`, root],
    [400, 'GET', `${list}?pageSize=101`, root],
  ]
  for (const [status, method, at, as, body] of cases) {
    const answer = await kinora.call(method, at, { ...(as ? { as } : {}), ...(body === undefined ? {} : { body }) })
    assert.equal(answer.status, status, `${method} ${at} ${JSON.stringify(body)}`)
  }
  assert.equal(await stateOf(kinora, event), 'unmatched')
})

test('unmatched event: process dies between linking a user and applying what waited for it → the worker applies it', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event, subscription } = unmatched()
  await deliverAll(kinora, 'payment-b', event)
  assert.equal((await storedAs(kinora, event))?.state, 'unmatched')
  // What the linking event has committed, without what its process would have done next.
  await kinora.app.sql`
    insert into kinora.payment_object (processor, external_id, user_id) values ('payment-b', ${subscription}, ${ann.userId})
  `
  assert.equal(await retryEvents(kinora.app), 0)
  kinora.turnClock(61_000)
  assert.ok((await retryEvents(kinora.app)) >= 1)
  assert.equal((await storedAs(kinora, event))?.state, 'applied')
})

test('200: payment-a: another user’s payment names the same objects → each refund takes of its own user', async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const transaction = newName('tran')
  const pack = (as: Person, id: string, change = {}) =>
    eventA('checkout.completed', checkoutA(as.userId, { order: { id, status: 'paid', type: 'onetime' }, ...change }))
  const subscription = subscriptionA(newName('sub'), ann.userId, { start, end, transaction })
  await deliverAll(
    kinora,
    'payment-a',
    eventA('checkout.completed', checkoutA(ann.userId, { subscription: { id: subscription.id }, transaction })),
    pack(bob, newName('ord'), { transaction }),
    eventA('subscription.paid', subscription),
    eventA('refund.created', returnedA(subscription)),
  )
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
  assert.deepEqual(await movesOf(kinora, bob), ['ORDER_PAY 280'])

  const order = newName('ord')
  const other = newName('tran')
  await deliverAll(
    kinora,
    'payment-a',
    pack(bob, newName('ord'), { transaction: other }),
    pack(ann, order),
    eventA('refund.created', {
      id: newName('ref'),
      refund_amount: 1490,
      order,
      transaction: { id: other, amount: 1490 },
    }),
  )
  assert.deepEqual((await movesOf(kinora, ann)).slice(2), ['ORDER_PAY 280', 'ORDER_PAY -280'])
  assert.deepEqual(await movesOf(kinora, bob), ['ORDER_PAY 280', 'ORDER_PAY 280'])
})
