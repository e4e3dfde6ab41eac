/** `POST /api/v1/admin/credits/take` and `…/reverse-expiry`: corrections by administrators, and their audit entries. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditLock } from '../../src/credit/ledger.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { claimRefund, creditGrant } from '../support/ledger/ledger-calls.ts'

const kinora = await openKinora()
const DAY_MS = 86_400_000
const root = await kinora.person({ role: 'admin', credits: 0 })

type Taken = {
  credits: number
  available: { before: number; after: number }
  packages: { id: string; credits: number; expiresAt: string }[]
  dryRun: boolean
}
type Reversed = { credits: number; expiryDate: string; packageId: string }
const take = (body: Record<string, unknown>, headers: Record<string, string> = {}, as: Person = root) =>
  kinora.call<Taken>('POST', '/api/v1/admin/credits/take', { as, body: { reason: 'by mistake', ...body }, headers })
const reverse = (body: Record<string, unknown>, headers: Record<string, string> = {}, as: Person = root) =>
  kinora.call<Reversed>('POST', '/api/v1/admin/credits/reverse-expiry', {
    as,
    body: { reason: 'a wrong clock', ...body },
    headers,
  })
const available = async (as: Person) => (await kinora.balance(as)).available
const rowsOf = async (as: Person) =>
  (await kinora.call<{ transactions: Record<string, unknown>[] }>('GET', '/api/v1/credit/history', { as })).data
    .transactions
const auditOf = async ({ userId }: Person, action: string) => [
  ...(await kinora.app.sql`
    select actor_id, action, subject, before, after, request_id, reason
    from kinora.audit where user_id = ${userId} and action = ${action} order by id
  `),
]

/** A package that a worker whose clock was 400 days ahead has written off. */
async function writtenOffEarly(to: Person, credits: number): Promise<string> {
  const { sql } = kinora.app
  const now = kinora.app.now()
  const packageId = randomUUID()
  const facts = { source: `order:${packageId}`, transType: 'ORDER_PAY', orderNo: 'order-1', remark: null }
  const expiresAt = new Date(now.getTime() + 100 * DAY_MS)
  await creditGrant(sql, { userId: to.userId, packageId, ...facts, credits, expiresAt, now })
  await creditLock(sql, { userId: to.userId, now: new Date(now.getTime() + 400 * DAY_MS) })
  return packageId
}

test('200: take → from the packages that expire first, in SYSTEM_ADJUST rows, with an audit entry', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 30, 300)
  await kinora.grant(ann, 50, 10)
  const response = await take({ userId: ann.userId, credits: 60 })
  assert.equal(response.status, 200)
  assert.deepEqual(response.data.available, { before: 80, after: 20 })
  assert.deepEqual(
    response.data.packages.map(({ credits }) => credits),
    [50, 10],
  )
  assert.equal(await available(ann), 20)
  const [second, first] = await rowsOf(ann)
  assert.deepEqual(
    [first, second].map((row) => [row?.transType, row?.credits, row?.remark, row?.actorId]),
    [
      ['SYSTEM_ADJUST', -50, 'by mistake', root.userId],
      ['SYSTEM_ADJUST', -10, 'by mistake', root.userId],
    ],
  )
  const [entry] = await auditOf(ann, 'credits.take')
  assert.equal(entry?.actorId, root.userId)
  assert.equal(entry?.reason, 'by mistake')
  assert.equal(entry?.requestId, response.headers.get('x-request-id'))
  assert.equal(entry?.before.available, 80)
  assert.deepEqual([entry?.after.available, entry?.after.credits, entry?.after.clawedBack], [20, 60, 60])
})

test('200: take with dryRun → says what would be taken and changes nothing', async () => {
  const ann = await kinora.person({ credits: 40 })
  const { data } = await take({ userId: ann.userId, credits: 40, dryRun: true }, { 'idempotency-key': 'dry' })
  assert.deepEqual([data.available, data.packages.length, data.dryRun], [{ before: 40, after: 0 }, 1, true])
  assert.equal(await available(ann), 40)
  assert.equal((await auditOf(ann, 'credits.take')).length, 0)
  const done = await take({ userId: ann.userId, credits: 40 }, { 'idempotency-key': 'dry' })
  assert.equal(done.status, 200, 'a dry run uses up no key')
})

