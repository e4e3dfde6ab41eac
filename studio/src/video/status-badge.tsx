/** A video's status as a word with a shape, never a colour alone. */
import { type Status, statusLabels } from '../ui/format.ts'

const kinds: Record<Status, 'running' | 'done' | 'failed'> = {
  PENDING: 'running',
  GENERATING: 'running',
  UPLOADING: 'running',
  COMPLETED: 'done',
  FAILED: 'failed',
}

export const StatusBadge = ({ status }: { status: Status }) => (
  <span className="mark" data-kind={kinds[status]}>
    {statusLabels()[status]}
  </span>
)
