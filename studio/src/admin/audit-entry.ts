/** The audit log in words: the label of each action, and what an entry changed. */
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import type { AuditEntry } from './queries.ts'

/** Of the service itself, which writes entries for what its sweeps delete. */
export const SERVICE_ID = '00000000-0000-0000-0000-000000000000'

export const actionLabels: Record<string, string> = {
  'credits.add': 'Credits given',
  'credits.take': 'Credits taken back',
  'credits.reverse-expiry': 'Expiry reversed',
  'payment.apply': 'Payment event applied',
  'payment.dismiss': 'Payment event dismissed',
  'video.remove-files': 'Film removed',
  'webhook.disable': 'Webhook disabled',
  'mail.retry': 'Mail sent again',
  'mail.show-link': 'Link of a mail shown',
  'user.create': 'User created',
  'user.update': 'User changed',
  'user.set-role': 'Role changed',
  'user.set-password': 'Password set',
  'user.ban': 'User locked',
  'user.unban': 'User unlocked',
  'user.impersonate': 'Signed in as the user',
  'user.stop-impersonating': 'Signed out as the user',
  'user.revoke-session': 'Session ended',
  'user.revoke-sessions': 'Sessions ended',
  'account.delete': 'Account deleted',
}

const fieldLabels: Record<string, string> = {
  available: 'Available',
  frozen: 'Frozen',
  used: 'Used',
  expired: 'Expired',
  clawedBack: 'Taken back',
  total: 'Total',
  state: 'State',
  name: 'Name',
  email: 'E-mail',
  role: 'Role',
  banned: 'Locked',
  banExpires: 'Locked until',
  sessions: 'Sessions',
}

export type Change = { field: string; before: string; after: string }

/** The labelled fields whose values differ before and after, in the order of the labels. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  if (!before || !after) return []
  return Object.entries(fieldLabels).flatMap(([key, field]) => {
    const [from, to] = [before[key], after[key]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, before: format(from), after: format(to) }]
  })
}

function format(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string' || value === '') return 'none'
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatUtcTime(value) : value
}
