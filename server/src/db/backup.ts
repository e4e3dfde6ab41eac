/**
 * A backup of the database, as text: a header of one line, then each table as PostgreSQL's COPY writes it, in one
 * snapshot. It needs no client tools of the server's version, which pg_dump does, and psql can read it. The tables'
 * definitions are not in it: the header names the migrations that make them, and `restore` runs these.
 */
import type { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }
import { OperatorError } from '../errors.ts'
import type { Query } from './db.ts'
import type { Division, SnapshotPart } from './division.ts'
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
/** Files of the key that signs films; only where the operator wants them in the backup. */
export const KEY_MARK = '-- signing-key '
export const END_MARK = '-- end '
export const END_OF_ROWS = '\\.'

/** Made by `migrate`, or of the cluster alone: `credential_revocation` has numbers of its transactions. */
const LEFT_OUT = [
  'kinora.migration',
  'kinora.schema_version',
  'kinora.credential_revocation',
  // Its triggers count the users that a restore inserts.
  'kinora.user_count',
  // The sweep makes them again, and `xid` is of the cluster.
  'kinora.film_sum',
  'kinora.film_sum_state',
  'kinora.film_sum_stale',
  'kinora.usage_sum',
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
  { inCommonSnapshot }: Division,
  databaseUrl: string,
  write: (text: string | Buffer) => Promise<void>,
  writeKey: (lines: Buffer) => Promise<void>,
): Promise<{ tables: number; rows: number }> {
  return await inCommonSnapshot(databaseUrl, async (parts) => {
    const [{ tx }] = parts as [SnapshotPart, ...SnapshotPart[]]
    await write(`${HEADER_MARK}${JSON.stringify(await readHeader(tx))}\n`)
    const written = { tables: 0, rows: 0 }
    for (const { name, columns } of await readTables(tx)) {
      const sources = parts.flatMap(({ tx, nameOf }) => {
        const own = nameOf(name)
        return own === null ? [] : [{ tx, own }]
      })
      if (sources.length === 0) continue
      await write(`copy ${name} (${columns}) from stdin;\n`)
      for (const { tx, own } of sources) written.rows += await copyOut(tx, `select ${columns} from ${own}`, write)
      await write(`${END_OF_ROWS}\n`)
      written.tables += 1
    }
    for (const { tx, nameOf } of parts) {
      if (nameOf('kinora.video') === null) continue
      await copyOut(
        tx,
        `select unnest(keys) from (${KEPT_FILES.replace(/kinora\.\w+/g, (table) => nameOf(table) ?? table)}) files`,
        writeKey,
      )
    }
    return written
  })
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

async function readHeader(tx: Query): Promise<BackupHeader> {
  const schema = await readDatabaseSchema(tx)
  if (!schema)
    throw new OperatorError('The database has no tables of Kinora: run `kinora migrate`, or set another DATABASE_URL.')
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

/**
 * The files that rows name: of films whose files are not removed, hidden ones among them, and assets. `keys`: the
 * storage keys, the one of `size_bytes` first.
 */
export const KEPT_FILES = `
  select user_id, id, 'video' as what, array_remove(array[video_key, thumbnail_key, manifest_key], null) as keys, size_bytes
  from kinora.video v
  where status = 'COMPLETED' and (
    files_removed_at is null or exists (
      select from kinora.video_file f where f.user_id = v.user_id and f.video_id = v.id and f.due_at > now() + interval '2 hours'
    )
  )
  union all
  select user_id, id, 'asset', array[key], size_bytes from kinora.asset where state = 'kept'
`

/** @returns the number of rows: COPY escapes line breaks, so each row is a line */
async function copyOut(tx: Query, query: string, write: (chunk: Buffer) => Promise<void>): Promise<number> {
  const stream: Readable = await tx.unsafe(`copy (${query}) to stdout`).readable()
  let rows = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
    await write(chunk)
  }
  // The driver pauses its socket while the stream is full. A stream that has ended does not resume it, and the next
  // query would wait for ever.
  stream._read(0)
  return rows
}
