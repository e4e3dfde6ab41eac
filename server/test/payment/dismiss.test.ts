/** Unmatched and failed payment events that an administrator dismisses, with a reason and an audit entry. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromEach } from '../../src/db/parts.ts'
import type { StoredEvent } from '../../src/payment/events.ts'
import { countProblems, retryEvents } from '../../src/payment/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import {
  deliverAll,
  movesOf,
  type Processor,
  paymentEnv,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  checkoutA,
  DAY_MS,
  disputeB,
  type Event,
  eventA,
  eventB,
  invoiceB,
  newName,
  sessionB,
  startOfToday,
} from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const { sql } = kinora.app
const root = await kinora.person({ role: 'admin', credits: 0 })
type AuditRow = { id: string; action: string; before: { state: string }; after: { state: string } }
const list = '/api/v1/admin/payments/events'
const start = startOfToday()

const idOf = async (event: Event) => (await storedAs(kinora, event))?.id ?? assert.fail('not stored')
const call = async (event: Event, action: 'apply' | 'dismiss', body: unknown, as: Person | null = root) =>
  kinora.call<StoredEvent>('POST', `${list}/${await idOf(event)}/${action}`, { ...(as ? { as } : {}), body })
const dismiss = (event: Event, reason = 'Another shop of this account') => call(event, 'dismiss', { reason })
const totalOf = async (state: string) =>
  (await kinora.call<{ total: number }>('GET', `${list}?state=${state}`, { as: root })).data.total
const problems = async () => (await countProblems(kinora.app)).reduce((sum, { events }) => sum + events, 0)

async function unmatched(): Promise<{ subscription: string; event: Event }> {
  const subscription = newName('sub')
  const lines = [{ price: 'price_pro_monthly', start, end: start + 31 * DAY_MS, amount: 2990 }]
  const event = eventB('invoice.payment_succeeded', invoiceB('new', null, { subscription, lines }))
  await deliverAll(kinora, 'payment-b', event)
  return { subscription, event }
}
async function failed(userId: string | null = null): Promise<Event> {
  const event = eventA('checkout.completed', checkoutA(userId, { product: { id: 'prod_of_another_shop' } }))
  await deliverAll(kinora, 'payment-a', event)
  return event
}

test('200: failed event → dismissed with the reason, leaves the list and the metric, audited once', async () => {
  const before = { failed: await totalOf('failed'), dismissed: await totalOf('dismissed'), problems: await problems() }
  const event = await failed()
  assert.deepEqual([await totalOf('failed'), await problems()], [before.failed + 1, before.problems + 1])
  const { status, data, headers } = await dismiss(event, '  Another shop of this account ')
  assert.equal(status, 200)
  assert.deepEqual(
    [data.state, data.dismissedReason, data.userId, data.retryAt],
    ['dismissed', 'Another shop of this account', null, null],
  )
  assert.match(String(data.reason), /prod_of_another_shop/, 'why it failed stays')
  assert.ok(Math.abs(Date.parse(String(data.dismissedAt)) - kinora.app.now().getTime()) < 60_000)
  assert.deepEqual(
    [await totalOf('failed'), await totalOf('dismissed'), await problems()],
    [before.failed, before.dismissed + 1, before.problems],
  )
  const again = await dismiss(event, 'Another reason')
  assert.deepEqual([again.status, again.data], [200, data])
  const entries = await sql`select * from kinora.audit where action = 'payment.dismiss' and subject = ${data.id}`
  assert.deepEqual(
    entries.map(({ actorId, userId, reason, requestId, before, after }) => [
      actorId,
      userId,
      reason,
      requestId,
      before.state,
      after.state,
      after.event,
    ]),
    [[root.userId, null, 'Another shop of this account', headers.get('x-request-id'), 'failed', 'dismissed', event.id]],
  )
})

test('200: dismissed event delivered again, retried, or its user becomes known → stays dismissed', async () => {
  const { subscription, event } = await unmatched()
  const lost = await failed()
  const { status, data } = await dismiss(event)
  assert.deepEqual([status, data.retryAt], [200, null], 'an unmatched event would be tried again')
  assert.equal((await dismiss(lost)).status, 200)
  await sql`update kinora.payment_event set retry_at = ${kinora.app.now()} where external_id = ${lost.id}`
  await retryEvents(kinora.app)
  const ann = await kinora.person({ credits: 0 })
  const session = eventB('checkout.session.completed', sessionB(ann.userId, { mode: 'subscription', subscription }))
  await deliverAll(kinora, 'payment-b', session, event, event)
  await deliverAll(kinora, 'payment-a', lost)
  assert.deepEqual([await stateOf(kinora, event), await stateOf(kinora, lost)], ['dismissed', 'dismissed'])
  assert.deepEqual(await movesOf(kinora, ann), [])
})

test('200: refund of an unknown payment dismissed, then the payment becomes known → nothing taken until it is applied', async () => {
  const ann = await kinora.person({ credits: 0 })
  const session = sessionB(ann.userId)
  const metadata = { userId: ann.userId }
  const refund = eventB('charge.refunded', chargeB(String(session.payment_intent), 3990, 3990, { metadata }))
  await deliverAll(kinora, 'payment-b', refund)
  assert.equal((await dismiss(refund, 'The credits were taken by hand')).data.state, 'dismissed')
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session), refund)
  assert.equal(await stateOf(kinora, refund), 'dismissed')
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960'])
  assert.equal((await call(refund, 'apply', {})).data.state, 'applied')
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY -960'])
})

test('200: one event of a refund or dispute dismissed → another one that waits takes, and a won dispute stays won', async () => {
  const ann = await kinora.person({ credits: 0 })
  const session = sessionB(ann.userId)
  const payment = String(session.payment_intent)
  const metadata = { userId: ann.userId }
  const half = eventB('charge.refunded', chargeB(payment, 3990, 1995, { metadata }))
  const more = eventB('charge.refunded', chargeB(payment, 3990, 2993, { metadata }))
  const dispute = { id: newName('dp'), amount: 997, metadata }
  const [opened, won, late] = ['needs_response', 'won', 'under_review'].map((status) =>
    eventB('charge.dispute.updated', disputeB(payment, { ...dispute, status })),
  ) as [Event, Event, Event]
  await deliverAll(kinora, 'payment-b', half, more, opened, won)
  assert.deepEqual([await stateOf(kinora, opened), await stateOf(kinora, won)], ['unmatched', 'applied'])
  for (const event of [half, opened]) assert.equal((await dismiss(event)).status, 200)
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session), late)
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960', 'ORDER_PAY -720'])
  assert.deepEqual([await stateOf(kinora, half), await stateOf(kinora, more)], ['dismissed', 'applied'])
})

test('200: administrator applies a dismissed event after all → applied once; both are in the audit log', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { event } = await unmatched()
  await dismiss(event, 'By mistake')
  const { status, data } = await call(event, 'apply', { userId: ann.userId })
  assert.equal(status, 200)
  assert.deepEqual([data.state, data.dismissedAt, data.dismissedReason], ['applied', null, null])
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  const entries = await fromEach(
    kinora.app,
    kinora.app.database.everywhere(),
    (part) => part<AuditRow[]>`
    select id, action, before, after from kinora.audit where subject = ${data.id}
  `,
  )
  assert.deepEqual(
    entries
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ action, before, after }) => [action, before.state, after.state]),
    [
      ['payment.dismiss', 'unmatched', 'dismissed'],
      ['payment.apply', 'dismissed', 'applied'],
    ],
  )
})

test('409: dismissed event that still has no effect is applied → stays dismissed, with the reason', async () => {
  const event = await failed()
  await dismiss(event)
  const { status, error } = await call(event, 'apply', {})
  assert.deepEqual([status, error?.code], [409, 'CONFLICT'])
  assert.match(String(error?.message), /prod_of_another_shop/)
  assert.equal(await stateOf(kinora, event), 'dismissed')
})

test('409: applied or ignored event → cannot be dismissed and is unchanged', async () => {
  const ann = await kinora.person({ credits: 0 })
  const applied = eventA('checkout.completed', checkoutA(ann.userId))
  const ignored = eventB('customer.created', { id: newName('cus') })
  await deliverAll(kinora, 'payment-a', applied)
  await deliverAll(kinora, 'payment-b', ignored)
  for (const [event, state] of [
    [applied, 'applied'],
    [ignored, 'ignored'],
  ] as const) {
    const { status, error } = await dismiss(event)
    assert.deepEqual([status, error?.code], [409, 'CONFLICT'])
    assert.match(String(error?.message), new RegExp(`is ${state}`))
    assert.equal(await stateOf(kinora, event), state)
  }
})

test('200: dismissed and applied at the same time → one wins, and credits follow only an applied event', async () => {
  const ann = await kinora.person({ credits: 0 })
  const events = await Promise.all(Array.from({ length: 8 }, unmatched))
  await Promise.all(
    events.flatMap(({ event }) => [
      dismiss(event),
      call(event, 'apply', { userId: ann.userId }),
      deliverAll(kinora, 'payment-b' satisfies Processor, event),
    ]),
  )
  const states = await Promise.all(events.map(({ event }) => stateOf(kinora, event)))
  assert.ok(
    states.every((state) => state === 'applied'),
    `an administrator’s apply succeeds before and after the dismissal: ${states}`,
  )
  assert.deepEqual(await movesOf(kinora, ann), Array(8).fill('SUBSCRIPTION 960'))
})

test('400, 401, 403, 404: no reason, no administrator, unknown event → refused, the event stays failed', async () => {
  const event = await failed()
  const ann = await kinora.person({ credits: 0 })
  const path = `${list}/${await idOf(event)}/dismiss`
  const unknownId = '00000000-0000-7000-8000-000000000000'
  const reason = 'x'
  const cases: [status: number, path: string, body: unknown, as: Person | null][] = [
    [400, path, {}, root],
    [400, path, { reason: '' }, root],
    [400, path, { reason: ' \n ' }, root],
    [400, path, { reason: 'x'.repeat(501) }, root],
    [400, path, { reason: 'x\u0000' }, root],
    [400, path, { reason: 1 }, root],
    [400, path, { reason, userId: ann.userId }, root],
    [401, path, { reason }, null],
    [403, path, { reason }, ann],
    [404, `${list}/${unknownId}/dismiss`, { reason }, root],
    [404, `${list}/evt_1/dismiss`, { reason }, root],
  ]
  for (const [status, at, body, as] of cases) {
    const answer = await kinora.call('POST', at, { ...(as ? { as } : {}), body })
    assert.equal(answer.status, status, `${at} ${JSON.stringify(body)} ${JSON.stringify(answer.error)}`)
  }
  assert.equal(await stateOf(kinora, event), 'failed')
})
