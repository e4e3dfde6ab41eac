/**
 * The router and the functions of a distributed database, without Citus: one PostgreSQL stands for the coordinator and
 * for a node, with the rows of the catalogue that Citus would have and the tables of two shards.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { backlog } from '../../../src/admin/backlog.ts'
import type { App } from '../../../src/app.ts'
import { packageUrl } from '../../../src/config/package-dir.ts'
import { creditAdjust, creditBalance } from '../../../src/credit/ledger.ts'
import { createMirror, createShardTable } from '../../../src/db/citus/copies.ts'
import { createShardFunctions, readFunctions } from '../../../src/db/citus/shard-functions.ts'
import { ANCHOR, allDistributed, MIRRORED, OF_CITUS, SPLIT_BY_USER } from '../../../src/db/citus/tables.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { openDb, type Sql } from '../../../src/db/db.ts'
import { readSource } from '../../../src/db/schema.ts'
import { notDistributed } from '../../support/citus/database.ts'
import { createDatabase } from '../../support/database.ts'

const created = await createDatabase()
const plain = openDb(created.url, { connections: 1, name: 'kinora router test' })
after(async () => {
  await plain.end()
  await created.drop()
})
if (!process.env.CITUS_URL) await standIn(plain, created.url)

/** Makes what `migrate --distributed` makes by Citus: two shards, each half of the hashes. */
async function standIn(sql: Sql, url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (const table of SPLIT_BY_USER) await createShardTable(sql, table)
  for (const mirrored of MIRRORED) await createMirror(sql, mirrored)
  await sql
    .unsafe(`
    create table pg_dist_node (groupid integer, noderole text, nodename text, nodeport integer);
    create table pg_dist_placement (shardid bigint, groupid integer);
    create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text, shardmaxvalue text);
    create table pg_dist_local_group (groupid integer);
    create function lock_shard_metadata(integer, bigint[]) returns void language sql as 'select';
    insert into pg_dist_node values (1, 'primary', '${hostname}', ${port});
    insert into pg_dist_local_group values (1);
    -- What Citus would send to a shard stays in the table that stands for all of them.
    alter table kinora.${ANCHOR} alter column number drop identity if exists, alter column number set default 1;
  `)
    .simple()
  for (const [i, table] of allDistributed().entries()) {
    for (const [half, min, max] of [
      [0, -2147483648, -1],
      [1, 0, 2147483647],
    ] as const) {
      const id = 1000 + 2 * i + half
      await sql
        .unsafe(`
        create table kinora.${table}_${id} (like kinora.${table} including all);
        insert into pg_dist_shard values ('kinora.${table}', ${id}, '${min}', '${max}');
        insert into pg_dist_placement values (${id}, 1);
      `)
        .simple()
    }
  }
  await nameConstraints(sql)
  const functions = (await readFunctions(sql, await readSource(packageUrl))) ?? assert.fail()
  assert.deepEqual(await createShardFunctions(sql, url, functions), [0, 1])
  await sql.begin(async (tx) => {
    for (const { table, columns } of OF_CITUS) await tx.unsafe(`create table kinora.${table} (${columns})`)
    for (const { text } of functions.coordinator.functions) await tx.unsafe(text).simple()
  })
}

/** Gives the keys of a shard's tables the names that they have in Citus. */
async function nameConstraints(sql: Sql): Promise<void> {
  const keys = await sql<{ statement: string }[]>`
    select format(
             'alter table kinora.%I rename constraint %I to %I', c.relname || '_' || s.shardid, k.conname, o.conname || '_' || s.shardid
           ) as statement
    from pg_dist_shard s
    join pg_class c on c.oid = s.logicalrelid
    join pg_constraint o on o.conrelid = c.oid and o.contype in ('p', 'u')
    join pg_constraint k
      on k.conrelid = format('kinora.%I', c.relname || '_' || s.shardid)::regclass
      and pg_get_constraintdef(k.oid) = pg_get_constraintdef(o.oid)
  `
  for (const { statement } of keys) await sql.unsafe(statement)
}

test(
  'router: grants to users of two shards → each in the tables of its shard, balances and figures of both',
  notDistributed('has a cluster'),
  async () => {
    const database = await openDatabase(created.url, { connections: 2, name: 'kinora router test' })
    try {
      const { sql, partOf, allParts } = database
      const [now, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)]
      const users = Array.from({ length: 12 }, () => randomUUID())
      assert.equal(new Set(users.map((userId) => partOf?.(userId))).size, 2)
      for (const userId of users) {
        const facts = { packageId: randomUUID(), credits: 5, remark: null, adminId: userId, idempotency: null }
        assert.equal((await creditAdjust(sql, { userId, ...facts, expiresAt, now })).outcome, 'granted')
        assert.equal((await creditBalance(sql, { userId, now })).available, 5)
      }
      const found = await Promise.all(
        allParts.map(async (part) =>
          (await part<{ userId: string }[]>`select user_id from kinora.credit_account`).map(({ userId }) => userId),
        ),
      )
      assert.deepEqual(
        found.map((ids) => ids.sort()),
        ['0', '1'].map((part) => users.filter((userId) => partOf?.(userId) === part).sort()),
      )
      assert.equal((await plain`select from kinora.credit_account`).length, 0)
      const app = { database, sql, now: () => now, log: pino({ level: 'silent' }) } as unknown as App
      assert.deepEqual(await backlog(app), [])
      const isOf = (userId: string) => sql`user_id = ${userId}`
      const [first = ''] = users
      const [row] = await sql<{ total: number }[]>`select total from kinora.credit_account where ${isOf(first)}`
      assert.equal(row?.total, 5)
      assert.deepEqual(
        (await database.checkNodes?.())?.map(({ error }) => error),
        [null],
      )
    } finally {
      await database.close()
    }
  },
)

test(
  'account_delete: coordinator of a distributed database → closed, the user’s shard is left',
  notDistributed('has a cluster'),
  async () => {
    const userId = randomUUID()
    await plain`insert into public."user" ("id", "name", "email", "emailVerified") values (${userId}, 'Ann', 'ann@example.com', true)`
    const deleted = async () => {
      const [row] = await plain<[{ outcome: string }]>`
        select kinora.account_delete(
          p_user_id => ${userId}, p_actor_id => ${userId}, p_email_hash => ${Buffer.from('hash')}, p_cancel_error => '', p_grace => '1 day',
          p_request_id => '', p_reason => null, p_owed => 0, p_now => now()
        ) as outcome
      `
      return row.outcome
    }
    assert.deepEqual([await deleted(), await deleted()], ['closed', 'not_found'])
    const [left] =
      await plain`select unfinished is not null as is_left from kinora.deleted_account where user_id = ${userId}`
    assert.deepEqual(left, { isLeft: true })
  },
)
