/**
 * The values of the generate form. A draft is what the user wishes, over all models; what of it a model can do is
 * fitted to its schema anew each time, so that a wish survives a model that lacks it. Invariant: fitted values are
 * accepted by the schema of their model, where any are; only the prompt and images that a mode still needs are checked
 * at submission.
 */

import type { GenerateBody, KinoraError, Schemas, Video } from '@kinora/client'
import { accepts, type Scalar, type Schema } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { formatNumber } from '../ui/format.ts'
import { UPSCALE } from '../upscalers.ts'
import { aspectRatio, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import {
  type FormField,
  fieldAt,
  imageCountOf,
  imageFieldsOf,
  isAllowed,
  type Mode,
  type Model,
  modesOf,
  nearestAllowed,
  pathsOf,
  type Request,
  valuesLeft,
} from './form-fields.ts'

/** An image of the form, or the film that another one continues, with its size in pixels where it is known. */
export type DraftImage = { url: string; width?: number; height?: number }

/** What the user wishes; it is also stored, so every part may be missing. */
export type Draft = {
  prompt?: string
  model?: string
  /** By the name of the field, also those of `options`. */
  fields?: Record<string, Scalar>
  images?: Record<string, DraftImage[]>
  /** How many films of one request. */
  n?: number
  /** Ids of other models that make the film too. */
  compared?: string[]
}

export type FormValues = {
  prompt: string
  /** Without the prompt. */
  request: Request
  mode: Mode
  /** Images that the mode needs and the draft has not: the request is not complete without them. */
  missing: string[]
}

export const PROMPT_CHARACTERS_MAX = 5000
const DEFAULT_QUALITY = '720p'
/** Stands for an image that is still missing, so that the form shows what its mode will allow. */
const ANY_LINK = 'https://image.invalid/'

export const EXAMPLE_PROMPT = t`A paper boat drifts down a rain gutter at dawn, past neon signs mirrored in the water. The camera follows close behind.`

/** The models that accept requests now: enabled and priced. */
export const availableModels = (models: Schemas['Model'][]): Model[] =>
  models
    .filter(({ enabled, pricing }) => enabled && pricing)
    .map((model) => ({ ...model, schema: model.schema as Schema }))

/** The model of a draft, or the first one when that is not available; undefined when there are none. */
export const modelOf = (draft: Draft, models: Model[]): Model | undefined =>
  models.find(({ id }) => id === draft.model) ?? models[0]

/**
 * What a model makes of a draft: a wish that it cannot fulfil becomes the nearest allowed value, and a missing one the
 * default.
 * @param kept a field that keeps its wish where another one can give way
 */
export function fit(draft: Draft, model: Model, kept?: string): FormValues {
  const mode = modeFor(model, draft)
  const missing: string[] = []
  const images: Request = {}
  for (const name of mode.images) {
    const links = (draft.images?.[name] ?? []).map(({ url }) => url)
    const count = imageCountOf(model, name, mode)
    if (links.length < (count?.from ?? 1)) missing.push(name)
    images[name] = count ? (links.length > 0 ? links.slice(0, count.to) : [ANY_LINK]) : (links[0] ?? ANY_LINK)
  }
  const wishes: Wishes = { aspectRatio: DEFAULT_ASPECT_RATIO, quality: DEFAULT_QUALITY, ...draft.fields }
  const films = Math.min(draft.n ?? 1, filmsMaxOf(model))
  const request = routed(model, { model: model.id, ...images, ...(films > 1 && { n: films }) }, wishes, kept)
  return { prompt: draft.prompt ?? '', request, mode, missing }
}

type Wishes = Record<string, Scalar | undefined>

/** The request, with another value of one field when no route of the model can do it as it is. */
function routed(model: Model, shape: Request, wishes: Wishes, kept: string | undefined): Request {
  const first = filled(model, shape, wishes)
  const isServed = (request: Request) => accepts(model.schema, { prompt: '-', ...request })
  if (isServed(first)) return first
  for (const path of pathsOf(model)) {
    const name = path.at(-1) ?? ''
    const field = name === kept ? null : fieldAt(model.schema, path, first)
    const left = field ? valuesLeft(field) : null
    for (const value of left?.kind === 'list' ? left.list : [undefined]) {
      const changed = filled(model, shape, { ...wishes, [name]: value })
      if (isServed(changed)) return changed
    }
  }
  return first
}

/** A change of a field may change what a rule leaves of another: repeated until nothing changes. */
const ROUNDS_MAX = 4

function filled(model: Model, shape: Request, wishes: Wishes): Request {
  let request = shape
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = JSON.stringify(request)
    for (const path of pathsOf(model)) request = withField(model, request, path, wishes)
    if (JSON.stringify(request) === before) break
  }
  return request
}

