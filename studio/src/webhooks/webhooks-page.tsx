/** Webhooks page: the user's endpoints, each with its state, and the form that adds one. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { MadeBy } from '../team/given.tsx'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Check, Field, useFields } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, QueryState } from '../ui/states.tsx'
import { EndpointSecret } from './endpoint-secret.tsx'
import { LowCreditsForm } from './low-credits-form.tsx'
import { type Endpoint, type EventType, endpointState, endpointsQuery, eventOptions } from './queries.ts'
import styles from './webhooks.module.css'

export function WebhooksPage() {
  const list = useQuery(endpointsQuery)
  return (
    <Page title={t`Webhooks`} aside={<a href="/docs">{t`API reference`}</a>}>
      <p className="quiet">
        {t`An endpoint is an address of your program that gets a request when a film is ready or failed.`}
      </p>
      <div className="columns list-last">
        <div className="stack">
          <QueryState query={list} skeletonHeight="160px">
            {({ endpoints }) => <EndpointTable endpoints={endpoints} />}
          </QueryState>
        </div>
        <div className="stack">
          <CreateEndpointForm />
          <LowCreditsForm />
        </div>
      </div>
    </Page>
  )
}

function EndpointTable({ endpoints }: { endpoints: Endpoint[] }) {
  if (endpoints.length === 0) return <EmptyState>{t`Your endpoints will be listed here.`}</EmptyState>
  return (
    <DataTable
      label={t`Your endpoints`}
      rows={endpoints}
      columns={[
        {
          head: t`Address`,
          isRowHead: true,
          className: styles.address,
          cell: (endpoint) => (
            <>
              <Link to="/webhooks/$id" params={{ id: endpoint.id }}>
                {endpoint.url}
              </Link>
              <MadeBy made={endpoint} />
            </>
          ),
        },
        { head: t`Events`, cell: ({ events }) => (events.length === 0 ? t`All` : events.length) },
        { head: t`State`, cell: (endpoint) => <Mark {...endpointState(endpoint)} /> },
        { head: t`Made`, cell: ({ createdAt }) => formatDate(createdAt) },
      ]}
    />
  )
}

/** Form that creates a webhook endpoint, and the dialog that shows its secret. */
function CreateEndpointForm() {
  const { values, text, reset } = useFields({ url: '', subject: '', metadata: '' })
  const url = values.url.trim()
  const subject = values.subject.trim()
  const metadata = readMetadata(values.metadata)
  const [events, setEvents] = useState<EventType[]>([])
  const create = useAction({
    send: () =>
      dataOf(
        kinora.POST('/api/v1/webhook/endpoints', { body: { url, events, metadata, ...(subject && { subject }) } }),
      ),
    refresh: () => {
      reset()
      setEvents([])
      return refreshQueries(['webhooks'])
    },
  })
  const toggle = (type: EventType) =>
    setEvents(events.includes(type) ? events.filter((each) => each !== type) : [...events, type])
  const isUrlWrong = create.error?.code === 'INVALID_REQUEST'
  return (
    <ActionForm
      action={create}
      onSubmit={() => create.mutate()}
      submitLabel={t`Add endpoint`}
      isReady={url !== ''}
      error={isUrlWrong ? null : create.error}
    >
      <h2>{t`New endpoint`}</h2>
      <Field
        label={t`Address`}
        hint={t`An https address of your program. It gets a POST for each event.`}
        type="url"
        placeholder="https://example.com/kinora"
        required
        maxLength={2048}
        autoComplete="off"
        error={isUrlWrong ? create.error?.message : undefined}
        {...text('url')}
      />
      <fieldset className={styles.events}>
        <legend className="field-label">{t`Events`}</legend>
        <p className="field-hint">{t`All, when none is chosen.`}</p>
        {eventOptions.map(([type, label]) => (
          <Check key={type} label={label} checked={events.includes(type)} onChange={() => toggle(type)} />
        ))}
      </fieldset>
      <EventFilter subject={text('subject')} metadata={text('metadata')} />
      <EndpointSecret secret={create.data?.secret} onClose={create.reset} />
    </ActionForm>
  )
}

type TextProps = Pick<ComponentProps<typeof Field>, 'value' | 'onChange'>

/** The fields by which an endpoint gets the events of some videos alone. */
const EventFilter = ({ subject, metadata }: { subject: TextProps; metadata: TextProps }) => (
  <details className={styles.filter}>
    <summary>{t`Only of some films`}</summary>
    <div className="stack">
      <Field
        label={t({ message: 'Subject', context: 'of a page token' })}
        hint={t`Your id of a visitor, of whose films alone it gets events. It does not change later.`}
        maxLength={64}
        autoComplete="off"
        {...subject}
      />
      <Field
        label={t`Metadata`}
        hint={t`Such as shop=north, order=7: films that have all of it.`}
        maxLength={1000}
        autoComplete="off"
        {...metadata}
      />
    </div>
  </details>
)

/** Reads `shop=north, order=7`. */
const readMetadata = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [name = '', ...value] = entry.split('=')
        return [name.trim(), value.join('=').trim()]
      }),
  )
