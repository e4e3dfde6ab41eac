// slow
/**
 * Sentinels: each prompt text that makes the simulator misbehave, at both providers, leads to the right final status, a
 * reason that a user can read, the right credits, the expected number of submits, and no stored file of an unpaid film.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import sharp from 'sharp'
import { openSafeFetch } from '../../src/net/safe-fetch.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora } from '../support/harness.ts'
import { useShortTimeouts } from '../support/short-timeout-providers.ts'
import { filesOf, readRow, runNextStep, waitFor } from '../support/video-row.ts'

const kinora = await openKinora({
  simulator: true,
  env: { FILM_BYTES_MAX: '10000000' },
})
const { app, simulator } = kinora

type Task = {
  prompt: string
  provider: string
  state: string
  submits: number
  inputs: { url: string }[]
  callbacksLeft: number
  callbacks: { status: number | null }[]
}
type Expected = { status: string; error?: RegExp; submits?: number; provider?: 'first' | 'second' }

const unusable = /^The provider's film could not be used: \S[^/\\]*\.$/
const models = {
  'provider-a': { model: 'alpha-2', quality: '480p', price: 24 },
  'provider-b': { model: 'delta-1-5', price: 16 },
}
const sentinels: [string, Expected][] = [
  ['[fail: Out of paint.]', { status: 'FAILED', error: /^Out of paint\.$/ }],
  ['[slow: 400ms]', { status: 'COMPLETED' }],
  ['[lost]', { status: 'COMPLETED' }],
  ['[twice]', { status: 'COMPLETED' }],
  ['[early]', { status: 'COMPLETED' }],
  ['[early] [fail: Too early.]', { status: 'FAILED', error: /^Too early\.$/ }],
  ['[contradict]', { status: 'COMPLETED' }],
  ['[contradict] [fail: First reason.]', { status: 'FAILED', error: /^First reason\.$/ }],
  ['[garbage]', { status: 'COMPLETED' }],
  ['[truncated]', { status: 'FAILED', error: unusable }],
  ['[html]', { status: 'FAILED', error: unusable }],
  ['[private]', { status: 'FAILED', error: unusable }],
  ['[endless]', { status: 'FAILED', error: /sent more than the 10000000 bytes that are allowed\.$/ }],
  ['[huge]', { status: 'FAILED', error: unusable }],
  [
    '[short]',
    { status: 'FAILED', error: /^The provider's film could not be used: It has 1 s where 4 s were ordered\.$/ },
  ],
  ['[small]', { status: 'FAILED', error: unusable }],
  ['[turned]', { status: 'COMPLETED' }],
  ['[untyped]', { status: 'COMPLETED' }],
  ['[late-film]', { status: 'COMPLETED' }],
  ['[no-film: Too dark.]', { status: 'FAILED', error: /^Too dark\.$/ }],
  ['[no-film]', { status: 'FAILED', error: /^The provider finished without a film\.$/ }],
  ['[ok-error: No luck.]', { status: 'FAILED', error: /^No luck\.$/, submits: 0 }],
  ['[gone]', { status: 'FAILED', error: unusable }],
  ['[refuse: Not that.]', { status: 'FAILED', error: /^Not that\.$/, submits: 0 }],
  ['[down: 3]', { status: 'COMPLETED', submits: 4 }],
  [
    '[down: 5] [fail: At the second.]',
    { status: 'FAILED', error: /^At the second\.$/, submits: 6, provider: 'second' },
  ],
  ['[down: 9] [fail: Round again.]', { status: 'FAILED', error: /^Round again\.$/, submits: 10 }],
  ['[hang]', { status: 'COMPLETED' }],
  ['[hang] [lost]', { status: 'FAILED', error: /^The provider never said whether it took the task\.$/ }],
  ['[vague]', { status: 'COMPLETED' }],
  ['[vague] [lost]', { status: 'FAILED', error: /^The provider never said whether it took the task\.$/ }],
  ['[silent]', { status: 'FAILED', error: /^The provider did not finish the film in time\.$/ }],
  ['[unknown-status] [slow: 300ms]', { status: 'COMPLETED' }],
]

/** The simulator's tasks with this prompt. */
const tasksOf = async (prompt: string) =>
  ((await simulator?.tasks()) ?? []).map((task) => task as unknown as Task).filter((task) => task.prompt === prompt)

