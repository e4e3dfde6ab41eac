import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteDance } from '@ai-sdk/bytedance'
import { adapter } from '../../src/provider/adapter/ark.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const { accepted, ended, taskOf } = await adapterSuite({
  id: 'ark',
  adapter,
  model: 'dreamina-seedance-2-0-fast-260128',
  input: (prompt, image) => ({
    content: [
      { type: 'text', text: prompt },
      ...(image ? [{ type: 'image_url', image_url: { url: image }, role: 'first_frame' }] : []),
    ],
    resolution: '480p',
    ratio: image ? 'adaptive' : '16:9',
    duration: 4,
    generate_audio: false,
    watermark: false,
  }),
  cancels: 'queued',
  client: (address, prompt) =>
    aiSdkFilm({
      model: createByteDance({ apiKey: 'key', baseURL: address }).video('seedance-1-5-pro-251215'),
      prompt,
      duration: 4,
      providerOptions: { bytedance: { pollIntervalMs: 50 } },
    }),
})

test('ark: a film → what it costs, in tokens', async () => {
  const { handle } = await accepted(taskOf(''))
  const { cost } = await ended(handle)
  assert.deepEqual(cost, { amount: '38430', unit: 'tokens', stage: 'final' })
})

const task = scriptedTask('seedance-1-5-pro-251215', {
  content: [{ type: 'text', text: 'A boat --dur 12 -- and a well-known bird --rs 1080p' }],
  duration: 4,
})
const error = (status: number, code: string) => ({
  status,
  body: { error: { code, message: 'Something. Request id: 02177', param: '', type: '' } },
})

test('ark: parameters within a prompt → no parameters any more; the task ends within an hour', async () => {
  await atScriptedVendor(adapter, [{ body: { id: 'cgt-1' } }], async (provider, requests) => {
    assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle: { taskId: 'cgt-1' } })
    assert.deepEqual(requests[0]?.body, {
      model: task.model,
      content: [{ type: 'text', text: 'A boat —dur 12 -- and a well-known bird —rs 1080p' }],
      duration: 4,
      execution_expires_after: 3600,
      callback_url: task.callbackUrl,
    })
  })
})

test('ark: one status, several codes → the code decides', async () => {
  await assertOutcomes(adapter, [
    [error(429, 'QuotaExceeded'), 'not_accepted false'],
    [error(429, 'ServerOverloaded'), 'not_accepted true'],
    [error(400, 'InvalidEndpoint.ClosedEndpoint'), 'not_accepted false'],
    [error(404, 'ModelNotOpen'), 'not_accepted false'],
    [error(400, 'InputImageSensitiveContentDetected.PrivacyInformation'), 'refused CONTENT_REFUSED'],
    [error(400, 'InvalidImageURL'), 'refused INPUT_REFUSED'],
    [error(500, 'InternalServiceError'), 'unknown'],
  ])
})

test('ark: a text with the id of the request → the text alone', async () => {
  await atScriptedVendor(adapter, [error(400, 'MissingParameter')], async (provider) => {
    const failure = { code: 'PARAMETERS_REFUSED', message: 'Something.' }
    assert.deepEqual(await provider.submit(task), { kind: 'refused', failure })
  })
})

test('ark: how a task ends → the failure of its code or status', async () => {
  const ends = [
    { status: 'failed', error: { code: 'OutputVideoSensitiveContentDetected.PolicyViolation', message: 'No.' } },
    { status: 'expired' },
    { status: 'cancelled' },
  ]
  await atScriptedVendor(
    adapter,
    ends.map((body) => ({ body: { id: 'cgt-1', ...body } })),
    async (provider) => {
      const found = []
      for (const _ of ends) found.push(await provider.poll?.({ taskId: 'cgt-1' }))
      const reports = found.map((report) => report?.kind === 'failed' && report.failure.code)
      assert.deepEqual(reports, ['CONTENT_REFUSED', 'TIMED_OUT', 'CANCELLED'])
    },
  )
})

test('ark: cancel of a task that has ended → no DELETE, which would remove it', async () => {
  await atScriptedVendor(adapter, [{ body: { id: 'cgt-1', status: 'succeeded' } }], async (provider, requests) => {
    assert.equal(await provider.cancel?.({ taskId: 'cgt-1' }), 'too_late')
    assert.equal(requests.length, 1)
  })
})
