/** The known name that a misspelt one is nearest to. */

/** @param charactersPerMistake how long a name is for each mistake that it may have @returns null: none is near */
export function nearest(name: string, candidates: readonly string[], charactersPerMistake: number): string | null {
  let [found, least] = [null as string | null, Math.floor(name.length / charactersPerMistake) + 1]
  for (const candidate of candidates) {
    // A character too many or too few is a mistake each: few candidates are compared.
    if (Math.abs(candidate.length - name.length) >= least) continue
    const mistakes = distance(name, candidate)
    if (mistakes < least) [found, least] = [candidate, mistakes]
  }
  return found
}

/** Levenshtein distance; two characters in the wrong sequence are one mistake. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, n) => n)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      rows[i]?.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          replaced,
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
