/** `GET /api/v1/key`: an API key reads about itself. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { describeKey } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { Envelope, errors, ok } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { keyExample, keyFields } from './sign-in/auth-schemas.ts'

const { enabled: _, lastRequest: __, ...fields } = keyFields
const { enabled: ___, lastRequest: ____, ...example } = keyExample
const Key = Type.Object(fields, { title: 'OwnApiKey', examples: [example] })

export function registerKey(server: FastifyInstance, app: App): void {
  server.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'GET',
    url: '/api/v1/key',
    config: { access: 'user', scope: 'any' },
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
