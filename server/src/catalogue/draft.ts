/**
 * The first draft of a model's file, from what a vendor publishes about the fields of a request: fal's OpenAPI of an
 * endpoint, Replicate's `openapi_schema`, OpenRouter's list of video models. What no document says is left out, so that
 * the check of the file names it.
 */

import { SEED_MAX } from '../film/limits.ts'
import { MODES, type Mode } from '../film/mode.ts'
import { FILM_SECONDS_MAX } from '../media/film/film.ts'
import { at, entryOf, listAt, numberAt, textAt } from '../text/json-reader.ts'
import { FOLLOWS_THE_IMAGE, type ModelEntry, type Option, QUALITIES } from './model-file.ts'

/** One field of a vendor's request. `values`: of an enumeration. */
type Field = {
  name: string
  type: string | null
  values: (string | number)[]
  minimum: number | null
  maximum: number | null
  itemsMax: number | null
  lengthMax: number | null
  default: unknown
  isRequired: boolean
}
/** One name of the model at a vendor, with what its document says. `input`: fields that are no plain values. */
type Endpoint = {
  account: string
  model: string
  company?: string | undefined
  name?: string | undefined
  fields: Field[]
  modes?: Mode[]
  input?: Record<string, string>
  cost?: { usd: Record<string, number>; source: string } | undefined
}
type Shape = NonNullable<ModelEntry['modes'][Mode]>
/** What an endpoint adds to the file. */
type Part = Endpoint & { modes: Mode[]; shape: Shape; options: Record<string, Option>; input: Record<string, string> }
/** `entry`: the file, which may lack what it must have. `notes`: what its author decides and no check finds. */
export type Draft = { entry: Partial<ModelEntry>; notes: string[] }

/** What the fields of the vendors' requests are called, by the field of ours. */
const NAMES: Record<string, string[]> = {
  prompt: ['prompt', 'text_prompt', 'prompt_text'],
  duration: ['duration', 'duration_seconds', 'seconds', 'video_length'],
  quality: ['resolution', 'quality'],
  aspectRatio: ['aspect_ratio', 'ratio'],
  startImageUrl: [
    'image_url',
    'image',
    'start_image_url',
    'start_image',
    'first_frame_url',
    'first_frame_image',
    'first_frame',
  ],
  endImageUrl: ['end_image_url', 'end_image', 'last_frame_url', 'last_frame_image', 'last_frame', 'tail_image_url'],
  referenceImageUrls: ['image_urls', 'reference_image_urls', 'reference_images'],
  audio: ['generate_audio', 'audio', 'enable_audio'],
  seed: ['seed'],
  negativePrompt: ['negative_prompt'],
}
const oursOf = (name: string): string | undefined => Object.keys(NAMES).find((own) => NAMES[own]?.includes(name))

/**
 * @param documents of one model at one vendor: one for each of its names, as fal has one for each mode
 * @param model its name in a list of several
 * @returns null when a document is of no known kind
 */
export function draftModel(documents: unknown[], model: string | null, asOf: string): Draft | null {
  const endpoints = documents.map(
    (document) => ofFal(document) ?? ofReplicate(document) ?? ofOpenRouter(document, model),
  )
  const notes: string[] = []
  const parts = endpoints.flatMap((endpoint) => (endpoint ? [partOf(endpoint, notes)] : []))
  const [first] = parts
  if (!first || parts.length < endpoints.length) return null
  const modes = parts.flatMap((part) => part.modes)
  const id = idOf(first.model)
  const options = optionsOf(parts, modes)
  return {
    entry: {
      $schema: '../model.schema.json',
      id,
      name: first.name ?? id.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      ...(first.company && { company: first.company }),
      asOf,
      modes: modesOf(parts),
      ...(Object.keys(options).length > 0 && { options }),
      price: { fromCost: { markup: 1.4 } },
      routes: [
        {
          account: first.account,
          model:
            parts.length === 1
              ? first.model
              : Object.fromEntries(parts.flatMap((part) => part.modes.map((mode) => [mode, part.model]))),
          input:
            parts.length === 1
              ? first.input
              : Object.fromEntries(parts.flatMap((part) => part.modes.map((mode) => [mode, part.input]))),
          ...(first.cost && { cost: { per: 'second' as const, ...first.cost, asOf } }),
        },
      ],
      usualSeconds: 60,
      deadlineSeconds: 1800,
    },
    notes: [
      ...notes,
      `the name of the model, the markup of its price, usualSeconds and deadlineSeconds are a guess; compare values and limits with the vendor’s page`,
      ...(first.cost ? ['the cost is what the vendor’s list says today: compare it with an invoice'] : []),
    ],
  }
}

