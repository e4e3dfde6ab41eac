/** Plans page: packs and plans side by side, the user's subscription, and the credits of a payment just made. */

import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { balanceQuery, dataOf, kinora, modelsQuery, refreshQueries } from '../api.ts'
import { optionalParams } from '../search-params.ts'
import { membersQuery } from '../team/queries.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { useAction } from '../ui/action-form.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field, useFields } from '../ui/field.tsx'
import { formatCredits, formatDate, formatList, formatNumber } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { CurrentSubscription, subscriptionQuery } from './current-subscription.tsx'
import { Documents } from './documents.tsx'
import { PlanChange } from './plan-change.tsx'
import styles from './plans-page.module.css'
import {
  centsPer100,
  creditsLabel,
  filmCount,
  money,
  type Product,
  periodText,
  type ReferenceFilm,
  referenceFilm,
  validity,
} from './pricing.ts'
import { useProcessorRedirect } from './processor-redirect.ts'
import { productsQuery } from './products-query.ts'
import { describeSubscription } from './subscription-status.ts'
import { TopUp } from './top-up.tsx'
import '../ui/segmented-control.css'

export function PlansPage() {
  const { paid, since, checkout_id, forget } = useCheckout()
  const team = useTeam()
  const catalogue = useQuery(productsQuery)
  const current = useQuery(subscriptionQuery)
  const products = catalogue.data?.products
  const subscription = current.data?.subscription
  const purchased = products?.find(({ id }) => id === paid)
  return (
    <Page title={t`Plans`} aside={null}>
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
      {catalogue.data && catalogue.data.processors.length > 0 && isAtLeast(team, 'owner') ? (
        <>
          <TopUp packs={catalogue.data.products.filter(({ kind }) => kind === 'pack')} />
          <Documents />
        </>
      ) : null}
      {!team && (catalogue.error || (catalogue.data && (current.data || current.error))) ? <RedeemForm /> : null}
    </Page>
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
 * What a checkout has put into the address, kept while the page is open. What the processor added (`signature`,
 * `order_id`) leaves the address at once, and the rest when the credits have arrived: a reload or a bookmark would
 * announce them again.
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
          <SubscriberNote product={product} isCurrent={product.id === subscription?.plan} />
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

const SubscriberNote = ({ product, isCurrent }: { product: Product; isCurrent: boolean }) =>
  isCurrent ? (
    <p className={styles.buttonNote}>
      <Mark kind="done" label={t`Your plan`} />
    </p>
  ) : (
    <PlanChange product={product} />
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

/** The field for a redemption code, and what it has brought. */
function RedeemForm() {
  const { values, text, reset } = useFields({ code: '' })
  const redeem = useAction({
    send: () => dataOf(kinora.POST('/api/v1/credit/redeem', { body: values })),
    refresh: async () => {
      reset()
      refreshQueries(['credit'])
    },
  })
  const { data } = redeem
  return (
    <section className="stack" aria-labelledby="redeem">
      <h2 id="redeem">{t`Redeem a code`}</h2>
      <form
        className={styles.redeem}
        onSubmit={(event) => {
          event.preventDefault()
          redeem.mutate()
        }}
      >
        <Field
          label={t({ message: 'Code', context: 'for credits' })}
          required
          maxLength={100}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck="false"
          {...text('code')}
        />
        <Button type="submit" busy={redeem.isPending} disabled={!values.code.trim()}>
          {t`Redeem`}
        </Button>
      </form>
      {redeem.error ? <ErrorState error={redeem.error} /> : null}
      {data ? (
        <p role="status">
          <Mark
            kind="done"
            label={
              data.replayed
                ? t`You have redeemed this code before: ${formatCredits(data.credits)}, good until ${formatDate(data.expiryDate)}.`
                : t`${formatCredits(data.credits)} have arrived, good until ${formatDate(data.expiryDate)}.`
            }
          />
        </p>
      ) : null}
    </section>
  )
}

type ProductProps = {
  product: Product
  /** 'loading' reserves its line, so that the layout does not shift when it arrives. */
  film: ReferenceFilm | 'loading' | null
  /** Replaces the button; null: nothing does. */
  buttonNote?: ReactNode
  primary: boolean
  busy: boolean
  disabled: boolean
  onBuy: () => void
}

/** Card of one pack or plan: its price, its figures, and the button that buys it. */
function ProductCard({ product, film, buttonNote, primary, busy, disabled, onBuy }: ProductProps) {
  const { name, price, period } = product
  return (
    <li className={styles.product}>
      <h3>{name}</h3>
      <p className={styles.price}>
        {money(price.cents, price.currency)}
        {period ? <span className={styles.period}> {periodText(product)}</span> : null}
      </p>
      <p className={styles.credits}>{creditsLabel(product)}</p>
      <dl className={styles.figures}>
        <dt>{t`Per 100 credits`}</dt>
        <dd>{money(centsPer100(product), price.currency)}</dd>
        {film ? (
          <>
            <dt>{t`Films`}</dt>
            <dd>{film === 'loading' ? null : formatNumber(filmCount(product.credits, film))}</dd>
          </>
        ) : null}
        <dt>{t`Valid for`}</dt>
        <dd>{validity(product)}</dd>
      </dl>
      {buttonNote !== undefined ? (
        buttonNote
      ) : (
        <Button kind={primary ? 'primary' : 'plain'} busy={busy} disabled={disabled} onClick={onBuy}>
          {period ? t`Subscribe` : t`Buy`} · {money(price.cents, price.currency)}
          <span className="hidden-text"> {t`for ${name}`}</span>
        </Button>
      )}
    </li>
  )
}

const POLL_MS = 2_000
const SLOW_POLL_MS = 15_000
/** Card payments are confirmed within this time; bank transfers take days, so polling slows down. */
const FAST_POLLING_MS = 120_000

type CheckoutProps = { product: Product; sinceMs: number; isFinished: boolean; onArrived: () => void }

/**
 * Shown on return from the checkout: polls the credit history until the purchase's transaction appears. Only that
 * transaction proves the payment; the return URL proves nothing. It says whether the payer finished the checkout, which
 * decides the words until then: a processor may return here after a declined card too, and report no such card.
 */
function CheckoutReturn({ product, sinceMs, isFinished, onArrived }: CheckoutProps) {
  const { data: transaction, error } = useQuery({
    queryKey: ['plans', 'checkout-return', product.id, sinceMs],
    queryFn: () => findPurchase(product, sinceMs),
    // `sinceMs` is when the checkout was created: 60 s more allow for the time that the user spends on its page.
    refetchInterval: ({ state: { data } }) =>
      data ? false : Date.now() - sinceMs < FAST_POLLING_MS + 60_000 ? POLL_MS : SLOW_POLL_MS,
    refetchIntervalInBackground: true,
  })
  const { data: current } = useQuery(balanceQuery)
  const hasArrived = Boolean(transaction)
  useEffect(() => {
    if (!hasArrived) return
    refreshQueries(['credit'])
    refreshQueries(['plans', 'subscription'])
    onArrived()
  }, [hasArrived, onArrived])
  return (
    <div role="status" className="panel">
      {transaction ? (
        <>
          <p>
            <Mark kind="done" label={t`${formatCredits(transaction.credits)} have arrived.`} />{' '}
            {current ? t`${formatNumber(current.available)} available.` : ''}
          </p>
          <div>
            <Link to="/" className={buttonClass('primary')}>
              {t`Make a film`}
            </Link>
          </div>
        </>
      ) : (
        <>
          <p>
            <Mark
              kind={isFinished ? 'running' : 'none'}
              label={
                isFinished
                  ? t`Credits arrive as soon as the payment is confirmed.`
                  : t`The checkout was left without a payment that is known here.`
              }
            />
          </p>
          <p className="quiet">
            {isFinished
              ? t`${product.name}, ${formatCredits(product.credits)}. This page looks for them by itself, and you may leave it: they come all the same. A card takes moments, a bank transfer may take days.`
              : t`${product.name}, ${formatCredits(product.credits)}. If the card was declined or you turned back, nothing was bought; choose again below. If you did pay, the credits come by themselves.`}
          </p>
          {error ? <ErrorState error={error} /> : null}
        </>
      )}
    </div>
  )
}

/** The transaction of the purchase; null until it exists. */
async function findPurchase({ kind, credits: purchased }: Product, sinceMs: number) {
  const query = { transType: kind === 'pack' ? ('ORDER_PAY' as const) : ('SUBSCRIPTION' as const), pageSize: 10 }
  const { transactions } = await dataOf(kinora.GET('/api/v1/credit/history', { params: { query } }))
  return transactions.find((t) => t.credits === purchased && Date.parse(t.createdAt) >= sinceMs) ?? null
}
