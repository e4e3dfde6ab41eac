/** A model's mistakes beyond its schema: unknown fields and values, requests without a price, unused routes. */

import { isOptionField, optionSchemas } from '../film/fields.ts'
import { kindOf, LISTED_ROLES, ROLES, type Role, roleFields } from '../film/inputs.ts'
import { SEED_MAX } from '../film/limits.ts'
import { MODES, type Mode } from '../film/mode.ts'
import { accounts } from '../provider/accounts.ts'
import type { Problem } from '../text/schema-problems.ts'
import { type Amounts, amountFor, holds, wordsOfKey } from './amounts.ts'
import {
  type Chosen,
  type Constraint,
  defaultsInSequence,
  includes,
  intersection,
  isEmpty,
  isList,
  isRange,
  lengthOf,
  meetsAll,
  type RoleUse,
  rolesOf,
  valuesOf,
  wantedOf,
} from './constraints.ts'
import { REFERENCES } from './inputs.ts'
import { canDo, inputOf, listOf, MAPPED, type Model, modesOfRoute, namesIn } from './model.ts'
import { FOLLOWS_THE_IMAGE, type Narrower, type Route, type Shape } from './model-file.ts'
import { sampleRequests, withReferenceFilms } from './samples.ts'

const TAKEN = [
  'prompt',
  'model',
  'mode',
  'duration',
  'quality',
  'aspectRatio',
  'width',
  'height',
  'n',
  'options',
  'inputs',
  'filmAccount',
  'filmModel',
  'filmDays',
  'lengths',
  'inputSeconds',
  'filmSeconds',
  ...ROLES,
  ...Object.values(MAPPED).flat(),
  ...Object.keys(roleFields),
]

export const problemsOfModel = (model: Model): Problem[] => [
  ...problemsOfModes(model),
  ...problemsOfOptions(model),
  ...problemsOfRules(model),
  ...problemsOfPrice(model),
  ...model.routes.flatMap((route, i) => problemsOfRoute(model, route, i)),
]

function problemsOfModes({ modes }: Model): Problem[] {
  const [[firstMode = '', first = {}] = []] = Object.entries(modes)
  const missing = (['duration', 'quality', 'aspectRatio'] as const).filter((name) => first[name] === undefined)
  const problems: Problem[] = missing.map((name) => ({
    path: ['modes', firstMode],
    text: `${name} is missing; the first mode states it, and others that leave it out have the same`,
  }))
  for (const [mode, shape] of Object.entries(modes)) {
    const problem = (field: string, text: string) => problems.push({ path: ['modes', mode, field], text })
    if (isRange(shape.duration ?? null))
      problems.push(...rangeProblems(['modes', mode, 'duration'], shape.duration as never))
    const roles = rolesOf({ modes }, mode)
    if (roles.size === 0 && shape.aspectRatio === FOLLOWS_THE_IMAGE)
      problem('aspectRatio', 'a film from text follows no image; list its ratios')
    if (!Object.hasOwn(MODES, mode) && !shape.inputs)
      problem('inputs', 'is missing: only a mode that Kinora knows has inputs by its name; write what goes in')
    const { follows } = lengthOf(shape) ?? {}
    if (follows && follows !== 'vendor' && !roles.has(follows))
      problem('duration', `follows the ${follows}, which is no input of the mode; name one that is`)
    problems.push(
      ...[...roles].flatMap(([role, use]) => problemsOfRole(['modes', mode, 'inputs', role], role, use, shape)),
    )
  }
  return problems
}

function problemsOfRole(path: Problem['path'], role: Role, { from, to }: RoleUse, { inputs = {} }: Shape): Problem[] {
  const limits = inputs[role]
  const problems: Problem[] = []
  const problem = (text: string) => problems.push({ path, text })
  if (from > to) problem('from is above to; exchange them')
  if (to > 1 && !LISTED_ROLES.includes(role)) problem(`a film has one ${role}; leave out to`)
  if (LISTED_ROLES.includes(role) && limits?.to === undefined)
    problem('to is missing; write how many it takes, { "from": 1, "to": 4 }')
  if (role !== 'reference' && (limits?.image ?? limits?.film ?? limits?.sound) !== undefined)
    problem(`only references are of several kinds; the ${role} is of the kind ${kindOf[role]}`)
  if (limits?.seconds && limits.seconds.from > limits.seconds.to) problem('from of seconds is above to; exchange them')
  if (limits?.sides && limits.sides.from > limits.sides.to) problem('from of sides is above to; exchange them')
  return problems
}

const rangeProblems = (path: Problem['path'], { from, to }: { from: number; to: number }): Problem[] =>
  from > to ? [{ path, text: `from (${from}) is above to (${to}); exchange them` }] : []

