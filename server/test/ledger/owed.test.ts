/** What a user owes after a refund: shown, paid by the next credits (`OWED=collect`), collected or forgiven. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { claimRefund, creditGrant, reverseClaim } from '../support/ledger/ledger-calls.ts'

const kinora = await openKinora({ simulator: true })
const { sql } = kinora.app
const DAY_MS = 86_400_000
const root = await kinora.person({ role: 'admin', credits: 0 })

type Settled = {
  credits: number
  owed: { before: number; after: number }
  available: { before: number; after: number }
  packages: { id: string; credits: number; expiresAt: string }[]
  dryRun: boolean
}
type Operation = 'collect' | 'forgive'
const settle = (operation: Operation, body: Record<string, unknown>, key?: string, as: Person = root) =>
  kinora.call<Settled>('POST', `/api/v1/admin/credits/${operation}`, {
    as,
    body: { reason: 'agreed', ...body },
    headers: key ? { 'idempotency-key': key } : {},
  })
type Balance = Record<'available' | 'frozen' | 'used' | 'total' | 'expired' | 'clawedBack' | 'owed', number>
const balance = async (as: Person) => (await kinora.call<Balance>('GET', '/api/v1/credit/balance', { as })).data
const amounts = async (as: Person) => {
  const { available, owed, clawedBack } = await balance(as)
  return { available, owed, clawedBack }
}
const newestRows = async (as: Person, count: number) =>
  (
    await sql<{ row: string }[]>`
      select concat_ws(' ', trans_type, credits, order_no, remark) as row from kinora.credit_transaction
      where user_id = ${as.userId} order by n desc limit ${count}
    `
  ).map(({ row }) => row)
const auditOf = async ({ userId }: Person, operation: Operation) => [
  ...(await sql`
    select actor_id, before, after, reason from kinora.audit
    where user_id = ${userId} and action = ${`credits.${operation}`} order by id
  `),
]

async function buy(to: Person, credits: number, order: string, days = 30): Promise<string> {
  const now = kinora.app.now()
  const packageId = randomUUID()
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  const facts = { source: order, transType: 'ORDER_PAY', orderNo: order, remark: null }
  await creditGrant(sql, { userId: to.userId, packageId, ...facts, credits, expiresAt, now })
  return packageId
}
const refund = (from: Person, order: string, part = 1, key = 'refund') =>
  claimRefund(sql, { userId: from.userId, source: order, key, part, now: kinora.app.now() })
const reinstate = (to: Person, order: string, key = 'refund') =>
  reverseClaim(sql, { userId: to.userId, source: order, key, now: kinora.app.now() })

/** A user who has used the 16 credits of order-1, which was refunded. Returns the user and the id of the film. */
async function debtor(): Promise<Person> {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 16, 'order-1')
  const { data } = await kinora.generate(ann)
  await kinora.finish(ann, data.uuid)
  await refund(ann, 'order-1')
  return ann
}

test('200: refund of used credits → owed beside them, in the balance and the session; the parts add up to total', async () => {
  const ann = await debtor()
  await buy(ann, 40, 'order-2', 1)
  kinora.turnClock(2 * DAY_MS)
  const found = await balance(ann)
  assert.deepEqual(
    [found.total, found.available, found.used, found.expired, found.clawedBack, found.owed],
    [56, 0, 16, 40, 0, 16],
  )
  assert.equal(found.available + found.frozen + found.used + found.expired + found.clawedBack, found.total)
  kinora.turnClock(-2 * DAY_MS)
  const session = await fetch(`${kinora.url}/api/auth/get-session`, {
    headers: { authorization: `Bearer ${ann.token}` },
  })
  const { credits } = (await session.json()) as { credits: Balance }
  assert.deepEqual([credits.owed, credits.expired], [16, 40])
})