function withField(model: Model, request: Request, path: readonly string[], wishes: Wishes): Request {
  const name = path.at(-1) ?? ''
  const field = fieldAt(model.schema, path, request)
  const value = field ? fittedValue(field, wishes[name] ?? field.initial) : undefined
  if (path.length === 1) return withEntry(request, name, value)
  const options = withEntry(request.options ?? {}, name, value)
  return withEntry(request, 'options', Object.keys(options).length > 0 ? options : undefined)
}

function fittedValue(field: FormField, wish: Scalar | undefined): Scalar | undefined {
  if (isAllowed(field, wish)) return wish
  const hasValue =
    field.isRequired || field.initial !== undefined || (wish !== undefined && field.values.kind === 'list')
  return hasValue ? nearestAllowed(field, wish) : undefined
}

function withEntry(object: Request, name: string, value: unknown): Request {
  const { [name]: _, ...others } = object
  return value === undefined ? others : { ...others, [name]: value }
}

/** The value that a field has, in the request or its options. */
export const valueAt = ({ request }: Pick<FormValues, 'request'>, path: readonly string[]): Scalar | undefined =>
  (path.length === 1 ? request[path[0] ?? ''] : request.options?.[path[1] ?? '']) as Scalar | undefined

/** The mode that uses most of the images: one that needs no other image, else the one that needs the fewest. */
function modeFor(model: Model, { images = {} }: Draft): Mode {
  const supported = imageFieldsOf(model).filter((name) => (images[name] ?? []).length > 0)
  const used = (mode: Mode) => supported.filter((name) => mode.images.includes(name)).length
  const missing = (mode: Mode) => mode.images.filter((name) => !supported.includes(name)).length
  const [best] = modesOf(model).toSorted((a, b) => used(b) - used(a) || missing(a) - missing(b))
  return best ?? { name: '', images: [] }
}

/** The aspect ratio of the values that is nearest to an image's, so least is cut; undefined without a choice. */
export function nearestAspectRatio(ratios: readonly Scalar[], { width, height }: DraftImage): string | undefined {
  if (!width || !height) return undefined
  const distance = (ratio: Scalar) => Math.abs(Math.log(aspectRatio(String(ratio)) / (width / height)))
  const [nearest] = ratios.toSorted((a, b) => distance(a) - distance(b))
  return nearest === undefined ? undefined : String(nearest)
}

/** How many films one request for a model may make. */
export const filmsMaxOf = ({ schema }: Pick<Model, 'schema'>): number => {
  const n = typeof schema === 'object' ? schema.properties?.n : undefined
  return typeof n === 'object' ? (n.maximum ?? 1) : 1
}

/** How many films the values make. */
export const filmsOf = ({ request }: Pick<FormValues, 'request'>): number => Number(request.n ?? 1)

