/**
 * The OpenAPI document, generated from the routes' own schemas, so that it cannot differ from them. Served at
 * `/openapi.json`; a test keeps the copy in the repository current.
 *
 * A schema with a `title` becomes the component of that name. Its `examples` (one element) are shown with each body that contains it; a
 * response without one is composed of those of its parts. The compiled validators and serializers have the schemas inline.
 */
import assert from 'node:assert/strict'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import { roleNeeded } from '../../account/key/scope.ts'
import type { App } from '../../app.ts'
import { lazy } from '../../async/lazy.ts'
import { newAsset, sendAsset } from '../asset.ts'
import { ErrorBody, errors, statusName } from '../request/envelope.ts'
import { describedSchema } from '../request/request-body.ts'
import { authOperations } from '../sign-in/auth-operations.ts'
import { AuthErrorBody, type AuthOperation } from '../sign-in/auth-schemas.ts'
import { webhookItems } from './webhooks.ts'

const tags = {
  video: 'Films: quote, generate, follow, read, cancel, delete, share; start images',
  credit: 'The balance, its history and its packages',
  billing: 'Plans, checkouts and subscriptions',
  config: 'What is offered: models, plans, ways to sign in',
  webhook: 'Endpoints that get events, their deliveries, and the events',
  team: 'Teams: several people, one balance',
  account: 'The account itself: its API key, notices, export and deletion',
  auth: 'Sign up, sign in, sessions, factors, API keys',
  admin: 'What administrators may do',
  providers: 'What providers and payment processors call',
  provenance: 'Whether a film was made here, for everyone',
}

export async function registerOpenApi(server: FastifyInstance, { config }: Pick<App, 'config'>): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: config.site.name,
        version: manifest.version,
        description:
          'Asynchronous AI video generation, paid for with credits. Every response has the envelope `{ success, data }`; ' +
          'an error adds `error` with a code for programs and a sentence for people. ' +
          'Under /api/auth responses have no envelope, and an error is `{ code, message }`. Every response has the header ' +
          'X-Request-Id, and one of a request that counts towards a limit has RateLimit and RateLimit-Policy. The header X-Team with the id of ' +
          'a team makes the request of a member the team’s: its films, its balance.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service' },
      },
      servers: [{ url: config.publicUrl }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
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
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({ schema: describedSchema(withScope(schema, route)), url }),
    transformObject: (document) =>
      'openapiObject' in document ? complete(document.openapiObject as unknown as Document) : {},
  })
  // Serialized once: it took 12 ms for each request, and a request needs no credential.
  const asset = lazy(async () => newAsset(Buffer.from(JSON.stringify(server.swagger()))))
  server.get('/openapi.json', { schema: { hide: true } }, async (request, reply) =>
    sendAsset(request, reply.type('application/json; charset=utf-8'), await asset()),
  )
}

/** Adds the scope that an API key needs and the role of a member, and the errors of one that lacks it and of an X-Team that is not the caller's. */
function withScope<S extends object>(schema: S, { config }: { config?: FastifyContextConfig }): S {
  const { access, scope = 'account', team = roleNeeded(scope) } = config ?? {}
  if ((access !== 'user' && access !== 'admin') || !('security' in schema)) return schema
  const { description, response } = schema as { description?: string; response?: Record<string, unknown> }
  const role = access === 'admin' ? 'none' : team
  const needs = [
    scope === 'any' ? '' : `An API key needs the scope \`${scope}\`.`,
    role === 'none' ? '' : `For a team (X-Team) it needs the role \`${role}\`.`,
  ]
  return {
    ...schema,
    'x-team-role': role,
    description: [description, ...needs].filter(Boolean).join(' '),
    response: { ...errors(404), ...response, 403: errors(403)[403] },
  }
}

type Schema = {
  title?: string
  type?: string
  examples?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
type Content = Record<string, { schema?: Schema; example?: unknown }>
type Body = { description?: string; required?: boolean; content?: Content; headers?: object }
type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  description?: string
  security?: object[]
  parameters?: { name?: string; required?: boolean; schema?: Schema }[]
  requestBody?: Body
  responses: Record<string, Body>
}
type Paths = Record<string, Record<string, Operation>>
type Components = { schemas: Record<string, unknown>; responses: Record<string, unknown>; headers: typeof headers }
type Document = { paths?: Paths; components?: object; webhooks?: object }

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })
const number = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example })

/** The headers of responses beside those of HTTP itself. */
const headers = {
  'X-Request-Id': text(
    'That of the request, or a new one; name it when you ask for help',
    '01939b1e-aaaa-7000-8000-000000000001',
  ),
  'RateLimit-Policy': text(
    'The limit that counted: q requests in w seconds (draft-ietf-httpapi-ratelimit-headers)',
    '"user";q=600;w=60',
  ),
  RateLimit: text('What is left of it: r requests, for t seconds', '"user";r=599;t=60'),
  'X-RateLimit-Limit': number('The same q', 600),
  'X-RateLimit-Remaining': number('The same r', 599),
  'X-RateLimit-Reset': number('The same t, in seconds', 60),
  'Retry-After': number('Seconds after which the request may succeed', 2),
  'Idempotent-Replayed': text('true: the response is that of an earlier request with this Idempotency-Key', 'true'),
}
type HeaderName = keyof typeof headers
const LIMITED: HeaderName[] = [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

/** The headers that a response has beside those of every response: errors are shared, so that these stand there once. */
function headersOf(status: string, { parameters }: Operation): { headers?: object } {
  const isReplayable = parameters?.some(({ name }) => name?.toLowerCase() === 'idempotency-key')
  const names: HeaderName[] = [
    ...(status === '429' ? LIMITED : []),
    ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
    ...(status === '200' && isReplayable ? (['Idempotent-Replayed'] as const) : []),
  ]
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}

/** Adds the operations that better-auth serves, and the examples; makes components of schemas with a title and of error responses. */
function complete(document: Document): Document {
  const components: Components = { schemas: {}, responses: {}, headers }
  const paths = { ...document.paths, ...authPaths() }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    operation.security ??= []
    operation.description ??= `${operation.summary}.`
    addExamples(operation)
    makeDefaultsOptional(operation)
    operation.requestBody &&= named(operation.requestBody, components)
    for (const parameter of operation.parameters ?? []) delete parameter.schema?.title
    for (const [status, response] of Object.entries(operation.responses)) {
      const described = named({ ...withoutExamples(response), ...headersOf(status, operation) }, components)
      operation.responses[status] = status === '200' ? described : sharedError(described, components)
    }
  }
  const webhooks = named(webhookItems(), components)
  return { ...document, paths, webhooks, components: { ...document.components, ...components } }
}

