/** Films that go in: what they cost beside the film made, and the limits of all of them together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import { type Known, mediaOf, withDecided } from '../../src/catalogue/inputs.ts'
import { costOf, secondRateOf } from '../../src/catalogue/price.ts'
import { checkByModel } from '../../src/catalogue/request.ts'
import { lossesOf } from '../../src/catalogue/route-figures.ts'
import { AppError } from '../../src/errors.ts'
import type { Kind, Role } from '../../src/film/inputs.ts'

const provider = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }
const settings = { providers: { fal: provider }, creditUsd: 0.01 }
const usd = { '*': 0.1, referenceFilms: 0.06 }
const file = {
  ...{ id: 'priced', name: 'Priced', company: 'A vendor', usualSeconds: 60, deadlineSeconds: 900 },
  modes: {
    reference: {
      duration: { from: 4, to: 10 },
      quality: ['720p', '1080p'],
      aspectRatio: ['16:9'],
      inputs: { reference: { to: 6, image: { to: 3 }, film: { to: 3, secondsTogether: 15 }, sound: { to: 3 } } },
    },
    keyframes: { inputs: { keyframe: { to: 3 } } },
    avatar: {
      duration: { follows: 'sound', from: 1, to: 60 },
      aspectRatio: 'follows the image',
    },
  },
  rules: [{ when: { quality: '1080p', mode: 'avatar' }, then: { duration: { from: 1, to: 20 } } }],
  price: { fromCost: { markup: 1 } },
  routes: [
    {
      account: 'fal',
      model: { reference: 'a/model', keyframes: 'a/model', avatar: 'a/model' },
      input: {
        reference: { images: 'referenceImages', films: 'referenceFilms', sounds: 'referenceSounds' },
        keyframes: { images: 'keyframes' },
        avatar: { image: 'portrait', sound: 'sound' },
      },
      cost: { per: 'second', usd, inputUsd: 0.05, asOf: '2026-11-20', source: 'a vendor' },
    },
  ],
}
const parsed = (change: object = {}) =>
  parseModels([{ name: 'priced.json', text: JSON.stringify({ ...file, ...change }) }])

const input = (role: Role, kind: Kind, facts: Known['facts'] = {}, at?: number): Known => ({
  ...{ role, kind, source: 'https://films.example/a', path: 'inputs.0', facts },
  ...(at !== undefined && { at }),
})
const film = (seconds?: number) => input('reference', 'film', seconds === undefined ? {} : { seconds })

function checked(mode: string, inputs: Known[], wanted: { duration?: number; quality?: string } = { duration: 5 }) {
  const models = parsed()
  const model = models.get('priced') ?? assert.fail()
  const ratio = mode === 'avatar' ? {} : { aspectRatio: '16:9' }
  return checkByModel(
    models,
    withDecided(model, mode, { model: 'priced', prompt: 'A boat', mode, inputs, ...ratio, ...wanted }),
    settings,
  )
}
const refusal = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && message.test(error.message)

test('price: films among the references → their seconds beside those of the film made, at the prices with films', () => {
  const image = input('reference', 'image')
  const sound = input('reference', 'sound', { seconds: 9 })
  assert.equal(checked('reference', [image]).credits, 50)
  assert.equal(checked('reference', [image, sound]).credits, 50)
  assert.equal(checked('reference', [image, film(4), film(5.02), sound]).credits, 30 + 45)
  assert.equal(checked('reference', [image, film(4)], { duration: 10 }).credits, 60 + 20)
})

test('price: a film whose length is not known, beside one that is → refused, before credits are frozen', () => {
  assert.throws(() => checked('reference', [film(4), film()]), refusal('INVALID_REQUEST', /depends on how long/))
})

test('cost: what was sent → with the films that went in, unknown for a link', () => {
  const model = parsed().get('priced')
  const cost = model?.routes[0]?.cost ?? assert.fail()
  const chosen = (...films: Known[]) => ({
    ...{ mode: 'reference', duration: 5, quality: '720p', aspectRatio: '16:9' },
    ...mediaOf(films.map((each) => ({ ...each, value: each.source }))).facts,
  })
  assert.equal(costOf(cost, chosen(film(4), film(6))), 0.8)
  assert.equal(costOf(cost, chosen(film(4), film())), null)
  assert.equal(costOf(cost, chosen()), 0.5)
  assert.ok(model)
  assert.equal(secondRateOf(model, chosen(film(4)), settings, true), null)
  assert.equal(secondRateOf(model, chosen(), settings, true), 10)
})

test('losses: a table of credits that covers the film made alone → the loss with the longest films that go in', () => {
  const price = (credits: number) => [...parsed({ price: { per: 'second', credits } }).values()]
  const dearest = { ...settings, creditUsd: null }
  assert.equal(lossesOf(price(1000), dearest).length, 0)
  assert.deepEqual(
    lossesOf(price(10), dearest).map(({ account }) => account),
    ['fal'],
  )
})

test('catalogue check: amounts for films that go in → their words are known, and none may lack', () => {
  const of = (inputUsd: object) => ({
    routes: file.routes.map((route) => ({ ...route, cost: { ...route.cost, inputUsd } })),
  })
  assert.equal(parsed(of({ '720p': 0.05, '1080p': 0.07 })).size, 1)
  assert.throws(() => parsed(of({ '720p': 0.05 })), /inputUsd/)
  assert.throws(() => parsed(of({ '*': 0.05, wrong: 1 })), /wrong/)
})

test('400: films of more seconds than all may have together → how many there are', () => {
  assert.equal(checked('reference', [film(5), film(5), film(5)]).chosen.filmSeconds, 15)
  assert.throws(
    () => checked('reference', [film(5), film(5), film(6)]),
    refusal('DURATION_OUT_OF_RANGE', /15 seconds together; these have 16/),
  )
})

test('400: keyframes beyond the film, or two at one time → which one', () => {
  const keyframe = (at: number) => input('keyframe', 'image', {}, at)
  assert.equal(checked('keyframes', [keyframe(0), keyframe(2.5), keyframe(5)]).credits, 50)
  assert.throws(
    () => checked('keyframes', [keyframe(0), keyframe(5.1)]),
    refusal('INVALID_REQUEST', /keyframe 2 is at 5.1 s/),
  )
  assert.throws(
    () => checked('keyframes', [keyframe(1), keyframe(1)]),
    refusal('INVALID_REQUEST', /one keyframe at 1 s/),
  )
})

test('a length that follows a sound: known → that; a link → the longest that the rules leave', () => {
  const avatar = (quality: string, seconds?: number) =>
    checked('avatar', [input('portrait', 'image'), input('sound', 'sound', { seconds: seconds ?? null })], { quality })
      .chosen.duration
  assert.deepEqual([avatar('720p', 7), avatar('720p'), avatar('1080p')], [7, 60, 20])
  assert.throws(() => avatar('1080p', 30), refusal('DURATION_OUT_OF_RANGE', /1 to 20/))
})
