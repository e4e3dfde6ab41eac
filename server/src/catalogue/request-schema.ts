/**
 * The JSON Schema of a model's generate request: what it accepts is accepted by the check in request.ts, and the other
 * way round. What only the service can decide is left to it: whether a link leads to a public host, whether an asset is
 * the caller's, and what is in it. A form can be drawn from it: the first part of `allOf` has the modes by their
 * titles, with what goes in (`x-inputs`), and a part with a `description`, the `why` of a rule, narrows fields by the
 * values of others.
 */
import { isOptionField } from '../film/fields.ts'
import { KINDS, type Kind, kindOf, ROLES, type Role, type RoleField, roleFields } from '../film/inputs.ts'
import { FILMS_MAX, INPUT_URL_CHARACTERS_MAX, INPUTS_MAX, PROMPT_CHARACTERS_MAX } from '../film/limits.ts'
import type { Mode } from '../film/mode.ts'
import {
  type Constraint,
  constraintsOf,
  GIVEN,
  includes,
  intersection,
  isList,
  lengthOf,
  type RoleUse,
  type Rule,
  type Scalar,
  shapeOf,
  type Values,
  wantedOf,
} from './constraints.ts'
import { keptBy } from './inputs.ts'
import { fitting, listOf, type Model } from './model.ts'
import type { Narrower } from './model-file.ts'

type Keywords = { [keyword: string]: unknown }
type Schema = Keywords | boolean

export function requestSchema(model: Model): Schema {
  const modes = model.summary.modes
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: model.name,
    type: 'object',
    additionalProperties: false,
    properties: properties(model),
    required: [
      'model',
      ...['prompt', 'duration'].filter((name) => modes.every((mode) => neededIn(model, mode).includes(name))),
    ],
    allOf: [
      {
        anyOf: modes.map((mode) => ({
          title: mode,
          'x-inputs': [...(model.roles.get(mode) ?? [])].map(([role, use]) => ({ role, ...use })),
          ...isMode(model, mode),
        })),
      },
      ...modes.map((mode) => implies(isMode(model, mode), ofMode(model, mode))),
      ...fieldsOf(model).map(onceNamed),
      ...(model.rules ?? []).map((rule) => ({
        description: rule.why ?? '',
        ...implies(holds(model, rule), ofRule(model, rule)),
      })),
    ],
  }
}

/** What a request of a mode has, unless its inputs decide it. */
function neededIn(model: Model, mode: Mode): string[] {
  const shape = shapeOf(model, mode)
  const { prompt = 'required' } = shape
  return [...(prompt === 'required' ? ['prompt'] : []), ...(lengthOf(shape) ? [] : ['duration'])]
}
function refusedIn(model: Model, mode: Mode): string[] {
  const shape = shapeOf(model, mode)
  return [...keptBy(shape), ...(shape.prompt === 'none' ? ['n'] : []), ...(lengthOf(shape) ? ['duration'] : [])]
}

const NO_NULL = '^[^\\u0000]*$'
const link = { type: 'string', format: 'uri', maxLength: INPUT_URL_CHARACTERS_MAX }
const uuid = { type: 'string', format: 'uuid' }

type Field = { role: Role; mode?: Mode }
const FIELDS = Object.entries(roleFields) as [RoleField, Field][]
/** The fields that name an input of the model. */
const fieldsOf = (model: Model): [RoleField, Field][] =>
  FIELDS.filter(([, { role, mode }]) =>
    [...model.roles].some(([each, roles]) => roles.has(role) && (mode === undefined || mode === each)),
  )

/** The fields that the model has in any mode, with what all modes have in common. */
function properties(model: Model): Record<string, Schema> {
  const options = Object.entries(model.options ?? {}).map(([name, { type, title, description, default: value }]) => [
    name,
    {
      type,
      ...(title && { title }),
      ...(description && { description }),
      ...(value !== undefined && { default: value }),
    },
  ])
  const isField = ([name]: unknown[]) => isOptionField(String(name))
  const own = options.filter((option) => !isField(option))
  const roles = ROLES.filter((role) => [...model.roles.values()].some((each) => each.has(role)))
  return {
    prompt: { type: 'string', maxLength: PROMPT_CHARACTERS_MAX, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' },
    model: { const: model.id },
    mode: { enum: model.summary.modes },
    duration: { type: 'integer', description: 'Seconds' },
    aspectRatio: { type: 'string' },
    quality: { type: 'string' },
    ...Object.fromEntries(fieldsOf(model).map(([name, { role }]) => [name, ofField(role)])),
    ...(roles.length > 0 && {
      inputs: { type: 'array', minItems: 1, maxItems: INPUTS_MAX, items: { anyOf: roles.map(ofRole) } },
    }),
    ...Object.fromEntries(options.filter(isField)),
    ...(own.length > 0 && {
      options: { type: 'object', additionalProperties: false, properties: Object.fromEntries(own) },
    }),
    n: { type: 'integer', minimum: 1, maximum: FILMS_MAX },
    webhookUrl: { type: 'string', format: 'uri' },
  }
}

function ofField(role: Role): Schema {
  if (role === 'reference') return { type: 'array', items: link, minItems: 1 }
  return kindOf[role] === 'film' ? uuid : link
}

function ofRole(role: Role): Schema {
  const takesVideo = role === 'reference' || kindOf[role] === 'film'
  const sources = { asset: { type: 'string' }, url: link, ...(takesVideo && { video: uuid }) }
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      role: { const: role },
      ...sources,
      kind: { enum: role === 'reference' ? KINDS : [kindOf[role]] },
      ...(role === 'keyframe' && { at: { type: 'number', minimum: 0 } }),
    },
    required: ['role', ...(role === 'keyframe' ? ['at'] : [])],
    anyOf: Object.keys(sources).map((name) => ({
      required: [name],
      properties: {
        ...Object.fromEntries(Object.keys(sources).map((other) => [other, other === name])),
        ...(name !== 'url' && { kind: false }),
      },
    })),
  }
}

