/**
 * JSON Schema as far as the request schemas of models use it: whether a value is accepted, and what a request's other values leave of
 * a field. A validator library is four times the size of the form.
 */
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

/**
 * A part of a schema that applies to a field. `why`: the description of the condition under which it does, null without one.
 * `isRequired`: it says that the field must be there, and no more.
 */
export type Applied = { schema: Schema; why: string | null; isRequired?: true }

/**
 * The parts of a request's schema that apply to the field at a path, by the request's other values. "If this, then that" is written as
 * `anyOf: [{ not: this }, that]`; of other alternatives it is not known which one applies, so they are left to `accepts`.
 */
export function appliedTo(
  schema: Schema,
  path: readonly string[],
  request: unknown,
  why: string | null = null,
): Applied[] {
  if (typeof schema === 'boolean') return []
  const [name = '', ...rest] = path
  const property = schema.properties?.[name]
  const isRequired = rest.length === 0 && schema.required?.includes(name)
  return [
    ...(property === undefined
      ? []
      : rest.length > 0
        ? appliedTo(property, rest, {}, why)
        : [{ schema: property, why }]),
    ...(isRequired ? [{ schema: true, why, isRequired }] : []),
    ...(schema.allOf ?? []).flatMap((part) => appliedTo(part, path, request, why)),
    ...appliedTo(consequence(schema, request), path, request, schema.description ?? why),
  ]
}

function consequence({ anyOf = [] }: Keywords, request: unknown): Schema {
  const [first, then, ...others] = anyOf
  if (typeof first !== 'object' || first.not === undefined || then === undefined || others.length > 0) return true
  return accepts(first.not, request) ? then : true
}
