/**
 * The way from GENERATING to a final status: polling, the deadline, and reports that arrive late, twice or in
 * contradiction. The first final status wins; credits move with it and never again.
 */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openProviders } from '../../src/provider/open.ts'
import { runStep } from '../../src/video/lifecycle.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora, type Person } from '../support/harness.ts'
import {
  accepted,
  type Reply,
  refusal,
  running,
  startScriptedProvider,
  taskIdOf,
} from '../support/scripted-provider.ts'
import {
  advanceClockTo,
  claimVideo,
  logOf,
  readRow,
  runNextStep,
  runUntilFinal,
  waitFor,
} from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
const { app } = kinora
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

/** Creates a video that its provider has accepted. */
async function createGeneratingVideo(): Promise<{ ann: Person; uuid: string; taskId: string }> {
  const ann = await kinora.person({ credits: 24 })
  const created = await kinora.generate(ann, { model: 'alpha-2' })
  await workOnce(app)
  const [submit] = provider.submits
  return { ann, uuid: created.data.uuid, taskId: submit ? taskIdOf(submit) : '' }
}
const creditsOf = async (ann: Person) => {
  const { available, frozen, used } = await kinora.balance(ann)
  return { available, frozen, used }
}
const paid = { available: 0, frozen: 0, used: 24 }
const released = { available: 24, frozen: 0, used: 0 }
const completed = (id: string): Reply => ({
  status: 200,
  body: { id, status: 'completed', results: [provider.filmUrl] },
})
const taskOf = async (ann: Person, uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })).data
const deadlineOf = async (uuid: string) => (await readRow(kinora, uuid)).deadlineAt
const callBack = (report: Parameters<typeof provider.callBack>[1]) => provider.callBack(provider.submits[0], report)

test('polling: the provider reports running → polled after 3 s, then with backoff up to 60 s, last at the deadline', async () => {
  kinora.holdClock()
  const { uuid } = await createGeneratingVideo()
  const pollTimesS: number[] = []
  const { acceptedAt, deadlineAt } = await readRow(kinora, uuid)
  provider.onAsk = (_name, taskId) => {
    pollTimesS.push((app.now().getTime() - (acceptedAt?.getTime() ?? 0)) / 1000)
    return running(taskId)
  }
  await runUntilFinal(kinora, uuid)
  const delaysS = pollTimesS.map((timeS, n) => timeS - (pollTimesS[n - 1] ?? 0))
  assert.deepEqual(delaysS.slice(0, 3).map(Math.round), [3, 3, 4])
  assert.ok(
    delaysS.every(
      (delayS, n) => delayS < 62 && (n === 0 || n === delaysS.length - 1 || delayS > (delaysS[n - 1] ?? 0) - 1),
    ),
  )
  assert.equal(
    Math.round(pollTimesS.at(-1) ?? 0),
    Math.round((deadlineAt.getTime() - (acceptedAt?.getTime() ?? 0)) / 1000),
  )
})

test('polling: the callback was lost → COMPLETED and paid', async () => {
  const { ann, uuid } = await createGeneratingVideo()
  provider.onAsk = (_name, taskId) => completed(taskId)
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await creditsOf(ann), paid)
  const detail = await kinora.call<Record<string, unknown>>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.equal(detail.data.provider, 'provider-a')
  assert.equal(detail.data.resolution, '360p')
})

test('polling: completed without a film, with a reason → FAILED at once with it, credits released', async () => {
  const { ann, uuid } = await createGeneratingVideo()
  provider.onAsk = (_name, id) => ({
    status: 200,
    body: { id, status: 'completed', results: [], error: { message: 'Too dark.' } },
  })
  const { status, error } = await runNextStep(kinora, uuid)
  assert.deepEqual([status, error], ['FAILED', 'Too dark.'])
  assert.deepEqual(await creditsOf(ann), released)
})

test('polling: completed without a film or a reason → polled for 30 s, then FAILED and credits released', async () => {
  kinora.holdClock()
  const { ann, uuid } = await createGeneratingVideo()
  const { acceptedAt } = await readRow(kinora, uuid)
  let polls = 0
  provider.onAsk = (_name, id) => {
    polls++
    return { status: 200, body: { id, status: 'completed', results: [] } }
  }
  const { status, error } = await runUntilFinal(kinora, uuid)
  assert.deepEqual([status, error], ['FAILED', 'The provider finished without a film.'])
  assert.equal(polls, 4)
  assert.equal(Math.round((app.now().getTime() - (acceptedAt?.getTime() ?? 0)) / 1000), 33)
  assert.deepEqual(await logOf(kinora, uuid), ['accepted', 'finished without a film', 'failed'])
  assert.deepEqual(await creditsOf(ann), released)
})

