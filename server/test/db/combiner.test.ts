/** The combiner: what goes together, in which order, and whom a failure concerns. Bounds: combiner-bounds.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { openTested, type Request, tick } from '../support/combiner-fixture.ts'

const databaseError = (code: string) => Object.assign(new postgres.PostgresError('refused' as never), { code })
const connectionError = (code: string) => Object.assign(new Error('the connection is gone'), { code })

test('combiner: a lone request → sent in the same tick of the event loop', async () => {
  const { calls, add, numbersOf } = openTested()
  const outcome = add('ann', 1)
  await tick()
  assert.deepEqual(numbersOf(0), [1])
  calls[0]?.answer()
  assert.equal(await outcome, 1)
})

test('combiner: requests of one tick → one call, each gets its own outcome, the latest time', async () => {
  const { calls, add, numbersOf } = openTested()
  const outcomes = [add('ann', 3), add('ben', 1), add('cem', 2)]
  await tick()
  assert.deepEqual(numbersOf(0), [3, 1, 2])
  assert.equal(calls[0]?.now.getTime(), 3)
  calls[0]?.answer()
  assert.deepEqual(await Promise.all(outcomes), [3, 1, 2])
})

test('combiner: two calls under way → later requests gather for the next one', async () => {
  const { calls, add, numbersOf } = openTested()
  for (let n = 0; n < 6; n += 1) {
    void add(`user ${n}`, n)
    await tick()
  }
  assert.equal(calls.length, 2)
  calls[0]?.answer()
  await tick()
  assert.deepEqual(numbersOf(2), [2, 3, 4, 5])
})

test('combiner: four calls of full sets → the third begins only with a full set', async () => {
  const { calls, add } = openTested({ batchMax: 3, callsOfFullSets: 4 })
  let users = 0
  const send = async (count: number) => {
    for (let n = 0; n < count; n += 1) void add(`user ${users++}`, n)
    await tick()
  }
  await send(1)
  await send(1)
  await send(2)
  assert.equal(calls.length, 2)
  await send(1)
  assert.deepEqual(
    calls.map(({ requests }) => requests.length),
    [1, 1, 3],
  )
  await send(7)
  assert.deepEqual(
    calls.map(({ requests }) => requests.length),
    [1, 1, 3, 3],
  )
})

test('combiner: a user in a call under way → the next request waits for it, other users do not', async () => {
  const { calls, add, numbersOf } = openTested()
  void add('ann', 1)
  await tick()
  void add('ann', 2)
  await tick()
  assert.equal(calls.length, 1)
  void add('ben', 3)
  await tick()
  assert.deepEqual(numbersOf(1), [3])
  calls[0]?.answer()
  await tick()
  assert.deepEqual(numbersOf(2), [2])
})

test('combiner: reads of one user → not held back by a call under way', async () => {
  const { calls, add } = openTested({ isRead: true })
  void add('ann', 1)
  await tick()
  void add('ann', 2)
  await tick()
  assert.equal(calls.length, 2)
})

test('combiner: a thousand requests of one user, then one of another → the next call has the other one', async () => {
  const { calls, add, numbersOf } = openTested({ calls: 1 })
  void add('cem', -1)
  await tick()
  for (let n = 0; n < 1000; n += 1) void add('ann', n)
  void add('ben', 5000)
  calls[0]?.answer()
  await tick()
  assert.equal(numbersOf(1)?.length, 128)
  assert.ok(numbersOf(1)?.includes(5000))
  // Ann's keep their sequence.
  assert.deepEqual(
    numbersOf(1)?.filter((n) => n !== 5000),
    Array.from({ length: 127 }, (_, n) => n),
  )
})

test('combiner: a user served last time → behind those who were not', async () => {
  const { calls, add, numbersOf } = openTested({ calls: 1 })
  void add('first', -1)
  await tick()
  for (let user = 0; user < 200; user += 1) for (const n of [0, 1]) void add(`user ${user}`, user * 2 + n)
  calls[0]?.answer()
  await tick()
  calls[1]?.answer()
  await tick()
  assert.deepEqual(
    numbersOf(2)?.slice(0, 72),
    Array.from({ length: 72 }, (_, i) => (128 + i) * 2),
  )
})

test('combiner: one request refused by the database → it alone fails, the others are sent one by one', async () => {
  const sent: number[][] = []
  const { add } = openTested({
    call: async (json) => {
      const numbers = (JSON.parse(json) as Request[]).map(({ n }) => n)
      sent.push(numbers)
      if (numbers.includes(2)) throw databaseError('23514')
      return numbers
    },
  })
  const results = await Promise.allSettled([add('ann', 1), add('ben', 2), add('ann', 3)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(sent, [[1, 2, 3], [1], [2], [3]])
})

test('combiner: an account locked by another transaction → one request waits for it, the rest of the user fails with it', async () => {
  const sent: number[][] = []
  const { add } = openTested({
    call: async (json) => {
      const numbers = (JSON.parse(json) as Request[]).map(({ n }) => n)
      sent.push(numbers)
      if (numbers.some((n) => n < 10)) throw databaseError('55P03')
      return numbers
    },
  })
  const results = await Promise.allSettled([add('ann', 1), add('ann', 2), add('ben', 10), add('ann', 3)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(sent.slice(1), [[1], [10]])
})

test('combiner: connection lost → the same call once more, with the same requests and time', async () => {
  const { calls, add } = openTested()
  const outcome = add('ann', 7)
  await tick()
  calls[0]?.fail(connectionError('CONNECTION_CLOSED'))
  await tick()
  assert.deepEqual(calls[1]?.requests, calls[0]?.requests)
  assert.deepEqual(calls[1]?.now, calls[0]?.now)
  calls[1]?.answer()
  assert.equal(await outcome, 7)
})

for (const code of ['57P01', '08006', 'CONNECTION_CLOSED']) {
  test(`combiner: connection lost twice (${code}) → every request of the call fails, later ones succeed`, async () => {
    const { calls, add } = openTested()
    const lost = Promise.allSettled([add('ann', 1), add('ben', 2)])
    await tick()
    const error = code.startsWith('C') ? connectionError(code) : databaseError(code)
    calls[0]?.fail(error)
    await tick()
    calls[1]?.fail(error)
    assert.deepEqual(
      (await lost).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    const later = add('ann', 3)
    await tick()
    calls[2]?.answer()
    assert.equal(await later, 3)
  })
}

test('combiner: users of two parts of the database in one tick → a call for each part', async () => {
  const { add, calls, numbersOf } = openTested({ partOf: (userId) => userId.split(' ')[0] ?? '' })
  for (let n = 0; n < 6; n += 1) void add(`${n % 2 === 0 ? 'even' : 'odd'} ${n}`, n)
  await tick()
  assert.deepEqual(
    [numbersOf(0), numbersOf(1)],
    [
      [0, 2, 4],
      [1, 3, 5],
    ],
  )
  assert.equal(calls.length, 2)
})
