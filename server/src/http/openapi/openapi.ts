/**
 * The two OpenAPI documents, generated from the routes' own schemas, so that they cannot differ from them:
 * `/openapi.json`, what people build on, and `/openapi-operator.json`, what administrators may do. A test keeps the
 * copies in the repository current.
 *
 * A schema with a `title` becomes the component of that name. Its `examples` (one element) are shown with each body
 * that contains it; a response without one is composed of those of its parts. The compiled validators and serializers
 * have the schemas inline.
 */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { type TObject, Type } from 'typebox'
import manifest from '../../../package.json' with { type: 'json' }
import { roleNeeded } from '../../account/key/scope.ts'
import type { App } from '../../app.ts'
import { lazy } from '../../async/lazy.ts'
import { newAsset, sendAsset } from '../asset.ts'
import { CREDENTIALS } from '../request/request.ts'
import { describedSchema } from '../request/request-body.ts'
import { authOperations } from '../sign-in/auth-operations.ts'
import { type AuthOperation, SignInError } from '../sign-in/auth-schemas.ts'
import { type ErrorResponse, errorSchema, refusalOf, serverError } from './operation-errors.ts'
import { AnyEvent, webhookHeaders, webhookItems } from './webhooks.ts'

/** The key of an operation under which its 4XX response comes through the plugin. */
const REFUSAL = 'x-refusal'
/** The key of the field that tells the branches of a union apart: the document has them as `oneOf`. */
const DISCRIMINATOR = 'x-discriminator'
/** The key of the schema whose fields an object has too: the document composes the object of that one and the rest. */
const BASE = 'x-base'
/** Tags of the operator's document: what people build on has an API key, which may call none of these operations. */
const OPERATOR_TAGS = ['auth', 'admin', 'desk']
export const isOfOperator = (tag: string): boolean => OPERATOR_TAGS.includes(tag)
const tags = {
  asset: 'Pictures, films and sounds that you keep to make films from',
  video: 'Films: quote, generate, follow, read, cancel, delete, share; start images',
  project: 'Films of several shots: the storyboard, the takes of each shot',
  credit: 'The balance, its history and its packages',
  billing: 'Plans, checkouts and subscriptions',
  config: 'What is offered: models, plans, ways to sign in',
  webhook: 'Endpoints that get events, their deliveries, and the events',
  team: 'Teams: several people, one balance',
  account: 'The account itself: its API key, notices, export and deletion',
  auth: 'Sign up, sign in, sessions, factors, API keys',
  admin: 'What administrators may do: users, teams, films, credits, payments, models, reports',
  desk: 'What administrators do for customers and the service: search, help, takedowns, incidents, mails, configuration',
  providers: 'What providers and payment processors call',
  provenance: 'Whether a film was made here, for everyone',
}

/** @returns reads the documents, once all routes are registered; they are composed once, in place */
export async function registerOpenApi(
  server: FastifyInstance,
  { config }: Pick<App, 'config'>,
): Promise<() => Promise<OpenApiDocuments>> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: config.site.name,
        version: manifest.version,
        description:
          'Asynchronous AI video generation, paid for with credits. Every response has the envelope `{ success, data }`; ' +
          'an error adds `error` with a code for programs and a sentence for people. ' +
          'Under /api/auth a success has no envelope, and an error has its code and message at the top too, for the client of better-auth. Every response has the header ' +
          'X-Request-Id, and one of a request that counts towards a limit has RateLimit and RateLimit-Policy. The header X-Team with the id of ' +
          'a team makes the request of a member the team’s: its films, its balance.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service' },
      },
      servers: [{ url: config.publicUrl }],
      security: CREDENTIALS,
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
    transform: ({ schema, url, route }) => ({
      schema: {
        ...describedSchema(withScope(schema, route), route.method),
        [REFUSAL]: refusalOf({ ...route, schema }),
      },
      url,
    }),
  })
  const documents = lazy(async () => openApiDocuments(server))
  for (const name of ['openapi', 'openapi-operator'] as const) {
    // Serialized once: it took 12 ms for each request, and a request needs no credential.
    const asset = lazy(async () => newAsset(Buffer.from(JSON.stringify((await documents())[name]))))
    server.get(`/${name}.json`, { schema: { hide: true } }, async (request, reply) =>
      sendAsset(request, reply.type('application/json; charset=utf-8'), await asset()),
    )
  }
  return documents
}

