/** Amounts of credits or money that depend on a request: the tables of prices and costs. */
import type { Film } from './film-size.ts'

/** One amount, or amounts by words joined with `+`; `*`: when none of the others holds. */
export type Amounts = number | { [words: string]: number }

/** What an amount is for. Each display of a price names every unit, so that a new one is an error of the compiler. */
export const UNITS = ['second', 'clip', 'megapixel'] as const
export type Unit = (typeof UNITS)[number]

/** How many units a film has. `megapixel`: a million pixels of its picture, each second. */
export const unitsOf: Record<Unit, (film: Film) => number> = {
  second: ({ seconds }) => seconds,
  clip: () => 1,
  megapixel: ({ seconds, width, height }) => (seconds * width * height) / 1e6,
}

/** The words of an entry of a table. */
export const wordsOfKey = (key: string): string[] => (key === '*' ? [] : key.split('+').map((word) => word.trim()))

/**
 * The amount of the entry with the most words that all hold.
 * @param words what holds for the request
 * @returns null when no entry holds, or several with as many words do
 */
export function amountFor(amounts: Amounts, words: ReadonlySet<string>): number | null {
  if (typeof amounts === 'number') return amounts
  const holding = Object.entries(amounts)
    .map(([key, amount]) => ({ amount, words: wordsOfKey(key) }))
    .filter((entry) => entry.words.every((word) => words.has(word)))
    .sort((a, b) => b.words.length - a.words.length)
  const [best, second] = holding
  return best && second?.words.length !== best.words.length ? best.amount : null
}

/** The words that hold for a request: its quality and mode, the names of what is true, and `field=value` of each field. */
export function wordsOf(request: { [field: string]: unknown }): Set<string> {
  const words = new Set<string>()
  for (const [field, value] of Object.entries(request)) {
    if (typeof value === 'object' || value === undefined) continue
    words.add(`${field}=${value}`)
    if (value === true) words.add(field)
    if (field === 'quality' || field === 'mode') words.add(String(value))
  }
  return words
}
