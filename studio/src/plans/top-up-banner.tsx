/** On every page: the payment of an automatic top-up that waits for the user. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { topUpQuery } from './top-up-query.ts'

export function TopUpBanner() {
  const { data } = useQuery(topUpQuery)
  if (data?.last?.state !== 'action' || !data.last.url) return null
  return (
    <p className="offline" role="status">
      {t`The automatic top-up waits: your bank asks you to confirm a payment.`}{' '}
      <a href={data.last.url}>{t`Confirm the payment`}</a>
    </p>
  )
}
