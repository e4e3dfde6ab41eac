/** The error pages: an unknown URL, and a page that threw (error boundary). */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../ui/button.tsx'
import { pageTitle } from '../ui/page-title.ts'
import { isChunkLoadError } from './chunk-error.ts'

export function NotFoundPage() {
  return (
    <main className="error-page">
      <title>{pageTitle(t`Not found`)}</title>
      <h1>{t`There is no page at this address`}</h1>
      <p>{t`It may have been deleted, or the link is incomplete.`}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t`Go to the studio`}
      </Link>
    </main>
  )
}

export function ErrorPage({ error }: { error: unknown }) {
  const isLoadError = isChunkLoadError(error)
  return (
    <main className="error-page">
      <title>{pageTitle(t`Something broke`)}</title>
      <h1>{isLoadError ? t`This page could not be loaded` : t`This page broke`}</h1>
      <p>
        {isLoadError
          ? t`The service does not answer, or has a newer version of the studio. Load the page again; nothing is lost.`
          : t`Your films and credits are not touched. Load the page again; if it breaks again, tell the operator of this service.`}
      </p>
      <Button kind="primary" onClick={() => window.location.reload()}>
        {t`Load again`}
      </Button>
    </main>
  )
}
