/** Commands that repeat their work (`--every 24h`) until they are stopped, for machines without a timer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DURATION, secondsOf } from '../config/setting-kinds.ts'

/** The pause after a failure. */
const RETRY_S = 300
/** A timer of Node ends at once when it is set for more than 24 days. */
const PAUSE_S_MAX = 86_400

/** @returns seconds, or null where the option is absent; what is wrong goes to `problems` */
export function parseEvery(every: string | undefined, problems: string[]): number | null {
  const seconds = every === undefined ? undefined : secondsOf(every)
  if (every !== undefined && seconds === undefined) problems.push(`--every must be ${DURATION}, not "${every}"`)
  return seconds ?? null
}

export type Repeated = {
  /** The name in messages, such as `backup`. */
  name: string
  /** When it was done last, by any process; null: never. */
  lastAt: () => Promise<Date | null>
  run: () => Promise<unknown>
}

/** Works when it was done longer ago than `everyS`, and then as often. @param signal stops it between two runs */
export async function repeatEvery(everyS: number, signal: AbortSignal, { name, lastAt, run }: Repeated): Promise<void> {
  while (!signal.aborted) {
    let pauseS = RETRY_S
    try {
      const last = await lastAt()
      const ageS = last ? (Date.now() - last.getTime()) / 1000 : everyS
      if (ageS >= everyS) await run()
      if (signal.aborted) return
      pauseS = ageS >= everyS ? everyS : everyS - ageS
      console.log(`The next ${name} is due at ${new Date(Date.now() + pauseS * 1000).toISOString()}.`)
    } catch (error) {
      console.error(`The ${name} failed, and is tried again in ${RETRY_S} s: ${(error as Error).message}`)
    }
    await sleep(Math.min(pauseS, PAUSE_S_MAX) * 1000, undefined, { signal }).catch(() => undefined)
  }
}
