/**
 * What a request may ask a model for. The constraints of a mode and the rules between fields stand in the model's file; validation and the
 * JSON Schema of a request come from here.
 */
import type { Mode, ModelEntry } from './model-file.ts'

export type Scalar = string | number | boolean
export type Range = { from: number; to: number; step?: number }
/** The values of a field. `why`: the text of the rules that have narrowed them. */
export type Constraint = { values: readonly Scalar[] | Range | null; presence: 'optional' | 'required' | 'forbidden'; why: string[] }
/** A request by its fields, absent ones left out; `mode` is among them. */
export type Chosen = { mode: Mode } & { [field: string]: Scalar | readonly string[] | undefined }

export const includes = (values: Constraint['values'], value: unknown): boolean => {
  if (values === null) return true
  if (isRange(values)) {
    const steps = (Number(value) - values.from) / (values.step ?? 1)
    return typeof value === 'number' && value >= values.from && value <= values.to && Math.abs(steps - Math.round(steps)) < 1e-9
  }
  return values.includes(value as Scalar)
}

const isRange = (values: readonly Scalar[] | Range): values is Range => !Array.isArray(values)

/** The values that both have. */
export function intersection(a: Constraint['values'], b: Constraint['values']): Constraint['values'] {
  if (a === null || b === null) return a ?? b
  if (!isRange(a)) return a.filter((value) => includes(b, value))
  if (!isRange(b)) return intersection(b, a)
  const [coarse, fine] = (a.step ?? 1) >= (b.step ?? 1) ? [a, b] : [b, a]
  const step = coarse.step ?? 1
  const from = coarse.from + step * Math.max(0, Math.ceil((fine.from - coarse.from) / step))
  return { from, to: Math.min(a.to, b.to), ...(step === 1 ? {} : { step }) }
}

/** Words for a message: "4, 6 or 8", "5 to 15". */
export function describe(values: NonNullable<Constraint['values']>): string {
  if (isRange(values)) return `${values.from} to ${values.to}${values.step ? ` in steps of ${values.step}` : ''}`
  const words = values.map(String)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The constraints of a mode, before rules. What a mode leaves out is as in the first mode. */
export function constraintsOf(model: Pick<ModelEntry, 'modes' | 'options'>, mode: Mode): Map<string, Constraint> {
  const shapes = Object.values(model.modes)
  const shape = { ...shapes[0], ...model.modes[mode] }
  const field = (values: Constraint['values'], presence: Constraint['presence']): Constraint => ({ values, presence, why: [] })
  const found = new Map<string, Constraint>([
    ['duration', field(shape.duration ?? null, 'required')],
    ['quality', field(shape.quality ?? null, 'optional')],
  ])
  found.set(
    'aspectRatio',
    shape.aspectRatio === 'follows the image' ? field(null, 'optional') : field(shape.aspectRatio ?? null, 'required'),
  )
  for (const [name, option] of Object.entries(model.options ?? {})) {
    if (option.modes && !option.modes.includes(mode)) found.set(name, field(null, 'forbidden'))
    else found.set(name, field(valuesOfOption(option), 'optional'))
  }
  return found
}

type Option = NonNullable<ModelEntry['options']>[string]

function valuesOfOption(option: Option): Constraint['values'] {
  if (option.type === 'boolean') return [true, false]
  if (option.type === 'string') return option.enum ?? null
  if (option.minimum === undefined || option.maximum === undefined) return null
  return { from: option.minimum, to: option.maximum, ...(option.type === 'integer' ? {} : { step: 1e-6 }) }
}

/** The constraints of a request: those of its mode, narrowed by each rule whose condition it meets. */
export function constraintsFor(model: Pick<ModelEntry, 'modes' | 'options' | 'rules'>, chosen: Chosen): Map<string, Constraint> {
  const found = constraintsOf(model, chosen.mode)
  for (const { when, then, why } of model.rules ?? []) {
    if (!Object.entries(when).every(([field, wanted]) => meets(chosen[field], wanted))) continue
    for (const [field, narrower] of Object.entries(then)) {
      const { values, presence, why: reasons } = found.get(field) ?? { values: null, presence: 'optional', why: [] }
      const isWord = narrower === 'required' || narrower === 'forbidden'
      found.set(field, {
        values: isWord ? values : intersection(values, narrower),
        presence: isWord && presence !== 'forbidden' ? narrower : presence,
        why: why ? [...reasons, why] : reasons,
      })
    }
  }
  return found
}

const meets = (value: Chosen[string], wanted: Scalar | readonly Scalar[]): boolean =>
  Array.isArray(wanted) ? wanted.includes(value as Scalar) : value === wanted
