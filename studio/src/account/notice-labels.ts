/** What the notices by mail are called. */
import type { DataOf } from '@kinora/client'

export type Notices = DataOf<'get', '/api/v1/account/notices'>['notices']
export type Notice = keyof Notices

/** Record makes a new notice an error here. */
export const noticeLabels: Record<Notice, string> = {
  'video.done': 'A film is ready, or failed',
  'credit.low': 'Credits fall below your threshold',
  'credit.expiring': 'Credits are about to expire',
  'payment.failed': 'A payment failed',
  'webhook.disabled': 'A webhook endpoint was disabled',
}
