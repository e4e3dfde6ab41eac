/**
 * Reading what the payment processors wrote, leniently: what is missing, or could not be kept, is null and never an
 * exception. An event that our database refused would be sent again for days and then be lost.
 */
import { at, textAt } from '../provider/read.ts'

/** Ids become keys of our database, and an index takes no longer ones than about 2,700 bytes. */
const ID_CHARACTERS_MAX = 250
/** No payment is older or runs longer; what lies outside is no date that JavaScript and PostgreSQL both can write. */
const EARLIEST_MS = Date.UTC(2000, 0)
const LATEST_MS = Date.UTC(3000, 0)

/** The id of something that is given whole or by its id alone. */
export function idAt(object: unknown, ...path: (string | number)[]): string | null {
  const id = textAt(object, ...path, 'id') ?? textAt(object, ...path)
  return id !== null && id.length <= ID_CHARACTERS_MAX ? id : null
}

/** A moment written as text or as milliseconds. */
export function dateAt(object: unknown, ...path: (string | number)[]): Date | null {
  const value = at(object, ...path)
  const ms = typeof value === 'number' || typeof value === 'string' ? new Date(value).getTime() : Number.NaN
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms) : null
}

/** What a table says about a word; every object has a "constructor", which is no entry. */
export const entryOf = <T>(table: Record<string, T>, word: string | null): T | undefined =>
  word !== null && Object.hasOwn(table, word) ? table[word] : undefined
