/** Incidents page: what all users are told, by banner, mail or both, and maintenance, with a form that makes one. */

import { newIdempotencyKey, type Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries, serviceNoticesQuery } from '../api.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Check, Field, useFields } from '../ui/field.tsx'
import { formatList, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { Mark } from '../ui/mark.tsx'
import { AdminPage, tableClass } from './kit.tsx'
import { ReasonDialog, ReasonField } from './reason-form.tsx'

type Incident = Schemas['Incident']

const incidentsQuery = pagedQuery(['admin', 'incidents'], (query, signal) =>
  kinora.GET('/api/v1/admin/incidents', { params: { query }, signal }),
)
const refresh = () => {
  void queryClient.invalidateQueries({ queryKey: serviceNoticesQuery.queryKey })
  return refreshQueries(incidentsQuery.queryKey)
}

export function IncidentsPage() {
  const list = usePages(incidentsQuery)
  const [ending, setEnding] = useState<Incident | null>(null)
  return (
    <AdminPage title={t`Incidents`}>
      <div className="columns list-last">
        <PagedList
          list={list}
          rowsOf={(page) => page.incidents}
          loading={t`Loading the incidents`}
          empty={t`Nothing was told to all users. Notices and maintenance will be listed here.`}
        >
          {(incidents) => <IncidentTable incidents={incidents} onEnd={setEnding} />}
        </PagedList>
        <IncidentForm />
      </div>
      {ending ? <EndDialog incident={ending} onClose={() => setEnding(null)} /> : null}
    </AdminPage>
  )
}

const isOver = ({ endsAt }: Incident): boolean => Date.parse(endsAt) <= Date.now()

const IncidentTable = ({ incidents, onEnd }: { incidents: Incident[]; onEnd: (incident: Incident) => void }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Incidents, newest first`}
    rows={incidents}
    columns={[
      { head: t`Text`, isRowHead: true, lang: 'en', cell: ({ textEn }) => textEn, below: ({ textZh }) => textZh },
      {
        head: t`State`,
        cell: (incident) =>
          isOver(incident) ? (
            <Mark kind="none" label={t`Over`} />
          ) : (
            <Mark
              kind="running"
              label={
                Date.parse(incident.startsAt) > Date.now()
                  ? t`Announced`
                  : t({ message: 'Now', context: 'an incident' })
              }
            />
          ),
        below: ({ isBanner, isMail, isMailed, pauses }) =>
          formatList(
            [
              pauses ? t`maintenance` : '',
              isBanner ? t`banner` : '',
              isMail ? (isMailed ? t`mailed` : t`mail is being written`) : '',
            ].filter(Boolean),
          ),
      },
      {
        head: t`From, and until`,
        cell: ({ startsAt }) => formatUtcTime(startsAt),
        below: ({ endsAt }) => formatUtcTime(endsAt),
      },
      {
        head: t`End`,
        isAction: true,
        cell: (incident) =>
          isOver(incident) ? null : <Button kind="quiet" onClick={() => onEnd(incident)}>{t`End now`}</Button>,
      },
    ]}
  />
)

const HOUR_MS = 3600_000
/** A time as an input of the kind datetime-local has it, in UTC. */
const asTyped = (ms: number): string => new Date(ms).toISOString().slice(0, 16)

/** The client chooses the id: a repeated request makes no second incident. */
function newUuid(): string {
  const hex = newIdempotencyKey()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

function IncidentForm() {
  const [id, setId] = useState(newUuid)
  const { values, text, check, reset } = useFields({
    ...{ textEn: '', textZh: '', reason: '', startsAt: asTyped(Date.now()), endsAt: asTyped(Date.now() + HOUR_MS) },
    ...{ isBanner: true, isMail: false, pauses: false },
  })
  const { startsAt, endsAt, ...rest } = values
  const isReady = [values.textEn, values.textZh, values.reason].every((each) => each.trim() !== '')
  const set = useAction({
    send: () => {
      const body = { ...rest, startsAt: `${startsAt}:00Z`, endsAt: `${endsAt}:00Z` }
      return dataOf(kinora.PUT('/api/v1/admin/incidents/{id}', { params: { path: { id } }, body }))
    },
    refresh: () => {
      setId(newUuid())
      reset(['textEn', 'textZh', 'reason'])
      return refresh()
    },
    done: t`It is told to all users.`,
  })
  return (
    <ActionForm
      action={set}
      onSubmit={() => set.mutate()}
      submitLabel={t`Tell all users`}
      isReady={isReady && startsAt <= endsAt && endsAt !== ''}
    >
      <h2>{t`New incident`}</h2>
      <Field label={t`Text in English`} maxLength={500} required lang="en" autoComplete="off" {...text('textEn')} />
      <Field
        label={t`Text in Chinese`}
        maxLength={500}
        required
        lang="zh-Hans"
        autoComplete="off"
        {...text('textZh')}
      />
      <Field label={t`From, in UTC`} type="datetime-local" required {...text('startsAt')} />
      <Field label={t`Until, in UTC`} type="datetime-local" required {...text('endsAt')} />
      <Check label={t`Banner on every page`} {...check('isBanner')} />
      <Check label={t`Mail to every user`} {...check('isMail')} />
      <Check label={t`Maintenance: take no new films and uploads meanwhile`} {...check('pauses')} />
      <ReasonField {...text('reason')} />
    </ActionForm>
  )
}

const EndDialog = ({ incident, onClose }: { incident: Incident; onClose: () => void }) => (
  <ReasonDialog
    title={t`End it now?`}
    submitLabel={t`End now`}
    send={(reason) => {
      const { id, textEn, textZh, isBanner, isMail, pauses, startsAt } = incident
      const now = new Date().toISOString()
      const [from = now] = [startsAt, now].toSorted()
      const body = {
        textEn,
        textZh,
        isBanner,
        isMail,
        pauses,
        startsAt: from,
        endsAt: now,
        reason,
      }
      return dataOf(kinora.PUT('/api/v1/admin/incidents/{id}', { params: { path: { id } }, body }))
    }}
    refresh={refresh}
    done={t`It is over.`}
    onClose={onClose}
  >
    <p lang="en">{incident.textEn}</p>
    {incident.pauses ? <p>{t`New films and uploads are taken again.`}</p> : null}
  </ReasonDialog>
)
