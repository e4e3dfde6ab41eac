/** The simulator refuses what vendors' own types refuse, and those types are the ones of the installed clients. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { adapter as fal } from '../../src/provider/adapter/fal.ts'
import { adapter as google } from '../../src/provider/adapter/google.ts'
import { adapter as luma } from '../../src/provider/adapter/luma.ts'
import { adapter as openrouter } from '../../src/provider/adapter/openrouter.ts'
import { adapter as runway } from '../../src/provider/adapter/runway.ts'
import type { Adapter } from '../../src/provider/provider.ts'
import { scriptedTask } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

const simulator = await sharedSimulator()

/** A body that the vendor takes, and what of it is wrong. */
const cases: [id: string, adapter: Adapter, model: string, body: object, wrong: object, text: RegExp][] = [
  [
    'fal',
    fal,
    'fal-ai/veo3.1/fast',
    { prompt: 'A boat', duration: '4s' },
    { duration: '5s' },
    /^duration: .*4s, 6s, 8s$/,
  ],
  ['fal', fal, 'fal-ai/veo3.1/fast', { prompt: 'A boat' }, { length: 5 }, /^length: /],
  [
    'runway',
    runway,
    'gen4.5',
    { promptText: 'A boat', duration: 2, ratio: '1280:720' },
    { ratio: '1:1' },
    /: ratio: .*1280:720, 720:1280$/,
  ],
  [
    'runway',
    runway,
    'gen4.5',
    { promptText: 'A boat', duration: 2, ratio: '1280:720' },
    { duration: 50 },
    /: duration: .*10$/,
  ],
  ['openrouter', openrouter, 'google/veo-3.1', { prompt: 'A boat' }, { aspect_ratio: '5:2' }, /^aspect_ratio: /],
  ['luma', luma, 'ray-2', { prompt: 'A boat', duration: '5s' }, { duration: '7s' }, /^duration: .*5s, 9s$/],
  [
    'google',
    google,
    'gemini-omni-1.2-flash',
    { input: [{ type: 'text', text: 'A boat' }], response_format: { resolution: '360p' } },
    { response_format: { resolution: '480p' } },
    /^response_format: /,
  ],
]

for (const [id, adapter, model, body, wrong, text] of cases) {
  test(`${id}: ${Object.keys(wrong)} that the vendor's types do not have → refused in its form; without it → taken`, async () => {
    const account = { id, url: `${simulator.url}/${id}`, apiKey: 'key', webhookKey: null, timeoutS: 20 }
    const provider = adapter.open(account)
    const submit = (input: object) => provider.submit({ ...scriptedTask(model, { ...input }), callbackUrl: undefined })
    const refused = await submit({ ...body, ...wrong })
    assert.equal(refused.kind === 'refused' && refused.failure.code, 'PARAMETERS_REFUSED', JSON.stringify(refused))
    assert.match(refused.kind === 'refused' ? refused.failure.message : '', text)
    const taken = await submit(body)
    await provider.close()
    assert.equal(taken.kind, 'accepted', JSON.stringify(taken))
  })
}

test('vendor-schemas.ts: written anew from the clients that are installed → the same; else run `npm run vendors`', async () => {
  const script = fileURLToPath(new URL('../../../simulator/vendor-schemas.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--print'], { maxBuffer: 1024 * 1024 })
  assert.equal(stdout, readFileSync(new URL('../../../simulator/src/vendor-schemas.ts', import.meta.url), 'utf8'))
})
