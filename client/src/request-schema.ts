/**
 * JSON Schema as far as the request schemas of models use it: whether a request is accepted, and with which values
 * that it leaves out. A validator library is four times the size of the studio's form.
 */
import type { Schemas } from './calls.ts'
import type { GenerateBody, InputsBody } from './generate-and-wait.ts'

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
  contains?: Schema
  minContains?: number
  maxContains?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  allOf?: Schema[]
  anyOf?: Schema[]
  not?: Schema
  /** What goes into a film of the mode that the part is about. */
  'x-inputs'?: { role: string; from: number; to: number; kinds: string[]; most?: { [kind: string]: number } }[]
}
export type Scalar = string | number | boolean

/** A body of generate without what its model can say. */
export type OpenBody = Omit<InputsBody, 'inputs' | 'duration'> & Partial<Pick<InputsBody, 'inputs' | 'duration'>>

/** The aspect ratio of a request that names none, where its model has it. */
const PREFERRED_RATIO = '16:9'

/**
 * The request with what it leaves out and its model needs: the aspect ratio 16:9, else the model's first, and the
 * shortest duration, by its mode and its other values. What an input decides stays out.
 * @returns with the model's own values for a request that it refuses with any: `generate` says why
 */
export function withModelValues(model: Schemas['Model'], request: OpenBody): GenerateBody | InputsBody {
  const { minDuration, maxDuration, aspectRatios } = model
  const aspectRatio = aspectRatios.includes(PREFERRED_RATIO) ? PREFERRED_RATIO : aspectRatios[0]
  const needsRatio = request.aspectRatio === undefined && aspectRatio !== undefined
  const whole = { duration: minDuration, ...(needsRatio && { aspectRatio }), ...request }
  const durations = Array.from({ length: maxDuration - minDuration + 1 }, (_, i) => minDuration + i)
  for (const open of [request, whole]) {
    const { duration: _, ...rest } = open
    const bodies =
      request.duration === undefined ? [rest, ...durations.map((duration) => ({ ...rest, duration }))] : [open]
    const found = bodies.find((body) => accepts(model.schema as Schema, body))
    if (found) return found as GenerateBody
  }
  return whole as GenerateBody
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
  const { minimum = -Infinity, maximum = Infinity, maxLength = Infinity } = schema
  if (typeof value === 'number') return value >= minimum && value <= maximum
  if (typeof value === 'string')
    return [...value].length <= maxLength && (schema.pattern === undefined || new RegExp(schema.pattern).test(value))
  if (Array.isArray(value)) return acceptsItems(schema, value)
  if (!isObject(value)) return true
  const { properties = {}, additionalProperties = true } = schema
  return (
    (schema.required ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => accepts(properties[name] ?? additionalProperties, each))
  )
}

function acceptsItems(schema: Keywords, list: unknown[]): boolean {
  const { minItems = 0, maxItems = Infinity, items = true, contains, minContains = 1, maxContains = Infinity } = schema
  const found = contains === undefined ? minContains : list.filter((each) => accepts(contains, each)).length
  return (
    list.length >= minItems &&
    list.length <= maxItems &&
    list.every((each) => accepts(items, each)) &&
    found >= minContains &&
    found <= maxContains
  )
}
