// slow
/** `GET /api/v1/video/task`: status and progress, for polling. Invariant: progress never falls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyModel } from '../../src/catalogue/catalogue.ts'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })

/** What is null while nothing is known. */
const unknown = { failure: null, estimatedSeconds: null, queuePosition: null }

type Task = { uuid: string; status: string; progress: number; error: string | null }
const poll = async (as: Person, uuid: string): Promise<Task> =>
  (await kinora.call<Task>('GET', `/api/v1/video/task?uuid=${uuid}`, { as })).data

/** Polls after every move of the clock and every step of a worker, until the video is final. */
async function watch(as: Person, uuid: string): Promise<Task[]> {
  const seen = [await poll(as, uuid)]
  await kinora.workUntil(async () => {
    kinora.turnClock(300)
    seen.push(await poll(as, uuid))
    return ['COMPLETED', 'FAILED'].includes(seen.at(-1)?.status ?? '')
  })
  return seen
}

const order = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED']
const ranges: Record<string, [min: number, max: number]> = {
  PENDING: [0, 0],
  GENERATING: [0, 95],
  UPLOADING: [96, 99],
  COMPLETED: [100, 100],
  FAILED: [0, 99],
}

function assertNeverFalls(seen: Task[]): void {
  for (const [index, { status, progress }] of seen.entries()) {
    const before = seen[index - 1] ?? { status: 'PENDING', progress: 0 }
    assert.ok(progress >= before.progress, `${before.status} ${before.progress} to ${status} ${progress}`)
    assert.ok(order.indexOf(status) >= order.indexOf(before.status))
    const [min, max] = ranges[status] ?? [0, 0]
    assert.ok(Number.isInteger(progress) && progress >= min && progress <= max, `${status} ${progress}`)
  }
}

for (const model of ['delta-1-5', 'alpha-2']) {
  test(`200: video of ${model} until COMPLETED → progress rises from 0 to 100 and never falls`, async () => {
    const ann = await kinora.person()
    const { data } = await kinora.generate(ann, { model, prompt: '[slow: 3s]' })
    const created = { uuid: data.uuid, status: 'PENDING', progress: 0, error: null }
    const estimatedSeconds = everyModel().get(model)?.usualSeconds
    assert.deepEqual(await poll(ann, data.uuid), { ...unknown, ...created, estimatedSeconds })
    const seen = await watch(ann, data.uuid)
    assertNeverFalls(seen)
    assert.deepEqual(seen.at(-1), { ...unknown, uuid: data.uuid, status: 'COMPLETED', progress: 100, error: null })
    assert.ok(seen.some(({ status, progress }) => status === 'GENERATING' && progress > 0))
  })
}

test('200: FAILED video → keeps its last progress, with the error', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[slow: 3s] [fail: the boat sank]' })
  const seen = await watch(ann, data.uuid)
  assertNeverFalls(seen)
  const [last, end] = seen.slice(-2)
  assert.equal(end?.status, 'FAILED')
  assert.equal(end?.error, 'the boat sank')
  assert.ok((end?.progress ?? 0) > 0 && (end?.progress ?? 0) >= (last?.progress ?? 0))
  kinora.turnClock(3600_000)
  assert.deepEqual(await poll(ann, data.uuid), end)
})

test('200: estimated progress → rises with time; a lower report does not reduce it', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[silent]', model: 'alpha-2' })
  await kinora.workUntil(async () => (await poll(ann, data.uuid)).status === 'GENERATING')
  const report = async (progress: number) => {
    const reference = { userId: ann.userId, videoId: data.uuid }
    const url = callbackUrl(kinora.app.config, 'provider-a', reference).slice(kinora.url.length)
    const { status } = await kinora.call('POST', url, { body: { status: 'processing', progress } })
    assert.equal(status, 200)
    return (await poll(ann, data.uuid)).progress
  }
  // alpha-2 usually takes 90 s, so the estimate is at half after 45 s.
  kinora.turnClock(45_000)
  const estimated = (await poll(ann, data.uuid)).progress
  assert.ok(estimated >= 47 && estimated <= 60, String(estimated))
  assert.ok((await report(10)) >= estimated)
  assert.equal(await report(80), 80)
  assert.equal(await report(30), 80)
  assert.equal(await report(100), 95)
  kinora.turnClock(-3600_000)
  assert.equal((await poll(ann, data.uuid)).progress, 95)
  kinora.turnClock(3600_000)
})

test('200: no report from the provider → the estimate stops at 95', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[silent]', model: 'alpha-2' })
  await kinora.workUntil(async () => (await poll(ann, data.uuid)).status === 'GENERATING')
  kinora.turnClock(1000_000)
  assert.equal((await poll(ann, data.uuid)).progress, 95)
})

test('200: UPLOADING → progress from 96 to 99, regardless of its duration', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[gone]', model: 'alpha-2' })
  await kinora.workUntil(async () => (await poll(ann, data.uuid)).status === 'UPLOADING')
  const first = (await poll(ann, data.uuid)).progress
  assert.ok(first >= 96 && first <= 99)
  kinora.turnClock(600_000)
  await workOnce(kinora.app)
  const task = { uuid: data.uuid, status: 'UPLOADING', progress: 99, error: null }
  assert.deepEqual(await poll(ann, data.uuid), { ...unknown, ...task })
})

test('400: missing uuid → refused', async () => {
  const { status, error } = await kinora.call('GET', '/api/v1/video/task', { as: await kinora.person() })
  assert.equal(status, 400)
  assert.deepEqual(error?.details, [{ path: 'uuid', message: 'is missing' }])
})

test('404: unknown, another user’s or malformed uuid → the same response (IDOR)', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const { data } = await kinora.generate(ann)
  for (const uuid of ['01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50', data.uuid, 'boat', '', '%00']) {
    const { status, error } = await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: bob })
    assert.equal(status, 404, uuid)
    assert.equal(error?.code, 'NOT_FOUND')
  }
})

test('401: no credential → refused', async () => {
  for (const query of ['', '?uuid=01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50']) {
    assert.equal((await kinora.call('GET', `/api/v1/video/task${query}`)).status, 401)
  }
})
