/** The two wire formats, seen from a client. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  askA,
  askB,
  readA,
  readB,
  shownTask,
  shownTasks,
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

/** Shorter than any state and any step of progress lasts at this pace, so that who looks this often sees each. */
const LOOK_MS = 50

/**
 * Looks without a break until the task has ended.
 * @param sinceMs when it was submitted, as performance.now() tells it
 * @returns isWatched: it was never out of sight for longer than LOOK_MS
 */
async function watch<Seen>(sinceMs: number, look: () => Promise<Seen>, isOver: (seen: Seen) => boolean) {
  const seen: Seen[] = []
  let isWatched = true
  let askedAtMs = sinceMs
  const end = await waitFor('the end of the task', async () => {
    const before = askedAtMs
    askedAtMs = performance.now()
    const now = await look()
    // From one question to the next answer, because what it tells was so at some moment in between.
    if (performance.now() - before > LOOK_MS) isWatched = false
    seen.push(now)
    return isOver(now) && now
  })
  return { seen, end, isWatched }
}

/** On a machine that stands still a state goes by unseen; then, and only then, another life is looked at. */
function seenWhole<Life>(name: string, live: (ref: string) => Promise<Life | false>): Promise<Life> {
  let tries = 0
  return waitFor('a life that is seen whole', () => live(`${name}-${++tries}`))
}
function assertInOrder(seen: string[], order: string[]): void {
  assert.deepEqual(
    seen,
    order.filter((state) => seen.includes(state)),
  )
}

test('provider-a: submit, ask with rising progress, callback, ask again', async () => {
  const live = async (ref: string) => {
    const sinceMs = performance.now()
    const response = await submitA(paced, { ref, receiver })
    assert.equal(response.status, 200)
    const task = await readA(response)
    assert.match(task.id, /^task-/)
    assert.equal(task.object, 'video.generation.task')
    assert.equal(task.status, 'pending')
    assert.equal(task.progress, 0)
    assert.equal(typeof task.task_info.estimated_time, 'number')
    const look = () => askA(paced, task.id)
    const { seen, end, isWatched } = await watch(sinceMs, look, ({ status }) => status === 'completed')
    const progress = seen.map((asked) => asked.progress)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    const statuses = [...new Set(seen.map(({ status }) => status))]
    assertInOrder(statuses, ['pending', 'processing', 'completed'])
    const isWhole = statuses.length === 3 && new Set(progress).size > 5
    assert.ok(isWhole || !isWatched, `${statuses}, progress ${[...new Set(progress)]}`)
    return isWhole && { ref, task, end }
  }
  const { ref, task, end } = await seenWhole('a-life', live)
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

test('provider-a: one Idempotency-Key is one task, and its submits are counted', async () => {
  const first = await readA(await submitA(plain, { ref: 'a-again' }))
  const second = await readA(await submitA(plain, { ref: 'a-again' }))
  assert.equal(second.id, first.id)
  assert.equal((await shownTask(plain, first.id)).submits, 2)
})

test('provider-a: a failure is told in callback and answer', async () => {
  const { id } = await readA(await submitA(plain, { ref: 'a-fail', prompt: 'x [fail: The lens broke]', receiver }))
  await waitFor('the callback', () => receiver.of('a-fail').length > 0)
  assert.deepEqual(JSON.parse(receiver.of('a-fail')[0]?.body ?? ''), {
    taskId: id,
    status: 'failed',
    error: 'The lens broke',
  })
  const asked = await askA(plain, id)
  assert.equal(asked.status, 'failed')
  assert.deepEqual(asked.error, { code: 'generation_failed', message: 'The lens broke' })
})

test('provider-b: submit, every state in order, result as JSON inside a string', async () => {
  const live = async (ref: string) => {
    const sinceMs = performance.now()
    const submitted = await readB(await submitB(paced, { ref, receiver }))
    assert.deepEqual([submitted.code, submitted.msg], [200, 'success'])
    const { taskId } = submitted.data
    const look = async () => (await askB(paced, taskId)).data
    const { seen, end, isWatched } = await watch(sinceMs, look, ({ state }) => state === 'success')
    const states = seen.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])
    assertInOrder(states, ['waiting', 'queuing', 'generating', 'success'])
    assert.ok(states.length === 4 || !isWatched, `${states}`)
    return states.length === 4 && { ref, taskId, end }
  }
  const { ref, taskId, end } = await seenWhole('b-life', live)
  assert.equal(end.resultJson, JSON.stringify({ resultUrls: [`${paced.url}/films/${taskId}.mp4`] }))
  for (const time of [end.createTime, end.completeTime, end.costTime]) assert.equal(typeof time, 'number')

  await waitFor('the callback', () => receiver.of(ref).length > 0)
  assert.deepEqual(JSON.parse(receiver.of(ref)[0]?.body ?? ''), { code: 200, msg: 'success', data: end })
})

