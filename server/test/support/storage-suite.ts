/**
 * The contract of every storage: files are stored through the interface and read back through signed links over HTTP.
 * `storage.test.ts` runs it on a folder, `s3/storage-s3.ts` on a real S3 server.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { AppError, type ErrorCode, statusOf } from '../../src/errors.ts'
import { registerFiles } from '../../src/http/files.ts'
import { signLink } from '../../src/storage/link.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { retainedMemory } from './garbage.ts'

const authSecret = 'a secret of the storage tests'
const LARGE_BYTES = 64 * 1024 * 1024

/** An HTTP server with the file routes and the error envelope only. */
export async function serveFiles(
  storage: Storage,
  secret: string,
  isShown: (key: string) => Promise<boolean> = async () => true,
  filesByProxy = false,
): Promise<{ app: FastifyInstance; publicUrl: string }> {
  const app = fastify()
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof AppError)) throw error
    const status: number = statusOf[error.code as ErrorCode]
    reply.code(status).send({ error: { code: error.code, message: error.message } })
  })
  registerFiles(app, {
    storage,
    config: { filesByProxy },
    authSecret: secret,
    now: () => new Date(),
    shownFile: async (key) => ((await isShown(key)) ? { key, manifestKey: null } : null),
    linkTo: () => null,
    onForged: () => undefined,
  })
  const publicUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, publicUrl }
}

/** A raw request: `fetch` would add `cache-control: no-cache` to a conditional one. */
export function raw(method: string, url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (reply) => {
      let body = ''
      reply.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }))
    })
    request.on('error', reject).end()
  })
}

