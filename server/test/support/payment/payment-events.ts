/** Fixtures: both processors' events, by their documentation. payment-delivery.ts signs and delivers them. */
import { plans } from '../../../src/payment/plans.ts'

type Fields = Record<string, unknown>
/** An event in its processor's format. */
export type Event = Fields & { id: string }

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
    customer: { id: newName('cust'), email: 'unknown@example.com' },
    metadata: userId ? { referenceId: userId } : {},
    ...change,
  }
}

export type PeriodA = {
  start: number
  end: number
  transaction?: string
  product?: string
  status?: string
  /** What the transaction charged; the plan's price by default. */
  cents?: number
}
const amountsA = (cents: number): Fields => ({ amount: cents, amount_paid: cents, currency: 'USD', status: 'paid' })

export function subscriptionA(id: string, userId: string | null, period: PeriodA, change: Fields = {}): Fields {
  const transaction = period.transaction ?? `tran_${id}_${period.start}`
  const product = period.product ?? 'prod_pro_monthly'
  const price = plans().byProcessorId('payment-a', product)?.price
  return {
    id,
    object: 'subscription',
    product: { id: product },
    customer: { id: `cust_of_${id}` },
    status: period.status ?? 'active',
    last_transaction_id: transaction,
    ...(price ? { last_transaction: { id: transaction, ...amountsA(period.cents ?? price.cents) } } : {}),
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

/** A paid session of one pack. Real events have no line items: `line_items: undefined`. */
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
    ...(price
      ? {
          line_items: {
            data: [
              { price: { id: `price_${productId.replaceAll('-', '_')}` }, quantity: 1, amount_subtotal: price.cents },
            ],
          },
        }
      : {}),
    metadata,
    ...change,
  }
}

/** API formats: before 2025-03-31; 2025; 2026, where prorations are invoice items and an end is `cancel_at` alone. */
export type Generation = 'old' | 'new' | 'newest'
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
      data: lines.map(({ price, start, end, amount, isPart = false }) => {
        const type = generation === 'newest' && isPart ? 'invoice_item_details' : 'subscription_item_details'
        return {
          amount,
          parent: { type, [type]: { proration: isPart } },
          pricing: { type: 'price_details', price_details: { price } },
          period: { start: seconds(start), end: seconds(end) },
        }
      }),
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
    items: { data: [{ id: `si_${id}`, price: { id: price }, ...(generation === 'old' ? {} : period) }] },
    ...change,
  }
}

/** What a subscription says that ends with its period. */
export const endingB = (generation: Generation, end: number): Fields =>
  generation === 'newest' ? { cancel_at: seconds(end) } : { cancel_at_period_end: true }

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

export const failedRefundB = (payment: string, amount: number, change: Fields = {}): Fields => ({
  id: `re_of_${payment}`,
  object: 'refund',
  amount,
  charge: `ch_of_${payment}`,
  payment_intent: payment,
  status: 'failed',
  ...change,
})

/** A credit note for a paid invoice, which gives `amount` to the balance and outside. */
export const creditNoteB = (generation: Generation, invoice: string, amount: number, change: Fields = {}): Fields => ({
  id: `cn_of_${invoice}`,
  object: 'credit_note',
  status: 'issued',
  type: 'post_payment',
  amount,
  invoice,
  currency: 'usd',
  out_of_band_amount: null,
  customer_balance_transaction: newName('cbtxn'),
  ...(generation === 'old' ? { refund: null } : { post_payment_amount: amount, pre_payment_amount: 0, refunds: [] }),
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
