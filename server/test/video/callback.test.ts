/** `POST /api/v1/video/callback/{provider}`: authentication, bodies, and which reports change a video. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { completeVideo } from '../support/completed-video.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { noCredits, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const secret = kinora.app.config.callbackSecret
const ann = await kinora.person({ credits: 100_000 })
const RESULT = 'https://films.example/boat.mp4'

forgetFailuresBeforeEach(kinora)

type Video = { uuid: string; taskId: string; url: string }

/** Path and query of the callback URL that the provider received: a signed reference to one video. */
const signedPath = (as: Person, uuid: string, provider = 'provider-a') =>
  callbackUrl(kinora.app.config, provider, { userId: as.userId, videoId: uuid }).slice(kinora.url.length)

const rowOf = async (uuid: string) => {
  const [row] = await kinora.app.sql`select * from kinora.video where id = ${uuid}`
  return row
}

/** Creates a video that provider-a has accepted and sends no callback for. */
async function createAcceptedVideo(as = ann): Promise<Video> {
  const { data } = await kinora.generate(as, { model: 'alpha-2', prompt: '[silent]' })
  await kinora.workUntil(async () => (await rowOf(data.uuid))?.status === 'GENERATING')
  return { uuid: data.uuid, taskId: (await rowOf(data.uuid))?.providerTaskId, url: signedPath(as, data.uuid) }
}

const send = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  kinora.call('POST', url, { body, headers })

/** A snapshot of everything stored about a video and of the balance, to assert that a request changed nothing. */
async function snapshotOf(uuid: string) {
  const { sql } = kinora.app
  const [events] = await sql`select count(*) from kinora.video_log where video_id = ${uuid}`
  const [tasks] = await sql`select count(*) from kinora.provider_task where video_id = ${uuid}`
  return { row: await rowOf(uuid), events, tasks, balance: await kinora.balance(ann) }
}

const statusOf = async (uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })).data.status

test('200: completed, with a signed reference → UPLOADING with the result URL', async () => {
  const video = await createAcceptedVideo()
  const { status, data } = await send(video.url, {
    taskId: video.taskId,
    status: 'completed',
    videoUrl: RESULT,
    duration: 4,
    resolution: '720p',
  })
  assert.equal(status, 200)
  assert.deepEqual(data, { received: true })
  const row = await rowOf(video.uuid)
  assert.equal(row?.status, 'UPLOADING')
  assert.equal(row?.resultUrl, RESULT)
})

test('200: failed → FAILED with the provider’s message, credits released', async () => {
  const bob = await kinora.person({ credits: 24 })
  const video = await createAcceptedVideo(bob)
  assert.equal((await send(video.url, { taskId: video.taskId, status: 'failed', error: 'No boats today' })).status, 200)
  const { data } = await kinora.call('GET', `/api/v1/video/${video.uuid}`, { as: bob })
  assert.equal(data.status, 'FAILED')
  assert.equal(data.error, 'No boats today')
  assert.equal(data.creditsUsed, 0)
  assert.equal((await kinora.balance(bob)).available, 24)
})

const bodies: [title: string, body: (taskId: string) => unknown, status: string, error?: RegExp][] = [
  [
    'the task object as body, completed',
    (id) => ({ id, status: 'completed', progress: 100, results: [RESULT] }),
    'UPLOADING',
  ],
  [
    'the task object as body, failed',
    (id) => ({ id, status: 'failed', error: { code: 7, message: 'No' } }),
    'FAILED',
    /^No$/,
  ],
  ['failed, without a reason', (taskId) => ({ taskId, status: 'failed' }), 'FAILED', /./],
  [
    'failed, with a reason of 9999 characters',
    () => ({ status: 'failed', error: 'x'.repeat(9999) }),
    'FAILED',
    /^x{499}…$/,
  ],
  ['failed, with a null character in the reason', () => ({ status: 'failed', error: 'a\0b' }), 'FAILED', /^ab$/],
  ['cancelled', (taskId) => ({ taskId, status: 'cancelled' }), 'FAILED', /./],
  ['the synonym Succeeded', () => ({ status: 'Succeeded', videoUrl: RESULT }), 'UPLOADING'],
  ['no taskId', () => ({ status: 'completed', videoUrl: RESULT }), 'UPLOADING'],
  ['unknown fields', () => ({ status: 'completed', videoUrl: RESULT, x: { y: [1] } }), 'UPLOADING'],
  ['still processing', (id) => ({ id, status: 'processing', progress: 40 }), 'GENERATING'],
  ['an unknown status', (taskId) => ({ taskId, status: 'simmering' }), 'GENERATING'],
]
for (const [title, bodyOf, status, error] of bodies) {
  test(`200: ${title} → ${status}`, async () => {
    const video = await createAcceptedVideo()
    assert.equal((await send(video.url, bodyOf(video.taskId))).status, 200)
    const row = await rowOf(video.uuid)
    assert.equal(row?.status, status)
    if (error) assert.match(row?.error, error)
    else assert.equal(row?.error, null)
  })
}

