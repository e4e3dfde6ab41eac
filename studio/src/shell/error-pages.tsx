/** The error pages: an unknown URL, and a page that threw (error boundary). */
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../ui/button.tsx'
import { isChunkLoadError } from './chunk-error.ts'

export function NotFoundPage() {
  return (
    <main className="error-page">
      <title>Not found · Kinora</title>
      <h1>There is no page at this address</h1>
      <p>It may have been deleted, or the link is incomplete.</p>
      <Link to="/" className={buttonClass('primary')}>
        Go to the studio
      </Link>
    </main>
  )
}

export function ErrorPage({ error }: { error: unknown }) {
  const isOutdated = isChunkLoadError(error)
  return (
    <main className="error-page">
      <title>Something broke · Kinora</title>
      <h1>{isOutdated ? 'There is a newer version of the studio' : 'This page broke'}</h1>
      <p>
        {isOutdated
          ? 'Load the page again to use it. Nothing is lost.'
          : 'Your films and credits are not touched. Load the page again; if it breaks again, tell whoever runs this service.'}
      </p>
      <Button kind="primary" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </main>
  )
}
