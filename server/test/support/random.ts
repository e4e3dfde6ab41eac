/** Random choices of tests; a seed determines the whole sequence. */

/** `below`: an integer from 0 to below `limit`. `of`: one of the items. */
export type Random = { below: (limit: number) => number; of: <T>(items: readonly T[]) => T }

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % limit
  }
  return { below, of: (items) => items[below(items.length || 1)] as never }
}
