/** The last columns of the lists of users and of teams: what the owner has, and whether the owner is deleted or locked. */
import { t } from '@lingui/core/macro'
import { formatNumber } from '../ui/format.ts'
import { OwnerState } from './owner-state.tsx'
import type { User } from './queries.ts'

export const OwnerHeads = () => (
  <>
    {[t`Available`, t`Frozen`, t`Used`, t`Total`, t`Owed`].map((name) => (
      <th key={name} scope="col" className="number">
        {name}
      </th>
    ))}
    <th scope="col">{t`State`}</th>
  </>
)

type Props = { credits: User['credits']; deletedAt: string | null; isLocked: boolean }

export const OwnerCells = ({ credits: { available, frozen, used, total, owed }, deletedAt, isLocked }: Props) => (
  <>
    <td className="number">{formatNumber(available)}</td>
    <td className="number">{formatNumber(frozen)}</td>
    <td className="number">{formatNumber(used)}</td>
    <td className="number">{formatNumber(total)}</td>
    <td className="number">{formatNumber(owed)}</td>
    <td>{deletedAt || isLocked ? <OwnerState {...{ deletedAt, isLocked }} /> : t`Active`}</td>
  </>
)
