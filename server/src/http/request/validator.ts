/**
 * Ajv for requests, of our own routes and of `/api/auth`, and the numbers of their query strings. Invariant: a value of a format
 * is one that PostgreSQL takes; the formats of ajv-formats let others through, which then fail in the database.
 */
import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import { isUuid } from '../../id.ts'

export function openValidator(options: Options): Ajv {
  const ajv = addFormats.default(new Ajv({ strict: false, ...options }))
  // That of ajv-formats accepts urn:uuid:… too.
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', isDateTime)
  return ajv
}

/**
 * Returns what replaces the texts of a query string by the whole numbers and booleans that they are, in place. Ajv's coercion
 * reads numbers as JavaScript does, so that 0x10, 1e2 and ' 3' were pages; what is no decimal number stays text here, which the
 * schema refuses.
 */
export function queryReader(properties: Record<string, { type?: unknown }>) {
  const typed = Object.entries(properties).filter(([, { type }]) => type === 'integer' || type === 'boolean')
  return (query: Record<string, unknown>): void => {
    for (const [name, { type }] of typed) {
      const text = query[name]
      if (typeof text === 'string') query[name] = type === 'integer' ? toInteger(text) : toBoolean(text)
    }
  }
}

const toInteger = (text: string) => (/^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text)
const toBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : text)

const dateTimePattern = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** RFC 3339 without leap seconds, which a Date cannot have, and in UTC from the year 1 to 9999, as PostgreSQL reads it. */
function isDateTime(text: string): boolean {
  const day = dateTimePattern.exec(text)?.[1]
  const year = new Date(text).getUTCFullYear()
  if (day === undefined || !(year >= 1 && year <= 9999)) return false
  // A Date turns 30 February into 2 March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
