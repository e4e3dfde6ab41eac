/** Accounts and routes: from the files of the catalogue and the settings to the body of a submit. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, beforeEach, test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { accounts, parseAccounts } from '../../src/provider/accounts.ts'
import { openProviders } from '../../src/provider/open.ts'
import type { Adapter } from '../../src/provider/provider.ts'
import { mapRequest } from '../../src/provider/request-mapping.ts'
import { catalogue, checkRoutes, type Model, parseCatalogue, type Route } from '../../src/video/catalogue.ts'
import { openKinora } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())

const delta = catalogue().get('delta-1-5') ?? assert.fail()
const withRoutes = (routes: unknown[]) => parseCatalogue(JSON.stringify({ models: [{ ...delta, routes }] }))
const problemOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n')
    throw error
  }
  return assert.fail('no problem')
}

/** Submits a film of delta-1-5 by other routes. @returns the body of the submit */
async function bodyBy(routes: Route[], request = {}): Promise<Record<string, unknown> | undefined> {
  const models = catalogue() as Map<string, Model>
  models.set(delta.id, { ...delta, routes })
  try {
    const ann = await kinora.person()
    const { data } = await kinora.generate(ann, request)
    await runNextStep(kinora, data.uuid)
    return provider.submits.at(-1)?.body
  } finally {
    models.set(delta.id, delta)
  }
}

test('submit: route with an input → its fields, nested, computed, without those that have no value', async () => {
  const input = {
    prompt: 'prompt',
    seconds: "$string(duration) & 's'",
    options: { ratio: 'aspectRatio', seed: 'seed' },
    image: { uri: 'startImageUrl' },
    mode: 'mode',
  }
  const sent = await bodyBy([{ account: 'provider-a', model: 'vendor/delta', input }], { prompt: ' A boat ' })
  const { callback_url: _, ...body } = sent ?? {}
  const options = { ratio: '16:9' }
  assert.deepEqual(body, { model: 'vendor/delta', prompt: 'A boat', seconds: '4s', options, mode: 'text-to-video' })
})

test('submit: names of the model by mode → that of the mode; a route without the mode → the next one', async () => {
  const model = { 'image-to-video': 'delta/image', 'text-to-video': 'delta/text' }
  const startImageUrl = 'https://example.com/boat.png'
  assert.equal((await bodyBy([{ account: 'provider-a', model }]))?.model, 'delta/text')
  assert.equal((await bodyBy([{ account: 'provider-a', model }], { startImageUrl }))?.model, 'delta/image')
  const ofImages: Route[] = [
    { account: 'provider-a', model: { 'image-to-video': 'delta/image' } },
    { account: 'provider-b', model: 'b' },
  ]
  assert.equal((await bodyBy(ofImages))?.model, 'b')
})

test('models.json: expression that does not parse → named with model, route and field', async () => {
  const problem = await problemOf(() =>
    checkRoutes(withRoutes([{ account: 'provider-a', input: { prompt: 'prompt', options: { size: '$lookup(' } } }])),
  )
  assert.match(problem, /models\.json, delta-1-5, route provider-a: options\.size: ./)
})

test('models.json: unknown account, account twice, field that is no text → named', async () => {
  const account = 'provider-a'
  assert.match(await problemOf(() => withRoutes([{ account: 'nobody' }])), /delta-1-5: .*no account nobody/)
  assert.match(await problemOf(() => withRoutes([{ account }, { account }])), /delta-1-5: two routes/)
  assert.match(await problemOf(() => withRoutes([{ account, input: { a: 5 } }])), /delta-1-5: \/models.*input\/a/)
})

test('mapping: null and inherited names → left out; the names of constants → constants', async () => {
  assert.deepEqual(await mapRequest({ a: 'constructor', b: 'seed', c: 'true', d: '"text"' }, {}), {
    c: true,
    d: 'text',
  })
})

test('providers.json: wrong entry, id twice → named', async () => {
  const parse = (entries: unknown) => problemOf(() => parseAccounts(JSON.stringify({ accounts: entries })))
  assert.match(await parse([{ id: 'A', adapter: 'fal' }]), /providers\.json, \/accounts\/0\/id /)
  const one = { id: 'a', adapter: 'fal' }
  assert.match(await parse([one, one]), /two accounts/)
  assert.match(await problemOf(() => parseAccounts('{')), /not valid JSON/)
})

test('providers.json: accounts → `needs` names the URL exactly where the adapter has no public one', async () => {
  const folder = new URL('../../src/provider/adapter/', import.meta.url)
  const files = new Set(readdirSync(folder))
  for (const { id, adapter: name, needs = [] } of accounts()) {
    if (!files.has(`${name}.ts`)) continue
    const { adapter }: { adapter: Adapter } = await import(new URL(`${name}.ts`, folder).href)
    assert.equal(needs.includes('url'), adapter.url === null, id)
  }
})

test('settings: account without an adapter → an error at the start', async () => {
  const settings = { adapter: 'nobody', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }
  assert.match(await problemOf(() => openProviders({ mine: settings })), /no adapter .*nobody\.ts.* "mine"/)
})

test('settings: key `simulator` → the simulator’s address; without a simulator, what to do', async () => {
  const env = { DATABASE_URL: 'postgres://x@127.0.0.1/x', AUTH_SECRET: 'test auth secret of thirty-two bytes' }
  const simulated = { ...env, PROVIDER_FAL_API_KEY: 'simulator' }
  const { providers } = readConfig({ ...simulated, PROVIDER_SIMULATOR_URL: 'http://127.0.0.1:9/' }, accounts())
  assert.equal(providers.fal?.url, 'http://127.0.0.1:9/fal')
  assert.match(await problemOf(() => readConfig(simulated, accounts())), /^PROVIDER_FAL_API_KEY .*npm start/)
  assert.equal(readConfig({ ...env, PROVIDER_FAL_API_KEY: 'own' }, accounts()).providers.fal?.url, null)
})
