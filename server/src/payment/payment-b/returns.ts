/** payment-b's refunds and disputes: what they take back of a payment, and when. */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import type { Effect } from '../effect.ts'
import { returnKeyOf } from '../effect.ts'
import { idAt } from '../event-reader.ts'
import { effectsOf, failed, ignored, type Outcome } from '../outcome.ts'
import { currencyAt } from './lines.ts'

type Return = Extract<Effect, { do: 'return' }>

/** `amount_refunded` is what was refunded of the charge in all. */
export function refunded(charge: unknown, atMs: number): Outcome {
  const amount = numberAt(charge, 'amount')
  const total = numberAt(charge, 'amount_refunded') ?? amount
  if (total !== null && total <= 0) return ignored('Nothing was refunded.')
  const amounts: Record<string, number> = total === null ? {} : { [currencyAt(charge) ?? '']: total }
  const share = total !== null && amount ? Math.min(1, total / amount) : 1
  return returned(charge, {
    kind: 'refunded',
    amounts,
    share,
    state: 'taken',
    sortKey: returnKeyOf(atMs, 0, total ?? 0),
  })
}

/** A refund that has failed or was cancelled is undone; any other one shows in the total of its charge. */
export function refund(object: unknown, atMs: number): Outcome {
  const state = textAt(object, 'status')
  if (state !== 'failed' && state !== 'canceled') return ignored('The charge shows what was refunded.')
  const amounts = { [currencyAt(object) ?? '']: numberAt(object, 'amount') ?? 0 }
  return returned(object, { kind: 'refund', amounts, share: 0, state: 'failed', sortKey: returnKeyOf(atMs, 1) })
}

/** The positions of events of one second; those with a final status come behind all others. */
const ranks = ['created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed']

/**
 * A dispute takes the net of its `balance_transactions`, whatever its status. Without that list its status decides, and the event's
 * type. An inquiry (`warning_*`) and a prevented dispute withdraw nothing.
 */
export function dispute(object: unknown, atMs: number, type: string): Outcome {
  const status = textAt(object, 'status') ?? 'needs_response'
  if (/^(warning_|prevented$)/.test(status)) return ignored('No funds were withdrawn.')
  const list = at(object, 'balance_transactions')
  const moves = Array.isArray(list) ? list.map((each) => numberAt(each, 'amount') ?? 0) : []
  const isGivenBack = status === 'won' || (type === 'funds_reinstated' && status !== 'lost')
  if (moves.length === 0 && Array.isArray(list) && status !== 'lost' && !isGivenBack)
    return ignored('No funds were withdrawn.')
  // In the currency of the account, which may not be that of the payment.
  const net = -moves.reduce((sum, amount) => sum + amount, 0)
  const withdrawn = Math.max(0, ...moves.map((amount) => -amount))
  const share = moves.length === 0 ? Number(!isGivenBack) : Math.min(1, Math.max(0, net / (withdrawn || 1)))
  const amount = numberAt(object, 'amount')
  const own = currencyAt(object) ?? ''
  const amounts: Record<string, number> = amount === null ? {} : { [own]: Math.round(amount * share) }
  const movedIn = Array.isArray(list) ? currencyAt(list[0]) : null
  if (movedIn !== null && movedIn !== own) amounts[movedIn] = Math.max(0, net)
  return returned(object, {
    kind: 'dispute',
    amounts,
    share,
    state: share > 0 ? 'taken' : 'given back',
    // The list only grows.
    sortKey: returnKeyOf(
      atMs,
      (/^(won|lost)$/.test(status) ? 50 : 0) + Math.min(4, moves.length) * 10 + ranks.indexOf(type),
    ),
  })
}

function returned(object: unknown, facts: Pick<Return, 'kind' | 'amounts' | 'share' | 'state' | 'sortKey'>): Outcome {
  const key = idAt(object)
  if (!key) return failed('It has no id.')
  // The payment first: one-time grants are identified by it. An invoice identifies a subscription's grant.
  const ids = [idAt(object, 'payment_intent'), idAt(object, 'invoice'), idAt(object, 'charge'), key]
  const charge = idAt(object, 'charge') ?? key
  return effectsOf({ do: 'return', key, charge, ids: ids.filter((id) => id !== null), ...facts })
}
