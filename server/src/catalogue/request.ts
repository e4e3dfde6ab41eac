/** The check of a generate request against its model: allowed values, defaults, and cost. */
import type { AppError } from '../errors.ts'
import { isOptionField, type Parameters, type RequestedParameters, type Wanted } from '../film/fields.ts'
import { article, type Given, nounOf, ROLES, type Role, roleFields, withInputs } from '../film/inputs.ts'
import type { Mode } from '../film/mode.ts'
import { parametersOf } from '../film/parameters.ts'
import { INPUT_SECOND } from './amounts.ts'
import { type Catalogue, usableModels } from './catalogue.ts'
import {
  type Chosen,
  type Constraint,
  describe,
  includes,
  isRange,
  lengthOf,
  narrowed,
  type Scalar,
  shapeOf,
  type Values,
  withDefaults,
} from './constraints.ts'
import type { Decided, Known } from './inputs.ts'
import {
  type CatalogueSettings,
  fitting,
  hasUnknownLength,
  listOf,
  type Model,
  requestFor,
  routesFor,
} from './model.ts'
import { isCostOfFilms, priceOf, secondRateOf } from './price.ts'
import { type Code, invalid } from './refusal.ts'

/** The parameters of a valid request: what it states, with the model's defaults. */
export function parametersWith(model: Model, input: Wanted, chosen: Chosen): Parameters {
  let options: Record<string, Scalar> | undefined
  // A loop, as in parametersOf.
  for (const name of Object.keys(model.options ?? {})) {
    if (isOptionField(name) || chosen[name] === undefined) continue
    options ??= {}
    options[name] = chosen[name] as Scalar
  }
  // A film that follows its image has no ratio of its own until it is stored.
  const { aspectRatios } = model.summary
  const ofFilm = chosen.film === undefined ? undefined : input.aspectRatio
  const ratio = ofFilm ?? aspectRatios.find((each) => each === input.aspectRatio) ?? aspectRatios[0] ?? '16:9'
  return parametersOf({ ...input, aspectRatio: ratio, ...chosen, options } as Wanted)
}

/** The parameters that the film of a request has when the request is valid. */
export function parametersOfFilm(models: Catalogue, input: Wanted): Parameters {
  const model = models.get(input.model)
  const { given, constraints } = model ? readRequest(model, input) : {}
  if (!model || !given || !constraints) return parametersOf(input)
  return parametersWith(model, input, withDefaults(model, constraints, model.defaults, given))
}

function readRequest(model: Model, { prompt: _, model: __, ...fields }: Partial<Wanted>) {
  const given = requestFor(model, fields)
  return { given, constraints: model.constraints.get(given.mode) }
}

/** A request in which values may be absent that `generate` needs. */
type Incomplete = Omit<RequestedParameters, 'duration' | 'prompt'> & { prompt?: string; duration?: number | undefined }

/**
 * The request of a caller whose format needs neither duration nor aspect ratio, with those of the model: the preferred
 * ones where it has them in this mode and by its rules, else its shortest duration and its first ratio there. What
 * `generate` fills in itself, and what an input decides, stays absent.
 */
export function withModelValues<R extends Incomplete>(
  models: Catalogue,
  input: R,
  preferred: { duration?: number; aspectRatio: string },
): Omit<R, 'duration'> & { duration?: number; aspectRatio?: string } {
  const model = models.get(input.model)
  const { given, constraints } = model ? readRequest(model, withInputs(input as Partial<RequestedParameters>)) : {}
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
  const { duration: stated, ...rest } = input
  const { aspectRatio } = chosen
  const isDecided = lengthOf(shapeOf(model, given.mode)) !== null
  const duration = isDecided ? stated : Number(chosen.duration)
  return {
    ...rest,
    ...(duration !== undefined && { duration }),
    ...(typeof aspectRatio === 'string' && { aspectRatio }),
  }
}

/** Numbers by their size, words in the order of the file. */
const ascending = (values: Values): readonly unknown[] =>
  (listOf(values) ?? []).toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : 0))

/** A valid request: its values with the model's defaults, and its price in credits (`secondRate`: see secondRateOf). */
export type CheckedRequest = { model: Model; chosen: Chosen; credits: number; secondRate: number | null }

/**
 * @param input as its inputs have decided it (inputs.ts)
 * @throws AppError UNSUPPORTED_MODEL, MODEL_UNAVAILABLE, UNSUPPORTED_…, DURATION_OUT_OF_RANGE, INVALID_REQUEST for an
 * option
 */
