/** What the random sequences of both processors share: time, what is sold, and the books of the money. */
import type { Processor } from '../../server/src/config/processors.ts'
import type { Plans, Product } from '../../server/src/payment/plans.ts'
import { randomOf } from '../../server/test/support/random.ts'

export type Fields = Record<string, unknown>
export type Sequence = {
  events: Fields[]
  /** The money that was kept, with discounts and goodwill and without tax, in cents. */
  kept: number
  payments: number
  /** Credits for a cent, of the plans and packs that were bought. */
  best: number
  worst: number
}
/**
 * `cents`: what was charged. `backed`: with what a balance of money covered. `money`: the price of what that pays for.
 * `beside`: what the operator gave back outside the processor.
 */
export type Payment = {
  id: string
  cents: number
  backed: number
  money: number
  returned: number
  beside?: number
  invoice?: Invoice
  isDisputed: boolean
  about: Fields
}

/** `own`: of the amount due, what a plan change's credit covered. `credited`: what notes gave to the balance. */
export type Invoice = { due: number; own: number; credited: number }

export const DAY_MS = 86_400_000
const STEPS_MAX = 12
export const START = Date.UTC(2030, 0, 1)

export type Stage = ReturnType<typeof stageOf>
/** What both processors' sequences share: time, the books, and what is sold. */
export function stageOf(processor: Processor, seed: number, { products, byProcessorId }: Plans) {
  const random = randomOf(seed)
  let count = 0
  const variants = (kind: Product['kind'], isRaised: boolean) =>
    products
      .filter((product) => product.kind === kind)
      .map((product) => product.ids?.[processor]?.at(isRaised ? 0 : -1))
      .map((entry) => byProcessorId(processor, typeof entry === 'object' ? entry.id : '') as Product)
  let isRaised = false
  return {
    random,
    events: [] as Fields[],
    payments: [] as Payment[],
    rates: [] as number[],
    atMs: START,
    get plans() {
      return variants('subscription', isRaised)
    },
    get packs() {
      return variants('pack', isRaised)
    },
    newId: (prefix: string) => `${prefix}_${seed}_${++count}`,
    next() {
      this.atMs += 3_600_000 * (1 + random.below(150))
      isRaised ||= random.below(100) < 8
      return this.atMs
    },
    sells(product: Product, cents = product.price.cents) {
      this.rates.push(product.credits / cents)
    },
    chance: (percent: number) => random.below(100) < percent,
    steps: 2 + random.below(STEPS_MAX),
  }
}

export function endOf({ events, payments, rates }: Stage): Sequence {
  const kept = payments.reduce((sum, { money, backed, returned, beside = 0, invoice }) => {
    const credited = invoice ? Math.max(0, invoice.credited - invoice.own) / (invoice.due - invoice.own || 1) : 0
    return sum + money * (backed > 0 ? Math.max(0, 1 - (returned + beside) / backed - credited) : 1)
  }, 0)
  return { events, kept, payments: payments.length, best: Math.max(0, ...rates), worst: Math.min(Infinity, ...rates) }
}

export const monthAfter = (ms: number, product: Product): number =>
  ms + (product.kind === 'subscription' && product.period === 'year' ? 365 : 31) * DAY_MS

/** A payment with money left to return, or none. */
export const returnable = ({ payments, random }: Stage): Payment | undefined =>
  random.of(payments.filter(({ cents, returned }) => returned < cents)) as Payment | undefined
