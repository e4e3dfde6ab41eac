/** Refunds and disputes claw back what remains of the payment's package, never more, in any delivery order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/id.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { creditFreeze, creditRelease, creditSettle } from '../support/ledger/ledger-calls.ts'
import { addVideosToHolds } from '../support/ledger/ledger-fixture.ts'
import { deliverAll, historyOf, later, movesOf, paymentEnv, stateOf } from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  checkoutA,
  DAY_MS,
  disputeB,
  eventA,
  eventB,
  type Generation,
  invoiceB,
  invoicePaymentB,
  newName,
  returnedA,
  sessionB,
  startOfToday,
  subscriptionA,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
await addVideosToHolds(kinora.app.sql)
const start = startOfToday()
const end = start + 31 * DAY_MS
const sendA = (...events: unknown[]) => deliverAll(kinora, 'payment-a', ...events)
const sendB = (...events: unknown[]) => deliverAll(kinora, 'payment-b', ...events)

/** Buys a pack of 960 credits at payment-b. @returns the payment's id */
async function buys(as: Person): Promise<string> {
  const session = sessionB(as.userId)
  await sendB(eventB('checkout.session.completed', session))
  return String(session.payment_intent)
}
const refunded = (payment: string, cents: number) => eventB('charge.refunded', chargeB(payment, 3990, cents))
const disputed = (payment: string) => eventB('charge.dispute.created', disputeB(payment))

test('200: full refund → claws back all, once, in a row of the same type and order', async () => {
  const ann = await kinora.person({ credits: 0 })
  const payment = await buys(ann)
  const event = refunded(payment, 3990)
  await sendB(event, event, refunded(payment, 3990))
  assert.deepEqual(await historyOf(kinora, ann), [
    { transType: 'ORDER_PAY', credits: 960, orderNo: payment, balanceAfter: 960 },
    { transType: 'ORDER_PAY', credits: -960, orderNo: payment, balanceAfter: 0 },
  ])
})

test('200: partial refund → proportion; larger refund → difference; dispute → rest; then nothing', async () => {
  const ann = await kinora.person({ credits: 100 })
  const payment = await buys(ann)
  await sendB(refunded(payment, 1330), refunded(payment, 1330), refunded(payment, 1995), refunded(payment, 1330))
  assert.deepEqual((await movesOf(kinora, ann)).slice(2), ['ORDER_PAY -320', 'ORDER_PAY -160'])
  await sendB(disputed(payment), refunded(payment, 3990), disputed(payment))
  assert.deepEqual((await movesOf(kinora, ann)).slice(4), ['ORDER_PAY -480'])
  assert.equal((await kinora.balance(ann)).available, 100, 'what was not bought with it stays')
})

test('200: refund of a partly spent and frozen package → claws back the remainder, and what is released later', async () => {
  const ann = await kinora.person({ credits: 0 })
  const payment = await buys(ann)
  const now = kinora.app.now()
  const [used, held] = [newId(now), newId(now)]
  const { sql } = kinora.app
  const hold = (holdId: string) => ({ userId: ann.userId, holdId, now, remark: 'test' })
  const freezes = (id: string, credits: number) => creditFreeze(sql, { ...hold(id), credits })
  await freezes(used, 480)
  await creditSettle(sql, hold(used))
  await freezes(held, 100)
  await sendB(refunded(payment, 3990))
  assert.deepEqual((await movesOf(kinora, ann)).at(-1), 'ORDER_PAY -380')
  const { available, frozen, used: spent } = await kinora.balance(ann)
  assert.deepEqual([available, frozen, spent], [0, 100, 480])
  await creditRelease(sql, { ...hold(held), graceS: DAY_MS / 1000 })
  assert.deepEqual((await movesOf(kinora, ann)).slice(-2), ['REFUND 100', 'ORDER_PAY -100'])
  await sendB(refunded(payment, 3990), disputed(payment))
  assert.equal((await kinora.balance(ann)).available, 0)
})

