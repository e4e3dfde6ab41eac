/** Random sequences of a customer of payment-b: payment-sequences.ts. */
import type { Product } from '../../server/src/payment/plans.ts'
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
} from './payment-stage.ts'

/** A customer of payment-b: what runs, and what a customer has as credit. */
type CustomerB = {
  stage: Stage
  customer: string
  plan: Product | null
  seats: number
  start: number
  end: number
  /** A customer keeps a coupon: what is left of a plan comes back without it. */
  coupon: number
  runsUntil: number
  /** The end of what the last free plan paid for. */
  freeUntil: number
  /** Credit that plan changes brought back, and credit that was given. */
  own: number
  given: number
  /** What a cent of the catalogue costs in it. */
  currency: string
  factor: number
  /** Each further seat costs less. */
  isTiered: boolean
}

export function sequenceB(name: string, stage: Stage): Sequence {
  const { random, chance } = stage
  const coupon = chance(20) ? random.of([0.3, 0.5, 1]) : 0
  const runs = { plan: null, seats: 1, start: START, end: START, runsUntil: 0, freeUntil: 0 }
  const [currency, factor] = random.of([
    ['usd', 1],
    ['usd', 1],
    ['usd', 1],
    ['eur', 0.93],
    ['jpy', 1.5],
  ] as const)
  // Of a part of a period in another currency, a price in tiers says nothing.
  const isTiered = factor === 1 && chance(25)
  const money = { own: 0, given: 0, currency, factor, isTiered }
  const b: CustomerB = { stage, customer: `cus_${name}`, ...runs, coupon, ...money }
  for (let step = 0; step < stage.steps; step++) {
    stage.next()
    const kind = random.below(14)
    const target = returnable(stage)
    if (b.plan && chance(8))
      Object.assign(b, { plan: null, customer: `cus_${name}r${step}`, runsUntil: 0, own: 0, given: 0 })
    if (!b.plan || kind < 4) changeB(b)
    else if (kind < 7) renewB(b, b.plan)
    else if (kind === 7) b.given += 100 * random.below(30)
    else if (kind === 8) {
      const pack = random.of(stage.packs)
      billB(b, [lineB(b, pack, priceB(b, pack, 2), 2, false)])
    } else if (kind > 11) creditB(b)
    else if (target && kind < 11 && !target.isDisputed)
      refundB(b, target, 1 + random.below(target.cents - target.returned))
    else if (target && !target.isDisputed) disputeB(b, target, 1 + random.below(target.cents - target.returned))
  }
  return endOf(stage)
}

const sendB = ({ events, newId, atMs }: Stage, type: string, object: Fields) =>
  events.push({ id: newId('evt'), type, created: Math.floor(atMs / 1000), data: { object } })

function changeB(b: CustomerB): void {
  const { stage, plan } = b
  const next = stage.random.of(stage.plans)
  const seats = stage.chance(25) ? 1 + stage.random.below(4) : b.seats
  if (!plan) {
    const [start, end] = [stage.atMs, monthAfter(stage.atMs, next)]
    Object.assign(b, { plan: next, start, end, seats })
    billB(b, [lineB(b, next, priceB(b, next, seats), seats, false)])
    return
  }
  const left = Math.max(0, (b.end - stage.atMs) / (b.end - b.start))
  const back = lineB(b, plan, -Math.round(priceB(b, plan, b.seats) * left), b.seats, true)
  const isNewPeriod = monthAfter(0, plan) !== monthAfter(0, next) || left === 0
  if (isNewPeriod) [b.start, b.end] = [stage.atMs, monthAfter(stage.atMs, next)]
  b.plan = next
  b.seats = seats
  const amount = Math.round(priceB(b, next, seats) * (isNewPeriod ? 1 : left))
  billB(b, [back, lineB(b, next, amount, seats, !isNewPeriod)])
}

function renewB(b: CustomerB, plan: Product): void {
  const { stage } = b
  stage.atMs = Math.max(stage.atMs, b.end)
  b.start = b.end
  b.end = monthAfter(b.start, plan)
  const pack = stage.chance(15) ? stage.random.of(stage.packs) : null
  billB(b, [
    lineB(b, plan, priceB(b, plan, b.seats), b.seats, false),
    ...(pack ? [lineB(b, pack, priceB(b, pack, 1), 1, false)] : []),
  ])
}

