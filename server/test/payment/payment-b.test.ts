/** The effect of each payment-b event, in both generations of its API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import {
  deliver,
  deliverAll,
  historyOf,
  movesOf,
  paymentEnv,
  recordOf,
  stateOf,
} from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  endingB,
  eventB,
  type Generation,
  invoiceB,
  newName,
  sessionB,
  subscriptionB,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const generations: Generation[] = ['old', 'new', 'newest']
/** The first day of a month of 31 days. */
const start = Date.UTC(2027, 0, 1)
const end = Date.UTC(2027, 1, 1)
kinora.turnClock(start - Date.now())

const send = (...events: unknown[]) => deliverAll(kinora, 'payment-b', ...events)
const pro = { price: 'price_pro_monthly', start, end, amount: 2990 }

test('200: paid session of a pack → ORDER_PAY, once a payment, for repeated and different events', async () => {
  const ann = await kinora.person({ credits: 0 })
  const session = sessionB(ann.userId)
  const event = eventB('checkout.session.completed', session)
  await send(...Array.from({ length: 10 }, () => event))
  await send(eventB('checkout.session.completed', session), eventB('checkout.session.async_payment_succeeded', session))
  const orderNo = session.payment_intent
  assert.deepEqual(await historyOf(kinora, ann), [{ transType: 'ORDER_PAY', credits: 960, orderNo, balanceAfter: 960 }])
})

