/** What administrators set of a user or a team without acting as them: API keys, limits, tags and notes. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { periodNames, periodOptions, scopeNames } from '../keys/key-limits.ts'
import { MadeBy } from '../team/given.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { Field, NumberField, useFields } from '../ui/field.tsx'
import { formatList, formatNumber, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { TableSkeletonRows } from '../ui/infinite-list.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, QueryState } from '../ui/states.tsx'
import styles from './desk.module.css'
import { tableClass } from './kit.tsx'
import { refetchOwner } from './queries.ts'
import { ReasonDialog } from './reason-form.tsx'

type Desk = Schemas['Desk']
type Key = Desk['apiKeys'][number]
type Note = Desk['notes'][number]
type Period = NonNullable<Desk['limits']['budget']>['period']

/** Its key begins as that of the user or team, with which it is read again. */
export const deskQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'desk'],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/users/{id}/desk', { params: { path: { id } }, signal })),
  })

type Task = { kind: 'limits' | 'tags' | 'note' } | { kind: 'key'; key: Key } | { kind: 'note-deletion'; note: Note }

export function OwnerDesk({ id }: { id: string }) {
  const query = useQuery(deskQuery(id))
  const [task, setTask] = useState<Task | null>(null)
  return (
    <QueryState query={query} loading={t`Loading keys and notes`} skeleton={<TableSkeletonRows />}>
      {(desk) => (
        <>
          <Keys keys={desk.apiKeys} onRevoke={(key) => setTask({ kind: 'key', key })} />
          <Limits limits={desk.limits} onChange={() => setTask({ kind: 'limits' })} />
          <Notes desk={desk} onTask={setTask} />
          {task ? <TaskDialog id={id} desk={desk} task={task} onClose={() => setTask(null)} /> : null}
        </>
      )}
    </QueryState>
  )
}

const Keys = ({ keys, onRevoke }: { keys: Key[]; onRevoke: (key: Key) => void }) => (
  <div className="stack">
    <h2>{t`API keys`}</h2>
    {keys.length === 0 ? (
      <EmptyState>{t`There is no API key.`}</EmptyState>
    ) : (
      <DataTable
        className={tableClass('topAligned')}
        label={t`API keys`}
        rows={keys}
        columns={[
          {
            head: t`Name, and how it begins`,
            isRowHead: true,
            cell: ({ name, start }) => (
              <>
                {name} <code>{start}…</code>
              </>
            ),
            below: (key) => (
              <>
                {key.test ? `${t`Test key`} · ` : null}
                {scopeNames(key.scopes)} <MadeBy made={key} />
              </>
            ),
          },
          {
            head: t`Spent this month`,
            isNumber: true,
            cell: ({ used }) => formatNumber(used.month),
            below: ({ budget }) => budget && budgetText(budget),
          },
          { head: t`Last used`, cell: ({ lastRequest }) => (lastRequest ? formatRelativeTime(lastRequest) : t`Never`) },
          {
            head: t`Action`,
            isAction: true,
            cell: (key) => (
              <Button onClick={() => onRevoke(key)} aria-label={t`Revoke ${key.name}…`}>{t`Revoke…`}</Button>
            ),
          },
        ]}
      />
    )}
  </div>
)

const budgetText = ({ used, credits, period }: NonNullable<Key['budget']>): string =>
  t`${formatNumber(used)} of ${formatNumber(credits)} ${periodNames[period]}`

const Limits = ({ limits, onChange }: { limits: Desk['limits']; onChange: () => void }) => (
  <section className="panel" aria-labelledby="owner-limits">
    <h2 id="owner-limits">{t`Limits of its own`}</h2>
    <dl className="facts">
      <Fact name={t`Films in progress at a time`}>
        {limits.inProgress === null ? t`As the service` : formatNumber(limits.inProgress)}
      </Fact>
      <Fact name={t`Requests a minute`}>
        {limits.requestsPerMinute === null ? t`As the service` : formatNumber(limits.requestsPerMinute)}
      </Fact>
      <Fact name={t`Credits`}>{limits.budget ? budgetText(limits.budget) : t`As many as there are`}</Fact>
    </dl>
    <p className="quiet">{t`They count beside the budgets of keys and members: the smallest counts.`}</p>
    <div className="row">
      <Button onClick={onChange}>{t`Change the limits…`}</Button>
    </div>
  </section>
)

const Notes = ({ desk: { tags, notes }, onTask }: { desk: Desk; onTask: (task: Task) => void }) => (
  <section className="panel" aria-labelledby="owner-notes">
    <h2 id="owner-notes">{t`Notes and tags`}</h2>
    <dl className="facts">
      <Fact name={t`Tags`}>{formatList(tags) || t`None`}</Fact>
    </dl>
    {notes.length > 0 ? (
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note.id}>
            <p>{note.text}</p>
            <span className="secondary" title={formatUtcTime(note.createdAt)}>
              {note.actorEmail ?? t`Deleted user`}, {formatRelativeTime(note.createdAt)}
            </span>{' '}
            <Button kind="quiet" onClick={() => onTask({ kind: 'note-deletion', note })}>{t`Delete the note…`}</Button>
          </li>
        ))}
      </ul>
    ) : null}
    <p className="quiet">{t`For administrators; a user reads them in an export of the account.`}</p>
    <div className="row">
      <Button onClick={() => onTask({ kind: 'note' })}>{t`Add a note…`}</Button>
      <Button onClick={() => onTask({ kind: 'tags' })}>{t`Change the tags…`}</Button>
    </div>
  </section>
)

