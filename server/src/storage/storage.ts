/**
 * Storage for films, thumbnails and assets. Invariant: a write is atomic and replaces an existing file of the
 * same key. Storage knows no permissions; `link.ts` and the file routes enforce them.
 */
export type ResponseOptions = {
  method: 'GET' | 'HEAD'
  contentType: string
  /** Makes the response an attachment with this file name; any characters. */
  downloadName?: string
  /** How long the location must be valid; a redirect expires then. */
  ttlS: number
}

export type Location = { kind: 'file'; path: string } | { kind: 'redirect'; url: string }

export type Storage = {
  /** The origin that serves the files, such as https://films.s3.amazonaws.com; null when this server does. */
  origin(): Promise<string | null>
  /**
   * Stores a copy of a file under a key, durable when this returns. An existing file is replaced atomically.
   * @param file path of a file that is completely written
   */
  put(key: string, file: string, contentType: string): Promise<void>
  /** The location of the content. Does not check that the file exists. */
  locate(key: string, options: ResponseOptions): Promise<Location>
  /** The size of a stored file in bytes; null when there is none. */
  size(key: string): Promise<number | null>
  /**
   * Reads a file in chunks as the consumer takes them; null when there is no such file.
   * @param signal ends the reading, also while the consumer pauses
   */
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>
  /** Removing a missing file is not an error. */
  remove(key: string): Promise<void>
  /** @throws StorageError when files cannot be stored now: one sentence for the operator */
  check(): Promise<void>
  close(): Promise<void>
}

export type StoredFile = { key: string; sizeBytes: number }

/** A folder or a bucket, whose files can be listed. */
export type Store = Storage & {
  /** Assets, films and thumbnails as they are read; one stored or removed meanwhile may be missing. */
  list(): AsyncIterable<StoredFile>
}

/** The first parts of keys. */
export const KEY_FOLDERS = ['asset', 'video']
