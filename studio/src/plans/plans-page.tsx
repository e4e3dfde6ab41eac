/** Plans page: packs and plans side by side, the user's subscription, and the credits of a payment that was just made. */
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { dataOf, kinora, modelsQuery } from '../api.ts'
import { optionalParams } from '../search-params.ts'
import { membersQuery } from '../team/queries.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { formatList } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import '../ui/segmented-control.css'
import { CheckoutReturn } from './checkout-return.tsx'
import { CurrentSubscription, subscriptionQuery } from './current-subscription.tsx'
import styles from './plans-page.module.css'
import { type Product, referenceFilm } from './pricing.ts'
import { useProcessorRedirect } from './processor-redirect.ts'
import { ProductCard } from './product-card.tsx'
import { productsQuery } from './products-query.ts'
import { RedeemForm } from './redeem-form.tsx'
import { describeSubscription } from './subscription-status.ts'

export function PlansPage() {
  const { paid, since, checkout_id, forget } = useCheckout()
  const team = useTeam()
  const catalogue = useQuery(productsQuery)
  const current = useQuery(subscriptionQuery)
  const products = catalogue.data?.products
  const subscription = current.data?.subscription
  const purchased = products?.find(({ id }) => id === paid)
  return (
    <div className="page">
      <PageTitle of={[t`Plans`]} />
      <div className="page-head">
        <h1>{t`Plans`}</h1>
      </div>
      <p className="quiet">
        {t`Credits pay for films, and come back when a film fails. What a film costs stands on its button before you press it.`}
      </p>
      {team ? <PayersNote team={team} /> : null}
      {purchased && since ? (
        <CheckoutReturn product={purchased} sinceMs={since} isFinished={checkout_id !== undefined} onArrived={forget} />
      ) : null}
      {subscription ? (
        <CurrentSubscription
          subscription={subscription}
          product={products?.find(({ id }) => id === subscription.plan)}
        />
      ) : null}
      {current.error && !current.data ? <ErrorState error={current.error} retry={current.refetch} /> : null}
      {catalogue.error && !catalogue.data ? <ErrorState error={catalogue.error} retry={catalogue.refetch} /> : null}
      {catalogue.data && (current.data || current.error) ? (
        <Catalogue {...catalogue.data} hasPrimaryAction={Boolean(purchased && since && checkout_id)} />
      ) : catalogue.error ? null : (
        <Skeleton />
      )}
      {/* Below the products: shown before them it would move. */}
      {!team && (catalogue.error || (catalogue.data && (current.data || current.error))) ? <RedeemForm /> : null}
    </div>
  )
}

/** Says that a purchase is the team's, which members may make it, and where any member moves own credits in. */
function PayersNote({ team }: { team: NonNullable<ReturnType<typeof useTeam>> }) {
  const { data } = useQuery(membersQuery)
  const owners = data?.members.filter(({ role }) => role === 'owner').map(({ name }) => name) ?? []
  return (
    <>
      {isAtLeast(team, 'owner') ? (
        <p className="quiet">{t`What you buy here is for the team ${team.name}. Its owners share the plan.`}</p>
      ) : owners.length > 0 ? (
        <p role="note">{t`The owners of the team ${team.name} buy its credits: ${formatList(owners)}.`}</p>
      ) : null}
      <p className="quiet">
        <Trans>
          Own credits can be moved into the team on the page <Link to="/credits">Credits</Link>.
        </Trans>
      </p>
    </>
  )
}

/**
 * What a checkout has put into the address, kept while the page is open. What the processor added (`signature`, `order_id`) leaves the
 * address at once, and the rest when the credits have arrived: a reload or a bookmark would announce them again.
 */
