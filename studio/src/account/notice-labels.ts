/** What the notices by mail are called. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'

export type Notices = Schemas['Notices']
export type Notice = keyof Notices

/** Record makes a new notice an error here. */
export const noticeLabels: Record<Notice, string> = {
  'video.done': t`A film is ready, or failed`,
  'credit.low': t`Credits fall below your threshold`,
  'credit.expiring': t`Credits are about to expire`,
  'payment.failed': t`A payment failed`,
  'payment.top-up': t`An automatic top-up was paid, failed or waits for you`,
  'credit.spent': t`Films have cost what you set for a day or week`,
  'webhook.disabled': t`A webhook endpoint was disabled`,
  'team.suspended': t`API keys or webhooks were suspended`,
  'service.notice': t`Maintenance and incidents of the service`,
}
