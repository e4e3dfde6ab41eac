/** Marks an account or a team that is deleted or locked; shows nothing of any other. */
import { t } from '@lingui/core/macro'
import { formatUtcTime } from '../ui/format.ts'

export const OwnerState = ({ deletedAt, isLocked }: { deletedAt: string | null; isLocked: boolean }) =>
  deletedAt || isLocked ? (
    <span className="mark" data-kind="failed" title={deletedAt ? formatUtcTime(deletedAt) : undefined}>
      {deletedAt ? t`Deleted` : t`Locked`}
    </span>
  ) : null
