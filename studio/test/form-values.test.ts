/** The generate form's requests, for every model and one of many options: taken, and given back by their films. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scalar, Video } from '@kinora/client'
import fc from 'fast-check'
import { catalogue, usableModels } from '../../server/src/catalogue/catalogue.ts'
import { exampleOf, requestSchemas } from '../../server/src/film/fields.ts'
import { addIntricateModel, everyAccount } from '../../server/test/catalogue/intricate-model.ts'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { sound } from '../../server/test/support/sounds.ts'
import './macros.ts'
import { KINDS, ROLES, roleFields } from '../../server/src/film/inputs.ts'
import type { Mode, Model } from '../src/studio/form-fields.ts'
import type { Draft, DraftInput, Kind } from '../src/studio/form-values.ts'
import { addManyModes } from './many-modes.ts'

const { availableModels, draftOf, fit, fitAll, totalPrice, promptError, requestBody, valueAt } = await import(
  '../src/studio/form-values.ts'
)
const { isUpscaler, UPSCALE } = await import('../src/upscalers.ts')
const { fieldAt, modesOf, nearestAllowed, pathsOf, reasonAgainst, valuesLeft } = await import(
  '../src/studio/form-fields.ts'
)

addIntricateModel()
addManyModes()
const kinora = await openKinora({ env: { ...everyAccount(), RATE_LIMITS: 'off', MAX_IN_PROGRESS: '0' } })
const ann = await kinora.person({ credits: 1_000_000 })
const { data } = await kinora.call<{ models: Parameters<typeof availableModels>[0] }>('GET', '/api/v1/config/models')
const available = availableModels(data.models)
/** Those of the form. */
const drawn = available.filter((model) => !isUpscaler(model))
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
  mode: fc.constantFrom('', ...new Set(drawn.flatMap(({ modes }) => modes))),
  inputs: fc
    // Which films a model takes depends on what is in them.
    .subarray(ROLES.filter((role) => role !== 'film'))
    .map((roles) => Object.fromEntries(roles.map((role) => [role, KINDS.map((kind) => inputOf(kind, role))]))),
})

const ownFilm = await completedVideo(kinora, ann, { duration: 6 })
const voice = await fetch(`${kinora.url}/api/v1/asset`, {
  method: 'POST',
  headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'audio/mpeg' },
  body: new Uint8Array(await sound('mp3', 6)),
})
const { data: sent } = (await voice.json()) as { data: { id: string } }

/** A price may depend on how long a film or sound is, which a link does not say. */
function inputOf(kind: Kind, name: string): DraftInput {
  if (kind === 'image') return { kind, url: `https://example.com/${name}`, at: 1 }
  return kind === 'film' ? { kind, video: ownFilm } : { kind, asset: sent.id }
}

test('form values: any wishes, any model → the service takes the request, at the price that the form shows', async () => {
  assert.deepEqual(
    available.map(({ id }) => id),
    usableModels(catalogue(kinora.app.config)).map(({ id }) => id),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...drawn), drafts, async (model, draft) => {
      const values = fit(draft, model)
      if (values.missing.length > 0) return
      const body = requestBody({ ...values, prompt: 'A boat' })
      const { status, error, data } = await kinora.call('POST', '/api/v1/video/quote', { as: ann, body })
      assert.equal(status, 200, `${error?.message} ${JSON.stringify(body)}`)
      // Where the price depends on what a film or sound has in it, the service alone knows it.
      const shown = totalPrice([model], [values])
      if (shown !== null || values.inputs.every(({ kind }) => kind === 'image'))
        assert.deepEqual(shown, { credits: data.credits, ceiling: data.ceiling }, JSON.stringify(body))
    }),
    { numRuns: 600 },
  )
})

test('form values: no duration wished → 5 seconds, or the nearest that the model has', () => {
  for (const model of drawn) {
    const { request, seconds } = fit({}, model)
    const field = fieldAt(model.schema, ['duration'], request)
    if (field?.isRequired) assert.equal(seconds, nearestAllowed(field, 5), model.id)
  }
})