/** @param emptySuffix the status for the last 0 bytes: 416 by RFC 9110; where links redirect, the S3 server decides */
export function storageSuite(name: string, openStorage: () => Promise<Storage>, emptySuffix: 206 | 416 = 416): void {
  describe(name, () => {
    let storage: Storage
    let app: FastifyInstance
    let publicUrl: string
    let folder: string

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'kinora-storage-source-'))
      storage = await openStorage()
      const served = await serveFiles(storage, authSecret)
      app = served.app
      publicUrl = served.publicUrl
    })
    after(async () => {
      await app.close()
      await storage.close()
      await rm(folder, { recursive: true })
    })

    const link = (key: string) => signLink({ publicUrl, authSecret }, key, { nowMs: Date.now(), ttlS: 600 })
    const get = (key: string, headers: Record<string, string> = {}) => fetch(link(key), { headers })
    const put = async (key: string, content: string | Buffer, contentType = 'video/mp4') => {
      const file = path.join(folder, `source-${randomBytes(8).toString('hex')}`)
      await writeFile(file, content)
      await storage.put(key, file, contentType)
      await rm(file)
    }

    test('200: stored file → whole content with type and length', async () => {
      await put('video/u1/whole.mp4', 'a film')
      const reply = await get('video/u1/whole.mp4')
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-type'), 'video/mp4')
      assert.equal(reply.headers.get('content-length'), '6')
      assert.equal(reply.headers.get('content-disposition'), null)
      assert.equal(await reply.text(), 'a film')

      await put('video/u1/whole.jpg', 'a picture', 'image/jpeg')
      assert.equal((await get('video/u1/whole.jpg')).headers.get('content-type'), 'image/jpeg')
    })

    test('200: empty file → empty body', async () => {
      await put('video/u1/empty.mp4', '')
      const reply = await get('video/u1/empty.mp4')
      assert.equal(reply.status, 200)
      assert.equal(await reply.text(), '')
    })

    test('read: stored, empty and large file → its bytes; missing file → null', async () => {
      const contentOf = async (key: string) => {
        const chunks = await storage.read(key, new AbortController().signal)
        const read: Uint8Array[] = []
        for await (const chunk of chunks ?? []) read.push(chunk)
        return chunks && Buffer.concat(read)
      }
      const large = randomBytes(9 * 1024 * 1024 + 5)
      await put('video/u1/read.mp4', 'a film')
      await put('video/u1/read-empty.mp4', '')
      await put('video/u1/read-large.mp4', large)
      assert.equal(String(await contentOf('video/u1/read.mp4')), 'a film')
      assert.equal(String(await contentOf('video/u1/read-empty.mp4')), '')
      assert.ok((await contentOf('video/u1/read-large.mp4'))?.equals(large))
      assert.equal(await contentOf('video/u1/read-missing.mp4'), null)
    })

    test('206: first, middle, open-ended and suffix ranges', async () => {
      await put('video/u1/range.mp4', '0123456789')
      const ranges = {
        '0-0': '0',
        '2-4': '234',
        '7-': '789',
        '7-999': '789',
        '-3': '789',
        '-10': '0123456789',
        '-99': '0123456789',
      }
      for (const [range, expected] of Object.entries(ranges)) {
        const reply = await get('video/u1/range.mp4', { range: `bytes=${range}` })
        const content = await reply.text()
        assert.deepEqual([range, reply.status, content], [range, 206, expected])
        const first = '0123456789'.indexOf(expected)
        assert.equal(reply.headers.get('content-range'), `bytes ${first}-${first + expected.length - 1}/10`)
        assert.equal(reply.headers.get('content-length'), String(expected.length))
        assert.equal(reply.headers.get('content-type'), 'video/mp4')
      }
    })

    test('416: range beyond the end', async () => {
      await put('video/u1/range.mp4', '0123456789')
      for (const range of ['10-', '99-100']) {
        const reply = await get('video/u1/range.mp4', { range: `bytes=${range}` })
        await reply.body?.cancel()
        assert.deepEqual([range, reply.status], [range, 416])
      }
    })

    test(`${emptySuffix}: range of the last 0 bytes`, async () => {
      await put('video/u1/range.mp4', '0123456789')
      const reply = await get('video/u1/range.mp4', { range: 'bytes=-0' })
      assert.deepEqual([reply.status, (await reply.text()) === '0123456789'], [emptySuffix, emptySuffix === 206])
    })

    test('304: unchanged file; If-Range no longer matches → 200 instead of 206', async () => {
      await put('video/u1/etag.mp4', '0123456789')
      const conditional = async (headers: Record<string, string>) => {
        const reply = await raw('GET', link('video/u1/etag.mp4'), headers)
        return reply.status === 302 ? raw('GET', reply.headers.location ?? '', headers) : reply
      }
      const { etag = '' } = (await conditional({})).headers
      assert.match(etag, /"/)
      const unchanged = await conditional({ 'if-none-match': etag })
      assert.deepEqual([unchanged.status, unchanged.body], [304, ''])
      assert.equal((await conditional({ 'if-none-match': '"other"' })).status, 200)
      const held = await conditional({ range: 'bytes=0-3', 'if-range': etag })
      assert.deepEqual([held.status, held.body], [206, '0123'])
    })

    test('200: HEAD → headers without a body', async () => {
      await put('video/u1/head.mp4', '0123456789')
      const reply = await fetch(link('video/u1/head.mp4'), { method: 'HEAD' })
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-length'), '10')
      assert.equal(reply.headers.get('content-type'), 'video/mp4')
      assert.equal(await reply.text(), '')
    })

    test('200, 206: ?download → attachment', async () => {
      await put('video/u1/0193e7a1-aaaa-7bbb-8ccc-ddddeeeeffff.mp4', '0123456789')
      const url = link('video/u1/0193e7a1-aaaa-7bbb-8ccc-ddddeeeeffff.mp4')
      for (const [query, headers, expected] of [
        ['&download', {}, '0123456789'],
        ['&download=1', { range: 'bytes=4-' }, '456789'],
      ] as const) {
        const reply = await fetch(url + query, { headers })
        assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="kinora-eeeeffff.mp4"')
        assert.equal(reply.headers.get('content-type'), 'video/mp4')
        assert.equal(await reply.text(), expected)
      }
    })

    test('put: existing key → content replaced', async () => {
      for (const content of ['first', 'the second, longer', '3']) {
        await put('video/u1/again.mp4', content)
        assert.equal(await (await get('video/u1/again.mp4')).text(), content)
      }
    })

    test('put: concurrent puts of one key → one of them, whole', async () => {
      const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000))
      await Promise.all(contents.map((content) => put('video/u1/race.mp4', content)))
      const kept = await (await get('video/u1/race.mp4')).text()
      assert.ok(contents.includes(kept))
    })

    test('404: missing or removed file; removing twice → no error', async () => {
      const never = await get('video/u1/never.mp4')
      await never.body?.cancel()
      assert.equal(never.status, 404)
      await put('video/u1/gone.mp4', 'film')
      assert.ok(((await storage.size('video/u1/gone.mp4')) ?? 0) > 0)
      await storage.remove('video/u1/gone.mp4')
      await storage.remove('video/u1/gone.mp4')
      assert.equal(await storage.size('video/u1/gone.mp4'), null)
      const gone = await get('video/u1/gone.mp4')
      await gone.body?.cancel()
      assert.equal(gone.status, 404)
    })

    test('put: missing source file → error, nothing stored', async () => {
      await assert.rejects(storage.put('video/u1/none.mp4', path.join(folder, 'none'), 'video/mp4'), { code: 'ENOENT' })
      const reply = await get('video/u1/none.mp4')
      await reply.body?.cancel()
      assert.equal(reply.status, 404)
    })

    test('key: path traversal and other invalid keys → StorageError', async () => {
      const options = { method: 'GET', contentType: 'video/mp4', ttlS: 60 } as const
      const paths = '/ /etc/passwd ../x.mp4 a/../b a/.. a//b a/ ./a a/./b .hidden a/.hidden .incoming/x'
      const keys = ['', ...paths.split(' ')]
      keys.push(
        'a\\b',
        'a b',
        'a\0b',
        'a\nb',
        'a%2e',
        'é.mp4',
        'a..b',
        'a.',
        'C:/x',
        'a?b',
        'a#b',
        `${'a/'.repeat(300)}b`,
      )
      for (const key of keys) {
        await assert.rejects(storage.locate(key, options), { name: 'StorageError' }, key)
        await assert.rejects(storage.remove(key), { name: 'StorageError' }, key)
        await assert.rejects(storage.put(key, import.meta.filename, 'video/mp4'), { name: 'StorageError' }, key)
      }
    })

    test('put, get: 64 MB → streamed in bounded memory', async () => {
      const file = path.join(folder, 'large')
      const block = randomBytes(1024 * 1024)
      const handle = await open(file, 'w')
      for (let written = 0; written < LARGE_BYTES; written += block.length) await handle.write(block)
      await handle.close()

      // Only retained memory counts, so each sample follows a garbage collection. That is slow, so pauses between
      // samples double.
      const heldBytes = () => retainedMemory().arrayBuffers
      const before = heldBytes()
      let peakBytes = 0
      let watch: NodeJS.Timeout | undefined
      const sampleIn = (ms: number) => {
        watch = setTimeout(() => {
          peakBytes = Math.max(peakBytes, heldBytes() - before)
          sampleIn(ms * 2)
        }, ms)
      }
      sampleIn(20)
      await storage.put('video/u1/large.mp4', file, 'video/mp4')
      clearTimeout(watch)
      assert.ok(peakBytes < LARGE_BYTES / 2, `${peakBytes} bytes were held`)

      const reply = await get('video/u1/large.mp4')
      const received = createHash('sha256')
      for await (const chunk of reply.body ?? []) received.update(chunk)
      assert.equal(
        received.digest('hex'),
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
      )
      await storage.remove('video/u1/large.mp4')
    })

    test('check: usable storage → no error', () => storage.check())
  })
}
