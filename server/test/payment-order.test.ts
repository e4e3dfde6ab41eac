/**
 * A subscription's life cycle at either processor, delivered in random orders and every event ten times: the final record
 * is the same, each payment is granted once, and refunds are clawed back. Only one event of each life cycle names the user;
 * the others find the user by linked objects, or wait for a link.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receive } from '../src/payment/events.ts'
import { openKinora, type Person } from './harness.ts'
import {
  chargeB,
  checkoutA,
  DAY_MS,
  deliver,
  type Event,
  eventA,
  eventB,
  type Generation,
  invoiceB,
  invoicePaymentB,
  movesOf,
  type Processor,
  paymentEnv,
  recordOf,
  returnedA,
  sessionB,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from './payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const SEEDS = 200
/** How often each event comes: ten times in the first orders, three times, which meet the same states, in the others. */
const timesOf = (seed: number) => (seed < 25 ? 10 : 3)
const AT_ONCE = 10

/** Three periods from today on, so that no credits expire during delivery. */
const start = startOfToday()
const periods = [0, 31, 62].map((days) => ({ start: start + days * DAY_MS, end: start + (days + 31) * DAY_MS })) as [
  Period,
  Period,
  Period,
]
type Period = { start: number; end: number }
const [first, second, third] = periods
const HOUR_MS = 3_600_000

function lifeCycleA(seed: number, userId: string): Event[] {
  const id = `sub_a${seed}`
  const event = (
    type: string,
    period: Period,
    atMs: number,
    fields: { product?: string; status?: string; transaction?: string } = {},
    change = {},
  ) =>
    eventA(
      `subscription.${type}`,
      subscriptionA(id, null, { product: 'prod_basic_monthly', ...fields, ...period }, change),
      atMs,
    )
  const pro = { product: 'prod_pro_monthly' }
  const paid = (period: Period) => subscriptionA(id, null, period)
  const checkout = checkoutA(userId, {
    order: { id: `ord_a${seed}`, status: 'paid', type: 'recurring' },
    subscription: { id, status: 'active' },
  })
  const noPeriod = { current_period_start_date: undefined, current_period_end_date: undefined }
  const wholeSecond = paid(second)
  return [
    eventA('checkout.completed', checkout, first.start),
    event('created', first, first.start, {}, { last_transaction_id: null }),
    event('active', first, first.start + 1, {}, noPeriod),
    event('paid', first, first.start),
    event('update', first, first.start),
    event('paid', second, second.start),
    event('updated', second, second.start),
    event('trialing', first, first.start - HOUR_MS, { status: 'trialing' }),
    event('unpaid', third, third.start + 1, { ...pro, status: 'unpaid' }),
    event('paused', third, third.start + 2, { ...pro, status: 'paused' }),
    event('past_due', third, third.start, { ...pro, status: 'past_due' }),
    event('paid', third, third.start + HOUR_MS, pro),
    event('updated', third, third.start + HOUR_MS, pro),
    event('scheduled_cancel', third, third.start + DAY_MS, { ...pro, status: 'scheduled_cancel' }),
    event(
      'canceled',
      third,
      third.end,
      { ...pro, status: 'canceled' },
      { canceled_at: new Date(third.end).toISOString() },
    ),
    event(
      'expired',
      third,
      third.end,
      { ...pro, status: 'expired' },
      { canceled_at: new Date(third.end).toISOString() },
    ),
    // The first period is refunded in two halves; the second is disputed by an event that names its payment only.
    eventA('refund.created', returnedA(paid(first), { refund_amount: 1495 })),
    eventA('refund.created', returnedA(paid(first), { refund_amount: 1495 })),
    eventA('dispute.created', {
      id: `disp_a${seed}`,
      transaction: wholeSecond.last_transaction_id,
      customer: wholeSecond.customer,
    }),
  ]
}