test('200: refund of a package whose rest has expired → the used credits are owed, not the expired ones', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 40, 'order-1', 1)
  await kinora.finish(ann, (await kinora.generate(ann)).data.uuid)
  kinora.turnClock(2 * DAY_MS)
  await refund(ann, 'order-1')
  const { used, expired, owed } = await balance(ann)
  kinora.turnClock(-2 * DAY_MS)
  assert.deepEqual([used, expired, owed], [16, 24, 16])
})

test('200: collect → from the packages that expire first, rows of the owed order, audited; the key replays', async () => {
  const ann = await debtor()
  await buy(ann, 40, 'order-2', 20)
  await buy(ann, 6, 'order-3', 10)
  const dry = await settle('collect', { userId: ann.userId, credits: 10, dryRun: true }, 'dry')
  assert.deepEqual(
    [dry.data.owed, dry.data.available],
    [
      { before: 16, after: 6 },
      { before: 46, after: 36 },
    ],
  )
  assert.deepEqual(await amounts(ann), { available: 46, owed: 16, clawedBack: 0 })
  const key = randomUUID()
  const response = await settle('collect', { userId: ann.userId, credits: 10 }, key)
  assert.equal(response.status, 200)
  assert.deepEqual(
    response.data.packages.map(({ credits }) => credits),
    [6, 4],
  )
  assert.deepEqual(await amounts(ann), { available: 36, owed: 6, clawedBack: 10 })
  assert.deepEqual(await newestRows(ann, 2), ['ORDER_PAY -4 order-1 agreed', 'ORDER_PAY -6 order-1 agreed'])
  const [entry] = await auditOf(ann, 'collect')
  assert.deepEqual([entry?.actorId, entry?.before.owed, entry?.after.owed], [root.userId, 16, 6])
  assert.deepEqual((await settle('collect', { userId: ann.userId, credits: 10 }, key)).data, response.data)
  assert.equal((await settle('collect', { userId: ann.userId, credits: 6 }, key)).status, 422)
  assert.deepEqual(await amounts(ann), { available: 36, owed: 6, clawedBack: 10 })
})

test('200: forgive → owed no more, nothing else moves; audited; a second refund of it asks for the rest only', async () => {
  const ann = await debtor()
  const key = randomUUID()
  const response = await settle('forgive', { userId: ann.userId, credits: 10 }, key)
  assert.deepEqual([response.status, response.data.owed, response.data.packages], [200, { before: 16, after: 6 }, []])
  assert.deepEqual((await settle('forgive', { userId: ann.userId, credits: 10 }, key)).data, response.data)
  await refund(ann, 'order-1', 1, 'dispute')
  assert.deepEqual(await amounts(ann), { available: 0, owed: 6, clawedBack: 0 })
  assert.equal((await auditOf(ann, 'forgive')).length, 1)
})

test('409: collect or forgive more than is owed, collect more than is available → nothing moves; details say how much', async () => {
  const ann = await debtor()
  await buy(ann, 5, 'order-2')
  for (const [operation, credits] of [
    ['collect', 17],
    ['forgive', 17],
    ['collect', 6],
  ] as const) {
    const response = await settle(operation, { userId: ann.userId, credits })
    assert.deepEqual([response.status, response.error?.details], [409, { owed: 16, available: 5 }])
  }
  assert.deepEqual(await amounts(ann), { available: 5, owed: 16, clawedBack: 0 })
})

test('400, 403, 404: without a reason, by a user, for an unknown user → refused', async () => {
  const ann = await debtor()
  for (const operation of ['collect', 'forgive'] as const) {
    assert.equal((await settle(operation, { userId: ann.userId, credits: 1, reason: '' })).status, 400)
    assert.equal((await settle(operation, { userId: ann.userId, credits: 1 }, undefined, ann)).status, 403)
    assert.equal((await settle(operation, { userId: randomUUID(), credits: 1 })).status, 404)
  }
})