export type OpenApiDocuments = Record<'openapi' | 'openapi-operator', object>

/** The documents by the names of their files, once all routes are registered. */
export function openApiDocuments(server: FastifyInstance): OpenApiDocuments {
  const { webhooks = {}, ...document } = complete(server.swagger() as unknown as Document)
  return {
    openapi: part(document, (tag) => !isOfOperator(tag), { webhooks }),
    'openapi-operator': part(document, isOfOperator),
  }
}

const Team = Type.Optional(
  Type.String({
    title: 'Team',
    format: 'uuid',
    description: 'The id of a team of which you are a member: the request is for the team. Needless with its API key',
  }),
)

/** Adds the scope that an API key needs, the role of a member, and the header that names the team. */
function withScope<S extends object>(schema: S, { config }: { config?: FastifyContextConfig }): S {
  const { access, scope = 'account', team = roleNeeded(scope) } = config ?? {}
  if ((access !== 'user' && access !== 'admin') || !('security' in schema)) return schema
  const { description, headers } = schema as { description?: string; headers?: TObject }
  const role = access === 'admin' ? 'none' : team
  const needs = [
    scope === 'any' ? '' : `An API key needs the scope \`${scope}\`.`,
    role === 'none' ? '' : `For a team (X-Team) it needs the role \`${role}\`.`,
  ]
  return {
    ...schema,
    ...(role !== 'none' && { headers: Type.Object({ ...headers?.properties, 'X-Team': Team }) }),
    'x-team-role': role,
    description: [description, ...needs].filter(Boolean).join(' '),
  }
}

type Schema = {
  title?: string
  type?: string
  const?: unknown
  examples?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  [BASE]?: Schema
  [DISCRIMINATOR]?: string
}
type Parameter = { name?: string; required?: boolean; schema?: Schema }
type Content = Record<string, { schema?: Schema; example?: unknown }>
type Body = { description?: string; required?: boolean; content?: Content; headers?: object }
type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  description?: string
  security?: object[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
  [REFUSAL]?: ErrorResponse
}
type Paths = Record<string, Record<string, Operation>>
type Components = Record<'schemas' | 'responses' | 'headers' | 'parameters', Record<string, unknown>>
type Document = {
  paths?: Paths
  tags?: { name: string }[]
  components?: { schemas?: object; responses?: object; headers?: object }
  webhooks?: object
}

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

const headerReferences = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Errors are shared, so that these stand there once. */
const errorHeaders = headerReferences([
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
])

/** Adds better-auth's operations and the examples; makes components of titled schemas and error responses. */
function complete(document: Document): Document {
  const parameters = Object.entries(webhookHeaders).map(([name, header]) => [name, { name, ...header }])
  const components: Components = { schemas: {}, responses: {}, headers, parameters: Object.fromEntries(parameters) }
  const paths = { ...document.paths, ...authPaths() }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    operation.security ??= []
    // Those of the document count where an operation has none of its own.
    if (isDeepStrictEqual(operation.security, CREDENTIALS)) delete operation.security
    operation.description ??= `${operation.summary}.`
    const { requestBody } = operation
    for (const media of Object.values(requestBody?.content ?? {})) media.example ??= exampleOf(media.schema)
    makeDefaultsOptional(operation)
    if (requestBody) operation.requestBody = named(requestBody, components)
    const isReplayable = operation.parameters?.some(({ name }) => name?.toLowerCase() === 'idempotency-key')
    const success = isReplayable ? { headers: headerReferences(['Idempotent-Replayed']) } : {}
    if (operation.parameters) operation.parameters = operation.parameters.map((each) => shared(each, components))
    const { [REFUSAL]: refusal } = operation
    delete operation[REFUSAL]
    operation.responses = {
      200: named({ ...operation.responses['200'], ...success }, components),
      '4XX': refusal ? sharedError(refusal, components) : authRefusal(components),
      '5XX': refusal ? sharedError(serverError, components) : authRefusal(components),
    }
  }
  const webhooks = named(webhookItems(), components)
  named(AnyEvent, components)
  return { ...document, paths, webhooks, components: { ...document.components, ...components } }
}

