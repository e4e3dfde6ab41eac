/**
 * The language of this page load: the one that the user chose in this browser, else the first of the browser's
 * languages that the studio speaks, else English. A change reloads the page, so that texts and formats may be made
 * once, when a module is evaluated.
 */
import { browserStorage } from '../browser-storage.ts'

/** BCP 47. Each language is named in itself, so that a user finds it in a studio that speaks another one. */
export const locales = { en: 'English', 'zh-Hans': '简体中文' } as const
export type Locale = keyof typeof locales

const STORAGE_KEY = 'kinora.locale'

/** The user's choice; null when the browser's languages decide. */
export function chosenLocale(): Locale | null {
  const stored = browserStorage.read(STORAGE_KEY)
  return typeof stored === 'string' && Object.hasOwn(locales, stored) ? (stored as Locale) : null
}

/** Stores the language of the next page load. @param choice null: follow the browser's languages */
export const storeLocale = (choice: Locale | null): void => browserStorage.write(STORAGE_KEY, choice)

/** Every Chinese is shown as Simplified Chinese, the only one: readers of Traditional Chinese read it too. */
function browserLocale(languages: readonly string[]): Locale {
  for (const language of languages) {
    if (/^zh\b/i.test(language)) return 'zh-Hans'
    if (/^en\b/i.test(language)) return 'en'
  }
  return 'en'
}

export const locale: Locale = chosenLocale() ?? browserLocale(navigator.languages)
