/**
 * Callbacks from provider-b: the envelope, a result as JSON inside a string, the model family that reports in
 * `data.info` instead, and its webhook signature (HMAC).
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { openKinora } from '../support/harness.ts'

const WEBHOOK_KEY = 'the key of the webhooks of provider-b'
const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0', PROVIDER_B_WEBHOOK_KEY: WEBHOOK_KEY } })
const ann = await kinora.person({ credits: 100_000 })
const RESULT = 'https://films.example/boat.mp4'

type Video = { uuid: string; taskId: string; url: string }

const rowOf = async (uuid: string) => {
  const [row] = await kinora.app.sql`select * from kinora.video where id = ${uuid}`
  return row
}

/** Creates a video that provider-b has accepted and sends no callback for. */
async function createAcceptedVideo(): Promise<Video> {
  const { data } = await kinora.generate(ann, { prompt: '[silent]' })
  await kinora.workUntil(async () => (await rowOf(data.uuid))?.status === 'GENERATING')
  const url = callbackUrl(kinora.app.config, 'provider-b', { userId: ann.userId, videoId: data.uuid })
  return { uuid: data.uuid, taskId: (await rowOf(data.uuid))?.providerTaskId, url: url.slice(kinora.url.length) }
}

const timestampOf = (ageS: number) => `${Math.floor(kinora.app.now().getTime() / 1000) - ageS}`

function signature(taskId: string, timestamp = timestampOf(0), key = WEBHOOK_KEY): Record<string, string> {
  const hmac = createHmac('sha256', key).update(`${taskId}.${timestamp}`).digest('base64')
  return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': hmac }
}

const send = (video: Video, body: unknown, headers = signature(video.taskId)) =>
  kinora.call('POST', video.url, { body, headers })

const envelope = (taskId: string, fields: Record<string, unknown>) => ({
  code: 200,
  msg: 'success',
  data: { taskId, model: 'x', resultJson: '', failCode: null, failMsg: null, costTime: 4, ...fields },
})
const jsonString = (value: unknown) => JSON.stringify(value)

/** `detail`: the video's error when FAILED, else its result URL. */
const readable: [title: string, body: (taskId: string) => unknown, status: string, detail?: string][] = [
  [
    'state success, resultJson with a list of URLs',
    (id) => envelope(id, { state: 'success', resultJson: jsonString({ resultUrls: [RESULT] }) }),
    'UPLOADING',
    RESULT,
  ],
  [
    'state success, resultJson with one URL as a string',
    (id) => envelope(id, { state: 'success', resultJson: jsonString({ resultUrls: RESULT }) }),
    'UPLOADING',
    RESULT,
  ],
  [
    'state fail, with a message',
    (id) => envelope(id, { state: 'fail', failCode: '500', failMsg: 'No boats' }),
    'FAILED',
    'No boats',
  ],
  [
    'state fail, without a message',
    (id) => envelope(id, { state: 'fail' }),
    'FAILED',
    'The provider reported a failure without a reason.',
  ],
  ['state waiting', (id) => envelope(id, { state: 'waiting' }), 'GENERATING'],
  ['state queuing', (id) => envelope(id, { state: 'queuing' }), 'GENERATING'],
  ['state generating', (id) => envelope(id, { state: 'generating' }), 'GENERATING'],
  ['an unknown state', (id) => envelope(id, { state: 'simmering' }), 'GENERATING'],
  [
    'data.info with a list of URLs',
    (taskId) => ({ code: 200, msg: 'success', data: { taskId, info: { resultUrls: [RESULT] } } }),
    'UPLOADING',
    RESULT,
  ],
  [
    'data.info with one URL as a string',
    (taskId) => ({ code: 200, msg: 'success', data: { taskId, info: { resultUrls: RESULT } } }),
    'UPLOADING',
    RESULT,
  ],
  [
    'data.info with a JSON string of a list',
    (taskId) => ({ code: 200, msg: 'success', data: { taskId, info: { resultUrls: jsonString([RESULT]) } } }),
    'UPLOADING',
    RESULT,
  ],
  [
    'code 501 without state and info',
    (taskId) => ({ code: 501, msg: 'No boats', data: { taskId } }),
    'FAILED',
    'No boats',
  ],
]
for (const [title, bodyOf, status, detail] of readable) {
  test(`200: ${title} → ${status}`, async () => {
    const video = await createAcceptedVideo()
    const response = await send(video, bodyOf(video.taskId))
    assert.equal(response.status, 200)
    assert.deepEqual(response.data, { received: true })
    const row = await rowOf(video.uuid)
    assert.equal(row?.status, status)
    assert.equal(status === 'FAILED' ? row?.error : row?.resultUrl, detail ?? null)
  })
}

