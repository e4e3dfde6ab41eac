/**
 * The persistent state of the payment processors: one record per checkout, and one per customer with subscriptions,
 * payments and events. An operation changes one customer, so that a change and its events are on disk together or not
 * at all. Times are milliseconds since 1970 of the processors' clock. The functions that create the records define
 * their types.
 */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { HTTPException } from 'hono/http-exception'
import type { Message } from '../deliveries.ts'
import { openRecords } from '../records.ts'
import { productById } from './products.ts'

type Metadata = Record<string, string>
export type Checkout = ReturnType<typeof newCheckout>
export type Customer = ReturnType<typeof newCustomer>
export type Subscription = ReturnType<typeof newSubscription>
/** A purchase, or the cost of one period or one plan change of a subscription. */
export type Payment = ReturnType<typeof newPayment>
export type Subscribed = { customer: Customer; subscription: Subscription }
export type Paid = { customer: Customer; payment: Payment; subscription?: Subscription | undefined }
export type Line = Pick<Subscription, 'productId' | 'quantity' | 'periodStart' | 'periodEnd'> & {
  cents: number
  isProration: boolean
}
/** `movements`: of money; withdrawals are negative. An inquiry, which withdraws none, has a status `warning_*`. */
export type Dispute = { id: string; status: DisputeStatus; at: number; movements: { cents: number; at: number }[] }
/** A refund may fail days after it was made. */
export type Refund = {
  id: string
  cents: number
  at: number
  status: 'succeeded' | 'failed'
  failedAt: number | null
  /** The idempotency key of the call that made it. */
  key?: string | null
}
/** What it gives to the balance, and what by a refund of its own. */
export type Note = { id: string; cents: number; refund: Refund | null; at: number; voidedAt: number | null }
export type Card = 'works' | 'declines' | 'asks'
type DisputeStatus = 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'won' | 'lost'
/** `at`: the time that the event carries; `body`: the exact text that is signed and sent. */
export type PaymentEvent = Message & { id: string; type: string; at: number; body: string }

/** An id as the processors make them: the prefix, e.g. `evt_`, and random letters and digits. */
export const newId = (prefix: string, length = 22): string => prefix + randomBytes(16).toString('hex').slice(0, length)

/** What the caller asked for. */
type CheckoutRequest = {
  id: string
  processor: string
  productId: string
  /** The payer, where the caller named one. */
  customerId: string | null
  email: string | null
  metadata: Metadata
  reference: string | null
  successUrl: string
  /** Metadata of what is sold: at payment-b the payment or the subscription has metadata of its own. */
  innerMetadata?: Metadata
  cancelUrl?: string | null
  /** payment-b keeps a one-time payer as a guest unless the session says `customer_creation: always`. */
  keepsCustomer?: boolean
  /** It saves a card, and nothing is paid. */
  isSetup?: boolean
}

export const newCheckout = (request: CheckoutRequest) => ({
  innerMetadata: request.metadata,
  cancelUrl: null,
  keepsCustomer: false,
  isSetup: false,
  ...request,
  createdAt: wholeSecond(Date.now()),
  /** What the payer chooses on the page: how many, and a discount of 100 %. */
  quantity: 1,
  isFree: false,
})

/** @param payer a guest has no customer id in the API */
export const newCustomer = (payer: { id: string; processor: string; email: string; isGuest: boolean }) => ({
  ...payer,
  createdAt: wholeSecond(Date.now()),
  returnUrl: null as string | null,
  /** The saved card: what becomes of a charge without the payer. Null: none is saved. */
  card: null as Card | null,
  /** payment-b: a negative balance is credit for the next invoices. */
  balanceCents: 0,
  subscriptions: [] as Subscription[],
  payments: [] as Payment[],
  events: [] as PaymentEvent[],
  lastAt: 0,
})

export const newSubscription = ({ id, innerMetadata, quantity, productId }: Checkout, at: number) => ({
  id: newId('sub_'),
  checkoutId: id,
  productId,
  quantity,
  metadata: innerMetadata,
  status: 'active' as 'active' | 'past_due' | 'canceled' | 'expired',
  /** The periods are counted in calendar months from here. */
  anchorAt: at,
  periods: 1,
  periodStart: at,
  periodEnd: monthsAfter(at, productById(productId).months),
  cancelAtPeriodEnd: false,
  cancelledAt: null as number | null,
  // Events of the same second, also those of the purchase, are before its next ones.
  lastAt: at,
})

