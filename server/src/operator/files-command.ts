/**
 * `kinora files copy --to s3|folder`: copies what the other store has into the store in force, while the service runs.
 *   --remove   removes each file from the other store once its copy is verified
 * A copy is verified by the SHA-256 of both. A file that is there with the same size is not copied again, so that a
 * copy that was interrupted goes on: a store never has part of a file (storage.ts).
 */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import type { Config } from '../config/config.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { shutdownRequested } from '../process/process.ts'
import { contentTypeOf } from '../storage/key.ts'
import { openStores } from '../storage/open.ts'
import type { Store, StoredFile } from '../storage/storage.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { counted } from '../text/counted.ts'

const CONCURRENCY = 4
const PROGRESS_EVERY_MS = 10_000
const DIFFERS = 'the copy differs from the original'

type Counts = { copied: number; present: number; gone: number; failed: number }
type Copying = { from: Store; to: Store; tmp: string; removes: boolean; counts: Counts; signal: AbortSignal }

/** @returns the exit status: 0 everything is in the store in force, 1 not everything */
export async function filesCommand(config: Config, args: string[]): Promise<number> {
  const removes = readOptions(config, args)
  const { inForce, other } = await openStores(config)
  if (!other) {
    const remedy =
      config.storage === 'folder'
        ? 'S3_BUCKET is not set, so there is no bucket to copy from.'
        : 'there is no folder with files in DATA_DIR.'
    console.log(`Nothing to copy: ${remedy}`)
    return 0
  }
  const stopping = new AbortController()
  void shutdownRequested().then(() => stopping.abort())
  const tmp = path.join(temporaryDir(config.dataDir), `files-${randomUUID()}`)
  await mkdir(tmp, { recursive: true, mode: 0o750 })
  try {
    return await copyAll({
      from: other,
      to: inForce,
      tmp,
      removes,
      counts: { copied: 0, present: 0, gone: 0, failed: 0 },
      signal: stopping.signal,
    })
  } finally {
    await rm(tmp, { recursive: true, force: true })
    await Promise.all([inForce.close(), other.close()])
  }
}

async function copyAll(copying: Copying): Promise<number> {
  const { from, removes, counts, signal } = copying
  const timer = setInterval(() => console.log(`${linesOf(counts)} so far`), PROGRESS_EVERY_MS)
  try {
    await forEachConcurrently(from.list(), CONCURRENCY, async (file) => {
      if (signal.aborted) return
      try {
        await copyOne(copying, file)
      } catch (error) {
        counts.failed += 1
        console.error(`${file.key}: ${(error as Error).message}`)
      }
    })
  } finally {
    clearInterval(timer)
  }
  console.log(`${linesOf(counts)}.`)
  if (signal.aborted) console.log('Interrupted: run the command again, and it goes on.')
  else if (counts.failed > 0) console.log(`${counts.failed} could not be copied: run the command again.`)
  else
    console.log(removes ? 'The other store is empty.' : 'Both stores have them; --remove removes those of the other.')
  return signal.aborted || counts.failed > 0 ? 1 : 0
}

const linesOf = ({ copied, present, gone }: Counts): string =>
  `${counted(copied, 'file')} copied and verified, ${counted(present, 'was', 'were')} there already${gone > 0 ? `, ${counted(gone, 'was', 'were')} deleted meanwhile` : ''}`

async function copyOne({ from, to, tmp, removes, counts, signal }: Copying, { key, sizeBytes }: StoredFile) {
  if ((await to.size(key)) === sizeBytes) {
    // An earlier run may have ended before it had verified its copy.
    if (removes && (await hashOf(to, key, signal)) !== (await hashOf(from, key, signal))) throw new Error(DIFFERS)
    counts.present += 1
  } else {
    const file = path.join(tmp, randomUUID())
    try {
      const hash = await download(from, key, file, signal)
      if (hash === null) {
        counts.gone += 1
        return
      }
      await to.put(key, file, contentTypeOf(key))
      if ((await hashOf(to, key, signal)) !== hash) {
        // By its size it would count as copied in the next run.
        await to.remove(key)
        throw new Error(DIFFERS)
      }
    } finally {
      await rm(file, { force: true })
    }
    // The service removes a file here first: it was deleted while it was copied, or will be removed from both.
    if ((await from.size(key)) === null) {
      await to.remove(key)
      counts.gone += 1
      return
    }
    counts.copied += 1
  }
  if (removes) await from.remove(key)
}

/** @returns the SHA-256; null: the file is no longer there */
async function download(from: Store, key: string, file: string, signal: AbortSignal): Promise<string | null> {
  const content = await from.read(key, signal)
  if (content === null) return null
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(content, hashing, createWriteStream(file, { mode: 0o600 }))
  return hash.digest('hex')
}

async function hashOf(store: Store, key: string, signal: AbortSignal): Promise<string | null> {
  const content = await store.read(key, signal)
  if (content === null) return null
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

/** @returns whether files are removed from the other store */
function readOptions({ storage }: Config, args: string[]): boolean {
  const { values, positionals } = readArguments('files', {
    args,
    allowPositionals: true,
    options: { to: { type: 'string' }, remove: { type: 'boolean', default: false } },
  })
  if (positionals.join(' ') !== 'copy' || !values.to)
    throw new UsageError('kinora files copy --to s3|folder [--remove]')
  if (values.to !== storage) {
    const change = storage === 'folder' ? 'set S3_BUCKET and its companions' : 'set STORAGE=folder beside S3_BUCKET'
    throw new UsageError(
      `New films go to ${storage === 'folder' ? 'the folder' : 'S3'}: ${change}, start the service again, then copy the earlier ones.`,
    )
  }
  return values.remove
}