/** The OpenAPI of an endpoint: the one path that takes a request. */
function ofFal(document: unknown): Endpoint | null {
  const paths = Object.entries((at(document, 'paths') ?? {}) as object)
  const found = paths.find(([, path]) => at(path, 'post', 'requestBody') !== undefined)
  if (!found) return null
  const [path, methods] = found
  const schema = at(methods, 'post', 'requestBody', 'content', 'application/json', 'schema')
  const model = textAt(document, 'info', 'x-fal-metadata', 'endpointId') ?? path.slice(1)
  return { account: 'fal', model, fields: fieldsIn(document, schema) }
}

/** A model with its latest version. */
function ofReplicate(document: unknown): Endpoint | null {
  const openapi = at(document, 'latest_version', 'openapi_schema')
  const schema = at(openapi, 'components', 'schemas', 'Input')
  const [owner, name] = [textAt(document, 'owner'), textAt(document, 'name')]
  if (schema === undefined || owner === null || name === null) return null
  return { account: 'replicate', model: `${owner}/${name}`, fields: fieldsIn(openapi, schema) }
}

/** The list of video models. */
function ofOpenRouter(document: unknown, model: string | null): Endpoint | null {
  const models = listAt(document, 'data').filter((each) => at(each, 'supported_durations') !== undefined)
  const found = models.find((each) => textAt(each, 'id') === model) ?? (models.length === 1 ? models[0] : undefined)
  const id = textAt(found, 'id')
  if (id === null) return null
  const frames = listAt(found, 'supported_frame_images')
  const field = (name: string, more: Partial<Field>): Field => ({ ...NO_FIELD, name, ...more })
  const listed = (name: string, list: string) =>
    field(name, { values: listAt(found, list).filter((each) => typeof each === 'string' || typeof each === 'number') })
  const [company, name] = (textAt(found, 'name') ?? '').split(': ')
  return {
    account: 'openrouter',
    model: id,
    ...(name && { company, name }),
    fields: [
      field('prompt', { isRequired: true }),
      listed('duration', 'supported_durations'),
      listed('resolution', 'supported_resolutions'),
      listed('aspect_ratio', 'supported_aspect_ratios'),
      ...(at(found, 'generate_audio') === true ? [field('generate_audio', { type: 'boolean' })] : []),
      ...(at(found, 'seed') === true ? [field('seed', { type: 'integer' })] : []),
    ],
    modes: [
      'text-to-video',
      ...(frames.includes('first_frame') ? (['image-to-video'] as const) : []),
      ...(frames.includes('first_frame') && frames.includes('last_frame') ? (['first-last'] as const) : []),
    ],
    input: frames.includes('first_frame') ? { frame_images: FRAMES } : {},
    cost: costOf(at(found, 'pricing_skus')),
  }
}
const frame = (url: string, type: string) =>
  `{ 'type': 'image_url', 'image_url': { 'url': ${url} }, 'frame_type': '${type}' }`
const FRAMES = `startImageUrl ? [${frame('startImageUrl', 'first_frame')}, endImageUrl ? ${frame('endImageUrl', 'last_frame')}]`

const PER_SECOND = /^(?:(text|image)_to_video_)?duration_seconds(?:_(with|without)_audio)?(?:_(\d+p|4k))?$/
const CENTS_PER_SECOND = /^cents_per_video_output_second(?:_(\d+p|4k))?$/

/** Undefined unless every price of the list is one for a second of film: another may be a part of each cost. */
function costOf(skus: unknown): Endpoint['cost'] {
  const usd: Record<string, number> = {}
  const names = Object.keys((skus ?? {}) as object)
  for (const name of names) {
    const amount = numberAt(skus, name)
    const [seconds, cents] = [PER_SECOND.exec(name), CENTS_PER_SECOND.exec(name)]
    if (amount === null || (!seconds && !cents)) return undefined
    const [, from, audio, quality] = seconds ?? [undefined, undefined, undefined, cents?.[1]]
    const words = [from && `${from}-to-video`, quality, audio === 'with' && 'audio'].filter(Boolean)
    usd[words.join('+') || '*'] = cents ? amount / 100 : amount
  }
  return names.length > 0 ? { usd, source: 'openrouter.ai/api/v1/videos/models' } : undefined
}

