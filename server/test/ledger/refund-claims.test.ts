/** Refund claims in SQL: what is released later settles what is owed, and a reversal gives back what a claim took. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditTake } from '../../src/credit/correction.ts'
import { creditBalance, creditLock } from '../../src/credit/ledger.ts'
import { claimRefund, creditGrant, creditReleaseHolds, reverseClaim } from '../support/ledger/ledger-calls.ts'
import { DAY_MS, HOUR_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'

const { sql, settle, release, freeze: freezeHold } = await openLedger()
const expiry = later(30 * DAY_MS)

/** A user who has bought 960 credits; the source is 'order'. */
async function buyer(): Promise<string> {
  const userId = randomUUID()
  const facts = { source: 'order', transType: 'ORDER_PAY', orderNo: 'order-1', remark: null }
  await creditGrant(sql, { userId, packageId: randomUUID(), ...facts, credits: 960, expiresAt: expiry, now: start })
  return userId
}
const freeze = async (userId: string, credits: number, now = start) => {
  const holdId = randomUUID()
  assert.equal((await freezeHold(userId, holdId, credits, now)).outcome, 'frozen')
  return holdId
}
const claim = (userId: string, key: string, part: number, now = start) =>
  claimRefund(sql, { userId, source: 'order', key, part, now })
const reverse = (userId: string, key: string, now = start) => reverseClaim(sql, { userId, source: 'order', key, now })
const available = async (userId: string, now = start) => (await creditBalance(sql, { userId, now })).available
const owed = async (userId: string) =>
  (await sql<[{ owed: number }]>`select kinora.credit_owed(${userId}) as owed`)[0].owed
const moves = async (userId: string) =>
  (
    await sql<{ move: string }[]>`
      select concat_ws(' ', trans_type, credits, order_no) as move
      from kinora.credit_transaction where user_id = ${userId} order by n
    `
  ).map(({ move }) => move)

test('release: everything was frozen when a dispute claimed it → all is taken, none becomes available', async () => {
  const user = await buyer()
  const holds = [await freeze(user, 500), await freeze(user, 460)]
  await claim(user, 'dispute', 1)
  assert.equal(await owed(user), 960)
  for (const hold of holds) await release(user, hold)
  assert.equal(await available(user), 0)
  assert.equal(await owed(user), 0)
  assert.deepEqual((await moves(user)).slice(3), [
    'REFUND 500',
    'ORDER_PAY -500 order-1',
    'REFUND 460',
    'ORDER_PAY -460 order-1',
  ])
})

test('refund claim: of a plan change alone → "Plan changed" in the history, with a refund beside it "Payment returned"', async () => {
  const user = await buyer()
  const hold = await freeze(user, 900)
  await claim(user, 'plan change', 0.5)
  await release(user, hold)
  await claim(user, 'refund', 0.25)
  const rows = await sql<{ credits: number; remark: string }[]>`
    select credits, remark from kinora.credit_transaction
    where user_id = ${user} and trans_type = 'ORDER_PAY' and credits < 0
    order by n
  `
  assert.deepEqual(
    rows.map(({ credits, remark }) => `${credits} ${remark}`),
    ['-60 Plan changed', '-420 Plan changed', '-240 Payment returned'],
  )
})

test('release: two holds in a set, one of them from two grace packages → the claim takes from the first hold first', async () => {
  const user = await buyer()
  const [early, late] = [await freeze(user, 100), await freeze(user, 860)]
  // Two grace packages of the purchase: of 100 credits for a day, and of 860 for half a day more.
  const after = new Date(expiry.getTime() + 1)
  await release(user, early, after, DAY_MS / 1000)
  await release(user, late, later(DAY_MS / 2, after), DAY_MS / 1000)
  const now = later(DAY_MS / 2, after)
  const first = await freeze(user, 300, now)
  const second = await freeze(user, 660, now)
  await claim(user, 'refund', 0.25, now)
  const released = [first, second].map((holdId) => ({ userId: user, holdId, graceS: 60, remark: null }))
  assert.deepEqual(await creditReleaseHolds(sql, released, now), ['released', 'released'])
  assert.deepEqual((await moves(user)).slice(-4), [
    'REFUND 300',
    'ORDER_PAY -100 order-1',
    'ORDER_PAY -140 order-1',
    'REFUND 660',
  ])
})

test('release: half was claimed → the claim is met first, the rest becomes available', async () => {
  const user = await buyer()
  const [first, second] = [await freeze(user, 500), await freeze(user, 460)]
  await claim(user, 'refund', 0.5)
  await release(user, second)
  assert.deepEqual([await available(user), await owed(user)], [0, 20])
  await release(user, first)
  assert.deepEqual([await available(user), await owed(user)], [480, 0])
})

test('release: the other holds were settled → used credits stay used, what the claim did not get is owed', async () => {
  const user = await buyer()
  const [first, second] = [await freeze(user, 500), await freeze(user, 300)]
  await claim(user, 'dispute', 1)
  await settle(user, first)
  await release(user, second)
  assert.deepEqual([await available(user), await owed(user)], [0, 500])
  const [{ packages }] = await sql<[{ packages: number }]>`
    select count(*) as packages from kinora.credit_owed_packages(${user}) where owed = 500
  `
  assert.equal(packages, 1, 'readable per package')
})

