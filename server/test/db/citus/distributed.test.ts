/**
 * What keeps Kinora's SQL fit for a distributed PostgreSQL (Citus), without one: `npm run test:citus` runs the suite on
 * a cluster. Statements about one user run on the shard of the user as on any PostgreSQL, so the rules are about names:
 * each statement has to show its user, and each name has to lead to a table or function that the shard has.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { readArguments } from '../../../src/db/citus/arguments.ts'
import { OF_SHARD } from '../../../src/db/citus/own-functions.ts'
import { nodeUrl, type Shard } from '../../../src/db/citus/placement.ts'
import { forCoordinator, forShard, functionNames, namesShards } from '../../../src/db/citus/shard-text.ts'
import { usersOf } from '../../../src/db/citus/statement-user.ts'
import {
  allDistributed,
  DISTRIBUTED,
  MIRRORED,
  SHARD_FILES,
  SHARED,
  SPLIT_BY_USER,
} from '../../../src/db/citus/tables.ts'
import { hashUser } from '../../../src/db/citus/user-hash.ts'
import { CLOCK_AHEAD } from '../../../src/db/clock.ts'
import { openDb } from '../../../src/db/db.ts'
import { OTHER_PART } from '../../../src/db/parts.ts'
import { UsageError } from '../../../src/process/command-arguments.ts'
import { notDistributed } from '../../support/citus/database.ts'
import { createDatabase } from '../../support/database.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 1, name: 'kinora distributed test' })
after(async () => {
  await sql.end()
  await database.drop()
})

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const withoutComments = (text: string) => text.replace(/--.*$/gm, '')
const files = SHARD_FILES.map((name) => ({ name, text: withoutComments(textOf(`../../../sql/${name}`)) }))
const own = new Set([
  ...functionNames([...files.map(({ text }) => text), ...OF_SHARD]),
  ...['video_decision', 'migration'],
])
const shard: Shard = {
  number: 7,
  node: 'node:5432',
  hashMax: 0,
  ids: new Map(allDistributed().map((table, i) => [table, 1000 + i])),
}

test('user hash: a thousand ids → as PostgreSQL hashes a uuid', async () => {
  const ids = Array.from({ length: 1000 }, () => randomUUID())
  const rows = await sql<
    { id: string; hash: number }[]
  >`select id, uuid_hash(id) as hash from unnest(${ids}::uuid[]) id`
  assert.deepEqual(
    rows.map(({ id }) => hashUser(id)),
    rows.map(({ hash }) => hash),
  )
})

test('address of a node: IPv4, name, IPv6 → that of the coordinator with this host and port', () => {
  const urls = ['10.0.0.2:5433', 'node-1:5432', 'fd00::2:5432'].map((node) => nodeUrl('postgres://a:b@c:5432/k', node))
  const expected = ['10.0.0.2:5433', 'node-1:5432', '[fd00::2]:5432'].map((host) => `postgres://a:b@${host}/k`)
  assert.deepEqual(urls, expected)
})

test('statement: user in parameters, in arrays or in the JSON of a set → found', () => {
  const [ann, bob] = [randomUUID(), randomUUID()]
  const find = (text: string, ...parameters: unknown[]) => usersOf({ text, parameters }, new Set(['start_run']))
  assert.deepEqual(find('select 1 from kinora.video where id = $1 and user_id = $2', bob, ann), [ann])
  assert.deepEqual(find('select kinora.credit_lock(p_user_id => $1, p_now => $2)', ann, new Date()), [ann])
  assert.deepEqual(find('select kinora.credit_lock_accounts(p_user_ids => $1)', [ann, bob]), [ann, bob])
  assert.deepEqual(find('select kinora.video_apply(p_steps => $1::text::jsonb)', JSON.stringify([{ user_id: ann }])), [
    ann,
  ])
  assert.deepEqual(find('insert into kinora.video_share (user_id, nonce) values ($1, $2)', ann, 'x'), [ann])
  assert.deepEqual(find('select kinora.start_run($1, $2)', ann, bob), [ann])
  assert.equal(find('select kinora.video_files_due($1)', ann), null)
  assert.equal(find('select from kinora.mail where p_user_id => $1', null), null)
})

test('text of a shard: rewritten → tables, functions and constraints have the names of the shard, columns and texts stay', () => {
  const tableOfConstraint = new Map([['video_pkey', 'video']])
  const text = `insert into kinora.video select kinora.uuid_v7(v.at), 'kinora' from kinora.mail v, kinora.payment_event
    on conflict on constraint video_pkey do nothing`
  const [video, mail] = [shard.ids.get('video'), shard.ids.get('shard_mail')]
  assert.equal(
    forShard(text, shard, { tableOfConstraint }, own),
    `insert into kinora.video_${video} select kinora_shard_7.uuid_v7(v.at), 'kinora' from kinora.shard_mail_${mail} v, kinora.payment_event
    on conflict on constraint video_pkey_${video} do nothing`,
  )
})

test('commands: migrate --distributed and worker --node → number of shards and address; others are refused', () => {
  assert.deepEqual(readArguments('migrate', []), { parts: null, node: null })
  assert.deepEqual(readArguments('migrate', ['--distributed']), { parts: 8, node: null })
  assert.deepEqual(readArguments('migrate', ['--distributed', '--shards', '4']), { parts: 4, node: null })
  const node = (url: string) => readArguments('worker', ['--node', url])
  assert.deepEqual(node('postgres://node-1/kinora'), { parts: null, node: 'postgres://node-1/kinora' })
  assert.throws(() => readArguments('migrate', ['--distributed', '--shards', '0']), UsageError)
  assert.throws(() => node('node-1'), UsageError)
  assert.throws(() => node('postgres://u@node-1,node-2/kinora'), /--node names several hosts/)
  assert.throws(() => readArguments('worker', ['--distributed']), UsageError)
})

/** Tables on the coordinator alone: the service's own, counters. Sign-in's tables, of schema public, are too. */
const COORDINATOR = [
  'migration',
  'schema_version',
  'payment_checkout',
  'reconcile_state',
  'reconcile_count',
  'ledger_check_run',
  'moderation_count',
  'rate_counter',
  'provider_slot',
  'catalogue_switch',
  'provider_balance',
  'catalogue_taken',
  'catalogue_comparison',
  'catalogue_finding',
  'invitation',
  'team_member',
  'team_invitation',
  'explore_film',
  'explore_report',
  'model_sample',
  'route_health',
  'credential_revocation',
  'user_count',
  'incident',
  'owner_note',
  'owner_tag',
  'takedown',
] as const

