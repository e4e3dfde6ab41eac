/**
 * The ledger's corners, one by one, straight on its functions: the exact moment of expiry, grace, limits, missing
 * arguments, and that nothing happens twice. What chance finds is in ledger-model.test.ts.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 2, name: 'kinora ledger test' })
afterEach(async () => assert.deepEqual(await verify({ sql }), [], 'the books must be right after every test'))
after(async () => {
  await sql.end()
  await database.drop()
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const start = new Date('2030-01-01T00:00:00Z')
const later = (ms: number, from = start) => new Date(from.getTime() + ms)

type User = string
const grant = async (
  user: User,
  credits: number | string,
  expiresAt: Date,
  now = start,
  orderNo: string | null = null,
) => {
  const id = randomUUID()
  await sql`
    select from kinora.credit_grant(${user}, ${id}, ${`test:${id}`}, 'ORDER_PAY', ${credits}, ${expiresAt}, ${now},
      ${orderNo}, null)
  `
  return id
}
const freeze = async (user: User, hold: string, credits: number | string, now = start) => ({
  ...(await sql`select * from kinora.credit_freeze(${user}, ${hold}, ${credits}, ${now}, null)`)[0],
})
const settle = async (user: User, hold: string, now = start) =>
  (await sql`select kinora.credit_settle(${user}, ${hold}, ${now}) as state`)[0]?.state
const release = async (user: User, hold: string, now = start, grace = '24 hours') =>
  (await sql`select kinora.credit_release(${user}, ${hold}, ${now}, ${grace}::interval, null) as state`)[0]?.state
const balance = async (user: User, now = start) => ({
  ...(await sql`select available, frozen, used, total from kinora.credit_balance(${user}, ${now})`)[0],
})
const packages = (user: User) => sql`
  select id, parent_id, trans_type, order_no, initial, remaining, frozen, used, expired, moved, expires_at
  from kinora.credit_package where user_id = ${user} order by expires_at, created_at, id
`
/** Everything there is about a user, to see that a call changed nothing. */
const everything = async (user: User) =>
  JSON.stringify(
    await Promise.all(
      ['credit_account', 'credit_package', 'credit_hold', 'credit_slice', 'credit_transaction', 'video'].map(
        (table) => sql`select * from kinora.${sql(table)} t where user_id = ${user} order by t::text`,
      ),
    ),
  )

test('a credit is good until the last millisecond, and gone at the moment of expiry', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  const before = randomUUID()
  assert.deepEqual(await freeze(user, before, 4, later(HOUR_MS - 1)), { outcome: 'frozen', available: 6 })
  assert.deepEqual(await freeze(user, randomUUID(), 1, later(HOUR_MS)), { outcome: 'insufficient', available: 0 })
  assert.deepEqual(await balance(user, later(HOUR_MS)), { available: 0, frozen: 4, used: 0, total: 10 })
})

test('released at the very moment of expiry: a package of grace, good for its time and no longer', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  const parent = await grant(user, 10, later(HOUR_MS), start, 'order-7')
  await freeze(user, hold, 10)
  assert.equal(await release(user, hold, later(HOUR_MS)), 'released')
  const [old, grace] = await packages(user)
  assert.deepEqual([old?.remaining, old?.moved, old?.expired], [0, 10, 0])
  assert.deepEqual(
    [grace?.parentId, grace?.transType, grace?.orderNo, grace?.initial, grace?.expiresAt],
    [parent, 'REFUND', 'order-7', 10, later(HOUR_MS + DAY_MS)],
  )
  assert.equal((await balance(user, later(HOUR_MS + DAY_MS - 1))).available, 10)
  assert.equal((await balance(user, later(HOUR_MS + DAY_MS))).available, 0)
})

test('released a millisecond before expiry: back into the package, which then expires', async () => {
  const user = randomUUID()
  const hold = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, hold, 10)
  await release(user, hold, later(HOUR_MS - 1))
  assert.equal((await packages(user)).length, 1)
  assert.deepEqual(await balance(user, later(HOUR_MS)), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('released when one of three packages has expired: only that part gets grace, and one row says it all', async () => {
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
    ['ORDER_PAY', 5, 0],
    ['REFUND', 5, 0],
  ])
  const [last] = await sql`
    select trans_type, credits, balance_after from kinora.credit_transaction where user_id = ${user} order by n desc limit 1
  `
  assert.deepEqual({ ...last }, { transType: 'REFUND', credits: 12, balanceAfter: 15 })
})

