/** The effect of each payment-a event, in both sets of names that payment-a has for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import {
  deliver,
  deliverAll,
  historyOf,
  later,
  movesOf,
  paymentEnv,
  recordOf,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import { checkoutA, DAY_MS, eventA, newName, startOfToday, subscriptionA } from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const start = startOfToday()
const end = start + 30 * DAY_MS

const send = (...events: unknown[]) => deliverAll(kinora, 'payment-a', ...events)
/** Delivers an event of a new subscription and returns helpers that read its effects. */
async function subscriber(
  as: Person,
  type: string,
  change: Parameters<typeof subscriptionA>[3] = {},
  status = 'active',
) {
  const id = newName('sub')
  const event = eventA(type, subscriptionA(id, as.userId, { start, end, status }, change))
  await send(event)
  return { id, event }
}

test("200: checkout.completed of a pack → ORDER_PAY for the pack's days, once an order", async () => {
  const ann = await kinora.person({ credits: 0 })
  const checkout = checkoutA(ann.userId)
  const event = eventA('checkout.completed', checkout)
  await send(...Array.from({ length: 10 }, () => event))
  // The same order again, in another event and another checkout.
  await send(eventA('checkout.completed', checkout), eventA('checkout.completed', { ...checkout, id: newName('ch') }))
  const orderNo = (checkout.order as { id: string }).id
  assert.deepEqual(await historyOf(kinora, ann), [{ transType: 'ORDER_PAY', credits: 280, orderNo, balanceAfter: 280 }])
  await later(kinora, ann, 364, async () => assert.equal((await kinora.balance(ann)).available, 280))
  await later(kinora, ann, 366, async () => assert.equal((await kinora.balance(ann)).available, 0))
})

test('200: unpaid order → no credits; paid later → credits', async () => {
  const ann = await kinora.person({ credits: 0 })
  const order = { id: newName('ord'), status: 'pending', type: 'onetime' }
  const pending = eventA('checkout.completed', checkoutA(ann.userId, { order }))
  await send(pending)
  assert.equal(await stateOf(kinora, pending), 'ignored')
  await send(eventA('checkout.completed', checkoutA(ann.userId, { order: { ...order, status: 'paid' } })))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
})

test('200: checkout.completed of a subscription → links only; later events find the user', async () => {
  const ann = await kinora.person({ credits: 0 })
  const id = newName('sub')
  const order = { id: newName('ord'), status: 'paid', type: 'recurring' }
  const product = { id: 'prod_pro_monthly' }
  await send(
    eventA('checkout.completed', checkoutA(ann.userId, { order, product, subscription: { id, status: 'active' } })),
  )
  assert.deepEqual(await movesOf(kinora, ann), [])
  assert.equal(await recordOf(kinora, ann), null)
  await send(eventA('subscription.paid', subscriptionA(id, null, { start, end })))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
})

test("200: created, active, paid, updated → record, and the period's credits for a month", async () => {
  for (const type of ['created', 'active', 'paid', 'updated']) {
    const ann = await kinora.person({ credits: 0 })
    const { id } = await subscriber(ann, `subscription.${type}`)
    const { userId, processor, externalId, plan, status, currentPeriodStart, currentPeriodEnd, ...rest } =
      (await recordOf(kinora, ann)) ?? assert.fail(type)
    assert.deepEqual(
      { userId, processor, externalId, plan, status, currentPeriodStart, currentPeriodEnd },
      {
        userId: ann.userId,
        processor: 'payment-a',
        externalId: id,
        plan: 'pro-monthly',
        status: 'active',
        currentPeriodStart: new Date(start).toISOString(),
        currentPeriodEnd: new Date(end).toISOString(),
      },
    )
    assert.deepEqual([rest.cancelAtPeriodEnd, rest.cancelledAt], [false, null])
    assert.deepEqual(await historyOf(kinora, ann), [
      { transType: 'SUBSCRIPTION', credits: 960, orderNo: `tran_${id}_${start}`, balanceAfter: 960 },
    ])
  }
})

test("200: yearly plan → the whole year's credits, for a year", async () => {
  const ann = await kinora.person({ credits: 0 })
  await subscriber(ann, 'subscription.created', { product: 'prod_basic_yearly', last_transaction: null })
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 3360'])
  await later(kinora, ann, 364, async () => assert.equal((await kinora.balance(ann)).available, 3360))
  await later(kinora, ann, 366, async () => assert.equal((await kinora.balance(ann)).available, 0))
})

