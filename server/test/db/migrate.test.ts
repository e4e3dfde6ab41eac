// slow
/** Migrations and the replacement of SQL functions, while other sessions use the database. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { creditBalance } from '../../src/credit/ledger.ts'
import { verify } from '../../src/credit/verify.ts'
import { migrate } from '../../src/db/database.ts'
import type { Sql } from '../../src/db/db.ts'
import { onePart } from '../../src/db/parts.ts'
import { SchemaTooNewError } from '../../src/errors.ts'
import { videoCancel, videoGenerate } from '../../src/video/transitions.ts'
import { notDistributed, openTestDatabase } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { creditGrant } from '../support/ledger/ledger-calls.ts'
import { own, type SchemaChange, writeSchema } from '../support/schema-fixture.ts'
import { newVideo } from '../support/video-row.ts'

const next = own.version + 1

/** A migrated database of its own, and its migration to another schema. */
async function openDatabase(t: TestContext) {
  const database = await createDatabase()
  const { sql, close } = await openTestDatabase(database.url, { connections: 8, name: 'migrate test' })
  t.after(async () => {
    await close()
    await database.drop()
  })
  const warnings: string[] = []
  const options = { warn: (message: string) => warnings.push(message) }
  return {
    sql,
    warnings,
    migrate: () => migrate(database.url),
    migrateTo: (change: SchemaChange) => migrate(database.url, { ...options, dir: writeSchema(change) }),
  }
}

/** What a run applies after its migrations. */
const isDistributed = process.env.CITUS_URL !== undefined
const functions = isDistributed ? ['functions', 'functions of 4 shards'] : ['functions']
const underLoad = notDistributed('the processes are stopped for an update')

const versionOf = async (sql: Sql) =>
  (await sql<{ version: number }[]>`select max(version) as version from kinora.schema_version`)[0]?.version
const names = async (sql: Sql, schema = 'kinora') =>
  (await sql<{ name: string }[]>`select proname as name from pg_proc where pronamespace = ${schema}::regnamespace`).map(
    ({ name }) => name,
  )

test('migrate: up to date → nothing is applied', async (t) => {
  const database = await openDatabase(t)
  assert.deepEqual(await database.migrate(), { applied: [], isDivided: isDistributed })
  assert.equal(await versionOf(database.sql), own.version)
})

test('migrate: older version → the newer functions and migrations stay', async (t) => {
  const database = await openDatabase(t)
  const added = 'create or replace function kinora.of_next() returns integer language sql return 1;'
  await database.migrateTo({ version: next, functions: added })
  assert.deepEqual(await database.migrate(), { applied: [], isDivided: isDistributed })
  assert.ok((await names(database.sql)).includes('of_next'))
  assert.equal(await versionOf(database.sql), next)
})

test('migrate: version below the minimum of the database → SchemaTooNewError names both versions', async (t) => {
  const database = await openDatabase(t)
  await database.migrateTo({ version: next, minimum: next })
  await assert.rejects(database.migrate(), (error: Error) => {
    assert.ok(error instanceof SchemaTooNewError)
    assert.match(error.message, new RegExp(`schema version ${own.version}, is too old .* version ${next} and accepts`))
    return true
  })
})

test('migrate: several processes at once → one applies, the others have nothing to do', async (t) => {
  const database = await openDatabase(t)
  const change = { version: next, files: { 'migrations/9001_next.sql': 'create table kinora.next (user_id uuid);' } }
  const results = await Promise.all(Array.from({ length: 4 }, () => database.migrateTo(change)))
  assert.deepEqual(results.map(({ applied }) => applied.join()).sort(), [
    '',
    '',
    '',
    ['9001_next.sql', ...functions].join(),
  ])
})

test('functions: a name that is gone → kept until the minimum has passed it, then retired', underLoad, async (t) => {
  const { sql, migrateTo } = await openDatabase(t)
  const edits: SchemaChange['edits'] = [['kinora.credit_balance(', 'kinora.credit_balance_2(']]
  const balance = () => creditBalance(sql, { userId: randomUUID(), now: new Date() })
  await migrateTo({ version: next, edits })
  assert.equal((await balance()).available, 0)
  await migrateTo({ version: next + 1, minimum: next - 1, edits })
  assert.equal((await balance()).available, 0)
  await migrateTo({ version: next + 2, minimum: next, edits })
  await assert.rejects(balance(), /function kinora.credit_balance\(.*\) does not exist/)
})

