/** Download of everything that the service stores about the user. */
import { t } from '@lingui/core/macro'

export function ExportPanel() {
  return (
    <section className="panel" aria-labelledby="export">
      <h3 id="export">{t`Your data`}</h3>
      <p className="quiet">
        {t`A ZIP file with your profile, prompts, credits and payments as JSON, and your films and images.`}
      </p>
      {/* A link and not a request of the page: the browser writes the download to disk as it arrives. */}
      <a className="button" href="/api/v1/account/export" download>
        {t`Download your data`}
      </a>
    </section>
  )
}
