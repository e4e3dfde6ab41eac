/**
 * The fields of a model's form, drawn from the JSON Schema of its request. Invariant: nothing about a model is written
 * here; a field that the schema has, and no file of the studio knows, is shown with the title that the catalogue gives
 * it.
 */
import { accepts, type Scalar, type Schema, type Schemas } from '@kinora/client'
import { UPSCALE } from '../upscalers.ts'
import { aspectRatio } from '../video/aspect-ratio.ts'
import { linesOf } from '../video/quality.ts'

export type Model = Omit<Schemas['Model'], 'schema'> & { schema: Schema }

/** A request without its prompt; `options`: what the model alone has. */
export type Request = { [name: string]: unknown; options?: Record<string, unknown> }

/** Values that a field can have: a list, a range of numbers, or a text. */
export type Range = { from: number; to: number; isInteger: boolean }
type Values =
  | { kind: 'list'; list: readonly Scalar[] }
  | { kind: 'range'; range: Range }
  | { kind: 'text'; maxLength: number }
  /** Nothing to choose: the service derives it. */
  | { kind: 'none' }

export type FormField = {
  name: string
  path: readonly string[]
  title: string | undefined
  description: string | undefined
  initial: Scalar | undefined
  isRequired: boolean
  /** What the mode allows. */
  values: Values
  /** The rules that narrow the field, by the values of others. */
  rules: Applied[]
}

/** What is chosen elsewhere than in a field of the schema. */
const NO_FIELDS = new Set(['prompt', 'model', 'mode', 'options', 'n', 'webhookFormat'])

const keywordsOf = (schema: Schema | undefined) => (typeof schema === 'object' ? schema : {})

/** How many inputs of a role a mode takes, and of which kinds; `most`: of a kind, where that is fewer. */
export type Use = {
  role: string
  from: number
  to: number
  kinds: readonly string[]
  most?: { readonly [kind: string]: number }
}
export type Mode = { name: string; inputs: readonly Use[] }

/** The modes of a model. */
export function modesOf({ schema }: Pick<Model, 'schema'>): Mode[] {
  const [ofModes] = keywordsOf(schema).allOf ?? []
  const modes = (keywordsOf(ofModes).anyOf ?? []).map(keywordsOf)
  return modes.map(({ title = '', 'x-inputs': inputs = [] }) => ({ name: title, inputs }))
}

/** The mode of a film that begins with a picture. */
export const ANIMATE = 'image-to-video'
/** The pictures that are there tell these modes apart. */
const PLAIN = ['text-to-video', ANIMATE, 'first-last']
export const isPlain = ({ name }: Mode): boolean => PLAIN.includes(name)

/** What the user chooses among: each mode, but those of a text and pictures as one. A larger copy is made elsewhere. */
export function modeGroupsOf(model: Pick<Model, 'schema'>): Mode[][] {
  const modes = modesOf(model).filter(({ name }) => name !== UPSCALE)
  const plain = modes.filter(isPlain)
  return [...(plain.length > 0 ? [plain] : []), ...modes.filter((mode) => !isPlain(mode)).map((mode) => [mode])]
}

/** The roles of these modes, in their order, each with the use that takes the most. */
export function usesOf(modes: readonly Mode[]): Use[] {
  const uses = new Map<string, Use>()
  for (const use of modes.flatMap(({ inputs }) => inputs))
    if (use.to > (uses.get(use.role)?.to ?? 0)) uses.set(use.role, use)
  // What may be left out comes last.
  return [...uses.values()].toSorted((a, b) => Number(a.from === 0) - Number(b.from === 0))
}

/** Whether a mode can be made of inputs of these roles, and no others. */
export const fits = ({ inputs }: Mode, roles: readonly string[]): boolean =>
  roles.every((role) => inputs.some((use) => use.role === role)) &&
  inputs.every(({ role, from }) => from === 0 || roles.includes(role))

/** Where the fields of a model's form are in its request: those of all models first, then those of `options`. */
export function pathsOf({ schema }: Pick<Model, 'schema'>): string[][] {
  const { properties = {} } = keywordsOf(schema)
  const own = Object.keys(properties).filter((name) => !NO_FIELDS.has(name) && !isInput(properties[name]))
  const options = Object.keys(keywordsOf(properties.options).properties ?? {})
  return [...own.map((name) => [name]), ...options.map((name) => ['options', name])]
}

/** Links, uuids and lists are of inputs. */
const isInput = (schema: Schema | undefined): boolean => {
  const { format, items } = keywordsOf(schema)
  return format !== undefined || items !== undefined
}

/** The fields that a request of these values can have. */
export const fieldsOf = (model: Pick<Model, 'schema'>, request: Request): FormField[] =>
  pathsOf(model).flatMap((path) => fieldAt(model.schema, path, request) ?? [])

/** @returns null for a field that the mode of the request has not */
export function fieldAt(schema: Schema, path: readonly string[], request: Request): FormField | null {
  const applied = appliedTo(schema, path, request)
  const ofMode = applied.filter(({ why }) => why === null)
  if (ofMode.some((each) => each.schema === false)) return null
  const { title, description, default: initial } = keywordsOf(ofMode[0]?.schema)
  return {
    name: path.at(-1) ?? '',
    path,
    title,
    description,
    initial,
    isRequired: applied.some((each) => each.isRequired),
    values: valuesOf(ofMode.map((each) => each.schema)),
    rules: applied.filter(({ why }) => why !== null),
  }
}

