/**
 * Schemas of `/api/auth/*`: the objects that responses show, and the fields that requests have. Responses have
 * better-auth's own shapes, without the envelope. Fields of a key that this service does not use (limits, refills) are
 * not described.
 */
import { type TProperties, type TSchema, Type } from 'typebox'
import { API_KEY_NAME_MAX, NAME_MAX } from '../../account/auth.ts'
import { BUDGET_PERIODS } from '../../account/key/api-key.ts'
import { SCOPES } from '../../account/key/scope.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../account/password-policy.ts'
import type { Policy } from '../../account/restrictions.ts'
import { EMAIL_MAX } from '../../account/sign-in-guard.ts'
import { ERROR_CODES } from '../../errors.ts'
import { LANGUAGES } from '../../text/language.ts'
import { Name, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import type { RouteLimit } from '../request/rate-limits.ts'
import { SIGN_IN_CODES } from './auth-errors.ts'

const IMAGE_URL_MAX = 2048
const DAY_S = 86_400

export const language = Type.Enum([...LANGUAGES], { title: 'Language', description: 'Of the mails to you (BCP 47)' })

export const userExample = {
  id: '01939b1e-1111-7aaa-8bbb-000000000001',
  name: 'Ann',
  email: 'ann@example.com',
  emailVerified: false,
  image: null,
  language: null,
  role: 'user',
  twoFactorEnabled: false,
  banned: false,
  banReason: null,
  banExpires: null,
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
}
export const User = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: Type.String({ format: 'email' }),
    emailVerified: Type.Boolean(),
    image: TextOrNull('Not used by this service'),
    language: Type.Union([language, Type.Null()], { description: 'Of mails (BCP 47); null: not known, so English' }),
    role: TextOrNull('user or admin'),
    twoFactorEnabled: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether a sign-in needs a second factor',
    }),
    banned: Type.Union([Type.Boolean(), Type.Null()]),
    banReason: TextOrNull('Why an administrator locked the account'),
    banExpires: TimestampOrNull('When the lock ends; null: when an administrator removes it'),
    createdAt: Timestamp('When the user signed up'),
    updatedAt: Timestamp('When it last changed'),
  },
  { title: 'User', examples: [userExample] },
)
export const sessionExample = {
  id: '01939b1e-2222-7000-8000-000000000001',
  userId: userExample.id,
  token: 'sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k',
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  impersonatedBy: null,
  impersonationReason: null,
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
  expiresAt: '2026-02-14T09:30:00.000Z',
}
export const Session = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    userId: Type.String({ format: 'uuid' }),
    token: Type.String({
      description:
        'Identifies the session to revoke-session. A hash, so no credential; only impersonate-user returns the token itself',
    }),
    ipAddress: TextOrNull('IP address of the sign-in'),
    userAgent: TextOrNull('Browser or program of the sign-in'),
    impersonatedBy: TextOrNull('Id of the administrator who impersonates the user in this session'),
    impersonationReason: TextOrNull('Why the administrator may change something; null: the session reads only'),
    createdAt: Timestamp('When the user signed in'),
    updatedAt: Timestamp('When it was last used or extended'),
    expiresAt: Timestamp('When it expires'),
  },
  { title: 'Session', examples: [sessionExample] },
)
export const tokenExample = 'oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL'
/** The token of a session. */
export const Token = Type.String({ examples: [tokenExample] })
/** The response of a sign-in. */
export const SignedIn = Type.Object({ token: Token, user: User }, { title: 'SignedIn' })
const credits = Type.Integer({ description: 'Credits' })
const ScopeName = Type.Enum([...SCOPES], { title: 'Scope' })
const budgetFields = {
  credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Credits that films may cost in a period' }),
  period: Type.Enum([...BUDGET_PERIODS], {
    description: 'day: from 0:00 UTC; week: from Monday, 0:00 UTC; month: from the first, 0:00 UTC',
  }),
}
const budgetState = {
  used: Type.Integer({ description: 'Credits used in the period; films that failed or were cancelled are taken off' }),
  resetAt: Timestamp('When the next period begins'),
}
export const keyExample = {
  id: '01939b1e-3333-7000-8000-000000000001',
  name: 'server',
  start: 'kin_FWSvPk',
  enabled: true,
  test: false,
  scopes: ['read', 'generate'],
  budget: { credits: 500, period: 'month', used: 0, resetAt: '2026-02-01T00:00:00.000Z' },
  used: { day: 0, week: 0, month: 0 },
  lastRequest: null,
  expiresAt: null,
  createdAt: '2026-01-15T09:30:00.000Z',
}
export const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  start: Type.String({ description: 'The first characters, to distinguish keys' }),
  enabled: Type.Boolean(),
  test: Type.Boolean({
    description: 'Whether it is a test key: its films cost nothing, are not real, and go after a day',
  }),
  scopes: Type.Array(ScopeName, {
    description:
      'read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest',
  }),
  budget: Type.Union([Type.Object({ ...budgetFields, ...budgetState }, { title: 'KeyBudgetState' }), Type.Null()], {
    description: 'What it may spend in a period; null: as much as the account has',
  }),
  used: Type.Object(
    { day: credits, week: credits, month: credits },
    {
      description:
        'Credits frozen or spent in the UTC day, the ISO week and the calendar month; released ones are taken off',
      title: 'KeyUse',
    },
  ),
  lastRequest: TimestampOrNull('When it was last used, to the minute'),
  expiresAt: TimestampOrNull('When it expires; null: never'),
  createdAt: Timestamp('When it was created'),
}
export const ApiKey = Type.Object(keyFields, { title: 'ApiKey', examples: [keyExample] })
const code = Type.Enum([...SIGN_IN_CODES, ...ERROR_CODES], { title: 'SignInCode', description: 'For programs' })
const message = Type.String({ description: 'What went wrong and what to do, for people' })
/** The envelope of errors, with what better-auth's own client reads at the top. */
export const SignInError = Type.Object(
  {
    success: Type.Literal(false),
    data: Type.Object({}),
    error: Type.Object({
      code,
      message,
      details: Type.Optional(Type.Unknown({ description: 'Of the codes of the API, as everywhere' })),
      requestId: Type.String({ description: 'The same as the header X-Request-Id' }),
    }),
    code,
    message,
  },
  { title: 'SignInError' },
)

