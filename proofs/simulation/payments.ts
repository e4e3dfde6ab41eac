/**
 * The payments of both processors, as the events that their webhooks report: packs and subscriptions, refunds and
 * disputes. Some processors lie: two events for one payment, one that names another user, contradictory states, amounts
 * of credits without a payment.
 */

import type { FaultInjector } from './fault-injector.ts'
import type { Scheduler } from './scheduler.ts'
import { short } from './statement.ts'

export type Payment = {
  /** The source of the grant. */
  source: string
  credits: number
  /** Who may have it: several, when events name several users. */
  userIds: string[]
  /** The part that was refunded or disputed. */
  returned: number
  /** An event of it shares its id with another event, so one of the two is lost. */
  isIdReused: boolean
}

export type Processor = 'payment-a' | 'payment-b'
export type Event = { processor: Processor; id: string; body: Record<string, unknown> }
export type Payments = {
  payments: Payment[]
  /** What the processors' APIs show of what some events lack, by transaction or path. */
  objects: Map<string, unknown>
  /** Each makes a payment of one kind by the user, and its events. `others`: users whom a lie may name. */
  makers: ((userId: string, others: string[]) => Event[])[]
}

type Fields = Record<string, unknown>

const DAY_MS = 86_400_000

export function openPayments(scheduler: Scheduler, injector: FaultInjector): Payments {
  const books = openBooks(scheduler, injector)
  const makers = [packA, packB, subscriptionA, subscriptionB]
  return {
    payments: books.payments,
    objects: books.objects,
    makers: makers.map((make) => (userId, others) => make(books, userId, others)),
  }
}

type Books = ReturnType<typeof openBooks>
/** What all kinds of payment share: the run, what was paid, and new ids and events. */
function openBooks(scheduler: Scheduler, injector: FaultInjector) {
  let names = 0
  const name = (prefix: string) => `${prefix}_${names++}${scheduler.random.uuid().slice(0, 8)}`
  return {
    scheduler,
    injector,
    payments: [] as Payment[],
    objects: new Map<string, unknown>(),
    name,
    eventA: (eventType: string, object: Fields, atMs = scheduler.nowMs()): Event => {
      const id = name('evt')
      return { processor: 'payment-a', id, body: { id, eventType, created_at: Math.floor(atMs), object } }
    },
    eventB: (type: string, object: Fields, atMs = scheduler.nowMs()): Event => {
      const id = name('evt')
      return {
        processor: 'payment-b',
        id,
        body: { id, object: 'event', type, created: seconds(atMs), data: { object } },
      }
    },
  }
}

function packA(books: Books, userId: string, others: string[]): Event[] {
  const { name, eventA } = books
  const { random } = books.scheduler
  const [order, customer, transaction] = [name('ord'), name('cust'), name('tran')]
  const checkout = (id: string): Event =>
    eventA('checkout.completed', {
      id: name('ch'),
      object: 'checkout',
      order: { id: order, status: 'paid', type: 'onetime', amount: 1490, currency: 'USD', credits: 1_000_000 },
      product: { id: 'prod_pack_starter', billing_type: 'onetime' },
      customer: { id: customer },
      metadata: { referenceId: id, credits: '1000000' },
    })
  const payment = pay(books, `payment-a:${order}`, 280, userId)
  const first = checkout(userId)
  const events = [first, ...lies(books, payment, first, others, checkout)]
  for (const part of parts(random)) {
    payment.returned += part
    events.push(
      eventA(random.pick(['refund.created', 'dispute.created']), {
        id: name('ref'),
        refund_amount: 1490 * part,
        transaction: { id: transaction, order, amount: 1490, amount_paid: 1490 },
        customer: { id: customer },
      }),
    )
  }
  return events
}

function subscriptionA(books: Books, userId: string): Event[] {
  const { scheduler, injector, objects, name, eventA } = books
  const { random } = scheduler
  const [id, order, customer] = [name('sub'), name('ord'), name('cust')]
  const startMs = Math.floor(scheduler.nowMs())
  const endMs = startMs + 31 * DAY_MS
  const transaction = name('tran')
  const facts = (status: string, change: Fields = {}) => ({
    id,
    object: 'subscription',
    product: { id: 'prod_pro_monthly' },
    customer: { id: customer },
    status,
    last_transaction_id: transaction,
    current_period_start_date: new Date(startMs).toISOString(),
    current_period_end_date: new Date(endMs).toISOString(),
    canceled_at: null,
    metadata: {},
    ...change,
  })
  const payment = pay(books, `payment-a:${transaction}`, 960, userId)
  objects.set(transaction, { id: transaction, amount: 2990, amount_paid: 2990, currency: 'USD', status: 'paid' })
  // Only the checkout names the user: the others wait for its links.
  const events = [
    eventA('checkout.completed', {
      id: name('ch'),
      object: 'checkout',
      order: { id: order, status: 'paid', type: 'recurring' },
      subscription: { id, status: 'active' },
      customer: { id: customer },
      metadata: { referenceId: userId },
    }),
    eventA('subscription.active', facts('active', { last_transaction_id: null }), startMs + 1),
    eventA('subscription.paid', facts('active'), startMs + 2),
  ]
  if (random.chance(0.5)) events.push(eventA('subscription.update', facts('active'), startMs + 3))
  if (random.chance(0.3)) events.push(eventA('subscription.paid', facts('active'), startMs + 2))
  if (random.chance(0.3)) events.push(eventA('subscription.canceled', facts('canceled'), startMs + 5))
  if (injector.injects('processor lies')) events.push(eventA('subscription.expired', facts('expired'), startMs - 5))
  for (const part of parts(random)) {
    payment.returned += part
    events.push(
      eventA('refund.created', {
        id: name('ref'),
        refund_amount: 2990 * part,
        transaction: { id: transaction, amount: 2990, amount_paid: 2990, subscription: id, period_start: startMs },
        subscription: { id },
        customer: { id: customer },
      }),
    )
  }
  return events
}

