/** The objects of a bucket that are no films: backups. */
import type { Readable } from 'node:stream'
import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { S3Settings } from '../config/config.ts'
import { openS3Client, readInRanges, uploadParts } from './s3-client.ts'

export type BucketObject = { key: string; sizeBytes: number; modifiedAt: Date }

export type Bucket = {
  /** Uploads while the stream is written; its size need not be known. */
  put: (key: string, content: Readable) => ReturnType<typeof uploadParts>
  list: (prefix: string) => Promise<BucketObject[]>
  /** Null when there is no such object. */
  read: (key: string) => Promise<AsyncIterable<Uint8Array> | null>
  remove: (key: string) => Promise<void>
  close: () => void
}

export function openBucket(settings: Omit<S3Settings, 'bucket'>, bucket: string): Bucket {
  const client = openS3Client(settings)
  return {
    put: (key, content) =>
      uploadParts(client, { Bucket: bucket, Key: key, ContentType: 'application/gzip' }, content, null),
    list: async (prefix) => {
      const found: BucketObject[] = []
      let token: string | undefined
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
        )
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          // A store that does not report the time has none that is new.
          if (Key) found.push({ key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) })
        }
        token = page.NextContinuationToken
      } while (token)
      return found
    },
    read: (key) => readInRanges(client, { Bucket: bucket, Key: key }, new AbortController().signal),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    close: () => client.destroy(),
  }
}