const NO_FIELD: Field = {
  name: '',
  type: null,
  values: [],
  minimum: null,
  maximum: null,
  itemsMax: null,
  lengthMax: null,
  default: undefined,
  isRequired: false,
}

function fieldsIn(document: unknown, schema: unknown): Field[] {
  const input = resolved(document, schema)
  const required = listAt(input, 'required')
  return Object.entries((at(input, 'properties') ?? {}) as object).map(([name, property]) => {
    const found = resolved(document, property)
    return {
      name,
      type: textAt(found, 'type'),
      values: listAt(found, 'enum').filter((each) => typeof each === 'string' || typeof each === 'number'),
      minimum: numberAt(found, 'minimum'),
      maximum: numberAt(found, 'maximum'),
      itemsMax: numberAt(found, 'maxItems'),
      lengthMax: numberAt(found, 'maxLength'),
      default: at(found, 'default'),
      isRequired: required.includes(name),
    }
  })
}

const DEPTH_MAX = 10

/** A schema with what it refers to; of several choices the first that is not null, with the values of all. */
function resolved(document: unknown, schema: unknown, depth = 0): object {
  if (typeof schema !== 'object' || schema === null || depth > DEPTH_MAX) return {}
  const path = /^#\/(.+)$/.exec(textAt(schema, '$ref') ?? '')?.[1]
  const referred = path === undefined ? [] : [at(document, ...path.split('/'))]
  const parts = [...referred, ...listAt(schema, 'allOf')].map((part) => resolved(document, part, depth + 1))
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]
    .map((choice) => resolved(document, choice, depth + 1))
    .filter((choice) => textAt(choice, 'type') !== 'null')
  const values = choices.flatMap((choice) => listAt(choice, 'enum'))
  return Object.assign({}, ...parts, choices[0] ?? {}, values.length > 0 ? { enum: values } : {}, schema)
}

function partOf(endpoint: Endpoint, notes: string[]): Part {
  const fields = new Map(endpoint.fields.flatMap((field) => (oursOf(field.name) ? [[oursOf(field.name), field]] : [])))
  const modes = endpoint.modes ?? modesBy((name) => fields.get(name))
  const part: Part = { ...endpoint, modes, shape: {}, options: {}, input: {} }
  const [fixed, left]: [string[], string[]] = [[], []]
  for (const field of endpoint.fields) {
    const own = oursOf(field.name)
    if (own && fields.get(own) === field) part.input[field.name] = expressionOf(part, own, field)
    else if (isConstant(field.default)) {
      part.input[field.name] = constant(field.default)
      fixed.push(field.name)
    } else left.push(field.name)
  }
  Object.assign(part.input, endpoint.input)
  const isOfImage = !modes.includes('text-to-video') && !fields.has('referenceImageUrls')
  if (isOfImage && !part.shape.aspectRatio) part.shape.aspectRatio = FOLLOWS_THE_IMAGE
  if (fixed.length > 0) {
    notes.push(
      `${endpoint.model}: ${fixed.join(', ')} get the vendor’s default; make an option of what users may choose`,
    )
  }
  if (left.length > 0) notes.push(`${endpoint.model}: ${left.join(', ')} are left out`)
  return part
}

/** The modes that the fields for images allow. */
function modesBy(field: (name: string) => Field | undefined): Mode[] {
  const [start, end, references] = ['startImageUrl', 'endImageUrl', 'referenceImageUrls'].map(field)
  const isNeeded = (name: Field | undefined) => name?.isRequired === true
  const found: Record<Mode, boolean> = {
    'text-to-video': !isNeeded(start) && !isNeeded(end) && !isNeeded(references),
    'image-to-video': start !== undefined && !isNeeded(end) && !isNeeded(references),
    'first-last': start !== undefined && end !== undefined && !isNeeded(references),
    reference: references !== undefined && !isNeeded(start),
    extend: false,
    upscale: false,
  }
  return MODES.filter((mode) => found[mode])
}

