/** The outbox: messages that sign-in writes. Notices are of their cause's SQL function (server/sql/mail.sql). */

import type { App } from '../app.ts'
import { type Seal, seal, unseal } from '../config/seal.ts'
import { call } from '../db/call.ts'
import { newId } from '../id.ts'
import { type AccountKind, accountKinds } from './kinds.ts'

export type NewMail = {
  kind: AccountKind
  /** Null: the recipient has no account. */
  userId: string | null
  /** The address, as better-auth has validated it. */
  to: string
  /** The link that authenticates the reader, for kinds with one. It is stored sealed until the message is sent. */
  link?: string
  /** What the template fills in; see templates-en.ts. No secrets: administrators read it. */
  data?: Record<string, string | number | null>
  /** A second message of the user with the same key is not written while the outbox keeps the first (KEEP_MAILS). */
  onceKey?: string
}

/** Whether messages are sent. Without it they wait in the outbox, where administrators read them. */
export const isMailSetUp = ({ mail }: Pick<App['config'], 'mail'>): boolean => mail.smtp !== null

/**
 * Writes a message to the outbox; the worker sends it. Called before the response to the request that causes it, so
 * that a caller who has the response gets the message too.
 * @returns whether it was written: false when `onceKey` is known
 */
export async function enqueueMail(app: App, { kind, userId, to, link, data = {}, onceKey }: NewMail): Promise<boolean> {
  const { sql, config, now } = app
  const at = now()
  const id = newId(at)
  const expiresAt = new Date(at.getTime() + accountKinds[kind].keptS * 1000)
  const sealed = link === undefined ? null : seal(config, linkSeal(id), Buffer.from(link))
  const isWritten = await call(sql, 'mail_add', {
    id,
    userId,
    kind,
    key: onceKey ?? `${kind} ${id}`,
    recipient: to,
    data,
    link: sealed,
    expiresAt,
    now: at,
  })
  return isWritten ?? false
}

/** The link of a message; null without one, and when AUTH_SECRET has changed since it was written. */
export const linkOf = (
  { config }: Pick<App, 'config'>,
  { id, link }: { id: string; link: Buffer | null },
): string | null => (link && unseal(config, linkSeal(id), link)?.toString('utf8')) ?? null

const linkSeal = (id: string): Seal => ({ purpose: 'kinora mail links', owner: id })
