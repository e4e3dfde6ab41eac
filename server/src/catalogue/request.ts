/** The check of a generate request against its model: allowed values, defaults, and cost. */
import { AppError } from '../errors.ts'
import { isOptionField, type Parameters, parametersOf, type RequestedParameters } from '../film/fields.ts'
import type { Mode } from '../film/mode.ts'
import { type Catalogue, usableModels } from './catalogue.ts'
import {
  type Chosen,
  type Constraint,
  describe,
  IMAGE_FIELDS,
  imagesOf,
  includes,
  isRange,
  narrowed,
  type Scalar,
  shapeOf,
  type Values,
  withDefaults,
} from './constraints.ts'
import { shortSideOf } from './film-size.ts'
import { type CatalogueSettings, listOf, type Model, requestFor, routesFor } from './model.ts'
import { KEPT } from './model-file.ts'
import { priceOf, secondRateOf } from './price.ts'

/** The parameters of a valid request: what it states, with the model's defaults. */
export function parametersWith(model: Model, input: RequestedParameters, chosen: Chosen): Parameters {
  let options: Record<string, Scalar> | undefined
  // A loop, as in parametersOf.
  for (const name of Object.keys(model.options ?? {})) {
    if (isOptionField(name) || chosen[name] === undefined) continue
    options ??= {}
    options[name] = chosen[name] as Scalar
  }
  // A film that follows its image has no ratio of its own until it is stored.
  const { aspectRatios } = model.summary
  const ofFilm = chosen.mode === 'upscale' ? input.aspectRatio : undefined
  const ratio = ofFilm ?? aspectRatios.find((each) => each === input.aspectRatio) ?? aspectRatios[0] ?? '16:9'
  return parametersOf({ ...input, aspectRatio: ratio, ...chosen, options } as RequestedParameters)
}

/** The parameters that the film of a request has when the request is valid. */
export function parametersOfFilm(models: Catalogue, input: RequestedParameters): Parameters {
  const model = models.get(input.model)
  const { given, constraints } = model ? readRequest(model, input) : {}
  if (!model || !given || !constraints) return parametersOf(input)
  return parametersWith(model, input, withDefaults(model, constraints, model.defaults, given))
}

function readRequest(model: Model, { prompt: _, model: __, ...fields }: Incomplete) {
  const given = requestFor(model, fields)
  return { given, constraints: model.constraints.get(given.mode) }
}

/** A request in which values may be absent that `generate` needs. */
type Incomplete = Omit<RequestedParameters, 'duration'> & { duration?: number | undefined }

/**
 * The request of a caller whose format needs neither duration nor aspect ratio, with those of the model: the preferred
 * ones where it has them in this mode and by its rules, else its shortest duration and its first ratio there. What
 * `generate` fills in itself stays absent.
 */
export function withModelValues(
  models: Catalogue,
  input: Incomplete,
  preferred: { duration?: number; aspectRatio: string },
): RequestedParameters {
  const model = models.get(input.model)
  const { given, constraints } = model ? readRequest(model, input) : {}
  // generate refuses the model, or its mode.
  if (!model || !given || !constraints) return { ...preferred, ...input, duration: input.duration ?? 0 }
  const chosen = withDefaults(model, constraints, model.defaults, given)
  for (const field of ['duration', 'aspectRatio'] as const) {
    const constraint = constraints.get(field)
    if (chosen[field] !== undefined || !constraint) continue
    const { values } = narrowed(model, chosen, field, constraint)
    if (values === null) continue
    chosen[field] = includes(values, preferred[field]) ? preferred[field] : ascending(values)[0]
  }
  const { duration, aspectRatio } = chosen
  return {
    ...input,
    duration: Number(duration),
    ...(typeof aspectRatio === 'string' && { aspectRatio }),
  }
}

/** Numbers by their size, words in the order of the file. */
const ascending = (values: Values): readonly unknown[] =>
  (listOf(values) ?? []).toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : 0))

/** A valid request: its values with the model's defaults, and its price in credits (`secondRate`: see secondRateOf). */
export type CheckedRequest = { model: Model; chosen: Chosen; credits: number; secondRate: number | null }

/**
 * @param input `extendAccount`: that has made the film to extend
 * @throws AppError UNSUPPORTED_MODEL, MODEL_UNAVAILABLE, UNSUPPORTED_…, DURATION_OUT_OF_RANGE, INVALID_REQUEST for an
 * option
 */
