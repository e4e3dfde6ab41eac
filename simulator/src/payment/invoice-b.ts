/** payment-b's invoices and what paid them: where its generations differ most, see objects-b.ts. */
import type { Checkout, Customer, Line, Payment, Subscription } from './account.ts'
import { monthsAfter } from './clock.ts'
import { newName } from './name.ts'
import { type Generation, priceB, productB, seconds } from './objects-b.ts'
import type { Product, Products } from './product.ts'

type Whose = { customer: Customer; subscription: Subscription; payment: Payment }

const reasons: Record<Payment['reason'], string> = {
  purchase: 'manual',
  'first period': 'subscription_create',
  'next period': 'subscription_cycle',
  'plan change': 'subscription_update',
}

const RETRY_AFTER_S = 3 * 86_400

export function invoiceB(whose: Whose, { products, api }: { products: Products; api: Generation }) {
  const { customer, subscription, payment } = whose
  const isPaid = payment.status === 'paid'
  const total = payment.lines.reduce((sum, line) => sum + line.cents, 0)
  const created = seconds(payment.createdAt)
  const about = { metadata: subscription.metadata, subscription: subscription.id }
  const start = payment.lines[0]?.periodStart ?? payment.createdAt
  const { months } = products.byId(payment.productId)
  return {
    id: payment.id,
    object: 'invoice',
    amount_due: payment.cents,
    amount_paid: isPaid ? payment.cents : 0,
    amount_remaining: isPaid ? 0 : payment.cents,
    attempt_count: payment.cents === 0 ? 0 : payment.attempts,
    attempted: true,
    billing_reason: reasons[payment.reason],
    collection_method: 'charge_automatically',
    created,
    currency: payment.currency.toLowerCase(),
    customer: customer.id,
    customer_email: customer.email,
    starting_balance: payment.balance.before,
    ending_balance: payment.balance.after,
    lines: {
      object: 'list',
      data: payment.lines.map((line) => lineB(line, whose, products.byId(line.productId), api)),
      has_more: false,
      total_count: payment.lines.length,
      url: `/v1/invoices/${payment.id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: isPaid ? null : created + RETRY_AFTER_S,
    // The time in which lines were gathered, which is the period before; the one that is paid for stands on the lines.
    period_start: payment.reason === 'next period' ? seconds(monthsAfter(start, -months)) : created,
    period_end: payment.reason === 'next period' ? seconds(start) : created,
    status: isPaid ? 'paid' : 'open',
    status_transitions: { finalized_at: created, paid_at: payment.paidAt === null ? null : seconds(payment.paidAt) },
    subtotal: total,
    total,
    ...(api === '2024'
      ? {
          charge: payment.chargeId,
          paid: isPaid,
          payment_intent: payment.intentId,
          subscription: subscription.id,
          subscription_details: { metadata: subscription.metadata },
        }
      : { parent: { type: 'subscription_details', quote_details: null, subscription_details: about } }),
  }
}

function lineB(line: Line, { subscription, payment }: Whose, product: Product, api: Generation) {
  const currency = payment.currency.toLowerCase()
  const common = {
    id: line.id,
    object: 'line_item',
    amount: line.cents,
    currency,
    description: describe(line, product),
    invoice: payment.id,
    livemode: false,
    metadata: subscription.metadata,
    period: { start: seconds(line.periodStart), end: seconds(line.periodEnd) },
    quantity: 1,
  }
  if (api === '2024') {
    return {
      ...common,
      plan: { id: product.processorIds['payment-b'], object: 'plan', amount: product.cents, currency },
      price: priceB(product),
      proration: line.isPart,
      subscription: subscription.id,
      subscription_item: subscription.itemId,
      type: line.isPart ? 'invoiceitem' : 'subscription',
    }
  }
  return {
    ...common,
    parent: parentB(line, subscription, api),
    pricing: {
      type: 'price_details',
      price_details: { price: product.processorIds['payment-b'], product: productB(product) },
      unit_amount_decimal: String(line.isPart ? line.cents : product.cents),
    },
    taxes: [],
  }
}

function parentB(line: Line, subscription: Subscription, api: Generation) {
  const common = {
    invoice_item: line.isPart ? `ii_${line.id.slice(3)}` : null,
    proration: line.isPart,
    proration_details: { credited_items: null },
    subscription: subscription.id,
  }
  if (line.isPart && api === '2026') {
    return { type: 'invoice_item_details', invoice_item_details: common, subscription_item_details: null }
  }
  return {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: { ...common, subscription_item: subscription.itemId },
  }
}

export function invoicePaymentB(payment: Payment, at: number) {
  return {
    id: newName('inpay_1', 23),
    object: 'invoice_payment',
    amount_paid: payment.cents,
    amount_requested: payment.cents,
    created: seconds(at),
    currency: payment.currency.toLowerCase(),
    invoice: payment.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: payment.intentId },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: seconds(at) },
  }
}

/** A payment that the bank refused; nobody is a customer for it. */
export function declinedIntent({ checkout, product, at }: { checkout: Checkout; product: Product; at: number }) {
  return {
    id: newName('pi_3', 23),
    object: 'payment_intent',
    amount: product.cents,
    amount_received: 0,
    created: seconds(at),
    currency: product.currency.toLowerCase(),
    customer: checkout.customerId,
    last_payment_error: {
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      type: 'card_error',
    },
    latest_charge: newName('ch_3', 23),
    livemode: false,
    metadata: product.months === 0 ? checkout.innerMetadata : {},
    status: 'requires_payment_method',
  }
}

function describe(line: Line, product: Product): string {
  const day = new Date(line.periodStart).toISOString().slice(0, 10)
  if (!line.isPart) return `1 × ${product.name}`
  return line.cents < 0
    ? `Unused time on ${product.name} after ${day}`
    : `Remaining time on ${product.name} after ${day}`
}
