/** A combiner with a call that the test answers. */
import { type CombinerOptions, openCombiner } from '../../src/db/combiner.ts'
import { AppError } from '../../src/errors.ts'

export type Request = { n: number }
type Call = { requests: Request[]; now: Date; answer: () => void; fail: (error: Error) => void }

/** A combiner whose calls wait for the test. A request's outcome is its number. */
export function openTested(options: Partial<CombinerOptions<number>> = {}) {
  const calls: Call[] = []
  const combiner = openCombiner<number>({
    name: 'requests',
    call: (json, now) => {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>()
      const requests: Request[] = JSON.parse(json)
      calls.push({ requests, now, answer: () => resolve(requests.map(({ n }) => n)), fail: reject })
      return promise
    },
    ...options,
  })
  const add = (userId: string, n: number, now = new Date(n)) => {
    const outcome = combiner.add(userId, { n }, now)
    // Requests that still wait at the end of a test are refused ten seconds later, while another one runs.
    outcome.catch(() => {})
    return outcome
  }
  const numbersOf = (call: number) => calls[call]?.requests.map(({ n }) => n)
  return { calls, add, numbersOf }
}

export const tick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
export const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'UNAVAILABLE'
