/** A row of the outbox as a message. */
import type { App } from '../app.ts'
import { languageOf } from '../text/language.ts'
import { isNotice } from './kinds.ts'
import { asHtml, asText, type Content } from './layout.ts'
import { contentOf } from './templates.ts'
import { unsubscribeUrls } from './unsubscribe.ts'

/** `language`: of the user; null: not known. */
export type MailRow = { kind: string; userId: string | null; data: Record<string, unknown>; language: string | null }

/** `unsubscribeUrl`: of the header List-Unsubscribe; null for a kind that cannot be unsubscribed. */
export type Composed = { subject: string; text: string; html: string; unsubscribeUrl: string | null }

/** @param link the link that authenticates the reader, or what stands in its place */
export function compose(app: Pick<App, 'config'>, { kind, userId, data, language }: MailRow, link: string): Composed {
  const urls = userId !== null && isNotice(kind) ? unsubscribeUrls(app, userId, kind) : null
  const content: Content = {
    ...contentOf(kind, { data, link, publicUrl: app.config.publicUrl, language: languageOf(language) }),
    ...(urls ? { unsubscribeUrl: urls.page } : {}),
  }
  return { subject: content.subject, text: asText(content), html: asHtml(content), unsubscribeUrl: urls?.post ?? null }
}