const ofOnePostgres = notDistributed('the tables have been distributed already')

test('tables: each one → is listed as on the shards, on the coordinator, or on both', ofOnePostgres, async () => {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'kinora'::regnamespace and relkind = 'r' order by 1
  `
  const mirrored = MIRRORED.flatMap(({ table }) => (table.startsWith('kinora.') ? [table.slice('kinora.'.length)] : []))
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...new Set([...DISTRIBUTED, ...SPLIT_BY_USER, ...mirrored, ...SHARED, ...COORDINATOR])].sort(),
  )
})

test(
  'distributed tables: each one → has user_id in every unique key, no foreign key, no trigger and no new identity column',
  ofOnePostgres,
  async () => {
    const names = [...DISTRIBUTED, ...SPLIT_BY_USER]
    const keys = await sql<{ name: string; key: string }[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as key
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'kinora'::regnamespace and c.relname = any(${names}) and i.indisunique
      and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and a.attnum = any(i.indkey)
      )
  `
    // migrate --distributed puts user_id into these.
    assert.deepEqual(keys.map(({ name }) => name).sort(), ['audit', 'mail', 'provider_task'])
    const others = await sql<{ what: string }[]>`
    select 'foreign key ' || conname as what from pg_constraint
    where contype = 'f' and (conrelid::regclass::text = any(${names.map((name) => `kinora.${name}`)}))
    union all
    select 'trigger ' || tgname from pg_trigger
    where not tgisinternal and tgrelid::regclass::text = any(${names.map((name) => `kinora.${name}`)})
    union all
    select 'identity ' || attrelid::regclass || '.' || attname from pg_attribute
    where attidentity <> '' and attrelid::regclass::text = any(${names.map((name) => `kinora.${name}`)})
  `
    assert.deepEqual(
      others.map(({ what }) => what),
      ['identity kinora.credit_account.number'],
    )
  },
)

test('functions of a shard: every table and function that they name → is the shard’s', async () => {
  const tables = (
    await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'kinora'::regnamespace and relkind = 'r'
  `
  ).map(({ name }) => name)
  const functions = (
    await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'kinora'::regnamespace
  `
  ).map(({ name }) => name)
  const elsewhere = files.flatMap(({ name, text }) => {
    const rewritten = forShard(text, shard, { tableOfConstraint: new Map() }, own)
    return [...rewritten.matchAll(/\b(?:kinora|public)\.(\w+|"\w+")/g)].flatMap(([, object = '']) =>
      tables.includes(object) || functions.includes(object) || object === '"user"' ? [`${name}: ${object}`] : [],
    )
  })
  const shared = SHARED.map((table) => `: ${table}`)
  assert.deepEqual(
    [...new Set(elsewhere)].filter((name) => !shared.some((table) => name.endsWith(table))),
    CALLED_ON_THE_NODE,
  )
})

