/**
 * The first draft of a model's file, from what a vendor publishes about the fields of a request (`readModel` and
 * `readList` of its adapter). What no document says is left out, so that the check of the file names it.
 */

import { SEED_MAX } from '../film/limits.ts'
import type { Mode } from '../film/mode.ts'
import { FILM_SECONDS_MAX } from '../media/film/film.ts'
import { loadAdapter } from '../provider/open.ts'
import type { Field, Published } from '../provider/published.ts'
import { entryOf } from '../text/json-reader.ts'
import { FOLLOWS_THE_IMAGE, type ModelEntry, type Option, QUALITIES, type Shape } from './model-file.ts'

/** A model as the vendor of an account publishes it. */
export type Endpoint = Published & { account: string }
/** What an endpoint adds to the file. */
export type Part = Endpoint & {
  modes: Mode[]
  shape: Shape
  options: Record<string, Option>
  input: Record<string, string>
}
/** `entry`: the file, which may lack what it must have. `notes`: what its author decides and no check finds. */
export type Draft = { entry: Partial<ModelEntry>; notes: string[] }

/** What the fields of the vendors' requests are called, by the field of ours. */
const NAMES: Record<string, string[]> = {
  prompt: ['prompt', 'text_prompt', 'prompt_text'],
  duration: ['duration', 'duration_seconds', 'seconds', 'video_length'],
  quality: ['resolution', 'quality'],
  aspectRatio: ['aspect_ratio', 'ratio'],
  start: [
    'image_url',
    'image',
    'start_image_url',
    'start_image',
    'first_frame_url',
    'first_frame_image',
    'first_frame',
  ],
  end: ['end_image_url', 'end_image', 'last_frame_url', 'last_frame_image', 'last_frame', 'tail_image_url'],
  referenceImages: ['image_urls', 'reference_image_urls', 'reference_images'],
  audio: ['generate_audio', 'audio', 'enable_audio'],
  seed: ['seed'],
  negativePrompt: ['negative_prompt'],
}
const oursOf = (name: string): string | undefined => Object.keys(NAMES).find((own) => NAMES[own]?.includes(name))

/** The adapters that read a model in a document of their vendor. */
const READERS = ['fal', 'replicate', 'openrouter']

/**
 * The models of documents of one vendor: one for each name of a model, as fal has one for each mode.
 * @param model its name in a list of several
 * @returns null when a document is of no known kind
 */
export async function endpointsIn(documents: unknown[], model: string | null): Promise<Endpoint[] | null> {
  const readers = await Promise.all(READERS.map(async (name) => ({ name, ...(await loadAdapter(name)) })))
  const found = documents.flatMap((document): Endpoint[] => {
    for (const { name, readModel } of readers) {
      const published = readModel?.(document, model)
      if (published) return [{ ...published, account: name }]
    }
    return []
  })
  return found.length === 0 || found.length < documents.length ? null : found
}

/** Of the ready models. */
export const MARKUP = 1.4

/** @param endpoints of one model at one account: one for each of its names */
export function draftModel(endpoints: [Endpoint, ...Endpoint[]], asOf: string): Draft {
  const notes: string[] = []
  const [first, ...others] = endpoints.map((endpoint) => partOf(endpoint, notes)) as [Part, ...Part[]]
  const parts = [first, ...others]
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
      price: { fromCost: { markup: MARKUP } },
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

/** @param notes what its author decides is added to them */
export function partOf(endpoint: Endpoint, notes: string[]): Part {
  const fields = new Map(endpoint.fields.flatMap((field) => (oursOf(field.name) ? [[oursOf(field.name), field]] : [])))
  const modes = endpoint.modes ?? modesBy((name) => fields.get(name))
  const part: Part = { ...endpoint, modes, shape: { ...(endpoint.values as Shape) }, options: {}, input: {} }
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
  const isOfImage = !modes.includes('text-to-video') && !fields.has('referenceImages')
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
  const [start, end, references] = ['start', 'end', 'referenceImages'].map(field)
  const isNeeded = (name: Field | undefined) => name?.isRequired === true
  const found = {
    'text-to-video': !isNeeded(start) && !isNeeded(end) && !isNeeded(references),
    'image-to-video': start !== undefined && !isNeeded(end) && !isNeeded(references),
    'first-last': start !== undefined && end !== undefined && !isNeeded(references),
    reference: references !== undefined && !isNeeded(start),
  }
  return Object.entries(found).flatMap(([mode, isFound]) => (isFound ? [mode] : []))
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
    case 'referenceImages':
      if (field.itemsMax !== null) shape.inputs = { reference: { from: 1, to: field.itemsMax } }
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

const shapeFor = (mode: Mode, { inputs, ...shape }: Shape): Shape =>
  mode === 'reference' && inputs ? { ...shape, inputs } : shape

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
export function idOf(model: string): string {
  const [owner, ...rest] = model.split('/')
  const words = rest.filter((word) => !MODE_WORDS.test(word))
  return (words.length > 0 ? words.join('-') : (owner ?? ''))
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
}
