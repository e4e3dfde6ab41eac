import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jwtVerify } from 'jose'
import { adapter } from '../../src/provider/adapter/kling.ts'
import type { Account } from '../../src/provider/provider.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const webhookKey = 'whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI='
const account = { id: 'kling', url: 'http://127.0.0.1:9', apiKey: 'key', webhookKey, timeoutS: 20 }

const { provider, taskOf, accepted, ended } = await adapterSuite({
  id: 'kling',
  adapter,
  model: 'text-to-video/kling-3.0',
  input: (prompt, image) => ({
    contents: [{ type: 'prompt', text: prompt }, ...(image ? [{ type: 'first_frame', url: image }] : [])],
    settings: { duration: 3, resolution: '720p', aspect_ratio: '16:9', audio: 'off', multi_shot: false },
    options: { watermark_info: { enabled: false } },
  }),
  isBusyCertain: true,
  webhookKey,
})

await adapterSuite({
  id: 'kling',
  name: 'kling, legacy',
  adapter,
  model: 'v1/videos/text2video/kling-v3',
  input: (prompt, image) => ({
    prompt,
    mode: 'std',
    duration: '3',
    aspect_ratio: '16:9',
    ...(image ? { image: image } : {}),
  }),
  isBusyCertain: true,
  webhookKey,
})

/** The example of Kling's page of callbacks. */
const example = {
  body: Buffer.from(
    '{"id":"1234567890","status":"succeeded","message":"","create_time":1781080778802,"update_time":1781080794151}',
  ),
  headers: {
    'webhook-id': '9876543210',
    'webhook-timestamp': '1781080794',
    'webhook-signature': 'v1,c3RhbGU= v1,UsKlJP00XoQyOn410NM9xv34sP+Gl0jnOO9Lcpr7NJ4=',
  },
  query: new URLSearchParams(),
  now: new Date(1781080794_000),
}

test("kling: the signature of the vendor's page, beside that of an older secret → good", async () => {
  const own = adapter.open(account)
  assert.deepEqual(await own.readCallback?.(example), { kind: 'poll', handle: { taskId: '1234567890' } })
  const early = { ...example, now: new Date(1781080400_000) }
  assert.deepEqual(await own.readCallback?.(early), { kind: 'forged' })
  await own.close()
})

test('kling: without a webhook key → a callback is a hint to poll', async () => {
  const own = adapter.open({ ...account, webhookKey: null })
  const body = Buffer.from('{"id":"1","status":"failed","message":"forged"}')
  const callback = await own.readCallback?.({ ...example, headers: {}, body })
  assert.deepEqual(callback, { kind: 'poll', handle: { taskId: '1' } })
  await own.close()
})

test('kling: a film → its cost', async () => {
  const { handle } = await accepted(taskOf(''))
  const { cost } = await ended(handle)
  assert.deepEqual(cost, { amount: '0.252', unit: 'USD', stage: 'final' })
})

test('kling: a second task of one name → unknown, and the first is found', async () => {
  const task = taskOf('')
  const { handle } = await accepted(task)
  assert.equal((await provider.submit(task)).kind, 'unknown')
  const found = await provider.find?.(task, new Date())
  assert.deepEqual(found?.kind === 'found' && found.handle, handle)
})

test('kling: no task yet of a submit just sent → cannot tell', async () => {
  assert.equal(await provider.find?.(taskOf(''), new Date()), null)
})

test('kling: a pair of access and secret key → a token that it signs', async () => {
  const secret = 'secret-secret-secret-secret-secret'
  const open = (account: Account) => adapter.open({ ...account, apiKey: `access:${secret}` })
  await atScriptedVendor({ ...adapter, open }, [{ body: { code: 0, data: [] } }], async (own, requests) => {
    assert.deepEqual(await own.checkKey?.(), { kind: 'accepted' })
    const token = String(requests[0]?.headers.authorization).replace('Bearer ', '')
    const { payload, protectedHeader } = await jwtVerify(token, Buffer.from(secret))
    assert.deepEqual(protectedHeader, { alg: 'HS256', typ: 'JWT' })
    assert.equal(payload.iss, 'access')
    assert.equal((payload.exp ?? 0) - (payload.nbf ?? 0), 1805)
  })
})

