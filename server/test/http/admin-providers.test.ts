/** `GET /api/v1/admin/providers`: health of the AI providers, computed from the log of videos. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app
const DAY_MS = 86_400_000
let day = 0
// Each test has a day of its own, because the outcomes of all users in the last one are counted.
beforeEach(() => {
  day += 2
  kinora.turnClock(day * DAY_MS)
})

type Provider = {
  id: string
  configured: boolean
  models: string[]
  inProgress: number
  waiting: number
  succeeded: number
  failed: number
  refused: number
  failureShare: number | null
  medianSeconds: number | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
  lastFailureReason: string | null
}
type Answer = { providers: Provider[]; windowSeconds: number; checkedAt: string }

async function providers(): Promise<Answer & { a: Provider; b: Provider }> {
  const { status, data, text } = await kinora.call<Answer>('GET', '/api/v1/admin/providers', { as: root })
  assert.equal(status, 200, text)
  const [a, b] = data.providers
  assert.ok(a && b && data.providers.length === 2)
  return { ...data, a, b }
}

const log = (by: Person, videoId: string, entry: string, detail: string) => sql`
  insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
  values (${by.userId}, ${videoId}, gen_random_uuid(), ${entry}, ${detail}, ${kinora.app.now()})
`

test('200: no tasks → zeros and nulls', async () => {
  const { a, b, windowSeconds } = await providers()
  assert.equal(windowSeconds, 3600)
  assert.deepEqual([a.id, b.id], ['provider-a', 'provider-b'])
  assert.ok(b.models.includes('delta-1-5') && a.configured && b.configured)
  for (const { id: _, configured: __, models: ___, ...rest } of [a, b]) {
    assert.deepEqual(rest, {
      off: null,
      balance: null,
      failingModels: [],
      inProgress: 0,
      waiting: 0,
      succeeded: 0,
      failed: 0,
      refused: 0,
      failureShare: null,
      medianSeconds: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailureReason: null,
    })
  }
})

test('200: succeeded, failed and refused tasks → counted per provider, with the last failure’s reason', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const run = async (prompt: string) => {
    const { data } = await kinora.generate(ann, { prompt })
    await kinora.finish(ann, data.uuid)
    return data.uuid
  }
  const good = [await run('a boat'), await run('a ship')]
  await run('[fail: the render farm is on fire]')
  await run('[refuse]')
  const { a, b } = await providers()
  assert.deepEqual([b.succeeded, b.failed, b.refused, b.failureShare], [2, 1, 1, 0.333])
  assert.deepEqual([a.succeeded, a.failed, a.refused], [0, 0, 0])
  assert.equal(b.lastFailureReason, 'the render farm is on fire')
  const rows = await sql<{ seconds: number; completedAt: Date }[]>`
    select round(extract(epoch from result_at - accepted_at), 1)::float8 as seconds, completed_at from kinora.video where id = any(${good})
  `
  // The median of tenths of a second, in tenths itself.
  assert.equal(b.medianSeconds, Math.round((rows.reduce((sum, { seconds }) => sum + seconds, 0) / 2) * 10) / 10)
  const last = Math.max(...rows.map(({ completedAt }) => completedAt.getTime()))
  assert.equal(Date.parse(b.lastSuccessAt ?? ''), last)
})

test('200: waiting and submitted videos → waiting and inProgress', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data } = await kinora.generate(ann, { prompt: '[slow: 4s]' })
  const waiting = (await providers()).b
  assert.deepEqual([waiting.waiting, waiting.inProgress], [1, 0])
  await kinora.workUntil(async () => (await providers()).b.inProgress === 1)
  assert.equal((await providers()).b.waiting, 0)
  await kinora.finish(ann, data.uuid)
  assert.deepEqual([(await providers()).b.waiting, (await providers()).b.inProgress], [0, 0])
})

test('200: outcomes older than an hour → only in lastSuccessAt and lastFailureAt, for a day', async () => {
  const ann = await kinora.person()
  await completedVideo(kinora, ann)
  await log(ann, randomUUID(), 'no answer', 'provider-b: reset')
  const before = (await providers()).b
  assert.deepEqual([before.succeeded, before.lastFailureReason], [1, 'reset'])
  kinora.turnClock(2 * 3600_000)
  const { succeeded, failureShare, lastSuccessAt, lastFailureReason } = (await providers()).b
  assert.deepEqual([succeeded, failureShare], [0, null])
  assert.deepEqual([lastSuccessAt, lastFailureReason], [before.lastSuccessAt, before.lastFailureReason])
  kinora.turnClock(23 * 3600_000)
  assert.equal((await providers()).b.lastSuccessAt, null)
})

test('200: submits that were not accepted until a repetition was → no failure, the last reason is shown', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data } = await kinora.generate(ann)
  for (const _ of [1, 2, 3]) await log(ann, data.uuid, 'not accepted', 'provider-b: 503: it is busy')
  kinora.turnClock(1000)
  await log(ann, data.uuid, 'no answer', 'provider-b: reset')
  await kinora.finish(ann, data.uuid)
  const { b } = await providers()
  assert.deepEqual([b.succeeded, b.failed, b.failureShare, b.lastFailureReason], [1, 0, 0, 'reset'])
})

test('200: a film that no provider took → one failure of each, however many submits there were', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data } = await kinora.generate(ann)
  for (const name of ['provider-a', 'provider-b', 'provider-a', 'provider-b']) {
    await log(ann, data.uuid, 'not accepted', `${name}: 503: it is busy`)
  }
  kinora.turnClock(3000_000)
  await kinora.finish(ann, data.uuid)
  const { a, b } = await providers()
  assert.deepEqual([a.failed, b.failed, a.failureShare, b.failureShare], [1, 1, 1, 1])
})

test('200: submits that were not accepted, and another provider → one failure of the first', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data } = await kinora.generate(ann)
  for (const _ of [1, 2]) await log(ann, data.uuid, 'not accepted', 'provider-a: 503: it is busy')
  const { a } = await providers()
  assert.deepEqual([a.failed, a.failureShare, a.lastFailureReason], [1, 1, '503: it is busy'])
  await kinora.finish(ann, data.uuid)
})

test('200: many outcomes → a shorter window', async () => {
  const ann = await kinora.person({ credits: 0 })
  await sql`
    insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
    select ${ann.userId}, gen_random_uuid(), gen_random_uuid(), 'no answer', 'provider-b: reset', ${kinora.app.now()}
    from generate_series(1, 5000)
  `
  const { windowSeconds, b } = await providers()
  assert.equal(windowSeconds, 60)
  assert.equal(b.lastFailureReason, 'reset')
})
