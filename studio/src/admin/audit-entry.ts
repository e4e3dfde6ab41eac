/** The audit log in words: the label of each action, and what an entry changed. */
import { t } from '@lingui/core/macro'
import { logLabels } from '../team/log-labels.ts'
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import type { AuditEntry } from './queries.ts'

/** The actor of the service itself, which writes entries for what its sweeps delete. */
export const SERVICE_ID = '00000000-0000-0000-0000-000000000000'

export const actionLabels: Record<string, string> = {
  ...logLabels(),
  'payment.apply': t`Payment event applied`,
  'payment.dismiss': t`Payment event dismissed`,
  'mail.retry': t`Mail sent again`,
  'mail.show-link': t`Link of a mail shown`,
  'catalogue.switch': t`Switched off or on`,
  'catalogue.sample': t`Sample film requested`,
  'invitation.create': t`Invited to sign up`,
  'invitation.revoke': t`Revoked an invitation`,
  'code.create': t`Made a code`,
  'code.end': t`Ended a code`,
  'user.create': t`User created`,
  'user.update': t`User changed`,
  'user.set-role': t`Role changed`,
  'user.set-password': t`Password set`,
  'user.ban': t`User locked`,
  'user.unban': t`User unlocked`,
  'user.impersonate': t`Signed in as the user`,
  'user.act': t`Changed something as the user`,
  'user.stop-impersonating': t`Signed out as the user`,
  'user.revoke-session': t`Session ended`,
  'user.revoke-sessions': t`Sessions ended`,
  'user.resend-verification': t`Verification sent again`,
  'account.delete': t`Account deleted`,
}

const fieldLabels: Record<string, string> = {
  available: t`Available`,
  frozen: t`Frozen`,
  used: t`Used`,
  expired: t`Expired`,
  clawedBack: t`Taken back`,
  owed: t`Owed`,
  total: t`Total`,
  state: t`State`,
  name: t`Name`,
  email: t`E-mail`,
  role: t`Role`,
  banned: t`Locked`,
  banExpires: t`Locked until`,
  sessions: t`Sessions`,
  on: t`On`,
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
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value !== 'string' || value === '') return t`none`
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatUtcTime(value) : value
}