type DialogProps = { id: string; desk: Desk; task: Task; onClose: () => void }

function TaskDialog({ id, desk, task, onClose }: DialogProps) {
  const params = { path: { id } }
  const dialog = { refresh: () => refetchOwner(id), onClose }
  switch (task.kind) {
    case 'key':
      return (
        <ReasonDialog
          {...dialog}
          title={t`Revoke ${task.key.name}?`}
          submitLabel={t`Revoke the key`}
          kind="danger"
          send={(reason) =>
            dataOf(kinora.POST('/api/v1/admin/users/{id}/desk/key', { params, body: { reason, keyId: task.key.id } }))
          }
          done={t`The key is revoked.`}
        >
          <p>{t`Every program that uses it is refused within a second. Nothing else of the account changes; a user is told by mail.`}</p>
        </ReasonDialog>
      )
    case 'note-deletion':
      return (
        <ReasonDialog
          {...dialog}
          title={t`Delete the note?`}
          submitLabel={t`Delete the note`}
          kind="danger"
          send={(reason) =>
            dataOf(
              kinora.POST('/api/v1/admin/users/{id}/desk/note-deletion', {
                params,
                body: { reason, noteId: task.note.id },
              }),
            )
          }
        />
      )
    case 'limits':
      return <LimitsDialog id={id} limits={desk.limits} onClose={onClose} />
    case 'tags':
      return <TagsDialog id={id} tags={desk.tags} onClose={onClose} />
    case 'note':
      return <NoteDialog id={id} onClose={onClose} />
  }
}

type Of<Values> = { id: string; onClose: () => void } & Values

function LimitsDialog({ id, limits, onClose }: Of<{ limits: Desk['limits'] }>) {
  const { values, text } = useFields({
    inProgress: textOf(limits.inProgress),
    rate: textOf(limits.requestsPerMinute),
    credits: textOf(limits.budget?.credits ?? null),
  })
  const [period, setPeriod] = useState<Period>(limits.budget?.period ?? 'day')
  const credits = numberOf(values.credits)
  const body = {
    inProgress: numberOf(values.inProgress),
    requestsPerMinute: numberOf(values.rate),
    budget: credits === null ? null : { credits, period },
  }
  return (
    <ReasonDialog
      title={t`Change the limits`}
      submitLabel={t`Set the limits`}
      send={(reason) =>
        dataOf(
          kinora.POST('/api/v1/admin/users/{id}/desk/limits', { params: { path: { id } }, body: { reason, ...body } }),
        )
      }
      refresh={() => refetchOwner(id)}
      done={t`The limits are set.`}
      onClose={onClose}
    >
      <p className="quiet">{t`What is left empty is as for all.`}</p>
      <NumberField label={t`Films in progress at a time`} min={0} max={1_000_000} {...text('inProgress')} />
      <NumberField label={t`Requests a minute`} max={1_000_000} {...text('rate')} />
      <NumberField label={t`Credits`} max={1_000_000_000} {...text('credits')} />
      <Select
        aria-label={t`In which time`}
        value={period}
        options={periodOptions}
        onSelect={(each) => each && setPeriod(each)}
      />
    </ReasonDialog>
  )
}

const textOf = (value: number | null): string => (value === null ? '' : String(value))
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function TagsDialog({ id, tags, onClose }: Of<{ tags: string[] }>) {
  const { values, text } = useFields({ tags: tags.join(', ') })
  const wanted = values.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return (
    <ReasonDialog
      title={t`Change the tags`}
      submitLabel={t`Set the tags`}
      send={(reason) =>
        dataOf(
          kinora.POST('/api/v1/admin/users/{id}/desk/tags', {
            params: { path: { id } },
            body: { reason, tags: wanted },
          }),
        )
      }
      refresh={() => Promise.all([refetchOwner(id), refreshQueries(['admin', 'tags'])])}
      onClose={onClose}
    >
      <Field
        label={t`Tags`}
        hint={t`With commas between them; the lists of users and teams can be filtered by one.`}
        {...text('tags')}
      />
    </ReasonDialog>
  )
}

function NoteDialog({ id, onClose }: Of<object>) {
  const { values, text } = useFields({ note: '' })
  return (
    <ReasonDialog
      title={t`Add a note`}
      submitLabel={t`Add the note`}
      send={(reason) =>
        dataOf(
          kinora.POST('/api/v1/admin/users/{id}/desk/note', {
            params: { path: { id } },
            body: { reason, text: values.note.trim() },
          }),
        )
      }
      refresh={() => refetchOwner(id)}
      onClose={onClose}
    >
      <Field label={t`Note`} maxLength={2000} required autoComplete="off" {...text('note')} />
    </ReasonDialog>
  )
}
