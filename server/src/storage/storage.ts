/**
 * Where films and thumbnails are kept. The rule: a key is written whole or not at all, writing it again replaces it,
 * and nothing here knows who may read what; `link.ts` and the file routes decide that.
 */
import path from 'node:path'
import type { S3Settings } from '../config.ts'
import { openFolder } from './folder.ts'
import { openS3 } from './s3.ts'

export type ReplyWishes = {
  method: 'GET' | 'HEAD'
  contentType: string
  /** Makes the reply an attachment under this name; any characters. */
  downloadName?: string
  /** How long the location must work; a redirect may work no longer. */
  ttlS: number
}

export type Location = { kind: 'file'; path: string } | { kind: 'redirect'; url: string }

export type Storage = {
  /** Where links to files lead, such as https://films.s3.amazonaws.com; null when they are served from here. */
  origin(): Promise<string | null>
  /**
   * Keeps a copy of a file under a key. It is durable when this returns; the same key again replaces it atomically.
   * @param file path of a file that nobody is still writing
   */
  put(key: string, file: string, contentType: string): Promise<void>
  /** Where the content can be had. Whether it is there shows only when it is asked for. */
  locate(key: string, reply: ReplyWishes): Promise<Location>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** @throws StorageError when files could not be kept now: one sentence for the operator */
  check(): Promise<void>
  close(): Promise<void>
}

/** Opens S3 when it is configured, else a folder in `dataDir`. */
export async function openStorage(config: { dataDir: string; s3: S3Settings | null }): Promise<Storage> {
  return config.s3 ? openS3(config.s3) : openFolder(path.join(config.dataDir, 'files'))
}
