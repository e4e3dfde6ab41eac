/** The guarded fetcher against real sockets that are slow, endless, cut off or silent: every limit holds. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { caps, opened, read, refused, secret, serve, serveRaw } from './fetch-servers.ts'

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
  const never = await refused(fetcher.get(`${url}/never?${secret}`, impatient), 'TIMEOUT', true)
  assert.equal(never.message, '127.0.0.1 stopped answering.')
  const { body } = await fetcher.get(`${url}/stalls?${secret}`, impatient)
  const stalled = await refused(read(body), 'TIMEOUT', true)
  assert.equal(stalled.message, '127.0.0.1 stopped answering.')
})

test('a drip that never falls silent ends at the whole time limit', async (t) => {
  const { fetcher, url } = await serve(t, (request, response) => {
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(drip))
    response.writeHead(200, { 'content-type': request.url === '/film' ? 'video/mp4' : 'text/html' })
  })
  const { body } = await fetcher.get(`${url}/film`, { ...caps, timeoutMs: 2000, maxBytes: 1e9 })
  await refused(read(body), 'TIMEOUT', true)
})

test('headers that drip in for ever end at the idle limit', async (t) => {
  const { fetcher, url } = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('a: b\r\n'), 10)
    socket.on('close', () => clearInterval(drip))
  })
  const dripping = await refused(fetcher.get(url, { ...caps, idleTimeoutMs: 200 }), 'TIMEOUT', true)
  assert.equal(dripping.message, '127.0.0.1 stopped answering.')
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
  await fetcher.get(url, { ...caps, timeoutMs: 2000 })
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
