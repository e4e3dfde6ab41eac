import assert from 'node:assert/strict'
import { test } from 'node:test'
import RunwayML from '@runwayml/sdk'
import { adapter } from '../../src/provider/adapter/runway.ts'
import { adapterSuite, settled } from '../support/adapter-suite.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'runway',
  adapter,
  model: 'gen4.5',
  input: (promptText, image) => ({
    promptText,
    duration: 2,
    ratio: '1280:720',
    ...(image ? { promptImage: image } : {}),
  }),
  isBusyCertain: true,
  client: async (address, promptText) => {
    const runway = new RunwayML({ apiKey: 'key', baseURL: address, maxRetries: 0 })
    const { id } = await runway.textToVideo.create({ model: 'gen4.5', promptText, duration: 4, ratio: '1280:720' })
    const task = await settled(
      () => runway.tasks.retrieve(id),
      ({ status }) => status === 'SUCCEEDED',
    )
    return (task.status === 'SUCCEEDED' && task.output[0]) || ''
  },
})

test('runway: the model and the fields of the input → the endpoint', async () => {
  const cases: [string, object, string][] = [
    ['gen4.5', { promptText: 'A boat' }, 'text_to_video'],
    ['gen4_turbo', { promptImage: 'https://kinora.example/a.png' }, 'image_to_video'],
    ['seedance2', { promptVideo: 'https://kinora.example/a.mp4' }, 'video_to_video'],
    ['aleph2', { videoUri: 'https://kinora.example/a.mp4' }, 'video_to_video'],
    ['act_two', { character: { type: 'image', uri: 'https://kinora.example/a.png' } }, 'character_performance'],
    ['magnific_video_upscaler_creative', { videoUri: 'https://kinora.example/a.mp4' }, 'video_upscale'],
  ]
  const reply = { body: { id: 'r1', estimatedCost: { credits: 60 } } }
  await atScriptedVendor(adapter, [reply], async (provider, requests) => {
    for (const [model, input, kind] of cases) {
      assert.deepEqual(await provider.submit(scriptedTask(model, { ...input })), {
        kind: 'accepted',
        handle: { taskId: 'r1' },
        cost: { amount: '60', unit: 'credits', stage: 'reserved' },
      })
      const { path, body, headers } = requests.at(-1) ?? {}
      assert.deepEqual([path, body, headers?.['x-runway-version']], [`/v1/${kind}`, { model, ...input }, '2024-11-06'])
    }
    const routed = { configId: 'films', input: { promptText: 'A boat' } }
    await provider.submit(scriptedTask('router', routed))
    assert.deepEqual([requests.at(-1)?.path, requests.at(-1)?.body], ['/v1/generate/video', routed])
  })
})

test('runway: each failure code → our code; a moderation is told in our own words', async () => {
  const cases: [string | null, string, RegExp][] = [
    ['SAFETY.INPUT.TEXT', 'CONTENT_REFUSED', /^The prompt or an image was refused/],
    ['SAFETY.OUTPUT.VIDEO', 'CONTENT_REFUSED', /^The film was refused/],
    ['INPUT_PREPROCESSING.SAFETY.TEXT', 'CONTENT_REFUSED', /^The prompt or an image was refused/],
    ['INTERNAL.BAD_OUTPUT.CODE01', 'PROVIDER_ERROR', /^An unexpected word$/],
    ['INPUT_PREPROCESSING.INTERNAL', 'PROVIDER_ERROR', /^An unexpected word$/],
    ['ASSET.INVALID', 'INPUT_REFUSED', /^An unexpected word$/],
    ['THIRD_PARTY.UNAVAILABLE', 'PROVIDER_BUSY', /^An unexpected word$/],
    [null, 'PROVIDER_ERROR', /^An unexpected word$/],
  ]
  const replies = cases.map(([failureCode]) => ({
    body: { id: 'r1', status: 'FAILED', failure: 'An unexpected word', failureCode, cost: { credits: 0 } },
  }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    for (const [failureCode, code, message] of cases) {
      const report = await provider.poll?.({ taskId: 'r1' })
      assert.equal(report?.kind === 'failed' ? report.failure.code : null, code, String(failureCode))
      assert.match(report?.kind === 'failed' ? report.failure.message : '', message)
      assert.deepEqual(report?.cost, { amount: '0', unit: 'credits', stage: 'final' })
    }
  })
})

test('runway: THROTTLED → running without a note; progress is a share', async () => {
  const states: [object, number | null][] = [
    [{ status: 'THROTTLED' }, null],
    [{ status: 'RUNNING', progress: 0.29 }, 29],
    [{ status: 'RUNNING', progress: 1 }, 100],
  ]
  const replies = states.map(([body]) => ({ body }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    for (const [, progress] of states)
      assert.deepEqual(await provider.poll?.({ taskId: 'r1' }), { kind: 'running', progress })
  })
})

test('runway: a cancel of a task in an unknown state → no DELETE', async () => {
  await atScriptedVendor(adapter, [{ body: { id: 'r1', status: 'ARCHIVING' } }], async (provider, requests) => {
    assert.equal(await provider.cancel?.({ taskId: 'r1' }), null)
    assert.deepEqual(
      requests.map(({ method }) => method),
      ['GET'],
    )
  })
})

test('runway: a cancel whose DELETE got no answer → no answer, then a poll that finds no task', async () => {
  const running = { body: { id: 'r1', status: 'PENDING' } }
  await atScriptedVendor(
    adapter,
    [running, { status: 502 }, { status: 404, body: { error: 'Not found' } }],
    async (provider) => {
      assert.equal(await provider.cancel?.({ taskId: 'r1' }), null)
      assert.equal(await provider.cancel?.({ taskId: 'r1' }), 'requested')
      assert.deepEqual(await provider.poll?.({ taskId: 'r1' }), { kind: 'lost' })
    },
  )
})
