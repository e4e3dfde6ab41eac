/**
 * Storage in a local folder. Invariant: atomic rename. A file is copied to a temporary name, flushed to disk and then
 * renamed, so a concurrent reader never sees a partial file and a power failure never leaves one. The copies are in
 * `.incoming` of the same folder, which no key can name; leftovers of killed processes are removed when the folder is
 * opened.
 */
import { randomUUID } from 'node:crypto'
import { chmod, constants, copyFile, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkedKey, isKey, StorageError } from './key.ts'
import { forgetFile } from './open-files.ts'
import { KEY_FOLDERS, type Store, type StoredFile } from './storage.ts'

/** Readable for the group, such as a backup, and for no other user; also where the umask of the process allows more. */
const FILE_MODE = 0o640
const FOLDER_MODE = 0o750
const FREE_BYTES_MIN = 100_000_000
/** Other processes share the folder: a younger copy may be in progress. */
const STALE_AFTER_MS = 24 * 3600 * 1000

/** @throws StorageError when the folder cannot be made or read */
export async function openFolder(root: string): Promise<Store> {
  const incoming = path.join(root, '.incoming')
  const pathOf = (key: string) => path.join(root, checkedKey(key))
  try {
    await mkdir(incoming, { recursive: true, mode: FOLDER_MODE })
    await removeStaleCopies(incoming)
  } catch (error) {
    throw new StorageError(`The folder ${root} for files cannot be used: ${reason(error)}.`, error)
  }

  return {
    origin: async () => null,
    put: async (key, file) => putFile(root, incoming, file, pathOf(key)),
    locate: async (key) => ({ kind: 'file', path: pathOf(key) }),
    size: async (key) => {
      try {
        const found = await stat(pathOf(key))
        return found.isFile() ? found.size : null
      } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
          return null
        throw error
      }
    },
    read: async (key, signal) => {
      try {
        const handle = await open(pathOf(key), 'r')
        return handle.createReadStream({ signal })
      } catch (error) {
        if (reason(error) === 'ENOENT') return null
        throw error
      }
    },
    remove: async (key) => {
      await rm(pathOf(key), { force: true })
      forgetFile(pathOf(key))
    },
    check: () => checkFolder(root, incoming),
    list: () => listFiles(root),
    close: async () => undefined,
  }
}

async function putFile(root: string, incoming: string, file: string, target: string): Promise<void> {
  const copy = path.join(incoming, randomUUID())
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE)
    // A copy has the mode of its source, which only this process may read. Some network file systems have no modes.
    await chmod(copy, FILE_MODE).catch(() => undefined)
    await flush(copy)
    await mkdir(path.dirname(target), { recursive: true, mode: FOLDER_MODE })
    await rename(copy, target)
    forgetFile(target)
  } catch (error) {
    await rm(copy, { force: true })
    throw error
  }
  // A rename is durable only after every parent folder is flushed.
  for (let folder = path.dirname(target); folder.length >= root.length; folder = path.dirname(folder)) {
    await flush(folder)
  }
}

async function checkFolder(root: string, incoming: string): Promise<void> {
  const { bavail, bsize } = await statfs(root).catch((error) => {
    throw new StorageError(`The folder ${root} for files cannot be used: ${reason(error)}.`, error)
  })
  const freeBytes = bavail * bsize
  if (freeBytes < FREE_BYTES_MIN) {
    const freeMb = Math.floor(freeBytes / 1_000_000)
    const message = `Only ${freeMb} MB are free where files are kept (${root}): make room for new films.`
    throw new StorageError(message, undefined, { isFull: true })
  }
  const probe = path.join(incoming, randomUUID())
  try {
    await writeFile(probe, 'kinora', { mode: FILE_MODE })
    await rm(probe)
  } catch (error) {
    throw new StorageError(`The folder ${root} for files cannot be written to: ${reason(error)}.`, error)
  }
}

async function* listFiles(root: string): AsyncGenerator<StoredFile> {
  for (const folder of KEY_FOLDERS) {
    // A folder at a time: one user's.
    const users = await readdir(path.join(root, folder)).catch(() => [])
    for (const user of users) {
      for (const name of await readdir(path.join(root, folder, user)).catch(() => [])) {
        const key = `${folder}/${user}/${name}`
        const found = await stat(path.join(root, key)).catch(() => null)
        if (found?.isFile() && isKey(key)) yield { key, sizeBytes: found.size }
      }
    }
  }
}

async function removeStaleCopies(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - STALE_AFTER_MS) await rm(file, { force: true, recursive: true })
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
