/** How long an input may be: to the millisecond, and by the routes that serve its length. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import { type Known, withDecided } from '../../src/catalogue/inputs.ts'
import { offerOf } from '../../src/catalogue/offer.ts'
import { checkByModel } from '../../src/catalogue/request.ts'
import { AppError } from '../../src/errors.ts'
import type { Kind, Role } from '../../src/film/inputs.ts'

const provider = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }
const settings = { providers: { fal: provider, luma: provider }, creditUsd: 0.01 }
const shape = { quality: ['720p'], aspectRatio: 'follows the image' }
const cost = { per: 'second', usd: 0.1, asOf: '2026-11-20', source: 'a vendor' }
const route = (account: string, from: number, to: number) => ({
  ...{ account, input: { film: 'film', sound: 'sound', films: 'referenceFilms' }, cost },
  serves: { duration: { from, to } },
})
const file = {
  ...{ id: 'timed', name: 'Timed', company: 'A vendor', usualSeconds: 60, deadlineSeconds: 900 },
  modes: {
    edit: { ...shape, duration: { follows: 'film', from: 2, to: 15 } },
    'lip-sync': { inputs: { film: {}, sound: { seconds: { from: 2, to: 15.5 } } } },
    reference: {
      ...{ duration: [5], aspectRatio: ['16:9'] },
      inputs: { reference: { to: 3, film: { to: 3, secondsTogether: 15 } } },
    },
  },
  price: { fromCost: { markup: 1 } },
  routes: [{ account: 'fal', input: route('fal', 2, 15).input, cost }],
}
const input = (role: Role, kind: Kind, seconds: number | null): Known => ({
  ...{ role, kind, source: `https://films.example/${seconds}`, path: 'inputs.0', facts: { seconds } },
})
function durationOf(mode: string, inputs: Known[], routes: object[] = file.routes): unknown {
  const models = parseModels([{ name: 'timed.json', text: JSON.stringify({ ...file, routes }) }])
  const model = models.get('timed') ?? assert.fail()
  const offered = offerOf(model, model.routes) ?? assert.fail()
  const more = mode === 'reference' ? { duration: 5, aspectRatio: '16:9' } : {}
  const decided = withDecided(offered, mode, { model: 'timed', prompt: 'A boat', mode, inputs, ...more })
  return checkByModel(new Map([['timed', offered]]), decided, settings).chosen.duration
}
const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'DURATION_OUT_OF_RANGE' && message.test(error.message)

for (const [seconds, duration] of [
  [2, 2],
  [14.6, 15],
  // What films of 15 s have in their files.
  [15.04, 15],
] as const) {
  test(`limit of 2 to 15: film of ${seconds} s → taken, as ${duration} s`, () => {
    assert.equal(durationOf('edit', [input('film', 'film', seconds)]), duration)
  })
}
for (const seconds of [1.96, 15.4, 16]) {
  test(`limit of 2 to 15: film of ${seconds} s → refused, with its length`, () => {
    const message = new RegExp(`takes films of 2 to 15 seconds; this one has ${seconds}\\.$`)
    assert.throws(() => durationOf('edit', [input('film', 'film', seconds)]), refusal(message))
  })
}

test('limit with a fraction: sound below and above it → taken, refused', () => {
  const made = (seconds: number) => durationOf('lip-sync', [input('film', 'film', 5), input('sound', 'sound', seconds)])
  assert.equal(made(15.5), 5)
  assert.throws(() => made(15.7), refusal(/sounds of 2 to 15.5 seconds; the sound has 15.7\.$/))
})

test('limit together: three films → compared by their exact sum', () => {
  const made = (...all: number[]) =>
    durationOf(
      'reference',
      all.map((seconds) => input('reference', 'film', seconds)),
    )
  assert.equal(made(5.04, 5.04, 5.04), 5)
  assert.throws(() => made(5.4, 5.4, 5.4), refusal(/films of 15 seconds together; these have 16.2\.$/))
})

test('offer: length that follows a film, of routes with a gap between them → still follows; a film in the gap is refused', () => {
  const routes = [route('fal', 2, 5), route('luma', 8, 10)]
  const made = (seconds: number) => durationOf('edit', [input('film', 'film', seconds)], routes)
  assert.deepEqual([made(4.5), made(9)], [5, 9])
  assert.throws(() => made(6), refusal(/Timed makes films of 2, 3, 4, 5, 8, 9, 10 seconds/))
  assert.throws(() => made(11), refusal(/films of 2 to 10 seconds; this one has 11/))
  const one = [{ ...route('fal', 5, 5) }]
  assert.equal(durationOf('edit', [input('film', 'film', 5)], one), 5)
  assert.throws(() => durationOf('edit', [input('film', 'film', 4)], one), refusal(/films of 5 to 5 seconds/))
})

test('route with lengths: link of unknown length → the next route; where there is none, refused', () => {
  const exact = {
    account: 'luma',
    input: { film: 'film', sound: '[sound, lengths.sound]', films: 'referenceFilms' },
    cost,
  }
  const made = (seconds: number | null, routes: object[]) =>
    durationOf('lip-sync', [input('film', 'film', 5), input('sound', 'sound', seconds)], routes)
  assert.equal(made(4, [exact]), 5)
  assert.equal(made(null, [exact, ...file.routes]), 5)
  assert.throws(
    () => made(null, [exact]),
    (error) =>
      error instanceof AppError &&
      error.code === 'INVALID_REQUEST' &&
      /^The provider of Timed needs to know how long the sound is, which a link does not say;/.test(error.message),
  )
})
