/**
 * The mistakes of a file, by its JSON Schema, in sentences that say what to write. A validator's own errors name every
 * branch of a union that a value does not match; here the branch that was meant is chosen by the JSON type of the value
 * and by `const` fields.
 */
import type { JSONPath } from 'jsonc-parser'

export type Problem = { path: JSONPath; text: string }

/** The keywords that the schemas of the catalogue use. */
type Schema = {
  type?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: unknown
  required?: string[]
  minProperties?: number
  items?: Schema
  minItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
}

export function schemaProblems(keywords: object, value: unknown, path: JSONPath = []): Problem[] {
  const schema = keywords as Schema
  if (isValid(schema, value)) return []
  const { anyOf, type, items } = schema
  if (anyOf) {
    const meant = meantBranch(anyOf, value)
    return meant ? schemaProblems(meant, value, path) : [{ path, text: `must be ${words(schema)}` }]
  }
  if (type === 'object' && kindOf(value) === 'object') return objectProblems(schema, value as object, path)
  if (type === 'array' && Array.isArray(value) && items) {
    if (value.length === 0) return [{ path, text: `must not be empty; write ${words(items)}` }]
    return value.flatMap((each, i) => schemaProblems(items, each, [...path, i]))
  }
  return [{ path, text: `must be ${words(schema)}` }]
}

/**
 * Whether a value has a schema of the keywords above. Without a validator of all of JSON Schema: TypeBox's takes ten
 * times the CPU time, which every start pays for every file.
 */
function isValid(schema: Schema, value: unknown): boolean {
  const { type, anyOf, enum: values, const: constant } = schema
  if (constant !== undefined) return value === constant
  if (values) return values.includes(value)
  if (anyOf) return anyOf.some((each) => isValid(each, value))
  if (type !== undefined && kindOf(value) !== (type === 'integer' ? 'number' : type)) return false
  if (typeof value === 'number') return isNumber(schema, value)
  if (typeof value === 'string') return isText(schema, value)
  if (Array.isArray(value)) {
    const { items, minItems = 0 } = schema
    return value.length >= minItems && (!items || value.every((each) => isValid(items, each)))
  }
  return value === null || typeof value !== 'object' || isObject(schema, value)
}

const isNumber = ({ type, minimum, maximum, exclusiveMinimum }: Schema, value: number): boolean =>
  (type !== 'integer' || Number.isInteger(value)) &&
  value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
  value <= (maximum ?? Number.POSITIVE_INFINITY) &&
  value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY)

function isText({ pattern, format, minLength = 0, maxLength }: Schema, value: string): boolean {
  const length = maxLength === undefined && minLength < 2 ? value.length : [...value].length
  if (length < minLength || length > (maxLength ?? length)) return false
  if (format === 'date' && !isDate(value)) return false
  return pattern === undefined || regExpOf(pattern).test(value)
}

const isDate = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.slice(0, 10) === value

function isObject(schema: Schema, value: object): boolean {
  const names = Object.keys(value)
  const { required = [], minProperties = 0 } = schema
  if (names.length < minProperties || !required.every((name) => Object.hasOwn(value, name))) return false
  return Object.entries(value).every(([name, each]) => {
    const known = schemaOf(schema, name)
    return known ? isValid(known, each) : schema.additionalProperties !== false
  })
}

/** The schema of a member; undefined: the schema does not name it. */
function schemaOf({ properties = {}, patternProperties = {} }: Schema, name: string): Schema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  return Object.entries(patternProperties).find(([pattern]) => regExpOf(pattern).test(name))?.[1]
}

const regExps = new Map<string, RegExp>()
function regExpOf(pattern: string): RegExp {
  const known = regExps.get(pattern) ?? new RegExp(pattern)
  regExps.set(pattern, known)
  return known
}

