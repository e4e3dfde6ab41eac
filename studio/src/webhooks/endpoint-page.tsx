/** Endpoint page: an endpoint's facts, what can be done with it, and its deliveries. */

import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries } from '../api.ts'
import { latestError } from '../single-flight.ts'
import { MadeBy } from '../team/given.tsx'
import { ActionDialog, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { LabelledControl } from '../ui/field.tsx'
import { formatDateTime, formatList, formatRelativeTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { SentDialog } from '../ui/sent-dialog.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { StatusFilter } from '../ui/status-filter.tsx'
import { EndpointSecret } from './endpoint-secret.tsx'
import {
  type Delivery,
  deliveriesQuery,
  deliveryLabels,
  deliveryQuery,
  type Endpoint,
  type EventType,
  endpointQuery,
  endpointState,
  endpointsQuery,
  eventOptions,
} from './queries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import styles from './webhooks.module.css'
import '../ui/field.css'
import { usePages } from '../ui/infinite-pages.ts'

export function EndpointPage() {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' })
  const { data, error, isPending, refetch } = useQuery(endpointQuery(id))
  // Also while it is shown: it may be deleted in another tab.
  const isMissing = error?.code === 'NOT_FOUND'
  const endpoint = isMissing ? undefined : data
  return (
    <Page
      title={t`Endpoint`}
      parents={[t`Webhooks`]}
      heading={
        <>
          <p>
            <Link to="/webhooks">{t`All endpoints`}</Link>
          </p>
          <h1 className={styles.wrapped}>{endpoint?.url ?? t`Endpoint`}</h1>
        </>
      }
    >
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
    </Page>
  )
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { events, subject, metadata, createdAt, failingSince, disabledAt } = endpoint
  const entries = Object.entries(metadata).map(([name, value]) => `${name}=${value}`)
  const names = eventOptions.filter(([type]) => events.includes(type)).map(([, name]) => name)
  return (
    <section className="panel" aria-label={t`Facts`}>
      <dl className="facts">
        <Fact name={t`State`}>
          <Mark {...endpointState(endpoint)} />
        </Fact>
        {failingSince ? <Fact name={t`Failing since`}>{formatDateTime(failingSince)}</Fact> : null}
        {disabledAt ? <Fact name={t`Off since`}>{formatDateTime(disabledAt)}</Fact> : null}
        <Fact name={t`Events`}>{names.length === 0 ? t`All` : formatList(names)}</Fact>
        {subject ? <Fact name={t({ message: 'Subject', context: 'of a page token' })}>{subject}</Fact> : null}
        {entries.length > 0 ? <Fact name={t`Metadata`}>{entries.join(', ')}</Fact> : null}
        <Fact name={t`Made`}>{formatDateTime(createdAt)}</Fact>
      </dl>
      <MadeBy made={endpoint} />
    </section>
  )
}

const testOptions: [EventType | 'webhook.test', string][] = [
  ['webhook.test', t`A test without content`],
  ...eventOptions,
]

const DAY_MS = 86_400_000
const RECOVER_DAYS = 7

/**
 * What can be done with an endpoint: send a test, turn it on or off, give it a new secret, send again what failed,
 * delete it.
 */
function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { id, enabled } = endpoint
  const params = { path: { id } }
  const [testType, setTestType] = useState<EventType | 'webhook.test'>('webhook.test')
  // A failure refreshes too: the endpoint may have been changed or deleted elsewhere.
  const refreshed = { refresh: () => refreshQueries(['webhooks']), refreshesAlways: true }
  const test = useAction({
    send: () => {
      const query = { type: testType }
      return dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/test', { params: { ...params, query } }))
    },
    ...refreshed,
  })
  const turn = useAction({
    send: () => dataOf(kinora.PATCH('/api/v1/webhook/endpoints/{id}', { params, body: { enabled: !enabled } })),
    ...refreshed,
  })
  const rotate = useAction({
    send: () => dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/rotate', { params })),
    ...refreshed,
  })
  const recover = useAction({
    send: () => {
      const since = new Date(Date.now() - RECOVER_DAYS * DAY_MS).toISOString()
      return dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/recover', { params, body: { since } }))
    },
    done: ({ deliveries }) =>
      deliveries === 0
        ? t`Nothing has failed.`
        : plural(deliveries, { one: '# is sent again.', other: '# are sent again.' }),
    ...refreshed,
  })
  const [isDeleting, setDeleting] = useState(false)
  const [isReplaying, setReplaying] = useState(false)
  const error = latestError(test, turn, rotate, recover)
  return (
    <section className="panel" aria-label={t`Actions`}>
      {error ? <ErrorState error={error} /> : null}
      <LabelledControl
        label={t`Test with`}
        control={(props) => (
          <Select
            {...props}
            value={testType}
            options={testOptions}
            onSelect={(type = 'webhook.test') => setTestType(type)}
          />
        )}
      />
      <div className={styles.actions}>
        <Button kind="primary" busy={test.isPending} disabled={!enabled} onClick={() => test.mutate()}>
          {t`Send a test`}
        </Button>
        <Button
          title={t`What failed in the last ${RECOVER_DAYS} days`}
          busy={recover.isPending}
          disabled={!enabled}
          onClick={() => recover.mutate()}
        >
          {t`Send failed again`}
        </Button>
        <Button disabled={!enabled} onClick={() => setReplaying(true)}>
          {t`Replay a period`}
        </Button>
        <Button busy={turn.isPending} onClick={() => turn.mutate()}>
          {enabled ? t`Turn off` : t`Turn on`}
        </Button>
        <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
          {t`New secret`}
        </Button>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t`Delete`}
        </Button>
      </div>
      <EndpointSecret secret={rotate.data?.secret} isRotated onClose={rotate.reset} />
      {isReplaying ? <ReplayDialog id={id} onClose={() => setReplaying(false)} /> : null}
      {isDeleting ? <DeleteDialog endpoint={endpoint} onClose={() => setDeleting(false)} /> : null}
    </section>
  )
}

