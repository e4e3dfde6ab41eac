/** The objects of a bucket that are no films: backups. */
import type { Readable } from 'node:stream'
import { DeleteObjectCommand } from '@aws-sdk/client-s3'
import type { S3Settings } from '../config/config.ts'
import { type ListedObject, listObjects, openS3Client, readInRanges, uploadParts } from './s3-client.ts'

export type Bucket = {
  /** Uploads while the stream is written; its size need not be known. */
  put: (key: string, content: Readable) => ReturnType<typeof uploadParts>
  list: (prefix: string) => Promise<ListedObject[]>
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
      const found: ListedObject[] = []
      for await (const object of listObjects(client, bucket, prefix)) found.push(object)
      return found
    },
    read: (key) => readInRanges(client, { Bucket: bucket, Key: key }, new AbortController().signal),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    close: () => client.destroy(),
  }
}
