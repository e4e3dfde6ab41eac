/**
 * What the inputs of a request mean for it: whether each fits the limits of its role, and what they decide, such as the
 * length of a film that follows its sound. What is not known of a link to another site is not checked here.
 */
import type { Wanted } from '../film/fields.ts'
import { type Given, type Kind, kindOf, nameOf, type Role } from '../film/inputs.ts'
import type { Mode } from '../film/mode.ts'
import { includes, lengthOf, shapeOf, type Values } from './constraints.ts'
import { shortSideOf } from './film-size.ts'
import type { Model } from './model.ts'
import { FOLLOWS_THE_IMAGE, KEPT, type RoleLimits, type Shape } from './model-file.ts'
import { type Code, invalid } from './refusal.ts'

/**
 * What is known of the content of an input. `account`, `model`, `ageDays`: that made the film, of which model, and how
 * long ago; without them none of ours did. `quality`, `aspectRatio`: of a film. `format`: the ending of its file.
 */
export type Facts = {
  seconds?: number | null
  quality?: string
  aspectRatio?: string
  width?: number | null
  height?: number | null
  bytes?: number
  format?: string
  prompt?: string
  account?: string | null
  model?: string
  ageDays?: number
}
export type Known = Given & { facts?: Facts }
/**
 * A request whose inputs were read. `isLengthOpen`: what decides the length is not known yet; the duration is the
 * longest of the mode.
 */
export type Decided = Wanted & InputFacts & { isLengthOpen?: true }
/** `filmSeconds`: of all films that go in, NaN: one is unknown. `referenceFilms`: a reference is a film. */
type InputFacts = {
  filmAccount?: string
  filmModel?: string
  filmDays?: number
  inputSeconds?: number
  filmSeconds?: number
  lengths?: Lengths
  referenceFilms?: true
}
/** The exact seconds of inputs by their role; null: not known. */
type Lengths = { [role in 'film' | 'motion' | 'sound']?: number | null }

/**
 * The request with what its inputs decide.
 * @param mode one of the model
 * @throws AppError INVALID_REQUEST, DURATION_OUT_OF_RANGE, UNSUPPORTED_QUALITY, UNSUPPORTED_MODE
 */
export function withDecided(
  model: Model,
  mode: Mode,
  {
    inputs,
    ...wanted
  }: Omit<Wanted, 'prompt' | 'duration' | 'inputs'> &
    Partial<Pick<Wanted, 'prompt' | 'duration'>> & { inputs: readonly Known[] },
): Decided {
  const shape = shapeOf(model, mode)
  for (const input of inputs) checkInput(model, mode, input, inputs)
  const film = inputs.find(({ role }) => role === 'film')
  const { facts } = film ?? {}
  const { prompt = 'required' } = shape
  const refused = keptBy(shape).find((name) => wanted[name] !== undefined)
  if (refused) throw invalid('INVALID_REQUEST', refused, `${model.name} keeps that of the film; leave out ${refused}.`)
  if (prompt === 'required' && !wanted.prompt?.trim())
    throw invalid('INVALID_REQUEST', 'prompt', `The mode ${mode} of ${model.name} needs a prompt.`)
  const length = lengthOf(shape)
  if (length && wanted.duration !== undefined) {
    const whose = length.follows === 'vendor' ? 'The provider' : `The ${length.follows}`
    throw invalid('INVALID_REQUEST', 'duration', `${whose} decides how long the film is; leave out duration.`)
  }
  const followed = length && inputs.find(({ role }) => role === length.follows)
  const exact = followed?.facts?.seconds ?? null
  const seconds = exact ? Math.max(1, roundedUp(exact)) : null
  if (followed && exact && !(isWithin(exact, length) && includes(shape.duration as Values, seconds))) {
    const { from, to } = length
    const message = `${model.name} ${verbOf(mode)} ${followed.kind}s of ${from} to ${to} seconds; ${isOne(nameOf(followed, inputs))} has ${shown(exact)}.`
    throw invalid('DURATION_OUT_OF_RANGE', followed.path, message)
  }
  const duration = length ? (seconds ?? length.to) : (wanted.duration ?? 0)
  checkTimes(model, inputs, duration)
  const quality = film && facts ? qualityOf(model, mode, { wanted: wanted.quality, film, facts }) : wanted.quality
  return {
    ...wanted,
    inputs,
    prompt: wanted.prompt ?? (prompt === 'required' ? '' : (facts?.prompt ?? '')),
    duration,
    ...(length && seconds === null && { isLengthOpen: true as const }),
    ...(quality !== undefined && { quality }),
    ...(facts?.aspectRatio !== undefined && hasRatio(shape, wanted.aspectRatio) && { aspectRatio: facts.aspectRatio }),
    ...factsOf(inputs),
  }
}

