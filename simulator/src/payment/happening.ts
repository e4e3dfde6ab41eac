/**
 * What happened at a processor, in words that belong to neither: the checkout and the moves of subscriptions and payments
 * produce these, and words-a.ts and words-b.ts tell the world of them in each processor's own events.
 */
import type { Checkout, Customer, Payment, Subscription } from './account.ts'
import type { Product } from './product.ts'

export type Happening = { customer: Customer; at: number } & (
  | { what: 'purchase paid'; checkout: Checkout; payment: Payment }
  | { what: 'purchase pending'; checkout: Checkout; payment: Payment }
  | { what: 'purchase arrived'; checkout: Checkout; payment: Payment }
  | { what: 'purchase failed'; checkout: Checkout; payment: Payment }
  | { what: 'declined'; checkout: Checkout; product: Product }
  | { what: 'subscribed'; checkout: Checkout; subscription: Subscription; payment: Payment }
  /** `at` is when the period began, `paidAt` when its payment was tried. */
  | { what: 'renewed'; subscription: Subscription; payment: Payment; paidAt: number }
  | { what: 'renewal failed'; subscription: Subscription; payment: Payment; paidAt: number }
  | { what: 'renewal paid late'; subscription: Subscription; payment: Payment }
  /** `payment` is null when the change costs nothing now. */
  | { what: 'plan changed'; subscription: Subscription; before: Subscription; payment: Payment | null }
  | { what: 'ending' | 'resumed' | 'cancelled'; subscription: Subscription }
  | { what: 'ended'; subscription: Subscription; why: 'asked for' | 'unpaid' }
  | { what: 'refunded'; payment: Payment; cents: number; subscription: Subscription | null }
  | { what: 'disputed'; payment: Payment; subscription: Subscription | null }
)

/** An event before it has a name. `previous` is payment-b's word for what was there before. */
export type Draft = { type: string; at: number; object: unknown; previous?: Record<string, unknown> }
