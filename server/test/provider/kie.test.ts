import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapter } from '../../src/provider/adapter/kie.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'kie',
  adapter,
  model: 'bytedance/seedance-2-mini',
  input: (prompt, image) => ({
    prompt,
    duration: 2,
    resolution: '480p',
    aspect_ratio: '16:9',
    ...(image ? { first_frame_url: image } : {}),
  }),
  isBusyCertain: true,
  webhookKey: 'the-webhook-key-of-kie',
})

test('kie: a model with a version → its own path, and its name without it', async () => {
  const replies = [{ body: { code: 200, msg: 'success', data: { taskId: 't1' } } }]
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    for (const [model, name, path] of [
      ['wan/3-0-video@v3', 'wan/3-0-video', '/api/v3/jobs/createTask'],
      ['kling-3.0/video', 'kling-3.0/video', '/api/v1/jobs/createTask'],
    ] as const) {
      const task = scriptedTask(model, { prompt: 'A boat', duration: '5' })
      assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle: { taskId: 't1' } })
      const { path: called, body } = requests.at(-1) ?? {}
      assert.deepEqual([called, body], [path, { model: name, callBackUrl: task.callbackUrl, input: task.input }])
    }
  })
})

test('kie: each code of a submit → its outcome', async () => {
  const outcomes: Record<number, string> = {
    400: 'refused PARAMETERS_REFUSED',
    422: 'refused PARAMETERS_REFUSED',
    451: 'refused INPUT_REFUSED',
    401: 'not_accepted false',
    402: 'not_accepted false',
    403: 'not_accepted false',
    404: 'not_accepted false',
    433: 'not_accepted false',
    505: 'not_accepted false',
    429: 'not_accepted true',
    455: 'not_accepted true',
    408: 'unknown',
    500: 'unknown',
    501: 'unknown',
  }
  await assertOutcomes(
    adapter,
    Object.entries(outcomes).map(([code, outcome]) => [
      { body: { code: Number(code), msg: 'no', data: null } },
      outcome,
    ]),
  )
})

test('kie: a model that is not there any more → not accepted, at fault until an operator acts', async () => {
  const body = { code: 422, msg: 'Page does not exist or is not published', data: null }
  await assertOutcomes(adapter, [[{ body }, 'not_accepted false']])
})

test('kie: the records of all families → their film, their failure, and what they cost', async () => {
  const result = 'https://tempfile.kie.ai/film.mp4'
  const completed = { kind: 'completed', result }
  const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })
  const cases: [object, object][] = [
    [{ state: 'success', response: { resultUrls: [result] } }, completed],
    [{ state: 'success', resultJson: JSON.stringify({ resultUrls: [result] }), response: null }, completed],
    [{ successFlag: 1, response: { resultUrls: `["${result}"]` } }, completed],
    [{ state: 'success', videoInfo: { videoUrl: result } }, completed],
    [{ info: { resultUrls: result } }, completed],
    [{ video_url: result }, completed],
    [
      { successFlag: 0, response: null },
      { kind: 'running', progress: null },
    ],
    [{ state: 'wait' }, { kind: 'running', progress: null }],
    [{ successFlag: 3, failMsg: 'the engine broke' }, failed('PROVIDER_ERROR', 'the engine broke')],
    [{ state: 'fail', failCode: '422', failMsg: 'no such duration' }, failed('PARAMETERS_REFUSED', 'no such duration')],
    [
      { state: 'fail', failCode: '400', failMsg: 'The prompt was flagged as sensitive' },
      failed('CONTENT_REFUSED', 'The prompt was flagged as sensitive'),
    ],
    [
      { state: 'success', response: { resultUrls: [result] }, creditsConsumed: 82.5 },
      { ...completed, cost: { amount: '82.5', unit: 'credits', stage: 'final' } },
    ],
    [
      { state: 'generating', consumeCredits: 60 },
      { kind: 'running', progress: null, cost: { amount: '60', unit: 'credits', stage: 'reserved' } },
    ],
  ]
  for (const [data, report] of cases) {
    const replies = [{ body: { code: 200, msg: 'success', data: { task_id: 't1', ...data } } }]
    await atScriptedVendor(adapter, replies, async (provider) => {
      assert.deepEqual(await provider.poll?.({ taskId: 't1' }), report)
    })
  }
})
