import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapter } from '../../src/provider/adapter/comfyui.ts'
import type { Account } from '../../src/provider/provider.ts'
import { mapRequest } from '../../src/provider/request-mapping.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const workflow = (image?: string) => ({
  3: { class_type: 'KSampler', inputs: { seed: 1, steps: 20, positive: ['6', 0], negative: ['7', 0] } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: 'a placeholder', clip: ['38', 0] } },
  7: { class_type: 'CLIPTextEncode', inputs: { text: 'blurred', clip: ['38', 0] } },
  38: { class_type: 'CLIPLoader', inputs: { clip_name: 'umt5.safetensors' } },
  50: { class_type: 'Wan22ImageToVideoLatent', inputs: { width: 1280, height: 704, length: 81 } },
  ...(image ? { 52: { class_type: 'LoadImage', inputs: { image: 'a placeholder.png' } } } : {}),
  57: { class_type: 'CreateVideo', inputs: { fps: 16, images: ['8', 0] } },
  58: { class_type: 'SaveVideo', inputs: { filename_prefix: 'video/ComfyUI', format: 'auto', video: ['57', 0] } },
})

await adapterSuite({
  id: 'comfyui',
  adapter,
  model: 'wan-2.2',
  input: (prompt, image) => ({
    prompt: workflow(image),
    set: {
      3: { seed: 42 },
      6: { text: prompt },
      50: { width: 854, height: 480, length: 33 },
      ...(image ? { 52: { image } } : {}),
    },
    output: '58',
  }),
  without: {
    'no-film': 'a workflow that saved no film does not say why: see below',
    'expired-link': 'a file has no link',
  },
})

const set = { 6: { text: 'A boat named "Mary"\n' }, 50: { width: 99_999 } }
const task = scriptedTask('wan-2.2', { prompt: workflow(), set, output: '58' })
const { videoId } = task
const accepted = (nodeErrors = {}) => ({ body: { prompt_id: videoId, number: 1, node_errors: nodeErrors } })
const nodeError = (node: string, type: string, input: string, message: string, details = '/models/secret') => ({
  [node]: { errors: [{ type, message, details, extra_info: { input_name: input } }], class_type: 'X' },
})

test('comfyui: a task → the workflow with its values, and files named after the video', async () => {
  await atScriptedVendor(adapter, [accepted()], async (provider, requests) => {
    assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle: { taskId: videoId, output: '58' } })
    const expected = structuredClone<Record<string, { class_type: string; inputs: Record<string, unknown> }>>(
      workflow(),
    )
    Object.assign(expected[6]?.inputs ?? {}, { text: 'A boat named "Mary"\n' })
    Object.assign(expected[50]?.inputs ?? {}, { width: 99_999 })
    Object.assign(expected[58]?.inputs ?? {}, { filename_prefix: `kinora/${videoId}` })
    assert.deepEqual(requests[0]?.body, { prompt: expected, prompt_id: videoId })
  })
})

test('comfyui: a workflow as the expression of a route, with values by node → both in the input', async () => {
  const mapping = {
    prompt: JSON.stringify(workflow('image')),
    set: { 6: { text: 'prompt' }, 50: { length: 'duration * 16 + 1' }, 52: { image: 'start' } },
    output: "'58'",
  }
  const input = await mapRequest(mapping, { prompt: 'A "boat"', duration: 5 })
  assert.deepEqual(JSON.parse(JSON.stringify(input)), {
    prompt: workflow('image'),
    set: { 6: { text: 'A "boat"' }, 50: { length: 81 } },
    output: '58',
  })
})

test('comfyui: a film and a sound → in the folder of inputs, by the names that nodes load', async () => {
  const stored = (name: string) => ({ body: { name, subfolder: 'kinora', type: 'input' } })
  await atScriptedVendor(adapter, [stored('film.mp4'), stored('voice (1).mp3')], async (provider, requests) => {
    const upload = (contentType: string, name: string) =>
      provider.upload?.({ file: new Blob(['ABC']), contentType, name })
    assert.deepEqual(await upload('video/mp4', 'film.mp4'), { kind: 'uploaded', value: 'kinora/film.mp4' })
    assert.deepEqual(await upload('audio/mpeg', 'voice.mp3'), { kind: 'uploaded', value: 'kinora/voice (1).mp3' })
    assert.deepEqual(
      requests.map(({ path }) => path),
      ['/upload/image', '/upload/image'],
    )
  })
})

