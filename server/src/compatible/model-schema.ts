/** The input of a model as JSON Schema in Replicate's words: of the same rows by which requests are read. */
import { createHash } from 'node:crypto'
import { listOf, type Model } from '../catalogue/model.ts'
import { requestSchema } from '../catalogue/request-schema.ts'
import { isOptionField } from '../film/fields.ts'
import { fieldsOfFormats } from './input-fields.ts'
import { COMMON, snakeCase } from './vocabulary.ts'

type Property = Record<string, unknown>
/** A version of a model is its schema: another one has another id. */
export type Version = { id: string; schema: object }

const versions = new WeakMap<Model, Version>()

export function versionOf(model: Model): Version {
  const known = versions.get(model)
  if (known) return known
  const schema = schemaOf(model)
  const id = createHash('sha256')
    .update(JSON.stringify([model.id, schema]))
    .digest('hex')
  const version = { id, schema }
  versions.set(model, version)
  return version
}

function schemaOf(model: Model): object {
  const { required = [] } = requestSchema(model) as { required?: string[] }
  const properties = Object.entries(propertiesOf(model)).map(([name, property], i) => [
    name,
    { title: name, ...property, 'x-order': i },
  ])
  const Input = {
    type: 'object',
    title: 'Input',
    required: required.filter((name) => name === 'prompt'),
    properties: Object.fromEntries(properties),
  }
  const Output = { type: 'string', format: 'uri', title: 'Output', description: 'A link to the film' }
  return {
    openapi: '3.1.0',
    info: { title: model.name, version: '1' },
    paths: {},
    components: { schemas: { Input, Output } },
  }
}

function propertiesOf(model: Model): Record<string, Property> {
  const parameters: Record<string, Property> = {
    prompt: { type: 'string' },
    duration: { type: 'integer', description: 'Seconds', ...choices(model, 'duration') },
    aspectRatio: { type: 'string', ...choices(model, 'aspectRatio') },
    quality: { type: 'string', ...choices(model, 'quality') },
  }
  const all = Object.entries(model.options ?? {})
  const common = Object.entries(COMMON).flatMap(([name, field]): [string, Property][] => {
    const property = parameters[field] ?? model.options?.[field]
    return property ? [[name, property]] : []
  })
  const media = Object.entries(fieldsOfFormats.replicate).flatMap(([name, { kind, roles }]): [string, Property][] => {
    const isTaken = [...model.roles.values()].some((uses) => roles.some((role) => uses.get(role)?.kinds.includes(kind)))
    if (!isTaken) return []
    const link = { type: 'string', format: 'uri' }
    return [[name, roles[0] === 'reference' ? { type: 'array', items: link } : link]]
  })
  const { modes } = model.summary
  return {
    ...Object.fromEntries(common),
    ...Object.fromEntries(media),
    ...Object.fromEntries(all.flatMap(([name, option]) => (isOptionField(name) ? [] : [[snakeCase(name), option]]))),
    ...(modes.length > 1 && { mode: { type: 'string', enum: modes } }),
  }
}

/** The values of all modes; each mode may have fewer. */
function choices(model: Model, field: string): Property {
  const lists = [...model.constraints.values()].map((each) => listOf(each.get(field)?.values ?? null) ?? [])
  const all = [...new Set(lists.flat())]
  return all.length > 0 ? { enum: field === 'duration' ? all.sort((a, b) => Number(a) - Number(b)) : all } : {}
}
