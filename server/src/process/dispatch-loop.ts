/**
 * The loop of the worker's pools and of the dispatchers: claims jobs whose rows are due, each under a lease, and serves
 * every one by itself. It waits to be woken when nothing is due, claims again soon after a job has ended, and drains
 * when it is stopped.
 */
import type { Logger } from 'pino'
import { sleepUnless } from '../async/timer.ts'

/**
 * `stopping`: nothing starts any more. `aborting`: what was started ends without an outcome. `wakers`: while a loop
 * runs, it has a function here, under its name, that makes it claim.
 */
export type Signals = { stopping: AbortSignal; aborting: AbortSignal; wakers?: Map<string, () => void> }

export type Dispatcher<Job> = {
  /** What is claimed, for the log and the poll. */
  name: string
  /** Jobs at a time. */
  max: number
  /** The jobs that are being served, for a caller that reads them. */
  running?: Map<Job, Promise<void>>
  /** @param free how many jobs may be claimed. @param running those that are being served */
  claim: (free: number, running: Iterable<Job>) => Promise<Job[]>
  /** Names the job in the log. */
  describe: (job: Job) => object
  /** A job whose serving throws stays claimed until its lease ends. */
  serve: (job: Job, signals: Signals) => Promise<void>
}

const CLAIM_PAUSE_MS = 10
const AFTER_ERROR_MS = 1000

/** Serves jobs until `stopping` aborts, and then gives what is being served the time until `aborting`. */
export async function dispatchLoop<Job>(
  { log }: { log: Logger },
  isClockRight: () => Promise<boolean>,
  signals: Signals,
  { name, max, running = new Map(), claim, describe, serve }: Dispatcher<Job>,
): Promise<void> {
  const { stopping, wakers } = signals
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  wakers?.set(name, wake)
  stopping.addEventListener('abort', wake)
  /** The last claim found as many jobs as it had room for, so others may be due. */
  let hasBacklog = false

  const claimAndServe = async (): Promise<void> => {
    const free = max - running.size
    if (free === 0) return
    const jobs = (await isClockRight()) ? await claim(free, running.keys()) : []
    hasBacklog = jobs.length === free
    for (const job of jobs) {
      const served = serve(job, signals)
        .catch((err: unknown) =>
          log.error({ err, ...describe(job) }, `${name}: one could not be finished; it is due when its lease ends`),
        )
        .then(() => {
          running.delete(job)
          // One claim for each job that ends would cost a query a job: with a backlog it waits until half of the jobs
          // have ended, or for a short pause when the other half is slow.
          if (hasBacklog && running.size <= max / 2) wake()
          else setTimeout(wake, CLAIM_PAUSE_MS)
        })
      running.set(job, served)
    }
  }

  while (!stopping.aborted) {
    woken = Promise.withResolvers<void>()
    try {
      await claimAndServe()
    } catch (err) {
      log.error({ err }, `${name}: none could be claimed; trying again`)
      await sleepUnless(stopping, AFTER_ERROR_MS)
      continue
    }
    await woken.promise
  }
  wakers?.delete(name)
  await Promise.all(running.values())
}

/** Claims up to `max` jobs and serves them, once. Returns their number. For tests and tools. */
export async function dispatchOnce<Job>({ claim, serve }: Dispatcher<Job>, max: number): Promise<number> {
  const jobs = await claim(max, [])
  const { signal } = new AbortController()
  await Promise.all(jobs.map((job) => serve(job, { stopping: signal, aborting: signal })))
  return jobs.length
}
