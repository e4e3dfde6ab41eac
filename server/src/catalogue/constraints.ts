/**
 * What a request may ask a model for: the constraints of its mode, narrowed by the rules whose conditions it meets.
 * They stand in the model's file alone; validation, prices and the JSON Schema of a request come from here.
 */
import { DEFAULT_QUALITY } from '../film/fields.ts'
import { KINDS, type Kind, kindOf, ROLES, type Role } from '../film/inputs.ts'
import { MODES, type Mode } from '../film/mode.ts'
import { FOLLOWS_THE_IMAGE, type ModelEntry, type Option, type RoleLimits, type Shape } from './model-file.ts'

export type Scalar = string | number | boolean
/** `step`: 1 when left out, 0 for all numbers. */
export type Range = { from: number; to: number; step?: number }
export type Text = { maxLength: number }
export type Values = readonly Scalar[] | Range | Text
/** What a field may have. `values` null: every value its check takes. `why`: reasons of the rules. */
export type Constraint = {
  values: Values | null
  presence: 'optional' | 'required' | 'forbidden'
  default?: Scalar | undefined
  /** Of a role: how many. */
  count?: { from: number; to: number } | undefined
  why: readonly string[]
}
/** A request by its fields, absent ones left out or undefined. */
export type Chosen = { mode: Mode; [field: string]: unknown }
/** Of a condition: any value. No file has it; an offer does, where one number or text excludes another. */
export const GIVEN = { given: true } as const
type Condition = { [field: string]: Scalar | readonly Scalar[] | typeof GIVEN }
export type Rule = Omit<NonNullable<ModelEntry['rules']>[number], 'when'> & { when: Condition }
/** `rulesOf`: the rules by the fields that they narrow. */
export type Ruled = { rulesOf: ReadonlyMap<string, readonly Rule[]> }
const NONE: readonly Rule[] = []
/** The parts of a model that constrain requests. */
export type Constrained = Pick<ModelEntry, 'modes' | 'options'> & { rules?: readonly Rule[] | undefined }

const TEXT_CHARACTERS = 1000

export const modesOf = ({ modes }: Pick<ModelEntry, 'modes'>): Mode[] => [
  ...Object.keys(MODES).filter((mode) => modes[mode]),
  ...Object.keys(modes).filter((mode) => !Object.hasOwn(MODES, mode)),
]

/** What a mode states, and what it leaves out as in the first mode of the file; its inputs and prompt are its own. */
export function shapeOf({ modes }: Pick<ModelEntry, 'modes'>, mode: Mode): Shape {
  const { inputs: _, prompt: __, ...first } = Object.values(modes)[0] ?? {}
  return { ...first, ...modes[mode] }
}

/** How many inputs a role of a mode takes, and of which kinds; `most`: of a kind, where that is fewer. */
export type RoleUse = { from: number; to: number; kinds: readonly Kind[]; most?: { [kind in Kind]?: number } }
/** The roles of a mode, in their order. */
export function rolesOf(model: Pick<ModelEntry, 'modes'>, mode: Mode): Map<Role, RoleUse> {
  const stated: { [role: string]: RoleLimits } =
    shapeOf(model, mode).inputs ?? Object.fromEntries((MODES[mode] ?? []).map((role) => [role, {}]))
  return new Map(
    ROLES.flatMap((role): [Role, RoleUse][] => {
      const limits = stated[role]
      if (!limits) return []
      const kinds = KINDS.filter((kind) => limits[kind])
      const most = kinds.flatMap((kind) => (limits[kind]?.to === undefined ? [] : [[kind, limits[kind].to] as const]))
      const use = { from: limits.from ?? 1, to: limits.to ?? 1, kinds: kinds.length > 0 ? kinds : [kindOf[role]] }
      return [[role, { ...use, ...(most.length > 0 && { most: Object.fromEntries(most) }) }]]
    }),
  )
}