test('200: JSON with any other content type, also one that cannot be read → read as JSON', async () => {
  for (const type of [
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'x/y; charset=z',
    '',
    'json',
  ]) {
    const video = await createAcceptedVideo()
    const body = JSON.stringify({ status: 'completed', videoUrl: RESULT })
    assert.equal((await send(video.url, body, { 'content-type': type })).status, 200, type)
    assert.equal(await statusOf(video.uuid), 'UPLOADING')
  }
})

test('200: the callback secret in a header → the video is found by its taskId', async () => {
  const video = await createAcceptedVideo()
  const body = { taskId: video.taskId, status: 'completed', videoUrl: RESULT }
  const response = await send('/api/v1/video/callback/provider-a', body, { 'x-callback-secret': secret })
  assert.equal(response.status, 200)
  assert.equal(await statusOf(video.uuid), 'UPLOADING')
})

test('404: the callback secret in a header, but the taskId is unknown, missing or another provider’s → no change', async () => {
  const video = await createAcceptedVideo()
  const before = await snapshotOf(video.uuid)
  const done = { status: 'completed', videoUrl: RESULT }
  const headers = { 'x-callback-secret': secret }
  const base = '/api/v1/video/callback/'
  assert.equal((await send(`${base}provider-a`, { ...done, taskId: 'task-unknown' }, headers)).status, 404)
  assert.equal((await send(`${base}provider-a`, done, headers)).status, 404)
  const ofProviderB = { code: 200, data: { taskId: video.taskId, state: 'fail' } }
  assert.equal((await send(`${base}provider-b`, ofProviderB, headers)).status, 404)
  assert.deepEqual(await snapshotOf(video.uuid), before)
})

test('200: a callback arrives before the submit’s outcome is recorded → its taskId is recorded', async () => {
  const { data } = await kinora.generate(ann, { model: 'alpha-2' })
  const url = signedPath(ann, data.uuid)
  // The row as a worker leaves it that dies after the submit and before recording its outcome.
  await kinora.app.sql`update kinora.video set submitted_at = created_at where id = ${data.uuid}`
  assert.equal((await send(url, { taskId: 'task-early', status: 'completed', videoUrl: RESULT })).status, 200)
  const row = await rowOf(data.uuid)
  assert.equal(row?.status, 'UPLOADING')
  assert.equal(row?.providerTaskId, 'task-early')
  assert.equal((await send(url, { taskId: 'task-other', status: 'failed' })).status, 409)
  const later = { taskId: 'task-early', status: 'completed', videoUrl: RESULT }
  const headers = { 'x-callback-secret': secret }
  assert.equal((await send('/api/v1/video/callback/provider-a', later, headers)).status, 200)
})

test('409: the taskId is another task’s, also of a final video, or the video was never submitted → no change', async () => {
  const video = await createAcceptedVideo()
  const final = await createAcceptedVideo()
  await send(final.url, { status: 'failed' })
  const { data: unsent } = await kinora.generate(ann, { model: 'alpha-2' })
  for (const [uuid, url] of [
    [video.uuid, video.url],
    [final.uuid, final.url],
    [unsent.uuid, signedPath(ann, unsent.uuid)],
  ] as const) {
    const before = await snapshotOf(uuid)
    for (const report of [{ status: 'completed', videoUrl: RESULT }, { status: 'failed' }, { status: 'processing' }]) {
      const { status, error } = await send(url, { ...report, taskId: 'task-of-another' })
      assert.equal(status, 409)
      assert.equal(error?.code, 'CONFLICT')
    }
    assert.deepEqual(await snapshotOf(uuid), before)
  }
})

test('200: any report on a final video → no change', async () => {
  const bob = await kinora.person({ credits: 48 })
  const failedVideo = await createAcceptedVideo(bob)
  await send(failedVideo.url, { status: 'failed', error: 'First reason' })
  for (const report of [
    { status: 'completed', videoUrl: RESULT },
    { status: 'failed', error: 'Second reason' },
  ]) {
    assert.equal((await send(failedVideo.url, report)).status, 200)
  }
  const failed = await kinora.call('GET', `/api/v1/video/${failedVideo.uuid}`, { as: bob })
  assert.equal(failed.data.status, 'FAILED')
  assert.equal(failed.data.error, 'First reason')

  const { data } = await kinora.generate(bob, { model: 'alpha-2' })
  await completeVideo(kinora, bob, data.uuid)
  const before = await kinora.call('GET', `/api/v1/video/task?uuid=${data.uuid}`, { as: bob })
  for (const report of [{ status: 'failed' }, { status: 'completed', videoUrl: 'https://other.example/x.mp4' }]) {
    assert.equal((await send(signedPath(bob, data.uuid), report)).status, 200)
  }
  assert.deepEqual((await kinora.call('GET', `/api/v1/video/task?uuid=${data.uuid}`, { as: bob })).data, before.data)
  assert.deepEqual(await kinora.balance(bob), { ...noCredits, available: 24, used: 24, total: 48 })
})

