import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGateway } from '@ai-sdk/gateway'
import { adapter } from '../../src/provider/adapter/vercel.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const model = 'google/veo-3.1-fast-generate-001'

const { provider, short, taskOf, accepted, ended } = await adapterSuite({
  id: 'vercel',
  adapter,
  model,
  input: (prompt, image) => ({
    prompt,
    duration: 4,
    resolution: '1280x720',
    aspectRatio: '16:9',
    ...(image ? { image: { type: 'url', url: image } } : {}),
  }),
  without: {
    find: 'a submit is repeated with its key, so that the answer is never that there is none',
    'expired-link': 'no status renews a link',
  },
  client: async (address, prompt) => {
    const gateway = createGateway({ apiKey: 'key', baseURL: `${address}/v4/ai` })
    return aiSdkFilm({ model: gateway.video(model), prompt, duration: 4 })
  },
})

test('vercel: a completed task → its cost, from its status or from its generation', async () => {
  const { handle } = await accepted(taskOf(''))
  const report = await ended(handle)
  assert.deepEqual(report.cost, { amount: '0.4', unit: 'USD', stage: 'final' })
  const body = {
    status: 'completed',
    videos: [{ type: 'url', url: 'https://films.example/1.mp4', mediaType: 'video/mp4' }],
    providerMetadata: { gateway: { cost: '0.25', generationId: 'gen_1' } },
  }
  await atScriptedVendor(adapter, [{ body }], async (scripted, requests) => {
    const found = await scripted.poll?.(handle)
    assert.deepEqual(found?.cost, { amount: '0.25', unit: 'USD', stage: 'final' })
    assert.equal(requests.length, 1)
  })
})

test('vercel: an unknown submit → repeated with its key, as long as the key is known', async () => {
  const task = taskOf('[hang]')
  assert.equal((await short.submit(task)).kind, 'unknown')
  assert.equal(await provider.find?.(task, new Date(Date.now() - 3600_000)), null)
  const found = await provider.find?.(task, new Date())
  assert.ok(found?.kind === 'found')
  assert.deepEqual(await provider.find?.(task, new Date()), found)
  assert.equal((await ended(found.handle)).kind, 'completed')
  assert.deepEqual(await provider.find?.(taskOf('[refuse: no]'), new Date()), { kind: 'none' })
  assert.equal(await provider.find?.(taskOf('[balance]'), new Date()), null)
})

test('vercel: a start → the operation as it is, the model as a header, our id as the key', async () => {
  const operation = { gatewayJobId: 'job_1', other: [1] }
  const replies = [{ body: { operation, warnings: [] } }, { body: { status: 'pending' } }]
  await atScriptedVendor(adapter, replies, async (scripted, requests) => {
    const image = { type: 'url', url: 'data:image/png;base64,QUJD' }
    const last = { type: 'url', url: 'https://a.example/last.png' }
    const frame = { frameType: 'last_frame', image: last }
    const task = scriptedTask(model, { prompt: 'A boat', image, frameImages: [frame] })
    const handle = { taskId: 'job_1', operation: JSON.stringify(operation), model }
    assert.deepEqual(await scripted.submit(task), { kind: 'accepted', handle })
    assert.deepEqual(requests[0]?.body, {
      n: 1,
      prompt: 'A boat',
      image: { type: 'file', mediaType: 'image/png', data: 'QUJD' },
      frameImages: [frame],
      callbackUrl: task.callbackUrl,
    })
    assert.equal(requests[0]?.headers['ai-model-id'], model)
    assert.equal(requests[0]?.headers['idempotency-key'], task.videoId)
    assert.deepEqual(await scripted.poll?.(handle), { kind: 'running', progress: null })
    assert.deepEqual(requests[1]?.body, { operation })
    assert.equal(requests[1]?.headers['ai-model-id'], model)
  })
})

test('vercel: each state → its report; a film as base64 → its bytes', async () => {
  const handle = { taskId: 'job_1', operation: '{}', model }
  const base64 = { status: 'completed', videos: [{ type: 'base64', data: 'ZmlsbQ==', mediaType: 'video/mp4' }] }
  const cases: [object, object][] = [
    [{ status: 'queued' }, { kind: 'running', progress: null }],
    [{ status: 'completed', videos: [] }, { kind: 'no_film' }],
    [{ status: 'completed', videos: [{ type: 'uploaded', mediaType: 'video/mp4' }] }, { kind: 'no_film' }],
    [base64, { kind: 'completed', result: 'inline' }],
    [
      { status: 'error', error: 'Blocked by the content policy' },
      { kind: 'failed', failure: { code: 'CONTENT_REFUSED', message: 'Blocked by the content policy' } },
    ],
    [
      { status: 'cancelled' },
      { kind: 'failed', failure: { code: 'CANCELLED', message: 'The provider cancelled the task.' } },
    ],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([body]) => ({ body })),
    async (scripted) => {
      for (const [body, report] of cases) {
        assert.deepEqual(await scripted.poll?.(handle), report, JSON.stringify(body))
      }
    },
  )
  await atScriptedVendor(adapter, [{ body: base64 }], async (scripted) => {
    assert.deepEqual(await scripted.openResult?.(handle, 'inline'), { kind: 'bytes', bytes: Buffer.from('film') })
  })
})

test('vercel: a refused start → without the names of our account; 424 → our account is at fault', async () => {
  const error = (status: number, message: string) => ({ status, body: { error: { message, type: 'x' } } })
  const replies = [
    error(400, 'Model not enabled for team_abc123.'),
    error(424, 'A bucket is missing.'),
    error(409, 'Busy'),
  ]
  await atScriptedVendor(adapter, replies, async (scripted) => {
    const submit = () => scripted.submit(scriptedTask(model, {}))
    const failure = { code: 'PARAMETERS_REFUSED', message: 'Model not enabled for ….' }
    assert.deepEqual(await submit(), { kind: 'refused', failure })
    assert.deepEqual(await submit(), { kind: 'not_accepted', retryable: false, reason: 'A bucket is missing.' })
    assert.equal((await submit()).kind, 'unknown')
  })
})
