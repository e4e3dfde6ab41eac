/**
 * All routes; those of administrators are in admin/routes.ts. State that a user may want to share lives in the search
 * params. The route guards are the studio's only access checks; the API enforces authorization.
 */
import { createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { adminRoutes } from './admin/routes.ts'
import { modelsQuery, queryClient, sessionQuery } from './api.ts'
import { chosenTeam } from './chosen-team.ts'
import { flagParam, nonEmptyString, searchParams, stringParam, uuidParam } from './search-params.ts'
import { prefetch, root, signedIn } from './shell/parent-routes.tsx'
import { type SignInSearch, signInSearch } from './sign-in/search.ts'
import { site } from './site.ts'

/** A page without search params and loader. */
const page = <const Path extends string, Module extends object>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load as () => Promise<Record<string, never>>, name),
  })

/** Guard of the sign-in and sign-up pages: redirects a signed-in user onward. */
const redirectSignedIn = async ({ search }: { search: SignInSearch }): Promise<void> => {
  if (!(await queryClient.ensureQueryData(sessionQuery))) return
  // A provider could not be linked: the service knows no other page for that than this one.
  throw redirect({ href: search.error ? `/account?error=${encodeURIComponent(search.error)}` : (search.next ?? '/') })
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  beforeLoad: redirectSignedIn,
  loader: async () => prefetch((await import('./sign-in/options.ts')).signInOptionsQuery),
  component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: signInSearch,
  beforeLoad: redirectSignedIn,
  loader: async () => prefetch((await import('./sign-in/options.ts')).signInOptionsQuery),
  component: lazyRouteComponent(() => import('./sign-in/sign-up-page.tsx'), 'SignUpPage'),
})

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  loader: async () => prefetch(modelsQuery, (await import('./plans/products-query.ts')).productsQuery),
  component: lazyRouteComponent(() => import('./welcome/welcome-page.tsx'), 'WelcomePage'),
})
const sharedFilm = createRoute({
  getParentRoute: () => root,
  path: '/share/$token',
  loader: async ({ params }) => prefetch((await import('./share/shared-film-query.ts')).sharedFilmQuery(params.token)),
  component: lazyRouteComponent(() => import('./share/shared-film-page.tsx'), 'SharedFilmPage'),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  /** `link`: that of the shared film that is checked. */
  validateSearch: searchParams({ link: nonEmptyString }),
  component: lazyRouteComponent(() => import('./verify/verify-page.tsx'), 'VerifyPage'),
})
const explore = createRoute({
  getParentRoute: () => signedIn,
  path: '/explore',
  beforeLoad: () => {
    if (!site.hasExplore) throw notFound()
  },
  /** `film`: the id of the film that is shown large; `makerOf`: that of one whose maker’s films are shown. */
  validateSearch: searchParams({ film: uuidParam, period: stringParam, makerOf: uuidParam }),
  loader: () => prefetch(modelsQuery),
  component: lazyRouteComponent(() => import('./explore/explore-page.tsx'), 'ExplorePage'),
})

