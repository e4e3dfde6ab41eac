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
  'webhook.disabled': t`A webhook endpoint was disabled`,
  'team.suspended': t`API keys or webhooks were suspended`,
  'service.notice': t`Maintenance and incidents of the service`,
}
