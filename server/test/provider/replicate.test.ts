import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReplicate } from '@ai-sdk/replicate'
import Replicate from 'replicate'
import { adapter } from '../../src/provider/adapter/replicate.ts'
import { adapterSuite, isMp4 } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

await adapterSuite({
  id: 'replicate',
  adapter,
  model: 'google/veo-3.1-fast',
  input: (prompt, image) => ({ prompt, duration: 2, resolution: '480p', ...(image ? { image } : {}) }),
  client: async (address, prompt) => {
    const replicate = new Replicate({ auth: 'key', baseUrl: `${address}/v1` })
    const input = { prompt, duration: 4, resolution: '720p' }
    return String(await replicate.run('google/veo-3.1-fast', { input }))
  },
})

test('replicate: @ai-sdk/replicate → a film from the same dialect', async () => {
  const { url } = await sharedSimulator()
  const { video } = createReplicate({ apiToken: 'key', baseURL: `${url}/replicate/v1` })
  assert.ok(isMp4(await aiSdkFilm({ model: video('minimax/video-01'), prompt: 'A boat of the SDK', duration: 4 })))
})

test('replicate: a model, a version, a deployment → its own address', async () => {
  const hash = '0'.repeat(64)
  const paths = {
    'google/veo-3.1': '/v1/models/google/veo-3.1/predictions',
    [`someone/model:${hash}`]: '/v1/predictions',
    [hash]: '/v1/predictions',
    'deployments/us/films': '/v1/deployments/us/films/predictions',
  }
  await atScriptedVendor(
    adapter,
    [{ status: 201, body: { id: 'p1', status: 'starting' } }],
    async (provider, requests) => {
      for (const [model, path] of Object.entries(paths)) {
        const task = scriptedTask(model, { prompt: 'A boat' })
        assert.equal((await provider.submit(task)).kind, 'accepted')
        const version = path === '/v1/predictions' ? { version: hash } : {}
        const { path: called, body } = requests.at(-1) ?? {}
        const webhook = { webhook: task.callbackUrl, webhook_events_filter: ['completed'] }
        assert.deepEqual([called, body], [path, { input: task.input, ...webhook, ...version }])
      }
    },
  )
})

test('replicate: a submit whose prediction has failed already → accepted, with the failure', async () => {
  const body = { id: 'p1', status: 'failed', error: 'The input was flagged as sensitive (E005)' }
  await atScriptedVendor(adapter, [{ status: 201, body }], async (provider) => {
    assert.deepEqual(await provider.submit(scriptedTask('a/b', {})), {
      kind: 'accepted',
      handle: { taskId: 'p1' },
      report: { kind: 'failed', failure: { code: 'CONTENT_REFUSED', message: body.error } },
    })
  })
})

test('replicate: each state of a prediction → its report', async () => {
  const link = 'https://replicate.delivery/film.mp4'
  const completed = { kind: 'completed', result: link }
  const cases: [object, object][] = [
    [{ status: 'starting' }, { kind: 'running', progress: null }],
    [
      { status: 'processing', logs: 'a\n 5%|#  | 1/20\r 45%|####   | 9/20 [00:01<00:01]\nb' },
      { kind: 'running', progress: 45 },
    ],
    [{ status: 'succeeded', output: link }, completed],
    [{ status: 'succeeded', output: [link] }, completed],
    [{ status: 'succeeded', output: { video: link } }, completed],
    [{ status: 'succeeded', output: null }, { kind: 'no_film' }],
    [{ status: 'succeeded', output: null, data_removed: true }, { kind: 'lost' }],
    [{ status: 'canceled' }, { kind: 'failed', code: 'CANCELLED' }],
    [{ status: 'aborted' }, { kind: 'failed', code: 'TIMED_OUT' }],
    [
      { status: 'failed', error: 'CUDA out of memory' },
      { kind: 'failed', code: 'PROVIDER_ERROR' },
    ],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([body]) => ({ body })),
    async (provider) => {
      for (const [body, expected] of cases) {
        const report = await provider.poll?.({ taskId: 'p1' })
        const found = report?.kind === 'failed' ? { kind: 'failed', code: report.failure.code } : report
        assert.deepEqual(found, expected, JSON.stringify(body))
      }
    },
  )
})

test('replicate: a cancel that is refused → too late once it has ended, else no answer', async () => {
  const refused = { status: 422, body: { detail: 'It cannot be canceled.', status: 422 } }
  const states = ['succeeded', 'processing'].map((status) => ({ body: { id: 'p1', status } }))
  const replies = states.flatMap((state) => [refused, state])
  await atScriptedVendor(adapter, replies, async (provider) => {
    assert.equal(await provider.cancel?.({ taskId: 'p1' }), 'too_late')
    assert.equal(await provider.cancel?.({ taskId: 'p1' }), null)
  })
})
