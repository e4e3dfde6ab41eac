import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/id.ts'
import { adapter } from '../../src/provider/adapter/vidu.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

await adapterSuite({
  id: 'vidu',
  adapter,
  model: 'viduq3-turbo',
  input: (prompt, image) => ({
    prompt,
    duration: 2,
    resolution: '540p',
    audio: false,
    ...(image ? { images: [image] } : { aspect_ratio: '16:9' }),
  }),
  without: { find: 'the list may leave out a task, so that an absence is not certain' },
})

test('vidu: an unknown submit → found by our reference; absent from the list → not certain', async () => {
  const { url } = await sharedSimulator()
  const open = (timeoutS: number) =>
    adapter.open({ id: 'vidu', url: `${url}/vidu`, apiKey: 'key', webhookKey: null, timeoutS })
  const [provider, short] = [open(20), open(0.4)]
  const task = {
    ...scriptedTask('viduq3-turbo', { prompt: 'A boat [hang]', duration: 2, resolution: '540p' }),
    videoId: newId(new Date()),
  }
  assert.equal((await short.submit(task)).kind, 'unknown')
  const found = await provider.find?.(task, new Date())
  assert.match(JSON.stringify(found), /^{"kind":"found","handle":{"taskId":"task-/)
  assert.equal(await provider.find?.({ ...task, videoId: newId(new Date()) }, new Date()), null)
  await Promise.all([provider.close(), short.close()])
})

test('vidu: the images of an input, or the name of the model → the path', async () => {
  await atScriptedVendor(adapter, [{ body: { task_id: 't1', state: 'created' } }], async (provider, requests) => {
    for (const [model, input, path] of [
      ['viduq3-pro', {}, 'text2video'],
      ['viduq3-pro', { images: ['a'] }, 'img2video'],
      ['viduq3-pro', { images: ['a', 'b'] }, 'start-end2video'],
      ['viduq3', { images: ['a', 'b', 'c'] }, 'reference2video'],
      ['reference2video/viduq3', { images: ['a'] }, 'reference2video'],
      ['viduq3', { subjects: [{ name: 'boat', images: ['a'] }] }, 'reference2video'],
      ['viduq2-pro', { start_image: 'a', image_settings: [{ key_image: 'b' }] }, 'multiframe'],
    ] as const) {
      const task = scriptedTask(model, input)
      assert.equal((await provider.submit(task)).kind, 'accepted')
      const { path: called, body } = requests.at(-1) ?? {}
      const own = { model: model.split('/').at(-1), payload: task.videoId, callback_url: task.callbackUrl }
      assert.deepEqual([called, body], [`/ent/v2/${path}`, { ...input, ...own }])
    }
  })
})

test('vidu: each code word of a refusal → its outcome, wherever it is', async () => {
  await assertOutcomes(adapter, [
    [{ status: 400, body: { reason: 'CreditInsufficient', message: 'No.' } }, 'not_accepted false'],
    [{ status: 400, body: { code: 'ModelUnavailable', message: 'No.' } }, 'not_accepted false'],
    [{ status: 403, body: { error: { code: 'Forbidden' } } }, 'not_accepted false'],
    [{ status: 400, body: { reason: 'AuditSubmitIllegal', message: 'No.' } }, 'refused CONTENT_REFUSED'],
    [{ status: 400, body: { err_code: 'ImageDownloadFailure', message: 'No.' } }, 'refused INPUT_REFUSED'],
    [{ status: 400, body: { reason: 'FieldLacking', message: 'No.' } }, 'refused PARAMETERS_REFUSED'],
    [{ status: 400, body: { reason: 'OperationInProcess' } }, 'not_accepted true'],
    [{ status: 429, body: { reason: 'QuotaExceeded' } }, 'not_accepted true'],
    [{ status: 500, body: { reason: 'InternalServiceFailure' } }, 'unknown'],
  ])
})

test('vidu: a cancel that is refused → too late; by key or rate → no answer', async () => {
  for (const [status, reason, answer] of [
    [400, 'BadRequest', 'too_late'],
    [409, 'Conflict', 'too_late'],
    [403, 'Forbidden', null],
    [429, 'TooManyRequests', null],
  ] as const) {
    await atScriptedVendor(adapter, [{ status, body: { reason } }], async (provider) => {
      assert.equal(await provider.cancel?.({ taskId: 't1' }), answer)
    })
  }
})

test('vidu: a state with an error → failed with its code; credits are what it cost', async () => {
  const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })
  const url = 'https://prod.vidu.com/film.mp4'
  for (const [body, report] of [
    [{ state: 'failed', err_code: 'CreationPolicyViolation' }, failed('CONTENT_REFUSED', 'CreationPolicyViolation')],
    [{ state: 'processing', err_code: 'ImageCheckFaceFailed' }, failed('INPUT_REFUSED', 'ImageCheckFaceFailed')],
    [{ state: 'cancelled' }, failed('CANCELLED', 'cancelled')],
    [
      { state: 'queueing', err_code: '', credits: 55 },
      { kind: 'running', progress: null },
    ],
    [
      { state: 'success', err_code: '', credits: 55, creations: [{ url }] },
      { kind: 'completed', result: url, cost: { amount: '55', unit: 'credits', stage: 'final' } },
    ],
  ] as const) {
    await atScriptedVendor(adapter, [{ body: { id: 't1', ...body } }], async (provider) => {
      assert.deepEqual(await provider.poll?.({ taskId: 't1' }), report)
    })
  }
})

test('vidu: film that was asked for with a watermark → that one; without → the other, also where both are there', async () => {
  const film = (payload: string) => ({
    body: {
      id: 't1',
      state: 'success',
      payload,
      creations: [{ url: 'https://films.example/film', watermarked_url: 'https://films.example/marked' }],
    },
  })
  for (const [watermark, result] of [
    [true, 'https://films.example/marked'],
    [false, 'https://films.example/film'],
  ] as const) {
    await atScriptedVendor(adapter, [{ body: { task_id: 't1', state: 'created' } }], async (provider, requests) => {
      await provider.submit(scriptedTask('viduq3-pro', { watermark }))
      const payload = String((requests.at(-1)?.body as { payload?: string } | undefined)?.payload)
      await atScriptedVendor(adapter, [film(payload)], async (polled) => {
        assert.deepEqual(await polled.poll?.({ taskId: 't1' }), { kind: 'completed', result })
      })
    })
  }
})
