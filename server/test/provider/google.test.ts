import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { GoogleGenAI } from '@google/genai'
import { adapter } from '../../src/provider/adapter/google.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const without = { 'expired-link': 'a film is removed after two days, and no poll renews it' }

await adapterSuite({
  id: 'google',
  adapter,
  model: 'gemini-omni-1.2-flash',
  input: (prompt, image) => ({
    input: [{ type: 'text', text: prompt }, ...(image ? [{ type: 'image', uri: image }] : [])],
    response_format: { duration: '2s', resolution: '360p', aspect_ratio: '16:9' },
  }),
  without: { ...without, 'changed-body': 'the JWT does not cover the body, which is therefore not believed' },
  client: async (address, prompt) => {
    const toAddress: typeof fetch = (input, init) => {
      const request = new Request(input, init)
      return fetch(new Request(request.url.replace('https://generativelanguage.googleapis.com', address), request))
    }
    const { interactions } = new GoogleGenAI({ apiKey: 'key', httpOptions: { fetch: toAddress } })
    const request = { model: 'gemini-omni-1.2-flash', input: prompt, background: true } as const
    const { id } = await interactions.create({ ...request, response_format: { type: 'video', delivery: 'uri' } })
    for (;;) {
      const { status, output_video: video } = await interactions.get(id)
      if (status === 'completed') {
        const response = await fetch(video?.uri ?? '', { headers: { 'x-goog-api-key': 'key' } })
        return new Uint8Array(await response.arrayBuffer())
      }
      assert.match(status, /queued|in_progress/)
      await sleep(50)
    }
  },
})

await adapterSuite({
  id: 'google',
  name: 'google (Veo)',
  adapter,
  model: 'veo-3.1-fast-generate-preview',
  input: (prompt, image) => ({
    instances: [{ prompt, ...(image ? { image } : {}) }],
    parameters: { durationSeconds: 4, resolution: '720p', aspectRatio: '16:9' },
  }),
  without: {
    ...without,
    'unknown-status': 'an operation is done or not',
    callback: 'proxies of this protocol know none',
    cancel: 'an operation cannot be cancelled',
  },
  client: async (address, prompt) =>
    aiSdkFilm({
      model: createGoogleGenerativeAI({ apiKey: 'key', baseURL: `${address}/v1beta` }).video(
        'veo-3.1-fast-generate-preview',
      ),
      prompt,
      duration: 4,
    }),
})

test('google: an interaction → in the background, with the image in the request and the film as a file', async () => {
  await atScriptedVendor(
    adapter,
    [{ body: { id: 'interactions/i1', status: 'queued' } }],
    async (provider, requests) => {
      const image = { type: 'image', uri: 'data:image/png;base64,QUJD' }
      const text = { type: 'text', text: 'A boat' }
      const task = scriptedTask('gemini-omni-1.2-flash', { input: [text, image], response_format: { duration: '6s' } })
      assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle: { taskId: 'i1' } })
      assert.deepEqual(requests[0]?.body, {
        model: 'gemini-omni-1.2-flash',
        input: [text, { type: 'image', mime_type: 'image/png', data: 'QUJD' }],
        response_format: { type: 'video', delivery: 'uri', duration: '6s' },
        background: true,
        store: true,
        webhook_config: { uris: [task.callbackUrl] },
      })
    },
  )
})

test('google: a film of an edit → in the request, as its upload returned it', async () => {
  await atScriptedVendor(adapter, [{ body: { id: 'i1', status: 'queued' } }], async (provider, requests) => {
    const file = { file: new Blob(['ABC']), contentType: 'video/mp4', name: 'film.mp4' }
    const uploaded = await provider.upload?.(file)
    assert.ok(uploaded?.kind === 'uploaded')
    const input = [{ type: 'video', uri: uploaded.value }]
    const edit = scriptedTask('gemini-omni-1.2-flash', { input, response_format: { resolution: '720p' } })
    assert.equal((await provider.submit(edit)).kind, 'accepted')
    const sent = Object(requests[0]?.body).input
    assert.deepEqual(sent, [{ type: 'video', mime_type: 'video/mp4', data: 'QUJD' }])
  })
})