function useCheckout() {
  const navigate = useNavigate()
  const { every, paid, since, checkout_id } = useSearch({ from: '/signed-in/plans' })
  const [checkout] = useState({ paid, since, checkout_id })
  useEffect(() => {
    if (paid)
      navigate({
        to: '/plans',
        search: optionalParams({ every, paid, since, checkout_id }),
        replace: true,
        resetScroll: false,
      })
  }, [navigate, every, paid, since, checkout_id])
  const forget = useCallback(
    () =>
      navigate({
        to: '/plans',
        search: (before) => optionalParams({ every: before.every }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return { ...checkout, forget }
}

type CatalogueProps = {
  products: Product[]
  processors: string[]
  /** The page has its primary action above: no product is highlighted. */
  hasPrimaryAction: boolean
}

function Catalogue({ products, processors, hasPrimaryAction }: CatalogueProps) {
  const { every = 'month' } = useSearch({ from: '/signed-in/plans' })
  const modelList = useQuery(modelsQuery)
  const film = modelList.isPending ? 'loading' : referenceFilm(modelList.data?.models ?? [])
  const isPayer = isAtLeast(useTeam(), 'owner')
  const subscription = useQuery(subscriptionQuery).data?.subscription
  const status = subscription ? describeSubscription(subscription) : null
  const checkout = useProcessorRedirect((productId: string) =>
    dataOf(kinora.POST('/api/v1/billing/checkout', { body: { productId } })),
  )
  const packs = products.filter(({ kind }) => kind === 'pack')
  const plans = products.filter(({ period }) => period === every)
  const group = status?.isRunning ? packs : plans
  // The middle product is highlighted: of the packs for a subscriber, who needs no second plan, otherwise of the plans.
  const highlighted = hasPrimaryAction || status?.isUrgent ? undefined : group[group.length >> 1]
  const renderCard = (product: Product) => (
    <ProductCard
      key={product.id}
      product={product}
      film={film}
      primary={product === highlighted}
      busy={checkout.isPending && checkout.variables === product.id}
      disabled={processors.length === 0 || checkout.isPending}
      onBuy={() => checkout.mutate(product.id)}
      buttonNote={
        !isPayer ? null : status?.isRunning && product.period ? (
          <SubscriberNote isCurrent={product.id === subscription?.plan} />
        ) : undefined
      }
    />
  )
  return (
    <>
      {processors.length === 0 ? (
        <p className={styles.notice} role="note">
          {t`Payments are not set up here, so nothing can be bought. Ask the operator of this service for credits.`}
        </p>
      ) : null}
      {checkout.error ? <ErrorState error={checkout.error} /> : null}
      {plans.length > 0 || products.length > packs.length ? (
        <section className="stack" aria-labelledby="plans">
          <div className="page-head">
            <h2 id="plans">{t`Plans, renewed until you cancel`}</h2>
            <PeriodNav />
          </div>
          <ul className={styles.products}>{plans.map(renderCard)}</ul>
        </section>
      ) : null}
      <section className="stack" aria-labelledby="packs">
        <div className="page-head">
          <h2 id="packs">{t`Packs, paid once`}</h2>
        </div>
        <ul className={styles.products}>{packs.map(renderCard)}</ul>
      </section>
      {film && film !== 'loading' ? (
        <p className="quiet small">
          {t`Films are counted as ${film.description}, ${plural(film.credits, { one: '# credit', other: '# credits' })} each. Prices are those of the checkout, where taxes may be added.`}
        </p>
      ) : null}
    </>
  )
}

const SubscriberNote = ({ isCurrent }: { isCurrent: boolean }) => (
  <p className={styles.buttonNote}>
    {isCurrent ? (
      <span className="mark" data-kind="done">
        {t`Your plan`}
      </span>
    ) : (
      t`To change plans, open your plan above.`
    )}
  </p>
)

function PeriodNav() {
  const { every } = useSearch({ from: '/signed-in/plans' })
  const linkProps = { activeOptions: { exact: true }, replace: true, resetScroll: false } as const
  return (
    <nav className="segmented-control" aria-label={t`Charged`}>
      <Link
        to="/plans"
        search={({ every: _, ...rest }) => rest}
        aria-current={every ? undefined : 'page'}
        {...linkProps}
      >
        {t`Monthly`}
      </Link>
      <Link
        to="/plans"
        search={(before) => ({ ...before, every: 'year' })}
        aria-current={every && 'page'}
        {...linkProps}
      >
        {t`Yearly`}
      </Link>
    </nav>
  )
}

const Skeleton = () => (
  <LoadingState label={t`Loading plans`}>
    <div className="stack">
      <SkeletonBlock width="240px" height="40px" />
      <div className={styles.products}>
        {[1, 2, 3].map((each) => (
          <SkeletonBlock key={each} height="336px" />
        ))}
      </div>
    </div>
  </LoadingState>
)
