/**
 * Brings the schema of the database to the version of this code while older and newer processes serve requests.
 * Migrations run once and in order; then the SQL functions are replaced as one set. Invariant: a request waits for at
 * most one lock timeout or statement timeout of a migration, and an older version never replaces a newer one.
 * docs/upgrades.md has the rules for migrations and functions.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { packageUrl } from '../config/package-dir.ts'
import { OperatorError } from '../errors.ts'
import { openDb, type Query, type Sql } from './db.ts'
import type { Division } from './division.ts'
import { replaceFunctions } from './functions.ts'
import { type Step, stepsOf } from './migration-file.ts'
import { assertAccepted, readDatabaseSchema, readSource, type SchemaSource, type SqlFile } from './schema.ts'

/** Key of the advisory lock: an arbitrary number, the same in every process. */
const MIGRATION_LOCK = 7_415_061_896
const MIGRATION_LOCK_POLL_MS = 200
/** Requests queue behind a migration that waits for a lock. Each attempt waits longer, to a maximum. */
const LOCK_TIMEOUT_MS = 100
export const LOCK_TIMEOUT_MAX_MS = 300
/** A statement that holds a strong lock for longer has to become steps. Includes its wait for the lock. */
export const STATEMENT_TIMEOUT_MS = 600
/** Makes the tables: no request waits for its locks, so it has no statement timeout. */
export const FIRST_MIGRATION = '0001_schema.sql'
const ATTEMPTS = 100
const BACKOFF_MS = 100
const BACKOFF_MAX_MS = 3_000
/** lock_not_available, deadlock_detected, query_canceled (by the statement timeout). */
const RETRIED = ['55P03', '40P01', '57014']

export type MigrateOptions = {
  /** A folder with `migrations` and `sql`; default: those of this code. */
  dir?: URL
  /** Applies these migrations and not the functions: `restore` makes the tables of a backup's release. */
  only?: readonly string[]
  /** Is asked while another process migrates; true: that one has done what the caller needs, and nothing is left. */
  isDone?: () => Promise<boolean>
  /** Divides the tables over the nodes of the database, into this number of parts. */
  parts?: number
  /** Receives one line for each retry. */
  warn?: (message: string) => void
}

export type Migrated = { applied: string[]; isDivided: boolean }

/**
 * Processes may call it concurrently: one migrates, the others wait for it and then have nothing to do. A database with
 * a newer schema is left alone.
 * @returns the names of the applied migrations, and 'functions' when the functions were replaced
 * @throws SchemaTooNewError when the database no longer accepts processes of this version
 */
