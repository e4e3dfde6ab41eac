/** What one who owes is told before a deletion: the request that names the amount deletes all the same. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { formatCredits } from '../ui/format.ts'

/** The credits that a deletion was refused for; 0: it was not. */
export const owedOf = (error: KinoraError | null): number =>
  (error?.code === 'CONFLICT' ? (error.details as { owed?: number } | undefined)?.owed : undefined) ?? 0

export const OwedState = ({ owed }: { owed: number }) =>
  owed > 0 ? (
    <p className="error-state" role="alert">
      {t`${formatCredits(owed)} of payments that were returned are owed. Delete again if it is to be deleted all the same: what a team owes, those owe then who paid.`}
    </p>
  ) : null
