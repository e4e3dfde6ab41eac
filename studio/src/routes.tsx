/**
 * Every page and its address; the state that a reader may want to share stands in the address. The rule: who is signed
 * in decides here and nowhere else which pages there are.
 */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { balance, models, queries, session } from './api.ts'
import { Frame } from './shell/frame.tsx'
import { Broken, NotFound } from './shell/lost.tsx'
import { Shell } from './shell/shell.tsx'
import { SKELETON_AFTER_MS } from './ui/states.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: Broken })

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
  if (await queries.ensureQueryData(session)) throw redirect({ href: search.next ?? '/' })
}

/** What comes sooner than a skeleton would is waited for: a page that is whole at once does not move. */
const ready = async (...questions: { queryKey: readonly unknown[] }[]): Promise<void> => {
  const late = new Promise((resolve) => setTimeout(resolve, SKELETON_AFTER_MS))
  await Promise.race([Promise.all(questions.map((question) => queries.prefetchQuery(question))), late])
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  beforeLoad: passThrough,
  component: lazyRouteComponent(() => import('./sign-in/sign-in.tsx'), 'SignIn'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: signInSearch,
  beforeLoad: passThrough,
  component: lazyRouteComponent(() => import('./sign-in/sign-up.tsx'), 'SignUp'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const known = await queries.ensureQueryData(session)
    if (known) return { user: known.user }
    // Somebody new comes to the front door; somebody whose session ended knows the way.
    if (location.pathname === '/') throw redirect({ to: '/sign-up' })
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  loader: () => ready(balance),
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
  loader: async () => ready(models, (await import('./studio/recent.ts')).recent),
  component: lazyRouteComponent(() => import('./studio/studio.tsx'), 'Studio'),
})
const library = createRoute({
  getParentRoute: () => signedIn,
  path: '/library',
  validateSearch: (search) => given({ status: text(search.status), model: text(search.model), q: text(search.q) }),
  component: lazyRouteComponent(() => import('./library/library.tsx'), 'Library'),
})
const player = createRoute({
  getParentRoute: () => signedIn,
  path: '/library/$uuid',
  component: lazyRouteComponent(() => import('./library/player.tsx'), 'Player'),
})
const credits = createRoute({
  getParentRoute: () => signedIn,
  path: '/credits',
  /** `period`: of the chart. */
  validateSearch: (search) => given({ type: text(search.type), period: text(search.period) }),
  component: lazyRouteComponent(() => import('./credits/credits-page.tsx'), 'CreditsPage'),
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
  loader: async () => ready(models, (await import('./plans/current-subscription.tsx')).subscriptionQuery),
  component: lazyRouteComponent(() => import('./plans/plans-page.tsx'), 'PlansPage'),
})
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  loader: async () => ready((await import('./keys/api-keys-page.tsx')).apiKeysQuery),
  component: lazyRouteComponent(() => import('./keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  loader: async () => ready((await import('./account/session-list.tsx')).sessionsQuery),
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
})

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  // The service refuses everybody else anyway; this only spares them a page of refusals.
  beforeLoad: ({ context }) => {
    if (context.user.role !== 'admin') throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./admin/admin-layout.tsx'), 'AdminLayout'),
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
  component: lazyRouteComponent(() => import('./admin/users-page.tsx'), 'UsersPage'),
})
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./admin/user-page.tsx'), 'UserPage'),
})
const adminVideos = createRoute({
  getParentRoute: () => admin,
  path: '/videos',
  validateSearch: (search) =>
    given({ state: text(search.state), userId: text(search.userId), provider: text(search.provider) }),
  component: lazyRouteComponent(() => import('./admin/videos-page.tsx'), 'VideosPage'),
})
const adminPayments = createRoute({
  getParentRoute: () => admin,
  path: '/payments',
  validateSearch: (search) => given({ state: text(search.state) }),
  component: lazyRouteComponent(() => import('./admin/payments-page.tsx'), 'PaymentsPage'),
})
const adminLedger = createRoute({
  getParentRoute: () => admin,
  path: '/ledger',
  component: lazyRouteComponent(() => import('./admin/ledger-page.tsx'), 'LedgerPage'),
})
const adminProviders = createRoute({
  getParentRoute: () => admin,
  path: '/providers',
  component: lazyRouteComponent(() => import('./admin/providers-page.tsx'), 'ProvidersPage'),
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
