// slow
/** Vendors' lists compared with the catalogue, and drafts taken: `GET|POST /api/v1/admin/catalogue…`. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import type { FindingView, TakenView } from '../../src/admin/taken.ts'
import { everyModel, readModels, replaceCatalogue, sourceOf } from '../../src/catalogue/catalogue.ts'
import { compare } from '../../src/catalogue/compare.ts'
import { readTaken } from '../../src/catalogue/taken.ts'
import { useCatalogueDir, useTaken } from '../../src/config/package-dir.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { startSimulator } from '../support/simulator.ts'
import { waitFor } from '../support/video-row.ts'

const simulator = await startSimulator()
const DAY_MS = 86_400_000
let requests = 0
/** What answers each request of a list at a stand-in of the vendor; null: the simulator does. */
let answer: ((response: import('node:http').ServerResponse) => void) | null = null
const standIn = createServer(async (request, response) => {
  requests += 1
  if (answer) return answer(response)
  const found = await fetch(`${simulator.url}${request.url}`, { headers: request.headers as Record<string, string> })
  response.writeHead(found.status, { 'content-type': 'application/json' }).end(await found.text())
}).listen(0, '127.0.0.1')
await once(standIn, 'listening')
const address = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`

const own = mkdtempSync(path.join(tmpdir(), 'kinora-own-'))
mkdirSync(path.join(own, 'models'))
const accounts = {
  PROVIDER_OPENROUTER_API_KEY: 'key',
  PROVIDER_OPENROUTER_URL: `${simulator.url}/openrouter`,
  PROVIDER_LOCALAI_URL: `${address}/localai`,
}
const kinora = await openKinora({ simulator: true, env: accounts })
const { app } = kinora
const { sql } = app
const root = await kinora.person({ role: 'admin', credits: 0 })
const ann = await kinora.person({ credits: 1_000_000 })
const shipped = everyModel()
const port = await freePort()
const other = await startProcess(kinora, 'api', {
  ...accounts,
  PORT: String(port),
  PUBLIC_URL: app.config.publicUrl,
  CATALOGUE_DIR: own,
})
after(async () => {
  await other.stop()
  standIn.close()
  await simulator.stop()
  rmSync(own, { recursive: true })
  useTaken([])
  replaceCatalogue(shipped)
})
afterEach(async () => {
  answer = null
  await sql`truncate kinora.catalogue_taken, kinora.catalogue_finding, kinora.catalogue_comparison`
  await readTaken(app)
})

/** @param models null: as the simulator has them by itself */
const publish = (provider: string, models: object[] | null) =>
  fetch(`${simulator.url}/simulator/models/${provider}`, { method: 'PUT', body: JSON.stringify(models) })
/** In its list since yesterday. */
const dream = (change = {}) => ({
  ...{ name: 'acme/dream-3', seconds: [4, 8], qualities: ['720p', '1080p'], ratios: ['16:9'], usdPerSecond: 0.1 },
  ...{ createdAt: (Date.now() - DAY_MS) / 1000, ...change },
})
type View = {
  findings: FindingView[]
  taken: TakenView[]
  accounts: { account: string; publishes: boolean; problem: string | null }[]
}
const view = async () => (await kinora.call<View>('GET', '/api/v1/admin/catalogue', { as: root })).data
const findingOf = async (model: string) =>
  (await view()).findings.find((each) => each.model === model) ?? assert.fail(`no finding of ${model}`)
const take = async (model: string, price = {}, as = root) => {
  const { account, kind, name, digest } = await findingOf(model)
  return kinora.call<{ changed: boolean }>('POST', '/api/v1/admin/catalogue/take', {
    as,
    body: { account, kind, name, model, digest, ...price },
  })
}
async function restore(model: string) {
  const file = `models/${model}.json`
  const version = (await view()).taken.find((each) => each.file === file)?.version
  const body = { file, version, reason: 'Its films are black' }
  return kinora.call('POST', '/api/v1/admin/catalogue/restore', { as: root, body })
}
const request = { prompt: 'A boat', model: 'dream-3', duration: 4, aspectRatio: '16:9' }
/** A request of the other process. */
const there = async (url: string, body: object = request) => {
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as {
    data: { uuid: string; credits: number }
    error?: { code: string }
  }
  return { status: response.status, data, code: error?.code }
}
const isSoldThere = async () => (await there('/api/v1/video/quote')).status === 200

test('night: a model appears in a list → a finding with a draft; one click → on sale in another process; way back', async () => {
  await publish('openrouter', [dream()])
  await sql`
    insert into kinora.catalogue_comparison (account, next_at)
    select id, case id when 'openrouter' then now() - interval '1 hour' else now() + interval '1 day' end
    from unnest(${[...app.providers.ids]}::text[]) id
  `
  const worker = startWorker(app)
  await waitFor('the finding', async () => (await view()).findings.some(({ model }) => model === 'dream-3'))
  await worker.stop()
  const finding = await findingOf('dream-3')
  assert.deepEqual([finding.kind, finding.problems, finding.needsPrice], ['new', [], false])
  assert.equal(everyModel().has('dream-3'), false)
  assert.equal((await take('dream-3', {}, ann)).status, 403)
  assert.deepEqual((await take('dream-3')).data, { changed: true })
  await waitFor('the other process to sell it', isSoldThere)
  const { data, status } = await there('/api/v1/video/generate')
  assert.equal(status, 200)
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  assert.deepEqual(
    (await view()).taken.map(({ file, version, actorEmail }) => [file, version, actorEmail]),
    [['models/dream-3.json', 1, root.email]],
  )
  assert.equal((await restore('dream-3')).status, 200)
  await waitFor('the other process to sell it no more', async () => !(await isSoldThere()))
  const entries = await sql<{ action: string; actorId: string; subject: string; reason: string }[]>`
    select action, actor_id, subject, reason from kinora.audit where action like 'catalogue.%' order by id
  `
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [
      {
        action: 'catalogue.take',
        actorId: root.userId,
        subject: 'models/dream-3.json',
        reason: 'openrouter has acme/dream-3',
      },
      {
        action: 'catalogue.restore',
        actorId: root.userId,
        subject: 'models/dream-3.json',
        reason: 'Its films are black',
      },
    ],
  )
})

test('taken: another price and other values later → two findings; taken and given back one by one', async () => {
  await publish('openrouter', [dream()])
  await compare(app, { isNow: true, only: 'openrouter' })
  await take('dream-3')
  await waitFor('the other process to sell it', isSoldThere)
  const quote = async () => (await there('/api/v1/video/quote')).data.credits
  const before = await quote()
  await publish('openrouter', [dream({ usdPerSecond: 0.2, seconds: [4, 6, 8] })])
  const [found] = await compare(app, { isNow: true, only: 'openrouter' })
  const ofDream = found?.findings?.filter(({ model }) => model === 'dream-3') ?? []
  assert.deepEqual(
    ofDream.map(({ kind, text, problems }) => [kind, text, problems]),
    [
      ['repriced', 'text-to-video, 4 s in 720p, costs $0.8, not $0.4', []],
      ['values', 'duration: also 6', []],
    ],
  )
  await take('dream-3')
  await waitFor('the price there', async () => (await quote()) === 2 * before || (await quote()) === 2 * before - 1)
  await restore('dream-3')
  await waitFor('the former price there', async () => (await quote()) === before)
})

test('taken: another draft at once after the way back, between two polls → in force', async () => {
  const id = 'delta-1-5'
  const { entry } = sourceOf(shipped.get(id) ?? assert.fail()) ?? assert.fail()
  const take = (name: string) => sql`
    insert into kinora.catalogue_taken (file, version, entry, reason, actor_id, created_at)
    values (${`models/${id}.json`}, 1, ${JSON.stringify({ ...entry, name })}, 'A test', ${root.userId}, clock_timestamp())
  `
  await take('First')
  await readTaken(app)
  await sql`delete from kinora.catalogue_taken`
  await take('Second')
  await readTaken(app)
  assert.equal(everyModel().get(id)?.name, 'Second')
})

test('list: gone → a finding whose draft leaves the route out; the last route → no draft', async () => {
  await publish('openrouter', [dream()])
  const [found] = await compare(app, { isNow: true, only: 'openrouter' })
  const gone = found?.findings?.filter(({ kind }) => kind === 'gone') ?? []
  const drafts = gone.filter(({ draft }) => draft)
  assert.ok(drafts.length > 0)
  for (const { draft, problems } of drafts) {
    assert.ok(!draft?.routes?.some(({ account }) => account === 'openrouter') || problems.length === 0)
  }
})

test('list: 50 MB, no list at all, or an answer that leads to a private address → refused, and said; earlier findings stay', async () => {
  const cases: [RegExp, NonNullable<typeof answer>][] = [
    [
      /^127\.0\.0\.1 sent more than the 20000000 bytes that are allowed\.$/,
      (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': 50_000_000 }).end(),
    ],
    [
      /^127\.0\.0\.1 sent more than the 20000000 bytes that are allowed\.$/,
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const part = Buffer.alloc(1_000_000, ' ')
        const next = (left: number) => left > 0 && response.write(part, () => next(left - 1))
        next(50)
      },
    ],
    [
      /^its list of models has no data$/,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    ],
    [
      /Only https|public Internet/,
      (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    ],
    [/public Internet/, (response) => response.writeHead(302, { location: 'https://10.0.0.1/v1/models' }).end()],
  ]
  await publish('localai', [{ name: 'ltx-2-video' }])
  await compare(app, { isNow: true, only: 'localai' })
  const before = (await view()).findings
  assert.ok(before.length > 0)
  for (const [message, reply] of cases) {
    answer = reply
    const [{ problem } = { problem: null }] = await compare(app, { isNow: true, only: 'localai' })
    assert.match(problem ?? '', message)
    const account = (await view()).accounts.find((each) => each.account === 'localai')
    assert.equal(account?.problem, problem)
  }
  assert.deepEqual((await view()).findings, before)
})

test('lease: two workers at the same time → one asks', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  answer = (response) => {
    void held.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}'))
  }
  requests = 0
  const first = compare(app, { isNow: true, only: 'localai' })
  await waitFor('the first request', () => requests === 1)
  const [second] = await compare(app, { isNow: true, only: 'localai' })
  assert.equal(second?.problem, 'Another process compares it now; try again in some minutes.')
  assert.deepEqual(await compare(app, { only: 'localai' }), [])
  release()
  assert.equal((await first)[0]?.problem, null)
  assert.equal(requests, 1)
})

test('own server: a model that runs there → offered with one price, and made', async () => {
  await publish('localai', [{ name: 'ltx-2-video' }, { name: 'llama-3' }])
  await compare(app, { isNow: true, only: 'localai' })
  const finding = await findingOf('ltx-2-video')
  assert.deepEqual([finding.kind, finding.needsPrice, finding.problems], ['new', true, []])
  assert.match((await take('ltx-2-video')).error?.message ?? '', /cost is missing/)
  assert.equal((await take('ltx-2-video', { creditsPerSecond: 2, usdPerSecond: 1 })).status, 400)
  assert.equal((await take('ltx-2-video', { creditsPerSecond: 2 })).status, 200)
  const wanted = { ...request, model: 'ltx-2-video' }
  await waitFor(
    'the other process to sell it',
    async () => (await there('/api/v1/video/quote', wanted)).data?.credits === 8,
  )
})

test('own files: a file of CATALOGUE_DIR → wins over a draft', async () => {
  await publish('openrouter', [dream()])
  await compare(app, { isNow: true, only: 'openrouter' })
  const { draft } = await findingOf('dream-3')
  await take('dream-3')
  await waitFor('the other process to sell it', isSoldThere)
  const file = path.join(own, 'models/dream-3.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(draft ?? ''), price: { per: 'second', credits: 77 } }))
  other.child.kill('SIGHUP')
  await waitFor('the price of the file', async () => (await there('/api/v1/video/quote')).data.credits === 308)
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/admin/catalogue`, {
    headers: { authorization: `Bearer ${root.token}` },
  })
  const { data } = (await response.json()) as { data: View }
  assert.deepEqual(
    data.taken.map(({ file, isOverridden }) => [file, isOverridden]),
    [['models/dream-3.json', true]],
  )
  // Of a draft that would not be in force, the taking is refused.
  useCatalogueDir(own)
  replaceCatalogue(readModels())
  await publish('openrouter', [dream({ usdPerSecond: 0.3 })])
  await compare(app, { isNow: true, only: 'openrouter' })
  const { status, error } = await take('dream-3')
  useCatalogueDir(undefined)
  replaceCatalogue(readModels())
  assert.deepEqual(
    [status, error?.message],
    [409, 'The file models/dream-3.json of CATALOGUE_DIR wins over this one: change or remove it there.'],
  )
  rmSync(file)
  other.child.kill('SIGHUP')
  await waitFor('the price of the draft', async () => (await there('/api/v1/video/quote')).data.credits !== 308)
})

