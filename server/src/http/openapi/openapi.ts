/**
 * The OpenAPI document, generated from the routes' own schemas, so that it cannot differ from them. Served at
 * `/openapi.json`; a test keeps the copy in the repository current.
 */
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import type { App } from '../../app.ts'
import { lazy } from '../../async/lazy.ts'
import { newAsset, sendAsset } from '../asset.ts'
import { errors } from '../request/envelope.ts'
import { describedSchema } from '../request/request-body.ts'
import { authPaths } from '../sign-in/auth-openapi.ts'
import { authSchemas } from '../sign-in/auth-schemas.ts'
import { examples } from './examples.ts'

export async function registerOpenApi(server: FastifyInstance, { config }: Pick<App, 'config'>): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kinora',
        version: manifest.version,
        description:
          'Asynchronous AI video generation, paid for with credits. Every response has the envelope `{ success, data }`; ' +
          'an error adds `error` with a code for programs and a sentence for people. ' +
          'Under /api/auth responses have no envelope, and an error is `{ code, message }`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'kinora.session_token',
            description: 'Set by /api/auth/sign-in/email; over https its name begins with __Host-',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, or the session token that signing in returns',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'An API key, created at /api/auth/api-key/create',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ schema: describedSchema(withScope(schema, route)), url }),
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transformObject: (document) =>
      'openapiObject' in document ? complete(document.openapiObject as unknown as Document) : {},
  })
  // Serialized once: 300 kB took 12 ms for each request, and a request needs no credential.
  const asset = lazy(async () => newAsset(Buffer.from(JSON.stringify(server.swagger()))))
  server.get('/openapi.json', { schema: { hide: true } }, async (request, reply) =>
    sendAsset(request, reply.type('application/json; charset=utf-8'), await asset()),
  )
}

/** Adds the scope that an API key needs, and the error of one that lacks it. */
function withScope<S extends object>(schema: S, { config }: { config?: FastifyContextConfig }): S {
  const { access, scope = 'account' } = config ?? {}
  if ((access !== 'user' && access !== 'admin') || scope === 'any' || !('security' in schema)) return schema
  const { description, response } = schema as { description?: string; response?: Record<string, unknown> }
  return {
    ...schema,
    description: [description, `An API key needs the scope \`${scope}\`.`].filter(Boolean).join(' '),
    security: [{ session: [] }, { bearer: [scope] }, { apiKey: [scope] }],
    response: { ...response, 403: errors(403)[403] },
  }
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

/** Adds to the generated document the examples, and the operations that better-auth serves. */
function complete(document: Document): Document {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path)) {
      addExamples(operation)
      makeDefaultsOptional(operation)
    }
  }
  return {
    ...document,
    paths: { ...document.paths, ...(authPaths() as Record<string, Record<string, Operation>>) },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...authSchemas } },
  }
}

/** Puts the example of an operation beside the schemas of its bodies. */
function addExamples({ operationId, requestBody, responses }: Operation): void {
  const example = examples[operationId ?? '']
  const request = requestBody?.content?.['application/json']
  const response = responses?.['200']?.content?.['application/json']
  const stream = responses?.['200']?.content?.['text/event-stream']
  if (example?.request && request) request.example = example.request
  if (example && response) response.example = { success: true, data: example.data }
  if (example && stream) stream.example = example.data
}

/** A field with a default is required in the handler's type, because Ajv fills it in; a client may omit it. */
function makeDefaultsOptional({ parameters, requestBody }: Operation): void {
  for (const parameter of parameters ?? []) {
    if (parameter.schema && 'default' in parameter.schema) parameter.required = false
  }
  const schema = requestBody?.content?.['application/json']?.schema
  if (!schema?.required) return
  schema.required = schema.required.filter((name) => !('default' in (schema.properties?.[name] ?? {})))
  if (schema.required.length === 0) delete schema.required
}
