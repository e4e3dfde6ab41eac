/** Disputes at payment-b: they take back in proportion when funds are withdrawn, and give back when they are won. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/id.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { creditFreeze, creditSettle } from '../support/ledger/ledger-calls.ts'
import { addVideosToHolds } from '../support/ledger/ledger-fixture.ts'
import { deliverAll, movesOf, paymentEnv, stateOf } from '../support/payment/payment-delivery.ts'
import { chargeB, disputeB, eventB, newName, sessionB } from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
await addVideosToHolds(kinora.app.sql)
const send = (...events: unknown[]) => deliverAll(kinora, 'payment-b', ...events)
const available = async (as: Person) => (await kinora.balance(as)).available

/** Buys a pack of 960 credits for 39.90, and returns the events of one dispute of it. */
async function disputed(as: Person, isEarly = false) {
  const payment = newName('pi')
  const purchase = eventB(
    'checkout.session.completed',
    sessionB(as.userId, { payment_intent: payment, amount_total: 3990 }),
  )
  if (!isEarly) await send(purchase)
  const id = newName('dp')
  const event = (kind: string, status: string, change = {}) =>
    eventB(
      `charge.dispute.${kind}`,
      disputeB(payment, { id, status, amount: 3990, metadata: { userId: as.userId }, ...change }),
    )
  return { payment, purchase, event }
}

test('200: inquiry, in all its steps → nothing is taken', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = await disputed(ann)
  const created = event('created', 'warning_needs_response')
  await send(created, event('updated', 'warning_under_review'), event('closed', 'warning_closed'))
  assert.equal(await stateOf(kinora, created), 'ignored')
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960'])
})

test('200: inquiry that becomes a dispute → taken when its funds are withdrawn', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = await disputed(ann)
  await send(event('created', 'warning_needs_response'))
  await send(event('updated', 'needs_response', { balance_transactions: [] }))
  assert.equal(await available(ann), 960)
  await send(event('funds_withdrawn', 'needs_response', { balance_transactions: [{ amount: -3990 }] }))
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY -960'])
})

test('200: dispute of a part → that part, once for all its events, also when it precedes its payment', async () => {
  for (const isEarly of [false, true]) {
    const ann = await kinora.person({ credits: 0 })
    const { purchase, event } = await disputed(ann, isEarly)
    const part = { amount: 1330 }
    await send(event('created', 'needs_response', part), event('funds_withdrawn', 'needs_response', part))
    if (isEarly) await send(purchase)
    await send(event('updated', 'under_review', part))
    assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY -320'], `early: ${isEarly}`)
  }
})

test('200: dispute won, or its funds reinstated → what was taken is given back, once, in any order', async () => {
  for (const [kind, status] of [
    ['closed', 'won'],
    ['funds_reinstated', 'under_review'],
  ] as const) {
    for (const isEarly of [false, true]) {
      const ann = await kinora.person({ credits: 0 })
      const { event } = await disputed(ann)
      const withdrawn = event('funds_withdrawn', 'needs_response')
      const back = event(kind, status)
      await send(
        ...(isEarly ? [back, withdrawn, event(kind, status)] : [withdrawn, back, event(kind, status), withdrawn]),
      )
      assert.deepEqual(
        await movesOf(kinora, ann),
        isEarly ? ['ORDER_PAY 960'] : ['ORDER_PAY 960', 'ORDER_PAY -960', 'ORDER_PAY 960'],
        `${kind} ${isEarly}`,
      )
    }
  }
})

test('200: dispute won after credits were spent → gives back only what was taken', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = await disputed(ann)
  const hold = { userId: ann.userId, holdId: newId(kinora.app.now()), now: kinora.app.now(), remark: 'test' }
  await creditFreeze(kinora.app.sql, { ...hold, credits: 500 })
  await creditSettle(kinora.app.sql, hold)
  await send(event('funds_withdrawn', 'needs_response'))
  assert.equal(await available(ann), 0)
  await send(event('closed', 'won'))
  assert.equal(await available(ann), 460)
})

test('200: dispute lost, with or without a reinstatement of that status → taken; lost after won takes again', async () => {
  const ann = await kinora.person({ credits: 0 })
  const first = await disputed(ann)
  await send(first.event('closed', 'lost'), first.event('funds_reinstated', 'lost'))
  assert.equal(await available(ann), 0)
  const bob = await kinora.person({ credits: 0 })
  const { event } = await disputed(bob)
  await send(event('funds_withdrawn', 'needs_response'), event('closed', 'won'))
  assert.equal(await available(bob), 960)
  await send(event('closed', 'lost'), event('closed', 'lost'), event('funds_reinstated', 'won'))
  assert.deepEqual((await movesOf(kinora, bob)).slice(1), ['ORDER_PAY -960', 'ORDER_PAY 960', 'ORDER_PAY -960'])
})

test('200: refund of a half, then a dispute of the other half, won → the refund stays', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { payment, event } = await disputed(ann)
  await send(eventB('charge.refunded', chargeB(payment, 3990, 1995)))
  await send(event('funds_withdrawn', 'needs_response', { amount: 1995 }))
  assert.equal(await available(ann), 0)
  await send(event('closed', 'won', { amount: 1995 }))
  assert.equal(await available(ann), 480)
})
