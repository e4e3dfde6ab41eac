/**
 * Files of the catalogue that administrators write or take as drafts: moments at which two act, what is refused, and
 * rows that a release, its accounts or its check refuse.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import type { FindingView, TakenView } from '../../src/admin/taken.ts'
import { everyModel, readModels, replaceCatalogue } from '../../src/catalogue/catalogue.ts'
import { baseOf } from '../../src/catalogue/compare.ts'
import { catalogueState, reloadCatalogue } from '../../src/catalogue/reload.ts'
import { readTaken } from '../../src/catalogue/taken.ts'
import { packageDir, useCatalogueDir, useTaken } from '../../src/config/package-dir.ts'
import { accounts, replaceAccounts } from '../../src/provider/accounts.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
const { sql } = app
const root = await kinora.person({ role: 'admin' })
const other = await kinora.person({ role: 'admin' })
const [shipped, shippedAccounts] = [everyModel(), accounts()]
const folder = path.resolve(packageDir, '../catalogue')
const delta = JSON.parse(readFileSync(path.join(folder, 'models/delta-1-5.json'), 'utf8'))
const { position: _, ...night } = {
  ...delta,
  id: 'night-1',
  // Of a model whose price follows from its cost, no cost is known.
  routes: delta.routes.map(({ cost: _, ...route }: { cost: object }) => route),
}
afterEach(async () => {
  await sql`truncate kinora.catalogue_taken, kinora.catalogue_finding`
  await readTaken(app)
})
after(() => {
  useTaken([])
  replaceAccounts(shippedAccounts)
  replaceCatalogue(shipped)
})

type View = { findings: FindingView[]; taken: TakenView[]; files: object[] }
const view = async () => (await kinora.call<View>('GET', '/api/v1/admin/catalogue', { as: root })).data
/** @param name the vendor's, which tells findings of a model apart */
const find = (draft: object, name = 'a', model = 'night-1') => sql`
  insert into kinora.catalogue_finding (account, kind, name, model, text, draft, base, problems, found_at)
  values ('provider-a', 'new', ${name}, ${model}, 'x', ${JSON.stringify(draft)}, ${baseOf(model)}, '{}', now())
  on conflict (account, kind, name, model) do update set draft = excluded.draft
`
const findingOf = async (name: string) =>
  (await view()).findings.find((each) => each.name === name) ?? assert.fail(`no finding ${name}`)
const take = ({ account, kind, name, model, digest }: FindingView, as = root, price = {}) =>
  kinora.call('POST', '/api/v1/admin/catalogue/take', {
    as,
    body: { account, kind, name, model, digest, ...price },
  })
const restore = (version: number, as = root) =>
  kinora.call('POST', '/api/v1/admin/catalogue/restore', {
    as,
    body: { file: 'models/night-1.json', version, reason: 'Black' },
  })
const priced = (credits: number) => ({ ...night, price: { per: 'second', credits } })
const priceNow = () => everyModel().get('night-1')?.price
/** As another release, or a hand, left it. */
const put = (id: string, entry: string) => sql`
  insert into kinora.catalogue_taken (file, version, entry, reason, actor_id, created_at)
  values (${`models/${id}.json`}, 1, ${entry}, 'x', ${root.userId}, now())
`

test('take: the draft was another one when it was shown → refused, and nothing is taken', async () => {
  await find(priced(3))
  const shown = await findingOf('a')
  await find(priced(30))
  const { status, error } = await take(shown)
  assert.deepEqual([status, error?.message], [409, 'The draft is another one than was shown: look at it again.'])
  assert.deepEqual((await view()).taken, [])
  assert.equal((await take(await findingOf('a'))).status, 200)
  assert.deepEqual(priceNow(), { per: 'second', credits: 30 })
})

test('take: two administrators at once, the same one or two of a model → one is taken, the other is told', async () => {
  await find(priced(3))
  const same = await findingOf('a')
  const twice = await Promise.all([take(same), take(same, other)])
  assert.ok(twice.some(({ status }) => status === 200))
  assert.ok(twice.every(({ status }) => [200, 404, 409].includes(status)))
  assert.deepEqual(
    (await view()).taken.map(({ version }) => version),
    [1],
  )
  await find(priced(5), 'b')
  await find({ ...priced(3), usualSeconds: 61 }, 'c')
  const [b, c] = [await findingOf('b'), await findingOf('c')]
  const both = await Promise.all([take(b), take(c, other)])
  assert.deepEqual(both.map(({ status }) => (status === 200 ? 'taken' : 'told')).toSorted(), ['taken', 'told'])
})

test('take: the model’s file has changed since it was compared → refused', async () => {
  await find(priced(3))
  await take(await findingOf('a'))
  await find(priced(5), 'b')
  const shown = await findingOf('b')
  await restore(1)
  const { status, error } = await take(shown)
  assert.equal(status, 409)
  assert.match(error?.message ?? '', /^The file of night-1 has changed since it was compared/)
})

