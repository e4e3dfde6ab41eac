/**
 * Random sequences of what a user may do at a processor: plan changes, seats, trials, coupons, tax, balances, packs,
 * refunds, disputes, credit notes, seats in tiers, other currencies, and cancelled plans that are bought again; in some
 * the prices rise on the way, and what was bought goes on at the old ones. Each with its events, and with what the
 * processor's books say of the money.
 */
import type { Processor } from '../../server/src/config/processors.ts'
import type { Plans, Product } from '../../server/src/payment/plans.ts'
import type { Random } from '../../server/test/support/random.ts'
import { sequenceB } from './payment-sequences-b.ts'
import {
  DAY_MS,
  endOf,
  type Fields,
  monthAfter,
  type Payment,
  returnable,
  type Sequence,
  START,
  type Stage,
  stageOf,
} from './payment-stage.ts'

export const sequenceOf = (processor: Processor, seed: number, plans: Plans): Sequence =>
  (processor === 'payment-a' ? sequenceA : sequenceB)(`${seed}`, stageOf(processor, seed, plans))

/** A customer of payment-a: what runs. */
type CustomerA = {
  stage: Stage
  name: string
  /** The subscription: another one when it was cancelled and bought again. */
  sub: string
  plan: Product | null
  units: number
  start: number
  end: number
  /** The end of what the last free plan paid for. */
  freeUntil: number
}

function sequenceA(name: string, stage: Stage): Sequence {
  const { random, chance, newId } = stage
  const runs = { plan: null, units: 1, start: START, end: START, freeUntil: 0 }
  const a: CustomerA = { stage, name, sub: `sub_${name}`, ...runs }
  for (let step = 0; step < stage.steps; step++) {
    stage.next()
    const target = returnable(stage)
    const kind = random.below(10)
    if (a.plan && chance(8))
      Object.assign(a, { plan: null, start: stage.atMs, end: stage.atMs, sub: `sub_${name}r${step}` })
    if (!a.plan || kind < 4) changeA(a)
    else if (kind < 6) {
      stage.atMs = Math.max(stage.atMs, a.end)
      a.start = a.end
      a.end = monthAfter(a.start, a.plan)
      chargeA(a, a.plan, a.plan.price.cents * a.units, false)
    } else if (kind === 6) buyPackA(a)
    else if (kind === 7 && chance(30)) {
      const trial = {
        id: newId('tran'),
        cents: 100,
        backed: 100,
        money: 0,
        returned: 100,
        isDisputed: false,
        about: { amount: 100, subscription: a.sub },
      }
      sendSubscriptionA(a, 'paid', a.plan, trial, 'trialing')
    } else if (target) giveBackA(a, target, 1 + random.below(target.cents - target.returned), kind === 9)
  }
  return endOf(stage)
}

const sendA = ({ events, newId, atMs }: Stage, eventType: string, object: Fields) =>
  events.push({ id: newId('evt'), eventType, created_at: atMs, object })

const transactionOf = ({ id, cents, returned, about }: Payment): Fields => ({
  id,
  amount_paid: cents,
  currency: 'USD',
  status: 'paid',
  refunded_amount: returned,
  ...about,
})

const sendSubscriptionA = (
  { stage, name, sub, units, start, end }: CustomerA,
  type: string,
  product: Product,
  last: Payment | undefined,
  status = 'active',
) =>
  sendA(stage, `subscription.${type}`, {
    id: sub,
    product: { id: product.soldAs, tax_mode: 'exclusive' },
    customer: { id: `cust_${name}` },
    status,
    items: [{ units }],
    ...(last ? { last_transaction_id: last.id, last_transaction: transactionOf(last) } : {}),
    current_period_start_date: new Date(start).toISOString(),
    current_period_end_date: new Date(end).toISOString(),
  })

