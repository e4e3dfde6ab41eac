/** The subscription there is: its plan, how it stands, and the way to the processor's pages, where it is looked after. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/states.tsx'
import look from './plans-page.module.css'
import type { Product } from './pricing.ts'
import { useLeave } from './processor-redirect.ts'
import { type Standing, type Subscription, standingOf } from './subscription-status.ts'

export const subscriptionQuery = queryOptions({
  queryKey: ['plans', 'subscription'],
  queryFn: () => dataOf(kinora.GET('/api/v1/billing/subscription')),
  // What was done on the processor's pages comes by webhook, some moments after its owner is back.
  refetchInterval: 15_000,
})

export const standing = (subscription: Subscription | null | undefined): Standing | null =>
  subscription ? standingOf(subscription) : null

export function CurrentSubscription({
  subscription,
  product,
}: {
  subscription: Subscription
  product: Product | undefined
}) {
  const { word, kind, next, step, urgent } = standingOf(subscription)
  const portal = useLeave(() => dataOf(kinora.POST('/api/v1/billing/portal')))
  return (
    <section className={`panel ${look.current}`} aria-labelledby="subscription">
      <div className={look.currentHead}>
        <div>
          <h2 id="subscription">{product?.name ?? subscription.plan ?? 'Your plan'}</h2>
          <p>
            <span className="mark" data-kind={kind}>
              {word}
            </span>
          </p>
        </div>
        <Button kind={urgent ? 'primary' : 'plain'} busy={portal.isPending} onClick={() => portal.mutate(undefined)}>
          {step}
        </Button>
      </div>
      <p>{next}</p>
      {portal.error ? <ErrorState error={portal.error} /> : null}
    </section>
  )
}
