/** Films through the whole service, by protocols that differ in callback, handle and result. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Route } from '../../src/catalogue/model-file.ts'
import { settled } from '../support/adapter-suite.ts'
import { modelOf, models } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { plain, send } from '../support/images.ts'
import { startSimulator } from '../support/simulator.ts'

const webhookKey = 'whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI='
const simulator = await startSimulator({ env: { PROVIDER_KLING_WEBHOOK_KEY: webhookKey } })
after(() => simulator.stop())
const accounts = [
  ...[
    'kling',
    'minimax',
    'dashscope',
    'ark',
    'comfyui',
    'fal',
    'replicate',
    'runway',
    'google',
    'vidu',
    'luma',
    'localai',
    'pixverse',
  ],
].flatMap((id) => [
  [`PROVIDER_${id.toUpperCase()}_URL`, `${simulator.url}/${id}`],
  [`PROVIDER_${id.toUpperCase()}_API_KEY`, 'key'],
])
// The films are on the hosts of the accounts, which need no FETCH_ALLOW.
const env = { ...Object.fromEntries(accounts), PROVIDER_KLING_WEBHOOK_KEY: webhookKey }
const kinora = await openKinora({ env, worker: true })

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
const admin = kinora.person({ role: 'admin', credits: 0 })

/** A film of delta-1-5 by another route. */
async function filmBy(route: Route, request: { prompt: string; startImageUrl?: string }) {
  models().set(delta.id, { ...delta, routes: [route] })
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, request)
  const read = async () => (await kinora.call('GET', `/api/v1/video/task?uuid=${data.uuid}`, { as: ann })).data
  const until = (...statuses: string[]) => settled(read, ({ status }) => statuses.includes(String(status)))
  return { ann, uuid: data.uuid, until, ended: () => until('COMPLETED', 'FAILED') }
}
after(() => {
  models().set(delta.id, delta)
})

for (const [what, route] of routes) {
  test(`film: ${route.account}, ${what} → COMPLETED`, async () => {
    const { ended } = await filmBy(route, { prompt: 'A paper boat' })
    const { status, error } = await ended()
    assert.equal(status, 'COMPLETED', String(error))
  })
}

const fields = { prompt: 'prompt', duration: 'duration', resolution: 'quality' }

// What the routes expect is half of what the vendors charge.
const cost = { per: 'second', usd: 0.05, asOf: '2026-11-20', source: 'a test' } as const
const content = "[{ 'type': 'text', 'text': prompt }]"
const charged: [string, number, Route][] = [
  [
    'units at the price that the vendor states',
    0.4,
    { account: 'fal', model: 'fal-ai/veo3.1/fast', input: { ...fields, duration: "$string(duration) & 's'" }, cost },
  ],
  [
    'tokens at the rate of the route',
    0.4,
    {
      account: 'ark',
      model: 'dreamina-seedance-2-0-260128',
      input: { content, resolution: 'quality', ratio: 'aspectRatio', duration: 'duration' },
      // 24 frames of 1280 × 720 pixels a second, in tokens of 1024 pixels: 86,400.
      cost: { ...cost, unitUsd: { tokens: { '720p': 0.1 / 21_600, '*': 9 } } },
    },
  ],
  [
    'seconds, which the route has a price of',
    0.4,
    {
      account: 'minimax',
      model: 'MiniMax-H3',
      input: { content, duration: '8', resolution: "'768P'", ratio: 'aspectRatio' },
      cost,
    },
  ],
  [
    'the same',
    0.4,
    {
      account: 'dashscope',
      model: 'wan2.7-t2v',
      input: { input: { prompt: 'prompt' }, parameters: { duration: '8', resolution: "'720P'" } },
      cost,
    },
  ],
]
for (const [unit, usd, route] of charged) {
  test(`cost: ${route.account}, ${unit} → money, and a difference from the route's cost on Costs`, async () => {
    const { uuid, ended } = await filmBy(route, { prompt: 'A paper boat' })
    assert.equal((await ended()).status, 'COMPLETED')
    const { data } = await kinora.call('GET', `/api/v1/admin/costs?groupBy=route&account=${route.account}`, {
      as: await admin,
    })
    const [found] = (data.rows as Record<string, unknown>[]).filter(({ differing }) => Number(differing) > 0)
    assert.deepEqual([found?.costUsd, found?.differingExpectedUsd], [usd, 0.2], uuid)
  })
}
const runway = {
  account: 'runway',
  model: 'gen4.5',
  input: { promptText: 'prompt', duration: 'duration', ratio: "'1280:720'" },
}
const cancellable: Route[] = [
  { account: 'fal', model: 'fal-ai/veo3.1/fast', input: { ...fields, duration: "$string(duration) & 's'" } },
  { account: 'replicate', model: 'google/veo-3.1-fast', input: fields },
  runway,
  { account: 'vidu', model: 'viduq3-turbo', input: fields },
]
for (const route of cancellable) {
  test(`cancel: ${route.account} is working on the film → FAILED with CANCELLED, credits back`, async () => {
    const { ann, uuid, until, ended } = await filmBy(route, { prompt: 'A slow boat [silent] [slow: 60s]' })
    await until('GENERATING')
    const { status, data } = await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })
    assert.equal(status, 200, JSON.stringify(data))
    assert.deepEqual(((await ended()).failure as { code: string }).code, 'CANCELLED')
    assert.equal((await kinora.balance(ann)).available, 60)
  })
}