/** The example of a schema; one that has none gets it from its parts. */
export function exampleOf({ examples: own, const: only, properties, items, anyOf }: Schema = {}): unknown {
  if (own) return own[0]
  if (only !== undefined) return only
  if (anyOf) return anyOf.map(exampleOf).find((example) => example !== undefined)
  if (items) return exampleOf(items) === undefined ? undefined : [exampleOf(items)]
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field)] as const)
  const known = fields.filter(([, example]) => example !== undefined)
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** A field with a default is required in the handler's type: Ajv fills it in. A client may omit it, or null a body. */
function makeDefaultsOptional({ parameters, requestBody }: Operation): void {
  for (const parameter of parameters ?? []) {
    if (!parameter.required || (parameter.schema && 'default' in parameter.schema)) delete parameter.required
  }
  const schema = requestBody?.content?.['application/json']?.schema
  if (requestBody && schema?.anyOf?.some(({ type }) => type === 'null')) requestBody.required = false
  if (!schema?.required) return
  schema.required = schema.required.filter((name) => !('default' in (schema.properties?.[name] ?? {})))
  if (schema.required.length === 0) delete schema.required
}

/**
 * Moves the schemas that have a title to the components, and refers to them there. An example stands once, at the
 * outermost schema that has it: a reader composes that of a whole response of those of its parts.
 * @param isShown whether a schema around the node has an example of it
 */
function named<T>(node: T, components: Components, isShown = false): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((each) => named(each, components, isShown)) as T
  const { title, examples, [BASE]: base, ...fields } = discriminated(orNull(node as T & Schema))
  const isComponent = typeof title === 'string'
  const isExample = Array.isArray(examples)
  const isHidden = isExample && isShown && !isComponent
  const areShown = (isShown && !isComponent) || isExample || 'example' in fields
  const entries = Object.entries(base ? composed(base, fields as Schema) : fields).map(([key, value]) => [
    key,
    key === 'example' || key === 'const' ? value : named(value, components, areShown),
  ])
  const made = {
    ...(title === undefined || isComponent ? {} : { title: named(title, components, areShown) }),
    ...Object.fromEntries(entries),
    ...(examples === undefined || isHidden ? {} : { examples: isExample ? examples : named(examples, components) }),
  }
  return (isComponent ? component('schemas', title, made, components) : made) as T
}

/** Beside null a schema with one of these stays a schema: a component, or with a text of its own, or certain values. */
const OF_A_CHOICE = ['title', 'description', 'const', 'enum']

/** A type or null as two types, which is shorter. */
function orNull<S extends Schema>(schema: S): S {
  const { anyOf: [only = {}, other, ...others] = [], ...beside } = schema
  const { type, ...rest } = only
  const isNullable = typeof type === 'string' && other?.type === 'null' && others.length === 0
  if (!isNullable || OF_A_CHOICE.some((name) => name in rest)) return schema
  return { type: [type, 'null'], ...rest, ...beside } as S & { type: string[] }
}

/** A union that a field tells apart, each of whose branches is a component. */
function discriminated<S extends Schema>({ [DISCRIMINATOR]: propertyName, anyOf, ...schema }: S) {
  if (propertyName === undefined || !anyOf) return { ...schema, ...(anyOf && { anyOf }) }
  const values = anyOf.flatMap(({ title, properties = {} }) => {
    const { const: only, enum: several = [only] } = properties[propertyName] ?? {}
    return several.map((value) => [value, `#/components/schemas/${title}`])
  })
  return { ...schema, oneOf: anyOf, discriminator: { propertyName, mapping: Object.fromEntries(values) } }
}

