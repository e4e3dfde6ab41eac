// slow
/** Counters of rate limits: alike in memory, at the primary and in PostgreSQL; bounded; concurrent. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openChannel } from '../../src/cluster/channel.ts'
import { openDb } from '../../src/db/db.ts'
import { countFor, openMemoryCounters, primaryCounters } from '../../src/rate-limit/memory.ts'
import { counterOf, type LimitName, type Outcome, policies } from '../../src/rate-limit/policies.ts'
import { postgresqlCounters } from '../../src/rate-limit/postgresql.ts'
import { openSharedCounters, type RateLimiter } from '../../src/rate-limit/rate-limiter.ts'
import { createDatabase } from '../support/database.ts'
import { retainedMemory } from '../support/garbage.ts'

const closers: (() => unknown)[] = []
const log = pino({ level: 'silent' })
const database = await createDatabase()
after(async () => {
  for (const close of closers) await close()
  await database.drop()
})

/** Two ends of an IPC channel: messages are JSON and arrive later. */
function ipc() {
  const [a, b] = [new EventEmitter(), new EventEmitter()]
  const peer = (own: EventEmitter, other: EventEmitter) => ({
    on: (event: 'message', listener: (message: unknown) => void) => own.on(event, listener),
    send: (message: object, callback: (error: Error | null) => void) => {
      const json = JSON.stringify(message)
      setImmediate(() => other.emit('message', JSON.parse(json)))
      callback(null)
    },
  })
  return [peer(a, b), peer(b, a)] as const
}

type Consume = (name: LimitName, key: string) => Outcome | Promise<Outcome>
type Store = {
  name: string
  consume: Consume
  reward: (name: LimitName, key: string) => void
  read: RateLimiter['read']
  settled: () => Promise<unknown>
}

function twoProcesses(store: 'primary' | 'postgresql'): Store[] {
  const counters = openMemoryCounters(Date.now)
  return [1, 2].map((n) => {
    const own = openMemoryCounters(Date.now)
    // One connection a process: what is asked after a `reward` is answered after it.
    const sql = openDb(database.url, { connections: 1, name: 'rate limiter test' })
    let shared = postgresqlCounters(sql, log)
    if (store === 'primary') {
      const [child, primary] = ipc()
      countFor(openChannel(primary), counters)
      shared.close()
      shared = primaryCounters(openChannel(child))
    }
    const opened = shared
    closers.push(
      () => opened.close(),
      () => sql.end(),
    )
    const { consume, reward, read } = openSharedCounters(shared, own, log)
    return {
      name: `${store} ${n}`,
      consume,
      reward,
      read,
      settled: () => shared.consume([{ name: 'image', key: 'settled' }]),
    }
  })
}

test('counters: a sequence of attempts → the same outcomes in memory, at the primary and in PostgreSQL', async () => {
  const memory = openMemoryCounters(Date.now)
  const stores: Store[] = [
    {
      ...memory,
      read: async (attempts) => attempts.map(({ name, key }) => memory.read(name, key)),
      name: 'memory',
      settled: async () => {},
    },
    ...twoProcesses('primary').slice(0, 1),
    ...twoProcesses('postgresql').slice(0, 1),
  ]
  const results = await Promise.all(
    stores.map(async ({ consume, reward, read, settled }) => {
      const allowed: boolean[] = []
      const attempt = async (name: LimitName, key: string) => {
        const { isAllowed, remaining, max } = await consume(name, key)
        allowed.push(isAllowed)
        return { isAllowed, remaining, max }
      }
      const seen = []
      for (let n = 0; n < 12; n++) seen.push(await attempt('password', '203.0.113.1'))
      seen.push(await attempt('password', '203.0.113.2'))
      reward('password', '203.0.113.2')
      await settled()
      seen.push(await attempt('password', '203.0.113.2'))
      for (let n = 0; n < 3; n++) seen.push(await attempt('guarded-client', 'account a'))
      seen.push(await attempt('client', 'account a'), await attempt('guarded-client', 'account b'))
      reward('client', 'account b')
      await settled()
      seen.push(await attempt('guarded-client', 'account b'), await attempt('guarded-client', 'account b'))
      // Reading counts nothing.
      for (let n = 0; n < 2; n++) {
        const left = await read(
          ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((key) => ({ name: 'password' as const, key })),
        )
        assert.deepEqual(
          left.map(({ max, remaining, resetMs }) => [max, remaining, resetMs > 0]),
          [
            [10, 0, true],
            [10, 9, true],
            [10, 10, false],
          ],
        )
      }
      return seen
    }),
  )
  assert.deepEqual(results[1], results[0])
  assert.deepEqual(results[2], results[0])
  const expected = [...Array(10).fill(true), false, false, true, true, true, false, false, true, true, true, false]
  assert.deepEqual(
    results[0]?.map(({ isAllowed }) => isAllowed),
    expected,
  )
})