/** Functions that each node has once, for tables that are shared through Citus. */
const CALLED_ON_THE_NODE = ['credit_grant.sql: credit_gift_refusal', 'credit_redeem.sql: redemption_refusal']

test('functions of a shard: columns → none is qualified with the bare name of a table, which has another one there', () => {
  const bare = new RegExp(`(?<![\\w.])(${[...DISTRIBUTED, ...SPLIT_BY_USER].join('|')})\\.\\w+`, 'g')
  const found = files.flatMap(({ name, text }) =>
    // Texts in quotes, such as the actions of the audit log, are no columns.
    [...text.replace(/'[^']*'/g, '').matchAll(bare)].map(([column]) => `${name}: ${column}`),
  )
  // Parameters of composite types are rows too.
  assert.deepEqual(found, [])
})

test('functions of a shard: statements that read a shared table → call no function of the shard, because Citus would call it on the coordinator', () => {
  const reads = new RegExp(`\\bselect\\b.*\\bfrom kinora\\.(${SHARED.join('|')})\\b`, 's')
  const found = files.flatMap(({ name, text }) =>
    text
      .split(/;|\bloop\b/)
      .filter((statement) => reads.test(statement))
      .flatMap((statement) => [...statement.slice(statement.search(/\bselect\b/)).matchAll(/\bkinora\.(\w+)\(/g)])
      .filter(([, called = '']) => own.has(called))
      .map(([call]) => `${name}: ${call}`),
  )
  assert.deepEqual(found, [])
})

test('functions of the coordinator: columns → none is qualified with the bare name of a shared table, which has another one there', () => {
  const bare = new RegExp(`(?<![\\w.])(${SHARED.join('|')})\\.\\w+`, 'g')
  const found = globSync(new URL('../../../sql/*.sql', import.meta.url).pathname).flatMap((path) =>
    [
      ...withoutComments(readFileSync(path, 'utf8'))
        .replace(/'[^']*'/g, '')
        .matchAll(bare),
    ].map(([column]) => column),
  )
  assert.deepEqual(found, [])
})

test('functions of a shard: one statement about a shared table, whose text Citus sends to the coordinator → no “return” and no call in it', () => {
  // Of a table that is copied as well, a shard reads its copy.
  const copied = MIRRORED.map(({ table }): string => table)
  const reached = SHARED.filter((table) => !copied.includes(`kinora.${table}`))
  const shared = new RegExp(`\\b(?:from|join) kinora\\.(?:${reached.join('|')})\\b`)
  const found = files.flatMap(({ text }) =>
    text
      .split(/(?=create or replace function)/)
      .filter((each) => /^language sql/m.test(each) && shared.test(each))
      .filter((each) => /^return\b/m.test(each) || /kinora\.\w+\(/.test(each.slice(each.indexOf('language sql'))))
      .map((each) => /kinora\.\w+/.exec(each)?.[0]),
  )
  assert.deepEqual(found, [])
})

test('text of the coordinator: rewritten → shared tables have the names of their rows there, others stay', () => {
  const nameOfShared = new Map([['payment_event', 'payment_event_102044']])
  assert.equal(
    forCoordinator('select kinora.payment_receive(e) from kinora.payment_event e, kinora.video', { nameOfShared }),
    'select kinora.payment_receive(e) from kinora.payment_event_102044 e, kinora.video',
  )
})

test('copies of the coordinator’s tables: each column that a statement of a shard reads → is copied', () => {
  const statements = globSync(new URL('../../../src/**/*.ts', import.meta.url).pathname)
    .flatMap((path) => templatesOf(readFileSync(path, 'utf8')))
    .filter((text) => namesShards(text, own) && usersOf({ text, parameters: USERS }, takesUserFirst()) !== null)
  const functions = files.flatMap(({ text }) => text.split(/^create or replace /m))
  const missing = [...statements, ...functions].flatMap((text) =>
    MIRRORED.flatMap(({ table, columns }) => {
      const copied = ['user_id', ...columns.replaceAll('"', '').split(', ')]
      return [...text.matchAll(new RegExp(`${table} (?:as )?(\\w+)\\b`, 'g'))].flatMap(([, alias]) =>
        [...text.matchAll(new RegExp(`\\b${alias}\\."?(\\w+)`, 'g'))].flatMap(([, column = '']) =>
          copied.includes(column) ? [] : [`${table}: ${column}`],
        ),
      )
    }),
  )
  assert.deepEqual([...new Set(missing)], [])
})

test('SQLSTATE: event that its shard applies, clock that is ahead → distinct codes, because only the first is retried', () => {
  assert.notEqual(OTHER_PART, CLOCK_AHEAD)
})

/** Parameters that are all a user. */
const USERS = Array.from({ length: 100 }, () => '{00000000-0000-4000-8000-000000000000}')
const takesUserFirst = () =>
  new Set(
    globSync(new URL('../../../sql/*.sql', import.meta.url).pathname).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^create or replace function kinora\.(\w+)\(\s*p_user_id\b/gm)].map(
        ([, name = '']) => name,
      ),
    ),
  )

test('statements of the server: each one that names a table of the shards → shows its user, or is one of those that read all shards', () => {
  const ofUser = takesUserFirst()
  const root = new URL('../../../src/', import.meta.url).pathname
  const withoutUser = globSync(`${root}**/*.ts`)
    .sort()
    .flatMap((path) => {
      const statements = templatesOf(readFileSync(path, 'utf8')).filter((text) =>
        /^\s*(select|insert|update|delete|with)\b/.test(text),
      )
      const unclear = statements.filter(
        (text) => namesShards(text, own) && usersOf({ text, parameters: USERS }, ofUser) === null,
      )
      // Migration, distribution and restore are about what is not in use.
      return unclear.length === 0 ||
        /^db\/(citus\/(shard-functions|distribute)|restore)\.ts/.test(path.slice(root.length))
        ? []
        : [`${path.slice(root.length)}: ${unclear.length}`]
    })
  assert.deepEqual(withoutUser, ABOUT_ALL_USERS)
})

/** Statements of a file about all users. A new one goes through `app.database`, or a form for Citus. */
const ABOUT_ALL_USERS: string[] = [
  'account-data/erase.ts: 2',
  'admin/audit.ts: 2',
  'admin/backlog.ts: 1',
  'admin/books.ts: 2',
  'admin/film-sums.ts: 1',
  'admin/mails.ts: 2',
  'admin/operations.ts: 3',
  'admin/overview.ts: 1',
  // The coordinator's: users by their address.
  'admin/provider-health.ts: 2',
  'admin/search.ts: 2',
  'admin/takedowns.ts: 1',
  'admin/unfinished.ts: 3',
  'admin/unsigned-films.ts: 1',
  'admin/users.ts: 1',
  'admin/videos.ts: 2',
  // Shard by shard.
  'credit/ledger.ts: 1',
  // Lists and counts of the administrators, metrics: shard by shard.
  // Into a database that is not divided.
  'operator/restore-command.ts: 1',
  'operator/setup.ts: 2',
  'operator/verify-command.ts: 1',
  'payment/payment-a/movements.ts: 1',
  // The coordinator's.
  'video/ended-tasks.ts: 1',
  'video/film-files.ts: 2',
  'video/provenance-record.ts: 1',
  'video/usual-seconds.ts: 1',
  // Shard by shard.
  'worker/retention.ts: 11',
]

/**
 * The SQL texts of a source file: the templates with the tag `sql`, or one that ends so, with `$1`, `$2`, … for what is
 * filled in. Templates inside of others are returned by themselves too; in the outer one they stand as text.
 */
function templatesOf(source: string): string[] {
  const texts: string[] = []
  for (const { index, 0: tag } of source.matchAll(/\b(?:sql|Sql|tx|part|node)(?:<[^`;]*?>)?`/g)) {
    texts.push(readTemplate(source, index + tag.length, { count: 0 }).text)
  }
  return texts
}

/** Reads a template from after its first backquote. */
function readTemplate(source: string, from: number, parameters: { count: number }): { text: string; end: number } {
  let text = ''
  let i = from
  while (i < source.length && source[i] !== '`') {
    if (source[i] === '\\') {
      text += source.slice(i, i + 2)
      i += 2
    } else if (source.startsWith('${', i)) {
      const hole = readHole(source, i + 2, parameters)
      text += hole.text ?? `$${++parameters.count}`
      i = hole.end
    } else {
      text += source[i]
      i += 1
    }
  }
  return { text, end: i + 1 }
}

/** Reads an expression up to its closing brace. `text`: of the first template in it, if there is one. */
function readHole(source: string, from: number, parameters: { count: number }): { text: string | null; end: number } {
  let depth = 1
  let text: string | null = null
  let i = from
  while (depth > 0) {
    if (source[i] === '`') {
      const template = readTemplate(source, i + 1, parameters)
      if (text === null && /sql(?:<[^>]*>)?$/.test(source.slice(from, i))) text = template.text
      i = template.end
      continue
    }
    if (source[i] === '{') depth += 1
    if (source[i] === '}') depth -= 1
    i += 1
  }
  return { text, end: i }
}
