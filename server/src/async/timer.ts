/** Waiting that ends early: a timeout for a promise, and a sleep that a signal ends. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The promise's value, or what `late` returns when it has none after `ms`; `late` may throw. The work behind the
 * promise goes on.
 */
export async function withTimeout<T, Late>(promise: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, ms)
  try {
    return await Promise.race([promise, timeout.promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

/** Sleeps until the time is over or the signal aborts. */
export const sleepUnless = (signal: AbortSignal, ms: number): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
