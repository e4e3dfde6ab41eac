/** What translating an event yields, and the parts that both processors' translations share. */
import type { Effect, PaymentEvent, Problem, SubscriptionStatus } from './effect.ts'
import { goodUntil, type Processor, type Product } from './plans.ts'

export type Outcome = Pick<PaymentEvent, 'effects' | 'notApplied' | 'lacks'>

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

/** One line of what was paid for. Amounts are in the currency's smallest unit. */
export type Line = {
  product: Product
  /** Whole and at least 1. */
  quantity: number
  /** Its price without tax and before discounts; negative for what a plan change gives back. */
  value: number
  /** The price of one in this currency. */
  price: number
  /** The time for which its credits are good; null: from the payment on, as the product says. */
  start: Date | null
  end: Date | null
}

export type Paid = {
  orderNo: string
  /** The payments whose balance may pay this one; without it, this one stands alone. */
  chain: string | null
  currency: string
  lines: Line[]
  /** What was due, with tax and after discounts; what came in money; what a balance or a credit note covered. */
  total: number
  paid: number
  covered?: number
  /** The price of the product less `value`, where a plan change leaves the rest of the old plan out of the lines. */
  rest?: number
  at: Date
  sortKey: string
  isWhole?: boolean
}

/** The effects of a payment: one for its plans, and one for its packs. The README has the rule. */
export function paymentOf(processor: Processor, payment: Paid): Effect[] {
  const { orderNo, chain, currency, total, paid, covered = 0, rest = 0, at, sortKey } = payment
  const source = `${processor}:${orderNo}`
  return (['subscription', 'pack'] as const).flatMap((kind): Effect[] => {
    const lines = payment.lines.filter(({ product }) => product.kind === kind)
    // By its end: the prorated rest of the old period may stand before or after the line of the new one.
    const [newest] = [
      ...lines.filter(({ value }) => value > 0).toSorted((a, b) => (b.end?.getTime() ?? 0) - (a.end?.getTime() ?? 0)),
      ...lines,
    ]
    if (!newest) return []
    const sold = lines.map((line) => {
      const value = Math.max(-line.price * line.quantity, Math.min(line.value, line.price * line.quantity))
      const rate = line.product.credits / line.price
      return { value, rate, cap: line.value > 0 ? line.product.credits * line.quantity : 0 }
    })
    const sum = (of: (line: (typeof sold)[number]) => number) => sold.reduce((all, line) => all + of(line), 0)
    const rates = sold.map(({ rate }) => rate)
    const validFrom = newest.start ?? at
    const isPack = kind === 'pack'
    return [
      {
        do: 'payment',
        source,
        part: isPack && payment.lines.length > lines.length ? ':pack' : '',
        chain: chain === null ? source : `${chain}:${currency}`,
        transType: isPack ? 'ORDER_PAY' : 'SUBSCRIPTION',
        orderNo,
        remark: total === 0 && newest.value > 0 ? `${newest.product.name}, free` : newest.product.name,
        currency,
        credits: sum(({ value, rate }) => value * rate),
        cap: sum(({ cap }) => cap),
        value: sum(({ value }) => value),
        total,
        paid,
        covered,
        rest: Math.max(0, rest),
        low: Math.min(...rates),
        high: Math.max(...rates),
        at,
        validFrom,
        expiresAt: newest.end ?? goodUntil(newest.product, validFrom),
        sortKey,
        ...(payment.isWhole ? { isWhole: true } : {}),
      },
    ]
  })
}

/** Whole and at least 1, because a missing or odd quantity must not take credits away from a payer. */
export const wholeQuantity = (quantity: number | null): number => Math.max(1, Math.floor(quantity ?? 1))
