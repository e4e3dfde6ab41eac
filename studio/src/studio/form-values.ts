/**
 * The values of the generate form. A draft is what the user wishes, over all models; what of it a model can do is
 * fitted to its schema anew each time, so that a wish survives a model that lacks it. Invariant: fitted values are
 * accepted by the schema of their model, where any are; only the prompt and images that a mode still needs are checked
 * at submission.
 */

import type { GenerateBody, KinoraError, Schemas, Video } from '@kinora/client'
import { accepts, type Scalar, type Schema } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { isUpscaler, UPSCALE } from '../upscalers.ts'
import { aspectRatio, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import {
  type FormField,
  fieldAt,
  fits,
  isAllowed,
  type Mode,
  type Model,
  modeGroupsOf,
  modesOf,
  nearestAllowed,
  pathsOf,
  type Request,
  valuesLeft,
} from './form-fields.ts'

export const KINDS = ['image', 'film', 'sound'] as const
export type Kind = (typeof KINDS)[number]

/**
 * An input of the form: an asset, one of the user's films, or a link; with its size in pixels and its length where they
 * are known.
 */
export type DraftInput = {
  kind: Kind
  asset?: string
  video?: string
  url?: string
  width?: number
  height?: number
  seconds?: number
  /** Of a keyframe, in seconds. */
  at?: number
}

/** What the user wishes; it is also stored, so every part may be missing. */
export type Draft = {
  prompt?: string
  model?: string
  /** The mode, or one of its group; without it the inputs decide. */
  mode?: string
  /** By the name of the field, also those of `options`. */
  fields?: Record<string, Scalar>
  /** By their role. */
  inputs?: Record<string, DraftInput[]>
  /** How many films of one request. */
  n?: number
  /** Ids of other models that make the film too. */
  compared?: string[]
}

export type FormValues = {
  prompt: string
  /** Of the mode; none: that of its film stays. */
  promptUse: 'required' | 'optional' | 'none'
  /** Without the prompt. */
  request: Request
  mode: Mode
  /** Of the draft, in the order of the request. */
  inputs: DraftInput[]
  /** How long the film is; null: an input or the provider decides it. */
  seconds: number | null
  aspectRatio: string
  /** Roles of which the draft has too few inputs: the request is not complete without them. */
  missing: string[]
}

export const PROMPT_CHARACTERS_MAX = 5000
const DEFAULT_QUALITY = '720p'
const DEFAULT_SECONDS = 5
/** Stands for an input that is still missing, so that the form shows what its mode will allow. */
export const ANY_LINK = 'https://input.invalid/'

export const EXAMPLE_PROMPT = t`A paper boat drifts down a rain gutter at dawn, past neon signs mirrored in the water. The camera follows close behind.`

/** The models that accept requests now: enabled and priced. */
export const availableModels = (models: Schemas['Model'][]): Model[] =>
  models
    .filter(({ enabled, pricing }) => enabled && pricing)
    .map((model) => ({ ...model, schema: model.schema as Schema }))

/** Of the API's list those that make films: a larger copy is made elsewhere. */
export const selectMakers = ({ models }: { models: Schemas['Model'][] }): Model[] =>
  availableModels(models).filter((model) => !isUpscaler(model))

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
  const inputs: DraftInput[] = []
  const named = mode.inputs.flatMap(({ role, from, to, kinds }) => {
    const own = inputsOf(draft, role, kinds).slice(0, to)
    inputs.push(...own)
    if (own.length < from) missing.push(role)
    const absent = { kind: kinds[0] as Kind, url: ANY_LINK }
    const padded = own.length < from ? [...own, ...Array<DraftInput>(from - own.length).fill(absent)] : own
    return padded.map((input) => namedInput(role, input))
  })
  const shape: Request = {
    model: model.id,
    ...(named.length > 0 && { inputs: named }),
    ...(isStated(model, mode, named) && { mode: mode.name }),
  }
  const wishes: Wishes = { aspectRatio: DEFAULT_ASPECT_RATIO, quality: DEFAULT_QUALITY, ...draft.fields }
  const films = Math.min(draft.n ?? 1, filmsMaxOf(model, shape))
  const request = withTimes(routed(model, { ...shape, ...(films > 1 && { n: films }) }, wishes, kept))
  return {
    prompt: draft.prompt ?? '',
    promptUse: promptUseOf(model, shape),
    request,
    mode,
    inputs,
    seconds: typeof request.duration === 'number' ? request.duration : null,
    aspectRatio: String(request.aspectRatio ?? DEFAULT_ASPECT_RATIO),
    missing,
  }
}

