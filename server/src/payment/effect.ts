/**
 * The effects of a payment event, as JSON that `payment_receive` in server/sql/payment.sql applies, and what the
 * processors' folders make them of; README.md has the rule. A payment is identified by its `source`, so that two events
 * for one payment grant once.
 */
import type { Processor } from '../config/processors.ts'
import { withColumnNames } from '../db/columns.ts'
import { isUuid } from '../id.ts'
import { at, entryOf, numberAt, textAt } from '../text/json-reader.ts'
import { goodUntil, type Price, type Product } from './plans.ts'

/** Why an event needs attention; a label of the metric kinora_payment_events. */
export type Problem = 'unknown_product' | 'unknown_payment' | 'other_mode' | 'lines_missing' | 'no_transaction'

/** The processors keep test payments, which move no money, apart from live ones. */
export type Mode = 'test' | 'live'

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'cancelled' | 'expired' | 'incomplete'

export type Effect =
  | Payment
  /** What the id of a product is paid at: the first payment decides for all later ones of this id. */
  | ({ do: 'price' } & Omit<Price, 'processor'>)
  /**
   * The processor's objects `ids` belong to the event's user and, with `source`, to that payment. `byCheckout`: a
   * checkout that names the user in our metadata bound them, so that the customer's portal may open for the user;
   * `payerId`: for this user instead.
   */
  | { do: 'link'; ids: string[]; source?: string; byCheckout?: true; payerId?: string }
  /**
   * A refund, dispute or credit note of the payment that one of `ids` is linked to: the columns of
   * kinora.payment_return. `amounts`: what it takes, by currency, in which '' is the payment's; `share`, of the
   * payment, where none of them is the payment's. `at`: when it was made.
   */
  | {
      do: 'return'
      key: string
      kind: 'refund' | 'dispute' | 'refunded' | 'returned' | 'credited'
      charge: string
      ids: string[]
      amounts: Record<string, number>
      share: number
      state: 'taken' | 'given back' | 'failed'
      at: Date | null
      sortKey: string
    }
  /** A card was saved. */
  | { do: 'card' }
  | ({
      do: 'subscription'
      externalId: string
      customer: string | null
      sortKey: string
      status?: SubscriptionStatus
      /** Changes a record and makes none: a subscription of no known product may be another shop's. */
      onlyKnown?: true
      /** The processor tries the payment of an expired subscription again, until it is cancelled. */
      retriesExpired?: true
    } & (
      | {
          /** Null: its product is in no catalogue entry, and the record keeps its plan. */
          plan: string | null
          /** The processor's id of the plan. */
          soldAs?: string | undefined
          periodStart: Date | null
          periodEnd: Date | null
          cancelAtPeriodEnd: boolean
          cancelledAt: Date | null
          /** Events of one second: `previous` is what was so before this one; `current`: the API shows it now. */
          tie?: 'unknown' | 'previous' | 'current'
          previous?: { status?: SubscriptionStatus; plan?: string; cancelAtPeriodEnd?: boolean }
        }
      | { plan?: never }
    ))

/** What an event lacks and the API has: the path, and the field of the event's object; null: the object. */
export type Lacking = { path: string; into: 'last_transaction' | 'lines' | 'line_items' | null }

/** `waiting`: the worker reads what it lacks from the processor's API. */
export type NotApplied = { state: 'ignored' | 'waiting' | 'failed'; reason: string; problem?: Problem }

export type PaymentEvent = {
  /** The processor's id of the event. */
  externalId: string
  type: string
  /** Not validated; null when the payment's metadata has none. */
  userIdInMetadata: string | null
  /** The processor's objects that may be linked to the user, the most specific first. */
  refs: string[]
  effects: Effect[]
  /** Why the event is not applied: nothing to do, or an operator has to act first. Else it is an effect. */
  notApplied: NotApplied | null
  /** Without it a payment in `effects` is of the whole product. */
  lacks?: Lacking
  /** Null when the event does not name its mode. */
  mode: Mode | null
}

