/**
 * Whether a vendor's own types allow a body (vendor-schemas.ts). Vendors without types on npm, and the models that no
 * route of the catalogue has, are not checked.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import { vendorSchemas } from './vendor-schemas.ts'

/** `path`: the field, from the outside in. */
export type Problem = { path: string[]; message: string }

const ajv = new Ajv({ strict: false })
const checks = new Map<string, ValidateFunction>()

/** @param name of the body, as in vendor-types.ts */
export function problemIn(dialect: string, name: string, body: unknown): Problem | null {
  const schema = vendorSchemas[dialect]?.[name]
  if (!schema) return null
  const key = `${dialect} ${name}`
  const check = checks.get(key) ?? ajv.compile(schema)
  checks.set(key, check)
  if (check(body)) return null
  // The last one is of a union as a whole.
  const { instancePath = '', params, message = '' } = check.errors?.at(-1) ?? {}
  const { additionalProperty, missingProperty, allowedValues } = params ?? {}
  const path = [...instancePath.split('/').slice(1), ...[additionalProperty ?? missingProperty ?? []].flat()].map(
    String,
  )
  const values = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : ''
  return { path, message: `${message}${values}` }
}