test('polling: completed without a film, running again, then with one → COMPLETED and paid', async () => {
  const { ann, uuid } = await createGeneratingVideo()
  const empty = (id: string): Reply => ({ status: 200, body: { id, status: 'completed' } })
  const replies = [empty, empty, running, empty, empty, empty, completed]
  provider.onAsk = (_name, id) => (replies.shift() ?? completed)(id)
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await creditsOf(ann), paid)
})

test('deadline: the last poll reports completed → COMPLETED and paid', async () => {
  const { ann, uuid } = await createGeneratingVideo()
  advanceClockTo(kinora, await deadlineOf(uuid))
  provider.onAsk = (_name, taskId) => completed(taskId)
  await workOnce(app)
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await creditsOf(ann), paid)
})

const unfinishedReplies: [string, Reply][] = [
  ['"still running"', running('t', 60)],
  ['status 500', { status: 500, body: {} }],
  ['status 404', { status: 404, body: {} }],
  ['a connection reset', 'reset'],
  ['a malformed body', { status: 200, body: [] }],
]
for (const [name, reply] of unfinishedReplies) {
  test(`deadline: the last poll yields ${name} → FAILED and credits released, progress unchanged`, async () => {
    const { ann, uuid } = await createGeneratingVideo()
    advanceClockTo(kinora, await deadlineOf(uuid))
    const before = await taskOf(ann, uuid)
    provider.onAsk = () => reply
    await workOnce(app)
    const after = await taskOf(ann, uuid)
    assert.deepEqual([after.status, after.error], ['FAILED', 'The provider did not finish the film in time.'])
    assert.equal(after.progress, before.progress)
    assert.deepEqual(await creditsOf(ann), released)
  })
}

test('200: reports after the deadline → still FAILED, a result is logged and not charged', async () => {
  const { ann, uuid, taskId } = await createGeneratingVideo()
  advanceClockTo(kinora, await deadlineOf(uuid))
  await workOnce(app)
  assert.equal(await callBack({ taskId, videoUrl: provider.filmUrl }), 200)
  assert.equal(await callBack({ taskId, error: 'Too dark.' }), 200)
  assert.equal(await callBack({ taskId }), 200)
  const { status, error, dueAt } = await readRow(kinora, uuid)
  assert.deepEqual([status, error, dueAt], ['FAILED', 'The provider did not finish the film in time.', null])
  assert.deepEqual(await logOf(kinora, uuid), ['accepted', 'failed', 'late result'])
  assert.deepEqual(await creditsOf(ann), released)
  assert.equal(provider.fetches, 0)
})

test('200: the same late result 5 times → logged once', async () => {
  const { uuid, taskId } = await createGeneratingVideo()
  await callBack({ taskId, error: 'Too dark.' })
  for (let n = 0; n < 5; n++) await callBack({ taskId, videoUrl: provider.filmUrl })
  assert.deepEqual(await logOf(kinora, uuid), ['accepted', 'failed', 'late result'])
})

test('200: failed, then completed → stays FAILED', async () => {
  const { ann, uuid, taskId } = await createGeneratingVideo()
  assert.equal(await callBack({ taskId, error: 'Too dark.' }), 200)
  assert.equal(await callBack({ taskId, videoUrl: provider.filmUrl }), 200)
  const { status, error } = await runUntilFinal(kinora, uuid)
  assert.deepEqual([status, error], ['FAILED', 'Too dark.'])
  assert.deepEqual(await creditsOf(ann), released)
})

test('200: completed and failed in turn, twice each → COMPLETED, the contradiction is logged once', async () => {
  const { ann, uuid, taskId } = await createGeneratingVideo()
  for (const report of [
    { videoUrl: provider.filmUrl },
    { error: 'No.' },
    { videoUrl: provider.filmUrl },
    { error: 'No.' },
  ]) {
    assert.equal(await callBack({ taskId, ...report }), 200)
  }
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.equal(await callBack({ taskId, error: 'No.' }), 200)
  assert.deepEqual(await logOf(kinora, uuid), ['accepted', 'result', 'contradicted', 'completed'])
  assert.deepEqual(await creditsOf(ann), paid)
})

