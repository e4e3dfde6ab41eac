/**
 * Edge cases of the ledger's SQL functions, called directly: the exact moment of expiry, grace packages, invalid arguments
 * and idempotency. ledger-model.test.ts covers random sequences of calls.
 * One file although it is long: the edges share one fixture of packages and clock.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { creditBalance, creditFreeze, creditGrant, creditRelease, creditSettle } from '../src/credit/ledger.ts'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { videoComplete, videoFail, videoGenerate } from '../src/video/transitions.ts'
import { createDatabase } from './database.ts'
import { addVideosToHolds } from './ledger-fixture.ts'
import { newVideo } from './video-row.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 2, name: 'kinora ledger test' })
afterEach(async () => assert.deepEqual(await verify({ sql }), [], 'the ledger must be consistent after every test'))
after(async () => {
  await sql.end()
  await database.drop()
})
await addVideosToHolds(sql)

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const start = new Date('2030-01-01T00:00:00Z')
const later = (ms: number, from = start) => new Date(from.getTime() + ms)

type User = string
const grant = async (user: User, credits: number, expiresAt: Date, now = start, orderNo: string | null = null) => {
  const packageId = randomUUID()
  const facts = { source: `test:${packageId}`, transType: 'ORDER_PAY', orderNo, remark: null }
  await creditGrant(sql, { userId: user, packageId, ...facts, credits, expiresAt, now })
  return packageId
}
const freeze = async (user: User, holdId: string, credits: number, now = start) => ({
  ...(await creditFreeze(sql, { userId: user, holdId, credits, now, remark: null })),
})
const settle = (user: User, holdId: string, now = start) => creditSettle(sql, { userId: user, holdId, now })
const release = (user: User, holdId: string, now = start, graceS = DAY_MS / 1000) =>
  creditRelease(sql, { userId: user, holdId, now, graceS, remark: null })
const balance = async (user: User, now = start) => {
  const { available, frozen, used, total } = await creditBalance(sql, { userId: user, now })
  return { available, frozen, used, total }
}
const packages = (user: User) => sql`
  select id, parent_id, trans_type, order_no, initial, remaining, frozen, used, expired, moved, expires_at
  from kinora.credit_package where user_id = ${user} order by expires_at, created_at, id
`
/** A snapshot of all rows of a user, to assert that a call changed nothing. */
const snapshotOf = async (user: User) =>
  JSON.stringify(
    await Promise.all(
      ['credit_account', 'credit_package', 'credit_hold', 'credit_slice', 'credit_transaction', 'video'].map(
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

test('release: after expiry, frozen an hour before it → a grace package that lasts an hour', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  const parent = await grant(user, 10, later(HOUR_MS), start, 'order-7')
  await freeze(user, hold, 10)
  assert.equal(await release(user, hold, later(HOUR_MS)), 'released')
  const [old, grace] = await packages(user)
  assert.deepEqual([old?.remaining, old?.moved, old?.expired], [0, 10, 0])
  assert.deepEqual(
    [grace?.parentId, grace?.transType, grace?.orderNo, grace?.initial, grace?.expiresAt],
    [parent, 'REFUND', 'order-7', 10, later(2 * HOUR_MS)],
  )
  assert.equal((await balance(user, later(2 * HOUR_MS - 1))).available, 10)
  assert.equal((await balance(user, later(2 * HOUR_MS))).available, 0)
})

test('release: a millisecond before expiry → back into the package, which then expires', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, hold, 10)
  await release(user, hold, later(HOUR_MS - 1))
  assert.equal((await packages(user)).length, 1)
  assert.deepEqual(await balance(user, later(HOUR_MS)), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('release: one of three packages has expired → its part alone moves to a grace package, one history row', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 5, later(HOUR_MS))
  await grant(user, 5, later(2 * HOUR_MS))
  await grant(user, 5, later(3 * HOUR_MS))
  await freeze(user, hold, 12)
  await release(user, hold, later(90 * 60_000))
  const rows = (await packages(user)).map((each) => [each.transType, each.remaining, each.moved])
  assert.deepEqual(rows, [
    ['ORDER_PAY', 0, 5],
    ['ORDER_PAY', 5, 0],
    ['REFUND', 5, 0],
    ['ORDER_PAY', 5, 0],
  ])
  const [last] = await sql`
    select trans_type, credits, balance_after from kinora.credit_transaction where user_id = ${user} order by n desc limit 1
  `
  assert.deepEqual({ ...last }, { transType: 'REFUND', credits: 12, balanceAfter: 15 })
})

test('release: into an expired grace package → a second one for the time that was left, counted once in total', async () => {
  const user = randomUUID()
  const [first, second] = [randomUUID(), randomUUID()]
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, first, 10)
  await release(user, first, later(1.5 * HOUR_MS))
  // The grace package lasts until 2.5 hours; 15 minutes are left.
  await freeze(user, second, 6, later(2.25 * HOUR_MS))
  await release(user, second, later(2.75 * HOUR_MS))
  assert.deepEqual(await balance(user, later(2.75 * HOUR_MS)), { available: 6, frozen: 0, used: 0, total: 10 })
  assert.equal((await balance(user, later(3 * HOUR_MS - 1))).available, 6)
  assert.deepEqual(await balance(user, later(3 * HOUR_MS)), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('release: frozen a second before expiry → ten minutes, and from the grace package the second that was left', async () => {
  const user = randomUUID()
  const [first, second] = [randomUUID(), randomUUID()]
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, first, 10, later(HOUR_MS - 1000))
  const released = later(HOUR_MS + 5 * MINUTE_MS)
  await release(user, first, released)
  const graceEnd = later(10 * MINUTE_MS, released)
  assert.equal((await packages(user))[1]?.expiresAt.getTime(), graceEnd.getTime())
  await freeze(user, second, 10, later(-1000, graceEnd))
  await release(user, second, later(MINUTE_MS, graceEnd))
  assert.equal((await packages(user))[2]?.expiresAt.getTime(), later(MINUTE_MS + 1000, graceEnd).getTime())
})

test('release: frozen long before expiry → at most REFUND_GRACE', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 10, later(30 * DAY_MS))
  await freeze(user, hold, 10)
  await release(user, hold, later(30 * DAY_MS))
  assert.equal((await packages(user))[1]?.expiresAt.getTime(), later(31 * DAY_MS).getTime())
})

