import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapter } from '../../src/provider/adapter/evolink.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { assertOutcomes, atScriptedVendor } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'evolink',
  adapter,
  model: 'seedance-2.0-mini-text-to-video',
  input: (prompt, image) => ({
    prompt,
    duration: 2,
    quality: '480p',
    aspect_ratio: '16:9',
    ...(image ? { image_urls: [image] } : {}),
  }),
  isBusyCertain: true,
})

test('evolink: the type of a refusal → its outcome, at any status', async () => {
  await assertOutcomes(adapter, [
    [
      { status: 400, body: { error: { code: 400, type: 'content_policy_violation', message: 'No.' } } },
      'refused CONTENT_REFUSED',
    ],
    [
      { status: 400, body: { error: { code: 'invalid_request', type: 'invalid_request_error', message: 'No.' } } },
      'refused PARAMETERS_REFUSED',
    ],
    [{ status: 413, body: { error: { message: 'too large' } } }, 'refused PARAMETERS_REFUSED'],
    [{ status: 400, body: { error: { type: 'insufficient_quota', message: 'No.' } } }, 'not_accepted false'],
    [{ status: 400, body: { error: { type: 'model_unavailable', message: 'No.' } } }, 'not_accepted false'],
    [{ status: 403, body: { error: { code: 'model_access_denied' } } }, 'not_accepted false'],
    [{ status: 429, body: { error: { code: 'rate_limit_exceeded' } } }, 'not_accepted true'],
    [{ status: 502, body: { error: { message: 'Upstream' } } }, 'unknown'],
  ])
})

test('evolink: the code of a failed task → ours; cost, remaining time and cancellation are read', async () => {
  const cost = { amount: '408240', unit: 'credits', stage: 'reserved' }
  const usage = { billing_rule: 'per_token', credits_reserved: 408240 }
  const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })
  const cases: [object, object][] = [
    [
      { status: 'processing', progress: 40, task_info: { estimated_time: 90 } },
      { kind: 'running', progress: 40, remainingS: 90 },
    ],
    [
      { status: 'pending', usage },
      { kind: 'running', progress: null, cost },
    ],
    [{ status: 'failed', error: { code: 'image_processing_error', message: 'No.' } }, failed('INPUT_REFUSED', 'No.')],
    [{ status: 'failed', error: { code: 'generation_timeout', message: 'Late.' } }, failed('TIMED_OUT', 'Late.')],
    [{ status: 'failed', error: { code: 'resource_exhausted', message: 'Full.' } }, failed('PROVIDER_BUSY', 'Full.')],
    [{ status: 'failed', error: { code: 'quota_exceeded', message: 'Quota.' } }, failed('ACCOUNT', 'Quota.')],
    [{ status: 'failed', error: { message: 'Broken.' } }, failed('PROVIDER_ERROR', 'Broken.')],
    [{ status: 'cancelled' }, failed('CANCELLED', 'The provider reported "cancelled" without a reason.')],
    [
      { status: 'completed', result_data: [{ video_url: 'https://cdn.evolink.ai/f.mp4' }], usage },
      { kind: 'completed', result: 'https://cdn.evolink.ai/f.mp4', cost },
    ],
  ]
  for (const [body, report] of cases) {
    await atScriptedVendor(adapter, [{ body: { id: 't1', ...body } }], async (provider) => {
      assert.deepEqual(await provider.poll?.({ taskId: 't1' }), report)
    })
  }
})

test('evolink: no room for an image → our files of earlier days are removed, and it is sent again', async () => {
  const old = { file_id: 'f1', file_name: 'kinora-1.png', upload_time: '2026-01-02 03:04:05' }
  const replies = [
    { status: 400, body: { success: false, code: 400, msg: 'file quota exceeded' } },
    {
      body: {
        success: true,
        data: {
          total: 3,
          files: [
            old,
            { ...old, file_id: 'f2', file_name: 'theirs.png' },
            { ...old, file_id: 'f3', upload_time: 'soon' },
          ],
        },
      },
    },
    { body: { success: true } },
    { body: { success: true, code: 200, data: { file_url: 'https://files.evolink.ai/a.png' } } },
  ]
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    const image = { file: new Blob(['image']), contentType: 'image/png', name: 'a.png' }
    assert.deepEqual(await provider.upload?.(image), { kind: 'uploaded', value: 'https://files.evolink.ai/a.png' })
    assert.deepEqual(
      requests.map(({ method, path }) => `${method} ${path}`),
      [
        'POST /api/v1/files/upload/stream',
        'GET /api/v1/files/list?page=1&pageSize=100',
        'DELETE /api/v1/files/f1',
        'POST /api/v1/files/upload/stream',
      ],
    )
  })
})