export function checkByModel(
  models: Catalogue,
  input: RequestedParameters & { extendAccount?: string },
  settings: CatalogueSettings,
): CheckedRequest {
  const model = models.get(input.model)
  if (!model?.listed) {
    const known = usableModels(models).map((each) => each.id)
    throw invalid(
      'UNSUPPORTED_MODEL',
      'model',
      `There is no model "${input.model.slice(0, 60)}"; choose one of ${known.join(', ')}.`,
    )
  }
  if (!model.enabled || !model.price || model.routes.length === 0) throw unavailable(model)
  const stranger = strangerIn(model, input)
  if (stranger !== null) throw unknownField(models, model, stranger)
  const { given, constraints } = readRequest(model, input)
  if (!constraints) throw unsupportedMode(model, given.mode)
  const chosen = withDefaults(model, constraints, model.defaults, given)
  for (const [field, constraint] of constraints) {
    checkField(model, chosen, field, narrowed(model, chosen, field, constraint))
  }
  const credits = routesFor(model, chosen).length > 0 ? priceOf(model, chosen, settings) : null
  // No mode leaves the duration to the vendor.
  if (credits !== null) return { model, chosen, credits, secondRate: secondRateOf(model, chosen, settings, false) }
  const ofAnyAccount = { ...chosen, extendAccount: undefined }
  throw routesFor(model, ofAnyAccount).length > 0 ? foreignFilm(model) : unavailable(model)
}

/** The check of the film to extend, which decides the extension's ratio and quality. @returns the request with these */
export function checkExtended<Request extends RequestedParameters>(
  model: Model,
  input: Request,
  film: { durationS: number; aspectRatio: string; quality: string },
): Request {
  const refuse = (code: Code, message: string) => invalid(code, 'extendFrom', message)
  const { film: wanted } = shapeOf(model, 'extend')
  const { from, to, quality } = wanted ?? { from: 0, to: Number.POSITIVE_INFINITY, quality: undefined }
  const seconds = Math.round(film.durationS)
  if (seconds < from || seconds > to) {
    throw refuse(
      'DURATION_OUT_OF_RANGE',
      `${model.name} extends films of ${from} to ${to} seconds; this one has ${seconds}.`,
    )
  }
  if (Array.isArray(quality) && !(quality as string[]).includes(film.quality)) {
    throw refuse(
      'UNSUPPORTED_QUALITY',
      `${model.name} extends films in ${quality.join(', ')}; this one has ${film.quality}.`,
    )
  }
  const requested = { ...input, aspectRatio: film.aspectRatio }
  if (quality !== KEPT) return requested
  if (input.quality !== undefined && input.quality !== film.quality) {
    const message = `The film to extend has ${film.quality}, and ${model.name} keeps it; leave out quality.`
    throw invalid('UNSUPPORTED_QUALITY', 'quality', message)
  }
  return { ...requested, quality: film.quality }
}

/**
 * The check of the film to upscale, which decides everything but the quality: that is by default the next one of the
 * model that is larger than the film. @returns the values of the larger copy
 */
export function checkUpscaled(
  model: Model,
  wanted: string | undefined,
  film: { prompt: string; durationS: number; aspectRatio: string; quality: string },
): Pick<RequestedParameters, 'prompt' | 'duration' | 'aspectRatio' | 'quality'> {
  const { prompt, aspectRatio } = film
  const duration = Math.max(1, Math.round(film.durationS))
  const { duration: seconds = null, quality: qualities = [] } = shapeOf(model, 'upscale')
  if (seconds && !includes(seconds, duration)) {
    const message = `${model.name} upscales films of ${describe(seconds)} seconds; this one has ${duration}.`
    throw invalid('DURATION_OUT_OF_RANGE', 'upscaleFrom', message)
  }
  const bySize: string[] = qualities.toSorted((a, b) => shortSideOf(a) - shortSideOf(b))
  const larger = bySize.filter((each) => shortSideOf(each) > shortSideOf(film.quality))
  const quality = wanted ?? larger[0]
  // checkByModel refuses one that the model does not have.
  if (quality !== undefined && (larger.includes(quality) || !bySize.includes(quality)))
    return { prompt, duration, aspectRatio, quality }
  const remedy =
    larger.length > 0 ? `choose ${larger.join(' or ')}` : `${model.name} makes none larger than ${bySize.at(-1)}`
  throw invalid('UNSUPPORTED_QUALITY', 'quality', `The film to upscale already has ${film.quality}; ${remedy}.`)
}