/** What the length of a mode's film follows: an input, or the vendor's choice; null: the request states it. */
export function lengthOf({ duration }: Shape): { follows: Follows; from: number; to: number } | null {
  if (duration === undefined || Array.isArray(duration) || duration.follows === undefined) return null
  const { follows, from, to } = duration
  return { follows, from, to }
}
type Follows = 'film' | 'motion' | 'sound' | 'vendor'

/** The constraints of a mode by field, before rules. */
export function constraintsOf(model: Constrained, mode: Mode): Map<string, Constraint> {
  const { duration = null, quality = [], aspectRatio = [] } = shapeOf(model, mode)
  const uses = rolesOf(model, mode)
  const found = new Map<string, Constraint>([
    ['duration', { values: duration, presence: 'required', why: [] }],
    [
      'aspectRatio',
      aspectRatio === FOLLOWS_THE_IMAGE
        ? { values: null, presence: 'optional', why: [] }
        : { values: aspectRatio, presence: uses.has('film') ? 'optional' : 'required', why: [] },
    ],
    [
      'quality',
      {
        values: quality,
        presence: 'optional',
        default: quality.find((each) => each === DEFAULT_QUALITY) ?? quality[0],
        why: [],
      },
    ],
  ])
  for (const role of ROLES) {
    const use = uses.get(role)
    const presence = use ? (use.from > 0 ? 'required' : 'optional') : 'forbidden'
    found.set(role, { values: null, presence, count: use, why: [] })
  }
  for (const [name, option] of Object.entries(model.options ?? {})) found.set(name, ofOption(option, mode))
  return found
}

function ofOption(option: Option, mode: Mode): Constraint {
  if (option.modes && !option.modes.includes(mode)) return { values: null, presence: 'forbidden', why: [] }
  return { values: valuesOf(option), presence: 'optional', default: option.default, why: [] }
}

export function valuesOf(option: Option): Values {
  switch (option.type) {
    case 'boolean':
      return [true, false]
    case 'integer':
      return { from: option.minimum, to: option.maximum }
    case 'number':
      return { from: option.minimum, to: option.maximum, step: 0 }
    case 'string':
      return option.enum ?? { maxLength: option.maxLength ?? TEXT_CHARACTERS }
  }
}

/** Indexes the rules: each request asks for those of every field of its model. */
export function rulesByField({ rules = [] }: Pick<Constrained, 'rules'>): Map<string, Rule[]> {
  const fields = [...new Set(rules.flatMap(({ then }) => Object.keys(then)))]
  return new Map(fields.map((field) => [field, rules.filter(({ then }) => Object.hasOwn(then, field))]))
}

/** The constraint of a field by the rules that the request meets. */
export function narrowed(model: Ruled, chosen: Chosen, field: string, constraint: Constraint): Constraint {
  let found = constraint
  for (const { when, then, why } of model.rulesOf.get(field) ?? NONE) {
    const narrower = then[field]
    if (narrower === undefined || !meetsAll(chosen, when)) continue
    const reasons = why ? [...found.why, why] : found.why
    if (typeof narrower === 'string') {
      const presence = found.presence === 'forbidden' ? 'forbidden' : (narrower as Constraint['presence'])
      found = { ...found, presence, why: reasons }
    } else found = { ...found, values: intersection(found.values, narrower), why: reasons }
  }
  return found
}

/** Whether a request meets the condition of a rule. */
export const meetsAll = (chosen: Chosen, when: Condition): boolean =>
  Object.entries(when).every(([name, wanted]) => meets(chosen[name], wanted))

const meets = (value: unknown, wanted: Condition[string]): boolean =>
  wanted === GIVEN ? value !== undefined : wantedOf(wanted).includes(value as Scalar)

/** The values of a condition; none where any value meets it. */
export const wantedOf = (wanted: Condition[string]): readonly Scalar[] =>
  wanted === GIVEN ? [] : Array.isArray(wanted) ? wanted : [wanted as Scalar]

