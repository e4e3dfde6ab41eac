/** An OpenAPI document as the pages and the Python client read it. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  format?: string
  description?: string
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  examples?: unknown[]
} & Partial<Record<'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems', number>>
export type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}
type Content = Record<string, { schema?: Schema; example?: unknown }>
type Body = { $ref?: string; description?: string; required?: boolean; content?: Content }
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}
type Components = {
  schemas?: Record<string, Schema>
  parameters?: Record<string, Parameter>
  responses?: Record<string, Body>
}
export type Document = {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: Components
}
/** `path` with the names of its parameters in braces. */
export type Call = { method: string; path: string; operation: Operation }

/** The operations of a tag, with their parameters and bodies in place of references. */
export function callsOf(document: Document, tag: string): Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes(tag))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: {
          ...operation,
          parameters: (operation.parameters ?? []).map((each) => resolved(document, each)),
        },
      })),
  )
}

/** What a reference leads to, through further ones. */
export function resolved<T extends { $ref?: string }>(document: Document, node: T): T {
  if (!node.$ref) return node
  const [, , kind = '', name = ''] = node.$ref.split('/')
  const found = (document.components as Record<string, Record<string, T>>)[kind]?.[name]
  if (!found) throw new Error(`${node.$ref} is missing in the document.`)
  return resolved(document, found)
}