export function checkByModel(models: Catalogue, input: Decided, settings: CatalogueSettings): CheckedRequest {
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
  if (!constraints) throw unsupportedMode(model, given.mode, input)
  checkMode(model, input)
  const chosen = withDefaults(model, constraints, model.defaults, given)
  if (input.isLengthOpen) chosen.duration = longestOf(model, chosen, constraints.get('duration'))
  // An input that is missing explains more than the values of its mode.
  const isAbsent = (field: string) => isRole(field) && chosen[field] === undefined
  // A field that is absent and may be so passes, unless a rule demands it: most roles do.
  const isOpen = (field: string, { presence }: Constraint) =>
    chosen[field] !== undefined || presence === 'required' || model.rulesOf.has(field)
  const sequence = [...constraints]
    .filter(([field, constraint]) => isOpen(field, constraint))
    .sort(([a], [b]) => Number(isAbsent(b)) - Number(isAbsent(a)))
  for (const [field, constraint] of sequence) {
    checkField(
      model,
      chosen,
      { name: field, path: pathOf(field, given.mode, input) },
      narrowed(model, chosen, field, constraint),
    )
  }
  const credits = routesFor(model, chosen).length > 0 ? priceOf(model, chosen, settings) : null
  const isMade = lengthOf(shapeOf(model, given.mode)) !== null
  if (credits !== null) return { model, chosen, credits, secondRate: secondRateOf(model, chosen, settings, isMade) }
  const lacksSeconds = isCostOfFilms(model, chosen) && Number.isNaN(chosen.filmSeconds)
  if (lacksSeconds || (needsInputSeconds(model) && chosen.inputSeconds === undefined)) throw unknownLength(model, input)
  const isLengthLacked = hasUnknownLength(chosen) && routesFor(model, { ...chosen, lengths: undefined }).length > 0
  if (isLengthLacked) throw unknownLength(model, input, 'provider')
  const ofAnyAccount = { ...chosen, filmAccount: undefined }
  throw routesFor(model, ofAnyAccount).length > 0 ? foreignFilm(model, input) : unavailable(model)
}

/** The longest film that the rules leave, where its length is not known yet. */
function longestOf(model: Model, chosen: Chosen, constraint: Constraint | undefined): unknown {
  const { values = null } = constraint ? narrowed(model, chosen, 'duration', constraint) : {}
  return isRange(values) ? values.to : chosen.duration
}

/** Several modes of one model may have the same inputs. @throws AppError INVALID_REQUEST: the request must say which */
function checkMode(model: Model, { mode: stated, inputs }: Decided): void {
  if (!inputs || stated) return
  const modes = fitting(model, new Set(inputs.map(({ role }) => role))).filter((each) => model.constraints.has(each))
  if (modes.length > 1)
    throw invalid('INVALID_REQUEST', 'mode', `${model.name} has ${modes.join(' and ')} with these inputs; say mode.`)
}

const needsInputSeconds = ({ price, routes }: Model): boolean =>
  price !== null &&
  ('fromCost' in price ? routes.some(({ cost }) => cost?.per === INPUT_SECOND) : price.per === INPUT_SECOND)

const unknownLength = ({ name }: Model, { inputs }: Decided, whose: 'price' | 'provider' = 'price') => {
  const ofLength = (inputs ?? []).filter(({ kind }) => kind !== 'image')
  const input = ofLength.find(({ facts }: Known) => !facts?.seconds)
  return invalid(
    'INVALID_REQUEST',
    input?.path ?? 'inputs',
    `The ${whose} of ${name} ${whose === 'price' ? 'depends on' : 'needs to know'} how long the ${input ? nounOf(input.role, input.kind) : 'input'} is, which a link does not say; upload it and name the asset.`,
  )
}

/** Where a request has a field: that of its input, or the one that would name it. */
function pathOf(name: string, mode: Mode, { inputs }: { inputs?: readonly Given[] | null }): string {
  if (!isRole(name)) return name
  const given = inputs?.find(({ role }) => role === name)?.path
  const isList = inputs?.every(({ path }) => path.startsWith('inputs'))
  return given ?? (isList && inputs?.length ? 'inputs' : fieldOfRole(name, mode))
}
const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)
const fieldOfRole = (name: Role, mode: Mode): string =>
  Object.entries(roleFields).find(
    ([, field]) => field.role === name && (!('mode' in field) || field.mode === mode),
  )?.[0] ?? 'inputs'
/** What a message calls a field. */
const wordOf = (name: string, path: string): string => (isRole(name) && path.startsWith('inputs') ? nounOf(name) : path)

/** The first option of a request that its model does not have, by its path. */
function strangerIn({ options = {} }: Model, input: Wanted): string | null {
  for (const [name, value] of Object.entries(input))
    if (isOptionField(name) && value !== undefined && !Object.hasOwn(options, name)) return name
  const own = Object.keys(input.options ?? {}).find((name) => isOptionField(name) || !Object.hasOwn(options, name))
  return own === undefined ? null : `options.${own.slice(0, NAME_CHARACTERS_MAX)}`
}
const NAME_CHARACTERS_MAX = 100

