/** A subscription in words: how it stands, what comes next, and what its owner may have to do. */
import type { DataOf } from '@kinora/client'
import { formatDate } from '../ui/format.ts'

export type Subscription = NonNullable<DataOf<'get', '/api/v1/billing/subscription'>['subscription']>

export type Standing = {
  word: string
  kind: 'done' | 'failed' | 'running' | 'none'
  /** One or two sentences. */
  next: string
  /** What the button that opens the processor's pages says. */
  step: string
  /** It runs: another one would be paid for beside it. */
  runs: boolean
  /** Nothing else on the page matters as much. */
  urgent: boolean
}

export function standingOf(subscription: Subscription): Standing {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, cancelledAt } = subscription
  const end = currentPeriodEnd ? formatDate(currentPeriodEnd) : null
  const usual = { step: 'Manage or cancel', runs: true, urgent: false }
  const over = { step: 'See receipts', runs: false, urgent: false, kind: 'none' as const }
  const kept = 'Credits that you have stay yours until they expire.'
  if (status === 'past_due')
    return {
      ...usual,
      word: 'Payment failed',
      kind: 'failed',
      next: 'The last payment did not go through, so no new credits have come. Pay or change the card to keep the plan.',
      step: 'Fix the payment',
      urgent: true,
    }
  if (status === 'incomplete')
    return {
      ...usual,
      word: 'Not paid yet',
      kind: 'running',
      next: 'The first payment is still open.',
      step: 'Finish paying',
    }
  if (status === 'cancelled' || status === 'expired') {
    const day = cancelledAt ? formatDate(cancelledAt) : end
    return {
      ...over,
      word: status === 'cancelled' ? 'Cancelled' : 'Ended',
      next: `${day ? `Ended on ${day}. ` : ''}${kept}`,
    }
  }
  if (cancelAtPeriodEnd)
    return {
      ...usual,
      word: 'Cancelled, still running',
      kind: 'running',
      next: `${end ? `Ends on ${end} and is not charged again.` : 'It is not charged again.'} ${kept}`,
      step: 'Manage or resume',
    }
  if (status === 'trialing')
    return {
      ...usual,
      word: 'On trial',
      kind: 'done',
      next: end ? `The first payment is on ${end}.` : 'The first payment is still to come.',
    }
  return { ...usual, word: 'Active', kind: 'done', next: end ? `Renews on ${end}.` : 'Renews by itself.' }
}