test('draft: a mistake → refused with the message of the check, and nothing is taken', async () => {
  await publish('openrouter', [dream({ ratios: [] })])
  await compare(app, { isNow: true, only: 'openrouter' })
  const { problems } = await findingOf('dream-3')
  assert.match(problems.join(), /drafts\/models\/dream-3\.json:\d+: modes\.text-to-video: aspectRatio is missing/)
  const { status, error } = await take('dream-3')
  assert.deepEqual([status, error?.message], [400, `The file has a mistake: ${problems.join('; ')}.`])
  assert.deepEqual((await view()).taken, [])
})

test('kinora catalogue compare: what differs at each account, a list that is none → a line each, status 1', async () => {
  await publish('openrouter', [dream()])
  await publish('localai', [{ name: 'wan-2.2' }])
  const one = await runCommand(kinora, ['catalogue', 'compare', 'openrouter'], accounts)
  assert.equal(one.status, 0)
  assert.match(one.output, /^openrouter – new – dream-3 – openrouter has acme\/dream-3 – a draft is on Models$/m)
  const all = await runCommand(kinora, ['catalogue', 'compare'], accounts)
  assert.match(all.output, /^provider-a – publishes no list$/m)
  assert.match(all.output, /^localai – (as the catalogue has it|gone .*)$/m)
  answer = (response) => response.writeHead(500).end()
  const failed = await runCommand(kinora, ['catalogue', 'compare', 'localai'], accounts)
  assert.deepEqual(failed, { status: 1, output: 'localai – 127.0.0.1 answered with status 500.\n' })
  assert.equal((await runCommand(kinora, ['catalogue', 'compare', 'fal'], accounts)).status, 2)
})

test('lists: each that an adapter reads, as the simulator has it → nothing new, gone, or of other values', async () => {
  const ids = ['openrouter', 'fal', 'replicate', 'runway', 'vercel', 'google', 'openai', 'localai', 'comfyui']
  const settings = ids.flatMap((id) => {
    const name = `PROVIDER_${id.toUpperCase()}`
    return [
      [`${name}_URL`, `${simulator.url}/${id}`],
      [`${name}_API_KEY`, 'key'],
    ]
  })
  for (const id of ids) await publish(id, null)
  const { status, output } = await runCommand(kinora, ['catalogue', 'compare'], Object.fromEntries(settings))
  assert.equal(status, 0, output)
  for (const id of ids) {
    // The simulator has one price for every endpoint of fal.
    const lines = output.split('\n').filter((line) => line.startsWith(`${id} – `) && !/ – repriced – /.test(line))
    assert.deepEqual(lines, id === 'fal' ? [] : [`${id} – as the catalogue has it`])
  }
})
