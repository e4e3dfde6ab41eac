import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createXai } from '@ai-sdk/xai'
import { adapter } from '../../src/provider/adapter/xai.ts'
import { adapterSuite } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'

await adapterSuite({
  id: 'xai',
  adapter,
  model: 'grok-imagine-video-1.5',
  input: (prompt, image) => ({
    prompt,
    duration: 2,
    resolution: '480p',
    ...(image ? { image: { url: image } } : { aspect_ratio: '16:9' }),
  }),
  client: (address, prompt) => {
    const { video } = createXai({ apiKey: 'key', baseURL: `${address}/v1` })
    return aiSdkFilm({ model: video('grok-imagine-video-1.5'), prompt, duration: 4, resolution: '1280x720' })
  },
})

test('xai: a video, and a duration beside it → an edit, an extension', async () => {
  const video = { url: 'https://kinora.example/a.mp4' }
  const cases: [object, string][] = [
    [{ prompt: 'A boat', duration: 5 }, 'generations'],
    [{ prompt: 'A boat', video }, 'edits'],
    [{ prompt: 'A boat', video, duration: 5 }, 'extensions'],
  ]
  await atScriptedVendor(adapter, [{ body: { request_id: 'x1' } }], async (provider, requests) => {
    for (const [input, kind] of cases) {
      const outcome = await provider.submit(scriptedTask('grok-imagine-video', { ...input }))
      assert.deepEqual(outcome, { kind: 'accepted', handle: { taskId: 'x1' } })
      const { path, body } = requests.at(-1) ?? {}
      assert.deepEqual([path, body], [`/v1/videos/${kind}`, { model: 'grok-imagine-video', ...input }])
    }
  })
})

test('xai: each shape of an error of a submit → its outcome', async () => {
  const cases: [number, object | string, object][] = [
    [
      400,
      { code: 'invalid-argument', error: 'Duration 20s exceeds 15s.' },
      { kind: 'refused', code: 'PARAMETERS_REFUSED' },
    ],
    [
      400,
      { error: { message: 'It was refused.', code: 'imagine:content-moderated' } },
      { kind: 'refused', code: 'CONTENT_REFUSED' },
    ],
    [
      400,
      { code: 'imagine:content-moderated', error: 'It was refused.' },
      { kind: 'refused', code: 'CONTENT_REFUSED' },
    ],
    [
      400,
      { error: 'Zero Data Retention teams must provide output.upload_url' },
      { kind: 'not_accepted', retryable: false },
    ],
    [403, { code: 'permission-denied', error: 'Your team is blocked.' }, { kind: 'not_accepted', retryable: false }],
    [413, 'length limit exceeded', { kind: 'refused', code: 'INPUT_REFUSED' }],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([status, body]) => ({ status, body })),
    async (provider) => {
      for (const [status, body, expected] of cases) {
        const outcome = await provider.submit(scriptedTask('grok-imagine-video', { prompt: 'A boat' }))
        const found =
          outcome.kind === 'refused'
            ? { kind: 'refused', code: outcome.failure.code }
            : { kind: outcome.kind, retryable: outcome.kind === 'not_accepted' && outcome.retryable }
        assert.deepEqual(found, expected, `${status} ${JSON.stringify(body)}`)
      }
    },
  )
})

const link = 'https://vidgen.x.ai/film.mp4'
const failed = (code: string, message: string) => ({ kind: 'failed', failure: { code, message } })

test('xai: each response to a poll → its report', async () => {
  const moderated = { code: 'imagine:content-moderated', error: 'Generated video rejected by content moderation.' }
  const cases: [number, object | string, object | null][] = [
    [202, '', { kind: 'running', progress: null }],
    [202, { status: 'pending', progress: 40 }, { kind: 'running', progress: 40 }],
    [200, { video: { url: link } }, { kind: 'completed', result: link }],
    [200, { status: 'done', video: { file_output: { public_url: link } } }, { kind: 'completed', result: link }],
    [200, { status: 'done', video: { url: '' } }, { kind: 'no_film' }],
    [200, { status: 'expired' }, { kind: 'lost' }],
    [410, '', { kind: 'lost' }],
    [400, moderated, failed('CONTENT_REFUSED', moderated.error)],
    [400, '', null],
    [403, moderated, null],
    [200, {}, null],
  ]
  await atScriptedVendor(
    adapter,
    cases.map(([status, body]) => ({ status, body })),
    async (provider) => {
      for (const [status, body, expected] of cases) {
        assert.deepEqual(await provider.poll?.({ taskId: 'x1' }), expected, `${status} ${JSON.stringify(body)}`)
      }
    },
  )
})

test('xai: each code of a failed task → our code', async () => {
  const cases: [string, string, string][] = [
    ['invalid_argument', 'The duration is too long.', 'PARAMETERS_REFUSED'],
    ['invalid_argument', 'It was stopped by content moderation.', 'CONTENT_REFUSED'],
    ['failed_precondition', 'This model cannot do this.', 'PARAMETERS_REFUSED'],
    ['permission_denied', 'The team is blocked.', 'ACCOUNT'],
    ['service_unavailable', 'Try again.', 'PROVIDER_BUSY'],
    ['internal_error', 'It broke.', 'PROVIDER_ERROR'],
  ]
  const replies = cases.map(([code, message]) => ({ body: { status: 'failed', error: { code, message } } }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    for (const [, message, code] of cases) {
      assert.deepEqual(await provider.poll?.({ taskId: 'x1' }), failed(code, message))
    }
  })
})

test('xai: ticks → dollars with all their decimals', async () => {
  const cases: [unknown, string | undefined][] = [
    [2_500_000_000, '0.25'],
    [100_000_000_000, '10'],
    [1, '0.0000000001'],
    [0, '0'],
    ['N/A', undefined],
  ]
  const replies = cases.map(([ticks]) => ({
    body: { status: 'done', video: { url: link }, usage: { cost_in_usd_ticks: ticks } },
  }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    for (const [, amount] of cases) assert.equal((await provider.poll?.({ taskId: 'x1' }))?.cost?.amount, amount)
  })
})

test('xai: checkKey: a blocked team → refused', async () => {
  await atScriptedVendor(adapter, [{ body: { api_key_blocked: false, team_blocked: true } }], async (provider) => {
    assert.deepEqual(await provider.checkKey?.(), { kind: 'refused', reason: 'team_blocked is true' })
  })
})
