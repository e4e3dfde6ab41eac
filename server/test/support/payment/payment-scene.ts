/**
 * What one user does at a processor, as its events: payment-a's transactions and payment-b's invoices and sessions,
 * with a stand-in for both processors' APIs.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { openKinora } from '../harness.ts'
import { paymentEnv } from './payment-delivery.ts'
import { DAY_MS, type Event, eventA, eventB, newName, startOfToday } from './payment-events.ts'

export type Fields = Record<string, unknown>

/** What the processors' APIs show: payment-a's transactions, payment-b's subscriptions and line items, by id. */
export const transactions = new Map<string, Fields>()
export const subscriptions = new Map<string, unknown>()
const lineItems = new Map<string, Fields[]>()

/** A stand-in of its own for each file: a worker runs several files, and the first one's end closes what it opened. */
async function openApi(): Promise<string> {
  const api = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://api')
    const [, session] = /\/sessions\/([^/]+)\/line_items/.exec(url.pathname) ?? []
    const [, subscription] = /\/v1\/subscriptions\/([^/]+)$/.exec(url.pathname) ?? []
    const found = session
      ? lineItems.has(session) && { object: 'list', data: lineItems.get(session), has_more: false, url: '/' }
      : subscription
        ? subscriptions.get(subscription)
        : transactions.get(url.searchParams.get('transaction_id') ?? '')
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found || { error: { message: 'not found' } }))
  }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  after(() => api.close())
  return `http://127.0.0.1:${(api.address() as AddressInfo).port}`
}

export async function openPayments() {
  const url = await openApi()
  return openKinora({ env: { ...paymentEnv, PAYMENT_A_URL: url, PAYMENT_B_URL: url } })
}

export const start = startOfToday() - 2 * DAY_MS
export const end = start + 31 * DAY_MS
const seconds = (ms: number) => Math.floor(ms / 1000)

