/**
 * The effects of a payment event, as JSON that `payment_receive` in server/sql/payment.sql applies. Each processor's adapter
 * translates its events into these. A payment is identified by its `source`, so that two events for one payment grant once.
 */

export type ReturnState = 'taken' | 'given_back' | 'lost'

/** Why an event needs attention; a label of the metric kinora_payment_events. */
export type Problem = 'unknown_product' | 'unknown_payment' | 'other_mode' | 'lines_missing' | 'no_transaction'

/** The processors keep test payments, which move no money, apart from live ones. */
export type Mode = 'test' | 'live'

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'cancelled' | 'expired' | 'incomplete'

export type Effect =
  | {
      do: 'grant'
      source: string
      transType: 'ORDER_PAY' | 'SUBSCRIPTION'
      credits: number
      validFrom: Date
      expiresAt: Date
      orderNo: string
      remark: string
      /** What was paid, in the currency's smallest unit. */
      paid?: number
    }
  /**
   * A paid transaction of a subscription's period. The first of a period grants `credits`, a later one the difference for the
   * rest of the period.
   */
  | {
      do: 'charge'
      transaction: string
      source: string
      subscription: string
      /** Subscription and start of the period. */
      period: string
      periodStart: Date
      expiresAt: Date
      /** Credits of the plan, for the whole period. */
      credits: number
      remark: string
      chargedAt: Date
      /** How well the event shows which plan the transaction paid for: 0 is best; 3 may repeat an older transaction. */
      evidence: 0 | 1 | 2 | 3
      sortKey: string
      paid?: number
    }
  /**
   * The processor's objects `ids` belong to the event's user and, with `source`, to that payment. `byCheckout`: a checkout that
   * names the user in our metadata bound them, so that the customer's portal may open for the user.
   */
  | { do: 'link'; ids: string[]; source?: string; byCheckout?: true }
  /**
   * A refund or dispute of a payment: of the one that one of `ids` is linked to, or else of `source`. It takes back `part` (0 to
   * 1), or `amount` of what was paid, or `part` of `amount`, or all. `total`: the part returned up to now; alone, as in an event of
   * reconciliation, it takes what no other event of the payment has taken. `given_back`: its funds were reinstated. `lost`: the
   * dispute is final.
   */
  | {
      do: 'claw_back'
      source?: string
      ids: string[]
      key: string
      part?: number
      amount?: number
      total?: number
      state?: ReturnState
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
        }
      | { plan?: never }
    ))

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