/** The first option of a request that its model does not have, by its path. */
function strangerIn({ options = {} }: Model, input: RequestedParameters): string | null {
  for (const [name, value] of Object.entries(input))
    if (isOptionField(name) && value !== undefined && !Object.hasOwn(options, name)) return name
  const own = Object.keys(input.options ?? {}).find((name) => isOptionField(name) || !Object.hasOwn(options, name))
  return own === undefined ? null : `options.${own.slice(0, NAME_CHARACTERS_MAX)}`
}
const NAME_CHARACTERS_MAX = 100

function checkField(model: Model, chosen: Chosen, name: string, { values, presence, count, why }: Constraint): void {
  const value = chosen[name]
  const isCounted = !count || !Array.isArray(value) || (value.length >= count.from && value.length <= count.to)
  const isFit = presence !== 'forbidden' && isCounted && includes(values, value)
  if (value === undefined ? presence !== 'required' : isFit) return
  const field = Object.hasOwn(model.options ?? {}, name) && !isOptionField(name) ? `options.${name}` : name
  const reason = why.length > 0 ? ` (${why.join('; ')})` : ''
  if (value === undefined) {
    const which = values === null ? '' : `, one of ${describe(values)}`
    const code = IMAGE_FIELDS.includes(name) ? 'UNSUPPORTED_MODE' : 'INVALID_REQUEST'
    throw invalid(code, field, `${model.name} needs ${field} here${which}${reason}.`)
  }
  if (presence === 'forbidden') {
    throw invalid(
      codeOf(field),
      field,
      `${model.name} takes no ${field} in the mode ${chosen.mode}${reason}; leave it out.`,
    )
  }
  if (count && !isCounted) {
    const many = count.from === count.to ? count.to : `${count.from} to ${count.to}`
    throw invalid('INVALID_REQUEST', field, `${model.name} takes ${many} ${field}.`)
  }
  const list = values === null ? '' : describe(values)
  const messages: Record<string, string> = {
    duration: `${model.name} makes films of ${list} ${isRange(values) ? 'whole ' : ''}seconds${reason}.`,
    aspectRatio: `${model.name} makes films of ${list}${reason}.`,
    quality: `${model.name} makes films in ${list}${reason}.`,
  }
  throw invalid(codeOf(field), field, messages[field] ?? `The ${field} of ${model.name} must be ${list}${reason}.`)
}

type Code =
  | 'INVALID_REQUEST'
  | `UNSUPPORTED_${'MODEL' | 'QUALITY' | 'ASPECT_RATIO' | 'MODE'}`
  | 'MODEL_UNAVAILABLE'
  | 'DURATION_OUT_OF_RANGE'

const codes: Record<string, Code> = {
  duration: 'DURATION_OUT_OF_RANGE',
  quality: 'UNSUPPORTED_QUALITY',
  aspectRatio: 'UNSUPPORTED_ASPECT_RATIO',
  ...Object.fromEntries(IMAGE_FIELDS.map((name) => [name, 'UNSUPPORTED_MODE' as const])),
}
const codeOf = (field: string): Code => codes[field] ?? 'INVALID_REQUEST'

function unsupportedMode(model: Model, mode: Mode): AppError {
  const needed = imagesOf[mode].at(-1)
  const { modes } = model.summary
  if (needed === undefined) {
    const images = modes[0] === 'image-to-video' ? 'a start image' : imagesOf[modes[0] ?? mode].join(' and ')
    return invalid('UNSUPPORTED_MODE', imagesOf[modes[0] ?? mode][0] ?? 'model', `${model.name} needs ${images}.`)
  }
  const others = modes.length === 1 && modes[0] === 'text-to-video' ? 'from text only' : `by ${modes.join(', ')}`
  return invalid('UNSUPPORTED_MODE', needed, `${model.name} makes films ${others}; leave out ${needed}.`)
}

function unknownField(models: Catalogue, model: Model, path: string): AppError {
  const name = path.replace(/^options\./, '')
  const having = usableModels(models).filter(
    ({ options = {} }) => Object.hasOwn(options, name) && isOptionField(name) === (path === name),
  )
  const remedy = having.length > 0 ? `choose ${having.map(({ id }) => id).join(', ')}, or leave it out` : 'leave it out'
  return invalid('INVALID_REQUEST', path, `${model.name} has no ${path}; ${remedy}.`)
}

const foreignFilm = ({ name }: Model) =>
  invalid(
    'UNSUPPORTED_MODE',
    'extendFrom',
    `${name} can extend only films that the same provider has made; extend a film of ${name}, or choose another model.`,
  )

const unavailable = ({ name }: Model) =>
  invalid('MODEL_UNAVAILABLE', 'model', `${name} is currently unavailable; choose another model.`)

export const invalid = (code: Code, path: string, message: string) =>
  new AppError(code, message, { details: [{ path, message }] })
