/** Describes a subscription for its owner: status label, what happens next, and the label of the billing portal's button. */
import type { DataOf } from '@kinora/client'
import { formatDate } from '../ui/format.ts'

export type Subscription = NonNullable<DataOf<'get', '/api/v1/billing/subscription'>['subscription']>

type SubscriptionStatus = {
  label: string
  kind: 'done' | 'failed' | 'running' | 'none'
  /** What happens next, in one or two sentences. */
  next: string
  portalLabel: string
  /** The subscription is running: a second one would be charged in addition. */
  isRunning: boolean
  /** The payment needs the owner's attention: the portal's button is the page's primary action. */
  isUrgent: boolean
}

export function describeSubscription(subscription: Subscription): SubscriptionStatus {
  const { status, processor, currentPeriodEnd, cancelAtPeriodEnd, cancelledAt } = subscription
  const end = currentPeriodEnd ? formatDate(currentPeriodEnd) : null
  const running = { portalLabel: 'Manage or cancel', isRunning: true, isUrgent: false }
  const ended = { portalLabel: 'See receipts', isRunning: false, isUrgent: false, kind: 'none' as const }
  const creditsStay = 'Credits that you have stay yours until they expire.'
  if (status === 'past_due')
    return {
      ...running,
      label: 'Payment failed',
      kind: 'failed',
      next: 'The last payment did not go through, so no new credits have come. Pay or change the card to keep the plan.',
      portalLabel: 'Fix the payment',
      isUrgent: true,
    }
  if (status === 'incomplete')
    return {
      ...running,
      label: 'Not paid yet',
      kind: 'running',
      next: 'The first payment is still open.',
      portalLabel: 'Finish paying',
    }
  if (status === 'cancelled' || status === 'expired') {
    // payment-a retries the payment of an expired subscription until it is cancelled.
    const isRetried = status === 'expired' && processor === 'payment-a' && !cancelledAt && !cancelAtPeriodEnd
    const day = cancelledAt ? formatDate(cancelledAt) : end
    return {
      ...ended,
      ...(isRetried ? { portalLabel: running.portalLabel } : {}),
      label: status === 'cancelled' ? 'Cancelled' : 'Ended',
      next: [
        ...(day ? [`Ended on ${day}.`] : []),
        ...(isRetried ? ['The payment may be tried again; cancel it to prevent that.'] : []),
        creditsStay,
      ].join(' '),
    }
  }
  if (cancelAtPeriodEnd)
    return {
      ...running,
      label: 'Cancelled, still running',
      kind: 'running',
      next: `${end ? `Ends on ${end} and is not charged again.` : 'It is not charged again.'} ${creditsStay}`,
      portalLabel: 'Manage or resume',
    }
  if (status === 'trialing')
    return {
      ...running,
      label: 'On trial',
      kind: 'done',
      next: end ? `The first payment is on ${end}.` : 'The first payment is still to come.',
    }
  return { ...running, label: 'Active', kind: 'done', next: end ? `Renews on ${end}.` : 'Renews by itself.' }
}
