/** `POST /api/v1/video/generate` with `upscaleFrom`: which films get a larger copy, and what copy and provider get. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { addModel, models } from '../support/changed-models.ts'
import { completedVideo, completeVideo } from '../support/completed-video.ts'
import { generateBody, openKinora, type Person, pathsOf } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())

addModel('upscaler', {
  modes: {
    // In any sequence: the next one is the smallest that is larger.
    upscale: {
      prompt: 'none',
      duration: { follows: 'film', from: 3, to: 8 },
      quality: ['4k', '1080p'],
      aspectRatio: 'follows the image',
    },
  },
  price: { per: 'second', credits: { '1080p': 2, '4k': 5 } },
  routes: [{ account: 'provider-a', input: { video_url: 'film', target: 'quality' } }],
})
after(() => models().delete('upscaler'))

type Video = {
  uuid: string
  upscaledFrom: string | null
  prompt: string
  duration: number
  aspectRatio: string
  resolution: string
  creditsUsed: number
}
const call = (as: Person, operation: 'generate' | 'quote', change: object) =>
  kinora.call<Video & { credits: number; mode: string }>('POST', `/api/v1/video/${operation}`, {
    as,
    body: { model: 'upscaler', ...change },
  })
const read = async (as: Person, uuid: string) => (await kinora.call<Video>('GET', `/api/v1/video/${uuid}`, { as })).data

test('200: film of one’s own → its prompt, length and shape; the next quality; the provider gets a link', async () => {
  const ann = await kinora.person({ credits: 100 })
  const source = await completedVideo(kinora, ann, { aspectRatio: '9:16', prompt: 'A lighthouse' })
  const quoted = await call(ann, 'quote', { upscaleFrom: source })
  assert.deepEqual([quoted.data.credits, quoted.data.mode], [8, 'upscale'])
  const { status, data } = await call(ann, 'generate', { upscaleFrom: source })
  assert.deepEqual([status, data.creditsUsed], [200, 8])
  const { upscaledFrom, prompt, duration, aspectRatio, resolution } = await read(ann, data.uuid)
  assert.deepEqual(
    { upscaledFrom, prompt, duration, aspectRatio, resolution },
    { upscaledFrom: source, prompt: 'A lighthouse', duration: 4, aspectRatio: '9:16', resolution: '1080p' },
  )
  await runNextStep(kinora, data.uuid)
  const body = JSON.stringify(provider.submits.at(-1)?.body)
  assert.match(body, /"target":"1080p"/)
  assert.doesNotMatch(body, /lighthouse/)
  const film = await fetch(/"video_url":"(http[^"]+)"/.exec(body)?.[1] ?? '')
  assert.deepEqual([film.status, film.headers.get('content-type')], [200, 'video/mp4'])
  await film.body?.cancel()
  const { data: list } = await kinora.call<{ videos: Video[] }>('GET', '/api/v1/video/list?mode=upscale', { as: ann })
  assert.deepEqual(
    list.videos.map(({ uuid }) => uuid),
    [data.uuid],
  )
})

test('400: film that has the quality already, or the largest; unknown quality → which are left', async () => {
  const ann = await kinora.person({ credits: 200 })
  const full = await completedVideo(kinora, ann, { quality: '1080p' })
  const same = await call(ann, 'generate', { upscaleFrom: full, quality: '1080p' })
  assert.deepEqual(
    [same.status, same.error?.code, same.error?.message],
    [400, 'UNSUPPORTED_QUALITY', 'The film to upscale already has 1080p; choose 4k.'],
  )
  const unknown = await call(ann, 'generate', { upscaleFrom: full, quality: '8k' })
  assert.deepEqual(
    [unknown.status, unknown.error?.code, unknown.error?.message],
    [400, 'UNSUPPORTED_QUALITY', 'Delta 1.5 makes films in 4k, 1080p.'],
  )
  const { data } = await call(ann, 'generate', { upscaleFrom: full })
  assert.equal(data.creditsUsed, 20)
  await completeVideo(kinora, ann, data.uuid)
  const again = await call(ann, 'generate', { upscaleFrom: data.uuid })
  assert.deepEqual(
    [again.status, again.error?.code, again.error?.message],
    [400, 'UNSUPPORTED_QUALITY', 'The film to upscale already has 4k; Delta 1.5 makes none larger than 4k.'],
  )
})

test('400: film longer than the model upscales, model that upscales nothing, field that the film decides → names it', async () => {
  const ann = await kinora.person({ credits: 200 })
  const source = await completedVideo(kinora, ann)
  const long = await completedVideo(kinora, ann, { duration: 9 })
  for (const [change, code, path] of [
    [{ upscaleFrom: long }, 'DURATION_OUT_OF_RANGE', 'upscaleFrom'],
    [{ upscaleFrom: source, quality: '1440p' }, 'UNSUPPORTED_QUALITY', 'quality'],
    [{ upscaleFrom: source, model: 'delta-1-5' }, 'UNSUPPORTED_MODE', 'upscaleFrom'],
    [{ upscaleFrom: source, prompt: 'Another film' }, 'INVALID_REQUEST', 'prompt'],
    [{ upscaleFrom: source, duration: 4 }, 'INVALID_REQUEST', 'duration'],
    [{ upscaleFrom: source, n: 2 }, 'INVALID_REQUEST', 'n'],
    [{ upscaleFrom: 'film' }, 'INVALID_REQUEST', 'upscaleFrom'],
    [{ ...generateBody, model: 'upscaler' }, 'UNSUPPORTED_MODE', 'upscaleFrom'],
  ] as const) {
    const { status, error } = await call(ann, 'generate', change)
    assert.deepEqual([status, error?.code, pathsOf({ error })], [400, code, [path]], error?.message)
  }
})

test('models: one that only upscales → listed with its mode, but not by a format that cannot ask for it', async () => {
  const ann = await kinora.person()
  const own = await kinora.call<{ models: { id: string; modes: string[] }[] }>('GET', '/api/v1/config/models')
  assert.deepEqual(own.data.models.find(({ id }) => id === 'upscaler')?.modes, ['upscale'])
  const { text } = await kinora.call('GET', '/v1/models', { as: ann })
  assert.ok(text.includes('"delta-1-5"') && !text.includes('"upscaler"'), text)
})

test('400: remix of a larger copy in OpenAI’s format → names the video to remix, nothing frozen', async () => {
  const ann = await kinora.person({ credits: 100 })
  const source = await completedVideo(kinora, ann)
  const { data } = await call(ann, 'generate', { upscaleFrom: source })
  const before = await kinora.balance(ann)
  const body = { prompt: 'At night' }
  const { status, text } = await kinora.call('POST', `/v1/videos/${data.uuid}/remix`, { as: ann, body })
  assert.equal(status, 400, text)
  assert.equal(
    JSON.parse(text).error.message,
    `A larger copy has the prompt of its film; remix the video ${source} instead.`,
  )
  assert.deepEqual(await kinora.balance(ann), before)
})