test('grace of grace: moved on again, and counted once in the total', async () => {
  const user = randomUUID()
  const [first, second] = [randomUUID(), randomUUID()]
  await grant(user, 10, later(HOUR_MS))
  await freeze(user, first, 10)
  await release(user, first, later(2 * HOUR_MS), '1 hour')
  await freeze(user, second, 6, later(2 * HOUR_MS))
  await release(user, second, later(4 * HOUR_MS), '1 hour')
  assert.deepEqual(await balance(user, later(4 * HOUR_MS)), { available: 6, frozen: 0, used: 0, total: 10 })
  assert.deepEqual(await balance(user, later(5 * HOUR_MS)), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('a grant that comes after its own expiry is counted, shown in the history, and never usable', async () => {
  const user = randomUUID()
  await grant(user, 10, later(-HOUR_MS))
  assert.deepEqual(await freeze(user, randomUUID(), 1), { outcome: 'insufficient', available: 0 })
  assert.deepEqual(await balance(user), { available: 0, frozen: 0, used: 0, total: 10 })
})

test('a clock that jumps back neither revives what has expired nor loses what is left', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  await grant(user, 10, later(DAY_MS))
  assert.equal((await balance(user, later(2 * HOUR_MS))).available, 10)
  assert.deepEqual(await freeze(user, randomUUID(), 11, later(-DAY_MS)), { outcome: 'insufficient', available: 10 })
  assert.deepEqual(await freeze(user, randomUUID(), 10, later(-DAY_MS)), { outcome: 'frozen', available: 0 })
})

test('no clock: a call without a time changes nothing, above all not when the next package expires', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  const before = await everything(user)
  await sql`select from kinora.credit_lock(${user}, null)`.catch(() => {})
  await sql`select kinora.credit_settle(${user}, ${randomUUID()}, null)`.catch(() => {})
  await sql`select kinora.credit_release(${user}, ${randomUUID()}, null, '1 day', null)`.catch(() => {})
  await sql`select * from kinora.credit_balance(${user}, null)`.catch(() => {})
  assert.equal(await everything(user), before)
  assert.equal((await balance(user, later(HOUR_MS))).available, 0)
})

test('nonsense is refused and leaves no trace', async () => {
  const user = randomUUID()
  await grant(user, 10, later(HOUR_MS))
  const hold = randomUUID()
  await freeze(user, hold, 5)
  const before = await everything(user)
  const max = '9223372036854775807'
  const refused: [RegExp, () => Promise<unknown>][] = [
    [/package_initial_positive/, () => grant(user, 0, later(HOUR_MS))],
    [/package_initial_positive/, () => grant(user, -1, later(HOUR_MS))],
    [/out of range/, () => grant(user, max, later(HOUR_MS))],
    [/hold_credits_positive/, () => freeze(user, randomUUID(), 0)],
    [/hold_credits_positive/, () => freeze(user, randomUUID(), -5)],
    [/null value in column "expires_at"/, () => release(user, hold, later(HOUR_MS), null as never)],
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
  // At a moment when nothing expires, so that only the call itself could change something; the null grace needs another.
  for (const [reason, call] of refused) await assert.rejects(async () => await call(), reason)
  assert.deepEqual(await freeze(user, randomUUID(), max), { outcome: 'insufficient', available: 5 })
  assert.equal(await everything(user), before)
})

test('twice is once: each movement again changes nothing and answers the same', async () => {
  const user = randomUUID()
  const [kept, settled, released] = [randomUUID(), randomUUID(), randomUUID()]
  const id = randomUUID()
  const calls: (() => Promise<unknown>)[] = [
    async () =>
      (
        await sql`
          select id, initial, expires_at from kinora.credit_grant(
            ${user}, ${id}, 'order:1', 'ORDER_PAY', 50, ${later(DAY_MS)}, ${start}, 'order-1', null)
        `
      )[0],
    async () => (await freeze(user, kept, 10)).outcome,
    async () => (await freeze(user, settled, 10)).outcome,
    async () => (await freeze(user, released, 10)).outcome,
    () => settle(user, settled),
    () => release(user, released),
  ]
  const answers = []
  for (const call of calls) answers.push(await call())
  const before = await everything(user)
  for (const [index, call] of calls.entries()) assert.deepEqual(await call(), answers[index])
  assert.equal(await release(user, settled), 'settled', 'the first verb wins')
  assert.equal(await settle(user, released), 'released', 'the first verb wins')
  assert.equal(await everything(user), before)
})

test('video_generate again with the same arguments answers the same video, key or no key, cap or no cap', async () => {
  const user = randomUUID()
  await grant(user, 50, later(DAY_MS))
  const id = randomUUID()
  const generate = async () =>
    (
      await sql`
        select v.outcome, v.id, v.model, v.credits, v.created_at from kinora.video_generate(
          ${user}, ${id}, ${start}, 'p', 'delta-1-5', 4, '16:9', '720p', null, 16, array['provider-a'], 30,
          ${later(HOUR_MS)}, 1, null, null) v
      `
    )[0]
  const { outcome, ...first } = { ...(await generate()) }
  assert.equal(outcome, 'created')
  const before = await everything(user)
  const { outcome: again, ...second } = { ...(await generate()) }
  assert.equal(again, 'replayed')
  assert.deepEqual(second, first)
  assert.equal(await everything(user), before)
})

test('a video without its hold cannot end: the books do not follow a status they know nothing of', async () => {
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
    await assert.rejects(
      async () =>
        end === 'completed'
          ? await sql`select kinora.video_completed(${user}, ${id}, ${lease}, 'k', 't', 1, 1, 1, 1, ${start})`
          : await sql`
              select kinora.video_failed(${user}, ${id}, ${lease}, null, null, 'E', 'error', interval '1 day', ${start})
            `,
      /credits of video/,
    )
    await sql`delete from kinora.video where id = ${id}`
  }
})
