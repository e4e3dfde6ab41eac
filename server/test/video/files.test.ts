/** `GET /files/*`: signed links, range and conditional requests, caching and security headers. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openFolder } from '../../src/storage/folder.ts'
import { signLink, verifyLink } from '../../src/storage/link.ts'
import { openS3 } from '../../src/storage/s3.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { raw, serveFiles } from '../support/storage-suite.ts'

const authSecret = 'a secret of the file tests'
const key = 'video/u1/0193e7a1-aaaa-7bbb-8ccc-ddddeeeeffff.mp4'
let root: string
let storage: Storage
let app: FastifyInstance
let publicUrl: string

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'kinora-files-'))
  storage = await openFolder(path.join(root, 'files'))
  await writeFile(path.join(root, 'secret.txt'), 'not yours')
  await writeFile(path.join(root, 'source'), '0123456789')
  await storage.put(key, path.join(root, 'source'), 'video/mp4')
  ;({ app, publicUrl } = await serveFiles(storage, authSecret))
})
after(async () => {
  await app.close()
  await rm(root, { recursive: true })
})

const sign = (of = key, ttlS = 600, nowMs = Date.now()) => signLink({ publicUrl, authSecret }, of, { nowMs, ttlS })

test('200: valid link → the file, repeatedly and without authentication', async () => {
  const url = sign()
  for (const _again of [1, 2]) {
    const reply = await fetch(url)
    assert.equal(reply.status, 200)
    assert.equal(await reply.text(), '0123456789')
  }
})

test('FILES_BY_PROXY: valid link → its name for the proxy and no bytes; forged, deleted or gone → no name', async () => {
  let isShown = true
  const proxied = await serveFiles(storage, authSecret, async () => isShown, true)
  try {
    const at = (of = key) =>
      signLink({ publicUrl: proxied.publicUrl, authSecret }, of, { nowMs: Date.now(), ttlS: 600 })
    const refused = async (url: string) => {
      const reply = await raw('GET', url)
      assert.equal(reply.headers['x-accel-redirect'], undefined)
      return reply.status
    }
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await raw(method, `${at()}&download`, { range: 'bytes=2-3' })
      assert.deepEqual([status, body], [200, ''])
      assert.equal(headers['x-accel-redirect'], `/kinora-files/${key}`)
      assert.equal(headers['content-type'], 'video/mp4')
      assert.match(String(headers['content-disposition']), /^attachment/)
      assert.match(String(headers['content-security-policy']), /sandbox/)
      assert.match(String(headers['cache-control']), /^private, max-age=\d+$/)
    }
    const injected = await raw(
      'GET',
      `${at()}&download&filename=${encodeURIComponent('a\r\nx-accel-redirect: /kinora-files/b')}`,
    )
    assert.equal(injected.headers['x-accel-redirect'], `/kinora-files/${key}`)
    assert.equal(await refused(`${at()}x`), 403)
    assert.equal(await refused(at('video/u1/gone.mp4')), 404)
    isShown = false
    assert.equal(await refused(at()), 404)
  } finally {
    await proxied.app.close()
  }
})

test('403: expired or forged link, or one of another file → refused', async () => {
  const valid = new URL(sign())
  const changed = (change: (url: URL) => void) => {
    const url = new URL(valid)
    change(url)
    return url.href
  }
  const exp = Number(valid.searchParams.get('exp'))
  const sig = valid.searchParams.get('sig') ?? ''
  const invalid = {
    expired: sign(key, 600, Date.now() - 3600_000),
    'another file': valid.href.replace('/u1/', '/u2/'),
    'a later expiry': changed((url) => url.searchParams.set('exp', String(exp + 1))),
    'an expiry in another notation': changed((url) => url.searchParams.set('exp', `0${exp}.0`)),
    'another signature': changed((url) =>
      url.searchParams.set('sig', `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}`),
    ),
    'a truncated signature': changed((url) => url.searchParams.set('sig', sig.slice(0, -1))),
    'an empty signature': changed((url) => url.searchParams.set('sig', '')),
    'no signature': changed((url) => url.searchParams.delete('sig')),
    'no expiry': changed((url) => url.searchParams.delete('exp')),
    'two expiries': `${valid.href}&exp=9999999999`,
    'two signatures': `${valid.href}&sig=${sig}`,
    'another secret': signLink({ publicUrl, authSecret: 'other' }, key, { nowMs: Date.now(), ttlS: 600 }),
    nothing: `${publicUrl}/files/${key}`,
    'no key': `${publicUrl}/files/?exp=${exp}&sig=${sig}`,
  }
  for (const [what, url] of Object.entries(invalid)) {
    const reply = await fetch(url)
    assert.equal(reply.status, 403, what)
    assert.deepEqual(await reply.json(), {
      error: {
        code: 'FORBIDDEN',
        message:
          what === 'expired'
            ? 'This link has expired; read the video or asset again to get a new one.'
            : 'This is not a whole link of this service; use the one of the video or asset unchanged, with its exp and sig, or read it again.',
      },
    })
  }
})

test('403: path traversal in any encoding → refused', async () => {
  for (const traversal of [
    '../secret.txt',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    'video/../../secret.txt',
    '..%5csecret.txt',
    '.incoming/x',
    '%00',
  ]) {
    // http.get, because fetch would normalize the path.
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(publicUrl)
      http
        .get({ hostname, port, path: `/files/${traversal}?exp=9999999999&sig=x` }, (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        })
        .on('error', reject)
    })
    assert.equal(status, 403, traversal)
  }
})

test('404: valid link to a deleted file or to a directory → NOT_FOUND', async () => {
  await mkdir(path.join(root, 'files', 'video', 'u9.mp4'), { recursive: true })
  for (const gone of ['video/u1/gone.mp4', 'video/u9.mp4', `${key}/below.mp4`]) {
    const reply = await fetch(sign(gone))
    assert.equal(reply.status, 404)
    assert.deepEqual(await reply.json(), { error: { code: 'NOT_FOUND', message: 'This file is no longer kept.' } })
  }
})

test('signLink: within an eighth of the TTL → the same link, valid for at least the TTL', () => {
  const settings = { publicUrl: 'https://kinora.example', authSecret }
  const ttlS = 86_400
  const start = Math.ceil(Date.now() / 1000 / 10_800) * 10_800
  const at = (s: number) => signLink(settings, key, { nowMs: s * 1000, ttlS })
  assert.match(at(start), /^https:\/\/kinora\.example\/files\/video\/u1\/0193e7a1-[\w-]+\.mp4\?exp=\d+&sig=[\w-]{43}$/)
  assert.equal(at(start + 1), at(start + 10_800))
  assert.notEqual(at(start + 1), at(start + 10_801))

  for (const ttl of [1, 7, 8, 60, ttlS]) {
    const url = new URL(signLink(settings, key, { nowMs: start * 1000 + 1, ttlS: ttl }))
    const link = { key, exp: url.searchParams.get('exp') ?? '', sig: url.searchParams.get('sig') ?? '' }
    const exp = Number(link.exp)
    assert.ok(exp >= start + ttl && exp <= start + ttl + Math.max(1, ttl / 8), String(ttl))
    assert.equal(verifyLink(settings, link, exp * 1000 - 1), exp)
    assert.equal(verifyLink(settings, link, exp * 1000), 'expired')
  }
  assert.throws(() => signLink(settings, '../secret', { nowMs: 0, ttlS }), { name: 'StorageError' })
})

test('404: valid link to a file that is no longer shown → NOT_FOUND, although it is stored', async (t) => {
  const asked: string[] = []
  const served = await serveFiles(storage, authSecret, async (of) => {
    asked.push(of)
    return false
  })
  t.after(() => served.app.close())
  const link = (of: string) =>
    signLink({ publicUrl: served.publicUrl, authSecret }, of, { nowMs: Date.now(), ttlS: 600 })
  const reply = await fetch(link(key))
  assert.equal(reply.status, 404)
  assert.deepEqual(await reply.json(), { error: { code: 'NOT_FOUND', message: 'This file is no longer kept.' } })
  // A forged link gets no answer about a file.
  assert.equal((await fetch(link(key).replace('/u1/', '/u2/'))).status, 403)
  assert.deepEqual(asked, [key])
})

test('200: valid link → cached privately for five minutes, not longer than the link, nosniff, sandboxed', async () => {
  assert.equal((await fetch(sign())).headers.get('cache-control'), 'private, max-age=300')
  const url = sign(key, 160)
  const remainingS = () => Math.floor(Number(new URL(url).searchParams.get('exp')) - Date.now() / 1000)
  const before = remainingS()
  const { headers } = await fetch(url)
  const later = remainingS()
  const maxAgeS = Number(/^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1])
  assert.ok(later <= maxAgeS && maxAgeS <= before, `${maxAgeS} of ${later} to ${before}`)
  assert.equal(headers.get('content-type'), 'video/mp4')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('accept-ranges'), 'bytes')
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';.*; sandbox$/)
  assert.equal(headers.get('set-cookie'), null)
})

test('200, 416: several ranges, other units or malformed ranges → the whole file, or 416 without caching', async () => {
  const responses = {
    'bytes=0-1,4-5': [200, '0123456789'],
    'lines=0-1': [200, '0123456789'],
    'bytes=5-2': [416, ''],
    'bytes=x': [416, ''],
  }
  for (const [range, expected] of Object.entries(responses)) {
    const reply = await fetch(sign(), { headers: { range } })
    assert.deepEqual([reply.status, await reply.text()], expected, range)
    if (reply.status === 416) {
      assert.equal(reply.headers.get('content-range'), 'bytes */10')
      assert.equal(reply.headers.get('cache-control'), 'no-store')
    }
  }
})

