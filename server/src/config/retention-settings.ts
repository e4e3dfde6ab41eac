/** How long data is kept. */
import { parseDuration, type SettingReader } from './setting-reader.ts'

/** In seconds; null: for ever. */
export type Retention = {
  /** The files of deleted videos, from the deletion; 0: until the next sweep. */
  deletedS: number | null
  /** The files of all videos, from the completion. */
  filmsS: number | null
  /** Sessions and verifications, from their end. */
  sessionsS: number | null
  verificationsS: number | null
  /** Which video a provider's task belongs to. */
  providerTasksS: number | null
  /** The bodies of payment events that are applied, ignored or dismissed. */
  paymentBodiesS: number | null
  videoLogsS: number | null
  /** Deliveries of webhooks, from the event. */
  webhookDeliveriesS: number | null
  /** Messages of the outbox. */
  mailsS: number | null
  /** Keyed hashes of e-mail addresses that had the new-user gift. */
  giftAddressesS: number | null
}

const DAY_S = 86_400

export function readRetention({ given, problems }: SettingReader): Retention {
  const kept = (name: string, fallback: string, { zero = false, atLeastS = 0 } = {}): number | null => {
    const value = given(name) || fallback
    if (value === 'forever') return null
    if (zero && value === '0') return 0
    const seconds =
      parseDuration(name, value, problems, zero ? ', or forever, or 0' : ', or forever') ?? (atLeastS || 1)
    if (seconds < atLeastS) problems.push(`${name} must be at least ${atLeastS / DAY_S}d, not "${value}"`)
    return seconds
  }
  return {
    deletedS: kept('DELETED_KEPT', '30d', { zero: true }),
    filmsS: kept('KEEP_FILMS', 'forever'),
    sessionsS: kept('KEEP_SESSIONS', '7d'),
    verificationsS: kept('KEEP_VERIFICATIONS', '1d'),
    providerTasksS: kept('KEEP_PROVIDER_TASKS', '90d'),
    paymentBodiesS: kept('KEEP_PAYMENT_BODIES', '400d'),
    videoLogsS: kept('KEEP_VIDEO_LOGS', '180d'),
    // Their retries take three days.
    webhookDeliveriesS: kept('KEEP_WEBHOOK_DELIVERIES', '30d', { atLeastS: 4 * DAY_S }),
    mailsS: kept('KEEP_MAILS', '30d'),
    giftAddressesS: kept('KEEP_GIFT_ADDRESSES', '400d'),
  }
}
