/** Audit page: what administrators and sweeps did, filtered by user, administrator and action. */

import { t } from '@lingui/core/macro'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { optionalParams } from '../search-params.ts'
import { logLabels } from '../team/log-labels.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatList, formatNumber, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { Select } from '../ui/select.tsx'
import { EmptyState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import styles from './audit-page.module.css'
import { AdminPage, LinkButton, tableClass } from './kit.tsx'
import { OwnerLink, OwnerOfId } from './owner-link.tsx'
import { type AuditEntry, type AuditFilter, auditQuery } from './queries.ts'
import { UserPicker } from './user-picker.tsx'

export function AuditPage() {
  const filter: AuditFilter = optionalParams(useSearch({ from: '/signed-in/admin/audit' }))
  const list = usePages(auditQuery(filter))
  const [shown, setShown] = useState<AuditEntry | null>(null)
  return (
    <AdminPage title={t`Audit`}>
      <AuditFilters filter={filter} />
      <PagedList
        list={list}
        rowsOf={(page) => page.entries}
        total={list.data?.pages[0]?.total}
        loading={t`Loading the entries`}
        empty={<NoEntries isFiltered={Object.values(filter).some(Boolean)} />}
      >
        {(entries) => <AuditTable entries={entries} filter={filter} onShow={setShown} />}
      </PagedList>
      {shown ? <AuditDetails entry={shown} onClose={() => setShown(null)} /> : null}
    </AdminPage>
  )
}

const NoEntries = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      action={
        <Link to="/admin/audit" className={buttonClass()}>
          {t`Show everything`}
        </Link>
      }
    >
      {t`No entry is like this.`}
    </EmptyState>
  ) : (
    <EmptyState>{t`Everything that an administrator changes will be listed here, with who did it and why.`}</EmptyState>
  )

type TableProps = { entries: AuditEntry[]; filter: AuditFilter; onShow: (entry: AuditEntry) => void }

const AuditTable = ({ entries, filter, onShow }: TableProps) => (
  <DataTable
    className={`${tableClass('topAligned')} ${styles.table}`}
    label={t`Audit`}
    rows={entries}
    columns={[
      {
        head: t`What`,
        cell: (entry) => (
          <LinkButton onClick={() => onShow(entry)} title={t`Read it whole`}>
            {actionLabels[entry.action] ?? entry.action}
          </LinkButton>
        ),
        below: ({ action }) => <code>{action}</code>,
      },
      {
        head: t`User`,
        cell: ({ userId, userEmail, team }) =>
          userId ? <OwnerLink of={{ userId, email: userEmail, team }} /> : <span className="quiet">{t`No user`}</span>,
      },
      { head: t`Before and after`, className: styles.changes, cell: (entry) => <Changes entry={entry} /> },
      {
        head: t`Why`,
        className: styles.reason,
        cell: ({ reason }) => (reason ? <span title={reason}>{reason}</span> : <span className="quiet">–</span>),
      },
      {
        head: t`By`,
        cell: (entry) => (
          <Link
            to="/admin/audit"
            search={{ ...filter, actorId: entry.actorId }}
            resetScroll={false}
            className={adminStyles.person}
            title={actorName(entry)}
          >
            {actorName(entry)}
          </Link>
        ),
      },
      {
        head: t`When`,
        cell: ({ createdAt }) => formatRelativeTime(createdAt),
        below: ({ createdAt }) => <time dateTime={createdAt}>{formatUtcTime(createdAt)}</time>,
      },
    ]}
  />
)

const actorName = ({ actorId, actorEmail }: AuditEntry): string =>
  actorId === SERVICE_ID ? t`The service` : (actorEmail ?? t`Deleted user ${actorId}`)

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry)
  if (changes.length === 0) return <span className="quiet">–</span>
  return (
    <ul>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          {field} {before} → {after}
        </li>
      ))}
    </ul>
  )
}

