/**
 * Reduces better-auth's successful responses to what is documented: a field that a later version adds is not sent before it
 * is in openapi.json.
 */
type Schema = {
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** @returns the value with the fields that the schema names; what is neither object nor array stays as it is */
export function documentedFields(schema: unknown, value: unknown): unknown {
  const { anyOf, items, properties } = schema as Schema
  if (value === null || typeof value !== 'object') return value
  // The unions of these responses are an object or null.
  if (anyOf) return documentedFields(anyOf.find((each) => each.properties) ?? {}, value)
  if (Array.isArray(value)) return items ? value.map((each) => documentedFields(items, each)) : value
  if (!properties) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      return field ? [[name, documentedFields(field, each)]] : []
    }),
  )
}