/**
 * What each model makes of a draft: films that are compared have one length, the nearest to the wish that all the
 * models can make together with the rest; each its own where there is none.
 */
export function fitAll(draft: Draft, models: Model[]): FormValues[] {
  const all = models.map((model) => fit(draft, model))
  if (new Set(all.map(({ seconds }) => seconds)).size < 2) return all
  const [first = [], ...others] = models.map((model, at) => lengthsOf(model, all[at]?.request ?? {}))
  const shared = first.filter((length) => others.every((lengths) => lengths.includes(length)))
  const wish = Number(draft.fields?.duration ?? DEFAULT_SECONDS)
  for (const duration of shared.toSorted((a, b) => Math.abs(a - wish) - Math.abs(b - wish))) {
    const even = models.map((model) => fit({ ...draft, fields: { ...draft.fields, duration } }, model))
    if (even.every(({ seconds }) => seconds === duration)) return even
  }
  return all
}

/** The seconds that a film of a model can have. */
function lengthsOf(model: Model, request: Request): number[] {
  const field = fieldAt(model.schema, ['duration'], request)
  const left = field ? valuesLeft(field) : null
  if (left?.kind === 'list') return left.list.map(Number)
  if (left?.kind !== 'range') return []
  const { from, to } = left.range
  return Array.from({ length: Math.floor(to - from) + 1 }, (_, at) => from + at)
}

function promptUseOf({ schema }: Model, request: Request): FormValues['promptUse'] {
  const field = fieldAt(schema, ['prompt'], request)
  return field === null ? 'none' : field.isRequired ? 'required' : 'optional'
}

/** The inputs of a draft that a role takes. */
export const inputsOf = ({ inputs }: Draft, role: string, kinds: readonly string[]): DraftInput[] =>
  (inputs?.[role] ?? []).filter(({ kind }) => kinds.includes(kind))

type Named = { role: string; at?: number }
const TIMES_APART_S = 0.5
/** The request with each keyframe within the film, and at a time of its own. */
function withTimes(request: Request): Request {
  const inputs = request.inputs as Named[] | undefined
  const end = typeof request.duration === 'number' ? request.duration : Infinity
  const taken = new Set<number>()
  const fitted = inputs?.map((input) => {
    if (input.at === undefined) return input
    let at = Math.min(input.at, end)
    while (taken.has(at) && at + TIMES_APART_S <= end) at += TIMES_APART_S
    while (taken.has(at)) at -= TIMES_APART_S
    taken.add(at)
    return { ...input, at }
  })
  return fitted ? { ...request, inputs: fitted } : request
}

/** When the film has a keyframe of the form, in seconds. */
export const timeOf = ({ request, inputs }: FormValues, input: DraftInput): number =>
  (request.inputs as Named[] | undefined)?.[inputs.indexOf(input)]?.at ?? input.at ?? 0

/** An input as a request names it. */
export function namedInput(role: string, { kind, asset, video, url, at = 0 }: DraftInput) {
  const source = asset !== undefined ? { asset } : video !== undefined ? { video } : { url, kind }
  return { role, ...source, ...(role === KEYFRAME && { at }) }
}
export const KEYFRAME = 'keyframe'
export const REFERENCE = 'reference'

/** Whether a request has to state its mode: the roles of its inputs, or those that it needs, are of another one too. */
export function isStated(model: Model, mode: Mode, named: readonly { role: string }[]): boolean {
  const needed = mode.inputs.flatMap(({ role, from }) => (from > 0 ? [role] : []))
  const given = named.map(({ role }) => role)
  return modesOf(model).some(
    (other) => other.name !== mode.name && (fits(other, given) || (needed.length > 0 && fits(other, needed))),
  )
}