function checkField(
  model: Model,
  chosen: Chosen,
  { name, path }: { name: string; path: string },
  { values, presence, count, why }: Constraint,
): void {
  const value = chosen[name]
  const many = [value].flat().length
  const isCounted = !count || (many >= count.from && many <= count.to)
  const isFit = presence !== 'forbidden' && isCounted && includes(values, value)
  if (value === undefined ? presence !== 'required' : isFit) return
  const field = Object.hasOwn(model.options ?? {}, name) && !isOptionField(name) ? `options.${name}` : path
  const word = wordOf(name, field)
  const reason = why.length > 0 ? ` (${why.join('; ')})` : ''
  if (value === undefined) {
    const which = values === null ? '' : `, one of ${describe(values)}`
    throw invalid(
      isRole(name) ? 'UNSUPPORTED_MODE' : 'INVALID_REQUEST',
      field,
      `${model.name} needs ${isRole(name) && field === 'inputs' ? article(name) : word} here${which}${reason}.`,
    )
  }
  if (presence === 'forbidden')
    throw invalid(
      codeOf(name),
      field,
      `${model.name} takes no ${word} in the mode ${chosen.mode}${reason}; leave it out.`,
    )
  if (count && !isCounted) {
    const range = count.from === count.to ? count.to : `${count.from} to ${count.to}`
    throw invalid('INVALID_REQUEST', field, `${model.name} takes ${range} ${word}.`)
  }
  const list = values === null ? '' : describe(values)
  const messages: Record<string, string> = {
    duration: `${model.name} makes films of ${list} ${isRange(values) ? 'whole ' : ''}seconds${reason}.`,
    aspectRatio: `${model.name} makes films of ${list}${reason}.`,
    quality: `${model.name} makes films in ${list}${reason}.`,
  }
  throw invalid(codeOf(name), field, messages[name] ?? `The ${field} of ${model.name} must be ${list}${reason}.`)
}

const codes: Record<string, Code> = {
  duration: 'DURATION_OUT_OF_RANGE',
  quality: 'UNSUPPORTED_QUALITY',
  aspectRatio: 'UNSUPPORTED_ASPECT_RATIO',
  ...Object.fromEntries(ROLES.map((name) => [name, 'UNSUPPORTED_MODE' as const])),
}
const codeOf = (field: string): Code => codes[field] ?? 'INVALID_REQUEST'

function unsupportedMode(model: Model, mode: Mode, input: Decided): AppError {
  const { modes } = model.summary
  const refuse = (path: string, message: string) => invalid('UNSUPPORTED_MODE', path, message)
  if (input.mode !== undefined && !input.inputs)
    return refuse('mode', `${model.name} has no mode ${mode}; it has ${modes.join(', ')}.`)
  const needed = [...(model.roles.get(modes[0] ?? '')?.keys() ?? [])]
  if (!input.inputs) {
    const paths = needed.map((role) => fieldOfRole(role, modes[0] ?? ''))
    const words = paths.map((path, i) => (path === 'startImageUrl' ? 'a start image' : wordOf(needed[i] ?? '', path)))
    return refuse(paths[0] ?? 'model', `${model.name} needs ${words.join(' and ')}.`)
  }
  const others = modes.length === 1 && needed.length === 0 ? 'from text only' : `by ${modes.join(', ')}`
  const taken = new Set([...model.roles.values()].flatMap((roles) => [...roles.keys()]))
  const stranger = input.inputs.findLast(({ role }) => !taken.has(role)) ?? input.inputs.at(-1)
  const path = stranger?.path ?? 'inputs'
  return refuse(path, `${model.name} makes films ${others}; leave out ${wordOf(stranger?.role ?? '', path)}.`)
}

function unknownField(models: Catalogue, model: Model, path: string): AppError {
  const name = path.replace(/^options\./, '')
  const having = usableModels(models).filter(
    ({ options = {} }) => Object.hasOwn(options, name) && isOptionField(name) === (path === name),
  )
  const remedy = having.length > 0 ? `choose ${having.map(({ id }) => id).join(', ')}, or leave it out` : 'leave it out'
  return invalid('INVALID_REQUEST', path, `${model.name} has no ${path}; ${remedy}.`)
}

function foreignFilm({ name, routes }: Model, { inputs }: Decided): AppError {
  const days = Math.max(0, ...routes.map(({ keeps }) => keeps?.days ?? 0))
  return invalid(
    'UNSUPPORTED_MODE',
    inputs?.find(({ role }) => role === 'film')?.path ?? 'inputs',
    `${name} can use only films that the same provider has made${days ? ` in the last ${days} days` : ''}; choose a film of ${name}, or another model.`,
  )
}

const unavailable = ({ name }: Model) =>
  invalid('MODEL_UNAVAILABLE', 'model', `${name} is currently unavailable; choose another model.`)
