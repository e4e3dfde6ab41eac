/**
 * So many at a time and the others in a queue: what keeps the memory of all inspections together within bounds.
 */
export type Turns = {
  /** Resolves when one more may begin. @throws the signal's reason when aborted while waiting */
  take: (signal?: AbortSignal) => Promise<void>
  /** To be called once for every turn taken. */
  pass: () => void
  /** How many are in the queue. */
  waiting: () => number
}

export function openTurns(runningMax: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      if (running < runningMax) {
        running += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const next = () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        }
        const giveUp = () => {
          waiting.splice(waiting.indexOf(next), 1)
          reject(signal?.reason)
        }
        waiting.push(next)
        signal?.addEventListener('abort', giveUp, { once: true })
      })
    },
    // The turn goes from hand to hand: were it given back first, a newcomer could take it as well as the one who waited.
    pass: () => {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    },
    waiting: () => waiting.length,
  }
}
