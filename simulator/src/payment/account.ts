/**
 * What the payment processors remember: one JSON file per checkout and one per customer, which holds everything of that
 * customer, events included. One action changes one file, so that a subscription and the events that tell of it are
 * on disk together or not at all.
 */
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readRecords, writeRecord } from '../record.ts'
import type { Clock } from './clock.ts'
import type { Processor } from './product.ts'

/** All times are milliseconds since 1970, in the processor's time. */
export type Checkout = {
  id: string
  processor: Processor
  productId: string
  /** Who pays, where the caller said so. */
  customerId: string | null
  email: string | null
  /** payment-b keeps a one-time payer as a guest unless it is told otherwise. */
  keepsCustomer: boolean
  metadata: Record<string, string>
  /** payment-b: what the payment or the subscription itself carries. */
  innerMetadata: Record<string, string>
  reference: string | null
  successUrl: string
  cancelUrl: string | null
  createdAt: number
  /** The caller's idempotency key, and what it first came with. */
  key: { name: string; params: string } | null
  /** `complete`: nothing more can be paid here. */
  state: 'open' | 'complete'
}

export type Customer = Clock & {
  id: string
  processor: Processor
  email: string
  isGuest: boolean
  createdAt: number
  /** The secret part of the address of the portal. */
  portal: string
  returnUrl: string | null
  /** payment-b: negative is a credit that the next invoice uses up. */
  balanceCents: number
  subscriptions: Subscription[]
  payments: Payment[]
  events: SentEvent[]
}

export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'expired'

export type Subscription = Clock & {
  id: string
  itemId: string
  checkoutId: string
  productId: string
  metadata: Record<string, string>
  status: SubscriptionStatus
  createdAt: number
  /** From here the calendar months of the periods are counted. */
  anchorAt: number
  periods: number
  periodStart: number
  periodEnd: number
  /** It ends with its period. */
  isEnding: boolean
  cancelledAt: number | null
  endedAt: number | null
  updatedAt: number
}

export type PaymentStatus = 'paid' | 'pending' | 'open' | 'failed'

/** A purchase, or what one period or one change of a subscription cost. */
export type Payment = {
  /** The transaction at payment-a; at payment-b the invoice, or the payment intent of a purchase. */
  id: string
  checkoutId: string
  subscriptionId: string | null
  productId: string
  /** What the caller wanted the payment itself to carry. */
  metadata: Record<string, string>
  reason: 'purchase' | 'first period' | 'next period' | 'plan change'
  /** payment-a only. */
  orderId: string | null
  /** payment-b only; null as long as no money moved. */
  intentId: string | null
  chargeId: string | null
  lines: Line[]
  /** payment-b: the balance before and after it. */
  balance: { before: number; after: number }
  /** What was, or is still, to be paid. */
  cents: number
  currency: string
  status: PaymentStatus
  attempts: number
  createdAt: number
  paidAt: number | null
  refundedCents: number
  disputed: boolean
}

export type Line = {
  id: string
  productId: string
  cents: number
  periodStart: number
  periodEnd: number
  /** For the rest of a period only. */
  isPart: boolean
}

/** `kept`: there is no address to send it to. `held`: it is sent only when somebody asks for it. */
export type EventState = 'waiting' | 'delivered' | 'given up' | 'kept' | 'held'

export type SentEvent = {
  id: string
  type: string
  subscriptionId: string | null
  /** What the event itself says about when it happened. */
  at: number
  /** The exact text that is signed and sent. */
  body: string
  state: EventState
  attempts: number
  /** In the real time. */
  nextAt: number | null
  deliveries: { at: string; status: number | null }[]
}

export type Accounts = {
  checkouts: ReadonlyMap<string, Checkout>
  customers: ReadonlyMap<string, Customer>
  saveCheckout: (checkout: Checkout) => void
  saveCustomer: (customer: Customer) => void
  byPortal: (processor: Processor, portal: string) => Customer | undefined
  byEmail: (processor: Processor, email: string, isGuest: boolean) => Customer | undefined
  eventById: (id: string) => { customer: Customer; event: SentEvent } | undefined
}

const CHECKOUTS_MAX = 5_000
const CUSTOMERS_MAX = 2_000
const EVENTS_MAX = 1_000

export function openAccounts(dataDir: string): Accounts {
  const checkoutDir = path.join(dataDir, 'checkouts')
  const customerDir = path.join(dataDir, 'customers')
  const checkouts = readBack<Checkout>(checkoutDir)
  const customers = readBack<Customer>(customerDir)
  // The payment is written before its checkout is marked: after a death between the two, the payment tells.
  for (const { checkoutId } of [...customers.values()].flatMap((customer) => customer.payments)) {
    const checkout = checkouts.get(checkoutId)
    if (checkout) checkout.state = 'complete'
  }

  const saveCheckout = (checkout: Checkout): void => {
    checkouts.set(checkout.id, checkout)
    writeRecord(path.join(checkoutDir, `${checkout.id}.json`), checkout)
    forgetOldest(checkouts, CHECKOUTS_MAX, checkoutDir)
  }
  const saveCustomer = (customer: Customer): void => {
    while (customer.events.length > EVENTS_MAX && customer.events[0]?.state !== 'waiting') customer.events.shift()
    customers.set(customer.id, customer)
    writeRecord(path.join(customerDir, `${customer.id}.json`), customer)
    forgetOldest(customers, CUSTOMERS_MAX, customerDir)
  }
  const find = (matches: (customer: Customer) => boolean) => [...customers.values()].find(matches)
  return {
    checkouts,
    customers,
    saveCheckout,
    saveCustomer,
    byPortal: (processor, portal) => find((each) => each.processor === processor && each.portal === portal),
    byEmail: (processor, email, isGuest) =>
      find((each) => each.processor === processor && each.email === email && each.isGuest === isGuest),
    eventById: (id) => {
      for (const customer of customers.values()) {
        const event = customer.events.find((each) => each.id === id)
        if (event) return { customer, event }
      }
      return undefined
    },
  }
}

function readBack<Kept extends { id: string; createdAt: number }>(dir: string): Map<string, Kept> {
  mkdirSync(dir, { recursive: true })
  return new Map(
    readRecords<Kept>(dir)
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((kept) => [kept.id, kept]),
  )
}

function forgetOldest(kept: Map<string, unknown>, max: number, dir: string): void {
  for (const id of kept.keys()) {
    if (kept.size <= max) return
    kept.delete(id)
    rmSync(path.join(dir, `${id}.json`), { force: true })
  }
}
