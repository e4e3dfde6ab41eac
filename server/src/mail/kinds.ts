/**
 * The kinds of mail. Notices can be unsubscribed, one by one; the other kinds are part of signing in, where a person
 * waits for most of them, or say what an administrator did or has to do.
 */
export const NOTICES = [
  'credit.low',
  'credit.expiring',
  'payment.failed',
  'payment.top-up',
  'credit.spent',
  'video.done',
  'webhook.disabled',
  'team.suspended',
  'service.notice',
] as const
export type Notice = (typeof NOTICES)[number]

/** Notices that are sent only to users who have switched them on; kinora.mail_is_wanted has the same list. */
export const OFF_BY_DEFAULT: readonly Notice[] = ['video.done']

/**
 * `link`: the message has a link that authenticates its reader. `keptS`: after this time it is not sent any more; with
 * a link, the time for which the link works.
 */
export const accountKinds = {
  'password.reset': { link: true, keptS: 3600 },
  'password.changed': { link: false, keptS: 3 * 86_400 },
  'account.changed': { link: false, keptS: 3 * 86_400 },
  'email.verify': { link: true, keptS: 3600 },
  'email.change': { link: true, keptS: 3600 },
  'sign-in.link': { link: true, keptS: 600 },
  'sign-in.new': { link: false, keptS: 86_400 },
  'sign-in.attempts': { link: false, keptS: 86_400 },
  'team.invitation': { link: true, keptS: 7 * 86_400 },
  'explore.removed': { link: false, keptS: 3 * 86_400 },
  'film.taken-down': { link: false, keptS: 14 * 86_400 },
  'takedown.answered': { link: false, keptS: 14 * 86_400 },
  'provider.low': { link: false, keptS: 3 * 86_400 },
  // Sent at once, past the outbox, to the administrator who waits for it.
  'setup.test': { link: false, keptS: 0 },
} as const
export type AccountKind = keyof typeof accountKinds
export type MailKind = AccountKind | Notice

export const isNotice = (kind: string): kind is Notice => (NOTICES as readonly string[]).includes(kind)
