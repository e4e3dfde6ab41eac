/**
 * Lenient readers for JSON that other systems write: a missing or malformed field is null (undefined for `at`), never
 * an exception. And a writer of JSON that every other system reads.
 */

/** The parsed value; null for text that is not JSON. A byte order mark is ignored; an integer beyond 2^53 is text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), LONG_INTEGER.test(text) ? keepDigits : undefined)
  } catch {
    return null
  }
}

/** 2^53 has 16 digits. A reviver makes parsing several times slower, so that only text with such a number gets one. */
const LONG_INTEGER = /\d{16}/

/** An id such as 4326796003218200779 would become that of another task. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value

/** The value at `path` when every step is an object or array that has it; otherwise undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined
    // An id from outside may be the name of an inherited property, such as "constructor".
    current = Object.hasOwn(current, step) ? (current as Record<string | number, unknown>)[step] : undefined
  }
  return current
}

/** The items of a list; none when there is no list. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/**
 * A trimmed, non-empty string; numbers are converted. Null characters and lone surrogates are removed because
 * PostgreSQL rejects them, and a report that cannot be stored would be sent again without end.
 */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' ? found.replaceAll('\0', '').toWellFormed().trim() || null : null
}

/** A finite number; numeric strings are converted. */
export function numberAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** JSON of a value that was parsed; empty when it is nested more deeply than it can be written. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Looks up an untrusted key. Inherited properties, such as "constructor", are not found. */
export const entryOf = <T>(table: Record<string, T>, key: string | null): T | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key] : undefined

/**
 * JSON with U+FFFD in the place of each lone surrogate in a string, as PostgreSQL has it in a text parameter.
 * PostgreSQL, and strict parsers, refuse the escape that JSON.stringify writes for one (RFC 7493, 2.1).
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value)
  if (!LONE_SURROGATE.test(json)) return json
  return JSON.stringify(value, (_, each) => (typeof each === 'string' ? each.toWellFormed() : each))
}
/** JSON.stringify escapes lone surrogates only. */
const LONE_SURROGATE = /\\ud[89a-f]/
