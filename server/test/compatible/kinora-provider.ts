/** `@kinora/ai-sdk-provider`, driven by Vercel's AI SDK: the native API through the typed client. */
import assert from 'node:assert/strict'
import {
  APICallError,
  createProviderRegistry,
  experimental_generateVideo as generateVideo,
  experimental_getVideoStatus as getVideoStatus,
  experimental_startVideo as startVideo,
} from 'ai'
import { createKinora } from '../../../ai-sdk-provider/src/index.ts'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import type { Received } from '../support/webhook-receiver.ts'
import {
  assertFilm,
  check as checkApi,
  completeOnly,
  customer,
  download,
  finishOnly,
  type Hooks,
  losingFetch,
  PROMPT,
  videosOf,
} from './clients.ts'

const poll = { intervalMs: 200, timeoutMs: 60_000 }

const modelOf = (baseURL: string, apiKey: string, id = 'delta-1-5', fetcher: typeof fetch = fetch) =>
  createKinora({ baseURL, apiKey, fetch: fetcher }).videoModel(id)

/** Options that every test repeats; `more` overrides them. */
const film = (model: ReturnType<typeof modelOf>, more: object = {}) =>
  generateVideo({ model, prompt: PROMPT, aspectRatio: '16:9', duration: 4, maxRetries: 0, download, poll, ...more })

const statusIs = (status: number) => (error: unknown) =>
  APICallError.isInstance(error) && error.statusCode === status && !error.isRetryable

