/** `GET /api/v1/credit/balance`: the caller's credits at the moment of the request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeVideo } from '../support/completed-video.ts'
import { noCredits, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })
const DAY_MS = 86_400_000

const balance = (as: Person) => kinora.call<Record<string, number>>('GET', '/api/v1/credit/balance', { as })

/** Runs `work` with the clock stopped at `moment`. */
async function at<T>(moment: Date, work: () => Promise<T>): Promise<T> {
  const { now } = kinora.app
  kinora.app.now = () => moment
  try {
    return await work()
  } finally {
    kinora.app.now = now
  }
}

test('200: balance → eight quantities; zeros without a credit account', async () => {
  const ann = await kinora.person({ credits: 0 })
  const response = await balance(ann)
  assert.equal(response.status, 200)
  assert.deepEqual(response.data, noCredits)
})

test('200: freeze, settle, release → credits move between the quantities', async () => {
  const ann = await kinora.person({ credits: 60 })
  const kept = await kinora.generate(ann)
  const lost = await kinora.generate(ann, { duration: 5, prompt: '[fail: no]' })
  assert.deepEqual((await balance(ann)).data, { ...noCredits, available: 24, frozen: 36, total: 60 })
  await kinora.finish(ann, lost.data.uuid)
  await completeVideo(kinora, ann, kept.data.uuid)
  assert.deepEqual((await balance(ann)).data, { ...noCredits, available: 44, used: 16, total: 60 })
})

test('200: several packages → consumed by expiry, first to expire first', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 20, 300)
  await kinora.grant(ann, 20, 3)
  assert.equal((await balance(ann)).data.expiringSoon, 20)
  await kinora.generate(ann)
  assert.deepEqual((await balance(ann)).data, { ...noCredits, available: 24, frozen: 16, total: 40, expiringSoon: 4 })
})

test('200: expiringSoon → remaining credits that expire within 7 days', async () => {
  const ann = await kinora.person({ credits: 0 })
  const now = new Date('2030-01-01T00:00:00Z')
  await at(now, () => kinora.grant(ann, 5, 7))
  await at(now, () => kinora.grant(ann, 7, 8))
  const session = await kinora.app
    .sql`update public."session" set "expiresAt" = '2031-01-01' where token = public.stored_token(${ann.token})`
  assert.equal(session.count, 1)
  const soonAt = (ms: number) => at(new Date(now.getTime() + ms), async () => (await balance(ann)).data.expiringSoon)
  assert.equal(await soonAt(-1), 0)
  assert.equal(await soonAt(0), 5)
  assert.equal(await soonAt(DAY_MS - 1), 5)
  assert.equal(await soonAt(DAY_MS), 12)
  assert.equal(await soonAt(7 * DAY_MS), 7)
})

test('200: credits at their expiry → not available from that millisecond, without a sweep', async () => {
  const ann = await kinora.person({ credits: 0 })
  const granted = new Date()
  await at(granted, () => kinora.grant(ann, 60, 1))
  const expiry = granted.getTime() + DAY_MS
  const before = await at(new Date(expiry - 1), () => balance(ann))
  assert.deepEqual(before.data, { ...noCredits, available: 60, total: 60, expiringSoon: 60 })
  const after = await at(new Date(expiry), () => balance(ann))
  assert.deepEqual(after.data, { ...noCredits, total: 60, expired: 60 })
})

test('200: frozen credits past their expiry → kept; after release valid for 24 hours', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 16, 1)
  const { data } = await kinora.generate(ann, { prompt: '[fail: no]' })
  kinora.turnClock(DAY_MS)
  assert.deepEqual((await balance(ann)).data, { ...noCredits, frozen: 16, total: 16 })
  await kinora.finish(ann, data.uuid)
  assert.deepEqual((await balance(ann)).data, { ...noCredits, available: 16, total: 16, expiringSoon: 16 })
  kinora.turnClock(DAY_MS)
  assert.deepEqual((await balance(ann)).data, { ...noCredits, total: 16, expired: 16 })
  kinora.turnClock(-2 * DAY_MS)
})

test('401: no credential → refused', async () => {
  const { status, error } = await kinora.call('GET', '/api/v1/credit/balance')
  assert.equal(status, 401)
  assert.equal(error?.code, 'UNAUTHENTICATED')
})