/** The values that all of these schemas of one field accept. */
function valuesOf(schemas: Schema[]): Values {
  const all = schemas.map(keywordsOf)
  const type = all.find((each) => each.type !== undefined)?.type
  const list = type === 'boolean' ? [true, false] : all.find((each) => each.enum)?.enum
  if (list) return { kind: 'list', list: list.filter((value) => schemas.every((schema) => accepts(schema, value))) }
  if (type === 'string') {
    const lengths = all.flatMap(({ maxLength }) => maxLength ?? [])
    return lengths.length > 0 ? { kind: 'text', maxLength: Math.min(...lengths) } : { kind: 'none' }
  }
  const from = Math.max(...all.flatMap(({ minimum }) => minimum ?? []))
  const to = Math.min(...all.flatMap(({ maximum }) => maximum ?? []))
  const isInteger = all.some((each) => each.type === 'integer')
  return Number.isFinite(from) && Number.isFinite(to)
    ? { kind: 'range', range: { from, to, isInteger } }
    : { kind: 'none' }
}

/** What the rules leave of a field's values. */
export function valuesLeft({ values, rules }: FormField): Values {
  if (rules.length === 0 || values.kind === 'text' || values.kind === 'none') return values
  if (values.kind === 'list')
    return { kind: 'list', list: values.list.filter((value) => reason(rules, value) === null) }
  const { from, to, isInteger } = values.range
  const isWithin = (value: Scalar) => Number(value) >= from && Number(value) <= to
  const left = valuesOf([
    { type: isInteger ? 'integer' : 'number', minimum: from, maximum: to },
    ...rules.map(schemaOf),
  ])
  return left.kind === 'list' ? { ...left, list: left.list.filter(isWithin) } : left
}
const schemaOf = ({ schema }: Applied): Schema => schema

/** Why the rules forbid a value: the sentence of the catalogue, empty when it has none; null when they do not. */
export const reasonAgainst = ({ rules }: FormField, value: Scalar): string | null => reason(rules, value)

const reason = (rules: Applied[], value: Scalar): string | null =>
  rules.find(({ schema }) => !accepts(schema, value))?.why ?? null

/** Why the rules forbid the field as a whole; null when they do not. */
export const reasonAgainstField = ({ rules }: FormField): string | null =>
  rules.find(({ schema }) => schema === false)?.why ?? null

export function isAllowed(field: FormField, value: unknown): value is Scalar {
  const { values } = field
  if (reasonAgainstField(field) !== null) return false
  switch (values.kind) {
    case 'list':
      return values.list.includes(value as Scalar) && reason(field.rules, value as Scalar) === null
    case 'range': {
      const { from, to, isInteger } = values.range
      const isNumber = typeof value === 'number' && value >= from && value <= to
      return isNumber && (!isInteger || Number.isInteger(value)) && reason(field.rules, value) === null
    }
    case 'text':
      return typeof value === 'string' && value !== '' && [...value].length <= values.maxLength
    case 'none':
      return typeof value === 'string' && value !== ''
  }
}

/** The allowed value that is nearest to a wish, the first of two that are; of texts without a distance the first. */
export function nearestAllowed(field: FormField, wish: unknown): Scalar | undefined {
  if (reasonAgainstField(field) !== null) return undefined
  const left = valuesLeft(field)
  if (left.kind === 'list') {
    const distances = left.list.map((each) => distance(each, wish))
    return left.list[distances.indexOf(Math.min(...distances))]
  }
  if (left.kind !== 'range') return undefined
  const { from, to, isInteger } = left.range
  const number = Math.min(to, Math.max(from, typeof wish === 'number' && Number.isFinite(wish) ? wish : from))
  return isInteger ? Math.round(number) : number
}

/** Between two numbers, qualities or aspect ratios; infinite between others. A film of 720p may have 704 lines. */
function distance(value: Scalar, wish: unknown): number {
  if (typeof value === 'number' && typeof wish === 'number') return Math.abs(value - wish)
  if (typeof value !== 'string' || typeof wish !== 'string') return Infinity
  const isOf = (kind: RegExp) => kind.test(value) && kind.test(wish)
  if (isOf(/^\d+[pk]$/)) return Math.abs(linesOf(value) - linesOf(wish))
  return isOf(/^\d+:\d+$/) ? Math.abs(Math.log(aspectRatio(value) / aspectRatio(wish))) : Infinity
}

/**
 * A part of a schema that applies to a field. `why`: the description of the condition under which it does, null without
 * one. `isRequired`: it says that the field must be there, and no more.
 */
type Applied = { schema: Schema; why: string | null; isRequired?: true }

/**
 * The parts of a request's schema that apply to the field at a path, by the request's other values. "If this, then
 * that" is written as `anyOf: [{ not: this }, that]`; of other alternatives it is not known which one applies, so they
 * are left to `accepts`.
 */
function appliedTo(schema: Schema, path: readonly string[], request: unknown, why: string | null = null): Applied[] {
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

function consequence({ anyOf = [] }: Exclude<Schema, boolean>, request: unknown): Schema {
  const [first, then, ...others] = anyOf
  if (typeof first !== 'object' || first.not === undefined || then === undefined || others.length > 0) return true
  return accepts(first.not, request) ? then : true
}
