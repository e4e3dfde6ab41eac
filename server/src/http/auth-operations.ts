/**
 * What a browser client needs of `/api/auth/*`, described for openapi.json. better-auth answers there and checks its own
 * bodies, so nothing here stands in its way; a test calls each operation and holds the answers to these schemas.
 *
 * Answers have better-auth's own shapes, without the envelope. What it may add to a key (limits, refills) is not described:
 * this service does not use it.
 */
import { type TSchema, Type } from 'typebox'
import { API_KEY_NAME_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../account/auth.ts'
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
  banExpires: TimestampOrNull('Until when'),
  createdAt: Timestamp('When the account was made'),
  updatedAt: Timestamp('When it was changed last'),
})
const Session = Type.Object({
  id: Type.String({ format: 'uuid' }),
  userId: Type.String({ format: 'uuid' }),
  token: Type.String({ description: 'What revoke-session asks for; as good as a password' }),
  ipAddress: TextOrNull('Where it was opened from'),
  userAgent: TextOrNull('With which browser or program'),
  impersonatedBy: TextOrNull('The administrator who looks through these eyes'),
  createdAt: Timestamp('When it was opened'),
  updatedAt: Timestamp('When its end was last put off'),
  expiresAt: Timestamp('When it ends'),
})
const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  start: Type.String({ description: 'The first characters, to tell keys apart' }),
  enabled: Type.Boolean(),
  lastRequest: TimestampOrNull('When it was last used, to the minute'),
  expiresAt: TimestampOrNull('When it ends; null: never'),
  createdAt: Timestamp('When it was made'),
}
const ApiKey = Type.Object(keyFields)
const AuthError = Type.Object({
  code: Type.String({ description: 'What went wrong, for programs' }),
  message: Type.String({ description: 'What went wrong and what to do, for people' }),
})

