/** `POST /api/v1/video/callback/{provider}`: who is believed, what is believed, and what is left alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackUrl } from '../src/video/callback-reference.ts'
import { openKinora, type Person } from './harness.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const secret = kinora.app.config.callbackSecret
const ann = await kinora.person({ credits: 100_000 })
const RESULT = 'https://films.example/boat.mp4'

type Video = { uuid: string; taskId: string; url: string }

/** Path and signed query that the provider was given for a video. */
const signed = (as: Person, uuid: string, provider = 'provider-a') =>
  callbackUrl(kinora.app.config, provider, { userId: as.userId, videoId: uuid }).slice(kinora.url.length)

const rowOf = async (uuid: string) => {
  const [row] = await kinora.app.sql`select * from kinora.video where id = ${uuid}`
  return row
}

/** A video that provider-a has accepted and of which it says nothing more by itself. */
async function accepted(as = ann): Promise<Video> {
  const { data } = await kinora.generate(as, { model: 'alpha-2', prompt: '[silent]' })
  await kinora.workUntil(async () => (await rowOf(data.uuid))?.status === 'GENERATING')
  return { uuid: data.uuid, taskId: (await rowOf(data.uuid))?.providerTaskId, url: signed(as, data.uuid) }
}

const send = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  kinora.call('POST', url, { body, headers })

/** All that is kept of a video, to see that nothing was changed. */
async function traceOf(uuid: string) {
  const { sql } = kinora.app
  const [events] = await sql`select count(*) from kinora.video_log where video_id = ${uuid}`
  const [tasks] = await sql`select count(*) from kinora.provider_task where video_id = ${uuid}`
  return { row: await rowOf(uuid), events, tasks, balance: await kinora.balance(ann) }
}

const statusOf = async (uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })).data.status

