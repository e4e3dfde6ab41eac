/**
 * The rate limiter of a process. Its counters are in its own memory, or, with several API processes, in the primary's
 * memory or in PostgreSQL: `RATE_LIMIT_STORE`.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { withTimeout } from '../async/timer.ts'
import { primaryChannel } from '../cluster/channel.ts'
import type { Config } from '../config/config.ts'
import type { Sql } from '../db/db.ts'
import { type MemoryCounters, openMemoryCounters, primaryCounters } from './memory.ts'
import { type Attempt, type LimitName, type Outcome, policies, type SharedCounters } from './policies.ts'
import { postgresqlCounters } from './postgresql.ts'

export type RateLimiter = {
  /**
   * Counts an attempt and returns whether it is allowed: at once where the counters are in this process.
   * @param max in the place of the policy's
   */
  consume: (name: LimitName, key: string, max?: number) => Outcome | Promise<Outcome>
  /** Uncounts one attempt; under backoff, all of them. *Refund* is a word of payments. */
  reward: (name: LimitName, key: string) => void
  /** What is left of limits with a window, without counting; empty where nothing is limited. */
  read: (attempts: Attempt[]) => Promise<Outcome[]>
  close: () => void
}

type Context = { config: Pick<Config, 'rateLimits' | 'rateLimitStore'>; sql: Sql; log: Logger; nowMs: () => number }

export function openRateLimiter({ config, sql, log, nowMs }: Context): RateLimiter {
  if (!config.rateLimits)
    return { consume: () => unlimited, reward: () => undefined, read: async () => [], close: () => undefined }
  const own = openMemoryCounters(nowMs)
  const channel = primaryChannel()
  if (config.rateLimitStore === 'postgresql') return openSharedCounters(postgresqlCounters(sql, log), own, log)
  if (channel) return openSharedCounters(primaryCounters(channel), own, log)
  return { ...own, read: async (attempts) => readOwn(own, attempts), close: () => undefined }
}

const unlimited: Outcome = { isAllowed: true, max: Number.POSITIVE_INFINITY, remaining: 0, resetMs: 0 }

const readOwn = (own: MemoryCounters, attempts: Attempt[]) =>
  attempts.map(({ name, key, max }) => own.read(name, key, max))

type Waiting = Attempt & { resolve: (outcome: Outcome) => void }

const BATCH_MAX = 500
/** The most attempts that wait; beyond it this process counts by itself. */
const WAITING_MAX = 10_000
const REFUSED_MAX = 10_000
const LOG_EVERY_MS = 60_000
/** A store that takes longer is not waited for. */
const TIMEOUT_MS = 2_000
/** The time for which this process counts by itself after a failure, without a call. */
const DOWN_MS = 1_000

/**
 * Counts by a store that is shared. While one call is under way the next attempts gather, then they go together. A key
 * that is refused is refused here until its window ends, without a call: a flood costs the store nothing. Without a
 * response of the store this process counts by itself: limits get looser then, and no request fails.
 */
export function openSharedCounters(store: SharedCounters, own: MemoryCounters, log: Logger) {
  const waiting: Waiting[] = []
  let isUnderWay = false
  let loggedMs = Number.NEGATIVE_INFINITY
  let downUntilMs = 0
  /** The outcomes of keys that are over their limit, until their windows end. */
  const refused = new LRUCache<string, Outcome>({ max: REFUSED_MAX })

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
        const consumed = store.consume(batch.map(({ name, key, max }) => ({ name, key, max })))
        const outcomes = await withTimeout(consumed, TIMEOUT_MS, () => {
          throw new Error(`no response within ${TIMEOUT_MS} ms`)
        })
        for (const [i, entry] of batch.entries()) {
          const outcome = outcomes[i] ?? own.consume(entry.name, entry.key, entry.max)
          // The same counter under `guarded-client` may still allow what `client` allows, so pauses are not kept here.
          if (!outcome.isAllowed && policies[entry.name].kind === 'window')
            refused.set(`${entry.name} ${entry.key}`, outcome, { ttl: Math.ceil(outcome.resetMs) })
          entry.resolve(outcome)
        }
      } catch (error) {
        failed(error)
        // Those that gathered meanwhile, too: a store that hangs would let each next batch wait for the timeout again.
        for (const { name, key, max, resolve } of [...batch, ...waiting.splice(0)]) resolve(own.consume(name, key, max))
      }
    }
    isUnderWay = false
  }

  return {
    consume: (name: LimitName, key: string, max?: number): Outcome | Promise<Outcome> => {
      const outcome = refused.get(`${name} ${key}`)
      if (outcome) return { ...outcome, resetMs: Math.max(1, refused.getRemainingTTL(`${name} ${key}`)) }
      if (waiting.length >= WAITING_MAX || performance.now() < downUntilMs) return own.consume(name, key, max)
      return new Promise<Outcome>((resolve) => {
        waiting.push({ name, key, max, resolve })
        // The call goes after this tick of the event loop, so that the attempts of one tick go together.
        if (waiting.length === 1 && !isUnderWay) setImmediate(() => !isUnderWay && void send())
      })
    },
    reward: (name: LimitName, key: string): void => {
      store.reward({ name, key }).catch(failed)
    },
    read: async (attempts: Attempt[]): Promise<Outcome[]> => {
      try {
        return await withTimeout(store.read(attempts), TIMEOUT_MS, () => {
          throw new Error(`no response within ${TIMEOUT_MS} ms`)
        })
      } catch (error) {
        failed(error)
        return readOwn(own, attempts)
      }
    },
    close: store.close,
  }
}
