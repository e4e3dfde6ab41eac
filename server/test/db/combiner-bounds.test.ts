/** The combiner's bounds: requests and bytes that wait or are in a call, waiting time, and endless calls. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AppError } from '../../src/errors.ts'
import { isUnavailable, openTested, type Request, tick } from '../support/combiner-fixture.ts'

test('combiner: full queue → 503 with Retry-After, the waiting requests are served', async () => {
  const { calls, add } = openTested({ calls: 1 })
  void add('first', -1)
  await tick()
  const waiting = Array.from({ length: 10_000 }, (_, n) => add(`user ${n}`, n))
  await assert.rejects(add('one too many', 0), (error) => isUnavailable(error) && (error as AppError).retryAfterS === 1)
  for (let call = 0; call < 80; call += 1) {
    calls[call]?.answer()
    await tick()
  }
  assert.equal((await Promise.all(waiting)).length, 10_000)
})

test('combiner: too many bytes waiting → 503', async () => {
  const { add } = openTested({ calls: 0 })
  const huge = 'é'.repeat(2 ** 19)
  for (let n = 0; n < 61; n += 1) void add(`user ${n}`, huge as never)
  await assert.rejects(add('one too many', huge as never), isUnavailable)
  void add('small enough', 0)
  await assert.rejects(add('one too many', 'é'.repeat(2 ** 17) as never), isUnavailable)
})

for (const [letter, title] of [
  ['x', 'of one byte a character'],
  ['é', 'of two bytes a character'],
] as const) {
  test(`combiner: requests ${title} → a call has at most a million bytes`, async () => {
    const texts: string[] = []
    const { add } = openTested({
      calls: 1,
      call: async (json) => {
        texts.push(json)
        return (JSON.parse(json) as Request[]).map(({ n }) => n)
      },
    })
    const bytes = [400_000, 400_000, 400_000, 199_000, 2_000_000, 400_000, 700_000]
    const text = (size: number) => letter.repeat(size / Buffer.byteLength(letter)) as never
    await Promise.all(bytes.map((size, n) => add(`user ${n}`, text(size))))
    const sizes = texts.map((json) => (JSON.parse(json) as { n: string }[]).map(({ n }) => Buffer.byteLength(n)))
    // One that is larger goes alone.
    assert.deepEqual(sizes, [[400_000, 400_000], [400_000, 199_000], [2_000_000], [400_000], [700_000]])
    assert.deepEqual(
      texts.map((json) => Buffer.byteLength(json) <= 1_000_000),
      [true, true, false, true, true],
    )
  })
}

test('combiner: a request that waited ten seconds for its call → 503, it is not sent', async (t) => {
  const { calls, add } = openTested({ calls: 1 })
  void add('ann', 1)
  await tick()
  const late = add('ben', 2)
  t.mock.method(performance, 'now', () => 1e12)
  calls[0]?.answer()
  await assert.rejects(late, isUnavailable)
  assert.equal(calls.length, 1)
})

/** Time that the test advances, by `performance.now` and by timers. */
function stopClock(t: TestContext): { advance: (ms: number) => Promise<void> } {
  let nowMs = 1000
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return {
    advance: async (ms) => {
      nowMs += ms
      t.mock.timers.tick(ms)
      await tick()
    },
  }
}

test('combiner: calls that never end → each waiting request gets 503 ten seconds after it came', async (t) => {
  const { advance } = stopClock(t)
  const { calls, add } = openTested({ calls: 1 })
  void add('ann', 1)
  await tick()
  const refused: number[] = []
  const wait = (userId: string, n: number) =>
    add(userId, n).catch((error: unknown) => {
      assert.ok(isUnavailable(error))
      refused.push(n)
    })
  // It waits behind the call of its own user, and of others.
  const waiting = [wait('ann', 2), wait('ben', 3)]
  await advance(6_000)
  waiting.push(wait('ben', 4))
  await advance(3_999)
  assert.deepEqual(refused, [])
  await advance(1)
  assert.deepEqual(refused, [2, 3])
  await advance(5_999)
  assert.deepEqual(refused, [2, 3])
  await advance(1)
  assert.deepEqual(refused, [2, 3, 4])
  await Promise.all(waiting)
  calls[0]?.answer()
  await tick()
  assert.equal(calls.length, 1)
})

test('combiner: no request waits → no timer', async (t) => {
  const timers = t.mock.method(globalThis, 'setTimeout')
  const { calls, add } = openTested()
  const outcomes = [add('ann', 1), add('ben', 2)]
  await tick()
  calls[0]?.answer()
  await Promise.all(outcomes)
  assert.equal(timers.mock.callCount(), 0)
})

test('combiner: calls of one shard that never end → those of another shard go on, and have room in the queue', async () => {
  const sent: number[] = []
  const { add } = openTested({
    partOf: (userId) => userId.split(' ')[0] ?? '',
    call: (json) => {
      const numbers = (JSON.parse(json) as Request[]).map(({ n }) => n)
      if (numbers.some((n) => n < 0)) return new Promise(() => {})
      sent.push(...numbers)
      return Promise.resolve(numbers)
    },
  })
  for (let n = 0; n < 16; n += 1) {
    void add(`hung ${n}`, -1)
    await tick()
  }
  // Two calls have one request each, fourteen wait.
  for (let n = 14; n < 2500; n += 1) void add(`hung ${n}`, -1)
  await assert.rejects(add('hung', -1), isUnavailable)
  const outcomes = Array.from({ length: 1000 }, (_, n) => add(`well ${n % 7}`, n))
  assert.equal((await Promise.all(outcomes)).length, 1000)
  assert.equal(sent.length, 1000)
})
