/** Models of the catalogue as an operator might change them. */
import assert from 'node:assert/strict'
import { catalogue } from '../../src/catalogue/catalogue.ts'
import { type Model, openModel } from '../../src/catalogue/model.ts'
import type { Mode, ModelEntry } from '../../src/catalogue/model-file.ts'

/** The models of this process, to be changed. */
export const models = () => catalogue() as Map<string, Model>

export const modelOf = (id: string): Model => models().get(id) ?? assert.fail(`no model ${id}`)

/** Adds a model that provider-a makes, with the values and price of delta-1-5 where it states no others. */
export function addModel(id: string, change: Partial<ModelEntry>): void {
  const { seed } = modelOf('delta-1-5').options ?? {}
  models().set(
    id,
    openModel({ ...modelOf('delta-1-5'), ...change, id, options: { ...(seed && { seed }), ...change.options } }),
  )
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
