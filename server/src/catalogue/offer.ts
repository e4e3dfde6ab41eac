/**
 * What a model offers with the accounts that have settings: the union of its routes, as a model of its own with fewer
 * modes and values and with more rules. Validation, prices, the JSON Schema and the lists read it alone, so what is
 * listed, quoted and generated agrees. Invariant: a request that it allows is one that a route makes, and the other way
 * round, as far as the model's file allows it.
 */
import type { Mode } from '../film/mode.ts'
import {
  constraintsOf,
  GIVEN,
  includes,
  lengthOf,
  type Rule,
  type Scalar,
  shapeOf,
  type Values,
} from './constraints.ts'
import { listOf, type Model, modesOfRoute, openModel } from './model.ts'
import type { ModelEntry, Narrower, Option, Route, Shape } from './model-file.ts'

/** Values of a field that the same routes make. `values` null: any, of a number or text that is no list. */
type Group = { values: readonly Scalar[] | null; routes: readonly Route[] }
type Field = { name: string; groups: readonly Group[] }

const SHAPE_FIELDS = ['duration', 'aspectRatio', 'quality'] as const
/** Shown to users beside what no route makes. */
export const UNSERVED_TOGETHER = 'no provider of this service makes both'

/** The union of the routes; null when there is none. @param routes those whose accounts have settings */
export function offerOf(model: Model, routes: Route[]): Model | null {
  const modes = model.summary.modes.flatMap((mode) => offeredMode(model, routes, mode) ?? [])
  if (modes.length === 0) return null
  const rules = [...(model.rules ?? []).filter((rule) => concerns(rule, modes)), ...merged(modes)]
  return openModel({
    ...model,
    modes: Object.fromEntries(modes.map(({ mode, shape }) => [mode, shape])) as ModelEntry['modes'],
    options: offeredOptions(model, modes),
    rules,
    routes,
  })
}

type OfferedMode = {
  mode: Mode
  shape: ModelEntry['modes'][Mode]
  /** The options that a request of the mode may have. */
  options: string[]
  /** Without their mode. */
  rules: Rule[]
}

function offeredMode(model: Model, every: Route[], mode: Mode): OfferedMode | null {
  const constraints = constraintsOf(model, mode)
  // Fields with a default last, in the sequence in which they are filled: what is left out follows what is stated.
  const names = [...SHAPE_FIELDS, ...Object.keys(model.options ?? {})]
  const allowed = [...names.filter((name) => !model.defaults.includes(name)), ...model.defaults].filter(
    (name) => constraints.get(name)?.presence !== 'forbidden',
  )
  const valuesOf = (name: string) => constraints.get(name)?.values ?? null
  // A film has a duration, a quality and a ratio: a route without one of the mode's makes none of them.
  const routes = every.filter(
    (route) =>
      isServedMode(route, model, mode) &&
      SHAPE_FIELDS.every((name) => groupsOf([route], name, valuesOf(name)).length > 0),
  )
  if (routes.length === 0) return null
  const restricted = allowed.filter((name) => routes.some(({ serves = {} }) => Object.hasOwn(serves, name)))
  const fields = restricted.map((name) => ({ name, groups: groupsOf(routes, name, valuesOf(name)) }))
  const shape = { ...shapeOf(model, mode) }
  const rules: Rule[] = []
  for (const [i, field] of fields.entries()) {
    const served = field.groups.flatMap(({ values }) => values ?? [])
    const [name, values] = [field.name, valuesOf(field.name)]
    const isWhole = field.groups.length > 0 && (listOf(values)?.length ?? 0) === served.length
    if (!isWhole && (SHAPE_FIELDS as readonly string[]).includes(name)) {
      const follows = lengthOf(shape) !== null
      Object.assign(shape, { [name]: name === 'duration' ? durationOf(shape, served) : inOrder(values, served) })
      // The length of an input may be one between those that are served.
      if (name === 'duration' && follows && Array.isArray(compact(served)))
        rules.push(ruleOf({}, name, inOrder(values, served)))
    } else if (!isWhole && field.groups.length > 0) {
      rules.push(ruleOf({}, name, inOrder(values, served)))
    }
    rules.push(...conflicts(fields.slice(0, i), field, { routes, values }))
  }
  const options = allowed.filter(
    (name) =>
      Object.hasOwn(model.options ?? {}, name) && fields.every((each) => each.name !== name || each.groups.length > 0),
  )
  return { mode, shape, options, rules }
}

