/** Languages in which this service writes to people, in mails and on the pages of OAuth; the API is English. BCP 47. */
export const LANGUAGES = ['en', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

/** @param stored of the user; null: not known */
export const languageOf = (stored: string | null | undefined): Language =>
  LANGUAGES.find((each) => each === stored) ?? 'en'

/**
 * The first language of the browser that the service writes, else English. Browsers send their languages in the order
 * of preference. Every Chinese is Simplified Chinese, as in the studio.
 * @param header Accept-Language
 */
export function languageOfBrowser(header: string | undefined): Language {
  for (const range of (header ?? '').split(',')) {
    if (/^\s*zh\b/i.test(range)) return 'zh-Hans'
    if (/^\s*en\b/i.test(range)) return 'en'
  }
  return 'en'
}
