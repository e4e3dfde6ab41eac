/**
 * The client of an S3-compatible service, and what films and backups have in common: uploads in parts with an MD5 each,
 * and reading by ranges.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { S3Settings } from '../config/config.ts'
import { StorageError } from './key.ts'

export type ObjectKey = { Bucket: string; Key: string }

const CONNECT_TIMEOUT_MS = 5_000
/** The longest time without data on a connection; an upload that makes progress has no time limit. */
const IDLE_TIMEOUT_MS = 30_000
/** The bytes of one range request, and therefore of the memory that reading an object takes. */
const RANGE_BYTES = 4 * 1024 * 1024
/** S3 takes 10,000 parts of at least 5 MiB. Two are in memory and on their way at a time. */
const PARTS_MAX = 10_000
const PART_BYTES_MIN = 8 * 1024 * 1024
const PARTS_AT_A_TIME = 2
/** The part size of an object whose size is not known before: up to 312 GiB. */
const PART_BYTES_UNKNOWN = 32 * 1024 * 1024

const noop = () => undefined
const silentLogger = { debug: noop, info: noop, warn: noop, error: noop }

export function openS3Client(settings: Omit<S3Settings, 'bucket'>): S3Client {
  const client = new S3Client({
    ...(settings.endpoint ? { endpoint: settings.endpoint } : {}),
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: settings.forcePathStyle,
    // The newer checksums are sent as trailers, which many S3 implementations do not support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
    maxAttempts: 2,
    // The default logger prints to the console that an upload stream cannot be retried; the error reports that anyway.
    logger: silentLogger,
  })
  client.middlewareStack.add(
    (next) => (args) => {
      const input = args.input as { PartNumber?: number; Body?: unknown; ContentMD5?: string }
      if (input.PartNumber !== undefined && input.Body instanceof Uint8Array) {
        input.ContentMD5 = createHash('md5').update(input.Body).digest('base64')
      }
      return next(args)
    },
    { step: 'initialize', name: 'md5OfParts' },
  )
  return client
}

/**
 * Uploads a stream in parts, without a copy on disk. The server refuses a part that does not match its MD5; the object
 * appears when all parts are there. When the stream or a part fails, the parts are removed.
 * @param sizeBytes null: not known
 */
export function uploadParts(
  client: S3Client,
  params: ObjectKey & { ContentType: string },
  body: Readable,
  sizeBytes: number | null,
): { done: () => Promise<void>; abort: () => Promise<void> } {
  const partSize = sizeBytes === null ? PART_BYTES_UNKNOWN : Math.max(PART_BYTES_MIN, Math.ceil(sizeBytes / PARTS_MAX))
  const upload = new Upload({ client, params: { ...params, Body: body }, partSize, queueSize: PARTS_AT_A_TIME })
  return {
    done: async () => {
      try {
        await upload.done()
      } finally {
        body.destroy()
      }
    },
    abort: () => upload.abort(),
  }
}

/**
 * Reads an object by range requests. One request for all of it would be idle while a slow consumer pauses, and end with
 * the idle timeout. The first range is read at once, which shows whether the object exists.
 */
export async function readInRanges(
  client: S3Client,
  object: ObjectKey,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | null> {
  const readRange = async (start: number, IfMatch?: string) => {
    const Range = `bytes=${start}-${start + RANGE_BYTES - 1}`
    const { Body, ContentRange, ETag } = await client.send(
      new GetObjectCommand({ ...object, Range, ...(IfMatch === undefined ? {} : { IfMatch }) }),
      { abortSignal },
    )
    if (!Body) throw new StorageError(`The storage sent no content for "${object.Key}".`)
    const bytes = await Body.transformToByteArray()
    // The storage ignored the range and sent the whole object when Content-Range is missing.
    const sizeBytes = ContentRange === undefined ? bytes.length : Number(ContentRange.split('/').at(-1))
    return { bytes, sizeBytes, ETag }
  }
  let first: Awaited<ReturnType<typeof readRange>>
  try {
    first = await readRange(0)
  } catch (error) {
    if (statusOf(error) === 404) return null
    // An empty object has no first byte.
    if (statusOf(error) === 416) return Readable.from([])
    throw error
  }
  return (async function* () {
    yield first.bytes
    for (let read = first.bytes.length; read < first.sizeBytes; ) {
      const { bytes } = await readRange(read, first.ETag)
      if (bytes.length === 0) throw new StorageError(`"${object.Key}" ended early.`)
      yield bytes
      read += bytes.length
    }
  })()
}

export type ListedObject = { key: string; sizeBytes: number; modifiedAt: Date }

/** The objects whose keys begin with the prefix, a page at a time. */
export async function* listObjects(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<ListedObject> {
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix, ...(token && { ContinuationToken: token }) }),
    )
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      // A store that does not report the time has none that is new.
      if (Key) yield { key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) }
    }
    token = page.NextContinuationToken
  } while (token)
}

export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const { $metadata: metadata } = error
  const status = metadata && typeof metadata === 'object' && 'httpStatusCode' in metadata && metadata.httpStatusCode
  return typeof status === 'number' ? status : undefined
}
