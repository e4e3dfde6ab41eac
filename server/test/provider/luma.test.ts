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
    duration: '2s',
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
    callback: 'the Agents API calls nobody back',
    find: 'it has no list of generations',
  },
})

const sentAt = new Date('2026-11-25T12:00:00Z')
const generation = (id: string, createdAt: string, callbackUrl = 'https://kinora.example/other') => ({
  id,
  created_at: createdAt,
  request: { callback_url: callbackUrl },
})

test('luma: find: pages of a sorted list → read until before the submit', async () => {
  const task = scriptedTask('ray-2', { prompt: 'A boat' })
  const pages = [
    {
      generations: [generation('g9', '2026-11-25T12:30:00Z'), generation('g8', '2026-11-25T12:10:00Z')],
      has_more: true,
    },
    { generations: [generation('g7', '2026-11-25T12:00:01Z', task.callbackUrl)], has_more: true },
    { generations: [generation('g6', '2026-11-25T11:50:00Z')], has_more: true },
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

test('luma: find: a list that is not sorted and does not end, an error → no answer', async () => {
  const task = scriptedTask('ray-2', { prompt: 'A boat' })
  const unsorted = [
    generation('g1', '2026-11-25T11:00:00Z'),
    generation('g2', '2026-11-25T12:10:00Z'),
    generation('g0', '2026-11-25T10:00:00Z'),
  ]
  await atScriptedVendor(adapter, [{ body: { generations: unsorted, has_more: true } }], async (provider) => {
    assert.equal(await provider.find?.(task, sentAt), null)
  })
  await atScriptedVendor(adapter, [{ status: 503 }], async (provider) => {
    assert.equal(await provider.find?.(task, sentAt), null)
  })
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
    image_too_large: 'IMAGE_REFUSED',
    unsupported_format: 'IMAGE_REFUSED',
    corrupt_input: 'IMAGE_REFUSED',
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
