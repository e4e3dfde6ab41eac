/** `GET /api/v1/admin/users/{id}/payments`: what a user has paid, and the user's subscriptions. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, DAY_MS, eventA, newName, startOfToday, subscriptionA } from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const root = await kinora.person({ role: 'admin', credits: 0 })

type Paid = {
  subscriptions: { plan: string; status: string; userId: string }[]
  payments: { orderNo: string; currency: string; received: number; returned: number; credits: number }[]
}
const paidBy = (id: string, as = root) => kinora.call<Paid>('GET', `/api/v1/admin/users/${id}/payments`, { as })

test('200: a plan and a pack of which half was refunded → both payments with what was returned, and the subscription', async () => {
  const ann = await kinora.person({ credits: 0 })
  const period = { start: startOfToday(), end: startOfToday() + 30 * DAY_MS }
  const checkout = checkoutA(ann.userId)
  const order = checkout.order as { id: string }
  await deliverAll(
    kinora,
    'payment-a',
    eventA('subscription.paid', subscriptionA(newName('sub'), ann.userId, period)),
    eventA('checkout.completed', checkout),
    eventA('refund.created', { id: newName('ref'), refund_amount: 745, order: { id: order.id, amount: 1490 } }),
  )
  const { data, status, text } = await paidBy(ann.userId)
  assert.equal(status, 200, text)
  assert.deepEqual(
    data.subscriptions.map(({ status: state, userId }) => [state, userId]),
    [['active', ann.userId]],
  )
  const pack = data.payments.find(({ orderNo }) => orderNo === order.id)
  assert.deepEqual([pack?.currency, pack?.received, pack?.returned, data.payments.length], ['USD', 1490, 745, 2])
  const ben = await kinora.person({ credits: 0 })
  assert.deepEqual((await paidBy(ben.userId)).data, { subscriptions: [], payments: [] })
})

test('404, 403: unknown user, or a user’s credential → refused', async () => {
  assert.equal((await paidBy(randomUUID())).status, 404)
  const ann = await kinora.person()
  assert.equal((await paidBy(ann.userId, ann)).status, 403)
})
