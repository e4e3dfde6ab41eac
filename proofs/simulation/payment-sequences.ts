/**
 * Random sequences of what a user may do at a processor: plan changes, seats, trials, coupons, tax, balances, packs, refunds and
 * disputes. Each with its events, and with what the processor's books say of the money.
 */
import type { Plans, Processor, Product } from '../../server/src/payment/plans.ts'
import { type Random, randomOf } from '../../server/test/support/random.ts'

type Fields = Record<string, unknown>
export type Sequence = {
  events: Fields[]
  /** The money that was kept, with discounts and goodwill and without tax, in cents. */
  kept: number
  payments: number
  /** Credits for a cent, of the plans and packs that were bought. */
  best: number
  worst: number
}
type Payment = { id: string; cents: number; money: number; returned: number; isDisputed: boolean; about: Fields }

const DAY_MS = 86_400_000
const STEPS_MAX = 12
export const START = Date.UTC(2030, 0, 1)

export const sequenceOf = (processor: Processor, seed: number, plans: Plans): Sequence =>
  (processor === 'payment-a' ? sequenceA : sequenceB)(`${seed}`, stageOf(seed, plans))

type Stage = ReturnType<typeof stageOf>
/** What both processors' sequences share: time, the books, and what is sold. */
function stageOf(seed: number, { products }: Plans) {
  const random = randomOf(seed)
  let count = 0
  return {
    random,
    events: [] as Fields[],
    payments: [] as Payment[],
    rates: [] as number[],
    atMs: START,
    plans: products.filter(({ kind }) => kind === 'subscription'),
    packs: products.filter(({ kind }) => kind === 'pack'),
    newId: (prefix: string) => `${prefix}_${seed}_${++count}`,
    next() {
      this.atMs += 3_600_000 * (1 + random.below(150))
      return this.atMs
    },
    sells(product: Product) {
      this.rates.push(product.credits / product.price.cents)
    },
    chance: (percent: number) => random.below(100) < percent,
    steps: 2 + random.below(STEPS_MAX),
  }
}

function endOf({ events, payments, rates }: Stage): Sequence {
  const kept = payments.reduce(
    (sum, { money, cents, returned }) => sum + money * (cents > 0 ? Math.max(0, 1 - returned / cents) : 1),
    0,
  )
  return { events, kept, payments: payments.length, best: Math.max(0, ...rates), worst: Math.min(Infinity, ...rates) }
}

const monthAfter = (ms: number, product: Product): number =>
  ms + (product.kind === 'subscription' && product.period === 'year' ? 365 : 31) * DAY_MS

/** A payment with money left to return, or none. */
const returnable = ({ payments, random }: Stage): Payment | undefined =>
  random.of(payments.filter(({ cents, returned }) => returned < cents)) as Payment | undefined

