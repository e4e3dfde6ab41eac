/** The wire formats of both providers from a client's side. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  bodyA,
  bodyB,
  listedTask,
  listTasks,
  pollA,
  pollB,
  startReceiver,
  startSimulator,
  submitA,
  submitB,
  waitFor,
} from './harness.ts'

const keys = { PROVIDER_A_API_KEY: 'key-a', PROVIDER_B_API_KEY: 'key-b', PROVIDER_B_WEBHOOK_KEY: 'webhook-key' }
const receiver = await startReceiver()
const [plain, paced, guarded] = await Promise.all([
  startSimulator(),
  startSimulator({ SIMULATOR_PACE: '0.25' }),
  startSimulator(keys),
])

/** Shorter than any state and any step of progress at this pace: polling this often sees each of them. */
const POLL_MS = 50

/**
 * Polls without a pause until the task has ended.
 * @param sinceMs performance.now() at the submit
 * @returns isWatched: two polls were never further apart than POLL_MS
 */
async function watch<Seen>(sinceMs: number, poll: () => Promise<Seen>, isOver: (seen: Seen) => boolean) {
  const seen: Seen[] = []
  let isWatched = true
  let polledAtMs = sinceMs
  const end = await waitFor('the end of the task', async () => {
    const before = polledAtMs
    polledAtMs = performance.now()
    const now = await poll()
    // The time is from one request to the next response, because the response describes some moment in between.
    if (performance.now() - before > POLL_MS) isWatched = false
    seen.push(now)
    return isOver(now) && now
  })
  return { seen, end, isWatched }
}

/** Tries another task only when a state has passed between two polls, as on a stalled machine. */
function untilFullyWatched<Watched>(
  name: string,
  runTask: (ref: string) => Promise<Watched | false>,
): Promise<Watched> {
  let tries = 0
  return waitFor('a life that is seen whole', () => runTask(`${name}-${++tries}`))
}
function assertInOrder(seen: string[], request: string[]): void {
  assert.deepEqual(
    seen,
    request.filter((state) => seen.includes(state)),
  )
}

test('provider-a: submit → pending, processing, completed with rising progress; callback with the result', async () => {
  const runTask = async (ref: string) => {
    const sinceMs = performance.now()
    const response = await submitA(paced, { ref, receiver })
    assert.equal(response.status, 200)
    const task = await bodyA(response)
    assert.match(task.id, /^task-/)
    assert.equal(task.object, 'video.generation.task')
    assert.equal(task.status, 'pending')
    assert.equal(task.progress, 0)
    assert.equal(typeof task.task_info.estimated_time, 'number')
    const poll = () => pollA(paced, task.id)
    const { seen, end, isWatched } = await watch(sinceMs, poll, ({ status }) => status === 'completed')
    const progress = seen.map((polled) => polled.progress)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    const statuses = [...new Set(seen.map(({ status }) => status))]
    assertInOrder(statuses, ['pending', 'processing', 'completed'])
    const isComplete = statuses.length === 3 && new Set(progress).size > 5
    assert.ok(isComplete || !isWatched, `${statuses}, progress ${[...new Set(progress)]}`)
    return isComplete && { ref, task, end }
  }
  const { ref, task, end } = await untilFullyWatched('a-life', runTask)
  const results = [`${paced.url}/films/${task.id}.mp4`]
  assert.deepEqual([end.progress, end.results], [100, results])

  await waitFor('the callback', () => receiver.of(ref).length > 0)
  const [callback] = receiver.of(ref)
  assert.equal(callback?.url.pathname, '/callback/provider-a')
  assert.equal(callback.url.searchParams.get('sig'), 'secret-signature')
  assert.deepEqual(JSON.parse(callback.body), {
    taskId: task.id,
    status: 'completed',
    videoUrl: results[0],
    duration: 1,
    resolution: '854x480',
  })
})

test('provider-a: repeated Idempotency-Key → same task, submits counted', async () => {
  const first = await bodyA(await submitA(plain, { ref: 'a-again' }))
  const second = await bodyA(await submitA(plain, { ref: 'a-again' }))
  assert.equal(second.id, first.id)
  assert.equal((await listedTask(plain, first.id)).submits, 2)
})

test('provider-a: failure → error in callback and poll', async () => {
  const { id } = await bodyA(await submitA(plain, { ref: 'a-fail', prompt: 'x [fail: The lens broke]', receiver }))
  await waitFor('the callback', () => receiver.of('a-fail').length > 0)
  assert.deepEqual(JSON.parse(receiver.of('a-fail')[0]?.body ?? ''), {
    taskId: id,
    status: 'failed',
    error: 'The lens broke',
  })
  const polled = await pollA(plain, id)
  assert.equal(polled.status, 'failed')
  assert.deepEqual(polled.error, { code: 'generation_failed', message: 'The lens broke' })
})

test('provider-b: submit → every state in order, result as JSON inside a string', async () => {
  const runTask = async (ref: string) => {
    const sinceMs = performance.now()
    const submitted = await bodyB(await submitB(paced, { ref, receiver }))
    assert.deepEqual([submitted.code, submitted.msg], [200, 'success'])
    const { taskId } = submitted.data
    const poll = async () => (await pollB(paced, taskId)).data
    const { seen, end, isWatched } = await watch(sinceMs, poll, ({ state }) => state === 'success')
    const states = seen.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])
    assertInOrder(states, ['waiting', 'queuing', 'generating', 'success'])
    assert.ok(states.length === 4 || !isWatched, `${states}`)
    return states.length === 4 && { ref, taskId, end }
  }
  const { ref, taskId, end } = await untilFullyWatched('b-life', runTask)
  assert.equal(end.resultJson, JSON.stringify({ resultUrls: [`${paced.url}/films/${taskId}.mp4`] }))
  for (const time of [end.createTime, end.completeTime, end.costTime]) assert.equal(typeof time, 'number')

  await waitFor('the callback', () => receiver.of(ref).length > 0)
  assert.deepEqual(JSON.parse(receiver.of(ref)[0]?.body ?? ''), { code: 200, msg: 'success', data: end })
})

