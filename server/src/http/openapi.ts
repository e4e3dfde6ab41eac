/**
 * The description of the API: made of the routes' own schemas, so that it cannot say anything else than they do. Served at
 * `/openapi.json`; the file of that name in the repository is a copy that a test keeps current.
 */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../app.ts'
import { examples } from './examples.ts'

export async function registerOpenApi(server: FastifyInstance, { config }: Pick<App, 'config'>): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kinora',
        version: manifest.version,
        description:
          'Asynchronous AI video generation, paid for with credits. Every answer has the envelope `{ success, data }`; ' +
          'an error adds `error` with a code for programs and a sentence for people.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'kinora.session_token',
            description: 'Set by /api/auth/sign-in/email',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The session token that signing in answers with' },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Made at /api/auth/api-key/create' },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transformObject: (document) => ('openapiObject' in document ? withExamples(document.openapiObject) : {}),
  })
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger())
}

type Operation = {
  operationId?: string
  requestBody?: { content?: Record<string, Record<string, unknown>> }
  responses?: Record<string, { content?: Record<string, Record<string, unknown>> }>
}

/** Puts the example of each call beside its schema, where readers of the description look for it. */
function withExamples<T extends { paths?: object }>(document: T): T {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, Operation>)) {
      const example = examples[operation.operationId ?? '']
      const request = operation.requestBody?.content?.['application/json']
      const response = operation.responses?.['200']?.content?.['application/json']
      if (example?.request && request) request.example = example.request
      if (example && response) response.example = { success: true, data: example.data }
    }
  }
  return document
}