function sequenceA(name: string, stage: Stage): Sequence {
  const { random, events, chance, newId } = stage
  const sub = `sub_${name}`
  const send = (eventType: string, object: Fields) =>
    events.push({ id: newId('evt'), eventType, created_at: stage.atMs, object })
  let plan = null as Product | null
  let units = 1
  let start = START
  let end = START
  const transactionOf = ({ id, cents, returned, about }: Payment): Fields => ({
    id,
    amount_paid: cents,
    currency: 'USD',
    status: 'paid',
    refunded_amount: returned,
    ...about,
  })
  /** Charges `due` cents before discount and tax. */
  function pay(product: Product, due: number, isRunning = false) {
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
    const money = cents === 0 && isRunning ? 0 : due
    const payment = { id: newId('tran'), cents, money, returned: 0, isDisputed: false, about }
    stage.payments.push(payment)
    stage.sells(product)
    return payment
  }
  const subscription = (type: string, product: Product, last: Payment | undefined, status = 'active') =>
    send(`subscription.${type}`, {
      id: sub,
      product: { id: `prod_${product.id.replaceAll('-', '_')}`, tax_mode: 'exclusive' },
      customer: { id: `cust_${name}` },
      status,
      items: [{ units }],
      ...(last ? { last_transaction_id: last.id, last_transaction: transactionOf(last) } : {}),
      current_period_start_date: new Date(start).toISOString(),
      current_period_end_date: new Date(end).toISOString(),
    })
  function charge(product: Product, due: number, isRunning: boolean) {
    const payment = pay(product, due, isRunning)
    for (const type of ['active', 'paid', 'updated'])
      if (type === 'paid' || chance(30)) subscription(type, product, payment)
  }
  function change() {
    const next = random.of(stage.plans)
    const seats = chance(25) ? 1 + random.below(4) : units
    const left = plan ? Math.round(plan.price.cents * units * Math.max(0, (end - stage.atMs) / (end - start))) : 0
    const due = next.price.cents * seats - left
    units = seats
    plan = next
    if (due <= 0) {
      // A cheaper plan: what is left may be refunded, of the last payment.
      const last = stage.payments.filter(({ about }) => about.subscription).at(-1)
      if (last && chance(50)) giveBack(last, Math.min(last.cents - last.returned, -due))
      subscription('update', next, last)
      return
    }
    const isRunning = end > stage.atMs + DAY_MS
    start = stage.atMs
    end = monthAfter(start, next)
    charge(next, due, isRunning)
  }
  function giveBack(payment: Payment, cents: number, isDispute = false) {
    if (cents <= 0) return
    const status = random.of(['succeeded', 'succeeded', 'failed', 'pending'])
    const counts = isDispute || status === 'succeeded'
    if (counts) payment.returned += cents
    send(isDispute ? 'dispute.created' : 'refund.created', {
      id: newId('ret'),
      ...(isDispute ? { amount: cents, currency: 'USD' } : { status, refund_amount: cents, refund_currency: 'USD' }),
      transaction: transactionOf(payment),
      subscription: payment.about.subscription,
    })
  }
  for (let step = 0; step < stage.steps; step++) {
    stage.next()
    const target = returnable(stage)
    const kind = random.below(10)
    if (!plan || kind < 4) change()
    else if (kind < 6) {
      stage.atMs = Math.max(stage.atMs, end)
      start = end
      end = monthAfter(start, plan)
      charge(plan, plan.price.cents * units, false)
    } else if (kind === 6) {
      const pack = random.of(stage.packs)
      const count = 1 + random.below(3)
      const order = newId('ord')
      const payment = { ...pay(pack, pack.price.cents * count), id: newId('tran'), about: { order } }
      stage.payments[stage.payments.length - 1] = payment
      send('checkout.completed', {
        id: newId('ch'),
        units: count,
        product: { id: `prod_${pack.id.replaceAll('-', '_')}`, tax_mode: 'inclusive' },
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
    } else if (kind === 7 && chance(30)) {
      const trial = {
        id: newId('tran'),
        cents: 100,
        money: 0,
        returned: 100,
        isDisputed: false,
        about: { amount: 100, subscription: sub },
      }
      subscription('paid', plan, trial, 'trialing')
    } else if (target) giveBack(target, 1 + random.below(target.cents - target.returned), kind === 9)
  }
  return endOf(stage)
}

function sequenceB(name: string, stage: Stage): Sequence {
  const { random, events, chance, newId } = stage
  const customer = `cus_${name}`
  const send = (type: string, object: Fields) =>
    events.push({ id: newId('evt'), type, created: Math.floor(stage.atMs / 1000), data: { object } })
  let plan = null as Product | null
  let seats = 1
  let start = START
  let end = START
  /** A customer keeps a coupon: what is left of a plan comes back without it. */
  const coupon = chance(20) ? random.of([0.3, 0.5, 1]) : 0
  let runsUntil = 0
  /** What the customer has as credit: brought back by plan changes, and given. */
  let own = 0
  let given = 0
  const line = (product: Product, amount: number, quantity: number, isPart: boolean): Fields => ({
    amount: amount < 0 ? Math.round(amount * (1 - coupon)) : amount,
    isPlan: product.kind === 'subscription',
    quantity,
    proration: isPart,
    price: { id: `price_${product.id.replaceAll('-', '_')}` },
    period: { start: Math.floor((isPart ? stage.atMs : start) / 1000), end: Math.floor(end / 1000) },
  })
  function bill(lines: Fields[]) {
    const id = newId('in')
    const sumOf = (sign: 1 | -1) => lines.reduce((sum, { amount }) => sum + Math.max(0, sign * Number(amount)), 0)
    const [gross, back] = [sumOf(1), sumOf(-1)]
    const discount = Math.round(gross * coupon)
    const net = gross - discount - back
    const tax = net > 0 && chance(30) ? Math.round(net * 0.2) : 0
    const total = net + tax
    // Without money, what runs already bounds how often a plan brings credits.
    const isRepeated = coupon === 1 && runsUntil > stage.atMs + DAY_MS
    const plans = lines.filter(({ isPlan }) => isPlan)
    const freePart = lines.filter(({ isPlan, proration }) => !proration && !(isPlan && isRepeated))
    const value =
      coupon === 1 ? freePart.reduce((sum, { amount }) => sum + Number(amount), 0) : gross - back / (1 - coupon)
    if (plans.length > 0) runsUntil = end
    const balance = own + given
    const used = Math.min(balance, Math.max(0, total))
    const ownUsed = Math.min(own, used)
    own += Math.max(0, -total) - ownUsed
    given -= used - ownUsed
    const note = total > used && chance(5) ? Math.min(total - used, 500) : 0
    const due = Math.max(0, total - used - note)
    const overpaid = due > 0 && chance(5) ? 1000 : 0
    given += overpaid
    const cents = due + overpaid
    const money = value > 0 ? (total > 0 ? (value * (total - ownUsed)) / total : value) : 0
    const payment = {
      id,
      cents,
      money,
      returned: 0,
      isDisputed: false,
      about: { charge: newId('ch'), pi: newId('pi') },
    }
    stage.payments.push(payment)
    const object = {
      id,
      status: 'paid',
      currency: 'usd',
      customer,
      total,
      amount_due: due,
      amount_paid: cents,
      pre_payment_credit_notes_amount: note,
      starting_balance: -balance,
      ending_balance: -balance + used - Math.max(0, -total),
      payment_intent: payment.about.pi,
      total_discount_amounts: [{ amount: discount }],
      lines: { data: lines },
    }
    for (const type of ['invoice.paid', 'invoice.payment_succeeded'])
      if (type === 'invoice.paid' || chance(50)) send(type, object)
  }
  function change() {
    const next = random.of(stage.plans)
    const nextSeats = chance(25) ? 1 + random.below(4) : seats
    stage.sells(next)
    if (!plan) {
      plan = next
      start = stage.atMs
      end = monthAfter(start, next)
      seats = nextSeats
      return bill([line(next, next.price.cents * seats, seats, false)])
    }
    const left = Math.max(0, (end - stage.atMs) / (end - start))
    const back = line(plan, -Math.round(plan.price.cents * seats * left), seats, true)
    const isNewPeriod = monthAfter(0, plan) !== monthAfter(0, next) || left === 0
    if (isNewPeriod) [start, end] = [stage.atMs, monthAfter(stage.atMs, next)]
    plan = next
    seats = nextSeats
    const amount = Math.round(next.price.cents * seats * (isNewPeriod ? 1 : left))
    bill([back, line(next, amount, seats, !isNewPeriod)])
  }
  function refund(payment: Payment, cents: number) {
    payment.returned += cents
    const { charge, pi } = payment.about
    const about = { payment_intent: pi, currency: 'usd', customer }
    send('charge.refunded', { ...about, id: charge, amount: payment.cents, amount_refunded: payment.returned })
    if (!chance(25)) return
    stage.next()
    payment.returned -= cents
    send('refund.failed', { ...about, id: newId('re'), charge, amount: cents, status: 'failed' })
  }
  function dispute(payment: Payment, cents: number) {
    const { charge, pi } = payment.about
    const id = newId('du')
    const moves = [-cents]
    payment.isDisputed = true
    const step = (kind: string, status: string) =>
      send(`charge.dispute.${kind}`, {
        id,
        charge,
        payment_intent: pi,
        customer,
        amount: cents,
        currency: 'usd',
        status,
        balance_transactions: moves.map((amount) => ({ amount, currency: 'usd' })),
      })
    step('created', 'needs_response')
    stage.next()
    const outcome = random.below(4)
    if (outcome === 0) moves.push(cents)
    if (outcome === 1) moves.push(Math.floor(cents / 2))
    if (outcome < 2) step('funds_reinstated', outcome === 0 ? 'won' : 'lost')
    if (outcome < 3) step('closed', outcome === 0 ? 'won' : 'lost')
    payment.returned -= moves.reduce((sum, amount) => sum + amount, 0)
  }
  for (let step = 0; step < stage.steps; step++) {
    stage.next()
    const kind = random.below(12)
    const target = returnable(stage)
    if (!plan || kind < 4) change()
    else if (kind < 7) {
      stage.atMs = Math.max(stage.atMs, end)
      start = end
      end = monthAfter(start, plan)
      const pack = chance(15) ? random.of(stage.packs) : null
      if (pack) stage.sells(pack)
      bill([
        line(plan, plan.price.cents * seats, seats, false),
        ...(pack ? [line(pack, pack.price.cents, 1, false)] : []),
      ])
    } else if (kind === 7) given += 100 * random.below(30)
    else if (kind === 8) {
      const pack = random.of(stage.packs)
      stage.sells(pack)
      bill([line(pack, pack.price.cents * 2, 2, false)])
    } else if (target && kind < 11 && !target.isDisputed)
      refund(target, 1 + random.below(target.cents - target.returned))
    else if (target && !target.isDisputed) dispute(target, 1 + random.below(target.cents - target.returned))
  }
  return endOf(stage)
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