function problemsOfOptions({ options = {}, summary }: Model): Problem[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const problem = (text: string, ...path: string[]): Problem => ({ path: ['options', name, ...path], text })
    const problems: Problem[] = []
    const type = isOptionField(name) ? optionSchemas[name].type : undefined
    if (TAKEN.includes(name)) problems.push(problem('is the name of another field of a request; choose another one'))
    if (type && type !== option.type)
      problems.push(problem(`must be ${JSON.stringify(type)}: ${name} is a field of every request`, 'type'))
    if (name === 'seed' && option.type === 'integer' && (option.minimum < 0 || option.maximum > SEED_MAX)) {
      problems.push(problem(`a seed is from 0 to ${SEED_MAX}; write limits within them`))
    }
    if ((option.type === 'integer' || option.type === 'number') && option.minimum > option.maximum) {
      problems.push(problem('minimum is above maximum; exchange them'))
    }
    if (option.type === 'string' && option.enum && option.maxLength)
      problems.push(problem('a text with an enum has no maxLength; leave it out'))
    if (option.default !== undefined && !includes(valuesOf(option), option.default)) {
      problems.push(problem(`must be one of its values: ${JSON.stringify(option.default)} is none`, 'default'))
    }
    const unknown = (option.modes ?? []).filter((mode) => !summary.modes.includes(mode))
    if (unknown.length > 0) problems.push(problem(`the model has no mode ${unknown.join(', ')}; leave it out`, 'modes'))
    return problems
  })
}

function problemsOfRules(model: Model): Problem[] {
  const problems: Problem[] = []
  for (const [i, { when, then }] of (model.rules ?? []).entries()) {
    for (const [field, wanted] of Object.entries(when)) {
      problems.push(...valueProblems(model, ['rules', i, 'when', field], field, wantedOf(wanted)))
    }
    for (const [field, narrower] of Object.entries(then)) problems.push(...narrowerProblems(model, i, field, narrower))
  }
  // Of rules that name what the model has not, nothing can be said.
  if (problems.length === 0) problems.push(...contradictions(model))
  const { circle } = defaultsInSequence(model)
  if (circle)
    problems.push({ path: ['rules'], text: `the defaults of ${circle.join(', ')} depend on each other; remove a rule` })
  return problems
}

/** Rules that no request can meet, and two about one request of which one requires what the other forbids. */
function contradictions(model: Model): Problem[] {
  const { rules = [] } = model
  if (rules.length === 0) return []
  const requests = sampleRequests(model, 1)
  return rules.flatMap(({ when, then }, i) => {
    const constraints = [...model.constraints.values()]
    // Samples have every value of a list, and no number or text.
    const isSampled = Object.keys(when).every(
      (field) => field === 'mode' || constraints.some((fields) => listOf(fields.get(field)?.values ?? null)),
    )
    const met = requests.filter((request) => meetsAll(request, when))
    if (met.length === 0 && isSampled) {
      return [
        {
          path: ['rules', i, 'when'],
          text: 'no request can have these values: a rule leaves no value of a field, or forbids one; correct it',
        },
      ]
    }
    const required = Object.keys(then).filter((field) => then[field] === 'required')
    return required.flatMap((field) => {
      const isForbidden = (request: Chosen) =>
        model.constraints.get(request.mode)?.get(field)?.presence === 'forbidden' ||
        rules.some((other) => other.then[field] === 'forbidden' && meetsAll(request, other.when))
      const text = 'a request that must have it may not: its mode or another rule forbids it; correct one of them'
      return met.some(isForbidden) ? [{ path: ['rules', i, 'then', field], text }] : []
    })
  })
}

function narrowerProblems(model: Model, index: number, field: string, narrower: Narrower): Problem[] {
  const path = ['rules', index, 'then', field]
  if (field === 'mode') return [{ path, text: 'a rule cannot choose the mode; leave it out' }]
  if (Object.hasOwn(model.rules?.[index]?.when ?? {}, field)) {
    return [{ path, text: 'is also in `when`; a rule cannot narrow what it depends on' }]
  }
  if (typeof narrower === 'string') return valueProblems(model, path, field, [])
  if (isList(narrower)) return valueProblems(model, path, field, narrower)
  const known = [...model.constraints.values()].flatMap((fields) => fields.get(field) ?? [])
  const isEmptied = known.every(({ values }) => isEmpty(intersection(values, narrower)))
  return [
    ...rangeProblems(path, narrower),
    ...valueProblems(model, path, field, []),
    ...(isEmptied ? [{ path, text: `leaves no value of ${field}; write values that the model has` }] : []),
  ]
}

/** Fields that the model does not have, and values that none of its modes has. */
function valueProblems(model: Model, path: Problem['path'], field: string, values: readonly unknown[]): Problem[] {
  if (field === 'mode') {
    const unknown = values.filter((value) => !(model.summary.modes as unknown[]).includes(value))
    return unknown.length > 0
      ? [{ path, text: `the model has no mode ${unknown.join(', ')}; it has ${model.summary.modes.join(', ')}` }]
      : []
  }
  const constraints = [...model.constraints.values()].flatMap((fields) => fields.get(field) ?? [])
  if (constraints.length === 0) {
    const known = [...new Set([...model.constraints.values()].flatMap((fields) => [...fields.keys()]))]
    return [{ path, text: `the model has no field ${field}; it has mode, ${known.join(', ')}` }]
  }
  const unknown = values.filter((value) => !constraints.some((constraint) => includes(constraint.values, value)))
  return unknown.map((value) => ({
    path,
    text: `${JSON.stringify(value)} is no value of ${field} in any mode; write one that the model has`,
  }))
}

