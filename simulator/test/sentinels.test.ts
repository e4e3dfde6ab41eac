// slow
/** Every sentinel, at the provider where it can do more harm or at both. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sentinelMeanings } from '../src/sentinels.ts'
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

const receiver = await startReceiver()
const simulator = await startSimulator()

/** Submits at provider-a and waits for the end of the task and of its callbacks. */
async function run(ref: string, prompt: string) {
  const { id } = await bodyA(await submitA(simulator, { ref, prompt, receiver }))
  return waitFor(`the end of ${ref}`, async () => {
    const task = await listedTask(simulator, id)
    return ['completed', 'failed'].includes(task.state) && task.callbacksLeft === 0 && task
  })
}

const statuses = (ref: string) => receiver.of(ref).map(({ body }) => JSON.parse(body).status)

test('[slow: 400ms]: any pace → generating takes 400 ms', async () => {
  const task = await run('slow', 'x [slow: 400ms]')
  assert.equal(task.finishesAt - task.startsAt, 400)
  assert.ok((task.endedAt ?? 0) >= task.finishesAt)
})

test('[lost]: completed → no callback', async () => {
  const task = await run('lost', 'x [lost]')
  assert.equal(task.state, 'completed')
  assert.deepEqual(task.callbacks, [])
  assert.equal((await pollA(simulator, task.taskId)).results?.length, 1)
})

test('[twice]: completed → two identical callbacks', async () => {
  await run('twice', 'x [TWICE]')
  const bodies = receiver.of('twice').map(({ body }) => body)
  assert.equal(bodies.length, 2)
  assert.equal(bodies[0], bodies[1])
})

test('[early]: submit → the callback precedes the response, at both providers', async () => {
  const a = await bodyA(await submitA(simulator, { ref: 'early-a', prompt: 'x [early]', receiver }))
  assert.deepEqual(statuses('early-a'), ['completed'])
  assert.equal(a.status, 'completed')
  await submitB(simulator, { ref: 'early-b', prompt: 'x [early]', receiver })
  assert.equal(receiver.of('early-b').length, 1)
})

test('[contradict]: submit → callbacks completed, then failed; with [fail] reversed', async () => {
  await run('contradict', 'x [contradict]')
  assert.deepEqual(statuses('contradict'), ['completed', 'failed'])
  await run('contradict-fail', 'x [contradict] [fail: Lost]')
  assert.deepEqual(statuses('contradict-fail'), ['failed', 'completed'])
})

test('[garbage]: five unreadable callbacks → then the right one', async () => {
  const task = await run('garbage-a', 'x [garbage]')
  assert.equal(task.callbacks.length, 6)
  const bodies = receiver.of('garbage-a').map(({ body }) => body)
  for (const broken of [bodies[0], bodies[4]]) assert.throws(() => JSON.parse(broken ?? ''))
  assert.equal(JSON.parse(bodies[2] ?? '').videoUrl, undefined)
  assert.equal(JSON.parse(bodies[5] ?? '').status, 'completed')

  await submitB(simulator, { ref: 'garbage-b', prompt: 'x [garbage]', receiver })
  await waitFor('six callbacks', () => receiver.of('garbage-b').length === 6)
  assert.equal(JSON.parse(receiver.of('garbage-b')[5]?.body ?? '').data.state, 'success')
})

test('[refuse: text]: submit → refused in the format of each provider, no task', async () => {
  const prompt = 'a forbidden thing [refuse: Not that]'
  const a = await submitA(simulator, { ref: 'refuse-a', prompt })
  assert.equal(a.status, 400)
  assert.equal((await bodyA(a)).error.message, 'Not that')
  const b = await submitB(simulator, { ref: 'refuse-b', prompt })
  assert.equal(b.status, 200)
  assert.deepEqual(await b.json(), { code: 422, msg: 'Not that', data: null })
  assert.ok(!(await listTasks(simulator)).some((task) => task.prompt === prompt))
})

test('[down: 3]: first three submits of a video at both providers together → 503, code 455', async () => {
  const request = { ref: 'down', prompt: 'x [down: 3]', receiver }
  assert.equal((await bodyB(await submitB(simulator, request))).code, 455)
  assert.equal((await submitA(simulator, request)).status, 503)
  assert.equal((await bodyB(await submitB(simulator, request))).code, 455)
  const taken = await submitB(simulator, request)
  assert.equal(taken.status, 200)
  const { code, data } = await bodyB(taken)
  assert.equal(code, 200)
  assert.equal((await listedTask(simulator, data.taskId)).submits, 4)
  assert.equal(
    (await bodyB(await submitB(simulator, { ...request, ref: 'down-other' }))).code,
    455,
    'another video has its own count',
  )
})

test('[hang]: submit → no response, but the task runs and calls back', async () => {
  const stop = new AbortController()
  let answered = false
  const submitted = submitB(simulator, { ref: 'hang', prompt: 'x [hang]', receiver, signal: stop.signal })
  submitted.then(
    () => {
      answered = true
    },
    () => {},
  )
  await waitFor('the callback', () => receiver.of('hang').length === 1)
  assert.equal(answered, false)
  stop.abort()
  await assert.rejects(submitted)
})

test('[vague]: submit → 500, but the task runs and calls back', async () => {
  assert.equal((await submitA(simulator, { ref: 'vague-a', prompt: 'x [vague]', receiver })).status, 500)
  assert.equal((await submitB(simulator, { ref: 'vague-b', prompt: 'x [vague]', receiver })).status, 500)
  await waitFor('both callbacks', () => receiver.of('vague-a').length + receiver.of('vague-b').length === 2)
})

test('[silent]: task → stays generating while later tasks end', async () => {
  const { id } = await bodyA(await submitA(simulator, { ref: 'silent', prompt: 'x [silent]', receiver }))
  await run('after-silent', 'x')
  assert.equal((await pollA(simulator, id)).status, 'processing')
  assert.equal(receiver.of('silent').length, 0)
})

test('[unknown-status]: poll → unknown status until the task ends', async () => {
  const prompt = 'x [unknown-status] [slow: 4s]'
  const a = await bodyA(await submitA(simulator, { ref: 'unknown-a', prompt }))
  const b = await bodyB(await submitB(simulator, { ref: 'unknown-b', prompt }))
  assert.equal((await pollA(simulator, a.id)).status, 'simmering')
  assert.equal((await pollB(simulator, b.data.taskId)).data.state, 'simmering')
  await waitFor('the end', async () => (await pollA(simulator, a.id)).status === 'completed')
  await waitFor('the end', async () => (await pollB(simulator, b.data.taskId)).data.state === 'success')
})

test('callback: refused twice → third attempt; always refused → given up after four attempts', async () => {
  const picky = await startReceiver((n) => (n < 2 ? 500 : 200))
  const closed = await startReceiver(() => 401)
  const third = await bodyA(await submitA(simulator, { ref: 'third', receiver: picky }))
  const never = await bodyB(await submitB(simulator, { ref: 'never', receiver: closed }))
  const done = async (id: string) => {
    const { state, callbacksLeft, callbacks } = await listedTask(simulator, id)
    return state === 'completed' && callbacksLeft === 0 && callbacks.map(({ status }) => status)
  }
  assert.deepEqual(await waitFor('the third attempt', () => done(third.id)), [500, 500, 200])
  assert.deepEqual(await waitFor('the fourth attempt', () => done(never.data.taskId)), [401, 401, 401, 401])
})

test('README.md: sentinels of the simulator → each one is named', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const [word] of Object.values(sentinelMeanings)) assert.ok(readme.includes(`\`${word}\``), word)
})
