/** Pages of payments and of subscriptions of all users, the latest first: searched by user or processor's id, filtered by state and period. */
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dataOf, kinora } from '../api.ts'
import { optionalParams } from '../search-params.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { SearchField } from '../ui/search-field.tsx'
import '../ui/segmented-control.css'
import { type Days, daysParam, firstDay, PeriodSelect } from '../ui/period-select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { keysetPagination } from './queries.ts'
import { PaymentTable, SubscriptionTable } from './user-payments.tsx'
import styles from './videos-page.module.css'

const paymentStates = {
  kept: t`Kept`,
  returned_in_part: t`Returned in part`,
  returned: t`Returned`,
}
const subscriptionStates = {
  active: t`Active`,
  trialing: t`On trial`,
  past_due: t`Payment failed`,
  incomplete: t`Not paid`,
  cancelled: t`Cancelled`,
  expired: t`Ended`,
}
type Filter<State> = { q?: string; state?: State; days?: Days }
type PaymentState = keyof typeof paymentStates
type SubscriptionState = keyof typeof subscriptionStates

const searchOf = <State,>({ q, days }: Filter<State>, cursor: string | null) => ({
  pageSize: 25,
  ...(q ? { q } : {}),
  ...(days ? { from: firstDay(days) } : {}),
  ...(cursor ? { cursor } : {}),
})

const paymentsQuery = (filter: Filter<PaymentState>) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'payments', 'made', filter],
    ...keysetPagination,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...searchOf(filter, pageParam), ...(filter.state ? { state: filter.state } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/payments', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

const subscriptionsQuery = (filter: Filter<SubscriptionState>) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'subscriptions', filter],
    ...keysetPagination,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...searchOf(filter, pageParam), ...(filter.state ? { status: filter.state } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/subscriptions', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

const stateIn = <State extends string>(labels: Record<State, string>, text: string | undefined): State | undefined =>
  (Object.keys(labels) as State[]).find((each) => each === text)

export function PaymentListPage() {
  const search = useSearch({ from: '/signed-in/admin/payments/made' })
  const filter = optionalParams({
    q: search.q,
    days: daysParam(search.days),
    state: stateIn(paymentStates, search.state),
  })
  const list = useInfiniteQuery(paymentsQuery(filter))
  const payments = list.data?.pages.flatMap((page) => page.payments)
  return (
    <ListPage title={t`Payments`} path="/admin/payments/made" labels={paymentStates} filter={filter}>
      {list.error && !payments ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the payments`} /> : null}
      {payments?.length === 0 ? <EmptyState>{t`There is no payment like this.`}</EmptyState> : null}
      {payments?.length ? (
        <div className={adminStyles.results} aria-busy={list.isPlaceholderData}>
          <PaymentTable payments={payments} />
        </div>
      ) : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
    </ListPage>
  )
}

export function SubscriptionListPage() {
  const search = useSearch({ from: '/signed-in/admin/payments/subscriptions' })
  const filter = optionalParams({
    q: search.q,
    days: daysParam(search.days),
    state: stateIn(subscriptionStates, search.state),
  })
  const list = useInfiniteQuery(subscriptionsQuery(filter))
  const subscriptions = list.data?.pages.flatMap((page) => page.subscriptions)
  return (
    <ListPage title={t`Subscriptions`} path="/admin/payments/subscriptions" labels={subscriptionStates} filter={filter}>
      {list.error && !subscriptions ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the subscriptions`} /> : null}
      {subscriptions?.length === 0 ? <EmptyState>{t`There is no subscription like this.`}</EmptyState> : null}
      {subscriptions?.length ? (
        <div className={adminStyles.results} aria-busy={list.isPlaceholderData}>
          <SubscriptionTable subscriptions={subscriptions} />
        </div>
      ) : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
    </ListPage>
  )
}

type ListPageProps = {
  title: string
  path: '/admin/payments/made' | '/admin/payments/subscriptions'
  labels: Record<string, string>
  filter: Filter<string>
  children: ReactNode
}

function ListPage({ title, path, labels, filter: { q = '', state = '', days }, children }: ListPageProps) {
  const navigate = useNavigate()
  const change = (changed: Record<string, string | undefined>, replace = true) =>
    navigate({ to: path, search: (before) => optionalParams({ ...before, ...changed }), replace, resetScroll: false })
  return (
    <div className="page">
      <PageTitle of={[title, t`Administration`]} />
      <h1>{title}</h1>
      <PaymentViews />
      <search>
        <SearchField
          label={t`Search by user or id`}
          placeholder={t`E-mail address, user id, processor’s id`}
          charactersMax={200}
          text={q}
          onSearch={(text, { replace }) => change({ q: text || undefined }, replace)}
        />
      </search>
      <div className={`${adminStyles.filters} ${styles.filters}`}>
        <select
          className={`input ${styles.filter}`}
          aria-label={t`State`}
          value={state}
          onChange={({ target }) => change({ state: target.value || undefined })}
        >
          <option value="">{t`Every state`}</option>
          {Object.entries(labels).map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
        <PeriodSelect
          className={styles.filter}
          days={days}
          allTime
          onChange={(next) => change({ days: next === undefined ? undefined : String(next) })}
        />
      </div>
      {children}
    </div>
  )
}

/** Leads from one list of payments to the others. */
export const PaymentViews = () => (
  <nav className="segmented-control" aria-label={t`Which payments`}>
    <Link to="/admin/payments/made">{t`Payments`}</Link>
    <Link to="/admin/payments/subscriptions">{t`Subscriptions`}</Link>
    <Link to="/admin/payments" activeOptions={{ exact: true, includeSearch: false }}>
      {t`Events`}
    </Link>
  </nav>
)
