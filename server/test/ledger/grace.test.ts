/**
 * Releasing credits whose package has expired or is about to: grace packages, how long they last, and where their chain
 * ends.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DEADLINE_S_MAX } from '../../src/catalogue/model-file.ts'
import { creditReverseExpiry } from '../../src/credit/correction.ts'
import { COLLECT_WINDOW_MS, FETCH_TIMEOUT_MS } from '../../src/video/collect.ts'
import { LONGEST_DEADLINE_MS } from '../support/ledger/ledger-model.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, openLedger, start } from '../support/ledger/open-ledger.ts'

const { sql, grant, freeze, release, balance } = await openLedger()

const packages = (user: string) => sql`
  select id, parent_id, trans_type, order_no, initial, remaining, frozen, used, expired, moved, expires_at
  from kinora.credit_package where user_id = ${user} order by expires_at, created_at, id
`
test('release: after expiry, frozen an hour before it → a grace package that lasts an hour', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  const parent = await grant(user, 10, later(HOUR_MS), start, { orderNo: 'order-7' })
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

test('release: a film that fails at the end of the longest collecting, REFUND_GRACE of 30 minutes → ten minutes of grace', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 10, later(1000))
  await freeze(user, hold, 10)
  // An hour until the acceptance, an hour until the result, an hour of collecting, and a last download of a quarter of
  // an hour.
  const failedAt = later(2 * DEADLINE_S_MAX * 1000 + COLLECT_WINDOW_MS + FETCH_TIMEOUT_MS)
  await release(user, hold, failedAt, 30 * 60)
  const graceEnd = later(10 * MINUTE_MS, failedAt)
  assert.equal((await balance(user, later(-1, graceEnd))).available, 10)
  assert.equal((await balance(user, graceEnd)).available, 0)
})

test('longest_deadline: deadlines, collecting and the last download of a film → it has a quarter of an hour more', async () => {
  const [row] = await sql`select extract(epoch from kinora.longest_deadline())::integer * 1000 as ms`
  assert.equal(row?.ms, LONGEST_DEADLINE_MS)
  const longestMs = 2 * DEADLINE_S_MAX * 1000 + COLLECT_WINDOW_MS + FETCH_TIMEOUT_MS
  assert.equal(row?.ms, longestMs + 15 * MINUTE_MS)
})

test('release: a chain of grace packages → ends REFUND_GRACE and the longest deadline after the expiry of its first package', async () => {
  const user = randomUUID()
  await grant(user, 10, later(30 * DAY_MS))
  const end = later(31 * DAY_MS + LONGEST_DEADLINE_MS)
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

test('release: an administrator reversed the expiry, and that time ends in between → a grace package for what was left', async () => {
  const user = randomUUID()
  const [first, second] = [randomUUID(), randomUUID()]
  const packageId = await grant(user, 10, later(HOUR_MS))
  const end = later(11 * DAY_MS)
  const { outcome } = await creditReverseExpiry(sql, {
    userId: user,
    packageId,
    expiresAt: end,
    now: later(10 * DAY_MS),
    reason: 'an outage',
    adminId: randomUUID(),
    requestId: null,
    isDryRun: false,
    idempotency: null,
  })
  assert.equal(outcome, 'reversed')
  await freeze(user, first, 10, later(-HOUR_MS, end))
  await release(user, first, later(HOUR_MS, end))
  assert.deepEqual(await balance(user, later(2 * HOUR_MS - 1, end)), { available: 10, frozen: 0, used: 0, total: 10 })
  // The chain ends REFUND_GRACE and the longest deadline after the time that the administrator set.
  await freeze(user, second, 10, later(HOUR_MS, end))
  const latest = later(DAY_MS + LONGEST_DEADLINE_MS, end)
  await release(user, second, later(-MINUTE_MS, latest))
  assert.equal((await balance(user, later(-1, latest))).available, 10)
  assert.deepEqual(await balance(user, latest), { available: 0, frozen: 0, used: 0, total: 10 })
})
