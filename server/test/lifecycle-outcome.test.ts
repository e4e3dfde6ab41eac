/**
 * GENERATING to the end: polling, the deadline, words that come late, twice or against each other. The first final state
 * wins; credits move with it and never again.
 */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { runStep } from '../src/video/lifecycle.ts'
import { workOnce } from '../src/worker.ts'
import { openKinora, type Person } from './harness.ts'
import { accepted, type Reply, refusal, running, startScriptedProvider, taskIdOf } from './scripted-provider.ts'
import { claimVideo, eventsOf, liveToTheEnd, nextStep, readRow, turnTo, waitFor } from './video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
const { app } = kinora
after(() => provider.close())
beforeEach(() => provider.reset())

/** A video that a provider has accepted. */
async function begin(): Promise<{ ann: Person; uuid: string; taskId: string }> {
  const ann = await kinora.person({ credits: 24 })
  const made = await kinora.generate(ann, { model: 'alpha-2' })
  await workOnce(app)
  const [submit] = provider.submits
  return { ann, uuid: made.data.uuid, taskId: submit ? taskIdOf(submit) : '' }
}
const booksOf = async (ann: Person) => {
  const { available, frozen, used } = await kinora.balance(ann)
  return { available, frozen, used }
}
const paid = { available: 0, frozen: 0, used: 24 }
const givenBack = { available: 24, frozen: 0, used: 0 }
const completed = (id: string): Reply => ({
  status: 200,
  body: { id, status: 'completed', results: [provider.filmUrl] },
})
const taskOf = async (ann: Person, uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })).data
const deadlineOf = async (uuid: string) => (await readRow(kinora, uuid)).deadlineAt
const callBack = (report: Parameters<typeof provider.callBack>[1]) => provider.callBack(provider.submits[0], report)

test('asked after 3 s, then ever more slowly, a minute at the most, and at the deadline', async () => {
  kinora.holdClock()
  const { uuid } = await begin()
  const moments: number[] = []
  const { acceptedAt, deadlineAt } = await readRow(kinora, uuid)
  provider.onAsk = (_name, taskId) => {
    moments.push((app.now().getTime() - (acceptedAt?.getTime() ?? 0)) / 1000)
    return running(taskId)
  }
  await liveToTheEnd(kinora, uuid)
  const pauses = moments.map((moment, n) => moment - (moments[n - 1] ?? 0))
  assert.deepEqual(pauses.slice(0, 3).map(Math.round), [3, 3, 4])
  assert.ok(
    pauses.every((pause, n) => pause < 62 && (n === 0 || n === pauses.length - 1 || pause > (pauses[n - 1] ?? 0) - 1)),
  )
  assert.equal(
    Math.round(moments.at(-1) ?? 0),
    Math.round((deadlineAt.getTime() - (acceptedAt?.getTime() ?? 0)) / 1000),
  )
})

