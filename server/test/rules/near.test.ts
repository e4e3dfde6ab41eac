/** `npm test -- --near FILE` (bin/near.mjs): which tests it names for a file, in a small tree and in this one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { readSources, testsNear } = (await import(pathToFileURL(`${root}bin/near.mjs`).href)) as {
  readSources: (root: string) => Map<string, string>
  testsNear: (sources: Map<string, string>, files: string[]) => { file: string; reason: string }[]
}

/** A template, as tests write addresses with an id. */
const idOf = '$' + '{id}'
const tree = new Map([
  ['server/sql/thing.sql', 'create or replace function kinora.thing_sell(p_id uuid) returns void'],
  [
    'server/sql/made.sql',
    '-- Written by `npm run schema` from server/src/thing/rule.ts.\ncreate function kinora.thing_rule()',
  ],
  ['server/src/thing/rule.ts', 'export const ruleSql = () => 0'],
  ['server/src/thing/list.ts', "part(sql, 'thing_rule', {})"],
  ['server/src/http/list.ts', "import { list } from '../thing/list.ts'\nroute('GET', '/api/v1/rules', {})"],
  ['server/test/rules.test.ts', "await kinora.call('GET', '/api/v1/rules?q=a')"],
  ['server/src/thing/sell.ts', `await sql\`select kinora.thing_sell(p_id => ${idOf})\``],
  ['server/src/thing/bound.ts', 'await thingSell(id)'],
  ['server/src/http/things.ts', "import { sell } from '../thing/sell.ts'\nhttp.route({ url: '/api/v1/things/:id' })"],
  ['server/src/http/all.ts', "import { registerThings } from './things.ts'"],
  ['server/test/direct.test.ts', "import { sell } from '../src/thing/sell.ts'"],
  ['server/test/bound.test.ts', "import { bound } from '../src/thing/bound.ts'"],
  ['server/test/route.test.ts', `await kinora.call('GET', \`/api/v1/things/${idOf}\`)`],
  ['server/test/other.test.ts', "import assert from 'node:assert/strict'"],
  [
    'studio/src/things/routes.tsx',
    "const things = createRoute({\n  getParentRoute: () => root,\n  path: '/things/$id',\n  component: () => import('./page.tsx'),\n})",
  ],
  ['studio/src/things/page.tsx', 'export const Page = () => null'],
  ['studio/test/page.test.ts', `await page.goto(\`/things/${idOf}\`)`],
])
const near = (file: string) => testsNear(tree, [file]).map((each) => path(each.file))
const path = (file: string) => file.replace(/^.*\/|\.test\.ts$/g, '')

test('near: an SQL file → tests of what calls its functions, by either name, and of the route above', () => {
  assert.deepEqual(near('server/sql/thing.sql').slice(0, 3).sort(), ['bound', 'direct', 'route'])
})

test('near: a source → the test that imports it, then the one that calls its route, each with the way', () => {
  const found = testsNear(tree, ['server/src/thing/sell.ts'])
  assert.deepEqual(
    found.slice(0, 2).map(({ file }) => path(file)),
    ['direct', 'route'],
  )
  assert.equal(found[1]?.reason, 'by /api/v1/things/* ← server/src/http/things.ts ← server/src/thing/sell.ts')
})

test('near: a source of which SQL is generated → the test of the route that calls a function of it by name', () => {
  assert.equal(near('server/src/thing/rule.ts')[0], 'rules')
})

test('near: a page of the studio → the test that opens its address', () => {
  assert.equal(near('studio/src/things/page.tsx')[0], 'page')
})

test('near: a test → itself, first', () => {
  assert.equal(near('server/test/other.test.ts')[0], 'other')
})

test('near: an unknown file → none', () => {
  assert.deepEqual(near('server/src/none.ts'), [])
})

test('near: files of this tree → the test of a subject is among the nearest of its SQL, its sources and its pages', () => {
  const sources = readSources(root)
  // By their ends: a test that names a file is near it.
  const find = (end: string) => [...sources.keys()].find((file) => file.endsWith(`/${end}`)) ?? end
  const expected = {
    'db/video-filters.ts': 'video/search-short.test.ts',
    'account/auth-mail.ts': 'mail/sign-in.test.ts',
    'credit_redeem.sql': 'ledger/redemption.test.ts',
    'credit/history.ts': 'ledger/history.test.ts',
    'adapter/fal.ts': 'provider/fal.test.ts',
    'plans-page.tsx': 'test/plans.test.ts',
    'zh-Hans.po': 'messages.test.ts',
  }
  for (const [file, test] of Object.entries(expected)) {
    const nearest = testsNear(sources, [find(file)]).slice(0, 5)
    assert.ok(
      nearest.some((each) => each.file === find(test)),
      `${test} is not near ${file}`,
    )
  }
})
