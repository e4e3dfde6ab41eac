/** A counting semaphore: limits how many inspections run at a time, and with them the memory of all child processes. */
export type Semaphore = {
  /** Resolves when a permit is free and takes it. @throws the signal's reason when aborted while queued */
  acquire: (signal?: AbortSignal) => Promise<void>
  /** Returns a permit; call it once for every `acquire`. */
  release: () => void
  /** Callers in the queue. */
  queued: () => number
}

export function openSemaphore(permits: number): Semaphore {
  let acquired = 0
  const queue: (() => void)[] = []
  return {
    acquire: async (signal) => {
      signal?.throwIfAborted()
      if (acquired < permits) {
        acquired += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const next = () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        }
        const abort = () => {
          queue.splice(queue.indexOf(next), 1)
          reject(signal?.reason)
        }
        queue.push(next)
        signal?.addEventListener('abort', abort, { once: true })
      })
    },
    // The permit passes directly to the next caller in the queue; freed first, a new caller could overtake the queue.
    release: () => {
      const next = queue.shift()
      if (next) next()
      else acquired -= 1
    },
    queued: () => queue.length,
  }
}
