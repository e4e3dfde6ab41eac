/**
 * What callers of Replicate and fal call the parameters of a film: the names that most models have there, the names
 * that the model's own route there maps, and those of its options. Each caller's field is one parameter; a field of
 * none is refused.
 */
import { Check } from 'typebox/value'
import { REFERENCES } from '../catalogue/inputs.ts'
import type { Model } from '../catalogue/model.ts'
import { isOptionField, type RequestedParameters } from '../film/fields.ts'
import { GivenInputs, KINDS, kindOf, ROLES } from '../film/inputs.ts'
import type { Mapping } from '../provider/request-mapping.ts'
import { type Call, invalidField, noteNames, unsupportedField } from './format.ts'
import { inputsOf, type Medium, ownMedia } from './input.ts'
import { type Field, fieldsOfFormats } from './input-fields.ts'

/** The parameter, or the model's own option, by the caller's field; and the fields of inputs. */
type Vocabulary = { parameters: Record<string, string>; media: Record<string, Field> }

export const COMMON: Record<string, string> = {
  prompt: 'prompt',
  duration: 'duration',
  aspect_ratio: 'aspectRatio',
  resolution: 'quality',
  seed: 'seed',
  negative_prompt: 'negativePrompt',
  generate_audio: 'audio',
}
/** The inputs by their names in a mapping. Keyframes have times, which no field of these formats has. */
const MAPPED_FIELDS: Record<string, Field> = {
  ...Object.fromEntries(ROLES.map((role) => [role, { kind: kindOf[role], roles: [role] }])),
  ...Object.fromEntries(KINDS.map((kind) => [REFERENCES[kind], { kind, roles: ['reference'] }])),
}
/** The formats, which are the accounts of their vendors too. */
type Format = 'replicate' | 'fal'

const vocabularies = new WeakMap<Model, Partial<Record<Format, Vocabulary>>>()

function vocabularyOf(model: Model | undefined, format: Format): Vocabulary {
  const media: Record<string, Field> = fieldsOfFormats[format]
  const parameters = { mode: 'mode', ...COMMON }
  if (!model) return { parameters, media }
  const known = vocabularies.get(model) ?? {}
  vocabularies.set(model, known)
  known[format] ??= withRoutes({ parameters: { ...parameters, ...ofOptions(model) }, media }, model, format)
  return known[format]
}

const ownOptions = ({ options = {} }: Model): string[] => Object.keys(options).filter((name) => !isOptionField(name))

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `fixedCamera` and `fixed_camera`. */
const ofOptions = (model: Model): Vocabulary['parameters'] =>
  Object.fromEntries(
    ownOptions(model).flatMap((name) => [
      [name, name],
      [snakeCase(name), name],
    ]),
  )

/**
 * With the vendor's fields whose expression is about one parameter or input: `duration & 's'` too. A constant, or
 * several, is none of a caller. A field may have another role in another mode.
 */
function withRoutes({ parameters, media }: Vocabulary, model: Model, format: Format): Vocabulary {
  const names = [...Object.values(COMMON), ...Object.keys(MAPPED_FIELDS), ...ownOptions(model)]
  const inputs = model.routes.filter(({ account }) => account === format).flatMap(({ input = {} }) => fieldsOf(input))
  const own: Vocabulary = { parameters: {}, media: {} }
  const rolesBefore = (name: string, { kind }: Field) =>
    [own.media[name], media[name]].flatMap((each) => (each?.kind === kind ? each.roles : []))
  for (const [name, expression] of inputs) {
    const words = new Set(expression.replace(/'[^']*'/g, '').match(/(?<![\w$])[A-Za-z]\w*/g))
    const [found, ...others] = names.filter((each) => words.has(each))
    if (found === undefined || others.length > 0) continue
    const field = Object.hasOwn(MAPPED_FIELDS, found) ? MAPPED_FIELDS[found] : undefined
    if (!field) own.parameters[name] = found
    else own.media[name] = { ...field, roles: [...new Set([...field.roles, ...rolesBefore(name, field)])] }
  }
  return { parameters: { ...parameters, ...own.parameters }, media: { ...media, ...own.media } }
}

/** The fields of a mapping and of its modes. */
const fieldsOf = (input: object): [string, string][] =>
  Object.entries(input as Mapping).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] satisfies [string, string]] : fieldsOf(value),
  )