test('409: take more than is available → nothing is taken; details say how much is possible', async () => {
  const ann = await kinora.person({ credits: 40 })
  const response = await take({ userId: ann.userId, credits: 41 })
  assert.equal(response.status, 409)
  assert.deepEqual(response.error?.details, { available: 40 })
  assert.equal(await available(ann), 40)
  const ben = await kinora.person({ credits: 0 })
  assert.equal((await take({ userId: ben.userId, credits: 1 })).status, 409)
})

test('200: take again with its Idempotency-Key → the first response, taken once; 422: another request', async () => {
  const ann = await kinora.person({ credits: 40 })
  const key = { 'idempotency-key': randomUUID() }
  const responses = await Promise.all([1, 2, 3, 4].map(() => take({ userId: ann.userId, credits: 15 }, key)))
  for (const { status, data } of responses) {
    assert.equal(status, 200)
    assert.deepEqual(data, responses[0]?.data)
  }
  assert.equal(responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 3)
  assert.equal(await available(ann), 25)
  assert.equal((await take({ userId: ann.userId, credits: 16 }, key)).status, 422)
  const ben = await kinora.person({ credits: 40 })
  assert.equal((await take({ userId: ben.userId, credits: 15 }, key)).status, 422)
  assert.equal(await available(ben), 40)
})

test('400: take or reverse without a reason, or with invalid values → named', async () => {
  const ann = await kinora.person()
  for (const [body, path] of [
    [{ credits: 1, reason: '' }, 'reason'],
    [{ credits: 0 }, 'credits'],
    [{ credits: -1 }, 'credits'],
    [{ credits: 1.5 }, 'credits'],
    [{ credits: 1, dryRun: 'yes' }, 'dryRun'],
  ] as const) {
    const response = await take({ userId: ann.userId, ...body })
    assert.equal(response.status, 400)
    assert.deepEqual(pathsOf(response), [path])
  }
  assert.equal((await reverse({ userId: ann.userId })).status, 400)
})

test('403, 404: caller that is no administrator; unknown user or package → refused', async () => {
  const ann = await kinora.person()
  assert.equal((await take({ userId: ann.userId, credits: 1 }, {}, ann)).status, 403)
  assert.equal((await reverse({ userId: ann.userId, packageId: randomUUID() }, {}, ann)).status, 403)
  assert.equal((await take({ userId: randomUUID(), credits: 1 })).status, 404)
  assert.equal((await reverse({ userId: ann.userId, packageId: randomUUID() })).status, 404)
  assert.equal((await reverse({ userId: ann.userId, packageId: 'x' })).status, 404)
})

test('200: reverse an expiry before its time → available again in its package, as an EXPIRED row, audited', async () => {
  const ann = await kinora.person({ credits: 0 })
  const packageId = await writtenOffEarly(ann, 70)
  assert.equal(await available(ann), 0)
  const dry = await reverse({ userId: ann.userId, packageId, dryRun: true })
  assert.equal(dry.data.credits, 70)
  assert.equal(await available(ann), 0)
  const key = { 'idempotency-key': randomUUID() }
  const response = await reverse({ userId: ann.userId, packageId }, key)
  assert.equal(response.status, 200)
  assert.equal(response.data.credits, 70)
  const again = await reverse({ userId: ann.userId, packageId }, key)
  assert.deepEqual([again.data, again.headers.get('idempotent-replayed')], [response.data, 'true'])
  assert.equal(await available(ann), 70)
  const [row] = await rowsOf(ann)
  assert.deepEqual(
    [row?.transType, row?.credits, row?.actorId, row?.remark],
    ['EXPIRED', 70, root.userId, 'a wrong clock'],
  )
  const entries = await auditOf(ann, 'credits.reverse-expiry')
  assert.equal(entries.length, 1)
  assert.deepEqual([entries[0]?.subject, entries[0]?.before.expired, entries[0]?.after.expired], [packageId, 70, 0])
  assert.equal((await reverse({ userId: ann.userId, packageId })).status, 409, 'nothing is expired any more')
})

test('409: reverse when the package has expired by now → needs expiryDays, which gives a grace package', async () => {
  const ann = await kinora.person({ credits: 25 })
  const packages = await kinora.app.sql<{ id: string }[]>`
    select id from kinora.credit_package where user_id = ${ann.userId}
  `
  const packageId = packages[0]?.id
  await kinora.app.sql`
    update public."session" set "expiresAt" = "expiresAt" + interval '900 days' where "userId" in ${kinora.app.sql([root.userId, ann.userId])}
  `
  kinora.turnClock(400 * DAY_MS)
  assert.equal(await available(ann), 0)
  assert.equal((await reverse({ userId: ann.userId, packageId })).status, 409)
  const { data } = await reverse({ userId: ann.userId, packageId, expiryDays: 7 })
  assert.equal(Math.round((Date.parse(data.expiryDate) - kinora.app.now().getTime()) / DAY_MS), 7)
  assert.equal(await available(ann), 25)
  kinora.turnClock(7 * DAY_MS)
  assert.equal(await available(ann), 0)
  kinora.turnClock(-407 * DAY_MS)
})

