/** The documents that a service serves, with their operations and the validation by their schemas. */
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Kinora } from './harness.ts'

type Content = { content?: Record<string, { schema?: object; example?: unknown }> }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: { in: string; name: string; required?: boolean; schema?: object }[]
  requestBody?: Content
  responses: Record<string, Content & { description?: string }>
}
type Document = {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string }[]
  security: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

/**
 * openapi.json without references: components stand where used, and what is composed is one object. Closed schemas
 * fail an unknown field.
 */
export function readOpenApi<T = Document>(text: string): T {
  const document = JSON.parse(text)
  const closed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closed)
    if (value === null || typeof value !== 'object') return value
    if ('$ref' in value) return closed(componentAt(document, String(value.$ref)))
    const entries = Object.entries(value).map(([key, each]) => [key, isExample(key, each) ? each : closed(each)])
    const { allOf = [], ...own } = Object.fromEntries(entries)
    const copy: Record<string, unknown> = [...allOf, own].reduce(merged)
    if ([copy.type].flat().includes('object') && copy.properties) copy.additionalProperties ??= false
    return copy
  }
  return closed(document) as T
}

/** Two parts of a composed schema as one: what the second says counts. */
function merged(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const both = { ...first, ...second }
  for (const [name, value] of Object.entries(first)) {
    const other = second[name]
    if (name === 'required' && Array.isArray(value) && Array.isArray(other)) both[name] = [...value, ...other]
    else if (isObject(value) && isObject(other)) both[name] = merged(value, other)
  }
  return both
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isExample = (key: string, value: unknown): boolean =>
  key === 'example' || (key === 'examples' && Array.isArray(value))

/** @param reference #/components/kind/name */
function componentAt(document: { components: Record<string, Record<string, unknown>> }, reference: string): unknown {
  const [, , kind = '', name = ''] = reference.split('/')
  const component = document.components[kind]?.[name]
  assert.ok(component, reference)
  return component
}

const DOCUMENTS = ['/openapi.json', '/openapi-operator.json']

/** Both documents of a service as one, which has all operations, each with its security. */
export async function readDocuments<T = Document>(kinora: Pick<Kinora, 'url'>): Promise<T> {
  const documents: Document[] = await Promise.all(
    DOCUMENTS.map(async (path) => (await fetch(kinora.url + path)).json() as Promise<Document>),
  )
  const [first, ...others] = documents
  assert.ok(first)
  const components = { ...first.components } as Record<string, object>
  for (const [kind, ofKind] of others.flatMap((each) => Object.entries(each.components)))
    components[kind] = { ...ofKind, ...components[kind] }
  const paths: Document['paths'] = Object.assign({}, ...documents.map(({ paths }) => paths))
  for (const operation of Object.values(paths).flatMap((each) => Object.values(each)))
    operation.security ??= first.security
  return {
    ...first,
    tags: documents.flatMap(({ tags }) => tags),
    paths,
    components,
  } as T
}

export async function servedDocument(kinora: Kinora) {
  const served = await readDocuments(kinora)
  const document = readOpenApi(JSON.stringify(served))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      id: operation.operationId ?? '',
    })),
  )

  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema({ ...document, $id: 'api' })

  function assertValid(value: unknown, where: string[], title: string): void {
    const validate = ajv.getSchema(pointer(...where))
    assert.ok(validate, `${title}: nothing is described at ${where.join(' ')}`)
    assert.ok(validate(value), `${title}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
  }

  /** Checks the body of a webhook. */
  function assertEvent(body: string): void {
    const event = JSON.parse(body)
    const where = ['webhooks', event.type, 'post', 'requestBody', 'content', 'application/json', 'schema']
    assertValid(event, where, event.type)
  }

  return { served, operations, webhooks: document.webhooks, ajv, assertValid, assertEvent }
}

/** The response of a status: errors are described by the hundred. */
export const responseKey = (status: number): string => (status < 400 ? String(status) : `${Math.floor(status / 100)}XX`)

/** Where a body is in the document. */
export const bodyAt = (path: string, method: string, ...rest: string[]) => [
  ...['paths', path, method],
  ...rest,
  ...['content', 'application/json', 'schema'],
]

export const pointer = (...parts: string[]) =>
  `api#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
