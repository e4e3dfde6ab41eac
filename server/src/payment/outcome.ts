/** What translating an event yields, and the parts that both processors' translations share. */
import type { Effect, PaymentEvent, Problem, SubscriptionStatus } from './effect.ts'
import { goodUntil, type Processor, type Product } from './plans.ts'

export type Outcome = Pick<PaymentEvent, 'effects' | 'notApplied'>

/** Statuses that both processors have. */
export const commonStatuses: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'cancelled',
  incomplete: 'incomplete',
}

export const effectsOf = (...effects: Effect[]): Outcome => ({ effects, notApplied: null })
/** Nothing to do. */
export const ignored = (reason: string): Outcome => ({ effects: [], notApplied: { state: 'ignored', reason } })
/** An operator has to act first. `effects` apply all the same. */
export const failed = (reason: string, problem?: Problem, effects: Effect[] = []): Outcome => ({
  effects,
  notApplied: { state: 'failed', reason, ...(problem ? { problem } : {}) },
})

export const unknownProduct = (processor: Processor, productId: string | null, effects: Effect[] = []): Outcome =>
  failed(`catalogue/plans.json has no such product for ${processor}: ${productId}.`, 'unknown_product', effects)

/** Links the ids of a payment: `lasting` ones (customer, subscription) to the user, the others to this payment as well. */
export const linkPayment = (ids: string[], lasting: RegExp, source: string): Effect[] => [
  linkLasting(ids, lasting),
  { do: 'link', ids: ids.filter((id) => !lasting.test(id)), source },
]

/** Links customers and subscriptions, which outlive a payment, to the user. */
export const linkLasting = (ids: string[], lasting: RegExp): Effect => ({
  do: 'link',
  ids: ids.filter((id) => lasting.test(id)),
})

/**
 * Binds a checkout's customer to the user. The caller has checked that the checkout carries our metadata, which a payer cannot
 * set: other events merely name a customer, and its portal shows another payer's cards and addresses.
 */
export const bindCustomer = (customer: string | null): Effect[] =>
  customer ? [{ do: 'link', ids: [customer], byCheckout: true }] : []

/** What the history shows: the product's name, and that it was free. */
export const remarkOf = (product: Product, paid: number | null): string =>
  paid === 0 ? `${product.name}, free` : product.name

/** The effects of a paid pack. `ids`: the processor's objects that the event names. */
export function packBought(
  processor: Processor,
  product: Extract<Product, { kind: 'pack' }>,
  {
    orderNo,
    boughtAt,
    ids,
    lasting,
    paid,
    quantity = 1,
    bound,
  }: {
    orderNo: string
    boughtAt: Date
    ids: string[]
    lasting: RegExp
    /** The amount in the currency's smallest unit; null when the event does not name it. */
    paid: number | null
    quantity?: number
    bound: Effect[]
  },
): Outcome {
  const source = `${processor}:${orderNo}`
  return effectsOf(...linkPayment(ids, lasting, source), ...bound, {
    do: 'grant',
    source,
    transType: 'ORDER_PAY',
    credits: product.credits * quantity,
    validFrom: boughtAt,
    expiresAt: goodUntil(product, boughtAt),
    orderNo,
    remark: remarkOf(product, paid),
    ...(paid === null ? {} : { paid: Math.round(paid) }),
  })
}
