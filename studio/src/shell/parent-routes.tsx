/** Parent routes of pages: the root, and the layout of a signed-in user's pages with its guard. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, Link, Outlet, redirect } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { balanceQuery, queryClient, serviceNoticesQuery, sessionQuery } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { pathAfterSignIn } from '../sign-in/link-token.ts'
import { teamsQuery } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { PageTitle } from '../ui/page.tsx'
import { SKELETON_AFTER_MS } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Brand } from './brand.tsx'
import { followEvents } from './event-stream.ts'
import { Footer } from './footer.tsx'
import { Shell } from './shell.tsx'

export const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

/** One layout for all, also for visitors' pages: it stays, with the event stream, from one page to the next. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const current = await queryClient.ensureQueryData(sessionQuery)
    if (current) {
      followEvents(current.user.id)
      return { user: current.user }
    }
    if (/^\/explore\/?$/.test(location.pathname)) return { user: null }
    // A visitor of "/" is probably new and sees what this is, unless a shared film has led here; a deep link implies an
    // account.
    if (location.pathname === '/' && location.searchStr === '') throw redirect({ to: '/welcome' })
    const next = pathAfterSignIn(location)
    if (location.pathname === '/') throw redirect({ to: '/sign-up', search: { next } })
    throw redirect({ to: '/sign-in', search: { next } })
  },
  loader: ({ context }) => (context.user ? prefetch(balanceQuery, ...(chosenTeam() ? [teamsQuery] : [])) : undefined),
  component: Shell,
})

/** Prefetches queries, for at most the skeleton delay: a page with data by then renders complete. */
export const prefetch = async (...queries: { queryKey: readonly unknown[] }[]): Promise<void> => {
  const timeout = new Promise((resolve) => setTimeout(resolve, SKELETON_AFTER_MS))
  await Promise.race([Promise.all(queries.map((query) => queryClient.prefetchQuery(query))), timeout])
}

/** Loaded on demand: most of the time there is none. */
const ServiceNotices = lazy(() =>
  import('./service-notices.tsx').then((module) => ({ default: module.ServiceNotices })),
)

/** The root route's layout: notices, any page, and the toasts. */
function RootLayout() {
  const { data } = useQuery(serviceNoticesQuery)
  return (
    <>
      {data?.notices.length ? (
        <Suspense>
          <ServiceNotices notices={data.notices} />
        </Suspense>
      ) : null}
      <Outlet />
      <Toasts />
    </>
  )
}

/** The error pages: an unknown URL, and a page that threw (error boundary). */
function NotFoundPage() {
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

function ErrorPage({ error }: { error: unknown }) {
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

const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|importing a module script|preload CSS/i.test(error.message)
