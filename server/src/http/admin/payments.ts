/**
 * `/api/v1/admin/payments`, `/api/v1/admin/subscriptions`: administrators search what users have paid.
 * `/api/v1/admin/payments/events`: they read the payment processors' events, apply them again or dismiss them.
 */
import { Type } from 'typebox'
import { listPayments, listSubscriptions, paymentFilters, subscriptionFilters } from '../../admin/payments.ts'
import { applyAgain, dismiss, eventFilters, eventState, listEvents } from '../../payment/events.ts'
import { Subscription, subscriptionExample } from '../billing.ts'
import { ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { cursorPage, listQuery, uncountedPage } from '../request/paging.ts'
import { requireUser, userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'
import { owner, ownerExample, UserPayment, userPaymentExample } from './users.ts'

const entry = {
  id: Type.String({ format: 'uuid' }),
  processor: Type.String(),
  externalId: Type.String({ description: 'The processor’s id of the event' }),
  type: Type.String(),
  state: eventState,
  reason: TextOrNull('Why it was not applied'),
  userId: TextOrNull('The user it was applied to; of an ignored event, the user it is about'),
  receivedAt: Timestamp('When it was received'),
  appliedAt: TimestampOrNull('When it was applied'),
  retryAt: TimestampOrNull('When it is tried again by itself'),
  dismissedAt: TimestampOrNull('When an administrator dismissed it'),
  dismissedReason: TextOrNull('Why, in the words of the administrator'),
}
const eventExample = {
  id: '01939b1e-8888-7000-8000-000000000001',
  processor: 'payment-b',
  externalId: 'evt_01',
  type: 'invoice.payment_succeeded',
  state: 'applied' as const,
  reason: null,
  userId: '01939b1e-1111-7aaa-8bbb-000000000001',
  receivedAt: '2026-01-15T09:30:00.000Z',
  appliedAt: '2026-01-15T09:30:00.000Z',
  retryAt: null,
  dismissedAt: null,
  dismissedReason: null,
}
const PaymentEvent = Type.Object(entry, { title: 'PaymentEvent', examples: [eventExample] })
const ListedPaymentEvent = Type.Object(
  {
    ...entry,
    effects: Type.Array(Type.String(), { description: 'What applying it does by today’s catalogue, in sentences' }),
    body: Type.String({ description: 'The raw body' }),
  },
  {
    title: 'ListedPaymentEvent',
    examples: [
      {
        ...eventExample,
        effects: ['Gives 960 credits (Pro), good until 2026-02-15.'],
        body: '{"id":"evt_01","type":"invoice.payment_succeeded"}',
      },
    ],
  },
)
const owned = { userId: Type.String(), ...owner }
const ownedExample = { userId: eventExample.userId, ...ownerExample }
const AdminPayment = Type.Object(
  { ...owned, ...UserPayment.properties },
  { title: 'AdminPayment', examples: [{ ...userPaymentExample, ...ownedExample }] },
)
const AdminSubscription = Type.Object(
  { ...Subscription.properties, ...owned },
  { title: 'AdminSubscription', examples: [{ ...subscriptionExample, ...ownedExample }] },
)
const dismissal = 'Sold by another shop of this account'

const route = routesOf({ tag: 'admin', access: 'admin' })

const listPaymentsRoute = route('GET', '/api/v1/admin/payments', {
  operationId: 'listPayments',
  summary: 'Payments of all users, the latest first',
  querystring: listQuery(paymentFilters),
  data: Type.Object({ payments: Type.Array(AdminPayment), ...uncountedPage }),
  handler: async (app, { query }) => ok(await listPayments(app, query)),
})

const listSubscriptionsRoute = route('GET', '/api/v1/admin/subscriptions', {
  operationId: 'listSubscriptions',
  summary: 'Subscriptions of all users, newest first',
  description: 'A period is that of their beginnings.',
  querystring: listQuery(subscriptionFilters),
  data: Type.Object({ subscriptions: Type.Array(AdminSubscription), ...uncountedPage }),
  handler: async (app, { query }) => ok(await listSubscriptions(app, query)),
})

const listPaymentEventsRoute = route('GET', '/api/v1/admin/payments/events', {
  operationId: 'listPaymentEvents',
  summary: 'Payment events, newest first',
  querystring: listQuery(eventFilters),
  data: Type.Object({
    events: Type.Array(ListedPaymentEvent),
    ...cursorPage,
  }),
  handler: async (app, request) => ok(await listEvents(app, request.query)),
})

const applyPaymentEventRoute = route('POST', '/api/v1/admin/payments/events/:id/apply', {
  operationId: 'applyPaymentEvent',
  summary: 'Apply a payment event again',
  description:
    'With today’s catalogue, and for the given user when it is unmatched. An effect that was applied is not applied twice.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object(
    { userId: Type.Optional(Type.String({ description: 'The user who paid, when the event does not name one' })) },
    { additionalProperties: false, examples: [{ userId: eventExample.userId }] },
  ),
  errors: ['CONFLICT'],
  data: PaymentEvent,
  handler: async (app, request) => {
    const userId = request.body.userId?.toLowerCase() ?? null
    if (userId !== null) await requireUser(app, userId)
    const by = { userId, actorId: userOf(request).userId, requestId: request.id }
    return ok(await applyAgain(app, request.params.id, by))
  },
})

const dismissPaymentEventRoute = route('POST', '/api/v1/admin/payments/events/:id/dismiss', {
  operationId: 'dismissPaymentEvent',
  summary: 'Dismiss an unmatched or failed payment event',
  description:
    'For a payment that has nothing to do with this service, or whose credits were granted by hand: the event leaves the lists of ' +
    'unmatched and failed events and the metric, and nothing applies it any more except an administrator. Repeating the call ' +
    'changes nothing.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ reason: Reason() }, { additionalProperties: false, examples: [{ reason: dismissal }] }),
  errors: ['CONFLICT'],
  data: PaymentEvent,
  example: {
    ...eventExample,
    state: 'dismissed',
    reason: 'It names no user we know.',
    userId: null,
    appliedAt: null,
    dismissedAt: '2026-01-15T09:30:00.000Z',
    dismissedReason: dismissal,
  },
  handler: async (app, request) => {
    const { userId: actorId } = userOf(request)
    const reason = request.body.reason.trim()
    return ok(await dismiss(app, request.params.id, { reason, actorId, requestId: request.id }))
  },
})

export const registerAdminPayments = together(
  listPaymentsRoute,
  listSubscriptionsRoute,
  listPaymentEventsRoute,
  applyPaymentEventRoute,
  dismissPaymentEventRoute,
)
