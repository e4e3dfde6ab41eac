/**
 * `kinora migrate --distributed`: distributes the tables by user_id, and gives every shard its functions. Both are repeatable: what is
 * distributed is left alone, and functions are put on the shards that have none or others.
 *
 * Invariant: no process serves requests meanwhile. Distribution moves the rows, and functions of a shard are replaced at once.
 */
import { openDb, type Query, type Sql } from '../../db.ts'
import { OperatorError } from '../../errors.ts'
import type { SchemaSource } from '../schema.ts'
import {
  completeMirrors,
  completeShardTables,
  createMirror,
  createShardTable,
  fillMirror,
  moveToShards,
} from './copies.ts'
import { dropFunctions } from './drop-functions.ts'
import { OF_COORDINATOR, OF_SHARD } from './own-functions.ts'
import { type Placement, readPlacement, type Shard } from './placement.ts'
import { forCoordinator, forShard, functionNames, shardSchema } from './shard-text.ts'
import { ANCHOR, DISTRIBUTED, MIRRORED, NODE_FILES, OF_CITUS, SHARD_FILES, SHARED, SPLIT_BY_USER } from './tables.ts'

/** Rows of kinora.migration that are not files. */
const MARK = 'distributed'

const SEE = 'see docs/distributed.md.'

/** The names of what a shard has itself. */
export const ownNames = ({ functions }: SchemaSource): Set<string> =>
  new Set([
    ...functionNames([...shardFiles(functions).map(({ text }) => text), ...OF_SHARD]),
    'video_decision',
    'migration',
  ])

const shardFiles = (functions: SchemaSource['functions']) => functions.filter(({ name }) => SHARD_FILES.includes(name))

/**
 * Distributes and shares the tables, once, and those that a later release adds. Before the functions are created: Citus cannot copy tables
 * to nodes that functions with a parsed body depend on.
 * @param shardCount null: the database is distributed already
 * @returns whether there was something to do
 */
export async function distributeTables(sql: Sql, shardCount: number | null): Promise<boolean> {
  if (shardCount === null || (await isDistributedDatabase(sql))) {
    await completeShardTables(sql)
    await completeMirrors(sql)
    return await placeAddedTables(sql)
  }
  const [citus] = await sql`select from pg_available_extensions where name = 'citus'`
  if (!citus) throw new OperatorError(`This PostgreSQL has no extension citus: ${SEE}`)
  await sql`create extension if not exists citus`
  const [nodes] = await sql<[{ count: number }]>`
    select count(*)::integer from pg_dist_node where noderole = 'primary' and shouldhaveshards
  `
  if (nodes.count === 0) {
    throw new OperatorError(`This database has no nodes: add them with citus_add_node first, ${SEE}`)
  }
  await sql.begin(async (tx) => {
    await openDistribution(tx)
    await tx`select set_config('citus.shard_count', ${String(shardCount)}, true)`
    await tx
      .unsafe(`
      -- Numbers come from a sequence of each shard: those of an identity column begin with the node's number, and are long.
      alter table kinora.credit_account alter column number drop identity if exists;
      alter table kinora.provider_task drop constraint provider_task_pkey, add primary key (user_id, provider, task_id);
      create index provider_task_of_provider on kinora.provider_task (provider, task_id);
    `)
      .simple()
    for (const table of SPLIT_BY_USER) await createShardTable(tx, table)
    for (const mirrored of MIRRORED) await createMirror(tx, mirrored)
    const tables = [
      ANCHOR,
      ...DISTRIBUTED.filter((table) => table !== ANCHOR),
      ...SPLIT_BY_USER.map((table) => `shard_${table}`),
    ]
    await distribute(tx, [...tables, ...MIRRORED.map(({ mirror }) => mirror)])
    await share(tx, SHARED)
    for (const { table, columns } of OF_CITUS) await createOfCitus(tx, table, columns)
    await truncateLocal(tx, ANCHOR)
    for (const table of SPLIT_BY_USER) await moveToShards(tx, table)
    for (const mirrored of MIRRORED) await fillMirror(tx, mirrored)
    await tx`insert into kinora.migration (name, hash) values (${MARK}, '')`
  })
  return true
}

