/** `/v1/videos` as JSON, which openai-python and gateways send, with the fields that gateways add to OpenAI's. */
import assert from 'node:assert/strict'
import type { Kinora } from '../support/harness.ts'
import { assertRefused, check as checkApi, customer, PROMPT, post, videosOf } from './clients.ts'

export function testOpenAiJson(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('OpenAI', call, result, run)

  check('POST /v1/videos as JSON (openai-python)', 'a video; seconds as text or number', async () => {
    const ann = await customer(kinora)
    for (const seconds of ['5', 5]) {
      const response = await fetch(`${kinora.url}/v1/videos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ann.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: PROMPT, model: 'delta-1-5', seconds, size: '720x1280', metadata: {} }),
      })
      assert.equal(response.status, 200)
      const video = (await response.json()) as { seconds: string; size: string }
      assert.deepEqual([video.seconds, video.size], ['5', '720x1280'])
    }
    // Half an emoji: the response has the prompt as it is stored.
    const half = { prompt: 'half a \ud83d', model: 'delta-1-5', seconds: '4' }
    const { text } = await post(`${kinora.url}/v1/videos`, ann.apiKey, half)
    assert.equal((JSON.parse(text) as { prompt: string }).prompt, 'half a \ufffd')
  })

  check(
    'POST /v1/videos with duration, aspect_ratio, resolution, image (new-api, LiteLLM)',
    'the film that they name; null is absent',
    async () => {
      const ann = await customer(kinora, 200)
      const create = async (more: object) => {
        const sent = { prompt: PROMPT, model: 'delta-1-5', ...more }
        const { status, text } = await post(`${kinora.url}/v1/videos`, ann.apiKey, sent)
        assert.equal(status, 200, text)
        const { seconds, size } = JSON.parse(text) as { seconds: string; size: string }
        return [seconds, size]
      }
      assert.deepEqual(await create({ duration: 5, aspect_ratio: '16:9' }), ['5', '1280x720'])
      assert.deepEqual(await create({ duration: '6', resolution: '1080P' }), ['6', '1080x1920'])
      assert.deepEqual(await create({ aspect_ratio: '1:1', resolution: '1080p', n: 1 }), ['4', '1080x1080'])
      const twice = { seconds: '5', duration: 5, size: '1280x720', aspect_ratio: '16:9', resolution: '720p' }
      assert.deepEqual(await create(twice), ['5', '1280x720'])
      const unset = { seconds: null, size: null, input_reference: null, metadata: null, fps: null }
      assert.deepEqual(await create(unset), ['4', '720x1280'])
      const reference = { image_url: 'https://example.com/a.png', file_id: null }
      await create({ input_reference: reference })
      await create({ image: 'https://example.com/b.png' })
      const urls = (await videosOf(kinora, ann)).map(({ startImageUrl }) => startImageUrl)
      assert.deepEqual(urls.slice(-2), ['https://example.com/a.png', 'https://example.com/b.png'])
    },
  )

  check(
    'POST /v1/videos with fields that contradict each other or are not supported',
    '400 that names the field; no film',
    async () => {
      const ann = await customer(kinora)
      const cases: [change: object, param: string][] = [
        [{ seconds: '8', duration: 4 }, 'seconds'],
        [{ size: '1280x720', aspect_ratio: '9:16' }, 'aspect_ratio'],
        [{ size: '1280x720', resolution: '1080p' }, 'resolution'],
        [{ aspect_ratio: '2:7' }, 'aspect_ratio'],
        [{ resolution: '480p' }, 'resolution'],
        [{ duration: 99 }, 'duration'],
        [{ n: 2 }, 'n'],
        [{ seconds: '0x5' }, 'seconds'],
        [{ seconds: '1e1' }, 'seconds'],
        [{ seconds: ' 5 ' }, 'seconds'],
        [{ duration: '5.0' }, 'duration'],
        [{ image: 'https://127.0.0.1/b.png' }, 'image'],
        // What a gateway means as a parameter is no text.
        [{ metadata: { duration: 12 } }, 'metadata.duration'],
        [{ image: 'https://example.com/a.png', input_reference: 'https://example.com/b.png' }, 'image'],
      ]
      for (const [change, param] of cases) {
        const sent = { prompt: PROMPT, model: 'delta-1-5', ...change }
        const { status, text } = await post(`${kinora.url}/v1/videos`, ann.apiKey, sent)
        assert.deepEqual([status, JSON.parse(text).error.param], [400, param], text)
      }
      const { text } = await post(`${kinora.url}/v1/videos`, ann.apiKey, { prompt: PROMPT, model: 'delta-1-5', n: 2 })
      assert.equal(JSON.parse(text).error.message, 'The body is not valid: n must be 1.')
      assert.equal((await videosOf(kinora, ann)).length, 0)
      const sent = { prompt: PROMPT, model: 'delta-1-5' }
      await assertRefused(kinora, '/v1/videos', {
        fps: { ...sent, fps: 60 },
        negative_prompt: { ...sent, negative_prompt: 'rain' },
      })
    },
  )
}
