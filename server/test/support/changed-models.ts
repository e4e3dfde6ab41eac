/** Models of the catalogue as an operator might change them. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { everyModel, replaceCatalogue } from '../../src/catalogue/catalogue.ts'
import { type Model, openModel } from '../../src/catalogue/model.ts'
import type { ModelEntry } from '../../src/catalogue/model-file.ts'
import type { Mode } from '../../src/film/mode.ts'

/** The models of this process, to be changed: a change of one takes them all anew, as a change of a file does. */
export function models(): Map<string, Model> {
  const found = new Map(everyModel())
  const changing =
    <Arguments extends unknown[], Result>(change: (...args: Arguments) => Result) =>
    (...args: Arguments): Result => {
      const result = change.apply(found, args)
      replaceCatalogue(new Map(found))
      return result
    }
  return Object.assign(found, { set: changing(found.set), delete: changing(found.delete) })
}

export const modelOf = (id: string): Model => models().get(id) ?? assert.fail(`no model ${id}`)

/** The ids that are to be restored. */
const changed = new Set<string>()

/**
 * Puts a model into the catalogue of this process until the end of the test, or of the file, that puts one of its id
 * first: the next file has the same catalogue.
 */
export function setModel(model: Model): void {
  const { id } = model
  if (!changed.has(id)) {
    const before = models().get(id)
    changed.add(id)
    after(() => {
      changed.delete(id)
      if (before) models().set(id, before)
      else models().delete(id)
    })
  }
  models().set(id, model)
}

/** Adds a model that provider-a makes, with the values and price of delta-1-5 where it states no others. */
export function addModel(id: string, change: Partial<ModelEntry>): void {
  const { seed } = modelOf('delta-1-5').options ?? {}
  setModel(openModel({ ...modelOf('delta-1-5'), ...change, id, options: { ...(seed && { seed }), ...change.options } }))
}

/** A model of these modes, all with the values of its first mode and the changes. */
export function withModes(
  model: Model,
  change: ModelEntry['modes'][Mode],
  modes: readonly Mode[] = model.summary.modes,
): Model {
  const [first] = Object.values(model.modes)
  return openModel({ ...model, modes: Object.fromEntries(modes.map((mode) => [mode, { ...first, ...change }])) })
}
