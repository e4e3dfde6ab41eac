/** `POST /api/v1/video/generate` with `extendFrom`: which films can go on, at which route, and what its provider gets. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { ModelEntry, Route } from '../../src/catalogue/model-file.ts'
import { addModel, modelOf, models } from '../support/changed-models.ts'
import { completedVideo, completeVideo } from '../support/completed-video.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { generateBody, noCredits, openKinora, type Person } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

const link: Route = { account: 'provider-a', input: { prompt: 'prompt', video_url: 'extendFrom' } }
const task: Route = { account: 'provider-b', input: { prompt: 'prompt', source: 'extendTask' } }
/** Adds a model of an id that extends films by these routes. */
function extender(id: string, routes: Route[], film?: ModelEntry['modes']['extend']): void {
  const modes = modelOf('delta-1-5').modes
  addModel(id, { modes: { ...modes, extend: { aspectRatio: 'follows the image', ...film } }, routes })
}
extender('by-link', [link], { duration: [4], film: { from: 3, to: 8, quality: ['720p'] } })
extender('by-task', [task])
extender('by-both', [task, link])
extender('kept', [link], { film: { from: 1, to: 20, quality: 'kept' } })

type Video = { uuid: string; extendedFrom: string | null; aspectRatio: string; creditsUsed: number; resolution: string }
const send = (as: Person, extendFrom: string, change: object = {}, key?: string) =>
  kinora.call<Video>('POST', '/api/v1/video/generate', {
    as,
    body: { ...generateBody, model: 'by-link', extendFrom, ...change },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
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

test('404: film of another user, deleted, or unknown → as if there were none, nothing frozen', async () => {
  const [ann, bob] = [await kinora.person({ credits: 60 }), await kinora.person({ credits: 60 })]
  const others = await completedVideo(kinora, bob)
  const deleted = await completedVideo(kinora, ann)
  await kinora.call('DELETE', `/api/v1/video/${deleted}`, { as: ann })
  const before = await kinora.balance(ann)
  for (const uuid of [others, deleted, '00000000-0000-7000-8000-000000000000']) {
    const { status, error } = await send(ann, uuid)
    assert.deepEqual([status, error?.code, error?.message], [404, 'NOT_FOUND', 'There is no such video.'])
    const body = { ...generateBody, model: 'by-link', extendFrom: uuid }
    assert.equal((await kinora.call('POST', '/api/v1/video/quote', { as: ann, body })).status, 404)
  }
  assert.deepEqual(await kinora.balance(ann), before)
})

test('409: video without a film → what to do', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: pending } = await kinora.generate(ann)
  const early = await send(ann, pending.uuid)
  assert.deepEqual(
    [early.status, early.error?.message],
    [409, 'The video to extend has no film yet; wait until it is COMPLETED.'],
  )
  await kinora.call('POST', `/api/v1/video/${pending.uuid}/cancel`, { as: ann })
  const failed = await send(ann, pending.uuid)
  assert.deepEqual(
    [failed.status, failed.error?.message],
    [409, 'The video to extend has failed; choose one that is COMPLETED.'],
  )
  const removed = await completedVideo(kinora, ann)
  await kinora.app.sql`update kinora.video set files_removed_at = now() where id = ${removed}`
  const gone = await send(ann, removed)
  assert.deepEqual(
    [gone.status, gone.error?.message],
    [409, 'The film to extend is no longer stored; generate it again first.'],
  )
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

test('FAILED: film deleted before the submit → nothing is sent, the credits are back', async () => {
  const ann = await kinora.person({ credits: 60 })
  const source = await completedVideo(kinora, ann)
  const { data } = await send(ann, source)
  await kinora.call('DELETE', `/api/v1/video/${source}`, { as: ann })
  assert.equal((await runNextStep(kinora, data.uuid)).status, 'FAILED')
  assert.equal(bodyFor('by-link'), '')
  const { data: detail } = await kinora.call<{ error: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  assert.equal(detail.error, 'The film to extend could not be used: There is no such video.')
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 44, used: 16, total: 60 })
})

test('200: same key after the film was deleted → idempotent replay', async () => {
  const ann = await kinora.person({ credits: 60 })
  const source = await completedVideo(kinora, ann)
  const first = await send(ann, source, {}, 'k')
  await kinora.call('DELETE', `/api/v1/video/${source}`, { as: ann })
  assert.deepEqual((await send(ann, source, {}, 'k')).data, first.data)
  assert.equal((await send(ann, source, {}, 'other')).status, 404)
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