test('200: events of one period in any order → one grant; next period → another grant', async () => {
  const types = ['created', 'active', 'paid', 'updated']
  const orders = types.flatMap((a) =>
    types.flatMap((b) => types.flatMap((c) => types.map((d) => [a, b, c, d]).filter((o) => new Set(o).size === 4))),
  )
  assert.equal(orders.length, 24)
  const records = new Set<string>()
  for (const order of orders) {
    const ann = await kinora.person({ credits: 0 })
    const id = newName('sub')
    // The event times are those of the life cycle in every delivery order; the period's milliseconds differ.
    const events = order.map((type) => {
      const n = types.indexOf(type)
      const change = type === 'created' ? { last_transaction_id: null } : {}
      return eventA(
        `subscription.${type}`,
        subscriptionA(id, ann.userId, { start: start + n, end: end + n, transaction: `tran_${id}` }, change),
        start + (n >> 1),
      )
    })
    await send(...events)
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'], order.join())
    const { status, currentPeriodStart, plan } = (await recordOf(kinora, ann)) ?? assert.fail()
    records.add(JSON.stringify([status, currentPeriodStart, plan]))
    if (records.size > 1) assert.fail([...records].join(' or '))
    await send(eventA('subscription.paid', subscriptionA(id, ann.userId, { start: end, end: end + 30 * DAY_MS })))
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'], order.join())
  }
})

test('200: two events for one period with different users → one grant, to the first user', async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const id = newName('sub')
  await send(eventA('subscription.created', subscriptionA(id, ann.userId, { start, end })))
  await send(eventA('subscription.paid', subscriptionA(id, bob.userId, { start, end })))
  assert.deepEqual([await movesOf(kinora, ann), await movesOf(kinora, bob)], [['SUBSCRIPTION 960'], []])
})

test('200: trialing, past_due, unpaid or paused → record without credits', async () => {
  const cases: [type: string, inObject: string, status: string][] = [
    ['subscription.trialing', 'trialing', 'trialing'],
    ['subscription.trialing', 'active', 'trialing'],
    ['subscription.created', 'trialing', 'trialing'],
    ['subscription.active', 'trialing', 'trialing'],
    ['subscription.updated', 'past_due', 'past_due'],
    ['subscription.past_due', 'active', 'past_due'],
    ['subscription.unpaid', 'unpaid', 'past_due'],
    ['subscription.paused', 'paused', 'past_due'],
    ['subscription.created', 'incomplete', 'incomplete'],
    ['subscription.created', 'an unknown status', 'incomplete'],
    ['subscription.created', 'constructor', 'incomplete'],
  ]
  for (const [type, inObject, status] of cases) {
    const ann = await kinora.person({ credits: 0 })
    await subscriber(ann, type, {}, inObject)
    assert.equal((await recordOf(kinora, ann))?.status, status, type)
    assert.deepEqual(await movesOf(kinora, ann), [], type)
  }
})

test('200: cancelled or expired, in both spellings → record changes, bought credits stay', async () => {
  const canceledAt = new Date(start + DAY_MS).toISOString()
  const cases: [type: string, change: Record<string, unknown>, expected: object][] = [
    ['scheduled_cancel', {}, { status: 'active', cancelAtPeriodEnd: true, cancelledAt: null }],
    [
      'cancelled',
      { canceled_at: canceledAt },
      { status: 'cancelled', cancelAtPeriodEnd: false, cancelledAt: canceledAt },
    ],
    [
      'canceled',
      { canceled_at: canceledAt },
      { status: 'cancelled', cancelAtPeriodEnd: false, cancelledAt: canceledAt },
    ],
    ['expired', {}, { status: 'expired', cancelAtPeriodEnd: false, cancelledAt: null }],
  ]
  for (const [type, change, expected] of cases) {
    const ann = await kinora.person({ credits: 0 })
    const { id } = await subscriber(ann, 'subscription.created')
    await send(
      eventA(
        `subscription.${type}`,
        subscriptionA(id, ann.userId, { start, end, status: type }, change),
        Date.now() + 1,
      ),
    )
    const { status, cancelAtPeriodEnd, cancelledAt } = (await recordOf(kinora, ann)) ?? assert.fail()
    assert.deepEqual({ status, cancelAtPeriodEnd, cancelledAt }, expected, type)
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'], type)
  }
})

test('200: event without a period → stored period stays', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { id } = await subscriber(ann, 'subscription.paid')
  const without = { current_period_start_date: undefined, current_period_end_date: undefined }
  await send(eventA('subscription.active', subscriptionA(id, ann.userId, { start, end }, without), Date.now() + 1000))
  const record = await recordOf(kinora, ann)
  assert.equal(String(record?.currentPeriodEnd), new Date(end).toISOString())
  assert.equal(record?.plan, 'pro-monthly')
})

