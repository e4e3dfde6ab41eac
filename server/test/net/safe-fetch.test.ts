/** SafeFetch against real sockets: its request headers, the responses it accepts, and the files it leaves on disk. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { limits, listening, opened, read, refused, secret, serve } from '../support/fetch-servers.ts'

test('get: 200 with an accepted type → whole body, content type, size and final URL', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'identity')
    assert.match(request.headers['user-agent'] ?? '', /^Kinora\/\d+\.\d+\.\d+$/)
    assert.equal(request.headers.accept, 'video/mp4, image/*')
    assert.equal(request.headers.cookie, undefined)
    assert.equal(request.headers.authorization, undefined)
    response.writeHead(200, { 'content-type': 'Video/MP4; codecs=avc1', 'set-cookie': 'a=b', 'content-length': 5 })
    response.end('whole')
  })
  for (const _again of [1, 2]) {
    const fetched = await safeFetch.get(`${url}/film.mp4?${secret}#part`, limits)
    assert.equal(fetched.contentType, 'video/mp4')
    assert.equal(fetched.sizeBytes, 5)
    assert.equal(fetched.url, `${url}/film.mp4?${secret}`)
    assert.equal(await read(fetched.body), 'whole')
  }
})

test('get: no Content-Length → size null, whole body', async (t) => {
  const { safeFetch, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/webp' })
    response.write('a')
    response.end('b')
  })
  const fetched = await safeFetch.get(url, limits)
  assert.equal(fetched.sizeBytes, null)
  assert.equal(await read(fetched.body), 'ab')
})

test('TYPE_REFUSED: a page, data, a playlist or a refused type → not retryable; generic, missing or wrong types are read', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    const type = decodeURIComponent(request.url?.slice(1) ?? '')
    response.writeHead(200, type ? { 'content-type': type } : {})
    response.end('<html>')
  })
  for (const type of [
    'text/html',
    'Text/HTML; charset=utf-8',
    'text/xml',
    'application/xml',
    'application/json',
    'application/problem+json',
    'application/xhtml+xml',
    'application/dash+xml',
    'image/svg+xml',
    'application/vnd.apple.mpegurl',
    'audio/x-mpegurl',
    'audio/mp4',
    'image/gif',
  ]) {
    await refused(safeFetch.get(`${url}/${encodeURIComponent(type)}`, limits), 'TYPE_REFUSED', false)
  }
  for (const type of [
    '',
    'image/png',
    'IMAGE/JPEG;q=1',
    ' video/mp4 ',
    'video/mp4x',
    'text/plain',
    'binary/octet-stream',
    'application/force-download',
  ]) {
    const { body } = await safeFetch.get(`${url}/${encodeURIComponent(type)}`, limits)
    assert.equal(await read(body), '<html>')
  }
})

test('NOT_READY: 202, 204 or no bytes → retryable, no file', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'content-type': 'video/mp4' }).end()
  })
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-fetch-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const status of [202, 204, 200]) {
    await refused(safeFetch.toFile(`${url}/${status}`, path.join(folder, 'film'), limits), 'NOT_READY', true)
  }
  assert.deepEqual(await readdir(folder), [])
})

test('TYPE_REFUSED: compressed response → never decoded', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { safeFetch, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-encoding': 'gzip', 'content-length': bomb.length })
    response.end(bomb)
  })
  await refused(safeFetch.get(url, { ...limits, maxBytes: 100_000 }), 'TYPE_REFUSED', false)
})

test('STATUS: any status but 200 → retryable for transient statuses only', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1, 4)), { 'content-type': 'video/mp4' })
    response.end()
  })
  const retryable = {
    206: false,
    304: false,
    401: false,
    403: true,
    404: true,
    410: false,
    429: true,
    503: true,
  }
  for (const [status, expected] of Object.entries(retryable)) {
    const error = await refused(safeFetch.get(`${url}/${status}?${secret}`, limits), 'STATUS', expected)
    assert.equal(error.status, Number(status))
  }
})

test('UNREACHABLE: connection refused, or a name without an address → retryable', async (t) => {
  const { safeFetch, url, close } = await serve(t, (_request, response) => void response.end())
  await close()
  await refused(safeFetch.get(`${url}/?${secret}`, limits), 'UNREACHABLE', true)
  const nameless = opened(t, { allow: [], lookup: async () => [] })
  await refused(nameless.get(`https://nowhere.example.com/?${secret}`, limits), 'UNREACHABLE', true)
})

test('UNREACHABLE: failed TLS handshake → SNI carried the host name, retryable', async (t) => {
  const hello = Promise.withResolvers<Buffer>()
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      hello.resolve(data)
      socket.destroy()
    })
  })
  const port = await listening(t, server)
  const safeFetch = opened(t, { allow: [`films.example.com:${port}`], lookup: async () => ['127.0.0.1'] })
  await refused(safeFetch.get(`https://films.example.com:${port}/a`, limits), 'UNREACHABLE', true)
  assert.ok((await hello.promise).includes('films.example.com'))
})

test('toFile: success → whole new file; any failure → no file, an existing file untouched', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-fetch-'))
  t.after(() => rm(folder, { recursive: true }))
  const film = Buffer.alloc(300_000, 'film')
  const { safeFetch, url } = await serve(t, (request, response) => {
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-type': 'video/mp4' })
    response.write(film)
    if (request.url === '/cut') setImmediate(() => response.destroy())
    else response.end()
  })
  const large = { ...limits, maxBytes: film.length }
  const file = path.join(folder, 'film.mp4')
  assert.deepEqual(await safeFetch.toFile(`${url}/whole`, file, large), {
    contentType: 'video/mp4',
    sizeBytes: film.length,
  })
  assert.deepEqual(await readFile(file), film)

  await assert.rejects(safeFetch.toFile(`${url}/whole`, file, large), { code: 'EEXIST' })
  assert.deepEqual(await readFile(file), film, 'an existing file is untouched')

  await refused(safeFetch.toFile(`${url}/cut`, path.join(folder, 'cut'), large), 'INCOMPLETE')
  await refused(
    safeFetch.toFile(`${url}/whole`, path.join(folder, 'large'), { ...large, maxBytes: film.length - 1 }),
    'TOO_LARGE',
  )
  await refused(safeFetch.toFile(`${url}/missing`, path.join(folder, 'missing'), large), 'STATUS')
  await refused(safeFetch.toFile('https://127.0.0.1/', path.join(folder, 'private'), large), 'ADDRESS_REFUSED')
  assert.deepEqual(await readdir(folder), ['film.mp4'])
})

test('toFile: unwritable path → error of the file system', async (t) => {
  const { safeFetch, url } = await serve(t, (_request, response) => void response.end('never requested'))
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-fetch-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'file'), '')
  await assert.rejects(safeFetch.toFile(url, path.join(folder, 'file', 'below'), limits), { code: 'ENOTDIR' })
})
