/**
 * The guarded fetcher against real sockets on loopback: what it refuses without connecting, and how it behaves when
 * the other side is slow, endless, cut off, or not what it says.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type FetchCaps, FetchRefused, type GuardedFetch, openFetch } from '../src/fetch.ts'

const caps: FetchCaps = { maxBytes: 1000, timeoutMs: 5000, idleTimeoutMs: 2000, accept: ['video/mp4', 'image/*'] }
const secret = 'X-Signature=hidden'

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
    assert.equal(fetched.url, `${url}/film.mp4?${secret}#part`)
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

test('the size cap is exact: maxBytes passes, one more does not, declared or not', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    const sizeBytes = Number(request.url?.slice(2))
    const declared = request.url?.startsWith('/d') ? { 'content-length': sizeBytes } : {}
    response.writeHead(200, { 'content-type': 'video/mp4', ...declared })
    response.end(Buffer.alloc(sizeBytes))
  })
  for (const kind of ['d', 'u']) {
    const { body } = await fetcher.get(`${url}/${kind}1000`, caps)
    assert.equal((await read(body)).length, 1000)
  }
  // A declared length over the cap is refused before a byte of the body is read, an undeclared one while it streams.
  await refused(fetcher.get(`${url}/d1001`, caps), 'TOO_LARGE')
  const { body } = await fetcher.get(`${url}/u1001`, caps)
  await refused(read(body), 'TOO_LARGE')
})

test('an endless body ends at the cap and the connection is closed', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { fetcher, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    closed = once(response, 'close')
    const more = () => {
      while (response.write(Buffer.alloc(4096)));
    }
    response.on('drain', more)
    more()
  })
  const { body } = await fetcher.get(url, { ...caps, maxBytes: 1_000_000 })
  await refused(read(body), 'TOO_LARGE')
  await closed
})

test('a body that is abandoned closes the connection', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { fetcher, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
    closed = once(response, 'close')
  })
  const { body } = await fetcher.get(url, caps)
  for await (const _first of body) break
  await closed
})

test('silence before the headers, or inside the body, is a TIMEOUT', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    if (request.url?.startsWith('/never')) return
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
  })
  const impatient = { ...caps, idleTimeoutMs: 100 }
  await refused(fetcher.get(`${url}/never?${secret}`, impatient), 'TIMEOUT', true)
  const { body } = await fetcher.get(`${url}/stalls?${secret}`, impatient)
  await refused(read(body), 'TIMEOUT', true)
})

test('a drip that never falls silent ends at the whole time limit', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(drip))
    response.writeHead(200, { 'content-type': request.url === '/film' ? 'video/mp4' : 'text/html' })
  })
  const { body } = await fetcher.get(`${url}/film`, { ...caps, timeoutMs: 300, maxBytes: 1e9 })
  await refused(read(body), 'TIMEOUT', true)
})

test('headers that drip in for ever end at the idle limit', async (t) => {
  const { fetcher, url } = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('a: b\r\n'), 10)
    socket.on('close', () => clearInterval(drip))
  })
  await refused(fetcher.get(url, { ...caps, idleTimeoutMs: 200 }), 'TIMEOUT', true)
})

test('a resolver that never answers does not outlast the time limit', async (t) => {
  const fetcher = opened(t, { allow: [], lookup: () => new Promise(() => undefined) })
  await refused(fetcher.get('https://films.example.com/a', { ...caps, timeoutMs: 100 }), 'TIMEOUT', true)
})

test('the caller may give up, before the answer and inside the body', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    if (request.url?.startsWith('/never')) return
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
  })
  const early = new AbortController()
  const never = fetcher.get(`${url}/never`, { ...caps, signal: early.signal })
  early.abort(new Error('shutting down'))
  await assert.rejects(never, /^Error: shutting down$/)

  const late = new AbortController()
  const { body } = await fetcher.get(`${url}/stalls`, { ...caps, signal: late.signal })
  const reading = read(body)
  late.abort(new Error('shutting down'))
  await assert.rejects(reading, /^Error: shutting down$/)
})

test('a body that nobody reads is dropped at the time limit without harm', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { fetcher, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
    closed = once(response, 'close')
  })
  await fetcher.get(url, { ...caps, timeoutMs: 100 })
  await closed
})

test('a body shorter than declared, or cut off between chunks, is INCOMPLETE', async (t) => {
  const { fetcher, url } = await serveRaw(t, (socket, head) => {
    const length = head.startsWith('GET /short') ? 'content-length: 10' : 'transfer-encoding: chunked'
    const piece = head.startsWith('GET /short') ? 'four' : '4\r\nfour\r\n'
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n${length}\r\n\r\n${piece}`)
  })
  for (const kind of ['short', 'chunks']) {
    const { body } = await fetcher.get(`${url}/${kind}?${secret}`, caps)
    await refused(read(body), 'INCOMPLETE', true)
  }
})

test('an answer that is not HTTP, or has endless headers, is refused', async (t) => {
  const { fetcher, url } = await serveRaw(t, (socket, head) => {
    if (head.startsWith('GET /ssh')) socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    else socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`)
  })
  await refused(fetcher.get(`${url}/ssh?${secret}`, caps), 'UNREACHABLE', true)
  await refused(fetcher.get(`${url}/endless?${secret}`, caps), 'TOO_LARGE', false)
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
  const limits = { timeoutMs: 2000, maxBytes: 1000 }
  assert.deepEqual(await fetcher.post(`${url}/hook`, '{"a":1}', { 'webhook-id': 'm1' }, limits), { status: 202 })
  assert.deepEqual(await fetcher.post(`${url}/moved`, '{}', { 'webhook-id': 'm2' }, limits), { status: 307 })
  assert.deepEqual(seen, ['POST /hook m1 {"a":1}', 'POST /moved m2 {}'])
  await refused(fetcher.post('https://10.0.0.1/hook', '{}', {}, limits), 'ADDRESS_REFUSED')
})

test('a close ends what is under way', async (t) => {
  const { fetcher, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
  })
  const { body } = await fetcher.get(url, caps)
  const reading = read(body)
  await fetcher.close()
  await refused(reading, 'INCOMPLETE')
})

test('toFile that cannot write fails with the file system error', async (t) => {
  const { fetcher, url } = await serve(t, (_request, response) => void response.end('never asked for'))
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-fetch-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'file'), '')
  await assert.rejects(fetcher.toFile(url, path.join(folder, 'file', 'below'), caps), { code: 'ENOTDIR' })
})

/** Checks the code, and that neither message nor stack lets the signed query out. */
async function refused(outcome: Promise<unknown>, code: string, retryable?: boolean): Promise<FetchRefused> {
  const error = await outcome.then(
    () => assert.fail(`expected ${code}, but it went well`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof FetchRefused, String(error))
  assert.equal(error.code, code)
  assert.ok(!`${error.message}${error.stack}`.includes(secret), error.message)
  assert.match(error.message, /^[^\n]+\.$/)
  if (retryable !== undefined) assert.equal(error.retryable, retryable)
  return error
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function opened(t: TestContext, options: Parameters<typeof openFetch>[0]): GuardedFetch {
  const fetcher = openFetch(options)
  t.after(() => fetcher.close())
  return fetcher
}

async function serve(t: TestContext, listener: http.RequestListener) {
  const server = http.createServer(listener)
  const port = await listening(t, server)
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { fetcher: opened(t, { allow: [`127.0.0.1:${port}`] }), url: `http://127.0.0.1:${port}`, close }
}

async function serveRaw(t: TestContext, answer: (socket: net.Socket, head: string) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (head) => answer(socket, head.toString()))
  })
  const port = await listening(t, server)
  return { fetcher: opened(t, { allow: [`127.0.0.1:${port}`] }), url: `http://127.0.0.1:${port}` }
}

async function listening(t: TestContext, server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => sockets.add(socket))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
