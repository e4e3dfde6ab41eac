/** Accounts and routes: from the files of the catalogue and the settings to the body of a submit. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, beforeEach, test } from 'node:test'
import { checkRoutes, parseModels } from '../../src/catalogue/catalogue.ts'
import type { Route } from '../../src/catalogue/model-file.ts'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { accounts, parseAccounts } from '../../src/provider/accounts.ts'
import { openProviders } from '../../src/provider/open.ts'
import type { Adapter } from '../../src/provider/provider.ts'
import { mapRequest } from '../../src/provider/request-mapping.ts'
import { modelOf, models } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { readRow, runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())

const delta = modelOf('delta-1-5')
const file = readFileSync(new URL('../../../catalogue/models/delta-1-5.json', import.meta.url), 'utf8')
const withRoutes = (routes: unknown[]) =>
  parseModels([{ name: 'delta-1-5.json', text: JSON.stringify({ ...JSON.parse(file), routes }, null, 1) }])
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
  models().set(delta.id, { ...delta, routes })
  try {
    const ann = await kinora.person()
    const { data } = await kinora.generate(ann, request)
    await runNextStep(kinora, data.uuid)
    return provider.submits.at(-1)?.body
  } finally {
    models().set(delta.id, delta)
  }
}

test('submit: route with an input → its fields, nested, computed, without those that have no value', async () => {
  const input = {
    prompt: 'prompt',
    seconds: "$string(duration) & 's'",
    options: { ratio: 'aspectRatio', seed: 'seed' },
    image: { uri: 'start' },
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

test('submit: VENDOR_WATERMARK off, then on → `watermark` of an input is false, then true', async (t) => {
  const { config } = kinora.app
  t.after(() => {
    config.vendorWatermark = false
  })
  const input = { prompt: 'prompt', mark: { enabled: 'watermark' } }
  for (const isOn of [false, true]) {
    config.vendorWatermark = isOn
    assert.deepEqual((await bodyBy([{ account: 'provider-a', input }]))?.mark, { enabled: isOn })
  }
})

test('model file: expression that does not parse → named with file, line, route and field', async () => {
  const problem = await problemOf(() =>
    checkRoutes(
      withRoutes([{ account: 'provider-a', input: { prompt: 'prompt', options: { size: '$lookup(' } } }]),
      kinora.app.config,
    ),
  )
  assert.match(problem, /models\/delta-1-5\.json:\d+: routes\[0\]\.input\.options\.size: is no JSONata expression: ./)
})

test('model file: unknown account, field that is no text → named', async () => {
  const account = 'provider-a'
  assert.match(await problemOf(() => withRoutes([{ account: 'nobody' }])), /routes\[0\]\.account: .*no account nobody/)
  const wrong = () => checkRoutes(withRoutes([{ account, input: { a: 5 } }]), kinora.app.config)
  assert.match(await problemOf(wrong), /routes\[0\]\.input\.a: must be an expression in quotes, such as "5"/)
})

/** Its regular expression backtracks, so that it ends after the age of the universe. */
const ENDLESS = `$match("${'a'.repeat(100)}b", /^(a+)+$/)`

test('submit: model, route or a value of its input that is gone → not sent and told; sent when it is back', async () => {
  const input = { prompt: 'prompt' }
  const gone: [change: (() => void) | Route[], problem: RegExp][] = [
    [
      () => void models().delete(delta.id),
      /provider-a: the catalogue has no route of delta-1-5 for this film any more/,
    ],
    [[{ account: 'provider-a', input, serves: { duration: [5] } }], /the catalogue has no route/],
    [
      [{ account: 'provider-a', input: { prompt: '$number(prompt)' } }],
      /provider-a: the input of delta-1-5 cannot be computed: prompt fails for a film: /,
    ],
    [
      [{ account: 'provider-a', input: { prompt: 'prompt', options: { ratio: 'aspectRatio & "x"', size: ENDLESS } } }],
      /provider-a: the input of delta-1-5 cannot be computed: options\.size fails for a film: it takes longer than a second$/,
    ],
  ]
  for (const [change, problem] of gone) {
    models().set(delta.id, { ...delta, routes: [{ account: 'provider-a', input }] })
    try {
      const { data } = await kinora.generate(await kinora.person())
      if (Array.isArray(change)) models().set(delta.id, { ...delta, routes: change })
      else change()
      await runNextStep(kinora, data.uuid)
      assert.equal(provider.submits.length, 0)
      const row = await readRow(kinora, data.uuid)
      assert.deepEqual([row.status, row.submittedAt], ['PENDING', null])
      const [entry] = await kinora.app.sql<{ detail: string }[]>`
        select detail from kinora.video_log where video_id = ${data.uuid} and entry = 'not accepted'
      `
      assert.match(entry?.detail ?? '', problem)
      models().set(delta.id, delta)
      await runNextStep(kinora, data.uuid)
      assert.equal((await readRow(kinora, data.uuid)).status, 'GENERATING')
    } finally {
      models().set(delta.id, delta)
      provider.reset()
    }
  }
})

test('mapping: a list of one → as JSONata has it, without JSONata', async () => {
  for (const image of ['link', '', null, undefined, [], ['link']]) {
    const request = { image }
    assert.deepEqual(
      await mapRequest({ images: 'image ? [image]' }, request),
      await mapRequest({ images: '(image ? [image])' }, request),
    )
  }
})

test('mapping: expressions that use up time and memory → errors that name their fields; the others are evaluated', async () => {
  const request = { prompt: 'A boat', duration: 4 }
  const text = '$length($pad("x", 500000000))'
  const outcomes = await Promise.allSettled([
    mapRequest({ a: { b: ENDLESS } }, request),
    mapRequest({ c: text }, request),
    mapRequest({ seconds: '$string(duration) & "s"', prompt: 'prompt' }, request),
  ])
  const [time, memory, body] = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))
  assert.equal(time, 'a.b fails for a film: it takes longer than a second')
  assert.match(memory, /^c fails for a film: it takes (more than 64 MB of memory|longer than a second)$/)
  assert.deepEqual(body, { seconds: '4s', prompt: 'A boat' })
})

test('mapping: null and inherited names → left out; the names of constants → constants', async () => {
  assert.deepEqual(await mapRequest({ a: 'constructor', b: 'seed', c: 'true', d: '"text"' }, {}), {
    c: true,
    d: 'text',
  })
})

test('providers.json: wrong entry, id twice → named', async () => {
  const parse = (entries: unknown) => problemOf(() => parseAccounts(JSON.stringify({ accounts: entries })))
  assert.match(await parse([{ id: 'A', adapter: 'fal' }]), /providers\.json:1: accounts\[0\]\.id: must be a text/)
  const one = { id: 'a', adapter: 'fal' }
  assert.match(await parse([one, one]), /providers\.json:1: accounts\[1\]\.id: another account has the id a too/)
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
