/**
 * A row of the outbox as a message, in the user's language. The type asks each language for every kind. The subjects
 * have no text of a user, so that nothing from outside is in a header but the recipient.
 */
import type { App } from '../app.ts'
import { type Language, languageOf } from '../text/language.ts'
import { isNotice, type MailKind } from './kinds.ts'
import { asHtml, asText, type Content } from './layout.ts'
import { objectionUrl } from './objection.ts'
import { type Template, type TemplateInput, type Templates, text } from './template-input.ts'
import { english } from './templates-en.ts'
import { chinese } from './templates-zh-hans.ts'
import { unsubscribeUrls } from './unsubscribe.ts'

/** `language`: of the user; null: not known. */
export type MailRow = { kind: string; userId: string | null; data: Record<string, unknown>; language: string | null }

/** `unsubscribeUrl`: of the header List-Unsubscribe; null for a kind that cannot be unsubscribed. */
export type Composed = { subject: string; text: string; html: string; unsubscribeUrl: string | null }

/** @param link the link that authenticates the reader, or what stands in its place */
export function compose(app: Pick<App, 'config'>, { kind, userId, data, language }: MailRow, link: string): Composed {
  const urls = userId !== null && isNotice(kind) ? unsubscribeUrls(app, userId, kind) : null
  const content: Content = {
    ...contentOf(app, kind, { data, link, language: languageOf(language) }),
    ...(urls ? { unsubscribeUrl: urls.page } : {}),
  }
  return {
    subject: content.subject,
    text: asText(content),
    html: asHtml(content, app.config.site.name),
    unsubscribeUrl: urls?.post ?? null,
  }
}

const templates: Record<Language, Templates> = { en: english, 'zh-Hans': chinese }

/** @throws Error when there is no template for the kind */
export function contentOf(
  { config }: Pick<App, 'config'>,
  kind: string,
  { language, data, link }: Pick<TemplateInput, 'data' | 'link'> & { language: Language },
): Omit<Content, 'unsubscribeUrl'> {
  const { publicUrl, site } = config
  const ofLanguage = templates[language]
  const template = Object.hasOwn(ofLanguage, kind) ? ofLanguage[kind as MailKind] : undefined
  // A process of the release before may claim a kind of the next one: the attempt fails and is repeated.
  if (!template) throw new Error(`no template for mail of kind ${kind}`)
  const content = template({
    data,
    link,
    publicUrl,
    site: site.name,
    objectionUrl: data.takedownId ? objectionUrl(config, text(data.takedownId)) : '',
  })
  return { ...(isNotice(kind) && data.teamId ? ofTeam(content, data, language) : content), language }
}

/** What a notice of a team says to one of its owners: which team it is, and a link to its page of the studio. */
function ofTeam(content: ReturnType<Template>, data: TemplateInput['data'], language: Language): ReturnType<Template> {
  const { facts = [], action, footer } = content
  return {
    ...content,
    facts: [[teamWords[language].team, text(data.team)], ...facts],
    ...(action && { action: { ...action, url: `${action.url}?team=${text(data.teamId)}` } }),
    footer: [...footer, teamWords[language].owner],
  }
}

const teamWords: Record<Language, { team: string; owner: string }> = {
  en: { team: 'Team', owner: 'The owners of the team get it.' },
  'zh-Hans': { team: '团队', owner: '团队的所有者都会收到。' },
}
