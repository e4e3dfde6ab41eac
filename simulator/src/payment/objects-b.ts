/**
 * payment-b's objects in three generations of its API, because the receiver must read them all:
 * 2024: periods stand on the subscription, payment and subscription on the invoice.
 * 2025 (since 2025-03-31): periods stand on the items, the invoice names its subscription under `parent`.
 * 2026: as 2025; what ends with its period says so by `cancel_at` alone, and parts of a period are invoice items.
 */
import type { Checkout, Customer, Payment, Subscription } from './account.ts'
import { newName } from './name.ts'
import type { Product, Products } from './product.ts'

export const generations = ['2024', '2025', '2026'] as const
export type Generation = (typeof generations)[number]
export const apiVersions: Record<Generation, string> = {
  '2024': '2024-06-20',
  '2025': '2025-08-27.basil',
  '2026': '2026-06-24.dahlia',
}

/** A checkout session; before it is paid there is nobody and nothing yet. */
export function sessionB(
  checkout: Checkout,
  { products, baseUrl }: { products: Products; baseUrl: string },
  done: { customer: Customer; payment: Payment } | null,
) {
  const product = products.byId(checkout.productId)
  const isPurchase = product.months === 0
  const email = done?.customer.email ?? checkout.email
  return {
    id: checkout.id,
    object: 'checkout.session',
    amount_subtotal: product.cents,
    amount_total: product.cents,
    cancel_url: checkout.cancelUrl,
    client_reference_id: checkout.reference,
    created: seconds(checkout.createdAt),
    currency: product.currency.toLowerCase(),
    customer: done ? customerIdB(done.customer) : checkout.customerId,
    customer_creation: isPurchase ? (checkout.keepsCustomer ? 'always' : 'if_required') : null,
    customer_details: email === null ? null : { email, name: null, phone: null, address: null, tax_exempt: 'none' },
    customer_email: checkout.email,
    expires_at: seconds(checkout.createdAt) + 86_400,
    invoice: done && !isPurchase ? done.payment.id : null,
    livemode: false,
    locale: null,
    metadata: checkout.metadata,
    mode: isPurchase ? 'payment' : 'subscription',
    payment_intent: done && isPurchase ? done.payment.intentId : null,
    payment_method_types: ['card'],
    payment_status: done?.payment.status === 'paid' ? 'paid' : 'unpaid',
    status: done ? 'complete' : 'open',
    subscription: done?.payment.subscriptionId ?? null,
    success_url: checkout.successUrl,
    ui_mode: 'hosted',
    url: done ? null : `${baseUrl}/payment-b/checkout/${checkout.id}`,
  }
}

export function subscriptionB(
  customer: Customer,
  subscription: Subscription,
  { products, api }: { products: Products; api: Generation },
) {
  const { status, isEnding } = subscription
  const period = {
    current_period_start: seconds(subscription.periodStart),
    current_period_end: seconds(subscription.periodEnd),
  }
  const product = products.byId(subscription.productId)
  const latest = customer.payments.filter((payment) => payment.subscriptionId === subscription.id).at(-1)
  return {
    id: subscription.id,
    object: 'subscription',
    billing_cycle_anchor: seconds(subscription.anchorAt),
    cancel_at: isEnding ? seconds(subscription.periodEnd) : null,
    cancel_at_period_end: isEnding && api !== '2026',
    canceled_at: subscription.cancelledAt === null ? null : seconds(subscription.cancelledAt),
    cancellation_details: {
      comment: null,
      feedback: null,
      reason: subscription.cancelledAt === null ? null : 'cancellation_requested',
    },
    collection_method: 'charge_automatically',
    created: seconds(subscription.createdAt),
    currency: product.currency.toLowerCase(),
    ...(api === '2024' ? period : {}),
    customer: customer.id,
    ended_at: subscription.endedAt === null ? null : seconds(subscription.endedAt),
    items: {
      object: 'list',
      data: [
        {
          id: subscription.itemId,
          object: 'subscription_item',
          created: seconds(subscription.createdAt),
          ...(api === '2024' ? {} : period),
          metadata: {},
          price: priceB(product),
          quantity: 1,
          subscription: subscription.id,
        },
      ],
      has_more: false,
      total_count: 1,
      url: `/v1/subscription_items?subscription=${subscription.id}`,
    },
    latest_invoice: latest?.id ?? null,
    livemode: false,
    metadata: subscription.metadata,
    start_date: seconds(subscription.createdAt),
    status: status === 'expired' ? 'canceled' : status,
    trial_end: null,
    trial_start: null,
  }
}

export function priceB(product: Product) {
  return {
    id: product.processorIds['payment-b'],
    object: 'price',
    active: true,
    currency: product.currency.toLowerCase(),
    livemode: false,
    metadata: {},
    product: productB(product),
    recurring:
      product.months === 0
        ? null
        : { interval: product.months === 12 ? 'year' : 'month', interval_count: 1, usage_type: 'licensed' },
    type: product.months === 0 ? 'one_time' : 'recurring',
    unit_amount: product.cents,
    unit_amount_decimal: String(product.cents),
  }
}

/** Only the oldest generation tells which invoice a charge is of. */
export function chargeB({ customer, payment }: { customer: Customer; payment: Payment }, api: Generation) {
  return {
    id: payment.chargeId,
    object: 'charge',
    amount: payment.cents,
    amount_captured: payment.cents,
    amount_refunded: payment.refundedCents,
    billing_details: { email: customer.email, name: null, phone: null, address: null },
    captured: true,
    created: seconds(payment.paidAt ?? payment.createdAt),
    currency: payment.currency.toLowerCase(),
    customer: customerIdB(customer),
    disputed: payment.disputed,
    ...(api === '2024' ? { invoice: payment.subscriptionId === null ? null : payment.id } : {}),
    livemode: false,
    metadata: payment.metadata,
    paid: true,
    payment_intent: payment.intentId,
    refunded: payment.refundedCents >= payment.cents,
    status: 'succeeded',
  }
}

export function disputeB({ payment, at }: { payment: Payment; at: number }) {
  return {
    id: newName('du_1', 23),
    object: 'dispute',
    amount: payment.cents,
    charge: payment.chargeId,
    created: seconds(at),
    currency: payment.currency.toLowerCase(),
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: payment.intentId,
    reason: 'fraudulent',
    status: 'needs_response',
  }
}

/** A guest is known to the processor, but to nobody else. */
const customerIdB = ({ id, isGuest }: Customer): string | null => (isGuest ? null : id)

export const productB = (product: Product): string => `prod_${product.id.replaceAll('-', '_')}`
export const seconds = (at: number): number => Math.floor(at / 1000)
