/** `/api/v1/config/plans` and `/api/v1/billing`: products, checkout, customer portal, and the caller's subscription. */
import { Type } from 'typebox'
import { emailOf } from '../account/user.ts'
import type { App } from '../app.ts'
import { processorNames } from '../config/processors.ts'
import { type Billing, subscriptionOf } from '../payment/billing.ts'
import { plansInForce } from '../payment/prices.ts'
import { ok, TextOrNull, Timestamp, TimestampOrNull } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

const Product = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.String({ description: 'pack or subscription' }),
    credits: Type.Integer({ description: 'Of a yearly plan: for the whole year, granted at once' }),
    period: TextOrNull('month or year; null for a pack'),
    validDays: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Days until a pack’s credits expire; null for a subscription',
    }),
    price: Type.Object({ cents: Type.Integer(), currency: Type.String() }),
  },
  {
    title: 'Product',
    examples: [
      {
        id: 'pro-monthly',
        name: 'Pro, monthly',
        kind: 'subscription',
        credits: 960,
        period: 'month',
        validDays: null,
        price: { cents: 2990, currency: 'USD' },
      },
    ],
  },
)
const Processor = Type.Enum(processorNames, { title: 'PaymentProcessor' })
const Url = Type.Object(
  { url: Type.String({ description: 'A page of the payment processor to send the user to' }) },
  { title: 'PaymentPage' },
)
export const subscriptionExample = {
  id: '01939b1e-7777-7000-8000-000000000001',
  userId: '01939b1e-1111-7aaa-8bbb-000000000001',
  processor: 'payment-b',
  externalId: 'sub_01',
  plan: 'pro-monthly',
  status: 'active',
  currentPeriodStart: '2026-01-15T09:30:00.000Z',
  currentPeriodEnd: '2026-02-15T09:30:00.000Z',
  cancelAtPeriodEnd: false,
  cancelledAt: null,
  isRetried: false,
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
}
export const Subscription = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    userId: Type.String(),
    processor: Type.String(),
    externalId: Type.String({ description: 'The processor’s id of the subscription' }),
    plan: TextOrNull('An id of GET /api/v1/config/plans'),
    status: Type.String({ description: 'active, trialing, past_due, cancelled, expired or incomplete' }),
    currentPeriodStart: TimestampOrNull('Start of the period that is paid for'),
    currentPeriodEnd: TimestampOrNull('End of that period'),
    cancelAtPeriodEnd: Type.Boolean(),
    cancelledAt: TimestampOrNull('When it was cancelled'),
    isRetried: Type.Boolean({
      description: 'It has expired, and the processor tries its payment again until it is cancelled',
    }),
    createdAt: Timestamp('When the first event about it was received'),
    updatedAt: Timestamp('When it last changed'),
  },
  {
    title: 'Subscription',
    examples: [subscriptionExample],
  },
)

type Context = { app: App; billing: Billing }
const route = routesOf<Context>({ tag: 'billing', access: 'user' })

const listPlansRoute = routesOf<Context>({ tag: 'config' })('GET', '/api/v1/config/plans', {
  operationId: 'listPlans',
  summary: 'Credit packs and subscription plans',
  data: Type.Object({
    products: Type.Array(Product),
    processors: Type.Array(Processor, {
      description: 'The processors that are set up; empty when payments are not',
      examples: [processorNames],
    }),
  }),
  handler: async ({ app, billing }) =>
    ok({
      products: (await plansInForce(app)).products.flatMap((product) =>
        product.listed
          ? [
              {
                ...product,
                period: product.kind === 'subscription' ? product.period : null,
                validDays: product.kind === 'pack' ? product.validDays : null,
              },
            ]
          : [],
      ),
      processors: billing.processors,
    }),
})

const startCheckoutRoute = route('POST', '/api/v1/billing/checkout', {
  operationId: 'startCheckout',
  summary: 'Start a checkout',
  config: { team: 'owner', unrepeatable: 'nothing is paid before the user does it on the page' },
  description:
    'Send the user to the url. The credits are granted when the processor reports the payment. 409: a plan of the user runs, which ' +
    'the customer portal changes.',
  body: Type.Object(
    {
      productId: Type.String({ description: 'An id of GET /api/v1/config/plans' }),
      processor: Type.Optional(Processor),
    },
    { additionalProperties: false, examples: [{ productId: 'pro-monthly' }] },
  ),
  errors: ['CONFLICT'],
  data: Url,
  example: { url: 'https://checkout.example/c/pay/cs_01' },
  handler: async ({ app, billing }, request) => {
    const { userId, actorId: payerId } = userOf(request)
    const { productId, processor = null } = request.body
    return ok(await billing.checkout(productId, processor, { userId, payerId, email: await emailOf(app, payerId) }))
  },
})

const openPortalRoute = route('POST', '/api/v1/billing/portal', {
  operationId: 'openPortal',
  summary: 'Open the customer portal of the payment processor',
  config: { team: 'owner' },
  description:
    '409: nothing has been bought; or, of a team, another owner has, as a customer whose portal shows what that owner bought without the team.',
  errors: ['CONFLICT'],
  data: Url,
  example: { url: 'https://billing.example/p/session/01' },
  handler: async ({ billing }, request) => {
    const { userId, actorId: payerId } = userOf(request)
    return ok(await billing.portal({ userId, payerId }))
  },
})

const getSubscriptionRoute = route('GET', '/api/v1/billing/subscription', {
  operationId: 'getSubscription',
  summary: 'Your subscription, or the team’s',
  config: { scope: 'read' },
  data: Type.Object({ subscription: Type.Union([Subscription, Type.Null()]) }),
  handler: async ({ app }, request) => ok({ subscription: await subscriptionOf(app, userOf(request).userId) }),
})

export const registerBilling = together(listPlansRoute, startCheckoutRoute, openPortalRoute, getSubscriptionRoute)