test('206, 304, 412: conditional request by ETag or date → as RFC 9110', async () => {
  const first = await fetch(sign())
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[^"]+"$/)
  const modified = first.headers.get('last-modified') ?? ''
  assert.ok(Math.abs(Date.parse(modified) - Date.now()) < 600_000)
  const range = 'bytes=0-3'
  const longAgo = new Date(0).toUTCString()
  const responses: [Record<string, string>, number][] = [
    [{ range, 'if-range': etag }, 206],
    [{ range, 'if-range': modified }, 206],
    [{ range, 'if-range': '"other"' }, 200],
    [{ range, 'if-range': `W/${etag}` }, 200],
    [{ range: 'bytes=99-', 'if-range': `W/${etag}` }, 200],
    [{ range, 'if-range': longAgo }, 200],
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"other", ${etag}` }, 304],
    [{ 'if-none-match': `W/${etag}` }, 304],
    [{ 'if-match': `"other", ${etag}` }, 200],
    [{ 'if-match': `W/${etag}` }, 412],
    [{ 'if-none-match': '"other"', 'if-modified-since': modified }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': longAgo }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-unmodified-since': longAgo }, 412],
  ]
  for (const [headers, status] of responses) {
    const reply = await raw('GET', sign(), headers)
    assert.equal(reply.status, status, JSON.stringify(headers))
    if (status === 304) assert.deepEqual([reply.body, reply.headers.etag], ['', etag])
  }
})

test('200: content replaced, a file removed → another ETag, 404; also where another process does it', async () => {
  const file = path.join(root, 'files', 'video', 'u1', 'tag.mp4')
  const tagOf = async () => (await fetch(sign('video/u1/tag.mp4'))).headers.get('etag')
  const put = async (text: string) => {
    await writeFile(path.join(root, 'source'), text)
    await storage.put('video/u1/tag.mp4', path.join(root, 'source'), 'video/mp4')
  }
  await put('one')
  const first = await tagOf()
  await put('another')
  const second = await tagOf()
  assert.notEqual(second, first)
  await writeFile(`${file}.new`, 'the third one')
  await rename(`${file}.new`, file)
  assert.notEqual(await tagOf(), second)
  await rm(file)
  assert.equal((await fetch(sign('video/u1/tag.mp4'))).status, 404)
  await put('again')
  assert.equal((await fetch(sign('video/u1/tag.mp4'))).status, 200)
  await storage.remove('video/u1/tag.mp4')
  assert.equal((await fetch(sign('video/u1/tag.mp4'))).status, 404)
})

test('206: ranges of a large file, clients that go away in the middle → the bytes of each', async () => {
  const bytes = Buffer.from(Uint32Array.from({ length: 500_000 }, (_, n) => n * 2_654_435_761).buffer)
  await writeFile(path.join(root, 'source'), bytes)
  await storage.put('video/u1/large.mp4', path.join(root, 'source'), 'video/mp4')
  const url = sign('video/u1/large.mp4')
  for (const [from, to] of [
    [0, 65_536],
    [1_000_001, 1_000_002],
    [999_999, 1_900_000],
    [0, bytes.length],
  ] as const) {
    const gone = new AbortController()
    const left = await fetch(url, { signal: gone.signal })
    gone.abort()
    await assert.rejects(left.arrayBuffer())
    const reply = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` } })
    assert.equal(reply.headers.get('content-range'), `bytes ${from}-${to - 1}/${bytes.length}`)
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(from, to)))
  }
  const suffix = await fetch(url, { headers: { range: 'bytes=-99999999' } })
  assert.deepEqual([suffix.status, suffix.headers.get('content-length')], [206, String(bytes.length)])
  assert.equal((await fetch(url, { headers: { range: 'bytes=-0' } })).status, 416)
  assert.equal((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status, 416)
})

