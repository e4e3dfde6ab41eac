/**
 * `kinora backup FILE`: the database in one snapshot, and the list of its films with sizes and hashes, compressed by gzip. The
 * films themselves are not in it: docs/backup.md has both halves.
 *   FILE               a file, or a folder, in which the backup gets a name with its time
 *   --keep N           in a folder: removes all but the newest N
 *   --no-hashes        lists sizes only, without reading every film
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import type { Config } from '../config.ts'
import { type BackupEnd, dumpDatabase, END_MARK, FILE_MARK } from '../db/backup.ts'
import type { BackupFile } from '../db/restore.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'

/** It has password hashes, sessions and keys of users. */
const FILE_MODE = 0o600
/** Files that are read at the same time. */
const CONCURRENCY = 4
const NAME = /^kinora-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/
/** Text compresses to a quarter at half the processor time of the default. */
const GZIP_LEVEL = 4

type Options = { target: string; keep: number | null; hashes: boolean }

/** @returns the exit status: 0 written, 1 not written, 2 wrong arguments */
export async function backupCommand(config: Config, args: string[]): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'string') {
    console.error(options)
    return 2
  }
  const folder = (await isFolder(options.target)) ? options.target : null
  if (options.keep !== null && folder === null) {
    console.error(`--keep needs a folder, and ${options.target} is none.`)
    return 2
  }
  const file = folder === null ? options.target : path.join(folder, nameOf(new Date()))
  const partial = `${file}.${randomUUID().slice(0, 8)}.partial`
  const storage = await openStorage(config)
  try {
    const { tables, rows, files } = await writeBackup(config, storage, partial, options.hashes)
    // Atomic rename: a file of this name is whole.
    await rename(partial, file)
    const { size } = await stat(file)
    console.log(`${file}: ${tables} tables, ${rows} rows, ${files} files listed, ${size} bytes.`)
    if (folder !== null && options.keep !== null) await removeOld(folder, options.keep)
    return 0
  } finally {
    await storage.close()
    await Promise.all([partial, keysFile(partial)].map((each) => rm(each, { force: true })))
  }
}

async function writeBackup(config: Config, storage: Storage, file: string, hashes: boolean): Promise<BackupEnd> {
  const gzip = createGzip({ level: GZIP_LEVEL })
  const output = gzip.pipe(createWriteStream(file, { mode: FILE_MODE, flags: 'wx' }))
  gzip.on('error', (error) => output.destroy(error))
  // An error of either ends the writes below, which would wait for `drain` for ever.
  const written = finished(output)
  written.catch((error) => gzip.destroy(error))
  const write = (text: string | Buffer) => writeTo(gzip, text)
  // The keys go to a file of their own: reading films takes long, and the snapshot would hold back vacuum meanwhile.
  const keys = createWriteStream(keysFile(file), { mode: FILE_MODE, flags: 'wx' })
  // Its errors reach the caller by `writeTo` and `finished`.
  keys.on('error', () => {})
  const { tables, rows } = await dumpDatabase(config.databaseUrlDirect, write, (lines) => writeTo(keys, lines))
  keys.end()
  await finished(keys)
  const files = await listFiles(storage, keysFile(file), hashes, write)
  const end: BackupEnd = { tables, rows, files }
  await write(`${END_MARK}${JSON.stringify(end)}\n`)
  gzip.end()
  await written
  const handle = await open(file, 'r')
  await handle.sync()
  await handle.close()
  return end
}

const keysFile = (file: string): string => `${file}.keys`

async function writeTo(stream: Writable, chunk: string | Buffer): Promise<void> {
  if (stream.destroyed) throw stream.errored ?? new Error('The backup could not be written.')
  if (!stream.write(chunk)) await once(stream, 'drain')
}

/** Writes a line for each key, in any sequence. */
async function listFiles(
  storage: Storage,
  keys: string,
  hashes: boolean,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const lines = createInterface({ input: createReadStream(keys) })[Symbol.asyncIterator]()
  let files = 0
  const lane = async () => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      // COPY writes null, a video without a thumbnail, as \N.
      if (next.value === '\\N') continue
      const file = hashes ? await hashFile(storage, next.value) : await measureFile(storage, next.value)
      files += 1
      await write(`${FILE_MARK}${JSON.stringify(file)}\n`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  return files
}

const measureFile = async (storage: Storage, key: string): Promise<BackupFile> => ({
  key,
  sizeBytes: await storage.size(key),
  sha256: null,
})

/** Reads the file. Null size: it is missing; retention may have removed it since the snapshot. */
export async function hashFile(storage: Storage, key: string): Promise<BackupFile> {
  const content = await storage.read(key, new AbortController().signal)
  if (content === null) return { key, sizeBytes: null, sha256: null }
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { key, sizeBytes, sha256: hash.digest('hex') }
}

async function removeOld(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort()
  for (const name of names.slice(0, -keep)) {
    await rm(path.join(folder, name))
    console.log(`${path.join(folder, name)} is removed: ${keep} are kept.`)
  }
}

/** Sorts by time, and has no colon, which some file systems refuse. */
const nameOf = (date: Date): string => `kinora-${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

const isFolder = async (target: string): Promise<boolean> =>
  (await stat(target).catch(() => null))?.isDirectory() ?? false

/** @returns the options, or what is wrong with the arguments */
function readOptions(args: string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { keep: { type: 'string' }, 'no-hashes': { type: 'boolean', default: false } },
    })
    const [target, ...rest] = positionals
    if (!target || rest.length > 0) return 'Name one file or folder: kinora backup /var/backups/kinora'
    const keep = values.keep === undefined ? null : Number(values.keep)
    if (keep !== null && !(Number.isInteger(keep) && keep >= 1)) return '--keep is a number of backups, 1 or more.'
    return { target, keep, hashes: !values['no-hashes'] }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