function packB(books: Books, userId: string, others: string[]): Event[] {
  const { objects, name, eventB } = books
  const { random } = books.scheduler
  const [intent, customer] = [name('pi'), name('cus')]
  const session = (id: string): Event => {
    const [cs, line] = [name('cs'), { price: { id: 'price_pack_standard' }, quantity: 1, amount_subtotal: 3990 }]
    objects.set(`/v1/checkout/sessions/${cs}/line_items`, { data: [line], has_more: false })
    return eventB(random.pick(['checkout.session.completed', 'checkout.session.async_payment_succeeded']), {
      id: cs,
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      // Without it the lines decide.
      amount_subtotal: random.pick([3990, null]),
      amount_total: 3990,
      currency: 'usd',
      client_reference_id: id,
      payment_intent: intent,
      customer,
      metadata: { userId: id, productId: 'pack-standard', credits: '1000000' },
    })
  }
  const payment = pay(books, `payment-b:${intent}`, 960, userId)
  const first = session(userId)
  return [first, ...lies(books, payment, first, others, session), ...chargesB(books, payment, intent, 3990)]
}

function subscriptionB(books: Books, userId: string): Event[] {
  const { scheduler, injector, name, eventB } = books
  const { random } = scheduler
  const [id, customer, invoice, intent] = [name('sub'), name('cus'), name('in'), name('pi')]
  const start = seconds(scheduler.nowMs())
  const end = start + 31 * 86_400
  const payment = pay(books, `payment-b:${invoice}`, 960, userId)
  const line = {
    amount: 2990,
    parent: { type: 'subscription_item_details', subscription_item_details: { proration: false } },
    pricing: { type: 'price_details', price_details: { price: 'price_pro_monthly' } },
    period: { start, end },
  }
  const invoiceFacts = {
    id: invoice,
    object: 'invoice',
    billing_reason: 'subscription_create',
    amount_paid: 2990,
    customer,
    metadata: {},
    parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata: {} } },
    lines: { data: [line] },
  }
  const events = [
    eventB('checkout.session.completed', {
      id: name('cs'),
      object: 'checkout.session',
      mode: 'subscription',
      payment_status: 'paid',
      client_reference_id: userId,
      subscription: id,
      customer,
      metadata: { userId },
    }),
    eventB('customer.subscription.created', {
      id,
      object: 'subscription',
      status: 'active',
      customer,
      cancel_at_period_end: false,
      metadata: {},
      items: {
        data: [{ price: { id: 'price_pro_monthly' }, current_period_start: start, current_period_end: end }],
      },
    }),
    eventB('invoice.paid', invoiceFacts),
    eventB('invoice_payment.paid', {
      id: name('inpay'),
      object: 'invoice_payment',
      invoice,
      payment: { type: 'payment_intent', payment_intent: intent },
      status: 'paid',
    }),
    ...chargesB(books, payment, intent, 2990),
  ]
  if (random.chance(0.6)) events.push(eventB('invoice.payment_succeeded', invoiceFacts))
  if (injector.injects('processor lies')) events.push(eventB('invoice.payment_failed', invoiceFacts))
  return events
}

/** Refunds of payment-b: each event has the refunded total of the charge. */
const chargesB = (books: Books, payment: Payment, intent: string, amount: number): Event[] =>
  parts(books.scheduler.random).map((part) => {
    payment.returned += part
    return books.eventB('charge.refunded', {
      id: `ch_of_${intent}`,
      object: 'charge',
      amount,
      amount_refunded: amount * payment.returned,
      payment_intent: intent,
      customer: null,
      metadata: {},
    })
  })

function pay({ payments, scheduler }: Books, source: string, credits: number, userId: string): Payment {
  const payment = { source, credits, userIds: [userId], returned: 0, isIdReused: false }
  payments.push(payment)
  scheduler.trace('payment', `${source}: ${credits} credits for ${short(userId)}`)
  return payment
}

/** What the processor's dishonesty adds to the events of a payment, whose first event names the user. */
function lies(
  books: Books,
  payment: Payment,
  first: Event,
  others: string[],
  again: (userId: string) => Event,
): Event[] {
  const { scheduler, injector } = books
  const { random } = scheduler
  const added: Event[] = []
  if (random.chance(0.4)) added.push(again(payment.userIds[0] ?? ''))
  if (!injector.injects('processor lies')) return added
  const other = others.find((id) => !payment.userIds.includes(id))
  switch (random.pick(['another user', 'id again'])) {
    case 'another user':
      if (!other) break
      payment.userIds.push(other)
      added.push(again(other))
      scheduler.trace(first.processor, `lies: ${payment.source} is of two users`)
      break
    case 'id again': {
      payment.isIdReused = true
      const copy = again(payment.userIds[0] ?? '')
      copy.body.id = first.id
      added.push({ ...copy, id: first.id })
      scheduler.trace(first.processor, `lies: the id ${first.id} is of two events`)
      break
    }
  }
  return added
}

/** The parts of a payment that are returned. */
const parts = (random: Scheduler['random']): number[] => random.pick([[], [], [], [1], [0.5], [0.5, 0.5]])

export const seconds = (ms: number): number => Math.floor(ms / 1000)
