/**
 * Releasing credits whose package has expired or is about to: grace packages, how long they last, and where their chain ends.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { creditBalance, creditFreeze, creditGrant, creditRelease } from '../src/credit/ledger.ts'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { addVideosToHolds } from './ledger-fixture.ts'

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
