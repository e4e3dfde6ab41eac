/**
 * `kinora upgrade --check`: what `migrate` of this release would do to the database, and what each step locks for how
 * long. It changes nothing. Exit status: 0 nothing to do, or to be done while the old processes serve; 1 the database
 * refuses this release.
 */

import type { Config } from '../config/config.ts'
import { packageUrl } from '../config/package-dir.ts'
import { openDb, type Query, type Sql } from '../db/db.ts'
import { LOCK_TIMEOUT_MAX_MS, STATEMENT_TIMEOUT_MS } from '../db/migrate.ts'
import { stepsOf } from '../db/migration-file.ts'
import { assertAccepted, readDatabaseSchema, readSource, type SchemaSource } from '../db/schema.ts'
import { SchemaTooNewError } from '../errors.ts'
import { counted } from '../text/counted.ts'

/** @returns the exit status */
export async function upgradeCommand(config: Config, args: string[]): Promise<number> {
  if (args.join(' ') !== '--check') {
    console.error('kinora upgrade --check tells what an upgrade would do; `kinora migrate`, or a start, does it.')
    return 2
  }
  const sql = openDb(config.databaseUrlDirect, { connections: 1, name: 'kinora upgrade' })
  try {
    const [source, database] = [await readSource(packageUrl), await readDatabaseSchema(sql)]
    assertAccepted(source, database)
    const has = database ? `version ${database.version}` : 'no schema of Kinora yet'
    console.log(`This release has schema version ${source.version}; the database has ${has}.`)
    if (database && database.version > source.version) {
      console.log('The database is newer and accepts this release: nothing would be changed.')
      return 0
    }
    const steps = await pendingSteps(sql, source)
    for (const step of steps) console.log(`${step.file}: ${step.title} – ${describeLock(step)}`)
    if (database?.version !== source.version || database.hash !== source.hash || steps.length > 0) {
      console.log('functions: replaced as one set – no table is locked; the old processes call the new functions')
      console.log('Run `kinora migrate`, or start a process of this release: the old ones keep serving.')
    } else console.log('Nothing to do.')
    return 0
  } catch (error) {
    if (!(error instanceof SchemaTooNewError)) throw error
    console.error(error.message)
    return 1
  } finally {
    await sql.end({ timeout: 1 })
  }
}

type PendingStep = {
  file: string
  title: string
  /** 'none': new tables only. 'short': reads and writes wait. 'rows': in batches. 'reads and writes go on': slow. */
  lock: 'none' | 'short' | 'rows' | 'reads and writes go on'
  /** The tables that exist and are locked, with their size. */
  tables: { name: string; bytes: number; rows: number }[]
}

/** The statements that `migrate` has still to run, and the lock that each takes on a table that exists. */
async function pendingSteps(sql: Sql, { migrations }: SchemaSource): Promise<PendingStep[]> {
  const [found] = await sql<[{ exists: boolean }]>`select to_regclass('kinora.migration') is not null as exists`
  const done = found.exists ? await sql<{ name: string }[]>`select name from kinora.migration` : []
  const names = new Set(done.map(({ name }) => name))
  const steps: PendingStep[] = []
  for (const { name: file, text } of migrations.filter((each) => !names.has(each.name))) {
    for (const step of stepsOf(text) ?? [{ title: 'one transaction', text, isRepeated: false, isSlow: false }]) {
      const tables = await lockedTables(sql, step.text)
      const slow = step.isRepeated ? 'rows' : 'reads and writes go on'
      steps.push({ file, title: step.title, lock: tables.length === 0 ? 'none' : step.isSlow ? slow : 'short', tables })
    }
  }
  return steps
}

function describeLock({ lock, tables }: PendingStep): string {
  const names = tables
    .map(({ name, bytes, rows }) => `${name} (${counted(rows, 'row')}, ${Math.ceil(bytes / 1e6)} MB)`)
    .join(', ')
  switch (lock) {
    case 'none':
      return 'locks no table that exists'
    case 'short':
      return (
        `locks ${names}: requests wait for at most ${LOCK_TIMEOUT_MAX_MS} ms while it waits for the lock and ` +
        `${STATEMENT_TIMEOUT_MS} ms in all; it is tried again when that is too short`
      )
    case 'rows':
      return `changes rows of ${names} in batches, each of at most some milliseconds`
    case 'reads and writes go on':
      return `reads ${names}: requests go on; it takes as long as reading that much`
  }
}

/** Tables after `table`, `on`, `update` or `delete from`, which exist already. */
async function lockedTables(sql: Query, text: string): Promise<PendingStep['tables']> {
  const code = text.replace(/--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '')
  const mentioned = new Set(
    [...code.matchAll(/\b(?:alter table(?: if exists)?|on|update|delete from)\s+((?:kinora|public)\."?\w+"?)/gi)].map(
      ([, name]) => name ?? '',
    ),
  )
  return [
    ...(await sql<PendingStep['tables']>`
      select name, pg_total_relation_size(to_regclass(name)) as bytes, greatest(c.reltuples, 0)::bigint as rows
      from unnest(${[...mentioned]}::text[]) as given (name)
      join pg_class c on c.oid = to_regclass(name) and c.relkind in ('r', 'p')
      order by name
    `),
  ]
}
