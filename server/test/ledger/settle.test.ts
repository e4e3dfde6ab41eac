/**
 * Settling less than was frozen, in SQL: a film whose price follows its length. The packages that are used first pay;
 * the rest returns as in a release.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditBalance } from '../../src/credit/ledger.ts'
import {
  videoBeginSubmit,
  videoComplete,
  videoGenerate,
  videoReportFailure,
  videoReportResult,
} from '../../src/video/transitions.ts'
import { claimRefund, creditGrant, creditSettleHolds } from '../support/ledger/ledger-calls.ts'
import { DAY_MS, HOUR_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'
import { videoClaim } from '../support/video-calls.ts'
import { newVideo } from '../support/video-row.ts'

const { sql, grant, freeze, settle, release, balance } = await openLedger()

const packages = async (user: string) =>
  (
    await sql`
      select remaining, frozen, used, moved, expired, clawed_back
      from kinora.credit_package where user_id = ${user} order by expires_at, created_at, id
    `
  ).map((row) => Object.values(row))
const rows = async (user: string) =>
  (
    await sql<{ row: string }[]>`
      select concat_ws(' ', trans_type, credits, remark) as row
      from kinora.credit_transaction where user_id = ${user} and n > 1 order by n
    `
  ).map(({ row }) => row)

test('settle: less than was frozen of three packages → the first pay, the rest returns in one row', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  for (const hours of [1, 2, 3]) await grant(user, 5, later(hours * HOUR_MS))
  await freeze(user, hold, 12)
  assert.equal(await settle(user, hold, start, 7), 'settled')
  assert.deepEqual(await packages(user), [
    [0, 0, 5, 0, 0, 0],
    [3, 0, 2, 0, 0, 0],
    [5, 0, 0, 0, 0, 0],
  ])
  assert.deepEqual(await balance(user), { available: 8, frozen: 0, used: 7, total: 15 })
  assert.deepEqual((await rows(user)).slice(-2), ['VIDEO_CONSUME -12', 'REFUND 5'])
})

test('settle: again, with another amount, or released afterwards → settled, nothing changes', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 20, later(DAY_MS))
  await freeze(user, hold, 12)
  const facts = { userId: user, holdId: hold, graceS: 60, remark: null }
  const set = [7, 3, null].map((credits) => ({ ...facts, credits }))
  assert.deepEqual(await creditSettleHolds(sql, set, start), ['settled', 'settled', 'settled'])
  for (const credits of [7, 3, null, 12]) assert.equal(await settle(user, hold, later(1), credits), 'settled')
  assert.equal(await release(user, hold), 'settled')
  assert.deepEqual(await balance(user), { available: 13, frozen: 0, used: 7, total: 20 })
  assert.deepEqual(await rows(user), ['VIDEO_CONSUME -12', 'REFUND 5'])
})

test('settle: as much as was frozen, or more → no row; nothing at all → rejected', async () => {
  const user = randomUUID()
  const holds = [randomUUID(), randomUUID(), randomUUID()] as const
  await grant(user, 20, later(DAY_MS))
  for (const hold of holds) await freeze(user, hold, 4)
  assert.equal(await settle(user, holds[0], start, 4), 'settled')
  assert.equal(await settle(user, holds[1], start, 5), 'settled')
  await assert.rejects(settle(user, holds[2], start, 0), /hold_rest_is_a_part/)
  assert.deepEqual(await balance(user), { available: 8, frozen: 4, used: 8, total: 20 })
  assert.equal((await rows(user)).length, 3)
})

test('settle: the package has expired meanwhile → the rest in a grace package, for the time that was left', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, hold, 10)
  await settle(user, hold, later(HOUR_MS), 4)
  assert.deepEqual(await packages(user), [
    [0, 0, 4, 6, 0, 0],
    [6, 0, 0, 0, 0, 0],
  ])
  assert.equal((await balance(user, later(2 * HOUR_MS - 1))).available, 6)
  assert.equal((await balance(user, later(2 * HOUR_MS))).available, 0)
})

test('settle: the payment was returned meanwhile → the rest pays what is owed', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  const facts = { source: 'order', transType: 'ORDER_PAY', orderNo: 'order-1', remark: null }
  const expiresAt = later(DAY_MS)
  await creditGrant(sql, { userId: user, packageId: randomUUID(), ...facts, credits: 100, expiresAt, now: start })
  await freeze(user, hold, 60)
  await claimRefund(sql, { userId: user, source: 'order', key: 'refund', part: 0.9, now: start })
  await settle(user, hold, start, 20)
  // 90 are asked back: 40 were there, and of the 40 that came back.
  assert.deepEqual(await packages(user), [[0, 0, 20, 0, 0, 80]])
  assert.equal((await creditBalance(sql, { userId: user, now: start })).owed, 10)
  assert.deepEqual((await rows(user)).slice(-2), ['REFUND 40', 'ORDER_PAY -40 Payment returned'])
})

test('cost: by length → the seconds that were begun, at least a credit, at most what was frozen', async () => {
  const costOf = async (rate: number | null, durationS: number | null) => {
    const [row] = await sql`
      select kinora.video_cost(p_credits => 16, p_second_rate => ${rate}, p_film_duration_s => ${durationS}) as cost
    `
    return Number(row?.cost)
  }
  const cases = [
    [null, 3, 16],
    [2.5, 3.2, 10],
    [2.5, 4, 10],
    // Its last frame, as of inputs: a film of 4.05 s is one of 4.
    [2.5, 4.05, 10],
    [2.5, 4.2, 13],
    [2.5, 0.05, 3],
    // 3.0000000000000004
    [(0.1 + 0.2) * 10, 4, 12],
    [0.1, 11, 2],
    [0.01, 1, 1],
    [100, 1, 16],
    [2.5, null, 16],
  ] as const
  for (const [rate, durationS, cost] of cases) assert.equal(await costOf(rate, durationS), cost, `${rate} ${durationS}`)
})

/** An UPLOADING video of 16 credits at 2.5 a second, under a lease. */
async function uploading(user: string) {
  const lease = randomUUID()
  const video = { userId: user, videoId: randomUUID(), lease, now: start }
  await videoGenerate(sql, newVideo({ ...video, secondRate: 2.5 }))
  const claim = () =>
    videoClaim(sql, { videos: [{ userId: user, id: video.videoId }], lease, leaseUntil: later(60_000), now: start })
  await claim()
  await videoBeginSubmit(sql, video)
  await videoReportResult(sql, { ...video, provider: 'provider-a', taskId: 't', url: 'https://films.example/1' })
  await claim()
  return video
}
const film = { videoKey: 'k', thumbnailKey: 't', sizeBytes: 1, durationS: 3.2, width: 1280, height: 720, graceS: 60 }

