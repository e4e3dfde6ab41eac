/** `POST /api/v1/admin/credits/add`: administrators grant credits; the ledger records who did. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora()
const DAY_MS = 86_400_000
const root = await kinora.person({ role: 'admin', credits: 0 })

type Added = { credits: number; userId: string; expiryDate: string }
const add = (as: Person | null, body: unknown, headers: Record<string, string> = {}) =>
  kinora.call<Added>('POST', '/api/v1/admin/credits/add', { ...(as ? { as } : {}), body, headers })

const historyOf = async (as: Person) =>
  (await kinora.call<{ transactions: Record<string, unknown>[] }>('GET', '/api/v1/credit/history', { as })).data
    .transactions

const daysUntil = ({ data }: { data: Added }) => Math.round((new Date(data.expiryDate).getTime() - Date.now()) / DAY_MS)

test('200: credits for a user → granted; the ledger records the remark and the administrator', async () => {
  const ann = await kinora.person({ credits: 0 })
  const response = await add(root, { credits: 100, userId: ann.userId, expiryDays: 30, remark: 'Sorry for the outage' })
  assert.equal(response.status, 200)
  assert.deepEqual(Object.keys(response.data), ['credits', 'userId', 'expiryDate'])
  assert.equal(response.data.credits, 100)
  assert.equal(response.data.userId, ann.userId)
  assert.match(response.data.expiryDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(daysUntil(response), 30)
  const [row] = await historyOf(ann)
  assert.equal(row?.transType, 'SYSTEM_ADJUST')
  assert.equal(row?.credits, 100)
  assert.equal(row?.remark, 'Sorry for the outage')
  const [stored] = await kinora.app.sql`select actor_id from kinora.credit_transaction where user_id = ${ann.userId}`
  assert.equal(stored?.actorId, root.userId)
  assert.equal((await kinora.balance(ann)).available, 100)
})

test('200: defaults → to the caller, for 365 days, without a remark', async () => {
  const admin = await kinora.person({ role: 'admin', credits: 0 })
  const response = await add(admin, { credits: 1 })
  assert.equal(response.data.userId, admin.userId)
  assert.equal(daysUntil(response), 365)
  const [row] = await historyOf(admin)
  assert.equal(row?.remark, null)
})

test('200: userId in upper case → the same user', async () => {
  const ann = await kinora.person({ credits: 0 })
  const response = await add(root, { credits: 1, userId: ann.userId.toUpperCase() })
  assert.equal(response.data.userId, ann.userId)
  assert.equal((await kinora.balance(ann)).available, 1)
})

test('200: smallest and largest values → granted', async () => {
  for (const body of [
    { credits: 1, expiryDays: 1 },
    { credits: 10_000_000, expiryDays: 3650 },
  ]) {
    const response = await add(root, { ...body, remark: 'x'.repeat(500) })
    assert.equal(response.status, 200)
    assert.equal(response.data.credits, body.credits)
    assert.equal(daysUntil(response), body.expiryDays)
  }
})

const wrong: [title: string, body: Record<string, unknown>, path: string][] = [
  ['no credits', {}, 'credits'],
  ['0 credits', { credits: 0 }, 'credits'],
  ['−1 credits', { credits: -1 }, 'credits'],
  ['half a credit', { credits: 1.5 }, 'credits'],
  ['10,000,001 credits', { credits: 10_000_001 }, 'credits'],
  ['credits as text', { credits: '100' }, 'credits'],
  ['credits of null', { credits: null }, 'credits'],
  ['0 days', { credits: 1, expiryDays: 0 }, 'expiryDays'],
  ['3651 days', { credits: 1, expiryDays: 3651 }, 'expiryDays'],
  ['half a day', { credits: 1, expiryDays: 0.5 }, 'expiryDays'],
  ['days as text', { credits: 1, expiryDays: '30' }, 'expiryDays'],
  ['a userId that is a number', { credits: 1, userId: 7 }, 'userId'],
  ['a remark of 501 characters', { credits: 1, remark: 'x'.repeat(501) }, 'remark'],
  ['a remark that is a number', { credits: 1, remark: 7 }, 'remark'],
  ['an unknown field', { credits: 1, transType: 'ORDER_PAY' }, 'transType'],
]
for (const [title, body, path] of wrong) {
  test(`400: ${title} → INVALID_REQUEST`, async () => {
    const admin = await kinora.person({ role: 'admin', credits: 0 })
    const { status, error } = await add(admin, body)
    assert.equal(status, 400)
    assert.equal(error?.code, 'INVALID_REQUEST')
    assert.deepEqual([...new Set(pathsOf({ error }))], [path])
    assert.deepEqual(await historyOf(admin), [])
  })
}

test('400: null character in the remark → refused', async () => {
  const { status, error } = await add(root, { credits: 1, remark: 'a\0b' })
  assert.equal(status, 400)
  assert.equal(error?.code, 'INVALID_REQUEST')
})

test('401, 403: no credential, or a user’s → refused, no rows are written', async () => {
  const ann = await kinora.person({ credits: 0 })
  for (const body of [{ credits: 100 }, { credits: 0 }, { credits: 100, userId: ann.userId }]) {
    const anonymous = await add(null, body)
    assert.equal(anonymous.status, 401)
    assert.equal(anonymous.error?.code, 'UNAUTHENTICATED')
    const user = await add(ann, body)
    assert.equal(user.status, 403)
    assert.equal(user.error?.code, 'FORBIDDEN')
  }
  assert.deepEqual(await historyOf(ann), [])
})

test('404: unknown or malformed userId → NOT_FOUND', async () => {
  for (const userId of ['01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50', 'ann', '', `${root.userId} `, '\0']) {
    const { status, error } = await add(root, { credits: 1, userId })
    assert.equal(status, 404, JSON.stringify(userId))
    assert.equal(error?.code, 'NOT_FOUND')
  }
})

test('200, 422: repeated Idempotency-Key → idempotent replay; with another body refused', async () => {
  const ann = await kinora.person({ credits: 0 })
  const bob = await kinora.person({ credits: 0 })
  const body = { credits: 100, userId: ann.userId }
  const key = { 'idempotency-key': 'ticket 4711' }
  const first = await add(root, body, key)
  kinora.turnClock(3600_000)
  const again = await add(root, body, key)
  kinora.turnClock(-3600_000)
  assert.equal(again.status, 200)
  assert.deepEqual(again.data, first.data)
  assert.deepEqual(
    [first, again].map((each) => each.headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  for (const change of [{ credits: 101 }, { userId: bob.userId }, { expiryDays: 30 }, { remark: 'other' }]) {
    const other = await add(root, { ...body, ...change }, key)
    assert.equal(other.status, 422)
    assert.equal(other.error?.code, 'IDEMPOTENCY_KEY_REUSED')
  }
  assert.equal((await kinora.balance(ann)).available, 100)
  assert.equal((await kinora.balance(bob)).available, 0)
})

test('200: 8 concurrent requests with one Idempotency-Key → one grant; without a key eight', async () => {
  const ann = await kinora.person({ credits: 0 })
  const eight = (headers: Record<string, string>) =>
    Promise.all(Array.from({ length: 8 }, () => add(root, { credits: 10, userId: ann.userId }, headers)))
  for (const { status } of await eight({ 'idempotency-key': 'k' })) assert.equal(status, 200)
  assert.equal((await kinora.balance(ann)).available, 10)
  for (const { status } of await eight({})) assert.equal(status, 200)
  assert.equal((await kinora.balance(ann)).available, 90)
})

test('200: same Idempotency-Key of two administrators → two grants', async () => {
  const ann = await kinora.person({ credits: 0 })
  const second = await kinora.person({ role: 'admin', credits: 0 })
  for (const admin of [root, second]) {
    const { status } = await add(admin, { credits: 10, userId: ann.userId }, { 'idempotency-key': 'shared' })
    assert.equal(status, 200)
  }
  assert.equal((await kinora.balance(ann)).available, 20)
})

test('400: Idempotency-Key of 256 characters → refused', async () => {
  const { status } = await add(root, { credits: 1 }, { 'idempotency-key': 'k'.repeat(256) })
  assert.equal(status, 400)
})
