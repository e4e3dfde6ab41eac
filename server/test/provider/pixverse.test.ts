import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/id.ts'
import { adapter } from '../../src/provider/adapter/pixverse.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

await adapterSuite({
  id: 'pixverse',
  adapter,
  model: 'v6',
  input: (prompt, image) => ({
    prompt,
    duration: 2,
    quality: '540p',
    ...(image ? { img_id: image } : { aspect_ratio: '16:9' }),
  }),
  without: {
    'failure-text': 'a failed task has a number and no text',
    'no-film': 'a task that is done has no text',
    'unknown-status': 'states are numbers',
    find: 'a repetition makes the task that there was not',
  },
})

test('pixverse: an unknown submit → found by its trace id, without a second task', async () => {
  const { url, tasks } = await sharedSimulator()
  const open = (timeoutS: number) =>
    adapter.open({ id: 'pixverse', url: `${url}/pixverse`, apiKey: 'key', webhookKey: null, timeoutS })
  const [provider, short] = [open(20), open(0.4)]
  const task = {
    ...scriptedTask('v6', { prompt: 'A boat of the trace [hang]', duration: 2, quality: '540p' }),
    videoId: newId(new Date()),
  }
  assert.equal((await short.submit(task)).kind, 'unknown')
  const found = await provider.find?.(task, new Date())
  assert.match(JSON.stringify(found), /^{"kind":"found","handle":{"taskId":"\d+"}}$/)
  assert.equal((await tasks()).filter(({ prompt }) => prompt.includes('of the trace')).length, 1)
  await Promise.all([provider.close(), short.close()])
})

test('pixverse: find long after the submit, or refused now → not certain, or none', async () => {
  const body = { ErrCode: 500063, ErrMsg: 'moderation', Resp: {} }
  await atScriptedVendor(adapter, [{ body }], async (provider, requests) => {
    const task = scriptedTask('v6', { prompt: 'A boat' })
    assert.equal(await provider.find?.(task, new Date(Date.now() - 11 * 60_000)), null)
    assert.deepEqual(requests, [])
    assert.deepEqual(await provider.find?.(task, new Date()), { kind: 'none' })
  })
})

test('pixverse: the fields of an input → the path, with ids of images as numbers', async () => {
  const body = { ErrCode: 0, ErrMsg: 'success', Resp: { video_id: 345600000000001, credits: 45 } }
  await atScriptedVendor(adapter, [{ body }], async (provider, requests) => {
    for (const [input, mode, sent] of [
      [{ aspect_ratio: '16:9' }, 'text', { aspect_ratio: '16:9' }],
      [{ img_id: '320000000000001' }, 'img', { img_id: 320000000000001 }],
      [{ first_frame_img: '1', last_frame_img: '2' }, 'transition', { first_frame_img: 1, last_frame_img: 2 }],
      [{ image_references: [{ img_id: 1 }] }, 'fusion', { image_references: [{ img_id: 1 }] }],
      [{ source_video_id: 5 }, 'extend', { source_video_id: 5 }],
    ] as const) {
      const task = scriptedTask('v6', input)
      const cost = { amount: '45', unit: 'credits', stage: 'reserved' }
      assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle: { taskId: '345600000000001' }, cost })
      const { path, body, headers } = requests.at(-1) ?? {}
      assert.deepEqual([path, body], [`/openapi/v2/video/${mode}/generate`, { model: 'v6', ...sent }])
      assert.equal(headers?.['ai-trace-id'], task.videoId)
    }
  })
})

test('pixverse: each code of a submit → its outcome', async () => {
  const rows = [
    [400018, 'refused PARAMETERS_REFUSED'],
    [400032, 'refused INPUT_REFUSED'],
    [500054, 'refused CONTENT_REFUSED'],
    [400012, 'not_accepted false'],
    [500090, 'not_accepted false'],
    [500044, 'not_accepted true'],
    [500069, 'not_accepted true'],
    [400080, 'refused PARAMETERS_REFUSED'],
    [500100, 'unknown'],
    [99999, 'unknown'],
  ] as const
  const bodyOf = (ErrCode: number) => ({ body: { ErrCode, ErrMsg: 'No.', Resp: {} } })
  await assertOutcomes(
    adapter,
    rows.map(([code, outcome]) => [bodyOf(code), outcome]),
  )
})

test('pixverse: each state → its report', async () => {
  const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })
  const url = 'https://media.pixverse.ai/openapi%2Ffilm.mp4'
  for (const [resp, report] of [
    [{ status: 5 }, { kind: 'running', progress: null }],
    [{ status: 10 }, { kind: 'running', progress: null, note: '10' }],
    [{ status: 6 }, { kind: 'lost' }],
    [{ status: 7 }, failed('CONTENT_REFUSED', "The provider's moderation refused this film.")],
    [{ status: 8 }, failed('PROVIDER_ERROR', 'The provider reported a failure without a reason.')],
    [{ status: 1, url: '' }, { kind: 'no_film' }],
    [
      { status: 1, url, credits: 45 },
      { kind: 'completed', result: url, cost: { amount: '45', unit: 'credits', stage: 'final' } },
    ],
  ] as const) {
    const replies = [{ body: { ErrCode: 0, ErrMsg: 'success', Resp: resp } }]
    await atScriptedVendor(adapter, replies, async (provider) => {
      assert.deepEqual(await provider.poll?.({ taskId: '1' }), report)
    })
  }
})