test('409: the taskId of another task → no change', async () => {
  const { uuid } = await createGeneratingVideo()
  const before = await readRow(kinora, uuid)
  assert.equal(await callBack({ taskId: 'another-task', videoUrl: provider.filmUrl }), 409)
  assert.equal(await callBack({ taskId: 'another-task', error: 'No.' }), 409)
  assert.equal(await callBack({ taskId: 'another-task' }), 409)
  assert.deepEqual(await readRow(kinora, uuid), before)
})

test('409: a callback from a provider that did not accept the task → no change', async () => {
  provider.onSubmit = (submit) => (submit.provider === 'provider-a' ? refusal(402) : accepted(submit, taskIdOf(submit)))
  const { uuid } = await createGeneratingVideo()
  await workOnce(app)
  const before = await readRow(kinora, uuid)
  assert.deepEqual([before.status, before.provider], ['GENERATING', 'provider-b'])
  assert.equal(await callBack({ videoUrl: provider.filmUrl }), 409)
  assert.equal(await callBack({ error: 'No.' }), 409)
  assert.deepEqual(await readRow(kinora, uuid), before)
})

test('polling: a result callback arrives during the poll → the poll’s reply is ignored, collected once', async () => {
  const { ann, uuid, taskId } = await createGeneratingVideo()
  const pollReply = Promise.withResolvers<void>()
  let isPolled = false
  provider.onAsk = async () => {
    isPolled = true
    await pollReply.promise
    return running(taskId, 50)
  }
  advanceClockTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  const polling = workOnce(app)
  await waitFor('the poll', () => isPolled)
  assert.equal(await callBack({ taskId, videoUrl: provider.filmUrl }), 200)
  pollReply.resolve()
  await polling
  assert.equal((await readRow(kinora, uuid)).status, 'UPLOADING')
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await creditsOf(ann), paid)
  assert.equal(provider.fetches, 1)
})

test('deadline: a result callback arrives around the last poll → the first to be recorded wins', async () => {
  for (const first of ['worker', 'provider']) {
    provider.reset()
    const { ann, uuid, taskId } = await createGeneratingVideo()
    advanceClockTo(kinora, await deadlineOf(uuid))
    provider.onAsk = async () => {
      if (first === 'provider') await callBack({ taskId, videoUrl: provider.filmUrl })
      return running(taskId)
    }
    await workOnce(app)
    if (first === 'worker') await callBack({ taskId, videoUrl: provider.filmUrl })
    const { status } = await runUntilFinal(kinora, uuid)
    assert.equal(status, first === 'provider' ? 'COMPLETED' : 'FAILED')
    assert.deepEqual(await creditsOf(ann), first === 'provider' ? paid : released)
  }
})

test('deadline: the last poll is aborted by a shutdown → the lease is handed back, not FAILED', async () => {
  const { ann, uuid } = await createGeneratingVideo()
  advanceClockTo(kinora, await deadlineOf(uuid))
  const lease = '0199aaaa-0000-4000-8000-000000000001'
  const shutdown = new AbortController()
  provider.onAsk = () => {
    shutdown.abort()
    return 'silence'
  }
  const video = await claimVideo(kinora, ann.userId, uuid, lease)
  await runStep(app, { video: video ?? assert.fail(), lease, signal: shutdown.signal })
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'GENERATING')
  assert.ok(row.dueAt && row.dueAt <= app.now())
})

test('deadline: the provider is no longer configured → FAILED and credits released', async () => {
  const { ann, uuid } = await createGeneratingVideo()
  const configured = app.providers
  app.providers = openProviders({})
  const { status } = await runUntilFinal(kinora, uuid)
  app.providers = configured
  assert.equal(status, 'FAILED')
  assert.deepEqual(await creditsOf(ann), released)
})

test('progress: reports of 30, 10, 200, -5, 90, null and 50 → never falls, at most 95 while GENERATING', async () => {
  kinora.holdClock()
  const { ann, uuid, taskId } = await createGeneratingVideo()
  let last = 0
  for (const reported of [30, 10, 200, -5, 90, null, 50]) {
    provider.onAsk = () => ({ status: 200, body: { id: taskId, status: 'processing', progress: reported } })
    await runNextStep(kinora, uuid)
    const { progress } = await taskOf(ann, uuid)
    assert.ok(Number(progress) >= last && Number(progress) <= 95, `${progress} after ${last}`)
    last = Number(progress)
  }
  await callBack({ taskId, videoUrl: provider.filmUrl })
  assert.equal((await taskOf(ann, uuid)).progress, 96)
  await runUntilFinal(kinora, uuid)
  assert.equal((await taskOf(ann, uuid)).progress, 100)
})
