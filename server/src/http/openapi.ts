/**
 * The description of the API: made of the routes' own schemas, so that it cannot say anything else than they do. Served at
 * `/openapi.json`; the file of that name in the repository is a copy that a test keeps current.
 */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../app.ts'
import { authPaths, authSchemas } from './auth-operations.ts'
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
          'an error adds `error` with a code for programs and a sentence for people. ' +
          'Under /api/auth answers come without the envelope, and a refusal is `{ code, message }`.',
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
    transformObject: (document) =>
      'openapiObject' in document ? completed(document.openapiObject as unknown as Document) : {},
  })
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger())
}

type Content = Record<
  string,
  { schema?: { required?: string[]; properties?: Record<string, object> }; example?: unknown }
>
type Operation = {
  operationId?: string
  parameters?: { required?: boolean; schema?: object }[]
  requestBody?: { content?: Content }
  responses?: Record<string, { content?: Content }>
}
type Document = { paths?: Record<string, Record<string, Operation>>; components?: { schemas?: Record<string, object> } }

/** The document that the routes make, with examples, and with the calls that better-auth answers. */
function completed(document: Document): Document {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path)) {
      addExamples(operation)
      requireNoDefaults(operation)
    }
  }
  return {
    ...document,
    paths: { ...document.paths, ...(authPaths() as Record<string, Record<string, Operation>>) },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...authSchemas } },
  }
}

/** Puts the example of each call beside its schema, where readers of the description look for it. */
function addExamples({ operationId, requestBody, responses }: Operation): void {
  const example = examples[operationId ?? '']
  const request = requestBody?.content?.['application/json']
  const response = responses?.['200']?.content?.['application/json']
  const stream = responses?.['200']?.content?.['text/event-stream']
  if (example?.request && request) request.example = example.request
  if (example && response) response.example = { success: true, data: example.data }
  if (example && stream) stream.example = example.data
}

/** In code a value with a default is always there; who sends the request may leave it out. */
function requireNoDefaults({ parameters, requestBody }: Operation): void {
  for (const parameter of parameters ?? []) {
    if (parameter.schema && 'default' in parameter.schema) parameter.required = false
  }
  const schema = requestBody?.content?.['application/json']?.schema
  if (!schema?.required) return
  schema.required = schema.required.filter((name) => !('default' in (schema.properties?.[name] ?? {})))
  if (schema.required.length === 0) delete schema.required
}
