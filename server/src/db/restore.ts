/**
 * Restores a backup into an empty database: runs the migrations of the backup's release, loads every table in one
 * transaction, then migrates to this release. Invariant: a backup that is incomplete or damaged leaves no row.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { packageUrl } from '../config/package-dir.ts'
import {
  type BackupEnd,
  type BackupHeader,
  END_MARK,
  END_OF_ROWS,
  FILE_MARK,
  HEADER_MARK,
  KEY_MARK,
  readTables,
} from './backup.ts'
import { openDb, type Query, type Sql } from './db.ts'
import type { Division } from './division.ts'
import { migrate } from './migrate.ts'
import { readSource } from './schema.ts'

/** A file that the rows name. `sizeBytes` null: it was missing; `sha256` null: it was not read. */
export type BackupFile = { key: string; sizeBytes: number | null; sha256: string | null }

/** What a backup has beside rows: listed files, and those of the key that signs films. */
export type OnBackup = { file: (file: BackupFile) => void; key: (files: Record<string, string>) => void }

/** One sentence for the operator: the backup or the database cannot be used, and what to do. */
export class RestoreError extends Error {}

const CHUNK_BYTES = 64 * 1024
/** Identifiers only: the file is not run as SQL. */
const COPY = /^copy ((?:kinora|public)\."?\w+"?) \(((?:"?\w+"?(?:, )?)+)\) from stdin;$/

const backupHeader = Type.Object({
  format: Type.Literal(1),
  release: Type.String(),
  schema: Type.Object({ version: Type.Integer(), minimum: Type.Integer(), hash: Type.String() }),
  migrations: Type.Array(Type.String()),
  postgresql: Type.String(),
  createdAt: Type.String(),
})

/** @throws RestoreError when the text does not begin as a backup does, or a newer release made it */
async function readBackupHeader(line: string): Promise<BackupHeader> {
  if (!line.startsWith(HEADER_MARK)) throw new RestoreError('This file is not a backup of Kinora.')
  const header: unknown = JSON.parse(line.slice(HEADER_MARK.length))
  if (!Check(backupHeader, header))
    throw new RestoreError('The first line of this backup is damaged. Use another copy.')
  const source = await readSource(packageUrl)
  const known = new Set(source.migrations.map(({ name }) => name))
  if (header.schema.version > source.version || header.migrations.some((name) => !known.has(name))) {
    throw new RestoreError(
      `A newer release made this backup: kinora ${header.release}, schema version ${header.schema.version}; this one has ` +
        `${source.version}. Restore it with that release.`,
    )
  }
  return header
}

/**
 * @param lines of the backup, from its first; each without its line break
 * @param on receives, while the transaction is open, what is beside the rows
 * @throws RestoreError when the database is not empty, or the backup is incomplete
 */
export async function restoreDatabase(
  division: Division,
  databaseUrl: string,
  lines: AsyncIterator<Buffer>,
  on: OnBackup,
  warn: (message: string) => void,
): Promise<{ header: BackupHeader; end: BackupEnd }> {
  const { value } = await lines.next()
  const header = await readBackupHeader(String(value ?? ''))
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora restore', statementTimeoutMs: 0, lasting: true })
  try {
    await assertEmpty(division, sql, header)
    await migrate(division, databaseUrl, { warn, only: header.migrations })
    const end = await sql.begin((tx) => load(tx, lines, on))
    await sql`analyze`
    await migrate(division, databaseUrl, { warn })
    return { header, end }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Empty, or with the tables of the backup's release and no user in them, as a start of the service leaves them. */
async function assertEmpty({ refusalOfRestore }: Division, sql: Sql, header: BackupHeader): Promise<void> {
  const [found] = await sql<[{ migration: string | null; account: string | null }]>`
    select to_regclass('kinora.migration') as migration, to_regclass('kinora.credit_account') as account
  `
  if (found.migration !== null) {
    const refusal = await refusalOfRestore(sql)
    if (refusal) throw new RestoreError(refusal)
    const extra = await sql`select from kinora.migration where name like '%.sql' and name <> all(${header.migrations})`
    if (extra.length > 0) {
      throw new RestoreError('The database already has tables of a newer release: create an empty database.')
    }
  }
  if (found.account === null) return
  const rows = await sql`
    select from kinora.credit_account union all select from public."user" union all select from kinora.video limit 1
  `
  if (rows.length > 0) {
    throw new RestoreError('The database has users already, and a restore never overwrites: create an empty database.')
  }
}

async function load(tx: Query, lines: AsyncIterator<Buffer>, on: OnBackup): Promise<BackupEnd> {
  const tables = await readTables(tx)
  await tx.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  const known = new Set(tables.map(({ name }) => name))
  const loaded = { tables: 0, rows: 0, files: 0 }
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = next.value.toString()
    const [, table] = COPY.exec(line) ?? []
    if (table !== undefined && known.has(table)) {
      loaded.tables += 1
      loaded.rows += await copyIn(tx, line, lines)
    } else if (line.startsWith(FILE_MARK)) {
      loaded.files += 1
      on.file(JSON.parse(line.slice(FILE_MARK.length)) as BackupFile)
    } else if (line.startsWith(KEY_MARK)) {
      on.key(JSON.parse(line.slice(KEY_MARK.length)) as Record<string, string>)
    } else if (line.startsWith(END_MARK)) {
      const end = JSON.parse(line.slice(END_MARK.length)) as BackupEnd
      if (end.tables !== loaded.tables || end.rows !== loaded.rows || end.files !== loaded.files) break
      await continueIdentities(tx)
      return end
    } else throw new RestoreError(`The backup is damaged at: ${line.slice(0, 60)}`)
  }
  throw new RestoreError('The backup is incomplete. No row was restored; take another one.')
}

async function copyIn(tx: Query, statement: string, lines: AsyncIterator<Buffer>): Promise<number> {
  const writable = await tx.unsafe(statement.replace(/;$/, '')).writable()
  let rows = 0
  async function* chunks(): AsyncGenerator<Buffer> {
    let chunk: Buffer[] = []
    let bytes = 0
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      if (next.value.length === END_OF_ROWS.length && next.value.toString() === END_OF_ROWS) {
        if (bytes > 0) yield Buffer.concat(chunk)
        return
      }
      rows += 1
      chunk.push(next.value, Buffer.from('\n'))
      bytes += next.value.length + 1
      if (bytes < CHUNK_BYTES) continue
      yield Buffer.concat(chunk)
      chunk = []
      bytes = 0
    }
    throw new RestoreError('The backup ends within a table. No row was restored; take another one.')
  }
  await pipeline(Readable.from(chunks()), writable)
  return rows
}

/** COPY leaves the counters of identity columns where they are. */
async function continueIdentities(tx: Query): Promise<void> {
  const columns = await tx<{ name: string; column: string; sequence: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name, quote_ident(a.attname) as column,
           pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as sequence
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('kinora', 'public')
    where a.attidentity <> '' and not a.attisdropped
  `
  for (const { name, column, sequence } of columns) {
    await tx.unsafe(
      `select setval('${sequence}', greatest(max(${column}), 1), max(${column}) is not null) from ${name}`,
    )
  }
}
