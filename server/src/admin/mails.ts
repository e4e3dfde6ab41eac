/** The outbox of mail, for administrators: list, read, send again. */

import { Type } from 'typebox'
import type { App } from '../app.ts'
import type { Functions } from '../db/bindings.ts'
import { call, part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { fromEach } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { contentOf } from '../mail/compose.ts'
import { asText } from '../mail/layout.ts'
import { isMailSetUp, linkOf } from '../mail/outbox.ts'
import { languageOf } from '../text/language.ts'

export const MAIL_STATES = ['pending', 'sent', 'failed', 'expired'] as const
export type MailState = (typeof MAIL_STATES)[number]

export type MailItem = {
  id: string
  kind: string
  userId: string | null
  to: string
  subject: string
  status: MailState
  attempts: number
  response: string | null
  createdAt: Date
  attemptedAt: Date | null
  nextAttemptAt: Date | null
  expiresAt: Date
  /** Whether the message can be sent again: it waits no more, and had no link, which would be gone. */
  canRetry: boolean
}
export type MailDetail = MailItem & { text: string }

type Row = Omit<MailItem, 'subject'> & {
  data: Record<string, unknown>
  link: Buffer | null
  hasLink: boolean
  language: string | null
}

/** What stands in the place of a link that an administrator must not use. */
const HIDDEN_LINK = '(the link is in the mail only)'
const GONE_LINK = '(the link is gone)'

export const mailFilters = {
  userId: filter(
    Type.String({ format: 'uuid', description: 'Those of this user or team' }),
    (sql, id) => sql`user_id = ${id}`,
  ),
  status: filter(Type.Enum([...MAIL_STATES]), (sql, status) => sql`state = ${status}`),
}

/** Newest first. @throws AppError INVALID_REQUEST (cursor) */
export async function listMails(app: App, query: QueryOf<typeof mailFilters> & PageQuery) {
  const { config, database, log } = app
  const { rows, ...page } = await readPage({ log, parts: database.everywhere() }, query, {
    sequence: by('id', 'id'),
    where: (sql) => matches(sql, mailFilters, query),
    rows: (sql, { where, order, limit }) => sql<Row[]>`
      select ${columns(sql)}
      from kinora.mail m
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { isMailSetUp: isMailSetUp(config), mails: rows.map((row) => itemOf(app, row)), ...page }
}

/**
 * A message with its text. The link that authenticates its reader is shown only while mail is not set up, because an
 * administrator must hand it over then; that it was shown is an entry of the audit log. @throws AppError NOT_FOUND
 */
export async function getMail(
  app: App,
  id: string,
  { actorId, requestId }: { actorId: string; requestId: string },
): Promise<MailDetail> {
  const { sql, config, now } = app
  const read = (part: App['sql']) => part<Row[]>`select ${columns(part)} from kinora.mail m where id = ${id}`
  const [row] = isUuid(id) ? await fromEach(app, app.database.everywhere(), read) : []
  if (!row) throw mailNotFound()
  const link = isMailSetUp(config) ? HIDDEN_LINK : (linkOf(app, row) ?? GONE_LINK)
  if (row.link && !isMailSetUp(config)) {
    await call(sql, 'audit_add', {
      actorId,
      action: 'mail.show-link',
      userId: row.userId,
      subject: id,
      after: { kind: row.kind },
      requestId,
      now: now(),
    })
  }
  const { kind, data } = row
  const language = languageOf(row.language)
  return { ...itemOf(app, row), text: asText(contentOf(app, kind, { data, link, language })) }
}

/**
 * Sends a message once more: one that was sent, or is out of date, as another message to the present address of its
 * user. @throws AppError NOT_FOUND, CONFLICT
 */
export async function retryMail(
  app: App,
  id: string,
  { actorId, reason, requestId }: { actorId: string; reason: string; requestId: string },
): Promise<void> {
  const retry = (sql: App['sql']) => sql<{ outcome: Functions['mail_retry']['result'] }[]>`
    select ${part(sql, 'mail_retry', { id, actorId, reason, requestId, now: app.now() })} as outcome
  `
  // One of the parts has the message.
  const outcomes = isUuid(id) ? await fromEach(app, app.database.everywhere(), retry) : []
  const row = outcomes.find(({ outcome }) => outcome !== 'not_found')
  if (row?.outcome === 'retried') return
  if (row?.outcome === 'not_sendable') {
    throw new AppError(
      'CONFLICT',
      'Only a message that waits no more, and had no link for its reader, can be sent again; its user asks for a new link.',
    )
  }
  throw mailNotFound()
}

const columns = (sql: Query) => sql`
  id, kind, user_id, recipient as "to", data, link, has_link, state as status, attempt as attempts, response, created_at, attempted_at,
  due_at as next_attempt_at, expires_at, state <> 'pending' and not has_link as can_retry,
  (select u."language" from public."user" u where u.id = m.user_id::text) as language
`

function itemOf(app: App, { data, link, hasLink, language, ...row }: Row): MailItem {
  const input = { data, link: '', language: languageOf(language) }
  return { ...row, subject: contentOf(app, row.kind, input).subject }
}

const mailNotFound = () => new AppError('NOT_FOUND', 'There is no such mail; the outbox may have forgotten it.')
