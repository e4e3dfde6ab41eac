/**
 * A chapter of the API as Markdown: the operations of one tag of an OpenAPI document, and the types that they consist
 * of. People read it as a page, programs as it is.
 */
import { type Call, callsOf, type Document, type Operation, type Parameter, resolved, type Schema } from './document.ts'
import { samplesOf } from './samples.ts'

/** @param title of the chapter */
export function chapter(document: Document, tag: string, title: string): string {
  const calls = callsOf(document, tag)
  const types: Types = new Map()
  const operations = calls.map((call) => operationText(document, call, types))
  const events = tag === 'webhook' ? Object.entries(document.webhooks ?? {}) : []
  const eventTexts = events.map(([name, { post }]) => eventText(document, name, post, types))
  const [baseUrl = ''] = document.servers.map(({ url }) => url)
  const about = document.tags.find(({ name }) => name === tag)?.description ?? ''
  const list = calls.map(
    ({ method, path, operation }) => `- [${operation.summary}](#${slug(operation.summary)}): \`${method} ${path}\``,
  )
  return [
    `# ${title}`,
    `${about}. The address of the service is \`${baseUrl}\`.`,
    list.join('\n'),
    ...operations,
    ...(events.length > 0 ? ['## Events', ...eventTexts] : []),
    ...(types.size > 0 ? ['## Types', ...typeTexts(document, types)] : []),
  ].join('\n\n')
}

/** The anchor of a heading. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')

/** The names of the types that a chapter has to explain. */
type Types = Map<string, true>

function operationText(document: Document, call: Call, types: Types): string {
  const { method, path, operation } = call
  const { parameters = [], requestBody, responses } = operation
  const body = Object.entries(requestBody?.content ?? {})
  const success = resolved(document, responses['200'] ?? {})
  const answer = Object.entries(success.content ?? {})
  const refusal = resolved(document, responses['4XX'] ?? {})
  const [baseUrl = ''] = document.servers.map(({ url }) => url)
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description === `${operation.summary}.` ? '' : (operation.description ?? ''),
    parameters.length > 0 ? parameterTable(parameters, types) : '',
    ...body.flatMap(([type, { schema }]) => contentText(document, `Body, \`${type}\``, schema, types)),
    samplesOf(call, baseUrl),
    ...answer.flatMap(([type, { schema }]) => contentText(document, `Response, \`${type}\``, dataOf(schema), types)),
    ...answer.flatMap(([, media]) => exampleText(document, media)),
    refusal.description ? `Errors: ${refusal.description}.` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

function eventText(document: Document, name: string, operation: Operation, types: Types): string {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  return [`### The event ${name}`, `${operation.summary}.`, ...contentText(document, 'Body', schema, types)].join(
    '\n\n',
  )
}

function parameterTable(parameters: Parameter[], types: Types): string {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema = {} }) =>
      `| ${required ? `**${name}**` : name} | ${place} | ${typeName(schema, types)} | ${cell(description, schema)} |`,
  )
  return ['| parameter | in | type | |', '|---|---|---|---|', ...rows].join('\n')
}

function contentText(document: Document, label: string, schema: Schema | undefined, types: Types): string[] {
  if (!schema) return []
  const rows = fieldRows(document, schema, '', types)
  if (rows.length === 0) return [`${label}: ${typeName(schema, types)}`]
  return [`${label}:`, table(rows)]
}

const table = (rows: string[]): string => ['| field | type | |', '|---|---|---|', ...rows].join('\n')

function exampleText(document: Document, { schema, example }: { schema?: Schema; example?: unknown }): string[] {
  const shown = example ?? exampleOf(document, schema)
  return shown === undefined ? [] : [`\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\``]
}

/** That of a schema, or composed of those of its parts. */
function exampleOf(document: Document, schema: Schema = {}): unknown {
  const { $ref, examples, const: only, items, allOf, anyOf, properties } = schema
  if ($ref) return exampleOf(document, resolved(document, schema))
  if (examples) return examples[0]
  if (only !== undefined) return only
  if (anyOf) return anyOf.map((each) => exampleOf(document, each)).find((each) => each !== undefined)
  if (items) {
    const one = exampleOf(document, items)
    return one === undefined ? undefined : [one]
  }
  const parts = (allOf ?? []).map((each) => exampleOf(document, each))
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(document, field)])
  const known = Object.fromEntries(fields.filter(([, each]) => each !== undefined))
  const whole = Object.assign({}, ...parts, known)
  return Object.keys(whole).length > 0 ? whole : undefined
}

