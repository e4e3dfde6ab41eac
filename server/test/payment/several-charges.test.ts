/** An invoice of several charges: a refund takes its part of the invoice, not of its charge, in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/credit/verify.ts'
import { receive } from '../../src/payment/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, movesOf, paymentEnv } from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  DAY_MS,
  disputeB,
  type Event,
  eventB,
  invoiceB,
  invoicePaymentB,
  newName,
  startOfToday,
} from '../support/payment/payment-events.ts'
import { type Random, randomOf } from '../support/random.ts'

const kinora = await openKinora({ env: paymentEnv })
const send = (...events: unknown[]) => deliverAll(kinora, 'payment-b', ...events)
const start = startOfToday()
const pro = { price: 'price_pro_monthly', start, end: start + 31 * DAY_MS, amount: 2990 }
const CREDITS = 960
const SEEDS = Number(process.env.PAYMENT_SEEDS ?? 20)

const invoiceOf = (as: Person, id: string) =>
  eventB('invoice.paid', invoiceB('new', as.userId, { id, subscription: newName('sub'), lines: [pro] }))
const linked = (invoice: string, payment: string) => eventB('invoice_payment.paid', invoicePaymentB(invoice, payment))
const refunded = (payment: string, amount: number, cents: number) =>
  eventB('charge.refunded', chargeB(payment, amount, cents))

test('200: one of two charges refunded → its part of the invoice is taken; both → all', async () => {
  const ann = await kinora.person({ credits: 0 })
  const [invoice, first, second] = [newName('in'), newName('pi'), newName('pi')]
  await send(invoiceOf(ann, invoice), linked(invoice, first), linked(invoice, second))
  await send(refunded(first, 299, 299))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -96'])
  await send(refunded(second, 2691, 1495), refunded(second, 2691, 2691))
  assert.deepEqual((await movesOf(kinora, ann)).slice(2), ['SUBSCRIPTION -480', 'SUBSCRIPTION -384'])
})

test('200: invoice that names its payments → each of them is linked', async () => {
  const ann = await kinora.person({ credits: 0 })
  const [invoice, first, second] = [newName('in'), newName('pi'), newName('pi')]
  const event = invoiceOf(ann, invoice)
  const payments = [first, second].map((id) => ({ payment: { type: 'payment_intent', payment_intent: id } }))
  Object.assign((event.data as { object: object }).object, { payments: { data: payments } })
  await send(event, refunded(second, 1495, 1495))
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960', 'SUBSCRIPTION -480'])
})

/** An invoice of one to four charges, refunded in steps and disputed. `left`: the cents that were not returned. */
function lifeOf(as: Person, { below, of }: Random): { events: Event[]; left: number } {
  const invoice = newName('in')
  const events = [invoiceOf(as, invoice)]
  let open = pro.amount
  let returned = 0
  for (let charges = 1 + below(4); charges > 0; charges--) {
    const payment = newName('pi')
    const amount = charges === 1 ? open : 1 + below(open - charges)
    open -= amount
    events.push(linked(invoice, payment))
    let cents = 0
    for (let steps = below(4); steps > 0; steps--) {
      cents = Math.min(amount, cents + 1 + below(amount))
      events.push(refunded(payment, amount, cents))
    }
    returned += cents
    if (below(4) > 0) continue
    const about = { id: newName('dp'), amount: of([amount, Math.ceil(amount / 2)]) }
    const disputed = (type: string, status: string) =>
      events.push(eventB(`charge.dispute.${type}`, disputeB(payment, { ...about, status })))
    disputed('created', 'needs_response')
    const isWon = below(2) === 0
    disputed('closed', isWon ? 'won' : 'lost')
    if (!isWon) returned += about.amount
  }
  return { events, left: Math.max(0, pro.amount - returned) }
}

function shuffled<T>(items: T[], { below }: Random): T[] {
  const rest = [...items]
  return items.map(() => rest.splice(below(rest.length), 1)[0] as T)
}

test('refunds: random charges and disputes, shuffled, doubled and at once → what was not returned is left', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = randomOf(seed)
    const ann = await kinora.person({ credits: 0 })
    const { events, left } = lifeOf(ann, random)
    const queue = shuffled([...events, ...events], random)
    const deliver = async () => {
      for (let event = queue.pop(); event; event = queue.pop())
        await receive(kinora.app, 'payment-b', JSON.stringify(event))
    }
    await Promise.all([deliver(), deliver(), deliver(), deliver()])
    const { available } = await kinora.balance(ann)
    assert.equal(available, CREDITS - Math.round((CREDITS * (pro.amount - left)) / pro.amount), `seed ${seed}`)
  }
  assert.deepEqual(await verify(kinora.app.database), [])
})
