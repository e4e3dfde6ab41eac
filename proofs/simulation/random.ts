/** Seeded random numbers. A run draws all choices from one generator, so that a seed repeats the run. */

export type Random = {
  /** A number from 0 to below 1. */
  next: () => number
  /** A whole number from `min` to `max`, both included. */
  int: (min: number, max: number) => number
  /** A number from `min` to below `max`. */
  between: (min: number, max: number) => number
  chance: (probability: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
  bytes: (size: number) => Buffer
  uuid: () => string
}

/** The generator sfc32: 128 bits of state, a few nanoseconds a number. */
export function openRandom(seed: number): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, Math.floor(seed / 2 ** 32) + 1]
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  // Seeds that differ in one bit have similar first numbers.
  for (let i = 0; i < 15; i++) word()

  const next = () => word() / 2 ** 32
  const bytes = (size: number) => {
    const buffer = Buffer.alloc(size + 3)
    for (let i = 0; i < size; i += 4) buffer.writeUInt32LE(word(), Math.min(i, size - 1))
    return buffer.subarray(0, size)
  }
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    between: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    bytes,
    uuid: () => {
      const random = bytes(16)
      random[6] = 0x40 | ((random[6] ?? 0) & 0x0f)
      random[8] = 0x80 | ((random[8] ?? 0) & 0x3f)
      const hex = random.toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}
