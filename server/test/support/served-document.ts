/** The openapi.json that a service serves, with its operations and the validation by its schemas. */
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Kinora } from './harness.ts'

type Content = { content?: Record<string, { schema?: object; example?: unknown }> }
type Operation = {
  operationId?: string
  summary?: string
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
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

export async function servedDocument(kinora: Kinora) {
  const served = JSON.parse((await kinora.call('GET', '/openapi.json')).text) as Document
  const operations = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      id: operation.operationId ?? '',
    })),
  )

  /** The schemas of openapi.json, closed to additional properties, so that an undescribed field fails. */
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema({ ...closed(served), $id: 'api' })

  function assertValid(value: unknown, where: string[], title: string): void {
    const validate = ajv.getSchema(pointer(...where))
    assert.ok(validate, `${title}: nothing is described at ${where.join(' ')}`)
    assert.ok(validate(value), `${title}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
  }

  return { served, operations, ajv, assertValid }
}

/** Where a body is in the document. */
export const bodyAt = (path: string, method: string, ...rest: string[]) => [
  ...['paths', path, method],
  ...rest,
  ...['content', 'application/json', 'schema'],
]

export const pointer = (...parts: string[]) =>
  `api#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`

function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, each]) => [key, key === 'example' ? each : closed(each)])
  const copy = Object.fromEntries(entries)
  if (copy.type === 'object' && copy.properties) copy.additionalProperties ??= false
  return copy
}
