import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFal } from '@ai-sdk/fal'
import { createFalClient } from '@fal-ai/client'
import { adapter } from '../../src/provider/adapter/fal.ts'
import { adapterSuite, isMp4 } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

await adapterSuite({
  id: 'fal',
  adapter,
  model: 'fal-ai/veo3.1/fast',
  imageModel: 'fal-ai/veo3.1/fast/image-to-video',
  input: (prompt, image) => ({ prompt, duration: '4s', resolution: '720p', ...(image ? { image_url: image } : {}) }),
  client: async (address, prompt) => {
    const fal = createFalClient({
      credentials: 'key',
      fetch: (url, init) => fetch(String(url).replace('https://queue.fal.run', address), init),
    })
    const { data } = await fal.subscribe('fal-ai/veo3.1/fast', { input: { prompt, duration: '4s' }, pollInterval: 50 })
    return (data as { video: { url: string } }).video.url
  },
})

test('fal: @ai-sdk/fal → a film from the same dialect', async () => {
  const address = `${(await sharedSimulator()).url}/fal`
  const queue = 'https://queue.fal.run'
  // It follows the addresses of a response only at the host that it knows.
  const viaSimulator: typeof fetch = async (url, init) => {
    const response = await fetch(String(url).replace(queue, address), init)
    return new Response((await response.text()).replaceAll(address, queue), response)
  }
  const model = createFal({ apiKey: 'key', fetch: viaSimulator }).video('fal-ai/veo3.1/fast')
  assert.ok(isMp4(await aiSdkFilm({ model, prompt: 'A boat of the SDK', duration: 4 })))
})

test('fal: a result that cannot be read now → no answer; the failure of a task → failed', async () => {
  const handle = { taskId: '1', path: '/fal-ai/veo3.1/requests/1' }
  const over = { status: 'COMPLETED' }
  const rows = [
    [over, 502, '<h1>Bad gateway</h1>', null],
    [over, 503, { detail: 'Service unavailable' }, null],
    [over, 401, { detail: 'Invalid token' }, null],
    [over, 429, { detail: 'Too many requests' }, null],
    [over, 400, { detail: 'Request is still in progress' }, null],
    [over, 422, { detail: [{ msg: 'Too dark', type: 'no_media_generated' }] }, 'CONTENT_REFUSED'],
    [over, 504, { detail: 'Too slow', error_type: 'request_timeout' }, 'PROVIDER_ERROR'],
    [{ ...over, error: 'It broke' }, 500, 'Internal Server Error', 'PROVIDER_ERROR'],
    [{ ...over, error: 'It broke', error_type: 'internal' }, 404, { detail: 'Gone' }, 'PROVIDER_ERROR'],
  ] as const
  for (const [task, status, body, code] of rows) {
    await atScriptedVendor(adapter, [{ body: task }, { status, body }], async (provider) => {
      const report = await provider.poll?.(handle)
      assert.equal(report?.kind === 'failed' ? report.failure.code : report, code, JSON.stringify([task, status, body]))
    })
  }
})

test('fal: the output in `data` or `result` → its film', async () => {
  const output = { video: { url: 'https://v3.fal.media/film.mp4' } }
  for (const body of [output, { data: output }, { result: output }, { data: { video: output.video.url } }]) {
    await atScriptedVendor(adapter, [{ body: { status: 'COMPLETED' } }, { body }], async (provider) => {
      const report = await provider.poll?.({ taskId: '1', path: '/fal-ai/veo3.1/requests/1' })
      assert.deepEqual(report, { kind: 'completed', result: output.video.url }, JSON.stringify(body))
    })
  }
})

test('fal: units → money at the price of the endpoint, asked once; units alone where it is not told in USD', async () => {
  const over = { body: { status: 'COMPLETED' } }
  const film = {
    headers: { 'x-fal-billable-units': '3.008' },
    body: { video: { url: 'https://v3.fal.media/a.mp4' } },
  }
  const price = { endpoint_id: 'a/model', unit: 'second', currency: 'USD' }
  const rows = [
    [{ body: { prices: [{ ...price, unit_price: 0.03 }] } }, '0.090240000', 'USD'],
    [{ body: { prices: [{ ...price, unit_price: 0.03, currency: 'EUR' }] } }, '3.008', 'units'],
    [{ body: { prices: [{ ...price, unit_price: -1 }] } }, '3.008', 'units'],
    [{ body: { prices: {} } }, '3.008', 'units'],
    [{ status: 500, body: 'Broken' }, '3.008', 'units'],
    [{ body: 'x'.repeat(100_000) }, '3.008', 'units'],
  ] as const
  for (const [answer, amount, unit] of rows) {
    await atScriptedVendor(adapter, [over, film, answer, film], async (provider, requests) => {
      const handle = { taskId: '1', path: '/a/requests/1', model: 'a/model' }
      for (let turn = 0; turn < 2; turn++)
        assert.deepEqual(
          turn === 0 ? (await provider.poll?.(handle))?.cost : await provider.readCost?.(handle),
          { amount, unit, stage: 'final' },
          JSON.stringify(answer),
        )
      assert.equal(requests.length, 4)
    })
  }
})
