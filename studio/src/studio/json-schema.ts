/** What the JSON Schema of a model's request and a request's other values leave of a field. */
import { accepts, type Schema } from '@kinora/client'

/**
 * A part of a schema that applies to a field. `why`: the description of the condition under which it does, null without one.
 * `isRequired`: it says that the field must be there, and no more.
 */
export type Applied = { schema: Schema; why: string | null; isRequired?: true }

/**
 * The parts of a request's schema that apply to the field at a path, by the request's other values. "If this, then that" is written as
 * `anyOf: [{ not: this }, that]`; of other alternatives it is not known which one applies, so they are left to `accepts`.
 */
export function appliedTo(
  schema: Schema,
  path: readonly string[],
  request: unknown,
  why: string | null = null,
): Applied[] {
  if (typeof schema === 'boolean') return []
  const [name = '', ...rest] = path
  const property = schema.properties?.[name]
  const isRequired = rest.length === 0 && schema.required?.includes(name)
  return [
    ...(property === undefined
      ? []
      : rest.length > 0
        ? appliedTo(property, rest, {}, why)
        : [{ schema: property, why }]),
    ...(isRequired ? [{ schema: true, why, isRequired }] : []),
    ...(schema.allOf ?? []).flatMap((part) => appliedTo(part, path, request, why)),
    ...appliedTo(consequence(schema, request), path, request, schema.description ?? why),
  ]
}

function consequence({ anyOf = [] }: Exclude<Schema, boolean>, request: unknown): Schema {
  const [first, then, ...others] = anyOf
  if (typeof first !== 'object' || first.not === undefined || then === undefined || others.length > 0) return true
  return accepts(first.not, request) ? then : true
}
