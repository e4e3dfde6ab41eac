/** The interface of a payment processor: its API, its events and its rules. One folder a processor implements it. */
import type { Hono } from 'hono'
import type { Context } from '../settings.ts'
import type { Product } from './products.ts'
import type { Checkout, Customer, Paid, Payment, Store, Subscription } from './store.ts'

/** One operation under way. Its events are about these records, as they are when they are sent. */
export type OperationContext = {
  processor: Processor
  customer: Customer
  checkout?: Checkout | undefined
  subscription?: Subscription | undefined
  payment?: Payment | undefined
  /** The product of a plan change. */
  next?: Product | undefined
  /** The time of the events. */
  at: number
  /** Sends the processor's events whose record exists: a pack has no subscription, a cheaper plan no payment. */
  send: (...types: string[]) => void
}

/** What a processor does, and another one does not. */
export type Rules = {
  /** The payer chooses a quantity on the checkout page. */
  hasQuantity: boolean
  /** A pack can be paid by bank, days later. */
  takesBankTransfers: boolean
  /** A pack's payer is a guest by default, a customer for each checkout; else an e-mail address is one. */
  hasGuests: boolean
  /** Credit notes and plan changes give to a balance, which pays later invoices. */
  hasBalance: boolean
  /** A dispute may begin as an inquiry, and an event tells its end, also when it is lost. */
  followsDisputes: boolean
  /** A plan change pays parts of the period. Else a dearer plan starts a new period, a cheaper one waits. */
  prorates: boolean
  /** A period starts unpaid, and its bill follows after this time; null: it starts once it is paid. */
  billingDelayMs: number | null
  /** A subscription that has ended expires, also after it was cancelled. */
  expires: boolean
}

/** `payInvoice`: pays an open invoice and sends its events. */
export type ApiContext = Context & { store: Store; events: { payInvoice: (paid: Paid) => Promise<unknown> } }

export type Processor = {
  /** `payment-a`: in paths, in the catalogue, and in the names of its settings. */
  name: string
  /** Of the ids of products that the catalogue does not name. */
  productPrefix: string
  /** Of the ids of records. `purchase`: the payment of a pack; `period`: of a subscription. */
  prefixes: Record<'customer' | 'purchase' | 'period' | 'refund' | 'dispute', string>
  /** Delays before each retry of an event; then the processor gives up. */
  retryAfterS: number[]
  rules: Rules
  /** The headers that sign an event sent at a time, the real one, however far ahead the event's own is. */
  sign: (body: string, secret: string, sentAtMs: number) => Record<string, string>
  /** An event and its time; undefined when the processor has none of this type. @param n earlier events */
  event: (id: string, type: string, context: OperationContext, n: number) => { at: number; body: object } | undefined
  /** Where the payer returns to; null: nowhere. */
  returnUrl: (checkout: Checkout, paid: Paid | undefined, apiKey: string | null) => string | null
  routes: (context: ApiContext) => Hono
  /** Its API is at the root too, because a client takes a host but no path. */
  isAtRoot?: true
}
