/**
 * `kinora backup TARGET`: the database in one snapshot, and the list of its films with sizes and hashes, compressed by
 * gzip. The films themselves are not in it: docs/backup.md has both halves.
 *   TARGET             a file; a folder or s3://bucket/prefix, in which the backup gets a name with its time; default: BACKUP_TO
 *   --keep N           removes all but the newest N there; default: BACKUP_KEEP, else none is removed
 *   --every 24h        goes on until it is stopped: a backup as often, the first one when the newest is older than that
 *   --list             prints those that are there, and makes none
 *   --no-hashes        lists sizes only, without reading every film
 *   --with-signing-key has the own key that signs films, too
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import type { Config } from '../config/config.ts'
import { type BackupEnd, END_MARK, FILE_MARK, KEY_MARK } from '../db/backup.ts'
import { dumpDatabase } from '../db/database.ts'
import type { BackupFile } from '../db/restore.ts'
import { readArguments } from '../process/command-arguments.ts'
import { shutdownRequested } from '../process/process.ts'
import { readOwnFiles } from '../provenance/keys.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { counted } from '../text/counted.ts'
import { type BackupTarget, backupName, openTarget, TargetError } from './backup-target.ts'
import { parseEvery, repeatEvery } from './repeat.ts'

const FILE_MODE = 0o600
/** Films that are read at the same time. */
const CONCURRENCY = 4
/** Text compresses to a quarter at half the CPU time of the default. */
const GZIP_LEVEL = 4

type Options = {
  target: string
  keep: number | null
  everyS: number | null
  isList: boolean
  hashes: boolean
  withSigningKey: boolean
  /** An option was given that needs a target for several backups. */
  needsFolder: boolean
}

/** @returns the exit status: 0 written, 1 not written, 2 wrong arguments */
export async function backupCommand(config: Config, args: string[]): Promise<number> {
  const options = readOptions(config, args)
  if (typeof options === 'string') {
    console.error(options)
    return 2
  }
  const target = await openTarget(config, options.target).catch((error: unknown) => {
    if (error instanceof TargetError) return error.message
    throw error
  })
  if (typeof target === 'string') {
    console.error(target)
    return 2
  }
  try {
    if (target.file !== null && options.needsFolder) {
      console.error(`--keep, --every and --list need a folder or a prefix, and ${options.target} is none.`)
      return 2
    }
    if (options.isList) {
      const backups = await target.list()
      if (backups.length === 0) console.error(`There is no backup in ${options.target}.`)
      for (const { name, sizeBytes } of backups) console.log(`${target.pathOf(name)}  ${sizeBytes} bytes`)
      return 0
    }
    if (options.everyS === null) await backup(config, target, options)
    else await backupEvery(config, target, options, options.everyS)
    return 0
  } finally {
    target.close()
  }
}

async function backupEvery(config: Config, target: BackupTarget, options: Options, everyS: number): Promise<void> {
  const stopping = new AbortController()
  void shutdownRequested().then(() => stopping.abort())
  await repeatEvery(everyS, stopping.signal, {
    name: 'backup',
    lastAt: async () => (await target.list()).at(-1)?.madeAt ?? null,
    run: () => backup(config, target, options),
  })
}

async function backup(config: Config, target: BackupTarget, options: Options): Promise<void> {
  const { keep } = options
  const name = target.file ?? backupName(new Date())
  const keys = path.join(temporaryDir(config.dataDir), `backup-${randomUUID()}.keys`)
  await mkdir(path.dirname(keys), { recursive: true, mode: 0o750 })
  const storage = await openStorage(config)
  const file = await target.create(name)
  let isStored = false
  try {
    const { tables, rows, files } = await writeBackup(config, storage, file.stream, keys, options)
    const sizeBytes = await file.finish()
    isStored = true
    console.log(
      `${target.pathOf(name)}: ${counted(tables, 'table')}, ${counted(rows, 'row')}, ${counted(files, 'file')} listed, ${sizeBytes} bytes.`,
    )
  } finally {
    if (!isStored) await file.discard()
    await storage.close()
    await rm(keys, { force: true })
  }
  if (keep !== null && target.file === null) await removeOld(target, keep)
}