/** One user's events; ids are of this user's alone. */
export function scene(userId: string) {
  const name = newName('x')
  const ids = { sub: `sub_${name}`, cust: `cust_${name}`, cus: `cus_${name}` }
  let minute = 0
  const now = () => start + ++minute * 60_000
  /** A transaction of payment-a's subscription. */
  const transaction = (n: number, amounts: Fields, change: Fields = {}) => ({
    id: `tran_${name}_${n}`,
    currency: 'USD',
    status: 'paid',
    subscription: ids.sub,
    ...amounts,
    ...change,
  })
  return {
    userId,
    ids,
    transaction,
    subscriptionA: (kind: string, product: string, paid: Fields | null, change: Fields = {}): Event =>
      eventA(
        `subscription.${kind}`,
        {
          id: ids.sub,
          product: { id: `prod_${product}` },
          customer: { id: ids.cust },
          status: 'active',
          ...(paid ? { last_transaction_id: paid.id, last_transaction: paid } : {}),
          current_period_start_date: new Date(start).toISOString(),
          current_period_end_date: new Date(end).toISOString(),
          metadata: { referenceId: userId },
          ...change,
        },
        now(),
      ),
    packA: (order: Fields = {}, change: Fields = {}): Event =>
      eventA(
        'checkout.completed',
        {
          id: `ch_${name}`,
          order: { id: `ord_${name}`, status: 'paid', type: 'onetime', amount: 1490, currency: 'USD', ...order },
          product: { id: 'prod_pack_starter' },
          customer: { id: ids.cust },
          metadata: { referenceId: userId },
          ...change,
        },
        now(),
      ),
    returnA: (type: string, { id = '1', ...change }: Fields): Event => {
      const transaction = { id: `tran_${name}`, order: `ord_${name}`, amount: 1490, amount_paid: 1490, currency: 'USD' }
      return eventA(
        type,
        { id: `ret_${name}_${String(id)}`, transaction, order: { id: `ord_${name}` }, ...change },
        now(),
      )
    },
    invoice: (n: number, lines: Fields[], change: Fields = {}, type = 'invoice.paid'): Event => {
      const total = lines.reduce((sum, { amount }) => sum + Number(amount), 0)
      return eventB(
        type,
        {
          id: `in_${name}_${n}`,
          status: 'paid',
          currency: 'usd',
          customer: ids.cus,
          total,
          amount_due: Math.max(0, total),
          amount_paid: Math.max(0, total),
          starting_balance: 0,
          ending_balance: Math.min(0, total),
          billing_reason: 'subscription_cycle',
          metadata: { userId },
          lines: { data: lines },
          ...change,
        },
        now(),
      )
    },
    subscriptionB: (kind: string, change: Fields = {}, atMs = now()): Event =>
      eventB(
        `customer.subscription.${kind}`,
        {
          id: ids.sub,
          status: 'active',
          customer: ids.cus,
          metadata: { userId },
          cancel_at_period_end: false,
          items: { data: [itemOf('pro_monthly')] },
          ...change,
        },
        atMs,
      ),
    session: (items: Fields[], change: Fields = {}): Event => {
      const id = `cs_${name}`
      lineItems.set(id, items)
      const total = items.reduce((sum, { amount_total }) => sum + Number(amount_total), 0)
      const object = {
        id,
        mode: 'payment',
        payment_status: 'paid',
        payment_intent: `pi_${name}`,
        currency: 'usd',
        amount_subtotal: total,
        amount_total: total,
        customer: ids.cus,
        metadata: { userId, productId: 'pack-starter' },
        ...change,
      }
      return eventB('checkout.session.completed', object, now())
    },
    chargeB: (type: string, change: Fields): Event => {
      const id = type.startsWith('refund') ? { id: `re_${name}`, charge: `ch_${name}` } : { id: `ch_${name}` }
      return eventB(type, { ...id, payment_intent: `pi_${name}`, currency: 'usd', amount: 1490, ...change }, now())
    },
    /** A credit note for the nth invoice. */
    note: (n: number, change: Fields, kind = 'created'): Event =>
      eventB(
        `credit_note.${kind}`,
        {
          id: `cn_${name}_${n}`,
          object: 'credit_note',
          status: kind === 'voided' ? 'void' : 'issued',
          type: 'post_payment',
          invoice: `in_${name}_${n}`,
          customer: ids.cus,
          currency: 'usd',
          created: seconds(now()),
          pre_payment_amount: 0,
          out_of_band_amount: null,
          refunds: [],
          ...change,
        },
        now(),
      ),
    dispute: (step: string, change: Fields): Event =>
      eventB(
        `charge.dispute.${step}`,
        {
          id: `du_${name}`,
          charge: `ch_${name}`,
          payment_intent: `pi_${name}`,
          amount: 1490,
          currency: 'usd',
          ...change,
        },
        now(),
      ),
  }
}
export type Scene = ReturnType<typeof scene>

export const itemOf = (price: string, change: Fields = {}): Fields => ({
  price: { id: `price_${price}` },
  quantity: 1,
  current_period_start: seconds(start),
  current_period_end: seconds(end),
  ...change,
})
/** An invoice's line. `isPart`: prorated. */
export const line = (product: string, amount: number, { isPart = false, from = start, quantity = 1 } = {}): Fields => ({
  amount,
  quantity,
  proration: isPart,
  price: { id: `price_${product}` },
  period: { start: seconds(from), end: seconds(end) },
})
export const part = (product: string, amount: number, from = start): Fields =>
  line(product, amount, { isPart: true, from })
export const item = (product: string, quantity: number, cents: number): Fields => ({
  id: newName('li'),
  price: { id: `price_${product}` },
  quantity,
  amount_subtotal: cents,
  amount_total: cents,
})
export const starter = item('pack_starter', 1, 1490)
/** Amounts of a transaction without tax and discount. */
export const paid = (cents: number): Fields => ({ amount: cents, amount_paid: cents })
/** Movements of a dispute's funds. */
export const moved = (...amounts: number[]) => ({
  balance_transactions: amounts.map((amount) => ({ amount, currency: 'usd' })),
})