/** On what a route, a price and a cost depend. */
export function factsOf(inputs: readonly Known[]): InputFacts {
  const film = inputs.find(({ role }) => role === 'film')
  const films = inputs.filter(({ kind }) => kind === 'film')
  const inputSeconds = secondsIn(inputs)
  return {
    ...(film && { filmAccount: film.facts?.account ?? '' }),
    ...(film?.facts?.model !== undefined && { filmModel: film.facts.model, filmDays: film.facts.ageDays ?? 0 }),
    ...(inputSeconds !== null && { inputSeconds }),
    ...(films.length > 0 && { filmSeconds: togetherOf(films) }),
    ...(films.some(({ role }) => role === 'reference') && { referenceFilms: true as const }),
    ...(inputs.some(hasLength) && {
      lengths: Object.fromEntries(inputs.filter(hasLength).map(({ role, facts }) => [role, facts?.seconds ?? null])),
    }),
  }
}
const hasLength = ({ role }: Known): boolean => role === 'film' || role === 'motion' || role === 'sound'

/** NaN: one is not known. */
const togetherOf = (inputs: readonly Known[]): number =>
  inputs.reduce((total, { facts }) => total + (facts?.seconds ? roundedUp(facts.seconds) : Number.NaN), 0)

/** What a film without a prompt has of its own. */
export const keptBy = ({ prompt, aspectRatio }: Shape): ('prompt' | 'aspectRatio')[] =>
  prompt !== 'none' ? [] : aspectRatio === FOLLOWS_THE_IMAGE ? ['prompt', 'aspectRatio'] : ['prompt']

/** Whether a ratio beside a film is left out or one of the mode, and gives way to the film's; else it is refused. */
const hasRatio = ({ aspectRatio = [] }: Shape, wanted: string | undefined): boolean =>
  wanted === undefined || aspectRatio === FOLLOWS_THE_IMAGE || aspectRatio.includes(wanted)

/** Keyframes are within the film, each at a time of its own. */
function checkTimes(model: Model, inputs: readonly Known[], seconds: number): void {
  for (const [i, input] of inputs.entries()) {
    const { at, path } = input
    if (at === undefined) continue
    const name = nameOf(input, inputs)
    const refuse = (message: string) => invalid('INVALID_REQUEST', path, message)
    if (at > seconds) throw refuse(`The ${name} is at ${at} s, and the film has ${seconds} seconds.`)
    const isTaken = inputs.slice(0, i).some((other) => other.at === at)
    if (isTaken) throw refuse(`${model.name} takes one keyframe at ${at} s; move the ${name}.`)
  }
}

/** What a film of whole seconds may have more: its last frame, and that of its sound. */
const OVER_S = 0.1
/** A film of 5.02 s is one of 5. */
const roundedUp = (seconds: number): number => Math.ceil(seconds - OVER_S)
/** Vendors refuse what is shorter or longer, by milliseconds; one that takes 15 s takes what it has called so. */
const isWithin = (seconds: number, { from, to }: { from: number; to: number }): boolean =>
  seconds >= from && seconds <= to + OVER_S
