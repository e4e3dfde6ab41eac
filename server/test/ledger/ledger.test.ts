/**
 * Edge cases of the ledger's SQL functions, called directly: the exact moment of expiry, invalid arguments and
 * idempotency. grace.test.ts has the grace packages. model.test.ts covers random sequences of calls.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditBalance, creditLock } from '../../src/credit/ledger.ts'
import { videoComplete, videoFail, videoGenerate } from '../../src/video/transitions.ts'
import { creditGrant, creditRelease, creditSettle } from '../support/ledger/ledger-calls.ts'
import { DAY_MS, HOUR_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'
import { newVideo } from '../support/video-row.ts'

const { sql, grant, freeze, settle, release, balance } = await openLedger()

/** A snapshot of all rows of a user, to assert that a call changed nothing. */
const snapshotOf = async (user: string) =>
  JSON.stringify(
    await Promise.all(
      ['credit_account', 'credit_package', 'credit_hold', 'credit_transaction', 'video'].map(
        (table) => sql`select * from kinora.${sql(table)} t where user_id = ${user} order by t::text`,
      ),
    ),
  )

test('freeze: a millisecond before the package expires → frozen, at the moment of expiry → insufficient', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  const before = randomUUID()
  assert.deepEqual(await freeze(user, before, 4, later(HOUR_MS - 1)), { outcome: 'frozen', available: 6 })
  assert.deepEqual(await freeze(user, randomUUID(), 1, later(HOUR_MS)), { outcome: 'insufficient', available: 0 })
  assert.deepEqual(await balance(user, later(HOUR_MS)), { available: 0, frozen: 4, used: 0, total: 10 })
})

test('freeze: more small packages than are read at first → all that it needs, FIFO', async () => {
  const user = randomUUID()
  for (let day = 1; day <= 20; day += 1) await grant(user, 2, later(day * DAY_MS))
  assert.deepEqual(await freeze(user, randomUUID(), 39), { outcome: 'frozen', available: 1 })
})

test('freeze: the millionth open hold, without a cap on them → frozen; the next one → too_many', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await sql`update kinora.credit_account set open_holds = 999999 where user_id = ${user}`
  assert.deepEqual(await freeze(user, randomUUID(), 1), { outcome: 'frozen', available: 9 })
  assert.deepEqual(await freeze(user, randomUUID(), 1), { outcome: 'too_many', available: 9 })
  await sql`update kinora.credit_account set open_holds = 1 where user_id = ${user}`
})

test('grant: already expired → counted in total and in the history, never usable', async () => {
  const user = randomUUID()
  await grant(user, 10, later(-HOUR_MS))
  assert.deepEqual(await freeze(user, randomUUID(), 1), { outcome: 'insufficient', available: 0 })
  assert.deepEqual(await balance(user), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('clock: it jumps back → expired credits stay expired, the others stay usable', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await grant(user, 10, later(DAY_MS))
  assert.equal((await balance(user, later(2 * HOUR_MS))).available, 10)
  assert.deepEqual(await freeze(user, randomUUID(), 11, later(-DAY_MS)), { outcome: 'insufficient', available: 10 })
  assert.deepEqual(await freeze(user, randomUUID(), 10, later(-DAY_MS)), { outcome: 'frozen', available: 0 })
})

test('clock: a call with null as its time → no change, the next expiry is not missed', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  const before = await snapshotOf(user)
  const never = null as never
  await creditLock(sql, { userId: user, now: never }).catch(() => {})
  const hold = randomUUID()
  await creditSettle(sql, { userId: user, holdId: hold, now: never }).catch(() => {})
  await creditRelease(sql, { userId: user, holdId: hold, graceS: 86_400, remark: null, now: never }).catch(() => {})
  await creditBalance(sql, { userId: user, now: never }).catch(() => {})
  assert.equal(await snapshotOf(user), before)
  assert.equal((await balance(user, later(HOUR_MS))).available, 0)
})

test('grant, freeze, release: invalid amount, type or null → rejected, no change', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  const hold = randomUUID()
  await freeze(user, hold, 5)
  const before = await snapshotOf(user)
  const max = '9223372036854775807' as never
  const facts = { credits: 1, expiresAt: later(HOUR_MS), now: start, orderNo: null, remark: null }
  const newGrant = () => ({ userId: user, packageId: randomUUID(), source: 'x', transType: 'ORDER_PAY', ...facts })
  const refused: [RegExp, () => Promise<unknown>][] = [
    [/package_initial_positive/, () => grant(user, 0, later(HOUR_MS))],
    [/package_initial_positive/, () => grant(user, -1, later(HOUR_MS))],
    [/out of range/, () => grant(user, max, later(HOUR_MS))],
    [/hold_credits_positive/, () => freeze(user, randomUUID(), 0)],
    [/hold_credits_positive/, () => freeze(user, randomUUID(), -5)],
    [/a grace is null/, () => release(user, hold, later(HOUR_MS), null as never)],
    [/null value in column "credits"/, () => freeze(user, randomUUID(), null as never)],
    [/package_type_known/, () => creditGrant(sql, { ...newGrant(), transType: 'EXPIRED' })],
    [/null value in column "source"/, () => creditGrant(sql, { ...newGrant(), source: null as never })],
  ]
  // All but the null grace period run at a time when no package expires, so that only the call could change rows.
  for (const [reason, call] of refused) await assert.rejects(async () => await call(), reason)
  assert.deepEqual(await freeze(user, randomUUID(), max), { outcome: 'insufficient', available: 5 })
  assert.equal(await snapshotOf(user), before)
})

