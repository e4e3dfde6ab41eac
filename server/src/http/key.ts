/** `/api/v1/key`: an API key reads about itself, and makes tokens for the pages of its program. */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { describeKey } from '../account/key/api-key.ts'
import { createToken, TOKEN_SCOPES, TOKEN_SECONDS_MAX } from '../account/key/browser-token.ts'
import { requireScope } from '../account/key/scope.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { changeErrors, Envelope, errors, ok, Timestamp } from './request/envelope.ts'
import { type Http, typed, userOf } from './request/request.ts'
import { keyExample, keyFields } from './sign-in/auth-schemas.ts'

const { enabled: _, lastRequest: __, ...fields } = keyFields
const { enabled: ___, lastRequest: ____, ...example } = keyExample
const Key = Type.Object(fields, { title: 'OwnApiKey', examples: [example] })

const TokenBody = Type.Object(
  {
    scopes: Type.Optional(
      Type.Array(Type.Enum([...TOKEN_SCOPES]), {
        minItems: 1,
        maxItems: TOKEN_SCOPES.length,
        default: ['read'],
        description: 'What the token may do; at most what the key may',
      }),
    ),
    budget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Credits that the token may spend; the budget of the key counts as well',
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
  { title: 'TokenRequest', additionalProperties: false, examples: [{ scopes: ['read', 'generate'], budget: 60 }] },
)
const Token = Type.Object(
  { token: Type.String({ description: 'Shown this once' }), expiresAt: Timestamp('When it ends') },
  {
    title: 'BrowserToken',
    examples: [{ token: 'kint_0bQ8…', expiresAt: '2026-01-15T09:40:00.000Z' }],
  },
)

export function registerKey(server: FastifyInstance, app: App): void {
  const http = typed(server)
  getKeyRoute(http, app)
  createTokenRoute(http, app)
}

function createTokenRoute(http: Http, app: App): void {
  http.route({
    method: 'POST',
    url: '/api/v1/key/token',
    config: { access: 'user', scope: 'any', team: 'viewer' },
    schema: {
      tags: ['account'],
      security: [{ bearer: [] }, { apiKey: [] }],
      operationId: 'createToken',
      summary: 'A token for a page, which stands for the API key of this request',
      description:
        'A page may hold it, as it may never hold a key: it lasts ten minutes at most, spends a budget of its own once, and ends with ' +
        'the key. Send it as the key is sent; CORS_ORIGINS says which sites may. 403: the key lacks a scope. 404: the request has ' +
        'a session or a token.',
      body: TokenBody,
      response: { 200: Envelope(Token), ...changeErrors(401, 404) },
    },
    handler: async (request) => {
      const { userId, key } = userOf(request)
      if (!key || key.tokenId || key.isMember) {
        throw new AppError('NOT_FOUND', 'This request was not made with an API key; send one to make a token of it.')
      }
      const { scopes = ['read'], budget = 0, seconds = TOKEN_SECONDS_MAX } = request.body
      for (const scope of scopes) requireScope({ key }, scope)
      return ok(await createToken(app, { userId, keyId: key.id, scopes, budget, seconds }))
    },
  })
}

function getKeyRoute(http: Http, app: App): void {
  http.route({
    method: 'GET',
    url: '/api/v1/key',
    config: { access: 'user', scope: 'any', team: 'viewer' },
    schema: {
      tags: ['account'],
      security: [{ bearer: [] }, { apiKey: [] }],
      operationId: 'getKey',
      summary: 'The API key of this request',
      description: 'Its scopes, its budget and what it has used; with any scope. 404: the request has a session.',
      response: { 200: Envelope(Key), ...errors(401, 404) },
    },
    handler: async (request) => ok(await describeKey(app, userOf(request))),
  })
}