test('200: completed, under the signed reference: the result is taken to be collected', async () => {
  const video = await accepted()
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

test('200: failed: the video fails with those words, and the credits are back', async () => {
  const bob = await kinora.person({ credits: 24 })
  const video = await accepted(bob)
  assert.equal((await send(video.url, { taskId: video.taskId, status: 'failed', error: 'No boats today' })).status, 200)
  const { data } = await kinora.call('GET', `/api/v1/video/${video.uuid}`, { as: bob })
  assert.equal(data.status, 'FAILED')
  assert.equal(data.error, 'No boats today')
  assert.equal(data.creditsUsed, 0)
  assert.equal((await kinora.balance(bob)).available, 24)
})

const bodies: [title: string, body: (taskId: string) => unknown, status: string, error?: RegExp][] = [
  ['the task object, completed', (id) => ({ id, status: 'completed', progress: 100, results: [RESULT] }), 'UPLOADING'],
  ['the task object, failed', (id) => ({ id, status: 'failed', error: { code: 7, message: 'No' } }), 'FAILED', /^No$/],
  ['failed without a reason', (taskId) => ({ taskId, status: 'failed' }), 'FAILED', /./],
  ['failed with an endless reason', () => ({ status: 'failed', error: 'x'.repeat(9999) }), 'FAILED', /^x{499}…$/],
  ['failed with a null character', () => ({ status: 'failed', error: 'a\0b' }), 'FAILED', /^ab$/],
  ['cancelled', (taskId) => ({ taskId, status: 'cancelled' }), 'FAILED', /./],
  ['a synonym: succeeded', () => ({ status: 'Succeeded', videoUrl: RESULT }), 'UPLOADING'],
  ['no taskId', () => ({ status: 'completed', videoUrl: RESULT }), 'UPLOADING'],
  ['unknown fields', () => ({ status: 'completed', videoUrl: RESULT, x: { y: [1] } }), 'UPLOADING'],
  ['still processing', (id) => ({ id, status: 'processing', progress: 40 }), 'GENERATING'],
  ['a status that nobody knows', (taskId) => ({ taskId, status: 'simmering' }), 'GENERATING'],
]
for (const [title, bodyOf, status, error] of bodies) {
  test(`200: provider-a, ${title}`, async () => {
    const video = await accepted()
    assert.equal((await send(video.url, bodyOf(video.taskId))).status, 200)
    const row = await rowOf(video.uuid)
    assert.equal(row?.status, status)
    if (error) assert.match(row?.error, error)
    else assert.equal(row?.error, null)
  })
}

test('200: whatever content type the provider writes', async () => {
  for (const type of [
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'x/y; charset=z',
  ]) {
    const video = await accepted()
    const body = JSON.stringify({ status: 'completed', videoUrl: RESULT })
    assert.equal((await send(video.url, body, { 'content-type': type })).status, 200, type)
    assert.equal(await statusOf(video.uuid), 'UPLOADING')
  }
})

test('200: by the secret in a header the video is found by its taskId', async () => {
  const video = await accepted()
  const body = { taskId: video.taskId, status: 'completed', videoUrl: RESULT }
  const answer = await send('/api/v1/video/callback/provider-a', body, { 'x-callback-secret': secret })
  assert.equal(answer.status, 200)
  assert.equal(await statusOf(video.uuid), 'UPLOADING')
})

test('404: by the secret in a header, a taskId that is unknown, missing, or of another provider', async () => {
  const video = await accepted()
  const before = await traceOf(video.uuid)
  const done = { status: 'completed', videoUrl: RESULT }
  const headers = { 'x-callback-secret': secret }
  const at = '/api/v1/video/callback/'
  assert.equal((await send(`${at}provider-a`, { ...done, taskId: 'task-unknown' }, headers)).status, 404)
  assert.equal((await send(`${at}provider-a`, done, headers)).status, 404)
  const elsewhere = { code: 200, data: { taskId: video.taskId, state: 'fail' } }
  assert.equal((await send(`${at}provider-b`, elsewhere, headers)).status, 404)
  assert.deepEqual(await traceOf(video.uuid), before)
})

test('200: before the acceptance is known, the callback’s taskId is recorded', async () => {
  const { data } = await kinora.generate(ann, { model: 'alpha-2' })
  const url = signed(ann, data.uuid)
  // As a worker leaves the row that died between sending the task and recording the answer.
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

test('409: another task’s id changes nothing; nor does word of a task that was never handed over', async () => {
  const video = await accepted()
  const { data: unsent } = await kinora.generate(ann, { model: 'alpha-2' })
  for (const [uuid, url] of [
    [video.uuid, video.url],
    [unsent.uuid, signed(ann, unsent.uuid)],
  ] as const) {
    const before = await traceOf(uuid)
    for (const report of [{ status: 'completed', videoUrl: RESULT }, { status: 'failed' }, { status: 'processing' }]) {
      const { status, error } = await send(url, { ...report, taskId: 'task-of-another' })
      assert.equal(status, 409)
      assert.equal(error?.code, 'CONFLICT')
    }
    assert.deepEqual(await traceOf(uuid), before)
  }
})

test('200: a final video answers 200 and stays as it is', async () => {
  const bob = await kinora.person({ credits: 48 })
  const lost = await accepted(bob)
  await send(lost.url, { status: 'failed', error: 'First word' })
  for (const report of [
    { status: 'completed', videoUrl: RESULT },
    { status: 'failed', error: 'Second' },
  ]) {
    assert.equal((await send(lost.url, report)).status, 200)
  }
  const failed = await kinora.call('GET', `/api/v1/video/${lost.uuid}`, { as: bob })
  assert.equal(failed.data.status, 'FAILED')
  assert.equal(failed.data.error, 'First word')

  const { data } = await kinora.generate(bob, { model: 'alpha-2' })
  await kinora.finish(bob, data.uuid)
  const before = await kinora.call('GET', `/api/v1/video/task?uuid=${data.uuid}`, { as: bob })
  for (const report of [{ status: 'failed' }, { status: 'completed', videoUrl: 'https://other.example/x.mp4' }]) {
    assert.equal((await send(signed(bob, data.uuid), report)).status, 200)
  }
  assert.deepEqual((await kinora.call('GET', `/api/v1/video/task?uuid=${data.uuid}`, { as: bob })).data, before.data)
  assert.deepEqual(await kinora.balance(bob), { available: 24, frozen: 0, used: 24, total: 48, expiringSoon: 0 })
})

test('200: for a deleted video too', async () => {
  const video = await accepted()
  await kinora.call('DELETE', `/api/v1/video/${video.uuid}`, { as: ann })
  assert.equal((await send(video.url, { status: 'failed', error: 'No' })).status, 200)
  assert.equal((await rowOf(video.uuid))?.status, 'FAILED')
})

test('401: without a good signature or secret, whatever the body, and nothing is stored', async () => {
  const [video, other] = [await accepted(), await accepted()]
  const [base = '', query] = video.url.split('?')
  const [ref, sig] = [new URLSearchParams(query).get('ref') ?? '', new URLSearchParams(query).get('sig') ?? '']
  const with_ = (fields: Record<string, string>) => `${base}?${new URLSearchParams(fields)}`
  const attempts: [title: string, url: string, headers?: Record<string, string>][] = [
    ['nothing', base],
    ['no sig', with_({ ref })],
    ['no ref', with_({ sig })],
    ['an empty sig', with_({ ref, sig: '' })],
    ['a wrong sig', with_({ ref, sig: sig.replace(/^./, (c) => (c === '0' ? '1' : '0')) })],
    ['half a sig', with_({ ref, sig: sig.slice(0, 32) })],
    ['more than a sig', with_({ ref, sig: `${sig}zz` })],
    ['the sig of another video', with_({ ref: `${ann.userId}.${other.uuid}`, sig })],
    ['the sig of another user', with_({ ref: ref.replace(ann.userId, other.uuid), sig })],
    ['the sig for another provider', video.url.replace('provider-a', 'provider-b')],
    ['a wrong secret', base, { 'x-callback-secret': `${secret}x` }],
    ['an empty secret', base, { 'x-callback-secret': '' }],
    ['the secret as a bearer token', base, { authorization: `Bearer ${secret}` }],
    ['the session of the owner', base, { authorization: `Bearer ${ann.token}` }],
  ]
  const before = [await traceOf(video.uuid), await traceOf(other.uuid)]
  for (const [title, url, headers] of attempts) {
    for (const body of [{ taskId: video.taskId, status: 'completed', videoUrl: RESULT }, '{"status":']) {
      const { status, error } = await send(url, body, headers)
      assert.equal(status, 401, title)
      assert.equal(error?.code, 'UNAUTHENTICATED')
    }
  }
  assert.deepEqual([await traceOf(video.uuid), await traceOf(other.uuid)], before)
})

test('400: unreadable under a good signature, so that it is sent again; nothing is changed', async () => {
  const video = await accepted()
  const before = await traceOf(video.uuid)
  const unreadable = ['{"status":', '', 'null', '[]', '"completed"', '{}', `{"taskId":"${video.taskId}"}`]
  unreadable.push('{"status":null}', '{"status":"completed"}', '{"status":"completed","videoUrl":""}')
  unreadable.push('{"status":"completed","videoUrl":null}', '{"status":"completed","results":[]}', '{"status":{}}')
  for (const body of unreadable) {
    const { status, error } = await send(video.url, body)
    assert.equal(status, 400, body)
    assert.equal(error?.code, 'INVALID_REQUEST')
  }
  assert.deepEqual(await traceOf(video.uuid), before)
})

test('404: a provider that does not exist', async () => {
  const headers = { 'x-callback-secret': secret }
  for (const provider of ['provider-c', 'payment-a', 'constructor', '%00']) {
    const answer = await send(`/api/v1/video/callback/${provider}`, { status: 'failed' }, headers)
    assert.equal(answer.status, 404, provider)
    assert.equal(answer.error?.code, 'NOT_FOUND')
  }
})

test('405: any method but POST', async () => {
  const video = await accepted()
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const answer = await kinora.call(method, video.url)
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'POST')
  }
})

test('413: a body of more than 1 MiB', async () => {
  const video = await accepted()
  assert.equal((await send(video.url, { status: 'failed', error: 'x'.repeat(1024 * 1024) })).status, 413)
  assert.equal((await rowOf(video.uuid))?.status, 'GENERATING')
})
