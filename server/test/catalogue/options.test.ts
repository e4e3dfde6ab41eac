/** The fields of generate that some models have, through HTTP: request, row, price, provider. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addModel } from '../support/changed-models.ts'
import { generateBody, openKinora, pathsOf } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())

addModel('rich', {
  options: {
    audio: { type: 'boolean', default: true },
    negativePrompt: { type: 'string', maxLength: 20 },
    style: { type: 'string', enum: ['film', 'anime'], default: 'film' },
    strength: { type: 'number', minimum: 0, maximum: 1 },
  },
  rules: [{ when: { style: 'anime' }, then: { strength: 'forbidden' }, why: 'anime has one strength' }],
  price: { per: 'clip', credits: { '*': 5, audio: 9 } },
  routes: [
    {
      account: 'provider-a',
      model: 'vendor/rich',
      input: {
        text: 'prompt',
        without: 'negativePrompt',
        sound: 'audio',
        style: 'style',
        strength: 'strength',
        w: 'width',
      },
    },
  ],
})

const ann = await kinora.person({ credits: 1000 })
const rich = (change: object = {}) =>
  kinora.call<{ uuid: string; creditsUsed: number }>('POST', '/api/v1/video/generate', {
    as: ann,
    body: { ...generateBody, model: 'rich', ...change },
  })

test('200: options of the model → in the row, the detail and the provider’s request, with the defaults', async () => {
  const { data } = await rich({ negativePrompt: 'rain', options: { strength: 0.25 } })
  const { data: detail } = await kinora.call<Record<string, unknown>>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  const { negativePrompt, audio, options } = detail
  assert.deepEqual(
    { negativePrompt, audio, options },
    { negativePrompt: 'rain', audio: true, options: { style: 'film', strength: 0.25 } },
  )
  await runNextStep(kinora, data.uuid)
  const { callback_url: _, ...body } = provider.submits.at(-1)?.body ?? {}
  const text = 'A paper boat in a rain gutter'
  assert.deepEqual(body, {
    model: 'vendor/rich',
    text,
    without: 'rain',
    sound: true,
    style: 'film',
    strength: 0.25,
    w: 1280,
  })
})

test('200: price by an option → what generate freezes, with the default too', async () => {
  assert.deepEqual([(await rich()).data.creditsUsed, (await rich({ audio: false })).data.creditsUsed], [9, 5])
})

test('200: same key, options in another sequence → idempotent replay; another option → 422', async () => {
  const send = (options: object) => {
    const body = { prompt: 'A boat', model: 'rich', duration: 4, aspectRatio: '16:9', options }
    return kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
      as: ann,
      body,
      headers: { 'idempotency-key': 'options' },
    })
  }
  const first = await send({ style: 'film', strength: 0.5 })
  assert.deepEqual((await send({ strength: 0.5, style: 'film' })).data, first.data)
  assert.equal((await send({ style: 'film', strength: 0.6 })).status, 422)
})

const refused: [what: string, body: object, path: string, message: RegExp][] = [
  [
    'negative prompt, which the model lacks',
    { model: 'delta-1-5', negativePrompt: 'rain' },
    'negativePrompt',
    /Delta 1\.5 has no negativePrompt; choose rich, or leave it out/,
  ],
  ['audio, which the model lacks', { model: 'delta-1-5', audio: true }, 'audio', /choose rich/],
  ['unknown option', { options: { stile: 'film' } }, 'options.stile', /has no options\.stile; leave it out/],
  ['option with the name of a field', { options: { duration: 4 } }, 'options.duration', /has no options\.duration/],
  ['option with an inherited name', { options: { constructor: 'film' } }, 'options.constructor', /has no/],
  ['field as an option', { options: { audio: true } }, 'options.audio', /has no options\.audio/],
  ['option of no value', { options: { style: 'noir' } }, 'options.style', /must be film, anime/],
  ['option of another type', { options: { strength: '1' } }, 'options.strength', /must be 0 to 1/],
  ['option beyond its limit', { options: { strength: 1.1 } }, 'options.strength', /must be 0 to 1/],
  [
    'option that a rule forbids',
    { options: { style: 'anime', strength: 1 } },
    'options.strength',
    /anime has one strength/,
  ],
  ['text over its limit', { negativePrompt: 'x'.repeat(21) }, 'negativePrompt', /at most 20 characters/],
  ['text with a null character', { negativePrompt: 'a\0' }, 'negativePrompt', /at most 20/],
  ['option that is an object', { options: { style: {} } }, 'options.style', /./],
  ['options that are a list', { options: ['film'] }, 'options', /./],
]
for (const [what, body, path, message] of refused) {
  test(`400: ${what} → names the field`, async () => {
    const { status, error } = await rich(body)
    assert.equal(status, 400)
    assert.ok(pathsOf({ error }).includes(path), JSON.stringify(error))
    assert.match(error?.message ?? '', message)
  })
}
