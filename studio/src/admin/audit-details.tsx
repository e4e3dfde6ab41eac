/** Dialog with one entry of the audit log: its ids, and all fields before and after as JSON. */
import { t } from '@lingui/core/macro'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatUtcTime } from '../ui/format.ts'
import adminStyles from './admin.module.css'
import { actionLabels } from './audit-entry.ts'
import { actorName } from './audit-table.tsx'
import type { AuditEntry } from './queries.ts'

export function AuditDetails({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
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
