/** Describes a subscription for its owner: status label, what happens next, and the portal button's label. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { formatDate } from '../ui/format.ts'

export type Subscription = Schemas['Subscription']

type SubscriptionStatus = {
  label: string
  kind: 'done' | 'failed' | 'running' | 'none'
  /** What happens next, in one or two sentences. */
  next: string
  /** null: there is nothing to do in the portal, which opens with the first payment. */
  portalLabel: string | null
  /** The subscription is running: a second one would be charged in addition. */
  isRunning: boolean
  /** The payment needs the owner's attention: the portal's button is the page's primary action. */
  isUrgent: boolean
}

export function describeSubscription(subscription: Subscription): SubscriptionStatus {
  const { status, isRetried, currentPeriodEnd, cancelAtPeriodEnd, cancelledAt } = subscription
  const end = currentPeriodEnd ? formatDate(currentPeriodEnd) : null
  const running = { portalLabel: t`Manage or cancel`, isRunning: true, isUrgent: false }
  const ended = { portalLabel: t`See receipts`, isRunning: false, isUrgent: false, kind: 'none' as const }
  const creditsStay = t`Credits that you have stay yours until they expire.`
  if (status === 'past_due')
    return {
      ...running,
      label: t`Payment failed`,
      kind: 'failed',
      next: t`The last payment did not go through, so no new credits have come. Pay or change the card to keep the plan.`,
      portalLabel: t`Fix the payment`,
      isUrgent: true,
    }
  if (status === 'incomplete')
    return {
      ...ended,
      label: t`Not paid`,
      next: t`The first payment has not gone through. If it failed or you left it, subscribe again.`,
      portalLabel: null,
    }
  if (status === 'cancelled' || status === 'expired') {
    const day = cancelledAt ? formatDate(cancelledAt) : end
    return {
      ...ended,
      ...(isRetried ? { portalLabel: running.portalLabel } : {}),
      label: status === 'cancelled' ? t`Cancelled` : t`Ended`,
      next: [
        ...(day ? [t`Ended on ${day}.`] : []),
        ...(isRetried ? [t`The payment may be tried again; cancel it to prevent that.`] : []),
        creditsStay,
      ].join(' '),
    }
  }
  if (cancelAtPeriodEnd)
    return {
      ...running,
      label: t`Cancelled, still running`,
      kind: 'running',
      next: `${end ? t`Ends on ${end} and is not charged again.` : t`It is not charged again.`} ${creditsStay}`,
      portalLabel: t`Manage or resume`,
    }
  if (status === 'trialing')
    return {
      ...running,
      label: t`On trial`,
      kind: 'done',
      next: end ? t`The first payment is on ${end}.` : t`The first payment is still to come.`,
    }
  return { ...running, label: t`Active`, kind: 'done', next: end ? t`Renews on ${end}.` : t`Renews by itself.` }
}
