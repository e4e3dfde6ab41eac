/** Webhooks page: the user's endpoints, each with its state, and the form that adds one. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MadeBy } from '../team/given.tsx'
import { TableFrame } from '../ui/data-table.tsx'
import { formatDate } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { CreateEndpointForm } from './create-endpoint-form.tsx'
import { LowCreditsForm } from './low-credits-form.tsx'
import { type Endpoint, endpointState, endpointsQuery } from './queries.ts'
import styles from './webhooks.module.css'

export function WebhooksPage() {
  const list = useQuery(endpointsQuery)
  return (
    <div className="page">
      <PageTitle of={[t`Webhooks`]} />
      <div className="page-head">
        <h1>{t`Webhooks`}</h1>
        <a href="/docs">{t`API reference`}</a>
      </div>
      <p className="quiet">
        {t`An endpoint is an address of your program that gets a request when a film is ready or failed.`}
      </p>
      <div className="columns list-last">
        <div className="stack">
          {list.data ? <EndpointTable endpoints={list.data.endpoints} /> : null}
          {list.isPending ? (
            <LoadingState>
              <SkeletonBlock height="160px" />
            </LoadingState>
          ) : null}
          {list.error && !list.data ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
        </div>
        <div className="stack">
          <CreateEndpointForm />
          <LowCreditsForm />
        </div>
      </div>
    </div>
  )
}

function EndpointTable({ endpoints }: { endpoints: Endpoint[] }) {
  if (endpoints.length === 0) return <EmptyState>{t`Your endpoints will be listed here.`}</EmptyState>
  return (
    <TableFrame label={t`Your endpoints`}>
      <thead>
        <tr>
          <th>{t`Address`}</th>
          <th>{t`Events`}</th>
          <th>{t`State`}</th>
          <th>{t`Made`}</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => {
          const { id, url, events, createdAt } = endpoint
          const { label, kind } = endpointState(endpoint)
          return (
            <tr key={id}>
              <th scope="row" className={styles.address}>
                <Link to="/webhooks/$id" params={{ id }}>
                  {url}
                </Link>
                <MadeBy made={endpoint} />
              </th>
              <td>{events.length === 0 ? t`All` : events.length}</td>
              <td>
                <span className="mark" data-kind={kind}>
                  {label}
                </span>
              </td>
              <td>{formatDate(createdAt)}</td>
            </tr>
          )
        })}
      </tbody>
    </TableFrame>
  )
}