async function openDistribution(tx: Query): Promise<void> {
  await tx
    .unsafe(
      "set local lock_timeout = 0; set local statement_timeout = 0; set local citus.multi_shard_modify_mode = 'sequential'",
    )
    .simple()
  await dropFunctions(tx)
}

/** Distributes and shares the tables of this release that an earlier one did not have. */
async function placeAddedTables(sql: Sql): Promise<boolean> {
  for (const { table, columns } of OF_CITUS) {
    const [found] = await sql`select from pg_tables where schemaname = 'kinora' and tablename = ${table}`
    if (!found) await sql.begin((tx) => createOfCitus(tx, table, columns))
  }
  const placed = await sql<{ name: string }[]>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
  `
  const isMissing = (table: string) => !placed.some(({ name }) => name === table)
  const [toDistribute, toShare] = [DISTRIBUTED.filter(isMissing), SHARED.filter(isMissing)]
  if (toDistribute.length + toShare.length === 0) return false
  await sql.begin(async (tx) => {
    await openDistribution(tx)
    await distribute(tx, toDistribute)
    for (const table of toDistribute) await truncateLocal(tx, table)
    await share(tx, toShare)
  })
  return true
}

/** Their rows move to the shards. */
async function distribute(tx: Query, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const colocation = table === ANCHOR ? 'none' : `kinora.${ANCHOR}`
    await tx`select create_distributed_table(${`kinora.${table}`}, 'user_id', colocate_with => ${colocation})`
  }
}

/** Removes the rows that the coordinator had before the distribution, also those of tables that refer to this one. */
async function truncateLocal(tx: Query, table: string): Promise<void> {
  await tx`select truncate_local_data_after_distributing_table(${`kinora.${table}`}::regclass)`
}

async function createOfCitus(tx: Query, table: string, columns: string): Promise<void> {
  await tx.unsafe(`create table kinora.${table} (${columns})`)
  await share(tx, [table])
}

async function share(tx: Query, tables: readonly string[]): Promise<void> {
  for (const table of tables) await tx`select citus_add_local_table_to_metadata(${`kinora.${table}`}::regclass)`
}

/** The texts of the coordinator's functions. */
export async function sourceOfCoordinator(sql: Sql, source: SchemaSource): Promise<SchemaSource> {
  const placement = await readPlacement(sql)
  if (placement === null) return source
  const functions = source.functions.map((file) => ({
    ...file,
    text: forCoordinator(file.text, placement) + (OF_COORDINATOR.get(file.name) ?? ''),
  }))
  return { ...source, functions }
}

export async function isDistributedDatabase(sql: Query): Promise<boolean> {
  const [found] = await sql`select from kinora.migration where name = ${MARK}`
  return found !== undefined
}

/**
 * Gives each shard the functions of this release: a schema of its own, with the same texts rewritten for its tables.
 * @param skip receives a node that is down, which keeps what it has; without it a node that is down is an error
 * @returns the numbers of the shards that got them
 */
export async function createShardFunctions(
  sql: Sql,
  databaseUrl: string,
  source: SchemaSource,
  skip?: (node: string, error: Error) => void,
): Promise<number[]> {
  const placement = await readPlacement(sql)
  if (placement === null) return []
  const migrated = await sql<Migrated[]>`select name, applied_at from kinora.migration`
  const [{ decision }] = await sql<[{ decision: string }]>`
    select string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as decision
    from pg_attribute
    where attrelid = (select typrelid from pg_type where oid = 'kinora.video_decision'::regtype) and attnum > 0 and not attisdropped
  `
  const done: number[] = []
  for (const [node, shards] of Map.groupBy(placement.shards, (shard) => shard.node)) {
    const connection = openDb(nodeUrl(databaseUrl, node), { connections: 1, name: 'kinora migrate', lasting: true })
    try {
      const failure = await connection`select`.then(
        () => null,
        (error: Error) => error,
      )
      if (failure) {
        if (!skip) throw failure
        skip(node, failure)
        continue
      }
      for (const shard of shards) {
        if (await hasFunctions(connection, shard, source.hash)) continue
        await connection.begin((tx) => createFunctions(tx, shard, placement, source, { migrated, decision }))
        done.push(shard.number)
      }
      await dropMovedAway(connection, shards)
    } finally {
      await connection.end({ timeout: 5 })
    }
  }
  // Of shards that were moved the tables stay for a while, where a process with the old placement could write to them.
  if (done.length > 0) await sql.unsafe('call citus_cleanup_orphaned_resources()').simple()
  return done
}

async function dropMovedAway(node: Query, shards: Shard[]): Promise<void> {
  const there = shards.map(({ number }) => shardSchema(number))
  const schemas = await node<{ name: string }[]>`
    select nspname as name from pg_namespace where starts_with(nspname, ${shardSchema('')}) and nspname <> all(${there})
  `
  for (const { name } of schemas)
    await node.unsafe(`set citus.enable_ddl_propagation = off; drop schema ${name} cascade`).simple()
}

async function hasFunctions(node: Query, { number, ids }: Shard, hash: string): Promise<boolean> {
  const [row] = await node<{ comment: string | null }[]>`
    select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = ${shardSchema(number)}
  `
  return row?.comment === mark(hash, ids)
}

/** A shard that was moved has new tables, and its functions are to be created where it is now. */
const mark = (hash: string, ids: Shard['ids']) => `${hash} ${ids.get(ANCHOR)}`

type Migrated = { name: string; appliedAt: Date }
/** What the coordinator has: its migrations, and the attributes of the type kinora.video_decision. */
type Copied = { migrated: Migrated[]; decision: string }

async function createFunctions(
  tx: Query,
  shard: Shard,
  placement: Placement,
  source: SchemaSource,
  { migrated, decision }: Copied,
): Promise<void> {
  const schema = shardSchema(shard.number)
  const account = `kinora.${ANCHOR}_${shard.ids.get(ANCHOR)}`
  const own = ownNames(source)
  await tx
    .unsafe(`
    set local lock_timeout = 0;
    set local statement_timeout = 0;
    set local citus.enable_ddl_propagation = off;
    set local citus.enable_manual_changes_to_shards = on;
    drop schema if exists ${schema} cascade;
    create schema ${schema};
    create sequence ${schema}.account_number;
  `)
    .simple()
  await tx
    .unsafe(`
    select setval('${schema}.account_number', coalesce((select max((number - 1 - ${shard.number}) / ${placement.shards.length}) + 1 from ${account}), 0) + 1, false);
    alter table ${account} alter column number
    set default 1 + ${shard.number} + (nextval('${schema}.account_number') - 1) * ${placement.shards.length};
  `)
    .simple()
  await tx.unsafe(forShard(`create type kinora.video_decision as (${decision})`, shard, placement, own))
  // The rules of the books ask when rows began to be written in their present form.
  await tx.unsafe(`create table ${schema}.migration (name text primary key, applied_at timestamptz not null)`)
  await tx`insert into ${tx(`${schema}.migration`)} ${tx(migrated, 'name', 'appliedAt')}`
  for (const text of OF_SHARD) await tx.unsafe(forShard(text, shard, placement, own))
  for (const { text } of source.functions.filter(({ name }) => NODE_FILES.includes(name))) {
    await tx.unsafe(text).simple()
  }
  for (const { name, text } of shardFiles(source.functions)) {
    await tx
      .unsafe(forShard(text, shard, placement, own))
      .simple()
      .catch((error: Error) => {
        throw new Error(`${name} of shard ${shard.number}: ${error.message}`, { cause: error })
      })
  }
  await tx.unsafe(`comment on schema ${schema} is '${mark(source.hash, shard.ids)}'`)
}

/** The address of a node: that of the coordinator with another host and port. */
export function nodeUrl(databaseUrl: string, node: string): string {
  const url = new URL(databaseUrl)
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? []
  url.hostname = host
  url.port = port
  return url.href
}
