/**
 * The persistent state of the payment processors: one record per checkout, and one per customer with subscriptions,
 * payments and events. An operation changes one customer, so that a change and its events are on disk together or not
 * at all. Times are milliseconds since 1970 of the processors' clock. The functions that create the records define
 * their types.
 */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { openRecords } from '../records.ts'
import { monthsAfter, wholeSecond } from './clock.ts'
import type { Processor, Product } from './products.ts'

type Metadata = Record<string, string>
type Time = number | null
export type Checkout = ReturnType<typeof newCheckout>
export type Customer = ReturnType<typeof newCustomer>
export type Subscription = ReturnType<typeof newSubscription>
/** A purchase, or the cost of one period or one plan change of a subscription. */
export type Payment = ReturnType<typeof newPayment>
export type Line = {
  productId: string
  quantity: number
  cents: number
  periodStart: number
  periodEnd: number
  isProration: boolean
}

type Charge = {
  checkoutId: string
  subscription: Subscription | null
  product: Product
  lines: Line[]
  at: number
  reason: 'purchase' | 'first period' | 'next period' | 'plan change'
  metadata: Metadata
  /** A discount of 100 %. */
  isFree?: boolean
}

export type PaymentEvent = {
  id: string
  type: string
  /** The time that the event carries. */
  at: number
  /** The exact text that is signed and sent. */
  body: string
  /**
   * `kept`: there is no URL to send it to. `held` and `dropped`: sent only by `/simulator/payments/deliver` or from the portal, and
   * the dropped ones not with all events of their customer.
   */
  state: 'waiting' | 'delivered' | 'given up' | 'kept' | 'held' | 'dropped'
  attempts: number
  /** The real time of the next attempt. */
  nextAt: Time
  deliveries: { at: string; status: number | null }[]
}

export type CheckoutRequest = {
  processor: Processor
  /** The payer, where the caller named one. */
  customerId: string | null
  email: string | null
  metadata: Metadata
  /** payment-b: the metadata of the payment or subscription itself. */
  innerMetadata?: Metadata
  reference: string | null
  successUrl: string
  cancelUrl?: string | null
  /** payment-b keeps a one-time payer as a guest unless the session says `customer_creation: always`. */
  keepsCustomer?: boolean
  /** The caller's idempotency key, and the parameters of its first request. */
  idempotency?: { key: string; params: string } | null
}

/** An id as the processors make them: the prefix, e.g. `evt_`, and `length` random letters and digits. */
export function newId(prefix: string, length = 22): string {
  const digits = BigInt(`0x${randomBytes(length).toString('hex')}`).toString(36)
  return prefix + digits.slice(0, length)
}

export function newCheckout(request: CheckoutRequest, product: Product) {
  return {
    innerMetadata: {} as Metadata,
    cancelUrl: null,
    keepsCustomer: false,
    idempotency: null,
    ...request,
    id: request.processor === 'payment-a' ? newId('ch_') : newId('cs_test_a1', 58),
    productId: product.id,
    createdAt: wholeSecond(Date.now()),
    state: 'open' as 'open' | 'complete',
    /** What the payer chooses on the page. */
    quantity: 1,
    isFree: false,
  }
}

/** The metadata of what a checkout sells. */
export const metadataOf = ({ processor, metadata, innerMetadata }: Checkout): Metadata =>
  processor === 'payment-a' ? metadata : innerMetadata

/** @param payer a guest has no customer id in the API */
export function newCustomer(payer: { processor: Processor; email: string; isGuest: boolean }) {
  return {
    ...payer,
    id: payer.processor === 'payment-a' ? newId('cust_') : newId(payer.isGuest ? 'gcus_' : 'cus_', 14),
    createdAt: wholeSecond(Date.now()),
    /** The secret part of the portal's URL. */
    portal: newId('', 32),
    returnUrl: null as string | null,
    /** payment-b: a negative balance is credit for the next invoices. */
    balanceCents: 0,
    subscriptions: [] as Subscription[],
    payments: [] as Payment[],
    events: [] as PaymentEvent[],
    aheadMs: 0,
    lastAt: 0,
  }
}

