/** Filters of the audit log, kept in the URL: action, user, administrator. A dialog finds the user or the administrator. */
import { t } from '@lingui/core/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import adminStyles from './admin.module.css'
import { actionLabels, SERVICE_ID } from './audit-entry.ts'
import styles from './audit-page.module.css'
import { OwnerOfId } from './owner-link.tsx'
import type { AuditFilter } from './queries.ts'
import { UserPicker } from './user-picker.tsx'
import '../ui/field.css'

type PersonFilter = 'userId' | 'actorId'

const texts = {
  userId: { choose: t`Choose a user`, title: t`Whose entries?`, of: t`About`, clear: t`About every user` },
  actorId: { choose: t`Choose an administrator`, title: t`Entries of whom?`, of: t`By`, clear: t`By every actor` },
} as const

export function AuditFilters({ filter }: { filter: AuditFilter }) {
  const navigate = useNavigate({ from: '/admin/audit' })
  const [choosing, setChoosing] = useState<PersonFilter | null>(null)
  const select = (search: AuditFilter) => navigate({ search, replace: true, resetScroll: false })
  const { action, ...rest } = filter
  const actions = new Set([...Object.keys(actionLabels), ...(action ? [action] : [])])
  return (
    <div className={adminStyles.filters}>
      <select
        className={`input ${styles.action}`}
        aria-label={t`Action`}
        data-search
        value={action ?? ''}
        onChange={({ target }) => select(target.value ? { ...rest, action: target.value } : rest)}
      >
        <option value="">{t`Every action`}</option>
        {[...actions].map((name) => (
          <option key={name} value={name}>
            {actionLabels[name] ?? name}
          </option>
        ))}
      </select>
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
