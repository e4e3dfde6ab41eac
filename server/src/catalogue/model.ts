/** A model as it is used: its file, what follows from it, and its routes. */
import type { Config } from '../config/config.ts'
import { DEFAULT_QUALITY } from '../film/fields.ts'
import { MODES, type Mode } from '../film/mode.ts'
import type { Mapping } from '../provider/request-mapping.ts'
import {
  type Chosen,
  type Constraint,
  constraintsOf,
  defaultsInSequence,
  FILM_FIELDS,
  IMAGE_FIELDS,
  imagesOf,
  includes,
  isList,
  isRange,
  modesOf,
  type Rule,
  type Ruled,
  rulesByField,
  shapeOf,
} from './constraints.ts'
import { FOLLOWS_THE_IMAGE, type ModelEntry, type Route } from './model-file.ts'

/** For clients that know neither modes' values nor rules: every value that the model has in any mode. */
export type Summary = {
  modes: Mode[]
  minDuration: number
  maxDuration: number
  resolutions: string[]
  aspectRatios: string[]
}
export type Model = Omit<ModelEntry, '$schema' | 'rules'> & {
  rules?: readonly Rule[] | undefined
  listed: boolean
  enabled: boolean
  summary: Summary
  constraints: ReadonlyMap<Mode, ReadonlyMap<string, Constraint>>
  /** The fields with a default, in the order in which they are filled. */
  defaults: readonly string[]
  rulesOf: Ruled['rulesOf']
}
/** The settings that decide which models can be used and what they cost. */
export type CatalogueSettings = Pick<Config, 'providers' | 'creditUsd'>

export function openModel({
  listed = true,
  enabled = true,
  ...entry
}: Omit<ModelEntry, 'rules'> & Pick<Model, 'rules'>): Model {
  const modes = modesOf(entry)
  const shapes = modes.map((mode) => shapeOf(entry, mode))
  const seconds = shapes.flatMap(({ duration }) => (isRange(duration ?? null) ? [] : (duration as number[])))
  const ranges = shapes.flatMap(({ duration = null }) => (isRange(duration) ? [duration.from, duration.to] : []))
  const ratios = shapes.flatMap(({ aspectRatio = [] }) => (aspectRatio === FOLLOWS_THE_IMAGE ? [] : aspectRatio))
  return {
    ...entry,
    listed,
    enabled,
    summary: {
      modes,
      minDuration: Math.min(...seconds, ...ranges),
      maxDuration: Math.max(...seconds, ...ranges),
      resolutions: [...new Set(shapes.flatMap(({ quality = [] }) => quality))],
      aspectRatios: [...new Set(ratios)],
    },
    constraints: new Map(modes.map((mode) => [mode, constraintsOf(entry, mode)])),
    defaults: defaultsInSequence(entry).sequence,
    rulesOf: rulesByField(entry),
  }
}

/** Whether a model makes larger copies of films and no films of its own. */
export const isUpscaler = ({ summary }: Pick<Model, 'summary'>): boolean =>
  summary.modes.every((mode) => mode === 'upscale')

/** Whether a request that leaves something out gets another value than DEFAULT_QUALITY alone. */
export const hasDefaults = (model: Model | undefined): boolean =>
  model !== undefined &&
  (model.defaults.length > 1 ||
    !model.summary.modes.every((mode) => shapeOf(model, mode).quality?.includes(DEFAULT_QUALITY)))

/** A request as its model sees it: its fields and options by their names. @param fields null counts as absent */
export function requestFor(model: Model | undefined, { options, ...fields }: { [field: string]: unknown }): Chosen {
  const mode = modeOf(fields)
  const chosen: Chosen = { mode }
  for (const [name, value] of Object.entries({ ...(options as object | null), ...fields })) {
    if (value !== undefined && value !== null) chosen[name] = value
  }
  // A ratio beside an image whose shape the film follows is ignored.
  if (model?.constraints.get(mode)?.get('aspectRatio')?.values === null) delete chosen.aspectRatio
  return chosen
}

