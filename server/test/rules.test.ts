/** The rules of the house that a reader relies on, read off the source text and the tables. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { createDatabase } from './database.ts'

const root = path.resolve(import.meta.dirname, '../..')

type Source = { name: string; text: string; code: string }

/** The files of a folder with these endings. `code` is the text without comments. */
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

/** The names of the files whose code has a match, and what matches. */
function found(files: Source[], pattern: RegExp): string[] {
  assert.ok(files.length > 0)
  return files.flatMap(({ name, code }) => [...code.matchAll(pattern)].map(([match]) => `${name}: ${match.trim()}`))
}

/** From the top down, which is also the order in which to read the code. */
const layers = [
  'main',
  'http',
  'worker',
  'admin',
  'stream',
  'video',
  'image',
  'payment',
  'credit',
  'account',
  'app',
  'provider',
  'media',
  'storage',
  'safe-fetch',
  'ssrf-guard',
  'fetch-error',
  'db',
  'process',
  'log',
  'config',
  'errors',
  'id',
]
const layerOf = (file: string) => layers.indexOf(file.split('/')[0]?.replace(/\.ts$/, '') ?? '')

test('imports point down', () => {
  const wrong = server.flatMap(({ name, code }) => {
    assert.ok(layerOf(name) >= 0, `${name} has no place in the order`)
    return [...code.matchAll(/(?:from|import\(|import)\s*['"](\.[^'"]+\.ts)['"]/g)]
      .map(([, target = '']) => path.posix.join(path.posix.dirname(name), target))
      .filter((target) => layerOf(target) < layerOf(name))
      .map((target) => `${name} imports ${target}`)
  })
  assert.deepEqual(wrong, [])
})

test('imports of one file by another form no circle', () => {
  const imports = new Map(
    server.map(({ name, code }) => [
      name,
      [...code.matchAll(/^import (?!type).*?from '(\.[^']+\.ts)'/gms)].map(([, target = '']) =>
        path.posix.join(path.posix.dirname(name), target),
      ),
    ]),
  )
  const done = new Set<string>()
  const visit = (name: string, way: string[]): void => {
    assert.ok(!way.includes(name), [...way, name].join(' imports '))
    if (done.has(name)) return
    for (const target of imports.get(name) ?? []) visit(target, [...way, name])
    done.add(name)
  }
  for (const name of imports.keys()) visit(name, [])
})

type Import = { name: string; target: string }