function objectProblems(schema: Schema, value: object, path: JSONPath): Problem[] {
  const { properties = {}, required = [], minProperties = 0 } = schema
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  const problems: Problem[] = missing.map((name) => ({
    path,
    text: `${name} is missing; it must be ${words(properties[name] ?? {})}`,
  }))
  if (Object.keys(value).length < minProperties) problems.push({ path, text: 'must not be empty' })
  for (const [name, each] of Object.entries(value)) {
    const known = schemaOf(schema, name)
    if (known) problems.push(...schemaProblems(known, each, [...path, name]))
    else if (schema.additionalProperties === false) problems.push({ path: [...path, name], text: unknownName(schema) })
  }
  return problems
}

function unknownName({ properties = {}, patternProperties = {} }: Schema): string {
  const names = Object.keys(properties)
  const patterns = Object.keys(patternProperties)
  if (names.length === 0 && patterns.length > 0)
    return `is no name here; write one that matches ${patterns.join(' or ')}`
  return `is no field here; write one of ${names.join(', ')}, or leave it out`
}

/** The only branch for a value: by its JSON type, by `const` fields, or by having most of the value's fields. */
function meantBranch(branches: Schema[], value: unknown): Schema | null {
  const ofType = branches.filter((branch) => hasType(branch, value))
  const marked = ofType.filter((branch) => hasMarks(branch, value))
  const candidates = marked.length > 0 ? marked : ofType
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const fits = candidates.map(({ properties = {} }) => fields.filter((name) => Object.hasOwn(properties, name)).length)
  const best = Math.max(...fits)
  const [found, ...others] = candidates.filter((_, i) => fits[i] === best)
  return found && others.length === 0 ? found : null
}

function hasType(branch: Schema, value: unknown): boolean {
  if (branch.anyOf) return branch.anyOf.some((each) => hasType(each, value))
  const { type } = branch
  if (branch.const !== undefined || branch.enum) return isValid(branch, value)
  return type === undefined || kindOf(value) === (type === 'integer' ? 'number' : type)
}

/** Whether a value has the `const` fields of a branch. */
function hasMarks({ properties = {} }: Schema, value: unknown): boolean {
  const fields = (value ?? {}) as Record<string, unknown>
  const marks = Object.entries(properties).filter(([, each]) => each.const !== undefined)
  return marks.every(([name, each]) => Object.hasOwn(fields, name) && isValid(each, fields[name]))
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** "one of a, b or c", "a whole number of at least 1", "a list of …". */
function words(schema: Schema): string {
  const { type, anyOf, minimum, maximum, exclusiveMinimum, description } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}`
  if (anyOf) return [...new Set(anyOf.map(words))].join(', or ')
  if (type === 'integer' || type === 'number') {
    const bounds = [
      ...(minimum === undefined ? [] : [`at least ${minimum}`]),
      ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
      ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ]
    return `a ${type === 'integer' ? 'whole number' : 'number'}${bounds.length > 0 ? ` of ${bounds.join(' and ')}` : ''}`
  }
  if (type === 'string') return textWords(schema)
  if (type === 'array') return `a list of ${schema.items ? words(schema.items) : 'values'}`
  if (type === 'object') {
    const names = Object.keys(schema.properties ?? {}).filter((name) => schema.required?.includes(name))
    const marked = names.map((name) => {
      const mark = schema.properties?.[name]?.const
      return mark === undefined ? name : `${name} ${JSON.stringify(mark)}`
    })
    return marked.length > 0 ? `an object with ${marked.join(', ')}` : 'an object'
  }
  return type === 'boolean' ? 'true or false' : (type ?? description ?? 'a value')
}

function textWords({ pattern, format, minLength = 0, maxLength, description }: Schema): string {
  if (format === 'date') return 'a date such as "2026-11-20"'
  const bound =
    maxLength === undefined ? (minLength > 0 ? ' that is not empty' : '') : ` of at most ${maxLength} characters`
  return `a text${pattern === undefined ? bound : ` that matches ${pattern}`}${description ? ` (${description})` : ''}`
}
