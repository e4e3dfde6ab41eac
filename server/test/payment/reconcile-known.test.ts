/** What counts as known to reconciliation: each test loses one webhook, after others of the same payment have come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverAll, movesOf } from '../support/payment/payment-delivery.ts'
import { DAY_MS, eventB, subscriptionB } from '../support/payment/payment-events.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'

const { act, buy, buyElsewhere, customersOf, deliverLate, foundAt, gate, kinora, quick } = await openReconciliation()

test('payment-b: dispute that is known, then won, both webhooks lost → found each time; the credits are back', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pack-starter')
  await foundAt('payment-b')
  for (const [action, available] of [
    ['dispute', 0],
    ['dispute-won', 280],
  ] as const) {
    await act(ann, 'payment-b', action, 'purchase')
    assert.deepEqual(await foundAt('payment-b'), ['dispute'])
    assert.equal((await kinora.balance(ann)).available, available)
    assert.deepEqual(await foundAt('payment-b'), [])
  }
})

test("payment-b: customer known by its subscription's event alone → its checkout is found, which binds it", async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pro-monthly')
  const [customer] = await customersOf(ann, 'payment-b')
  const period = { id: customer?.subscriptions[0]?.id ?? '', start: Date.now(), end: Date.now() + 30 * DAY_MS }
  const subscription = subscriptionB('newest', ann.userId, period, { customer: customer?.id })
  await deliverAll(kinora, 'payment-b', eventB('customer.subscription.created', subscription))
  const bound = () => kinora.app.sql`
    select by_checkout from kinora.payment_object where external_id = ${customer?.id ?? ''}
  `
  assert.deepEqual([...(await bound())], [{ byCheckout: false }])
  assert.ok((await foundAt('payment-b')).includes('customer'))
  assert.deepEqual([...(await bound())], [{ byCheckout: true }])
  assert.deepEqual(await foundAt('payment-b'), [])
})

test('payment-b: session created before the days that are asked for → read, because its payment may be of these days', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pack-starter')
  const days = 20
  kinora.turnClock(days * DAY_MS)
  try {
    assert.deepEqual(await foundAt('payment-b', { days: 3 }), ['purchase'])
  } finally {
    kinora.turnClock(-days * DAY_MS)
  }
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
})

test('payment-b: error after its purchases were read → none is applied until a run reads all', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pack-starter')
  let wereRead = false
  gate.rewrite = (path) => {
    if (path !== '/v1/checkout/sessions') return
    wereRead = true
    Object.assign(gate, { status: 403, failures: 1000 })
  }
  const report = (await quick()).find(({ processor }) => processor === 'payment-b')
  Object.assign(gate, { status: 0, failures: 0, rewrite: null })
  assert.ok(wereRead)
  assert.match(report?.error ?? '', /HTTP 403/)
  assert.deepEqual(report?.differences, [])
  assert.deepEqual(await movesOf(kinora, ann), [])
  assert.deepEqual(await foundAt('payment-b'), ['purchase'])
})

test('payment-a: purchase of another shop, whose webhook came and failed → waits; it is not found again', async () => {
  const stranger = { ...(await kinora.person({ credits: 0 })), email: 'stranger@example.com' }
  await buyElsewhere(stranger.email)
  await deliverLate(stranger, 'payment-a')
  const report = (await quick()).find(({ processor }) => processor === 'payment-a')
  assert.deepEqual([report?.differences, report?.waiting], [[], 1])
})