/** What a number of a product costs. */
function priceB({ stage, factor, isTiered }: CustomerB, product: Product, count: number): number {
  const one = Math.round(product.price.cents * factor)
  const further = isTiered && product.kind === 'subscription' ? Math.round(one * 0.7) : one
  const all = one + (count - 1) * further
  stage.sells(product, one)
  stage.sells(product, all / count)
  return all
}

const lineB = (b: CustomerB, product: Product, amount: number, quantity: number, isPart: boolean): Fields => ({
  amount: amount < 0 ? Math.round(amount * (1 - b.coupon)) : amount,
  isPlan: product.kind === 'subscription',
  quantity,
  proration: isPart,
  price: priceObjectB(b, product),
  period: { start: Math.floor((isPart ? b.stage.atMs : b.start) / 1000), end: Math.floor(b.end / 1000) },
})

function priceObjectB({ currency, factor, isTiered }: CustomerB, product: Product): Fields {
  const { soldAs: id, price, kind } = product
  if (isTiered && kind === 'subscription') return { id, currency, billing_scheme: 'tiered', unit_amount: null }
  if (factor === 1) return { id }
  const options = { [currency]: { unit_amount: Math.round(price.cents * factor) } }
  return { id, currency: 'usd', unit_amount: price.cents, currency_options: options }
}

/** An invoice of the lines, paid from the customer's credit first. */
function billB(b: CustomerB, lines: Fields[]): void {
  const { chance, newId } = b.stage
  const id = newId('in')
  const { total, discount, value } = sumsOf(b, lines)
  const balance = b.own + b.given
  const used = Math.min(balance, Math.max(0, total))
  const ownUsed = Math.min(b.own, used)
  b.own += Math.max(0, -total) - ownUsed
  b.given -= used - ownUsed
  const note = total > used && chance(5) ? Math.min(total - used, 500) : 0
  const due = Math.max(0, total - used - note)
  const overpaid = due > 0 && chance(5) ? 1000 : 0
  b.given += overpaid
  const cents = due + overpaid
  // A credit note before the payment is a discount of all, also of what own credit covers.
  const billed = total - note
  const money = value > 0 ? (billed > 0 ? (value * (billed - ownUsed)) / billed : value) : 0
  const about = { charge: newId('ch'), pi: newId('pi'), customer: b.customer }
  const backed = cents + used - ownUsed
  const invoice = { due: Math.max(0, total - note), own: ownUsed, credited: 0 }
  b.stage.payments.push({ id, cents, backed, money, returned: 0, isDisputed: false, about, invoice })
  const object = {
    id,
    status: 'paid',
    currency: b.currency,
    customer: b.customer,
    total,
    amount_due: due,
    amount_paid: cents,
    pre_payment_credit_notes_amount: note,
    starting_balance: -balance,
    ending_balance: -balance + used - Math.max(0, -total),
    payment_intent: about.pi,
    total_discount_amounts: [{ amount: discount }],
    lines: { data: lines },
  }
  for (const type of ['invoice.paid', 'invoice.payment_succeeded'])
    if (type === 'invoice.paid' || chance(50)) sendB(b.stage, type, object)
}

/** @returns the invoice's total and discount, and what its lines are worth before tax; all in cents */
function sumsOf(b: CustomerB, lines: Fields[]): { total: number; discount: number; value: number } {
  const { stage, coupon } = b
  const sumOf = (sign: 1 | -1) => lines.reduce((sum, { amount }) => sum + Math.max(0, sign * Number(amount)), 0)
  const [gross, back] = [sumOf(1), sumOf(-1)]
  const discount = Math.round(gross * coupon)
  const net = gross - discount - back
  const tax = net > 0 && stage.chance(30) ? Math.round(net * 0.2) : 0
  // Without money, what runs already bounds how often a plan brings credits.
  const isRepeated = coupon === 1 && Math.max(b.runsUntil, b.freeUntil) > stage.atMs + DAY_MS
  const freePart = lines.filter(({ isPlan, proration }) => !proration && !(isPlan && isRepeated))
  const value =
    coupon === 1 ? freePart.reduce((sum, { amount }) => sum + Number(amount), 0) : gross - back / (1 - coupon)
  if (lines.some(({ isPlan }) => isPlan)) b.runsUntil = b.end
  if (coupon === 1 && freePart.some(({ isPlan }) => isPlan)) b.freeUntil = b.end
  return { total: net + tax, discount, value }
}