/**
 * A string that sorts events by the processor's time. Several events share a timestamp, because processors' clocks tick
 * in seconds or milliseconds; `rank`, the position in a subscription's life cycle, and then the id break ties, so that
 * every order of delivery has the same result. A final event (`isEnd`) sorts after all others, so that a failed payment
 * delivered after it changes nothing.
 */
export const sortKeyOf = (atMs: number, rank: number, externalId: string, isEnd = false): string =>
  `${isEnd ? 1 : 0}.${String(Math.round(atMs)).padStart(15, '0')}.${String(rank).padStart(2, '0')}.${externalId}`

/** Sorts the events of a refund or dispute: by the processor's time, their position in it, and the amount. */
export const returnKeyOf = (atMs: number, rank: number, amount = 0): string =>
  sortKeyOf(atMs, rank, String(Math.round(amount)).padStart(15, '0'))

/** Effects as SQL reads them, named like columns. @param collects payments pay first what the user owes */
export const effectsJson = (effects: Effect[], collects = false): object[] =>
  effects.map((effect) =>
    effect.do === 'payment' || effect.do === 'return' || effect.do === 'price'
      ? withColumnNames({ collects, ...effect })
      : effect,
  )

export type Outcome = Pick<PaymentEvent, 'effects' | 'notApplied' | 'lacks'>

/** Both processors' words. An unknown one grants nothing; a missing one is what the event's type implies. */
export const statusAt = (object: unknown, missing: SubscriptionStatus): SubscriptionStatus => {
  const text = textAt(object, 'status')
  return text === null ? missing : (entryOf(statuses, text) ?? 'incomplete')
}
const statuses: Record<string, SubscriptionStatus> = {
  active: 'active',
  scheduled_cancel: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  expired: 'expired',
  incomplete_expired: 'expired',
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

/** Ids of customers and subscriptions, which outlive a payment. */
const LASTING = /^(cust?|sub)_/

/** Links customers and subscriptions to the user, and the other ids of a payment to it as well. */
export const linkPayment = (ids: string[], source: string): Effect[] => [
  linkLasting(ids),
  { do: 'link', ids: ids.filter((id) => !LASTING.test(id)), source },
]
export const linkLasting = (ids: string[]): Effect => ({ do: 'link', ids: ids.filter((id) => LASTING.test(id)) })

/**
 * Binds a checkout's customer to the user that our metadata in the checkout names, which a payer cannot set: other
 * events and the URL of a payment link merely name a customer, and its portal shows another payer's cards and
 * addresses.
 */
export function bindCustomer(checkout: unknown, nameOfUser: string): Effect[] {
  const customer = idAt(checkout, 'customer')
  if (customer === null || textAt(checkout, 'metadata', nameOfUser) === null) return []
  return [{ do: 'link', ids: [customer], byCheckout: true, ...payerIn(checkout) }]
}

/** The user whose customer pays for a team, as our metadata of an object names it. */
export function payerIn(object: unknown): { payerId?: string } {
  const payerId = textAt(object, 'metadata', 'payerId')
  return payerId !== null && isUuid(payerId) ? { payerId } : {}
}

/** A refund or dispute of `amount`, its share of `paid` in another currency; without an amount, of all. */
export function returnOf(
  facts: Pick<Return, 'key' | 'kind' | 'charge' | 'ids' | 'state' | 'at' | 'sortKey'>,
  amount: number | null,
  currency: string | null,
  paid: number | null,
): Return {
  const share = amount !== null && paid ? Math.min(1, amount / paid) : 1
  return { do: 'return', ...facts, amounts: amount === null ? {} : { [currency ?? '']: amount }, share }
}
export type Return = Extract<Effect, { do: 'return' }>

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
  /** The processor's number of it, which tells the order of those of one second. */
  number?: string | null
  /** What was due, with tax and after discounts; what came in money; what a balance covered. */
  total: number
  paid: number
  covered?: number
  /** The price of the product less `value`, where a plan change leaves the rest of the old plan out of the lines. */
  rest?: number
  at: Date
  sortKey: string
  isWhole?: boolean
} & Booked

