/**
 * The effects of a payment event, as JSON that `payment_receive` in server/sql/payment.sql applies. Each processor's adapter
 * translates its events into these; README.md has the rule. A payment is identified by its `source`, so that two events for one payment grant once.
 */

/** Why an event needs attention; a label of the metric kinora_payment_events. */
export type Problem = 'unknown_product' | 'unknown_payment' | 'other_mode' | 'lines_missing' | 'no_transaction'

/** The processors keep test payments, which move no money, apart from live ones. */
export type Mode = 'test' | 'live'

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'cancelled' | 'expired' | 'incomplete'

export type Effect =
  /**
   * What was paid, and the credits of its lines: the columns of kinora.payment. `isWhole`: the event names no amount, so it is taken to
   * be of the whole product.
   */
  | {
      do: 'payment'
      source: string
      part: '' | ':pack'
      chain: string
      transType: 'ORDER_PAY' | 'SUBSCRIPTION'
      orderNo: string
      remark: string
      currency: string
      credits: number
      cap: number
      value: number
      total: number
      paid: number
      covered: number
      rest: number
      low: number
      high: number
      at: Date
      validFrom: Date
      expiresAt: Date
      sortKey: string
      isWhole?: true
    }
  /**
   * The processor's objects `ids` belong to the event's user and, with `source`, to that payment. `byCheckout`: a checkout that
   * names the user in our metadata bound them, so that the customer's portal may open for the user.
   */
  | { do: 'link'; ids: string[]; source?: string; byCheckout?: true }
  /**
   * A refund or dispute of the payment that one of `ids` is linked to: the columns of kinora.payment_return. `amounts`: what it takes, by
   * currency, in which '' is the payment's; `share`, of the payment, where none of them is the payment's.
   */
  | {
      do: 'return'
      key: string
      kind: 'refund' | 'dispute' | 'refunded' | 'returned'
      charge: string
      ids: string[]
      amounts: Record<string, number>
      share: number
      state: 'taken' | 'given back' | 'failed'
      sortKey: string
    }
  | ({
      do: 'subscription'
      externalId: string
      customer: string | null
      sortKey: string
      status?: SubscriptionStatus
      /** Changes a record and makes none: a subscription of no known product may be another shop's. */
      onlyKnown?: true
    } & (
      | {
          /** Null: its product is in no catalogue entry, and the record keeps its plan. */
          plan: string | null
          periodStart: Date | null
          periodEnd: Date | null
          cancelAtPeriodEnd: boolean
          cancelledAt: Date | null
          /** Events of one second: `previous` is what was so before this one; `current`: the API shows that it is so now. */
          tie?: 'unknown' | 'previous' | 'current'
          previous?: { status?: SubscriptionStatus; plan?: string; cancelAtPeriodEnd?: boolean }
        }
      | { plan?: never }
    ))

/** What an event lacks and the processor's API has: the path, and the field of the event's object into which it goes. */
export type Lacking = { path: string; into: 'last_transaction' | 'lines' | 'line_items' }

/** `retry`: the worker tries it again, because the processor's API may answer then. */
export type NotApplied = { state: 'ignored' | 'failed'; reason: string; problem?: Problem; retry?: true }

export type PaymentEvent = {
  /** The processor's id of the event. */
  externalId: string
  type: string
  /** Not validated; null when the payment's metadata has none. */
  userIdInMetadata: string | null
  /** The processor's objects that may be linked to the user, the most specific first. */
  refs: string[]
  effects: Effect[]
  /** Why the event is not applied: nothing to do, or an operator has to act first. What needs no operator is an effect even then. */
  notApplied: NotApplied | null
  /** Without it a payment in `effects` is of the whole product. */
  lacks?: Lacking
  /** Null when the event does not name its mode. */
  mode: Mode | null
}

/**
 * A string that sorts events by the processor's time. Several events share a timestamp, because processors' clocks tick in
 * seconds or milliseconds; `rank`, the position in a subscription's life cycle, and then the id break ties, so that every
 * order of delivery has the same result. A final event (`isEnd`) sorts after all others, so that a failed payment delivered
 * after it changes nothing.
 */
export const sortKeyOf = (atMs: number, rank: number, externalId: string, isEnd = false): string =>
  `${isEnd ? 1 : 0}.${String(Math.round(atMs)).padStart(15, '0')}.${String(rank).padStart(2, '0')}.${externalId}`

/** Sorts the events of a refund or dispute: by the processor's time, their position in it, and the amount. */
export const returnKeyOf = (atMs: number, rank: number, amount = 0): string =>
  sortKeyOf(atMs, rank, String(Math.round(amount)).padStart(15, '0'))

/** Effects as SQL reads them: those of a table have the names of its columns. @param collects payments pay first what the user owes */
export const effectsJson = (effects: Effect[], collects = false): object[] =>
  effects.map((effect) =>
    effect.do === 'payment' || effect.do === 'return'
      ? { collects, ...Object.fromEntries(Object.entries(effect).map(([name, value]) => [columnOf(name), value])) }
      : effect,
  )

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
