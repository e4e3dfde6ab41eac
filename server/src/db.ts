/**
 * PostgreSQL access: the connection pool, the `sql` tag, and migrations under an advisory lock. Invariant: only `migrate` opens
 * a transaction. Every other change is one statement, which for credits and status calls one function of server/sql, so no
 * network call can keep a transaction open.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import postgres from 'postgres'

export type Sql = postgres.Sql<{ bigint: number }>
/** The pool, or a transaction of it. */
export type Query = postgres.ISql<{ bigint: number }>

const migrationsDir = new URL('../migrations/', import.meta.url)
const sqlDir = new URL('../sql/', import.meta.url)
/** Key of the advisory lock: an arbitrary number, the same in every process. */
const MIGRATION_LOCK = 7_415_061_896
const RECONNECT_PAUSE_S = 0.25

export type DbOptions = {
  connections: number
  name: string
  /** Limit of one statement; default 30 s. */
  statementTimeoutMs?: number
  /** false: no parallel workers, so a statement uses one CPU of the database. */
  parallel?: boolean
}

/** Opens the pool, which connects on first use. bigint is parsed as a number: credits are far below 2^53. */
export function openDb(databaseUrl: string, options: DbOptions): Sql {
  return postgres(databaseUrl, {
    max: options.connections,
    connect_timeout: 5,
    // The driver's default backoff grows to 20 s, and every request waits for it (measured: 10 s until a 503, and as long
    // until the first success after the database is back).
    backoff: () => RECONNECT_PAUSE_S,
    // The notices of "if not exists" would be printed.
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
 * Migrates the database to this version: the numbered files of migrations/ once and in order, then all functions of sql/ when
 * their text has changed. Processes may call it concurrently: the lock serialises them, and the later ones have nothing to do.
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
        // In order of dependency.
        for (const name of [
          'ids.sql',
          'clock.sql',
          'audit.sql',
          'credit_history.sql',
          'credit_grace.sql',
          'credit_claim.sql',
          'credit.sql',
          'credit_grant.sql',
          'credit_correct.sql',
          'video_row.sql',
          'video_film.sql',
          'video.sql',
          'account.sql',
          'payment_return.sql',
          'payment_charge.sql',
          'payment.sql',
          'verify_account.sql',
          'verify_package.sql',
          'verify_video.sql',
          'verify_audit.sql',
          'verify_payment.sql',
          'verify_run.sql',
          'payment_reconcile.sql',
          'verify.sql',
        ]) {
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

/** Whether the database has this version's functions; used by `/readyz`. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from kinora.migration`
  const done = new Map(rows.map((row) => [row.name, row.hash]))
  expectedHash ??= sha256((await readSqlFiles(sqlDir)).map((file) => file.hash).join())
  return done.get('sql') === expectedHash
}
let expectedHash: string | undefined

/** `create or replace` cannot change a function's return type, so all functions are dropped and created again. */
async function dropFunctions(tx: postgres.TransactionSql): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc where pronamespace = 'kinora'::regnamespace
  `
  if (functions.length > 0) {
    await tx.unsafe(`drop routine if exists ${functions.map((each) => each.signature).join(', ')} cascade`)
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
