/** Amounts of money or credits that depend on a request: the tables of prices and costs. */

/** One amount, or amounts by words joined with `+`; `*`: when none of the others holds. */
export type Amounts = number | { [words: string]: number }

/**
 * The amount of the entry with the most words that all hold.
 * @param words what holds for the request: its quality and mode, its options that are true, `option=value` of the others
 * @returns null when no entry holds, or several with as many words do
 */
export function amountFor(amounts: Amounts, words: ReadonlySet<string>): number | null {
  if (typeof amounts === 'number') return amounts
  const holding = Object.entries(amounts)
    .map(([key, amount]) => ({ amount, words: key === '*' ? [] : key.split('+').map((word) => word.trim()) }))
    .filter((entry) => entry.words.every((word) => words.has(word)))
    .sort((a, b) => b.words.length - a.words.length)
  const [best, second] = holding
  return best && second?.words.length !== best.words.length ? best.amount : null
}

export const UNITS = ['second', 'clip', 'megapixel'] as const
export type Unit = (typeof UNITS)[number]

/** How many units a film has. `megapixel`: a million pixels of a picture, each second. */
export const unitsOf: Record<Unit, (film: { seconds: number; width: number; height: number }) => number> = {
  second: ({ seconds }) => seconds,
  clip: () => 1,
  megapixel: ({ seconds, width, height }) => (seconds * width * height) / 1e6,
}
