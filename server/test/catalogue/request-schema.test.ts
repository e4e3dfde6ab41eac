/** The JSON Schema of each model: generate accepts what it accepts, and refuses the rest by field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { catalogue, listedModels, usableModels } from '../../src/catalogue/catalogue.ts'
import { FILM_FIELDS, IMAGE_FIELDS, imagesOf, valuesOf } from '../../src/catalogue/constraints.ts'
import { listOf, type Model } from '../../src/catalogue/model.ts'
import { isOptionField } from '../../src/film/fields.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, pathsOf } from '../support/harness.ts'
import { addIntricateModel, everyAccount } from './intricate-model.ts'

const RUNS = 40
const RUNS_OF_INTRICATE = 600

const made = addIntricateModel()
const kinora = await openKinora({ env: { ...everyAccount(), RATE_LIMITS: 'off' } })
const { config } = kinora.app
const ann = await kinora.person({ credits: 1000 })
const film = await completedVideo(kinora, ann)
const { data } = await kinora.call<{ models: { id: string; schema: object }[] }>('GET', '/api/v1/config/models')
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Mostly a value of the model, often none, sometimes one that the model does not have. */
const field = (values: readonly unknown[], others: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 5 },
    { arbitrary: values.length > 0 ? fc.constantFrom(...values) : fc.constant(undefined), weight: 8 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  )

const present = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function valuesOfOption(model: Model, name: string): readonly unknown[] {
  const option = model.options?.[name]
  if (!option) return []
  const values = valuesOf(option)
  return listOf(values) ?? ('from' in values ? [values.from, values.to] : ['rain', 'much longer than eight'])
}

const url = fc.constantFrom('https://example.com/a.png', 'https://example.com/b.png')

function requests(model: Model): fc.Arbitrary<object> {
  const { summary } = model
  const own = Object.keys(model.options ?? {}).filter((name) => !isOptionField(name))
  const seconds = [...model.constraints.values()].flatMap((each) => listOf(each.get('duration')?.values ?? null) ?? [])
  const ofOption = (name: string, others: unknown[]) => field(valuesOfOption(model, name), others)
  return fc
    .record({
      fields: fc.record({
        duration: fc.oneof({ arbitrary: fc.constantFrom(...seconds), weight: 9 }, fc.constantFrom(1, 3, 7, 4.5, 119)),
        aspectRatio: fc.constantFrom(...summary.aspectRatios, '16:9', '7:5', undefined),
        quality: field(summary.resolutions, ['100p']),
        audio: ofOption('audio', [true, false]),
        seed: ofOption('seed', [7, 1e6]),
        negativePrompt: ofOption('negativePrompt', ['rain']),
      }),
      options: fc.record<Record<string, unknown>>({
        ...Object.fromEntries(own.map((name) => [name, ofOption(name, ['none', -1, true])])),
        unknown: fc.oneof({ arbitrary: fc.constant(undefined), weight: 30 }, fc.constant(1)),
      }),
      images: fc.oneof<fc.MaybeWeightedArbitrary<readonly string[]>[]>(
        { arbitrary: fc.constantFrom(...summary.modes).map((mode) => imagesOf[mode]), weight: 9 },
        fc.subarray(IMAGE_FIELDS.filter((name) => !FILM_FIELDS.includes(name))),
      ),
      url,
      urls: fc.array(url, { maxLength: 4 }),
      isBare: fc.oneof({ arbitrary: fc.constant(true), weight: 9 }, fc.constant(false)),
    })
    .map(({ fields, images, url, urls, options, isBare }) => {
      const stated = present(options)
      const { duration: _, aspectRatio: __, ...ofCopy } = fields
      return present({
        model: model.id,
        // The film decides the rest.
        ...(images.includes('upscaleFrom') && isBare ? ofCopy : { prompt: 'A boat', ...fields }),
        ...Object.fromEntries(
          images.map((name) => [name, name === 'referenceImageUrls' ? urls : name === 'upscaleFrom' ? film : url]),
        ),
        options: Object.keys(stated).length > 0 ? stated : undefined,
      })
    })
}

test('200: models in all accounts → each one’s schema compiles, and each has prices', () => {
  assert.deepEqual(
    data.models.map(({ id }) => id),
    listedModels(catalogue(config)).map(({ id }) => id),
  )
  for (const { schema } of data.models) assert.doesNotThrow(() => ajv.compile(schema))
})

for (const model of usableModels(catalogue(config))) {
  test(`200, 400: random requests of ${model.id} → accepted exactly when its schema accepts them; a refusal names a field`, async () => {
    const schema = data.models.find(({ id }) => id === model.id)?.schema
    assert.ok(schema)
    const validate = ajv.compile(schema)
    let accepted = 0
    const numRuns = model.id === made.id ? RUNS_OF_INTRICATE : RUNS
    await fc.assert(
      fc.asyncProperty(requests(model), async (body) => {
        const { status, error } = await kinora.call('POST', '/api/v1/video/quote', { as: ann, body })
        const isValid = validate(body)
        const problems = JSON.stringify(validate.errors?.filter(({ keyword }) => keyword !== 'anyOf').slice(0, 3))
        assert.equal(status, isValid ? 200 : 400, `${JSON.stringify(error?.message)}; the schema: ${problems}`)
        if (isValid) accepted++
        else assert.ok(pathsOf({ error }).length > 0, error?.message)
      }),
      { numRuns },
    )
    assert.ok(accepted > 0, 'no request was valid')
  })
}
