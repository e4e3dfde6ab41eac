/** The user's subscription: plan, status, and the button to the processor's billing portal. */

import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { ErrorState } from '../ui/states.tsx'
import styles from './plans-page.module.css'
import type { Product } from './pricing.ts'
import { useProcessorRedirect } from './processor-redirect.ts'
import { describeSubscription, type Subscription } from './subscription-status.ts'

export const subscriptionQuery = queryOptions({
  queryKey: ['plans', 'subscription'],
  queryFn: () => dataOf(kinora.GET('/api/v1/billing/subscription')),
  // A change made in the billing portal arrives by webhook, seconds after the user has returned.
  refetchInterval: 15_000,
})

type Props = { subscription: Subscription; product: Product | undefined }

export function CurrentSubscription({ subscription, product }: Props) {
  const { label, kind, next, portalLabel, isUrgent } = describeSubscription(subscription)
  const isPayer = isAtLeast(useTeam(), 'owner')
  const portal = useProcessorRedirect(() => dataOf(kinora.POST('/api/v1/billing/portal')))
  return (
    <section className={`panel ${styles.subscription}`} aria-labelledby="subscription">
      <div className="page-head">
        <div>
          <h2 id="subscription">{product?.name ?? subscription.plan ?? t`Your plan`}</h2>
          <p>
            <Mark kind={kind} label={label} />
          </p>
        </div>
        {portalLabel && isPayer ? (
          <Button
            kind={isUrgent ? 'primary' : 'plain'}
            busy={portal.isPending}
            onClick={() => portal.mutate(undefined)}
          >
            {portalLabel}
          </Button>
        ) : null}
      </div>
      <p>{next}</p>
      {portal.error ? <ErrorState error={portal.error} /> : null}
    </section>
  )
}
