/** The types of event that webhooks report. server/sql writes them where they happen. */
export const WEBHOOK_EVENTS = [
  'video.completed',
  'video.failed',
  'video.cancelled',
  'video.deleted',
  'project.created',
  'project.rendered',
  'project.deleted',
  'asset.created',
  'asset.deleted',
  'credit.added',
  'credit.low',
  'credit.expiring',
  'subscription.updated',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
