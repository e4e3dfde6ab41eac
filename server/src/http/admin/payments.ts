/**
 * `/api/v1/admin/payments`, `/api/v1/admin/subscriptions`: administrators search what users have paid, and refund it.
 * `/api/v1/admin/payments/events`: they read the payment processors' events, apply them again or dismiss them.
 */
import { Type } from 'typebox'
import { HINDRANCES, readPayment } from '../../admin/payment.ts'
import { listPayments, listSubscriptions, paymentFilters, subscriptionFilters } from '../../admin/payments.ts'
import { applyAgain, dismiss, eventFilters, eventState, listEvents } from '../../payment/events.ts'
import { refund } from '../../payment/refund.ts'
import { Subscription, subscriptionExample } from '../billing.ts'
import { NumberOrNull, ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
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
const notice = {
  about: Type.Enum(['dispute', 'failure']),
  objectId: Type.String({ description: 'The dispute; or the payment, invoice or subscription that failed' }),
  status: TextOrNull('In the processor’s words, as the next two'),
  reason: TextOrNull('Why it is disputed, or failed'),
  tried: TextOrNull('The payment method that was tried'),
  amount: NumberOrNull('In the currency’s smallest unit'),
  currency: TextOrNull('ISO 4217'),
  dueAt: TimestampOrNull('Until when a dispute is answered; when a failed payment is tried again'),
  attempts: NumberOrNull('How often it was tried'),
  url: TextOrNull('The processor’s own page; null: the processor is not set up'),
}
const noticeExample = {
  ...{ about: 'dispute' as const, objectId: 'du_01', status: 'needs_response', reason: 'fraudulent', tried: null },
  ...{ amount: 2990, currency: 'USD', dueAt: '2026-01-24T09:30:00.000Z', attempts: null },
  url: 'https://dashboard.stripe.com/disputes/du_01',
}
const PaymentEvent = Type.Object(entry, { title: 'PaymentEvent', examples: [eventExample] })
const ListedPaymentEvent = Type.Object(
  {
    ...entry,
    effects: Type.Array(Type.String(), { description: 'What applying it does by today’s catalogue, in sentences' }),
    notice: Type.Union([Type.Object(notice), Type.Null()], {
      description: 'What it tells of a dispute, or of a payment that failed; null: it is of neither',
    }),
    body: Type.String({ description: 'The raw body' }),
  },
  {
    title: 'ListedPaymentEvent',
    examples: [
      {
        ...eventExample,
        effects: ['Gives 960 credits (Pro), good until 2026-02-15.'],
        notice: null,
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
const refundExample = {
  ...{ id: '01939b1e-7777-7000-8000-000000000001', cents: 2990, state: 'accepted' as const, externalId: 're_01' },
  ...{ answer: null, reason: 'Bought by mistake', actorId: '01939b1e-1111-7aaa-8bbb-000000000009' },
  ...{ actorEmail: 'root@example.com', createdAt: '2026-01-16T09:30:00.000Z', endedAt: '2026-01-16T09:30:01.000Z' },
}
const PaymentDetail = Type.Object(
  {
    payment: AdminPayment,
    paid: Type.Number({ description: 'In money, with tax, in the currency’s smallest unit' }),
    left: Type.Number({ description: 'What of it can be refunded' }),
    refund: Type.Object({
      hindrance: Type.Union([Type.Enum([...HINDRANCES]), Type.Null()], {
        description:
          'Why it cannot be refunded here now. not_set_up: the processor; no_call: the processor has none for it. Null: it can',
      }),
      takesPart: Type.Boolean({ description: 'Whether the processor refunds a part' }),
    }),
    url: TextOrNull('The processor’s own page of it; null: the processor is not set up'),
    refunds: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        cents: Type.Number({ description: 'In the currency’s smallest unit' }),
        state: Type.Enum(['open', 'accepted', 'refused'], {
          description:
            'open: the processor has not answered, and the worker asks again; accepted: its event takes the credits',
        }),
        externalId: TextOrNull('The processor’s id of it'),
        answer: TextOrNull('Why the processor refuses, in its words'),
        reason: Type.String(),
        actorId: Type.String(),
        actorEmail: TextOrNull('The administrator; null when the account was deleted'),
        createdAt: Timestamp('When it was asked for'),
        endedAt: TimestampOrNull('When the processor answered'),
      }),
      { description: 'Asked for here, the latest first' },
    ),
    returns: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The processor’s id of the refund, dispute or credit note, or of the charge' }),
        kind: Type.String(),
        cents: Type.Number({ description: 'What it takes of the payment' }),
        state: Type.Enum(['taken', 'given back', 'failed']),
        at: Timestamp('When it was made'),
      }),
      { description: 'What the processor reports, the latest first' },
    ),
    notices: Type.Array(Type.Object({ ...notice, at: Timestamp('When it was received') }), {
      description: 'Disputes of it, and attempts to pay it that failed',
    }),
  },
  {
    title: 'PaymentDetail',
    examples: [
      {
        payment: { ...userPaymentExample, ...ownedExample, returned: 2990 },
        ...{ paid: 2990, left: 0, refund: { hindrance: 'nothing_left' as const, takesPart: true } },
        url: 'https://dashboard.stripe.com/invoices/in_01',
        refunds: [refundExample],
        returns: [{ key: 're_01', kind: 'refund', cents: 2990, state: 'taken' as const, at: refundExample.endedAt }],
        notices: [{ ...noticeExample, at: '2026-01-15T09:30:00.000Z' }],
      },
    ],
  },
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

const paymentParams = Type.Object({ id: Type.String({ description: 'As of AdminPayment' }) })

const getPaymentRoute = route('GET', '/api/v1/admin/payments/:id', {
  operationId: 'getPayment',
  summary: 'A payment, with its refunds, its disputes and the attempts that failed',
  params: paymentParams,
  errors: ['NOT_FOUND'],
  data: PaymentDetail,
  handler: async (app, { params }) => ok(await readPayment(app, params.id)),
})

const refundPaymentRoute = route('POST', '/api/v1/admin/payments/:id/refund', {
  operationId: 'refundPayment',
  summary: 'Refund a payment at the processor',
  description:
    'The processor’s event takes the credits back. One refund of a payment is asked for at a time; without an answer it stays open, and ' +
    'the worker asks again with the same idempotency key. The answer of a processor that refuses is in `refunds`. 409: it is disputed, ' +
    'nothing is left, or another refund is open.',
  params: paymentParams,
  body: Type.Object(
    {
      reason: Reason(),
      cents: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'In the currency’s smallest unit, with tax, where the processor refunds a part; default: all that is left',
        }),
      ),
    },
    { additionalProperties: false, examples: [{ reason: refundExample.reason }] },
  ),
  errors: ['CONFLICT', 'NOT_FOUND'],
  data: PaymentDetail,
  handler: async (app, request) => {
    const { id } = request.params
    const { reason, cents = null } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id }
    await refund(app, { source: id, cents, reason: reason.trim(), ...by }, request.onceKey)
    return ok(await readPayment(app, id))
  },
  replay: async (app, request) => ok(await readPayment(app, request.params.id)),
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
  getPaymentRoute,
  refundPaymentRoute,
  listSubscriptionsRoute,
  listPaymentEventsRoute,
  applyPaymentEventRoute,
  dismissPaymentEventRoute,
)
