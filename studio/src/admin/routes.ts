/** The routes of the administrators' pages. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { nonEmptyString, optionalParams, stringParam, uuidParam } from '../search-params.ts'
import { signedIn } from '../shell/parent-routes.ts'

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  // The API returns 403 to other users; this guard only spares them a page of errors.
  beforeLoad: ({ context }) => {
    if (context.user?.role !== 'admin') throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./admin-layout.tsx'), 'AdminLayout'),
})
const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/overview' })
  },
})
const adminOverview = createRoute({
  getParentRoute: () => admin,
  path: '/overview',
  validateSearch: (search) => optionalParams({ days: stringParam(search.days) }),
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})
const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  validateSearch: (search) =>
    optionalParams({
      q: nonEmptyString(search.q),
      days: stringParam(search.days),
      owes: search.owes === true ? (true as const) : undefined,
    }),
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
})
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
})
const adminTeams = createRoute({
  getParentRoute: () => admin,
  path: '/teams',
  validateSearch: (search) =>
    optionalParams({ q: nonEmptyString(search.q), owes: search.owes === true ? (true as const) : undefined }),
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
})
const adminTeam = createRoute({
  getParentRoute: () => admin,
  path: '/teams/$id',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'AdminTeamPage'),
})
const adminVideos = createRoute({
  getParentRoute: () => admin,
  path: '/videos',
  validateSearch: (search) =>
    optionalParams({
      state: nonEmptyString(search.state),
      userId: uuidParam(search.userId),
      provider: nonEmptyString(search.provider),
      q: stringParam(search.q),
      model: nonEmptyString(search.model),
      outcome: nonEmptyString(search.outcome),
      days: stringParam(search.days),
    }),
  component: lazyRouteComponent(() => import('./videos-page.tsx'), 'VideosPage'),
})
const adminVideo = createRoute({
  getParentRoute: () => admin,
  path: '/videos/$uuid',
  component: lazyRouteComponent(() => import('./video-page.tsx'), 'AdminVideoPage'),
})
const adminPayments = createRoute({
  getParentRoute: () => admin,
  path: '/payments',
  validateSearch: (search) => optionalParams({ state: nonEmptyString(search.state) }),
  component: lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
})
const paymentSearch = (search: Record<string, unknown>) =>
  optionalParams({
    q: stringParam(search.q),
    state: nonEmptyString(search.state),
    days: stringParam(search.days),
  })
const adminPaymentList = createRoute({
  getParentRoute: () => admin,
  path: '/payments/made',
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import('./payment-lists.tsx'), 'PaymentListPage'),
})
const adminSubscriptions = createRoute({
  getParentRoute: () => admin,
  path: '/payments/subscriptions',
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import('./payment-lists.tsx'), 'SubscriptionListPage'),
})
const adminCodes = createRoute({
  getParentRoute: () => admin,
  path: '/codes',
  component: lazyRouteComponent(() => import('./codes-page.tsx'), 'CodesPage'),
})
const adminInvitations = createRoute({
  getParentRoute: () => admin,
  path: '/invitations',
  component: lazyRouteComponent(() => import('./invitations-page.tsx'), 'InvitationsPage'),
})
const adminLedger = createRoute({
  getParentRoute: () => admin,
  path: '/ledger',
  component: lazyRouteComponent(() => import('./ledger-page.tsx'), 'LedgerPage'),
})
const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  validateSearch: (search) =>
    optionalParams({
      userId: uuidParam(search.userId),
      actorId: uuidParam(search.actorId),
      action: nonEmptyString(search.action),
    }),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})
const adminMails = createRoute({
  getParentRoute: () => admin,
  path: '/mails',
  validateSearch: (search) => optionalParams({ status: nonEmptyString(search.status) }),
  component: lazyRouteComponent(() => import('./mails-page.tsx'), 'MailsPage'),
})
const adminExplore = createRoute({
  getParentRoute: () => admin,
  path: '/explore',
  component: lazyRouteComponent(() => import('./explore-page.tsx'), 'AdminExplorePage'),
})
const adminModels = createRoute({
  getParentRoute: () => admin,
  path: '/models',
  validateSearch: (search) =>
    optionalParams({
      q: stringParam(search.q),
      state: nonEmptyString(search.state),
      account: nonEmptyString(search.account),
    }),
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
})
const adminProviders = createRoute({
  getParentRoute: () => admin,
  path: '/providers',
  component: lazyRouteComponent(() => import('./providers-page.tsx'), 'ProvidersPage'),
})
const adminProvider = createRoute({
  getParentRoute: () => admin,
  path: '/providers/$id',
  validateSearch: (search) => optionalParams({ days: stringParam(search.days) }),
  component: lazyRouteComponent(() => import('./provider-page.tsx'), 'ProviderPage'),
})
const adminCosts = createRoute({
  getParentRoute: () => admin,
  path: '/costs',
  validateSearch: (search) =>
    optionalParams({
      days: stringParam(search.days),
      group: nonEmptyString(search.group),
    }),
  component: lazyRouteComponent(() => import('./costs-page.tsx'), 'CostsPage'),
})

export const adminRoutes = admin.addChildren([
  adminHome,
  adminOverview,
  adminUsers,
  adminUser,
  adminTeams,
  adminTeam,
  adminVideos,
  adminVideo,
  adminPayments,
  adminPaymentList,
  adminSubscriptions,
  adminCodes,
  adminInvitations,
  adminLedger,
  adminExplore,
  adminModels,
  adminProviders,
  adminProvider,
  adminCosts,
  adminMails,
  adminAudit,
])