/** The mode that a request has by its image fields, else the closest one, whose check names the field. */
function modeOf(request: { [field: string]: unknown }): Mode {
  const given = IMAGE_FIELDS.filter((name) => request[name] !== undefined && request[name] !== null)
  const isMode = (mode: Mode) =>
    imagesOf[mode].length === given.length && imagesOf[mode].every((name) => given.includes(name))
  return (
    MODES.find(isMode) ??
    MODES.findLast((mode) => imagesOf[mode].some((name) => given.includes(name))) ??
    'text-to-video'
  )
}

/** The routes whose account has settings. */
export const servedRoutes = (
  { routes }: Pick<Model, 'routes'>,
  { providers }: Pick<CatalogueSettings, 'providers'>,
): Route[] => routes.filter(({ account }) => providers[account])

/** The routes of an offer that can do exactly this request, in order of preference. */
export const routesFor = ({ routes }: Pick<Model, 'routes'>, chosen: Chosen): Route[] =>
  routes.filter((route) => canDo(route, chosen))

/** The same; routes in a row with a weight are equals. */
export function equalsFor(model: Pick<Model, 'routes'>, chosen: Chosen): Route[][] {
  const groups: Route[][] = []
  for (const route of routesFor(model, chosen)) {
    const last = groups.at(-1)
    if (last?.at(-1)?.weight && route.weight) last.push(route)
    else groups.push([route])
  }
  return groups
}

/** @param chosen `extendAccount`: that has made the film to extend */
export function canDo(route: Route, chosen: Chosen): boolean {
  const { account, model, serves = {} } = route
  if (typeof model === 'object' && model[chosen.mode] === undefined) return false
  const { mode, extendAccount = account } = chosen
  if (mode === 'extend' && extendAccount !== account && filmOf(inputOf(route, mode)) === 'own') return false
  return Object.entries(serves).every(
    ([field, values]) => chosen[field] === undefined || includes(values, chosen[field]),
  )
}

/** The vendor's name of the model, the mapping and the cost for a request at an account; null: no route. */
export function routeOf(
  { routes }: Model,
  account: string,
  chosen: Chosen,
): { name: string | undefined; input: Mapping | undefined; cost: Route['cost'] } | null {
  const route = routes.find((each) => each.account === account && canDo(each, chosen))
  if (!route) return null
  const name = typeof route.model === 'object' ? route.model[chosen.mode] : route.model
  return { name, input: inputOf(route, chosen.mode), cost: route.cost }
}

export function inputOf({ input }: Route, mode: Mode): Mapping | undefined {
  return input && isByMode(input) ? input[mode] : (input as Mapping | undefined)
}

/** Films a mapping takes: any, by bytes or link; the account's own, by the vendor's task id; or none. */
export function filmOf(input: Mapping | undefined): 'any' | 'own' | null {
  const text = JSON.stringify(input ?? {})
  if (FILM_FIELDS.some((name) => new RegExp(`\\b${name}\\b`).test(text))) return 'any'
  return /\bextendTask\b/.test(text) ? 'own' : null
}

const isByMode = (input: object): input is Partial<Record<Mode, Mapping>> => {
  const entries = Object.entries(input)
  return (
    entries.length > 0 &&
    entries.every(([name, value]) => (MODES as readonly string[]).includes(name) && typeof value === 'object')
  )
}

/** The modes that a route serves. */
export const modesOfRoute = ({ model }: Route, { summary }: Pick<Model, 'summary'>): Mode[] =>
  typeof model === 'object' ? summary.modes.filter((mode) => model[mode] !== undefined) : summary.modes

const LIST_MAX = 1000

/** The values of a constraint one by one; null for text and for more numbers than anybody lists. */
export function listOf(values: Constraint['values']): readonly unknown[] | null {
  if (isList(values)) return values
  if (!isRange(values) || values.step === 0) return null
  const { from, to, step = 1 } = values
  const length = Math.max(0, Math.floor((to - from) / step + 1e-9) + 1)
  return length > LIST_MAX ? null : Array.from({ length }, (_, i) => from + i * step)
}