/** @param keysFile for the keys of films: reading films takes long, and the snapshot holds back vacuum */
async function writeBackup(
  config: Config,
  storage: Storage,
  output: Writable,
  keysFile: string,
  { hashes, withSigningKey }: Options,
): Promise<BackupEnd> {
  const gzip = createGzip({ level: GZIP_LEVEL })
  gzip.pipe(output)
  gzip.on('error', (error) => output.destroy(error))
  // An error of either ends the writes below, which would wait for `drain` for ever.
  const written = finished(output, { readable: false })
  written.catch((error) => gzip.destroy(error))
  const write = (text: string | Buffer) => writeTo(gzip, text)
  const keys = createWriteStream(keysFile, { mode: FILE_MODE, flags: 'wx' })
  // Its errors reach the caller by `writeTo` and `finished`.
  keys.on('error', () => {})
  const { tables, rows } = await dumpDatabase(config.databaseUrlDirect, write, (lines) => writeTo(keys, lines)).finally(
    () => keys.end(),
  )
  await finished(keys)
  if (withSigningKey) await writeSigningKey(config, write)
  const files = await listFiles(storage, keysFile, hashes, write)
  const end: BackupEnd = { tables, rows, files }
  await write(`${END_MARK}${JSON.stringify(end)}\n`)
  gzip.end()
  await written
  return end
}

/** A key of the settings is the operator's, who has it. */
async function writeSigningKey({ dataDir, provenance }: Config, write: (text: string) => Promise<void>): Promise<void> {
  const own = await readOwnFiles(dataDir)
  if (own) await write(`${KEY_MARK}${JSON.stringify(own)}\n`)
  else console.log(`No signing key is in ${dataDir}, and none in the backup.`)
  if (provenance.key !== null) console.log('PROVENANCE_KEY is not in the backup: keep it with the other settings.')
}

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
  const lines = createInterface({ input: createReadStream(keys) })
  let files = 0
  await forEachConcurrently(lines, CONCURRENCY, async (key) => {
    // COPY writes null, a video without a thumbnail, as \N.
    if (key === '\\N') return
    const file = hashes ? await hashFile(storage, key) : await measureFile(storage, key)
    files += 1
    await write(`${FILE_MARK}${JSON.stringify(file)}\n`)
  })
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

async function removeOld(target: BackupTarget, keep: number): Promise<void> {
  for (const { name } of (await target.list()).slice(0, -keep)) {
    await target.remove(name)
    console.log(`${target.pathOf(name)} is removed: ${keep} are kept.`)
  }
}

/** @returns the options, or what is wrong with the arguments */
function readOptions({ backup: settings }: Config, args: string[]): Options | string {
  try {
    const { values, positionals } = readArguments('backup', {
      args,
      allowPositionals: true,
      options: {
        keep: { type: 'string' },
        every: { type: 'string' },
        list: { type: 'boolean', default: false },
        'no-hashes': { type: 'boolean', default: false },
        'with-signing-key': { type: 'boolean', default: false },
      },
    })
    const [target = settings.target, ...rest] = positionals
    if (!target || rest.length > 0) return 'Name one file or folder: kinora backup /var/backups/kinora'
    const keep = values.keep === undefined ? settings.keep : Number(values.keep)
    if (keep !== null && !(Number.isInteger(keep) && keep >= 1)) return '--keep is a number of backups, 1 or more.'
    const problems: string[] = []
    const everyS = parseEvery(values.every, problems)
    if (problems[0]) return problems[0]
    const needsFolder = values.list || values.keep !== undefined || everyS !== null
    const { list: isList, 'with-signing-key': withSigningKey } = values
    return { target, keep, everyS, isList, hashes: !values['no-hashes'], withSigningKey, needsFolder }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
