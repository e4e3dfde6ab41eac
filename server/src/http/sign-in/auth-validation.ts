/**
 * Validates requests to `/api/auth/*` against the schemas of their operations, before better-auth has them.
 * better-auth's own schemas let values through that fail in the database: a column that does not exist, a date beyond
 * the calendar, U+0000.
 */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { openValidator, queryReader } from '../request/validator.ts'
import { type AuthError, authError, fieldNotAllowed, invalidFields } from './auth-errors.ts'
import type { AuthOperation } from './auth-schemas.ts'

export type ValidRequest = { body: Record<string, unknown> | undefined; query: URLSearchParams }
export type Invalid = { status: 400 | 415; error: AuthError }

const JSON_TYPE = /^application\/json\s*(;|$)/i
const MESSAGE_OF_NO_OBJECT = 'The body must be a JSON object.'

const ajv = openValidator({ allErrors: true })
type Validators = { body?: ValidateFunction; query?: (query: Record<string, unknown>) => ErrorObject[] }
const compiled = new WeakMap<AuthOperation, Validators>()

/** Codes for what a schema refuses, unless the operation has others. */
const commonCodes: Record<string, string> = {
  'email format': 'INVALID_EMAIL',
  'email maxLength': 'INVALID_EMAIL',
  'password maxLength': 'PASSWORD_TOO_LONG',
  'currentPassword maxLength': 'PASSWORD_TOO_LONG',
  'name minLength': 'INVALID_NAME',
  'name maxLength': 'INVALID_NAME',
  'name x-name': 'INVALID_NAME',
}

/** @returns the body and the known parameters of the query, or the error to send */
export function validateAuthRequest(
  operation: AuthOperation,
  { contentType, body: bytes, search }: { contentType: string | undefined; body: Buffer; search: URLSearchParams },
): ValidRequest | Invalid {
  const { method, body: schema } = operation
  let body: unknown
  if (method === 'post' && bytes.length > 0) {
    if (!JSON_TYPE.test(contentType ?? '')) return { status: 415, error: authError('UNSUPPORTED_MEDIA_TYPE') }
    try {
      body = JSON.parse(bytes.toString('utf8'))
    } catch {
      return invalid(invalidFields([], MESSAGE_OF_NO_OBJECT))
    }
  }
  const query = new URLSearchParams(
    [...search].filter(([name]) => operation.query !== undefined && Object.hasOwn(operation.query, name)),
  )
  const validators = compile(operation)
  if (schema && !validators.body?.(body)) return invalid(errorOf(validators.body?.errors ?? [], operation))
  const queryErrors = validators.query?.(asObject(query)) ?? []
  if (queryErrors.length > 0) return invalid(errorOf(queryErrors, operation))
  // A body that the operation does not take is not passed on, and its depth has no limit.
  if ((schema && hasNullCharacter(body)) || [...query.values()].some(hasNullCharacter)) {
    return invalid(invalidFields([], 'A text has a null character (U+0000); leave it out.'))
  }
  return { body: schema ? (body as Record<string, unknown>) : undefined, query }
}

const invalid = (error: AuthError): Invalid => ({ status: 400, error })

function compile(operation: AuthOperation): Validators {
  let validators = compiled.get(operation)
  if (!validators) {
    const { body, query } = operation
    validators = {
      ...(body ? { body: ajv.compile(body) } : {}),
      ...(query ? { query: compileQuery(query) } : {}),
    }
    compiled.set(operation, validators)
  }
  return validators
}

function compileQuery(properties: NonNullable<AuthOperation['query']>): NonNullable<Validators['query']> {
  const read = queryReader(properties)
  const validate = ajv.compile({ type: 'object', properties })
  return (query) => {
    read(query)
    return validate(query) ? [] : (validate.errors ?? [])
  }
}

/** A parameter that is sent twice becomes an array, which no schema allows. */
function asObject(query: URLSearchParams): Record<string, unknown> {
  const names = new Set(query.keys())
  return Object.fromEntries(
    [...names].map((name) => [name, query.getAll(name).length > 1 ? query.getAll(name) : query.get(name)]),
  )
}

const FIELD_NOT_ALLOWED = 'FIELD_NOT_ALLOWED'

/** The first code that is more precise than INVALID_REQUEST, else the list of fields that are wrong. */
function errorOf(errors: ErrorObject[], { errorCodes = {} }: AuthOperation): AuthError {
  const found = errors.map(({ instancePath, keyword, params }) => {
    const path = instancePath.slice(1).replaceAll('/', '.')
    const name = keyword === 'additionalProperties' ? '' : `${params.missingProperty ?? ''}`
    const field = [path, name].filter(Boolean).join('.')
    const key = [field, keyword].filter(Boolean).join(' ')
    const unknown = keyword === 'additionalProperties' ? `${params.additionalProperty}` : null
    const code =
      errorCodes[key] ?? errorCodes[field] ?? commonCodes[key] ?? (unknown === null ? null : FIELD_NOT_ALLOWED)
    return { field: unknown === null ? field : [path, unknown].filter(Boolean).join('.'), code, keyword }
  })
  if (found.some(({ field, keyword }) => field === '' && keyword === 'type')) {
    return invalidFields([], MESSAGE_OF_NO_OBJECT)
  }
  const imprecise = found.filter(({ code }) => code === null)
  const [first] = found
  if (imprecise.length === 0 && first?.code === FIELD_NOT_ALLOWED) return fieldNotAllowed(first.field)
  if (imprecise.length === 0 && first?.code) return authError(first.code, first.field)
  const fields = [...new Set(imprecise.map(({ field }) => field))]
  return invalidFields(fields, `Check ${fields.join(' and ')}: missing, or not of the right kind or size.`)
}

function hasNullCharacter(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, each]) => name.includes('\0') || hasNullCharacter(each))
}
