/**
 * Fixtures: events of both payment processors, signed by hand after the formats' documentation, with helpers to deliver them
 * and to read their effects. One file although it is long: an event needs objects of its processor's whole format.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Subscription } from '../src/payment/billing.ts'
import type { EventState } from '../src/payment/event-store.ts'
import type { StoredEvent } from '../src/payment/events.ts'
import { plans } from '../src/payment/plans.ts'
import type { Kinora, Person } from './harness.ts'

export type Processor = 'payment-a' | 'payment-b'
export type Delivered = { status: number; text: string }
type Fields = Record<string, unknown>
/** An event in its processor's format. */
export type Event = Fields & { id: string }

export const secrets: Record<Processor, string> = {
  'payment-a': 'payment a webhook secret, 32 bytes',
  'payment-b': 'whsec_payment_b_webhook_secret_32b',
}
const nowhere = 'http://127.0.0.1:9'
export const paymentEnv = {
  PAYMENT_A_URL: nowhere,
  PAYMENT_A_API_KEY: 'key-a',
  PAYMENT_A_WEBHOOK_SECRET: secrets['payment-a'],
  PAYMENT_B_URL: nowhere,
  PAYMENT_B_API_KEY: 'key-b',
  PAYMENT_B_WEBHOOK_SECRET: secrets['payment-b'],
}
export const webhooks: Record<Processor, string> = {
  'payment-a': '/api/auth/payment-a/webhook',
  'payment-b': '/api/webhooks/payment-b',
}

export const hmac = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** The signature header for a body. */
export function signed(processor: Processor, body: string, atMs = Date.now()): Record<string, string> {
  if (processor === 'payment-a') return { 'creem-signature': hmac(secrets[processor], body) }
  const t = Math.floor(atMs / 1000)
  return { 'stripe-signature': `t=${t},v1=${hmac(secrets[processor], `${t}.${body}`)}` }
}

export const textOf = (event: unknown): string => (typeof event === 'string' ? event : JSON.stringify(event))

/** One delivery with a valid signature, to the test's service or to another one at `url`. */
export async function deliver(
  kinora: Kinora,
  processor: Processor,
  event: unknown,
  url = kinora.url,
): Promise<Delivered> {
  const body = textOf(event)
  const response = await fetch(url + webhooks[processor], {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signed(processor, body, kinora.app.now().getTime()) },
  })
  return { status: response.status, text: await response.text() }
}

/** Delivers the events sequentially and asserts 200 for each. */
export async function deliverAll(kinora: Kinora, processor: Processor, ...events: unknown[]): Promise<void> {
  for (const event of events) {
    const { status, text } = await deliver(kinora, processor, event)
    assert.equal(status, 200, text)
    if (processor === 'payment-b') assert.deepEqual(JSON.parse(text), { success: true, data: { received: true } })
  }
}

export type Row = { transType: string; credits: number; orderNo: string | null; balanceAfter: number }

/** The user's history, oldest first, abbreviated. */
export async function historyOf(kinora: Kinora, as: Person): Promise<Row[]> {
  const { data } = await kinora.call<{ transactions: Row[] }>('GET', '/api/v1/credit/history?pageSize=100', { as })
  return data.transactions
    .map(({ transType, credits, orderNo, balanceAfter }) => ({ transType, credits, orderNo, balanceAfter }))
    .reverse()
}

/** The history's types and credits only. */
export const movesOf = async (kinora: Kinora, as: Person): Promise<string[]> =>
  (await historyOf(kinora, as)).map(({ transType, credits }) => `${transType} ${credits}`)

export async function recordOf(kinora: Kinora, as: Person): Promise<Subscription | null> {
  return (await kinora.call<{ subscription: Subscription | null }>('GET', '/api/v1/billing/subscription', { as })).data
    .subscription
}

export async function storedAs(kinora: Kinora, event: { id: string }): Promise<StoredEvent | null> {
  const [row] = await kinora.app.sql<StoredEvent[]>`
    select id, state, reason, user_id, type from kinora.payment_event where external_id = ${event.id}
  `
  return row ?? null
}
export const stateOf = async (kinora: Kinora, event: { id: string }): Promise<EventState | undefined> =>
  (await storedAs(kinora, event))?.state

/** Runs the callback that many days later, with a session that is valid then. */
export async function later(kinora: Kinora, as: Person, days: number, work: () => Promise<void>): Promise<void> {
  await kinora.app
    .sql`update public."session" set "expiresAt" = "expiresAt" + interval '3000 days' where "userId" = ${as.userId}`
  kinora.turnClock(days * DAY_MS)
  try {
    await work()
  } finally {
    kinora.turnClock(-days * DAY_MS)
  }
}

let count = 0
/** A unique id of a processor's object. */
export const newName = (prefix: string): string => `${prefix}_${process.pid}x${++count}`

export const DAY_MS = 86_400_000
/** A recent midnight, so that expiry dates are easy to check. */
export const startOfToday = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS
const seconds = (ms: number): number => Math.floor(ms / 1000)

export const eventA = (eventType: string, object: Fields, atMs = Date.now()): Event => ({
  id: newName('evt'),
  eventType,
  created_at: atMs,
  object,
})

export function checkoutA(userId: string | null, change: Fields = {}): Fields {
  return {
    id: newName('ch'),
    object: 'checkout',
    order: { id: newName('ord'), status: 'paid', type: 'onetime', amount: 1490, currency: 'USD' },
    product: { id: 'prod_pack_starter', billing_type: 'onetime' },
    customer: { id: newName('cust'), email: 'somebody@example.com' },
    metadata: userId ? { referenceId: userId } : {},
    ...change,
  }
}

