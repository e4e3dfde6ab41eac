/**
 * Credits follow the money: one table of cases. Each row is what a user does, as the events of payment-a and of
 * payment-b where both can say it, and the credits that are left.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receive, retryEvents } from '../../src/payment/events.ts'
import type { Person } from '../support/harness.ts'
import { balanceCases } from '../support/payment/balance-cases.ts'
import { type Processor, stateOf } from '../support/payment/payment-delivery.ts'
import { DAY_MS } from '../support/payment/payment-events.ts'
import { end, openPayments, paid, scene, start, transactions } from '../support/payment/payment-scene.ts'
import { purchaseCases } from '../support/payment/purchase-cases.ts'

const kinora = await openPayments()

const available = async ({ userId }: Person): Promise<number> => {
  const [row] = await kinora.app.sql<{ available: number }[]>`
    select available from kinora.credit_account where user_id = ${userId}
  `
  return row?.available ?? 0
}

for (const { name, credits, a, b } of [...purchaseCases, ...balanceCases]) {
  for (const [processor, events] of Object.entries({ 'payment-a': a, 'payment-b': b })) {
    if (!events) continue
    test(`${processor}: ${name} → ${credits}, in both sequences`, async () => {
      for (const isReversed of [false, true]) {
        const person = await kinora.person({ credits: 0 })
        const stage = scene(person.userId)
        const delivered = events(stage)
        if (isReversed) delivered.reverse()
        for (const event of delivered) {
          await receive(kinora.app, processor as Processor, JSON.stringify(event))
          await retryEvents(kinora.app)
        }
        assert.equal(await available(person), credits, isReversed ? 'reversed' : 'in order')
        const failed = await kinora.app.sql`
          select external_id, reason from kinora.payment_event
          where user_id = ${person.userId} and state not in ('applied', 'ignored')
        `
        assert.deepEqual([...failed], [])
      }
    })
  }
}

test('payment-a: events without amounts that cannot be read, in all orders → the same books; the change waits for its amount', async () => {
  const orders = [0, 1, 2].flatMap((first) => [1, 2].map((step) => [first, (first + step) % 3, (first + 3 - step) % 3]))
  for (const order of orders) {
    const person = await kinora.person({ credits: 0 })
    const { subscriptionA, ids } = scene(person.userId)
    const name = ids.sub.slice(4)
    const renewal = {
      current_period_start_date: new Date(end).toISOString(),
      current_period_end_date: new Date(end + 31 * DAY_MS).toISOString(),
      last_transaction_date: new Date(end).toISOString(),
    }
    const events = [
      subscriptionA('paid', 'basic_monthly', null, { last_transaction_id: `tran_${name}_1` }),
      subscriptionA('paid', 'ultimate_monthly', null, { last_transaction_id: `tran_${name}_2` }),
      subscriptionA('paid', 'ultimate_monthly', null, { last_transaction_id: `tran_${name}_3`, ...renewal }),
    ]
    for (const n of order) {
      await receive(kinora.app, 'payment-a', JSON.stringify(events[n]))
      await retryEvents(kinora.app)
    }
    assert.equal(await available(person), 280 + 2850, `${order}`)
    const states = await kinora.app.sql<{ state: string }[]>`
      select state from kinora.payment_event where user_id = ${person.userId} order by external_id
    `
    assert.deepEqual(states.map(({ state }) => state).sort(), ['applied', 'applied', 'waiting'], `${order}`)
    assert.equal(await stateOf(kinora, events[1] ?? assert.fail()), 'waiting', `${order}`)
    transactions.set(`tran_${name}_2`, {
      id: `tran_${name}_2`,
      ...paid(7000),
      currency: 'USD',
      status: 'paid',
      created_at: start + DAY_MS,
    })
    kinora.turnClock(120_000)
    await retryEvents(kinora.app)
    assert.equal(await available(person), 2850 + 2850, `${order}`)
    assert.equal(await stateOf(kinora, events[1] ?? assert.fail()), 'applied', `${order}`)
  }
})
