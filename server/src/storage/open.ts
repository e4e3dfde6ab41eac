/** Opens the configured storage. */
import path from 'node:path'
import type { S3Settings } from '../config/config.ts'
import { openFolder } from './folder.ts'
import type { Storage } from './storage.ts'

/** S3 when it is configured, otherwise a folder in `dataDir`. */
export async function openStorage(config: { dataDir: string; s3: S3Settings | null }): Promise<Storage> {
  if (!config.s3) return openFolder(path.join(config.dataDir, 'files'))
  // Loaded on demand: the AWS SDK takes 0.1 s of CPU time, and most services store files in a folder.
  const { openS3 } = await import('./s3.ts')
  return openS3(config.s3)
}