/** The credits of the films of these values, as the model's price list has them; null when it has none. */
export function priceOf({ prices }: Pick<Model, 'prices'>, { request, mode }: FormValues): number | null {
  if (!prices) return null
  const chosenAt = (name: string) => (name === 'mode' ? mode.name : (request[name] ?? request.options?.[name]))
  // A value that the list does not have, such as a seed, is one of many of the same price.
  const listed = prices.dependsOn.filter((name) => prices.list.some((entry) => entry[name] === chosenAt(name)))
  const found = prices.list.find((entry) => listed.every((name) => entry[name] === chosenAt(name)))
  if (!found) return null
  const exact = priceIn[prices.per](found.credits, Number(request.duration))
  // The list's credits a second have six places.
  return filmsOf({ request }) * Math.max(1, Math.ceil(exact - 1e-4))
}

/** The credits of the film at each of the models together; null when one of them has no price. */
export const totalPrice = (models: Model[], draft: Draft): number | null =>
  models
    .map((model) => priceOf(model, fit(draft, model)))
    .reduce((total, each) => (total === null || each === null ? null : total + each), 0)

/** What the credits of a price are paid for. */
export type PriceUnit = NonNullable<Model['pricing']>['per']

const priceIn: Record<PriceUnit, (credits: number, seconds: number) => number> = {
  second: (credits, seconds) => credits * seconds,
  clip: (credits) => credits,
}

/** The fields that the form has by their names: those about the film that it does not show otherwise. */
export type FilmField = Exclude<keyof GenerateBody, Shown | 'options' | 'n' | 'metadata' | 'webhookUrl'>
type Shown =
  | 'prompt'
  | 'model'
  | 'mode'
  | 'startImageUrl'
  | 'endImageUrl'
  | 'referenceImageUrls'
  | 'extendFrom'
  | 'upscaleFrom'

/** The draft that reproduces a video. */
export function draftOf(video: Video): Draft {
  const { prompt, model, duration, aspectRatio, resolution, seed, negativePrompt, audio, options } = video
  const shape = { duration: Math.round(duration), aspectRatio, quality: resolution }
  const fields: Record<FilmField, Scalar | null> = { ...shape, seed, negativePrompt, audio }
  const image = (url: string | null): DraftImage[] => (url === null ? [] : [{ url }])
  return {
    prompt,
    model,
    fields: Object.fromEntries(
      Object.entries({ ...fields, ...options }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    images: {
      startImageUrl: image(video.startImageUrl),
      endImageUrl: image(video.endImageUrl),
      referenceImageUrls: (video.referenceImageUrls ?? []).flatMap(image),
      extendFrom: image(video.extendedFrom),
    },
  }
}

export function requestBody({ prompt, request, mode }: FormValues): GenerateBody {
  // A larger copy has the length and the shape of its film; the values have them for the list and the price.
  const { duration: _, aspectRatio: __, ...ofCopy } = request
  return (mode.name === UPSCALE ? ofCopy : { prompt, ...request }) as unknown as GenerateBody
}

/** @returns a message for the user; null when the prompt is valid */
export function promptError(prompt: string): string | null {
  if (!prompt.trim()) return t`Write what the film shows.`
  // Count code points, as the API does, so that an emoji is one character.
  const length = [...prompt.trim()].length
  if (length <= PROMPT_CHARACTERS_MAX) return null
  return t`The prompt has ${formatNumber(length)} characters; at most ${formatNumber(PROMPT_CHARACTERS_MAX)} fit.`
}

/** Whether the request may have been executed all the same, so that a retry has to use the same idempotency key. */
export const isOutcomeUnknown = ({ code, status }: KinoraError): boolean =>
  code === 'UNREACHABLE' || code === 'CONFLICT' || status >= 500

/** An image field's validation error, such as an expired link: field and message; null for every other error. */
export function imageError(error: KinoraError | null): { field: string; message: string } | null {
  const [detail]: unknown[] = Array.isArray(error?.details) ? error.details : []
  if (!error || typeof detail !== 'object' || detail === null || !('path' in detail)) return null
  const field = String(detail.path).replace(/[.[/].*$/, '')
  return /ImageUrls?$/.test(field) ? { field, message: error.message } : null
}
