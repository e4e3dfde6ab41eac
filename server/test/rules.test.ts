/**
 * Rules that the whole repository obeys, checked on the source text and the database schema. One file, although it is long: the
 * lists of exceptions are most of it, and a reader looks for them in one place.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { createDatabase } from './database.ts'

const root = path.resolve(import.meta.dirname, '../..')

type Source = { name: string; text: string; code: string }

/** The files of a folder with these extensions. `code` is the text without comments. */
function sourcesOf(folder: string, ...endings: string[]): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !/(^|\/)(node_modules|dist[^/]*)\//.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(root, folder, name), 'utf8')
      return { name, text, code: text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*(\/\/|--).*$/gm, '') }
    })
}

const server = sourcesOf('server/src', '.ts')

/** Every match of the pattern, as `file: match`. */
function found(files: Source[], pattern: RegExp): string[] {
  assert.ok(files.length > 0)
  return files.flatMap(({ name, code }) => [...code.matchAll(pattern)].map(([match]) => `${name}: ${match.trim()}`))
}

test('import rules: upward import, type-only cycle, import of another package → reported', async (t) => {
  const planted = {
    'server/src/http/videos.ts': 'export type Route = string\n',
    'server/src/video/upward.ts': "import type { Route } from '../http/videos.ts'\nexport type Up = Route\n",
    'server/src/credit/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1\n",
    'server/src/credit/b.ts': "export type B = import('./a.ts').A[]\n",
    'server/src/unknown/file.ts': 'export const a = 1\n',
    'server/src/main.ts': "import './unknown/file.ts'\nexport { b } from '../../client/src/index.ts'\n",
    'client/src/index.ts': 'export const b = 2\n',
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
    'every-file-of-the-server-has-a-layer: server/src/main.ts',
    'no-cycles: server/src/credit/a.ts',
    'server-imports-no-other-package: server/src/main.ts',
    'studio-imports-the-client-by-its-name: studio/src/fetch.ts',
    'studio-runs-in-a-browser: studio/src/fetch.ts',
    'video-imports-down: server/src/video/upward.ts',
  ])
  assert.equal(status, reported.length)
})

test('documents: settings → each one that config.ts reads is in the README; the files of deploy/ set no other', () => {
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const read = [
    ...text('server/src/config.ts').matchAll(/\b(?:env\.|\w+\()'?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)\b/g),
  ]
  const names = new Set(read.map(([, name = '']) => name).filter((name) => !/^(NODE_ENV|KINORA_CRASH_AT)$/.test(name)))
  assert.ok(names.size > 40, [...names].join())
  const readme = text('README.md')
  // A prefix such as PAYMENT_A counts as documented with its settings.
  const isDocumented = (name: string) => new RegExp(`\\b${name}(_|\\b)`).test(readme)
  assert.deepEqual(
    [...names].filter((name) => !isDocumented(name)),
    [],
  )
  const deployed = ['.env.example', 'systemd/kinora.env.example', 'helm/kinora/values.yaml'].flatMap((file) =>
    [...text(`deploy/${file}`).matchAll(/^ *([A-Z][A-Z0-9_]+)(?:=|: )/gm)].map(([, name = '']) => name),
  )
  assert.ok(deployed.length > 10)
  assert.deepEqual(
    deployed.filter((name) => !isDocumented(name)),
    [],
  )
})

test('documents: layers in ARCHITECTURE.md → the list of .dependency-cruiser.mjs', () => {
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const list = /const layers = \[([^\]]+)\]/.exec(text('.dependency-cruiser.mjs'))?.[1] ?? ''
  const documented = /`(main >[^`]+)`/.exec(text('ARCHITECTURE.md'))?.[1] ?? ''
  assert.deepEqual(
    documented.split('>').map((name) => name.trim()),
    [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name),
  )
})

test('studio: network access → through @kinora/client only', () => {
  // A direct call would bypass the types.
  const studio = sourcesOf('studio/src', '.ts', '.tsx')
  assert.deepEqual(found(studio, /(?<![.\w])fetch\(|new (EventSource|XMLHttpRequest|WebSocket)\(/g), [])
})

test('http: routes → contain no SQL', () => {
  const http = server.filter(({ name }) => name.startsWith('http/'))
  assert.deepEqual(
    found(http, /\bsql(<[^`;]*>)?`|(?<!Type)\.unsafe\(|\b(insert into|select .* from|delete from)\b/gi),
    [],
  )
})

test('statements: name the columns that they read from a function', () => {
  // With `*`, a column that a deploy adds fails a statement that was parsed before: "cached plan must not change result type".
  assert.deepEqual(found(server, /select (\w+\.)?\*(, [^`]*?)? from kinora\.\w+\(/g), [])
})

