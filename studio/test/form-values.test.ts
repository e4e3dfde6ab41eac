/** The generate form's requests, for every model and one of many options: the service takes them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { usableModels } from '../../server/src/catalogue/catalogue.ts'
import { FILM_FIELDS, IMAGE_FIELDS } from '../../server/src/catalogue/constraints.ts'
import { addIntricateModel, everyAccount } from '../../server/test/catalogue/intricate-model.ts'
import { models } from '../../server/test/support/changed-models.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import './macros.ts'
import type { Model } from '../src/studio/form-fields.ts'
import type { Draft } from '../src/studio/form-values.ts'

const { availableModels, fit, priceOf, valueAt } = await import('../src/studio/form-values.ts')
const { fieldAt, reasonAgainst } = await import('../src/studio/form-fields.ts')

addIntricateModel()
const kinora = await openKinora({ env: { ...everyAccount(), RATE_LIMITS: 'off' } })
const ann = await kinora.person({ credits: 1000 })
const { data } = await kinora.call<{ models: Parameters<typeof availableModels>[0] }>('GET', '/api/v1/config/models')
const available = availableModels(data.models)
const modelNamed = (id: string): Model => available.find((each) => each.id === id) ?? assert.fail(id)

/** Wishes as another model left them: values that this one has, and others. */
const drafts: fc.Arbitrary<Draft> = fc.record({
  n: fc.integer({ min: 1, max: 6 }),
  fields: fc.record(
    {
      duration: fc.integer({ min: 0, max: 31 }),
      aspectRatio: fc.constantFrom('16:9', '9:16', '21:9', '7:5'),
      quality: fc.constantFrom('480p', '720p', '1080p', '4k', '9p'),
      audio: fc.boolean(),
      seed: fc.integer({ min: -1, max: 2 ** 31 }),
      negativePrompt: fc.constantFrom('rain', ''),
      style: fc.constantFrom('anime', 'noir', 'none'),
      loop: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  images: fc
    .subarray(IMAGE_FIELDS.filter((name) => !FILM_FIELDS.includes(name)))
    .map((names) => Object.fromEntries(names.map((name) => [name, [{ url: 'https://example.com/a.png' }]]))),
})

test('form values: any wishes, any model → the service takes the request, at the price that the form shows', async () => {
  assert.deepEqual(
    available.map(({ id }) => id),
    usableModels(models(), kinora.app.config).map(({ id }) => id),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...available), drafts, async (model, draft) => {
      const values = fit(draft, model)
      if (values.missing.length > 0) return
      const body = { prompt: 'A boat', ...values.request }
      const { status, error, data } = await kinora.call('POST', '/api/v1/video/quote', { as: ann, body })
      assert.equal(status, 200, `${error?.message} ${JSON.stringify(body)}`)
      assert.equal(priceOf(model, values), data.credits, JSON.stringify(body))
    }),
    { numRuns: 600 },
  )
})

test('form values: model changed and changed back → the wishes return', () => {
  const draft: Draft = { fields: { duration: 12, aspectRatio: '21:9', quality: '1080p', seed: 7 } }
  const before = fit(draft, modelNamed('delta-1-5'))
  assert.notDeepEqual(fit(draft, modelNamed('veo-3.1-fast')).request.duration, 12)
  assert.deepEqual(fit(draft, modelNamed('delta-1-5')), before)
})

test('form values: value that a rule forbids → the nearest one, and the rule’s reason', () => {
  const model = modelNamed('hailuo-2.3')
  const values = fit({ fields: { quality: '1080p', duration: 10 } }, model)
  assert.equal(valueAt(values, ['duration']), 6)
  const duration = fieldAt(model.schema, ['duration'], values.request) ?? assert.fail()
  assert.equal(reasonAgainst(duration, 10), '1080p films have 6 seconds')
  assert.equal(reasonAgainst(duration, 6), null)
})

test('form values: model that needs an image, without one → it is named as missing', () => {
  assert.deepEqual(fit({}, modelNamed('hailuo-2.3-fast')).missing, ['startImageUrl'])
})