/** An input of a role is named by its field or in `inputs`, not both; a field of a mode states no other. */
function onceNamed([name, { role, mode }]: [RoleField, Field]): Schema {
  const refused = { allOf: [{ required: [name] }, hasInput(role)] }
  return {
    allOf: [
      { not: refused },
      ...(mode === undefined ? [] : [implies({ required: [name] }, { properties: { mode: { const: mode } } })]),
    ],
  }
}

const isInput = (role: Role): Keywords => ({ required: ['role'], properties: { role: { const: role } } })
const hasInput = (role: Role): Keywords => ({
  required: ['inputs'],
  properties: { inputs: { contains: isInput(role) } },
})
const ofRoleIn = (model: Model, role: Role) => fieldsOf(model).filter(([, each]) => each.role === role)
const hasRole = (model: Model, role: Role): Keywords => ({
  anyOf: [hasInput(role), ...ofRoleIn(model, role).map(([name]) => ({ required: [name] }))],
})

/** A request states its mode, or has it by the roles of its inputs where no other mode has them too. */
function isMode(model: Model, mode: Mode): Keywords {
  const stating = fieldsOf(model).filter(([, each]) => each.mode !== undefined)
  const byField = stating.filter(([, each]) => each.mode === mode).map(([name]) => ({ required: [name] }))
  const isUnstated = [['mode'], ...stating.map(([name]) => [name])].map((required) => ({ not: { required } }))
  return {
    anyOf: [
      { required: ['mode'], properties: { mode: { const: mode } } },
      ...byField,
      ...(isAmbiguous(model, mode) ? [] : [{ allOf: [...isUnstated, ...rolesOfMode(model, mode)] }]),
    ],
  }
}

/** Whether another mode has the roles that this one needs. */
function isAmbiguous(model: Model, mode: Mode): boolean {
  const needed = [...(model.roles.get(mode) ?? [])].flatMap(([role, { from }]) => (from > 0 ? [role] : []))
  return needed.length > 0 && fitting(model, new Set(needed)).filter((each) => model.roles.has(each)).length > 1
}

const rolesOfMode = (model: Model, mode: Mode): Keywords[] =>
  ROLES.flatMap((role): Keywords[] => {
    const use = model.roles.get(mode)?.get(role)
    if (!use) return [{ not: hasRole(model, role) }]
    return use.from > 0 ? [hasRole(model, role)] : []
  })

function ofMode(model: Model, mode: Mode): Schema {
  const refused = refusedIn(model, mode)
  const fields = [...constraintsOf(model, mode)].filter(
    ([name]) => !(ROLES as readonly string[]).includes(name) && !refused.includes(name),
  )
  return {
    allOf: [
      ...rolesOfMode(model, mode),
      ...[...(model.roles.get(mode) ?? [])].flatMap(([role, use]) => ofUse(model, role, use)),
      ...fields.flatMap(([name, constraint]) => ofConstraint(model, name, constraint)),
      { required: neededIn(model, mode), properties: Object.fromEntries(refused.map((name) => [name, false])) },
    ],
  }
}

/** How many inputs of a role, and of which kinds. */
function ofUse(model: Model, role: Role, { from, to, kinds }: RoleUse): Schema[] {
  const isOfKind = kinds.flatMap((kind): Schema[] => [
    ...(kind === 'film' ? [{ required: ['video'] }] : []),
    {
      required: ['url', ...(kind === kindOf[role] ? [] : ['kind'])],
      properties: { kind: { const: kind } },
    },
  ])
  const count = { minItems: from, maxItems: to }
  return [
    ...ofRoleIn(model, role).map(([name]) => ({ properties: { [name]: count } })),
    ...(kinds.includes('image' satisfies Kind) || role !== 'reference'
      ? []
      : ofRoleIn(model, role).map(([name]) => ({ properties: { [name]: false } }))),
    {
      properties: {
        inputs: {
          anyOf: [
            { contains: isInput(role), minContains: Math.max(1, from), maxContains: to },
            { not: { contains: isInput(role) } },
          ],
          items: implies(isInput(role), { anyOf: [{ required: ['asset'] }, ...isOfKind] }),
        },
      },
    },
  ]
}

