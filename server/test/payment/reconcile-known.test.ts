/** What counts as known to reconciliation: each test loses one webhook, after others of the same payment have come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../support/harness.ts'
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

/** The simulator's clock is ahead, because two operations are at least a second apart there. */
async function aMinuteLater(work: () => Promise<void>): Promise<void> {
  kinora.turnClock(60_000)
  await work().finally(() => kinora.turnClock(-60_000))
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: two refunds that are known, whose failures are lost one after another → found each time; the credits are back`, async () => {
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pack-starter')
    for (let n = 0; n < 2; n++) await act(ann, processor, 'refund-half', 'purchase')
    await deliverLate(ann, processor)
    assert.equal((await kinora.balance(ann)).available, 0)
    assert.deepEqual(await foundAt(processor), [])
    for (const available of [140, 280]) {
      await act(ann, processor, 'refund-fails', 'purchase')
      await aMinuteLater(async () => {
        assert.ok((await foundAt(processor)).every((kind) => kind === 'refund'))
        assert.equal((await kinora.balance(ann)).available, available)
        assert.deepEqual(await foundAt(processor), [])
      })
    }
    for (let times = 0; times < 2; times++) await deliverLate(ann, processor)
    assert.equal((await kinora.balance(ann)).available, 280)
    assert.deepEqual(await foundAt(processor), [])
  })

  test(`${processor}: dispute that is known with a later event, won, the end is lost → found; the credits are back`, async () => {
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pro-monthly')
    await act(ann, processor, 'dispute')
    await deliverLate(ann, processor)
    await act(ann, processor, 'cancel-at-period-end')
    await act(ann, processor, 'resume')
    if (processor === 'payment-b') await deliverAll(kinora, processor, await laterEvent(ann))
    assert.equal((await kinora.balance(ann)).available, 0)
    await act(ann, processor, 'dispute-won')
    await aMinuteLater(async () => {
      assert.ok((await foundAt(processor)).includes('dispute'))
      assert.equal((await kinora.balance(ann)).available, 960)
      assert.deepEqual(await foundAt(processor), [])
    })
    await deliverLate(ann, processor)
    assert.equal((await kinora.balance(ann)).available, 960)
    assert.deepEqual(await foundAt(processor), [])
  })
}

/** The opened dispute once more, a second later, under review. */
async function laterEvent(as: Person) {
  const events = (await customersOf(as, 'payment-b')).flatMap((customer) => customer.events)
  const opened = JSON.parse(events.find(({ type }) => type === 'charge.dispute.funds_withdrawn')?.body ?? '')
  const object = { ...opened.data.object, status: 'under_review' }
  return eventB('charge.dispute.updated', object, (opened.created + 1) * 1000)
}

test('payment-b: refund that failed before another one, its failure lost → found; the other one stays taken', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pack-starter')
  for (const action of ['refund-half', 'refund-fails', 'refund-half']) await act(ann, 'payment-b', action, 'purchase')
  for (const { type, body } of (await customersOf(ann, 'payment-b')).flatMap(({ events }) => events))
    if (type !== 'refund.failed') await deliverAll(kinora, 'payment-b', JSON.parse(body))
  assert.equal((await kinora.balance(ann)).available, 140)
  await aMinuteLater(async () => {
    assert.deepEqual(await foundAt('payment-b'), ['refund'])
    assert.equal((await kinora.balance(ann)).available, 140)
    assert.deepEqual(await foundAt('payment-b'), [])
  })
})

test('payment-b: month credited to the balance, which pays the next, then the note voided, all webhooks lost → found each time', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pro-monthly')
  await foundAt('payment-b')
  const moves = ['SUBSCRIPTION 960']
  for (const [action, kinds, move] of [
    ['credit', ['credit note'], 'SUBSCRIPTION -960'],
    ['next-period', ['period', 'subscription'], 'SUBSCRIPTION 960'],
    ['void-note', ['credit note'], 'SUBSCRIPTION 960'],
  ] as const) {
    await act(ann, 'payment-b', action)
    assert.deepEqual(await foundAt('payment-b'), kinds)
    moves.push(move)
    assert.deepEqual(await movesOf(kinora, ann), moves)
    assert.deepEqual(await foundAt('payment-b'), [])
  }
  for (let times = 0; times < 2; times++) await deliverLate(ann, 'payment-b')
  assert.deepEqual(await movesOf(kinora, ann), moves)
})

test('payment-b: month credited, a half by a refund → the refund counts once', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pro-monthly')
  await act(ann, 'payment-b', 'credit-and-refund')
  await deliverLate(ann, 'payment-b')
  assert.equal((await kinora.balance(ann)).available, 0)
  await act(ann, 'payment-b', 'void-note')
  await deliverLate(ann, 'payment-b')
  assert.equal((await kinora.balance(ann)).available, 480)
  assert.deepEqual(await foundAt('payment-b'), [])
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