test('form values: models compared → one length, the nearest to the wish that all have; none in common → each its own', () => {
  const secondsOf = (duration: number, ...ids: string[]) =>
    fitAll({ fields: { duration } }, ids.map(modelNamed)).map(({ seconds }) => seconds)
  assert.deepEqual(secondsOf(5, 'alpha-2', 'delta-1-5', 'hailuo-2.3'), [6, 6, 6])
  assert.deepEqual(secondsOf(7, 'alpha-2', 'many-modes'), [8, 8])
  assert.deepEqual(secondsOf(5, 'veo-3.1-fast', 'veo-3.1-fast'), [4, 4])
})

test('form values: model changed and changed back → the wishes return', () => {
  const draft: Draft = { fields: { duration: 12, aspectRatio: '21:9', quality: '1080p', seed: 7 } }
  const before = fit(draft, modelNamed('delta-1-5'))
  assert.notDeepEqual(fit(draft, modelNamed('veo-3.1-fast')).request.duration, 12)
  assert.deepEqual(fit(draft, modelNamed('delta-1-5')), before)
})

/** Fields of a request that the form names by the roles of its inputs. */
const ROLE_FIELDS = Object.keys(roleFields)

test('form values: film of each model and mode, with each value changed → its settings make the same request', async () => {
  const sent = new Set<string>()
  // A larger copy is made at its film.
  for (const model of drawn)
    for (const mode of modesOf(model).filter(({ name }) => name !== UPSCALE)) {
      const draft = {
        prompt: `A boat of ${model.id}`,
        model: model.id,
        mode: mode.name,
        inputs: await inputsFor(model, mode),
      }
      // A film that is there decides the shape of what is made from it.
      for (const fields of draft.inputs.film ? [{}] : wishesFor(model, draft)) {
        const values = fit({ ...draft, fields }, model)
        assert.equal(values.mode.name, mode.name, model.id)
        const body = requestBody(values)
        const made = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
        assert.equal(made.status, 200, `${made.text} ${JSON.stringify(body)}`)
        const { data } = await kinora.call<Video>('GET', `/api/v1/video/${made.data.uuid}`, { as: ann })
        assert.deepEqual(requestBody(fit(draftOf(data), model)), body, `${model.id}, ${mode.name}`)
        for (const name of Object.keys(body)) sent.add(name)
      }
    }
  const unsent = Object.keys(requestSchemas).filter((name) => !sent.has(name) && !ROLE_FIELDS.includes(name))
  assert.deepEqual(unsent, [], 'parameters that no request here has')
})

/** One more input of each kind than a mode needs, where it takes more; a film is one of the model's own. */
async function inputsFor(model: Model, mode: Mode): Promise<Record<string, DraftInput[]>> {
  const inputsOf = async ({ role, from, to, kinds }: Mode['inputs'][number]): Promise<DraftInput[]> => {
    if (role === 'film') {
      const source = fit({ prompt: 'A boat', mode: 'text-to-video', fields: { duration: 6 } }, model)
      const body = source.missing.length > 0 ? {} : requestBody(source)
      return [{ kind: 'film', video: await completedVideo(kinora, ann, body) }]
    }
    return Array.from({ length: Math.min(to, from + kinds.length) }, (_, n) =>
      inputOf(kinds[n % kinds.length] as Kind, `${role}-${n}`),
    )
  }
  return Object.fromEntries(await Promise.all(mode.inputs.map(async (use) => [use.role, await inputsOf(use)] as const)))
}

function valuesOf(values: ReturnType<typeof valuesLeft>): Scalar[] {
  if (values.kind === 'list') return [...values.list]
  if (values.kind === 'range') return [values.range.to]
  return values.kind === 'text' ? ['mist'.slice(0, values.maxLength)] : []
}

/** Wishes that together have each value of each field that differs from the first choice. */
function wishesFor(model: Model, draft: Draft): Record<string, Scalar>[] {
  const first = fit(draft, model)
  const changes = pathsOf(model).flatMap((path): [name: string, value: Scalar][] => {
    const field = fieldAt(model.schema, path, first.request)
    const others = field ? valuesOf(valuesLeft(field)) : []
    return others.filter((value) => value !== valueAt(first, path)).map((value) => [path.at(-1) ?? '', value])
  })
  const all: Record<string, Scalar>[] = [{}]
  // What rules forbid together is fitted, so that the one or the other value stays.
  for (let left = changes; left.length > 0; ) {
    const fields = Object.fromEntries(left.toReversed())
    all.push(fields)
    left = left.filter(([name, value]) => fields[name] !== value)
  }
  return all
}

