/** `GET /api/v1/config/models`: the models, their limits and their prices; public. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addModel, models } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { addStage, STAGE } from '../support/stage.ts'

const kinora = await openKinora()

const text = 'text-to-video'
const image = 'image-to-video'
/** The models as they are shipped, written a second time. */
const expected = [
  {
    id: 'alpha-2',
    modes: [text, image],
    minDuration: 4,
    maxDuration: 15,
    resolutions: ['480p', '720p', '1080p'],
    aspectRatios: ['16:9', '9:16', '1:1'],
    pricing: { per: 'second', credits: { '480p': 6, '720p': 6, '1080p': 6 } },
    enabled: true,
  },
  {
    id: 'beta-3-1',
    modes: [text, image],
    minDuration: 4,
    maxDuration: 8,
    resolutions: ['720p', '1080p', '4k'],
    aspectRatios: ['16:9', '9:16'],
    pricing: { per: 'clip', credits: { '720p': 13, '1080p': 13, '4k': 37 } },
    enabled: true,
  },
  {
    id: 'gamma-2-6',
    modes: [text, image],
    minDuration: 5,
    maxDuration: 15,
    resolutions: ['720p', '1080p'],
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4'],
    pricing: null,
    enabled: false,
  },
  {
    id: 'delta-1-5',
    modes: [text, image],
    minDuration: 4,
    maxDuration: 12,
    resolutions: ['720p', '1080p'],
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
    pricing: { per: 'second', credits: { '720p': 4, '1080p': 8 } },
    enabled: true,
  },
]

test('200: without authentication → every listed model with all its fields; model-e is not listed', async () => {
  const { status, data } = await kinora.call<{ models: Record<string, unknown>[] }>('GET', '/api/v1/config/models')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(data), ['models'])
  const shown = data.models.map(
    ({
      name,
      provider,
      description,
      sample,
      sampleThumbnailUrl,
      isSampleDrawn,
      prices,
      rules,
      schema,
      usualSeconds,
      ...rest
    }) => {
      for (const label of [name, provider]) assert.ok(typeof label === 'string' && label.length > 0)
      assert.deepEqual([description, sample, sampleThumbnailUrl, isSampleDrawn, rules], [null, [], null, false, []])
      assert.deepEqual([typeof schema, typeof usualSeconds], ['object', 'number'])
      assert.equal(prices === null, rest.pricing === null)
      return rest
    },
  )
  assert.deepEqual(shown, expected)
  assert.deepEqual(data.models[3]?.prices, {
    per: 'second',
    dependsOn: ['quality'],
    list: [
      { quality: '720p', credits: 4 },
      { quality: '1080p', credits: 8 },
    ],
    lengths: {},
  })
})

test('200: film as long as its sound → its mode, and how long, beside the price of a second', async () => {
  addStage()
  const { data } = await kinora.call<{ models: { id: string; prices: { lengths: object } }[] }>(
    'GET',
    '/api/v1/config/models',
  )
  assert.deepEqual(data.models.find(({ id }) => id === STAGE)?.prices.lengths, {
    edit: { follows: 'film', from: 2, to: 10 },
    motion: { follows: 'motion', from: 2, to: 10 },
    'lip-sync': { follows: 'sound', from: 1, to: 10 },
    avatar: { follows: 'sound', from: 1, to: 10 },
  })
})

test('200: a model whose file has samples → their links; of another model none', async (t) => {
  const sample = ['https://films.example.com/boat.mp4']
  addModel('sampled', { sample })
  t.after(() => models().delete('sampled'))
  const { data } = await kinora.call<{ models: { id: string; sample: string[] }[] }>('GET', '/api/v1/config/models')
  const sampleOf = (id: string) => data.models.find((model) => model.id === id)?.sample
  assert.deepEqual([sampleOf('sampled'), sampleOf('alpha-2')], [sample, []])
})

test('200: invalid credential on a public route → ignored', async () => {
  const headers = { authorization: 'Bearer wrong' }
  assert.equal((await kinora.call('GET', '/api/v1/config/models', { headers })).status, 200)
})

test('200: HEAD → no body', async () => {
  const { status, text: body } = await kinora.call('HEAD', '/api/v1/config/models')
  assert.equal(status, 200)
  assert.equal(body, '')
})
