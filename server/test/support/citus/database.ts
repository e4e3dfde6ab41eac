/**
 * A database for a test file on the cluster that CITUS_URL names (`npm run test:citus`): a new database on the
 * coordinator and on each of its nodes, distributed by `kinora migrate --distributed`.
 */
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { packageUrl } from '../../../src/config/package-dir.ts'
import { nodeUrl, readPlacement, shardOf } from '../../../src/db/citus/placement.ts'
import { ownNames } from '../../../src/db/citus/shard-functions.ts'
import { forShard } from '../../../src/db/citus/shard-text.ts'
import { migrate, openDatabase } from '../../../src/db/database.ts'
import { type DbOptions, openDb, type Query, type Sql } from '../../../src/db/db.ts'
import type { Database } from '../../../src/db/parts.ts'
import { readSource } from '../../../src/db/schema.ts'

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** Few, because each gets all functions; more than nodes, so that each node has several. */
const SHARDS = 4

/** @param clockLimit replaces kinora.clock_limit */
export async function createCitusDatabase(citusUrl: string, clockLimit: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const inDatabase = (url: string) => {
    const changed = new URL(url)
    changed.pathname = `/${name}`
    return changed.href
  }
  const coordinator = postgres(citusUrl, { max: 1, onnotice: () => {} })
  const nodes = await coordinator<{ host: string; port: number; isCoordinator: boolean }[]>`
    select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node where noderole = 'primary'
  `
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator)
  const urls = workers.map(({ host, port }) => nodeUrl(citusUrl, `${host}:${port}`))
  const [self] = nodes.filter(({ isCoordinator }) => isCoordinator)
  for (const url of [citusUrl, ...urls]) {
    // The collation of the other tests' databases, which may differ from the cluster's.
    await run(url, `create database ${name} template template0 lc_collate 'C' lc_ctype 'C.UTF-8'`)
    await run(inDatabase(url), 'create extension citus')
  }
  const url = inDatabase(citusUrl)
  await run(
    url,
    `select citus_set_coordinator_host('${self?.host ?? new URL(citusUrl).hostname}', ${self?.port ?? Number(new URL(citusUrl).port || 5432)})`,
  )
  // It copies the settings of the roles, which all databases of a server share, and fails while another one does.
  await coordinator`select pg_advisory_lock(1)`
  for (const { host, port } of workers) await run(url, `select citus_add_node('${host}', ${port})`)
  await coordinator`select pg_advisory_unlock(1)`
  await migrate(url, { parts: SHARDS })
  await run(url, `set citus.enable_ddl_propagation = off; ${clockLimit}`)
  const sql = openDb(url, { connections: 1, name: 'test' })
  await runForUsers(sql, clockLimit)
  await sql.end()
  return {
    url,
    drop: async () => {
      for (const each of [citusUrl, ...urls]) await run(each, `drop database if exists ${name} with (force)`)
      await coordinator.end()
    },
  }
}

/**
 * The options of a test that has no meaning on a distributed database: it is skipped there, with the reason.
 * @param reason completes "on a distributed database …"
 */
export const notDistributed = (reason: string): { skip?: string } =>
  process.env.CITUS_URL ? { skip: `on a distributed database ${reason}` } : {}

/**
 * The server that has the user's rows: the node of the user's shard, or the only one. For what a test does without the
 * routing of the service: open a transaction, lock a table, stand between a process and its database.
 */