/** What the books need beside. `tax`: the part of `total` that is tax; `country`: of the payer, in two letters. */
export type Booked = { tax?: number; country?: string | null }

/**
 * The columns of kinora.payment: what was paid, and the credits of its lines. `isWhole`: the event names no amount, so
 * it is taken to be of the whole product.
 */
type Payment = ReturnType<typeof rowsOf>[number]

/** The effects of a payment: the prices of its ids, a row for its plans and one for its packs (README). */
export const paymentOf = (processor: Processor, payment: Paid): Effect[] => [
  ...payment.lines.flatMap(({ product: { soldAs, price, credits }, value }): Effect[] =>
    soldAs === undefined || value <= 0 ? [] : [{ do: 'price', soldAs, ...price, credits }],
  ),
  ...rowsOf(processor, payment),
]

function rowsOf(processor: Processor, payment: Paid) {
  const { orderNo, chain, currency, total, paid, covered = 0, rest = 0, at, sortKey } = payment
  const { tax = 0, country = null } = payment
  const source = `${processor}:${orderNo}`
  return (['subscription', 'pack'] as const).flatMap((kind) => {
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
        do: 'payment' as const,
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
        seq: seqOf(payment),
        rest: Math.max(0, rest),
        low: Math.min(...rates),
        high: Math.max(...rates),
        at,
        validFrom,
        expiresAt: newest.end ?? goodUntil(newest.product, validFrom),
        tax,
        country,
        sortKey,
        ...(payment.isWhole ? { isWhole: true as const } : {}),
      },
    ]
  })
}

/**
 * Sorts payments of one second by the number that the processor gives them in sequence; without one, what brings a
 * balance comes before what uses it.
 */
function seqOf({ number, covered = 0, total, paid }: Paid): string {
  const [digits = ''] = /\d+$/.exec(number ?? '') ?? []
  const amounts = [covered, total, paid].map((amount) => String(1e12 + Math.round(amount)).padStart(13, '0'))
  return [digits.padStart(20, '0'), ...amounts].join('.')
}

/** Whole and at least 1, because a missing or odd quantity must not take credits away from a payer. */
export const wholeQuantity = (quantity: number | null): number => Math.max(1, Math.floor(quantity ?? 1))

// An id or a time that is missing or that the database would reject is null, never an exception: the processor would
// retry a rejected event for days and then drop it.

/** Ids become index keys, and a PostgreSQL B-tree entry holds at most about 2,700 bytes. */
const ID_CHARACTERS_MAX = 250
/** Payments lie within these years. Both JavaScript and PostgreSQL can represent every date between them. */
const EARLIEST_MS = Date.UTC(2000, 0)
const LATEST_MS = Date.UTC(3000, 0)

/** The id of an object that is either expanded or given as its id alone. */
export function idAt(object: unknown, ...path: (string | number)[]): string | null {
  const found = at(object, ...path)
  const id = textAt(found, 'id') ?? textAt(found)
  return id !== null && id.length <= ID_CHARACTERS_MAX ? id : null
}

/** The ids that there are, each once. */
export const idsOf = (...ids: (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** A date string, or milliseconds, also as a string. A date string without a zone is UTC. */
export function dateAt(object: unknown, ...path: (string | number)[]): Date | null {
  const ms = numberAt(object, ...path) ?? msOf(at(object, ...path))
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms) : null
}

/** Date and time without a zone, which JavaScript would read in the zone of this machine. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

const msOf = (value: unknown): number =>
  typeof value === 'string' ? Date.parse(value.trim().replace(WITHOUT_ZONE, '$1T$2Z')) : Number.NaN
