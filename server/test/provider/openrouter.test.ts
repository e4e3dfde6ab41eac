import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { OpenRouter } from '@openrouter/sdk'
import { adapter } from '../../src/provider/adapter/openrouter.ts'
import { adapterSuite, isMp4, settled } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

await adapterSuite({
  id: 'openrouter',
  adapter,
  model: 'google/veo-3.1-lite',
  webhookKey: 'secret of the workspace',
  input: (prompt, image) => ({
    prompt,
    duration: 2,
    resolution: '480p',
    aspect_ratio: '16:9',
    generate_audio: true,
    ...(image ? { frame_images: [{ type: 'image_url', image_url: { url: image }, frame_type: 'first_frame' }] } : {}),
  }),
  without: { 'expired-link': 'a film stays at the address of its job' },
  client: async (address, prompt) => {
    const openRouter = new OpenRouter({
      apiKey: 'key',
      serverURL: `${address}/api/v1`,
      retryConfig: { strategy: 'none' },
    })
    const request = { model: 'google/veo-3.1-lite', prompt, duration: 4, resolution: '720p' as const }
    const { id: jobId } = await openRouter.videoGeneration.generate({ videoGenerationRequest: request })
    await settled(
      () => openRouter.videoGeneration.getGeneration({ jobId }),
      ({ status }) => status === 'completed',
    )
    const film = await openRouter.videoGeneration.getVideoContent({ jobId })
    return new Uint8Array(await new Response(film).arrayBuffer())
  },
})

test('openrouter: @openrouter/ai-sdk-provider → a film from the same dialect', async () => {
  const { url } = await sharedSimulator()
  const openRouter = createOpenRouter({ apiKey: 'key', baseURL: `${url}/openrouter/api/v1` })
  const model = openRouter.videoModel('google/veo-3.1-lite', { pollIntervalMs: 50 })
  const film = await aiSdkFilm({ model, prompt: 'A boat of the SDK', duration: 4 }, { authorization: 'Bearer key' })
  assert.ok(isMp4(film))
})

test('openrouter: 403 with reasons of a moderation → refused; of the limit of our key → at fault', async () => {
  const cases: [number, object, object][] = [
    [403, { message: 'Refused.', metadata: { reasons: ['violence'] } }, { kind: 'refused', code: 'CONTENT_REFUSED' }],
    [403, { message: 'Blocked by content policy.' }, { kind: 'refused', code: 'CONTENT_REFUSED' }],
    [403, { message: 'Key limit exceeded.' }, { kind: 'not_accepted', code: undefined }],
    [404, { message: 'No endpoints found.' }, { kind: 'not_accepted', code: undefined }],
    [413, { message: 'Too large.' }, { kind: 'refused', code: 'INPUT_REFUSED' }],
    [502, { message: 'Upstream.' }, { kind: 'unknown', code: undefined }],
  ]
  const replies = cases.map(([status, error]) => ({ status, body: { error: { code: status, ...error } } }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    for (const [status, error, expected] of cases) {
      const outcome = await provider.submit(scriptedTask('google/veo-3.1', { prompt: 'A boat' }))
      const code = outcome.kind === 'refused' ? outcome.failure.code : undefined
      assert.deepEqual({ kind: outcome.kind, code }, expected, `${status} ${JSON.stringify(error)}`)
    }
  })
})

test('openrouter: each state of a job → its report and cost', async () => {
  const usage = { cost: 0.32, is_byok: false }
  const cost = { amount: '0.32', unit: 'USD', stage: 'final' }
  const link = 'https://openrouter.ai/api/v1/videos/j1/content?index=0'
  const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })
  const cases: [object, object][] = [
    [{ status: 'in_progress' }, { kind: 'running', progress: null }],
    [
      { status: 'completed', unsigned_urls: [link], usage },
      { kind: 'completed', result: link, cost },
    ],
    [
      { status: 'completed', urls: [link] },
      { kind: 'completed', result: link },
    ],
    [
      { status: 'completed', usage },
      { kind: 'no_film', cost },
    ],
    [{ status: 'failed', error: 'Content policy violation' }, failed('CONTENT_REFUSED', 'Content policy violation')],
    [{ status: 'dead', error: 'It broke' }, failed('PROVIDER_ERROR', 'It broke')],
    [{ status: 'cancelled', error: 'Stopped' }, failed('CANCELLED', 'Stopped')],
    [{ status: 'expired', error: 'Too late' }, failed('TIMED_OUT', 'Too late')],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([body]) => ({ body })),
    async (provider) => {
      for (const [body, expected] of cases) {
        assert.deepEqual(await provider.poll?.({ taskId: 'j1' }), expected, JSON.stringify(body))
      }
    },
  )
})

test('openrouter: a film → the address of its job at our own host, with our key', async () => {
  await atScriptedVendor(adapter, [], async (provider) => {
    const opened = await provider.openResult?.({ taskId: 'gen-vid-1/..' }, 'https://elsewhere.example/film.mp4')
    assert.ok(opened?.kind === 'link')
    assert.match(opened.url, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/videos\/gen-vid-1%2F\.\.\/content\?index=0$/)
    assert.deepEqual(opened.headers, { authorization: 'Bearer key' })
  })
})

test('openrouter: a callback without a secret in the settings → a poll', async () => {
  await atScriptedVendor(adapter, [], async (provider) => {
    const data = { id: 'j1', status: 'completed', unsigned_urls: ['https://openrouter.ai/film.mp4'] }
    const body = Buffer.from(JSON.stringify({ type: 'video.generation.completed', data }))
    const callback = { body, headers: {}, query: new URLSearchParams(), now: new Date() }
    assert.deepEqual(await provider.readCallback?.(callback), { kind: 'poll', handle: { taskId: 'j1' } })
  })
})