test('200: session with delayed payment → credits when the payment succeeds', async () => {
  const ann = await kinora.person({ credits: 0 })
  const session = sessionB(ann.userId, { payment_status: 'unpaid' })
  const early = eventB('checkout.session.completed', session)
  await send(early)
  assert.equal(await stateOf(kinora, early), 'ignored')
  assert.deepEqual(await movesOf(kinora, ann), [])
  await send(eventB('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }), early)
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960'])
})

test('200: session of a subscription → links customer and subscription only', async () => {
  const ann = await kinora.person({ credits: 0 })
  const subscription = newName('sub')
  const metadata = { userId: ann.userId, productId: 'pro-monthly' }
  await send(
    eventB('checkout.session.completed', sessionB(ann.userId, { mode: 'subscription', subscription, metadata })),
  )
  assert.deepEqual(await movesOf(kinora, ann), [])
  assert.equal(await recordOf(kinora, ann), null)
  await send(eventB('invoice.payment_succeeded', invoiceB('new', null, { subscription, lines: [pro] })))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
})

for (const generation of generations) {
  const line = (change: object) => ({ ...pro, ...change })

  test(`200: ${generation} API: paid invoice → SUBSCRIPTION for its period, once; next invoice → again`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const subscription = newName('sub')
    const invoice = invoiceB(generation, ann.userId, { subscription, lines: [pro], reason: 'subscription_create' })
    const event = eventB('invoice.payment_succeeded', invoice)
    await send(...Array.from({ length: 10 }, () => event), eventB('invoice.payment_succeeded', invoice))
    assert.deepEqual(await historyOf(kinora, ann), [
      { transType: 'SUBSCRIPTION', credits: 960, orderNo: invoice.id, balanceAfter: 960 },
    ])
    const next = line({ start: end, end: Date.UTC(2027, 2, 1) })
    await send(eventB('invoice.payment_succeeded', invoiceB(generation, ann.userId, { subscription, lines: [next] })))
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
    const expiries = await kinora.app.sql<{ expiresAt: Date }[]>`
      select expires_at from kinora.credit_package where user_id = ${ann.userId} order by expires_at
    `
    assert.deepEqual(
      expiries.map(({ expiresAt }) => expiresAt.toISOString()),
      ['2027-02-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z'],
    )
  })

  test(`200: ${generation} API: invoice without payment, or with lines of zero cost → no credits`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const subscription = newName('sub')
    const onTrial = line({ amount: 0 })
    const setUp = line({ price: 'price_of_setting_up', amount: 500 })
    for (const [invoice, state] of [
      [{ subscription, lines: [onTrial] }, 'ignored'],
      [{ subscription, lines: [pro], paid: 0 }, 'ignored'],
      [{ subscription, lines: [pro], paid: -2990 }, 'ignored'],
      [{ subscription, lines: [onTrial], paid: 500 }, 'applied'],
      [{ subscription, lines: [onTrial, setUp] }, 'failed'],
      [{ subscription, lines: [setUp] }, 'failed'],
      [{ subscription, lines: [], paid: 1 }, 'failed'],
    ] as const) {
      const event = eventB(
        'invoice.payment_succeeded',
        invoiceB(generation, ann.userId, { ...invoice, lines: [...invoice.lines] }),
      )
      await send(event)
      assert.equal(await stateOf(kinora, event), state, JSON.stringify(invoice))
    }
    assert.deepEqual(await movesOf(kinora, ann), [])
  })

  test(`200: ${generation} API: plan change in mid-period → prorated difference in credits`, async () => {
    const middle = Date.UTC(2027, 0, 16, 12)
    const ann = await kinora.person({ credits: 0 })
    const subscription = newName('sub')
    const part = (price: string, amount: number) => ({ price, start: middle, end, amount, isPart: true })
    const change = [part('price_basic_monthly', -495), part('price_ultimate_monthly', 3995)]
    const basic = line({ price: 'price_basic_monthly', amount: 990 })
    await send(
      eventB('invoice.payment_succeeded', invoiceB(generation, ann.userId, { subscription, lines: [basic] })),
      eventB('invoice.payment_succeeded', invoiceB(generation, ann.userId, { subscription, lines: change })),
    )
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 280', 'SUBSCRIPTION 1285'])
    const [row] = await kinora.app.sql`
      select expires_at from kinora.credit_package where user_id = ${ann.userId} and initial = 1285
    `
    assert.equal(row?.expiresAt.getTime(), end, 'good for the rest of the period')
    // A change back is unpaid and claws back nothing.
    const back = [part('price_ultimate_monthly', -3995), part('price_basic_monthly', 495)]
    await send(
      eventB('invoice.payment_succeeded', invoiceB(generation, ann.userId, { subscription, lines: back, paid: 0 })),
    )
    assert.equal((await kinora.balance(ann)).available, 1565)
  })

  test(`200: ${generation} API: created, updated, deleted → record follows`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const id = newName('sub')
    const created = subscriptionB(generation, ann.userId, { id, start, end, status: 'incomplete' })
    await send(eventB('customer.subscription.created', created, start))
    assert.equal((await recordOf(kinora, ann))?.status, 'incomplete')
    const active = subscriptionB(generation, ann.userId, { id, start, end })
    await send(eventB('customer.subscription.updated', active, start))
    const record = (await recordOf(kinora, ann)) ?? assert.fail()
    assert.deepEqual(
      [
        record.processor,
        record.externalId,
        record.plan,
        record.status,
        record.currentPeriodStart,
        record.currentPeriodEnd,
      ],
      ['payment-b', id, 'pro-monthly', 'active', new Date(start).toISOString(), new Date(end).toISOString()],
    )
    await send(eventB('customer.subscription.updated', { ...active, ...endingB(generation, end) }, start + 1000))
    assert.equal((await recordOf(kinora, ann))?.cancelAtPeriodEnd, true)
    const gone = { ...active, status: 'canceled', canceled_at: start / 1000 + 60 }
    await send(eventB('customer.subscription.deleted', gone, start + 60_000))
    const after = await recordOf(kinora, ann)
    assert.deepEqual([after?.status, String(after?.cancelledAt)], ['cancelled', new Date(start + 60_000).toISOString()])
    // A late event with an earlier time changes nothing.
    await send(eventB('customer.subscription.updated', active, start + 59_000))
    assert.deepEqual(await recordOf(kinora, ann), after)
    assert.deepEqual(await movesOf(kinora, ann), [], 'credits come with invoices only')
  })
}

test('200: every status of the processor → one of our statuses; unknown status → no credits', async () => {
  const ann = await kinora.person({ credits: 0 })
  const id = newName('sub')
  const statuses = {
    trialing: 'trialing',
    active: 'active',
    past_due: 'past_due',
    unpaid: 'past_due',
    paused: 'past_due',
    canceled: 'cancelled',
    incomplete: 'incomplete',
    incomplete_expired: 'expired',
    'an unknown status': 'incomplete',
    constructor: 'incomplete',
  }
  let atMs = start
  for (const [status, ours] of Object.entries(statuses)) {
    atMs += 1000
    await send(
      eventB('customer.subscription.updated', subscriptionB('new', ann.userId, { id, start, end, status }), atMs),
    )
    assert.equal((await recordOf(kinora, ann))?.status, ours, status)
  }
})

