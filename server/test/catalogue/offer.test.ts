/**
 * What is offered is what can be made, for each account of a model alone, for pairs of them and for all: of the wishes
 * that its file allows, those are accepted that a route makes.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { catalogue, everyModel, listedModels, switchOff } from '../../src/catalogue/catalogue.ts'
import type { Chosen } from '../../src/catalogue/constraints.ts'
import type { Decided } from '../../src/catalogue/inputs.ts'
import { canDo, listOf, type Model, servedRoutes } from '../../src/catalogue/model.ts'
import { checkByModel } from '../../src/catalogue/request.ts'
import { requestSchema } from '../../src/catalogue/request-schema.ts'
import { lossesOf } from '../../src/catalogue/route-figures.ts'
import { sampleRequests } from '../../src/catalogue/samples.ts'
import { AppError } from '../../src/errors.ts'
import { withInputs } from '../../src/film/inputs.ts'
import { accounts } from '../../src/provider/accounts.ts'
import type { FilmInput } from '../../src/video/generate-request.ts'
import { wishedBody } from '../support/wished-body.ts'

// Its optimizer takes half of the time of a compilation, and each of these functions runs some hundred times.
const ajv = new Ajv2020({ strict: false, formats: { uri: true, uuid: true }, code: { optimize: false } })
const account = { adapter: '', url: null, apiKey: 'key', webhookKey: null, timeoutS: 1 }
const settingsOf = (accounts: readonly string[]) => ({
  providers: Object.fromEntries(accounts.map((id) => [id, account])),
  creditUsd: 0.01,
})

/** All combinations of what routes restrict, within the model's own rules; numbers and texts given and not. */
function wishesOf(model: Model): Chosen[] {
  const restricted = [...new Set(model.routes.flatMap(({ serves = {} }) => Object.keys(serves)))]
  const amounts = Object.fromEntries(restricted.map((field) => [`${field}=`, 0]))
  return sampleRequests(model, amounts).flatMap((request) => {
    const endless = restricted.filter((field) => {
      const constraint = model.constraints.get(request.mode)?.get(field)
      const isWritten = field !== 'aspectRatio' && constraint?.presence !== 'forbidden'
      return constraint && isWritten && listOf(constraint.values) === null
    })
    const given = (field: string) => (model.options?.[field]?.type === 'string' ? 'rain' : 7)
    return [request, ...endless.map((field) => ({ ...request, [field]: given(field) }))].concat(
      endless.length > 1 ? [{ ...request, ...Object.fromEntries(endless.map((field) => [field, given(field)])) }] : [],
    )
  })
}

const pairsOf = (names: readonly string[]): string[][] =>
  names.flatMap((first, i) => names.slice(i + 1).map((second) => [first, second]))

/** As a request whose inputs were read: as long as they have to be. */
const decided = (body: FilmInput, { duration }: Chosen): Decided => ({
  ...withInputs(body),
  prompt: 'A boat',
  duration: body.duration ?? Number(duration ?? 0),
  inputSeconds: 5,
})

for (const model of everyModel().values()) {
  if (!model.listed || !model.enabled || model.price === null) continue
  test(`${model.id}: each account, pairs of them, all → offered is what can be made`, () => {
    const wishes = wishesOf(model)
    const own = [...new Set(model.routes.map((route) => route.account))]
    for (const some of [...own.map((id) => [id]), ...pairsOf(own), own]) {
      const settings = settingsOf(some)
      const offers = catalogue(settings)
      const offer = offers.get(model.id)
      assert.ok(offer)
      const routes = servedRoutes(model, settings)
      const isValid = some.length === 1 ? ajv.compile(requestSchema(offer)) : null
      for (const wish of wishes) {
        const [isMade, body] = [routes.some((route) => canDo(route, wish)), wishedBody(model, wish)]
        const refusal = refusalOf(() => checkByModel(offers, decided(body, wish), settings))
        const where = `${some} ${JSON.stringify(wish)}: ${refusal?.message}`
        assert.equal(refusal === null, isMade, where)
        assert.notEqual(refusal?.code, 'MODEL_UNAVAILABLE', where)
        if (isValid && wish.mode !== 'upscale') assert.equal(isValid(body), isMade, `${where}, by the schema`)
      }
      for (const wish of wishes) checkDefaults(wish)

      /** Without what has a default: accepted where some value of it is made. */
      function checkDefaults(wish: Chosen): void {
        const stated = { ...wish, quality: undefined }
        for (const [name, { default: value }] of Object.entries(model.options ?? {}))
          if (value !== undefined) stated[name as 'quality'] = undefined
        const refusal = refusalOf(() => checkByModel(offers, decided(wishedBody(model, stated), stated), settings))
        assert.notEqual(refusal?.code, 'MODEL_UNAVAILABLE', `${some} ${JSON.stringify(stated)}`)
        if (routes.some((route) => canDo(route, wish)))
          assert.equal(refusal, null, `${some} ${JSON.stringify(stated)}: ${refusal?.message}`)
      }
    }
  })
}

function refusalOf(check: () => unknown): AppError | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

test('prices: each account alone, and all → no film is sold below its cost at any product, by default', () => {
  const ids = accounts().map(({ id }) => id)
  for (const some of [...ids.map((id) => [id]), ids]) {
    const settings = { ...settingsOf(some), creditUsd: null }
    assert.deepEqual(lossesOf(listedModels(catalogue(settings)), settings), [], String(some))
  }
  const settings = { ...settingsOf(ids), creditUsd: 0.0532 }
  assert.ok(lossesOf(listedModels(catalogue(settings)), settings).length > 50)
})

test('offer: the only route of an account that is on, then switched off → narrower, then listed as unavailable', () => {
  const settings = settingsOf(['fal', 'google'])
  const id = 'veo-3.1'
  const [all, listed] = [
    catalogue(settings).get(id),
    () => listedModels(catalogue(settings)).find((each) => each.id === id),
  ]
  assert.ok(all)
  switchOff(({ account: off }) => off !== 'google')
  assert.deepEqual(
    [listed()?.enabled, new Set(listed()?.routes.map((route) => route.account))],
    [true, new Set(['fal'])],
  )
  switchOff(({ account: off }) => off !== 'google' && off !== 'fal')
  assert.deepEqual([listed()?.enabled, listed()?.summary], [false, all.summary])
  switchOff(null)
})
