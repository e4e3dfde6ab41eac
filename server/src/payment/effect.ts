/**
 * What an event of a processor amounts to, in the words that server/sql/payment.sql applies. An adapter translates into
 * these and does nothing else; what has been paid for is named by a source, so that two events for one payment are one.
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
  /** These objects of the processor are this user's, and paid for this source. */
  | { do: 'link'; ids: string[]; source?: string }
  /** `part`, from 0 to 1, of a payment went back: of this source, or of the one that an object leads to. */
  | { do: 'claw_back'; source?: string; ids: string[]; key: string; part: number }
  | ({ do: 'subscription'; externalId: string; customer: string | null; order: string; status?: SubscriptionStatus } & (
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
  /** The processor's own id of the event. */
  externalId: string
  type: string
  /** The user id in the payment's metadata, unchecked; null when there is none. */
  named: string | null
  /** Objects that may tell whose it is, the surest first. */
  refs: string[]
  effects: Effect[]
  /** Why there are no effects: nothing to do, or something that an operator has to mend first. */
  without: { state: 'ignored' | 'failed'; reason: string } | null
}

/**
 * A text that is greater for the later of two events. Processors' clocks tick in seconds or milliseconds, so several
 * events share one; then what comes later in a subscription's life counts as later, and last the id, so that every
 * order of arrival ends the same.
 * An end that nothing revives (`isEnd`) is later than everything, so that a failed payment told after it changes nothing.
 */
export const eventOrder = (atMs: number, rank: number, externalId: string, isEnd = false): string =>
  `${isEnd ? 1 : 0}.${String(Math.round(atMs)).padStart(15, '0')}.${String(rank).padStart(2, '0')}.${externalId}`
