/**
 * The effects of a payment event, as JSON that `payment_receive` in server/sql/payment.sql applies. Each processor's adapter
 * translates its events into these. A payment is identified by its `source`, so that two events for one payment grant once.
 */

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'cancelled' | 'expired' | 'incomplete'

export type Effect =
  | {
      do: 'grant'
      source: string
      transType: 'ORDER_PAY' | 'SUBSCRIPTION'
      credits: number
      expiresAt: Date
      orderNo: string
      remark: string
    }
  /** The processor's objects `ids` belong to the event's user and, with `source`, to that payment. */
  | { do: 'link'; ids: string[]; source?: string }
  /** A refund claim on `part` (0 to 1) of a payment: that of `source`, or the one that one of `ids` is linked to. */
  | { do: 'claw_back'; source?: string; ids: string[]; key: string; part: number }
  | ({
      do: 'subscription'
      externalId: string
      customer: string | null
      sortKey: string
      status?: SubscriptionStatus
    } & (
      | {
          plan: string | null
          periodStart: Date | null
          periodEnd: Date | null
          cancelAtPeriodEnd: boolean
          cancelledAt: Date | null
        }
      | { plan?: never }
    ))

export type PaymentEvent = {
  /** The processor's id of the event. */
  externalId: string
  type: string
  /** The user id in the payment's metadata, not validated; null when there is none. */
  named: string | null
  /** The processor's objects that may be linked to the user, the most specific first. */
  refs: string[]
  effects: Effect[]
  /** Why there are no effects: nothing to do, or an operator has to act first. */
  without: { state: 'ignored' | 'failed'; reason: string } | null
}

/**
 * A string that sorts events by the processor's time. Several events share a timestamp, because processors' clocks tick in
 * seconds or milliseconds; `rank`, the position in a subscription's life cycle, and then the id break ties, so that every
 * order of delivery has the same result. A final event (`isEnd`) sorts after all others, so that a failed payment delivered
 * after it changes nothing.
 */
export const sortKeyOf = (atMs: number, rank: number, externalId: string, isEnd = false): string =>
  `${isEnd ? 1 : 0}.${String(Math.round(atMs)).padStart(15, '0')}.${String(rank).padStart(2, '0')}.${externalId}`