type Parameters = Omit<Partial<RequestedParameters>, 'model'>

/** The film of a request as the caller sends it. `prefix`: of the fields in errors. */
export type CallersInput = {
  model: Model | undefined
  format: Format
  input: Record<string, unknown>
  prefix?: string
}

/**
 * The parameters of a request in the caller's words.
 * @param mode of its path
 * @throws AppError INVALID_REQUEST that names the caller's field; those of inputsOf
 */
export async function readParameters(
  call: Call,
  { model, format, input, prefix = '' }: CallersInput,
  mode?: string,
): Promise<Parameters> {
  const vocabulary = vocabularyOf(model, format)
  noteNames(call.request, namesOf(vocabulary, prefix))
  const found: Record<string, unknown> = mode === undefined ? {} : { mode }
  const options: Record<string, unknown> = {}
  const media: Medium[] = []
  const usedNames = new Map<string, string>()
  for (const [name, value] of Object.entries(input)) {
    const wrong = invalidField(prefix + name, `The ${prefix}${name} is not what the model takes.`)
    const medium = Object.hasOwn(vocabulary.media, name) ? vocabulary.media[name] : undefined
    if (medium) {
      const links = [value].flat()
      if (links.length === 0 || !links.every((link) => typeof link === 'string')) throw wrong
      for (const link of links) media.push({ ...medium, name: prefix + name, value: link })
      continue
    }
    if (name === 'inputs' && !Object.hasOwn(vocabulary.parameters, name)) {
      if (!Check(GivenInputs, value)) throw wrong
      media.push(...ownMedia(value, prefix + name))
      continue
    }
    const field = Object.hasOwn(vocabulary.parameters, name) ? vocabulary.parameters[name] : undefined
    if (field === undefined) throw unsupportedField(prefix + name.slice(0, NAME_CHARACTERS_MAX))
    const other = usedNames.get(field)
    if (other) throw invalidField(prefix + name, `${prefix}${other} and ${prefix}${name} are the same; leave one out.`)
    usedNames.set(field, name)
    const read = (readers[field] ?? readOption)(value)
    if (read === WRONG) throw wrong
    if (readers[field]) found[field] = read
    else options[field] = read
  }
  // Cast: each reader returns what its parameter may be.
  const parameters = { ...found, ...(Object.keys(options).length > 0 && { options }) } as Parameters
  return { ...parameters, ...(await inputsOf(call, { model, mode: parameters.mode, media })) }
}

/** A name is the client's, and is returned to it. */
const NAME_CHARACTERS_MAX = 100

/** The callers' names of each parameter, for the errors of `generate`. */
function namesOf({ parameters, media }: Vocabulary, prefix: string): Record<string, string[]> {
  const names: Record<string, string[]> = {}
  const add = (path: string, name: string) => {
    names[path] = [...(names[path] ?? []), prefix + name]
  }
  for (const [name, field] of Object.entries(parameters))
    add(Object.hasOwn(readers, field) ? field : `options.${field}`, name)
  for (const [name, { roles }] of Object.entries(media)) {
    if (roles.includes('start')) add('startImageUrl', name)
    if (roles.includes('end')) add('endImageUrl', name)
  }
  return names
}

const WRONG = Symbol('of another type')
type Read = (value: unknown) => unknown

const readText: Read = (value) => (typeof value === 'string' ? value : WRONG)

const readers: Record<string, Read> = {
  prompt: readText,
  mode: readText,
  negativePrompt: readText,
  // Models take '5', '8s' or 5.
  duration: (value) => {
    if (typeof value === 'number') return value
    return typeof value === 'string' && /^\d{1,4}s?$/.test(value) ? Number.parseInt(value, 10) : WRONG
  },
  quality: (value) => (typeof value === 'string' ? value.toLowerCase().replace(/^2160p$/, '4k') : WRONG),
  aspectRatio: readText,
  seed: (value) => (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31 ? value : WRONG),
  audio: (value) => (typeof value === 'boolean' ? value : WRONG),
}

const readOption: Read = (value) => (['string', 'number', 'boolean'].includes(typeof value) ? value : WRONG)