/** Credits a part of a paid invoice: to the balance, by a refund, outside the processor; some notes are voided. */
function creditB(b: CustomerB): void {
  const { stage, customer, currency } = b
  const { random, chance } = stage
  const target = random.of(
    stage.payments.filter(({ invoice, isDisputed, about }) => invoice && !isDisputed && about.customer === customer),
  ) as Payment | undefined
  if (!target?.invoice) return
  const { invoice, cents, returned, beside = 0 } = target
  const left = invoice.due - invoice.credited - returned - beside
  if (left <= 0) return
  const refund = chance(40) ? random.below(Math.min(left, cents - returned) + 1) : 0
  const outside = chance(20) ? random.below(left - refund + 1) : 0
  const toBalance = random.below(left - refund - outside + 1)
  const all = refund + outside + toBalance
  if (all === 0) return
  const created = Math.floor(stage.atMs / 1000)
  const object = {
    id: stage.newId('cn'),
    invoice: target.id,
    customer,
    currency,
    created,
    status: 'issued',
    amount: all,
    post_payment_amount: all,
    out_of_band_amount: outside,
    refunds: refund > 0 ? [{ amount_refunded: refund, refund: stage.newId('re'), type: 'refund' }] : [],
  }
  // What a plan change had brought back is that again, and no money.
  const own = Math.min(toBalance, Math.max(0, invoice.own - invoice.credited))
  const move = (sign: 1 | -1) => {
    b.own += sign * own
    b.given += sign * (toBalance - own)
    invoice.credited += sign * toBalance
    target.beside = (target.beside ?? 0) + sign * outside
  }
  move(1)
  sendB(stage, 'credit_note.created', object)
  if (refund > 0) sendRefundedB(b, target, refund)
  if (!chance(25)) return
  stage.next()
  move(-1)
  sendB(stage, 'credit_note.voided', { ...object, status: 'void' })
}

function sendRefundedB({ stage, customer, currency }: CustomerB, payment: Payment, cents: number): void {
  payment.returned += cents
  const { charge, pi } = payment.about
  const about = { payment_intent: pi, currency, customer }
  sendB(stage, 'charge.refunded', { ...about, id: charge, amount: payment.cents, amount_refunded: payment.returned })
}

function refundB(b: CustomerB, payment: Payment, cents: number): void {
  const { stage, customer, currency } = b
  sendRefundedB(b, payment, cents)
  if (!stage.chance(25)) return
  stage.next()
  payment.returned -= cents
  const { charge, pi } = payment.about
  const about = { payment_intent: pi, currency, customer }
  sendB(stage, 'refund.failed', { ...about, id: stage.newId('re'), charge, amount: cents, status: 'failed' })
}

function disputeB({ stage, customer, currency }: CustomerB, payment: Payment, cents: number): void {
  const { charge, pi } = payment.about
  const id = stage.newId('du')
  const moves = [-cents]
  payment.isDisputed = true
  const step = (kind: string, status: string) =>
    sendB(stage, `charge.dispute.${kind}`, {
      id,
      charge,
      payment_intent: pi,
      customer,
      amount: cents,
      currency,
      status,
      balance_transactions: moves.map((amount) => ({ amount, currency })),
    })
  step('created', 'needs_response')
  stage.next()
  const outcome = stage.random.below(4)
  if (outcome === 0) moves.push(cents)
  if (outcome === 1) moves.push(Math.floor(cents / 2))
  if (outcome < 2) step('funds_reinstated', outcome === 0 ? 'won' : 'lost')
  if (outcome < 3) step('closed', outcome === 0 ? 'won' : 'lost')
  payment.returned -= moves.reduce((sum, amount) => sum + amount, 0)
}
