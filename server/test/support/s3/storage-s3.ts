/**
 * The storage suite on a real S3 server, and cases that only S3 has. `npm run test:s3` starts the server and passes its
 * address and keys in the environment.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { before, type TestContext, test } from 'node:test'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../../src/config/config.ts'
import { attachment } from '../../../src/storage/key.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { openS3 } from '../../../src/storage/s3.ts'
import { openBucket } from '../../../src/storage/s3-bucket.ts'
import { storageSuite } from '../storage-suite.ts'

const { S3_TEST_ENDPOINT: endpoint, S3_TEST_KEY: accessKeyId = '', S3_TEST_SECRET: secretAccessKey = '' } = process.env
const bucket = `films-${process.pid}`
const region = 'us-east-1'

if (!endpoint) throw new Error('S3_TEST_ENDPOINT is not set: `npm run test:s3` starts the server that this needs.')
const settings: S3Settings = { bucket, endpoint, region, accessKeyId, secretAccessKey, forcePathStyle: true }

before(async () => {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
})

// RADOS Gateway 16 reads the suffix -0 as the position 0.
const emptySuffix = process.env.S3_TEST_SERVER === 'rgw' ? 206 : 416
storageSuite('storage in S3', () => openStorage({ dataDir: tmpdir(), s3: settings, storage: 's3' }), emptySuffix)

const assertCheckFails = async (wrong: Partial<S3Settings>, message: RegExp) => {
  const storage = openS3({ ...settings, ...wrong })
  await assert.rejects(storage.check(), { name: 'StorageError', message })
  await assert.rejects(storage.put('video/u1/wrong.mp4', import.meta.filename, 'video/mp4'))
  await assert.rejects(storage.remove('video/u1/wrong.mp4'))
  await storage.close()
}

test('S3 check: wrong secret key → the error names the setting', () =>
  assertCheckFails({ secretAccessKey: 'wrong' }, /refuses the keys for bucket "films-\d+": check S3_ACCESS_KEY_ID/))

test('S3 check: unknown access key → the error names the setting', () =>
  assertCheckFails(
    { accessKeyId: 'kinora:unknown' },
    /refuses the keys for bucket "films-\d+": check S3_ACCESS_KEY_ID/,
  ))

test('S3 check: missing bucket → the error names it', () =>
  assertCheckFails(
    { bucket: 'no-such-bucket' },
    /^There is no bucket "no-such-bucket" at http:.*: create it or correct S3_BUCKET\.$/,
  ))

test('S3 check: connection refused → the error names the endpoint', () =>
  assertCheckFails(
    { endpoint: 'http://127.0.0.1:9' },
    /^http:\/\/127\.0\.0\.1:9 does not answer: check S3_ENDPOINT and the network \(ECONNREFUSED\)\.$/,
  ))

test('S3 check: any error → its message does not contain the secret key', async () => {
  const storage = openS3({ ...settings, bucket: 'no-such-bucket' })
  await assert.rejects(storage.check(), (error: Error) => !error.message.includes(secretAccessKey))
  await storage.close()
})

const storeFilms = async (t: TestContext, keys: string[]) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-s3-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'film'), '0123456789')
  const storage = openS3(settings)
  t.after(() => storage.close())
  for (const key of keys) await storage.put(key, path.join(folder, 'film'), 'video/mp4')
  return storage
}

test('S3: any characters in the download name → encoded in Content-Disposition', async (t) => {
  const storage = await storeFilms(t, ['video/u1/named.mp4'])
  const names = [
    'ein "schöner" Tag; 100 % *.mp4',
    '視頻 🎬.mp4',
    "it's (a) name.mp4",
    'a\r\nb: c\0.mp4',
    '../../etc/passwd',
  ]
  for (const downloadName of names) {
    const options = { method: 'GET', contentType: 'video/mp4', ttlS: 60, downloadName } as const
    const location = await storage.locate('video/u1/named.mp4', options)
    assert.ok(location.kind === 'redirect')
    const reply = await fetch(location.url)
    assert.deepEqual([reply.status, await reply.text()], [200, '0123456789'])
    assert.equal(reply.headers.get('content-disposition'), attachment(downloadName))
  }
})

test('S3: presigned link → valid for one file and one method, 403 when altered', async (t) => {
  const storage = await storeFilms(t, ['video/u1/a.mp4', 'video/u1/b.mp4'])
  const location = await storage.locate('video/u1/a.mp4', { method: 'GET', contentType: 'video/mp4', ttlS: 60 })
  assert.ok(location.kind === 'redirect')
  const range = await fetch(location.url, { headers: { range: 'bytes=-4' } })
  assert.deepEqual(
    [range.status, range.headers.get('content-range'), await range.text()],
    [206, 'bytes 6-9/10', '6789'],
  )

  const replies = await Promise.all([
    fetch(location.url),
    fetch(location.url.replace('a.mp4', 'b.mp4')),
    fetch(location.url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')),
    fetch(location.url.replace('response-content-type=video', 'response-content-type=text')),
    fetch(location.url, { method: 'PUT', body: 'other' }),
    fetch(location.url, { method: 'DELETE' }),
  ])
  for (const reply of replies) await reply.body?.cancel()
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 403, 403, 403, 403, 403],
  )

  const unsigned = await fetch(new URL(new URL(location.url).pathname, endpoint))
  await unsigned.body?.cancel()
  assert.ok([400, 401, 403].includes(unsigned.status), String(unsigned.status))
})

async function contentOf(chunks: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  const read: Uint8Array[] = []
  for await (const chunk of chunks ?? []) read.push(chunk)
  return chunks && Buffer.concat(read)
}

test('S3: file above 64 MB → sent in parts, read back as it was', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-s3-'))
  t.after(() => rm(folder, { recursive: true }))
  const film = Buffer.alloc(70 * 1024 * 1024, randomBytes(1021))
  await writeFile(path.join(folder, 'film'), film)
  const storage = openS3(settings)
  t.after(() => storage.close())
  await storage.put('video/u1/parts.mp4', path.join(folder, 'film'), 'video/mp4')
  assert.equal(await storage.size('video/u1/parts.mp4'), film.length)
  const read = await contentOf(await storage.read('video/u1/parts.mp4', new AbortController().signal))
  assert.ok(read?.equals(film))
})

test('S3: backup of unknown size → streamed, listed, read and removed; a stream that fails → no object', async (t) => {
  const objects = openBucket(settings, bucket)
  t.after(objects.close)
  const backup = Buffer.alloc(40 * 1024 * 1024, randomBytes(1021))
  const chunks = Array.from({ length: 40 }, (_, i) => backup.subarray(i * 1024 * 1024, (i + 1) * 1024 * 1024))
  await objects.put('backups/one.backup', Readable.from(chunks)).done()
  await objects.put('backups/two.backup', Readable.from([Buffer.from('small')])).done()
  const failing = async function* () {
    yield backup
    throw new Error('the database is gone')
  }
  await assert.rejects(objects.put('backups/three.backup', Readable.from(failing())).done(), /database is gone/)
  const listed = await objects.list('backups/')
  assert.deepEqual(
    listed.map(({ key, sizeBytes }) => [key, sizeBytes]),
    [
      ['backups/one.backup', backup.length],
      ['backups/two.backup', 5],
    ],
  )
  // The age of the last backup is measured by it.
  for (const { modifiedAt } of listed)
    assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 3_600_000, `${modifiedAt}`)
  assert.ok((await contentOf(await objects.read('backups/one.backup')))?.equals(backup))
  await objects.remove('backups/one.backup')
  assert.equal(await objects.read('backups/one.backup'), null)
})

test('S3: FILES_URL → links lead to the CDN, one for all readers of a minute, which the storage accepts from it', async (t) => {
  await storeFilms(t, ['video/u1/cdn.mp4'])
  // Forwards as a CDN does whose origin is the bucket: with the origin's Host.
  const cdn = http.createServer((request, response) => {
    const headers = { ...request.headers, host: new URL(endpoint).host }
    http
      .request(`${endpoint}${request.url}`, { method: request.method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 0, reply.headers)
        reply.pipe(response)
      })
      .end()
  })
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve))
  t.after(() => cdn.close())
  const filesUrl = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`
  const storage = openS3({ ...settings, filesUrl })
  t.after(() => storage.close())
  const link = await storage.locate('video/u1/cdn.mp4', { method: 'GET', contentType: 'video/mp4', ttlS: 300 })
  assert.ok(link.kind === 'redirect' && link.url.startsWith(`${filesUrl}/${bucket}/video/u1/cdn.mp4?`))
  const reply = await fetch(link.url)
  assert.deepEqual([reply.status, await reply.text()], [200, '0123456789'])
})
