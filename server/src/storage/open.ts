/** Opens the configured storage. */
import path from 'node:path'
import type { S3Settings } from '../config.ts'
import { openFolder } from './folder.ts'
import { openS3 } from './s3.ts'
import type { Storage } from './storage.ts'

/** S3 when it is configured, otherwise a folder in `dataDir`. */
export async function openStorage(config: { dataDir: string; s3: S3Settings | null }): Promise<Storage> {
  return config.s3 ? openS3(config.s3) : openFolder(path.join(config.dataDir, 'files'))
}
