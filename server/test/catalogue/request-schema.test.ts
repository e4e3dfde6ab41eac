/** The JSON Schema of each model: generate accepts what it accepts, and refuses the rest by field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { catalogue, listedModels, usableModels } from '../../src/catalogue/catalogue.ts'
import { valuesOf } from '../../src/catalogue/constraints.ts'
import { listOf, type Model } from '../../src/catalogue/model.ts'
import { isOptionField } from '../../src/film/fields.ts'
import { KINDS, type Kind, kindOf, ROLES, type Role, roleFields } from '../../src/film/inputs.ts'
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
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
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
      mode: fc.constantFrom(...summary.modes),
      /** Beside those of the mode. */
      others: fc.oneof({ arbitrary: fc.constant([]), weight: 9 }, fc.subarray([...ROLES], { maxLength: 1 })),
      leftOut: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, fc.constant(true)),
      // Mostly as many as the mode needs: a model of many intricate modes would else take none of a run's requests.
      counts: fc.array(fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, fc.nat(4)), {
        minLength: ROLES.length,
        maxLength: ROLES.length,
      }),
      kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 5, maxLength: 5 }),
      byField: fc.boolean(),
      isStated: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, fc.constantFrom(...summary.modes, 'none')),
      url,
      isBare: fc.oneof({ arbitrary: fc.constant(true), weight: 9 }, fc.constant(false)),
    })
    .map(({ fields, options, mode, url, isBare, isStated, ...choice }) => {
      const stated = present(options)
      const shape = model.modes[mode]
      const isDecided = typeof shape?.duration === 'object' && ('follows' in shape.duration || 'made' in shape.duration)
      const { duration, ...others } = fields
      return present({
        model: model.id,
        ...(shape?.prompt === 'none' && isBare ? {} : { prompt: 'A boat' }),
        ...(isDecided && isBare ? {} : { duration }),
        ...others,
        mode: isStated ?? (summary.modes.filter((each) => sameRoles(model, each, mode)).length > 1 ? mode : undefined),
        ...inputsOf(model, mode, { ...choice, others: [...(choice.others ?? [])], url } as Choice),
        options: Object.keys(stated).length > 0 ? stated : undefined,
      })
    })
}

const sameRoles = ({ roles }: Model, a: string, b: string): boolean =>
  String([...(roles.get(a)?.keys() ?? [])]) === String([...(roles.get(b)?.keys() ?? [])])

type Choice = { url: string; others: Role[]; leftOut: boolean; counts: number[]; kinds: Kind[]; byField: boolean }

/** Mostly those of the mode, by their fields or in `inputs`. */
function inputsOf(model: Model, mode: string, { url, others, leftOut, counts, kinds, byField }: Choice): object {
  const uses = [...(model.roles.get(mode) ?? [])].slice(leftOut ? 1 : 0)
  const wanted = [
    ...uses.map(([role, use]) => ({ role, ...use })),
    ...others.map((role) => ({ role, from: 1, to: 1, kinds: [kindOf[role]] })),
  ]
  const inputs: object[] = []
  const named: Record<string, unknown> = {}
  for (const [i, { role, from, to, kinds: taken }] of wanted.entries()) {
    const count = Math.min(from + (counts[i] ?? 0), Math.max(1, to === from ? to : to + 1))
    const field = Object.entries(roleFields).find(
      ([, each]) => each.role === role && (!('mode' in each) || each.mode === mode),
    )?.[0]
    if (count > 0 && byField && field)
      named[field] = role === 'reference' ? Array(count).fill(url) : kindOf[role] === 'film' ? film : url
    else
      for (let n = 0; n < count; n += 1) {
        const kind = (role === 'reference' && (n > 2 ? kinds[n] : taken[n % taken.length])) || kindOf[role]
        const source = kind === 'film' ? { video: film } : { url, ...(kind !== kindOf[role] && { kind }) }
        inputs.push({ role, ...source, ...(role === 'keyframe' && n !== 3 && { at: n }) })
      }
  }
  return { ...named, inputs: inputs.length > 0 ? inputs : undefined }
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
    // A model of intricate modes may be drawn no valid request at first: then others are drawn.
    for (let draws = 0; draws < 10 && accepted === 0; draws++)
      await fc.assert(
        fc.asyncProperty(requests(model), async (body) => {
          const { status, error } = await kinora.call('POST', '/api/v1/video/quote', { as: ann, body })
          const isValid = validate(body)
          // Which films a provider takes only the service knows, and that two keyframes have one time.
          if (/same provider|(This one|[Ff]ilm|already) has|one keyframe at/.test(error?.message ?? '')) return
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
