/** `GET /api/v1/credit/packages`: the caller's packages, what remains of them, and when they expire. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/id.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { creditGrant } from '../support/ledger/ledger-calls.ts'

const kinora = await openKinora({ simulator: true })
const DAY_MS = 86_400_000

type Package = {
  id: string
  transType: string
  initial: number
  remaining: number
  frozen: number
  orderNo: string | null
  source: string
  expiresAt: string
  createdAt: string
}
const packages = (as?: Person) =>
  kinora.call<{ packages: Package[] }>('GET', '/api/v1/credit/packages', as ? { as } : {})
const amountsOf = async (as: Person) =>
  (await packages(as)).data.packages.map(({ initial, remaining, frozen }) => ({ initial, remaining, frozen }))

/** Invariant: remaining and frozen of all packages sum to the balance. */
async function assertAddsUp(as: Person): Promise<void> {
  const shown = await amountsOf(as)
  const { available, frozen } = await kinora.balance(as)
  assert.equal(
    shown.reduce((sum, each) => sum + each.remaining, 0),
    available,
  )
  assert.equal(
    shown.reduce((sum, each) => sum + each.frozen, 0),
    frozen,
  )
}

test('200: packages → every field; an empty list creates no credit account', async () => {
  const ann = await kinora.person({ credits: 60 })
  const response = await packages(ann)
  assert.equal(response.status, 200)
  const [only] = response.data.packages
  assert.ok(only)
  const { id, expiresAt, createdAt, source, ...rest } = only
  assert.match(source, /^adjust:/)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 365 * DAY_MS)
  assert.deepEqual(rest, { transType: 'SYSTEM_ADJUST', initial: 60, remaining: 60, frozen: 0, orderNo: null })

  const bob = await kinora.person({ credits: 0 })
  assert.deepEqual((await packages(bob)).data, { packages: [], total: 0, pageSize: 20, nextCursor: null })
  assert.equal((await kinora.app.sql`select from kinora.credit_account where user_id = ${bob.userId}`).length, 0)
})

const inDays = (days: number) => new Date(kinora.app.now().getTime() + days * 86_400_000)

test('200: packages → in the order of consumption: by expiry, then by age; only the caller’s', async () => {
  const [ann, eve] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  await kinora.grant(ann, 5, 30)
  await kinora.grant(ann, 10, 10)
  await kinora.grant(eve, 99, 1)
  await kinora.grant(ann, 7, 20)
  assert.deepEqual(
    (await amountsOf(ann)).map(({ initial }) => initial),
    [10, 7, 5],
  )
  assert.deepEqual(await amountsOf(eve), [{ initial: 99, remaining: 99, frozen: 0 }])

  // The older package comes first with equal expiry, regardless of the ids.
  const ben = await kinora.person({ credits: 0 })
  const facts = { userId: ben.userId, transType: 'ORDER_PAY', orderNo: null, remark: null, expiresAt: inDays(30) }
  for (const [credits, secondsAgo] of [
    [7, 60],
    [5, 30],
  ] as const) {
    await creditGrant(kinora.app.sql, {
      ...facts,
      packageId: newId(inDays(secondsAgo)),
      source: `order:${credits}`,
      credits,
      now: new Date(kinora.app.now().getTime() - secondsAgo * 1000),
    })
  }
  assert.deepEqual(
    (await amountsOf(ben)).map(({ initial }) => initial),
    [7, 5],
  )

  await kinora.generate(ann)
  assert.deepEqual(await amountsOf(ann), [
    { initial: 10, remaining: 0, frozen: 10 },
    { initial: 7, remaining: 1, frozen: 6 },
    { initial: 5, remaining: 5, frozen: 0 },
  ])
  await assertAddsUp(ann)
})

test('200: consumed and expired packages → not listed; frozen credits past their expiry stay until settled or released', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 20, 1)
  await kinora.grant(ann, 16, 30)
  const { data } = await kinora.generate(ann)
  kinora.turnClock(DAY_MS)
  // The 4 remaining credits have expired; reading wrote them off.
  assert.deepEqual(await amountsOf(ann), [
    { initial: 20, remaining: 0, frozen: 16 },
    { initial: 16, remaining: 16, frozen: 0 },
  ])
  await assertAddsUp(ann)
  const { data: history } = await kinora.call<{ transactions: { transType: string; credits: number }[] }>(
    'GET',
    '/api/v1/credit/history',
    { as: ann },
  )
  assert.deepEqual([history.transactions[0]?.transType, history.transactions[0]?.credits], ['EXPIRED', -4])

  // The task times out: its credits are released after their expiry, into a new package with a grace period.
  await kinora.finish(ann, data.uuid)
  const [grace, second] = (await packages(ann)).data.packages
  assert.deepEqual([grace?.transType, grace?.initial, grace?.remaining, grace?.frozen], ['REFUND', 16, 16, 0])
  assert.equal(second?.remaining, 16)
  await assertAddsUp(ann)

  await completedVideo(kinora, ann)
  assert.deepEqual(await amountsOf(ann), [{ initial: 16, remaining: 16, frozen: 0 }])
})

test('401: no credential → refused', async () => {
  const { status, error } = await packages()
  assert.equal(status, 401)
  assert.equal(error?.code, 'UNAUTHENTICATED')
})
