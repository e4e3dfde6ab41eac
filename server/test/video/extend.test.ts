/** `POST /api/v1/video/generate` with `extendFrom`: which films can go on, by which route, what its provider gets. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { ModelEntry, Route } from '../../src/catalogue/model-file.ts'
import { addModel, modelOf, models } from '../support/changed-models.ts'
import { completedVideo, completeVideo } from '../support/completed-video.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

const link: Route = { account: 'provider-a', input: { prompt: 'prompt', video_url: 'film' } }
const task: Route = { account: 'provider-b', input: { prompt: 'prompt', source: 'filmTask' } }
/** Adds a model of an id that extends films by these routes. */
function extender(id: string, routes: Route[], film?: ModelEntry['modes']['extend']): void {
  const modes = modelOf('delta-1-5').modes
  addModel(id, { modes: { ...modes, extend: { aspectRatio: 'follows the image', ...film } }, routes })
}
extender('by-link', [link], { duration: [4], inputs: { film: { seconds: { from: 3, to: 8 }, quality: ['720p'] } } })
extender('by-task', [task])
extender('by-both', [task, link])
extender('kept', [link], { inputs: { film: { seconds: { from: 1, to: 20 }, quality: 'kept' } } })

type Video = { uuid: string; extendedFrom: string | null; aspectRatio: string; creditsUsed: number; resolution: string }
const send = (as: Person, extendFrom: string, change: object = {}) =>
  kinora.call<Video>('POST', '/api/v1/video/generate', {
    as,
    body: { ...generateBody, model: 'by-link', extendFrom, ...change },
  })

/** The last submit of a film of this model: a step of a test runs what others have left due, too. */
const bodyFor = (model: string): string =>
  provider.submits.map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes(`"${model}"`)) ?? ''

test('200: film of one’s own → the provider gets a link to it; list and detail name it', async () => {
  const ann = await kinora.person({ credits: 100 })
  const source = await completedVideo(kinora, ann, { aspectRatio: '9:16' })
  const { status, data } = await send(ann, source)
  assert.equal(status, 200)
  const { data: detail } = await kinora.call<Video>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  assert.deepEqual([detail.extendedFrom, detail.aspectRatio], [source, '9:16'])
  const { data: list } = await kinora.call<{ videos: Video[] }>('GET', '/api/v1/video/list', { as: ann })
  assert.deepEqual(
    list.videos.map(({ extendedFrom }) => extendedFrom),
    [source, null],
  )
  await runNextStep(kinora, data.uuid)
  const [, link = ''] = /"video_url":"(http[^"]+)"/.exec(bodyFor('by-link')) ?? []
  const film = await fetch(link)
  assert.deepEqual([film.status, film.headers.get('content-type')], [200, 'video/mp4'])
  await film.body?.cancel()
})

test('400: extendFrom that is no uuid, at a model without it, or beside an image → names the field', async () => {
  const ann = await kinora.person({ credits: 60 })
  const source = await completedVideo(kinora, ann)
  for (const [uuid, change, path] of [
    ['film', {}, 'extendFrom'],
    [source, { model: 'delta-1-5' }, 'extendFrom'],
    [source, { startImageUrl: 'https://example.com/boat.png' }, 'startImageUrl'],
  ] as const) {
    const { status, error } = await send(ann, uuid, change)
    assert.equal(status, 400)
    assert.match(JSON.stringify(error?.details), new RegExp(`"path":"${path}"`), error?.message)
  }
})

test('400: film longer, or in another quality, than the model extends → its limits', async () => {
  const ann = await kinora.person({ credits: 200 })
  const long = await send(ann, await completedVideo(kinora, ann, { duration: 9 }))
  assert.deepEqual([long.status, long.error?.code], [400, 'DURATION_OUT_OF_RANGE'])
  assert.match(long.error?.message ?? '', /extends films of 3 to 8 seconds; this one has 9\.$/)
  const large = await send(ann, await completedVideo(kinora, ann, { quality: '1080p' }))
  assert.deepEqual([large.status, large.error?.code], [400, 'UNSUPPORTED_QUALITY'])
})

test('200: model that keeps the film’s quality → its price; another quality is refused', async () => {
  const ann = await kinora.person({ credits: 200 })
  const source = await completedVideo(kinora, ann, { quality: '1080p' })
  const body = { ...generateBody, model: 'kept', extendFrom: source }
  const quoted = await kinora.call<{ credits: number }>('POST', '/api/v1/video/quote', { as: ann, body })
  assert.equal(quoted.data.credits, 32)
  const other = await send(ann, source, { model: 'kept', quality: '720p' })
  assert.deepEqual([other.status, other.error?.code], [400, 'UNSUPPORTED_QUALITY'])
  const { data } = await send(ann, source, { model: 'kept' })
  assert.equal(data.creditsUsed, 32)
})

test('route by the vendor’s task: film of another account → the next route, or 400', async () => {
  const ann = await kinora.person({ credits: 200 })
  // By provider-b, and by provider-a.
  const own = await completedVideo(kinora, ann, { model: 'by-task' })
  const foreign = await completedVideo(kinora, ann, { model: 'by-link' })
  const refused = await send(ann, foreign, { model: 'by-task' })
  assert.deepEqual([refused.status, refused.error?.code], [400, 'UNSUPPORTED_MODE'])
  assert.match(refused.error?.message ?? '', /only films that the same provider has made/)
  const { data: first } = await send(ann, own, { model: 'by-task' })
  await runNextStep(kinora, first.uuid)
  assert.match(bodyFor('by-task'), new RegExp(`"source":"prepared-${own}"`))
  const { data: second } = await send(ann, foreign, { model: 'by-both' })
  await runNextStep(kinora, second.uuid)
  assert.match(bodyFor('by-both'), /"video_url":"http/)
})

test('200: extension of an extension, and n of them → each names the film before', async () => {
  const ann = await kinora.person({ credits: 200 })
  const source = await completedVideo(kinora, ann)
  const { data } = await send(ann, source)
  await completeVideo(kinora, ann, data.uuid)
  const again = await kinora.call<{ videos: Video[] }>('POST', '/api/v1/video/generate', {
    as: ann,
    body: { ...generateBody, model: 'by-link', extendFrom: data.uuid, n: 2 },
  })
  assert.equal(again.status, 200, again.text)
  for (const { uuid } of again.data.videos) {
    const { data: video } = await kinora.call<Video>('GET', `/api/v1/video/${uuid}`, { as: ann })
    assert.equal(video.extendedFrom, data.uuid)
  }
})

after(() => {
  for (const id of ['by-link', 'by-task', 'by-both', 'kept']) models().delete(id)
})
