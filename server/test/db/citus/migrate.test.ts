/**
 * `kinora migrate` of a distributed database that was interrupted, lacks what a later release adds, or had its shards
 * moved to and fro. On a Citus cluster of its own; skipped where PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { distributeTables } from '../../../src/db/citus/distribute.ts'
import { OF_COORDINATOR } from '../../../src/db/citus/own-functions.ts'
import { readPlacement } from '../../../src/db/citus/placement.ts'
import { ANCHOR } from '../../../src/db/citus/tables.ts'
import { migrate } from '../../../src/db/database.ts'
import { openDb, type Sql } from '../../../src/db/db.ts'
import type { MigrateOptions } from '../../../src/db/migrate.ts'
import { findCitus, join, type Server } from '../../support/citus/cluster.ts'
import { openOnCluster, peopleOf, shardOfUser } from '../../support/citus/load.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const cluster = binDir === null ? null : await openOnCluster(binDir)
const opened = () => cluster ?? assert.fail()

test('kinora migrate --distributed: ended before its functions → the next one creates them; the coordinator keeps no rows of users', {
  skip,
}, async () => {
  const { url, sql } = await openEmpty('interrupted')
  await migrate(url)
  const userId = randomUUID()
  await sql`insert into kinora.mail_setting values (${userId}, 'film_finished', true, now())`
  await endBeforeFunctions(sql, url, { parts: 2 })
  await migrate(url)

  const functions =
    await sql`select from pg_proc where pronamespace = 'kinora'::regnamespace and proname = 'payment_receive'`
  assert.equal(functions.length, 1)
  const [setting] = await sql`select kind from kinora.mail_setting where user_id = ${userId}`
  assert.equal(setting?.kind, 'film_finished')
  // What Citus hides from statements, and not from this constraint.
  await sql`alter table kinora.mail_setting add constraint none_here check (kind <> 'film_finished') not valid`
  await sql`delete from kinora.mail_setting where user_id = ${userId}`
  await sql`alter table kinora.mail_setting validate constraint none_here`
})

test('kinora migrate: functions of a distributed database alone are others in this release → replaced on all servers', {
  skip,
}, async (t) => {
  const { kinora } = opened()
  const text = OF_COORDINATOR.get('payment.sql') ?? assert.fail()
  t.after(() => OF_COORDINATOR.set('payment.sql', text))
  OF_COORDINATOR.set('payment.sql', text.replace('the shard of user', 'only the shard of user'))
  const shards = kinora.app.database.allParts.length
  assert.deepEqual((await migrate(kinora.databaseUrl)).applied, ['functions', `functions of ${shards} shards`])
  const [payment] = await kinora.app.sql`
    select prosrc from pg_proc where pronamespace = 'kinora'::regnamespace and proname = 'payment_apply'
  `
  assert.match(payment?.prosrc, /only the shard of user/)
  OF_COORDINATOR.set('payment.sql', text)
  await migrate(kinora.databaseUrl)
})

test('kinora migrate: a node died before it had the functions → no process starts with those of before; they are replaced when it is back', {
  skip,
}, async () => {
  const { kinora, nodes } = opened()
  const { sql, database } = kinora.app
  const placed = (await readPlacement(sql))?.shards ?? assert.fail()
  const node = nodes.find(({ address }) => address === placed.at(-1)?.node) ?? assert.fail()
  const shards = database.allParts
  for (const [i, shard] of shards.entries()) await shard.unsafe(`comment on schema kinora_shard_${i} is 'of before'`)
  await sql`update kinora.migration set hash = 'of before' where name = 'distributed'`
  await node.kill()
  const failures = [await outcomeOf(migrate(kinora.databaseUrl)), await outcomeOf(migrate(kinora.databaseUrl))]
  await node.start()
  assert.deepEqual(failures, ['ECONNREFUSED', 'ECONNREFUSED'])
  const { applied } = await migrate(kinora.databaseUrl)
  assert.deepEqual(applied, ['functions', `functions of ${placed.length} shards`])
  assert.deepEqual((await migrate(kinora.databaseUrl)).applied, [])
})

test('shard moved to another node and back, then kinora migrate: its users → films and new accounts', {
  skip,
}, async () => {
  const { kinora, nodes } = opened()
  const { sql } = kinora.app
  const [from = assert.fail(), to = assert.fail()] = nodes
  const people = await peopleOf(kinora, from)
  const [ann = assert.fail()] = people
  const { ids, number } = await shardOfUser(kinora, ann)
  for (const [source, target] of [
    [from, to],
    [to, from],
  ] as const) {
    await move(sql, ids.get(ANCHOR) ?? 0, source, target)
    await sql.unsafe('call citus_cleanup_orphaned_resources()').simple()
  }
  assert.deepEqual((await migrate(kinora.databaseUrl)).applied, ['functions of 1 shards'])
  assert.equal((await kinora.generate(ann)).status, 200)
  const shardsOfNew = await Promise.all((await peopleOf(kinora, from)).map((person) => shardOfUser(kinora, person)))
  assert.ok(shardsOfNew.some((shard) => shard.number === number))
})

test('kinora migrate: the last shard of a node moved away → the node has no functions of shards', {
  skip,
}, async () => {
  const { url, sql } = await openEmpty('drained')
  await migrate(url, { parts: 2 })
  const { shards } = (await readPlacement(sql)) ?? assert.fail()
  const [shard = assert.fail(), other = assert.fail()] = shards
  const serverOf = (node: string) => opened().nodes.find(({ address }) => address === node) ?? assert.fail()
  const [from, to] = [serverOf(shard.node), serverOf(other.node)]
  await move(sql, shard.ids.get(ANCHOR) ?? 0, from, to)
  assert.deepEqual((await migrate(url)).applied, ['functions of 1 shards'])
  const node = openDb(from.url('drained'), { connections: 1, name: 'kinora distributed migrate test' })
  const left = await node`select nspname from pg_namespace where starts_with(nspname, 'kinora_shard_')`
  await node.end()
  assert.deepEqual([...left], [])
})

test('kinora migrate: copies and tables of shards that an earlier release did not have → with the rows of the coordinator, no limit of time', {
  skip,
}, async () => {
  const { url, sql } = await openEmpty('added')
  await migrate(url, { parts: 2 })
  const userId = randomUUID()
  await sql`
    insert into public."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values (${userId}, 'Ann', 'ann@example.com', true, now(), now())
  `
  await sql`drop table kinora.shard_audit`
  await sql`drop table kinora.shard_user cascade`
  await sql`alter table kinora.shard_deleted_account drop column unfinished cascade`
  await sql
    .unsafe(`
      set citus.enable_ddl_propagation = off;
      create table public.limits (lock_timeout text, statement_timeout text);
      create function public.record_limits() returns event_trigger language plpgsql as $$
      begin
        insert into public.limits values (current_setting('lock_timeout'), current_setting('statement_timeout'));
      end $$;
      create event trigger limits on ddl_command_start when tag in ('ALTER TABLE') execute function public.record_limits();
    `)
    .simple()
  const { applied } = await migrate(url)
  assert.deepEqual(applied, ['distributed', 'functions', 'functions of 2 shards'])
  const [user] = await sql`select name from kinora.shard_user where user_id = ${userId}::uuid`
  assert.equal(user?.name, 'Ann')
  await sql`select id from kinora.shard_audit`
  const limits = await sql`select distinct lock_timeout, statement_timeout from public.limits`
  assert.deepEqual([...limits], [{ lockTimeout: '0', statementTimeout: '0' }])
})

test('kinora migrate: a migration has changed columns, constraints and indexes of mail → the tables of the shards have them', {
  skip,
}, async () => {
  const { url, sql } = await openEmpty('changed')
  await migrate(url, { parts: 2 })
  await sql`
    alter table kinora.mail
    drop constraint mail_state_known, add constraint mail_state_known check (state in ('pending', 'sent', 'failed', 'expired', 'held')),
    drop column response, add column note text default 'none', alter column data drop not null
  `
  await sql`create index mail_by_note on kinora.mail (note)`
  const tablesOf = async () => {
    const columns = await sql`
      select attrelid::regclass::text as of, attname, attnotnull from pg_attribute
      where attrelid = any('{kinora.mail, kinora.shard_mail}'::regclass[]) and attnum > 0 and not attisdropped and attname <> 'user_id'
      order by attname
    `
    const checks = await sql`
      select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) from pg_constraint
      where conrelid = any('{kinora.mail, kinora.shard_mail}'::regclass[]) and contype = 'c' order by conname
    `
    const indexes = await sql`
      select indrelid::regclass::text as of, replace(indexrelid::regclass::text, 'shard_', '') as name from pg_index
      where indrelid = any('{kinora.mail, kinora.shard_mail}'::regclass[]) and not indisprimary order by name
    `
    return ['kinora.mail', 'kinora.shard_mail'].map((name) =>
      [...columns, ...checks, ...indexes].filter((row) => row.of === name).map(({ of, ...row }) => row),
    )
  }
  await distributeTables(sql, null)
  const [coordinator, shards] = await tablesOf()
  assert.deepEqual(shards, coordinator)
  await sql`select note from kinora.shard_mail where state = 'held'`
})

/** A database of the cluster without Kinora's tables. */
async function openEmpty(name: string): Promise<{ url: string; sql: Sql }> {
  const { coordinator, nodes, kinora } = opened()
  for (const server of [coordinator, ...nodes]) {
    const sql = openDb(server.url('postgres'), { connections: 1, name: 'kinora distributed migrate test' })
    await sql.unsafe(`create database ${name}`)
    await sql.end()
  }
  await join(coordinator, nodes, name)
  assert.equal(new URL(kinora.databaseUrl).host, new URL(coordinator.url(name)).host)
  const sql = openDb(coordinator.url(name), { connections: 1, name: 'kinora distributed migrate test' })
  after(() => sql.end({ timeout: 0 }))
  return { url: coordinator.url(name), sql }
}

/** The tables are distributed, and the functions wait for a lock when it ends. */
async function endBeforeFunctions(sql: Sql, url: string, options: MigrateOptions): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`lock table kinora.schema_version in share mode`
    const end = () => {
      throw new Error('ended')
    }
    await assert.rejects(migrate(url, { ...options, warn: end }), /^Error: ended$/)
  })
}

const outcomeOf = (migrated: Promise<unknown>): Promise<string> =>
  migrated.then(
    () => 'migrated',
    ({ code, message }: Error & { code?: string }) => code ?? message,
  )

/** @param anchor the shard's table that stands for all of it */
async function move(sql: Sql, anchor: number, source: Server, target: Server): Promise<void> {
  const [[host, port], [toHost, toPort]] = [hostAndPort(source), hostAndPort(target)]
  await sql`
    select citus_move_shard_placement(
      ${anchor}::bigint, ${host}, ${port}::integer, ${toHost}, ${toPort}::integer, 'block_writes'
    )
  `
}

const hostAndPort = ({ address }: Server): [string, number] => {
  const [host = '', port] = address.split(':')
  return [host, Number(port)]
}