test('form values: film a little off what was ordered → its settings make the same request', () => {
  const model = modelNamed('delta-1-5')
  const fields = { duration: 5, aspectRatio: '4:3', quality: '1080p' }
  const film = { duration: 5.04, aspectRatio: '85:64', resolution: '1072p' }
  const draft = draftOf({ ...exampleOf('detail'), model: model.id, ...film } as Video)
  assert.deepEqual(fit(draft, model).request, fit({ fields }, model).request)
})

test('form values: value that a rule forbids → the nearest one, and the rule’s reason', () => {
  const model = modelNamed('hailuo-2.3')
  const values = fit({ fields: { quality: '1080p', duration: 10 } }, model)
  assert.equal(valueAt(values, ['duration']), 6)
  const duration = fieldAt(model.schema, ['duration'], values.request) ?? assert.fail()
  assert.equal(reasonAgainst(duration, 10), '1080p films have 6 seconds')
  assert.equal(reasonAgainst(duration, 6), null)
})

test('form values: prompt of as many emoji as characters fit → no error; of one more → an error with their number', () => {
  assert.equal(promptError('😀'.repeat(5000)), null)
  assert.match(promptError('😀'.repeat(5001)) ?? '', /5,001/)
})

test('form values: model that needs an image, without one → it is named as missing', () => {
  assert.deepEqual(fit({}, modelNamed('hailuo-2.3-fast')).missing, ['start'])
})

const offers: [title: string, offered: Scalar[], wished: Scalar, nearest: Scalar][] = [
  ['a duration between two', [4, 6, 10], 7, 6],
  ['a duration as far from two', [4, 6, 10], 8, 6],
  ['a duration beyond all', [4, 6, 10], 60, 10],
  ['a quality that a provider rounds', ['480p', '720p', '1080p'], '704p', '720p'],
  ['a quality beyond all', ['480p', '720p', '1080p'], '4k', '1080p'],
  ['a quality below all', ['1080p', '4k', '720p'], '360p', '720p'],
  ['a quality as far from two', ['480p', '720p'], '600p', '480p'],
  ['the largest quality', ['480p', '4k'], '1440p', '4k'],
  ['an aspect ratio between two', ['1:1', '16:9', '9:16'], '5:4', '1:1'],
  ['an aspect ratio that a provider rounds', ['1:1', '9:16', '16:9'], '37:20', '16:9'],
  ['an aspect ratio beyond all', ['1:1', '9:16', '16:9'], '21:9', '16:9'],
  ['an upright aspect ratio', ['16:9', '1:1', '9:16'], '9:21', '9:16'],
  ['an aspect ratio as far from two', ['16:9', '9:16'], '1:1', '16:9'],
  ['a word', ['film', 'anime'], 'noir', 'film'],
  ['a truth', [true], false, true],
  ['another kind', ['720p', '480p'], '16:9', '720p'],
]
for (const [title, offered, wished, nearest] of offers)
  test(`form values: ${title} → the nearest of those that are offered`, () => {
    const field = { name: 'x', path: ['x'], title: undefined, description: undefined, initial: undefined }
    const values = { kind: 'list', list: offered } as const
    assert.equal(nearestAllowed({ ...field, isRequired: true, values, rules: [] }, wished), nearest)
  })

test('form values: number outside of a range, or within one of whole numbers → the nearest end, or whole number', () => {
  const duration = fieldAt(modelNamed('alpha-2').schema, ['duration'], { model: 'alpha-2' }) ?? assert.fail()
  const nearest = [0, 3.9, 4, 4.4, 4.5, 15, 15.4, 600].map((wish) => nearestAllowed(duration, wish))
  assert.deepEqual(nearest, [4, 4, 4, 4, 5, 15, 15, 15])
})
