/** Endpoint page: an endpoint's facts, what can be done with it, and its deliveries. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { MadeBy } from '../team/given.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatDateTime, formatList } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { type Endpoint, endpointQuery, endpointState, eventOptions } from './queries.ts'
import styles from './webhooks.module.css'

export function EndpointPage() {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' })
  const { data, error, isPending, refetch } = useQuery(endpointQuery(id))
  // Also while it is shown: it may be deleted in another tab.
  const isMissing = error?.code === 'NOT_FOUND'
  const endpoint = isMissing ? undefined : data
  return (
    <div className="page">
      <PageTitle of={[t`Endpoint`, t`Webhooks`]} />
      <p>
        <Link to="/webhooks">{t`All endpoints`}</Link>
      </p>
      <h1 className={styles.wrapped}>{endpoint?.url ?? t`Endpoint`}</h1>
      {isMissing ? <EmptyState>{t`There is no such endpoint. It may have been deleted.`}</EmptyState> : null}
      {error && !isMissing && !data ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {isPending ? (
        <LoadingState>
          <SkeletonBlock height="240px" />
        </LoadingState>
      ) : null}
      {endpoint ? (
        <div className="columns list-last">
          <DeliveryList endpoint={endpoint} />
          <div className="stack">
            <EndpointFacts endpoint={endpoint} />
            <EndpointActions endpoint={endpoint} />
          </div>
        </div>
      ) : null}
    </div>
  )
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { events, createdAt, failingSince, disabledAt } = endpoint
  const { label, kind } = endpointState(endpoint)
  const names = eventOptions.filter(([type]) => events.includes(type)).map(([, name]) => name)
  return (
    <section className="panel" aria-label={t`Facts`}>
      <dl className="facts">
        <Fact name={t`State`}>
          <span className="mark" data-kind={kind}>
            {label}
          </span>
        </Fact>
        {failingSince ? <Fact name={t`Failing since`}>{formatDateTime(failingSince)}</Fact> : null}
        {disabledAt ? <Fact name={t`Off since`}>{formatDateTime(disabledAt)}</Fact> : null}
        <Fact name={t`Events`}>{names.length === 0 ? t`All` : formatList(names)}</Fact>
        <Fact name={t`Made`}>{formatDateTime(createdAt)}</Fact>
      </dl>
      <MadeBy made={endpoint} />
    </section>
  )
}
