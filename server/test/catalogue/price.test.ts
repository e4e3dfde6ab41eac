/** What a film costs where the amounts are binary fractions, and where one of several routes has no cost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import type { Model } from '../../src/catalogue/model.ts'
import { priceOf, pricesOf } from '../../src/catalogue/price.ts'

const provider = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }
const settings = { providers: { fal: provider, google: provider }, creditUsd: 0.05 }
const chosen = { mode: 'text-to-video', duration: 3, quality: '720p', aspectRatio: '16:9' } as const

/** `usd` null: a table without an amount for the film. */
const route = (account: string, usd: number | null) => ({
  account,
  ...(account === 'fal' && { model: 'a/model', input: { prompt: 'prompt' } }),
  cost: { per: 'second', usd: usd === null ? {} : { '*': usd }, asOf: '2026-11-20', source: 'a vendor' },
})
type Route = ReturnType<typeof route>

function creditsOf(price: object, routes: Route[]): number | null {
  const model = {
    ...{
      id: 'priced',
      name: 'Priced',
      company: 'A vendor',
      asOf: '2026-11-20',
      usualSeconds: 60,
      deadlineSeconds: 900,
    },
    modes: { 'text-to-video': { duration: [3], quality: ['720p'], aspectRatio: ['16:9'] } },
    // A file without an amount is refused: the tables are those of `routes` afterwards.
    ...{ price, routes: routes.map(({ account }) => route(account, 1)) },
  }
  const parsed = parseModels([{ name: 'priced.json', text: JSON.stringify(model) }]).get('priced') ?? assert.fail()
  const withTables = parsed.routes.map((each, i) => ({ ...each, ...routes[i] }))
  return priceOf({ ...parsed, routes: withTables } as Model, chosen, settings)
}

test('price: three seconds whose cost is a binary fraction → its remainder is no credit more, and each begun credit is one', () => {
  const ofCost = ([usd, markup]: [number, number, number]) => creditsOf({ fromCost: { markup } }, [route('fal', usd)])
  const cases: [usd: number, markup: number, credits: number][] = [
    [0.7, 1.5, 63],
    [1.8, 1.5, 162],
    [0.1, 1, 6],
    [0.1, 1.1, 7],
    [0.0001, 1, 1],
  ]
  assert.deepEqual(
    cases.map(ofCost),
    cases.map(([, , credits]) => credits),
  )
})

test('price: several routes → that of the first; of equals the dearest, unknown where one has no amount', () => {
  const ofRoutes = (...routes: Route[]) => creditsOf({ fromCost: { markup: 1 } }, routes)
  const equal = (account: string, usd: number | null) => ({ ...route(account, usd), weight: 1 })
  assert.equal(ofRoutes(route('fal', 0.1), route('google', 0.5)), 6)
  assert.equal(ofRoutes(route('google', 0.5), route('fal', 0.1)), 30)
  assert.equal(ofRoutes(route('fal', 0.1), route('google', null)), 6)
  assert.equal(ofRoutes(route('google', null), route('fal', 0.1)), null)
  assert.equal(ofRoutes(equal('fal', 0.1), equal('google', 0.5)), 30)
  assert.equal(ofRoutes(equal('fal', 0.1), equal('google', null)), null)
})

test('prices: a route with fewer ratios, images that cost more → told by the mode, because a ratio beside an image is ignored', () => {
  const model = {
    ...{ id: 'priced', name: 'Priced', company: 'A vendor', usualSeconds: 60, deadlineSeconds: 900 },
    modes: {
      'text-to-video': { duration: [3], quality: ['720p'], aspectRatio: ['16:9', '21:9'] },
      'image-to-video': { aspectRatio: 'follows the image' },
    },
    price: { fromCost: { markup: 1 } },
    routes: ['google', 'fal'].map((account) => ({
      ...{ account, model: 'a/model', input: { prompt: 'prompt', image: 'start' } },
      ...(account === 'fal' && { serves: { aspectRatio: ['16:9'] } }),
      cost: { per: 'second', usd: { '*': 0.1, 'image-to-video': 0.2 }, asOf: '2026-11-20', source: 'a vendor' },
    })),
  }
  const parsed = parseModels([{ name: 'priced.json', text: JSON.stringify(model) }]).get('priced') ?? assert.fail()
  assert.deepEqual(JSON.parse(JSON.stringify(pricesOf(parsed, settings))), {
    per: 'second',
    dependsOn: ['mode'],
    list: [
      { mode: 'text-to-video', credits: 2 },
      { mode: 'image-to-video', credits: 4 },
    ],
    lengths: {},
  })
})
