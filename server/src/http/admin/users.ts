/** `/api/v1/admin/users`: administrators read users, their balances and their credit transactions. */
import { Type } from 'typebox'
import type { Auth } from '../../account/auth.ts'
import { requireOwner } from '../../admin/owner.ts'
import { paymentsOf } from '../../admin/payments.ts'
import { getUser, listUsers, resendVerification, userFilters } from '../../admin/users.ts'
import type { App } from '../../app.ts'
import { Subscription } from '../billing.ts'
import { Balance, History, HistoryQuery, sendHistory } from '../credit.ts'
import { ok, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { cursorPage, listQuery } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

export const userCreditsExample = { available: 44, frozen: 16, used: 0, total: 60, expired: 0, clawedBack: 0, owed: 0 }
const userExample = {
  id: '01939b1e-1111-7aaa-8bbb-000000000001',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'user',
  createdAt: '2026-01-15T09:30:00.000Z',
  deletedAt: null,
  banned: false,
  credits: userCreditsExample,
}
export const UserCredits = Type.Object(Type.Omit(Balance, ['expiringSoon']).properties, { title: 'UserCredits' })
const user = {
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String({ description: 'user or admin' }),
  createdAt: Timestamp('When the user signed up'),
  deletedAt: TimestampOrNull('When the account was deleted; e-mail address and name are gone then. Null: it was not'),
  banned: Type.Boolean({ description: 'Whether the account is locked now' }),
  credits: UserCredits,
}
const ListedUser = Type.Object(user, { title: 'ListedUser', examples: [userExample] })
const UserDetail = Type.Object(
  {
    ...user,
    banReason: TextOrNull('Why it is locked'),
    banExpires: TimestampOrNull('When the lock ends; null: when an administrator removes it'),
    inProgress: Type.Integer({ description: 'Videos in progress' }),
    emailVerified: Type.Boolean(),
    twoFactorEnabled: Type.Boolean({ description: 'Whether a sign-in needs a second factor' }),
    signInMethods: Type.Array(Type.String(), { description: 'credential: the password; else a provider’s id' }),
    passkeys: Type.Integer(),
    apiKeys: Type.Integer(),
    sessions: Type.Integer({ description: 'Sessions that have not expired' }),
    giftRefusal: Type.Union([Type.Enum(['address_used', 'domain_denied', 'network_limit']), Type.Null()], {
      description: 'Why the user had no new-user gift; null: it was granted, or is not decided',
    }),
  },
  {
    title: 'UserDetail',
    examples: [
      {
        ...userExample,
        banReason: null,
        banExpires: null,
        inProgress: 1,
        emailVerified: true,
        twoFactorEnabled: false,
        signInMethods: ['credential', 'google'],
        passkeys: 1,
        apiKeys: 2,
        sessions: 1,
        giftRefusal: null,
      },
    ],
  },
)
/** Whose a row of a list is. */
export const owner = {
  email: TextOrNull('The user’s e-mail address; null for a team, and when the account was deleted'),
  team: TextOrNull('The name of the team, empty when it was deleted; null for a user'),
}
export const ownerExample = { email: 'ann@example.com', team: null }
export const userPaymentExample = {
  id: 'payment-b:in_01',
  processor: 'payment-b',
  orderNo: 'in_01',
  remark: 'Pro, monthly',
  currency: 'USD',
  received: 2990,
  returned: 0,
  credits: 960,
  at: '2026-01-15T09:30:00.000Z',
}
export const UserPayment = Type.Object(
  {
    id: Type.String({ description: 'The processor and its id of the order or invoice' }),
    processor: Type.String(),
    orderNo: Type.String({ description: 'The processor’s id of the order or invoice' }),
    remark: Type.String({ description: 'What was bought' }),
    currency: Type.String({ description: 'ISO 4217' }),
    received: Type.Number({ description: 'Without tax, in the currency’s smallest unit' }),
    returned: Type.Number({ description: 'What of it was refunded or disputed since' }),
    credits: Type.Integer({ description: 'What it granted' }),
    at: Timestamp('When it was made'),
  },
  {
    title: 'UserPayment',
    examples: [userPaymentExample],
  },
)
const Id = Type.Object({ id: Type.String() })

const route = routesOf<{ app: App; auth: Auth }>({ tag: 'admin', access: 'admin' })

const listUsersRoute = route('GET', '/api/v1/admin/users', {
  operationId: 'listUsers',
  summary: 'Users, newest first',
  querystring: listQuery(userFilters),
  data: Type.Object({
    users: Type.Array(ListedUser),
    ...cursorPage,
  }),
  handler: async ({ app }, request) => ok(await listUsers(app, request.query)),
})

const getUserRoute = route('GET', '/api/v1/admin/users/:id', {
  operationId: 'getUser',
  summary: 'One user',
  params: Id,
  data: UserDetail,
  handler: async ({ app }, request) => ok(await getUser(app, request.params.id)),
})

const listUserTransactionsRoute = route('GET', '/api/v1/admin/users/:id/history', {
  operationId: 'listUserTransactions',
  summary: 'The credit transactions of a user or a team, newest first',
  params: Id,
  querystring: HistoryQuery,
  data: History,
  handler: async ({ app }, request, reply) => {
    return await sendHistory(app, reply, await requireOwner(app, request.params.id), request.query)
  },
})

const listUserPaymentsRoute = route('GET', '/api/v1/admin/users/:id/payments', {
  operationId: 'listUserPayments',
  summary: 'The subscriptions and payments of a user or a team, the latest first',
  description: 'At most 100 of each.',
  params: Id,
  data: Type.Object({ subscriptions: Type.Array(Subscription), payments: Type.Array(UserPayment) }),
  handler: async ({ app }, request) => ok(await paymentsOf(app, request.params.id)),
})

const resendVerificationRoute = route('POST', '/api/v1/admin/users/:id/verification', {
  operationId: 'resendVerification',
  summary: 'Send a user the link again that verifies the e-mail address',
  description: 'The audit log keeps it. 409: the address is verified, or the account deleted.',
  params: Id,
  errors: ['CONFLICT'],
  data: Type.Object({ userId: Type.String() }),
  example: { userId: userExample.id },
  handler: async ({ app, auth }, request) => {
    const userId = request.params.id.toLowerCase()
    await resendVerification(app, auth, { userId, actorId: userOf(request).userId, requestId: request.id })
    return ok({ userId })
  },
})

export const registerAdminUsers = together(
  listUsersRoute,
  getUserRoute,
  listUserTransactionsRoute,
  listUserPaymentsRoute,
  resendVerificationRoute,
)
