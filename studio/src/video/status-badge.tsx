/** A video's status as a word with a shape, never a colour alone. A film that its user has cancelled has not failed. */
import { t } from '@lingui/core/macro'
import { type Status, statusLabels } from '../ui/format.ts'

const kinds: Record<Status, 'running' | 'done' | 'failed'> = {
  PENDING: 'running',
  GENERATING: 'running',
  UPLOADING: 'running',
  COMPLETED: 'done',
  FAILED: 'failed',
}

type Props = { status: Status; failure?: { code: string } | null | undefined }

export function StatusBadge({ status, failure }: Props) {
  const isCancelled = status === 'FAILED' && failure?.code === 'CANCELLED'
  return (
    <span className="mark" data-kind={isCancelled ? 'cancelled' : kinds[status]}>
      {isCancelled ? t`Cancelled` : statusLabels()[status]}
    </span>
  )
}