for (const kind of ['primary', 'postgresql'] as const) {
  test(`counters: 200 attempts at a time over two processes (${kind}) → exactly as many as the limit are allowed`, async () => {
    const stores = twoProcesses(kind)
    const attempts = Array.from({ length: 200 }, (_, n) => stores[n % 2]?.consume('generate', `user of ${kind}`))
    const outcomes = await Promise.all(attempts)
    assert.equal(outcomes.filter((outcome) => outcome?.isAllowed).length, 60)
    const remaining = outcomes.flatMap((outcome) => (outcome?.isAllowed ? [outcome.remaining] : []))
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, n) => n),
    )
    const later = await stores[0]?.consume('generate', `user of ${kind}`)
    assert.equal(later?.isAllowed, false)
    assert.ok(later && later.resetMs > 0 && later.resetMs <= 60_000)
  })
}

test('counters: the shared store fails → each process counts by itself', async () => {
  const away = () => Promise.reject(new Error('away'))
  const failing = { consume: away, reward: away, read: away }
  const { consume, reward, read } = openSharedCounters(
    { ...failing, close: () => {} },
    openMemoryCounters(Date.now),
    log,
  )
  reward('password', 'x')
  for (let n = 1; n <= 12; n++) assert.equal((await consume('password', 'x')).isAllowed, n <= 10)
  assert.deepEqual(
    (await read([{ name: 'password', key: 'x' }])).map(({ remaining }) => remaining),
    [0],
  )
})

test('counters: the shared store hangs → the attempts that wait behind its call are counted here with those of the call', async () => {
  let calls = 0
  const hanging = {
    consume: () => {
      calls += 1
      return new Promise<never>(() => undefined)
    },
    reward: () => Promise.resolve(),
    read: () => new Promise<never>(() => undefined),
    close: () => {},
  }
  const { consume } = openSharedCounters(hanging, openMemoryCounters(Date.now), log)
  // More than two calls have room for.
  const attempts = Array.from({ length: 1_200 }, () => consume('user', 'x'))
  const outcomes = await Promise.all(attempts)
  assert.equal(outcomes.filter(({ isAllowed }) => isAllowed).length, 600)
  assert.equal(calls, 1)
})

test('counters in memory: window over → counted anew; pauses double to 15 minutes, and a quiet hour ends them', () => {
  let nowMs = 1e12
  const { consume } = openMemoryCounters(() => nowMs)
  for (let n = 0; n < 11; n++) consume('password', 'x')
  assert.deepEqual(consume('password', 'x'), { isAllowed: false, max: 10, remaining: 0, resetMs: 60_000 })
  nowMs += 60_000
  assert.equal(consume('password', 'x').remaining, 9)

  assert.equal(consume('guarded-client', 'x').isAllowed, true)
  for (const pauseS of [30, 60, 120, 240, 480, 900, 900]) {
    assert.equal(consume('guarded-client', 'x').resetMs, pauseS * 1000)
    nowMs += pauseS * 1000 - 1
    assert.equal(consume('guarded-client', 'x').isAllowed, false, 'a refused attempt does not prolong the pause')
    nowMs += 1
    assert.equal(consume('guarded-client', 'x').isAllowed, true)
  }
  nowMs += 3_600_000
  assert.equal(consume('client', 'x').remaining, 9)
})

test('counters in memory: a flood of keys of every kind → 70 MB at most, the newest are kept', () => {
  const { consume } = openMemoryCounters(Date.now)
  const names = [...new Set((Object.keys(policies) as LimitName[]).map(counterOf))]
  // docs/security/checklist.md, which has the measured figure, names how many kinds there are.
  assert.equal(names.length, 16)
  const before = retainedMemory().heapUsed
  for (let n = 0; n < 30_000; n++) {
    // The key is like an address in a long header: a part of a string keeps the whole in memory.
    const key = `${n} `.padEnd(2_000, 'x').concat(String(n).padStart(64, '0')).slice(-64)
    for (const name of names) consume(name, key)
  }
  const grownMb = (retainedMemory().heapUsed - before) / 1024 ** 2
  assert.ok(grownMb < 70, `${grownMb} MB`)
  assert.equal(consume('password', '29999'.padStart(64, '0')).remaining, 8)
  assert.equal(consume('password', '0'.padStart(64, '0')).remaining, 9, 'an old one was dropped')
})