test('ledger tables: written by credit*.sql only', () => {
  const writes = /\b(insert into|update|delete from|truncate|merge into|copy)\s+(only\s+)?(kinora\.)?credit_\w+/gi
  const isLedger = ({ name }: { name: string }) => /^credit(_\w+)?\.sql$/.test(name)
  const files = sourcesOf('server/sql', '.sql')
  const others = files.filter((file) => !isLedger(file))
  assert.deepEqual(found([...server, ...others, ...sourcesOf('server/migrations', '.sql')], writes), [])
  assert.ok(found(files.filter(isLedger), writes).length > 10)
})

test('settings: the environment is read in main.ts only', () => {
  assert.deepEqual(found(server, /.*\bprocess\.env\b.*/g), [
    "main.ts: if (command === 'doctor') process.exit(await doctorCommand(process.env))",
    'main.ts: const config = readConfig(process.env, providersOf(catalogue()))',
    'main.ts: const secrets = wipeSecrets(process.env)',
  ])
  const simulator = sourcesOf('simulator/src', '.ts')
  assert.deepEqual(found(simulator, /\bprocess\.env\.\w+/g), [])
  assert.deepEqual(found(server, /from 'node:process'|import\.meta\.env/g), [])
})

test('outbound connections: opened by the listed files only', () => {
  const clients = found(
    server,
    /(?<![.\w])fetch\(|(=|return) postgres\(|new Stripe\(|from '(undici|@aws-sdk\/[\w-]+|(node:)?(https?|net|tls|dgram|dns)\b.*)'|import\('nodemailer'\)/g,
  )
  assert.deepEqual(clients, [
    'account/auth.ts: = postgres(',
    'db.ts: return postgres(',
    "http-client.ts: from 'undici'",
    // STATUS_CODES only.
    "http/envelope.ts: from 'node:http'",
    "mail/transport.ts: import('nodemailer')",
    // Listens, for the payload that tries the decoder's walls.
    "media/sandbox/sandbox.ts: from 'node:net'",
    'payment/stripe.ts: new Stripe(',
    "safe-fetch.ts: from 'undici'",
    "safe-post.ts: from 'undici'",
    "ssrf-guard.ts: from 'node:dns/promises'",
    "ssrf-guard.ts: from 'node:net'",
    "ssrf-guard.ts: from 'undici'",
    "storage/s3-bucket.ts: from '@aws-sdk/client-s3'",
    "storage/s3-client.ts: from '@aws-sdk/client-s3'",
    "storage/s3-client.ts: from '@aws-sdk/lib-storage'",
    "storage/s3.ts: from '@aws-sdk/client-s3'",
    "storage/s3.ts: from '@aws-sdk/s3-request-presigner'",
  ])
})

test('transactions: opened by migrations, backup, restore and the limits of a role only', () => {
  const begins = found(server, /\.(begin|savepoint)\(|['"`]\s*begin\s*;?['"`]/gi).map((use) => use.split(':')[0])
  assert.deepEqual(begins, [
    'db/backup.ts',
    'db/citus/distribute.ts',
    'db/citus/distribute.ts',
    'db/citus/distribute.ts',
    'db/migrate.ts',
    'db/migrate.ts',
    'db/restore.ts',
    'db/role-limits.ts',
  ])
})

test('sessions: kept by migrations and the limits of a role only, so that a pooler may change them after each statement', () => {
  const session = /\.reserve\(|pg_(try_)?advisory_lock|set_config\(|\bpg_temp\b|create temp|\bwith hold\b/gi
  assert.deepEqual(
    [...new Set(found(server, session).map((use) => use.split(':')[0]))],
    ['db/citus/distribute.ts', 'db/migrate.ts', 'db/role-limits.ts'],
  )
})

test('SQL functions: no NOTIFY, sequence, advisory lock, or trigger on a ledger or video table', () => {
  const sql = [...sourcesOf('server/sql', '.sql'), ...sourcesOf('server/migrations', '.sql')]
  const forbidden = /\b(notify|nextval|pg_notify|pg_advisory\w*|create (or replace )?(constraint )?trigger)\b/gi
  assert.deepEqual(
    found(sql, forbidden),
    // Those of the sign-in tables, which a library writes: a revocation is reported in its own transaction, a token is hashed, a chain of refresh
    // tokens ends, users
    // are counted, deleted ones too.
    [
      ...Array.from({ length: 6 }, () => '0018_revocations.sql'),
      '0020_session_hashes.sql',
      ...Array.from({ length: 3 }, () => '0028_counters.sql'),
      ...Array.from({ length: 4 }, () => '0045_oauth.sql'),
      '0051_refresh_token_end.sql',
    ].map((file) => `${file}: create or replace trigger`),
  )
})

test('indexes: lead with user_id, except the listed ones', async () => {
  const database = await createDatabase()
  const sql = postgres(database.url, { max: 1 })
  const rows = await sql<{ index: string; first: string }[]>`
    select c.relname as index, a.attname as first
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_class c on c.oid = i.indexrelid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'kinora'::regnamespace
  `
  const tables = await sql`select from pg_class where relnamespace = 'kinora'::regnamespace and relkind = 'r'`
  await sql.end()
  await database.drop()
  assert.ok(rows.length >= tables.length && tables.length >= 9)
  const others = rows.filter(({ first }) => first !== 'user_id').map(({ index }) => index)
  assert.deepEqual(others.sort(), [
    // An administrator's actions, on any user.
    'audit_by_action',
    'audit_by_actor',
    'audit_pkey',
    // Read by transaction id, in the sequence in which they became visible.
    'credential_revocation_pkey',
    // Sweeps over all users.
    'credit_account_next_expiry',
    // A deleted account is found by the hash of its e-mail address when a new user registers.
    'deleted_account_by_email',
    // Sweeps over all users.
    'expiry_notice_age',
    // One gift for each mailbox, a cap for each network: whose user it was is not stored.
    'gift_address_age',
    'gift_address_pkey',
    'gift_network_pkey',
    'idempotency_key_age',
    // Not of a user.
    'ledger_check_run_one_running',
    'ledger_check_run_pkey',
    // The outbox, for workers and administrators.
    'mail_age',
    'mail_due',
    'mail_expiry',
    'mail_pkey',
    'mail_unsent',
    'migration_pkey',
    // Checkouts at a processor, by age.
    'payment_checkout_age',
    'payment_checkout_pkey',
    // Payment events, and the processor's objects by which they find their user.
    'payment_event_body',
    'payment_event_by_state',
    'payment_event_dismissed_body',
    'payment_event_id',
    'payment_event_not_applied',
    'payment_event_pkey',
    'payment_event_problem',
    'payment_event_retry',
    'payment_event_unmatched',
    'payment_object_pkey',
    // A refund may precede the payment by which its user is known.
    'payment_return_of_source',
    'payment_return_pkey',
    'payment_return_unknown',
    // Lookups of a user by an external or time key.
    'provider_task_age',
    'provider_task_pkey',
    // Counters of users, addresses and accounts.
    'rate_counter_pkey',
    // Of a processor.
    'reconcile_count_pkey',
    'reconcile_state_pkey',
    // Not of a user.
    'schema_version_pkey',
    'subscription_incomplete',
    'subscription_renewing',
    // Of all users, in shards.
    'user_count_pkey',
    'video_due',
    'video_due_bucket',
    // The retention sweep, over all users.
    'video_file_due',
    'video_files_completed',
    'video_files_deleted',
    // Recent events of all users.
    'video_image_due',
    'video_log_at',
    // Deliveries by age; endpoints that are due, of all users.
    'webhook_delivery_age',
    'webhook_endpoint_due',
    'webhook_endpoint_failing_due',
  ])
})

const GENERATED = 'client/src/openapi.ts'
const everything = ['server', 'simulator', 'cli', 'client', 'ai-sdk-provider', 'user-cli', 'studio', 'bin', 'bench']
  .flatMap((folder) =>
    sourcesOf(folder, '.ts', '.tsx', '.mjs', '.sql', '.css').map((source) => ({
      ...source,
      name: `${folder}/${source.name}`,
    })),
  )
  .filter(({ name }) => name !== GENERATED)

test('file length: at most 300 lines, or 500 with a reason in the header', () => {
  const long = everything.flatMap(({ name, text }) => {
    const lines = text.trimEnd().split('\n').length
    const head = text.slice(0, 1200)
    return lines > 500 || (lines > 300 && !/although it is long/.test(head)) ? [`${name}: ${lines}`] : []
  })
  assert.deepEqual(long, [])
})

test('source: no suppressions, no open tasks, no default exports, no barrels, no classes except errors', () => {
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
  const product = typescript.filter(({ name }) => !name.startsWith('server/simulation/'))
  assert.deepEqual(found(product, /^(export )?(abstract )?class (?!\w+ extends Error\b).*/gm), [])
})

test('memory: every collection that callers can fill → is in the table of SECURITY.md with its bound', () => {
  // Filled and dropped by one call, or by one pass of a worker.
  const ofOneCall = [
    'admin/verify-command.ts: counts',
    // Database nodes, which the coordinator's catalogue lists.
    'db/citus/distributed.ts: downUntilMs',
    'db/citus/distributed.ts: pools',
    'db/citus/statement-user.ts: found',
    'db/combiner.ts: locked',
    'media/film/structure.ts: names',
    'payment/account-a.ts: checkouts',
    'payment/plans.ts: taken',
    'production-settings.ts: byValue',
    'rate-limit/postgresql.ts: rows',
    'retention.ts: removed',
    'stream/poller.ts: events',
  ]
  const rows = readFileSync(path.join(root, 'SECURITY.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('  | '))
  const isListed = (file: string, name: string) =>
    rows.some((row) => row.includes(`\`${file}\``) && row.includes(`\`${name}\``))
  // A collection that begins empty. The keys of a WeakMap are held by others. Arrays are not found: most of them are results.
  const collection =
    /(\w+)(?:: \w+(?:<[^\n]*>)?)?(?: = |: )(?:[^\n]* \?\? )?new (?:Map|Set|LRUCache)\b(?:<[^\n]*>)?\((?:\)|\{)/g
  const collections = server.flatMap(({ name: file, code }) =>
    [...code.matchAll(collection)].map(([, name = '']) => [file, name] as const),
  )
  assert.ok(collections.length > 20)
  const missing = collections.filter(([file, name]) => !isListed(file, name)).map(([file, name]) => `${file}: ${name}`)
  assert.deepEqual([...new Set(missing)].sort(), ofOneCall)
})

test('folders: no generic names such as utils or services', () => {
  const generic = /\/(utils?|helpers?|common|shared|types?|services?|controllers?|repositor(y|ies)|managers?|lib)\//
  assert.deepEqual(
    everything.map(({ name }) => name).filter((name) => generic.test(name)),
    [],
  )
})
