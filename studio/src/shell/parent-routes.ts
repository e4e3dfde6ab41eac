/** The routes that pages have as parents: the root of all pages, and the layout of a signed-in user's pages with its guard. */
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { balanceQuery, queryClient, sessionQuery } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { pathAfterSignIn } from '../sign-in/link-token.ts'
import { teamsQuery } from '../team.ts'
import { SKELETON_AFTER_MS } from '../ui/states.tsx'
import { ErrorPage, NotFoundPage } from './error-pages.tsx'
import { followEvents } from './event-stream.ts'
import { RootLayout } from './root-layout.tsx'
import { Shell } from './shell.tsx'

export const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

/** One layout for all, also for the page that visitors see too: it stays, with the event stream, from one page to the next. */
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
    // A visitor of "/" is probably new and sees what this is, unless a shared film has led here; a deep link implies an account.
    if (location.pathname === '/' && location.searchStr === '') throw redirect({ to: '/welcome' })
    const next = pathAfterSignIn(location)
    if (location.pathname === '/') throw redirect({ to: '/sign-up', search: { next } })
    throw redirect({ to: '/sign-in', search: { next } })
  },
  loader: ({ context }) => (context.user ? prefetch(balanceQuery, ...(chosenTeam() ? [teamsQuery] : [])) : undefined),
  component: Shell,
})

/** Prefetches queries, for at most the skeleton delay: a page whose data arrives sooner renders complete, without layout shift. */
export const prefetch = async (...queries: { queryKey: readonly unknown[] }[]): Promise<void> => {
  const timeout = new Promise((resolve) => setTimeout(resolve, SKELETON_AFTER_MS))
  await Promise.race([Promise.all(queries.map((query) => queryClient.prefetchQuery(query))), timeout])
}
