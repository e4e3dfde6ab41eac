/**
 * What callers of Replicate and fal call the parameters of a film: the names that most models have there, the names
 * that the model's own route there maps, and those of its options. Each caller's field is one parameter; a field of
 * none is refused.
 */
import type { Model } from '../catalogue/model.ts'
import { isOptionField, type RequestedParameters } from '../film/fields.ts'
import { type Kind, kindOf, type Role } from '../film/inputs.ts'
import { REFERENCES_MAX } from '../film/limits.ts'
import type { Mapping } from '../provider/request-mapping.ts'
import { type Call, invalidField, noteNames, unsupportedField } from './format.ts'
import { startImageOf } from './input.ts'

/** The parameter, or the model's own option, by the caller's field. */
type Vocabulary = Record<string, string>

const COMMON: Vocabulary = {
  prompt: 'prompt',
  duration: 'duration',
  aspect_ratio: 'aspectRatio',
  resolution: 'quality',
  seed: 'seed',
  negative_prompt: 'negativePrompt',
  generate_audio: 'audio',
}
/** The inputs by their names in a mapping: the field of ours that names one, else its role and kind. */
const INPUTS: Record<string, keyof RequestedParameters | { role: Role; kind?: Kind; isList?: true }> = {
  start: 'startImageUrl',
  end: 'endImageUrl',
  referenceImages: 'referenceImageUrls',
  film: { role: 'film' },
  motion: { role: 'motion' },
  sound: { role: 'sound' },
  portrait: { role: 'portrait' },
  referenceFilms: { role: 'reference', kind: 'film', isList: true },
  referenceSounds: { role: 'reference', kind: 'sound', isList: true },
}
const IMAGES: Record<Format, Vocabulary> = {
  replicate: { image: 'start', last_frame: 'end', reference_images: 'referenceImages' },
  fal: { image_url: 'start', end_image_url: 'end', reference_image_urls: 'referenceImages' },
}
/** The formats, which are the accounts of their vendors too. */
type Format = 'replicate' | 'fal'

const vocabularies = new WeakMap<Model, Partial<Record<Format, Vocabulary>>>()

function vocabularyOf(model: Model | undefined, format: Format): Vocabulary {
  const common = { ...COMMON, ...IMAGES[format] }
  if (!model) return common
  const known = vocabularies.get(model) ?? {}
  vocabularies.set(model, known)
  known[format] ??= { ...common, ...ofOptions(model), ...ofRoutes(model, format) }
  return known[format]
}

const ownOptions = ({ options = {} }: Model): string[] => Object.keys(options).filter((name) => !isOptionField(name))

/** `fixedCamera` and `fixed_camera`. */
const ofOptions = (model: Model): Vocabulary =>
  Object.fromEntries(
    ownOptions(model).flatMap((name) => [
      [name, name],
      [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name],
    ]),
  )

/**
 * The vendor's fields whose expression is about one parameter: `duration & 's'` too. A constant, or several, is none of
 * a caller.
 */
function ofRoutes(model: Model, format: Format): Vocabulary {
  const parameters = [...Object.values(COMMON), ...Object.keys(INPUTS), ...ownOptions(model)]
  const inputs = model.routes.filter(({ account }) => account === format).flatMap(({ input = {} }) => fieldsOf(input))
  return Object.fromEntries(
    inputs.flatMap(([name, expression]) => {
      const words = new Set(expression.replace(/'[^']*'/g, '').match(/(?<![\w$])[A-Za-z]\w*/g))
      const named = parameters.filter((parameter) => words.has(parameter))
      return named.length === 1 ? [[name, String(named[0])]] : []
    }),
  )
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
 * @throws AppError INVALID_REQUEST that names the caller's field; those of startImageOf
 */
export async function readParameters(
  call: Call,
  { model, format, input, prefix = '' }: CallersInput,
): Promise<Parameters> {
  const vocabulary = vocabularyOf(model, format)
  const names = namesOf(vocabulary, prefix)
  noteNames(call.request, names)
  const found: Record<string, unknown> = {}
  const options: Record<string, unknown> = {}
  const inputs: NonNullable<Parameters['inputs']> = []
  const usedNames = new Map<string, string>()
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(vocabulary, name) ? vocabulary[name] : undefined
    if (field === undefined) throw unsupportedField(prefix + name.slice(0, NAME_CHARACTERS_MAX))
    const other = usedNames.get(field)
    if (other) throw invalidField(prefix + name, `${prefix}${other} and ${prefix}${name} are the same; leave one out.`)
    usedNames.set(field, name)
    const input = Object.hasOwn(INPUTS, field) ? INPUTS[field] : undefined
    if (typeof input === 'object') {
      const links = await readInputs(value, input, call)
      if (links === null) throw invalidField(prefix + name, `The ${prefix}${name} is not what the model takes.`)
      for (const link of links) {
        names[`inputs.${inputs.length}`] = [prefix + name]
        inputs.push({ role: input.role, url: link, ...(input.kind && { kind: input.kind }) })
      }
      continue
    }
    const own = input ?? field
    const reader = readers[own]
    const read = reader ? await reader(value, call, own) : readOption(value)
    if (read === WRONG) throw invalidField(prefix + name, `The ${prefix}${name} is not what the model takes.`)
    if (reader) found[own] = read
    else options[field] = read
  }
  // Cast: each reader returns what its parameter may be.
  return {
    ...found,
    ...(inputs.length > 0 && { inputs }),
    ...(Object.keys(options).length > 0 && { options }),
  } as Parameters
}

/** A name is the client's, and is returned to it. */
const NAME_CHARACTERS_MAX = 100

/** The callers' names of each parameter, for the errors of `generate`. */
function namesOf(vocabulary: Vocabulary, prefix: string): Record<string, string[]> {
  const names: Record<string, string[]> = {}
  for (const [name, field] of Object.entries(vocabulary)) {
    const input = INPUTS[field] ?? field
    if (typeof input === 'object') continue
    const path = Object.hasOwn(readers, input) ? input : `options.${input}`
    names[path] = [...(names[path] ?? []), prefix + name]
  }
  return names
}

const WRONG = Symbol('of another type')
type Read = (value: unknown, call: Call, field: string) => unknown

const readText: Read = (value) => (typeof value === 'string' ? value : WRONG)
const readImage: Read = (value, call, field) => (typeof value === 'string' ? startImageOf(call, value, field) : WRONG)

const readers: Record<string, Read> = {
  prompt: readText,
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
  startImageUrl: readImage,
  endImageUrl: readImage,
  referenceImageUrls: async (value, ...given) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > REFERENCES_MAX) return WRONG
    const links: unknown[] = []
    // One after the other: each counts for the rate limit of uploads, and takes memory while it is inspected.
    for (const each of value) links.push(await readImage(each, ...given))
    return links.includes(WRONG) ? WRONG : links
  },
}

/** Links of films and sounds; null: something else. Only pictures may be sent as data. */
async function readInputs(
  value: unknown,
  { role, kind = kindOf[role], isList }: { role: Role; kind?: Kind; isList?: true },
  call: Call,
): Promise<string[] | null> {
  const links: unknown[] = isList && Array.isArray(value) ? value.slice(0, REFERENCES_MAX + 1) : [value]
  if (!links.every((link) => typeof link === 'string')) return null
  return kind === 'image' ? await Promise.all(links.map((link) => startImageOf(call, link))) : links
}

const readOption = (value: unknown): unknown => (['string', 'number', 'boolean'].includes(typeof value) ? value : WRONG)