/** Runs steps until the video is final; advances the clock only when the provider has nothing left to send. */
async function finishVideo(uuid: string, prompt: string): Promise<void> {
  await workOnce(app)
  const isProviderDone = async () =>
    (await tasksOf(prompt)).every(
      ({ state, callbacksLeft }) =>
        prompt.includes('[silent]') || (/completed|failed/.test(state) && callbacksLeft === 0),
    )
  for (let steps = 0; (await readRow(kinora, uuid)).dueAt !== null; steps++) {
    assert.ok(steps < 200, 'the video must become final')
    await waitFor('the provider to be done', isProviderDone)
    await runNextStep(kinora, uuid)
  }
}

forgetFailuresBeforeEach(kinora)

let n = 0
for (const [sentinel, expected] of sentinels) {
  for (const [first, { price, ...request }] of Object.entries(models)) {
    test(`sentinel: ${sentinel} at ${first} → ${expected.status}`, async (t) => {
      if (sentinel.startsWith('[hang]')) await useShortTimeouts(t, kinora)
      const ann = await kinora.person({ credits: price })
      const prompt = `A paper boat, take ${++n} ${sentinel}`
      const { data } = await kinora.generate(ann, { ...request, prompt })
      await finishVideo(data.uuid, prompt)

      const row = await readRow(kinora, data.uuid)
      assert.equal(row.status, expected.status, row.error ?? '')
      if (expected.error) assert.match(row.error ?? '', expected.error)
      const other = Object.keys(models).find((name) => name !== first)
      assert.equal(row.provider, expected.provider === 'second' ? other : first)

      const tasks = await tasksOf(prompt)
      const { submits = 1 } = expected
      assert.deepEqual(
        tasks.map((task) => task.submits),
        submits === 0 ? [] : [submits],
      )
      if (sentinel === '[garbage]') {
        const statuses = tasks[0]?.callbacks.map(({ status }) => status)
        assert.deepEqual(statuses, [400, 400, 400, 400, 400, 200])
      }

      const isPaid = expected.status === 'COMPLETED'
      const { available, frozen, used } = await kinora.balance(ann)
      assert.deepEqual(
        { available, frozen, used },
        { available: isPaid ? 0 : price, frozen: 0, used: isPaid ? price : 0 },
      )
      const stored = isPaid ? [`${data.uuid}.jpg`, `${data.uuid}.mp4`] : []
      assert.deepEqual(filesOf(kinora, ann.userId, data.uuid), { stored, temporary: [] })
      assert.equal((await kinora.call('GET', '/healthz')).status, 200)
    })
  }
}

test('start image: at provider-a and provider-b → its URL is in the submitted task, COMPLETED', async () => {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'tomato' } })
    .png()
    .toBuffer()
  const images = createServer((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png))
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(images.address() as AddressInfo).port}`
  const { userFetch } = app
  app.userFetch = openSafeFetch({ allow: [host] })
  try {
    for (const [first, { price, ...request }] of Object.entries(models)) {
      const ann = await kinora.person({ credits: price })
      const prompt = `A boat that sets out from ${first}`
      const startImageUrl = `http://${host}/start.png`
      const { data } = await kinora.generate(ann, { ...request, prompt, startImageUrl })
      await finishVideo(data.uuid, prompt)
      const [task] = await tasksOf(prompt)
      assert.deepEqual([task?.provider, task?.inputs[0]?.url], [first, startImageUrl])
      assert.equal((await readRow(kinora, data.uuid)).status, 'COMPLETED')
      const detail = await kinora.call<{ startImageUrl: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
      assert.equal(detail.data.startImageUrl, startImageUrl)
    }
  } finally {
    images.close()
    images.closeAllConnections()
    await app.userFetch.close()
    app.userFetch = userFetch
  }
})
