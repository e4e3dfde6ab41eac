/** Dialog with one entry of the audit log: its ids, and all fields before and after as JSON. */
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
        <Fact name="When">{formatUtcTime(createdAt)}</Fact>
        <Fact name="By">{actorName(entry)}</Fact>
        <Fact name="Whose">{userEmail ?? userId}</Fact>
        <Fact name="Why">{reason}</Fact>
        <Fact name="What">{subject ? <code>{subject}</code> : null}</Fact>
        <Fact name="Request">{requestId ? <code>{requestId}</code> : null}</Fact>
      </dl>
      <State name="Before" state={before} />
      <State name="After" state={after} />
      <div className="dialog-actions">
        <CopyButton text={JSON.stringify(entry, null, 2)} label="Copy the entry" />
        <Button onClick={onClose}>Done</Button>
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
