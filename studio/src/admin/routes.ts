/** The routes of the administrators' pages. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { flagParam, nonEmptyString, type ParamReaders, searchParams, stringParam, uuidParam } from '../search-params.ts'
import { signedIn } from '../shell/parent-routes.tsx'
import { isSetupOpen } from './setup-open.ts'

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
  beforeLoad: async () => {
    throw redirect({ to: (await isSetupOpen()) ? '/admin/setup' : '/admin/overview' })
  },
})

/** A page of its own chunk. @param params the search params, each with its reader */
const page = <const Path extends string, Module extends object, Params extends ParamReaders = Record<never, never>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
  params?: Params,
) =>
  createRoute({
    getParentRoute: () => admin,
    path,
    component: lazyRouteComponent(load as () => Promise<Record<string, never>>, name),
    validateSearch: searchParams<Params>(params ?? ({} as Params)),
  })

const paymentSearch = { q: stringParam, state: nonEmptyString, days: stringParam }

export const adminRoutes = admin.addChildren([
  adminHome,
  page('/overview', () => import('./overview-page.tsx'), 'OverviewPage', { days: stringParam }),
  page('/users', () => import('./users-page.tsx'), 'UsersPage', {
    q: nonEmptyString,
    days: stringParam,
    owes: flagParam,
    tag: nonEmptyString,
  }),
  page('/users/$id', () => import('./user-page.tsx'), 'UserPage'),
  page('/teams', () => import('./teams-page.tsx'), 'TeamsPage', {
    q: nonEmptyString,
    owes: flagParam,
    tag: nonEmptyString,
  }),
  page('/teams/$id', () => import('./team-page.tsx'), 'AdminTeamPage'),
  page('/videos', () => import('./videos-page.tsx'), 'VideosPage', {
    state: nonEmptyString,
    userId: uuidParam,
    provider: nonEmptyString,
    q: stringParam,
    model: nonEmptyString,
    outcome: nonEmptyString,
    days: stringParam,
  }),
  page('/videos/$uuid', () => import('./video-page.tsx'), 'AdminVideoPage'),
  page('/payments', () => import('./payments-page.tsx'), 'PaymentsPage', {
    state: nonEmptyString,
    about: nonEmptyString,
  }),
  page('/payments/made', () => import('./payment-lists.tsx'), 'PaymentListPage', paymentSearch),
  page('/payments/made/$id', () => import('./payment-page.tsx'), 'AdminPaymentPage'),
  page('/payments/subscriptions', () => import('./payment-lists.tsx'), 'SubscriptionListPage', paymentSearch),
  page('/codes', () => import('./codes-page.tsx'), 'CodesPage'),
  page('/invitations', () => import('./invitations-page.tsx'), 'InvitationsPage'),
  page('/ledger', () => import('./ledger-page.tsx'), 'LedgerPage'),
  page('/audit', () => import('./audit-page.tsx'), 'AuditPage', {
    userId: uuidParam,
    actorId: uuidParam,
    action: nonEmptyString,
  }),
  page('/mails', () => import('./mails-page.tsx'), 'MailsPage', { status: nonEmptyString, userId: uuidParam }),
  page('/explore', () => import('./explore-page.tsx'), 'AdminExplorePage'),
  page('/takedowns', () => import('./takedowns-page.tsx'), 'TakedownsPage', { link: nonEmptyString }),
  page('/incidents', () => import('./incidents-page.tsx'), 'IncidentsPage'),
  page('/models', () => import('./models-page.tsx'), 'ModelsPage', {
    q: stringParam,
    state: nonEmptyString,
    account: nonEmptyString,
  }),
  page('/configuration', () => import('./configuration-page.tsx'), 'ConfigurationPage'),
  page('/configuration/file', () => import('./catalogue-file.tsx'), 'CatalogueFilePage', { file: nonEmptyString }),
  page('/setup', () => import('./setup-page.tsx'), 'SetupPage'),
  page('/providers', () => import('./providers-page.tsx'), 'ProvidersPage'),
  page('/providers/$id', () => import('./provider-page.tsx'), 'ProviderPage', { days: stringParam }),
  page('/books', () => import('./books-page.tsx'), 'BooksPage', { days: stringParam }),
  page('/costs', () => import('./costs-page.tsx'), 'CostsPage', { days: stringParam, group: nonEmptyString }),
])
