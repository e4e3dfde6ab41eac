/**
 * Refunds and disputes whose payment is not known yet. At payment-b, API since 2025-03-31, a charge names no invoice:
 * only `invoice_payment.paid` or reconciliation says which invoice it paid.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/credit/verify.ts'
import { countProblems, retryEvents, store, translateWhole } from '../../src/payment/events.ts'
import { reconcile } from '../../src/payment/reconcile.ts'
import type { Person } from '../support/harness.ts'
import { applyStored, deliverAll, movesOf, stateOf, storedAs } from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  DAY_MS,
  disputeB,
  type Event,
  eventA,
  eventB,
  invoiceB,
  invoicePaymentB,
  newName,
  returnedA,
  startOfToday,
  subscriptionA,
} from '../support/payment/payment-events.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'

const { act, buy, customersOf, kinora } = await openReconciliation()
const start = startOfToday()
const end = start + 30 * DAY_MS
const line = { price: 'price_pro_monthly', start, end, amount: 2990 }
const send = (...events: unknown[]) => deliverAll(kinora, 'payment-b', ...events)

const problemCount = async () =>
  (await countProblems(kinora.app)).find(({ problem }) => problem === 'unknown_payment')?.events ?? 0

/** A paid invoice, the link to its payment, and the refund of the payment, whose user is known. */
async function refunded(as: Person): Promise<{ paid: Event; link: Event; refund: Event }> {
  const payment = newName('pi')
  const invoice = invoiceB('new', as.userId, { subscription: newName('sub'), lines: [line] })
  return {
    paid: eventB('invoice.payment_succeeded', invoice),
    link: eventB('invoice_payment.paid', invoicePaymentB(String(invoice.id), payment)),
    refund: eventB('charge.refunded', chargeB(payment, 2990, 2990, { metadata: { userId: as.userId } })),
  }
}

test('payment-b: refund after its link → applied at once', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { paid, link, refund } = await refunded(ann)
  await send(paid, link, refund)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
  assert.equal(await stateOf(kinora, refund), 'applied')
  assert.equal(await problemCount(), 0)
})

test('payment-b: refund before its link → unmatched and counted; the link applies it, and nothing is counted', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { paid, link, refund } = await refunded(ann)
  await send(paid, refund)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  assert.equal(await stateOf(kinora, refund), 'unmatched')
  assert.equal(await problemCount(), 1)
  await send(link)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
  assert.equal(await stateOf(kinora, refund), 'applied')
  assert.equal(await problemCount(), 0)
})

test('payment-b: refund before its link, process dies after it stores the link → taken with the link, and not again', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { paid, link, refund } = await refunded(ann)
  await send(paid, refund)
  // What the process commits before it applies the waiting refund.
  const body = JSON.stringify(link)
  const event = (await translateWhole(kinora.app, 'payment-b', body)) ?? assert.fail('not an event')
  assert.equal(await store(kinora.app, 'payment-b', event, body), 'applied')
  const moves = ['SUBSCRIPTION 960', 'SUBSCRIPTION -960']
  assert.deepEqual(await movesOf(kinora, ann), moves)
  assert.deepEqual(await verify(kinora.app.database), [])
  assert.equal(await stateOf(kinora, refund), 'unmatched')
  await send(link, refund)
  assert.equal(await stateOf(kinora, refund), 'applied')
  assert.deepEqual(await movesOf(kinora, ann), moves)
})

test('payment-b: refund and link before a payment without a user → granted and taken once when an administrator assigns it', async () => {
  const [ann, bob] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const payment = newName('pi')
  const invoice = invoiceB('new', null, { subscription: newName('sub'), lines: [line] })
  const paid = eventB('invoice.payment_succeeded', invoice)
  const link = eventB('invoice_payment.paid', invoicePaymentB(String(invoice.id), payment))
  const refund = eventB('charge.refunded', chargeB(payment, 2990, 1495))
  const events = [refund, link, paid]
  await send(...events)
  for (const event of events) assert.equal(await stateOf(kinora, event), 'unmatched')
  assert.equal((await applyStored(kinora, paid, root, ann.userId)).status, 200)
  await send(...events)
  for (const event of events) {
    assert.equal((await applyStored(kinora, event, root, bob.userId)).data.userId, ann.userId)
    assert.equal(await stateOf(kinora, event), 'applied')
  }
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -480'])
  assert.deepEqual(await movesOf(kinora, bob), [])
})

