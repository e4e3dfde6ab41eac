import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapter } from '../../src/provider/adapter/minimax.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'minimax',
  adapter,
  model: 'MiniMax-H3',
  input: (prompt, image) => ({
    content: [
      { type: 'text', text: prompt },
      ...(image ? [{ type: 'image_url', image_url: { url: image }, role: 'first_frame' }] : []),
    ],
    resolution: '768P',
    duration: 4,
    ratio: image ? 'adaptive' : '16:9',
    aigc_watermark: false,
  }),
  isBusyCertain: true,
  cancels: 'queued',
})

await adapterSuite({
  id: 'minimax',
  name: 'minimax, V1',
  adapter,
  model: 'MiniMax-Hailuo-2.3',
  input: (prompt, image) => ({
    prompt,
    duration: 6,
    resolution: '768P',
    prompt_optimizer: false,
    ...(image ? { first_frame_image: image } : {}),
  }),
  isBusyCertain: true,
  without: { cancel: 'V1 cancels nothing' },
})

const h3 = scriptedTask('MiniMax-H3', { content: [{ type: 'text', text: 'A boat' }] })
const hailuo = scriptedTask('MiniMax-Hailuo-2.3', { prompt: 'A boat' })

test('minimax: a challenge → its reply', async () => {
  await atScriptedVendor(adapter, [], async (provider) => {
    const body = Buffer.from('{"challenge":"1a2b"}')
    const callback = { body, headers: {}, query: new URLSearchParams(), now: new Date() }
    assert.deepEqual(await provider.readCallback?.(callback), { kind: 'challenge', reply: { challenge: '1a2b' } })
  })
})

test('minimax: HTTP 200 with a code of V1, a message with a code of V2 → what the code says', async () => {
  const v1 = (code: number) => ({ body: { base_resp: { status_code: code, status_msg: 'Something.' } } })
  const v2 = (status: number, text: string) => ({
    status,
    body: { type: 'error', error: { type: 'x', message: text } },
  })
  await assertOutcomes(adapter, [
    [v1(2049), 'not_accepted false'],
    [v1(1027), 'refused CONTENT_REFUSED'],
    [v1(1039), 'not_accepted true'],
    [v1(4711), 'unknown'],
    [v2(400, 'This is sensitive. (1026)'), 'refused CONTENT_REFUSED'],
    [v2(429, 'The window is used up. (2056)'), 'not_accepted false'],
    [v2(529, 'Overloaded.'), 'not_accepted true'],
    [v2(500, 'Something.'), 'unknown'],
  ])
})

test('minimax: an id as a number → its digits; a file id as a number too', async () => {
  const reply = { body: '{"task_id":4326796003218200779,"base_resp":{"status_code":0}}' }
  const ended = { body: '{"task_id":"4326796003218200779","status":"Success","file_id":4326796003218200123}' }
  await atScriptedVendor(adapter, [reply, ended], async (provider) => {
    const handle = { taskId: '4326796003218200779', version: 'v1' }
    assert.deepEqual(await provider.submit(hailuo), { kind: 'accepted', handle })
    assert.deepEqual(await provider.poll?.(handle), { kind: 'completed', result: '4326796003218200123' })
  })
})

test('minimax: cancel of a task that has ended → no DELETE, which would remove the film', async () => {
  const replies = [{ body: { task: { id: '1', status: 'succeeded' } } }]
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    assert.equal(await provider.cancel?.({ taskId: '1', version: 'v1' }), 'too_late')
    assert.equal(await provider.cancel?.({ taskId: '1', version: 'v2' }), 'too_late')
    assert.deepEqual(
      requests.map(({ method }) => method),
      ['GET'],
    )
  })
})

test('minimax: a film that became sensitive → CONTENT_REFUSED by the code of the task', async () => {
  const error = { code: '1027', message: 'The result cannot be shown.' }
  const replies = [{ body: { task_id: '1' } }, { body: { task: { id: '1', status: 'failed', error } } }]
  await atScriptedVendor(adapter, replies, async (provider) => {
    const outcome = await provider.submit(h3)
    assert.ok(outcome.kind === 'accepted')
    const failure = { code: 'CONTENT_REFUSED', message: error.message }
    assert.deepEqual(await provider.poll?.(outcome.handle), { kind: 'failed', failure })
  })
})
