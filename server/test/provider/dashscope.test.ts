import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAlibaba } from '@ai-sdk/alibaba'
import { adapter } from '../../src/provider/adapter/dashscope.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'dashscope',
  adapter,
  model: 'wan2.7-t2v',
  input: (prompt, image) => ({
    input: { prompt, ...(image ? { media: [{ type: 'first_frame', url: image }] } : {}) },
    parameters: { resolution: '720P', ratio: '16:9', duration: 2, prompt_extend: false, watermark: false },
  }),
  isBusyCertain: true,
  cancels: 'queued',
  without: { forgotten: 'a task is unknown for a while after its submit too: see below' },
  client: (address, prompt) =>
    aiSdkFilm({
      model: createAlibaba({ apiKey: 'key', videoBaseURL: address }).video('wan2.6-t2v'),
      prompt,
      duration: 2,
      resolution: '1280x720',
    }),
})

const task = scriptedTask('wan2.7-t2v', { input: { prompt: 'A boat' }, parameters: { resolution: '720P' } })
const unknown = { body: { output: { task_id: '1', task_status: 'UNKNOWN' } } }

test('dashscope: UNKNOWN → running in the first minute, then lost', async () => {
  const accepted = { body: { output: { task_id: '1', task_status: 'PENDING' } } }
  await atScriptedVendor(adapter, [accepted, unknown], async (provider) => {
    const outcome = await provider.submit(task)
    assert.ok(outcome.kind === 'accepted')
    assert.deepEqual(await provider.poll?.(outcome.handle), { kind: 'running', progress: null, note: 'UNKNOWN' })
    const acceptedAt = new Date(Date.now() - 62_000).toUTCString()
    assert.deepEqual(await provider.poll?.({ taskId: '1', acceptedAt }), { kind: 'lost' })
    assert.deepEqual(await provider.poll?.({ taskId: '1' }), { kind: 'lost' })
  })
})

test('dashscope: one status, several codes → the code decides', async () => {
  const error = (status: number, code: string) => ({ status, body: { code, message: 'Something.', request_id: '1' } })
  await assertOutcomes(adapter, [
    [error(400, 'Arrearage'), 'not_accepted false'],
    [error(400, 'IPInfringementSuspect'), 'refused CONTENT_REFUSED'],
    [error(429, 'Throttling.AllocationQuota'), 'not_accepted false'],
    [error(429, 'Throttling.BurstRate'), 'not_accepted true'],
    [error(400, 'InvalidParameter.DataInspection'), 'refused INPUT_REFUSED'],
    [error(403, 'Model.AccessDenied'), 'not_accepted false'],
    [error(500, 'InternalError.Timeout'), 'unknown'],
  ])
})

test('dashscope: a film that became sensitive → CONTENT_REFUSED', async () => {
  const output = { task_id: '1', task_status: 'FAILED', code: 'DataInspectionFailed', message: 'Not shown.' }
  await atScriptedVendor(adapter, [{ body: { output } }], async (provider) => {
    const failure = { code: 'CONTENT_REFUSED', message: 'Not shown.' }
    assert.deepEqual(await provider.poll?.({ taskId: '1' }), { kind: 'failed', failure })
  })
})

test('dashscope: a first and a last frame, an uploaded image → the address and the header that these want', async () => {
  await atScriptedVendor(adapter, [{ body: {} }], async (provider, requests) => {
    await provider.submit(task)
    await provider.submit(scriptedTask('wan2.2-kf2v-flash', { input: { first_frame_url: 'oss://dir/start.png' } }))
    const [text, frames] = requests
    assert.equal(text?.path, '/api/v1/services/aigc/video-generation/video-synthesis')
    assert.equal(text?.headers['x-dashscope-ossresourceresolve'], undefined)
    assert.equal(frames?.path, '/api/v1/services/aigc/image2video/video-synthesis')
    assert.equal(frames?.headers['x-dashscope-ossresourceresolve'], 'enable')
  })
})

test('dashscope: a model with its service → that address, and the film among results', async () => {
  const output = { task_id: '1', task_status: 'SUCCEEDED', results: { video_url: 'https://films.example/film' } }
  const replies = [{ body: { output: { task_id: '1' } } }, { body: { output, usage: { video_duration: 5.2 } } }]
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    const input = { input: { image_url: 'https://kinora.example/a.png', video_url: 'https://kinora.example/a.mp4' } }
    await provider.submit(scriptedTask('image2video/wan2.2-animate-move', input))
    assert.equal(requests[0]?.path, '/api/v1/services/aigc/image2video/video-synthesis')
    assert.deepEqual(requests[0]?.body, { ...input, model: 'wan2.2-animate-move' })
    const cost = { amount: '5.2', unit: 'seconds', stage: 'final' }
    const film = { kind: 'completed', result: 'https://films.example/film', cost }
    assert.deepEqual(await provider.poll?.({ taskId: '1' }), film)
  })
})
