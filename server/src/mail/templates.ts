/**
 * The messages, by language and kind. The type asks each language for every kind. The subjects have no text of a user, so that nothing from
 * outside is in a header but the recipient.
 */
import type { Language } from '../text/language.ts'
import type { MailKind } from './kinds.ts'
import type { Content } from './layout.ts'
import type { TemplateInput, Templates } from './template-input.ts'
import { english } from './templates-en.ts'
import { chinese } from './templates-zh-hans.ts'

const templates: Record<Language, Templates> = { en: english, 'zh-Hans': chinese }

export function contentOf(
  kind: string,
  { language, ...input }: TemplateInput & { language: Language },
): Omit<Content, 'unsubscribeUrl'> {
  const ofLanguage = templates[language]
  const template = Object.hasOwn(ofLanguage, kind) ? ofLanguage[kind as MailKind] : undefined
  // A process of the release before may claim a kind of the next one: the attempt fails and is repeated.
  if (!template) throw new Error(`no template for mail of kind ${kind}`)
  return { ...template(input), language }
}
