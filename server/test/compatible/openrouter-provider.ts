/**
 * `/api/v1/videos`, by OpenRouter's own provider for Vercel's AI SDK. It waits inside `doGenerate` and sends no
 * Idempotency-Key.
 */
import assert from 'node:assert/strict'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { APICallError, experimental_generateVideo as generateVideo } from 'ai'
import { completeVideo } from '../support/completed-video.ts'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'
import {
  assertFilm,
  check as checkApi,
  completeOnly,
  customer,
  download,
  finishOnly,
  losingFetch,
  PROMPT,
  videosOf,
} from './clients.ts'

function film(url: string, apiKey: string, more: object = {}, fetcher: typeof fetch = fetch, id = 'delta-1-5') {
  const provider = createOpenRouter({ apiKey, baseURL: `${url}/openrouter/api/v1`, fetch: fetcher })
  const model = provider.videoModel(id, { pollIntervalMs: 200 })
  const options = { prompt: PROMPT, aspectRatio: '16:9', duration: 4, maxRetries: 0, download, ...more } as const
  return generateVideo({ model, ...options })
}

const statusIs = (status: number) => (error: unknown) => APICallError.isInstance(error) && error.statusCode === status

export function testOpenRouterProvider(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) =>
    checkApi('OpenRouter’s AI SDK provider', call, result, run)

  check('generateVideo', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const making = film(kinora.url, ann.apiKey, { resolution: '1280x720', seed: 7 })
    await finishOnly(kinora, ann)
    const { video, providerMetadata } = await making
    await assertFilm(kinora, ann, video.uint8Array)
    assert.equal(providerMetadata.openrouter?.cost, 16)
  })

  check('generateVideo with an image', 'the picture begins the film', async () => {
    const ann = await customer(kinora)
    const making = film(kinora.url, ann.apiKey, { prompt: { text: PROMPT, image: await images.plain(640, 360) } })
    await completeOnly(kinora, ann)
    await making
    const [video] = await videosOf(kinora, ann)
    assert.match(video?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/`))
  })

  check('generateVideo with n: 2', 'two films', async () => {
    const ann = await customer(kinora)
    const making = film(kinora.url, ann.apiKey, { n: 2 })
    await waitFor('both videos', async () => (await videosOf(kinora, ann)).length === 2)
    for (const { id } of await videosOf(kinora, ann)) await completeVideo(kinora, ann, id)
    assert.equal((await making).videos.length, 2)
    assert.equal((await kinora.balance(ann)).available, 28)
  })

  check('generateVideo of a film that fails', 'an error with the reason; credits are back', async () => {
    const ann = await customer(kinora)
    const making = film(kinora.url, ann.apiKey, { prompt: '[fail: no luck]' })
    await Promise.all([assert.rejects(making, /no luck/), finishOnly(kinora, ann)])
    assert.equal((await kinora.balance(ann)).available, 60)
  })

  check('generateVideo whose response is lost', 'the retry of the SDK makes no second film', async () => {
    const ann = await customer(kinora)
    const lost = losingFetch()
    const making = film(kinora.url, ann.apiKey, { maxRetries: 2 }, lost.fetch)
    await completeOnly(kinora, ann)
    await assertFilm(kinora, ann, (await making).video.uint8Array)
    assert.equal(lost.posts(), 2)
  })

  check('generateVideo without credits, with wrong values, with a wrong key', '402, 400, 401', async () => {
    const [poor, ann] = [await customer(kinora, 3), await customer(kinora)]
    await assert.rejects(film(kinora.url, poor.apiKey), statusIs(402))
    await assert.rejects(film(kinora.url, 'kin_wrong'), statusIs(401))
    await assert.rejects(film(kinora.url, ann.apiKey, {}, fetch, 'none'), statusIs(400))
    for (const more of [{ duration: 99 }, { resolution: '10x10' }, { aspectRatio: '2:7' }]) {
      await assert.rejects(film(kinora.url, ann.apiKey, more), statusIs(400))
    }
    assert.equal((await videosOf(kinora, ann)).length, 0)
  })
}

/** Whether a create is refused by the rate limit. */
export async function openRouterProviderIsLimited(url: string, apiKey: string): Promise<void> {
  await assert.rejects(film(url, apiKey), statusIs(429))
}