test('release: REFUND_GRACE below ten minutes → REFUND_GRACE', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, hold, 10, later(HOUR_MS - 1000))
  await release(user, hold, later(HOUR_MS), 60)
  assert.equal((await packages(user))[1]?.expiresAt.getTime(), later(HOUR_MS + MINUTE_MS).getTime())
})

test('release: a chain of grace packages → ends REFUND_GRACE and two hours after the expiry of its first package', async () => {
  const user = randomUUID()
  await grant(user, 10, later(30 * DAY_MS))
  const end = later(31 * DAY_MS + 2 * HOUR_MS)
  const [first, second] = [randomUUID(), randomUUID()]
  await freeze(user, first, 4)
  await freeze(user, second, 6)
  await release(user, first, later(31 * DAY_MS + HOUR_MS))
  assert.equal((await packages(user))[1]?.expiresAt.getTime(), end.getTime())
  await release(user, second, end)
  const rows = await sql<{ transType: string; credits: number; balanceAfter: number }[]>`
    select trans_type, credits, balance_after from kinora.credit_transaction where user_id = ${user} order by n
  `
  assert.deepEqual(
    rows.slice(3).map((row) => Object.values(row)),
    [
      ['REFUND', 4, 4],
      ['EXPIRED', -4, 0],
      ['REFUND', 6, 6],
      ['EXPIRED', -6, 0],
    ],
    'released after the end of its grace, a hold is refunded and expires at once',
  )
  assert.deepEqual(await balance(user, end), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('freeze: a million open holds and no cap on them → too_many', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await sql`update kinora.credit_account set open_holds = 1000000 where user_id = ${user}`
  assert.deepEqual(await freeze(user, randomUUID(), 1), { outcome: 'too_many', available: 10 })
  await sql`update kinora.credit_account set open_holds = 0 where user_id = ${user}`
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
  await sql`select from kinora.credit_lock(${user}, null)`.catch(() => {})
  await sql`select kinora.credit_settle(${user}, ${randomUUID()}, null)`.catch(() => {})
  await sql`select kinora.credit_release(${user}, ${randomUUID()}, null, '1 day', null)`.catch(() => {})
  await sql`select * from kinora.credit_balance(${user}, null)`.catch(() => {})
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
  const refused: [RegExp, () => Promise<unknown>][] = [
    [/package_initial_positive/, () => grant(user, 0, later(HOUR_MS))],
    [/package_initial_positive/, () => grant(user, -1, later(HOUR_MS))],
    [/out of range/, () => grant(user, max, later(HOUR_MS))],
    [/hold_credits_positive/, () => freeze(user, randomUUID(), 0)],
    [/hold_credits_positive/, () => freeze(user, randomUUID(), -5)],
    [/p_grace is null/, () => release(user, hold, later(HOUR_MS), null as never)],
    [
      /null value in column "credits"/,
      () => sql`select kinora.credit_freeze(${user}, ${randomUUID()}, null, ${start}, null)`,
    ],
    [
      /package_type_known/,
      () => sql`
        select kinora.credit_grant(${user}, ${randomUUID()}, 'x', 'EXPIRED', 1, ${later(HOUR_MS)}, ${start}, null, null)
      `,
    ],
    [
      /null value in column "source"/,
      () => sql`
        select kinora.credit_grant(${user}, ${randomUUID()}, null, 'ORDER_PAY', 1, ${later(HOUR_MS)}, ${start}, null, null)
      `,
    ],
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
    const film = { videoKey: 'k', thumbnailKey: 't', sizeBytes: 1, durationS: 1, width: 1, height: 1 }
    await assert.rejects(
      async () =>
        end === 'completed'
          ? await videoComplete(sql, { ...video, ...film })
          : await videoFail(sql, { ...video, errorCode: 'E', error: 'error', graceS: DAY_MS / 1000 }),
      /credits of video/,
    )
    await sql`delete from kinora.video where id = ${id}`
  }
})