/**
 * The request with the defaults of what it leaves out. A default that a rule excludes is replaced by the first value
 * that the rule leaves. Rules are met by the defaults of other fields too, so the fields are filled in the order of
 * `defaultsInSequence`.
 */
export function withDefaults(
  model: Ruled,
  constraints: ReadonlyMap<string, Constraint>,
  sequence: readonly string[],
  given: Chosen,
): Chosen {
  const chosen = { ...given }
  for (const field of sequence) {
    const ofMode = constraints.get(field)
    if (chosen[field] !== undefined || ofMode?.default === undefined) continue
    const { values, presence } = narrowed(model, chosen, field, ofMode)
    if (presence === 'forbidden') continue
    const value = includes(values, ofMode.default) ? ofMode.default : isList(values) ? values[0] : undefined
    if (value !== undefined) chosen[field] = value
  }
  return chosen
}

/**
 * The fields with a default, each after those that the rules about it depend on.
 * @returns `circle`: fields that depend on each other
 */
export function defaultsInSequence({ options, rules = [] }: Constrained): {
  sequence: string[]
  circle: string[] | null
} {
  const withDefault = [
    'quality',
    ...Object.entries(options ?? {}).flatMap(([name, option]) => (option.default === undefined ? [] : [name])),
  ]
  const sequence: string[] = []
  let circle: string[] | null = null
  const add = (field: string, above: string[]): void => {
    if (above.includes(field)) circle ??= [...above.slice(above.indexOf(field)), field]
    if (sequence.includes(field) || above.includes(field) || !withDefault.includes(field)) return
    for (const { when, then } of rules) {
      if (Object.hasOwn(then, field)) for (const name of Object.keys(when)) add(name, [...above, field])
    }
    sequence.push(field)
  }
  for (const field of withDefault) add(field, [])
  return { sequence, circle }
}

export function includes(values: Values | null, value: unknown): boolean {
  if (values === null) return true
  if (isList(values)) return values.includes(value as Scalar)
  if (isText(values)) return typeof value === 'string' && [...value].length <= values.maxLength && !value.includes('\0')
  const { from, to, step = 1 } = values
  if (typeof value !== 'number' || !(value >= from && value <= to)) return false
  const steps = step === 0 ? 0 : (value - from) / step
  return Math.abs(steps - Math.round(steps)) < 1e-9
}

export const isList = (values: Values | null): values is readonly Scalar[] => Array.isArray(values)
const isText = (values: Values): values is Text => Object.hasOwn(values, 'maxLength')
export const isRange = (values: Values | null): values is Range => values !== null && Object.hasOwn(values, 'from')

/** The values that both have. */
export function intersection(a: Values | null, b: Values | null): Values | null {
  if (a === null || b === null) return a ?? b
  if (isList(a)) return a.filter((value) => includes(b, value))
  if (isList(b)) return intersection(b, a)
  if (!isRange(a) || !isRange(b)) return isRange(a) ? b : a
  const [coarse, fine] = (a.step ?? 1) >= (b.step ?? 1) ? [a, b] : [b, a]
  const { step = 1 } = coarse
  const up = step === 0 ? fine.from - coarse.from : step * Math.ceil((fine.from - coarse.from) / step)
  return { from: coarse.from + Math.max(0, up), to: Math.min(a.to, b.to), step }
}

export const isEmpty = (values: Values | null): boolean =>
  isList(values) ? values.length === 0 : isRange(values) && values.from > values.to

/** Words for a message: "4, 6, 8", "5 to 15". */
export function describe(values: Values): string {
  if (isList(values)) return values.join(', ')
  if (isText(values)) return `text of at most ${values.maxLength} characters`
  const { from, to, step = 1 } = values
  return `${from} to ${to}${step > 1 ? ` in steps of ${step}` : ''}`
}
