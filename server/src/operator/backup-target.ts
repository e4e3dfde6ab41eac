/**
 * The target of backups: files of a folder, or objects below a prefix of an S3 bucket. Invariant: a backup appears
 * under its name when it is whole, by an atomic rename or the completion of a multipart upload.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Config } from '../config/config.ts'

/** One sentence for the operator. */
export class TargetError extends Error {}

/** `madeAt`: by its name, or else when it was written. */
export type Backup = { name: string; sizeBytes: number; madeAt: Date }

export type BackupTarget = {
  /** The name of one file that the operator named; null: a folder, in which each backup gets a name with its time. */
  file: string | null
  /** The path that the operator sees. */
  pathOf: (name: string) => string
  /** Opens a new backup. `finish` resolves with its size in bytes when it is stored, after the stream has ended. */
  create: (name: string) => Promise<{ stream: Writable; finish: () => Promise<number>; discard: () => Promise<void> }>
  /** Backups named by `backupName`, the oldest first; or the one file that the operator named, when it is there. */
  list: () => Promise<Backup[]>
  /** @throws Error ENOENT without such a backup */
  read: (name: string) => Promise<AsyncIterable<Uint8Array>>
  remove: (name: string) => Promise<void>
  close: () => void
}

/** It has password hashes, sessions and keys of users. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const NAME = /^kinora-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/
const S3_TARGET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/

/** Sorts by time, and has no colon, which some file systems refuse. */
export const backupName = (date: Date): string =>
  `kinora-${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

/** @throws TargetError for an address of S3 that is none, or without keys */
export async function openTarget({ backup }: Pick<Config, 'backup'>, target: string): Promise<BackupTarget> {
  if (!target.startsWith('s3:')) return openLocal(target)
  const [, bucket, prefix = ''] = S3_TARGET.exec(target) ?? []
  if (!bucket) throw new TargetError(`${target} is no address in S3: s3://bucket/prefix`)
  if (!backup.s3)
    throw new TargetError('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the same with BACKUP_ before them.')
  // Loaded on demand, as for films.
  const { openBucket } = await import('../storage/s3-bucket.ts')
  const file = prefix.endsWith('.backup') ? path.posix.basename(prefix) : null
  const folder = file === null ? prefix.replace(/\/+$/, '') : path.posix.dirname(`/${prefix}`).slice(1)
  const keyOf = (name: string) => (folder ? `${folder}/${name}` : name)
  const objects = openBucket(backup.s3, bucket)
  return {
    file,
    pathOf: (name) => `s3://${bucket}/${keyOf(name)}`,
    create: async (name) => {
      let sizeBytes = 0
      const stream = new Transform({
        transform: (chunk: Buffer, _encoding, pass) => {
          sizeBytes += chunk.length
          pass(null, chunk)
        },
      })
      const upload = objects.put(keyOf(name), stream)
      const done = upload.done()
      // An upload that fails ends the writing.
      done.catch((error) => stream.destroy(error))
      return {
        stream,
        finish: async () => {
          await done
          return sizeBytes
        },
        discard: async () => {
          stream.destroy()
          await upload.abort().catch(() => undefined)
        },
      }
    },
    list: async () =>
      (await objects.list(file === null ? folder && `${folder}/` : keyOf(file)))
        .map(({ key, sizeBytes, modifiedAt }) => {
          const name = path.posix.basename(key)
          return { key, name, sizeBytes, madeAt: timeOf(name) ?? modifiedAt }
        })
        .filter(({ name, key }) => isBackup(name, file) && key === keyOf(name))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    read: async (name) => {
      const content = await objects.read(keyOf(name))
      if (!content) throw Object.assign(new Error(`there is no ${keyOf(name)} in ${bucket}`), { code: 'ENOENT' })
      return content
    },
    remove: (name) => objects.remove(keyOf(name)),
    close: objects.close,
  }
}

async function openLocal(target: string): Promise<BackupTarget> {
  const found = await stat(target).catch(() => null)
  // A folder that is not there yet is made; as a file, each backup would replace the one before.
  const isFolder = found ? found.isDirectory() : path.extname(target) === ''
  const folder = isFolder ? target : path.dirname(target)
  const file = isFolder ? null : path.basename(target)
  const pathOf = (name: string) => path.join(folder, name)
  return {
    file,
    pathOf,
    create: async (name) => {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      const partial = pathOf(`${name}.${randomUUID().slice(0, 8)}.partial`)
      const stream = createWriteStream(partial, { mode: FILE_MODE, flags: 'wx' })
      return {
        stream,
        finish: async () => {
          const handle = await open(partial, 'r')
          await handle.sync()
          await handle.close()
          await rename(partial, pathOf(name))
          return (await stat(pathOf(name))).size
        },
        discard: async () => {
          // An open file keeps its space after it is removed.
          await finished(stream.destroy()).catch(() => undefined)
          await rm(partial, { force: true })
        },
      }
    },
    list: async () => {
      const names = (await namesIn(folder)).filter((name) => isBackup(name, file)).sort()
      return Promise.all(
        names.map(async (name) => {
          const { size, mtime } = await stat(pathOf(name))
          return { name, sizeBytes: size, madeAt: timeOf(name) ?? mtime }
        }),
      )
    },
    read: async (name) => createReadStream(pathOf(name)),
    remove: (name) => rm(pathOf(name)),
    close: () => undefined,
  }
}

const isBackup = (name: string, file: string | null): boolean => (file === null ? NAME.test(name) : name === file)

/** Null: the name has no time. */
const timeOf = (name: string): Date | null => (NAME.test(name) ? new Date(name.replace(NAME, '$1T$2:$3:$4Z')) : null)

/** Read each time: a process that repeats backups has made the folder after it opened the target. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
