/** What a vendor publishes, compared with a model of two routes: findings and their drafts, without a vendor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import { findingsOf } from '../../src/catalogue/findings.ts'
import { problemsOfFile } from '../../src/catalogue/taken.ts'
import { type Listing, NO_FIELD, type Published } from '../../src/provider/published.ts'

const cost = { per: 'second', usd: { '720p': 0.1, '1080p': 0.2 }, asOf: '2026-11-26', source: 'a page' }
const file = {
  id: 'dream',
  name: 'Dream',
  company: 'Acme',
  asOf: '2026-11-26',
  modes: {
    'text-to-video': { duration: [5, 10], quality: ['720p', '1080p'], aspectRatio: ['16:9', '9:16'] },
    'image-to-video': { aspectRatio: 'follows the image' },
  },
  price: { fromCost: { markup: 1.4 } },
  routes: [
    { account: 'fal', model: 'acme/dream', input: { prompt: 'prompt' }, cost },
    { account: 'replicate', model: { 'text-to-video': 'acme/dream-t2v', 'image-to-video': 'acme/dream-i2v' }, cost },
  ],
  usualSeconds: 60,
  deadlineSeconds: 1800,
}
const models = [...parseModels([{ name: 'dream.json', text: JSON.stringify(file) }]).values()]
const now = new Date('2026-11-29T03:00:00Z')
const find = (account: string, listing: Partial<Listing>) =>
  findingsOf({
    account,
    models,
    asOf: '2026-11-29',
    since: now,
    listing: { models: [], gone: [], isWhole: false, ...listing },
  })
const field = (name: string, values: (string | number)[]) => ({ ...NO_FIELD, name, values })
const dream = (durations: number[], more: Partial<Published> = {}): Published => ({
  model: 'acme/dream',
  fields: [{ ...field('prompt', []), isRequired: true }, field('duration', durations), field('image_url', [])],
  ...more,
})
const checked = async (draft: object | null) => {
  assert.ok(draft)
  assert.deepEqual(await problemsOfFile('models/dream.json', JSON.stringify(draft)), [])
  return draft as Omit<typeof file, 'routes'> & { routes: ((typeof file.routes)[number] & { serves?: object })[] }
}

test('values: one more, and one less at one of two routes → the model has all, each route what it makes', async () => {
  const [found, ...others] = find('fal', { models: [dream([5, 15])] })
  assert.deepEqual([others, found?.kind, found?.text], [[], 'values', 'duration: also 15; not 10'])
  const { modes, routes, asOf } = await checked(found?.draft ?? null)
  assert.deepEqual([modes['text-to-video'].duration, asOf], [[5, 10, 15], '2026-11-29'])
  assert.deepEqual(
    routes.map(({ serves }) => serves),
    [{ duration: [5, 15] }, { duration: [5, 10] }],
  )
  assert.deepEqual(find('fal', { models: [dream([5, 10])] }), [])
})

test('price: another table → the cost of the route; one unit that is none of its amounts → said, without a draft', async () => {
  const usd = { '720p': 0.1, '1080p': 0.3 }
  const [repriced] = find('fal', { models: [dream([5, 10], { cost: { usd, source: 'a list' } })] })
  assert.deepEqual([repriced?.kind, repriced?.text], ['repriced', 'text-to-video, 5 s in 1080p, costs $1.5, not $1'])
  const { routes } = await checked(repriced?.draft ?? null)
  assert.deepEqual(routes[0]?.cost, { per: 'second', usd, asOf: '2026-11-29', source: 'a list' })
  const unit = (amount: number) => dream([5, 10], { unitUsd: { per: 'second', usd: amount, source: 'a list' } })
  const [other] = find('fal', { models: [unit(0.12)] })
  assert.deepEqual([other?.kind, other?.draft], ['repriced', null])
  assert.deepEqual(find('fal', { models: [unit(0.2)] }), [])
})

test('gone: a name of one mode → the route without it; of all → the model without the route', async () => {
  const [found] = find('replicate', { gone: ['acme/dream-i2v'] })
  const { routes } = await checked(found?.draft ?? null)
  assert.deepEqual([found?.kind, routes[1]?.model], ['gone', { 'text-to-video': 'acme/dream-t2v' }])
  const [whole] = find('fal', { isWhole: true })
  const left = await checked(whole?.draft ?? null)
  assert.deepEqual(
    left.routes.map(({ account }) => account),
    ['replicate'],
  )
})

test('new: a model that the catalogue has elsewhere → a route more; an old one, or a name of no model → nothing', async () => {
  const [found] = find('openrouter', {
    models: [dream([5], { model: 'acme/dream', cost: { usd: { '*': 0.2 }, source: 'a list' }, createdAt: now })],
  })
  const { routes } = await checked(found?.draft ?? null)
  assert.deepEqual(routes.map(({ account, serves }) => [account, serves]).at(-1), ['openrouter', { duration: [5] }])
  const createdAt = new Date('2026-01-01')
  assert.deepEqual(find('openrouter', { models: [dream([5], { createdAt }), dream([5], { model: '<b>' })] }), [])
})

test('own server: the model by another name → its route with that name; files that it lacks → those in their place', async () => {
  const own = { values: { duration: [5], quality: ['720p'], aspectRatio: ['16:9'] }, input: { prompt: 'prompt' } }
  const [renamed, ...others] = find('fal', { isWhole: true, models: [{ model: 'Acme/Dream-5B', fields: [], ...own }] })
  assert.deepEqual([others, renamed?.kind], [[], 'new'])
  assert.equal((await checked(renamed?.draft ?? null)).routes[0]?.model, 'Acme/Dream-5B')
  const [lacking] = find('fal', { lacks: () => [{ what: 'prompt', instead: 'model' }] })
  assert.match(lacking?.text ?? '', /^fal has no prompt$/)
})
