/**
 * null in a body: in a POST a field with null is absent, as many clients send what they have no value for. A schema
 * that has null itself gives it a meaning of its own, such as "out of the folder", and keeps it. In a change (PATCH,
 * PUT) what is left out stays, so there null is what the schema says, and nothing else.
 */

type Schema = {
  title?: string
  type?: string | string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  else?: Schema
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  'x-base'?: Schema
  /** Of a body in several types. */
  content?: Record<string, { schema: Schema }>
}

/** Removes the named fields with null whose schemas do not allow it, in place, as deep as the schema goes. */
export function dropNulls(schema: Schema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of partsOf(schema)) dropNulls(part, value)
  if (Array.isArray(value)) {
    const { items } = schema
    if (items) for (const each of value) dropNulls(items, each)
    return
  }
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    const field = fieldOf(schema, name)
    if (!field) continue
    if (fields[name] === null && !takesNull(field)) delete fields[name]
    else dropNulls(field, fields[name])
  }
}

/** Those that responses have too, where no field is null. */
const OF_RESPONSES = ['Input', 'ShotSettings']

/** The schema of a body as openapi.json has it: a field that may be left out may be null. */
export function withNulls(schema: Schema): Schema {
  const { title = '', anyOf, items, properties, required = [], 'x-base': base, content } = schema
  if (content) {
    const types = Object.entries(content).map(([type, of]) => [type, { schema: withNulls(of.schema) }])
    return { content: Object.fromEntries(types) }
  }
  const isOptional = (name: string, field: Schema) => !required.includes(name) || 'default' in field
  const entries = Object.entries(properties ?? {}).map(([name, field]) => {
    const whole = withNulls(field)
    return [name, isOptional(name, field) && !takesNull(field) ? orNull(whole) : whole]
  })
  return {
    ...schema,
    ...(OF_RESPONSES.includes(title) && { title: `Sent${title}` }),
    ...(anyOf && { anyOf: anyOf.map(withNulls) }),
    ...(items && { items: withNulls(items) }),
    ...(properties && { properties: Object.fromEntries(entries) }),
    ...(base && { 'x-base': withNulls(base) }),
  }
}

function orNull(schema: Schema): Schema {
  const { type } = schema
  if (typeof type === 'string' && !('title' in schema) && !('enum' in schema) && !('const' in schema))
    return { ...schema, type: [type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

const partsOf = ({ anyOf = [], allOf = [], else: other }: Schema): Schema[] => [
  ...anyOf,
  ...allOf,
  ...(other ? [other] : []),
]

const fieldOf = ({ properties = {} }: Schema, name: string) =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

/** One without a type allows any value. */
function takesNull({ type, anyOf, allOf, enum: values, ...schema }: Schema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  if (values) return values.includes(null)
  if ('const' in schema) return schema.const === null
  return type === undefined ? allOf === undefined : [type].flat().includes('null')
}
