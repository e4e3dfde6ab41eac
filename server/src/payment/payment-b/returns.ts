/** payment-b's refunds and disputes: what they take back of a payment, and when. */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import type { ReturnState } from '../effect.ts'
import { idAt } from '../event-reader.ts'
import { effectsOf, failed, ignored, type Outcome } from '../outcome.ts'

/**
 * `amount_refunded` is the cumulative refund, so the charge's id is the key and its part only grows. The charge's amount goes with it,
 * because the charge may have paid only a part of an invoice.
 */
export function refund(charge: unknown): Outcome {
  const amount = numberAt(charge, 'amount') ?? 0
  const refunded = numberAt(charge, 'amount_refunded') ?? amount
  const part = amount > 0 ? Math.min(1, refunded / amount) : 1
  if (part <= 0) return ignored('Nothing was refunded.')
  return returned(charge, 'taken', part)
}

/** Statuses of a dispute without a withdrawal: inquiries (`warning_*`), and a dispute that was prevented. */
const withoutWithdrawal = /^(warning_|prevented$)/

/**
 * A dispute takes credits when its funds are withdrawn, which happens as it is created, unless it is an inquiry. Its
 * `balance_transactions` show the withdrawal; an event without that list counts by its status.
 */
export function dispute(object: unknown): Outcome {
  const status = textAt(object, 'status') ?? 'needs_response'
  if (status === 'won') return returned(object, 'given_back')
  if (status === 'lost') return returned(object, 'lost')
  const movements = at(object, 'balance_transactions')
  const isWithdrawn = !Array.isArray(movements) || movements.some((each) => (numberAt(each, 'amount') ?? -1) < 0)
  if (withoutWithdrawal.test(status) || !isWithdrawn) return ignored('No funds were withdrawn.')
  return returned(object, 'taken')
}

/** What the object's amount is of the payment, in proportion to what was paid. @param part of that amount; without it all of it */
export function returned(object: unknown, state: ReturnState, part?: number): Outcome {
  const key = idAt(object)
  if (!key) return failed('It has no id.')
  const amount = numberAt(object, 'amount')
  // The payment first: one-time grants are identified by it. An invoice identifies a subscription's grant.
  const ids = [idAt(object, 'payment_intent'), idAt(object, 'invoice'), idAt(object, 'charge'), key]
  return effectsOf({
    do: 'claw_back',
    ids: ids.filter((id) => id !== null),
    key,
    state,
    ...(part === undefined ? {} : { part }),
    ...(amount !== null && amount > 0 ? { amount: Math.round(amount) } : {}),
  })
}
