/**
 * JSON Schema as far as the request schemas of models use it: whether a request is accepted, and the shortest film that
 * is. A validator library is four times the size of the studio's form.
 */
import type { Schemas } from './calls.ts'
import type { GenerateBody } from './generate-and-wait.ts'

export type Schema = boolean | Keywords
type Keywords = {
  title?: string
  description?: string
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  default?: Scalar
  const?: unknown
  enum?: Scalar[]
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  format?: string
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  allOf?: Schema[]
  anyOf?: Schema[]
  not?: Schema
}
export type Scalar = string | number | boolean

/**
 * The duration of a request that names none: the shortest with which its model makes it, by its mode and its other
 * values.
 * @returns the model's shortest duration for a request that the model refuses with any: `generate` says why
 */
export function shortestDuration(model: Schemas['Model'], request: Omit<GenerateBody, 'duration'>): number {
  const { minDuration, maxDuration } = model
  for (let duration = minDuration; duration <= maxDuration; duration++) {
    if (accepts(model.schema as Schema, { ...request, duration })) return duration
  }
  return minDuration
}

/** Whether a schema accepts a value; `format` is not checked. */
export function accepts(schema: Schema, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  return (
    (schema.type === undefined || isOfType[schema.type](value)) &&
    (schema.const === undefined || value === schema.const) &&
    (schema.enum === undefined || schema.enum.includes(value as Scalar)) &&
    (schema.allOf ?? []).every((part) => accepts(part, value)) &&
    (schema.anyOf === undefined || schema.anyOf.some((part) => accepts(part, value))) &&
    (schema.not === undefined || !accepts(schema.not, value)) &&
    acceptsContent(schema, value)
  )
}

const isOfType: Record<NonNullable<Keywords['type']>, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The keywords that are about one type say nothing of a value of another. */
function acceptsContent(schema: Keywords, value: unknown): boolean {
  const { minimum = -Infinity, maximum = Infinity, maxLength = Infinity, minItems = 0, maxItems = Infinity } = schema
  if (typeof value === 'number') return value >= minimum && value <= maximum
  if (typeof value === 'string')
    return [...value].length <= maxLength && (schema.pattern === undefined || new RegExp(schema.pattern).test(value))
  if (Array.isArray(value))
    return (
      value.length >= minItems && value.length <= maxItems && value.every((each) => accepts(schema.items ?? true, each))
    )
  if (!isObject(value)) return true
  const { properties = {}, additionalProperties = true } = schema
  return (
    (schema.required ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => accepts(properties[name] ?? additionalProperties, each))
  )
}
