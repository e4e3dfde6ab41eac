/** The deliveries of an endpoint, newest first, filtered by state; each opens with its request and response. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formatDateTime, formatRelativeTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import '../ui/field.css'
import { TableFrame } from '../ui/data-table.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { StatusFilter } from '../ui/status-filter.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { type Delivery, deliveriesQuery, deliveryLabels, type Endpoint } from './queries.ts'

const isStatus = (text: string | undefined): text is Delivery['status'] =>
  text !== undefined && Object.hasOwn(deliveryLabels, text)

export function DeliveryList({ endpoint }: { endpoint: Endpoint }) {
  const search = useSearch({ from: '/signed-in/webhooks/$id' })
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const status = isStatus(search.status) ? search.status : undefined
  const list = useInfiniteQuery(deliveriesQuery(endpoint.id, status))
  const [shown, setShown] = useState<string | null>(null)
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries)
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="page-head">
        <h2 id="deliveries">{t`Deliveries`}</h2>
        <StatusFilter
          labels={deliveryLabels}
          status={status}
          onChange={(next) => navigate({ search: next ? { status: next } : {}, replace: true })}
        />
      </div>
      {list.error && !deliveries ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the deliveries`} /> : null}
      {deliveries?.length === 0 ? (
        <EmptyState>
          {status ? t`No delivery is like this.` : t`What is sent to this endpoint will be listed here. Send a test.`}
        </EmptyState>
      ) : null}
      {deliveries?.length ? <DeliveryTable deliveries={deliveries} onShow={setShown} /> : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
      {shown ? <DeliveryDialog endpoint={endpoint} deliveryId={shown} onClose={() => setShown(null)} /> : null}
    </section>
  )
}

const DeliveryTable = ({ deliveries, onShow }: { deliveries: Delivery[]; onShow: (id: string) => void }) => (
  <TableFrame label={t`Deliveries, newest first`}>
    <thead>
      <tr>
        <th>{t`Event`}</th>
        <th>{t`State`}</th>
        <th className="number">{t`Attempts`}</th>
        <th className="number">{t`Response`}</th>
        <th>{t`When`}</th>
      </tr>
    </thead>
    <tbody>
      {deliveries.map(({ id, type, status, attempts, responseStatus, createdAt }) => (
        <tr key={id}>
          <th scope="row">
            <Button kind="quiet" onClick={() => onShow(id)} aria-label={`${type}, ${formatDateTime(createdAt)}`}>
              {type}
            </Button>
          </th>
          <td>
            <span className="mark" data-kind={deliveryLabels[status].kind}>
              {deliveryLabels[status].label}
            </span>
          </td>
          <td className="number">{attempts}</td>
          <td className="number">{responseStatus ?? '–'}</td>
          <td title={formatDateTime(createdAt)}>{formatRelativeTime(createdAt)}</td>
        </tr>
      ))}
    </tbody>
  </TableFrame>
)
