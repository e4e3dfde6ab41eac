/**
 * Counters in the memory of one process: of a process that runs alone, and of the primary for its children. Bounded: an LRU
 * for each kind of counter, so that a stranger who comes from many addresses cannot push out the counters of users.
 */
import { LRUCache } from 'lru-cache'
import { type Counter, consume, type LimitName, type Outcome, policies } from './policies.ts'

/** Of each kind. With keys of 64 characters the counters of all 12 kinds take 54 MB (measured); no caller makes longer ones. */
const COUNTERS_MAX = 25_000

export type MemoryCounters = {
  consume: (name: LimitName, key: string) => Outcome
  /** Uncounts one attempt; under backoff, all of them. */
  reward: (name: LimitName, key: string) => void
}

export function openMemoryCounters(nowMs: () => number): MemoryCounters {
  const caches = new Map<string, LRUCache<string, Counter>>()
  const countersOf = (name: LimitName): LRUCache<string, Counter> => {
    const { counter } = policies[name]
    const found = caches.get(counter)
    if (found) return found
    const cache = new LRUCache<string, Counter>({ max: COUNTERS_MAX })
    caches.set(counter, cache)
    return cache
  }
  return {
    consume: (name, key) => {
      const counters = countersOf(name)
      let counter = counters.get(key)
      if (!counter) {
        counter = { count: 0, sinceMs: Number.NEGATIVE_INFINITY }
        counters.set(copyOf(key), counter)
      }
      return consume(policies[name], counter, nowMs())
    },
    reward: (name, key) => {
      const counters = countersOf(name)
      const counter = counters.get(key)
      if (counter && policies[name].kind === 'window') counter.count = Math.max(0, counter.count - 1)
      else counters.delete(key)
    },
  }
}

/** A copy, because a part of a string keeps the whole in memory: an address may be part of a header of 16 kB. */
const copyOf = (key: string): string => Buffer.from(key, 'latin1').toString('latin1')
