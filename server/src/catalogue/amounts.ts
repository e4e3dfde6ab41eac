/** Amounts of credits or money that depend on a request: the tables of prices and costs. */
import type { Film } from './film-size.ts'

/** One amount, or amounts by words joined with `+`; `*`: when none of the others holds. */
export type Amounts = number | { [words: string]: number }

/** What an amount is for. Each display of a price names every unit, so that a new one is an error of the compiler. */
export const INPUT_SECOND = 'input second'
export const UNITS = ['second', 'clip', 'megapixel', INPUT_SECOND] as const
export type Unit = (typeof UNITS)[number]

/** How many units a film has. `megapixel`: a million pixels of its picture, each second. */
export const unitsOf: Record<Unit, (film: Film) => number> = {
  second: ({ seconds }) => seconds,
  clip: () => 1,
  [INPUT_SECOND]: ({ inputSeconds }) => inputSeconds,
  megapixel: ({ seconds, width, height }) => (seconds * width * height) / 1e6,
}

/** The words of an entry of a table. */
export const wordsOfKey = (key: string): string[] => (key === '*' ? [] : key.split('+').map((word) => word.trim()))

/**
 * The amount of the entry with the most words that all hold for a request.
 * @returns null when no entry holds, or several with as many words do
 */
export function amountFor(amounts: Amounts, request: { [field: string]: unknown }): number | null {
  if (typeof amounts === 'number') return amounts
  let best: Entry | null = null
  let isAmbiguous = false
  for (const entry of entriesOf(amounts)) {
    if (best && entry.words.length < best.words.length) break
    if (!entry.words.every((word) => holds(request, word))) continue
    isAmbiguous = best !== null
    best ??= entry
  }
  return best && !isAmbiguous ? best.amount : null
}

type Entry = { amount: number; words: string[] }
const entries = new WeakMap<object, Entry[]>()

/** The entries of a table, those with most words first. Kept: each request reads them. */
function entriesOf(amounts: { [words: string]: number }): Entry[] {
  const known =
    entries.get(amounts) ??
    Object.entries(amounts)
      .map(([key, amount]) => ({ amount, words: wordsOfKey(key) }))
      .sort((a, b) => b.words.length - a.words.length)
  entries.set(amounts, known)
  return known
}

/** Whether a word holds for a request: its quality or mode, the name of a field that is true, or `field=value`. */
export function holds(request: { [field: string]: unknown }, word: string): boolean {
  if (request[word] === true || request.quality === word || request.mode === word) return true
  const at = word.indexOf('=')
  const value = at > 0 ? request[word.slice(0, at)] : undefined
  return value !== undefined && typeof value !== 'object' && String(value) === word.slice(at + 1)
}
