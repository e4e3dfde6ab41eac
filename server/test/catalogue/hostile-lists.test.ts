/** Lists that no vendor should publish: each is bounded, ends soon, and makes no draft that sells films for nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { compare } from '../../src/catalogue/compare.ts'
import type { ModelEntry } from '../../src/catalogue/model-file.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const json = (response: ServerResponse, document: unknown) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
const vendor = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
await once(vendor, 'listening')
const address = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
const { app } = await openKinora({
  env: {
    PROVIDER_OPENROUTER_API_KEY: 'key',
    PROVIDER_OPENROUTER_URL: `${address}/openrouter`,
    PROVIDER_FAL_API_KEY: 'key',
    PROVIDER_FAL_URL: `${address}/fal`,
    PROVIDER_LOCALAI_URL: `${address}/localai`,
  },
})
after(() => {
  vendor.closeAllConnections()
  vendor.close()
})
afterEach(async () => {
  await app.sql`truncate kinora.catalogue_finding, kinora.catalogue_comparison`
})

const dream = (change = {}) => ({
  ...{ id: 'acme/dream-3', name: 'Acme: Dream 3', created: Date.now() / 1000, generate_audio: true },
  ...{ supported_durations: [4, 8], supported_resolutions: ['720p'], supported_aspect_ratios: ['16:9'] },
  ...{ pricing_skus: { duration_seconds: '0.1' }, ...change },
})
/** The new models that are found in a list. */
async function newOf(document: unknown, only = 'openrouter') {
  await app.sql`truncate kinora.catalogue_finding`
  answer = (_, response) => json(response, document)
  const [found] = await compare(app, { isNow: true, only })
  const rows = await app.sql<{ name: string; model: string; text: string; draft: string; problems: string[] }[]>`
    select name, model, text, draft, problems from kinora.catalogue_finding where account = ${only} and kind = 'new'
  `
  return { problem: found?.problem, rows: [...rows] }
}
async function draftOf(change: object) {
  const { problem, rows } = await newOf({ data: [dream(change)] })
  assert.equal(problem, null)
  const { draft, problems } = rows[0] ?? assert.fail('no finding')
  return { draft: JSON.parse(draft) as ModelEntry, problems }
}

test('list: half a million names → at most 200 findings', async () => {
  const data = Array.from({ length: 500_000 }, (_, i) => ({ id: `wan-${i}` }))
  const { problem, rows } = await newOf({ data }, 'localai')
  assert.equal(problem, null)
  assert.ok(rows.length > 100 && rows.length <= 200, String(rows.length))
})

test('list: a name twice, and a thousand names that make one id → one finding of a short text', async () => {
  const { rows } = await newOf({ data: [dream(), dream(), dream({ id: 'acme/Dream-3' })] })
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['openrouter has acme/dream-3, acme/Dream-3'],
  )
  const same = Array.from({ length: 1000 }, (_, i) => dream({ id: `acme/dream${'-'.repeat(1 + (i % 150))}3` }))
  const { rows: one } = await newOf({ data: same })
  assert.deepEqual([one.length, /and 145 more$/.test(one[0]?.text ?? '')], [1, true])
})

test('list: control characters, directions, markup and 10 MB in names → one short line', async () => {
  const names = {
    'Ac\0me: Dre\0am': 'Dream',
    'A\u001b[31m: D\u202e\u001b[2Jx': 'D[2Jx',
    'A\ud800: D\udc00x': 'D\ufffdx',
    [`A: ${'x'.repeat(10_000_000)}`]: 'x'.repeat(80),
  }
  for (const [name, expected] of Object.entries(names)) {
    const { draft, problems } = await draftOf({ name })
    assert.deepEqual([draft.name, problems], [expected, []])
  }
})

test('list: prices of 0, below it, absurd ones and none → no price, so that an administrator names it', async () => {
  for (const price of ['0', '-1', '1e308', 'NaN', 'Infinity', '1e-300', null, {}, '']) {
    const { draft } = await draftOf({ pricing_skus: { duration_seconds: price } })
    assert.deepEqual([draft.routes[0]?.cost, draft.price], [undefined, { fromCost: { markup: 1.4 } }])
  }
})

test('list: 50,000 values of a field → few of them, and problems that are few and short', async () => {
  const { draft, problems } = await draftOf({ supported_durations: Array.from({ length: 50_000 }, (_, i) => i) })
  const duration = draft.modes['text-to-video']?.duration
  assert.ok(Array.isArray(duration) && duration.length <= 130)
  assert.ok(problems.length <= 10 && problems.every((text) => text.length <= 300))
})

test('list: names of inherited properties, and what is no list → no finding or one, and no failure of others', async () => {
  for (const id of ['__proto__', 'constructor', 'acme/__proto__', 'acme/toString'])
    assert.equal((await newOf({ data: [dream({ id })] })).rows.length, 1)
  const nested = `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`
  for (const document of ['[', 'null', '{"data":null}', '{"data":[null,1,"x",[],{}]}', '['.repeat(2_000_000), nested])
    assert.deepEqual((await newOf(document)).rows, [])
})

test('schema: a field that refers to itself a hundred times at each depth → read to its bound', async () => {
  const self = { $ref: '#/components/schemas/Input' }
  const Input = { allOf: Array.from({ length: 100 }, () => self), properties: { prompt: { type: 'string' } } }
  const requestBody = { content: { 'application/json': { schema: self } } }
  const openapi = { paths: { '/acme/dream': { post: { requestBody } } }, components: { schemas: { Input } } }
  const model = { endpoint_id: 'acme/dream', metadata: { date: new Date().toISOString(), status: 'active' } }
  answer = (request, response) => {
    const isSchema = request.url?.includes('openapi.json') === true
    json(response, isSchema ? openapi : request.url?.includes('pricing') ? { prices: [] } : { models: [model] })
  }
  const [{ findings } = { findings: null }] = await compare(app, { isNow: true, only: 'fal' })
  assert.deepEqual(
    findings?.filter(({ kind }) => kind === 'new').map(({ name }) => name),
    ['acme/dream'],
  )
})

test('worker: stopped while a vendor answers → the list is due again at once, and no failure is told', async () => {
  let asked = 0
  answer = () => {
    asked += 1
  }
  const stopping = new AbortController()
  const broken = compare(app, { isNow: true, only: 'openrouter', signal: stopping.signal })
  await waitFor('the request', () => asked === 1)
  stopping.abort(new Error('stopped'))
  await assert.rejects(broken, /stopped/)
  const [row] = await app.sql`select lease, next_at <= now() as is_due, problem from kinora.catalogue_comparison`
  assert.deepEqual({ ...row }, { lease: null, isDue: true, problem: null })
})