test('provider-b: failure → failMsg in callback and poll', async () => {
  const { data } = await bodyB(await submitB(plain, { ref: 'b-fail', prompt: 'x [fail: No light]', receiver }))
  const { taskId } = data
  await waitFor('the callback', () => receiver.of('b-fail').length > 0)
  const polled = (await pollB(plain, taskId)).data
  assert.deepEqual([polled.state, polled.failMsg, polled.resultJson], ['fail', 'No light', ''])
  assert.deepEqual(JSON.parse(receiver.of('b-fail')[0]?.body ?? '').data, polled)
})

test('provider-b: odd model family → data.info, and code 501 for a failure', async () => {
  const model = 'delta-1-5'
  const good = await bodyB(await submitB(plain, { ref: 'b-odd', model, receiver }))
  const bad = await bodyB(await submitB(plain, { ref: 'b-odd-bad', model, prompt: '[fail: Too odd]', receiver }))
  await waitFor('both callbacks', () => receiver.of('b-odd').length + receiver.of('b-odd-bad').length === 2)
  const { taskId } = good.data
  const url = `${plain.url}/films/${taskId}.mp4`
  const body = JSON.parse(receiver.of('b-odd')[0]?.body ?? '')
  assert.deepEqual(body, { code: 200, msg: 'success', data: { taskId, info: { resultUrls: [url] } } })
  assert.deepEqual((await pollB(plain, taskId)).data, { taskId, info: { resultUrls: url } })
  const failure = { code: 501, msg: 'Too odd', data: bad.data }
  assert.deepEqual(JSON.parse(receiver.of('b-odd-bad')[0]?.body ?? ''), failure)
  assert.deepEqual(await pollB(plain, bad.data.taskId), failure)
})

test('provider-b: callback → signed if and only if there is a webhook key', async () => {
  const { data } = await bodyB(await submitB(guarded, { ref: 'b-signed', key: 'key-b', receiver }))
  await submitB(plain, { ref: 'b-unsigned', receiver })
  await waitFor('both callbacks', () => receiver.of('b-signed').length + receiver.of('b-unsigned').length === 2)
  const headers = receiver.of('b-signed')[0]?.headers ?? {}
  const signed = `${data.taskId}.${String(headers['x-webhook-timestamp'])}`
  const expected = createHmac('sha256', 'webhook-key').update(signed).digest('base64')
  assert.equal(headers['x-webhook-signature'], expected)
  assert.equal(receiver.of('b-unsigned')[0]?.headers['x-webhook-signature'], undefined)
})

test('401: wrong or missing key → error in the format of each provider', async () => {
  for (const key of ['wrong', '']) {
    const a = await submitA(guarded, { ref: 'a-401', key })
    assert.equal(a.status, 401)
    assert.equal((await bodyA(a)).error.type, 'authentication_error')
    const b = await submitB(guarded, { ref: 'b-401', key })
    assert.deepEqual([b.status, (await bodyB(b)).code], [200, 401])
  }
  assert.equal((await submitA(guarded, { ref: 'a-200', key: 'key-a' })).status, 200)
})

test('400, 404: unreadable body or values not on offer; unknown task or one of the other provider → refused', async () => {
  const asJson = { 'content-type': 'application/json' }
  const broken = { method: 'POST', headers: asJson, body: '{' }
  const a = await fetch(`${plain.url}/provider-a/v1/videos/generations`, broken)
  assert.deepEqual([a.status, typeof (await bodyA(a)).error.message], [400, 'string'])
  const b = await fetch(`${plain.url}/provider-b/api/v1/jobs/createTask`, broken)
  assert.deepEqual([b.status, (await bodyB(b)).code], [200, 400])
  for (const wrong of [{ aspectRatio: '7:4' }, { quality: '8k' }, { duration: 0 }, { prompt: ' ' }, { model: '' }]) {
    assert.equal((await submitA(plain, { ref: 'a-400', ...wrong })).status, 400)
    assert.equal((await bodyB(await submitB(plain, { ref: 'b-400', ...wrong }))).code, 400)
  }
  const { id } = await bodyA(await submitA(plain, { ref: 'a-mine' }))
  assert.equal((await fetch(`${plain.url}/provider-a/v1/tasks/task-unknown`)).status, 404)
  assert.equal((await pollB(plain, id)).code, 404, 'a task of the other provider is unknown')
})

test('start page, log, task list: read → every sentinel on the start page; no key and no signature anywhere', async () => {
  await submitA(plain, { ref: 'a-logged', receiver })
  await waitFor('the callback', () => receiver.of('a-logged').length > 0)
  await waitFor('its line', () => plain.log.some((line) => line.includes('called back (result): 200')))
  const text = await (await fetch(plain.url)).text()
  for (const word of ['[fail: text]', '[slow: 20s]', '[unknown-status]', '/simulator/tasks'])
    assert.ok(text.includes(word))
  const shown = JSON.stringify([await listTasks(guarded), await listTasks(plain), guarded.log, plain.log])
  for (const secret of ['secret-signature', 'key-a', 'key-b', 'webhook-key']) assert.ok(!shown.includes(secret))
})
