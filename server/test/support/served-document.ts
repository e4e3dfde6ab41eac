/** The openapi.json that a service serves, with its operations and the validation by its schemas. */
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
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

/** openapi.json without references: each component stands where it is used. Its schemas are closed, so that an undescribed field fails. */
export function readOpenApi<T = Document>(text: string): T {
  const document = JSON.parse(text)
  const closed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closed)
    if (value === null || typeof value !== 'object') return value
    if ('$ref' in value) return closed(componentAt(document, String(value.$ref)))
    const entries = Object.entries(value).map(([key, each]) => [key, key === 'example' ? each : closed(each)])
    const copy = Object.fromEntries(entries)
    if (copy.type === 'object' && copy.properties) copy.additionalProperties ??= false
    return copy
  }
  return closed(document) as T
}

/** @param reference #/components/kind/name */
function componentAt(document: { components: Record<string, Record<string, unknown>> }, reference: string): unknown {
  const [, , kind = '', name = ''] = reference.split('/')
  const component = document.components[kind]?.[name]
  assert.ok(component, reference)
  return component
}

export async function servedDocument(kinora: Kinora) {
  const { text } = await kinora.call('GET', '/openapi.json')
  const served = JSON.parse(text) as Document
  const document = readOpenApi(text)
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

  return { served, operations, ajv, assertValid, assertEvent }
}

/** Where a body is in the document. */
export const bodyAt = (path: string, method: string, ...rest: string[]) => [
  ...['paths', path, method],
  ...rest,
  ...['content', 'application/json', 'schema'],
]

export const pointer = (...parts: string[]) =>
  `api#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
