/** A model as it is used: its file, what follows from it, and its routes. */
import type { Config } from '../config/config.ts'
import { DEFAULT_QUALITY } from '../film/fields.ts'
import { type Input, LISTED_ROLES, type Role } from '../film/inputs.ts'
import { MODES, type Mode, TEXT_TO_VIDEO } from '../film/mode.ts'
import type { Mapping } from '../provider/request-mapping.ts'
import {
  type Chosen,
  type Constraint,
  constraintsOf,
  defaultsInSequence,
  includes,
  isList,
  isRange,
  modesOf,
  type RoleUse,
  type Rule,
  type Ruled,
  rolesOf,
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
  roles: ReadonlyMap<Mode, ReadonlyMap<Role, RoleUse>>
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
    roles: new Map(modes.map((mode) => [mode, rolesOf(entry, mode)])),
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

/**
 * A request as its model sees it: its fields, options and inputs by their names and roles.
 * @param fields null counts as absent
 */
export function requestFor(
  model: Model | undefined,
  { options, inputs, mode: stated, ...fields }: { [field: string]: unknown; inputs?: readonly Input[] | null },
): Chosen {
  const mode = modeOf(model, inputs ?? [], stated as Mode | null | undefined)
  const chosen: Chosen = { mode }
  for (const [name, value] of Object.entries({ ...(options as object | null), ...fields })) {
    if (value !== undefined && value !== null) chosen[name] = value
  }
  for (const { role, source } of inputs ?? []) {
    if (LISTED_ROLES.includes(role) || chosen[role] !== undefined)
      chosen[role] = [...((chosen[role] as string[] | undefined) ?? []), source].flat()
    else chosen[role] = source
  }
  // A ratio beside an image whose shape the film follows is ignored.
  if (model?.constraints.get(mode)?.get('aspectRatio')?.values === null) delete chosen.aspectRatio
  return chosen
}

/** The mode that a request states, or has by its inputs; else the closest one, whose check names the field. */
function modeOf(model: Model | undefined, inputs: readonly Input[], stated: Mode | null | undefined): Mode {
  if (stated) return stated
  if (inputs.length === 0) return model?.summary.modes.find((mode) => takesNoInput(model, mode)) ?? TEXT_TO_VIDEO
  const given = new Set(inputs.map(({ role }) => role))
  const isClose = ([, roles]: [Mode, ReadonlyMap<Role, unknown>]) => [...roles.keys()].some((role) => given.has(role))
  const closest = [...(model?.roles ?? [])].findLast(isClose) ?? allModes(model).findLast(isClose)
  return fitting(model, given)[0] ?? closest?.[0] ?? TEXT_TO_VIDEO
}

/** The modes whose roles a request has, and no others. */
export const fitting = (model: Model | undefined, given: ReadonlySet<Role>): Mode[] =>
  allModes(model).flatMap(([mode, roles]) =>
    [...given].every((role) => roles.has(role)) && [...roles].every(([role, { from }]) => from === 0 || given.has(role))
      ? [mode]
      : [],
  )

/** Those of the model, then the known ones that it has not. */
function allModes(model: Model | undefined): [Mode, ReadonlyMap<Role, { from: number }>][] {
  const known = Object.entries(MODES).map(
    ([mode, roles]) => [mode, new Map(roles.map((role) => [role, { from: 1 }]))] satisfies [Mode, unknown],
  )
  return [...(model?.roles ?? []), ...known.filter(([mode]) => !model?.roles.has(mode))]
}

const takesNoInput = ({ roles }: Model, mode: Mode): boolean =>
  [...(roles.get(mode)?.values() ?? [])].every(({ from }) => from === 0)

/** The routes whose account has settings. */
export const servedRoutes = (
  { routes }: Pick<Model, 'routes'>,
  { providers }: Pick<CatalogueSettings, 'providers'>,
): Route[] => routes.filter(({ account }) => providers[account])

/** The routes of an offer that can do exactly this request, in order of preference: first that which keeps its film. */
export function routesFor({ routes }: Pick<Model, 'routes'>, chosen: Chosen): Route[] {
  const able = routes.filter((route) => canDo(route, chosen))
  const keeping = able.filter((route) => keepsFilm(route, chosen))
  return keeping.length === 0 ? able : [...new Set([...keeping, ...able])]
}

/** The same; routes in a row with a weight are equals. */
export function equalsFor(model: Pick<Model, 'routes'>, chosen: Chosen): Route[][] {
  const groups: Route[][] = []
  for (const route of routesFor(model, chosen)) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (before?.weight && route.weight && keepsFilm(before, chosen) === keepsFilm(route, chosen)) last?.push(route)
    else groups.push([route])
  }
  return groups
}

