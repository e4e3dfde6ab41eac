/** A user's subscriptions and payments, for administrators. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { money } from '../plans/pricing.ts'
import { describeSubscription, type Subscription } from '../plans/subscription-status.ts'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { OwnerLink } from './owner-link.tsx'

/** The owner of a row, in the lists of all owners. */
type Owned = { userId?: string; email?: string | null; team?: string | null }
type Payment = Schemas['UserPayment'] & Owned

const paymentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'payments'],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/users/{id}/payments', { params: { path: { id } }, signal })),
  })

export function UserPayments({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(paymentsQuery(id))
  return (
    <div className="stack">
      <div className="page-head">
        <h2>{t`Payments`}</h2>
        <Link to="/admin/payments/made" search={{ q: id }}>
          {t`In the list of all`}
        </Link>
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {data || error ? null : <TableSkeleton label={t`Loading the payments`} />}
      {data?.subscriptions.length ? <SubscriptionTable subscriptions={data.subscriptions} /> : null}
      {data?.payments.length ? <PaymentTable payments={data.payments} /> : null}
      {data && data.payments.length + data.subscriptions.length === 0 ? (
        <EmptyState>{t`Nothing was paid yet.`}</EmptyState>
      ) : null}
    </div>
  )
}

export const SubscriptionTable = ({ subscriptions }: { subscriptions: (Subscription & Owned)[] }) => (
  <div className={adminStyles.table}>
    <TableFrame label={t`Subscriptions`}>
      <thead>
        <tr>
          <th scope="col">{t`Plan`}</th>
          {subscriptions[0]?.team === undefined ? null : <th scope="col">{t`User`}</th>}
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`Paid until`}</th>
          <th scope="col">{t`Processor, and its id`}</th>
        </tr>
      </thead>
      <tbody>
        {subscriptions.map((subscription) => (
          <SubscriptionRow key={subscription.id} subscription={subscription} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function SubscriptionRow({ subscription }: { subscription: Subscription & Owned }) {
  const { plan, processor, externalId, currentPeriodEnd } = subscription
  const { label, kind } = describeSubscription(subscription)
  return (
    <tr>
      <th scope="row">{plan ?? t`Unknown`}</th>
      <OwnerCell of={subscription} />
      <td>
        <span className="mark" data-kind={kind}>
          {label}
        </span>
      </td>
      <td>{currentPeriodEnd ? formatUtcDate(currentPeriodEnd) : '–'}</td>
      <td>
        <span lang="en">{processor}</span>
        <code className={adminStyles.secondary}>{externalId}</code>
      </td>
    </tr>
  )
}

export const PaymentTable = ({ payments }: { payments: Payment[] }) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
    <TableFrame label={t`Payments, newest first`}>
      <thead>
        <tr>
          <th scope="col">{t`When`}</th>
          {payments[0]?.team === undefined ? null : <th scope="col">{t`User`}</th>}
          <th scope="col">{t`What for, and order`}</th>
          <th scope="col" className="number">
            {t`Paid, without tax`}
          </th>
          <th scope="col" className="number">
            {t`Returned`}
          </th>
          <th scope="col" className="number">
            {t`Credits`}
          </th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => (
          <tr key={`${payment.processor} ${payment.orderNo} ${payment.remark}`}>
            <td>{formatUtcTime(payment.at)}</td>
            <OwnerCell of={payment} />
            <td>
              <span lang="en">{payment.remark}</span>
              <code className={adminStyles.secondary}>{payment.orderNo}</code>
            </td>
            <td className="number">{money(payment.received, payment.currency)}</td>
            <td className="number">{payment.returned > 0 ? money(payment.returned, payment.currency) : '–'}</td>
            <td className="number">{formatNumber(payment.credits)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  </div>
)

const OwnerCell = ({ of: { userId, email = null, team } }: { of: Owned }) =>
  userId === undefined || team === undefined ? null : (
    <td>
      <OwnerLink of={{ userId, email, team }} />
    </td>
  )
