/**
 * Generates the types and the operations of the Python client from openapi.json: `types.py` and `_operations.py`.
 * `npm run openapi` writes them, and a test fails when they are stale.
 */
import { type Call, callsOf, type Document, type Schema } from '../server/src/http/docs/document.ts'
import { pythonName, pythonPager, snakeCase } from '../server/src/http/docs/samples.ts'

export const pythonFiles = {
  types: new URL('src/kinora/types.py', import.meta.url),
  operations: new URL('src/kinora/_operations.py', import.meta.url),
}

/** A method of the client's own reads it. */
const STREAM = 'streamVideoEvents'
/** Of the client, not of a call. */
const OF_THE_CLIENT = ['x-team', 'idempotency-key']
const HEADER = '# Generated from openapi.json by `npm run openapi`. Do not edit: change the routes.'

type Made = { classes: Map<string, string>; aliases: Map<string, string>; document: Document }

/** @param text of openapi.json */
export function describePythonClient(text: string): Record<keyof typeof pythonFiles, string> {
  const document = JSON.parse(text) as Document
  const made: Made = { classes: new Map(), aliases: new Map(), document }
  const calls = document.tags.flatMap(({ name }) => callsOf(document, name))
  const methods = calls
    .filter(({ operation }) => operation.operationId !== STREAM)
    .flatMap((call) => methodsOf(call, made))
  const events = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
    const schema = Object.values(post.requestBody?.content ?? {})[0]?.schema ?? {}
    return typeOf(schema, `${pascal(name)}Webhook`, made)
  })
  made.aliases.set('WebhookEvent', `Union[${events.join(', ')}]`)
  return { types: typesFile(made), operations: operationsFile(methods, made) }
}

function typesFile({ classes, aliases }: Made): string {
  return [
    '"""The types of requests and responses."""',
    HEADER,
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal, TypedDict, Union',
    ...[...classes.values()].map((text) => `\n\n${text}`),
    // What is no class is evaluated, so each comes after those that it names.
    '\n',
    ...inOrder(aliases).map(([name, type]) => `${name} = ${type}`),
    '',
  ].join('\n')
}