const shown = (seconds: number): number => Math.round(seconds * 100) / 100

/** The seconds that a vendor charges for what goes in: of the motion, the film, or the sound; null: unknown. */
function secondsIn(inputs: readonly Known[]): number | null {
  for (const role of ['motion', 'film', 'sound'] satisfies Role[]) {
    const input = inputs.find((each) => each.role === role)
    if (input) return input.facts?.seconds ? roundedUp(input.facts.seconds) : null
  }
  const references = inputs.filter(({ kind }) => kind !== 'image')
  const seconds = togetherOf(references)
  return references.length === 0 || Number.isNaN(seconds) ? null : seconds
}

function checkInput(model: Model, mode: Mode, input: Known, all: readonly Known[]): void {
  const { role, kind, path, at, facts = {} } = input
  const stated = shapeOf(model, mode).inputs?.[role]
  const kinds = model.roles.get(mode)?.get(role)?.kinds ?? [kindOf[role]]
  const name = nameOf(input, all)
  const refuse = (code: Code, message: string) => invalid(code, path, message)
  if (!kinds.includes(kind))
    throw refuse('UNSUPPORTED_MODE', `${model.name} takes no ${kind} as the ${name}; it takes ${kinds.join(' or ')}.`)
  const limits: RoleLimits = { ...stated, ...stated?.[kind] }
  const most = stated?.[kind]?.to
  const same = all.filter((each) => each.role === role && each.kind === kind)
  if (most !== undefined && same.length > most)
    throw refuse('INVALID_REQUEST', `${model.name} takes at most ${most} ${role} ${kind}s; there are ${same.length}.`)
  if (role === 'keyframe' && at === undefined)
    throw refuse('INVALID_REQUEST', `The ${name} needs at, its time in seconds.`)
  const { seconds, width, height, bytes, format } = facts
  if (limits.seconds && typeof seconds === 'number' && !isWithin(seconds, limits.seconds)) {
    const { from, to } = limits.seconds
    throw refuse(
      'DURATION_OUT_OF_RANGE',
      `${model.name} ${verbOf(mode)} ${kind}s of ${from} to ${to} seconds; ${isOne(name)} has ${shown(seconds)}.`,
    )
  }
  const together = same.reduce((total, { facts: each }) => total + (each?.seconds ?? 0), 0)
  if (limits.secondsTogether && together > limits.secondsTogether + same.length * OVER_S)
    throw refuse(
      'DURATION_OUT_OF_RANGE',
      `${model.name} takes ${role} ${kind}s of ${limits.secondsTogether} seconds together; these have ${shown(together)}.`,
    )
  const shortest = width && height ? Math.min(width, height) : null
  const longest = width && height ? Math.max(width, height) : null
  if (limits.sides && shortest && longest && (shortest < limits.sides.from || longest > limits.sides.to)) {
    const { from, to } = limits.sides
    throw refuse(
      'INVALID_REQUEST',
      `${model.name} takes sides of ${from} to ${to} pixels; the ${name} has ${width} × ${height}.`,
    )
  }
  if (limits.bytes && bytes !== undefined && bytes > limits.bytes)
    throw refuse(
      'INVALID_REQUEST',
      `${model.name} takes at most ${megabytes(limits.bytes)} MB; the ${name} has ${megabytes(bytes)}.`,
    )
  if (limits.formats && format !== undefined && !limits.formats.includes(format))
    throw refuse('INVALID_REQUEST', `${model.name} takes ${limits.formats.join(', ')}; the ${name} is ${format}.`)
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10
const verbOf = (mode: Mode): string => (mode === 'extend' ? 'extends' : mode === 'upscale' ? 'upscales' : 'takes')
const isOne = (name: string): string => (name === 'film' ? 'this one' : `the ${name}`)

/** The quality of a film that is made from another one. */
function qualityOf(
  model: Model,
  mode: Mode,
  { wanted, film, facts }: { wanted: string | undefined; film: Known; facts: Facts },
): string | undefined {
  if (mode === 'upscale') return largerQuality(model, wanted, facts.quality ?? '')
  const { quality } = shapeOf(model, mode).inputs?.film ?? {}
  const found = facts.quality
  if (found === undefined) return wanted
  if (Array.isArray(quality) && !(quality as string[]).includes(found)) {
    const message = `${model.name} ${verbOf(mode)} films in ${quality.join(', ')}; this one has ${found}.`
    throw invalid('UNSUPPORTED_QUALITY', film.path, message)
  }
  if (quality !== KEPT) return wanted
  if (wanted !== undefined && wanted !== found) {
    const message = `The film has ${found}, and ${model.name} keeps it; leave out quality.`
    throw invalid('UNSUPPORTED_QUALITY', 'quality', message)
  }
  return found
}

/** By default the next quality of the model that is larger than the film. */
function largerQuality(model: Model, wanted: string | undefined, found: string): string | undefined {
  const { quality: qualities = [] } = shapeOf(model, 'upscale')
  const bySize: string[] = qualities.toSorted((a, b) => shortSideOf(a) - shortSideOf(b))
  const larger = bySize.filter((each) => shortSideOf(each) > shortSideOf(found))
  const quality = wanted ?? larger[0]
  // checkByModel refuses one that the model does not have.
  if (quality !== undefined && (larger.includes(quality) || !bySize.includes(quality))) return quality
  const remedy =
    larger.length > 0 ? `choose ${larger.join(' or ')}` : `${model.name} makes none larger than ${bySize.at(-1)}`
  throw invalid('UNSUPPORTED_QUALITY', 'quality', `The film to upscale already has ${found}; ${remedy}.`)
}

/**
 * An input with what a provider gets of it: a link, or what its upload returned. `task`: the vendor's own of the film,
 * which the provider gets in the place of that.
 */
export type Sent = Known & { value: string; task?: string | null }

/** A film as one that none of our accounts has made. */
export const withoutMaker = <I extends Known>(input: I): I => ({ ...input, facts: { ...input.facts, account: null } })

/** Inputs by the names of a mapping, and the facts on which a route and its cost depend. */
export function mediaOf(inputs: readonly Sent[]) {
  const named: { [name: string]: unknown } = {}
  const list = (name: string, value: unknown) => {
    named[name] = [...((named[name] as unknown[] | undefined) ?? []), value]
  }
  for (const { role, kind, value, at, task } of inputs) {
    if (role === 'keyframe') list('keyframes', { url: value, at })
    else if (role === 'reference') list(REFERENCES[kind], value)
    else named[role] = value
    // A request has the film by its name too, as it was given.
    if (role === 'film' && task) Object.assign(named, { filmTask: task, film: undefined })
  }
  return { named, facts: factsOf(inputs) }
}
/** The inputs of a task, as its provider gets them: by the names of a mapping, and what its route depends on. */
export type Media = ReturnType<typeof mediaOf>
/** How a mapping names the references of a kind. */
export const REFERENCES: Record<Kind, string> = {
  image: 'referenceImages',
  film: 'referenceFilms',
  sound: 'referenceSounds',
}

/** What a request of a mode may have in the place of its inputs: one of each role, two references of each kind. */
export function sampleMedia(model: Model, mode: Mode, sampleOf: (kind: Kind) => string) {
  const inputs = [...(model.roles.get(mode) ?? [])].flatMap(([role, { kinds, to }]) =>
    kinds.flatMap((kind) => {
      const input = { role, kind, source: '', path: role, value: sampleOf(kind), facts: { seconds: 5 } }
      const sent: Sent = role === 'keyframe' ? { ...input, at: 0 } : input
      return to > 1 ? [sent, sent] : [sent]
    }),
  )
  return mediaOf(inputs)
}