function problemsOfPrice(model: Model): Problem[] {
  const { price, enabled, routes } = model
  if (!price)
    return enabled ? [{ path: ['price'], text: 'an enabled model needs a price; write one, or "enabled": false' }] : []
  if (!('fromCost' in price)) return amountProblems(model, price.credits, ['price', 'credits'])
  return routes.flatMap(({ cost }, i) =>
    cost ? [] : [{ path: ['routes', i], text: 'cost is missing; a price from the cost needs the cost of every route' }],
  )
}

/** Words that never hold, and requests that no entry is for. */
function amountProblems(model: Model, amounts: Amounts, path: Problem['path'], route?: Route): Problem[] {
  if (typeof amounts === 'number') return []
  const requests = sampleRequests(model, amounts, route)
    .filter((request) => !route || canDo(route, request))
    .flatMap((request) => [request, withReferenceFilms(model, request) ?? []].flat())
  const problems: Problem[] = Object.keys(amounts).flatMap((key) => {
    const unknown = wordsOfKey(key).filter((word) => !requests.some((request) => holds(request, word)))
    return unknown.length > 0
      ? [{ path: [...path, key], text: `no request has the word ${unknown.join(', ')}; correct or remove it` }]
      : []
  })
  const unpriced = requests.find((request) => amountFor(amounts, request) === null)
  if (unpriced) {
    const fields = Object.entries(unpriced).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    )
    problems.push({
      path,
      text: `no amount, or more than one of equally many words, for ${fields.join(', ')}; add an entry, or "*"`,
    })
  }
  return problems
}

/** A number or text without a list of values. A film that follows its image has no ratio to list. */
const isEndless = (field: string, constraint: Constraint | undefined): boolean =>
  field !== 'aspectRatio' &&
  constraint !== undefined &&
  constraint.presence !== 'forbidden' &&
  listOf(constraint.values) === null

function problemsOfRoute(model: Model, route: Route, i: number): Problem[] {
  const { account, model: name, serves = {}, cost } = route
  const problems: Problem[] = []
  if (!accounts().some(({ id }) => id === account)) {
    problems.push({
      path: ['routes', i, 'account'],
      text: `providers.json has no account ${account}; add it there, or name another one`,
    })
  }
  const unknown =
    typeof name === 'object'
      ? Object.keys(name).filter((mode) => !(model.summary.modes as string[]).includes(mode))
      : []
  if (unknown.length > 0)
    problems.push({ path: ['routes', i, 'model'], text: `the model has no mode ${unknown.join(', ')}; leave it out` })
  for (const [field, values] of Object.entries(serves)) {
    const path = ['routes', i, 'serves', field]
    problems.push(...valueProblems(model, path, field, isList(values) ? values : []))
    const isNone = isList(values) && values.length === 0
    if (!isNone && [...model.constraints.values()].some((fields) => isEndless(field, fields.get(field)))) {
      problems.push({ path, text: `a route takes every ${field} or none; write [] for none, or leave it out` })
    }
  }
  for (const mode of modesOfRoute(route, model)) {
    if (route.input && !inputOf(route, mode)) {
      problems.push({
        path: ['routes', i, 'input'],
        text: `the mode ${mode} is missing; add its fields, or leave the mode out of the route’s model`,
      })
    }
    if (route.input) problems.push(...unnamedInputs(model, route, i, mode))
  }
  if (route.keeps && !modesOfRoute(route, model).some((mode) => namesIn(inputOf(route, mode)).has('filmTask')))
    problems.push({ path: ['routes', i, 'keeps'], text: 'no field has filmTask; add one, or leave it out' })
  if (cost) problems.push(...amountProblems(model, cost.usd, ['routes', i, 'cost', 'usd'], route))
  if (cost?.inputUsd) problems.push(...amountProblems(model, cost.inputUsd, ['routes', i, 'cost', 'inputUsd'], route))
  for (const [unit, amounts] of Object.entries(cost?.unitUsd ?? {}))
    problems.push(...amountProblems(model, amounts, ['routes', i, 'cost', 'unitUsd', unit], route))
  return problems
}

/** Films and sounds of a mode that no field of the route's request has: they would be left out unseen. */
function unnamedInputs(model: Model, route: Route, i: number, mode: Mode): Problem[] {
  const names = namesIn(inputOf(route, mode))
  return [...(model.roles.get(mode) ?? [])].flatMap(([role, { kinds }]) => {
    if (!kinds.some((kind) => kind !== 'image')) return []
    const wanted = role === 'reference' ? kinds.map((kind) => REFERENCES[kind]) : MAPPED[role]
    const lacked = role === 'reference' ? wanted.filter((name) => !names.has(name)) : wanted
    if (lacked.length === 0 || (role !== 'reference' && wanted.some((name) => names.has(name)))) return []
    const text = `no field has ${lacked.join(role === 'reference' ? ' and ' : ' or ')} of the mode ${mode}; add one, or leave the mode out of the route’s model`
    return [{ path: ['routes', i, 'input'], text }]
  })
}
