/**
 * Storage in an S3-compatible bucket. It uses only operations that every S3 implementation supports: plain puts of
 * known length with an MD5, multipart uploads of large files, single deletes, presigned reads.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Settings } from '../config/config.ts'
import { attachment, checkedKey, StorageError } from './key.ts'
import { listObjects, openS3Client, readInRanges, statusOf, uploadParts } from './s3-client.ts'
import { KEY_FOLDERS, type Store } from './storage.ts'

/** A larger file goes in parts, of which a failed one is sent again alone; one request may have 5 GB at most. */
const SINGLE_PUT_BYTES_MAX = 64 * 1024 * 1024
const CHECK_TIMEOUT_MS = 10_000
/** S3 limits presigned links to a week. */
const PRESIGNED_TTL_MAX_S = 7 * 24 * 3600
/** The object that `check` writes when the credentials may not read the bucket's metadata. */
const PROBE_KEY = 'kinora-check.txt'

export function openS3(settings: S3Settings): Store {
  const client = openS3Client(settings)
  const at = (key: string) => ({ Bucket: settings.bucket, Key: checkedKey(key) })

  return {
    // The SDK decides where the bucket's name goes in the URL, so the origin is taken from a presigned link; no
    // request.
    origin: async () =>
      settings.filesUrl ?? new URL(await getSignedUrl(client, new GetObjectCommand(at(PROBE_KEY)))).origin,
    put: async (key, file, contentType) => {
      const { size } = await stat(file)
      if (size > SINGLE_PUT_BYTES_MAX) {
        const params = { ...at(key), ContentType: contentType }
        return uploadParts(client, params, createReadStream(file), size).done()
      }
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
    locate: async (key, { method, contentType, downloadName, ttlS }) => {
      const params = {
        ...at(key),
        ResponseContentType: contentType,
        ...(downloadName === undefined ? {} : { ResponseContentDisposition: attachment(downloadName) }),
      }
      // A presigned link is valid for one method only.
      const command = method === 'HEAD' ? new HeadObjectCommand(params) : new GetObjectCommand(params)
      return { kind: 'redirect', url: await presignedUrl(client, command, settings, ttlS) }
    },
    size: async (key) => {
      try {
        const { ContentLength = 0 } = await client.send(new HeadObjectCommand(at(key)))
        return ContentLength
      } catch (error) {
        // S3 answers 403 for a missing object too without the permission to list the bucket; that is an error here.
        if (statusOf(error) === 404) return null
        throw new StorageError(explain(error, settings), error)
      }
    },
    read: (key, signal) => readInRanges(client, at(key), signal),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    check: () => checkBucket(client, settings),
    list: async function* () {
      for (const folder of KEY_FOLDERS) yield* listObjects(client, settings.bucket, `${folder}/`)
    },
    close: async () => client.destroy(),
  }
}

async function presignedUrl(
  client: S3Client,
  command: GetObjectCommand | HeadObjectCommand,
  { filesUrl }: S3Settings,
  wantedTtlS: number,
): Promise<string> {
  // A link that is dated back to the start of its minute must still live as long as it was asked for.
  const ttlS = Math.floor(wantedTtlS) + (filesUrl ? 60 : 0)
  const url = await getSignedUrl(client, command, {
    expiresIn: Math.max(1, Math.min(ttlS, PRESIGNED_TTL_MAX_S)),
    ...(filesUrl && { signingDate: startOfMinute(new Date()) }),
  })
  return filesUrl ? url.replace(/^https?:\/\/[^/]+/, filesUrl) : url
}

/** Readers of one minute get one URL, so that a CDN, whose cache is by URL, has it after the first. */
function startOfMinute(now: Date): Date {
  const start = new Date(now)
  start.setUTCSeconds(0, 0)
  return start
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

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}
