/**
 * Storage in an S3-compatible bucket. It uses only operations that every S3 implementation supports: plain puts of known
 * length with an MD5, single deletes, presigned reads.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Settings } from '../config.ts'
import { attachment, checkedKey, StorageError } from './key.ts'
import type { Storage } from './storage.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** The longest time without data on a connection; an upload that makes progress has no time limit. */
const IDLE_TIMEOUT_MS = 30_000
/** Of one range request, and therefore of the memory that reading an object takes. */
const RANGE_BYTES = 4 * 1024 * 1024
const CHECK_TIMEOUT_MS = 10_000
/** S3 limits presigned links to a week. */
const PRESIGNED_TTL_MAX_S = 7 * 24 * 3600
/** The object that `check` writes when the credentials may not read the bucket's metadata. */
const PROBE_KEY = 'kinora-check.txt'

const noop = () => undefined
const silentLogger = { debug: noop, info: noop, warn: noop, error: noop }

export function openS3(settings: S3Settings): Storage {
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
  const at = (key: string) => ({ Bucket: settings.bucket, Key: checkedKey(key) })

  return {
    // The SDK decides where the bucket's name goes in the URL, so the origin is taken from a presigned link; no request.
    origin: async () => new URL(await getSignedUrl(client, new GetObjectCommand(at(PROBE_KEY)))).origin,
    put: async (key, file, contentType) => {
      const { size } = await stat(file)
      // The server rejects a body that does not match, so the stored file is the inspected file.
      const ContentMD5 = await md5Of(file)
      const body = createReadStream(file)
      try {
        await client.send(
          new PutObjectCommand({ ...at(key), Body: body, ContentLength: size, ContentMD5, ContentType: contentType }),
        )
      } finally {
        body.destroy()
      }
    },
    locate: async (key, options) => {
      const params = {
        ...at(key),
        ResponseContentType: options.contentType,
        ...(options.downloadName === undefined ? {} : { ResponseContentDisposition: attachment(options.downloadName) }),
      }
      // A presigned link is valid for one method only.
      const expiresIn = Math.max(1, Math.min(Math.floor(options.ttlS), PRESIGNED_TTL_MAX_S))
      const url =
        options.method === 'HEAD'
          ? await getSignedUrl(client, new HeadObjectCommand(params), { expiresIn })
          : await getSignedUrl(client, new GetObjectCommand(params), { expiresIn })
      return { kind: 'redirect', url }
    },
    size: async (key) => {
      try {
        const { ContentLength = 0 } = await client.send(new HeadObjectCommand(at(key)))
        return ContentLength
      } catch (error) {
        // Without the permission to list the bucket, S3 answers 403 for a missing object too; that is an error here.
        if (statusOf(error) === 404) return null
        throw new StorageError(explain(error, settings), error)
      }
    },
    read: (key, signal) => readInRanges(client, at(key), signal),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    check: () => checkBucket(client, settings),
    close: async () => client.destroy(),
  }
}

type ObjectKey = { Bucket: string; Key: string }

/**
 * Reads an object by range requests. One request for all of it would be idle while a slow consumer pauses, and end with the idle
 * timeout. The first range is read at once, which shows whether the object exists.
 */
async function readInRanges(
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
    // Without Content-Range the storage ignored the range and sent the whole object.
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

async function checkBucket(client: S3Client, settings: S3Settings): Promise<void> {
  const { bucket: Bucket } = settings
  const limits = () => ({ abortSignal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
  try {
    await client.send(new HeadBucketCommand({ Bucket }), limits())
  } catch (error) {
    if (statusOf(error) !== 403) throw new StorageError(explain(error, settings), error)
    // Credentials limited to objects get 403 for HeadBucket; a small write tests the permission that matters.
    const probe = new PutObjectCommand({ Bucket, Key: PROBE_KEY, Body: 'kinora', ContentType: 'text/plain' })
    await client.send(probe, limits()).catch((writeError) => {
      throw new StorageError(explain(writeError, settings), writeError)
    })
  }
}

function explain(error: unknown, { bucket, endpoint, region }: S3Settings): string {
  const where = endpoint ?? `Amazon S3 in ${region}`
  switch (statusOf(error)) {
    case 404:
      return `There is no bucket "${bucket}" at ${where}: create it or correct S3_BUCKET.`
    case 401:
    case 403:
      return `${where} refuses the keys for bucket "${bucket}": check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and what they may do.`
    case 301:
    case 307:
    case 400:
      return `${where} does not serve bucket "${bucket}" in this region: check S3_REGION and S3_ENDPOINT.`
    case undefined:
      return `${where} does not answer: check S3_ENDPOINT and the network (${nameOf(error)}).`
    default:
      return `${where} answers for bucket "${bucket}" with status ${statusOf(error)}: look at its own logs.`
  }
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const { $metadata: metadata } = error
  const status = metadata && typeof metadata === 'object' && 'httpStatusCode' in metadata && metadata.httpStatusCode
  return typeof status === 'number' ? status : undefined
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}