export async function serverOf(sql: Sql, userId: string): Promise<{ url: string; of: (sql: Sql) => Sql }> {
  const placement = process.env.CITUS_URL ? await readPlacement(sql) : null
  if (placement === null) return { url: urlOf(sql), of: (sql) => sql }
  const shard = shardOf(placement, userId)
  ownOfShards ??= readSource(packageUrl).then(ownNames)
  const own = await ownOfShards
  const forServer = <T extends Query>(sql: T): T => {
    const tag = (strings: TemplateStringsArray, ...values: never[]) => {
      if (!Array.isArray(strings.raw)) return sql(strings, ...values)
      const parts = strings.map((text) => forShard(text, shard, placement, own))
      return sql(Object.assign(parts, { raw: parts }), ...values)
    }
    const begin = (work: (tx: Query) => unknown) => (sql as unknown as Sql).begin((tx) => work(forServer(tx)))
    return Object.assign(tag, sql, { begin }) as unknown as T
  }
  return { url: nodeUrl(urlOf(sql), shard.node), of: forServer }
}

let ownOfShards: Promise<Set<string>> | undefined

/** A transaction of the server that has the user's rows; `sql.begin` is the coordinator's, without users' rows. */
export async function beginFor<T>(sql: Sql, userId: string, work: (tx: Query) => Promise<T>): Promise<T> {
  if (!process.env.CITUS_URL) return (await sql.begin(work)) as T
  const { url, of } = await serverOf(sql, userId)
  const session = openDb(url, { connections: 1, name: 'kinora test transaction' })
  try {
    return (await of(session).begin(async (tx) => {
      // It waits for a lock of a table.
      await tx`set local citus.enable_manual_changes_to_shards = on`
      return await work(tx)
    })) as T
  } finally {
    await session.end()
  }
}

/**
 * Ids of users who may be in one set-based call: as in the combiner, those of one part.
 * @param first in whose part they are; default: in that of the first id
 */
export function idsOfOnePart(partOf: Database['partOf'], newId: () => string, first?: string): () => string {
  let part = first === undefined ? undefined : partOf?.(first)
  return () => {
    for (;;) {
      const id = newId()
      part ??= partOf?.(id)
      if (partOf === null || partOf(id) === part) return id
    }
  }
}

/** The part of the database that has the user's rows, for what names no user. */
export const partFor = ({ sql, allParts, partOf }: Database, userId: string): Sql =>
  allParts[Number(partOf?.(userId) ?? 0)] ?? sql

/** The part of the database with the rows of no user. */
export const coordinatorOf = ({ sql, everywhere }: Database): Sql => everywhere()[0] ?? sql

/** The servers of the tests' database: those of the cluster, the coordinator first, or the only one. */
export async function serverUrls(): Promise<string[]> {
  const url = process.env.TEST_DATABASE_URL ?? ''
  if (!process.env.CITUS_URL) return [url]
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const nodes = await sql<{ node: string }[]>`
    select nodename || ':' || nodeport as node from pg_dist_node where noderole = 'primary' and groupid <> 0
  `
  await sql.end()
  return [url, ...nodes.map(({ node }) => nodeUrl(url, node))]
}

/** Runs statements about functions and triggers where users' rows are: each shard, or the one PostgreSQL. */
export async function runForUsers(sql: Sql, statements: string): Promise<void> {
  const placement = process.env.CITUS_URL ? await readPlacement(sql) : null
  if (placement === null) {
    await sql.unsafe(statements)
    return
  }
  const own = new Set([...statements.matchAll(/\bkinora\.(\w+)/g)].map(([, name = '']) => name))
  const url = urlOf(sql)
  for (const shard of placement.shards) {
    const text = forShard(statements, shard, placement, own)
    await run(
      nodeUrl(url, shard.node),
      `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on; ${text}`,
    )
  }
}

/** The database of a test file, on the cluster of `npm run test:citus` as on one PostgreSQL. */
export const openTestDatabase = (url: string, options: DbOptions): Promise<Database> =>
  openDatabase(url, { ...options, division: process.env.CITUS_URL ? { node: null } : null })

function urlOf(sql: Sql): string {
  const { host, port, database, user, pass } = sql.options
  const url = new URL(`postgres://${host[0]}:${port[0]}/${database}`)
  url.username = user
  url.password = pass ?? ''
  return url.href
}

async function run(url: string, statements: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statements).simple()
  } finally {
    await sql.end()
  }
}
