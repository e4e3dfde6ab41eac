/** Chooses the language of the studio in this browser. Each language is named in itself. */
import { t } from '@lingui/core/macro'
import { chosenLocale, type Locale, locales, storeLocale } from './locale.ts'

export const LanguageSelect = () => (
  <select
    className="input"
    aria-label={t`Language`}
    value={chosenLocale() ?? ''}
    onChange={({ target }) => {
      storeLocale(target.value ? (target.value as Locale) : null)
      window.location.reload()
    }}
  >
    <option value="">{t`Language of the browser`}</option>
    {Object.entries(locales).map(([locale, name]) => (
      <option key={locale} value={locale} lang={locale}>
        {name}
      </option>
    ))}
  </select>
)