test('provider-b: a failure is told in callback and answer', async () => {
  const { data } = await readB(await submitB(plain, { ref: 'b-fail', prompt: 'x [fail: No light]', receiver }))
  const { taskId } = data
  await waitFor('the callback', () => receiver.of('b-fail').length > 0)
  const asked = (await askB(plain, taskId)).data
  assert.deepEqual([asked.state, asked.failMsg, asked.resultJson], ['fail', 'No light', ''])
  assert.deepEqual(JSON.parse(receiver.of('b-fail')[0]?.body ?? '').data, asked)
})

test('provider-b: one model family answers in another shape', async () => {
  const model = 'delta-1-5'
  const good = await readB(await submitB(plain, { ref: 'b-odd', model, receiver }))
  const bad = await readB(await submitB(plain, { ref: 'b-odd-bad', model, prompt: '[fail: Too odd]', receiver }))
  await waitFor('both callbacks', () => receiver.of('b-odd').length + receiver.of('b-odd-bad').length === 2)
  const { taskId } = good.data
  const url = `${plain.url}/films/${taskId}.mp4`
  const body = JSON.parse(receiver.of('b-odd')[0]?.body ?? '')
  assert.deepEqual(body, { code: 200, msg: 'success', data: { taskId, info: { resultUrls: [url] } } })
  assert.deepEqual((await askB(plain, taskId)).data, { taskId, info: { resultUrls: url } })
  const failure = { code: 501, msg: 'Too odd', data: bad.data }
  assert.deepEqual(JSON.parse(receiver.of('b-odd-bad')[0]?.body ?? ''), failure)
  assert.deepEqual(await askB(plain, bad.data.taskId), failure)
})

test('provider-b: callbacks are signed when there is a key, and only then', async () => {
  const { data } = await readB(await submitB(guarded, { ref: 'b-signed', key: 'key-b', receiver }))
  await submitB(plain, { ref: 'b-unsigned', receiver })
  await waitFor('both callbacks', () => receiver.of('b-signed').length + receiver.of('b-unsigned').length === 2)
  const headers = receiver.of('b-signed')[0]?.headers ?? {}
  const signed = `${data.taskId}.${String(headers['x-webhook-timestamp'])}`
  const expected = createHmac('sha256', 'webhook-key').update(signed).digest('base64')
  assert.equal(headers['x-webhook-signature'], expected)
  assert.equal(receiver.of('b-unsigned')[0]?.headers['x-webhook-signature'], undefined)
})

test('401: a wrong or missing key, in the format of each provider', async () => {
  for (const key of ['wrong', '']) {
    const a = await submitA(guarded, { ref: 'a-401', key })
    assert.equal(a.status, 401)
    assert.equal((await readA(a)).error.type, 'authentication_error')
    const b = await submitB(guarded, { ref: 'b-401', key })
    assert.deepEqual([b.status, (await readB(b)).code], [200, 401])
  }
  assert.equal((await submitA(guarded, { ref: 'a-200', key: 'key-a' })).status, 200)
})

test('400 and 404: what cannot be read, is not on offer or is not there', async () => {
  const asJson = { 'content-type': 'application/json' }
  const broken = { method: 'POST', headers: asJson, body: '{' }
  const a = await fetch(`${plain.url}/provider-a/v1/videos/generations`, broken)
  assert.deepEqual([a.status, typeof (await readA(a)).error.message], [400, 'string'])
  const b = await fetch(`${plain.url}/provider-b/api/v1/jobs/createTask`, broken)
  assert.deepEqual([b.status, (await readB(b)).code], [200, 400])
  for (const wrong of [{ aspectRatio: '5:4' }, { quality: '8k' }, { duration: 0 }, { prompt: ' ' }, { model: '' }]) {
    assert.equal((await submitA(plain, { ref: 'a-400', ...wrong })).status, 400)
    assert.equal((await readB(await submitB(plain, { ref: 'b-400', ...wrong }))).code, 400)
  }
  const { id } = await readA(await submitA(plain, { ref: 'a-mine' }))
  assert.equal((await fetch(`${plain.url}/provider-a/v1/tasks/task-unknown`)).status, 404)
  assert.equal((await askB(plain, id)).code, 404, "a task of the other provider is nobody's")
})

test('the page lists every sentinel; no log line and no list shows a key or a signature', async () => {
  const text = await (await fetch(plain.url)).text()
  for (const word of ['[fail: text]', '[slow: 20s]', '[unknown-status]', '/simulator/tasks'])
    assert.ok(text.includes(word))
  const shown = JSON.stringify([await shownTasks(guarded), await shownTasks(plain), guarded.log, plain.log])
  assert.ok(plain.log.some((line) => line.includes('called back (result): 200')))
  for (const secret of ['secret-signature', 'key-a', 'key-b', 'webhook-key']) assert.ok(!shown.includes(secret))
})