test('google: a refused submit → our key, plan or region, the time to wait, or the content', async () => {
  const error = (code: number, message: string, reason: object = {}) => ({
    status: code,
    body: [{ error: { code, message, details: [reason] } }],
  })
  const atFault = { kind: 'not_accepted', retryable: false }
  const cases: [ReturnType<typeof error>, object][] = [
    [error(400, 'API key not valid.', { reason: 'API_KEY_INVALID' }), { ...atFault, reason: 'API key not valid.' }],
    [error(429, 'Quota exceeded, limit: 0'), { ...atFault, reason: 'Quota exceeded, limit: 0' }],
    [
      error(429, 'Too many', { retryDelay: '33.4s' }),
      { kind: 'not_accepted', retryable: true, reason: 'Too many', retryAfterS: 34 },
    ],
    [
      error(400, 'Not possible.', { reason: 'PROHIBITED_CONTENT' }),
      { kind: 'refused', failure: { code: 'CONTENT_REFUSED', message: 'Not possible.' } },
    ],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([reply]) => reply),
    async (provider) => {
      for (const [, outcome] of cases) assert.deepEqual(await provider.submit(scriptedTask('m', {})), outcome)
    },
  )
})

test('google: each state of an interaction → its report', async () => {
  const video = (part: object) => [{ type: 'model_output', content: [{ type: 'video', ...part }] }]
  const text = [{ type: 'model_output', content: [{ type: 'text', text: 'I cannot film this person.' }] }]
  const usage = { output_tokens_by_modality: { video: 57920 } }
  const cost = { amount: '57920', unit: 'video tokens', stage: 'final' }
  const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })
  const ended = 'The provider ended the task with the status'
  const cases: [object, object][] = [
    [{ status: 'in_progress' }, { kind: 'running', progress: null }],
    [{ status: 'requires_action' }, { kind: 'running', progress: null, note: 'requires_action' }],
    [
      { status: 'completed', steps: video({ uri: 'https://a.example/f' }), usage },
      { kind: 'completed', result: 'https://a.example/f', cost },
    ],
    [
      { status: 'completed', steps: video({ data: 'QUJD' }) },
      { kind: 'completed', result: 'inline' },
    ],
    [
      {
        status: 'completed',
        steps: [{ type: 'user_input', content: [{ type: 'video', uri: 'https://a.example/in' }] }],
      },
      failed('CONTENT_REFUSED', 'The provider made no film of this prompt, without saying why.'),
    ],
    [{ status: 'completed', steps: text }, failed('CONTENT_REFUSED', 'I cannot film this person.')],
    [{ status: 'incomplete' }, failed('PROVIDER_ERROR', `${ended} incomplete.`)],
    [{ status: 'budget_exceeded' }, failed('ACCOUNT', `${ended} budget_exceeded.`)],
    [{ status: 'cancelled' }, failed('CANCELLED', `${ended} cancelled.`)],
    [
      { status: 'failed', errors: [{ code: 'x', message: 'The image is too small.' }] },
      failed('INPUT_REFUSED', 'The image is too small.'),
    ],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([body]) => ({ body })),
    async (provider) => {
      for (const [body, report] of cases) {
        assert.deepEqual(await provider.poll?.({ taskId: 'i1' }), report, JSON.stringify(body))
      }
    },
  )
})

test('google: a film → by our key at their own host alone, else as the link is, or the bytes of a poll', async () => {
  const content = [{ type: 'video', data: Buffer.from('film').toString('base64') }]
  const body = { status: 'completed', steps: [{ type: 'model_output', content }] }
  await atScriptedVendor(adapter, [{ body }], async (provider) => {
    const open = (result: string) => provider.openResult?.({ taskId: 'i1' }, result)
    const file = await open('https://generativelanguage.googleapis.com/v1beta/files/f1')
    assert.ok(file?.kind === 'link')
    assert.match(file.url, /^http:\/\/127\.0\.0\.1:\d+\/v1beta\/files\/f1\?alt=media$/)
    assert.deepEqual(file.headers, { 'x-goog-api-key': 'key' })
    for (const url of ['https://storage.googleapis.com/f1', 'https://generativelanguage.googleapis.com.example/f1']) {
      assert.deepEqual(await open(url), { kind: 'link', url })
    }
    assert.deepEqual(await open('inline'), { kind: 'bytes', bytes: Buffer.from('film') })
  })
})