/** Schemas that several operations, or a client, refer to by name. */
export const authSchemas = { User, Session, ApiKey, AuthError }
const named = (name: keyof typeof authSchemas) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` })

const email = Type.String({ format: 'email' })
const password = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })
const name = Type.String({ minLength: 1, maxLength: NAME_MAX })
const rememberMe = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'false: the cookie goes with the browser window, the session after a day',
  }),
)
const Done = Type.Object({ status: Type.Boolean() })
const Success = Type.Object({ success: Type.Boolean() })

type AuthOperation = {
  method: 'get' | 'post'
  path: string
  operationId: string
  summary: string
  description?: string
  /** Whether a session is needed. */
  session: boolean
  body?: TSchema
  query?: Record<string, TSchema>
  answer: TSchema
  /** The statuses of its refusals, besides those of every operation. */
  refusals: number[]
}

export const authOperations: AuthOperation[] = [
  {
    method: 'post',
    path: '/api/auth/sign-up/email',
    operationId: 'signUp',
    summary: 'Make an account, and sign in',
    description: 'Sets the session cookie; a program keeps the token. 422: the address has an account already.',
    session: false,
    body: Type.Object({ name, email, password, rememberMe }),
    answer: Type.Object({ token: Type.String(), user: named('User') }),
    refusals: [400, 403, 415, 422],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/email',
    operationId: 'signIn',
    summary: 'Sign in',
    description: 'Sets the session cookie; a program keeps the token. 403: the account is locked.',
    session: false,
    body: Type.Object({ email, password: Type.String(), rememberMe }),
    answer: Type.Object({ redirect: Type.Boolean(), token: Type.String(), user: named('User') }),
    refusals: [400, 401, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/sign-out',
    operationId: 'signOut',
    summary: 'End this session',
    session: false,
    answer: Success,
    refusals: [403, 415],
  },
  {
    method: 'get',
    path: '/api/auth/get-session',
    operationId: 'getSession',
    summary: 'Who is signed in, and the balance',
    description: 'null: nobody.',
    session: false,
    answer: Type.Union([
      Type.Object({ session: named('Session'), user: named('User'), credits: Balance }),
      Type.Null(),
    ]),
    refusals: [],
  },
  {
    method: 'post',
    path: '/api/auth/update-user',
    operationId: 'updateUser',
    summary: 'Change your name',
    session: true,
    body: Type.Object({ name }),
    answer: Done,
    refusals: [400, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/change-password',
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'With revokeOtherSessions all sessions end, and the answer has a new one: in the cookie, and as token for programs.',
    session: true,
    body: Type.Object({
      currentPassword: Type.String(),
      newPassword: password,
      revokeOtherSessions: Type.Optional(Type.Boolean({ default: false })),
    }),
    answer: Type.Object({ token: TextOrNull('Of the new session, when the others were ended'), user: named('User') }),
    refusals: [400, 403, 415],
  },
  {
    method: 'get',
    path: '/api/auth/list-sessions',
    operationId: 'listSessions',
    summary: 'Where you are signed in',
    session: true,
    answer: Type.Array(named('Session')),
    refusals: [],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-session',
    operationId: 'revokeSession',
    summary: 'End one of your sessions',
    description:
      'It stops working within 5 seconds. A token that is not yours changes nothing and is answered the same.',
    session: true,
    body: Type.Object({ token: Type.String() }),
    answer: Done,
    refusals: [400, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-other-sessions',
    operationId: 'revokeOtherSessions',
    summary: 'End all sessions but this one',
    session: true,
    answer: Done,
    refusals: [403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/api-key/create',
    operationId: 'createApiKey',
    summary: 'Make an API key',
    description: 'The only answer that has the key itself: it is kept as a hash and cannot be shown again.',
    session: true,
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: API_KEY_NAME_MAX }),
      expiresIn: Type.Optional(
        Type.Integer({ minimum: 86_400, maximum: 31_536_000, description: 'Seconds; left out: it never ends' }),
      ),
    }),
    answer: Type.Object({ ...keyFields, key: Type.String({ description: 'To be sent as x-api-key' }) }),
    refusals: [400, 403, 415],
  },
  {
    method: 'get',
    path: '/api/auth/api-key/list',
    operationId: 'listApiKeys',
    summary: 'Your API keys',
    session: true,
    query: {
      limit: Type.Integer({ minimum: 1, description: 'How many; left out: 100' }),
      offset: Type.Integer({ minimum: 0 }),
      sortBy: Type.Enum(['createdAt', 'name', 'lastRequest', 'expiresAt']),
      sortDirection: Type.Enum(['asc', 'desc']),
    },
    answer: Type.Object({ apiKeys: Type.Array(named('ApiKey')), total: Type.Integer() }),
    refusals: [400],
  },
  {
    method: 'post',
    path: '/api/auth/api-key/delete',
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'It stops working within 5 seconds. 404: it is none of your keys.',
    session: true,
    body: Type.Object({ keyId: Type.String() }),
    answer: Success,
    refusals: [400, 403, 404, 415],
  },
]

/** The operations as openapi.json has them, by path and method. */
export const authPaths = () =>
  Object.fromEntries(authOperations.map((operation) => [operation.path, { [operation.method]: described(operation) }]))

function described(operation: AuthOperation) {
  const { operationId, summary, description, session, body, query, answer, refusals } = operation
  const example = examples[operationId]
  const json = (schema: object, shown?: unknown) => ({
    content: { 'application/json': { schema, ...(shown === undefined ? {} : { example: shown }) } },
  })
  // What this service itself answers with has its envelope: too many requests, its own trouble.
  const named4xx = [...new Set([...refusals, ...(session ? [401] : [])])].sort()
  const failures = [
    ...named4xx.map((status) => [status, '#/components/schemas/AuthError'] as const),
    ...[429, 500, 503].map((status) => [status, '#/components/schemas/Error'] as const),
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
      200: { description: 'Success', ...json(answer, example?.data) },
      ...Object.fromEntries(
        failures.map(([status, $ref]) => [status, { description: statusName(status), ...json({ $ref }) }]),
      ),
    },
  }
}
