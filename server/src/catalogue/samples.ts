/** Requests that stand for all that a model takes, as far as prices go. */

import { ROLES } from '../film/inputs.ts'
import { FILM_SECONDS_MAX } from '../media/film/film.ts'
import { type Amounts, wordsOfKey } from './amounts.ts'
import { type Chosen, type Constraint, includes, narrowed, shapeOf } from './constraints.ts'
import { listOf, type Model } from './model.ts'
import { QUALITIES, type Route } from './model-file.ts'

/** The fields on which amounts of a model depend. */
export const fieldsOf = (model: Model, amounts: Amounts): string[] =>
  typeof amounts === 'number'
    ? []
    : [
        ...new Set(
          Object.keys(amounts)
            .flatMap(wordsOfKey)
            .map((word) => fieldOf(model, word)),
        ),
      ]

function fieldOf({ summary }: Model, word: string): string {
  if (summary.modes.includes(word)) return 'mode'
  return (QUALITIES as readonly string[]).includes(word) ? 'quality' : word.replace(/=.*$/, '')
}

/** A price by what must go in is shown for inputs as long as the film. */
export const asLongAsMade = (model: Model, request: Chosen): Chosen => {
  const needsFilm = [...(model.roles.get(request.mode)?.values() ?? [])].some(
    ({ from, kinds }) => from > 0 && kinds[0] === 'film',
  )
  return { ...request, inputSeconds: request.duration, ...(needsFilm && { filmSeconds: request.duration }) }
}

/** A request whose references are the longest films that its mode takes; null where it takes none. */
export function withReferenceFilms(model: Model, request: Chosen): Chosen | null {
  const { reference } = shapeOf(model, request.mode).inputs ?? {}
  if (!model.roles.get(request.mode)?.get('reference')?.kinds.includes('film')) return null
  const { to = reference?.to ?? 1, seconds, secondsTogether } = { ...reference, ...reference?.film }
  const filmSeconds = secondsTogether ?? to * (seconds?.to ?? FILM_SECONDS_MAX)
  return { ...request, inputSeconds: filmSeconds, filmSeconds, referenceFilms: true }
}

const SAMPLES_MAX = 20_000

/** Requests with all combinations of the values that rules leave and route serves, of fields in amounts or rules. */
export function sampleRequests(model: Model, amounts: Amounts, { serves = {} }: Pick<Route, 'serves'> = {}): Chosen[] {
  const named = new Set([
    'quality',
    ...fieldsOf(model, amounts),
    ...(model.rules ?? []).flatMap(({ when, then }) => Object.keys({ ...when, ...then })),
  ])
  const ruled = new Set((model.rules ?? []).flatMap(({ then }) => Object.keys(then)))
  return [...model.constraints].flatMap(([mode, constraints]) => {
    let requests: Chosen[] = [{ mode }]
    for (const [field, constraint] of constraints) {
      if ((ROLES as readonly string[]).includes(field)) continue
      const served = Object.hasOwn(serves, field) ? (serves[field] ?? null) : null
      const valuesFor = (request: Chosen) => {
        const values = valuesWith(model, request, field, constraint).filter(
          (value) => value === undefined || includes(served, value),
        )
        return named.has(field) ? values : values.slice(0, 1)
      }
      const same = ruled.has(field) ? null : valuesFor({ mode })
      requests = requests
        .flatMap((request) => (same ?? valuesFor(request)).map((value) => ({ ...request, [field]: value })))
        .slice(0, SAMPLES_MAX)
    }
    // A rule may narrow a field by one that comes after it.
    return requests.filter((request) => isAllowed(model, constraints, ruled, request))
  })
}

const isAllowed = (
  model: Model,
  constraints: ReadonlyMap<string, Constraint>,
  ruled: ReadonlySet<string>,
  request: Chosen,
): boolean =>
  [...ruled].every((field) => {
    const [value, constraint] = [request[field], constraints.get(field)]
    if (!constraint) return true
    const { values, presence } = narrowed(model, request, field, constraint)
    if (value === undefined) return presence !== 'required' || listOf(values)?.length !== 0
    return presence !== 'forbidden' && includes(values, value)
  })

function valuesWith(model: Model, request: Chosen, field: string, constraint: Constraint): readonly unknown[] {
  const { values, presence } = narrowed(model, request, field, constraint)
  const list = presence === 'forbidden' ? [] : (listOf(values) ?? [])
  if (list.length === 0) return [undefined]
  return presence === 'optional' && constraint.default === undefined ? [undefined, ...list] : list
}