test(
  'contract: a column that no function names → can be dropped while functions of its time are kept',
  underLoad,
  async (t) => {
    const { sql, migrateTo } = await openDatabase(t)
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'kinora'`
    const each = (change: string) => tables.map(({ name }) => `alter table kinora.${name} ${change};`).join('\n')
    const added = { 'migrations/9001_next.sql': each('add column spare integer') }
    // A standard SQL body (begin atomic) depends on every column that it names, and "*" names all of its time.
    await migrateTo({ version: next, files: added, functions: '-- next' })
    const dropped = { 'migrations/9002_next.sql': `-- contract: no process uses it\n${each('drop column spare')}` }
    await migrateTo({ version: next + 1, files: { ...added, ...dropped } })
    const left =
      await sql`select from information_schema.columns where table_schema = 'kinora' and column_name = 'spare'`
    assert.equal(left.length, 0)
  },
)

test('functions: retired for ten minutes → dropped, unless a kept function refers to them', underLoad, async (t) => {
  const { sql, migrateTo } = await openDatabase(t)
  const retired = async () =>
    (
      await sql<{ name: string }[]>`
      select nspname as name from pg_namespace where nspname like 'kinora\\_retired\\_%' order by nspname
    `
    ).map(({ name }) => name)
  const age = async () => {
    for (const name of (await retired()).filter((each) => !each.startsWith('kinora_retired_2020'))) {
      await sql.unsafe(`alter schema ${name} rename to ${name.replace(/_\d{4}/, '_2020')}`)
    }
  }
  // Kept by the next version, and as `begin atomic` it refers by OID to the uuid_v7 of its time.
  const functions =
    'create function kinora.caller() returns uuid language sql begin atomic select kinora.uuid_v7(now()); end;'
  await migrateTo({ version: next, functions })
  await migrateTo({ version: next + 1 })
  await age()
  await migrateTo({ version: next + 2 })
  const kept = await retired()
  assert.ok(kept.some((name) => name.startsWith('kinora_retired_2020')))
  assert.ok((await names(sql)).includes('caller'))
  await migrateTo({ version: next + 3, minimum: next + 1 })
  await age()
  await migrateTo({ version: next + 4, minimum: next + 1 })
  await age()
  await migrateTo({ version: next + 5, minimum: next + 1 })
  const left = await retired()
  assert.deepEqual(
    left.filter((name) => name.startsWith('kinora_retired_2020')),
    [],
  )
})

test(
  'functions: replaced under load with other parameters, results and columns → no call fails',
  underLoad,
  async (t) => {
    const { sql, migrateTo } = await openDatabase(t)
    const users = Array.from({ length: 16 }, () => randomUUID())
    for (const userId of users) await grant(sql, userId)
    let isDone = false
    let calls = 0
    const load = async () => {
      while (!isDone) {
        const userId = users[calls++ % users.length] ?? ''
        const videoId = randomUUID()
        const at = () => ({ userId, videoId, now: new Date() })
        assert.equal((await videoGenerate(sql, newVideo(at()))).outcome, 'created')
        assert.equal((await creditBalance(sql, at())).total, 1000)
        assert.equal(await videoCancel(sql, { ...at(), error: 'Cancelled.', graceS: 60 }), 'cancelled')
      }
    }
    const replace = async () => {
      const files: Record<string, string> = {}
      for (let i = 0; i < 12; i++) {
        const table = ['credit_account', 'credit_package', 'video'][i % 3]
        files[`migrations/9${100 + i}.sql`] =
          `alter table kinora.${table} add column next_${i} text not null default '-';`
        await migrateTo({ version: next + i, files, edits: i % 2 === 0 ? withMoreParameters : undefined })
      }
    }
    const loads = Promise.all(Array.from({ length: 6 }, load))
    await Promise.race([loads, replace()]).finally(() => {
      isDone = true
    })
    await loads
    assert.ok(calls > 100, `${calls} calls`)
    // This database has the functions of production, which know no source of a test.
    const differences = (await verify(onePart(sql))).filter(({ found }) => !found.endsWith(' test'))
    assert.deepEqual(differences, [])
  },
)

const withMoreParameters: SchemaChange['edits'] = [
  ['p_sequence integer default null', 'p_sequence integer default null, p_next text default null'],
  ['out expiring_soon bigint', 'out expiring_soon bigint, out next bigint'],
  ['p_graces jsonb default null', 'p_graces jsonb default null, p_next text default null'],
  ['kinora.credit_claw_back(', 'kinora.credit_claw_back_next('],
]

test(
  'lock: held by another transaction → requests wait for the lock timeout at most, the migration is repeated',
  underLoad,
  async (t) => {
    const { sql, migrateTo, warnings } = await openDatabase(t)
    const reader = await sql.reserve()
    await reader`begin`
    await reader`select from kinora.video`
    const files = { 'migrations/9001_next.sql': 'alter table kinora.video add column next text;' }
    const migrated = migrateTo({ version: next, files })
    let longestMs = 0
    while (warnings.length < 3) {
      const startMs = performance.now()
      await sql`select from kinora.video`
      longestMs = Math.max(longestMs, performance.now() - startMs)
    }
    assert.ok(longestMs < 1000, `a request waited ${longestMs} ms`)
    await reader`commit`
    reader.release()
    assert.deepEqual((await migrated).applied, ['9001_next.sql', 'functions'])
    assert.match(warnings[0] ?? '', /^9001_next.sql: canceling statement due to lock timeout; attempt 2 follows$/)
  },
)

test('migration: another column of videos and of mail, while functions take their rows → the rows of users have it', async (t) => {
  const { sql, migrateTo } = await openDatabase(t)
  const added = (table: string) => `alter table kinora.${table} add column next text not null default 'new';`
  const files = { 'migrations/9001_next.sql': added('video') + added('mail') }
  const { applied } = await migrateTo({ version: next, files })
  assert.deepEqual(applied, ['9001_next.sql', ...functions])
  const userId = randomUUID()
  await grant(sql, userId)
  const videoId = randomUUID()
  assert.equal((await videoGenerate(sql, newVideo({ userId, videoId, now: new Date() }))).outcome, 'created')
  const [row] = await sql<
    { next: string }[]
  >`select next from kinora.video where user_id = ${userId} and id = ${videoId}`
  assert.equal(row?.next, 'new')
  assert.equal((await sql`select next from kinora.mail where user_id = ${userId}`).length, 0)
})

test('steps: an index that a crash left invalid → dropped and built again', async (t) => {
  const { sql, migrateTo } = await openDatabase(t)
  const userId = randomUUID()
  await grant(sql, userId)
  await grant(sql, userId, 'second')
  // Two packages of one user: the unique build fails and leaves its index invalid.
  await assert.rejects(sql`create unique index concurrently package_next on kinora.credit_package (user_id)`)
  const files = {
    'migrations/9001_next.sql': `
-- step: index
create index concurrently if not exists package_next on kinora.credit_package (user_id);
`,
  }
  await migrateTo({ version: next, files })
  const [index] =
    await sql`select indisvalid, indisunique from pg_index where indexrelid = 'kinora.package_next'::regclass`
  assert.deepEqual({ ...index }, { indisvalid: true, indisunique: false })
})

test('steps: failed in the middle → the next run starts the file again, and a repeated step runs until no row is left', async (t) => {
  const { sql, migrateTo } = await openDatabase(t)
  for (let i = 0; i < 5; i++) await grant(sql, randomUUID())
  const filled = `
-- step: column
alter table kinora.credit_account add column if not exists next integer;
-- repeated step: two rows at a time
update kinora.credit_account set next = 7
where user_id in (select user_id from kinora.credit_account where next is null limit 2);
`
  const broken = { 'migrations/9001_next.sql': `${filled}-- step: fails\nselect 1 / 0;\n` }
  await assert.rejects(migrateTo({ version: next, files: broken }), /division by zero/)
  assert.equal(await versionOf(sql), own.version)
  const { applied } = await migrateTo({ version: next, files: { 'migrations/9001_next.sql': filled } })
  assert.deepEqual(applied, ['9001_next.sql', ...functions])
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*) from kinora.credit_account where next = 7
  `
  assert.equal(count, 5)
})

const grant = (sql: Sql, userId: string, source = 'test') =>
  creditGrant(sql, {
    userId,
    packageId: randomUUID(),
    source,
    transType: 'SYSTEM_ADJUST',
    credits: 1000,
    expiresAt: new Date(Date.now() + 86_400_000),
    now: new Date(),
    orderNo: null,
    remark: null,
  })
