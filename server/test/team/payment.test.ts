/** A team pays: what webhooks bring to a team, from checkout to its plan's end. Checkout: billing.test.ts. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import {
  deliver,
  deliverAll,
  type Processor,
  paymentEnv,
  type Row,
  stateOf,
} from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  checkoutA,
  DAY_MS,
  type Event,
  eventA,
  eventB,
  invoiceB,
  invoicePaymentB,
  newName,
  returnedA,
  sessionB,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from '../support/payment/payment-events.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: paymentEnv, simulator: true })
const { app } = kinora
const { newTeam, call, generate, finish } = openTeams(kinora)
const start = startOfToday()
const month = (n: number) => ({ start: start + 30 * n * DAY_MS, end: start + 30 * (n + 1) * DAY_MS })

async function movesOf(as: Person, team: string): Promise<string[]> {
  const { data } = await call<{ transactions: Row[] }>(as, team, 'GET', '/api/v1/credit/history?pageSize=100')
  return data.transactions.map(({ transType, credits }) => `${transType} ${credits}`).reverse()
}
type Subscription = { userId: string; plan: string; status: string; cancelAtPeriodEnd: boolean } | null
const subscriptionOf = async (as: Person, team: string) =>
  (await call<{ subscription: Subscription }>(as, team, 'GET', '/api/v1/billing/subscription')).data.subscription

/** A plan of 960 credits a month at a processor, whose later events come a month after the ones before. */
type Plan = Record<'begins' | 'renews' | 'fails' | 'cancels' | 'ends' | 'refunds', () => Event[]>
const plansOf: Record<Processor, (team: string) => Plan> = {
  'payment-a': (team) => {
    const id = newName('sub')
    const of = (n: number, change = {}) => subscriptionA(id, team, month(n), change)
    const at = (n: number, step: number) => month(n).start + step * 1000
    return {
      begins: () => [eventA('subscription.paid', of(0), at(0, 1))],
      renews: () => [eventA('subscription.paid', of(1), at(1, 1))],
      fails: () => [eventA('subscription.past_due', of(1, { status: 'past_due' }), at(1, 2))],
      cancels: () => [eventA('subscription.scheduled_cancel', of(1, { status: 'scheduled_cancel' }), at(1, 3))],
      ends: () => [eventA('subscription.canceled', of(1, { status: 'canceled' }), at(1, 4))],
      refunds: () => [eventA('refund.created', returnedA(of(1)), at(1, 5))],
    }
  },
  'payment-b': (team) => {
    const id = newName('sub')
    const of = (n: number, change = {}) => subscriptionB('new', team, { id, ...month(n) }, change)
    const at = (n: number, step: number) => month(n).start + step * 1000
    const invoice = (n: number) =>
      invoiceB('new', team, {
        id: `in_${id}_${n}`,
        subscription: id,
        lines: [{ price: 'price_pro_monthly', ...month(n), amount: 2990 }],
      })
    const updated = 'customer.subscription.updated'
    return {
      begins: () => [
        eventB('customer.subscription.created', of(0), at(0, 1)),
        eventB('invoice.paid', invoice(0), at(0, 1)),
      ],
      renews: () => [eventB(updated, of(1), at(1, 1)), eventB('invoice.paid', invoice(1), at(1, 1))],
      fails: () => [eventB(updated, of(1, { status: 'past_due' }), at(1, 2))],
      cancels: () => [eventB(updated, of(1, { cancel_at_period_end: true }), at(1, 3))],
      ends: () => [eventB('customer.subscription.deleted', of(1, { status: 'canceled' }), at(1, 4))],
      refunds: () => [
        eventB('invoice_payment.paid', invoicePaymentB(`in_${id}_1`, `pi_${id}`), at(1, 1)),
        eventB('charge.refunded', chargeB(`pi_${id}`, 2990, 2990), at(1, 5)),
      ],
    }
  },
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`200: a plan of a team at ${processor} → begins, renews, fails, ends and is refunded as a user’s, and a member reads it`, async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    const viewer = await addMember(app, id, await kinora.person({ credits: 0 }), 'viewer')
    const plan = plansOf[processor](id)
    const send = (step: keyof Plan) => deliverAll(kinora, processor, ...plan[step]())
    await send('begins')
    assert.deepEqual(await movesOf(viewer, id), ['SUBSCRIPTION 960'])
    const { userId, plan: planId, status } = (await subscriptionOf(viewer, id)) ?? assert.fail('no subscription')
    assert.deepEqual([userId, planId, status], [id, 'pro-monthly', 'active'])
    await send('renews')
    assert.deepEqual(await movesOf(owner, id), ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
    const { uuid } = (await generate(owner, id)).data
    await finish(owner, id, uuid)
    await send('fails')
    assert.equal((await subscriptionOf(owner, id))?.status, 'past_due')
    const renewing = await call(owner, id, 'DELETE', '/api/v1/team', {})
    assert.deepEqual([renewing.status, renewing.error?.code], [409, 'CONFLICT'])
    await send('cancels')
    assert.equal((await subscriptionOf(owner, id))?.cancelAtPeriodEnd, true)
    await send('ends')
    assert.equal((await subscriptionOf(owner, id))?.status, 'cancelled')
    await send('refunds')
    assert.deepEqual((await movesOf(owner, id)).slice(-2), ['VIDEO_CONSUME -16', 'SUBSCRIPTION -960'])
    assert.equal((await kinora.balance(owner)).available, 60, 'the owner’s own credits stay')
    assert.equal((await call(owner, id, 'DELETE', '/api/v1/team', {})).status, 200)
  })
}

