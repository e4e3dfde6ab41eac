/**
 * A backup of the database, as text: a header of one line, then each table as PostgreSQL's COPY writes it, in one snapshot. It
 * needs no client tools of the server's version, which pg_dump does, and psql can read it. The tables' definitions are not in
 * it: the header names the migrations that make them, and `restore` runs these.
 */
import type { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }
import { openDb, type Query } from '../db.ts'
import { OperatorError } from '../errors.ts'
import { isDistributedDatabase } from './citus/distribute.ts'
import { readDatabaseSchema, type SchemaVersion } from './schema.ts'

export type BackupHeader = {
  format: 1
  release: string
  schema: SchemaVersion
  /** Names of the applied migrations, in order. */
  migrations: string[]
  postgresql: string
  createdAt: string
}
/** The counts that end a backup: a file without them is incomplete. */
export type BackupEnd = { tables: number; rows: number; files: number }

export const HEADER_MARK = '-- kinora-backup '
export const FILE_MARK = '-- file '
export const END_MARK = '-- end '
export const END_OF_ROWS = '\\.'

/** Made by `migrate`, or of the cluster alone: `credential_revocation` has numbers of its transactions. */
const LEFT_OUT = [
  'kinora.migration',
  'kinora.schema_version',
  'kinora.credential_revocation',
  // Its triggers count the users that a restore inserts.
  'kinora.user_count',
]

/** A table with its columns, as a COPY statement names them. */
export type Table = { name: string; columns: string }

/**
 * Writes a consistent copy of every table.
 * @param write receives the text in sequence, and resolves when it takes more: back pressure
 * @param writeKey receives the keys of the snapshot's files, a chunk of lines at a time
 * @returns the number of tables and rows
 * @throws Error when the database has no schema of Kinora
 */
export async function dumpDatabase(
  databaseUrl: string,
  write: (text: string | Buffer) => Promise<void>,
  writeKey: (lines: Buffer) => Promise<void>,
): Promise<{ tables: number; rows: number }> {
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora backup', statementTimeoutMs: 0, lasting: true })
  try {
    return await sql.begin('isolation level repeatable read read only', async (tx) => {
      const header = await readHeader(tx)
      await write(`${HEADER_MARK}${JSON.stringify(header)}\n`)
      const tables = await readTables(tx)
      let rows = 0
      for (const { name, columns } of tables) {
        await write(`copy ${name} (${columns}) from stdin;\n`)
        rows += await copyOut(tx, `select ${columns} from ${name}`, write)
        await write(`${END_OF_ROWS}\n`)
      }
      await copyOut(tx, FILE_KEYS, writeKey)
      return { tables: tables.length, rows }
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Every table of the product with its stored columns: referenced tables before those that reference them. */
export async function readTables(sql: Query): Promise<Table[]> {
  const tables = await sql<(Table & { references: string[] })[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
           (
             select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
             from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
           ) as columns,
           array(
             select distinct format('%I.%I', fn.nspname, f.relname)
             from pg_constraint k
             join pg_class f on f.oid = k.confrelid
             join pg_namespace fn on fn.oid = f.relnamespace
             where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid
           ) as references
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('kinora', 'public') and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    order by 1
  `
  const ordered: Table[] = []
  const waiting = tables.filter(({ name }) => !LEFT_OUT.includes(name))
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ references }) => !waiting.some((other) => references.includes(other.name)))
    // Tables that reference each other in a circle: there are none, and COPY would then report the missing row.
    ordered.push(...waiting.splice(Math.max(0, next), 1).map(({ name, columns }) => ({ name, columns })))
  }
  return ordered
}

const NOT_DISTRIBUTED =
  'The database is distributed, and its nodes have no common snapshot: archive the log of each server and mark a common point with ' +
  'citus_create_restore_point, as deploy/citus/README.md says.'

async function readHeader(tx: Query): Promise<BackupHeader> {
  const schema = await readDatabaseSchema(tx)
  if (!schema)
    throw new OperatorError('The database has no tables of Kinora: run `kinora migrate`, or set another DATABASE_URL.')
  if (await isDistributedDatabase(tx)) throw new OperatorError(NOT_DISTRIBUTED)
  const migrations = await tx<{ name: string }[]>`
    select name from kinora.migration where name like '%.sql' order by name
  `
  const [row] = await tx<[{ postgresql: string; now: Date }]>`
    select current_setting('server_version') as postgresql, now()
  `
  return {
    format: 1,
    release: manifest.version,
    schema: { version: schema.version, minimum: schema.minimum, hash: schema.hash },
    migrations: migrations.map(({ name }) => name),
    postgresql: row.postgresql,
    createdAt: row.now.toISOString(),
  }
}

/** The files that the rows of the snapshot name: films and thumbnails that retention has not removed, and start images. */
const FILE_KEYS = `
  select unnest(array[video_key, thumbnail_key]) as key
  from kinora.video
  where status = 'COMPLETED' and files_removed_at is null and video_key is not null
  union all
  select key from kinora.video_image where state = 'kept'
`

/** @returns the number of rows: COPY escapes line breaks, so each row is a line */
async function copyOut(tx: Query, query: string, write: (chunk: Buffer) => Promise<void>): Promise<number> {
  const stream: Readable = await tx.unsafe(`copy (${query}) to stdout`).readable()
  let rows = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
    await write(chunk)
  }
  return rows
}