test("200: refund with credits in (nested) grace packages → clawed back as the payment's", async () => {
  const ann = await kinora.person({ credits: 0 })
  const payment = await buys(ann)
  const hold = newId(kinora.app.now())
  const at = (days: number) => new Date(Date.now() + days * DAY_MS)
  const { sql } = kinora.app
  const freezes = (holdId: string, credits: number, now: Date) =>
    creditFreeze(sql, { userId: ann.userId, holdId, credits, now, remark: 'test' })
  const releases = (holdId: string, now: Date) =>
    creditRelease(sql, { userId: ann.userId, holdId, now, graceS: DAY_MS / 1000, remark: 'test' })
  await freezes(hold, 500, at(364.8))
  await releases(hold, at(365.05))
  const again = newId(kinora.app.now())
  await freezes(again, 200, at(365.2))
  await releases(again, at(365.3))
  await later(kinora, ann, 365.32, async () => {
    assert.equal((await kinora.balance(ann)).available, 200)
    await sendB(refunded(payment, 3990))
    assert.equal((await kinora.balance(ann)).available, 0)
  })
})

test('200: refund of an expired package → nothing clawed back', async () => {
  const ann = await kinora.person({ credits: 0 })
  const payment = await buys(ann)
  await later(kinora, ann, 366, async () => {
    await sendB(refunded(payment, 3990))
    assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'EXPIRED -960'])
  })
})

test('200: refund before its payment, partial or full, with or without a user → applied with the payment', async () => {
  for (const named of [true, false]) {
    const ann = await kinora.person({ credits: 0 })
    const session = sessionB(ann.userId)
    const payment = String(session.payment_intent)
    const metadata = named ? { userId: ann.userId } : {}
    const early = eventB('charge.refunded', chargeB(payment, 3990, 1995, { metadata }))
    await sendB(early)
    assert.equal(await stateOf(kinora, early), 'unmatched')
    await sendB(eventB('checkout.session.completed', session))
    assert.equal(await stateOf(kinora, early), 'applied')
    assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY -480'])
    await sendB(refunded(payment, 3990))
    assert.equal((await kinora.balance(ann)).available, 0)
  }
})

test("200: invoice, payment and refund in any order → the invoice's credits are clawed back", async () => {
  const line = { price: 'price_pro_monthly', start, end, amount: 2990 }
  const shapes: [Generation, boolean][] = [
    ['old', false],
    ['new', false],
    ['new', true],
  ]
  for (const [generation, isNamed] of shapes) {
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const ann = await kinora.person({ credits: 0 })
      const payment = newName('pi')
      // A refund whose user is known waits for its payment too.
      const metadata = isNamed ? { userId: ann.userId } : {}
      const bought = { subscription: newName('sub'), lines: [line], ...(generation === 'old' ? { payment } : {}) }
      const invoice = invoiceB(generation, ann.userId, bought)
      const events = [
        eventB('invoice.payment_succeeded', invoice),
        eventB('invoice_payment.paid', invoicePaymentB(String(invoice.id), payment)),
        eventB('charge.refunded', chargeB(payment, 2990, 2990, { metadata })),
      ]
      await sendB(...order.map((n) => events[n]))
      assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'], `${generation} ${order}`)
    }
  }
})

