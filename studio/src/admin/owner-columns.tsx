/** The last columns of the lists of users and of teams: what the owner has, and whether deleted or locked. */
import { t } from '@lingui/core/macro'
import type { Column } from '../ui/data-table.tsx'
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import type { User } from './queries.ts'

type Row = Pick<User, 'credits' | 'deletedAt'>

export const ownerColumns = <Owner extends Row>(isLocked: (owner: Owner) => boolean): Column<Owner>[] => [
  { head: t`Available`, isNumber: true, cell: ({ credits }) => formatNumber(credits.available) },
  { head: t`Frozen`, isNumber: true, cell: ({ credits }) => formatNumber(credits.frozen) },
  { head: t`Used`, isNumber: true, cell: ({ credits }) => formatNumber(credits.used) },
  { head: t`Total`, isNumber: true, cell: ({ credits }) => formatNumber(credits.total) },
  { head: t`Owed`, isNumber: true, cell: ({ credits }) => formatNumber(credits.owed) },
  {
    head: t`State`,
    cell: (owner) =>
      owner.deletedAt || isLocked(owner) ? (
        <OwnerState deletedAt={owner.deletedAt} isLocked={isLocked(owner)} />
      ) : (
        t`Active`
      ),
  },
]

/** Marks an account or a team that is deleted or locked; shows nothing of any other. */
export const OwnerState = ({ deletedAt, isLocked }: { deletedAt: string | null; isLocked: boolean }) =>
  deletedAt || isLocked ? (
    <Mark
      kind="failed"
      title={deletedAt ? formatUtcTime(deletedAt) : undefined}
      label={deletedAt ? t`Deleted` : t`Locked`}
    />
  ) : null