test('a lost callback is found by asking', async () => {
  const { ann, uuid } = await begin()
  provider.onAsk = (_name, taskId) => completed(taskId)
  assert.equal((await liveToTheEnd(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await booksOf(ann), paid)
  const detail = await kinora.call<Record<string, unknown>>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.equal(detail.data.provider, 'provider-a')
  assert.equal(detail.data.resolution, '180p')
})

test('at the deadline it is asked once more: completed just in time is a film', async () => {
  const { ann, uuid } = await begin()
  turnTo(kinora, await deadlineOf(uuid))
  provider.onAsk = (_name, taskId) => completed(taskId)
  await workOnce(app)
  assert.equal((await liveToTheEnd(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await booksOf(ann), paid)
})

const noAnswers: [string, Reply][] = [
  ['still running', running('t', 60)],
  ['500', { status: 500, body: {} }],
  ['404', { status: 404, body: {} }],
  ['a reset', 'reset'],
  ['nonsense', { status: 200, body: [] }],
]
for (const [name, reply] of noAnswers) {
  test(`at the deadline "${name}" is the end: FAILED, released, the progress kept`, async () => {
    const { ann, uuid } = await begin()
    turnTo(kinora, await deadlineOf(uuid))
    const before = await taskOf(ann, uuid)
    provider.onAsk = () => reply
    await workOnce(app)
    const after = await taskOf(ann, uuid)
    assert.deepEqual([after.status, after.error], ['FAILED', 'The provider did not finish the film in time.'])
    assert.equal(after.progress, before.progress)
    assert.deepEqual(await booksOf(ann), givenBack)
  })
}

test('a success after the deadline is recorded and never charged; a failure after it is nothing new', async () => {
  const { ann, uuid, taskId } = await begin()
  turnTo(kinora, await deadlineOf(uuid))
  await workOnce(app)
  assert.equal(await callBack({ taskId, videoUrl: provider.filmUrl }), 200)
  assert.equal(await callBack({ taskId, error: 'Too dark.' }), 200)
  assert.equal(await callBack({ taskId }), 200)
  const { status, error, dueAt } = await readRow(kinora, uuid)
  assert.deepEqual([status, error, dueAt], ['FAILED', 'The provider did not finish the film in time.', null])
  assert.deepEqual(await eventsOf(kinora, uuid), ['accepted', 'failed', 'late result'])
  assert.deepEqual(await booksOf(ann), givenBack)
  assert.equal(provider.fetches, 0)
})

test('a late success that is sent again and again is noted once', async () => {
  const { uuid, taskId } = await begin()
  await callBack({ taskId, error: 'Too dark.' })
  for (let n = 0; n < 5; n++) await callBack({ taskId, videoUrl: provider.filmUrl })
  assert.deepEqual(await eventsOf(kinora, uuid), ['accepted', 'failed', 'late result'])
})

test('failed, then completed: FAILED stays', async () => {
  const { ann, uuid, taskId } = await begin()
  assert.equal(await callBack({ taskId, error: 'Too dark.' }), 200)
  assert.equal(await callBack({ taskId, videoUrl: provider.filmUrl }), 200)
  const { status, error } = await liveToTheEnd(kinora, uuid)
  assert.deepEqual([status, error], ['FAILED', 'Too dark.'])
  assert.deepEqual(await booksOf(ann), givenBack)
})

test('completed, then failed, twice each: the film decides', async () => {
  const { ann, uuid, taskId } = await begin()
  for (const report of [
    { videoUrl: provider.filmUrl },
    { error: 'No.' },
    { videoUrl: provider.filmUrl },
    { error: 'No.' },
  ]) {
    assert.equal(await callBack({ taskId, ...report }), 200)
  }
  assert.equal((await liveToTheEnd(kinora, uuid)).status, 'COMPLETED')
  assert.equal(await callBack({ taskId, error: 'No.' }), 200)
  assert.deepEqual(await eventsOf(kinora, uuid), ['accepted', 'result', 'contradicted', 'completed'])
  assert.deepEqual(await booksOf(ann), paid)
})

test('another task: 409, and nothing is changed', async () => {
  const { uuid } = await begin()
  const before = await readRow(kinora, uuid)
  assert.equal(await callBack({ taskId: 'someone-elses', videoUrl: provider.filmUrl }), 409)
  assert.equal(await callBack({ taskId: 'someone-elses', error: 'No.' }), 409)
  assert.equal(await callBack({ taskId: 'someone-elses' }), 409)
  assert.deepEqual(await readRow(kinora, uuid), before)
})

test('the provider that declined, heard of after all: 409, and nothing is changed', async () => {
  provider.onSubmit = (submit) => (submit.provider === 'provider-a' ? refusal(402) : accepted(submit, taskIdOf(submit)))
  const { uuid } = await begin()
  await workOnce(app)
  const before = await readRow(kinora, uuid)
  assert.deepEqual([before.status, before.provider], ['GENERATING', 'provider-b'])
  assert.equal(await callBack({ videoUrl: provider.filmUrl }), 409)
  assert.equal(await callBack({ error: 'No.' }), 409)
  assert.deepEqual(await readRow(kinora, uuid), before)
})

test('a callback while a worker asks: its answer changes nothing, the film is collected once', async () => {
  const { ann, uuid, taskId } = await begin()
  const answer = Promise.withResolvers<void>()
  let asked = false
  provider.onAsk = async () => {
    asked = true
    await answer.promise
    return running(taskId, 50)
  }
  turnTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  const asking = workOnce(app)
  await waitFor('the question', () => asked)
  assert.equal(await callBack({ taskId, videoUrl: provider.filmUrl }), 200)
  answer.resolve()
  await asking
  assert.equal((await readRow(kinora, uuid)).status, 'UPLOADING')
  assert.equal((await liveToTheEnd(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await booksOf(ann), paid)
  assert.equal(provider.fetches, 1)
})

test('a callback while a worker gives up at the deadline: whichever is first, and only that', async () => {
  for (const first of ['worker', 'provider']) {
    provider.reset()
    const { ann, uuid, taskId } = await begin()
    turnTo(kinora, await deadlineOf(uuid))
    provider.onAsk = async () => {
      if (first === 'provider') await callBack({ taskId, videoUrl: provider.filmUrl })
      return running(taskId)
    }
    await workOnce(app)
    if (first === 'worker') await callBack({ taskId, videoUrl: provider.filmUrl })
    const { status } = await liveToTheEnd(kinora, uuid)
    assert.equal(status, first === 'provider' ? 'COMPLETED' : 'FAILED')
    assert.deepEqual(await booksOf(ann), first === 'provider' ? paid : givenBack)
  }
})

test('an interrupted question is no answer: at the deadline the video is handed back, not failed', async () => {
  const { ann, uuid } = await begin()
  turnTo(kinora, await deadlineOf(uuid))
  const lease = '0199aaaa-0000-4000-8000-000000000001'
  const interrupt = new AbortController()
  provider.onAsk = () => {
    interrupt.abort()
    return 'silence'
  }
  const video = await claimVideo(kinora, ann.userId, uuid, lease)
  await runStep(app, { video: video ?? assert.fail(), lease, signal: interrupt.signal })
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'GENERATING')
  assert.ok(row.dueAt && row.dueAt <= app.now())
})

test('a provider that has lost its settings: FAILED at the deadline, not for ever in progress', async () => {
  const { ann, uuid } = await begin()
  const gone = app.providers.get('provider-a')
  app.providers.delete('provider-a')
  const { status } = await liveToTheEnd(kinora, uuid)
  if (gone) app.providers.set('provider-a', gone)
  assert.equal(status, 'FAILED')
  assert.deepEqual(await booksOf(ann), givenBack)
})

test('progress never falls, whatever is reported', async () => {
  kinora.holdClock()
  const { ann, uuid, taskId } = await begin()
  let last = 0
  for (const reported of [30, 10, 200, -5, 90, null, 50]) {
    provider.onAsk = () => ({ status: 200, body: { id: taskId, status: 'processing', progress: reported } })
    await nextStep(kinora, uuid)
    const { progress } = await taskOf(ann, uuid)
    assert.ok(Number(progress) >= last && Number(progress) <= 95, `${progress} after ${last}`)
    last = Number(progress)
  }
  await callBack({ taskId, videoUrl: provider.filmUrl })
  assert.equal((await taskOf(ann, uuid)).progress, 96)
  await liveToTheEnd(kinora, uuid)
  assert.equal((await taskOf(ann, uuid)).progress, 100)
})