function isServedMode(route: Route, model: Model, mode: Mode): boolean {
  const { mode: served } = route.serves ?? {}
  return modesOfRoute(route, model).includes(mode) && (served === undefined || includes(served as Values, mode))
}

/** The values of a field by the routes that make them, those left out that none makes. */
function groupsOf(routes: readonly Route[], name: string, values: Values | null): Group[] {
  const makers = (isMade: (served: Values) => boolean) =>
    routes.filter(({ serves = {} }) => !Object.hasOwn(serves, name) || isMade(serves[name] as Values))
  const list = listOf(values) as readonly Scalar[] | null
  // The check of the file leaves a number or text all values or none. A film that follows its image has no ratio.
  const groups = list
    ? [
        ...Map.groupBy(list, (value) =>
          keyOf(
            routes,
            makers((served) => includes(served, value)),
          ),
        ).values(),
      ].map((each) => ({ values: each, routes: makers((served) => includes(served, each[0])) }))
    : [{ values: null, routes: makers(() => name === 'aspectRatio') }]
  return groups.filter(({ routes }) => routes.length > 0)
}

const keyOf = (routes: readonly Route[], some: readonly Route[]): string =>
  some.map((route) => routes.indexOf(route)).join()

/** Without values the field is forbidden. No literal, because an object with `then` looks like a promise. */
const ruleOf = (when: Rule['when'], field: string, values: Scalar[]): Rule => {
  const narrower: Narrower = values.length === 0 ? 'forbidden' : values
  return { when, ...(Object.fromEntries([['then', { [field]: narrower }]]) as Pick<Rule, 'then'>) }
}

type Choice = { when: Rule['when']; makers: readonly Route[]; next: number }

/** Rules about a field by the fields before it, for each choice of them that leaves it less than smaller ones say. */
function conflicts(
  before: readonly Field[],
  { name, groups }: Field,
  { routes, values }: { routes: readonly Route[]; values: Values | null },
): Rule[] {
  const found: { rule: Rule; left: readonly Group[] }[] = []
  let choices: Choice[] = [{ when: {}, makers: routes, next: 0 }]
  while (choices.length > 0) {
    choices = choices.flatMap((choice) => larger(choice, before))
    for (const { when, makers } of choices) {
      const left = groups.filter((group) => group.routes.some((route) => makers.includes(route)))
      const smaller = found.filter(({ rule }) =>
        Object.entries(rule.when).every(([field, wanted]) => when[field] === wanted),
      )
      const known = groups.filter((group) => smaller.every((each) => each.left.includes(group)))
      if (left.length === known.length) continue
      const served = left.flatMap((each) => each.values ?? [])
      found.push({ rule: { ...ruleOf(when, name, inOrder(values, served)), why: UNSERVED_TOGETHER }, left })
    }
  }
  return found.map(({ rule }) => rule)
}

/** The choices of one more field that leave fewer routes, and at least one. */
const larger = ({ when, makers, next }: Choice, fields: readonly Field[]): Choice[] =>
  fields.flatMap((field, i) => {
    if (i < next) return []
    return field.groups.flatMap((group) => {
      const both = makers.filter((route) => group.routes.includes(route))
      if (both.length === 0 || both.length === makers.length) return []
      return [{ when: { ...when, [field.name]: group.values ?? GIVEN }, makers: both, next: i + 1 }]
    })
  })