export function testKinoraProvider(kinora: Kinora, hooks: Hooks): void {
  const check = (call: string, result: string, run: () => Promise<void>) =>
    checkApi('Kinora’s AI SDK provider', call, result, run)

  check('generateVideo', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const registry = createProviderRegistry({ kinora: createKinora({ baseURL: kinora.url, apiKey: ann.apiKey }) })
    assert.throws(() => registry.languageModel('kinora:delta-1-5'), /video models only/)
    const making = film(modelOf(kinora.url, ann.apiKey), { seed: 7, fps: 24 })
    await finishOnly(kinora, ann)
    const { video, warnings, providerMetadata, responses } = await making
    assert.equal(video.mediaType, 'video/mp4')
    await assertFilm(kinora, ann, video.uint8Array)
    assert.deepEqual(warnings, [{ type: 'unsupported', feature: 'fps' }])
    const [{ id, seed } = { id: '', seed: null }] = await videosOf(kinora, ann)
    assert.equal(seed, 7)
    assert.deepEqual(providerMetadata.kinora, { uuid: id, creditsUsed: 16 })
    assert.ok(responses[0]?.headers?.['x-request-id'])
  })

  check('generateVideo with webhook', 'a film, without a poll', async () => {
    const ann = await customer(kinora)
    let arrived = (_webhook: Received) => {}
    const received = new Promise<Received>((resolve) => {
      arrived = resolve
    }).then(({ headers, body }) => ({ headers, body: JSON.parse(body) }))
    const webhook = async () => ({ url: hooks.receiver.url, received })
    const making = film(modelOf(kinora.url, ann.apiKey), { webhook, poll: undefined })
    await completeOnly(kinora, ann)
    const [sent, ...none] = await hooks.sent()
    assert.deepEqual(none, [])
    assert.ok(sent)
    assert.equal((JSON.parse(sent.body) as { type: string }).type, 'video.completed')
    arrived(sent)
    await assertFilm(kinora, ann, (await making).video.uint8Array)
  })

  check(
    'startVideo, getVideoStatus in another process',
    'an operation that is JSON; pending, then a link',
    async () => {
      const ann = await customer(kinora)
      const model = modelOf(kinora.url, ann.apiKey)
      const { operation } = await startVideo({ model, prompt: PROMPT, resolution: '1280x720' })
      const stored = JSON.parse(JSON.stringify(operation)) as typeof operation
      assert.equal((await getVideoStatus(modelOf(kinora.url, ann.apiKey), { operation: stored })).status, 'pending')
      await completeOnly(kinora, ann)
      const done = await getVideoStatus(model, { operation: stored })
      assert.ok(done.status === 'completed' && done.videos[0]?.type === 'url')
      const eve = await customer(kinora)
      await assert.rejects(getVideoStatus(modelOf(kinora.url, eve.apiKey), { operation: stored }), statusIs(404))
      await assert.rejects(getVideoStatus(model, { operation: 'x' }), /operation that startVideo has returned/)
    },
  )

  check('startVideo with an image', 'a file is uploaded, a link is fetched; it begins the film', async () => {
    const ann = await customer(kinora)
    const model = modelOf(kinora.url, ann.apiKey)
    const image = await images.plain(640, 360)
    await startVideo({ model, prompt: { text: PROMPT, image }, duration: 4 })
    await startVideo({ model, prompt: { text: PROMPT, image: 'https://example.com/boat.png' }, duration: 4 })
    const [first, second] = await videosOf(kinora, ann)
    assert.match(first?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/`))
    assert.equal(second?.startImageUrl, 'https://example.com/boat.png')
  })

  check('generateVideo of a film that fails', 'an error with the reason; credits are back', async () => {
    const ann = await customer(kinora)
    const making = film(modelOf(kinora.url, ann.apiKey), { prompt: '[fail: no luck]' })
    await Promise.all([assert.rejects(making, /no luck/), finishOnly(kinora, ann)])
    assert.equal((await kinora.balance(ann)).available, 60)
  })

  check('generateVideo whose response is lost', 'the retry of the SDK makes no second film', async () => {
    const ann = await customer(kinora)
    const lost = losingFetch((_body, url) => url.endsWith('/generate'))
    const model = modelOf(kinora.url, ann.apiKey, 'delta-1-5', lost.fetch)
    const image = await images.plain(640, 360)
    const making = film(model, { maxRetries: 2, prompt: { text: PROMPT, image } })
    await completeOnly(kinora, ann)
    await assertFilm(kinora, ann, (await making).video.uint8Array)
    assert.ok(lost.posts() >= 2)
  })

  check('generateVideo without credits, with wrong values, with a wrong key', '402, 400, 401', async () => {
    const [poor, ann] = [await customer(kinora, 3), await customer(kinora)]
    await assert.rejects(film(modelOf(kinora.url, poor.apiKey)), statusIs(402))
    await assert.rejects(film(modelOf(kinora.url, 'kin_wrong')), statusIs(401))
    await assert.rejects(film(modelOf(kinora.url, ann.apiKey, 'none')), statusIs(400))
    const model = modelOf(kinora.url, ann.apiKey)
    for (const more of [{ duration: 99 }, { prompt: '' }, { aspectRatio: '2:7' }]) {
      await assert.rejects(film(model, more), statusIs(400))
    }
    for (const more of [{ resolution: '10x10' }, { aspectRatio: 'adaptive' }, { resolution: '720x1280' }]) {
      await assert.rejects(film(model, more), /makes films of|leave it out|does not have the aspectRatio/)
    }
    const image = await images.plain(64, 64)
    await assert.rejects(film(model, { frameImages: [{ image, frameType: 'last_frame' }] }), /leave out endImageUrl/)
    await assert.rejects(film(createKinora({ baseURL: kinora.url, apiKey: '' }).video('delta-1-5')), /API key/)
    assert.equal((await videosOf(kinora, ann)).length, 0)
  })
}

/** Whether the rate limit refuses a start, as an error that the SDK retries after the named time. */
export async function kinoraProviderIsLimited(url: string, apiKey: string): Promise<void> {
  await assert.rejects(
    film(modelOf(url, apiKey)),
    (error) =>
      APICallError.isInstance(error) &&
      error.statusCode === 429 &&
      error.isRetryable &&
      Number(error.responseHeaders?.['retry-after']) > 0,
  )
}