/** Adds the values of a field to the mode or the options. @returns the expression for it */
function expressionOf({ shape, options, modes }: Part, own: string, field: Field): string {
  switch (own) {
    case 'duration':
      return addDuration(shape, field)
    case 'quality':
      return addQuality(shape, field)
    case 'aspectRatio': {
      const ratios = field.values.map(String).filter((value) => /^[1-9]\d?:[1-9]\d?$/.test(value))
      const follow = field.values.find((value) => value === 'auto' || value === 'adaptive')
      const follows = follow !== undefined && !modes.includes('text-to-video')
      if (follows) shape.aspectRatio = FOLLOWS_THE_IMAGE
      else if (ratios.length > 0) shape.aspectRatio = ratios
      return follows ? constant(follow) : own
    }
    case 'referenceImageUrls':
      if (field.itemsMax !== null) shape.images = { from: 1, to: field.itemsMax }
      return own
    case 'audio':
      options.audio = { type: 'boolean', default: field.default !== false }
      return own
    case 'seed': {
      const maximum = Math.min(field.maximum ?? SEED_MAX, SEED_MAX)
      options.seed = { type: 'integer', minimum: Math.max(field.minimum ?? 0, 0), maximum }
      return own
    }
    case 'negativePrompt':
      options.negativePrompt = { type: 'string', maxLength: Math.min(field.lengthMax ?? 500, 5000) }
      return own
    default:
      return own
  }
}

function addDuration(shape: Shape, { type, values, minimum, maximum }: Field): string {
  const seconds = values.map((value) => Number(/^(\d+)s?$/.exec(String(value))?.[1])).filter((each) => each > 0)
  if (seconds.length > 0) shape.duration = seconds
  else if (maximum !== null)
    shape.duration = { from: Math.max(1, minimum ?? 1), to: Math.min(maximum, FILM_SECONDS_MAX) }
  const texts = values.filter((value) => typeof value === 'string' && /^\d/.test(value))
  if (texts.length > 0 && texts.every((value) => String(value).endsWith('s'))) return "$string(duration) & 's'"
  return texts.length > 0 || type === 'string' ? '$string(duration)' : 'duration'
}

function addQuality(shape: Shape, { values }: Field): string {
  const wordOf = (value: string | number) =>
    String(value)
      .toLowerCase()
      .replace(/^2160p$/, '4k')
  const words = QUALITIES.flatMap((word) =>
    values.filter((value) => wordOf(value) === word).map((value) => ({ word, value })),
  )
  if (words.length > 0) shape.quality = words.map(({ word }) => word)
  const table = words.map(({ word, value }) => `'${word}': ${constant(value)}`)
  return words.every(({ word, value }) => word === value) ? 'quality' : `{ ${table.join(', ')} } ~> $lookup(quality)`
}

const isConstant = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')

/** A JSONata expression. */
const constant = (value: string | number | boolean): string =>
  typeof value === 'string' && !/['\\\n]/.test(value) ? `'${value}'` : JSON.stringify(value)

/** Each mode with what differs from the first. */
function modesOf(parts: Part[]): ModelEntry['modes'] {
  const [first] = parts
  const shapes = parts.flatMap(({ modes, shape }) => modes.map((mode) => [mode, shapeFor(mode, shape)] as const))
  const base = shapeFor(first?.modes[0] ?? 'text-to-video', first?.shape ?? {})
  const differing = (shape: Shape): Shape =>
    Object.fromEntries(
      Object.entries(shape).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(entryOf(base as Record<string, unknown>, name)),
      ),
    )
  return Object.fromEntries(shapes.map(([mode, shape], i) => [mode, i === 0 ? shape : differing(shape)]))
}

const shapeFor = (mode: Mode, { images, ...shape }: Shape): Shape =>
  mode === 'reference' && images ? { ...shape, images } : shape

/** Each option with its modes, where not all have it. */
function optionsOf(parts: Part[], all: Mode[]): Record<string, Option> {
  const names = [...new Set(parts.flatMap(({ options }) => Object.keys(options)))]
  return Object.fromEntries(
    names.flatMap((name) => {
      const having = parts.filter(({ options }) => Object.hasOwn(options, name))
      const modes = having.flatMap((part) => part.modes)
      const option = having[0]?.options[name]
      return option ? [[name, modes.length < all.length ? { ...option, modes } : option]] : []
    }),
  )
}

const MODE_WORDS = /^(text|image|first-last-frame|reference|first-frame)-to-video$|^(video|v1|fal-ai)$/

/** The vendor's name without its company and the words of modes. */
function idOf(model: string): string {
  const [owner, ...rest] = model.split('/')
  const words = rest.filter((word) => !MODE_WORDS.test(word))
  return (words.length > 0 ? words.join('-') : (owner ?? ''))
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
}
