/** `seed`: from the request to the provider and to every view of the video. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewVideo } from '../../src/compatible/video-view.ts'
import { toPrediction } from '../../src/compatible/wire-formats.ts'
import { completeVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora()
const ann = await kinora.person()
const SEED_MAX = 2 ** 31 - 1

type Video = { uuid: string; seed: number | null }

test('200: a seed → stored, in the detail, the list, a prediction and the event of a webhook', async () => {
  const { data } = await kinora.generate(ann, { seed: 42, webhookUrl: 'https://example.com/hook' })
  await completeVideo(kinora, ann, data.uuid)
  const detail = await kinora.call<Video>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  const list = await kinora.call<{ videos: Video[] }>('GET', '/api/v1/video/list', { as: ann })
  assert.deepEqual([detail.data.seed, list.data.videos[0]?.seed], [42, 42])
  const prediction = toPrediction(kinora.app, await viewVideo(kinora.app, { userId: ann.userId, key: null }, data.uuid))
  assert.equal((prediction.input as { seed?: number }).seed, 42)
  const [delivery] = await kinora.app.sql<{ body: string }[]>`
    select body from kinora.webhook_delivery where user_id = ${ann.userId} and subject_id = ${data.uuid}
  `
  assert.equal((JSON.parse(delivery?.body ?? '{}') as { data: Video }).data.seed, 42)
})

test('200: no seed → null, in a prediction absent', async () => {
  const { data } = await kinora.generate(ann)
  const { data: video } = await kinora.call<Video>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  assert.equal(video.seed, null)
  const prediction = toPrediction(kinora.app, await viewVideo(kinora.app, { userId: ann.userId, key: null }, data.uuid))
  assert.ok(!('seed' in prediction.input))
})

test('200, 400: the limits of a seed → accepted; below, above, a fraction, text → refused by generate and quote', async () => {
  for (const seed of [0, SEED_MAX]) assert.equal((await quote(seed)).status, 200)
  for (const seed of [-1, SEED_MAX + 1, 1.5, '7']) {
    const refused = await quote(seed)
    assert.deepEqual([refused.status, refused.error?.code], [400, 'INVALID_REQUEST'], String(seed))
    assert.equal((await kinora.generate(ann, { seed })).status, 400)
  }
})

const quote = (seed: unknown) =>
  kinora.call('POST', '/api/v1/video/quote', {
    as: ann,
    body: { prompt: 'A boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9', seed },
  })
