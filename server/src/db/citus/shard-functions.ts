/**
 * The functions of a distributed database: those of the coordinator, and for each shard a schema of its own on its
 * node, with the same texts rewritten for its tables. They are put where there are none or others, so this is
 * repeatable.
 *
 * Invariant: the row of kinora.migration has the hash of the texts only when every shard has them. A process that finds
 * another hash neither starts without a node nor leaves the coordinator's functions alone.
 */
import { openDb, type Query, type Sql } from '../db.ts'
import { dropRetired, newRetiredName } from '../functions.ts'
import { type SchemaSource, sha256 } from '../schema.ts'
import { MARK } from './distribute.ts'
import { OF_COORDINATOR, OF_SHARD, SHARD_ID, SHARD_MOVED } from './own-functions.ts'
import { nodeUrl, type Placement, readPlacement, type Shard } from './placement.ts'
import { forCoordinator, forShard, functionNames, shardSchema } from './shard-text.ts'
import { ANCHOR, DISTRIBUTED, NODE_FILES, SHARD_FILES, SPLIT_BY_USER } from './tables.ts'

/** Of the function and of the triggers that call it (own-functions.ts). */
const TRIGGER = 'shard_is_here'

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
      ...OF_SHARD.map((text) => ({
        name: 'own-functions.ts',
        text: rewrite(text).replaceAll(SHARD_ID, `${shard.ids.get(ANCHOR)}`),
      })),
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
 * Gives each shard its functions. First no node has those of a shard that it has lost: a process that knows the old
 * place fails there, so no process reads there what another one has changed at the new place.
 * @param skip receives a node with shards that is down, which keeps what it has; without it such a node is an error
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
  const shardsOf = Map.groupBy(placement.shards, ({ node }) => node)
  // A node whose last shard was moved away has the functions of that shard, but no row in the placement.
  for (const { node } of await readNodes(sql)) if (!shardsOf.has(node)) shardsOf.set(node, [])
  const nodes = [...shardsOf].map(([node, shards]) => ({
    node,
    shards,
    connection: openDb(nodeUrl(databaseUrl, node), { connections: 1, name: 'kinora migrate', lasting: true }),
  }))
  try {
    const up: typeof nodes = []
    for (const each of nodes) {
      const failure = await each.connection`select`.then(
        () => null,
        (error: Error) => error,
      )
      if (failure === null) up.push(each)
      else if (each.shards.length === 0) continue
      else if (skip) skip(each.node, failure)
      else throw failure
    }
    const left = await Promise.all(up.map(({ connection, shards }) => retireMovedAway(connection, shards)))
    // Citus drops the tables that were left after a while, and now those without a reader.
    if (left.includes(true)) await sql.unsafe('call citus_cleanup_orphaned_resources()').simple()
    for (const { connection, shards } of up) {
      for (const shard of shards) {
        if (await hasFunctions(connection, shard, hash)) continue
        await connection.begin((tx) => createFunctions(tx, shard, functions, migrated))
        done.push(shard.number)
      }
    }
  } finally {
    await Promise.all(nodes.map(({ connection }) => connection.end({ timeout: 5 })))
  }
  if (!functions.isComplete) await sql`update kinora.migration set hash = ${hash} where name = ${MARK}`
  return done
}

/** The nodes of the database, without its coordinator. */
const readNodes = (sql: Sql) => sql<{ node: string }[]>`
  select nodename || ':' || nodeport as node from pg_dist_node where noderole = 'primary' and groupid <> 0 order by node
`

/** @returns whether the node has lost a shard */
async function retireMovedAway(node: Sql, shards: Shard[]): Promise<boolean> {
  const there = shards.map(({ number }) => shardSchema(number))
  const schemas = await node<{ name: string }[]>`
    select nspname as name from pg_namespace where starts_with(nspname, ${shardSchema('')}) and nspname <> all(${there})
  `
  for (const { name } of schemas) await node.begin((tx) => retire(tx, name))
  return schemas.length > 0
}

/** Gives the schema another name. A running statement finds its functions by OID; the next by name. */
async function retire(tx: Query, schema: string): Promise<string> {
  await tx.unsafe('set local citus.enable_ddl_propagation = off')
  await dropRetired(tx)
  const retired = `${await newRetiredName(tx)}_${schema}`
  await tx.unsafe(`alter schema ${schema} rename to ${retired}`)
  return retired
}

async function hasFunctions(node: Query, shard: Shard, hash: string): Promise<boolean> {
  const mark = await readMark(node, shard)
  return mark !== undefined && mark.comment === `${hash} ${mark.oids}`
}

/** Whether the shard has functions for the tables that are there, of any release. */
export async function isInPlace(node: Query, shard: Shard): Promise<boolean> {
  const mark = await readMark(node, shard)
  return mark?.comment?.endsWith(` ${mark.oids}`) ?? false
}

