/** `/api/v1/key`: an API key or a browser token reads about itself, and a key makes tokens for pages; limits.ts. */
import { Type } from 'typebox'
import { describeKey, describeToken } from '../account/key/api-key.ts'
import {
  createdToken,
  createToken,
  SUBJECT_PATTERN,
  TOKEN_SCOPES,
  TOKEN_SECONDS_MAX,
} from '../account/key/browser-token.ts'
import { requireScope } from '../account/key/scope.ts'
import { AppError } from '../errors.ts'
import { getLimitsRoute } from './limits.ts'
import { ok, Timestamp } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { keyExample, keyFields } from './sign-in/auth-schemas.ts'

const { enabled: _, lastRequest: __, ...fields } = keyFields
const { enabled: ___, lastRequest: ____, ...example } = keyExample
const Key = Type.Object(fields, { title: 'OwnApiKey', examples: [example] })

const subject = Type.String({
  description:
    'Whose films the token makes and reaches; of a token without a subject its own, which begins with token:',
})
const exampleExpiry = '2026-01-15T09:40:00.000Z'
const OwnToken = Type.Object(
  {
    subject,
    scopes: Type.Array(Type.String({ enum: [...TOKEN_SCOPES] })),
    budget: Type.Integer({ description: 'Credits that it may spend in all' }),
    left: Type.Integer({ description: 'Credits that it may still spend; the budget of its key counts as well' }),
    expiresAt: Timestamp('When it ends'),
  },
  {
    title: 'OwnToken',
    examples: [
      { subject: 'visitor-8812', scopes: ['read', 'generate'], budget: 60, left: 44, expiresAt: exampleExpiry },
    ],
  },
)

const TokenBody = Type.Object(
  {
    subject: Type.Optional(
      Type.String({
        pattern: SUBJECT_PATTERN,
        description:
          'Your id of the visitor: letters, digits and . _ @ -, at most 64, a letter or digit first. What the token makes carries it, and the ' +
          'token reaches nothing else; without it each token has a subject of its own',
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...TOKEN_SCOPES]), {
        minItems: 1,
        maxItems: TOKEN_SCOPES.length,
        default: ['read'],
        description: 'What the token may do; at most what the key may. With generate it reads as well',
      }),
    ),
    budget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Credits that the token may spend; the budget of the key counts as well. With 0 it reads only',
      }),
    ),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: TOKEN_SECONDS_MAX,
        default: TOKEN_SECONDS_MAX,
        description: 'How long it lasts',
      }),
    ),
  },
  {
    title: 'TokenRequest',
    additionalProperties: false,
    examples: [{ subject: 'visitor-8812', scopes: ['read', 'generate'], budget: 60 }],
  },
)
const Token = Type.Object(
  { token: Type.String({ description: 'Shown this once' }), subject, expiresAt: Timestamp('When it ends') },
  {
    title: 'BrowserToken',
    examples: [{ token: 'kint_0bQ8…', subject: 'visitor-8812', expiresAt: exampleExpiry }],
  },
)

const route = routesOf({ tag: 'account', access: 'user', test: true })

const createTokenRoute = route('POST', '/api/v1/key/token', {
  security: [{ bearer: [] }, { apiKey: [] }],
  operationId: 'createToken',
  summary: 'A token for a page of a visitor, of the API key of this request',
  config: { scope: 'any', team: 'viewer' },
  description:
    'A page may hold it, as it may never hold a key: it lasts ten minutes at most, spends a budget of its own once, ends with the key, and ' +
    'makes, reads, cancels and deletes the films of its subject alone. Send it as the key is sent; CORS_ORIGINS says which sites may. ' +
    '403: the key lacks a scope, or the request has a token. 404: it has a session.',
  body: TokenBody,
  data: Token,
  handler: async (app, request) => {
    const { userId, key } = userOf(request)
    if (!key || key.isMember) {
      throw new AppError('NOT_FOUND', 'This request was not made with an API key; send one to make a token of it.')
    }
    const { subject, scopes = ['read'], budget = 0, seconds = TOKEN_SECONDS_MAX } = request.body
    for (const scope of scopes) requireScope({ key }, scope)
    const token = { userId, keyId: key.id, subject, scopes, budget, seconds }
    return ok(await createToken(app, token, request.onceKey))
  },
  replay: async (app, request, id) => ok(await createdToken(app, { userId: userOf(request).userId, id })),
})

const getKeyRoute = route('GET', '/api/v1/key', {
  security: [{ bearer: [] }, { apiKey: [] }],
  operationId: 'getKey',
  summary: 'The API key or browser token of this request',
  config: { scope: 'any', team: 'viewer', token: true },
  description:
    'Of a key its scopes, its budget and what it has used; of a token its subject, its scopes and what is left; with any scope. 404: the ' +
    'request has a session.',
  data: Type.Union([Key, OwnToken]),
  handler: async (app, request) => {
    const caller = userOf(request)
    return ok(caller.key?.token ? await describeToken(app, caller) : await describeKey(app, caller))
  },
})

export const registerKey = together(getKeyRoute, createTokenRoute, getLimitsRoute)
