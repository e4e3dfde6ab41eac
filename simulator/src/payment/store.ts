/**
 * The persistent state of the payment processors: one record per checkout, and one per customer with subscriptions,
 * payments and events. An operation changes one customer, so that a change and its events are on disk together or not at
 * all. Times are milliseconds since 1970 of the processors' clock.
 */
import path from 'node:path'
import { openRecords } from '../records.ts'
import type { Clock } from './clock.ts'
import type { Processor } from './products.ts'

export type Checkout = {
  id: string
  processor: Processor
  productId: string
  /** The payer, where the caller named one. */
  customerId: string | null
  email: string | null
  /** payment-b keeps a one-time payer as a guest unless the session says `customer_creation: always`. */
  keepsCustomer: boolean
  metadata: Record<string, string>
  /** payment-b: the metadata of the payment or subscription itself. */
  innerMetadata: Record<string, string>
  reference: string | null
  successUrl: string
  cancelUrl: string | null
  createdAt: number
  /** The caller's idempotency key, and the parameters of its first request. */
  idempotency: { key: string; params: string } | null
  state: 'open' | 'complete'
}

export type Customer = Clock & {
  id: string
  processor: Processor
  email: string
  /** A payer without a customer id in the API. */
  isGuest: boolean
  createdAt: number
  /** The secret part of the portal's URL. */
  portal: string
  returnUrl: string | null
  /** payment-b: a negative balance is credit for the next invoices. */
  balanceCents: number
  subscriptions: Subscription[]
  payments: Payment[]
  events: SentEvent[]
}

export type Subscription = Clock & {
  id: string
  itemId: string
  checkoutId: string
  productId: string
  metadata: Record<string, string>
  status: 'active' | 'past_due' | 'canceled' | 'expired'
  createdAt: number
  /** The periods are counted in calendar months from here. */
  anchorAt: number
  periods: number
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  cancelledAt: number | null
  endedAt: number | null
  updatedAt: number
}

/** A purchase, or the cost of one period or one plan change of a subscription. */
export type Payment = {
  /** The transaction at payment-a; the invoice, or the payment intent of a purchase, at payment-b. */
  id: string
  checkoutId: string
  subscriptionId: string | null
  productId: string
  metadata: Record<string, string>
  reason: 'purchase' | 'first period' | 'next period' | 'plan change'
  /** payment-a only. */
  orderId: string | null
  /** payment-b only; null as long as no money moved. */
  intentId: string | null
  chargeId: string | null
  lines: Line[]
  /** What was paid, or is due. */
  cents: number
  currency: string
  status: 'paid' | 'pending' | 'open' | 'failed'
  createdAt: number
  paidAt: number | null
  refundedCents: number
  disputed: boolean
}

export type Line = { productId: string; cents: number; periodStart: number; periodEnd: number; isProration: boolean }

export type SentEvent = {
  id: string
  type: string
  /** The time that the event carries. */
  at: number
  /** The exact text that is signed and sent. */
  body: string
  /** `kept`: there is no URL to send it to. `held`: sent only by `/simulator/payments/deliver` or from the portal. */
  state: 'waiting' | 'delivered' | 'given up' | 'kept' | 'held'
  attempts: number
  /** The real time of the next attempt. */
  nextAt: number | null
  deliveries: { at: string; status: number | null }[]
}

export type Store = ReturnType<typeof openStore>

const CHECKOUTS_MAX = 5_000
const CUSTOMERS_MAX = 2_000
const EVENTS_MAX = 1_000

export function openStore(dataDir: string) {
  const id = (record: { id: string }): string => record.id
  const checkouts = openRecords<Checkout>(path.join(dataDir, 'checkouts'), { id, max: CHECKOUTS_MAX })
  const customers = openRecords<Customer>(path.join(dataDir, 'customers'), { id, max: CUSTOMERS_MAX })
  // The payment is written before its checkout is marked: after a crash between the two, the payment decides.
  for (const { checkoutId } of [...customers.all.values()].flatMap(({ payments }) => payments)) {
    const checkout = checkouts.all.get(checkoutId)
    if (checkout) checkout.state = 'complete'
  }
  return {
    checkouts: checkouts.all,
    customers: customers.all,
    saveCheckout: checkouts.save,
    saveCustomer: (customer: Customer): void => {
      while (customer.events.length > EVENTS_MAX && customer.events[0]?.state !== 'waiting') customer.events.shift()
      customers.save(customer)
    },
    findCustomer: (filter: Partial<Pick<Customer, 'processor' | 'portal' | 'email' | 'isGuest'>>) =>
      [...customers.all.values()].find((each) =>
        Object.entries(filter).every(([name, value]) => each[name as keyof Customer] === value),
      ),
  }
}