type Wishes = Record<string, Scalar | undefined>

/** The request, with another value of one field when no route of the model can do it as it is. */
function routed(model: Model, shape: Request, wishes: Wishes, kept: string | undefined): Request {
  const first = filled(model, shape, wishes)
  const prompt = promptUseOf(model, shape) === 'none' ? {} : { prompt: '-' }
  const isServed = (request: Request) => accepts(model.schema, { ...prompt, ...request })
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
  const standard = name === 'duration' && field?.isRequired ? DEFAULT_SECONDS : undefined
  const value = field ? fittedValue(field, wishes[name] ?? field.initial ?? standard) : undefined
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

/**
 * The mode of the chosen group, or of all where the model has not that one, that uses most of the inputs: one that
 * needs no other input, else the one that needs the fewest.
 */
function modeFor(model: Model, draft: Draft): Mode {
  const groups = modeGroupsOf(model)
  const modes = groups.find((group) => group.some(({ name }) => name === draft.mode)) ?? groups.flat()
  const has = ({ role, kinds }: Mode['inputs'][number]) => inputsOf(draft, role, kinds).length > 0
  const used = (mode: Mode) => mode.inputs.filter(has).length
  const missing = (mode: Mode) => mode.inputs.filter((use) => use.from > 0 && !has(use)).length
  const [best] = modes.toSorted((a, b) => used(b) - used(a) || missing(a) - missing(b))
  return best ?? { name: '', inputs: [] }
}

/** The aspect ratio of the values that is nearest to a picture's, so least is cut; undefined without a choice. */
export function nearestAspectRatio(ratios: readonly Scalar[], { width, height }: DraftInput): string | undefined {
  if (!width || !height) return undefined
  const distance = (ratio: Scalar) => Math.abs(Math.log(aspectRatio(String(ratio)) / (width / height)))
  const [nearest] = ratios.toSorted((a, b) => distance(a) - distance(b))
  return nearest === undefined ? undefined : String(nearest)
}

/** The aspect ratio of which a picture fills most; undefined where the film follows the picture. */
export function ratioFor(model: Model, { request }: FormValues, input: DraftInput): string | undefined {
  const field = fieldAt(model.schema, ['aspectRatio'], request)
  const left = field ? valuesLeft(field) : null
  return left?.kind === 'list' ? nearestAspectRatio(left.list, input) : undefined
}

/** How many films one request of these values may make. */
export function filmsMaxOf(model: Pick<Model, 'schema'>, request: Request): number {
  const values = fieldAt(model.schema, ['n'], request)?.values
  return values?.kind === 'range' ? values.range.to : 1
}

/** How many films the values make. */
export const filmsOf = ({ request }: Pick<FormValues, 'request'>): number => Number(request.n ?? 1)

/** The credits of the films of these values, as the model's price list has them; null when it has none. */
export function priceOf(model: Pick<Model, 'prices'>, values: FormValues): number | null {
  const { request, mode, seconds, inputs } = values
  const { prices } = model
  const isByLength = (request.inputs as Named[] | undefined)?.some(
    ({ role }, at) => role === REFERENCE && inputs[at] !== undefined && inputs[at].kind !== 'image',
  )
  // The service alone knows what the seconds of a film or sound among the references cost.
  if (!prices || isByLength) return null
  const chosenAt = (name: string) => (name === 'mode' ? mode.name : (request[name] ?? request.options?.[name]))
  // A value that the list does not have, such as a seed, is one of many of the same price.
  const listed = prices.dependsOn.filter((name) => prices.list.some((entry) => entry[name] === chosenAt(name)))
  const found = prices.list.find((entry) => listed.every((name) => entry[name] === chosenAt(name)))
  const length = prices.lengths?.[mode.name]
  // The longest film that the provider may choose to make.
  const most = length?.follows === 'provider' ? length.to : null
  const units = prices.per === 'clip' ? 1 : (seconds ?? most)
  if (!found || units === null) return null
  // The list's credits a second have six places.
  return filmsOf({ request }) * Math.max(1, Math.ceil(found.credits * units - 1e-4))
}

/** What the films of all the models cost together; `ceiling`: it is the most. */
export type Price = { credits: number; ceiling: boolean }

export function priceText({ credits, ceiling }: Price): string {
  const sum = formatCredits(credits)
  return ceiling ? t`up to ${sum}` : sum
}

/** @returns null when one of the models has no price */
export function totalPrice(models: Pick<Model, 'prices'>[], all: FormValues[]): Price | null {
  const each = all.map((values, at) => (models[at] ? priceOf(models[at], values) : null))
  const ceiling = all.some(({ seconds }, at) => seconds === null && models[at]?.prices?.per !== 'clip')
  return each.includes(null) ? null : { credits: each.reduce<number>((sum, n) => sum + (n ?? 0), 0), ceiling }
}

/** The fields that the form has by their names: those about the film that it does not show otherwise. */
export type FilmField = Exclude<keyof GenerateBody, Shown | 'options' | 'n' | 'metadata' | 'shot' | 'webhookUrl'>
type Shown =
  | 'prompt'
  | 'model'
  | 'mode'
  | 'inputs'
  | 'startImageUrl'
  | 'endImageUrl'
  | 'referenceImageUrls'
  | 'extendFrom'
  | 'upscaleFrom'

/** The draft that reproduces a video. */
export function draftOf(video: Video): Draft {
  const { prompt, model, mode, duration, aspectRatio, resolution, seed, negativePrompt, audio, options } = video
  const shape = { duration: Math.round(duration), aspectRatio, quality: resolution }
  const fields: Record<FilmField, Scalar | null> = { ...shape, seed, negativePrompt, audio }
  const inputs: Record<string, DraftInput[]> = {}
  // No form makes a larger copy: its film would be taken as that of another mode.
  for (const { role, ...input } of mode === UPSCALE ? [] : (video.inputs ?? []))
    inputs[role] = [...(inputs[role] ?? []), draftInput(input)]
  return {
    prompt,
    model,
    mode,
    fields: Object.fromEntries(
      Object.entries({ ...fields, ...options }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    inputs,
  }
}

function draftInput({ kind, asset, video, url, at }: Omit<Schemas['VideoInput'], 'role'>): DraftInput {
  const source = asset !== null ? { asset } : video !== null ? { video } : { url: url ?? '' }
  return { kind, ...source, ...(at !== null && { at }) }
}

export function requestBody({ prompt, promptUse, request }: FormValues): GenerateBody {
  return { ...(promptUse !== 'none' && prompt.trim() !== '' && { prompt }), ...request } as unknown as GenerateBody
}

/** @returns a message for the user; null when the prompt is valid */
export function promptError(prompt: string, use: FormValues['promptUse'] = 'required'): string | null {
  if (use === 'none') return null
  if (!prompt.trim()) return use === 'required' ? t`Write what the film shows.` : null
  // Count code points, as the API does, so that an emoji is one character.
  const length = [...prompt.trim()].length
  if (length <= PROMPT_CHARACTERS_MAX) return null
  return t`The prompt has ${formatNumber(length)} characters; at most ${formatNumber(PROMPT_CHARACTERS_MAX)} fit.`
}

/** Whether the request may have been executed all the same, so that a retry has to use the same idempotency key. */
export const isOutcomeUnknown = ({ code, status }: KinoraError): boolean =>
  code === 'UNREACHABLE' || code === 'CONFLICT' || status >= 500

/** What the API says of one input, such as that it is too long; null for every other error. */
export function inputError(error: KinoraError | null, { inputs }: FormValues): InputError | null {
  const [detail]: unknown[] = Array.isArray(error?.details) ? error.details : []
  if (!error || typeof detail !== 'object' || detail === null || !('path' in detail)) return null
  const at = /^inputs\.(\d+)$/.exec(String(detail.path))?.[1]
  const input = at === undefined ? undefined : inputs[Number(at)]
  if (!input) return null
  return {
    input,
    message: error.code === 'NOT_FOUND' ? t`This is no longer kept. Remove it, and choose it again.` : error.message,
  }
}
export type InputError = { input: DraftInput; message: string }
