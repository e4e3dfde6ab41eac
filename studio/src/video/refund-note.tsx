/** The credits that a failed video gave back; no number until the refund is loaded. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { refundsQuery } from '../api.ts'
import { formatCredits } from '../ui/format.ts'

export function RefundNote({ uuid }: { uuid: string }) {
  const refunded = useQuery(refundsQuery).data?.[uuid]
  return (
    <span className="quiet small">
      {refunded === undefined ? t`Credits returned` : t`${formatCredits(refunded)} returned`}
    </span>
  )
}