test('OWED=collect: the next credits → pay first what is owed, in a row of their own; keep → they do not', async () => {
  const ann = await debtor()
  await kinora.grant(ann, 10)
  assert.deepEqual(await amounts(ann), { available: 10, owed: 16, clawedBack: 0 })
  await kinora.withSettings({ owed: 'collect' }, async (url) => {
    const body = JSON.stringify({ userId: ann.userId, credits: 40 })
    const headers = { authorization: `Bearer ${root.token}`, 'content-type': 'application/json' }
    assert.equal((await fetch(`${url}/api/v1/admin/credits/add`, { method: 'POST', body, headers })).status, 200)
  })
  assert.deepEqual(await amounts(ann), { available: 34, owed: 0, clawedBack: 16 })
  assert.deepEqual(await newestRows(ann, 2), ['ORDER_PAY -16 order-1 Paid what was owed', 'SYSTEM_ADJUST 40'])
})

test('release: credits that were frozen when they were collected and forgiven → available again', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 16, 'order-1')
  const { data } = await kinora.generate(ann, { prompt: '[fail: no]' })
  await refund(ann, 'order-1')
  await buy(ann, 10, 'order-2')
  await settle('collect', { userId: ann.userId, credits: 10 })
  await settle('forgive', { userId: ann.userId, credits: 4 })
  assert.deepEqual(await amounts(ann), { available: 0, owed: 2, clawedBack: 10 })
  await kinora.finish(ann, data.uuid)
  assert.deepEqual(await amounts(ann), { available: 14, owed: 0, clawedBack: 12 })
})

test('reversed refund: what was collected for it → back in its packages, at once expired where they have', async () => {
  const ann = await debtor()
  await buy(ann, 6, 'order-2', 1)
  await buy(ann, 40, 'order-3', 20)
  await settle('collect', { userId: ann.userId, credits: 16 })
  kinora.turnClock(2 * DAY_MS)
  assert.equal(await reinstate(ann, 'order-1'), 16)
  const { available, expired, owed } = await balance(ann)
  assert.deepEqual([available, expired, owed], [40, 6, 0])
  kinora.turnClock(-2 * DAY_MS)
})

test('reversed refund: one of two that were collected → gives back its own, to the payer and to its package', async () => {
  const ann = await kinora.person({ credits: 0 })
  for (const [order, credits] of [
    ['order-1', 16],
    ['order-2', 32],
  ] as const) {
    await buy(ann, credits, order)
    const { data } = await kinora.generate(ann)
    await kinora.finish(ann, data.uuid)
    await refund(ann, order)
  }
  await buy(ann, 40, 'order-3')
  await settle('collect', { userId: ann.userId, credits: 32 })
  assert.deepEqual(await amounts(ann), { available: 8, owed: 0, clawedBack: 48 })
  assert.equal(await reinstate(ann, 'order-2'), 32)
  assert.deepEqual(await amounts(ann), { available: 40, owed: 0, clawedBack: 16 })
  assert.equal(await reinstate(ann, 'order-1'), 16)
  assert.deepEqual(await amounts(ann), { available: 56, owed: 0, clawedBack: 0 })
})

test('refund: credits that paid for another order → owed as if they were used, paid when the first refund is reversed', async () => {
  const ann = await debtor()
  await buy(ann, 16, 'order-2')
  await settle('collect', { userId: ann.userId, credits: 16 })
  await refund(ann, 'order-2')
  assert.deepEqual(await amounts(ann), { available: 0, owed: 16, clawedBack: 16 })
  await reinstate(ann, 'order-1')
  assert.deepEqual(await amounts(ann), { available: 0, owed: 0, clawedBack: 16 })
})

test('reversed refund: a part of it was forgiven → no credits come from the forgiveness', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 32, 'order-1')
  const { data } = await kinora.generate(ann)
  await kinora.finish(ann, data.uuid)
  await refund(ann, 'order-1', 0.5, 'first')
  await refund(ann, 'order-1', 0.5, 'second')
  await settle('forgive', { userId: ann.userId, credits: 16 })
  await reinstate(ann, 'order-1', 'first')
  assert.deepEqual(await amounts(ann), { available: 0, owed: 0, clawedBack: 16 })
})
