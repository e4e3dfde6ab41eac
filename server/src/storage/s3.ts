/**
 * Storage in an S3-compatible bucket. The rule: only what every S3 server understands is asked of it (plain puts of
 * known length with an MD5, single deletes, presigned reads), so that a stranger's server need not be the real one.
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
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Settings } from '../config.ts'
import { attachment, checkedKey, StorageError } from './key.ts'
import type { Storage } from './storage.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** The longest silence on a connection; a whole upload may take as long as it moves. */
const IDLE_TIMEOUT_MS = 30_000
const CHECK_TIMEOUT_MS = 10_000
/** S3 takes no presigned link for longer than a week. */
const PRESIGNED_TTL_MAX_S = 7 * 24 * 3600
/** Where `check` writes when the keys may not look at the bucket itself. */
const PROBE_KEY = 'kinora-check.txt'

const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

export function openS3(settings: S3Settings): Storage {
  const client = new S3Client({
    ...(settings.endpoint ? { endpoint: settings.endpoint } : {}),
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: settings.forcePathStyle,
    // The newer checksums are sent as trailers that many S3 servers do not understand.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
    maxAttempts: 2,
    // Without one it prints to the console that an upload cannot be sent again; the error that follows is enough.
    logger: silent,
  })
  const at = (key: string) => ({ Bucket: settings.bucket, Key: checkedKey(key) })

  return {
    // Where the client puts the bucket's name is its own matter, so a link is made and looked at; nothing is sent.
    origin: async () => new URL(await getSignedUrl(client, new GetObjectCommand(at(PROBE_KEY)))).origin,
    put: async (key, file, contentType) => {
      const { size } = await stat(file)
      // The server refuses a body that does not match, so what is kept is what was checked here.
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
    locate: async (key, reply) => {
      const object = {
        ...at(key),
        ResponseContentType: reply.contentType,
        ...(reply.downloadName === undefined ? {} : { ResponseContentDisposition: attachment(reply.downloadName) }),
      }
      // A presigned link is good for the one method it was made for.
      const expiresIn = Math.max(1, Math.min(Math.floor(reply.ttlS), PRESIGNED_TTL_MAX_S))
      const url =
        reply.method === 'HEAD'
          ? await getSignedUrl(client, new HeadObjectCommand(object), { expiresIn })
          : await getSignedUrl(client, new GetObjectCommand(object), { expiresIn })
      return { kind: 'redirect', url }
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    check: () => checkBucket(client, settings),
    close: async () => client.destroy(),
  }
}

async function checkBucket(client: S3Client, settings: S3Settings): Promise<void> {
  const { bucket: Bucket } = settings
  const limits = () => ({ abortSignal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
  try {
    await client.send(new HeadBucketCommand({ Bucket }), limits())
  } catch (error) {
    if (statusOf(error) !== 403) throw new StorageError(sentence(error, settings), error)
    // Keys that may only read and write objects are refused a look at the bucket; a small write shows what counts.
    const probe = new PutObjectCommand({ Bucket, Key: PROBE_KEY, Body: 'kinora', ContentType: 'text/plain' })
    await client.send(probe, limits()).catch((refused) => {
      throw new StorageError(sentence(refused, settings), refused)
    })
  }
}

function sentence(error: unknown, { bucket, endpoint, region }: S3Settings): string {
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
