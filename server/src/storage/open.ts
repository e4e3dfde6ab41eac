/**
 * Opens the configured storage. New files go to the store in force: S3 when it is configured, otherwise a folder in
 * `dataDir`. While the other one has files too, after a change of the settings, a file is read from where it is, and
 * removed from both.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { S3Settings } from '../config/config.ts'
import { openFolder } from './folder.ts'
import type { Storage, Store } from './storage.ts'

/** `storage`: the store in force. `s3` beside the folder: earlier files may be there. */
export type StorageSettings = { dataDir: string; s3: S3Settings | null; storage: 'folder' | 's3' }

export type Stores = { inForce: Store; other: Store | null }

export const folderOf = ({ dataDir }: { dataDir: string }): string => path.join(dataDir, 'files')

export async function openStores(config: StorageSettings): Promise<Stores> {
  const hasFolder = config.storage === 'folder' || existsSync(folderOf(config))
  const folder = hasFolder ? await openFolder(folderOf(config)) : null
  // Loaded on demand: the AWS SDK takes 0.1 s of CPU time, and most services store files in a folder.
  const s3 = config.s3 && (await import('./s3.ts')).openS3(config.s3)
  if (config.storage === 's3' && s3) return { inForce: s3, other: folder }
  if (!folder) throw new Error('storage is s3 without its settings')
  return { inForce: folder, other: s3 }
}

export async function openStorage(config: StorageSettings): Promise<Storage> {
  const { inForce, other } = await openStores(config)
  if (!other) return inForce
  const isFolderInForce = config.storage === 'folder'
  const [folder, bucket] = isFolderInForce ? [inForce, other] : [other, inForce]
  return {
    ...inForce,
    origin: () => bucket.origin(),
    // The folder is asked first: it answers without a request.
    locate: async (key, options) => {
      if ((await folder.size(key)) !== null) return folder.locate(key, options)
      // The service answers for a file that is nowhere, and not the bucket with its XML.
      if (isFolderInForce && (await bucket.size(key)) === null) return folder.locate(key, options)
      return bucket.locate(key, options)
    },
    size: async (key) => (await folder.size(key)) ?? (await bucket.size(key)),
    read: async (key, signal) => (await folder.read(key, signal)) ?? (await bucket.read(key, signal)),
    // In this sequence, so that a copy that is under way does not bring the file back: operator/files-command.ts.
    remove: async (key) => {
      await other.remove(key)
      await inForce.remove(key)
    },
    close: async () => {
      await Promise.all([inForce.close(), other.close()])
    },
  }
}
