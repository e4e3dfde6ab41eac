/** Entries of the audit log: when, the action, the account, the actor, the change and the reason. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { actionLabels, changesOf, SERVICE_ID } from './audit-entry.ts'
import styles from './audit-page.module.css'
import { OwnerLink } from './owner-link.tsx'
import type { AuditEntry, AuditFilter } from './queries.ts'

type Props = { entries: AuditEntry[]; filter: AuditFilter; onShow: (entry: AuditEntry) => void }

export const AuditTable = ({ entries, filter, onShow }: Props) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned} ${styles.table}`}>
    <TableFrame label={t`Audit`}>
      <thead>
        <tr>
          <th scope="col">{t`What`}</th>
          <th scope="col">{t`User`}</th>
          <th scope="col">{t`Before and after`}</th>
          <th scope="col">{t`Why`}</th>
          <th scope="col">{t`By`}</th>
          <th scope="col">{t`When`}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} filter={filter} onShow={onShow} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function EntryRow({ entry, filter, onShow }: { entry: AuditEntry } & Omit<Props, 'entries'>) {
  const { action, userId, userEmail, team, reason, actorId, createdAt } = entry
  return (
    <tr>
      <td>
        <button type="button" className={adminStyles.linkButton} onClick={() => onShow(entry)} title={t`Read it whole`}>
          {actionLabels[action] ?? action}
        </button>
        <code className={adminStyles.secondary}>{action}</code>
      </td>
      <td>
        {userId ? <OwnerLink of={{ userId, email: userEmail, team }} /> : <span className="quiet">{t`No user`}</span>}
      </td>
      <td className={styles.changes}>
        <Changes entry={entry} />
      </td>
      <td className={styles.reason}>
        {reason ? <span title={reason}>{reason}</span> : <span className="quiet">–</span>}
      </td>
      <td>
        <Link
          to="/admin/audit"
          search={{ ...filter, actorId }}
          resetScroll={false}
          className={adminStyles.person}
          title={actorName(entry)}
        >
          {actorName(entry)}
        </Link>
      </td>
      <td>
        {formatRelativeTime(createdAt)}
        <time className={adminStyles.secondary} dateTime={createdAt}>
          {formatUtcTime(createdAt)}
        </time>
      </td>
    </tr>
  )
}

export const actorName = ({ actorId, actorEmail }: AuditEntry): string =>
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