/**
 * The comment of the shard's schema, and what stands for the shard's tables. A shard that was moved has new tables.
 * When it is moved back, a schema that it left has lost what depended on the old ones: the functions of their rows, and
 * the number of an account, whose default is the table's.
 */
async function readMark(
  node: Query,
  { number, ids }: Shard,
): Promise<{ comment: string | null; oids: string } | undefined> {
  const tables = [...ids].map(([table, id]) => `kinora.${table}_${id}`)
  const [mark] = await node<{ comment: string | null; oids: string }[]>`
    select obj_description(n.oid, 'pg_namespace') as comment, (
             select md5(string_agg(coalesce(to_regclass(name)::oid::text, ''), ' ' order by name)) from unnest(${tables}::text[]) name
           ) as oids
    from pg_namespace n
    where n.nspname = ${shardSchema(number)}
  `
  return mark
}

type Migrated = { name: string; appliedAt: Date }

async function createFunctions(
  tx: Query,
  shard: Shard,
  { textsOf, hash, placement }: Functions,
  migrated: Migrated[],
): Promise<void> {
  const schema = shardSchema(shard.number)
  await tx
    .unsafe(`
    set local lock_timeout = 0;
    set local statement_timeout = 0;
    set local citus.enable_ddl_propagation = off;
    set local citus.enable_manual_changes_to_shards = on;
  `)
    .simple()
  await keepHere(tx, shard)
  const retired = await makeRoom(tx, shard)
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
  if (retired === null) await numberAccounts(tx, shard, placement.shards.length)
  else await tx.unsafe(`alter sequence ${retired}.account_number set schema ${schema}`)
  await createTriggers(tx, shard)
  const mark = await readMark(tx, shard)
  await tx.unsafe(`comment on schema ${schema} is '${hash} ${mark?.oids}'`)
}

/** Keeps the shard from being moved until the end of the transaction, as `shard_is_here` does. */
async function keepHere(tx: Query, { number, ids }: Shard): Promise<void> {
  const id = ids.get(ANCHOR) as number
  await tx`select lock_shard_metadata(5, ${[id]}::bigint[])`
  const here = await tx`select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = ${id}`
  if (here.length === 0) throw Object.assign(new Error(`shard ${number} is being moved`), { code: SHARD_MOVED })
}

/**
 * Makes an empty schema for the shard. What its tables depend on stays when they are the same as before, so that no
 * table is locked and calls go on: the trigger's function is there already, and the sequence of the accounts comes
 * last, because its lock stops new accounts.
 * @returns the schema of before, unless its tables are gone
 */
async function makeRoom(tx: Query, shard: Shard): Promise<string | null> {
  const schema = shardSchema(shard.number)
  const [before] = await tx`
    select from pg_trigger t
    join pg_proc p on p.oid = t.tgfoid
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${schema} and t.tgrelid = to_regclass(${tableOf(shard, ANCHOR)}) and t.tgname = ${TRIGGER}
  `
  const retired = before ? await retire(tx, schema) : null
  if (retired === null) await tx.unsafe(`drop schema if exists ${schema} cascade`)
  await tx.unsafe(`create schema ${schema}`)
  if (retired !== null) await tx.unsafe(`alter function ${retired}.${TRIGGER}() set schema ${schema}`)
  return retired
}

const tableOf = ({ ids }: Shard, table: string): string => `kinora.${table}_${ids.get(table)}`

async function numberAccounts(tx: Query, shard: Shard, shards: number): Promise<void> {
  const [sequence, account] = [`${shardSchema(shard.number)}.account_number`, tableOf(shard, ANCHOR)]
  await tx
    .unsafe(`
    create sequence ${sequence};
    select setval('${sequence}', coalesce((select max((number - 1 - ${shard.number}) / ${shards}) + 1 from ${account}), 0) + 1, false);
    alter table ${account} alter column number
    set default 1 + ${shard.number} + (nextval('${sequence}') - 1) * ${shards};
  `)
    .simple()
}

/** On the tables that have none. Citus locks mirrors itself: it is Citus that writes them. */
async function createTriggers(tx: Query, shard: Shard): Promise<void> {
  const tables = [...DISTRIBUTED, ...SPLIT_BY_USER.map((table) => `shard_${table}`)].map((table) =>
    tableOf(shard, table),
  )
  const missing = await tx<{ table: string }[]>`
    select name as table from unnest(${tables}::text[]) name
    where not exists (select from pg_trigger where tgrelid = name::regclass and tgname = ${TRIGGER})
  `
  for (const { table } of missing) {
    await tx.unsafe(`
      create trigger ${TRIGGER} before insert or update or delete on ${table}
      for each statement execute function ${shardSchema(shard.number)}.${TRIGGER}()
    `)
  }
}
