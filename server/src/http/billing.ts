/** `/api/v1/config/plans` and `/api/v1/billing`: what can be bought, where to pay, and the caller's subscription. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { emailOf } from '../account/administrator.ts'
import type { App } from '../app.ts'
import { type Billing, subscriptionOf } from '../payment/billing.ts'
import { plans } from '../payment/plans.ts'
import { Envelope, errors, ok, TextOrNull, Timestamp, TimestampOrNull } from './envelope.ts'
import { userOf } from './request.ts'

const ProductEntry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.String({ description: 'pack or subscription' }),
  credits: Type.Integer({ description: 'For a yearly plan the whole year at once' }),
  period: TextOrNull('month or year; null for a pack'),
  validDays: Type.Union([Type.Integer(), Type.Null()], { description: 'How long a pack is good for' }),
  price: Type.Object({ cents: Type.Integer(), currency: Type.String() }),
})
const Processor = Type.Enum(['payment-a', 'payment-b'])
const Url = Type.Object({ url: Type.String({ description: 'A page of the payment processor' }) })
const Subscription = Type.Object({
  id: Type.String({ format: 'uuid' }),
  userId: Type.String(),
  processor: Type.String(),
  externalId: Type.String({ description: 'What the processor calls it' }),
  plan: TextOrNull('An id of GET /api/v1/config/plans'),
  status: Type.String({ description: 'active, trialing, past_due, cancelled, expired or incomplete' }),
  currentPeriodStart: TimestampOrNull('Start of the period that is paid for'),
  currentPeriodEnd: TimestampOrNull('Its end'),
  cancelAtPeriodEnd: Type.Boolean(),
  cancelledAt: TimestampOrNull('When it was cancelled'),
  createdAt: Timestamp('When we first heard of it'),
  updatedAt: Timestamp('When it last changed'),
})

export function registerBilling(server: FastifyInstance, app: App, billing: Billing): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const shared = { tags: ['billing'], security: [{ session: [] }, { bearer: [] }, { apiKey: [] }] }

  http.route({
    method: 'GET',
    url: '/api/v1/config/plans',
    schema: {
      tags: ['config'],
      operationId: 'listPlans',
      summary: 'What can be bought',
      response: {
        200: Envelope(
          Type.Object({
            products: Type.Array(ProductEntry),
            processors: Type.Array(Processor, { description: 'Where one can pay; empty when payments are not set up' }),
          }),
        ),
        ...errors(),
      },
    },
    handler: async () =>
      ok({
        products: plans().products.map((product) => ({
          ...product,
          period: product.kind === 'subscription' ? product.period : null,
          validDays: product.kind === 'pack' ? product.validDays : null,
        })),
        processors: billing.processors,
      }),
  })

  http.route({
    method: 'POST',
    url: '/api/v1/billing/checkout',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'startCheckout',
      summary: 'Where to pay for a product',
      description: 'Send the user to the url. Credits come when the processor reports the payment.',
      body: Type.Object(
        {
          productId: Type.String({ description: 'An id of GET /api/v1/config/plans' }),
          processor: Type.Optional(Processor),
        },
        { additionalProperties: false },
      ),
      response: { 200: Envelope(Url), ...errors(400, 401, 413, 415) },
    },
    handler: async (request) => {
      const { userId } = userOf(request)
      const { productId, processor = null } = request.body
      return ok(await billing.checkout(productId, processor, { userId, email: await emailOf(app, userId) }))
    },
  })

  http.route({
    method: 'POST',
    url: '/api/v1/billing/portal',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'openPortal',
      summary: 'Where to look after a subscription',
      response: { 200: Envelope(Url), ...errors(401, 409) },
    },
    handler: async (request) => ok(await billing.portal(userOf(request).userId)),
  })

  http.route({
    method: 'GET',
    url: '/api/v1/billing/subscription',
    config: { access: 'user' },
    schema: {
      ...shared,
      operationId: 'getSubscription',
      summary: 'Your subscription',
      response: {
        200: Envelope(Type.Object({ subscription: Type.Union([Subscription, Type.Null()]) })),
        ...errors(401),
      },
    },
    handler: async (request) => ok({ subscription: await subscriptionOf(app, userOf(request).userId) }),
  })
}