/** One entry with all its fields, and the states before and after as JSON. */
function AuditDetails({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { action, createdAt, userEmail, userId, subject, requestId, reason, before, after } = entry
  return (
    <Dialog open onClose={onClose} title={actionLabels[action] ?? action}>
      <dl className="facts">
        <Fact name={t`When`}>{formatUtcTime(createdAt)}</Fact>
        <Fact name={t`By`}>{actorName(entry)}</Fact>
        <Fact name={t`User`}>{userEmail ?? userId}</Fact>
        <Fact name={t`Why`}>{reason}</Fact>
        <Fact name={t`What`}>{subject ? <code>{subject}</code> : null}</Fact>
        <Fact name={t`Request`}>{requestId ? <code>{requestId}</code> : null}</Fact>
      </dl>
      <State name={t`Before`} state={before} />
      <State name={t`After`} state={after} />
      <div className="dialog-actions">
        <CopyButton text={JSON.stringify(entry, null, 2)} label={t`Copy the entry`} />
        <Button onClick={onClose}>{t`Done`}</Button>
      </div>
    </Dialog>
  )
}

const State = ({ name, state }: { name: string; state: AuditEntry['before'] }) =>
  state ? (
    <section className="stack" aria-label={name}>
      <h3>{name}</h3>
      <pre className={adminStyles.json}>{JSON.stringify(state, null, 2)}</pre>
    </section>
  ) : null

type PersonFilter = 'userId' | 'actorId'

const texts = {
  userId: { choose: t`Choose a user`, title: t`Whose entries?`, of: t`About`, clear: t`About every user` },
  actorId: { choose: t`Choose an administrator`, title: t`Entries of whom?`, of: t`By`, clear: t`By every actor` },
} as const

/**
 * Filters of the audit log, kept in the URL: action, user, administrator. A dialog finds the user or the administrator.
 */
function AuditFilters({ filter }: { filter: AuditFilter }) {
  const navigate = useNavigate({ from: '/admin/audit' })
  const [choosing, setChoosing] = useState<PersonFilter | null>(null)
  const select = (search: AuditFilter) => navigate({ search, replace: true, resetScroll: false })
  const { action, ...rest } = filter
  const actions = new Set([...Object.keys(actionLabels), ...(action ? [action] : [])])
  return (
    <div className={adminStyles.filters}>
      <Select
        className={styles.action}
        aria-label={t`Action`}
        data-search
        value={action}
        none={t`Every action`}
        options={[...actions].map((name) => [name, actionLabels[name] ?? name])}
        onSelect={(next) => select(next ? { ...rest, action: next } : rest)}
      />
      {(['userId', 'actorId'] as const).map((kind) => (
        <PersonFilterControl key={kind} kind={kind} filter={filter} onChoose={() => setChoosing(kind)} />
      ))}
      {choosing ? (
        <Dialog open onClose={() => setChoosing(null)} title={texts[choosing].title}>
          <UserPicker
            selected={null}
            onSelect={({ id }) => {
              setChoosing(null)
              select({ ...filter, [choosing]: id })
            }}
          />
          <div className="dialog-actions">
            <Button onClick={() => setChoosing(null)}>{t`Cancel`}</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

type ControlProps = { kind: PersonFilter; filter: AuditFilter; onChoose: () => void }

function PersonFilterControl({ kind, filter, onChoose }: ControlProps) {
  const { [kind]: id, ...rest } = filter
  const { choose, of, clear } = texts[kind]
  if (!id)
    return (
      <Button className={styles.choose} onClick={onChoose}>
        {choose}
      </Button>
    )
  return (
    <span className="row">
      <span className={styles.chosen}>
        {of} {id === SERVICE_ID ? t`the service` : <OwnerOfId id={id} />}
      </span>
      <Link to="/admin/audit" search={rest} className="button quiet" resetScroll={false}>
        {clear}
      </Link>
    </span>
  )
}

/** The actor of the service itself, which writes entries for what its sweeps delete. */
const SERVICE_ID = '00000000-0000-0000-0000-000000000000'

const actionLabels: Record<string, string> = {
  ...logLabels(),
  'payment.apply': t`Payment event applied`,
  'payment.dismiss': t`Payment event dismissed`,
  'mail.retry': t`Mail sent again`,
  'mail.show-link': t`Link of a mail shown`,
  'catalogue.switch': t`Switched off or on`,
  'catalogue.take': t`File of the catalogue changed`,
  'catalogue.restore': t`Change of the catalogue taken back`,
  'setup.test': t`Item of the checklist tested`,
  'setup.close': t`Checklist shown first no more`,
  'catalogue.sample': t`Sample film requested`,
  'incident.set': t`All users told`,
  'invitation.create': t`Invited to sign up`,
  'invitation.revoke': t`Revoked an invitation`,
  'code.create': t`Made a code`,
  'code.end': t`Ended a code`,
  'user.create': t`User created`,
  'user.update': t`User changed`,
  'user.set-role': t`Role changed`,
  'user.set-password': t`Password set`,
  'user.ban': t`User locked`,
  'user.unban': t`User unlocked`,
  'user.impersonate': t`Signed in as the user`,
  'user.act': t`Changed something as the user`,
  'user.stop-impersonating': t`Signed out as the user`,
  'user.revoke-session': t`Session ended`,
  'user.revoke-sessions': t`Sessions ended`,
  'user.resend-verification': t`Verification sent again`,
  'user.change-address': t`Address changed`,
  'user.send-password': t`Link for a password sent`,
  'user.remove-factor': t`Second factor removed`,
  'key.revoke': t`API key revoked`,
  'limits.set': t`Limits set`,
  'tags.set': t`Tags set`,
  'note.add': t`Note added`,
  'note.delete': t`Note deleted`,
  'video.restore': t`Film restored`,
  'account.delete': t`Account deleted`,
}

const fieldLabels: Record<string, string> = {
  available: t`Available`,
  frozen: t`Frozen`,
  used: t`Used`,
  expired: t`Expired`,
  clawedBack: t`Taken back`,
  owed: t`Owed`,
  total: t`Total`,
  state: t`State`,
  name: t`Name`,
  email: t`E-mail`,
  role: t`Role`,
  banned: t`Locked`,
  banExpires: t`Locked until`,
  sessions: t`Sessions`,
  on: t`On`,
  inProgress: t`Films in progress at a time`,
  requestsPerMinute: t`Requests a minute`,
  credits: t`Credits`,
  tags: t`Tags`,
}

type Change = { field: string; before: string; after: string }

/** The labelled fields whose values differ before and after, in the order of the labels. */
function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  if (!before || !after) return []
  return Object.entries(fieldLabels).flatMap(([key, field]) => {
    const [from, to] = [before[key], after[key]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, before: format(from), after: format(to) }]
  })
}

function format(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (Array.isArray(value)) return formatList(value.map(String)) || t`none`
  if (typeof value !== 'string' || value === '') return t`none`
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatUtcTime(value) : value
}
