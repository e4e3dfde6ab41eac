/**
 * Ajv for requests, of our own routes and of `/api/auth`. Invariant: a value of a format is one that PostgreSQL takes; the formats of
 * ajv-formats let others through, which then fail in the database.
 */
import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import { isUuid } from '../id.ts'

export function openValidator(options: Options): Ajv {
  const ajv = addFormats.default(new Ajv({ strict: false, ...options }))
  // That of ajv-formats accepts urn:uuid:… too.
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', isDateTime)
  return ajv
}

const dateTimePattern = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** RFC 3339 without leap seconds, which a Date cannot have, and in UTC from the year 1 to 9999, as PostgreSQL reads it. */
function isDateTime(text: string): boolean {
  const day = dateTimePattern.exec(text)?.[1]
  const year = new Date(text).getUTCFullYear()
  if (day === undefined || !(year >= 1 && year <= 9999)) return false
  // A Date turns 30 February into 2 March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
