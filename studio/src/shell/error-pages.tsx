/** The error pages: an unknown URL, and a page that threw (error boundary). */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { PageTitle } from '../ui/page.tsx'
import { Brand } from './brand.tsx'
import { isChunkLoadError } from './chunk-error.ts'
import { Footer } from './footer.tsx'

export function NotFoundPage() {
  return (
    <ErrorLayout title={t`Not found`}>
      <h1>{t`There is no page at this address`}</h1>
      <p>{t`It may have been deleted, or the link is incomplete.`}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t`Go to the studio`}
      </Link>
    </ErrorLayout>
  )
}

export function ErrorPage({ error }: { error: unknown }) {
  const isLoadError = isChunkLoadError(error)
  return (
    <ErrorLayout title={t`Something broke`}>
      <h1>{isLoadError ? t`This page could not be loaded` : t`This page broke`}</h1>
      <p>
        {isLoadError
          ? t`The service does not answer, or has a newer version of the studio. Load the page again; nothing is lost.`
          : t`Your films and credits are not touched. Load the page again; if it breaks again, tell the operator of this service.`}
      </p>
      <Button kind="primary" onClick={() => window.location.reload()}>
        {t`Load again`}
      </Button>
    </ErrorLayout>
  )
}

/** The brand leads back, by a new load: the router may be what broke. */
const ErrorLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="error-layout">
    <PageTitle of={[title]} />
    <header className="top">
      <a href="/" className="brand">
        <Brand />
      </a>
    </header>
    <main className="error-page">{children}</main>
    <Footer />
  </div>
)