test('200: credits, names and prices in an event → ignored; the catalogue decides', async () => {
  const ann = await kinora.person({ credits: 0 })
  const order = { id: newName('ord'), status: 'paid', type: 'onetime', amount: 1490, credits: 1e6 }
  const product = { id: 'prod_pack_starter', name: 'Pro pack', credits: 1_000_000, price: 99_900 }
  const metadata = { referenceId: ann.userId, credits: '1000000', productId: 'pack-pro' }
  await send(eventA('checkout.completed', checkoutA(ann.userId, { order, product, metadata })))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
})

test("200: metadata as userId, or within the checkout's subscription → user found", async () => {
  for (const [metadata, subscription] of [
    [{ userId: true }, null],
    [{}, { referenceId: true }],
  ] as const) {
    const ann = await kinora.person({ credits: 0 })
    const named = (of: object) => Object.fromEntries(Object.keys(of).map((key) => [key, ann.userId]))
    const change = {
      metadata: named(metadata),
      ...(subscription ? { order: { id: newName('ord'), type: 'recurring' } } : {}),
    }
    const id = newName('sub')
    const link = subscription ? { subscription: { id, metadata: named(subscription) } } : {}
    const event = eventA('checkout.completed', checkoutA(null, { ...change, ...link }))
    await send(event)
    assert.equal((await storedAs(kinora, event))?.userId, ann.userId)
  }
})

test('200: out-of-range numbers and times, lone surrogates, null characters → stored, no retry requested', async () => {
  const ann = await kinora.person({ credits: 0 })
  const period = { start, end }
  const odd = [
    { ...eventA('checkout.completed', checkoutA(ann.userId)), created_at: 1e300 },
    { ...eventA('checkout.completed', checkoutA(ann.userId)), created_at: undefined },
    { ...eventA('checkout.completed', checkoutA(ann.userId)), created_at: '2999-12-31T23:59:59Z' },
    { ...eventA('checkout.completed', checkoutA(ann.userId)), created_at: -62135596800000 },
    eventA('checkout.completed', checkoutA(ann.userId, { order: { id: 'ord_\ud800_half', status: 'paid' } })),
    eventA('checkout.completed', checkoutA(ann.userId, { order: { id: 'ord_\u0000_null', status: 'paid' } })),
    eventA('checkout.completed', checkoutA(ann.userId, { customer: { id: `cust_${'x'.repeat(3000)}` } })),
    eventA(
      'subscription.created',
      subscriptionA(newName('sub'), ann.userId, period, { current_period_start_date: 8.64e15 }),
    ),
    eventA(
      'subscription.created',
      subscriptionA(newName('sub'), ann.userId, period, { current_period_end_date: -8.64e15 }),
    ),
    eventA(
      'subscription.created',
      subscriptionA(newName('sub'), ann.userId, period, {
        last_transaction_id: 'x'.repeat(9000),
        last_transaction: null,
      }),
    ),
    eventA('subscription.\u0000', subscriptionA(newName('sub'), ann.userId, period)),
  ]
  for (const event of odd) {
    const { status, text } = await deliver(kinora, 'payment-a', event)
    assert.equal(status, 200, `${JSON.stringify(event).slice(0, 300)} ${text}`)
    assert.ok(
      ['applied', 'ignored'].includes(String(await stateOf(kinora, event))),
      JSON.stringify(event).slice(0, 300),
    )
  }
  const packs = (await movesOf(kinora, ann)).filter((move) => move === 'ORDER_PAY 280')
  assert.equal(packs.length, 7)
  assert.equal(
    (await kinora.balance(ann)).available,
    7 * 280 + 960,
    'a time that cannot be read takes no credits away; a transaction that cannot be read proves no payment',
  )
})

test('200: effects that the database rejects → stored as failed for an operator', async () => {
  const ann = await kinora.person({ credits: 0 })
  // An unforeseen constraint.
  await kinora.app.sql`alter table kinora.payment_object add constraint refuses check (external_id <> 'cust_refused')`
  const event = eventA('checkout.completed', checkoutA(ann.userId, { customer: { id: 'cust_refused' } }))
  await send(event, event)
  assert.equal(await stateOf(kinora, event), 'failed')
  assert.deepEqual(await movesOf(kinora, ann), [])
  await kinora.app.sql`alter table kinora.payment_object drop constraint refuses`
  await send(event)
  assert.equal(await stateOf(kinora, event), 'applied')
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
})
