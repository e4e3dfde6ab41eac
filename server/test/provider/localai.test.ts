import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapter } from '../../src/provider/adapter/localai.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const model = 'longcat-video'

await adapterSuite({
  id: 'localai',
  adapter,
  model,
  input: (prompt, image) => ({
    prompt,
    width: 832,
    height: 480,
    num_frames: 30,
    fps: 15,
    ...(image ? { start_image: image } : {}),
  }),
  isBusyCertain: true,
})

test('localai: a film at any address of the server → below our own URL, with our key; elsewhere as it is', async () => {
  const urls = [
    'http://10.0.0.5:8080/generated-videos/b.mp4',
    '/generated-videos/b.mp4',
    'https://x.example/a/generated-videos/b.mp4',
  ]
  const replies = [...urls, 'https://x.example/b.mp4'].map((url) => ({
    body: { id: 'a', created: 1, data: [{ url }] },
  }))
  await atScriptedVendor(adapter, replies, async (provider, requests) => {
    for (const _ of urls) {
      const outcome = await provider.submit(scriptedTask(model, { prompt: 'A boat' }))
      const handle = { taskId: 'a' }
      assert.deepEqual(outcome, {
        kind: 'accepted',
        handle,
        report: { kind: 'completed', result: '/generated-videos/b.mp4' },
      })
      const opened = await provider.openResult?.(handle, '/generated-videos/b.mp4')
      assert.ok(opened?.kind === 'link')
      assert.match(opened.url, /^http:\/\/127\.0\.0\.1:\d+\/generated-videos\/b\.mp4$/)
      assert.deepEqual(opened.headers, { authorization: 'Bearer key' })
    }
    const outcome = await provider.submit(scriptedTask(model, {}))
    assert.ok(outcome.kind === 'accepted' && outcome.report?.kind === 'completed')
    const link = { kind: 'link', url: 'https://x.example/b.mp4' }
    assert.deepEqual(await provider.openResult?.(outcome.handle, outcome.report.result), link)
    assert.deepEqual(requests[0]?.body, { prompt: 'A boat', model, response_format: 'url' })
  })
})

test('localai: a server without keys → no header', async () => {
  const open: typeof adapter.open = (account) => adapter.open({ ...account, apiKey: '' })
  const replies = [{ body: { id: 'a', data: [{ url: '/generated-videos/b.mp4' }] } }]
  await atScriptedVendor({ ...adapter, open }, replies, async (provider, requests) => {
    await provider.submit(scriptedTask(model, {}))
    assert.equal(requests[0]?.headers.authorization, undefined)
    const opened = await provider.openResult?.({ taskId: 'a' }, '/generated-videos/b.mp4')
    assert.equal(opened?.kind === 'link' && opened.headers, undefined)
  })
})

test('localai: responses without a film → failed, at fault, or unknown', async () => {
  const cases: [number, string][] = [
    [500, 'refused PROVIDER_ERROR'],
    [501, 'not_accepted'],
    [404, 'not_accepted'],
    [502, 'unknown'],
    [504, 'unknown'],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([status]) => ({ status })),
    async (provider) => {
      for (const [status, expected] of cases) {
        const outcome = await provider.submit(scriptedTask(model, {}))
        const found = outcome.kind === 'refused' ? `refused ${outcome.failure.code}` : outcome.kind
        assert.equal(found, expected, String(status))
      }
    },
  )
})
