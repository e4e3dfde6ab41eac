/**
 * Counters in the memory of one process: of a process that runs alone, and of the primary of `kinora api --processes`,
 * which its children ask over their IPC channels. Bounded: an LRU for each kind of counter, so that a stranger who
 * comes from many addresses cannot push out the counters of users.
 */
import { LRUCache } from 'lru-cache'
import type { Channel } from '../cluster/channel.ts'
import {
  type Attempt,
  type Counter,
  consume,
  counterOf,
  type LimitName,
  type Outcome,
  policies,
  policyOf,
  readWindow,
  type SharedCounters,
} from './policies.ts'

/** The counters of one kind. Keys have 64 characters at most, so those of all kinds take 67 MB (measured). */
const COUNTERS_MAX = 23_000

export type MemoryCounters = {
  consume: (name: LimitName, key: string, max?: number) => Outcome
  /** Uncounts one attempt; under backoff, all of them. */
  reward: (name: LimitName, key: string) => void
  /** What is left, without counting. */
  read: (name: LimitName, key: string, max?: number) => Outcome
}

export function openMemoryCounters(nowMs: () => number): MemoryCounters {
  const caches = new Map<LimitName, LRUCache<string, Counter>>()
  const countersOf = (name: LimitName): LRUCache<string, Counter> => {
    const cache = caches.get(counterOf(name)) ?? new LRUCache<string, Counter>({ max: COUNTERS_MAX })
    caches.set(counterOf(name), cache)
    return cache
  }
  return {
    consume: (name, key, max) => {
      const counters = countersOf(name)
      let counter = counters.get(key)
      if (!counter) {
        counter = { count: 0, sinceMs: Number.NEGATIVE_INFINITY }
        counters.set(copyOf(key), counter)
      }
      return consume(policyOf({ name, key, max }), counter, nowMs())
    },
    reward: (name, key) => {
      const counters = countersOf(name)
      const counter = counters.get(key)
      if (counter && policies[name].kind === 'window') counter.count = Math.max(0, counter.count - 1)
      else counters.delete(key)
    },
    read: (name, key, max) => readWindow(policyOf({ name, key, max }), countersOf(name).peek(key) ?? UNUSED, nowMs()),
  }
}

const UNUSED: Counter = { count: 0, sinceMs: Number.NEGATIVE_INFINITY }

/** A copy, because a part of a string keeps the whole in memory: an address may be part of a header of 16 kB. */
const copyOf = (key: string): string => Buffer.from(key, 'latin1').toString('latin1')

/** Arrays instead of objects: half the bytes to parse. */
type Sent = [name: LimitName, key: string, max?: number]
type Message = { consume: Sent[] } | { reward: Sent } | { read: Sent[] }

/** Counters of a child: those of its primary. */
export function primaryCounters(channel: Channel): SharedCounters {
  const ask = (message: Message) => channel.ask('rate-limit', message)
  const sent = (attempts: Attempt[]) =>
    attempts.map(({ name, key, max }): Sent => (max === undefined ? [name, key] : [name, key, max]))
  return {
    consume: async (attempts) => (await ask({ consume: sent(attempts) })) as Outcome[],
    read: async (attempts) => (await ask({ read: sent(attempts) })) as Outcome[],
    reward: ({ name, key }) => ask({ reward: [name, key] }),
    close: () => undefined,
  }
}

/** Replies to one child, in the primary. */
export function countFor(channel: Channel, counters: MemoryCounters): void {
  channel.handle('rate-limit', (body) => {
    const message = body as Message
    if ('consume' in message) return message.consume.map((sent) => counters.consume(...sent))
    if ('read' in message) return message.read.map((sent) => counters.read(...sent))
    const [name, key] = message.reward
    counters.reward(name, key)
    return null
  })
}