/** In the order of the model's own values, whose first one is the default. */
const inOrder = (values: Values | null, some: readonly Scalar[]): Scalar[] =>
  ((listOf(values) ?? []) as Scalar[]).filter((value) => some.includes(value))

/** A range goes on following what it follows, from the shortest to the longest that is served. */
function durationOf(shape: Shape, served: readonly Scalar[]): NonNullable<Shape['duration']> {
  const duration = compact(served)
  const length = lengthOf(shape)
  if (!length) return duration
  const ends = Array.isArray(duration) ? { from: Math.min(...duration), to: Math.max(...duration) } : duration
  return { ...ends, follows: length.follows }
}

/** Numbers as a range where they are one. */
function compact(numbers: readonly Scalar[]): NonNullable<NonNullable<ModelEntry['modes'][Mode]>['duration']> {
  const list = (numbers as number[]).toSorted((a, b) => a - b)
  const [from = 0, next = from, ...rest] = list
  const step = next - from
  const isEven = rest.length > 0 && list.every((value, i) => value === from + i * step)
  return isEven ? { from, to: list.at(-1) ?? from, ...(step > 1 && { step }) } : list
}

/** Whether a request of an offered mode can meet a rule of the file. */
function concerns({ when }: Rule, modes: readonly OfferedMode[]): boolean {
  const wanted = when.mode === undefined ? null : [when.mode].flat()
  return wanted === null || modes.some(({ mode }) => wanted.includes(mode))
}

/** The rules of all modes, each once with the modes that have it. */
function merged(modes: readonly OfferedMode[]): Rule[] {
  const each = modes.flatMap(({ mode, rules }) => rules.map((rule) => ({ mode, rule })))
  return [...Map.groupBy(each, ({ rule }) => JSON.stringify(rule)).values()].flatMap((same) => {
    const rule = same[0]?.rule
    const isOfAll = rule && same.length === modes.length && Object.keys(rule.when).length > 0
    return rule ? [isOfAll ? rule : { ...rule, when: { mode: same.map(({ mode }) => mode), ...rule.when } }] : []
  })
}

/** The options that some mode may have, with those modes. */
function offeredOptions({ options = {} }: Model, modes: readonly OfferedMode[]): Record<string, Option> {
  const offered = Object.entries(options).flatMap(([name, option]): [string, Option][] => {
    const having = modes.filter((each) => each.options.includes(name)).map(({ mode }) => mode)
    if (having.length === 0) return []
    return [[name, having.length === modes.length ? withoutModes(option) : { ...option, modes: having }]]
  })
  return Object.fromEntries(offered)
}

function withoutModes({ modes: _, ...option }: Option): Option {
  return option as Option
}

/** What a model's file has and no served route makes. `values` empty: the whole field. */
export type LeftOut = { field: string; values: unknown[] }

export function leftOutOf(model: Model, offer: Model): LeftOut[] {
  const fields = [...new Set([...model.constraints.values()].flatMap((each) => [...each.keys()]))]
  const modes = model.summary.modes.filter((mode) => !offer.constraints.has(mode))
  const ofFields = fields.flatMap((field) => {
    const [before, after] = [valuesIn(model, field), valuesIn(offer, field)]
    if (before !== null && after === null) return [{ field, values: [] }]
    const values = (before ?? []).filter((value) => !after?.includes(value))
    return values.length > 0 ? [{ field, values }] : []
  })
  return modes.length > 0 ? [{ field: 'mode', values: modes }, ...ofFields] : ofFields
}

/** The values of a field that is not forbidden in every mode, numbers and texts that are no list left out. */
function valuesIn({ constraints }: Model, field: string): unknown[] | null {
  const found = [...constraints.values()].flatMap((fields) => fields.get(field) ?? [])
  const allowed = found.filter(({ presence }) => presence !== 'forbidden')
  return allowed.length === 0 ? null : [...new Set(allowed.flatMap(({ values }) => listOf(values) ?? []))]
}
