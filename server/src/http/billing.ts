/** `/api/v1/config/plans` and `/api/v1/billing`: products, checkout, customer portal, and the caller's subscription. */
import { Type } from 'typebox'
import { emailOf } from '../account/user.ts'
import type { App } from '../app.ts'
import { processorNames } from '../config/processors.ts'
import { type Billing, subscriptionOf } from '../payment/billing.ts'
import { plansInForce } from '../payment/prices.ts'
import { endTopUp, setTopUp, topUpOf } from '../payment/top-up.ts'
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
    'It has the payer’s company, address and tax id too. 409: nothing has been bought; or, of a team, another owner has, as a customer whose portal ' +
    'shows what that owner bought without the team.',
  querystring: Type.Object({
    processor: Type.Optional(Type.Enum(processorNames, { description: 'Whose portal; default: that of the plan' })),
    plan: Type.Optional(
      Type.String({ maxLength: 100, description: 'The plan that it offers to change to, where the processor can' }),
    ),
  }),
  errors: ['CONFLICT'],
  data: Url,
  example: { url: 'https://billing.example/p/session/01' },
  handler: async ({ billing }, request) => {
    const { userId, actorId: payerId } = userOf(request)
    return ok(await billing.portal({ userId, payerId }, request.query))
  },
})

const documentExample = {
  id: 'in_01',
  processor: 'payment-b' as const,
  number: 'K-0001',
  status: 'paid',
  amount: 2990,
  currency: 'USD',
  createdAt: '2026-01-15T09:30:00.000Z',
  url: 'https://invoice.example/i/01',
  pdfUrl: 'https://invoice.example/i/01/pdf',
}
const Document = Type.Object(
  {
    id: Type.String(),
    processor: Processor,
    number: TextOrNull('Of the invoice or receipt'),
    status: Type.String({ description: 'The processor’s word, such as paid, open, void or refunded' }),
    amount: Type.Integer({ description: 'With tax, in the currency’s smallest unit' }),
    currency: Type.String(),
    createdAt: Timestamp('When it was made'),
    url: TextOrNull('Its page at the processor; null: the portal has it'),
    pdfUrl: TextOrNull('The invoice as PDF'),
  },
  { title: 'PaymentDocument', examples: [documentExample] },
)

const listInvoicesRoute = route('GET', '/api/v1/billing/invoices', {
  operationId: 'listInvoices',
  summary: 'Invoices and receipts of the payment processors',
  config: { team: 'owner' },
  description:
    'Read from the processors: of each customer the newest 100, the newest first. The portal has older ones.',
  data: Type.Object({ invoices: Type.Array(Document) }),
  handler: async ({ billing }, request) => {
    const { userId, actorId: payerId } = userOf(request)
    return ok({ invoices: await billing.documents({ userId, payerId }) })
  },
})

const previewPlanRoute = route('GET', '/api/v1/billing/preview', {
  operationId: 'previewPlanChange',
  summary: 'What a change of your plan costs',
  config: { team: 'owner' },
  description:
    'The processor’s own preview of the invoice; nothing changes. null: the processor shows the costs on its page only, before the change is confirmed. ' +
    '409: no plan runs, or it is this one.',
  querystring: Type.Object({ plan: Type.String({ maxLength: 100, description: 'The id of another plan' }) }),
  errors: ['CONFLICT'],
  data: Type.Object({
    preview: Type.Union([
      Type.Object({
        amount: Type.Integer({ description: 'What is due, in the currency’s smallest unit' }),
        credited: Type.Integer({ description: 'What goes to the balance that pays later invoices' }),
        currency: Type.String(),
        at: Timestamp('When the amount is due'),
      }),
      Type.Null(),
    ]),
  }),
  example: { preview: { amount: 1650, credited: 0, currency: 'USD', at: '2026-01-15T09:30:00.000Z' } },
  handler: async ({ billing }, request) =>
    ok({ preview: await billing.preview(userOf(request).userId, request.query.plan) }),
})