export async function migrate(
  { openMigration }: Division,
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const { dir = packageUrl, only, parts, warn = () => {}, isDone = () => Promise.resolve(false) } = options
  const source = await readSource(dir)
  // One connection, for as long as it takes: the session holds the advisory lock, and closing it releases the lock.
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora migrate', lasting: true })
  try {
    if (!(await lockMigrations(sql, isDone))) return { applied: [], isDivided: parts !== undefined }
    await createBookkeeping(sql)
    const database = await readDatabaseSchema(sql)
    assertAccepted(source, database)
    const division = await openMigration(sql, databaseUrl, parts)
    const { isDivided } = division
    if (database && database.version > source.version) return { applied: [], isDivided }

    const applied: string[] = []
    const pending = (await pendingMigrations(sql, source)).filter(({ name }) => only?.includes(name) ?? true)
    if (pending.length > 0) await division.beforeMigrations()
    for (const file of pending) {
      await applyMigration(sql, file, warn)
      applied.push(file.name)
    }
    if (only) return { applied, isDivided }
    applied.push(...(await division.divideTables()))
    const { own, isComplete, createOfParts } = await division.readFunctions(source)
    const isCurrent = database?.version === source.version && database.hash === source.hash && applied.length === 0
    if (!isCurrent || !isComplete) {
      const replace = async (tx: Query, lockMs: number) => {
        await division.beforeFunctions(tx)
        await applyFunctions(tx, own, lockMs)
      }
      await withRetries('functions', warn, (lockMs) => sql.begin((tx) => replace(tx, lockMs)))
      applied.push('functions')
    }
    // A process starts while a node is down, when the database was brought to this release before.
    applied.push(...(await createOfParts(applied.length === 0 ? warn : null)))
    return { applied, isDivided }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Polls: waiting inside pg_advisory_lock holds a snapshot, for which `create index concurrently` would wait. */
async function lockMigrations(sql: Sql, isDone: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    if (await isDone()) return false
    const [row] = await sql<[{ locked: boolean }]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`
    if (row.locked) return true
    await sleep(MIGRATION_LOCK_POLL_MS)
  }
}

async function createBookkeeping(sql: Sql): Promise<void> {
  const [schema] = await sql`select from pg_namespace where nspname = 'kinora'`
  // It would go to every node of the database also when the schema is there, and a node may be down.
  if (!schema) await sql`create schema if not exists kinora`
  await sql`
    create table if not exists kinora.migration (
      name text primary key, hash text not null, applied_at timestamptz not null default now()
    )
  `
  await sql`
    create table if not exists kinora.schema_version (
      version bigint primary key, minimum bigint not null, hash text not null, applied_at timestamptz not null default now()
    )
  `
}

async function pendingMigrations(sql: Sql, { migrations }: SchemaSource): Promise<SqlFile[]> {
  const rows = await sql<{ name: string }[]>`select name from kinora.migration`
  const done = new Set(rows.map((row) => row.name))
  return migrations.filter((file) => !done.has(file.name))
}

/** A plain file is one transaction. A file in steps is none: after a crash it starts again from its first step. */
async function applyMigration(sql: Sql, file: SqlFile, warn: (message: string) => void): Promise<void> {
  const steps = stepsOf(file.text)
  if (steps !== null) {
    await dropInvalidIndexes(sql, file)
    for (const step of steps)
      await withRetries(`${file.name}, ${step.title}`, warn, (lockMs) => runStep(sql, step, lockMs))
    await record(sql, file)
    return
  }
  await withRetries(file.name, warn, (lockMs) =>
    sql.begin(async (tx) => {
      await setTimeouts(tx, lockMs, file.name === FIRST_MIGRATION ? 0 : STATEMENT_TIMEOUT_MS)
      await tx.unsafe(file.text).simple()
      await record(tx, file)
    }),
  )
}

/** Each statement commits by itself. A slow one takes a lock that blocks nothing, so it has no timeout. */
async function runStep(sql: Sql, { text, isSlow, isRepeated }: Step, lockMs: number): Promise<void> {
  await setTimeouts(sql, isSlow ? 0 : lockMs, isSlow ? 0 : STATEMENT_TIMEOUT_MS)
  for (;;) {
    const { count } = await sql.unsafe(text)
    if (!isRepeated || count === 0) return
  }
}

/** A `create index concurrently` that failed leaves an invalid index, which `if not exists` would skip. */
async function dropInvalidIndexes(sql: Sql, { text }: SqlFile): Promise<void> {
  await setTimeouts(sql, 0, 0)
  const invalid = await sql<{ name: string; index: string }[]>`
    select c.relname as name, i.indexrelid::regclass::text as index
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid
  `
  for (const { name, index } of invalid) {
    if (new RegExp(`\\b${name}\\b`).test(text)) await sql.unsafe(`drop index concurrently if exists ${index}`)
  }
}

async function applyFunctions(tx: Query, source: SchemaSource, lockMs: number): Promise<void> {
  await setTimeouts(tx, lockMs, 0)
  await replaceFunctions(tx, source)
  await tx`
    insert into kinora.schema_version (version, minimum, hash)
    values (${source.version}, ${source.minimum}, ${source.hash})
    on conflict (version) do update
    set minimum = excluded.minimum, hash = excluded.hash, applied_at = excluded.applied_at
  `
}

/** Is set for the session: the next migration sets its own. */
async function setTimeouts(sql: Query, lockMs: number, statementMs: number): Promise<void> {
  await sql`
    select set_config('lock_timeout', ${`${lockMs}`}, false), set_config('statement_timeout', ${`${statementMs}`}, false)
  `
}

async function record(sql: Query, { name, hash }: SqlFile): Promise<void> {
  await sql`insert into kinora.migration (name, hash) values (${name}, ${hash})`
}

/** Releases every lock between attempts, so that the requests that queued behind the migration run. */
async function withRetries(
  what: string,
  warn: (message: string) => void,
  work: (lockTimeoutMs: number) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work(Math.min(LOCK_TIMEOUT_MAX_MS, LOCK_TIMEOUT_MS * (0.9 + attempt / 10)))
      return
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (!RETRIED.includes(code ?? '')) throw error
      if (attempt === ATTEMPTS) {
        throw new OperatorError(
          `${what}: ${message} in ${ATTEMPTS} attempts. Another transaction holds a lock for long (see pg_stat_activity), or a ` +
            'statement takes too long under a lock and has to become steps. Running it again continues here.',
          { cause: error },
        )
      }
      warn(`${what}: ${message}; attempt ${attempt + 1} follows`)
      await sleep(Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random() / 2))
    }
  }
}
