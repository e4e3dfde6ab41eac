/** All users' payments and subscriptions, the latest first: by user, processor's id, state and period. */
import { t } from '@lingui/core/macro'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { kinora } from '../api.ts'
import { optionalParams } from '../search-params.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { SearchField } from '../ui/search-field.tsx'
import '../ui/segmented-control.css'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { type Days, daysParam, PeriodSelect, rangeOf } from '../ui/period-select.tsx'
import { Select } from '../ui/select.tsx'
import adminStyles from './admin.module.css'
import { AdminPage } from './kit.tsx'
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

const searchOf = ({ q, days }: Filter<string>) => ({ ...(q ? { q } : {}), ...(days ? rangeOf(days) : {}) })

const paymentsQuery = (filter: Filter<keyof typeof paymentStates>) =>
  pagedQuery(
    ['admin', 'payments', 'made', filter],
    (page, signal) => {
      const query = { ...page, ...searchOf(filter), ...(filter.state ? { state: filter.state } : {}) }
      return kinora.GET('/api/v1/admin/payments', { params: { query }, signal })
    },
    { keepsPrevious: true },
  )

const subscriptionsQuery = (filter: Filter<keyof typeof subscriptionStates>) =>
  pagedQuery(
    ['admin', 'subscriptions', filter],
    (page, signal) => {
      const query = { ...page, ...searchOf(filter), ...(filter.state ? { status: filter.state } : {}) }
      return kinora.GET('/api/v1/admin/subscriptions', { params: { query }, signal })
    },
    { keepsPrevious: true },
  )

function filterOf<State extends string>(
  labels: Record<State, string>,
  { q, days, state }: { q?: string; days?: string; state?: string },
): Filter<State> {
  const known = (Object.keys(labels) as State[]).find((each) => each === state)
  return optionalParams({ q, days: daysParam(days), state: known }) as Filter<State>
}

export function PaymentListPage() {
  const filter = filterOf(paymentStates, useSearch({ from: '/signed-in/admin/payments/made' }))
  return (
    <ListPage title={t`Payments`} path="/admin/payments/made" labels={paymentStates} filter={filter}>
      <PagedList
        list={usePages(paymentsQuery(filter))}
        rowsOf={(page) => page.payments}
        loading={t`Loading the payments`}
        empty={t`There is no payment like this.`}
      >
        {(payments) => <PaymentTable payments={payments} />}
      </PagedList>
    </ListPage>
  )
}

export function SubscriptionListPage() {
  const filter = filterOf(subscriptionStates, useSearch({ from: '/signed-in/admin/payments/subscriptions' }))
  return (
    <ListPage title={t`Subscriptions`} path="/admin/payments/subscriptions" labels={subscriptionStates} filter={filter}>
      <PagedList
        list={usePages(subscriptionsQuery(filter))}
        rowsOf={(page) => page.subscriptions}
        loading={t`Loading the subscriptions`}
        empty={t`There is no subscription like this.`}
      >
        {(subscriptions) => <SubscriptionTable subscriptions={subscriptions} />}
      </PagedList>
    </ListPage>
  )
}

type ListPageProps<State extends string> = {
  title: string
  path: '/admin/payments/made' | '/admin/payments/subscriptions'
  labels: Record<State, string>
  filter: Filter<State>
  children: ReactNode
}

function ListPage<State extends string>({ title, path, labels, filter, children }: ListPageProps<State>) {
  const navigate = useNavigate()
  const change = (changed: Record<string, string | undefined>, replace = true) =>
    navigate({ to: path, search: (before) => optionalParams({ ...before, ...changed }), replace, resetScroll: false })
  return (
    <AdminPage title={title}>
      <PaymentViews />
      <search>
        <SearchField
          label={t`Search by user or id`}
          placeholder={t`E-mail address, user id, processor’s id`}
          charactersMax={200}
          text={filter.q ?? ''}
          onSearch={(text, { replace }) => change({ q: text || undefined }, replace)}
        />
      </search>
      <div className={`${adminStyles.filters} ${styles.filters}`}>
        <Select
          className={styles.filter}
          aria-label={t`State`}
          value={filter.state}
          none={t`Every state`}
          options={labels}
          onSelect={(state) => change({ state })}
        />
        <PeriodSelect
          className={styles.filter}
          days={filter.days}
          allTime
          onChange={(next) => change({ days: next })}
        />
      </div>
      {children}
    </AdminPage>
  )
}

/** Leads from one list of payments to the others. */
export const PaymentViews = () => (
  <nav className="segmented-control" aria-label={t`Which payments`}>
    <Link to="/admin/payments/made">{t`Payments`}</Link>
    <Link to="/admin/payments/subscriptions">{t`Subscriptions`}</Link>
    <Link to="/admin/payments" search={{ about: 'dispute' }} activeOptions={{ exact: true }}>
      {t`Disputes`}
    </Link>
    <Link to="/admin/payments" search={{ about: 'failure' }} activeOptions={{ exact: true }}>
      {t`Failed payments`}
    </Link>
    <Link to="/admin/payments" activeOptions={{ exact: true }}>
      {t`Events`}
    </Link>
  </nav>
)
