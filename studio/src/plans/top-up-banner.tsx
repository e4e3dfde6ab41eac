/** On every page: the payment of an automatic top-up that waits for the user. Loaded once there is one. */
import { t } from '@lingui/core/macro'

export const TopUpBanner = ({ url }: { url: string }) => (
  <p className="offline" role="status">
    {t`The automatic top-up waits: your bank asks you to confirm a payment.`} <a href={url}>{t`Confirm the payment`}</a>
  </p>
)
