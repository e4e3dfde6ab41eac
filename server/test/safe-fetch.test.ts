/** The guarded fetcher against real sockets: what it sends, what it takes for an answer, and what it leaves on disk. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { caps, listening, opened, read, refused, secret, serve } from './fetch-servers.ts'

test('a film is fetched whole, with its facts', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'identity')
    assert.match(request.headers['user-agent'] ?? '', /^Kinora\/\d+\.\d+\.\d+$/)
    assert.equal(request.headers.accept, 'video/mp4, image/*')
    assert.equal(request.headers.cookie, undefined)
    assert.equal(request.headers.authorization, undefined)
    response.writeHead(200, { 'content-type': 'Video/MP4; codecs=avc1', 'set-cookie': 'a=b', 'content-length': 5 })
    response.end('whole')
  })
  for (const _again of [1, 2]) {
    const fetched = await fetcher.get(`${url}/film.mp4?${secret}#part`, caps)
    assert.equal(fetched.contentType, 'video/mp4')
    assert.equal(fetched.sizeBytes, 5)
    assert.equal(fetched.url, `${url}/film.mp4?${secret}`)
    assert.equal(await read(fetched.body), 'whole')
  }
})

test('without a declared length the size is null and the body still whole', async (t) => {
  const { fetcher, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/webp' })
    response.write('a')
    response.end('b')
  })
  const fetched = await fetcher.get(url, caps)
  assert.equal(fetched.sizeBytes, null)
  assert.equal(await read(fetched.body), 'ab')
})

test('a wrong or missing content type is TYPE_REFUSED', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    const type = decodeURIComponent(request.url?.slice(1) ?? '')
    response.writeHead(200, type ? { 'content-type': type } : {})
    response.end('<html>')
  })
  for (const type of ['text/html', '', 'video/mp4x', 'imagery/png', 'image', 'application/octet-stream']) {
    await refused(fetcher.get(`${url}/${encodeURIComponent(type)}`, caps), 'TYPE_REFUSED', false)
  }
  for (const type of ['image/png', 'IMAGE/JPEG;q=1', ' video/mp4 ']) {
    const { body } = await fetcher.get(`${url}/${encodeURIComponent(type)}`, caps)
    assert.equal(await read(body), '<html>')
  }
})

test('a compressed answer is refused, never decoded', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { fetcher, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-encoding': 'gzip', 'content-length': bomb.length })
    response.end(bomb)
  })
  await refused(fetcher.get(url, { ...caps, maxBytes: 100_000 }), 'TYPE_REFUSED', false)
})

test('any status but 200 is STATUS, retryable where time may mend it', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1, 4)), { 'content-type': 'video/mp4' })
    response.end()
  })
  const retryable = {
    204: false,
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
    const error = await refused(fetcher.get(`${url}/${status}?${secret}`, caps), 'STATUS', expected)
    assert.equal(error.status, Number(status))
  }
})

test('nobody listening is UNREACHABLE, and so is a name without an address', async (t) => {
  const { fetcher, url, close } = await serve(t, (_request, response) => void response.end())
  await close()
  await refused(fetcher.get(`${url}/?${secret}`, caps), 'UNREACHABLE', true)
  const nameless = opened(t, { allow: [], lookup: async () => [] })
  await refused(nameless.get(`https://nowhere.example.com/?${secret}`, caps), 'UNREACHABLE', true)
})

test('the TLS handshake names the host, and a certificate nobody vouches for is refused', async (t) => {
  const hello = Promise.withResolvers<Buffer>()
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      hello.resolve(data)
      socket.destroy()
    })
  })
  const port = await listening(t, server)
  const fetcher = opened(t, { allow: [`films.example.com:${port}`], lookup: async () => ['127.0.0.1'] })
  await refused(fetcher.get(`https://films.example.com:${port}/a`, caps), 'UNREACHABLE', true)
  assert.ok((await hello.promise).includes('films.example.com'))
})

test('toFile leaves a whole new file, or none', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-fetch-'))
  t.after(() => rm(folder, { recursive: true }))
  const film = Buffer.alloc(300_000, 'film')
  const { fetcher, url } = await serve(t, (request, response) => {
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-type': 'video/mp4' })
    response.write(film)
    if (request.url === '/cut') setImmediate(() => response.destroy())
    else response.end()
  })
  const large = { ...caps, maxBytes: film.length }
  const file = path.join(folder, 'film.mp4')
  assert.deepEqual(await fetcher.toFile(`${url}/whole`, file, large), {
    contentType: 'video/mp4',
    sizeBytes: film.length,
  })
  assert.deepEqual(await readFile(file), film)

  await assert.rejects(fetcher.toFile(`${url}/whole`, file, large), { code: 'EEXIST' })
  assert.deepEqual(await readFile(file), film, 'a file that was there before is left alone')

  await refused(fetcher.toFile(`${url}/cut`, path.join(folder, 'cut'), large), 'INCOMPLETE')
  await refused(
    fetcher.toFile(`${url}/whole`, path.join(folder, 'large'), { ...large, maxBytes: film.length - 1 }),
    'TOO_LARGE',
  )
  await refused(fetcher.toFile(`${url}/missing`, path.join(folder, 'missing'), large), 'STATUS')
  await refused(fetcher.toFile('https://127.0.0.1/', path.join(folder, 'private'), large), 'ADDRESS_REFUSED')
  assert.deepEqual(await readdir(folder), ['film.mp4'])
})

test('post sends the body once, follows nothing and answers with the status', async (t) => {
  const seen: string[] = []
  const { fetcher, url } = await serve(t, async (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['webhook-id']} ${await read(request)}`)
    response.writeHead(request.url === '/moved' ? 307 : 202, { location: '/elsewhere' })
    response.end('x'.repeat(100_000))
  })
  const limits = { timeoutMs: 10_000, maxBytes: 1000 }
  assert.deepEqual(await fetcher.post(`${url}/hook`, '{"a":1}', { 'webhook-id': 'm1' }, limits), { status: 202 })
  assert.deepEqual(await fetcher.post(`${url}/moved`, '{}', { 'webhook-id': 'm2' }, limits), { status: 307 })
  assert.deepEqual(seen, ['POST /hook m1 {"a":1}', 'POST /moved m2 {}'])
  await refused(fetcher.post('https://10.0.0.1/hook', '{}', {}, limits), 'ADDRESS_REFUSED')
})

test('toFile that cannot write fails with the file system error', async (t) => {
  const { fetcher, url } = await serve(t, (_request, response) => void response.end('never asked for'))
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-fetch-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'file'), '')
  await assert.rejects(fetcher.toFile(url, path.join(folder, 'file', 'below'), caps), { code: 'ENOTDIR' })
})
