// slow
/**
 * payment-a's subscriptions: each grant rests on one transaction, and the record ends with a cancellation, not with an
 * expiry alone.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receive } from '../../src/payment/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import {
  deliverAll,
  later,
  movesOf,
  paymentEnv,
  recordOf,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import {
  DAY_MS,
  type Event,
  eventA,
  newName,
  type PeriodA,
  returnedA,
  startOfToday,
  subscriptionA,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const start = startOfToday()
const end = start + 30 * DAY_MS
const middle = start + 15 * DAY_MS
const basic = 'prod_basic_monthly'
const pro = 'prod_pro_monthly'
const ultimate = 'prod_ultimate_monthly'
const send = (...events: unknown[]) => deliverAll(kinora, 'payment-a', ...events)

/** Events of one subscription of this user. */
function subscriptionOf(as: Person) {
  const id = newName('sub')
  const event = (type: string, atMs: number, fields: Partial<PeriodA>, change = {}) =>
    eventA(`subscription.${type}`, subscriptionA(id, as.userId, { start, end, ...fields }, change), atMs)
  const refund = (transaction: string, change = {}) =>
    eventA('refund.created', returnedA(subscriptionA(id, null, { start, end, transaction }), change))
  return { id, event, refund }
}

/** The sum of each order number, so that another sequence of rows is the same books. */
async function booksOf(as: Person): Promise<Record<string, number>> {
  const rows = await kinora.app.sql<{ orderNo: string; credits: number }[]>`
    select order_no, sum(credits)::bigint as credits from kinora.credit_transaction
    where user_id = ${as.userId} group by 1 order by 1
  `
  return Object.fromEntries(rows.map(({ orderNo, credits }) => [orderNo, credits]))
}

const permutations = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))

test('200: update, or an event without a transaction → record without credits', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = subscriptionOf(ann)
  await send(
    event('update', start, { product: pro }),
    event('created', start, { product: pro }, { last_transaction_id: null, last_transaction: null }),
    event('active', start, { product: pro }, { last_transaction_id: null, last_transaction: null }),
  )
  assert.equal((await recordOf(kinora, ann))?.plan, 'pro-monthly')
  assert.deepEqual(await movesOf(kinora, ann), [])
  const paid = event('paid', start, { product: pro }, { last_transaction_id: null, last_transaction: null })
  await send(paid)
  assert.equal(await stateOf(kinora, paid), 'failed', 'a paid period without a transaction needs an operator')
  assert.match(String((await storedAs(kinora, paid))?.reason), /no transaction/)
  await send(event('paid', start + 1000, { product: pro }))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
})

test('200: plan change that names the old transaction → no credits, in both spellings', async () => {
  for (const type of ['update', 'updated']) {
    const ann = await kinora.person({ credits: 0 })
    const { event } = subscriptionOf(ann)
    const transaction = newName('tran')
    await send(event('paid', start, { product: basic, transaction }))
    await send(event(type, start + 1000, { product: ultimate, transaction }))
    await send(event(type, middle, { product: ultimate, transaction }))
    assert.equal((await recordOf(kinora, ann))?.plan, 'ultimate-monthly')
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 280'], type)
  }
})

test('200: two upgrades and refunds in one period, in all 120 orders → the same books', async () => {
  for (const order of permutations([0, 1, 2, 3, 4])) {
    const ann = await kinora.person({ credits: 0 })
    const { event, refund } = subscriptionOf(ann)
    const name = newName('t')
    const transaction = (n: number) => `${name}_${n}`
    const events: Event[] = [
      event('paid', start, { product: basic, transaction: transaction(1) }),
      event('paid', middle, { product: pro, transaction: transaction(2), cents: 1000 }),
      event('paid', middle + 7.5 * DAY_MS, { product: ultimate, transaction: transaction(3), cents: 1250 }),
      refund(transaction(2), { refund_amount: 500, transaction: { id: transaction(2), amount_paid: 1000 } }),
      refund(transaction(1), { refund_amount: 990, transaction: { id: transaction(1), amount_paid: 990 } }),
    ]
    for (const n of order) await receive(kinora.app, 'payment-a', JSON.stringify(events[n]))
    const expected = { [transaction(1)]: 0, [transaction(2)]: 160, [transaction(3)]: 464 }
    assert.deepEqual(await booksOf(ann), expected, order.join())
  }
})

test('200: refund of one transaction before it is known → taken from its own credits only', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { id, event, refund } = subscriptionOf(ann)
  const [one, two] = [newName('tran'), newName('tran')]
  await send(event('paid', start, { product: basic, transaction: one }))
  const about = { subscription: id, period_start: start, amount_paid: 1000, order: 'ord_of_all' }
  await send(refund(two, { refund_amount: 1000, transaction: { id: two, ...about } }))
  assert.equal((await kinora.balance(ann)).available, 280)
  await send(event('paid', middle, { product: pro, transaction: two, cents: 1000 }))
  assert.deepEqual(await booksOf(ann), { [one]: 280, [two]: 0 })
})

test('200: expired, then a later period is paid → record active with the new dates; cancelled ends it', async () => {
  for (const cancelled of ['canceled', 'cancelled']) {
    const ann = await kinora.person({ credits: 0 })
    const { event } = subscriptionOf(ann)
    const next = { start: end, end: end + 31 * DAY_MS, product: pro }
    await send(event('paid', start, { product: pro }), event('past_due', end, { product: pro, status: 'past_due' }))
    await send(event('expired', end + DAY_MS, { product: pro, status: 'expired' }))
    assert.equal((await recordOf(kinora, ann))?.status, 'expired')
    await send(event('paid', end + 2 * DAY_MS, next))
    const record = await recordOf(kinora, ann)
    assert.deepEqual(
      [record?.status, String(record?.currentPeriodStart), String(record?.currentPeriodEnd)],
      ['active', new Date(end).toISOString(), new Date(next.end).toISOString()],
    )
    assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
    await send(event(cancelled, end + 3 * DAY_MS, { ...next, status: 'canceled' }))
    await send(
      event('expired', next.end, { ...next, status: 'expired' }),
      event('update', next.end + 1, { ...next, status: 'active' }),
    )
    assert.equal((await recordOf(kinora, ann))?.status, 'expired', cancelled)
  }
})

test('200: event of a period applied 40 days late → full validity from then on, with a remark in the history', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = subscriptionOf(ann)
  const old = { start: start - 40 * DAY_MS, end: start - 10 * DAY_MS }
  await send(event('paid', old.start, { ...old, product: pro }))
  const { data } = await kinora.call<{ transactions: { credits: number; remark: string }[] }>(
    'GET',
    '/api/v1/credit/history',
    { as: ann },
  )
  assert.deepEqual(
    data.transactions.map(({ credits, remark }) => [credits, remark]),
    [[960, 'Pro, monthly, valid from when it was applied, because its event came late']],
  )
  await later(kinora, ann, 29, async () => assert.equal((await kinora.balance(ann)).available, 960))
  await later(kinora, ann, 32, async () => assert.equal((await kinora.balance(ann)).available, 0))
})
