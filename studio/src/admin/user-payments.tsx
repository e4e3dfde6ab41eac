/** A user's subscriptions and payments, for administrators. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { money } from '../plans/pricing.ts'
import { describeSubscription, type Subscription } from '../plans/subscription-status.ts'
import type { Column } from '../ui/data-table.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { TableSkeletonRows } from '../ui/infinite-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { EmptyState, QueryState } from '../ui/states.tsx'
import { tableClass } from './kit.tsx'
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
  const query = useQuery(paymentsQuery(id))
  return (
    <div className="stack">
      <div className="page-head">
        <h2>{t`Payments`}</h2>
        <Link to="/admin/payments/made" search={{ q: id }}>
          {t`In the list of all`}
        </Link>
      </div>
      <QueryState query={query} loading={t`Loading the payments`} skeleton={<TableSkeletonRows />}>
        {({ subscriptions, payments }) =>
          payments.length + subscriptions.length === 0 ? (
            <EmptyState>{t`Nothing was paid yet.`}</EmptyState>
          ) : (
            <>
              {subscriptions.length ? <SubscriptionTable subscriptions={subscriptions} /> : null}
              {payments.length ? <PaymentTable payments={payments} /> : null}
            </>
          )
        }
      </QueryState>
    </div>
  )
}

/** The owner of a row; a table of one owner has no such column. */
const ownerColumn = <Row extends Owned>([first]: Row[]): Column<Row> | null =>
  first?.team === undefined
    ? null
    : {
        head: t`User`,
        cell: ({ userId = '', email = null, team = null }) => <OwnerLink of={{ userId, email, team }} />,
      }

export const SubscriptionTable = ({ subscriptions }: { subscriptions: (Subscription & Owned)[] }) => (
  <DataTable
    className={tableClass()}
    label={t`Subscriptions`}
    rows={subscriptions}
    columns={[
      { head: t`Plan`, isRowHead: true, cell: ({ plan }) => plan ?? t`Unknown` },
      ownerColumn(subscriptions),
      {
        head: t`State`,
        cell: (subscription) => {
          const { label, kind } = describeSubscription(subscription)
          return <Mark label={label} kind={kind} />
        },
      },
      {
        head: t`Paid until`,
        cell: ({ currentPeriodEnd }) => (currentPeriodEnd ? formatUtcDate(currentPeriodEnd) : '–'),
      },
      {
        head: t`Processor, and its id`,
        cell: ({ processor }) => <span lang="en">{processor}</span>,
        below: ({ externalId }) => <code>{externalId}</code>,
      },
    ]}
  />
)

export const PaymentTable = ({ payments }: { payments: Payment[] }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Payments, newest first`}
    rows={payments}
    keyOf={({ processor, orderNo, remark }) => `${processor} ${orderNo} ${remark}`}
    columns={[
      { head: t`When`, cell: ({ at }) => formatUtcTime(at) },
      ownerColumn(payments),
      {
        head: t`What for, and order`,
        cell: ({ remark }) => <span lang="en">{remark}</span>,
        below: ({ id, orderNo }) => (
          <Link to="/admin/payments/made/$id" params={{ id }}>
            <code>{orderNo}</code>
          </Link>
        ),
      },
      { head: t`Paid, without tax`, isNumber: true, cell: ({ received, currency }) => money(received, currency) },
      {
        head: t`Returned`,
        isNumber: true,
        cell: ({ returned, currency }) => (returned > 0 ? money(returned, currency) : '–'),
      },
      { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
    ]}
  />
)
