/** What is old in the catalogue, and what ends: doctor's advice and metrics. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agesOf, sentencesOf } from '../../src/catalogue/age.ts'
import { everyModel } from '../../src/catalogue/catalogue.ts'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora({ env: { PROVIDER_VERTEX_API_KEY: 'key' } })
const { providers } = kinora.app.config

test('age: within 90 days → current; later → the models with an account, by their oldest date', () => {
  const veo = everyModel().get('veo-3.1') ?? assert.fail()
  const model = { ...veo, asOf: '2026-11-26', routes: veo.routes.map(({ cost: _, ...route }) => route) }
  const of = (day: string) => agesOf([model], { providers }, new Date(day)).old
  assert.deepEqual(of('2027-02-24T12:00:00Z'), [])
  assert.deepEqual(of('2027-02-25T12:00:00Z'), [{ model: 'veo-3.1', asOf: '2026-11-26' }])
  assert.deepEqual(agesOf([model], { providers: {} }, new Date('2030-01-01')).old, [])
})

test('until: 30 days ahead, and past → the route; earlier → nothing', () => {
  const model = everyModel().get('veo-3.1') ?? assert.fail()
  const of = (day: string) => agesOf([model], { providers }, new Date(day)).ending
  assert.deepEqual(of('2026-10-17T12:00:00Z'), [])
  const ending = [{ model: 'veo-3.1', account: 'vertex', until: '2026-11-17' }]
  for (const day of ['2026-10-18T12:00:00Z', '2027-01-01T00:00:00Z']) assert.deepEqual(of(day), ending)
  assert.deepEqual(sentencesOf({ old: [], ending }), ['the vendor ends: veo-3.1 at vertex (2026-11-17)'])
})

test('metrics: ages and findings → a gauge each', async () => {
  const root = await kinora.person({ role: 'admin', credits: 0 })
  await kinora.app.sql`
    insert into kinora.catalogue_finding (account, kind, name, model, text, problems, found_at)
    values ('vertex', 'gone', 'a', 'a', 'gone', '{}', now()), ('vertex', 'gone', 'b', 'b', 'gone', '{}', now()),
           ('not-set-up', 'gone', 'c', 'c', 'gone', '{}', now())
  `
  await kinora.app.sql`
    insert into kinora.catalogue_comparison (account, next_at, problem) values ('provider-a', now(), 'no list')
  `
  const { text } = await kinora.call('GET', '/metrics', { as: root })
  assert.match(text, /^kinora_catalogue_oldest_timestamp_seconds \d{10}$/m)
  assert.match(text, /^kinora_catalogue_routes_ending\{provider="vertex"\} \d+$/m)
  assert.match(text, /^kinora_catalogue_findings\{kind="new"\} 0$/m)
  assert.match(text, /^kinora_catalogue_findings\{kind="gone"\} 2$/m)
  assert.match(text, /^kinora_catalogue_compare_failing\{provider="vertex"\} 0$/m)
  assert.match(text, /^kinora_catalogue_compare_failing\{provider="provider-a"\} 1$/m)
})
