/**
 * The loop of a dispatcher: claims jobs whose rows are due, each under a lease, and serves every one by itself. It polls when
 * nothing is due, claims again soon after a job has ended, and drains when it is stopped.
 */
import type { Logger } from 'pino'
import { sleepUnless } from './timer.ts'

/** `stopping`: nothing starts any more. `aborting`: what was started ends without an outcome. */
export type Signals = { stopping: AbortSignal; aborting: AbortSignal }

export type Dispatcher<Job> = {
  /** What is claimed, for the log. */
  name: string
  /** Jobs at a time. */
  max: number
  /** @param free how many jobs may be claimed. @param running those that are being served */
  claim: (free: number, running: Iterable<Job>) => Promise<Job[]>
  /** Names the job in the log. */
  describe: (job: Job) => Record<string, string>
  /** A job whose serving throws stays claimed until its lease ends. */
  serve: (job: Job, signals: Signals) => Promise<void>
}

const POLL_MS = 500
const CLAIM_PAUSE_MS = 10
const AFTER_ERROR_MS = 1000

/** Serves jobs until `stopping` aborts, and then gives what is being served the time until `aborting`. */
export async function dispatchLoop<Job>(
  { log }: { log: Logger },
  isClockRight: () => Promise<boolean>,
  signals: Signals,
  { name, max, claim, describe, serve }: Dispatcher<Job>,
): Promise<void> {
  const { stopping } = signals
  const running = new Map<Job, Promise<void>>()
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  stopping.addEventListener('abort', wake)

  const claimAndServe = async (): Promise<number> => {
    const free = max - running.size
    if (free === 0 || !(await isClockRight())) return 0
    const jobs = await claim(free, running.keys())
    for (const job of jobs) {
      const served = serve(job, signals)
        .catch((err: unknown) =>
          log.error({ err, ...describe(job) }, `${name}: one could not be finished; it is due when its lease ends`),
        )
        .then(() => {
          running.delete(job)
          // One claim for each job that ends would cost a query a job.
          setTimeout(wake, CLAIM_PAUSE_MS)
        })
      running.set(job, served)
    }
    return jobs.length
  }

  while (!stopping.aborted) {
    woken = Promise.withResolvers<void>()
    const count = await claimAndServe().catch((err: unknown) => {
      log.error({ err }, `${name}: none could be claimed; trying again`)
      return null
    })
    if (count === null) await sleepUnless(stopping, AFTER_ERROR_MS)
    if (count !== 0) continue
    const timer = setTimeout(wake, POLL_MS)
    await woken.promise
    clearTimeout(timer)
  }
  await Promise.all(running.values())
}
