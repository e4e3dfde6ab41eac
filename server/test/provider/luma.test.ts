import assert from 'node:assert/strict'
import { test } from 'node:test'
import LumaAI from 'lumaai'
import { adapter } from '../../src/provider/adapter/luma.ts'
import { adapterSuite, settled } from '../support/adapter-suite.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'luma',
  name: 'luma Dream Machine',
  adapter,
  model: 'ray-2',
  input: (prompt, image) => ({
    prompt,
    duration: '5s',
    resolution: '540p',
    ...(image ? { keyframes: { frame0: { type: 'image', url: image } } } : {}),
  }),
  client: async (address, prompt) => {
    const luma = new LumaAI({ authToken: 'key', baseURL: `${address}/dream-machine/v1`, maxRetries: 0 })
    const { id = '' } = await luma.generations.create({ model: 'ray-2', prompt, duration: '5s', resolution: '720p' })
    const done = await settled(
      () => luma.generations.get(id),
      ({ state }) => state === 'completed',
    )
    return done.assets?.video ?? ''
  },
})

await adapterSuite({
  id: 'luma',
  name: 'luma Agents',
  adapter,
  model: 'ray-3.2',
  input: (prompt, image) => ({
    prompt,
    video: { duration: '2s', resolution: '540p', ...(image ? { start_frame: { url: image } } : {}) },
  }),
  without: {
    callback: 'the Agents API sends no callbacks',
    find: 'it has no list of generations',
  },
})

const sentAt = new Date(Date.now() - 3600_000)
/** @param minutes after the submit */
const generation = (id: string, minutes: number, callbackUrl = 'https://kinora.example/other') => ({
  id,
  created_at: new Date(sentAt.getTime() + minutes * 60_000).toISOString(),
  request: { callback_url: callbackUrl },
})

test('luma: find: pages of a sorted list → read until before the submit', async () => {
  const task = scriptedTask('ray-2', { prompt: 'A boat' })
  const pages = [
    { generations: [generation('g9', 30), generation('g8', 10)], has_more: true },
    { generations: [generation('g7', 0, task.callbackUrl)], has_more: true },
    { generations: [generation('g6', -10)], has_more: true },
  ]
  await atScriptedVendor(
    adapter,
    pages.map((body) => ({ body })),
    async (provider, requests) => {
      assert.deepEqual(await provider.find?.(task, sentAt), { kind: 'found', handle: { taskId: 'g7' } })
      assert.match(requests.at(-1)?.path ?? '', /offset=100$/)
      assert.deepEqual(await provider.find?.(task, sentAt), { kind: 'none' })
    },
  )
})

test('luma: find: a list that proves nothing → no answer', async () => {
  const task = scriptedTask('ray-2', { prompt: 'A boat' })
  const cases: [string, { status?: number; body?: object }, Date][] = [
    [
      'not sorted, and without end',
      { body: { generations: [generation('g1', -60), generation('g2', 10), generation('g0', -90)], has_more: true } },
      sentAt,
    ],
    [
      'no callback URL is shown',
      { body: { generations: [{ ...generation('g1', -60), request: {} }], has_more: false } },
      sentAt,
    ],
    ['the submit was sent just now', { body: { generations: [generation('g1', -60)], has_more: false } }, new Date()],
    ['an error', { status: 503 }, sentAt],
  ]
  for (const [what, reply, sent] of cases) {
    await atScriptedVendor(adapter, [reply], async (provider) => {
      assert.equal(await provider.find?.(task, sent), null, what)
    })
  }
})

test('luma: the kind of a Dream Machine generation → its address and the callback URL', async () => {
  const kinds = { video: 'video', modify_video: 'video/modify', reframe_video: 'video/reframe' }
  await atScriptedVendor(adapter, [{ status: 201, body: { id: 'g1' } }], async (provider, requests) => {
    for (const [kind, path] of Object.entries(kinds)) {
      const task = scriptedTask('ray-flash-2', {
        prompt: 'A boat',
        ...(kind === 'video' ? {} : { generation_type: kind }),
      })
      assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle: { taskId: 'g1' } })
      const { path: called, body } = requests.at(-1) ?? {}
      assert.equal(called, `/dream-machine/v1/generations/${path}`)
      const expected = { model: 'ray-flash-2', prompt: 'A boat', generation_type: kind, callback_url: task.callbackUrl }
      assert.deepEqual(body, expected)
    }
  })
})

test('luma: each failure code of the Agents API → our code', async () => {
  const cases = {
    content_moderated: 'CONTENT_REFUSED',
    invalid_request: 'PARAMETERS_REFUSED',
    image_too_large: 'INPUT_REFUSED',
    unsupported_format: 'INPUT_REFUSED',
    corrupt_input: 'INPUT_REFUSED',
    budget_exhausted: 'ACCOUNT',
    generation_failed: 'PROVIDER_ERROR',
    output_not_found: 'PROVIDER_ERROR',
    rate_limited: 'PROVIDER_BUSY',
  }
  const replies = Object.keys(cases).map((code) => ({
    body: { id: 'g1', state: 'failed', failure_code: code, failure_reason: 'It did not work.' },
  }))
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    for (const code of Object.values(cases)) {
      const failure = { code, message: 'It did not work.' }
      assert.deepEqual(await provider.poll?.({ taskId: 'g1', api: 'agents' }), { kind: 'failed', failure })
    }
    assert.equal(requests.at(-1)?.path, '/v1/generations/g1')
  })
})
