/** `/openrouter/api/v1`, and its videos at `/api/v1/videos`, by OpenRouter's own package. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { HTTPClient, OpenRouter } from '@openrouter/sdk'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import {
  assertFilm,
  assertRefused,
  check as checkApi,
  customer,
  finishOnly,
  type Hooks,
  losingFetch,
  PROMPT,
  post,
  videosOf,
} from './clients.ts'

const request = { model: 'delta-1-5', prompt: PROMPT, duration: 4, aspectRatio: '16:9', resolution: '720p' } as const

const BASE = '/openrouter/api/v1'
const clientOf = (url: string, apiKey: string, fetcher = fetch, base = BASE) =>
  new OpenRouter({ apiKey, serverURL: url + base, httpClient: new HTTPClient({ fetcher }) })
const openRouter = (...of: Parameters<typeof clientOf>) => clientOf(...of).videoGeneration

const statusIs = (status: number) => (error: { statusCode?: number }) => error.statusCode === status

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}

export function testOpenRouter(kinora: Kinora, hooks: Hooks): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('OpenRouter', call, result, run)
  const generate = (client: ReturnType<typeof openRouter>, change: object = {}) =>
    client.generate({ videoGenerationRequest: { ...request, ...change } })

  check('videoGeneration.generate, getGeneration, getVideoContent', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const client = openRouter(kinora.url, ann.apiKey)
    const made = await generate(client)
    assert.deepEqual([made.status, made.pollingUrl], ['pending', `${BASE}/videos/${made.id}`])
    assert.equal((await client.getGeneration({ jobId: made.id })).status, 'pending')
    await assert.rejects(client.getVideoContent({ jobId: made.id }), statusIs(404))
    await finishOnly(kinora, ann)
    const done = await client.getGeneration({ jobId: made.id })
    assert.deepEqual([done.status, done.usage?.cost], ['completed', 16])
    await assertFilm(kinora, ann, await bytesOf(await client.getVideoContent({ jobId: made.id })))
    const linked = await fetch(done.unsignedUrls?.[0] ?? '')
    await assertFilm(kinora, ann, new Uint8Array(await linked.arrayBuffer()))
  })

  check('videoGeneration.generate, getGeneration at Kinora’s own prefix', 'as at the base address', async () => {
    const ann = await customer(kinora)
    const client = openRouter(kinora.url, ann.apiKey, fetch, '/api/v1')
    const made = await generate(client)
    assert.equal(made.pollingUrl, `/api/v1/videos/${made.id}`)
    const polled = await client.getGeneration({ jobId: made.id })
    assert.deepEqual([polled.status, polled.pollingUrl], ['pending', made.pollingUrl])
  })

  check('apiKeys.getCurrentKeyMetadata, credits.getCredits', 'the key, its budget and what is left', async () => {
    const ann = await customer(kinora)
    const client = clientOf(kinora.url, ann.apiKey)
    const { data: before } = await client.credits.getCredits()
    assert.deepEqual(before, { totalCredits: 60, totalUsage: 0 })
    await generate(client.videoGeneration)
    assert.deepEqual((await client.credits.getCredits()).data, { totalCredits: 60, totalUsage: 16 })
    const { data: key } = await client.apiKeys.getCurrentKeyMetadata()
    assert.deepEqual([key.label, key.limit, key.usage, key.isFreeTier], ['client', null, 16, false])
    await assert.rejects(clientOf(kinora.url, ann.token).apiKeys.getCurrentKeyMetadata(), statusIs(404))
  })

  check('models.list, models.count, models.get', 'the models, with what they take', async () => {
    const ann = await customer(kinora)
    const { models } = clientOf(kinora.url, ann.apiKey)
    const { result } = await models.list()
    const delta = result.data.find(({ id }) => id === 'delta-1-5')
    assert.deepEqual(delta?.architecture.outputModalities, ['video'])
    assert.ok(delta?.architecture.inputModalities.includes('text'))
    assert.equal((await models.count()).data.count, result.data.length)
    assert.equal((await models.get({ author: 'kinora', slug: 'delta-1-5' })).data.name, delta?.name)
    await assert.rejects(models.get({ author: 'kinora', slug: 'none' }), statusIs(404))
  })

  check('videoGeneration.listVideosModels', 'the models, their sizes and prices', async () => {
    const ann = await customer(kinora)
    const { data } = await openRouter(kinora.url, ann.apiKey).listVideosModels()
    const delta = data.find(({ id }) => id === 'delta-1-5')
    assert.deepEqual(delta?.pricingSkus, { credits_per_second_720p: '4', credits_per_second_1080p: '8' })
    assert.ok(delta?.supportedSizes?.includes('1280x720'))
    assert.deepEqual(delta?.supportedDurations, [4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  check('generate with frameImages', 'a link or a data URL begins the film; a last frame is refused', async () => {
    const ann = await customer(kinora)
    const client = openRouter(kinora.url, ann.apiKey)
    const withImage = (url: string, frameType = 'first_frame') =>
      generate(client, { frameImages: [{ type: 'image_url', imageUrl: { url }, frameType }] })
    await withImage('https://example.com/boat.png')
    await withImage(`data:image/png;base64,${(await images.plain(640, 360)).toString('base64')}`)
    const urls = (await videosOf(kinora, ann)).map(({ startImageUrl }) => startImageUrl ?? '')
    assert.equal(urls[0], 'https://example.com/boat.png')
    assert.match(urls[1] ?? '', /^kinora:asset\//)
    await assert.rejects(withImage('https://127.0.0.1/a.png'), statusIs(400))
    await assert.rejects(withImage('https://example.com/b.png', 'last_frame'), statusIs(400))
  })

  check('generate with fields that are null, not supported, or contradict each other', 'absent; 400; 400', async () => {
    const ann = await customer(kinora)
    const body = { model: 'delta-1-5', prompt: PROMPT, duration: 4 }
    const frame = { type: 'image_url', image_url: { url: 'https://example.com/b.png', detail: null }, frame_type: null }
    const unset = { size: null, aspect_ratio: null, resolution: null, seed: null, provider: null, callback_url: null }
    const url = `${kinora.url}/api/v1/videos`
    const made = await post(url, ann.apiKey, { ...body, ...unset, frame_images: [frame] })
    assert.equal(made.status, 202, made.text)
    assert.equal((await videosOf(kinora, ann))[0]?.startImageUrl, 'https://example.com/b.png')
    await assertRefused(kinora, '/api/v1/videos', {
      upscale_factor: { ...body, upscale_factor: 2 },
      'a middle_frame': { ...body, frame_images: [{ ...frame, frame_type: 'middle_frame' }] },
      'provider.options.google': { ...body, provider: { options: { google: { negativePrompt: 'rain' } } } },
    })
    for (const change of [{ aspect_ratio: '9:16' }, { resolution: '1080p' }]) {
      const refused = await post(url, ann.apiKey, { ...body, size: '1280x720', ...change })
      assert.equal(refused.status, 400, refused.text)
      assert.ok(refused.text.includes(`does not have the ${Object.keys(change)[0]} `), refused.text)
    }
    assert.equal((await videosOf(kinora, ann)).length, 1)
  })

  check('generate whose response is lost', 'the retry of the package returns the same video', async () => {
    const ann = await customer(kinora)
    const lost = losingFetch()
    const client = openRouter(kinora.url, ann.apiKey, lost.fetch)
    const { id } = await generate(client)
    assert.equal(lost.posts(), 2)
    assert.deepEqual(
      (await videosOf(kinora, ann)).map((video) => video.id),
      [id],
    )
    assert.notEqual((await generate(client, { seed: 7 })).id, id)
  })

  check('getGeneration of a film that failed', 'status failed with the reason; credits are back', async () => {
    const ann = await customer(kinora)
    const client = openRouter(kinora.url, ann.apiKey)
    const { id } = await generate(client, { prompt: '[fail: no luck]' })
    await finishOnly(kinora, ann)
    const video = await client.getGeneration({ jobId: id })
    assert.equal(video.status, 'failed')
    assert.match(video.error ?? '', /no luck/)
    assert.equal((await kinora.balance(ann)).available, 60)
  })

  check('generate with callbackUrl', 'one signed event with the film when it is final', async () => {
    const ann = await customer(kinora)
    const secret = await hooks.secretOf(ann)
    const client = openRouter(kinora.url, ann.apiKey)
    const { id } = await generate(client, { callbackUrl: hooks.receiver.url })
    assert.deepEqual(await hooks.sent(), [])
    await finishOnly(kinora, ann)
    const [event, ...more] = await hooks.sent()
    assert.deepEqual(more, [])
    assert.ok(event)
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(event.headers['x-openrouter-signature'] ?? '') ?? []
    assert.equal(signature, createHmac('sha256', secret).update(`${time},${event.body}`).digest('hex'))
    assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 300)
    assert.match(event.headers['x-openrouter-idempotency-key'] ?? '', /^msg_[0-9a-f]{32}$/)
    const { type, created_at: createdAt, data } = JSON.parse(event.body)
    assert.deepEqual(
      [type, data.id, data.status, data.model, data.usage],
      ['video.generation.completed', id, 'completed', 'delta-1-5', { cost: 16, is_byok: false }],
    )
    assert.ok(Date.parse(createdAt) <= Date.now())
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(data.unsigned_urls[0])).arrayBuffer()))

    const failing = await customer(kinora)
    const made = await generate(openRouter(kinora.url, failing.apiKey), {
      prompt: '[fail: no luck]',
      callbackUrl: hooks.receiver.url,
    })
    await finishOnly(kinora, failing)
    const failed = JSON.parse((await hooks.sent())[0]?.body ?? '')
    assert.deepEqual([failed.type, failed.data.id, failed.data.usage.cost], ['video.generation.failed', made.id, 0])
    assert.match(failed.data.error, /no luck/)
  })

  check(
    'generate without credits, with wrong values; a wrong key; another user’s video',
    '402, 400, 401, 404',
    async () => {
      const [poor, ann] = [await customer(kinora, 3), await customer(kinora)]
      await assert.rejects(generate(openRouter(kinora.url, poor.apiKey)), statusIs(402))
      const client = openRouter(kinora.url, ann.apiKey)
      for (const change of [
        { model: 'none' },
        { duration: 99 },
        { size: '10x10' },
        { callbackUrl: 'https://127.0.0.1/hook' },
      ]) {
        await assert.rejects(generate(client, change), statusIs(400))
      }
      assert.equal((await videosOf(kinora, ann)).length, 0)
      await assert.rejects(generate(openRouter(kinora.url, 'kin_wrong')), statusIs(401))
      const { id } = await generate(client)
      await assert.rejects(openRouter(kinora.url, poor.apiKey).getGeneration({ jobId: id }), statusIs(404))
    },
  )
}

/** Whether a create is refused by the rate limit. */
export async function openRouterIsLimited(url: string, apiKey: string): Promise<void> {
  const videoGenerationRequest = { ...request }
  await assert.rejects(openRouter(url, apiKey).generate({ videoGenerationRequest }), statusIs(429))
}
