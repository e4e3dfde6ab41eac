/**
 * The functions of a distributed database: those of the coordinator, and for each shard a schema of its own on its node, with the same texts
 * rewritten for its tables. They are put where there are none or others, so this is repeatable.
 *
 * Invariant: the row of kinora.migration has the hash of the texts only when every shard has them. A process that finds another hash neither
 * starts without a node nor leaves the coordinator's functions alone.
 */
import { openDb, type Query, type Sql } from '../db.ts'
import { type SchemaSource, sha256 } from '../schema.ts'
import { MARK } from './distribute.ts'
import { OF_COORDINATOR, OF_SHARD } from './own-functions.ts'
import { nodeUrl, type Placement, readPlacement, type Shard } from './placement.ts'
import { forCoordinator, forShard, functionNames, shardSchema } from './shard-text.ts'
import { ANCHOR, NODE_FILES, SHARD_FILES } from './tables.ts'

type Text = { name: string; text: string }

/** What the servers are to have. */
export type Functions = {
  /** The texts of the coordinator's functions. */
  coordinator: SchemaSource
  placement: Placement
  textsOf: (shard: Shard) => Text[]
  /** The hash of the texts; also those change it that are not in server/sql. */
  hash: string
  /** Whether every shard has them, and the coordinator had them before. */
  isComplete: boolean
}

/** The names of what a shard has itself. */
export const ownNames = ({ functions }: SchemaSource): Set<string> =>
  new Set([
    ...functionNames([...shardFiles(functions).map(({ text }) => text), ...OF_SHARD]),
    'video_decision',
    'migration',
  ])

const shardFiles = (functions: SchemaSource['functions']) => functions.filter(({ name }) => SHARD_FILES.includes(name))

/** Runs after the tables are distributed. @returns null when they are not */
export async function readFunctions(sql: Sql, source: SchemaSource): Promise<Functions | null> {
  const placement = await readPlacement(sql)
  if (placement === null) return null
  const functions = source.functions.map((file) => ({
    ...file,
    text: forCoordinator(file.text, placement) + (OF_COORDINATOR.get(file.name) ?? ''),
  }))
  const [{ decision }] = await sql<[{ decision: string }]>`
    select string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as decision
    from pg_attribute
    where attrelid = (select typrelid from pg_type where oid = 'kinora.video_decision'::regtype) and attnum > 0 and not attisdropped
  `
  const own = ownNames(source)
  const textsOf = (shard: Shard): Text[] => {
    const rewrite = (text: string) => forShard(text, shard, placement, own)
    return [
      { name: 'video_decision', text: rewrite(`create type kinora.video_decision as (${decision})`) },
      ...OF_SHARD.map((text) => ({ name: 'own-functions.ts', text: rewrite(text) })),
      ...source.functions.filter(({ name }) => NODE_FILES.includes(name)),
      ...shardFiles(source.functions).map(({ name, text }) => ({ name, text: rewrite(text) })),
    ]
  }
  const texts = [...functions, ...placement.shards.slice(0, 1).flatMap(textsOf)].map(({ text }) => text)
  // The migrations are in the hash of the source.
  const hash = sha256([source.hash, ...texts].join('\n'))
  const complete = await sql`select from kinora.migration where name = ${MARK} and hash = ${hash}`
  return {
    coordinator: { ...source, functions },
    placement,
    textsOf,
    hash,
    isComplete: complete.length > 0,
  }
}

/**
 * Gives each shard its functions.
 * @param skip receives a node that is down, which keeps what it has; without it a node that is down is an error
 * @returns the numbers of the shards that got them
 */
export async function createShardFunctions(
  sql: Sql,
  databaseUrl: string,
  functions: Functions,
  skip?: (node: string, error: Error) => void,
): Promise<number[]> {
  const { placement, hash } = functions
  const migrated = await sql<Migrated[]>`select name, applied_at from kinora.migration`
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
        if (await hasFunctions(connection, shard, hash)) continue
        await connection.begin((tx) => createFunctions(tx, shard, functions, migrated))
        done.push(shard.number)
      }
      await dropMovedAway(connection, shards)
    } finally {
      await connection.end({ timeout: 5 })
    }
  }
  if (!functions.isComplete) await sql`update kinora.migration set hash = ${hash} where name = ${MARK}`
  // The tables of moved shards stay for a while, where a process with the old placement could write to them.
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

async function hasFunctions(node: Query, shard: Shard, hash: string): Promise<boolean> {
  const [row] = await node<{ comment: string | null }[]>`
    select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = ${shardSchema(shard.number)}
  `
  return row?.comment === (await markOf(node, shard, hash))
}

/**
 * A shard that was moved has new tables. When it is moved back, the schema that it left has lost what depended on the old ones: the functions of
 * their rows, and the number of an account, whose default is the table's.
 */
async function markOf(node: Query, { ids }: Shard, hash: string): Promise<string> {
  const tables = [...ids].map(([table, id]) => `kinora.${table}_${id}`)
  const [{ oids }] = await node<[{ oids: string }]>`
    select md5(string_agg(coalesce(to_regclass(name)::oid::text, ''), ' ' order by name)) as oids from unnest(${tables}::text[]) name
  `
  return `${hash} ${oids}`
}

type Migrated = { name: string; appliedAt: Date }

async function createFunctions(
  tx: Query,
  shard: Shard,
  { placement, textsOf, hash }: Functions,
  migrated: Migrated[],
): Promise<void> {
  const schema = shardSchema(shard.number)
  const account = `kinora.${ANCHOR}_${shard.ids.get(ANCHOR)}`
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
  // The rules of the books ask when rows began to be written in their present form.
  await tx.unsafe(`create table ${schema}.migration (name text primary key, applied_at timestamptz not null)`)
  await tx`insert into ${tx(`${schema}.migration`)} ${tx(migrated, 'name', 'appliedAt')}`
  for (const { name, text } of textsOf(shard)) {
    await tx
      .unsafe(text)
      .simple()
      .catch((error: Error) => {
        throw new Error(`${name} of shard ${shard.number}: ${error.message}`, { cause: error })
      })
  }
  await tx.unsafe(`comment on schema ${schema} is '${await markOf(tx, shard, hash)}'`)
}
