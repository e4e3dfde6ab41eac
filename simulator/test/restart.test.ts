// slow
/** Resumption after a kill at any moment, and shutdown. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import {
  bodyA,
  bodyB,
  listedTask,
  listTasks,
  newDataDir,
  pollA,
  type Simulator,
  startReceiver,
  startSimulator,
  submitA,
  submitB,
  waitFor,
} from './harness.ts'

const receiver = await startReceiver()

async function killed(simulator: Simulator): Promise<void> {
  simulator.child.kill('SIGKILL')
  await once(simulator.child, 'exit')
}

test('kill while waiting, generating or rendering: restart → every task ends and calls back once', async () => {
  const dataDir = newDataDir()
  // A third of the full rate: the film still takes more than a second, and 192 frames of 1080p take ten.
  const settings = { SIMULATOR_DATA_DIR: dataDir, SIMULATOR_FRAMES_PER_SECOND: '8' }
  const first = await startSimulator(settings)
  const slow = await bodyA(
    await submitA(first, { ref: 'k-slow', prompt: 'x [slow: 700ms]', receiver, duration: 4, quality: '720p' }),
  )
  const rendering = await bodyB(await submitB(first, { ref: 'k-render', duration: 8, quality: '1080p', receiver }))
  await waitFor('the renderer at work', () => readdirSync(path.join(dataDir, 'films')).some((n) => n.endsWith('.part')))
  await killed(first)

  const second = await startSimulator(settings)
  await waitFor('both callbacks', () => receiver.of('k-slow').length + receiver.of('k-render').length === 2)
  for (const id of [slow.id, rendering.data.taskId]) {
    const task = await waitFor('the record', async () => {
      const shown = await listedTask(second, id)
      return shown.callbacksLeft === 0 && shown
    })
    assert.equal(task.state, 'completed')
    assert.deepEqual(
      task.callbacks.map(({ status }) => status),
      [200],
    )
  }
  const [url = ''] = (await pollA(second, slow.id)).results ?? []
  assert.ok(url.startsWith(second.url), 'the link follows the simulator to its new port')
  assert.equal((await fetch(url)).status, 200)
  assert.ok(!readdirSync(path.join(dataDir, 'films')).some((name) => name.endsWith('.part')))
})

test('kill with unanswered callbacks: restart → they are sent', async () => {
  const dataDir = newDataDir()
  let status = 503
  const moody = await startReceiver(() => status)
  const first = await startSimulator({ SIMULATOR_DATA_DIR: dataDir, SIMULATOR_PACE: '1' })
  const request = { ref: 'k-callback', prompt: 'x [early] [twice]', receiver: moody }
  const { id } = await bodyA(await submitA(first, request))
  const { acceptedAt, finishesAt } = await listedTask(first, id)
  assert.equal(finishesAt, acceptedAt, '[early] waits for nothing, at every pace')
  await killed(first)
  status = 200
  const second = await startSimulator({ SIMULATOR_DATA_DIR: dataDir })
  const task = await waitFor('both callbacks', async () => {
    const shown = await listedTask(second, id)
    return shown.callbacksLeft === 0 && shown
  })
  assert.equal(task.callbacks.filter((callback) => callback.status === 200).length, 2)
})

test('kill: restart → ended tasks, idempotency keys and counts of [down] are kept', async () => {
  const dataDir = newDataDir()
  const first = await startSimulator({ SIMULATOR_DATA_DIR: dataDir })
  const { id } = await bodyA(await submitA(first, { ref: 'k-known', prompt: 'x [fail: no]' }))
  await waitFor('the end', async () => (await pollA(first, id)).status === 'failed')
  const down = { ref: 'k-down', prompt: 'x [down: 2]' }
  assert.equal((await bodyB(await submitB(first, down))).code, 455)
  await killed(first)
  const second = await startSimulator({ SIMULATOR_DATA_DIR: dataDir })
  assert.equal((await pollA(second, id)).error.message, 'no')
  assert.equal((await bodyA(await submitA(second, { ref: 'k-known', prompt: 'x [fail: no]' }))).id, id)
  const codes = [await submitB(second, down), await submitB(second, down)].map(async (each) => (await bodyB(each)).code)
  assert.deepEqual(await Promise.all(codes), [455, 200])
  assert.equal((await listTasks(second)).length, 2)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal}: open requests and renderings → exit 0`, async () => {
    const simulator = await startSimulator()
    const prompt = 'x [hang] [slow: 60s]'
    const hanging = submitA(simulator, { ref: signal, prompt, duration: 8, quality: '1080p' })
    hanging.catch(() => {})
    await waitFor('the task', async () => (await listTasks(simulator)).length === 1)
    simulator.child.kill(signal)
    assert.deepEqual(await once(simulator.child, 'exit'), [0, null])
    await assert.rejects(hanging)
  })
}

test('simulator: port in use or invalid setting → the start fails', async () => {
  const simulator = await startSimulator()
  const port = new URL(simulator.url).port
  await assert.rejects(startSimulator({ SIMULATOR_PORT: port }), /ended before it listened/)
  await assert.rejects(startSimulator({ SIMULATOR_PACE: 'fast' }), /ended before it listened/)
})
