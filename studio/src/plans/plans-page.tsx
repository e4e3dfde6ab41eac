/** Plans: what can be bought, side by side, what one has, and the credits that are on their way. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { dataOf, kinora, modelsQuery } from '../api.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import '../ui/segmented-control.css'
import { Arrival } from './checkout-return.tsx'
import { CurrentSubscription, standing, subscriptionQuery } from './current-subscription.tsx'
import look from './plans-page.module.css'
import { exampleOf, type Product } from './pricing.ts'
import { useLeave } from './processor-redirect.ts'
import { Offer } from './product-card.tsx'

const productsQuery = queryOptions({
  queryKey: ['plans', 'products'],
  queryFn: () => dataOf(kinora.GET('/api/v1/config/plans')),
  staleTime: 5 * 60_000,
})

export function Plans() {
  const { paid, since } = useSearch({ from: '/signed-in/plans' })
  const offered = useQuery(productsQuery)
  const current = useQuery(subscriptionQuery)
  const products = offered.data?.products
  const subscription = current.data?.subscription
  const bought = products?.find(({ id }) => id === paid)
  return (
    <div className="page">
      <title>Plans · Kinora</title>
      <div className="page-head">
        <h1>Plans</h1>
      </div>
      {bought && since ? <Arrival product={bought} sinceMs={since} /> : null}
      {subscription ? (
        <CurrentSubscription
          subscription={subscription}
          product={products?.find(({ id }) => id === subscription.plan)}
        />
      ) : null}
      {current.error && !current.data ? <ErrorState error={current.error} retry={current.refetch} /> : null}
      {offered.error && !offered.data ? <ErrorState error={offered.error} retry={offered.refetch} /> : null}
      {offered.data && (current.data || current.error) ? (
        <Offers {...offered.data} isBusyElsewhere={Boolean(bought && since)} />
      ) : offered.error ? null : (
        <Skeleton />
      )}
    </div>
  )
}

type OffersProps = {
  products: Product[]
  processors: string[]
  /** Something else is the one thing to do next. */
  isBusyElsewhere: boolean
}

function Offers({ products, processors, isBusyElsewhere }: OffersProps) {
  const { every = 'month' } = useSearch({ from: '/signed-in/plans' })
  const made = useQuery(modelsQuery)
  const example = made.isPending ? 'asked' : exampleOf(made.data?.models ?? [])
  const subscription = useQuery(subscriptionQuery).data?.subscription
  const now = standing(subscription)
  const checkout = useLeave((productId: string) =>
    dataOf(kinora.POST('/api/v1/billing/checkout', { body: { productId } })),
  )
  const packs = products.filter(({ kind }) => kind === 'pack')
  const plans = products.filter(({ period }) => period === every)
  const group = now?.runs ? packs : plans
  // The middle one, of the kind that makes sense next; whoever has a plan needs no second one.
  const next = isBusyElsewhere || now?.urgent ? undefined : group[group.length >> 1]
  const offer = (product: Product) => (
    <Offer
      key={product.id}
      product={product}
      example={example}
      primary={product === next}
      busy={checkout.isPending && checkout.variables === product.id}
      disabled={processors.length === 0 || checkout.isPending}
      onBuy={() => checkout.mutate(product.id)}
      instead={now?.runs && product.period ? <Beside isYours={product.id === subscription?.plan} /> : undefined}
    />
  )
  return (
    <>
      {processors.length === 0 ? (
        <p className={look.notice} role="note">
          Payments are not set up here, so nothing can be bought. Ask whoever runs this service for credits.
        </p>
      ) : null}
      {checkout.error ? <ErrorState error={checkout.error} /> : null}
      {plans.length > 0 || products.length > packs.length ? (
        <section className="stack" aria-labelledby="plans">
          <div className="page-head">
            <h2 id="plans">Plans, renewed until you cancel</h2>
            <EveryChoice />
          </div>
          <ul className={look.offers}>{plans.map(offer)}</ul>
        </section>
      ) : null}
      <section className="stack" aria-labelledby="packs">
        <div className="page-head">
          <h2 id="packs">Packs, paid once</h2>
        </div>
        <ul className={look.offers}>{packs.map(offer)}</ul>
      </section>
      {example && example !== 'asked' ? (
        <p className="quiet small">
          Films are counted as {example.film}, {example.credits} credits each. What a film costs stands on its button
          before you press it. Prices are those of the checkout, where taxes may be added.
        </p>
      ) : null}
    </>
  )
}

const Beside = ({ isYours }: { isYours: boolean }) => (
  <p className={look.beside}>
    {isYours ? (
      <span className="mark" data-kind="done">
        Your plan
      </span>
    ) : (
      'To change plans, open your plan above.'
    )}
  </p>
)

function EveryChoice() {
  const { every } = useSearch({ from: '/signed-in/plans' })
  const kept = { activeOptions: { exact: true }, replace: true, resetScroll: false } as const
  return (
    <nav className="segmented-control" aria-label="Charged">
      <Link to="/plans" search={({ every: _, ...rest }) => rest} aria-current={every ? undefined : 'page'} {...kept}>
        Monthly
      </Link>
      <Link to="/plans" search={(before) => ({ ...before, every: 'year' })} aria-current={every && 'page'} {...kept}>
        Yearly
      </Link>
    </nav>
  )
}

const Skeleton = () => (
  <LoadingState label="Loading plans">
    <div className="stack">
      <SkeletonBlock width="240px" height="40px" />
      <div className={look.offers}>
        {[1, 2, 3].map((each) => (
          <SkeletonBlock key={each} height="336px" />
        ))}
      </div>
    </div>
  </LoadingState>
)
