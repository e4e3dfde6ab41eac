/**
 * OpenAPI operations of `/api/auth/*` that a browser client needs. They are documentation only: better-auth serves them and
 * validates their bodies. A test calls each operation and validates the responses against these schemas.
 *
 * Responses have better-auth's own shapes, without the envelope. Fields of a key that this service does not use (limits,
 * refills) are not described.
 */
import { type TSchema, Type } from 'typebox'
import { API_KEYS_MAX } from '../account/api-key-limit.ts'
import { API_KEY_NAME_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../account/auth.ts'
import { EMAIL_MAX } from '../account/sign-in-guard.ts'
import { Balance } from './credit.ts'
import { statusName, TextOrNull, Timestamp, TimestampOrNull } from './envelope.ts'
import { examples } from './examples.ts'

const User = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: Type.String({ format: 'email' }),
  emailVerified: Type.Boolean(),
  image: TextOrNull('Not used by this service'),
  role: TextOrNull('user or admin'),
  banned: Type.Union([Type.Boolean(), Type.Null()]),
  banReason: TextOrNull('Why an administrator locked the account'),
  banExpires: TimestampOrNull('When the lock ends; null: when an administrator removes it'),
  createdAt: Timestamp('When the user signed up'),
  updatedAt: Timestamp('When it last changed'),
})
const Session = Type.Object({
  id: Type.String({ format: 'uuid' }),
  userId: Type.String({ format: 'uuid' }),
  token: Type.String({ description: 'Identifies the session to revoke-session; a credential, so keep it secret' }),
  ipAddress: TextOrNull('IP address of the sign-in'),
  userAgent: TextOrNull('Browser or program of the sign-in'),
  impersonatedBy: TextOrNull('Id of the administrator who impersonates the user in this session'),
  createdAt: Timestamp('When the user signed in'),
  updatedAt: Timestamp('When it was last extended'),
  expiresAt: Timestamp('When it expires'),
})
const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  start: Type.String({ description: 'The first characters, to distinguish keys' }),
  enabled: Type.Boolean(),
  lastRequest: TimestampOrNull('When it was last used, to the minute'),
  expiresAt: TimestampOrNull('When it expires; null: never'),
  createdAt: Timestamp('When it was created'),
}
const ApiKey = Type.Object(keyFields)
const AuthError = Type.Object({
  code: Type.String({ description: 'What went wrong, for programs' }),
  message: Type.String({ description: 'What went wrong and what to do, for people' }),
})

