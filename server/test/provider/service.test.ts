/** Films through the whole service, by protocols that differ in callback, handle and result. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Route } from '../../src/catalogue/model-file.ts'
import { settled } from '../support/adapter-suite.ts'
import { modelOf, models } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { startSimulator } from '../support/simulator.ts'

const webhookKey = 'whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI='
const simulator = await startSimulator({ env: { PROVIDER_KLING_WEBHOOK_KEY: webhookKey } })
after(() => simulator.stop())
const accounts = ['kling', 'minimax', 'dashscope', 'comfyui'].flatMap((id) => [
  [`PROVIDER_${id.toUpperCase()}_URL`, `${simulator.url}/${id}`],
  [`PROVIDER_${id.toUpperCase()}_API_KEY`, 'key'],
])
const env = { ...Object.fromEntries(accounts), FETCH_ALLOW: simulator.hostAndPort }
const kinora = await openKinora({ env: { ...env, PROVIDER_KLING_WEBHOOK_KEY: webhookKey }, worker: true })

const workflow = {
  3: { class_type: 'KSampler', inputs: { seed: 1, positive: ['6', 0] } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: '' } },
  50: { class_type: 'EmptyHunyuanLatentVideo', inputs: { width: 854, height: 480, length: 81 } },
  57: { class_type: 'CreateVideo', inputs: { fps: 16 } },
  58: { class_type: 'SaveVideo', inputs: { filename_prefix: '' } },
}
const routes: [string, Route][] = [
  [
    'a signed callback',
    {
      account: 'kling',
      model: 'text-to-video/kling-3.0',
      input: { prompt: 'prompt', settings: { duration: 'duration', resolution: 'quality', multi_shot: 'false' } },
    },
  ],
  [
    'a callback that is a hint, a challenge before it, a result that is a file',
    {
      account: 'minimax',
      model: 'MiniMax-Hailuo-2.3',
      input: { prompt: 'prompt', duration: 'duration', resolution: "'768P'" },
    },
  ],
  [
    'no callback',
    {
      account: 'dashscope',
      model: 'wan2.7-t2v',
      input: { input: { prompt: 'prompt' }, parameters: { duration: 'duration', resolution: "'720P'" } },
    },
  ],
  [
    'a film that needs our key',
    {
      account: 'comfyui',
      input: { prompt: JSON.stringify(workflow), set: { 6: { text: 'prompt' }, 50: { length: 'duration * 16 + 1' } } },
    },
  ],
]

const delta = modelOf('delta-1-5')

for (const [what, route] of routes) {
  test(`film: ${route.account}, ${what} → COMPLETED`, async () => {
    models().set(delta.id, { ...delta, routes: [route] })
    const ann = await kinora.person()
    const { data } = await kinora.generate(ann, { prompt: 'A paper boat' })
    const ended = await settled(
      async () => (await kinora.call('GET', `/api/v1/video/task?uuid=${data.uuid}`, { as: ann })).data,
      ({ status }) => status === 'COMPLETED' || status === 'FAILED',
    )
    models().set(delta.id, delta)
    assert.equal(ended.status, 'COMPLETED', String(ended.error))
  })
}