function DeleteDialog({ endpoint: { id, url }, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <ActionDialog
      title={t`Delete this endpoint?`}
      submitLabel={t`Delete endpoint`}
      kind="danger"
      cancelLabel={t`Keep it`}
      send={() => dataOf(kinora.DELETE('/api/v1/webhook/endpoints/{id}', { params: { path: { id } } }))}
      refresh={async () => {
        await navigate({ to: '/webhooks' })
        // The page may still be there: a refetch of the deleted endpoint would fail with 404.
        await queryClient.invalidateQueries({ queryKey: ['webhooks', id], refetchType: 'none' })
        await refreshQueries(endpointsQuery.queryKey, { exact: true })
      }}
      done={t`The endpoint is deleted.`}
      onClose={onClose}
    >
      <p className={styles.wrapped}>
        {t`${url} gets nothing any more, and its deliveries cannot be read. This cannot be undone.`}
      </p>
    </ActionDialog>
  )
}

const isStatus = (text: string | undefined): text is Delivery['status'] =>
  text !== undefined && Object.hasOwn(deliveryLabels, text)

/** The deliveries of an endpoint, newest first, filtered by state; each opens with its request and response. */
function DeliveryList({ endpoint }: { endpoint: Endpoint }) {
  const search = useSearch({ from: '/signed-in/webhooks/$id' })
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const status = isStatus(search.status) ? search.status : undefined
  const list = usePages(deliveriesQuery(endpoint.id, status))
  const [shown, setShown] = useState<string | null>(null)
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
      <PagedList
        list={list}
        rowsOf={(page) => page.deliveries}
        loading={t`Loading the deliveries`}
        empty={
          status ? t`No delivery is like this.` : t`What is sent to this endpoint will be listed here. Send a test.`
        }
      >
        {(deliveries) => <DeliveryTable deliveries={deliveries} onShow={setShown} />}
      </PagedList>
      {shown ? <DeliveryDialog endpoint={endpoint} deliveryId={shown} onClose={() => setShown(null)} /> : null}
    </section>
  )
}

const DeliveryTable = ({ deliveries, onShow }: { deliveries: Delivery[]; onShow: (id: string) => void }) => (
  <DataTable
    label={t`Deliveries, newest first`}
    rows={deliveries}
    columns={[
      {
        head: t`Event`,
        isRowHead: true,
        cell: ({ id, type, createdAt }) => (
          <Button kind="quiet" onClick={() => onShow(id)} aria-label={`${type}, ${formatDateTime(createdAt)}`}>
            {type}
          </Button>
        ),
      },
      { head: t`State`, cell: ({ status }) => <Mark {...deliveryLabels[status]} /> },
      { head: t`Attempts`, isNumber: true, cell: ({ attempts }) => attempts },
      { head: t`Response`, isNumber: true, cell: ({ responseStatus }) => responseStatus ?? '–' },
      {
        head: t`When`,
        title: ({ createdAt }) => formatDateTime(createdAt),
        cell: ({ createdAt }) => formatRelativeTime(createdAt),
      },
    ]}
  />
)

type Props = { endpoint: Endpoint; deliveryId: string; onClose: () => void }

/** Dialog with one delivery: what was sent, what came back, and the button that sends it again. */
function DeliveryDialog({ endpoint: { id, enabled }, deliveryId, onClose }: Props) {
  const query = useQuery(deliveryQuery(id, deliveryId))
  const { data } = query
  const redeliver = useAction({
    send: () => {
      const params = { path: { id, deliveryId } }
      return dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}/redeliver', { params }))
    },
    refresh: () => refreshQueries(['webhooks']),
    onDone: onClose,
  })
  return (
    <SentDialog
      title={data?.type ?? t`Delivery`}
      query={query}
      copied={{ text: data?.request.body ?? '', label: t`Copy the request` }}
      retry={redeliver}
      retryButton={enabled && data ? 'enabled' : 'disabled'}
      onClose={onClose}
    >
      {data ? (
        <>
          <dl className="facts">
            <Fact name={t`State`}>{deliveryLabels[data.status].label}</Fact>
            <Fact name={t`Attempts`}>{data.attempts}</Fact>
            <Fact name={t`Last sent`}>{data.attemptedAt ? formatDateTime(data.attemptedAt) : null}</Fact>
            {data.nextAttemptAt ? <Fact name={t`Sent next`}>{formatDateTime(data.nextAttemptAt)}</Fact> : null}
            {data.error ? <Fact name={t`Why it failed`}>{data.error}</Fact> : null}
            <Fact name={t`Id`}>
              <code className={styles.wrapped}>{data.id}</code>
            </Fact>
          </dl>
          <section className="stack" aria-label={t`Request`}>
            <h3>{t`Request`}</h3>
            <pre className={styles.text}>{data.request.body}</pre>
          </section>
          {data.response ? (
            <section className="stack" aria-label={t`Response`}>
              <h3>{t`Response ${data.response.status}, ${data.response.durationMs} ms`}</h3>
              {data.response.body ? <pre className={styles.text}>{data.response.body}</pre> : null}
            </section>
          ) : null}
        </>
      ) : null}
    </SentDialog>
  )
}
