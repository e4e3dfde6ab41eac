/** Callbacks of provider-b: its envelope, JSON inside a string, its odd model family, and a signature of its own. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { callbackUrl } from '../src/video/callback-reference.ts'
import { openKinora } from './harness.ts'

const KEY = 'the key of the webhooks of provider-b'
const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0', PROVIDER_B_WEBHOOK_KEY: KEY } })
const ann = await kinora.person({ credits: 100_000 })
const RESULT = 'https://films.example/boat.mp4'

type Video = { uuid: string; taskId: string; url: string }

const rowOf = async (uuid: string) => {
  const [row] = await kinora.app.sql`select * from kinora.video where id = ${uuid}`
  return row
}

/** A video that provider-b has accepted and of which it says nothing more by itself. */
async function accepted(): Promise<Video> {
  const { data } = await kinora.generate(ann, { prompt: '[silent]' })
  await kinora.workUntil(async () => (await rowOf(data.uuid))?.status === 'GENERATING')
  const url = callbackUrl(kinora.app.config, 'provider-b', { userId: ann.userId, videoId: data.uuid })
  return { uuid: data.uuid, taskId: (await rowOf(data.uuid))?.providerTaskId, url: url.slice(kinora.url.length) }
}

function signature(taskId: string, timestamp = '1767225600', key = KEY): Record<string, string> {
  const hash = createHmac('sha256', key).update(`${taskId}.${timestamp}`).digest('base64')
  return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': hash }
}

const send = (video: Video, body: unknown, headers = signature(video.taskId)) =>
  kinora.call('POST', video.url, { body, headers })

const usual = (taskId: string, fields: Record<string, unknown>) => ({
  code: 200,
  msg: 'success',
  data: { taskId, model: 'x', resultJson: '', failCode: null, failMsg: null, costTime: 4, ...fields },
})
const inString = (value: unknown) => JSON.stringify(value)

const read: [title: string, body: (taskId: string) => unknown, status: string, found?: string][] = [
  [
    'success, with JSON in a string',
    (id) => usual(id, { state: 'success', resultJson: inString({ resultUrls: [RESULT] }) }),
    'UPLOADING',
    RESULT,
  ],
  [
    'success, with a string of one address',
    (id) => usual(id, { state: 'success', resultJson: inString({ resultUrls: RESULT }) }),
    'UPLOADING',
    RESULT,
  ],
  [
    'fail, with a reason',
    (id) => usual(id, { state: 'fail', failCode: '500', failMsg: 'No boats' }),
    'FAILED',
    'No boats',
  ],
  [
    'fail, without a reason',
    (id) => usual(id, { state: 'fail' }),
    'FAILED',
    'The provider reported a failure without a reason.',
  ],
  ['waiting', (id) => usual(id, { state: 'waiting' }), 'GENERATING'],
  ['queuing', (id) => usual(id, { state: 'queuing' }), 'GENERATING'],
  ['generating', (id) => usual(id, { state: 'generating' }), 'GENERATING'],
  ['a state that nobody knows', (id) => usual(id, { state: 'simmering' }), 'GENERATING'],
  [
    'the odd family, a list',
    (taskId) => ({ code: 200, msg: 'success', data: { taskId, info: { resultUrls: [RESULT] } } }),
    'UPLOADING',
    RESULT,
  ],
  [
    'the odd family, a string of one address',
    (taskId) => ({ code: 200, msg: 'success', data: { taskId, info: { resultUrls: RESULT } } }),
    'UPLOADING',
    RESULT,
  ],
  [
    'the odd family, a string of a list',
    (taskId) => ({ code: 200, msg: 'success', data: { taskId, info: { resultUrls: inString([RESULT]) } } }),
    'UPLOADING',
    RESULT,
  ],
  [
    'the odd family, a failure: a code and no info',
    (taskId) => ({ code: 501, msg: 'No boats', data: { taskId } }),
    'FAILED',
    'No boats',
  ],
]
for (const [title, bodyOf, status, found] of read) {
  test(`200: ${title}`, async () => {
    const video = await accepted()
    const answer = await send(video, bodyOf(video.taskId))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.data, { received: true })
    const row = await rowOf(video.uuid)
    assert.equal(row?.status, status)
    assert.equal(status === 'FAILED' ? row?.error : row?.resultUrl, found ?? null)
  })
}

test('400: what cannot be read, so that it is sent again; nothing is changed', async () => {
  const video = await accepted()
  const before = await rowOf(video.uuid)
  const { taskId } = video
  const unreadable = [
    `{"code":200,"data":{"taskId":"${taskId}"`,
    { code: 200, msg: 'success', data: { taskId } },
    usual(taskId, { state: 'success' }),
    usual(taskId, { state: 'success', resultJson: '{"resultUrls":[' }),
    usual(taskId, { state: 'success', resultJson: '{"resultUrls":[]}' }),
    usual(taskId, { state: 'success', resultJson: '{}' }),
  ]
  for (const body of unreadable) {
    const { status, error } = await send(video, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(error?.code, 'INVALID_REQUEST')
  }
  assert.deepEqual(await rowOf(video.uuid), before)
})

test('401: without its own signature, however good our reference; nothing is changed', async () => {
  const [video, other] = [await accepted(), await accepted()]
  const before = await rowOf(video.uuid)
  const body = usual(video.taskId, { state: 'fail', failMsg: 'No' })
  const good = signature(video.taskId)
  const attempts: [title: string, headers: Record<string, string>][] = [
    ['none', {}],
    ['no timestamp', { 'x-webhook-signature': good['x-webhook-signature'] ?? '' }],
    ['another timestamp', { ...good, 'x-webhook-timestamp': '1767225601' }],
    ['of another task', signature(other.taskId)],
    ['under another key', signature(video.taskId, undefined, 'another key')],
    ['empty', { ...good, 'x-webhook-signature': '' }],
  ]
  for (const [title, headers] of attempts) {
    const { status, error } = await send(video, body, headers)
    assert.equal(status, 401, title)
    assert.equal(error?.code, 'UNAUTHENTICATED')
  }
  assert.deepEqual(await rowOf(video.uuid), before)
  assert.equal((await send(video, body)).status, 200)
})

test('401: its own signature alone, without our reference or secret', async () => {
  const video = await accepted()
  const answer = await kinora.call('POST', '/api/v1/video/callback/provider-b', {
    body: usual(video.taskId, { state: 'fail' }),
    headers: signature(video.taskId),
  })
  assert.equal(answer.status, 401)
  assert.equal((await rowOf(video.uuid))?.status, 'GENERATING')
})

test('409: under both signatures, another task’s id', async () => {
  const video = await accepted()
  const body = usual('task-of-another', { state: 'fail' })
  assert.equal((await send(video, body, signature('task-of-another'))).status, 409)
  assert.equal((await rowOf(video.uuid))?.status, 'GENERATING')
})
