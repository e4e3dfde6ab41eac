/** The language of the studio in this browser. */
import { t } from '@lingui/core/macro'
import { LanguageSelect } from '../i18n/language-select.tsx'
import '../ui/field.css'

export const LanguagePanel = () => (
  <section className="panel" aria-labelledby="language">
    <h3 id="language">{t`Language`}</h3>
    <div className="field">
      <LanguageSelect />
      <p className="field-hint">{t`In this browser. Mails are in the language in which you used the studio last; the API is English.`}</p>
    </div>
  </section>
)