/** Returns to the authorization of a program (OAuth), begun without a session: the service renders the rest. */
const connect = createRoute({
  getParentRoute: () => signedIn,
  path: '/connect',
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/api/auth/oauth2/authorize${location.searchStr}`, reloadDocument: true })
  },
})

const studio = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  /** `again`: uuid of a video for the form's settings; `prompt`: of a shared film; `film`: uuid for the stage. */
  validateSearch: searchParams({
    model: nonEmptyString,
    again: nonEmptyString,
    prompt: nonEmptyString,
    film: uuidParam,
  }),
  loader: async () => {
    const { recentQuery } = await import('./studio/recent-query.ts')
    const { templatesQuery } = await import('./studio/prompt-templates.tsx')
    await prefetch(modelsQuery, templatesQuery, recentQuery)
  },
  component: lazyRouteComponent(() => import('./studio/studio-page.tsx'), 'StudioPage'),
})
const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  component: lazyRouteComponent(() => import('./project/projects-page.tsx'), 'ProjectsPage'),
})
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$id',
  /** `shot`: the id of the shot that is open; absent: the storyboard. */
  validateSearch: searchParams({ shot: uuidParam }),
  component: lazyRouteComponent(() => import('./project/project-page.tsx'), 'ProjectPage'),
})
const library = createRoute({
  getParentRoute: () => signedIn,
  path: '/library',
  validateSearch: searchParams({
    status: nonEmptyString,
    model: nonEmptyString,
    mode: nonEmptyString,
    favourite: flagParam,
    folder: nonEmptyString,
    madeBy: nonEmptyString,
    subject: stringParam,
    from: nonEmptyString,
    to: nonEmptyString,
    q: nonEmptyString,
    sort: nonEmptyString,
  }),
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
  /** `period`: the time range of the balance's chart; `by` and `days`: grouping and period of what was spent. */
  validateSearch: searchParams({
    type: nonEmptyString,
    period: nonEmptyString,
    by: nonEmptyString,
    days: stringParam,
  }),
  component: lazyRouteComponent(() => import('./credits/credits-page.tsx'), 'CreditsPage'),
})
const plans = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans',
  /**
   * `every`: the billing period. `paid`, `since`: set on return from a checkout: the product id and the start in epoch
   * ms; `checkout_id`: set by the processor, when the payer finished that checkout.
   */
  validateSearch: searchParams({
    every: (every) => (every === 'year' ? ('year' as const) : undefined),
    paid: nonEmptyString,
    since: (since) => (Number.isSafeInteger(since) ? Number(since) : undefined),
    checkout_id: nonEmptyString,
  }),
  loader: async () => {
    const { subscriptionQuery } = await import('./plans/current-subscription.tsx')
    await prefetch(
      modelsQuery,
      subscriptionQuery,
      ...(chosenTeam() ? [(await import('./team/queries.ts')).membersQuery] : []),
    )
  },
  component: lazyRouteComponent(() => import('./plans/plans-page.tsx'), 'PlansPage'),
})
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/team',
  beforeLoad: () => {
    if (!chosenTeam()) throw redirect({ to: '/' })
  },
  loader: async () => {
    const { membersQuery, teamQuery } = await import('./team/queries.ts')
    await prefetch(teamQuery, membersQuery)
  },
  component: lazyRouteComponent(() => import('./team/team-page.tsx'), 'TeamPage'),
})
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  loader: async () => prefetch((await import('./keys/api-keys-page.tsx')).apiKeysQuery),
  component: lazyRouteComponent(() => import('./keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  loader: async () =>
    prefetch(
      (await import('./webhooks/queries.ts')).endpointsQuery,
      (await import('./webhooks/low-credits-form.tsx')).creditAlertQuery,
    ),
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$id',
  validateSearch: searchParams({ status: nonEmptyString }),
  loader: async ({ params }) => prefetch((await import('./webhooks/queries.ts')).endpointQuery(params.id)),
  component: lazyRouteComponent(() => import('./webhooks/endpoint-page.tsx'), 'EndpointPage'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  /** `error`: why a provider could not be linked. */
  validateSearch: searchParams({ error: nonEmptyString }),
  loader: async () => {
    const { accountsQuery, passkeysQuery } = await import('./account/queries.ts')
    const { signInOptionsQuery } = await import('./sign-in/options.ts')
    const { sessionsQuery } = await import('./account/session-list.tsx')
    const { noticesQuery } = await import('./account/notices-panel.tsx')
    await prefetch(sessionsQuery, noticesQuery, accountsQuery, passkeysQuery, signInOptionsQuery)
  },
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
})

const isLibraryAndPlayer = (libraryPath: string | undefined, playerPath: string | undefined): boolean =>
  libraryPath === '/library' && playerPath?.startsWith('/library/') === true

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signUp,
    page('/forgot-password', () => import('./sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
    page('/new-password', () => import('./sign-in/new-password-page.tsx'), 'NewPasswordPage'),
    page('/verify-email', () => import('./sign-in/verify-email-page.tsx'), 'VerifyEmailPage'),
    page('/unsubscribe', () => import('./sign-in/unsubscribe-page.tsx'), 'UnsubscribePage'),
    page('/objection', () => import('./takedown/objection-page.tsx'), 'ObjectionPage'),
    welcome,
    sharedFilm,
    verify,
    page('/provenance', () => import('./verify/provenance-page.tsx'), 'ProvenancePage'),
    signedIn.addChildren([
      connect,
      studio,
      projects,
      project,
      library,
      player,
      credits,
      plans,
      team,
      keys,
      webhooks,
      webhook,
      account,
      explore,
      adminRoutes,
    ]),
  ]),
  defaultPreload: 'intent',
  // Transitions exist between library and player only: interrupting a view transition rejects a promise that no code
  // handles.
  defaultViewTransition: {
    types: ({ fromLocation, toLocation }) =>
      isLibraryAndPlayer(fromLocation?.pathname, toLocation.pathname) ||
      isLibraryAndPlayer(toLocation.pathname, fromLocation?.pathname)
        ? ['video']
        : false,
  },
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
