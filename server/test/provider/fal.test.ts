import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFal } from '@ai-sdk/fal'
import { createFalClient } from '@fal-ai/client'
import { adapter } from '../../src/provider/adapter/fal.ts'
import { adapterSuite, isMp4 } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { sharedSimulator } from '../support/simulator.ts'

await adapterSuite({
  id: 'fal',
  adapter,
  model: 'fal-ai/veo3.1/fast',
  input: (prompt, image) => ({ prompt, duration: '2s', resolution: '480p', ...(image ? { image_url: image } : {}) }),
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
