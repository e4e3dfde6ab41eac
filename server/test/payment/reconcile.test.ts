// slow
/**
 * Reconciliation against the simulator, whose webhooks are lost: what a processor lists is applied once, and a webhook
 * that comes after all changes nothing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryEvents } from '../../src/payment/events.ts'
import { deliverAll, later, movesOf, type Processor, recordOf } from '../support/payment/payment-delivery.ts'
import { DAY_MS, eventA, newName, subscriptionA } from '../support/payment/payment-events.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'

const { act, buy, buyElsewhere, customersOf, deliverLate, foundAt, foundIn, gate, kinora, quick } =
  await openReconciliation()

const firstKinds: Record<Processor, string[]> = {
  'payment-a': ['customer', 'period', 'period', 'purchase'],
  // Its record has events of its own.
  'payment-b': ['customer', 'period', 'period', 'purchase', 'subscription', 'subscription'],
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: purchase, renewal, refund and dispute whose webhooks are lost → applied once, and a late webhook changes nothing`, async () => {
    const first = firstKinds[processor]
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pack-starter')
    await buy(ann, processor, 'pro-monthly')
    await act(ann, processor, 'next-period')
    assert.deepEqual(await movesOf(kinora, ann), [])

    assert.deepEqual(await foundAt(processor, { dryRun: true }), first)
    assert.deepEqual(await movesOf(kinora, ann), [], 'a dry run applies nothing')
    assert.deepEqual(await foundAt(processor), first)
    assert.deepEqual((await movesOf(kinora, ann)).sort(), ['ORDER_PAY 280', 'SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
    assert.equal((await recordOf(kinora, ann))?.status, 'active')
    assert.deepEqual(await foundAt(processor), [], 'a second run finds nothing')

    await act(ann, processor, 'refund-half', 'next period')
    await act(ann, processor, 'dispute', 'purchase')
    assert.deepEqual(await foundAt(processor), ['dispute', 'refund'])
    const { available } = await kinora.balance(ann)
    assert.equal(available, 960 + 480)
    assert.deepEqual(await foundAt(processor), [])

    const before = await movesOf(kinora, ann)
    for (let times = 0; times < 2; times++) await deliverLate(ann, processor)
    assert.deepEqual(await movesOf(kinora, ann), before)
    assert.equal((await kinora.balance(ann)).available, available)
    assert.deepEqual(await foundAt(processor), [])
  })
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: two refunds of halves, both webhooks lost → each half is found and taken back`, async () => {
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pack-starter')
    await foundAt(processor)
    for (const left of [140, 0]) {
      await act(ann, processor, 'refund-half', 'purchase')
      assert.deepEqual(await foundAt(processor), ['refund'])
      assert.equal((await kinora.balance(ann)).available, left)
      assert.deepEqual(await foundAt(processor), [])
    }
  })
}

test('payment-a: paid without a period → reconciliation reads the period and grants it', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-a', 'pro-monthly')
  const [customer] = await customersOf(ann, 'payment-a')
  const paid = subscriptionA(
    customer?.subscriptions[0]?.id ?? '',
    ann.userId,
    { start: 0, end: 0, transaction: customer?.payments[0]?.id ?? '' },
    { current_period_start_date: null, current_period_end_date: null },
  )
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', paid))
  assert.deepEqual(await movesOf(kinora, ann), [])
  assert.deepEqual(await foundAt('payment-a'), ['customer', 'period'])
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
})

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: cancellation whose webhook is lost → found when the period is over; a record that is right is not`, async () => {
    const [ann, ben] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
    for (const as of [ann, ben]) await buy(as, processor, 'pro-monthly')
    await foundAt(processor)
    await act(ann, processor, 'cancel-now')
    assert.equal((await recordOf(kinora, ann))?.status, 'active')
    assert.deepEqual(await foundAt(processor), [], 'its period runs')
    await later(kinora, ann, 33, async () => {
      assert.deepEqual(await foundAt(processor), ['subscription'])
      assert.equal((await recordOf(kinora, ann))?.status, 'cancelled')
      assert.deepEqual(await foundAt(processor), [])
    })
    await deliverLate(ann, processor)
    assert.equal((await recordOf(kinora, ann))?.status, 'cancelled')
    assert.equal((await recordOf(kinora, ben))?.status, 'active')
  })
}

test('records that lag behind the time: the query → reads two partial indexes, not the table', async () => {
  const plan = await kinora.app.sql.begin(async (sql) => {
    await sql`set local enable_seqscan = off`
    return await sql<{ 'QUERY PLAN': string }[]>`
      explain select * from kinora.payment_lagging_records(p_processor => 'payment-a', p_now => now())
    `
  })
  const text = plan.map((row) => Object.values(row)[0]).join('\n')
  for (const index of ['subscription_renewing', 'subscription_incomplete'])
    assert.match(text, new RegExp(`Index Scan Backward using ${index}(_\\d+)? on`), text)
})

test('payment-a: subscription that the processor does not know any more → skipped, the others are compared', async () => {
  const ann = await kinora.person({ credits: 0 })
  const [start, end] = [Date.now() - 31 * DAY_MS, Date.now() - DAY_MS]
  const id = newName('sub')
  const period = { start, end, status: 'past_due' }
  await deliverAll(kinora, 'payment-a', eventA('subscription.past_due', subscriptionA(id, ann.userId, period)))
  assert.deepEqual(await foundAt('payment-a'), [])
  assert.equal((await recordOf(kinora, ann))?.status, 'past_due')
})

test('payment-a: purchase that was not made through our checkout → failed with the reason, found once', async () => {
  await buyElsewhere('unknown@example.com')
  const differencesOf = async () => (await quick()).find((report) => report.processor === 'payment-a')
  const first = await differencesOf()
  assert.deepEqual(
    first?.differences.map(({ kind, state }) => [kind, state]),
    [['purchase', 'failed']],
  )
  const order = first?.differences[0]?.objectId
  const [event] = await kinora.app.sql`select id, reason from kinora.payment_event where state = 'failed'`
  assert.match(event?.reason, new RegExp(`^The order ${order} was not bought through a checkout of this service`))
  const second = await differencesOf()
  assert.deepEqual([second?.differences, second?.waiting], [[], 1])
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const path = `/api/v1/admin/payments/events/${event?.id}/dismiss`
  const reason = 'Bought in another shop of this account'
  assert.equal((await kinora.call('POST', path, { as: root, body: { reason } })).status, 200)
  const third = await differencesOf()
  assert.deepEqual([third?.differences, third?.waiting], [[], 0], 'a dismissed purchase is not found again')
})

test('reconciliation: lists of many pages → every page is read', async () => {
  const ann = await kinora.person({ credits: 0 })
  for (const processor of ['payment-a', 'payment-b'] as const) {
    for (let n = 0; n < 3; n++) await buy(ann, processor, 'pack-starter')
  }
  gate.pageSize = 1
  const reports = await quick()
  gate.pageSize = null
  for (const { differences } of reports) {
    assert.deepEqual(
      differences.map(({ kind, state }) => [kind, state]),
      Array(3).fill(['purchase', 'applied']),
    )
  }
  assert.deepEqual(await movesOf(kinora, ann), Array(6).fill('ORDER_PAY 280'))
})

test('payment-b: invoice with more lines than the list shows → its lines are read; three of a plan and of a pack → three times the credits', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pro-monthly', { quantity: '3' })
  await buy(ann, 'payment-b', 'pack-starter', { quantity: '3' })
  let linesRead = 0
  const kinds = await foundIn('payment-b', (path, json) => {
    if (path === '/v1/invoices') for (const invoice of json.data) invoice.lines = { data: [], has_more: true }
    if (path.endsWith('/lines')) linesRead++
  })
  assert.deepEqual(kinds, ['customer', 'period', 'purchase', 'subscription'])
  assert.ok(linesRead > 0)
  assert.deepEqual((await movesOf(kinora, ann)).sort(), [`ORDER_PAY ${3 * 280}`, `SUBSCRIPTION ${3 * 960}`])
})

test('payment-b: three of a pack, by webhook → its line items are read; three times the credits, once', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pack-starter', { quantity: '3' })
  await buy(ann, 'payment-b', 'pack-starter')
  for (let times = 0; times < 2; times++) await deliverLate(ann, 'payment-b')
  await retryEvents(kinora.app)
  assert.deepEqual((await movesOf(kinora, ann)).sort(), ['ORDER_PAY 280', `ORDER_PAY ${3 * 280}`])
  assert.deepEqual(await foundAt('payment-b'), [])
})

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: purchase and period with a discount of 100 % → granted, and shown as free`, async () => {
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pack-starter', { free: 'on' })
    await buy(ann, processor, 'pro-monthly', { free: 'on' })
    await foundAt(processor)
    const rows = await kinora.app.sql<{ move: string }[]>`
      select concat_ws(' ', trans_type, credits, remark) as move
      from kinora.credit_transaction where user_id = ${ann.userId} order by trans_type
    `
    assert.equal(rows.length, 2)
    for (const { move } of rows) assert.match(move, /^(ORDER_PAY 280|SUBSCRIPTION 960) .*, free$/)
    assert.deepEqual(await foundAt(processor), [])
    // The webhook brings the same payment.
    await deliverLate(ann, processor)
    assert.equal((await movesOf(kinora, ann)).length, 2)
  })
}

test('processor down: HTTP 500, 429 and wrong key → a clear error, nothing half done; 429 once → asked again', async () => {
  const bob = await kinora.person({ credits: 0 })
  await buy(bob, 'payment-b', 'pack-starter')
  const runs = [
    { status: 500, failures: 1000, error: /^payment-[ab] answered HTTP 500\.$/ },
    { status: 429, failures: 1000, error: /^payment-[ab] answered HTTP 429\.$/ },
    { status: 403, failures: 1000, error: /^payment-[ab] answered HTTP 403\.$/ },
  ]
  for (const { status, failures, error } of runs) {
    Object.assign(gate, { status, failures, requests: 0 })
    const reports = await quick()
    assert.equal(reports.length, 2)
    for (const report of reports) {
      assert.match(report.error ?? '', error)
      assert.deepEqual(report.differences, [])
    }
    assert.equal(gate.requests, status === 403 ? 2 : 10, 'five tries while it may pass, else one')
  }
  assert.deepEqual(await movesOf(kinora, bob), [])
  Object.assign(gate, { status: 429, failures: 1 })
  assert.deepEqual(await foundAt('payment-b'), ['purchase'])
  gate.status = 0
  assert.deepEqual(await movesOf(kinora, bob), ['ORDER_PAY 280'])
})