test('200: failed, on a deleted video → FAILED', async () => {
  const video = await createAcceptedVideo()
  await kinora.call('DELETE', `/api/v1/video/${video.uuid}`, { as: ann })
  assert.equal((await send(video.url, { status: 'failed', error: 'No' })).status, 200)
  assert.equal((await rowOf(video.uuid))?.status, 'FAILED')
})

test('401: a missing or wrong signature or secret → no change, for every body', async () => {
  const [video, other] = [await createAcceptedVideo(), await createAcceptedVideo()]
  const [base = '', query] = video.url.split('?')
  const [ref, sig] = [new URLSearchParams(query).get('ref') ?? '', new URLSearchParams(query).get('sig') ?? '']
  const urlWith = (fields: Record<string, string>) => `${base}?${new URLSearchParams(fields)}`
  const attempts: [title: string, url: string, headers?: Record<string, string>][] = [
    ['nothing', base],
    ['no sig', urlWith({ ref })],
    ['no ref', urlWith({ sig })],
    ['an empty sig', urlWith({ ref, sig: '' })],
    ['a wrong sig', urlWith({ ref, sig: sig.replace(/^./, (c) => (c === '0' ? '1' : '0')) })],
    ['half a sig', urlWith({ ref, sig: sig.slice(0, 32) })],
    ['more than a sig', urlWith({ ref, sig: `${sig}zz` })],
    ['the sig of another video', urlWith({ ref: `${ann.userId}.${other.uuid}`, sig })],
    ['the sig of another user', urlWith({ ref: ref.replace(ann.userId, other.uuid), sig })],
    ['the sig for another provider', video.url.replace('provider-a', 'provider-b')],
    ['a wrong secret', base, { 'x-callback-secret': `${secret}x` }],
    ['an empty secret', base, { 'x-callback-secret': '' }],
    ['the secret as a bearer token', base, { authorization: `Bearer ${secret}` }],
    ['the session of the owner', base, { authorization: `Bearer ${ann.token}` }],
  ]
  const before = [await snapshotOf(video.uuid), await snapshotOf(other.uuid)]
  for (const [title, url, headers] of attempts) {
    for (const body of [{ taskId: video.taskId, status: 'completed', videoUrl: RESULT }, '{"status":']) {
      const { status, error } = await send(url, body, headers)
      assert.equal(status, 401, title)
      assert.equal(error?.code, 'UNAUTHENTICATED')
    }
  }
  assert.deepEqual([await snapshotOf(video.uuid), await snapshotOf(other.uuid)], before)
})

test('400: a valid signature, but the body is not a readable report → no change', async () => {
  const video = await createAcceptedVideo()
  const before = await snapshotOf(video.uuid)
  // 400 makes the provider send the callback again.
  const unreadable = ['{"status":', '', 'null', '[]', '"completed"', '{}', `{"taskId":"${video.taskId}"}`]
  unreadable.push('{"status":null}', '{"status":"completed"}', '{"status":"completed","videoUrl":""}')
  unreadable.push('{"status":"completed","videoUrl":null}', '{"status":"completed","results":[]}', '{"status":{}}')
  // A text that is no absolute http or https URL.
  for (const text of ['N/A', 'null', 'about:blank', '/films/boat.mp4', 'boat.mp4', 'ftp://films.example/boat.mp4']) {
    unreadable.push(JSON.stringify({ taskId: video.taskId, status: 'completed', videoUrl: text }))
    unreadable.push(JSON.stringify({ id: video.taskId, status: 'completed', results: [text] }))
  }
  for (const body of unreadable) {
    const { status, error } = await send(video.url, body)
    assert.equal(status, 400, body)
    assert.equal(error?.code, 'INVALID_REQUEST')
  }
  assert.deepEqual(await snapshotOf(video.uuid), before)
  // The next report counts.
  assert.equal((await send(video.url, { taskId: video.taskId, status: 'completed', videoUrl: RESULT })).status, 200)
  assert.equal((await rowOf(video.uuid))?.resultUrl, RESULT)
})

test('404: an unknown provider → NOT_FOUND', async () => {
  const headers = { 'x-callback-secret': secret }
  for (const provider of ['provider-c', 'payment-a', 'constructor']) {
    const response = await send(`/api/v1/video/callback/${provider}`, { status: 'failed' }, headers)
    assert.equal(response.status, 404, provider)
    assert.equal(response.error?.code, 'NOT_FOUND')
  }
})

test('405: a method other than POST → Allow: POST', async () => {
  const video = await createAcceptedVideo()
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const response = await kinora.call(method, video.url)
    assert.equal(response.status, 405, method)
    assert.equal(response.headers.get('allow'), 'POST')
  }
})

test('413: a body over 1 MiB → no change', async () => {
  const video = await createAcceptedVideo()
  assert.equal((await send(video.url, { status: 'failed', error: 'x'.repeat(1024 * 1024) })).status, 413)
  assert.equal((await rowOf(video.uuid))?.status, 'GENERATING')
})
