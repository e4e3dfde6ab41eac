/**
 * The JSON Schema of a model's generate request: what it accepts is accepted by the check in request.ts, and the other
 * way round. What only the service can decide is left to it: whether a link leads to a public host, and whether an
 * upload is the caller's. A form can be drawn from it: the first part of `allOf` has the modes by their titles, and a
 * part with a `description`, the `why` of a rule, narrows fields by the values of others.
 */
import { isOptionField } from '../film/fields.ts'
import { FILMS_MAX, PROMPT_CHARACTERS_MAX, START_IMAGE_URL_CHARACTERS_MAX } from '../film/limits.ts'
import type { Mode } from '../film/mode.ts'
import {
  type Constraint,
  constraintsOf,
  FILM_FIELDS,
  GIVEN,
  IMAGE_FIELDS,
  imagesOf,
  includes,
  intersection,
  isList,
  type Rule,
  type Scalar,
  type Values,
  wantedOf,
} from './constraints.ts'
import { listOf, type Model } from './model.ts'
import type { Narrower } from './model-file.ts'

type Keywords = { [keyword: string]: unknown }
type Schema = Keywords | boolean

export function requestSchema(model: Model): Schema {
  const modes = model.summary.modes
  return {
    title: model.name,
    type: 'object',
    additionalProperties: false,
    properties: properties(model),
    required: modes.includes('upscale') ? ['model'] : NEEDED,
    allOf: [
      { anyOf: modes.map((mode) => ({ title: mode, ...isMode(mode) })) },
      ...modes.map((mode) => implies(isMode(mode), ofMode(model, mode))),
      ...(model.rules ?? []).map((rule) => ({
        description: rule.why ?? '',
        ...implies(holds(model, rule), ofRule(model, rule)),
      })),
    ],
  }
}

const NEEDED = ['prompt', 'model', 'duration']
/** What a request for a larger copy of a film does not have. */
const DECIDED_BY_THE_FILM = ['prompt', 'duration', 'aspectRatio', 'n']
const NO_NULL = '^[^\\u0000]*$'
const link = { type: 'string', format: 'uri', maxLength: START_IMAGE_URL_CHARACTERS_MAX }

/** The fields that the model has in any mode, with what all modes have in common. */
function properties(model: Model): Record<string, Schema> {
  const images = new Set(model.summary.modes.flatMap((mode) => imagesOf[mode]))
  const ofImage = (name: string): Schema =>
    name === 'referenceImageUrls'
      ? { type: 'array', items: link, minItems: 1 }
      : FILM_FIELDS.includes(name)
        ? { type: 'string', format: 'uuid' }
        : link
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
  return {
    prompt: { type: 'string', maxLength: PROMPT_CHARACTERS_MAX, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' },
    model: { const: model.id },
    duration: { type: 'integer', description: 'Seconds' },
    aspectRatio: { type: 'string' },
    quality: { type: 'string' },
    ...Object.fromEntries([...images].map((name) => [name, ofImage(name)])),
    ...Object.fromEntries(options.filter(isField)),
    ...(own.length > 0 && {
      options: { type: 'object', additionalProperties: false, properties: Object.fromEntries(own) },
    }),
    n: { type: 'integer', minimum: 1, maximum: FILMS_MAX },
    webhookUrl: { type: 'string', format: 'uri' },
  }
}

/** A request has the mode whose images it has. */
const isMode = (mode: Mode): Keywords => ({
  required: imagesOf[mode],
  properties: Object.fromEntries(
    IMAGE_FIELDS.filter((name) => !imagesOf[mode].includes(name)).map((name) => [name, false]),
  ),
})

function ofMode(model: Model, mode: Mode): Schema {
  const decided = mode === 'upscale' ? DECIDED_BY_THE_FILM : []
  const fields = [...constraintsOf(model, mode)].filter(
    ([name]) => !IMAGE_FIELDS.includes(name) && !decided.includes(name),
  )
  const count = model.constraints.get(mode)?.get('referenceImageUrls')?.count
  const all = fields.flatMap(([name, constraint]) => ofConstraint(model, name, constraint))
  if (count) all.push({ properties: { referenceImageUrls: { minItems: count.from, maxItems: count.to } } })
  if (decided.length > 0) all.push({ properties: Object.fromEntries(decided.map((name) => [name, false])) })
  else if (model.summary.modes.includes('upscale')) all.push({ required: NEEDED })
  return { allOf: all }
}

function ofConstraint(model: Model, name: string, { values, presence }: Constraint): Schema[] {
  if (presence === 'forbidden') return [isAbsent(model, name)]
  return [
    ...(values ? [hasWhenPresent(model, name, ofValues(values))] : []),
    ...(presence === 'required' ? [isPresent(model, name)] : []),
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
    if (name === 'mode') return { anyOf: list.map((mode) => isMode(mode as Mode)) }
    return wanted === GIVEN ? isPresent(model, name) : hasOneOf(model, name, list)
  }),
})

/** Whether a field has one of these values, stated or by default. */
function hasOneOf(model: Model, name: string, values: Values): Schema {
  const stated = { allOf: [isPresent(model, name), hasWhenPresent(model, name, ofValues(values))] }
  const byDefault = model.summary.modes.flatMap((mode) =>
    defaultsOf(model, mode, name)
      .filter(({ value }) => value !== undefined && includes(values, value))
      .map(({ condition }) => ({ allOf: [isAbsent(model, name), isMode(mode), condition] })),
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