/** The data of the envelope, which each response has. */
function dataOf(schema: Schema | undefined): Schema | undefined {
  const [first, second] = schema?.allOf ?? []
  return first?.$ref?.endsWith('/Envelope') ? second?.properties?.data : schema
}

/** The rows of an object's fields, those of objects without a name below it. */
function fieldRows(document: Document, schema: Schema, prefix: string, types: Types): string[] {
  if (schema.$ref && prefix !== '') return []
  const { properties, required } = flattened(document, schema.$ref ? { allOf: [schema] } : schema)
  return Object.entries(properties).flatMap(([name, field]) => {
    const label = `${prefix}${name}`
    const inner =
      field.items && !field.items.$ref
        ? { schema: field.items, prefix: `${label}[].` }
        : { schema: field, prefix: `${label}.` }
    return [
      `| ${required.has(name) ? `**${label}**` : label} | ${typeName(field, types)} | ${cell(field.description, field)} |`,
      ...(field.$ref || field.items?.$ref ? [] : fieldRows(document, inner.schema, inner.prefix, types)),
    ]
  })
}

/** The fields of an object that is composed of others. */
function flattened(document: Document, schema: Schema): { properties: Record<string, Schema>; required: Set<string> } {
  const parts = (schema.allOf ?? []).map((each) => flattened(document, resolved(document, each)))
  return {
    properties: Object.assign({}, ...parts.map((each) => each.properties), schema.properties),
    required: new Set([...parts.flatMap((each) => [...each.required]), ...(schema.required ?? [])]),
  }
}

/** The types that are named, and those that they name, each with its fields. */
function typeTexts(document: Document, types: Types): string[] {
  // A type that is named on the way is read too: a Map iterates over what is added meanwhile.
  const texts: string[] = []
  for (const name of types.keys()) {
    const schema = document.components.schemas?.[name] ?? {}
    const rows = fieldRows(document, { ...schema, allOf: schema.allOf ?? [] }, '', types)
    const body = rows.length > 0 ? table(rows) : typeName(schema, types)
    texts.push([`### ${name}`, schema.description ?? '', body].filter(Boolean).join('\n\n'))
  }
  return texts
}

function typeName(schema: Schema, types: Types): string {
  const { $ref, type, const: only, enum: values, items, anyOf, oneOf, allOf, additionalProperties } = schema
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? ''
    types.set(name, true)
    return `[${name}](#${slug(name)})`
  }
  const choice = anyOf ?? oneOf
  if (choice) return [...new Set(choice.map((each) => typeName(each, types)))].join(' or ')
  if (allOf) return allOf.map((each) => typeName(each, types)).find((each) => each !== 'object') ?? 'object'
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  if (values) return values.map((each) => `\`${each}\``).join(', ')
  const names = [type ?? 'any']
    .flat()
    .map((each) => (each === 'array' && items ? `array of ${typeName(items, types)}` : each))
  if (names.includes('object') && typeof additionalProperties === 'object')
    return `object of ${typeName(additionalProperties, types)}${names.includes('null') ? ' or null' : ''}`
  return names.join(' or ')
}

const LIMITS = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
} as const
/** A limit that is only that of numbers says nothing. */
const isSaid = (limit: unknown): limit is number =>
  typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER

function cell(description: string | undefined, schema: Schema): string {
  const facts = [
    ...(schema.format ? [schema.format] : []),
    ...Object.entries(LIMITS).flatMap(([name, words]) => {
      const limit = schema[name as keyof typeof LIMITS]
      if (!isSaid(limit) || (name === 'minLength' && limit <= 1)) return []
      return name.endsWith('Length') ? [`${limit} ${words}`] : [`${words} ${limit}`]
    }),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ]
  return [description ?? '', facts.length > 0 ? `(${facts.join('; ')})` : '']
    .filter(Boolean)
    .join(' ')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}