test("200: false amounts and metadata → the sold pack, the catalogue's credits", async () => {
  const ann = await kinora.person({ credits: 0 })
  const lies = { amount_total: 1e12, metadata: { userId: ann.userId, productId: 'pack-starter', credits: '1e9' } }
  await send(eventB('checkout.session.completed', sessionB(ann.userId, lies)))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
  // Without a pack that it names, its lines have to be read, and this API shows none.
  const states = { 'ultimate-yearly': 'failed', constructor: 'waiting', '': 'waiting', 'pack-unknown': 'waiting' }
  for (const [productId, state] of Object.entries(states)) {
    const event = eventB(
      'checkout.session.completed',
      sessionB(ann.userId, { metadata: { userId: ann.userId, productId } }),
    )
    await send(event)
    assert.equal(await stateOf(kinora, event), state, productId)
  }
  const invoice = invoiceB('new', ann.userId, { subscription: newName('sub'), lines: [{ ...pro, amount: 1e9 }] })
  await send(eventB('invoice.payment_succeeded', { ...invoice, quantity: 100 }))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280', 'SUBSCRIPTION 960'])
})

test('200: two events for one payment with different users → one grant, to the first user', async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const session = sessionB(ann.userId)
  const other = { ...session, client_reference_id: bob.userId, metadata: { userId: bob.userId, productId: 'pack-pro' } }
  await send(eventB('checkout.session.completed', session), eventB('checkout.session.completed', other))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960'])
  assert.deepEqual(await movesOf(kinora, bob), [])
  // The refund names the second user and applies to the first user's package.
  const charge = chargeB(String(session.payment_intent), 3990, 3990, { metadata: { userId: bob.userId } })
  await send(eventB('charge.refunded', charge))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY -960'])
})

test("200: another user's customer in an event → credits for the named user, customer link unchanged", async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const customer = newName('cus')
  await send(
    eventB('checkout.session.completed', sessionB(ann.userId, { customer })),
    eventB('checkout.session.completed', sessionB(bob.userId, { customer })),
  )
  assert.deepEqual([await movesOf(kinora, ann), await movesOf(kinora, bob)], [['ORDER_PAY 960'], ['ORDER_PAY 960']])
  const subscription = newName('sub')
  const invoice = { ...invoiceB('new', null, { subscription, lines: [pro] }), customer }
  await send(eventB('invoice.payment_succeeded', invoice))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'SUBSCRIPTION 960'])
})

test('200: out-of-range numbers and times, unstorable texts → stored, no retry requested', async () => {
  const ann = await kinora.person({ credits: 0 })
  const subscription = newName('sub')
  const lines = [{ ...pro, start: 1e300, end: -1e300 }]
  const isPart = [{ ...pro, isPart: true, start: 1e300, end: 1e300 }]
  const odd = [
    { ...eventB('checkout.session.completed', sessionB(ann.userId)), created: 1e300 },
    { ...eventB('checkout.session.completed', sessionB(ann.userId)), created: null },
    eventB('checkout.session.completed', sessionB(ann.userId, { payment_intent: 'pi_\ud800\u0000' })),
    eventB('checkout.session.completed', sessionB(ann.userId, { payment_intent: null, id: null })),
    eventB('checkout.session.completed', sessionB(ann.userId, { customer: 'x'.repeat(5000) })),
    eventB('invoice.payment_succeeded', invoiceB('new', ann.userId, { subscription, lines })),
    eventB('invoice.payment_succeeded', invoiceB('old', ann.userId, { subscription, lines: isPart })),
    eventB('invoice.payment_succeeded', {
      ...invoiceB('old', ann.userId, { subscription, lines }),
      lines: { data: 'none' },
    }),
    eventB(
      'customer.subscription.updated',
      subscriptionB('new', ann.userId, { id: subscription, start: 1e300, end: 1e300 }),
    ),
    eventB('charge.refunded', chargeB(newName('pi'), 1e-300, 1e300, { metadata: { userId: ann.userId } })),
    eventB('invoice.payment_failed', { subscription: { id: subscription }, metadata: { userId: ann.userId } }),
  ]
  for (const event of odd) {
    const { status, text } = await deliver(kinora, 'payment-b', event)
    assert.equal(status, 200, `${JSON.stringify(event).slice(0, 300)} ${text}`)
    assert.notEqual(await stateOf(kinora, event), undefined)
  }
  const packs = (await movesOf(kinora, ann)).filter((move) => move === 'ORDER_PAY 960')
  assert.equal(packs.length, 5)
})