test('200, 403, 404: HEAD → as GET, without the body', async () => {
  const plain = await raw('HEAD', sign())
  assert.deepEqual([plain.status, plain.body, plain.headers['content-length']], [200, '', '10'])
  const download = await raw('HEAD', `${sign()}&download`)
  assert.equal(download.headers['content-disposition'], 'attachment; filename="kinora-eeeeffff.mp4"')
  const named = await raw('HEAD', `${sign()}&download&filename=${encodeURIComponent('A/paper "boat"')}`)
  assert.equal(named.headers['content-disposition'], 'attachment; filename="A_paper _boat_.mp4"')
  assert.equal((await raw('HEAD', sign('video/u1/gone.mp4'))).status, 404)
  assert.equal((await raw('HEAD', `${publicUrl}/files/${key}`)).status, 403)
})

test('404: methods other than GET and HEAD → no route', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) assert.equal((await raw(method, sign())).status, 404)
})

test('302: storage in S3 → presigned URL for five minutes at most, never cached, not longer than the link', async (t) => {
  const s3 = openS3({
    bucket: 'films',
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'presigning is local',
    forcePathStyle: true,
  })
  const served = await serveFiles(s3, authSecret)
  t.after(async () => {
    await served.app.close()
    await s3.close()
  })
  const redirect = async (method: string, ttlS: number, query = '') => {
    const url = signLink({ publicUrl: served.publicUrl, authSecret }, key, { nowMs: Date.now(), ttlS })
    const reply = await raw(method, url + query)
    assert.equal(reply.status, 302)
    return { target: new URL(reply.headers.location ?? ''), cache: reply.headers['cache-control'] }
  }
  const day = await redirect('GET', 86_400)
  assert.equal(day.target.origin + day.target.pathname, `http://127.0.0.1:9/films/${key}`)
  assert.equal(day.target.searchParams.get('X-Amz-Expires'), '300')
  assert.equal(day.target.searchParams.get('response-content-type'), 'video/mp4')
  assert.equal(day.target.searchParams.get('response-content-disposition'), null)
  assert.equal(day.cache, 'no-store')
  const download = await redirect('GET', 86_400, '&download')
  assert.equal(
    download.target.searchParams.get('response-content-disposition'),
    'attachment; filename="kinora-eeeeffff.mp4"',
  )
  const short = await redirect('GET', 80)
  assert.ok(Number(short.target.searchParams.get('X-Amz-Expires')) <= 90)
  const head = await redirect('HEAD', 86_400)
  assert.notEqual(head.target.searchParams.get('X-Amz-Signature'), day.target.searchParams.get('X-Amz-Signature'))
})
