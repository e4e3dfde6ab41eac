import { createFalClient } from '@fal-ai/client'
import { adapter } from '../../src/provider/adapter/fal.ts'
import { adapterSuite } from '../support/adapter-suite.ts'

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