test('take: a cost of 0, below it, or none → refused', async () => {
  await find({ ...night, price: { fromCost: { markup: 1.4 } } })
  const finding = await findingOf('a')
  for (const price of [{ usdPerSecond: 0 }, { usdPerSecond: -1 }, { creditsPerSecond: 0 }, {}])
    assert.equal((await take(finding, root, price)).status, 400)
})

test('restore: two administrators, or a click twice → one version is removed', async () => {
  await find(priced(3))
  await take(await findingOf('a'))
  await find(priced(5), 'b')
  await take(await findingOf('b'))
  await Promise.all([restore(2), restore(2, other)])
  assert.deepEqual(priceNow(), { per: 'second', credits: 3 })
})

test('restore: and another draft within a poll → the process has the other one', async () => {
  await put('night-1', JSON.stringify(priced(3)))
  await readTaken(app)
  await sql`delete from kinora.catalogue_taken`
  await put('night-1', JSON.stringify(priced(5)))
  await readTaken(app)
  assert.deepEqual(priceNow(), { per: 'second', credits: 5 })
})

type FileOf = { of: string | null; text: string; versions: { version: number; reason: string }[] }
const FILE = '/api/v1/admin/catalogue/file'
const open = async (file: string) => (await kinora.call<FileOf>('GET', `${FILE}?file=${file}`, { as: root })).data
const write = async (file: string, value: object, change = {}) => {
  const version = (await open(file)).versions[0]?.version ?? 0
  const body = { file, text: JSON.stringify(value, null, 2), version, reason: 'A test', ...change }
  return kinora.call<{ changed: boolean }>('PUT', FILE, { as: root, body })
}
const shippedPlans = JSON.parse(readFileSync(path.join(folder, 'plans.json'), 'utf8'))
const pack = { id: 'pack-try', name: 'Try', kind: 'pack', credits: 10, validDays: 30 }
const withPack = (change = {}) => ({
  products: [...shippedPlans.products, { ...pack, price: { cents: 100, currency: 'USD' }, ...change }],
})

test('write: products, templates and a model → in force in this process and another, audited, and taken back', async () => {
  const port = await freePort()
  const process = await startProcess(kinora, 'api', { PORT: String(port) })
  const there = `http://127.0.0.1:${port}`
  const soldAt = async (url: string) => {
    const response = await fetch(`${url}/api/v1/config/plans`)
    const { data } = (await response.json()) as { data: { products: { id: string }[] } }
    return data.products.some(({ id }) => id === pack.id)
  }
  assert.deepEqual([(await open('plans.json')).of, (await open('plans.json')).versions], ['release', []])
  assert.equal((await write('plans.json', withPack())).status, 200)
  assert.ok(await soldAt(kinora.url))
  await waitFor('the other process to sell it', () => soldAt(there))
  assert.deepEqual((await write('plans.json', withPack())).data, { changed: false })
  assert.equal((await write('plans.json', withPack({ listed: false }))).status, 200)
  assert.equal(await soldAt(kinora.url), false)
  const templates = { templates: [{ title: { en: 'Ours' }, prompt: { en: 'A boat' } }] }
  assert.equal((await write('templates.json', templates)).status, 200)
  assert.match((await kinora.call('GET', '/api/v1/config/templates')).text, /"Ours"/)
  assert.equal((await write('models/delta-1-5.json', { ...delta, name: 'Delta of ours' })).status, 200)
  assert.equal(everyModel().get('delta-1-5')?.name, 'Delta of ours')
  const { of, versions } = await open('plans.json')
  assert.deepEqual([of, versions.map(({ version }) => version)], ['taken', [2, 1]])
  const back = (file: string, version: number) =>
    kinora.call('POST', '/api/v1/admin/catalogue/restore', { as: root, body: { file, version, reason: 'Back' } })
  await back('plans.json', 2)
  assert.ok(await soldAt(kinora.url))
  for (const file of ['plans.json', 'templates.json', 'models/delta-1-5.json']) await back(file, 1)
  assert.deepEqual([await soldAt(kinora.url), everyModel().get('delta-1-5')?.name], [false, delta.name])
  await waitFor('the other process to sell it no more', async () => !(await soldAt(there)))
  await process.stop()
  const [first] = await sql<{ before: object; after: object }[]>`
    select before, after from kinora.audit where subject = 'plans.json' and action = 'catalogue.take' order by id limit 1
  `
  assert.deepEqual([first?.before, first?.after], [shippedPlans, withPack()])
})

