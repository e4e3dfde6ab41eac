/**
 * `kinora migrate --distributed`: distributes the tables by user_id. It is repeatable: what is distributed is left
 * alone, and what a later release adds is distributed by its `kinora migrate`.
 *
 * Invariant: no process serves requests meanwhile. Distribution moves the rows, and functions of a shard are replaced
 * at once.
 */

import { OperatorError } from '../../errors.ts'
import type { Query, Sql } from '../db.ts'
import {
  completeMirrors,
  completeShardTables,
  createMirror,
  createShardTable,
  fillMirror,
  moveToShards,
} from './copies.ts'
import { ANCHOR, DISTRIBUTED, MIRRORED, OF_CITUS, SHARED, SPLIT_BY_USER } from './tables.ts'

const SEE = 'see docs/distributed.md.'

/** The row of kinora.migration that is no file: the functions' hash, when all servers have them. */
export const MARK = 'distributed'

/**
 * Distributes and shares the tables, once, and those that a later release adds. Before the functions are created: Citus
 * cannot copy tables to nodes that functions with a parsed body depend on.
 * @param shardCount null: the database is distributed already
 * @returns whether there was something to do
 */
export async function distributeTables(sql: Sql, shardCount: number | null): Promise<boolean> {
  // No request waits for these locks, and copies of all users take their time. A migration has left its own limits in
  // the session.
  await sql`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`
  const isFirst = shardCount !== null && !(await isDistributedDatabase(sql))
  if (isFirst) await prepareCitus(sql)
  const isPlaced = await placeTables(sql, isFirst ? shardCount : null)
  await completeShardTables(sql)
  await completeMirrors(sql)
  await truncateLocal(sql)
  return isPlaced
}

/** @throws OperatorError */
async function prepareCitus(sql: Sql): Promise<void> {
  const [citus] = await sql`select from pg_available_extensions where name = 'citus'`
  if (!citus) throw new OperatorError(`This PostgreSQL has no extension citus: ${SEE}`)
  const [transferred] = await sql`select from kinora.credit_package where from_user_id is not null limit 1`
  if (transferred) {
    throw new OperatorError(`Members have moved credits into teams, which a distributed database does not have: ${SEE}`)
  }
  await sql`create extension if not exists citus`
  const [nodes] = await sql<[{ count: number }]>`
    select count(*)::integer from pg_dist_node where noderole = 'primary' and shouldhaveshards
  `
  if (nodes.count === 0) {
    throw new OperatorError(`This database has no nodes: add them with citus_add_node first, ${SEE}`)
  }
}

/**
 * Distributes and shares what is not: everything at first, then the tables of this release that an earlier one did not
 * have. One transaction: after an interruption all are as they were.
 * @param shardCount null: the database is distributed
 */
async function placeTables(sql: Sql, shardCount: number | null): Promise<boolean> {
  const placed = await sql<{ name: string }[]>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = 'kinora'::regnamespace
  `
  const isMissing = (table: string) => !placed.some(({ name }) => name === table)
  const split = SPLIT_BY_USER.filter((table) => isMissing(`shard_${table}`))
  const mirrored = MIRRORED.filter(({ mirror }) => isMissing(mirror))
  const distributed = [ANCHOR, ...DISTRIBUTED.filter((table) => table !== ANCHOR)].filter(isMissing)
  const shared = SHARED.filter(isMissing)
  const ofCitus = OF_CITUS.filter(({ table }) => isMissing(table))
  if ([split, mirrored, distributed, shared, ofCitus].every(({ length }) => length === 0)) return false
  await sql.begin(async (tx) => {
    await tx`set local citus.multi_shard_modify_mode = 'sequential'`
    await dropFunctions(tx)
    if (shardCount !== null) await prepareTables(tx, shardCount)
    for (const table of split) await createShardTable(tx, table)
    for (const each of mirrored) await createMirror(tx, each)
    const tables = [...distributed, ...split.map((table) => `shard_${table}`), ...mirrored.map(({ mirror }) => mirror)]
    for (const table of tables) {
      const colocation = table === ANCHOR ? 'none' : `kinora.${ANCHOR}`
      // Its rows move to the shards.
      await tx`select create_distributed_table(${`kinora.${table}`}, 'user_id', colocate_with => ${colocation})`
    }
    for (const { table, columns } of ofCitus) await tx.unsafe(`create table kinora.${table} (${columns})`)
    for (const table of [...shared, ...ofCitus.map(({ table }) => table)]) {
      await tx`select citus_add_local_table_to_metadata(${`kinora.${table}`}::regclass)`
    }
    for (const table of split) await moveToShards(tx, table)
    for (const each of mirrored) await fillMirror(tx, each)
    // No server has the functions of these tables.
    await tx`insert into kinora.migration (name, hash) values (${MARK}, '') on conflict (name) do update set hash = ''`
  })
  return true
}

async function prepareTables(tx: Query, shardCount: number): Promise<void> {
  await tx`select set_config('citus.shard_count', ${String(shardCount)}, true)`
  await tx
    .unsafe(`
    -- Numbers come from a sequence of each shard: an identity column's begin with the node's number, and are long.
    alter table kinora.credit_account alter column number drop identity if exists;
    alter table kinora.provider_task drop constraint provider_task_pkey, add primary key (user_id, provider, task_id);
    create index provider_task_of_provider on kinora.provider_task (provider, task_id);
  `)
    .simple()
}

/**
 * Removes the rows that the coordinator had before the distribution. Citus hides them from statements, and not from a
 * constraint that a later migration adds; and they would stay when their user is erased.
 */
async function truncateLocal(sql: Sql): Promise<void> {
  const tables = await sql<{ oid: number }[]>`
    select logicalrelid::oid as oid from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = 'kinora'::regnamespace and p.partmethod = 'h' and pg_relation_size(c.oid) > 0
  `
  for (const { oid } of tables) await sql`select truncate_local_data_after_distributing_table(${oid}::regclass)`
}

export async function isDistributedDatabase(sql: Query): Promise<boolean> {
  const [found] = await sql`select from kinora.migration where name = ${MARK}`
  return found !== undefined
}

/**
 * Removes the functions of the coordinator before migrations: Citus refuses to change a table while functions take rows
 * of it ("circular dependencies"). A migration that fails leaves no functions, so the next `migrate` of any release has
 * to create them.
 */
export async function dropDependentFunctions(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await dropFunctions(tx)
    await tx`update kinora.schema_version set hash = ''`
  })
}

/** Drops all of them: `migrate` creates them again. */
async function dropFunctions(tx: Query): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature from pg_proc p where p.pronamespace = 'kinora'::regnamespace
  `
  for (const { signature } of functions) await tx.unsafe(`drop routine if exists ${signature} cascade`)
}
