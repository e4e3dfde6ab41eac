/**
 * Budgets of API keys, in SQL: sets, rounds, periods and releases. api-key-scopes.test.ts has them over HTTP. verify()
 * compares what keys have used with their holds after every test.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { generateAll } from '../../src/db/set-calls.ts'
import {
  creditFreezeHolds,
  creditReleaseHolds,
  creditSettleHolds,
  type NewHold,
} from '../support/ledger/ledger-calls.ts'
import { later, openLedger } from '../support/ledger/open-ledger.ts'
import { newVideo } from '../support/video-row.ts'

const { sql, newUserId, grant, balance } = await openLedger(6)

/** A Wednesday, the last day of a month. */
const WEDNESDAY = new Date('2030-07-31T12:00:00Z')
const at = (time: string) => new Date(time)

type Period = 'day' | 'week' | 'month'

async function user(credits = 1000): Promise<string> {
  const id = newUserId()
  await grant(id, credits, later(365 * 86_400_000))
  return id
}

async function key(userId: string, budget: number | null, period: Period = 'month'): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into kinora.api_key (user_id, id, scopes, budget, budget_period, created_at)
    values (${userId}, ${id}, '{generate}', ${budget}, ${budget === null ? null : period}, ${WEDNESDAY})
  `
  return id
}

const hold = (userId: string, keyId: string | null, credits = 16): NewHold => ({
  userId,
  holdId: randomUUID(),
  credits,
  remark: null,
  keyId,
})
const freeze = async (holds: NewHold[], now = WEDNESDAY) =>
  (await creditFreezeHolds(sql, holds, now)).map(({ outcome }) => outcome)
const release = (holds: NewHold[], now = WEDNESDAY) =>
  creditReleaseHolds(
    sql,
    holds.map((each) => ({ ...each, graceS: 86_400 })),
    now,
  )
const used = async (userId: string, keyId: string, period: Period = 'month', now = WEDNESDAY) => {
  const [row] = await sql<[{ used: number }]>`
    select kinora.api_key_used(
      p_user_id => ${userId}, p_key_id => ${keyId}, p_period => ${period}, p_time => ${now}
    ) as used
  `
  return Number(row.used)
}

test('freeze: a set that crosses the budget in its middle → refused from there, a cheaper one after it goes through', async () => {
  const ann = await user()
  const budgeted = await key(ann, 40)
  const costs = [16, 16, 16, 8, 1]
  const set = costs.map((credits) => hold(ann, budgeted, credits))
  assert.deepEqual(await freeze(set), ['frozen', 'frozen', 'over_budget', 'frozen', 'over_budget'])
  assert.equal(await used(ann, budgeted), 40)
  assert.deepEqual(await balance(ann), { available: 960, frozen: 40, used: 0, total: 1000 })
  assert.deepEqual(await freeze([hold(ann, budgeted, 1)]), ['over_budget'])
})

test('freeze: requests of several keys and users in one set → each counts for its own key', async () => {
  const [ann, ben] = [await user(), await user()]
  const [small, large, bens] = [await key(ann, 16), await key(ann, 48), await key(ben, 16)]
  const set = [small, large, null, small, large]
    .map((keyId) => hold(ann, keyId))
    .concat(hold(ben, bens), hold(ben, null))
  assert.deepEqual(await freeze(set), ['frozen', 'frozen', 'frozen', 'over_budget', 'frozen', 'frozen', 'frozen'])
  assert.deepEqual([await used(ann, small), await used(ann, large), await used(ben, bens)], [16, 32, 16])
})

test('freeze: a key of another user in a request → its budget does not count, and is not touched', async () => {
  const [ann, eve] = [await user(), await user()]
  const anns = await key(ann, 16)
  assert.deepEqual(await freeze([hold(eve, anns), hold(eve, anns)]), ['frozen', 'frozen'])
  assert.equal(await used(ann, anns), 0)
})

test('freeze: the account has less than the budget → insufficient, which uses nothing of the budget', async () => {
  const ann = await user(20)
  const budgeted = await key(ann, 100)
  assert.deepEqual(await freeze([hold(ann, budgeted), hold(ann, budgeted)]), ['frozen', 'insufficient'])
  assert.equal(await used(ann, budgeted), 16)
})

test('freeze: repeated with the same holds → frozen, and used once', async () => {
  const ann = await user()
  const budgeted = await key(ann, 16)
  const set = [hold(ann, budgeted)]
  assert.deepEqual(
    [await freeze(set), await freeze(set), await freeze([...set, ...set])],
    [['frozen'], ['frozen'], ['frozen', 'frozen']],
  )
  assert.equal(await used(ann, budgeted), 16)
})

test('freeze: a key without a budget → no limit, its usage is counted', async () => {
  const ann = await user()
  const free = await key(ann, null)
  assert.deepEqual(await freeze([hold(ann, free, 400), hold(ann, free, 400)]), ['frozen', 'frozen'])
  assert.equal(await used(ann, free), 800)
})

test('freeze: 24 requests at once on six connections, budget for seven → seven', async () => {
  const ann = await user()
  const budgeted = await key(ann, 7 * 16 + 15)
  const outcomes = await Promise.all(Array.from({ length: 24 }, () => freeze([hold(ann, budgeted)])))
  assert.equal(outcomes.flat().filter((each) => each === 'frozen').length, 7)
  assert.equal(await used(ann, budgeted), 112)
})

test('release, settle: credits of a released hold → spendable again; those of a settled one stay used', async () => {
  const ann = await user()
  const budgeted = await key(ann, 32)
  const set = [hold(ann, budgeted), hold(ann, budgeted)]
  await freeze(set)
  const [released, settled] = [set.slice(0, 1), set.slice(1)]
  await release(released)
  await release(released)
  await creditSettleHolds(sql, settled, WEDNESDAY)
  assert.equal(await used(ann, budgeted), 16)
  assert.deepEqual(await freeze([hold(ann, budgeted), hold(ann, budgeted)]), ['frozen', 'over_budget'])
})

test('release: a hold of the period before → given back to that period, not to the present one', async () => {
  const ann = await user()
  const budgeted = await key(ann, 32)
  const july = [hold(ann, budgeted)]
  await freeze(july)
  const august = at('2030-08-01T00:00:00Z')
  assert.deepEqual(await freeze([hold(ann, budgeted), hold(ann, budgeted)], august), ['frozen', 'frozen'])
  await release(july, august)
  assert.deepEqual(await freeze([hold(ann, budgeted)], august), ['over_budget'])
  assert.deepEqual([await used(ann, budgeted), await used(ann, budgeted, 'month', august)], [0, 32])
})

test('freeze: clock of a process behind midnight and the last movement → checked and counted for the later day', async () => {
  const ann = await user()
  const budgeted = await key(ann, 32, 'day')
  const [evening, morning] = [at('2030-07-31T23:59:59Z'), at('2030-08-01T00:00:01Z')]
  await freeze([hold(ann, budgeted)], morning)
  assert.deepEqual(await freeze([hold(ann, budgeted), hold(ann, budgeted)], evening), ['frozen', 'over_budget'])
  assert.deepEqual([await used(ann, budgeted, 'day', evening), await used(ann, budgeted, 'day', morning)], [0, 32])
})

const boundaries: [Period, string, string, string][] = [
  ['day', '2030-07-31T00:00:00Z', '2030-07-31T23:59:59.999Z', '2030-08-01T00:00:00Z'],
  ['week', '2030-07-29T00:00:00Z', '2030-08-04T23:59:59.999Z', '2030-08-05T00:00:00Z'],
  ['month', '2030-07-01T00:00:00Z', '2030-07-31T23:59:59.999Z', '2030-08-01T00:00:00Z'],
]
for (const [period, first, last, next] of boundaries) {
  test(`period: ${period} → from ${first} on, spent until its last millisecond, anew at ${next}`, async () => {
    const ann = await user()
    const budgeted = await key(ann, 32, period)
    const before = new Date(at(first).getTime() - 1)
    assert.deepEqual(await freeze([hold(ann, budgeted)], before), ['frozen'])
    assert.deepEqual(await freeze([hold(ann, budgeted), hold(ann, budgeted)], at(first)), ['frozen', 'frozen'])
    assert.deepEqual(await freeze([hold(ann, budgeted)], at(last)), ['over_budget'])
    assert.deepEqual(await freeze([hold(ann, budgeted)], at(next)), ['frozen'])
    const [row] = await sql<[{ end: string }]>`
      select kinora.api_key_period_end(p_period => ${period}, p_time => ${at(last)})::text as end
    `
    assert.equal(row.end, next.slice(0, 10))
  })
}

test('generate: set with repeated Idempotency-Keys → each of its two rounds charges the API key budgets of its own requests', async () => {
  const ann = await user()
  const [small, large] = [await key(ann, 16), await key(ann, 160)]
  const request = (keyId: string, idempotencyKey: string) => {
    const { prompt, model, quality, credits, providers, deadlineAt } = newVideo({
      userId: ann,
      videoId: randomUUID(),
      now: WEDNESDAY,
    })
    return {
      ...{
        user_id: ann,
        id: randomUUID(),
        prompt,
        model,
        quality,
        credits,
        providers,
        key_id: keyId,
        key: idempotencyKey,
      },
      ...{
        duration_s: 4,
        aspect_ratio: '16:9',
        mode: 'text-to-video',
        usual_s: 30,
        deadline_at: deadlineAt,
        max_in_progress: 0,
      },
      request_hash: `\\x${'ab'.repeat(32)}`,
    }
  }
  // The second round has the requests 2, 3 and 5: a replay, one that is refused in round 1 and made by another key, and
  // a replay.
  const set = [request(large, 'a'), request(large, 'a'), request(small, 'b'), request(small, 'c'), request(large, 'c')]
  const rows = await generateAll(sql, JSON.stringify(set), WEDNESDAY)
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['created', 'replayed', 'created', 'over_budget', 'created'],
  )
  assert.deepEqual([await used(ann, small), await used(ann, large)], [16, 32])
  const again = await generateAll(sql, JSON.stringify(set), WEDNESDAY)
  assert.deepEqual(
    again.map(({ outcome }) => outcome),
    ['replayed', 'replayed', 'replayed', 'replayed', 'replayed'],
  )
  assert.deepEqual([await used(ann, small), await used(ann, large)], [16, 32])
})

test('generate: batch that the budget of its API key covers in part → none of it; one that it covers → all of it', async () => {
  const ann = await user()
  const keyId = await key(ann, 40)
  const batchOf = (size: number) => {
    const ids = Array.from({ length: size }, () => randomUUID())
    const { prompt, model, quality, credits, providers, deadlineAt } = newVideo({
      userId: ann,
      videoId: randomUUID(),
      now: WEDNESDAY,
    })
    const film = {
      prompt,
      model,
      quality,
      credits,
      providers,
      duration_s: 4,
      aspect_ratio: '16:9',
      mode: 'text-to-video',
      usual_s: 30,
    }
    const batch = ids.map((id) => ({ id, seed: null }))
    const request = { user_id: ann, id: ids[0], key_id: keyId, deadline_at: deadlineAt, max_in_progress: 0 }
    return { ...film, ...request, batch_id: ids[0], batch }
  }
  const rows = await generateAll(sql, JSON.stringify([batchOf(3), batchOf(2), batchOf(2)]), WEDNESDAY)
  assert.deepEqual(
    rows.map(({ outcome, ids }) => [outcome, ids?.length]),
    [
      ['over_budget', 0],
      ['created', 2],
      ['over_budget', 0],
    ],
  )
  assert.equal(await used(ann, keyId), 32)
})

test('settle: less than was frozen → the rest counts for the key no more, the video does', async () => {
  const ann = await user()
  const budgeted = await key(ann, 20)
  const film = hold(ann, budgeted)
  await freeze([film])
  await creditSettleHolds(sql, [{ ...film, credits: 10, graceS: 86_400 }], WEDNESDAY)
  assert.equal(await used(ann, budgeted), 10)
  const [usage] = await sql`select videos from kinora.api_key_usage where key_id = ${budgeted}`
  assert.equal(usage?.videos, 1)
  assert.deepEqual(await freeze([hold(ann, budgeted, 11), hold(ann, budgeted, 10)]), ['over_budget', 'frozen'])
})
