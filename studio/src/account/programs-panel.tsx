/** Leads to the programs that the user has connected by OAuth, which the service renders. */
import { t } from '@lingui/core/macro'

export function ProgramsPanel() {
  return (
    <section className="panel" aria-labelledby="programs">
      <h3 id="programs">{t`Connected programs`}</h3>
      <p className="quiet">{t`What each may do and spend, and for whom, until you disconnect it.`}</p>
      <a className="button" href="/oauth/apps">
        {t`See connected programs`}
      </a>
    </section>
  )
}
