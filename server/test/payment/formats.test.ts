/** Payment events in another format or order, or with gaps: granted, or an operator learns of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, movesOf, paymentEnv, recordOf, stateOf, storedAs } from '../support/payment/payment-delivery.ts'
import {
  checkoutA,
  DAY_MS,
  eventA,
  eventB,
  invoiceB,
  newName,
  sessionB,
  subscriptionA,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const start = Date.UTC(2027, 0, 31, 10)
const end = Date.UTC(2027, 1, 28, 10)
kinora.turnClock(start - Date.now())

const expiriesOf = async ({ userId }: Person): Promise<string[]> =>
  (
    await kinora.app.sql<{ expiresAt: Date }[]>`
      select expires_at from kinora.credit_package where user_id = ${userId} order by expires_at
    `
  ).map(({ expiresAt }) => expiresAt.toISOString())

test('payment-a: times as numeric strings → read as milliseconds', async () => {
  const ann = await kinora.person({ credits: 0 })
  const id = newName('sub')
  const period = { current_period_start_date: `${start}`, current_period_end_date: `${end}` }
  const paid = eventA('subscription.paid', subscriptionA(id, ann.userId, { start, end }, period))
  const paused = eventA('subscription.paused', subscriptionA(id, ann.userId, { start, end }))
  await deliverAll(
    kinora,
    'payment-a',
    { ...paid, created_at: `${start + 2000}` },
    { ...paused, created_at: `${start + 1000}` },
  )
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  const { status, currentPeriodStart, currentPeriodEnd } = (await recordOf(kinora, ann)) ?? assert.fail()
  assert.deepEqual(
    [status, currentPeriodStart, currentPeriodEnd],
    ['active', new Date(start).toISOString(), new Date(end).toISOString()],
  )
})

test('payment-a: times without a zone → UTC, in every zone of the machine', async () => {
  const ann = await kinora.person({ credits: 0 })
  const period = {
    current_period_start_date: '2027-01-31T10:00:00',
    current_period_end_date: '2027-02-28 10:00:00.000',
  }
  const { TZ } = process.env
  process.env.TZ = 'America/New_York'
  try {
    assert.notEqual(new Date('2027-01-31T10:00:00').getTime(), start, 'the zone is not UTC')
    const paid = subscriptionA(newName('sub'), ann.userId, { start, end }, period)
    await deliverAll(kinora, 'payment-a', eventA('subscription.paid', paid, start))
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
  assert.deepEqual(await expiriesOf(ann), [new Date(end).toISOString()])
})

test('payment-a: paid without a period and a transaction → failed, as it is without a transaction', async () => {
  const ann = await kinora.person({ credits: 0 })
  const without = {
    current_period_start_date: null,
    current_period_end_date: null,
    last_transaction_id: null,
    last_transaction: null,
  }
  const paid = eventA('subscription.paid', subscriptionA(newName('sub'), ann.userId, { start, end }, without), start)
  await deliverAll(kinora, 'payment-a', paid)
  const stored = await storedAs(kinora, paid)
  assert.equal(stored?.state, 'failed')
  assert.match(String(stored?.reason), /names no transaction/)
})

test('payment-a: checkout.completed of a recurring product without type and subscription → links only', async () => {
  const ann = await kinora.person({ credits: 0 })
  const checkout = checkoutA(ann.userId, {
    order: { id: newName('ord'), status: 'paid', amount: 2990, currency: 'USD' },
    product: { id: 'prod_pro_monthly', billing_type: 'recurring', billing_period: 'every-month' },
  })
  const event = eventA('checkout.completed', checkout)
  await deliverAll(kinora, 'payment-a', event)
  assert.equal(await stateOf(kinora, event), 'applied')
  assert.deepEqual(await movesOf(kinora, ann), [])
  const paid = subscriptionA(newName('sub'), null, { start, end }, { customer: checkout.customer })
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', paid, start))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'], 'the customer is linked')
})

test('payment-b: metadata and client_reference_id name different users → the user in the metadata', async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  for (const reference of [bob.userId, 'a campaign'])
    await deliverAll(
      kinora,
      'payment-b',
      eventB('checkout.session.completed', { ...sessionB(ann.userId), client_reference_id: reference }),
    )
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY 960'])
  assert.deepEqual(await movesOf(kinora, bob), [])
})

test("payment-b: rest of the old period before or after the new period's line → credits until the new period's end", async () => {
  const period = { price: 'price_pro_monthly', start, end, amount: 2990 }
  const rest = { ...period, start: start - 10 * DAY_MS, end: start, amount: 1000, isPart: true }
  for (const lines of [
    [rest, period],
    [period, rest],
  ]) {
    const ann = await kinora.person({ credits: 0 })
    const invoice = invoiceB('new', ann.userId, { subscription: newName('sub'), lines })
    await deliverAll(kinora, 'payment-b', eventB('invoice.payment_succeeded', invoice, start))
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 1281'])
    assert.deepEqual(await expiriesOf(ann), [new Date(end).toISOString()])
  }
})

test("200: payment a minute before its period's end, or a day after it → valid for the period's length from the payment", async () => {
  const period = { start: start - 33 * DAY_MS, end: start - 2 * DAY_MS }
  for (const paidAt of [period.end - 60_000, period.end + DAY_MS]) {
    const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
    const lines = [{ price: 'price_pro_monthly', amount: 2990, ...period }]
    const invoice = invoiceB('new', bob.userId, { subscription: newName('sub'), lines })
    await deliverAll(
      kinora,
      'payment-a',
      eventA('subscription.paid', subscriptionA(newName('sub'), ann.userId, period), paidAt),
    )
    await deliverAll(kinora, 'payment-b', eventB('invoice.paid', invoice, paidAt))
    for (const person of [ann, bob]) {
      assert.deepEqual(await movesOf(kinora, person), ['SUBSCRIPTION 960'])
      assert.deepEqual(await expiriesOf(person), [new Date(paidAt + 31 * DAY_MS).toISOString()])
    }
  }
})