function operationsFile(methods: string[], { classes, aliases }: Made): string {
  const text = methods.join('\n')
  const named = [...classes.keys(), ...aliases.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort()
  return [
    '"""A method for each operation of the API."""',
    HEADER,
    'from __future__ import annotations',
    '',
    'from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Union',
    '',
    'from ._transport import Transport, each_item, new_idempotency_key, path_value',
    '',
    'if TYPE_CHECKING:',
    '    from .types import (',
    ...named.map((name) => `        ${name},`),
    '    )',
    '',
    '',
    'class Operations(Transport):',
    text.replace(/^\n/, ''),
    '',
  ].join('\n')
}

function inOrder(aliases: Map<string, string>): [string, string][] {
  const sorted = new Map<string, string>()
  const add = (name: string, type: string) => {
    if (sorted.has(name)) return
    for (const [other, otherType] of aliases) {
      if (other !== name && new RegExp(`\\b${other}\\b`).test(type)) add(other, otherType)
    }
    sorted.set(name, type)
  }
  for (const [name, type] of aliases) add(name, type)
  return [...sorted]
}

/** The method of an operation, and that of all pages of a list. */
function methodsOf(call: Call, made: Made): string[] {
  const { method, path, operation } = call
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const name = pascal(operationId)
  const [[type, media] = []] = Object.entries(responses['200']?.content ?? {})
  const isJson = type === 'application/json'
  const data = isJson ? dataOf(media?.schema ?? {}) : {}
  const result = isJson ? typeOf(data, `${name}Result`, made) : 'bytes'
  const bodies = Object.entries(requestBody?.content ?? {})
  const bodyTypes = bodies.map(([kind, { schema = {} }]) =>
    kind === 'application/json' ? typeOf(schema, `${name}Body`, made) : 'bytes',
  )
  const isOptional = requestBody?.required === false
  const taken = parameters.filter((each) => !OF_THE_CLIENT.includes(each.name.toLowerCase()))
  const isKeyed = parameters.some((each) => each.name.toLowerCase() === 'idempotency-key')
  const named = taken.filter((each) => each.in !== 'path')
  const typed = named.map(
    (each) =>
      `${pythonName(each.name)}: ${optional(typeOf(each.schema ?? {}, name + pascal(each.name), made), each.required)}`,
  )
  const keywords = [
    ...typed,
    ...(bodyTypes.includes('bytes') ? ['content_type: str | None = None'] : []),
    ...(isKeyed ? ['idempotency_key: str | None = None'] : []),
  ]
  const positional = [
    ...taken.filter((each) => each.in === 'path').map((each) => `${pythonName(each.name)}: str`),
    ...(bodies.length > 0 ? [`body: ${optional(union(bodyTypes), !isOptional)}`] : []),
  ]
  const signature = ['self', ...positional, ...(keywords.length > 0 ? ['*', ...keywords] : [])]
  const address = path.replace(/\{(\w+)\}/g, (_, each: string) => `{path_value(${pythonName(each)})}`)
  const pairs = (place: string) =>
    named.filter((each) => each.in === place).map((each) => `"${each.name}": ${pythonName(each.name)}`)
  const headers = [
    ...pairs('header'),
    ...(isKeyed ? ['"idempotency-key": idempotency_key or new_idempotency_key()'] : []),
  ]
  const given = [
    `"${method}"`,
    `${address === path ? '' : 'f'}"${address}"`,
    ...(bodies.length > 0 ? ['body'] : []),
    ...(pairs('query').length > 0 ? [`query={${pairs('query').join(', ')}}`] : []),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(bodyTypes.includes('bytes') ? ['content_type=content_type'] : []),
  ]
  const own = methodText(
    snakeCase(operationId),
    signature,
    result,
    operation.description ?? summary,
    `self.request(${given.join(', ')})`,
  )
  const isPaged = method === 'GET' && named.some((each) => each.name === 'cursor')
  return isPaged ? [own, pagerText(call, signature, data, made)] : [own]
}

function pagerText({ operation }: Call, signature: string[], data: Schema, made: Made): string {
  const properties = fieldsOf(data, made.document).properties
  const list = Object.entries(properties).find(([name, field]) => name !== 'makers' && field.type === 'array')
  const [field = '', schema = {}] = list ?? []
  const kept = signature.filter((each) => !/^(cursor|page):/.test(each))
  const names = kept.filter((each) => each !== 'self' && each !== '*').map((each) => each.split(':')[0] ?? '')
  const positionals = kept.indexOf('*') === -1 ? names.length : kept.indexOf('*') - 1
  const given = [...names.map((name, index) => (index < positionals ? name : `${name}=${name}`)), 'cursor=cursor']
  const item = typeOf(schema.items ?? {}, `${pascal(operation.operationId)}Item`, made)
  const code = `each_item(lambda cursor: self.${snakeCase(operation.operationId)}(${given.join(', ')}), "${field}")`
  return methodText(
    pythonPager(operation.operationId),
    kept,
    `Iterator[${item}]`,
    `${operation.summary}: all pages.`,
    code,
  )
}

function methodText(name: string, signature: string[], result: string, description: string, code: string): string {
  const text = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return `\n    def ${name}(\n        ${signature.join(',\n        ')},\n    ) -> ${result}:\n        """${text}"""\n        return ${code}`
}

const optional = (type: string, isRequired: boolean | undefined): string =>
  isRequired ? type : `Union[${type}, None] = None`

/** The data of the envelope. */
function dataOf(schema: Schema): Schema {
  const [first, second] = schema.allOf ?? []
  return first?.$ref?.endsWith('/Envelope') ? (second?.properties?.data ?? {}) : schema
}

function fieldsOf(schema: Schema, document: Document): { properties: Record<string, Schema>; required: string[] } {
  const { $ref, allOf = [], properties = {}, required = [] } = schema
  if ($ref) return fieldsOf(document.components.schemas?.[$ref.split('/').at(-1) ?? ''] ?? {}, document)
  const parts = allOf.map((each) => fieldsOf(each, document))
  return {
    properties: Object.assign({}, ...parts.map((each) => each.properties), properties),
    required: [...parts.flatMap((each) => each.required), ...required],
  }
}

/** A schema as a type of Python. @param name of the class, where it has fields */
function typeOf(schema: Schema, name: string, made: Made): string {
  const { $ref, type, const: only, enum: values, items, anyOf, oneOf, allOf, properties, additionalProperties } = schema
  if ($ref) return component($ref.split('/').at(-1) ?? '', made)
  const choice = anyOf ?? oneOf
  if (choice) return union(choice.map((each, index) => typeOf(each, index === 0 ? name : `${name}${index + 1}`, made)))
  if (only !== undefined || values) return literal(values ?? [only])
  if (properties || allOf) {
    const isNullable = [type].flat().includes('null')
    return union([classOf(schema, name, made), ...(isNullable ? ['None'] : [])])
  }
  return union(
    [type ?? 'any'].flat().map((each) => {
      if (each === 'array') return `List[${typeOf(items ?? {}, `${name}Item`, made)}]`
      if (each !== 'object') return PLAIN[each] ?? 'Any'
      const inner =
        typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${name}Value`, made) : 'Any'
      return `Dict[str, ${inner}]`
    }),
  )
}

const PLAIN: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

function union(types: string[]): string {
  const each = [...new Set(types)]
  return each.length === 1 ? (each[0] ?? 'Any') : `Union[${each.join(', ')}]`
}

function literal(values: unknown[]): string {
  const texts = values
    .filter((each) => each !== null)
    .map((each) => (typeof each === 'boolean' ? (each ? 'True' : 'False') : JSON.stringify(each)))
  return union([
    ...(texts.length > 0 ? [`Literal[${texts.join(', ')}]`] : []),
    ...(values.includes(null) ? ['None'] : []),
  ])
}

function component(name: string, made: Made): string {
  const schema = made.document.components.schemas?.[name] ?? {}
  if (made.classes.has(name) || made.aliases.has(name)) return name
  if (schema.properties || schema.allOf) return classOf(schema, name, made)
  // Named before it is described, so that a type may contain itself.
  made.aliases.set(name, 'Any')
  made.aliases.set(name, typeOf(schema, name, made))
  return name
}

function classOf(schema: Schema, name: string, made: Made): string {
  if (made.classes.has(name)) return name
  made.classes.set(name, '')
  const { properties, required } = fieldsOf(schema, made.document)
  const fields = Object.entries(properties).map(([key, field]) => ({
    key,
    type: typeOf(field, name + pascal(key), made),
    isRequired: required.includes(key),
  }))
  const [needed, other] = [
    fields.filter(({ isRequired }) => isRequired),
    fields.filter(({ isRequired }) => !isRequired),
  ]
  const description = (schema.description ?? '').replaceAll('\\', '\\\\')
  // The class of the rest comes first: Python 3.9 has no NotRequired.
  const base = other.length > 0 && needed.length > 0 ? `_${name}` : ''
  const parts = [
    ...(base ? [classText(base, 'TypedDict', '', needed)] : []),
    classText(
      name,
      base ? `${base}, total=False` : `TypedDict${needed.length > 0 || fields.length === 0 ? '' : ', total=False'}`,
      description,
      base ? other : fields,
    ),
  ]
  made.classes.set(name, parts.join('\n\n\n'))
  return name
}

function classText(name: string, base: string, description: string, fields: { key: string; type: string }[]): string {
  const isPlain = fields.every(({ key }) => /^[a-zA-Z_]\w*$/.test(key) && pythonName(key) === key)
  // A key that is a word of Python has no place in a class.
  if (!isPlain) {
    const entries = fields.map(({ key, type }) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},`).join('\n')
    if (base.startsWith('_')) throw new Error(`${name} has optional and required fields, and a word of Python as one.`)
    return `${name} = TypedDict(${JSON.stringify(name)}, {\n${entries}\n}${base.includes('total') ? ', total=False' : ''})`
  }
  const lines = fields.map(({ key, type }) => `    ${key}: ${type}`)
  const text = description ? [`    """${description}"""`] : []
  const body = [...text, ...lines]
  return `class ${name}(${base}):\n${body.length > 0 ? body.join('\n') : '    pass'}`
}

const pascal = (name: string): string => name.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase())