export type PeriodA = { start: number; end: number; transaction?: string; product?: string; status?: string }
export function subscriptionA(id: string, userId: string | null, period: PeriodA, change: Fields = {}): Fields {
  return {
    id,
    object: 'subscription',
    product: { id: period.product ?? 'prod_pro_monthly' },
    customer: { id: `cust_of_${id}` },
    status: period.status ?? 'active',
    last_transaction_id: period.transaction ?? `tran_${id}_${period.start}`,
    current_period_start_date: new Date(period.start).toISOString(),
    current_period_end_date: new Date(period.end).toISOString(),
    canceled_at: null,
    metadata: userId ? { referenceId: userId } : {},
    ...change,
  }
}

/** A refund or dispute of a subscription's period. */
export function returnedA(subscription: Fields, change: Fields = {}): Fields {
  return {
    id: newName('ref'),
    refund_amount: 2990,
    transaction: {
      id: subscription.last_transaction_id,
      amount: 2990,
      amount_paid: 2990,
      subscription: subscription.id,
      period_start: Date.parse(String(subscription.current_period_start_date)),
    },
    subscription: { id: subscription.id },
    customer: subscription.customer,
    ...change,
  }
}

export const eventB = (type: string, object: Fields, atMs = Date.now()): Event => ({
  id: newName('evt'),
  object: 'event',
  type,
  created: seconds(atMs),
  data: { object },
})

/** A paid session of one pack. Events have no line items. */
export function sessionB(userId: string | null, change: Fields = {}): Fields {
  const metadata = userId ? { userId, productId: 'pack-standard' } : { productId: 'pack-standard' }
  const { productId } = { ...metadata, ...(change.metadata as typeof metadata | undefined) }
  const price = plans().byId(productId)?.price
  return {
    id: newName('cs'),
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    amount_subtotal: price?.cents,
    currency: price?.currency.toLowerCase(),
    client_reference_id: userId,
    payment_intent: newName('pi'),
    customer: newName('cus'),
    metadata,
    ...change,
  }
}

/** `old`: the API format before 2025-03-31. */
export type Generation = 'old' | 'new'
export type LineB = { price: string; start: number; end: number; amount: number; isPart?: boolean }
export type InvoiceB = {
  id?: string
  subscription: string
  lines: LineB[]
  paid?: number
  payment?: string
  reason?: string
}

export function invoiceB(generation: Generation, userId: string | null, invoice: InvoiceB): Fields {
  const { subscription, lines, payment } = invoice
  const metadata = userId ? { userId } : {}
  const common = {
    id: invoice.id ?? newName('in'),
    object: 'invoice',
    billing_reason: invoice.reason ?? 'subscription_cycle',
    amount_paid: invoice.paid ?? lines.reduce((sum, { amount }) => sum + amount, 0),
    customer: `cus_of_${subscription}`,
    metadata: {},
  }
  if (generation === 'old') {
    return {
      ...common,
      subscription,
      subscription_details: { metadata },
      payment_intent: payment ?? null,
      lines: {
        data: lines.map(({ price, start, end, amount, isPart = false }) => ({
          amount,
          proration: isPart,
          price: { id: price },
          period: { start: seconds(start), end: seconds(end) },
        })),
      },
    }
  }
  return {
    ...common,
    parent: { type: 'subscription_details', subscription_details: { subscription, metadata } },
    lines: {
      data: lines.map(({ price, start, end, amount, isPart = false }) => ({
        amount,
        parent: { type: 'subscription_item_details', subscription_item_details: { proration: isPart } },
        pricing: { type: 'price_details', price_details: { price } },
        period: { start: seconds(start), end: seconds(end) },
      })),
    },
  }
}

export type SubscriptionB = { id: string; price?: string; start: number; end: number; status?: string }
export function subscriptionB(
  generation: Generation,
  userId: string | null,
  { id, price = 'price_pro_monthly', start, end, status = 'active' }: SubscriptionB,
  change: Fields = {},
): Fields {
  const period = { current_period_start: seconds(start), current_period_end: seconds(end) }
  return {
    id,
    object: 'subscription',
    status,
    customer: `cus_of_${id}`,
    cancel_at_period_end: false,
    canceled_at: null,
    metadata: userId ? { userId } : {},
    ...(generation === 'old' ? period : {}),
    items: { data: [{ id: `si_${id}`, price: { id: price }, ...(generation === 'new' ? period : {}) }] },
    ...change,
  }
}

export const invoicePaymentB = (invoiceId: string, payment: string): Fields => ({
  id: newName('inpay'),
  object: 'invoice_payment',
  invoice: invoiceId,
  payment: { type: 'payment_intent', payment_intent: payment },
  status: 'paid',
})

export const chargeB = (payment: string, amount: number, refunded: number, change: Fields = {}): Fields => ({
  id: `ch_of_${payment}`,
  object: 'charge',
  amount,
  amount_refunded: refunded,
  payment_intent: payment,
  customer: null,
  metadata: {},
  ...change,
})

export const disputeB = (payment: string, change: Fields = {}): Fields => ({
  id: newName('dp'),
  object: 'dispute',
  charge: `ch_of_${payment}`,
  payment_intent: payment,
  metadata: {},
  ...change,
})