test('payment-b: dispute won before the link of its payment → takes nothing; lost after all → takes once', async () => {
  const ann = await kinora.person({ credits: 0 })
  const payment = newName('pi')
  const invoice = invoiceB('new', ann.userId, { subscription: newName('sub'), lines: [line] })
  const dispute = disputeB(payment, { amount: 2990, metadata: { userId: ann.userId } })
  await send(
    eventB('invoice.payment_succeeded', invoice),
    eventB('charge.dispute.closed', { ...dispute, status: 'won' }),
    eventB('invoice_payment.paid', invoicePaymentB(String(invoice.id), payment)),
  )
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  assert.deepEqual(await verify(kinora.app.database), [])
  const lost = eventB('charge.dispute.closed', { ...dispute, status: 'lost' })
  await send(lost, lost)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
})

test('payment-b: refund whose link never comes → stays unmatched through every retry; an administrator dismisses it', async () => {
  const ann = await kinora.person({ credits: 0 })
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const { paid, refund } = await refunded(ann)
  await send(paid, refund, refund)
  kinora.turnClock(DAY_MS)
  try {
    assert.ok((await retryEvents(kinora.app)) >= 1)
  } finally {
    kinora.turnClock(-DAY_MS)
  }
  const { data } = await kinora.call<{ events: { id: string; externalId: string; reason: string }[] }>(
    'GET',
    '/api/v1/admin/payments/events?state=unmatched',
    { as: root },
  )
  const listed = data.events.find(({ externalId }) => externalId === refund.id)
  assert.match(listed?.reason ?? '', /payment that it returns is not known/)
  assert.equal(await problemCount(), 1)
  const path = `/api/v1/admin/payments/events/${listed?.id}`
  const applied = await kinora.call('POST', `${path}/apply`, { as: root, body: { userId: ann.userId } })
  assert.equal(applied.status, 409)
  assert.match(applied.error?.message ?? '', /payment that it returns is not known/)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  const body = { reason: 'A sale of our other shop' }
  assert.equal((await kinora.call('POST', `${path}/dismiss`, { as: root, body })).status, 200)
  assert.equal(await problemCount(), 0)
})

test('dispute of an unknown payment: taken → unmatched; won → nothing waits', async () => {
  const ann = await kinora.person({ credits: 0 })
  const object = disputeB(newName('pi'), { amount: 2990, metadata: { userId: ann.userId } })
  const [taken, won] = [
    eventB('charge.dispute.created', { ...object, status: 'needs_response' }),
    eventB('charge.dispute.closed', { ...object, status: 'won' }),
  ]
  await send(taken)
  assert.equal(await stateOf(kinora, taken), 'unmatched')
  await send(won)
  assert.equal(await stateOf(kinora, won), 'applied')
  kinora.turnClock(DAY_MS)
  try {
    await retryEvents(kinora.app)
  } finally {
    kinora.turnClock(-DAY_MS)
  }
  assert.equal(await stateOf(kinora, taken), 'applied')
})

test('payment-a: refund before its transaction → unmatched; the transaction applies it', async () => {
  const ann = await kinora.person({ credits: 0 })
  const subscription = subscriptionA(newName('sub'), ann.userId, { start, end })
  const refund = eventA('refund.created', returnedA(subscription, { metadata: { referenceId: ann.userId } }))
  await deliverAll(kinora, 'payment-a', refund)
  assert.equal(await stateOf(kinora, refund), 'unmatched')
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', subscription))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
  assert.equal(await stateOf(kinora, refund), 'applied')
})

test('reconciliation: refund delivered, its payment lost → brings the payment, and the refund applies', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pro-monthly')
  const [customer] = await customersOf(ann, 'payment-b')
  const payment = customer?.payments[0]?.id ?? assert.fail()
  const refund = eventB('charge.refunded', chargeB(payment, 2990, 2990, { metadata: { userId: ann.userId } }))
  await send(refund)
  assert.equal(await stateOf(kinora, refund), 'unmatched')
  await act(ann, 'payment-b', 'refund')
  await reconcile(kinora.app, { pauseMs: 1 })
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
  assert.equal(await stateOf(kinora, refund), 'applied')
  assert.equal((await storedAs(kinora, refund))?.reason, null)
})

test('payment-a: refund delivered, its transaction lost → reconciliation brings it, and the refund applies', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-a', 'pro-monthly')
  const [customer] = await customersOf(ann, 'payment-a')
  const transaction = customer?.payments[0]?.id ?? assert.fail()
  const refund = eventA('refund.created', {
    id: newName('ref'),
    refund_amount: 2990,
    transaction: { id: transaction, amount: 2990, amount_paid: 2990 },
    metadata: { referenceId: ann.userId },
  })
  await deliverAll(kinora, 'payment-a', refund)
  assert.equal(await stateOf(kinora, refund), 'unmatched')
  await reconcile(kinora.app, { pauseMs: 1 })
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -960'])
  assert.equal(await stateOf(kinora, refund), 'applied')
})