test('kling: film that was asked for with a watermark → that one', async () => {
  const output = { type: 'video', url: 'https://films.example/film', watermark_url: 'https://films.example/marked' }
  const task = { id: '1', status: 'succeeded', outputs: [output] }
  await atScriptedVendor(adapter, [{ body: { code: 0, data: [task] } }], async (provider) => {
    assert.deepEqual(await provider.poll?.({ taskId: '1' }), { kind: 'completed', result: output.watermark_url })
  })
})

test('kling: a legacy operation of no model → its whole path, and no name in the body', async () => {
  const replies = [
    { body: { code: 0, data: { task_id: '1' } } },
    { body: { code: 0, data: { task_status: 'failed' } } },
  ]
  await atScriptedVendor(adapter, replies, async (own, requests) => {
    const input = { image: 'https://kinora.example/a.png', sound_file: 'https://kinora.example/a.mp3', mode: 'std' }
    const task = scriptedTask('v1/videos/avatar/image2video/', input)
    const handle = { taskId: '1', path: 'v1/videos/avatar/image2video' }
    assert.deepEqual(await own.submit(task), { kind: 'accepted', handle })
    assert.equal((await own.poll?.(handle))?.kind, 'failed')
    const paths = requests.map(({ path }) => path)
    assert.deepEqual(paths, ['/v1/videos/avatar/image2video', '/v1/videos/avatar/image2video/1'])
    const sent = { ...input, callback_url: task.callbackUrl, external_task_id: task.videoId }
    assert.deepEqual(requests[0]?.body, sent)
  })
})

const LIP_SYNC = 'v1/videos/advanced-lip-sync/'
const sound = {
  ...{ sound_file: 'https://kinora.example/a.mp3', sound_start_time: 0, sound_end_time: 3000, sound_insert_time: 0 },
  ...{ sound_volume: 1, original_audio_volume: 0 },
}
const lipSync = { identify_face: { video_url: 'https://kinora.example/a.mp4' }, face_choose: [sound] }
const face = (face_id: string, start_time: number, end_time: number) => ({ face_id, start_time, end_time })
const found = (...face_data: object[]) => ({ body: { code: 0, data: { session_id: 'session-1', face_data } } })

test('kling: lip-sync → the faces of the film first, then the one that is seen longest while the sound plays', async () => {
  const faces = found(face('0', 900, 9000), face('1', 500, 9000), face('2', 0, 2300))
  await atScriptedVendor(adapter, [faces, { body: { code: 0, data: { task_id: '1' } } }], async (own, requests) => {
    const task = scriptedTask(LIP_SYNC, lipSync)
    const handle = { taskId: '1', path: 'v1/videos/advanced-lip-sync' }
    assert.deepEqual(await own.submit(task), { kind: 'accepted', handle })
    assert.deepEqual(
      requests.map(({ path }) => path),
      ['/v1/videos/identify-face', '/v1/videos/advanced-lip-sync'],
    )
    assert.deepEqual(requests[0]?.body, lipSync.identify_face)
    assert.deepEqual(requests[1]?.body, {
      ...{ session_id: 'session-1', face_choose: [{ face_id: '1', ...sound }] },
      ...{ callback_url: task.callbackUrl, external_task_id: task.videoId },
    })
  })
})

const noFace = (message: string) => ({ kind: 'refused', failure: { code: 'INPUT_REFUSED', message } })
for (const [name, reply, outcome] of [
  ['no face', found(), noFace('The film shows no face.')],
  [
    'a face after the sound',
    found(face('0', 2000, 9000)),
    noFace('The film shows no face for two seconds while the sound plays.'),
  ],
  [
    'a film that it refuses',
    { status: 400, body: { code: 1201, message: 'The duration is invalid.' } },
    noFace('The duration is invalid.'),
  ],
  [
    'an account without units',
    { status: 429, body: { code: 1102, message: 'No units.' } },
    { kind: 'not_accepted', retryable: false, reason: 'No units.' },
  ],
  ['an error of the vendor', { status: 500, body: { code: 5000, message: 'Internal.' } }, { kind: 'not_accepted' }],
] as const) {
  test(`kling: lip-sync, ${name} at the first call → ${outcome.kind}, and no second call`, async () => {
    await atScriptedVendor(adapter, [reply], async (own, requests) => {
      const result = await own.submit(scriptedTask(LIP_SYNC, lipSync))
      assert.deepEqual({ ...result, ...outcome }, result)
      assert.equal(requests.length, 1)
    })
  })
}
