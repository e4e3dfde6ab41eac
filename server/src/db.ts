/**
 * The way to PostgreSQL: one pool, the `sql` tag, and migrations under a lock.
 * Nothing in the server opens a transaction but `migrate`: every change is one statement that calls one function of
 * server/sql, so there is no transaction that a network call could keep open.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import postgres from 'postgres'

export type Sql = postgres.Sql<{ bigint: number }>
/** The pool, or a transaction of it. */
export type Query = postgres.ISql<{ bigint: number }>

const migrationsDir = new URL('../migrations/', import.meta.url)
const sqlDir = new URL('../sql/', import.meta.url)
/** Any number will do, as long as every node takes the same. */
const MIGRATION_LOCK = 7_415_061_896
const RECONNECT_PAUSE_S = 0.25

export type DbOptions = {
  connections: number
  name: string
  /** How long one statement may take; 30 s when left out. */
  statementTimeoutMs?: number
  /** false: one statement is the work of one processor of the database. */
  parallel?: boolean
}

/** Opens the pool; connects on first use. Credits are far below 2^53, so bigint comes as a number. */
export function openDb(databaseUrl: string, options: DbOptions): Sql {
  return postgres(databaseUrl, {
    max: options.connections,
    connect_timeout: 5,
    // Left alone the driver waits up to 20 s before it tries to connect again, and every request with it (measured: 10 s
    // for a 503, and as long until the first good answer once the database is back).
    backoff: () => RECONNECT_PAUSE_S,
    // The notices of "if not exists" would be noise in the log.
    onnotice: () => {},
    connection: {
      application_name: options.name,
      search_path: 'public',
      lock_timeout: 3000,
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      ...(options.parallel === false ? { max_parallel_workers_per_gather: 0 } : {}),
    },
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: { bigint: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: String } },
  })
}

/**
 * Brings the database to this version: numbered files of migrations/ once and in order, then the functions of sql/ as a
 * whole when their text has changed. Several nodes may call it at once; the lock lets one work and the others find it done.
 */
export async function migrate(databaseUrl: string): Promise<{ applied: string[] }> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    return await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
      await tx`create schema if not exists kinora`
      await tx`
        create table if not exists kinora.migration (
          name text primary key, hash text not null, applied_at timestamptz not null default now()
        )
      `
      const rows = await tx<{ name: string; hash: string }[]>`select name, hash from kinora.migration`
      const done = new Map(rows.map((row) => [row.name, row.hash]))
      const applied: string[] = []

      for (const file of await readSqlFiles(migrationsDir)) {
        if (done.has(file.name)) continue
        await tx.unsafe(file.text).simple()
        await tx`insert into kinora.migration (name, hash) values (${file.name}, ${file.hash})`
        applied.push(file.name)
      }

      const functions = await readSqlFiles(sqlDir)
      const hash = sha256(functions.map((file) => file.hash).join())
      if (done.get('sql') !== hash || applied.length > 0) {
        await dropFunctions(tx)
        // The files build on each other in this order, not in that of their names.
        for (const name of ['ids.sql', 'credit.sql', 'video_row.sql', 'video.sql', 'payment.sql', 'verify.sql']) {
          const file = functions.find((each) => each.name === name)
          if (!file) throw new Error(`server/sql/${name} is missing`)
          await tx.unsafe(file.text).simple()
        }
        await tx`
          insert into kinora.migration (name, hash) values ('sql', ${hash})
          on conflict (name) do update set hash = excluded.hash, applied_at = now()
        `
        applied.push('sql')
      }
      return { applied }
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Whether the schema is that of this source text; `/readyz` asks. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from kinora.migration`
  const done = new Map(rows.map((row) => [row.name, row.hash]))
  expectedHash ??= sha256((await readSqlFiles(sqlDir)).map((file) => file.hash).join())
  return done.get('sql') === expectedHash
}
let expectedHash: string | undefined

/** `create or replace` cannot change what a function returns, so all of them go before they come anew. */
async function dropFunctions(tx: postgres.TransactionSql): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc where pronamespace = 'kinora'::regnamespace
  `
  if (functions.length > 0) {
    await tx.unsafe(`drop function if exists ${functions.map((each) => each.signature).join(', ')} cascade`)
  }
}

async function readSqlFiles(dir: URL): Promise<{ name: string; text: string; hash: string }[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, dir), 'utf8')
      return { name, text, hash: sha256(text) }
    }),
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
