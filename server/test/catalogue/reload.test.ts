/** The models' files are read again: what changes, and what a mistake leaves as it is. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { everyModel, replaceCatalogue } from '../../src/catalogue/catalogue.ts'
import { reloadCatalogue } from '../../src/catalogue/reload.ts'
import { packageDir } from '../../src/config/package-dir.ts'
import { plans } from '../../src/payment/plans.ts'
import { pricesPaid } from '../../src/payment/prices.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { type Mapping, mapRequest } from '../../src/provider/request-mapping.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { sharedSimulator } from '../support/simulator.ts'

const kinora = await openKinora()
const admin = await kinora.person({ role: 'admin' })
const folder = mkdtempSync(path.join(tmpdir(), 'kinora-catalogue-'))
const models = path.join(folder, 'models')
const paid = () => pricesPaid(kinora.app.sql)
cpSync(path.resolve(packageDir, '../catalogue'), folder, { recursive: true })
// The files of other tests run in this process too, with the models that are shipped.
const shipped = everyModel()
after(() => {
  replaceCatalogue(shipped)
  rmSync(folder, { recursive: true })
})

const delta = path.join(models, 'delta-1-5.json')
const shippedDelta = JSON.parse(readFileSync(delta, 'utf8'))
const priced = (credits: number) => JSON.stringify({ ...shippedDelta, price: { per: 'second', credits } })
const read = (name: string) =>
  reloadCatalogue(kinora.app.config, kinora.app.now(), paid, [{ name: 'catalogue', path: path.join(folder, name) }])
const reload = () => read('')
const quoteOf = async () =>
  (await kinora.call<{ credits: number }>('POST', '/api/v1/video/quote', { as: admin, body: request })).data.credits
const request = { prompt: 'A boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }
const shown = async () =>
  (await kinora.call<{ catalogue: { problems: string[] } }>('GET', '/api/v1/admin/providers', { as: admin })).data
    .catalogue

test('catalogue: changed price → taken; mistake → the models in force stay, and administrators see it', async () => {
  assert.equal(await quoteOf(), 16)
  writeFileSync(delta, priced(5))
  assert.deepEqual((await reload()).problems, [])
  assert.equal(await quoteOf(), 20)
  writeFileSync(delta, priced(7).slice(1))
  const { problems } = await reload()
  assert.match(problems.join('\n'), /^catalogue\/models\/delta-1-5\.json:1: not valid JSON/)
  assert.equal(await quoteOf(), 20)
  assert.deepEqual((await shown()).problems, problems)
  writeFileSync(delta, priced(-1))
  assert.match((await reload()).problems.join('\n'), /price\.credits: must be a number of more than 0/)
  writeFileSync(delta, priced(4))
  await reload()
  assert.deepEqual([await quoteOf(), (await shown()).problems], [16, []])
})

test('catalogue: two files of one id, no file at all, no folder → told, and nothing changes', async () => {
  const second = path.join(models, 'delta.json')
  writeFileSync(second, priced(9))
  assert.match((await reload()).problems.join('\n'), /delta\.json:1: id: must be the name of the file, delta/)
  rmSync(second)
  const none = await read('none')
  assert.match(
    none.problems.join('\n'),
    /^catalogue\/plans\.json: there is no such file.*\n.*: there is no model; add a file$/,
  )
  assert.equal(await quoteOf(), 16)
  assert.deepEqual((await reload()).problems, [])
})

test('catalogue: own folder with a model, an account and products → added to the release’s, which an id replaces', async () => {
  const own = { name: '/etc/kinora', path: mkdtempSync(path.join(folder, 'own-')) }
  const release = { name: 'catalogue', path: folder }
  const write = (name: string, value: unknown) => writeFileSync(path.join(own.path, name), JSON.stringify(value))
  mkdirSync(path.join(own.path, 'models'))
  const readBoth = () => reloadCatalogue(kinora.app.config, kinora.app.now(), paid, [release, own])
  assert.deepEqual((await readBoth()).problems, [])
  const delta15 = JSON.parse(priced(8))
  write('models/delta-1-5.json', delta15)
  write('models/mine.json', { ...delta15, id: 'mine', routes: [{ account: 'second-fal' }] })
  write('providers.json', { accounts: [{ id: 'second-fal', adapter: 'fal' }] })
  write('plans.json', { products: [{ ...(plans().products[0] as object), credits: 300 }] })
  assert.deepEqual((await readBoth()).problems, [])
  assert.equal(await quoteOf(), 32)
  assert.deepEqual([everyModel().size, everyModel().has('mine')], [shipped.size + 1, true])
  assert.deepEqual([plans().products.length, plans().products[0]?.credits], [1, 300])
  assert.deepEqual(accounts().at(-1), { id: 'second-fal', adapter: 'fal' })
  write('providers.json', { accounts: [{ id: 'fal', adapter: 'fal', concurency: 3 }] })
  write('plans.json', { products: [] })
  const [ofAccounts, ofPlans, ...more] = (await readBoth()).problems
  assert.match(
    ofAccounts ?? '',
    /^\/etc\/kinora\/providers\.json:1: accounts\[0\]\.concurency: is no field here; write one of id, /,
  )
  assert.match(
    ofPlans ?? '',
    /^\/etc\/kinora\/plans\.json:1: products: must not be empty; write an object with id, name, /,
  )
  assert.deepEqual(more, [])
  assert.deepEqual([everyModel().has('mine'), plans().products.length], [true, 1])
  await reload()
})

test('catalogue: own templates.json → listed in the place of the release’s; mistake → the former ones stay', async () => {
  const own = { name: '/etc/kinora', path: mkdtempSync(path.join(folder, 'own-')) }
  const release = { name: 'catalogue', path: folder }
  const write = (value: unknown) => writeFileSync(path.join(own.path, 'templates.json'), JSON.stringify(value))
  const problems = async () =>
    (await reloadCatalogue(kinora.app.config, kinora.app.now(), paid, [release, own])).problems.join('\n')
  const listed = async () =>
    (await kinora.call<{ templates: { title: { en: string } }[] }>('GET', '/api/v1/config/templates')).data.templates
  assert.deepEqual(await problems(), '')
  assert.ok((await listed()).length > 1)
  const heron = { title: { en: 'Heron', zh: '苍鹭' }, prompt: { en: 'A {heron} waits' } }
  write({ templates: [heron] })
  assert.deepEqual(await problems(), '')
  assert.deepEqual(await listed(), [heron])
  write({ templates: [{ title: { en: 'Heron' } }] })
  assert.match(await problems(), /^\/etc\/kinora\/templates\.json:1: templates\[0\]\.?.*prompt/)
  assert.deepEqual(await listed(), [heron])
  write({ templates: [] })
  assert.deepEqual([await problems(), await listed()], ['', []])
  await reload()
})

test('catalogue: route with a workflow beside it → the prompt of its input; none, of the editor, without a node → told', async () => {
  const own = mkdtempSync(path.join(folder, 'own-'))
  mkdirSync(path.join(own, 'models'))
  const write = (name: string, value: unknown) => writeFileSync(path.join(own, 'models', name), JSON.stringify(value))
  const input = { set: { '6': { text: 'prompt' } }, output: "'7'" }
  const routes = [{ account: 'comfyui', workflow: 'mine.workflow.json', input }]
  write('mine.json', { ...JSON.parse(priced(8)), id: 'mine', routes })
  const readOwn = async () => {
    const folders = [{ name: 'own', path: own }]
    const plansAndAccounts = [{ name: 'catalogue', path: folder }, ...folders]
    return (await reloadCatalogue(kinora.app.config, kinora.app.now(), paid, plansAndAccounts)).problems.join('\n')
  }
  assert.match(await readOwn(), /^own\/models\/mine\.json:1: routes\[0\]\.workflow: there is no such file/)
  const workflow = {
    '6': { class_type: 'CLIPTextEncode', inputs: { clip: ['5', 0] } },
    '7': { class_type: 'SaveVideo' },
  }
  write('mine.workflow.json', { nodes: [], links: [] })
  assert.match(await readOwn(), /is no workflow for the API; export it/)
  write('mine.workflow.json', { '7': workflow['7'] })
  assert.match(await readOwn(), /has no node 6, which the input sets; it has 7/)
  write('mine.workflow.json', workflow)
  assert.equal(await readOwn(), '')
  const [route] = everyModel().get('mine')?.routes ?? []
  const body = await mapRequest(route?.input as Mapping, { prompt: 'A boat' })
  assert.equal(
    JSON.stringify(body),
    JSON.stringify({ prompt: workflow, set: { '6': { text: 'A boat' } }, output: '7' }),
  )
  await reload()
})

test('service: changed file of CATALOGUE_DIR, and SIGHUP → read again; mistake, folder that cannot be read → logged, the service goes on', async () => {
  const server = await startProcess(kinora, 'api', { CATALOGUE_DIR: folder, LOG_LEVEL: 'info' })
  writeFileSync(delta, priced(6))
  utimesSync(delta, new Date(), new Date())
  await server.logged('the catalogue was read again')
  writeFileSync(delta, '{')
  server.child.kill('SIGHUP')
  await server.logged('the catalogue was not taken')
  assert.match(server.lines.join('\n'), /delta-1-5\.json:1: not valid JSON/)
  renameSync(models, `${models}-away`)
  writeFileSync(models, '')
  server.child.kill('SIGHUP')
  await server.logged('ENOTDIR')
  assert.equal(await server.stop(), 0)
  rmSync(models)
  renameSync(`${models}-away`, models)
})

test('kinora catalogue: list, check, try → routes with cost, price and margin; the request of a film; 2 for a wrong word', async () => {
  const env = { PROVIDER_FAL_API_KEY: 'key' }
  const list = await runCommand(kinora, ['catalogue'], env)
  assert.equal(list.status, 0, list.output)
  assert.match(list.output, /^delta-1-5 – Delta 1\.5, Delta Motion$/m)
  assert.match(
    list.output,
    /^ {2}provider-b – text-to-video, image-to-video – 4 s in 720p: 16 credits, cost \$0\.200, margin \d+ % /m,
  )
  assert.match(
    list.output,
    /^veo-3\.1 – Veo 3\.1, Google, as of 20\d\d-\d\d-\d\d\n {2}fal – .*credits, cost \$\d+\.\d{3}, margin \d+ % \(Ultimate, yearly\) to \d+ % \(Starter pack\)$/m,
  )
  assert.match(list.output, /^ {2}no account with settings makes: .*quality 720p/m)
  // What the catalogue's README says of a markup of 1.4.
  assert.match(
    list.output,
    /^Prices count a credit as \$0\.0234, as the cheapest that is sold\. Sold: Ultimate, yearly \$0\.0234, .*, Starter pack \$0\.0532\.$/m,
  )
  const check = await runCommand(kinora, ['catalogue', 'check'])
  assert.deepEqual([check.status, check.output.trim()], [0, `${everyModel().size} models, no mistake`])
  const unreached = { DATABASE_URL: 'postgres://kinora@127.0.0.1:1/kinora' }
  const blind = await runCommand(kinora, ['catalogue', 'check'], unreached)
  assert.match(blind.output, /^The prices were not compared with what was paid: .*ECONNREFUSED/m)
  const tried = await runCommand(kinora, ['catalogue', 'try', 'veo-3.1', '--route', 'fal'], env)
  assert.match(tried.output, /^fal: fal-ai\/veo3\.1\n\{\n {2}"prompt": "A paper boat/)
  const upscale = ['catalogue', 'try', 'bytedance-video-upscaler']
  const named = await runCommand(kinora, upscale, env)
  assert.match(named.output, /"video_url": "https:\/\/example\.com\/film"/)
  const sent = await runCommand(kinora, [...upscale, '--send'], env)
  assert.deepEqual([sent.status, /--send has no film/.test(sent.output)], [2, true], sent.output)
  const wrong = await runCommand(kinora, ['catalogue', 'try', 'veo-3.1', '--route', 'nobody'])
  assert.deepEqual([wrong.status, /has no route nobody; it has .*fal/.test(wrong.output)], [2, true])
  const own = { CATALOGUE_DIR: folder }
  const endless = `$match("${'a'.repeat(100)}b", /^(a+)+$/)`
  const routes = [{ account: 'provider-a', input: { prompt: 'prompt', size: { of: endless } } }]
  writeFileSync(delta, JSON.stringify({ ...shippedDelta, routes }))
  const ended = await runCommand(kinora, ['catalogue', 'try', 'delta-1-5'], own)
  const why =
    'the input of delta-1-5 at provider-a cannot be computed: size.of fails for a film: it takes longer than a second'
  assert.deepEqual([ended.status, ended.output.trim()], [2, `kinora catalogue try: ${why}`])
  writeFileSync(delta, priced(-1))
  const broken = await runCommand(kinora, ['catalogue', 'check'], own)
  assert.equal(broken.status, 78)
  assert.match(broken.output, /delta-1-5\.json:1: price\.credits: must be a number of more than 0/)
})

test('kinora catalogue try --send: model of the simulator → the provider’s reports until the film is there', async () => {
  const { url } = await sharedSimulator()
  const env = { PROVIDER_FAL_API_KEY: 'key', PROVIDER_FAL_URL: `${url}/fal` }
  const { status, output } = await runCommand(kinora, ['catalogue', 'try', 'veo-3.1', '--route', 'fal', '--send'], env)
  assert.equal(status, 0, output)
  assert.match(output, /"kind":"completed","result":"http/)
})
