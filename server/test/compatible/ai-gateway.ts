/** `/ai-gateway`, by Vercel's AI SDK and its gateway provider. */
import assert from 'node:assert/strict'
import { createGateway, GatewayError } from '@ai-sdk/gateway'
import { experimental_generateVideo as generateVideo, experimental_startVideo as startVideo } from 'ai'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import {
  assertFilm,
  assertRefused,
  check as checkApi,
  completeOnly,
  customer,
  download,
  finishOnly,
  losingFetch,
  PROMPT,
  post,
  videosOf,
} from './clients.ts'

const poll = { intervalMs: 200, timeoutMs: 60_000 }

function film(url: string, apiKey: string, more: object = {}, fetcher: typeof fetch = fetch, model = 'delta-1-5') {
  const gateway = createGateway({ apiKey, baseURL: `${url}/ai-gateway`, fetch: fetcher })
  const options = { prompt: PROMPT, aspectRatio: '16:9', duration: 4, maxRetries: 0, download, ...more } as const
  return generateVideo({ model: gateway.videoModel(model), ...options })
}

const statusIs = (status: number) => (error: unknown) => GatewayError.isInstance(error) && error.statusCode === status

export function testAiGateway(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) =>
    checkApi('AI SDK gateway', call, result, run)

  check('generateVideo with poll', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const making = film(kinora.url, ann.apiKey, { poll, resolution: '1280x720', fps: 24 })
    await finishOnly(kinora, ann)
    const { video, warnings, providerMetadata } = await making
    assert.equal(video.mediaType, 'video/mp4')
    await assertFilm(kinora, ann, video.uint8Array)
    assert.deepEqual(warnings, [{ type: 'unsupported', feature: 'fps' }])
    const [{ id } = { id: '' }] = await videosOf(kinora, ann)
    assert.equal(providerMetadata.kinora?.uuid, id)
  })

  check('generateVideo without poll', 'a film, in one request that waits', async () => {
    const ann = await customer(kinora)
    const making = film(kinora.url, ann.apiKey)
    await completeOnly(kinora, ann)
    await assertFilm(kinora, ann, (await making).video.uint8Array)
  })

  check('startVideo with an image', 'the picture begins the film', async () => {
    const ann = await customer(kinora)
    const prompt = { text: PROMPT, image: await images.plain(640, 360) }
    const model = createGateway({ apiKey: ann.apiKey, baseURL: `${kinora.url}/ai-gateway` }).videoModel('delta-1-5')
    const { operation } = await startVideo({ model, prompt, aspectRatio: '16:9', duration: 4 })
    const [video] = await videosOf(kinora, ann)
    assert.deepEqual(operation, { uuid: video?.id })
    assert.match(video?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/`))
  })

  check(
    'start with providerOptions, with fields that are null, or not supported',
    'a warning; absent; 400',
    async () => {
      const ann = await customer(kinora)
      const headers = { 'ai-model-id': 'delta-1-5' }
      const body = { prompt: PROMPT, n: 1, aspectRatio: '16:9', duration: 4 }
      const unset = { resolution: null, fps: null, seed: null, image: null, callbackUrl: null }
      const providerOptions = { klingai: { mode: 'pro' } }
      const path = '/ai-gateway/video-model/start'
      const made = await post(`${kinora.url}${path}`, ann.apiKey, { ...body, ...unset, providerOptions }, headers)
      assert.equal(made.status, 200, made.text)
      assert.deepEqual(JSON.parse(made.text).warnings, [{ type: 'unsupported', feature: 'providerOptions' }])
      await assertRefused(kinora, path, { quality: { ...body, quality: '1080p' } }, headers)
    },
  )

  check('generateVideo of a film that fails', 'an error with the reason; credits are back', async () => {
    for (const more of [{ poll }, {}]) {
      const ann = await customer(kinora)
      const making = film(kinora.url, ann.apiKey, { prompt: '[fail: no luck]', ...more })
      await Promise.all([assert.rejects(making, /no luck/), finishOnly(kinora, ann)])
      assert.equal((await kinora.balance(ann)).available, 60)
    }
  })

  check('generateVideo whose response is lost', 'the retry of the package makes no second film', async () => {
    for (const more of [{ poll }, {}]) {
      const ann = await customer(kinora)
      const lost = losingFetch()
      const making = film(kinora.url, ann.apiKey, { maxRetries: 2, ...more }, lost.fetch)
      await completeOnly(kinora, ann)
      await assertFilm(kinora, ann, (await making).video.uint8Array)
      assert.ok(lost.posts() >= 2)
    }
  })

  check('generateVideo without credits, with wrong values, with a wrong key', '402, 400, 401', async () => {
    const [poor, ann] = [await customer(kinora, 3), await customer(kinora)]
    await assert.rejects(film(kinora.url, poor.apiKey, { poll }), statusIs(402))
    await assert.rejects(film(kinora.url, ann.apiKey, { poll }, fetch, 'none'), statusIs(400))
    for (const more of [{ duration: 99 }, { resolution: '10x10' }, { n: 5 }, { aspectRatio: '2:7' }]) {
      await assert.rejects(film(kinora.url, ann.apiKey, { poll, ...more }), statusIs(400))
    }
    await assert.rejects(film(kinora.url, 'kin_wrong', { poll }), statusIs(401))
    assert.equal((await videosOf(kinora, ann)).length, 0)
  })

  check('gateway.getAvailableModels', 'the models', async () => {
    const ann = await customer(kinora)
    const gateway = createGateway({ apiKey: ann.apiKey, baseURL: `${kinora.url}/ai-gateway` })
    const { models } = await gateway.getAvailableModels()
    assert.deepEqual(
      models.map(({ id, modelType }) => [id, modelType]),
      [
        ['alpha-2', 'video'],
        ['beta-3-1', 'video'],
        ['delta-1-5', 'video'],
      ],
    )
  })

  check('status of another user’s operation', '404', async () => {
    const [ann, eve] = [await customer(kinora), await customer(kinora)]
    const { data } = await kinora.generate(ann)
    const response = await fetch(`${kinora.url}/ai-gateway/video-model/status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${eve.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ operation: { uuid: data.uuid } }),
    })
    assert.equal(response.status, 404)
    assert.equal(((await response.json()) as { error: { type: string } }).error.type, 'not_found')
  })
}

/** Whether a create is refused by the rate limit. */
export async function aiGatewayIsLimited(url: string, apiKey: string): Promise<void> {
  await assert.rejects(film(url, apiKey, { poll }), statusIs(429))
}
