/**
 * Counters that several processes share, behind a call. While one call is under way the next attempts gather, then they go
 * together. A key that is refused is refused here until its window ends, without a call: a flood costs the store nothing.
 * Without a response of the store this process counts by itself: limits get looser then, and no request fails.
 */
import type { Logger } from 'pino'
import { withTimeout } from '../async/timer.ts'
import type { MemoryCounters } from './memory.ts'
import { type LimitName, type Outcome, policies } from './policies.ts'

export type Attempt = { name: LimitName; key: string }

export type SharedCounters = {
  /** Counts a batch; outcome i belongs to attempt i. */
  consume: (attempts: Attempt[]) => Promise<Outcome[]>
  reward: (attempt: Attempt) => Promise<unknown>
  close: () => void
}

type Waiting = Attempt & { resolve: (outcome: Outcome) => void }

const BATCH_MAX = 500
/** Beyond it this process counts by itself. */
const WAITING_MAX = 10_000
const REFUSED_MAX = 10_000
const LOG_EVERY_MS = 60_000
/** A store that takes longer is not waited for. */
const TIMEOUT_MS = 2_000
/** After a failure this process counts by itself for so long, without a call. */
const DOWN_MS = 1_000

export function openSharedCounters(store: SharedCounters, own: MemoryCounters, log: Logger) {
  const waiting: Waiting[] = []
  let isUnderWay = false
  let loggedMs = Number.NEGATIVE_INFINITY
  let downUntilMs = 0
  /** The keys that are over their limit, and until when. */
  const refused = new Map<string, { untilMs: number; outcome: Outcome }>()

  const failed = (error: unknown) => {
    downUntilMs = performance.now() + DOWN_MS
    if (performance.now() - loggedMs < LOG_EVERY_MS) return
    loggedMs = performance.now()
    log.warn({ err: error }, 'the shared rate limits cannot be reached; this process counts by itself')
  }

  const send = async () => {
    isUnderWay = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      try {
        const consumed = store.consume(batch.map(({ name, key }) => ({ name, key })))
        const outcomes = await withTimeout(consumed, TIMEOUT_MS, () => {
          throw new Error(`no response within ${TIMEOUT_MS} ms`)
        })
        for (const [i, entry] of batch.entries()) {
          const outcome = outcomes[i] ?? own.consume(entry.name, entry.key)
          if (!outcome.isAllowed) remember(entry, outcome)
          entry.resolve(outcome)
        }
      } catch (error) {
        failed(error)
        // Those that gathered meanwhile, too: a store that hangs would let each next batch wait for the timeout again.
        for (const { name, key, resolve } of [...batch, ...waiting.splice(0)]) resolve(own.consume(name, key))
      }
    }
    isUnderWay = false
  }

  const remember = ({ name, key }: Attempt, outcome: Outcome) => {
    // Under `guarded-client` the same counter may still allow what `client` allows.
    if (policies[name].kind !== 'window') return
    if (refused.size >= REFUSED_MAX)
      for (const oldest of refused.keys()) {
        refused.delete(oldest)
        break
      }
    refused.set(`${name} ${key}`, { untilMs: performance.now() + outcome.resetMs, outcome })
  }

  return {
    consume: (name: LimitName, key: string): Outcome | Promise<Outcome> => {
      const entry = refused.get(`${name} ${key}`)
      if (entry) {
        const resetMs = entry.untilMs - performance.now()
        if (resetMs > 0) return { ...entry.outcome, resetMs }
        refused.delete(`${name} ${key}`)
      }
      if (waiting.length >= WAITING_MAX || performance.now() < downUntilMs) return own.consume(name, key)
      return new Promise<Outcome>((resolve) => {
        waiting.push({ name, key, resolve })
        // After this tick of the event loop, so that the attempts of one tick go together.
        if (waiting.length === 1 && !isUnderWay) setImmediate(() => !isUnderWay && void send())
      })
    },
    reward: (name: LimitName, key: string): void => {
      store.reward({ name, key }).catch(failed)
    },
    close: store.close,
  }
}