/** @param chosen as keepsFilm */
export function canDo(route: Route, chosen: Chosen): boolean {
  const { model, serves = {} } = route
  if (typeof model === 'object' && model[chosen.mode] === undefined) return false
  const isOwnAlone = chosen.filmAccount !== undefined && filmOf(inputOf(route, chosen.mode)) === 'own'
  if (isOwnAlone && !keepsFilm(route, chosen)) return false
  if (hasUnknownLength(chosen) && namesIn(inputOf(route, chosen.mode)).has('lengths')) return false
  return Object.entries(serves).every(
    ([field, values]) => chosen[field] === undefined || includes(values, chosen[field]),
  )
}

/**
 * Whether a request's film is one that the account has made and can go on from by the id of its task.
 * @param chosen `filmAccount`, `filmModel`, `filmDays`: that has made the film, of which model, and how long ago
 */
export function keepsFilm(route: Route, chosen: Chosen): boolean {
  const { account, keeps = {} } = route
  if (chosen.filmAccount !== account || !namesIn(inputOf(route, chosen.mode)).has('filmTask')) return false
  const { models, days = Number.POSITIVE_INFINITY } = keeps
  return (models?.includes(String(chosen.filmModel)) ?? true) && Number(chosen.filmDays ?? 0) < days
}

/** Whether an input is a link to something of unknown length. */
export const hasUnknownLength = ({ lengths }: Chosen): boolean => Object.values(Object(lengths)).includes(null)

/** The vendor's name of the model, the mapping and the cost for a request at an account; null: no route. */
export function routeOf(
  model: Model,
  account: string,
  chosen: Chosen,
):
  | (Pick<Route, 'cost' | 'mentions'> & { name: string | undefined; input: Mapping | undefined; keepsFilm: boolean })
  | null {
  const route = routesFor(model, chosen).find((each) => each.account === account)
  if (!route) return null
  const name = typeof route.model === 'object' ? route.model[chosen.mode] : route.model
  return { ...route, name, input: inputOf(route, chosen.mode), keepsFilm: keepsFilm(route, chosen) }
}

export function inputOf(route: Pick<Route, 'input' | 'model'>, mode: Mode): Mapping | undefined {
  const { input } = route
  return isByMode(route, input) ? input[mode] : (input as Mapping | undefined)
}

/** What of an input a mapping names, by its role and for references by the kind. */
export const MAPPED: Record<Role, readonly string[]> = {
  start: ['start'],
  end: ['end'],
  keyframe: ['keyframes'],
  reference: ['referenceImages', 'referenceFilms', 'referenceSounds'],
  film: ['film', 'filmTask'],
  motion: ['motion'],
  sound: ['sound'],
  portrait: ['portrait'],
}
/** Films a mapping takes: any, by bytes or link; the account's own, by the vendor's task id; or none. */
export function filmOf(input: Mapping | undefined): 'any' | 'own' | null {
  const names = namesIn(input)
  return names.has('film') ? 'any' : names.has('filmTask') ? 'own' : null
}
/** The names in the expressions of a mapping. */
export const namesIn = (input: Mapping | undefined): Set<string> =>
  new Set(
    JSON.stringify(Object.values(input ?? {}))
      .replace(/'[^']*'/g, '')
      .match(/(?<![\w$])[A-Za-z]\w*/g),
  )

/** Whether an input is by mode: by those that Kinora knows, or those of the route's model. */
export function isByMode(
  { model }: Pick<Route, 'model'>,
  input: Route['input'],
): input is Extract<Route['input'], Record<Mode, object>> {
  const entries = Object.entries(input ?? {})
  const isMode = (name: string) =>
    Object.hasOwn(MODES, name) || (typeof model === 'object' && Object.hasOwn(model, name))
  return entries.length > 0 && entries.every(([name, value]) => isMode(name) && typeof value === 'object')
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
