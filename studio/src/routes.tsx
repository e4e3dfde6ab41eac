/**
 * Every page and its address; the state that a reader may want to share stands in the address. The rule: who is signed
 * in decides here and nowhere else which pages there are.
 */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { balanceQuery, modelsQuery, queryClient, sessionQuery } from './api.ts'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { RootLayout } from './shell/root-layout.tsx'
import { Shell } from './shell/shell.tsx'
import { SKELETON_AFTER_MS } from './ui/states.tsx'

const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFoundPage, errorComponent: ErrorPage })

type SignInSearch = { next?: string | undefined }
const signInSearch = ({ next }: Record<string, unknown>): SignInSearch => ({
  // Only a path of our own: a link must not be able to send somebody elsewhere after signing in. Anything else is named
  // and set to nothing, because the router keeps what a check leaves out as it was.
  next: typeof next === 'string' && isOwnPath(next) ? next : undefined,
})
/** As the browser will read it: it leaves out tabs and line breaks, so that the slashes beside one are a host's. */
const isOwnPath = (next: string): boolean =>
  next.startsWith('/') && URL.parse(next, location.origin)?.origin === location.origin
/** Whoever is signed in already has nothing to do at the door. */
const passThrough = async ({ search }: { search: SignInSearch }): Promise<void> => {
  if (await queryClient.ensureQueryData(sessionQuery)) throw redirect({ href: search.next ?? '/' })
}

/** What comes sooner than a skeleton would is waited for: a page that is whole at once does not move. */
const ready = async (...questions: { queryKey: readonly unknown[] }[]): Promise<void> => {
  const late = new Promise((resolve) => setTimeout(resolve, SKELETON_AFTER_MS))
  await Promise.race([Promise.all(questions.map((question) => queryClient.prefetchQuery(question))), late])
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  beforeLoad: passThrough,
  component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: signInSearch,
  beforeLoad: passThrough,
  component: lazyRouteComponent(() => import('./sign-in/sign-up-page.tsx'), 'SignUpPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const known = await queryClient.ensureQueryData(sessionQuery)
    if (known) return { user: known.user }
    // Somebody new comes to the front door; somebody whose session ended knows the way.
    if (location.pathname === '/') throw redirect({ to: '/sign-up' })
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  loader: () => ready(balanceQuery),
  component: Shell,
})
const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)
/** What is undefined stays named: the router leaves it out of addresses, but keeps unchecked what a check leaves out. */
const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } => fields as never

const studio = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  /** `again`: the uuid of a video whose wishes are taken over. */
  validateSearch: (search) => given({ model: text(search.model), again: text(search.again) }),
  loader: async () => ready(modelsQuery, (await import('./studio/recent-query.ts')).recentQuery),
  component: lazyRouteComponent(() => import('./studio/studio-page.tsx'), 'StudioPage'),
})
const library = createRoute({
  getParentRoute: () => signedIn,
  path: '/library',
  validateSearch: (search) => given({ status: text(search.status), model: text(search.model), q: text(search.q) }),
  component: lazyRouteComponent(() => import('./library/library-page.tsx'), 'LibraryPage'),
})
const player = createRoute({
  getParentRoute: () => signedIn,
  path: '/library/$uuid',
  component: lazyRouteComponent(() => import('./library/player-page.tsx'), 'PlayerPage'),
})
const credits = createRoute({
  getParentRoute: () => signedIn,
  path: '/credits',
  /** `period`: of the chart. */
  validateSearch: (search) => given({ type: text(search.type), period: text(search.period) }),
  component: lazyRouteComponent(() => import('./credits/credits-page.tsx'), 'Credits'),
})
const plans = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans',
  /** `every`: the plans' rhythm. `paid`, `since`: back from the checkout of that product, begun at that ms of the epoch. */
  validateSearch: (search) =>
    given({
      every: search.every === 'year' ? ('year' as const) : undefined,
      paid: text(search.paid),
      since: Number.isSafeInteger(search.since) ? Number(search.since) : undefined,
    }),
  loader: async () => ready(modelsQuery, (await import('./plans/current-subscription.tsx')).subscriptionQuery),
  component: lazyRouteComponent(() => import('./plans/plans-page.tsx'), 'Plans'),
})
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  loader: async () => ready((await import('./keys/api-keys-page.tsx')).keys),
  component: lazyRouteComponent(() => import('./keys/api-keys-page.tsx'), 'Keys'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  loader: async () => ready((await import('./account/session-list.tsx')).sessions),
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'Account'),
})

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  // The service refuses everybody else anyway; this only spares them a page of refusals.
  beforeLoad: ({ context }) => {
    if (context.user.role !== 'admin') throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./admin/admin-layout.tsx'), 'Admin'),
})
const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users' })
  },
})
const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  validateSearch: (search) => given({ q: text(search.q) }),
  component: lazyRouteComponent(() => import('./admin/users-page.tsx'), 'Users'),
})
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./admin/user-page.tsx'), 'User'),
})
const adminVideos = createRoute({
  getParentRoute: () => admin,
  path: '/videos',
  validateSearch: (search) =>
    given({ state: text(search.state), userId: text(search.userId), provider: text(search.provider) }),
  component: lazyRouteComponent(() => import('./admin/videos-page.tsx'), 'Videos'),
})
const adminPayments = createRoute({
  getParentRoute: () => admin,
  path: '/payments',
  validateSearch: (search) => given({ state: text(search.state) }),
  component: lazyRouteComponent(() => import('./admin/payments-page.tsx'), 'Payments'),
})
const adminLedger = createRoute({
  getParentRoute: () => admin,
  path: '/ledger',
  component: lazyRouteComponent(() => import('./admin/ledger-page.tsx'), 'Ledger'),
})
const adminProviders = createRoute({
  getParentRoute: () => admin,
  path: '/providers',
  component: lazyRouteComponent(() => import('./admin/providers-page.tsx'), 'Providers'),
})

const isGridAndFilm = (grid: string | undefined, film: string | undefined): boolean =>
  grid === '/library' && film?.startsWith('/library/') === true

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signUp,
    signedIn.addChildren([
      studio,
      library,
      player,
      credits,
      plans,
      keys,
      account,
      admin.addChildren([adminHome, adminUsers, adminUser, adminVideos, adminPayments, adminLedger, adminProviders]),
    ]),
  ]),
  defaultPreload: 'intent',
  // Between grid and player alone: a transition that another one cuts short would be an error without anybody to take it.
  defaultViewTransition: {
    types: ({ fromLocation, toLocation }) =>
      isGridAndFilm(fromLocation?.pathname, toLocation.pathname) ||
      isGridAndFilm(toLocation.pathname, fromLocation?.pathname)
        ? ['film']
        : false,
  },
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