test('comfyui: a value that a request sets is refused → the user’s, without details; any other → ours', async () => {
  const error = { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' }
  const replies = [
    nodeError('50', 'value_bigger_than_max', 'width', 'Value 99999 bigger than max of 16384'),
    nodeError('38', 'value_not_in_list', 'clip_name', 'Value not in list'),
    nodeError('50', 'bad_linked_input', 'width', 'Bad linked input'),
    {},
  ].map((errors) => ({ status: 400, body: { error, node_errors: errors } }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    const message = 'width: Value 99999 bigger than max of 16384'
    assert.deepEqual(await provider.submit(task), {
      kind: 'refused',
      failure: { code: 'PARAMETERS_REFUSED', message },
    })
    for (const _ of replies.slice(1)) {
      const outcome = await provider.submit(task)
      assert.ok(outcome.kind === 'not_accepted' && !outcome.retryable, JSON.stringify(outcome))
    }
  })
})

test('comfyui: a workflow that lacks a node that is set → not sent', async () => {
  await atScriptedVendor(adapter, [accepted()], async (provider, requests) => {
    const outcome = await provider.submit({ ...task, input: { ...task.input, set: { 99: { text: 'A boat' } } } })
    assert.deepEqual(outcome, { kind: 'not_accepted', reason: 'the workflow has no node 99', retryable: false })
    assert.equal(requests.length, 0)
  })
})

test('comfyui: accepted with an output left out → cancelled, not accepted', async () => {
  const replies = [
    accepted(nodeError('58', 'required_input_missing', 'video', 'Required input is missing')),
    { body: {} },
  ]
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    const outcome = await provider.submit(task)
    assert.ok(outcome.kind === 'not_accepted' && !outcome.retryable)
    assert.match(outcome.reason, /Required input is missing/)
    assert.equal(requests[1]?.path, `/api/jobs/${videoId}/cancel`)
  })
})

const history = (status: object, outputs = {}) => ({ body: { [videoId]: { status, outputs } } })
const handle = { taskId: videoId }
const failed = (more: object) => history({ status_str: 'error', messages: [['execution_error', more]] })

test('comfyui: a task in the queue → how many run before it', async () => {
  const queue_pending = [
    [7, videoId, {}],
    [5, 'b', {}],
    [9, 'c', {}],
  ]
  const queue = { body: { queue_running: [[4, 'a', {}]], queue_pending } }
  await atScriptedVendor(adapter, [{ body: {} }, queue], async (provider) => {
    assert.deepEqual(await provider.poll?.(handle), { kind: 'running', progress: null, queuePosition: 2 })
  })
})

test('comfyui: an exception → its first line without paths; no memory → worth a retry', async () => {
  const replies = [
    failed({
      exception_message: 'No such file: /home/ai/models/wan.safetensors\nTraceback',
      exception_type: 'OSError',
    }),
    failed({ exception_message: 'Allocation on device', exception_type: 'torch.cuda.OutOfMemoryError' }),
  ]
  await atScriptedVendor(adapter, replies, async (provider) => {
    const failure = { code: 'PROVIDER_ERROR', message: 'No such file: …' }
    assert.deepEqual(await provider.poll?.(handle), { kind: 'failed', failure })
    const memory = await provider.poll?.(handle)
    assert.equal(memory?.kind === 'failed' && memory.failure.code, 'PROVIDER_BUSY')
  })
})

test('comfyui: outputs of several nodes → the film of the named one, else the first film; no film → no film', async () => {
  const file = (filename: string, type = 'output') => ({ filename, subfolder: '', type })
  const outputs = {
    9: { images: [file('preview.png')], text: ['done'] },
    58: { images: [file('temp.mp4', 'temp'), file('first.mp4')], animated: [true] },
    60: { gifs: [{ ...file('second.webm'), fullpath: '/home/ai/second.webm' }] },
  }
  const status = { status_str: 'success', completed: true }
  const replies = [history(status, outputs), history(status, outputs), history(status, { 9: outputs[9] })]
  await atScriptedVendor(adapter, replies, async (provider) => {
    const result = (filename: string) => ({ kind: 'completed', result: `filename=${filename}&subfolder=&type=output` })
    assert.deepEqual(await provider.poll?.({ ...handle, output: '60' }), result('second.webm'))
    assert.deepEqual(await provider.poll?.(handle), result('first.mp4'))
    assert.deepEqual(await provider.poll?.(handle), { kind: 'no_film' })
  })
})

test('comfyui: cancel at an older version → of a waiting task alone', async () => {
  const missing = { status: 404, body: '404: Not Found' }
  const running = { body: { queue_running: [[1, videoId, {}]], queue_pending: [] } }
  const none = { body: {} }
  await atScriptedVendor(adapter, [missing, none, none, running], async (provider, requests) => {
    assert.equal(await provider.cancel?.(handle), 'too_late')
    assert.deepEqual(requests[1]?.body, { delete: [videoId] })
  })
  await atScriptedVendor(adapter, [missing, none], async (provider) => {
    assert.equal(await provider.cancel?.(handle), 'cancelled')
  })
})

test('comfyui: a key with the name of a header → that header, with the film too', async () => {
  const open = (account: Account) => adapter.open({ ...account, apiKey: 'X-Proxy-Key: abc' })
  await atScriptedVendor({ ...adapter, open }, [{ body: {} }], async (provider, requests) => {
    assert.deepEqual(await provider.checkKey?.(), { kind: 'accepted' })
    assert.equal(requests[0]?.headers['x-proxy-key'], 'abc')
    assert.equal(requests[0]?.headers.authorization, undefined)
    const opened = await provider.openResult?.(handle, 'filename=a.mp4')
    assert.deepEqual(opened?.kind === 'link' && opened.headers, { 'x-proxy-key': 'abc' })
  })
})
