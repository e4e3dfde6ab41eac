/**
 * The rate limiter of a process. Its counters are in its own memory, or, with several API processes, in the primary's memory
 * or in PostgreSQL: `RATE_LIMIT_STORE`.
 */
import type { Logger } from 'pino'
import { primaryChannel } from '../cluster/channel.ts'
import type { Config } from '../config/config.ts'
import type { Sql } from '../db/db.ts'
import { openMemoryCounters } from './memory.ts'
import type { LimitName, Outcome } from './policies.ts'
import { postgresqlCounters } from './postgresql.ts'
import { primaryCounters } from './primary.ts'
import { openSharedCounters } from './shared.ts'

export type RateLimiter = {
  /** Counts an attempt and returns whether it is allowed: at once where the counters are in this process. */
  consume: (name: LimitName, key: string) => Outcome | Promise<Outcome>
  /** Uncounts one attempt; under backoff, all of them. Named as in rate-limiter-flexible: *refund* is a word of payments. */
  reward: (name: LimitName, key: string) => void
  close: () => void
}

type Context = { config: Pick<Config, 'rateLimits' | 'rateLimitStore'>; sql: Sql; log: Logger; nowMs: () => number }

export function openRateLimiter({ config, sql, log, nowMs }: Context): RateLimiter {
  if (!config.rateLimits) return { consume: () => unlimited, reward: () => undefined, close: () => undefined }
  const own = openMemoryCounters(nowMs)
  const channel = primaryChannel()
  if (config.rateLimitStore === 'postgresql') return openSharedCounters(postgresqlCounters(sql, log), own, log)
  if (channel) return openSharedCounters(primaryCounters(channel), own, log)
  return { ...own, close: () => undefined }
}

const unlimited: Outcome = { isAllowed: true, max: Number.POSITIVE_INFINITY, remaining: 0, resetMs: 0 }
