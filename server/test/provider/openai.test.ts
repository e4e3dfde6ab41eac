import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { adapter } from '../../src/provider/adapter/openai.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { assertOutcomes, atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const film = { seconds: '2', size: '854x480' }
const cancel = 'the server aborts no task'
const without = { 'no-film': 'completed without an error, the film is behind the address of the task' }

await adapterSuite({
  id: 'openai',
  adapter,
  model: 'sora-2',
  input: (prompt, image) => ({ prompt, ...film, ...(image ? { input_reference: image } : {}) }),
  without: { ...without, cancel },
  client: async (address, prompt) => {
    const { videos } = new OpenAI({ apiKey: 'key', baseURL: `${address}/v1` })
    let video = await videos.create({ prompt, model: 'sora-2', seconds: '4', size: '1280x720' })
    while (video.status !== 'completed') {
      assert.notEqual(video.status, 'failed')
      await sleep(20)
      video = await videos.retrieve(video.id)
    }
    return new Uint8Array(await (await videos.downloadContent(video.id)).arrayBuffer())
  },
})

await adapterSuite({
  id: 'openai',
  name: 'openai at vLLM-Omni',
  adapter,
  model: 'vllm/Wan2.2',
  input: (prompt, image) => ({ prompt, ...film, fps: 24, ...(image ? { input_reference: image } : {}) }),
  isBusyCertain: true,
  without,
})

await adapterSuite({
  id: 'openai',
  name: 'openai at SGLang',
  adapter,
  model: 'sglang/Wan2.1',
  input: (prompt, image) => ({
    prompt,
    $encoding: 'json',
    seconds: 2,
    size: '854x480',
    seed: 7,
    ...(image ? { reference_url: image } : {}),
  }),
  without: { ...without, cancel },
})

await adapterSuite({
  id: 'openai',
  name: 'openai at new-api',
  adapter,
  model: 'new-api/veo-3.1',
  input: (prompt, image) => ({ prompt, $encoding: 'json', ...film, ...(image ? { image } : {}) }),
  without: { ...without, cancel },
})

test('openai: completed without a film → failed with the text', async () => {
  const body = { id: 'v1', status: 'completed', error: { message: 'nothing came out' } }
  await atScriptedVendor(adapter, [{ body }], async (provider) => {
    const failure = { code: 'PROVIDER_ERROR', message: 'nothing came out' }
    assert.deepEqual(await provider.poll?.({ taskId: 'v1' }), { kind: 'failed', failure })
  })
})

test('openai: a body → multipart by default, with objects as JSON text; JSON where the route says so', async () => {
  await atScriptedVendor(adapter, [{ body: { id: 'v1', status: 'queued' } }], async (provider, requests) => {
    const input = { prompt: 'A boat', seconds: '4', fps: 24, image_reference: { image_url: 'https://a.example/b.png' } }
    const accepted = { kind: 'accepted', handle: { taskId: 'v1' } }
    assert.deepEqual(await provider.submit(scriptedTask('m', input)), accepted)
    assert.deepEqual(await provider.submit(scriptedTask('', { ...input, $encoding: 'json' })), accepted)
    const [form, json] = requests
    const content = { headers: { 'content-type': String(form?.headers['content-type']) } }
    const fields = await new Response(String(form?.body), content).formData()
    assert.deepEqual(Object.fromEntries(fields), {
      model: 'm',
      prompt: 'A boat',
      seconds: '4',
      fps: '24',
      image_reference: '{"image_url":"https://a.example/b.png"}',
    })
    assert.deepEqual(json?.body, input)
  })
})

test('openai: each refusal of the servers → its outcome', async () => {
  await assertOutcomes(adapter, [
    [{ status: 429, body: { error: { code: 'insufficient_quota', message: 'No.' } } }, 'not_accepted false'],
    [{ status: 403, body: { code: 'insufficient_user_quota', message: 'No.' } }, 'not_accepted false'],
    [{ status: 401, body: { error: 'Unauthorized' } }, 'not_accepted false'],
    [{ status: 404, body: { detail: 'Not Found' } }, 'not_accepted false'],
    [
      { status: 422, body: { detail: [{ loc: ['body', 'seconds'], msg: 'String should match pattern' }] } },
      'refused PARAMETERS_REFUSED',
    ],
    [{ status: 400, body: { error: { code: 'moderation_blocked', message: 'No.' } } }, 'refused CONTENT_REFUSED'],
    [
      { status: 400, body: { code: 'sensitive_words_detected', message: 'No.', data: null } },
      'refused CONTENT_REFUSED',
    ],
    [{ status: 503, body: { error: { message: 'No available channel for model m' } } }, 'not_accepted true'],
    [{ status: 503, body: { error: { message: 'Overloaded' } } }, 'unknown'],
    [{ status: 500, body: { error: { message: 'Broken' } } }, 'unknown'],
  ])
})

test('openai: the error of a failed task → its code; paths and exceptions of the server are not shown', async () => {
  const none = 'The provider reported a failure without a reason.'
  for (const [error, code, message] of [
    [{ code: 400, message: 'seconds is too long' }, 'PARAMETERS_REFUSED', 'seconds is too long'],
    [{ code: 500, message: 'An image worker died' }, 'PROVIDER_ERROR', 'An image worker died'],
    [{ code: 'content_policy_violation', message: 'No.' }, 'CONTENT_REFUSED', 'No.'],
    [{ message: "[Errno 2] No such file: '/opt/models/wan.safetensors'" }, 'PROVIDER_ERROR', none],
    [{ code: 'RuntimeError', message: 'CUDA out of memory' }, 'PROVIDER_ERROR', none],
  ] as const) {
    await atScriptedVendor(adapter, [{ body: { id: 'v1', status: 'failed', error } }], async (provider) => {
      assert.deepEqual(await provider.poll?.({ taskId: 'v1' }), { kind: 'failed', failure: { code, message } })
    })
  }
})

test('openai: cancel at a server that aborts nothing → too late, and nothing is called', async () => {
  await atScriptedVendor(adapter, [{ body: { id: 'video_1', status: 'in_progress' } }], async (provider, requests) => {
    assert.equal(await provider.cancel?.({ taskId: 'video_1' }), 'too_late')
    assert.deepEqual(requests, [])
  })
})

test('openai: a film at an address of its own → opened without our key; below ours → with it', async () => {
  const provider = adapter.open({ id: 'o', url: 'http://gpu:8091/v1', apiKey: 'key', webhookKey: null, timeoutS: 5 })
  const handle = { taskId: 'v/1' }
  const headers = { authorization: 'Bearer key' }
  const link = (url: string) => ({ kind: 'link', url })
  assert.deepEqual(
    await provider.openResult?.(handle, 'https://bucket.example/a.mp4'),
    link('https://bucket.example/a.mp4'),
  )
  assert.deepEqual(await provider.openResult?.(handle, 'content'), {
    ...link('http://gpu:8091/v1/videos/v%2F1/content'),
    headers,
  })
  const proxied = 'http://gpu:8091/v1/videos/v1/content'
  assert.deepEqual(await provider.openResult?.(handle, proxied), { ...link(proxied), headers })
  await provider.close()
})