function lifeCycleB(seed: number, userId: string): Event[] {
  const generation: Generation = seed % 2 ? 'new' : 'old'
  const id = `sub_b${seed}`
  const event = (kind: string, period: Period, atMs: number, price: string, status = 'active', change = {}) =>
    eventB(
      `customer.subscription.${kind}`,
      subscriptionB(generation, null, { id, price, status, ...period }, change),
      atMs,
    )
  const basic = 'price_basic_monthly'
  const pro = 'price_pro_monthly'
  const invoice = (
    n: number,
    atMs: number,
    lines: Parameters<typeof invoiceB>[2]['lines'],
    kind = 'payment_succeeded',
  ) =>
    eventB(
      `invoice.${kind}`,
      invoiceB(generation, null, { id: `in_b${seed}_${n}`, subscription: id, lines, payment: `pi_b${seed}_${n}` }),
      atMs,
    )
  const changedAt = second.start + 15.5 * DAY_MS
  const part = (price: string, amount: number) => ({ price, amount, start: changedAt, end: second.end, isPart: true })
  const session = { mode: 'subscription', subscription: id, customer: `cus_of_${id}`, payment_intent: null }
  const payment = `pi_b${seed}_1`
  return [
    eventB('checkout.session.completed', sessionB(userId, session), first.start),
    event('created', first, first.start, basic, 'incomplete'),
    event('updated', first, first.start, basic),
    invoice(1, first.start, [{ price: basic, amount: 990, ...first }]),
    // The only event that links the refunded payment to its invoice; it names neither user nor customer.
    eventB('invoice_payment.paid', invoicePaymentB(`in_b${seed}_1`, payment), first.start),
    event('updated', second, second.start, basic),
    invoice(2, second.start, [{ price: basic, amount: 990, ...second }]),
    event('updated', second, changedAt, pro),
    invoice(3, changedAt, [part(basic, -495), part(pro, 1495)]),
    event('updated', third, third.start, pro, 'past_due'),
    invoice(4, third.start, [{ price: pro, amount: 2990, ...third }], 'payment_failed'),
    event('updated', third, third.start + HOUR_MS, pro),
    invoice(4, third.start + HOUR_MS, [{ price: pro, amount: 2990, ...third }]),
    event('updated', third, third.start + DAY_MS, pro, 'active', { cancel_at_period_end: true }),
    event('deleted', third, third.end, pro, 'canceled', { cancel_at_period_end: true, canceled_at: third.end / 1000 }),
    eventB('charge.refunded', chargeB(payment, 990, 330), second.start),
    eventB('charge.refunded', chargeB(payment, 990, 990), second.start + DAY_MS),
  ]
}

/** A seeded random generator, so that a failing order can be reproduced. */
function shuffled<T>(items: T[], seed: number): T[] {
  let state = seed * 2_654_435_769 + 1
  const random = () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
  const result = [...items]
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j] as T, result[i] as T]
  }
  return result
}

/** The state that a user sees at the end, without ids that differ between seeds. */
async function endOf(person: Person) {
  const record = (await recordOf(kinora, person)) ?? assert.fail('no record')
  const { status, plan, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd, cancelledAt } = record
  const moves = await movesOf(kinora, person)
  return {
    record: { status, plan, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd, cancelledAt },
    granted: moves.filter((move) => !move.includes('-')).sort(),
    takenBack: moves.filter((move) => move.includes('-')).reduce((sum, move) => sum + Number(move.split(' ')[1]), 0),
    available: (await kinora.balance(person)).available,
  }
}

async function deliverShuffled(
  processor: Processor,
  life: (seed: number, userId: string) => Event[],
  expected: object,
) {
  let next = 0
  const deliverNext = async () => {
    for (let seed = next++; seed < SEEDS; seed = next++) {
      const person = await kinora.person({ credits: 0 })
      const events = life(seed, person.userId)
      // Seed 0 is chronological order.
      if (seed === 0) {
        for (const event of events) assert.equal((await deliver(kinora, processor, event)).status, 200)
      }
      // The other seeds bypass HTTP, which other files test: seventy thousand requests would add time and no coverage.
      const deliveries = Array.from({ length: timesOf(seed) }, () => events).flat()
      for (const event of shuffled(deliveries, seed)) await receive(kinora.app, processor, JSON.stringify(event))
      assert.deepEqual(await endOf(person), expected, `seed ${seed}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, deliverNext))
  const waiting = await kinora.app.sql`
    select external_id, type, state, reason from kinora.payment_event where processor = ${processor} and state <> 'applied'
  `
  assert.deepEqual([...waiting], [], 'every event has found its user')
}

const record = {
  plan: 'pro-monthly',
  currentPeriodStart: new Date(third.start).toISOString(),
  currentPeriodEnd: new Date(third.end).toISOString(),
  cancelledAt: new Date(third.end).toISOString(),
}

test(`200: payment-a life cycle in ${SEEDS} random orders, each event ten times → same final state`, async () => {
  await deliverShuffled('payment-a', lifeCycleA, {
    record: { ...record, status: 'expired', cancelAtPeriodEnd: false },
    granted: ['SUBSCRIPTION 280', 'SUBSCRIPTION 280', 'SUBSCRIPTION 960'],
    takenBack: -560,
    available: 960,
  })
})

test(`200: payment-b life cycle in ${SEEDS} random orders, each event ten times → same final state`, async () => {
  const more = Math.round((960 - 280) * shareOf(second.start + 15.5 * DAY_MS, second.end))
  await deliverShuffled('payment-b', lifeCycleB, {
    record: { ...record, status: 'cancelled', cancelAtPeriodEnd: true },
    granted: ['SUBSCRIPTION 280', 'SUBSCRIPTION 280', `SUBSCRIPTION ${more}`, 'SUBSCRIPTION 960'].sort(),
    takenBack: -280,
    available: 280 + more + 960,
  })
})

/** The remaining time as a share of the month that starts on that day. */
function shareOf(fromMs: number, toMs: number): number {
  const from = new Date(fromMs)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 2, 0)).getUTCDate()
  const until = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, Math.min(from.getUTCDate(), lastDay))
  return Math.min(1, (toMs - fromMs) / (until + (fromMs % DAY_MS) - fromMs))
}