/** Schemas under components, for several operations and for the generated client. */
export const authSchemas = { User, Session, ApiKey, AuthError }
const ref = (name: keyof typeof authSchemas) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` })

const email = Type.String({ format: 'email', maxLength: EMAIL_MAX })
const password = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })
const name = Type.String({ minLength: 1, maxLength: NAME_MAX })
const rememberMe = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'false: a session cookie, deleted when the browser closes; the session expires after a day',
  }),
)
const Status = Type.Object({ status: Type.Boolean() })
const Success = Type.Object({ success: Type.Boolean() })

type AuthOperation = {
  method: 'get' | 'post'
  path: string
  operationId: string
  summary: string
  description?: string
  /** Whether it requires a session. */
  session: boolean
  body?: TSchema
  query?: Record<string, TSchema>
  response: TSchema
  /** Its error statuses, besides those of every operation. */
  errorStatuses: number[]
}

export const authOperations: AuthOperation[] = [
  {
    method: 'post',
    path: '/api/auth/sign-up/email',
    operationId: 'signUp',
    summary: 'Create an account, and sign in',
    description: 'Sets the session cookie; a program keeps the token. 422: the e-mail address already has an account.',
    session: false,
    body: Type.Object({ name, email, password, rememberMe }),
    response: Type.Object({ token: Type.String(), user: ref('User') }),
    errorStatuses: [400, 403, 415, 422],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/email',
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Sets the session cookie; a program keeps the token. 403: the account is locked. 429: too many attempts failed; Retry-After ' +
      'says how long to wait.',
    session: false,
    body: Type.Object({ email, password: Type.String(), rememberMe }),
    response: Type.Object({ redirect: Type.Boolean(), token: Type.String(), user: ref('User') }),
    errorStatuses: [400, 401, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/sign-out',
    operationId: 'signOut',
    summary: 'End this session',
    session: false,
    response: Success,
    errorStatuses: [403, 415],
  },
  {
    method: 'get',
    path: '/api/auth/get-session',
    operationId: 'getSession',
    summary: 'The session, its user and the balance',
    description: 'null when the request has no valid session.',
    session: false,
    response: Type.Union([Type.Object({ session: ref('Session'), user: ref('User'), credits: Balance }), Type.Null()]),
    errorStatuses: [],
  },
  {
    method: 'post',
    path: '/api/auth/update-user',
    operationId: 'updateUser',
    summary: 'Change your name',
    session: true,
    body: Type.Object({ name }),
    response: Status,
    errorStatuses: [400, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/change-password',
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'With revokeOtherSessions all sessions end, and the response has a new one: in the cookie, and as token for programs.',
    session: true,
    body: Type.Object({
      currentPassword: Type.String(),
      newPassword: password,
      revokeOtherSessions: Type.Optional(Type.Boolean({ default: false })),
    }),
    response: Type.Object({
      token: TextOrNull('Of the new session; null without revokeOtherSessions'),
      user: ref('User'),
    }),
    errorStatuses: [400, 403, 415],
  },
  {
    method: 'get',
    path: '/api/auth/list-sessions',
    operationId: 'listSessions',
    summary: 'Your sessions',
    session: true,
    response: Type.Array(ref('Session')),
    errorStatuses: [],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-session',
    operationId: 'revokeSession',
    summary: 'End one of your sessions',
    description:
      'It stops working within 5 seconds. A token that is not yours changes nothing and gets the same response.',
    session: true,
    body: Type.Object({ token: Type.String() }),
    response: Status,
    errorStatuses: [400, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-other-sessions',
    operationId: 'revokeOtherSessions',
    summary: 'End all sessions but this one',
    session: true,
    response: Status,
    errorStatuses: [403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/api-key/create',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: `The only response with the key itself: it is stored as a hash and cannot be shown again. At most ${API_KEYS_MAX} keys a user.`,
    session: true,
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: API_KEY_NAME_MAX }),
      expiresIn: Type.Optional(
        Type.Integer({
          minimum: 86_400,
          maximum: 31_536_000,
          description: 'Seconds; without it the key never expires',
        }),
      ),
    }),
    response: Type.Object({ ...keyFields, key: Type.String({ description: 'Send it as x-api-key' }) }),
    errorStatuses: [400, 403, 415],
  },
  {
    method: 'get',
    path: '/api/auth/api-key/list',
    operationId: 'listApiKeys',
    summary: 'Your API keys',
    session: true,
    query: {
      limit: Type.Integer({ minimum: 1, description: '100 when left out' }),
      offset: Type.Integer({ minimum: 0 }),
      sortBy: Type.Enum(['createdAt', 'name', 'lastRequest', 'expiresAt']),
      sortDirection: Type.Enum(['asc', 'desc']),
    },
    response: Type.Object({ apiKeys: Type.Array(ref('ApiKey')), total: Type.Integer() }),
    errorStatuses: [400],
  },
  {
    method: 'post',
    path: '/api/auth/api-key/delete',
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'It stops working within 5 seconds. 404: it is not one of your keys.',
    session: true,
    body: Type.Object({ keyId: Type.String() }),
    response: Success,
    errorStatuses: [400, 403, 404, 415],
  },
]

/** OpenAPI path items, by path and method. */
export const authPaths = () =>
  Object.fromEntries(authOperations.map((operation) => [operation.path, { [operation.method]: toOpenApi(operation) }]))

function toOpenApi(operation: AuthOperation) {
  const { operationId, summary, description, session, body, query, response, errorStatuses } = operation
  const example = examples[operationId]
  const json = (schema: object, value?: unknown) => ({
    content: { 'application/json': { schema, ...(value === undefined ? {} : { example: value }) } },
  })
  // These come from this service and have its envelope; the other errors come from better-auth.
  const ownErrors = [...(body ? [413] : []), 429, 500, 503]
  const authErrors = [...new Set([...errorStatuses, ...(session ? [401] : [])])].sort()
  const failures = [
    ...authErrors.map((status) => [status, '#/components/schemas/AuthError'] as const),
    ...ownErrors.map((status) => [status, '#/components/schemas/Error'] as const),
  ]
  return {
    operationId,
    summary,
    tags: ['auth'],
    ...(description ? { description } : {}),
    ...(session ? { security: [{ session: [] }, { bearer: [] }] } : {}),
    ...(query
      ? { parameters: Object.entries(query).map(([key, schema]) => ({ in: 'query', name: key, schema })) }
      : {}),
    ...(body ? { requestBody: { required: true, ...json(body, example?.request) } } : {}),
    responses: {
      200: { description: 'Success', ...json(response, example?.data) },
      ...Object.fromEntries(
        failures.map(([status, $ref]) => [status, { description: statusName(status), ...json({ $ref }) }]),
      ),
    },
  }
}