test('200: packs of a team at both processors, each event ten times at once → granted once, and refunded to what is left', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const paid = checkoutA(id)
  const session = sessionB(id)
  const ten = <T>(make: () => T) => Array.from({ length: 10 }, make)
  await Promise.all([
    ...ten(() => deliver(kinora, 'payment-a', eventA('checkout.completed', paid))),
    ...ten(() => deliver(kinora, 'payment-b', eventB('checkout.session.completed', session))),
  ])
  assert.deepEqual((await movesOf(owner, id)).sort(), ['ORDER_PAY 280', 'ORDER_PAY 960'])
  await finish(owner, id, (await generate(owner, id)).data.uuid)
  const refund = chargeB(String(session.payment_intent), 3990, 3990)
  await deliverAll(kinora, 'payment-b', eventB('charge.refunded', refund))
  const { data } = await call<{ available: number; clawedBack: number }>(owner, id, 'GET', '/api/v1/credit/balance')
  assert.equal(data.available + data.clawedBack, 280 + 960 - 16)
  assert.equal(data.clawedBack >= 944, true)
})

test('200: a refund takes back what a team has spent → the team owes it, in the list of teams and not of users', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const checkout = checkoutA(id)
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkout))
  await finish(owner, id, (await generate(owner, id)).data.uuid)
  const refund = { id: newName('ref'), refund_amount: 1490, order: checkout.order }
  await deliverAll(kinora, 'payment-a', eventA('refund.created', refund))
  const root = await kinora.person({ role: 'admin', credits: 0 })
  type Owing = { teams?: { id: string }[]; users?: { id: string }[]; total: number }
  const { data } = await kinora.call<Owing>('GET', '/api/v1/admin/teams?owes=true', { as: root })
  // Teams of the tests before owe too.
  assert.equal(data.teams?.[0]?.id, id)
  assert.equal(data.total, data.teams?.length)
  const { data: users } = await kinora.call<Owing>('GET', '/api/v1/admin/users?owes=true', { as: root })
  assert.deepEqual([users.users, users.total], [[], 0])
})

test('200: events that name no team we know, or one that was deleted → unmatched', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  assert.equal((await call(owner, id, 'DELETE', '/api/v1/team', {})).status, 200)
  const other = await newTeam({ credits: 0 })
  for (const named of [randomUUID(), id, other.id.toUpperCase(), '🎬']) {
    const event = eventB('checkout.session.completed', sessionB(named))
    await deliverAll(kinora, 'payment-b', event)
    assert.equal(await stateOf(kinora, event), 'unmatched', named)
  }
  assert.deepEqual(await movesOf(other.owner, other.id), [])
})

test('200: a team is deleted while its first payment arrives → its plan keeps it, or its books have the payment', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, owner } = await newTeam({ credits: 0 })
    const events = plansOf['payment-b'](id).begins()
    const [removed] = await Promise.all([
      call(owner, id, 'DELETE', '/api/v1/team', {}),
      deliverAll(kinora, 'payment-b', ...events),
    ])
    const states = await Promise.all(events.map((event) => stateOf(kinora, event)))
    if (removed.status === 409)
      assert.deepEqual([...states, await movesOf(owner, id)], ['applied', 'applied', ['SUBSCRIPTION 960']])
    else {
      assert.equal(removed.status, 200, removed.text)
      assert.ok(
        states.every((state) => state === 'applied' || state === 'unmatched'),
        states.join(),
      )
    }
  }
})