test('200: payment-a: refunds and disputes of packs and periods, in every documented shape → clawed back', async () => {
  let orderNow = ''
  const bought = (userId: string) => {
    orderNow = newName('ord')
    return eventA('checkout.completed', checkoutA(userId, { order: { id: orderNow, status: 'paid', type: 'onetime' } }))
  }
  const shapes: [title: string, type: string, object: () => object, left: number][] = [
    ['by order', 'refund.created', () => ({ id: newName('ref'), order: orderNow }), 0],
    [
      'by order, whole',
      'refund.created',
      () => ({ id: newName('ref'), order: { id: orderNow, amount: 1490 }, refund_amount: 745 }),
      140,
    ],
    [
      'by transaction',
      'refund.created',
      () => ({
        id: newName('ref'),
        refund_amount: 149,
        transaction: { id: 'tran_x', order: orderNow, amount_paid: 1490 },
      }),
      252,
    ],
    [
      'amounts as text',
      'refund.created',
      () => ({ id: newName('ref'), refund_amount: '745', transaction: { order: orderNow, amount: '1490' } }),
      140,
    ],
    [
      'more than was paid',
      'refund.created',
      () => ({ id: newName('ref'), refund_amount: 9999, order: { id: orderNow, amount: 1490 } }),
      0,
    ],
    [
      'nothing',
      'refund.created',
      () => ({ id: newName('ref'), refund_amount: 0, order: { id: orderNow, amount: 1490 } }),
      280,
    ],
    [
      'less than nothing',
      'refund.created',
      () => ({ id: newName('ref'), refund_amount: -745, order: { id: orderNow, amount: 1490 } }),
      280,
    ],
    [
      'a dispute of a part',
      'dispute.created',
      () => ({ id: newName('disp'), amount: 149, order: { id: orderNow, amount: 1490 } }),
      252,
    ],
    ['a dispute without an amount', 'dispute.created', () => ({ id: newName('disp'), order: orderNow }), 0],
  ]
  for (const [title, type, object, left] of shapes) {
    const ann = await kinora.person({ credits: 0 })
    await sendA(bought(ann.userId))
    const event = eventA(type, object() as Record<string, unknown>)
    await sendA(event, event)
    assert.equal((await kinora.balance(ann)).available, left, title)
  }
  const nothing = eventA('refund.created', {
    id: newName('ref'),
    metadata: { referenceId: (await kinora.person()).userId },
  })
  await sendA(nothing)
  assert.equal(await stateOf(kinora, nothing), 'failed', 'a refund of no payment needs a person')
})

test('200: payment-a: refund of one of two periods, before or after its grant → that period is clawed back', async () => {
  for (const isEarly of [true, false]) {
    for (const shape of ['with its period', 'by its transaction', 'with another period']) {
      const ann = await kinora.person({ credits: 0 })
      const id = newName('sub')
      const first = subscriptionA(id, ann.userId, { start, end, transaction: newName('tran') })
      const second = subscriptionA(id, ann.userId, {
        start: end,
        end: end + 31 * DAY_MS,
        product: 'prod_basic_monthly',
      })
      const transaction = { id: first.last_transaction_id, amount_paid: 2990, subscription: id }
      const periodStart =
        shape === 'with its period'
          ? { period_start: start }
          : shape === 'by its transaction'
            ? {}
            : { period_start: start - DAY_MS }
      if (isEarly && 'period_start' in periodStart && periodStart.period_start !== start) continue
      const refund = eventA('refund.created', returnedA(first, { transaction: { ...transaction, ...periodStart } }))
      const paid = eventA('subscription.paid', first)
      const next = eventA('subscription.paid', second)
      await sendA(...(isEarly ? [next, refund, paid] : [next, paid, refund]))
      assert.deepEqual(
        (await movesOf(kinora, ann)).sort(),
        ['SUBSCRIPTION -960', 'SUBSCRIPTION 280', 'SUBSCRIPTION 960'],
        `${shape} ${isEarly}`,
      )
    }
  }
})

test('200: payment-a: three refunds and the total of the first two from reconciliation, in 24 orders → each is taken once', async () => {
  const orders = permutations(['first', 'second', 'third', 'reconciled'] as const)
  assert.equal(orders.length, 24)
  for (const order of orders) {
    const ann = await kinora.person({ credits: 0 })
    const [orderId, transaction] = [newName('ord'), newName('tran')]
    const paid = { id: orderId, status: 'paid', type: 'onetime', amount: 1490, amount_paid: 1000, discount_amount: 490 }
    await sendA(eventA('checkout.completed', checkoutA(ann.userId, { order: paid })))
    const about = (refunded: number) => ({
      id: transaction,
      order: orderId,
      amount_paid: 1000,
      refunded_amount: refunded,
    })
    const refund = (cents: number, inAll: number) =>
      eventA('refund.created', { id: newName('ref'), refund_amount: cents, transaction: about(inAll) })
    const events = {
      first: refund(400, 400),
      second: refund(200, 600),
      third: refund(100, 700),
      reconciled: eventA('transaction.returned', about(600)),
    }
    await sendA(...order.map((name) => events[name]))
    assert.equal((await kinora.balance(ann)).available, 84, order.join(', '))
  }
})

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
