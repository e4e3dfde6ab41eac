/** `GET /api/v1/admin/payments` and `/subscriptions`: a search by address, user, processor's id, state and period. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, DAY_MS, eventA, newName, startOfToday, subscriptionA } from '../support/payment/payment-events.ts'
import { openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: paymentEnv })
const root = await kinora.person({ role: 'admin', credits: 0 })

type Payments = {
  payments: { userId: string; email: string | null; orderNo: string; credits: number; returned: number }[]
  nextCursor: string | null
}
type Subscriptions = {
  subscriptions: { id: string; userId: string; email: string | null; status: string }[]
  nextCursor: string | null
}
const read = <T>(path: string, query: Record<string, string>, as: Person) =>
  kinora.call<T>('GET', `/api/v1/admin/${path}?${new URLSearchParams(query)}`, { as })
async function payments(query: Record<string, string> = {}): Promise<Payments> {
  const { status, data, text } = await read<Payments>('payments', query, root)
  assert.equal(status, 200, text)
  return data
}
async function subscriptions(query: Record<string, string> = {}): Promise<Subscriptions> {
  const { status, data, text } = await read<Subscriptions>('subscriptions', query, root)
  assert.equal(status, 200, text)
  return data
}
const orders = async (query: Record<string, string>) => (await payments(query)).payments.map(({ orderNo }) => orderNo)
const users = async (query: Record<string, string>) =>
  (await subscriptions(query)).subscriptions.map(({ userId }) => userId)

const [ann, ben] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
const subscription = newName('sub')
const period = { start: startOfToday(), end: startOfToday() + 30 * DAY_MS }
const orderOf = ({ order }: { order?: unknown }) => (order as { id: string }).id
const [packA, packB, packC] = [checkoutA(ann.userId), checkoutA(ben.userId), checkoutA(ben.userId)]
const refund = (order: string, amount: number) =>
  eventA('refund.created', { id: newName('ref'), refund_amount: amount, order: { id: order, amount: 1490 } })
await deliverAll(
  kinora,
  'payment-a',
  eventA('subscription.paid', subscriptionA(subscription, ann.userId, period)),
  ...[packA, packB, packC].map((pack) => eventA('checkout.completed', pack)),
  refund(orderOf(packB), 745),
  refund(orderOf(packC), 1490),
)

test('200: by a part of the address, by user id, by the processor’s id of the order → their payments, with the address', async () => {
  const { payments: found } = await payments({ q: ann.email.slice(0, -4).toUpperCase() })
  assert.deepEqual([found.length, found[0]?.email, found[0]?.userId], [2, ann.email, ann.userId])
  assert.equal((await orders({ q: ben.userId })).length, 2)
  assert.deepEqual(await orders({ q: orderOf(packB) }), [orderOf(packB)])
  assert.equal((await orders({ q: subscription })).length >= 1, true)
  assert.deepEqual(await orders({ q: 'nobody@nowhere' }), [])
  assert.deepEqual(await orders({ q: randomUUID() }), [])
})

test('200: by what was returned, and by period → those alone', async () => {
  assert.deepEqual(await orders({ state: 'returned' }), [orderOf(packC)])
  assert.deepEqual(await orders({ state: 'returned_in_part' }), [orderOf(packB)])
  assert.ok((await orders({ state: 'kept' })).includes(orderOf(packA)))
  assert.deepEqual(await orders({ from: '2020-01-01', to: '2020-01-31' }), [])
  assert.deepEqual(await users({ from: '2020-01-01', to: '2020-01-31' }), [])
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(await users({ from: today }), [ann.userId])
})

test('200: pages of one → each payment once, the latest first; a wrong cursor → 400', async () => {
  const all = await payments()
  const seen: unknown[] = []
  let cursor: string | null = null
  do {
    const page: Payments = await payments({ pageSize: '1', ...(cursor === null ? {} : { cursor }) })
    seen.push(...page.payments)
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(seen, all.payments)
  for (const wrong of ['x', Buffer.from('[1,2]').toString('base64url'), Buffer.from('{}').toString('base64url')])
    assert.equal((await read('payments', { cursor: wrong }, root)).status, 400)
  assert.equal((await read('subscriptions', { cursor: 'x' }, root)).status, 400)
})

test('200: subscriptions by address, by their own and the processor’s id, by status → those alone', async () => {
  const [one] = (await subscriptions({ q: ann.email })).subscriptions
  assert.partialDeepStrictEqual(one, { userId: ann.userId, email: ann.email, status: 'active' })
  assert.deepEqual(await users({ q: one?.id ?? '' }), [ann.userId])
  assert.deepEqual(await users({ q: subscription }), [ann.userId])
  assert.deepEqual(await users({ q: orderOf(packB) }), [])
  assert.deepEqual(await users({ status: 'active' }), [ann.userId])
  assert.deepEqual(await users({ status: 'cancelled' }), [])
})

test('403, 400: a user’s credential; a status or a period that there is not → refused', async () => {
  assert.equal((await read('payments', {}, ann)).status, 403)
  assert.equal((await read('subscriptions', {}, ann)).status, 403)
  assert.equal((await read('payments', { state: 'x' }, root)).status, 400)
  assert.equal((await read('subscriptions', { status: 'x' }, root)).status, 400)
  assert.equal((await read('payments', { from: '2026-02-30' }, root)).status, 400)
})

test('200: subscriptions by a part of a team’s name → those of the newest 100 teams that have it', async () => {
  const { app } = kinora
  const { id } = await openTeams(kinora).newTeam({ credits: 0 })
  await app.sql`update kinora.team set name = 'Quillon 1' where id = ${id}`
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', subscriptionA(newName('sub'), id, period)))
  assert.deepEqual(await users({ q: 'QUILLON' }), [id])
  const later = new Date(app.now().getTime() + 1000)
  await app.sql`
    insert into kinora.team (id, name, created_at)
    select overlay(kinora.uuid_v7(p_now => ${later}, p_sequence => n)::text placing 'ff' from 1)::uuid, 'Quillon 2', ${later}
    from generate_series(1, 100) n
  `
  assert.deepEqual(await users({ q: 'quillon' }), [])
  assert.deepEqual(await users({ q: 'quillon 1' }), [id])
})