test('cancel: provider can no longer stop the task → 409, or asked in vain; the film is kept', async () => {
  for (const route of cancellable.filter(({ account }) => account !== 'runway')) {
    const { ann, uuid, until, ended } = await filmBy(route, { prompt: 'A boat [too-late] [slow: 1s]' })
    await until('GENERATING')
    const { status } = await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })
    assert.ok(status === 409 || status === 200)
    const film = await ended()
    assert.equal(film.status, 'COMPLETED', `${route.account} ${status}: ${film.error}`)
  }
})

test('start image: provider that takes no link → uploaded, and the film begins with it', async () => {
  const ann = await kinora.person()
  const { data } = await send(kinora, ann, await plain(640, 360))
  const imageInput = {
    account: 'pixverse',
    model: 'v6',
    input: { prompt: 'prompt', duration: 'duration', quality: "'720p'", img_id: 'start' },
  }
  models().set(delta.id, { ...delta, routes: [imageInput] })
  const made = await kinora.generate(ann, { startImageUrl: data.url })
  assert.equal((await kinora.finish(ann, made.data.uuid)).error, null)
})

for (const [model, film, how] of [
  ['pixverse-v6', { duration: 2, quality: '360p' }, 'uploaded to the provider'],
  ['ray-3.2', { duration: 5, quality: '540p' }, 'named by the vendor’s id of its task'],
  ['veo-3.1-fast', { duration: 4, quality: '720p' }, 'sent as a link'],
] as const) {
  test(`extend: ${model}, whose film is ${how} → COMPLETED`, async () => {
    const ann = await kinora.person({ credits: 10_000 })
    const first = await kinora.generate(ann, { model, ...film })
    assert.equal((await kinora.finish(ann, first.data.uuid)).status, 'COMPLETED')
    const duration = model === 'veo-3.1-fast' ? 7 : film.duration
    const next = await kinora.generate(ann, { model, ...film, duration, extendFrom: first.data.uuid })
    assert.equal(next.status, 200, next.text)
    const { status, error } = await kinora.finish(ann, next.data.uuid)
    assert.equal(status, 'COMPLETED', String(error))
  })
}

test('upscale: film of fal’s upscaler → COMPLETED, larger, of the same length and shape', async () => {
  const ann = await kinora.person({ credits: 100 })
  const first = await kinora.generate(ann, { model: 'veo-3.1-fast', duration: 4, quality: '720p', aspectRatio: '9:16' })
  assert.equal((await kinora.finish(ann, first.data.uuid)).status, 'COMPLETED')
  const body = { model: 'bytedance-video-upscaler', upscaleFrom: first.data.uuid }
  const next = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
  assert.equal(next.status, 200, next.text)
  const { status, error } = await kinora.finish(ann, next.data.uuid)
  assert.equal(status, 'COMPLETED', String(error))
  const { data } = await kinora.call('GET', `/api/v1/video/${next.data.uuid}`, { as: ann })
  assert.deepEqual(
    [data.resolution, data.duration, data.aspectRatio, data.upscaledFrom],
    ['1080p', 4, '9:16', first.data.uuid],
  )
})

test('result: link that has expired → renewed; film in the response to the submit → COMPLETED', async () => {
  const luma = {
    account: 'luma',
    model: 'ray-2',
    input: { prompt: 'prompt', duration: "'5s'", resolution: 'quality' },
  }
  const localai = {
    account: 'localai',
    model: 'wan',
    input: { prompt: 'prompt', width: '1280', height: '720', num_frames: '60', fps: '15' },
  }
  for (const [route, prompt] of [
    [luma, 'A boat [expired-link]'],
    [localai, 'A boat at home'],
  ] as const) {
    const { status, error } = await (await filmBy(route, { prompt })).ended()
    assert.equal(status, 'COMPLETED', `${route.account}: ${error}`)
  }
})

test('poll: provider that has forgotten the task → FAILED with LOST, credits back', async () => {
  const { ann, uuid, ended } = await filmBy(runway, { prompt: 'A boat [forgotten] [silent]' })
  const row = async () => (await kinora.app.sql`select lost_at from kinora.video where id = ${uuid}`)[0] ?? null
  await settled(row, ({ lostAt }) => lostAt !== null)
  kinora.turnClock(60_000)
  assert.deepEqual(((await ended()).failure as { code: string }).code, 'LOST')
  assert.equal((await kinora.balance(ann)).available, 60)
})