test('200: reverse for a payment that was refunded meanwhile → its refund claim takes first', async () => {
  const ann = await kinora.person({ credits: 0 })
  const packageId = await writtenOffEarly(ann, 70)
  await claimRefund(kinora.app.sql, {
    userId: ann.userId,
    source: `order:${packageId}`,
    key: 'refund',
    part: 0.5,
    now: kinora.app.now(),
  })
  await reverse({ userId: ann.userId, packageId })
  assert.equal(await available(ann), 35)
})

test('200: add credits → an audit entry with the balance before and after; a replay adds none', async () => {
  const ann = await kinora.person({ credits: 10 })
  const options = {
    as: root,
    body: { userId: ann.userId, credits: 5, remark: 'sorry' },
    headers: { 'idempotency-key': 'a' },
  }
  const response = await kinora.call('POST', '/api/v1/admin/credits/add', options)
  await kinora.call('POST', '/api/v1/admin/credits/add', options)
  const entries = (await auditOf(ann, 'credits.add')).filter(({ actorId }) => actorId === root.userId)
  assert.equal(entries.length, 1)
  const [entry] = entries
  assert.deepEqual([entry?.before.available, entry?.after.available, entry?.after.credits], [10, 15, 5])
  assert.deepEqual([entry?.reason, entry?.requestId], ['sorry', response.headers.get('x-request-id')])
})

test('200: the users list and one user → credits that refund claims could not take are owed', async () => {
  const ann = await kinora.person({ credits: 60 })
  assert.equal((await kinora.generate(ann)).status, 200)
  const [{ source }] = await kinora.app.sql<[{ source: string }]>`
    select source from kinora.credit_package where user_id = ${ann.userId}
  `
  await claimRefund(kinora.app.sql, { userId: ann.userId, source, key: 'd', part: 1, now: kinora.app.now() })
  const one = await kinora.call<{ credits: { owed: number; available: number } }>(
    'GET',
    `/api/v1/admin/users/${ann.userId}`,
    { as: root },
  )
  assert.deepEqual([one.data.credits.available, one.data.credits.owed], [0, 16])
  const { data } = await kinora.call<{ users: { credits: { owed: number } }[] }>(
    'GET',
    `/api/v1/admin/users?q=${ann.userId}`,
    { as: root },
  )
  assert.equal(data.users[0]?.credits.owed, 16)
})

test('200: history → the hash chain can be recomputed from the rows', async () => {
  const ann = await kinora.person({ credits: 60 })
  await kinora.grant(ann, 7)
  await kinora.generate(ann, { prompt: 'A "quoted" \\ prompt – äöü' })
  await take({ userId: ann.userId, credits: 3, reason: 'tab\there, "quotes", back\\slash, \u007f, 😀' })
  const rows = (await rowsOf(ann)).reverse()
  const { createHash } = await import('node:crypto')
  const ms = (time: unknown) => (typeof time === 'string' ? Date.parse(time) : null)
  const text = (value: unknown): string =>
    Array.isArray(value) ? `[${value.map(text).join(', ')}]` : JSON.stringify(value)
  let head = Buffer.alloc(0) as Buffer
  for (const row of rows) {
    const graces = row.graces as { packageId: string; credits: number; expiresAt: string }[] | null
    const line = text([
      row.n,
      row.id,
      row.transNo,
      row.transType,
      row.credits,
      row.balanceAfter,
      row.packageId,
      row.videoUuid,
      row.orderNo,
      row.remark,
      row.actorId,
      row.source,
      ms(row.expiresAt),
      graces?.map((grace) => [grace.packageId, grace.credits, ms(grace.expiresAt)]) ?? null,
      ms(row.createdAt),
    ])
    head = createHash('sha256').update(head).update(line).digest()
    assert.equal(row.hash, head.toString('hex'), line)
  }
  const [account] = await kinora.app.sql`
    select encode(history_hash, 'hex') as hash from kinora.credit_account where user_id = ${ann.userId}
  `
  assert.equal(account?.hash, head.toString('hex'))
})
