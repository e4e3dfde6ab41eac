/** Events and the settings they meet: the catalogue's products, sold or not, and the mode of the API key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMetrics } from '../../src/http/operations/metrics.ts'
import { receive } from '../../src/payment/events.ts'
import { plans } from '../../src/payment/plans.ts'
import { openKinora } from '../support/harness.ts'
import {
  deliver,
  deliverAll,
  movesOf,
  paymentEnv,
  recordOf,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import {
  checkoutA,
  DAY_MS,
  type Event,
  eventA,
  eventB,
  newName,
  sessionB,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const start = startOfToday()
const end = start + 31 * DAY_MS

async function problemCount(problem: string): Promise<number> {
  const [row] = await kinora.app.sql<[{ n: number }]>`
    select count(*) as n from kinora.payment_event where problem = ${problem}
  `
  return row.n
}

test('200, 400: product with listed: false → not offered and not sold, but its subscription renews', async () => {
  const bob = await kinora.person({ credits: 0 })
  const product = plans().byId('basic-monthly') ?? assert.fail()
  product.listed = false
  try {
    const { data } = await kinora.call<{ products: { id: string }[] }>('GET', '/api/v1/config/plans')
    assert.equal(data.products.length, 8)
    assert.ok(!data.products.some(({ id }) => id === 'basic-monthly'))
    const { status, error } = await kinora.call('POST', '/api/v1/billing/checkout', {
      as: bob,
      body: { productId: 'basic-monthly' },
    })
    assert.equal(status, 400)
    assert.doesNotMatch(String(error?.message), /one of .*basic-monthly/)
    const renewal = subscriptionA(newName('sub'), bob.userId, { start, end, product: 'prod_basic_monthly' })
    await deliverAll(kinora, 'payment-a', eventA('subscription.paid', renewal))
    assert.equal((await kinora.balance(bob)).available, 280)
    assert.equal((await recordOf(kinora, bob))?.plan, 'basic-monthly')
  } finally {
    product.listed = true
  }
})

test('200: renewal with an id that is in no catalogue entry → failed, listed, counted by the metric', async () => {
  const ann = await kinora.person({ credits: 0 })
  const id = newName('sub')
  const renewal = eventB(
    'customer.subscription.updated',
    subscriptionB('new', ann.userId, { id, start, end, price: 'price_unknown' }),
  )
  await deliverAll(kinora, 'payment-b', renewal)
  assert.equal(await stateOf(kinora, renewal), 'failed')
  assert.equal(await recordOf(kinora, ann), null)
  const text = await openMetrics({ addHook: () => {} } as never, kinora.app, async () => true).read(null)
  const [, n] = /kinora_payment_events\{processor="payment-b",problem="unknown_product"\} (\d+)/.exec(text) ?? []
  assert.equal(Number(n), await problemCount('unknown_product'))
  assert.ok(Number(n) > 0)
})

test('200: event of the other mode → ignored with a reason and counted; of the same mode or none → applied', async () => {
  const settings = kinora.app.config.payments
  const [a, b] = [settings['payment-a'] ?? assert.fail(), settings['payment-b'] ?? assert.fail()]
  const cases: [keyA: string, keyB: string, other: boolean][] = [
    ['creem_test_1', 'sk_test_1', true],
    ['creem_1', 'rk_live_1', false],
  ]
  for (const [keyA, keyB, isTestKey] of cases) {
    const payments = { 'payment-a': { ...a, apiKey: keyA }, 'payment-b': { ...b, apiKey: keyB } }
    await kinora.withSettings({ payments }, async (url) => {
      const ann = await kinora.person({ credits: 0 })
      const before = await problemCount('other_mode')
      const wrong: [processor: 'payment-a' | 'payment-b', event: Event][] = [
        ['payment-b', { ...eventB('checkout.session.completed', sessionB(ann.userId)), livemode: isTestKey }],
        ['payment-a', eventA('checkout.completed', checkoutA(ann.userId, { mode: isTestKey ? 'prod' : 'test' }))],
      ]
      for (const [processor, event] of wrong) {
        assert.equal((await deliver(kinora, processor, event, url)).status, 200)
        assert.equal(await stateOf(kinora, event), 'ignored')
        assert.match(String((await storedAs(kinora, event))?.reason), /mode/)
      }
      assert.equal(await problemCount('other_mode'), before + 2)
      assert.deepEqual(await movesOf(kinora, ann), [])
      const right: [processor: 'payment-a' | 'payment-b', event: Event][] = [
        ['payment-b', { ...eventB('checkout.session.completed', sessionB(ann.userId)), livemode: !isTestKey }],
        ['payment-b', eventB('checkout.session.completed', sessionB(ann.userId))],
        ['payment-a', eventA('checkout.completed', checkoutA(ann.userId, { mode: isTestKey ? 'test' : 'prod' }))],
        ['payment-a', eventA('checkout.completed', checkoutA(ann.userId))],
      ]
      for (const [processor, event] of right) await deliver(kinora, processor, event, url)
      assert.equal((await kinora.balance(ann)).available, 2 * 960 + 2 * 280)
    })
  }
  // A key whose mode does not show, as the simulator's, accepts both.
  const ann = await kinora.person({ credits: 0 })
  await receive(
    kinora.app,
    'payment-b',
    JSON.stringify({ ...eventB('checkout.session.completed', sessionB(ann.userId)), livemode: true }),
  )
  assert.equal((await kinora.balance(ann)).available, 960)
})

test('200: free order of a pack → granted, and the history says that it was free', async () => {
  const ann = await kinora.person({ credits: 0 })
  const order = {
    id: newName('ord'),
    status: 'paid',
    type: 'onetime',
    amount: 1490,
    discount_amount: 1490,
    amount_paid: 0,
  }
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(ann.userId, { order })))
  const { data } = await kinora.call<{ transactions: { remark: string }[] }>('GET', '/api/v1/credit/history', {
    as: ann,
  })
  assert.deepEqual(
    data.transactions.map(({ remark }) => remark),
    ['Starter pack, free'],
  )
})