test('idempotency: every movement repeated → same result, no change', async () => {
  const user = randomUUID()
  const [kept, settled, released] = [randomUUID(), randomUUID(), randomUUID()]
  const id = randomUUID()
  const calls: (() => Promise<unknown>)[] = [
    () =>
      creditGrant(sql, {
        userId: user,
        packageId: id,
        source: 'order:1',
        transType: 'ORDER_PAY',
        credits: 50,
        expiresAt: later(DAY_MS),
        now: start,
        orderNo: 'order-1',
        remark: null,
      }),
    async () => (await freeze(user, kept, 10)).outcome,
    async () => (await freeze(user, settled, 10)).outcome,
    async () => (await freeze(user, released, 10)).outcome,
    () => settle(user, settled),
    () => release(user, released),
  ]
  const results = []
  for (const call of calls) results.push(await call())
  const before = await snapshotOf(user)
  for (const [index, call] of calls.entries()) assert.deepEqual(await call(), results[index])
  assert.equal(await release(user, settled), 'settled', 'the first movement of the hold wins')
  assert.equal(await settle(user, released), 'released', 'the first movement of the hold wins')
  assert.equal(await snapshotOf(user), before)
})

test('video_generate: same id and arguments again, at the in-progress limit → replayed, no change', async () => {
  const user = randomUUID()
  await grant(user, 50, later(DAY_MS))
  const id = randomUUID()
  const generate = () => videoGenerate(sql, newVideo({ userId: user, videoId: id, now: start, maxInProgress: 1 }))
  const first = await generate()
  assert.equal(first.outcome, 'created')
  const before = await snapshotOf(user)
  const { available: _, ...facts } = { available: 0, ...first }
  const { available: __, ...again } = { available: 0, ...(await generate()) }
  assert.deepEqual(again, { ...facts, outcome: 'replayed' })
  assert.equal(await snapshotOf(user), before)
})

test('video_complete, video_fail: the video has no hold → rejected', async () => {
  const user = randomUUID()
  await grant(user, 50, later(DAY_MS))
  for (const end of ['completed', 'failed']) {
    const id = randomUUID()
    const lease = randomUUID()
    await sql`
      insert into kinora.video (user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers,
        usual_s, created_at, updated_at, due_at, deadline_at, lease_id, submitted_at)
      values (${user}, ${id}, 'UPLOADING', 'p', 'delta-1-5', 4, '16:9', '720p', 16, array['provider-a'], 30, ${start},
        ${start}, ${start}, ${start}, ${lease}, ${start})
    `
    const video = { userId: user, videoId: id, lease, now: start }
    const film = { videoKey: 'k', thumbnailKey: 't', sizeBytes: 1, durationS: 1, width: 1, height: 1, graceS: 86_400 }
    await assert.rejects(
      async () =>
        end === 'completed'
          ? await videoComplete(sql, { ...video, ...film })
          : await videoFail(sql, {
              ...video,
              failure: { code: 'PROVIDER_ERROR', message: 'error' },
              graceS: DAY_MS / 1000,
            }),
      /credits of video/,
    )
    await sql`delete from kinora.video where id = ${id}`
  }
})