const topUpRule = {
  productId: Type.String({ maxLength: 100, description: 'The pack that is bought' }),
  below: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'When fewer credits than this are available',
  }),
  maxPerMonth: Type.Integer({ minimum: 1, maximum: 100, description: 'So often in a calendar month of UTC, at most' }),
}
const ruleExample = { productId: 'pack-starter', below: 100, maxPerMonth: 3 }
const TopUp = Type.Object(
  {
    processor: Type.Union([Processor, Type.Null()], {
      description: 'The processor that charges a saved card; null: none of this service does, so there are no top-ups',
    }),
    rule: Type.Union([
      Type.Object({
        ...topUpRule,
        paused: TextOrNull(
          'Why nothing is bought until PUT is called again: no_card, declined, balance (money at the processor would pay), expired (it was not confirmed ' +
            'within 23 hours), no_answer, not_sold or not_applied; null: it is on',
        ),
      }),
      Type.Null(),
    ]),
    last: Type.Union([
      Type.Object({
        state: Type.String({ description: 'charging, action (to be confirmed at url), paid or failed' }),
        productId: Type.String(),
        url: TextOrNull('The processor’s page where the payment is confirmed'),
        reason: TextOrNull('Why it failed'),
        createdAt: Timestamp('When it began'),
      }),
      Type.Null(),
    ]),
    cardUrl: TextOrNull('The processor’s page that saves a card, which is still lacking; after PUT only'),
  },
  {
    title: 'TopUp',
    examples: [{ processor: 'payment-b' as const, rule: { ...ruleExample, paused: null }, last: null, cardUrl: null }],
  },
)
const topUpView = async ({ app, billing }: Context, userId: string, cardUrl: string | null = null) =>
  ok({ processor: billing.offSession, ...(await topUpOf(app, userId)), cardUrl })

const getTopUpRoute = route('GET', '/api/v1/billing/top-up', {
  operationId: 'getTopUp',
  summary: 'The automatic top-up, and its last charge',
  config: { team: 'owner' },
  data: TopUp,
  handler: async (context, request) => topUpView(context, userOf(request).userId),
})

const setTopUpRoute = route('PUT', '/api/v1/billing/top-up', {
  operationId: 'setTopUp',
  summary: 'Buy a pack whenever the balance is low',
  config: { team: 'owner' },
  description:
    'Off until it is called. A saved card is charged, one charge at a time; each is followed by a mail. A charge that fails, or that is not confirmed within ' +
    '23 hours, pauses it until the next call. 409: no processor of this service charges a saved card.',
  body: Type.Object(topUpRule, { additionalProperties: false, examples: [ruleExample] }),
  errors: ['CONFLICT'],
  data: TopUp,
  handler: async ({ app, billing }, request) => {
    const { userId, actorId: payerId } = userOf(request)
    const buyer = { userId, payerId, email: await emailOf(app, payerId) }
    return topUpView({ app, billing }, userId, await setTopUp(app, billing, buyer, request.body))
  },
})

const endTopUpRoute = route('DELETE', '/api/v1/billing/top-up', {
  operationId: 'endTopUp',
  summary: 'Switch the automatic top-up off',
  config: { team: 'owner' },
  description: 'A charge that waits for you is given up within minutes.',
  data: TopUp,
  handler: async (context, request) => {
    const { userId } = userOf(request)
    await endTopUp(context.app, userId)
    return topUpView(context, userId)
  },
})

const getSubscriptionRoute = route('GET', '/api/v1/billing/subscription', {
  operationId: 'getSubscription',
  summary: 'Your subscription, or the team’s',
  config: { scope: 'read' },
  data: Type.Object({ subscription: Type.Union([Subscription, Type.Null()]) }),
  handler: async ({ app }, request) => ok({ subscription: await subscriptionOf(app, userOf(request).userId) }),
})

export const registerBilling = together(
  listPlansRoute,
  startCheckoutRoute,
  openPortalRoute,
  getSubscriptionRoute,
  listInvoicesRoute,
  previewPlanRoute,
  getTopUpRoute,
  setTopUpRoute,
  endTopUpRoute,
)