/** What files import, a relative target as its place from the folder of the files. */
function importsOf(files: Source[]): Import[] {
  assert.ok(files.length > 0)
  return files.flatMap(({ name, code }) =>
    [...code.matchAll(/\bfrom\s+['"]([^'"\s]+)['"]|\bimport\s*\(?\s*['"]([^'"\s]+)['"]/g)].map(
      ([, named = '', loaded = '']) => {
        const target = named || loaded
        return { name, target: target.startsWith('.') ? path.posix.join(path.posix.dirname(name), target) : target }
      },
    ),
  )
}

test('no package reads the source of another', () => {
  for (const own of ['server', 'simulator', 'cli', 'client', 'studio']) {
    const imports = importsOf(sourcesOf(`${own}/src`, '.ts', '.tsx'))
    // The one file above src that is read is the package's own package.json.
    const outside = imports.filter(({ target }) => target.startsWith('../') && !allowedAbove.includes(target))
    assert.deepEqual(outside, [], own)
  }
})
const allowedAbove = ['../package.json']

test('the studio meets the service through the client alone, and the client is made of two packages', () => {
  const studio = sourcesOf('studio/src', '.ts', '.tsx')
  assert.deepEqual(
    importsOf(studio).filter(({ target }) => /^(node:|@kinora\/(?!client$))/.test(target)),
    [],
  )
  // Whoever calls the service by itself calls past the types.
  assert.deepEqual(found(studio, /(?<![.\w])fetch\(|new (EventSource|XMLHttpRequest|WebSocket)\(/g), [])

  const packages = importsOf(sourcesOf('client/src', '.ts')).filter(({ target }) => /^[\w@][^.]*$/.test(target))
  assert.deepEqual([...new Set(packages.map(({ target }) => target))].sort(), ['eventsource-parser', 'openapi-fetch'])
})

test('http never holds SQL', () => {
  const http = server.filter(({ name }) => name.startsWith('http/'))
  assert.deepEqual(
    found(http, /\bsql(<[^`;]*>)?`|(?<!Type)\.unsafe\(|\b(insert into|select .* from|delete from)\b/gi),
    [],
  )
})

test('only credit.sql writes the tables of the ledger', () => {
  const writes = /\b(insert into|update|delete from|truncate|merge into|copy)\s+(only\s+)?(kinora\.)?credit_\w+/gi
  const others = sourcesOf('server/sql', '.sql').filter(({ name }) => name !== 'credit.sql')
  assert.deepEqual(found([...server, ...others, ...sourcesOf('server/migrations', '.sql')], writes), [])
  assert.ok(found(sourcesOf('server/sql', 'credit.sql'), writes).length > 10)
})

test('settings are read in one place', () => {
  assert.deepEqual(found(server, /.*\bprocess\.env\b.*/g), [
    'main.ts: const config = readConfig(process.env, providersOf(catalogue()))',
  ])
  const simulator = sourcesOf('simulator/src', '.ts')
  assert.deepEqual(found(simulator, /\bprocess\.env\.\w+/g), [])
  assert.deepEqual(found(server, /from 'node:process'|import\.meta\.env/g), [])
})

test('the ways out of the house are known', () => {
  const ways = found(
    server,
    /(?<![.\w])fetch\(|(=|return) postgres\(|new Stripe\(|from '(undici|@aws-sdk\/[\w-]+|(node:)?(https?|net|tls|dgram|dns)\b.*)'/g,
  )
  assert.deepEqual(ways, [
    'account/auth.ts: = postgres(',
    'db.ts: return postgres(',
    'db.ts: = postgres(',
    // The names of the statuses, and no more.
    "http/envelope.ts: from 'node:http'",
    'payment/billing.ts: new Stripe(',
    "provider/call.ts: from 'undici'",
    "safe-fetch.ts: from 'undici'",
    "ssrf-guard.ts: from 'node:dns/promises'",
    "ssrf-guard.ts: from 'node:net'",
    "ssrf-guard.ts: from 'undici'",
    "storage/s3.ts: from '@aws-sdk/client-s3'",
    "storage/s3.ts: from '@aws-sdk/s3-request-presigner'",
  ])
})

test('no transaction is opened but by the migrations', () => {
  assert.deepEqual(found(server, /\.(begin|savepoint)\(|['"`]\s*begin\s*;?['"`]/gi), ['db.ts: .begin('])
})

test('no function of the transactional core notifies, draws from a sequence, or takes an advisory lock', () => {
  const sql = [...sourcesOf('server/sql', '.sql'), ...sourcesOf('server/migrations', '.sql')]
  assert.deepEqual(found(sql, /\b(notify|nextval|pg_notify|pg_advisory\w*|create trigger)\b/gi), [])
})

test('user_id leads every key and index of our tables, save the named ones', async () => {
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
    // What a sweep over all users needs.
    'credit_account_next_expiry',
    'idempotency_key_age',
    // Of the database, and of no user.
    'migration_pkey',
    // What processors report, and how they find the user whom it is about.
    'payment_event_by_state',
    'payment_event_id',
    'payment_event_pkey',
    'payment_event_unmatched',
    'payment_object_pkey',
    // Finds a user by the key of somebody else.
    'provider_task_pkey',
    'video_due',
    // What happened lately, whoever it happened to.
    'video_log_at',
    'video_image_due',
  ])
})

const GENERATED = 'client/src/openapi.ts'
const everything = ['server', 'simulator', 'cli', 'client', 'studio', 'bin', 'bench']
  .flatMap((folder) =>
    sourcesOf(folder, '.ts', '.tsx', '.mjs', '.sql', '.css').map((source) => ({
      ...source,
      name: `${folder}/${source.name}`,
    })),
  )
  .filter(({ name }) => name !== GENERATED)

test('a file has at most 300 lines, or says at its head why; none has 500', () => {
  const long = everything.flatMap(({ name, text }) => {
    const lines = text.trimEnd().split('\n').length
    const head = text.slice(0, 1200)
    return lines > 500 || (lines > 300 && !/although it is long/.test(head)) ? [`${name}: ${lines}`] : []
  })
  assert.deepEqual(long, [])
})

test('no loose ends: nothing suppressed, nothing left to do, no default export, no barrel, no class but errors', () => {
  // Composed, so that this file does not find itself.
  const words = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', '@ts-' + 'ignore', '@ts-' + 'expect', 'biome-' + 'ignore']
  const suppressed = new RegExp(`\\b(${words.slice(0, 3).join('|')})\\b|${words.slice(3).join('|')}`, 'g')
  const texts = everything.map(({ name, text }) => ({ name, text, code: text }))
  assert.deepEqual(found(texts, suppressed), [])
  const typescript = everything.filter(({ name }) => /\.tsx?$/.test(name))
  // Vite asks for the one default export.
  const ours = typescript.filter(({ name }) => name !== 'studio/vite.config.ts')
  assert.deepEqual(found(ours, /^export default .*|^export \* from .*/gm), [])
  assert.deepEqual(found(typescript, /^(export )?(abstract )?class (?!\w+ extends Error\b).*/gm), [])
})

test('no folder is named for what things are instead of what they are about', () => {
  const empty = /\/(utils?|helpers?|common|shared|types?|services?|controllers?|repositor(y|ies)|managers?|lib)\//
  assert.deepEqual(
    everything.map(({ name }) => name).filter((name) => empty.test(name)),
    [],
  )
})
