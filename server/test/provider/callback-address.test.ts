/** The callback address of a task: left out where the vendor would refuse it, and the name of the service beside it. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { openProviders } from '../../src/provider/open.ts'
import type { Adapter } from '../../src/provider/provider.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

const names = readdirSync(new URL('../../src/provider/adapter/', import.meta.url)).map((file) => file.slice(0, -3))
const account = { apiKey: '{}', webhookKey: null, timeoutS: 1 }
const adapterOf = async (name: string): Promise<Adapter> =>
  (await import(`../../src/provider/adapter/${name}.ts`)).adapter
const withCallbacks = (await Promise.all(names.map(async (name) => ({ name, adapter: await adapterOf(name) })))).filter(
  ({ adapter }) => adapter.capabilities.callback !== null,
)

test('callback address: over http → not for the five vendors that refuse it; a server of one’s own takes it', async () => {
  const refusing = ['evolink', 'google', 'openrouter', 'replicate', 'vercel']
  for (const url of [null, 'http://127.0.0.1:9']) {
    const settings = Object.fromEntries(names.map((adapter) => [adapter, { ...account, adapter, url }]))
    const providers = openProviders(settings)
    for (const { name } of withCallbacks) {
      const provider = await providers.open(name)
      const expected = url !== null || !refusing.includes(name)
      assert.equal(provider?.takesCallback('http://kinora.example/callback'), expected, name)
      assert.equal(provider?.takesCallback('https://kinora.example/callback'), true, name)
    }
    await providers.close()
  }
})

for (const { name, adapter } of withCallbacks) {
  test(`callback address: ${name}, none → the task names none; every call names Kinora`, async () => {
    await atScriptedVendor(adapter, [{ status: 500 }], async (provider, requests) => {
      const input = { prompt: 'A boat', model: 'model', duration: '8s' }
      // Luma's newer interface has no callbacks.
      const model = name === 'luma' ? 'ray-2' : 'a/model'
      const { callbackUrl = '' } = scriptedTask(model, input)
      for (const address of [callbackUrl, undefined]) {
        await provider.submit({ ...scriptedTask(model, input), callbackUrl: address })
        const sent = requests.find(({ path, body }) =>
          JSON.stringify([decodeURIComponent(path), body]).includes(callbackUrl),
        )
        assert.equal(sent !== undefined, address !== undefined, JSON.stringify(requests))
        assert.ok(!JSON.stringify(requests).includes('undefined'))
        requests.length = 0
      }
      await provider.submit(scriptedTask(model, input))
      for (const { headers } of requests) assert.match(String(headers['user-agent']), /^Kinora\/\d+\.\d+\.\d+$/)
    })
  })
}