type Charge = Pick<Subscription, 'checkoutId' | 'metadata' | 'productId'> & {
  /** The transaction at payment-a; the invoice, or the payment intent of a purchase, at payment-b. */
  id: string
  subscriptionId: string | null
  lines: Line[]
  /** A discount of 100 %. */
  isFree: boolean
  createdAt: number
  reason: 'purchase' | 'first period' | 'next period' | 'plan change' | 'invoice'
}

/** A paid charge: the sum of its lines. @param hasBalance pays later invoices; a negative sum becomes balance */
export function newPayment(customer: { balanceCents: number }, charge: Charge, hasBalance: boolean) {
  const usesBalance = hasBalance && (charge.reason === 'next period' || charge.reason === 'plan change')
  const grossCents = charge.lines.reduce((sum, line) => sum + line.cents, 0)
  const discountCents = charge.isFree ? grossCents : 0
  const total = grossCents - discountCents + (usesBalance ? customer.balanceCents : 0)
  if (usesBalance) customer.balanceCents = Math.min(0, total)
  return {
    ...charge,
    /** What was paid, or is due. */
    cents: Math.max(0, total),
    discountCents,
    currency: charge.productId ? productById(charge.productId).currency : '',
    status: 'paid' as 'paid' | 'pending' | 'open' | 'failed' | 'draft' | 'void',
    paidAt: charge.createdAt as number | null,
    refundedCents: 0,
    refunds: [] as Refund[],
    /** payment-b: credit notes for the invoice, once it is paid. */
    notes: [] as Note[],
    dispute: null as Dispute | null,
  }
}

/**
 * Moves the processors' clock, which each customer and each subscription has one of: the real time until an operation
 * jumps to a later period. @returns the time of the next operation: not before `to`, and later than the last one by a
 * whole second, because payment-b's times are whole seconds
 */
export function advance(clock: { lastAt: number }, to = 0): number {
  clock.lastAt = Math.max(wholeSecond(Date.now()), to, clock.lastAt + 1000)
  return clock.lastAt
}

const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000

/** Calendar months after `from`: the 31st becomes the last day of a shorter month, and the 31st again afterwards. */
export function monthsAfter(from: number, months: number): number {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

export type Store = ReturnType<typeof openStore>

export function openStore(dataDir: string) {
  const checkouts = openRecords<Checkout>(path.join(dataDir, 'checkouts'))
  const customers = openRecords<Customer>(path.join(dataDir, 'customers'))
  const customersOf = (processor: string) => [...customers.all.values()].filter((each) => each.processor === processor)
  const subscriptionsOf = (processor: string): Subscribed[] =>
    customersOf(processor).flatMap((customer) =>
      customer.subscriptions.map((subscription) => ({ customer, subscription })),
    )
  const paymentsOf = (processor: string): Paid[] =>
    customersOf(processor).flatMap((customer) =>
      customer.payments.map((payment) => ({ customer, payment, subscription: subscriptionOf(customer, payment) })),
    )
  return {
    checkouts: checkouts.all,
    customers: customers.all,
    /** Of payment-b, by its idempotency keys: what each first request was, and its response. */
    replays: new Map<string, { request: string; status: number; body: string }>(),
    saveCheckout: checkouts.save,
    saveCustomer: customers.save,
    customersOf,
    paymentsOf,
    subscriptionsOf,
    /** The payment of a checkout, for a subscription its first one; it alone shows that the checkout is complete. */
    paidBy: ({ id, processor }: Checkout): Paid | undefined =>
      paymentsOf(processor).find(({ payment }) => payment.checkoutId === id),
    /** The customer of a payment, a dispute or a subscription: one of its records ends like the id. */
    customerOf: (id: string): Customer | undefined =>
      [...customers.all.values()].find(({ payments, subscriptions }) =>
        [...payments, ...payments.flatMap(({ dispute }) => dispute ?? []), ...subscriptions].some(
          (each) => each.id.split('_').at(-1) === id.split('_').at(-1),
        ),
      ),
    /** The API knows no guests. */
    customerBy: (processor: string, id = ''): Customer | undefined =>
      customersOf(processor).find((each) => each.id === id && !each.isGuest),
  }
}

/** The subscription of a payment; none for a purchase. */
export const subscriptionOf = ({ subscriptions }: Customer, { subscriptionId }: Payment): Subscription | undefined =>
  subscriptions.find(({ id }) => id === subscriptionId)

/** A request that a processor refuses. @param details what payment-b's API returns beside the message */
export const refusal = (status: 400 | 401 | 402 | 403 | 404 | 409, message: string, details: object = {}) =>
  new HTTPException(status, { message, cause: details })

/** @returns the record; @throws `otherwise` if there is none */
export function found<Item>(item: Item | undefined, otherwise: HTTPException): Item {
  if (item === undefined) throw otherwise
  return item
}
