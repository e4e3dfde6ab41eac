/**
 * All routes; those of administrators are in admin/routes.ts. State that a user may want to share lives in the search params.
 * The route guards are the studio's only access checks; the API enforces authorization.
 */
import { createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { adminRoutes } from './admin/routes.ts'
import { modelsQuery, queryClient, sessionQuery } from './api.ts'
import { chosenTeam } from './chosen-team.ts'
import { nonEmptyString, optionalParams, stringParam, uuidParam } from './search-params.ts'
import { prefetch, root, signedIn } from './shell/parent-routes.ts'
import { type SignInSearch, signInSearch } from './sign-in/search.ts'
import { site } from './site.ts'

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
  validateSearch: (search) => optionalParams({ link: nonEmptyString(search.link) }),
  component: lazyRouteComponent(() => import('./verify/verify-page.tsx'), 'VerifyPage'),
})
const provenance = createRoute({
  getParentRoute: () => root,
  path: '/provenance',
  component: lazyRouteComponent(() => import('./verify/provenance-page.tsx'), 'ProvenancePage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})
const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: lazyRouteComponent(() => import('./sign-in/new-password-page.tsx'), 'NewPasswordPage'),
})
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('./sign-in/verify-email-page.tsx'), 'VerifyEmailPage'),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: lazyRouteComponent(() => import('./sign-in/unsubscribe-page.tsx'), 'UnsubscribePage'),
})

const explore = createRoute({
  getParentRoute: () => signedIn,
  path: '/explore',
  beforeLoad: () => {
    if (!site.hasExplore) throw notFound()
  },
  /** `film`: the id of the film that is shown large. */
  validateSearch: (search) => optionalParams({ film: uuidParam(search.film) }),
  loader: () => prefetch(modelsQuery),
  component: lazyRouteComponent(() => import('./explore/explore-page.tsx'), 'ExplorePage'),
})

/** Returns to the authorization of a program (OAuth), which began without a session: the service renders what follows. */
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
  /** `again`: the uuid of a video whose settings prefill the form; `prompt`: that of a shared film; `film`: the uuid of one for the stage. */
  validateSearch: (search) =>
    optionalParams({
      model: nonEmptyString(search.model),
      again: nonEmptyString(search.again),
      prompt: nonEmptyString(search.prompt),
      film: uuidParam(search.film),
    }),
  loader: async () => {
    const { recentQuery } = await import('./studio/recent-query.ts')
    const { templatesQuery } = await import('./studio/prompt-templates.tsx')
    await prefetch(modelsQuery, templatesQuery, recentQuery)
  },
  component: lazyRouteComponent(() => import('./studio/studio-page.tsx'), 'StudioPage'),
})
const library = createRoute({
  getParentRoute: () => signedIn,
  path: '/library',
  validateSearch: (search) =>
    optionalParams({
      status: nonEmptyString(search.status),
      model: nonEmptyString(search.model),
      mode: nonEmptyString(search.mode),
      favourite: search.favourite === true ? true : undefined,
      folder: nonEmptyString(search.folder),
      madeBy: nonEmptyString(search.madeBy),
      subject: stringParam(search.subject),
      from: nonEmptyString(search.from),
      to: nonEmptyString(search.to),
      q: nonEmptyString(search.q),
      sort: nonEmptyString(search.sort),
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
  /** `period`: the time range of the balance's chart; `by` and `days`: the grouping and the period of what was spent. */
  validateSearch: (search) =>
    optionalParams({
      type: nonEmptyString(search.type),
      period: nonEmptyString(search.period),
      by: nonEmptyString(search.by),
      days: stringParam(search.days),
    }),
  component: lazyRouteComponent(() => import('./credits/credits-page.tsx'), 'CreditsPage'),
})
const plans = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans',
  /**
   * `every`: the billing period. `paid`, `since`: set on return from a checkout: the product id and the start in epoch ms;
   * `checkout_id`: set by the processor, when the payer finished that checkout.
   */
  validateSearch: (search) =>
    optionalParams({
      every: search.every === 'year' ? ('year' as const) : undefined,
      paid: nonEmptyString(search.paid),
      since: Number.isSafeInteger(search.since) ? Number(search.since) : undefined,
      checkout_id: nonEmptyString(search.checkout_id),
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
  validateSearch: (search) => optionalParams({ status: nonEmptyString(search.status) }),
  loader: async ({ params }) => prefetch((await import('./webhooks/queries.ts')).endpointQuery(params.id)),
  component: lazyRouteComponent(() => import('./webhooks/endpoint-page.tsx'), 'EndpointPage'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  /** `error`: why a provider could not be linked. */
  validateSearch: (search) => optionalParams({ error: nonEmptyString(search.error) }),
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
    forgotPassword,
    newPassword,
    verifyEmail,
    unsubscribe,
    welcome,
    sharedFilm,
    verify,
    provenance,
    signedIn.addChildren([
      connect,
      studio,
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
  // Transitions exist between library and player only: interrupting a view transition rejects a promise that no code handles.
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