function ofConstraint(model: Model, name: string, { values, presence }: Constraint): Schema[] {
  if (presence === 'forbidden') return [isAbsent(model, name)]
  return [
    ...(values ? [hasWhenPresent(model, name, ofValues(values))] : []),
    ...(presence === 'required' && name !== 'duration' ? [isPresent(model, name)] : []),
  ]
}

function ofRule(model: Model, { then: narrowers }: Rule): Schema {
  return { allOf: Object.entries(narrowers).map(([name, narrower]) => ofNarrower(model, name, narrower)) }
}

function ofNarrower(model: Model, name: string, narrower: Narrower): Schema {
  if (narrower === 'required') return isPresent(model, name)
  if (narrower === 'forbidden') return isAbsent(model, name)
  return hasWhenPresent(model, name, ofValues(narrower as Values))
}

function ofValues(values: Values): Schema {
  if (isList(values)) return values.length > 0 ? { enum: values } : false
  if ('maxLength' in values) return { type: 'string', maxLength: values.maxLength, pattern: NO_NULL }
  const { from, to, step = 1 } = values
  if (step === 1 && Number.isInteger(from)) return { type: 'integer', minimum: from, maximum: to }
  return step === 0 ? { type: 'number', minimum: from, maximum: to } : { enum: listOf(values) }
}

const isOwnOption = ({ options = {} }: Model, name: string): boolean =>
  Object.hasOwn(options, name) && !isOptionField(name)

/** A schema of the field where it lies: in the request, or in its options. */
const hasWhenPresent = (model: Model, name: string, schema: Schema): Schema =>
  isOwnOption(model, name)
    ? { properties: { options: { properties: { [name]: schema } } } }
    : { properties: { [name]: schema } }
const isAbsent = (model: Model, name: string): Schema => hasWhenPresent(model, name, false)
const isPresent = (model: Model, name: string): Schema =>
  isOwnOption(model, name)
    ? { required: ['options'], properties: { options: { required: [name] } } }
    : { required: [name] }

const implies = (condition: Schema, consequence: Schema): Keywords => ({ anyOf: [{ not: condition }, consequence] })

/** Whether a request meets the condition of a rule, with the defaults of what it leaves out. */
const holds = (model: Model, { when }: Rule): Schema => ({
  allOf: Object.entries(when).map(([name, wanted]) => {
    const list = wantedOf(wanted)
    if (name === 'mode') return { anyOf: list.map((mode) => isMode(model, mode as Mode)) }
    return wanted === GIVEN ? isPresent(model, name) : hasOneOf(model, name, list)
  }),
})

/** Whether a field has one of these values, stated or by default. */
function hasOneOf(model: Model, name: string, values: Values): Schema {
  const stated = { allOf: [isPresent(model, name), hasWhenPresent(model, name, ofValues(values))] }
  const byDefault = model.summary.modes.flatMap((mode) =>
    defaultsOf(model, mode, name)
      .filter(({ value }) => value !== undefined && includes(values, value))
      .map(({ condition }) => ({ allOf: [isAbsent(model, name), isMode(model, mode), condition] })),
  )
  return { anyOf: [stated, ...byDefault] }
}

/** What a field that is left out gets in a mode: the first value that the rules leave, for each set that may apply. */
function defaultsOf(model: Model, mode: Mode, name: string): { condition: Schema; value: Scalar | undefined }[] {
  const constraint = model.constraints.get(mode)?.get(name)
  const initial = constraint?.presence === 'forbidden' ? undefined : constraint?.default
  if (!constraint || initial === undefined) return [{ condition: true, value: undefined }]
  let cases: { condition: Schema[]; values: Values | null }[] = [{ condition: [], values: constraint.values }]
  for (const rule of model.rules ?? []) {
    const narrower = Object.hasOwn(rule.then, name) ? rule.then[name] : undefined
    if (narrower === undefined || narrower === 'required') continue
    const applies = holds(model, rule)
    cases = cases.flatMap(({ condition, values }) => [
      { condition: [...condition, { not: applies }], values },
      {
        condition: [...condition, applies],
        values: narrower === 'forbidden' ? [] : intersection(values, narrower as Values),
      },
    ])
  }
  return cases.map(({ condition, values }) => ({
    condition: { allOf: condition.length > 0 ? condition : [true] },
    value: includes(values, initial) ? initial : isList(values) ? values[0] : undefined,
  }))
}
