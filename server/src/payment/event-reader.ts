/**
 * Readers for the ids and times in a payment processor's event. A value that is missing or that the database would reject is
 * null, never an exception: the processor would retry a rejected event for days and then drop it.
 */
import { at, numberAt, textAt } from '../text/json-reader.ts'

/** Ids become index keys, and a PostgreSQL B-tree entry holds at most about 2,700 bytes. */
const ID_CHARACTERS_MAX = 250
/** Payments lie within these years. Both JavaScript and PostgreSQL can represent every date between them. */
const EARLIEST_MS = Date.UTC(2000, 0)
const LATEST_MS = Date.UTC(3000, 0)

/** The id of an object that is either expanded or given as its id alone. */
export function idAt(object: unknown, ...path: (string | number)[]): string | null {
  const id = textAt(object, ...path, 'id') ?? textAt(object, ...path)
  return id !== null && id.length <= ID_CHARACTERS_MAX ? id : null
}

/** A time given as a date string or in milliseconds, which may be a numeric string. A date string without a zone is UTC. */
export function dateAt(object: unknown, ...path: (string | number)[]): Date | null {
  const ms = numberAt(object, ...path) ?? msOf(at(object, ...path))
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms) : null
}

/** Date and time without a zone, which JavaScript would read in the zone of this machine. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

const msOf = (value: unknown): number =>
  typeof value === 'string' ? Date.parse(value.trim().replace(WITHOUT_ZONE, '$1T$2Z')) : Number.NaN