test('400: truncated JSON, or a success without a URL → no change', async () => {
  const video = await createAcceptedVideo()
  const before = await rowOf(video.uuid)
  const { taskId } = video
  // 400 makes the provider send the callback again.
  const unreadable = [
    `{"code":200,"data":{"taskId":"${taskId}"`,
    { code: 200, msg: 'success', data: { taskId } },
    envelope(taskId, { state: 'success' }),
    envelope(taskId, { state: 'success', resultJson: '{"resultUrls":[' }),
    envelope(taskId, { state: 'success', resultJson: '{"resultUrls":[]}' }),
    envelope(taskId, { state: 'success', resultJson: '{}' }),
    envelope(taskId, { state: 'success', resultJson: '{"resultUrls":["N/A"]}' }),
    envelope(taskId, { state: 'success', resultJson: '{"resultUrls":"/boat.mp4"}' }),
  ]
  for (const body of unreadable) {
    const { status, error } = await send(video, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(error?.code, 'INVALID_REQUEST')
  }
  assert.deepEqual(await rowOf(video.uuid), before)
})

test('401: signed reference, but a missing or wrong webhook signature → no change', async () => {
  const [video, other] = [await createAcceptedVideo(), await createAcceptedVideo()]
  const before = await rowOf(video.uuid)
  const body = envelope(video.taskId, { state: 'fail', failMsg: 'No' })
  const good = signature(video.taskId)
  const attempts: [title: string, headers: Record<string, string>][] = [
    ['no headers', {}],
    ['no timestamp', { 'x-webhook-signature': good['x-webhook-signature'] ?? '' }],
    ['another timestamp', { ...good, 'x-webhook-timestamp': timestampOf(-1) }],
    ['signed more than five minutes ago', signature(video.taskId, timestampOf(360))],
    ['signed more than five minutes ahead', signature(video.taskId, timestampOf(-360))],
    ['signature of another task', signature(other.taskId)],
    ['signature with another key', signature(video.taskId, undefined, 'another key')],
    ['empty signature', { ...good, 'x-webhook-signature': '' }],
  ]
  for (const [title, headers] of attempts) {
    const { status, error } = await send(video, body, headers)
    assert.equal(status, 401, title)
    assert.equal(error?.code, 'UNAUTHENTICATED')
  }
  assert.deepEqual(await rowOf(video.uuid), before)
  assert.equal((await send(video, body)).status, 200)
})

test('401: webhook signature without a signed reference or callback secret → no change', async () => {
  const video = await createAcceptedVideo()
  const response = await kinora.call('POST', '/api/v1/video/callback/provider-b', {
    body: envelope(video.taskId, { state: 'fail' }),
    headers: signature(video.taskId),
  })
  assert.equal(response.status, 401)
  assert.equal((await rowOf(video.uuid))?.status, 'GENERATING')
})

test('409: both signatures are valid, the taskId is another task’s → no change', async () => {
  const video = await createAcceptedVideo()
  const body = envelope('task-of-another', { state: 'fail' })
  assert.equal((await send(video, body, signature('task-of-another'))).status, 409)
  assert.equal((await rowOf(video.uuid))?.status, 'GENERATING')
})