/** Puts the example of each body of an operation beside its schema. */
function addExamples({ requestBody, responses }: Operation): void {
  const bodies = [requestBody, responses['200']].flatMap((body) => Object.values(body?.content ?? {}))
  for (const media of bodies) {
    const example = media.example ?? exampleOf(media.schema)
    if (example !== undefined) media.example = example
  }
}

/** The example of a schema; one that has none gets it from its parts. */
function exampleOf({ examples: own, properties, items, anyOf }: Schema = {}): unknown {
  if (own) return own[0]
  if (anyOf) return anyOf.map(exampleOf).find((example) => example !== undefined)
  if (items) return exampleOf(items) === undefined ? undefined : [exampleOf(items)]
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field)] as const)
  const known = fields.filter(([, example]) => example !== undefined)
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** The schemas of a response without their examples, of which that of the whole response is made. */
const withoutExamples = <T>(response: T): T =>
  JSON.parse(JSON.stringify(response, (key, value) => (key === 'examples' ? undefined : value)))

/** A field with a default is required in the handler's type, because Ajv fills it in; a client may omit it, and a body that may be null. */
function makeDefaultsOptional({ parameters, requestBody }: Operation): void {
  for (const parameter of parameters ?? []) {
    if (parameter.schema && 'default' in parameter.schema) parameter.required = false
  }
  const schema = requestBody?.content?.['application/json']?.schema
  if (requestBody && schema?.anyOf?.some(({ type }) => type === 'null')) requestBody.required = false
  if (!schema?.required) return
  schema.required = schema.required.filter((name) => !('default' in (schema.properties?.[name] ?? {})))
  if (schema.required.length === 0) delete schema.required
}

/** Moves the schemas that have a title to the components, and refers to them there. */
function named<T>(node: T, components: Components): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((each) => named(each, components)) as T
  const { title, ...untitled } = node as T & Schema
  const entries = Object.entries(typeof title === 'string' ? untitled : node)
  const made = Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'example' ? value : named(value, components)]),
  )
  return (typeof title === 'string' ? component('schemas', title, made, components) : made) as T
}

/** Each status has one description and one body, of this service or of better-auth. */
function sharedError(response: Body, components: Components): Body {
  const isOfAuth = JSON.stringify(response.content).includes('/AuthError"')
  const name = `${isOfAuth ? 'Auth' : ''}${response.description?.replaceAll(' ', '')}`
  return component('responses', name, response, components)
}

/** @throws when another component has the name */
function component(kind: 'schemas' | 'responses', name: string, value: object, components: Components): object {
  components[kind][name] ??= value
  assert.deepEqual(value, components[kind][name], `two ${kind} of openapi.json have the name ${name}`)
  return { $ref: `#/components/${kind}/${name}` }
}

/** The path items of `/api/auth`. */
const authPaths = (): Paths =>
  Object.fromEntries(authOperations.map((operation) => [operation.path, { [operation.method]: described(operation) }]))

function described(operation: AuthOperation): Operation {
  const { operationId, summary, description, session, body, query, response, errorStatuses, example } = operation
  const { examples = [], ...bodySchema } = (body ?? {}) as Schema
  const json = (schema: object, value?: unknown) => ({
    content: { 'application/json': { schema, ...(value === undefined ? {} : { example: value }) } },
  })
  // 413, 429, 500 and 503 come from this service and have its envelope; the other errors have better-auth's shape.
  // 403: the request has X-Team, and these are about the user alone.
  const authErrors = [...new Set([...errorStatuses, 403, ...(session === 'none' ? [] : [401])])].sort()
  const failures = [
    ...authErrors.map((status) => [status, AuthErrorBody] as const),
    ...[...(operation.method === 'post' ? [413] : []), 429, 500, 503].map((status) => [status, ErrorBody] as const),
  ]
  return {
    operationId,
    summary,
    tags: ['auth'],
    ...(description ? { description } : {}),
    ...(session === 'none' ? {} : { security: [{ session: [] }, { bearer: [] }] }),
    ...(query
      ? { parameters: Object.entries(query).map(([key, schema]) => ({ in: 'query', name: key, schema })) }
      : {}),
    ...(body ? { requestBody: { required: true, ...json(bodySchema, examples[0]) } } : {}),
    responses: {
      200: { description: 'Success', ...json(response, example) },
      ...Object.fromEntries(
        failures.map(([status, schema]) => [status, { description: statusName(status), ...json(schema) }]),
      ),
    },
  }
}