/** An object as its base and the fields that only it has, or requires. A closed base closes the whole. */
function composed(
  base: Schema,
  { type: _, required = [], properties = {}, additionalProperties: _closed, ...rest }: Schema,
) {
  const needed = required.filter((name) => !base.required?.includes(name))
  const added = Object.entries(properties).filter(
    ([name, each]) => needed.includes(name) || !isDeepStrictEqual(each, base.properties?.[name]),
  )
  const own = { ...(needed.length > 0 ? { required: needed } : {}), properties: Object.fromEntries(added) }
  return { allOf: [base, own], ...rest }
}

/** A parameter whose schema has a title is a component of that name. */
function shared({ schema: { title, ...schema } = {}, ...parameter }: Parameter, components: Components): object {
  const whole = { ...parameter, schema }
  return title === undefined ? whole : component('parameters', title, whole, components)
}

/** An error of this service's operations. */
function sharedError(error: ErrorResponse, components: Components): object {
  const body = json(named(errorSchema(error), components))
  return component(
    'responses',
    error.name,
    { description: error.description, headers: errorHeaders, ...body },
    components,
  )
}

/** The errors of `/api/auth`. */
function authRefusal(components: Components): object {
  const schema = named(SignInError, components)
  const description = 'The code says what was wrong'
  return component('responses', 'AuthRefusal', { description, headers: errorHeaders, ...json(schema) }, components)
}

/** @throws when another component has the name */
function component(
  kind: 'schemas' | 'responses' | 'parameters',
  name: string,
  value: object,
  components: Components,
): object {
  components[kind][name] ??= value
  assert.deepEqual(value, components[kind][name], `two ${kind} of openapi.json have the name ${name}`)
  return { $ref: `#/components/${kind}/${name}` }
}

const ANY_EVENT = { $ref: `#/components/schemas/${AnyEvent.title}` }

/** The operations with a tag of the document, and the tags and components that they refer to. */
function part(document: Document, hasTag: (tag: string) => boolean, beside: { webhooks?: object } = {}): object {
  const ofTags = ({ tags: [tag = ''] = [] }: Operation) => hasTag(tag)
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).flatMap(([path, operations]) => {
      const kept = Object.entries(operations).filter(([, operation]) => ofTags(operation))
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : []
    }),
  )
  return {
    ...document,
    tags: document.tags?.filter(({ name }) => hasTag(name)),
    // The body of any event stands in no operation.
    components: referredTo(
      { ...beside, paths, ...(beside.webhooks && { AnyEvent: ANY_EVENT }) },
      document.components ?? {},
    ),
    paths,
    ...beside,
  }
}

/** The components that a part of a document refers to, also by other components. */
function referredTo(node: object, components: object): object {
  const found = new Set<string>()
  const visit = (each: object): void => {
    for (const [, reference = ''] of JSON.stringify(each).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (found.has(reference)) continue
      found.add(reference)
      const [kind = '', name = ''] = reference.split('/')
      visit((components as Record<string, Record<string, object>>)[kind]?.[name] ?? {})
    }
  }
  visit(node)
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      kind === 'securitySchemes'
        ? all
        : Object.fromEntries(Object.entries(all as object).filter(([name]) => found.has(`${kind}/${name}`))),
    ]),
  )
}

const json = (schema: object, value?: unknown) => ({
  content: { 'application/json': { schema, ...(value === undefined ? {} : { example: value }) } },
})

/** The path items of `/api/auth`. */
const authPaths = (): Paths =>
  Object.fromEntries(authOperations.map((operation) => [operation.path, { [operation.method]: described(operation) }]))

function described(operation: AuthOperation): Operation {
  const { operationId, path, summary, description, session, body, query, response, example } = operation
  const { examples = [], ...bodySchema } = (body ?? {}) as Schema
  return {
    operationId,
    summary,
    tags: [path.startsWith('/api/auth/admin/') ? 'admin' : 'auth'],
    ...(description ? { description } : {}),
    ...(session === 'none' ? {} : { security: [{ session: [] }, { bearer: [] }] }),
    ...(query
      ? { parameters: Object.entries(query).map(([key, schema]) => ({ in: 'query', name: key, schema })) }
      : {}),
    ...(body ? { requestBody: { required: true, ...json(bodySchema, examples[0]) } } : {}),
    responses: { 200: { description: 'Success', ...json(response, example) } },
  }
}