export function newSubscription(checkout: Checkout, product: Product, at: number) {
  const isA = checkout.processor === 'payment-a'
  return {
    id: isA ? newId('sub_') : newId('sub_1', 23),
    itemId: isA ? newId('sitem_') : newId('si_', 14),
    checkoutId: checkout.id,
    /** payment-a: one order covers all payments of a subscription. */
    orderId: newId('ord_'),
    productId: product.id,
    quantity: checkout.quantity,
    metadata: metadataOf(checkout),
    status: 'active' as 'active' | 'past_due' | 'canceled' | 'expired',
    createdAt: at,
    /** The periods are counted in calendar months from here. */
    anchorAt: at,
    periods: 1,
    periodStart: at,
    periodEnd: monthsAfter(at, product.months),
    cancelAtPeriodEnd: false,
    cancelledAt: null as Time,
    endedAt: null as Time,
    aheadMs: 0,
    lastAt: at,
  }
}

/** A payment of the sum of `lines`. */
export function newPayment(
  customer: { processor: Processor; balanceCents: number },
  { checkoutId, subscription, product, lines, at, reason, metadata, isFree = false }: Charge,
) {
  const isA = customer.processor === 'payment-a'
  // At payment-b the balance pays part of an invoice after the first, and a negative sum becomes balance.
  const usesBalance = !isA && (reason === 'next period' || reason === 'plan change')
  const grossCents = lines.reduce((sum, line) => sum + line.cents, 0)
  const discountCents = isFree ? grossCents : 0
  const total = grossCents - discountCents + (usesBalance ? customer.balanceCents : 0)
  if (usesBalance) customer.balanceCents = Math.min(0, total)
  const charge = isA || total <= 0 ? { intentId: null, chargeId: null } : newCharge()
  return {
    /** The transaction at payment-a; the invoice, or the payment intent of a purchase, at payment-b. */
    id: isA ? newId('tran_') : ((subscription ? null : charge.intentId) ?? newId('in_1', 23)),
    checkoutId,
    subscriptionId: subscription?.id ?? null,
    productId: product.id,
    /** payment-b copies no metadata from a subscription to its charges. */
    metadata: isA || !subscription ? metadata : {},
    reason,
    orderId: isA ? (subscription?.orderId ?? newId('ord_')) : null,
    ...charge,
    lines,
    /** What was paid, or is due. */
    cents: Math.max(0, total),
    discountCents,
    currency: product.currency,
    status: 'paid' as 'paid' | 'pending' | 'open' | 'failed',
    createdAt: at,
    paidAt: at as Time,
    refundedCents: 0,
    refunds: [] as Refund[],
    disputed: false,
    dispute: null as Dispute | null,
  }
}

export type Refund = { id: string; cents: number; at: number }
export type Dispute = {
  id: string
  /** payment-b's statuses; an inquiry, which withdraws no funds, has `warning_*`. */
  status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'won' | 'lost'
  at: number
  /** Withdrawals are negative. */
  movements: number[]
}

/** payment-b only; null as long as no money moved. */
export const newCharge = (): { intentId: string | null; chargeId: string | null } => ({
  intentId: newId('pi_3', 23),
  chargeId: newId('ch_3', 23),
})

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
  const customersOf = (processor: Processor) =>
    [...customers.all.values()].filter((customer) => customer.processor === processor)
  return {
    checkouts: checkouts.all,
    customers: customers.all,
    paymentsOf: (processor: Processor) =>
      customersOf(processor).flatMap((customer) => customer.payments.map((payment) => ({ customer, payment }))),
    findSubscription: (processor: Processor, id: string | undefined) =>
      customersOf(processor)
        .flatMap((customer) => customer.subscriptions.map((subscription) => ({ customer, subscription })))
        .find(({ subscription }) => subscription.id === id),
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