/** A request body. Unknown fields are refused: better-auth would take some of them, such as the limits of a key. */
export const Body = <T extends TProperties>(fields: T, options = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options })

export const email = Type.String({ format: 'email', maxLength: EMAIL_MAX })
export const name = Name(NAME_MAX)
export const image = Type.Union([Type.String({ format: 'uri', maxLength: IMAGE_URL_MAX }), Type.Null()], {
  description: 'Link to a picture; not used by this service',
})
export const newPassword = Type.String({
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
  description: 'None of the most used passwords, and not the e-mail address',
})
/** A password that is compared: users whose password is from before the present minimum still sign in. */
export const currentPassword = Type.String({ maxLength: PASSWORD_MAX })
export const userId = Type.String({ format: 'uuid' })
export const keyName = Name(API_KEY_NAME_MAX)
export const keyId = Type.String({ maxLength: 64 })
export const expiresIn = Type.Integer({
  minimum: DAY_S,
  maximum: 365 * DAY_S,
  description: 'Seconds; without it the key never expires',
})
export const keyScopes = Type.Array(ScopeName, {
  minItems: 1,
  maxItems: SCOPES.length,
  description: 'What the key may do; all when left out',
})
export const keyBudget = Type.Object(budgetFields, {
  title: 'KeyBudget',
  additionalProperties: false,
  description: 'What the key may spend; without it as much as the account has',
})
export const keyTest = Type.Boolean({
  description:
    'A test key: it begins with kin_test_, makes films of this service for nothing, and has films, assets, webhooks and limits of its own',
})
export const sessionToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The token that a list of sessions returned, or the one of the sign-in',
})
export const rememberMe = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'false: a session cookie, deleted when the browser closes; the session expires after a day',
  }),
)
export const passwordExample = 'correct horse battery'
export const Status = Type.Object({ status: Type.Boolean() }, { title: 'Status', examples: [{ status: true }] })
export const Success = Type.Object({ success: Type.Boolean() }, { title: 'Success', examples: [{ success: true }] })

/** An operation that better-auth serves. Its policy has no default: an operation without one does not compile. */
export type AuthOperation = Policy & {
  method: 'get' | 'post'
  path: string
  operationId: string
  summary: string
  description?: string
  /** password: it checks a password, code or mailed token, or mails one: limits of brute force and mail. */
  limit: Extract<RouteLimit, 'password' | 'user'>
  body?: TSchema
  query?: Record<string, TSchema>
  response: TSchema
  /** The example of the response; when left out, that of its schema. */
  example?: unknown
  /** The response has API keys, of which this service stores scopes, budget and usage. */
  showsKeys?: true
  /** Refused when another site's page causes it (login CSRF by a GET, whose cookie the browser would take). */
  isSameOriginOnly?: boolean
  /** A success takes at least this long, so that its time tells nothing. */
  minimumMs?: number
  /** better-auth's codes for what the schema refuses, by `field keyword` or `field`. See auth-validation.ts. */
  errorCodes?: Record<string, string>
}
type Defaulted = 'method' | 'path'

/** @param rest what differs from most operations, which change something, and what has no default */
export const operation = (
  name: string,
  rest: Omit<AuthOperation, Defaulted> & Partial<Pick<AuthOperation, Defaulted>>,
): AuthOperation => ({ method: 'post', path: `/api/auth/${name}`, ...rest })

/** better-auth's codes for a new password that the schema refuses. */
export const newPasswordErrors = {
  'newPassword minLength': 'PASSWORD_TOO_SHORT',
  'newPassword maxLength': 'PASSWORD_TOO_LONG',
}
