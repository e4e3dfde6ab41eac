/**
 * Activates the language before the first render. English is in the sources, so it needs no catalogue and its texts
 * load with their pages; the Chinese catalogue is a chunk of its own, which only its readers load.
 */
import { i18n } from '@lingui/core'
import { locale } from './locale.ts'
import { installTranslator } from './service-text.ts'

export async function activateLocale(): Promise<void> {
  const messages = locale === 'zh-Hans' ? await loadChinese() : null
  // The page is English without its catalogue, and says so to screen readers and translators.
  const active = messages ? locale : 'en'
  i18n.loadAndActivate({ locale: active, messages: messages ?? {} })
  document.documentElement.lang = active
}

/** @returns null when the catalogue cannot be loaded, such as after a deploy that has replaced it */
const loadChinese = () =>
  Promise.all([import('./catalogues/zh-Hans.po'), import('./service-translator.ts')]).then(
    ([{ messages }, { translator }]) => {
      installTranslator(translator)
      return messages
    },
    () => null,
  )
