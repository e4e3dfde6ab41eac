/**
 * Rules that the source obeys, checked on its text. Those of the schema are in schema-rules.test.ts, those of the
 * documents in document-rules.test.ts.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { auditedActions } from '../../src/account/audited-operations.ts'
import { AUDIT_ACTIONS } from '../../src/admin/audit.ts'
import { DESK_ACTIONS } from '../../src/admin/desk.ts'
import { found, root, type Source, sourcesOf, textOf } from '../support/sources.ts'

const server = sourcesOf('server/src', '.ts')

/** The arguments of a call, from the character after its opening parenthesis. */
function argumentsAt(code: string, from: number): string[] {
  const list = ['']
  for (let depth = 1, i = from; i < code.length; i += 1) {
    const character = code.charAt(i)
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (depth === 0) break
    if (depth === 1 && character === ',') list.push('')
    else list.push(list.pop() + character)
  }
  return list
}

test('import rules: upward import, type-only cycle, import into a room, of another package, file that nothing imports → reported', async (t) => {
  const planted = {
    'server/src/http/videos.ts': 'export type Route = string\n',
    'server/src/video/upward.ts': "import type { Route } from '../http/videos.ts'\nexport type Up = Route\n",
    'server/src/credit/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1\n",
    'server/src/credit/b.ts': "export type B = import('./a.ts').A[]\n",
    'server/src/unknown/file.ts': 'export const a = 1\n',
    'server/src/compatible/fal.ts': "export { n } from '../net/a.ts'\n",
    'server/src/net/a.ts': 'export const n = 1\n',
    'server/src/worker/inside.ts': "export { n } from '../compatible/fal.ts'\n",
    'server/src/main.ts':
      "import './worker/inside.ts'\nimport './unknown/file.ts'\nimport './video/upward.ts'\nimport './credit/a.ts'\nexport { b } from '../../client/src/index.ts'\n",
    'server/src/video/forgotten.ts': 'export const c = 3\n',
    'client/src/index.ts': 'export const b = 2\n',
    'server/test/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1\n",
    'server/test/b.ts': "import type { A } from './a.ts'\nexport type B = A[]\n",
    'studio/src/fetch.ts': "import 'node:http'\nimport '../../client/src/index.ts'\n",
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-imports-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(planted)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  const check = [path.join(root, 'bin/imports.mjs'), 'server', 'client', 'studio']
  const { status, stdout } = spawnSync(process.execPath, check, { cwd: folder, encoding: 'utf8' })
  const reported = [...stdout.matchAll(/error ([\w-]+): (\S+)/g)].map(([, rule, file]) => `${rule}: ${file}`)
  assert.deepEqual(reported.sort(), [
    'compatible-has-one-door: server/src/worker/inside.ts',
    'compatible-has-one-importer: server/src/worker/inside.ts',
    'compatible-imports-stated-places: server/src/compatible/fal.ts',
    'every-file-of-the-server-has-a-layer: server/src/main.ts',
    'every-file-of-the-server-is-used: server/src/video/forgotten.ts',
    'no-cycles: server/src/credit/a.ts',
    'no-cycles: server/test/a.ts',
    'server-imports-no-other-package: server/src/main.ts',
    'studio-imports-the-client-by-its-name: studio/src/fetch.ts',
    'studio-runs-in-a-browser: studio/src/fetch.ts',
    'video-imports-down: server/src/video/upward.ts',
    'worker-imports-down: server/src/worker/inside.ts',
  ])
  assert.equal(status, reported.length)
})

test('studio: network access → through @kinora/client only', () => {
  // A direct call would bypass the types. These are the fetch of the client, and that of a client that uploads.
  const fetches = ['read-gate.ts', 'studio/upload-fetch.ts']
  const studio = sourcesOf('studio/src', '.ts', '.tsx').filter(({ name }) => !fetches.includes(name))
  assert.deepEqual(found(studio, /(?<![.\w])fetch\(|new (EventSource|XMLHttpRequest|WebSocket)\(/g), [])
})

test('http: routes → contain no SQL', () => {
  const http = server.filter(({ name }) => name.startsWith('http/'))
  assert.deepEqual(
    found(http, /\bsql(<[^`;]*>)?`|(?<!Type)\.unsafe\(|\b(insert into|select .* from|delete from)\b/gi),
    [],
  )
})

test('statements: read from a function → name the columns', () => {
  // A column that a deploy adds fails, with `*`, a statement that was parsed before: "cached plan must not change
  // result type".
  assert.deepEqual(found(server, /select (\w+\.)?\*(, [^`]*?)? from kinora\.\w+\(/g), [])
})

test('SQL functions: called with more than one argument → by name', () => {
  // A positional call breaks silently when a parameter moves.
  const code = 'select kinora.credit_lock(a.user_id, now()), kinora.credit_owed(a.user_id)'
  // An aggregate takes no names.
  const sql = sourcesOf('server/sql', '.sql').map(({ code }) => code)
  const functions = new Set([...sql.join('\n').matchAll(/ function (kinora\.\w+)\(/g)].map(([, name]) => name))
  const product = [...server, ...sourcesOf('bench', '.ts'), { name: 'planted', text: code, code }]
  // The tests contain SQL text as well: what they call has parameters.
  const tests = [...sourcesOf('server/test', '.ts'), ...sourcesOf('studio/test', '.ts')]
  const calls = (files: Source[], pattern: RegExp) =>
    files.flatMap(({ name, code }) =>
      [...code.matchAll(pattern)]
        .filter(([, called]) => functions.has(called))
        .map((match) => ({ call: `${name}: ${match[1]}`, list: argumentsAt(code, match.index + match[0].length) })),
    )
  const all = [
    ...calls(product, /(?<!function )(kinora\.\w+)\(/g),
    ...calls(tests, /(?<!function )(kinora\.\w+)\((?=\s*\$\{)/g),
  ]
  assert.ok(all.length > 5, `${all.length} calls`)
  const positional = all.filter(({ list }) => list.length > 1 && !list.every((each) => /^\s*p_\w+ => /.test(each)))
  assert.deepEqual(
    positional.map(({ call }) => call),
    ['planted: kinora.credit_lock'],
  )
})

test('ledger tables: statements that write them → in credit*.sql only', () => {
  const writes = /\b(insert into|update|delete from|truncate|merge into|copy)\s+(only\s+)?(kinora\.)?credit_\w+/gi
  const isLedger = ({ name }: { name: string }) => /^credit(_\w+)?\.sql$/.test(name)
  const files = sourcesOf('server/sql', '.sql')
  const others = files.filter((file) => !isLedger(file))
  assert.deepEqual(found([...server, ...others, ...sourcesOf('server/migrations', '.sql')], writes), [])
  assert.ok(found(files.filter(isLedger), writes).length > 10)
})

test('audit log: the actions that SQL and the server write → those of AUDIT_ACTIONS, which openapi.json names', () => {
  const sources = [...server, ...sourcesOf('server/sql', '.sql')]
  const call = /(?<!function )kinora\.(?:audit_add|team_log)\(|'(?:audit_add|team_log)', \{/.source
  const calls = sources.flatMap(({ name, code }) =>
    [...code.matchAll(new RegExp(`(?:${call})[\\s\\S]*?(?:'([a-z]+\\.[a-z-]+)'|entry\\.action)`, 'g'))].map(
      ([, action]) => ({
        name,
        action,
      }),
    ),
  )
  assert.equal(calls.length, found(sources, new RegExp(call, 'g')).length)
  // better-auth's operations share one call, and so do those of the desk.
  const unnamed = calls.filter(({ action }) => action === undefined).map(({ name }) => name)
  assert.deepEqual(unnamed, ['account/audited-operations.ts', 'admin/desk.ts'])
  // A call may choose between two.
  const ofTeams = sources.flatMap(({ name, code }) =>
    name.endsWith('.sql')
      ? [...code.matchAll(/'(team\.(?:remove-member|set-role))'/g)].map(([, action = '']) => action)
      : [],
  )
  const named = calls.flatMap(({ action = [] }) => action)
  // The kind of what is taken over ends the name.
  const whole = named.flatMap((action) => (action.endsWith('-') ? [`${action}key`, `${action}endpoint`] : action))
  const written = new Set([...whole, ...ofTeams, ...Object.values(auditedActions), ...DESK_ACTIONS])
  assert.deepEqual([...written].sort(), [...AUDIT_ACTIONS].sort())
})

test('settings: reads of the environment → in main.ts only', () => {
  assert.deepEqual(found(server, /.*\bprocess\.env\b.*/g), [
    // The folder of a build, for tests (bin/test.mjs).
    "config/package-dir.ts: export const mediaDir = (!isBuilt && process.env.KINORA_MEDIA_DIR) || path.join(codeDir, 'media')",
    // Of a sample in the documents.
    `http/docs/samples.ts: key: "'x-api-key': process.env.KINORA_API_KEY ?? ''",`,
    `http/docs/samples.ts: token: "authorization: 'Bearer ' + process.env.KINORA_TOKEN",`,
    'main.ts: useCatalogueDir(process.env.CATALOGUE_DIR)',
    'main.ts: process.exit(await doctorCommand(process.env))',
    'main.ts: if (provenance?.file) process.exit(await provenanceCheck(process.env, provenance.file, provenance.url))',
    'main.ts: const config = readConfig(process.env, accounts())',
    'main.ts: const secrets = wipeSecrets(process.env)',
  ])
  const simulator = sourcesOf('simulator/src', '.ts')
  assert.deepEqual(found(simulator, /\bprocess\.env\.\w+/g), [])
  assert.deepEqual(found(server, /from 'node:process'|import\.meta\.env/g), [])
})

test('outbound connections: files that open them → the listed ones only', () => {
  const clients = found(
    server,
    /(?<![.\w])fetch\(|(=|return) postgres\(|new Stripe\(|from '(undici|google-auth-library|@aws-sdk\/[\w-]+|(node:)?(https?|net|tls|dgram|dns)\b.*)'|import\('nodemailer'\)/g,
  )
  assert.deepEqual(clients, [
    'account/auth.ts: = postgres(',
    'db/db.ts: return postgres(',
    // Of a sample in the documents.
    'http/docs/samples.ts: fetch(',
    // STATUS_CODES only.
    "http/request/envelope.ts: from 'node:http'",
    // close() of a listener only.
    "http/server.ts: from 'node:net'",
    "mail/transport.ts: import('nodemailer')",
    // Listens, for the payload that tries to escape from the decoder's sandbox.
    "media/sandbox/sandbox.ts: from 'node:net'",
    "net/http-client.ts: from 'undici'",
    "net/safe-fetch.ts: from 'undici'",
    "net/safe-post.ts: from 'undici'",
    "net/ssrf-guard.ts: from 'node:dns/promises'",
    "net/ssrf-guard.ts: from 'node:net'",
    "net/ssrf-guard.ts: from 'undici'",
    'payment/payment-b/processor.ts: new Stripe(',
    // The operator's time stamp authority.
    "provenance/time-stamp.ts: from 'undici'",
    // The sign-in of a service account.
    "provider/adapter/vertex.ts: from 'google-auth-library'",
    'provider/adapter/vertex.ts: fetch(',
    "storage/s3-bucket.ts: from '@aws-sdk/client-s3'",
    "storage/s3-client.ts: from '@aws-sdk/client-s3'",
    "storage/s3-client.ts: from '@aws-sdk/lib-storage'",
    "storage/s3.ts: from '@aws-sdk/client-s3'",
    "storage/s3.ts: from '@aws-sdk/s3-request-presigner'",
  ])
})

test('transactions: files that open them → migrations, backup, restore, distribution and the limits of a role only', () => {
  const begins = found(server, /\.(begin|savepoint)\(|['"`]\s*begin\s*;?['"`]/gi).map((use) => use.split(':')[0])
  assert.deepEqual(begins, [
    // Transactions of a backup, of one PostgreSQL or of all servers, and the locks of the second: while its snapshots
    // are opened, and to its end.
    'db/citus/common-snapshot.ts',
    'db/citus/common-snapshot.ts',
    'db/citus/common-snapshot.ts',
    'db/citus/copies.ts',
    'db/citus/distribute.ts',
    'db/citus/distribute.ts',
    'db/citus/shard-functions.ts',
    'db/citus/shard-functions.ts',
    'db/migrate.ts',
    'db/migrate.ts',
    'db/restore.ts',
    'db/role-limits.ts',
  ])
})

test('divided database: files that name what divides it → those of db/citus, and database.ts, which takes it from there', () => {
  const outside = [...server, ...sourcesOf('server/sql', '.sql')].filter(
    ({ name }) => !name.startsWith('db/citus/') && name !== 'db/database.ts',
  )
  assert.deepEqual(found(outside, /citus|distribut|\bshard|coordinator/gi), [])
})

test('sessions: files that need one of their own → migrations, distribution, the limits of a role and samples only (poolers)', () => {
  const session = /\.reserve\(|pg_(try_)?advisory_lock|set_config\(|\bpg_temp\b|create temp|\bwith hold\b/gi
  assert.deepEqual(
    [...new Set(found(server, session).map((use) => use.split(':')[0]))],
    [
      'db/citus/distribute.ts',
      'db/citus/migrate.ts',
      'db/migrate.ts',
      'db/role-limits.ts',
      // One run at a time.
      'operator/samples-command.ts',
    ],
  )
})

const GENERATED = ['client/src/openapi.ts', 'client/src/openapi-operator.ts']
const everything = [
  'server',
  'simulator',
  'cli',
  'client',
  'ai-sdk-provider',
  'user-cli',
  'studio',
  'bin',
  'bench',
  'proofs',
]
  .flatMap((folder) =>
    sourcesOf(folder, '.ts', '.tsx', '.mjs', '.sql', '.css').map((source) => ({
      ...source,
      name: `${folder}/${source.name}`,
    })),
  )
  .filter(({ name }) => !GENERATED.includes(name))

/** The tables of the product, grouped by subject, and the types of the SQL functions: to search in. */
const SEARCHED = ['server/migrations/0001_schema.sql', 'server/src/db/bindings.ts']

test('files: each one but the schema and what is made of it → at most 500 lines', () => {
  const long = everything.flatMap(({ name, text }) => {
    if (SEARCHED.includes(name)) return []
    const lines = text.trimEnd().split('\n').length
    return lines > 500 ? [`${name}: ${lines}`] : []
  })
  assert.deepEqual(long, [])
})

test('source: every file → no suppressions, open tasks, default exports, barrels, or classes except errors', () => {
  // Concatenated, so that this file does not match itself.
  const words = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', '@ts-' + 'ignore', '@ts-' + 'expect', 'biome-' + 'ignore']
  const suppressed = new RegExp(`\\b(${words.slice(0, 3).join('|')})\\b|${words.slice(3).join('|')}`, 'g')
  const texts = everything.map(({ name, text }) => ({ name, text, code: text }))
  assert.deepEqual(found(texts, suppressed), [])
  const typescript = everything.filter(({ name }) => /\.tsx?$/.test(name))
  // Vite and Lingui require a default export.
  const ours = typescript.filter(({ name }) => !/^studio\/(vite|lingui)\.config\.ts$/.test(name))
  assert.deepEqual(found(ours, /^export default .*|^export \* from .*/gm), [])
  // The simulation replaces classes of Node and of libraries.
  const product = typescript.filter(({ name }) => !name.startsWith('proofs/simulation/'))
  assert.deepEqual(found(product, /^(export )?(abstract )?class (?!\w+(?:<.*>)? extends Error\b).*/gm), [])
})

test('memory: every collection that callers can fill → is in the table of docs/security/checklist.md with its bound', () => {
  // Filled and dropped by one call, or by one pass of a worker.
  const ofOneCall = [
    // The names in the list of a vendor.
    'catalogue/findings.ts: named',
    // The prices of a model.
    'catalogue/price.ts: found',
    'catalogue/price.ts: merged',
    // Fields of a request's body.
    'compatible/vocabulary.ts: usedNames',
    'config/production-settings.ts: byValue',
    // Calls in the code.
    'db/call.ts: templates',
    // Database nodes, which the coordinator's catalogue lists.
    'db/citus/nodes.ts: downUntilMs',
    'db/citus/nodes.ts: pools',
    'db/citus/statement-user.ts: found',
    // Names of fields.
    'db/columns.ts: columnNames',
    'db/combiner.ts: locked',
    // Types of a chapter, and the pages that there are.
    'http/docs/chapter.ts: types',
    'http/docs/docs.ts: assets',
    // Schemas of the document.
    'http/openapi/openapi.ts: found',
    // Filled with the routes at the start.
    'http/request/error-responses.ts: own',
    'media/cut/rate.ts: msByRate',
    'media/film/structure.ts: names',
    // Outcomes and categories of a second, which the operator's service names.
    'moderation/moderation.ts: gathered',
    'operator/verify-command.ts: counts',
    'payment/payment-a/account.ts: checkouts',
    // The payouts of a month's movements.
    'payment/payment-b/movements.ts: payouts',
    'payment/plans.ts: taken',
    // The manifests of one film.
    'provenance/manifest.ts: carried',
    // Accounts and expressions, which the catalogue names.
    'provider/expression-answer.ts: parsed',
    'provider/open.ts: opened',
    'provider/request-mapping.ts: lookUps',
    'rate-limit/postgresql.ts: rows',
    'stream/poller.ts: events',
    // Patterns of the catalogue's schemas.
    'text/schema-problems.ts: regExps',
    // Films of one archive.
    'video/archive.ts: taken',
    // Routes of the catalogue, forgotten each day.
    'video/differing-cost.ts: routes',
    // Accounts and models of the catalogue.
    'video/provider-slot.ts: found',
    'video/provider-slot.ts: times',
    'video/route-health.ts: failing',
    'video/usual-seconds.ts: byRoute',
    'worker/retention.ts: removed',
  ]
  const rows = textOf('docs/security/checklist.md')
    .split('\n')
    .filter((line) => line.startsWith('  | '))
  const isListed = (file: string, name: string) =>
    rows.some((row) => row.includes(`\`${file}\``) && row.includes(`\`${name}\``))
  // A collection that begins empty. The keys of a WeakMap are held by others. Arrays are not found: most of them are
  // results.
  const collection =
    /(\w+)(?:: \w+(?:<[^\n]*>)?)?(?: = |: )(?:[^\n]* \?\? )?new (?:Map|Set|LRUCache)\b(?:<[^\n]*>)?\((?:\)|\{)/g
  const collections = server.flatMap(({ name: file, code }) =>
    [...code.matchAll(collection)].map(([, name = '']) => [file, name] as const),
  )
  assert.ok(collections.length > 20)
  const missing = collections.filter(([file, name]) => !isListed(file, name)).map(([file, name]) => `${file}: ${name}`)
  assert.deepEqual([...new Set(missing)].sort(), ofOneCall)
})

// Chromium can lose a request that is sent while interception is switched off (microsoft/playwright#41802).
test('studio tests: intercepted requests → interception stays on until the page is closed', () => {
  const studioTests = sourcesOf('studio/test', '.ts')
  // `openBrowser` alone ends it, right before it closes the page.
  assert.deepEqual(found(studioTests, /\.unroute(All)?\(|\btimes: \d/g), ['browser.ts: .unrouteAll('])
})

test('comments: each line → at most 120 columns, but for tables, addresses and templates', () => {
  const isComment = (name: string, line: string) =>
    name.endsWith('.sql') ? /^\s*-- /.test(line) : /^\s*(\/\*\*|\*|\/\/) /.test(line)
  const long = everything.flatMap(({ name, text }) =>
    text
      .split('\n')
      .filter((line) => line.length > 120 && isComment(name, line) && !/\S {2,}\S|https?:|\$\{/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  )
  assert.deepEqual(long, [])
})

test('folders: every name → none is generic, such as utils or services', () => {
  const generic = /\/(utils?|helpers?|common|shared|types?|services?|controllers?|repositor(y|ies)|managers?|lib)\//
  assert.deepEqual(
    everything.map(({ name }) => name).filter((name) => generic.test(name)),
    [],
  )
})

test('test titles: each one → has the form `subject: condition → outcome`', () => {
  const files = everything.filter(({ name }) => /\.test\.tsx?$/.test(name))
  const titles = files.flatMap(({ name, text }) =>
    [...text.matchAll(/\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g)].map(
      ([, single, double, template]) => ({ name, title: single ?? double ?? template ?? '' }),
    ),
  )
  assert.ok(titles.length > 1_000)
  const others = titles.filter(({ title }) => !/^[^→]+: .+ → ./.test(title))
  assert.deepEqual(
    others.map(({ name, title }) => `${name}: ${title}`),
    [],
  )
})