function changeA(a: CustomerA): void {
  const { stage } = a
  const next = stage.random.of(stage.plans)
  const seats = stage.chance(25) ? 1 + stage.random.below(4) : a.units
  const share = Math.max(0, (a.end - stage.atMs) / (a.end - a.start))
  const left = a.plan ? Math.round(a.plan.price.cents * a.units * share) : 0
  const due = next.price.cents * seats - left
  a.units = seats
  a.plan = next
  if (due <= 0) {
    // A cheaper plan: what is left may be refunded, of the last payment.
    const last = stage.payments.filter(({ about }) => about.subscription).at(-1)
    if (last && stage.chance(50)) giveBackA(a, last, Math.min(last.cents - last.returned, -due))
    sendSubscriptionA(a, 'update', next, last)
    return
  }
  const isRunning = a.end > stage.atMs + DAY_MS
  a.start = stage.atMs
  a.end = monthAfter(a.start, next)
  chargeA(a, next, due, isRunning)
}

function chargeA(a: CustomerA, product: Product, due: number, isRunning: boolean): void {
  const payment = payA(a, product, due, isRunning)
  for (const type of ['active', 'paid', 'updated'])
    if (type === 'paid' || a.stage.chance(30)) sendSubscriptionA(a, type, product, payment)
}

/** Charges `due` cents before discount and tax. */
function payA(a: CustomerA, product: Product, due: number, isRunning = false): Payment {
  const { stage, sub, start, end } = a
  const { chance, newId } = stage
  const discount = chance(20) ? Math.round(due * (chance(20) ? 1 : 0.3)) : 0
  const tax = chance(30) ? Math.round((due - discount) * 0.2) : 0
  const cents = due - discount + tax
  const about = {
    amount: due,
    discount_amount: discount,
    tax_amount: tax,
    subscription: sub,
    created_at: stage.atMs,
    period_start: start,
    period_end: end,
  }
  const isFreePlan = cents === 0 && product.kind === 'subscription'
  const money = isFreePlan && (isRunning || a.freeUntil > stage.atMs + DAY_MS) ? 0 : due
  if (isFreePlan && money > 0) a.freeUntil = end
  const payment = { id: newId('tran'), cents, backed: cents, money, returned: 0, isDisputed: false, about }
  stage.payments.push(payment)
  stage.sells(product)
  return payment
}

function buyPackA(a: CustomerA): void {
  const { stage } = a
  const pack = stage.random.of(stage.packs)
  const count = 1 + stage.random.below(3)
  const order = stage.newId('ord')
  const payment = { ...payA(a, pack, pack.price.cents * count), id: stage.newId('tran'), about: { order } }
  stage.payments[stage.payments.length - 1] = payment
  sendA(stage, 'checkout.completed', {
    id: stage.newId('ch'),
    units: count,
    product: { id: pack.soldAs, tax_mode: 'inclusive' },
    order: {
      id: order,
      type: 'onetime',
      status: 'paid',
      currency: 'USD',
      amount: payment.money,
      amount_paid: payment.cents,
      discount_amount: Math.max(0, payment.money - payment.cents),
    },
  })
}

function giveBackA({ stage }: CustomerA, payment: Payment, cents: number, isDispute = false): void {
  if (cents <= 0) return
  const status = stage.random.of(['succeeded', 'succeeded', 'failed', 'pending'])
  const counts = isDispute || status === 'succeeded'
  if (counts) payment.returned += cents
  sendA(stage, isDispute ? 'dispute.created' : 'refund.created', {
    id: stage.newId('ret'),
    ...(isDispute ? { amount: cents, currency: 'USD' } : { status, refund_amount: cents, refund_currency: 'USD' }),
    transaction: transactionOf(payment),
    subscription: payment.about.subscription,
  })
}

/** In a random sequence, a share of them twice. */
export function shuffledTwice<T>(items: T[], random: Random): T[] {
  const result = [...items, ...items.filter(() => random.below(100) < 25)]
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[result[i], result[j]] = [result[j] as T, result[i] as T]
  }
  return result
}