test('refund claim: the credits expired unused → nothing is owed; a part of them was used → that part', async () => {
  const [user, other] = [await buyer(), await buyer()]
  await settle(other, await freeze(other, 100))
  for (const userId of [user, other]) {
    await creditLock(sql, { userId, now: expiry })
    await claim(userId, 'refund', 1, expiry)
  }
  assert.deepEqual([await owed(user), await owed(other)], [0, 100])
})

test('release: after the expiry of a claimed package → taken, no grace package remains for it', async () => {
  const user = await buyer()
  const hold = await freeze(user, 960)
  await claim(user, 'dispute', 1, expiry)
  await release(user, hold, later(30 * DAY_MS + HOUR_MS))
  assert.equal(await available(user, later(30 * DAY_MS + HOUR_MS)), 0)
  assert.equal(await owed(user), 0)
})

test('release: from a grace package of a grace package, claimed meanwhile → taken first, in part', async () => {
  const user = await buyer()
  const first = await freeze(user, 960)
  await release(user, first, later(30 * DAY_MS + HOUR_MS))
  const second = await freeze(user, 700, later(30 * DAY_MS + 24 * HOUR_MS))
  await release(user, second, later(31 * DAY_MS + 1.5 * HOUR_MS))
  const now = later(31 * DAY_MS + 1.75 * HOUR_MS)
  assert.equal(await available(user, now), 700)
  const third = await freeze(user, 700, now)
  await claim(user, 'dispute', 0.5, now)
  assert.equal(await owed(user), 480)
  await release(user, third, now)
  assert.equal(await available(user, now), 220)
})

test('reversed refund claim: a dispute won → what it took is available again; repeated → nothing more', async () => {
  const user = await buyer()
  await claim(user, 'dispute', 1)
  assert.equal(await available(user), 0)
  assert.equal(await reverse(user, 'dispute'), 960)
  assert.equal(await reverse(user, 'dispute'), 0)
  assert.deepEqual((await moves(user)).slice(1), ['ORDER_PAY -960 order-1', 'ORDER_PAY 960 order-1'])
  await claim(user, 'dispute', 1)
  assert.equal(await available(user), 0, 'lost after all')
})

test('reversed refund claim: beside a refund of half, in any order of the three → half stays taken', async () => {
  const steps = [
    (user: string) => claim(user, 'refund', 0.5),
    (user: string) => claim(user, 'dispute', 1),
    (user: string) => reverse(user, 'dispute'),
  ]
  for (const order of ['012', '102', '120']) {
    const user = await buyer()
    for (const n of order) await steps[Number(n)]?.(user)
    assert.equal(await available(user), 480, order)
  }
})

test('reversed refund claim: the dispute got a part only → exactly that part, and nothing is owed any more', async () => {
  const user = await buyer()
  const hold = await freeze(user, 700)
  await claim(user, 'dispute', 1)
  assert.equal(await reverse(user, 'dispute'), 260)
  assert.equal(await owed(user), 0)
  await release(user, hold)
  assert.equal(await available(user), 960)
})

test('reversed refund claim: the package has expired meanwhile → given back and written off, in two rows', async () => {
  const user = await buyer()
  await claim(user, 'dispute', 1)
  assert.equal(await reverse(user, 'dispute', expiry), 960)
  assert.equal(await available(user, expiry), 0)
  assert.deepEqual((await moves(user)).slice(2), ['ORDER_PAY 960 order-1', 'EXPIRED -960 order-1'])
})

test('reversed refund claim: taken from a package and its grace package → back where it was taken, the later expiry first', async () => {
  const user = await buyer()
  const hold = await freeze(user, 300)
  await claim(user, 'refund', 0.25)
  await release(user, hold, expiry)
  const now = later(30 * DAY_MS + HOUR_MS)
  await claim(user, 'dispute', 1, now)
  assert.equal(await available(user, now), 0)
  assert.equal(await reverse(user, 'dispute', now), 300)
  assert.equal(await available(user, now), 300, 'the grace package still lives')
})

test('reversed refund claim: an administrator took some of the same package → that stays taken', async () => {
  const user = await buyer()
  const hold = await freeze(user, 300)
  await claim(user, 'dispute', 0.5)
  await release(user, hold, expiry)
  await creditTake(sql, {
    userId: user,
    credits: 100,
    reason: 'by mistake',
    adminId: randomUUID(),
    requestId: null,
    isDryRun: false,
    idempotency: null,
    now: expiry,
  })
  await claim(user, 'refund', 0.1, expiry)
  assert.equal(await available(user, expiry), 104)
  assert.equal(await reverse(user, 'dispute', expiry), 480)
  assert.equal(
    await available(user, expiry),
    200,
    '96 are back in the grace package; the others belonged to the expired one',
  )
})