test('complete: 3.2 s at 2.5 credits a second of 16 → 10 settled, 6 back with the reason; again → the same, once', async () => {
  const user = randomUUID()
  await grant(user, 20, later(DAY_MS))
  const video = await uploading(user)
  for (let n = 0; n < 2; n += 1) assert.equal(await videoComplete(sql, { ...video, ...film }), 'completed')
  assert.deepEqual(await balance(user), { available: 10, frozen: 0, used: 10, total: 20 })
  assert.deepEqual((await rows(user)).slice(1), ['REFUND 6 Film of 4 s costs 10'])
  const [row] = await sql`select status, credits from kinora.video where id = ${video.videoId}`
  assert.deepEqual({ ...row }, { status: 'COMPLETED', credits: 10 })
})

test('complete: a second result and a failure are reported afterwards, or the lease is lost → nothing more moves', async () => {
  const user = randomUUID()
  await grant(user, 32, later(DAY_MS))
  const [first, second] = [await uploading(user), await uploading(user)]
  await videoComplete(sql, { ...first, ...film })
  const report = { ...first, provider: 'provider-a', taskId: 't' }
  assert.equal(await videoReportResult(sql, { ...report, url: 'https://films.example/2' }), 'final')
  const failure = { code: 'PROVIDER_ERROR', message: 'late' } as const
  assert.equal(await videoReportFailure(sql, { ...report, failure, graceS: 60 }), 'final')
  assert.equal(await videoComplete(sql, { ...second, ...film, lease: randomUUID(), videoKey: 'other' }), 'stale')
  assert.deepEqual(await balance(user), { available: 6, frozen: 16, used: 10, total: 32 })
})