test('write: a mistake, another version, a file of CATALOGUE_DIR, a price or product that was paid → refused', async () => {
  const refused = async (expected: number, words: RegExp, ...args: Parameters<typeof write>) => {
    const { status, error } = await write(...args)
    assert.equal(status, expected)
    assert.match(error?.message ?? '', words)
  }
  await refused(
    400,
    /^The file has a mistake: drafts\/plans\.json:\d+: .*credits/,
    'plans.json',
    withPack({ credits: 0 }),
  )
  await refused(400, /must be the name of the file, night-2/, 'models/night-2.json', priced(3))
  await refused(409, /^The file has changed since you opened it/, 'plans.json', withPack(), { version: 7 })
  await sql`
    insert into kinora.payment_price (processor, sold_as, user_id, cents, currency, credits, first_paid_at)
    values ('payment-b', 'price_pack_try', ${root.userId}, 100, 'USD', 10, now())
  `
  try {
    assert.equal((await write('plans.json', withPack())).status, 200)
    await refused(400, /payment-b has sold price_pack_try for 1\.00 USD/, 'plans.json', withPack({ credits: 20 }))
    await refused(400, /price_pack_try, which no product has: keep its product/, 'plans.json', shippedPlans)
    const body = { file: 'plans.json', version: 1, reason: 'Back' }
    assert.equal((await kinora.call('POST', '/api/v1/admin/catalogue/restore', { as: root, body })).status, 400)
  } finally {
    await sql`delete from kinora.payment_price where sold_as = 'price_pack_try'`
  }
  const own = mkdtempSync(path.join(tmpdir(), 'kinora-own-'))
  writeFileSync(path.join(own, 'plans.json'), JSON.stringify(shippedPlans))
  useCatalogueDir(own)
  await refused(409, /^The file plans\.json of CATALOGUE_DIR wins over this one/, 'plans.json', withPack({ name: 'X' }))
  const { taken, files } = await view()
  useCatalogueDir(undefined)
  rmSync(own, { recursive: true })
  assert.deepEqual([taken[0]?.isOverridden, files[0]], [true, { file: 'plans.json', of: 'own' }])
})

test('start: rows that no check takes → processes start, other models are offered, commands and Models name the row', async () => {
  await put('night-1', JSON.stringify({ ...night, fieldOfAFormerRelease: 1 }))
  await put('night-2', 'no JSON')
  await put('night-3', 'null')
  await put('night-4', JSON.stringify({ ...night, id: 'night-4', routes: [{ account: 'former' }] }))
  await put('delta-1-5', JSON.stringify({ ...delta, modes: {} }))
  await put('../night', JSON.stringify({ ...night, id: '../night' }))
  const process = await startProcess(kinora, 'api')
  await process.stop()
  await readTaken(app)
  assert.deepEqual([...everyModel().keys()], [...shipped.keys()])
  const { problems } = catalogueState()
  assert.equal(problems.length, 6)
  assert.ok(problems.every((text) => /^The change of \S+ is not in force; take it back in Configuration: /.test(text)))
  assert.match(
    (await runCommand(kinora, ['catalogue'])).output,
    /^The change of models\/night-1\.json is not in force; take it back/m,
  )
  assert.match(
    (await runCommand(kinora, ['doctor'])).output,
    /^configuration – the change of models\/night-4\.json is not in force/im,
  )
  assert.equal((await restore(1)).status, 200)
  assert.equal(catalogueState().problems.length, 5)
})

test('accounts: that of a draft leaves providers.json and comes back → other files are read; the draft is back too', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'kinora-taken-'))
  const folders = [{ name: 'catalogue', path: own }]
  const reload = () => reloadCatalogue(app.config, app.now(), async () => [], folders)
  cpSync(folder, own, { recursive: true })
  const providers = JSON.parse(readFileSync(path.join(own, 'providers.json'), 'utf8'))
  const more = { ...providers, accounts: [...providers.accounts, { ...providers.accounts[0], id: 'more' }] }
  const write = (file: object) => writeFileSync(path.join(own, 'providers.json'), JSON.stringify(file))
  try {
    write(more)
    await reload()
    await put('night-1', JSON.stringify({ ...priced(3), routes: [{ ...night.routes[0], account: 'more' }] }))
    await readTaken(app)
    assert.ok(everyModel().has('night-1'))
    write(providers)
    assert.deepEqual((await reload()).problems, [])
    assert.equal(everyModel().has('night-1'), false)
    await readTaken(app)
    assert.match(catalogueState().problems.join(), /no account more/)
    write(more)
    await reload()
    await readTaken(app)
    assert.ok(everyModel().has('night-1'))
  } finally {
    rmSync(own, { recursive: true })
    replaceAccounts(shippedAccounts)
    replaceCatalogue(shipped)
  }
})

test('own files: a mistake in one when a draft is taken → taken, and in force with the repaired file', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'kinora-taken-'))
  cpSync(path.join(folder, 'models/delta-1-5.json'), path.join(own, 'models/delta-1-5.json'))
  useCatalogueDir(own)
  try {
    await find(priced(3))
    const finding = await findingOf('a')
    writeFileSync(path.join(own, 'models/delta-1-5.json'), '{')
    assert.equal((await take(finding)).status, 200)
    writeFileSync(path.join(own, 'models/delta-1-5.json'), JSON.stringify(delta))
    replaceCatalogue(readModels())
    assert.ok(everyModel().has('night-1'))
  } finally {
    useCatalogueDir(undefined)
    rmSync(own, { recursive: true })
    replaceCatalogue(shipped)
  }
})
