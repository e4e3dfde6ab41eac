/** The limits of SafeFetch against real sockets that are slow, endless, truncated or silent. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { limits, opened, read, refused, secret, serve, serveRaw } from '../support/fetch-servers.ts'

test('TOO_LARGE: one byte over maxBytes, declared or not → refused; exactly maxBytes → accepted', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    const sizeBytes = Number(request.url?.slice(2))
    const declared = request.url?.startsWith('/d') ? { 'content-length': sizeBytes } : {}
    response.writeHead(200, { 'content-type': 'video/mp4', ...declared })
    response.end(Buffer.alloc(sizeBytes))
  })
  for (const kind of ['d', 'u']) {
    const { body } = await safeFetch.get(`${url}/${kind}1000`, limits)
    assert.equal((await read(body)).length, 1000)
  }
  // A declared length over the limit is refused before the body is read, an undeclared one while it streams.
  await refused(safeFetch.get(`${url}/d1001`, limits), 'TOO_LARGE')
  const { body } = await safeFetch.get(`${url}/u1001`, limits)
  await refused(read(body), 'TOO_LARGE')
})

test('TOO_LARGE: endless body → stops at maxBytes and closes the connection', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { safeFetch, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    closed = once(response, 'close')
    const more = () => {
      while (response.write(Buffer.alloc(4096)));
    }
    response.on('drain', more)
    more()
  })
  const { body } = await safeFetch.get(url, { ...limits, maxBytes: 1_000_000 })
  await refused(read(body), 'TOO_LARGE')
  await closed
})

test('get: body abandoned by its reader → connection closed', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { safeFetch, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
    closed = once(response, 'close')
  })
  const { body } = await safeFetch.get(url, limits)
  for await (const _first of body) break
  await closed
})

test('TIMEOUT: idleTimeoutMs without data, before the headers or within the body → retryable', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    if (request.url?.startsWith('/never')) return
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
  })
  const never = await refused(
    safeFetch.get(`${url}/never?${secret}`, { ...limits, idleTimeoutMs: 100 }),
    'TIMEOUT',
    true,
  )
  assert.equal(never.message, '127.0.0.1 stopped answering.')
  // The headers have to arrive in time, on a loaded machine too.
  const { body } = await safeFetch.get(`${url}/stalls?${secret}`, limits)
  const stalled = await refused(read(body), 'TIMEOUT', true)
  assert.equal(stalled.message, '127.0.0.1 stopped answering.')
})

test('TIMEOUT: body that drips without a pause (slowloris) → ends at timeoutMs', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(drip))
    response.writeHead(200, { 'content-type': request.url === '/film' ? 'video/mp4' : 'text/html' })
  })
  const { body } = await safeFetch.get(`${url}/film`, { ...limits, timeoutMs: 2000, maxBytes: 1e9 })
  await refused(read(body), 'TIMEOUT', true)
})

test('TIMEOUT: headers that drip without end (slowloris) → end at idleTimeoutMs', async (t) => {
  const { safeFetch, url } = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('a: b\r\n'), 10)
    socket.on('close', () => clearInterval(drip))
  })
  const dripping = await refused(safeFetch.get(url, { ...limits, idleTimeoutMs: 200 }), 'TIMEOUT', true)
  assert.equal(dripping.message, '127.0.0.1 stopped answering.')
})

test('TIMEOUT: DNS lookup that never returns → ends at timeoutMs', async (t) => {
  const safeFetch = opened(t, { allow: [], lookup: () => new Promise(() => undefined) })
  await refused(safeFetch.get('https://films.example.com/a', { ...limits, timeoutMs: 100 }), 'TIMEOUT', true)
})

test('abort: signal aborted before the headers or within the body → fails with its reason', async (t) => {
  const { safeFetch, url } = await serve(t, (request, response) => {
    if (request.url?.startsWith('/never')) return
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
  })
  const early = new AbortController()
  const never = safeFetch.get(`${url}/never`, { ...limits, signal: early.signal })
  early.abort(new Error('shutting down'))
  await assert.rejects(never, /^Error: shutting down$/)

  const late = new AbortController()
  const { body } = await safeFetch.get(`${url}/stalls`, { ...limits, signal: late.signal })
  const reading = read(body)
  late.abort(new Error('shutting down'))
  await assert.rejects(reading, /^Error: shutting down$/)
})

test('get: body never read → connection closed at timeoutMs, no unhandled error', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { safeFetch, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
    closed = once(response, 'close')
  })
  await safeFetch.get(url, { ...limits, timeoutMs: 2000 })
  await closed
})

test('INCOMPLETE: body shorter than Content-Length, or truncated between chunks → retryable', async (t) => {
  const { safeFetch, url } = await serveRaw(t, (socket, head) => {
    const length = head.startsWith('GET /short') ? 'content-length: 10' : 'transfer-encoding: chunked'
    const piece = head.startsWith('GET /short') ? 'four' : '4\r\nfour\r\n'
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n${length}\r\n\r\n${piece}`)
  })
  for (const kind of ['short', 'chunks']) {
    const { body } = await safeFetch.get(`${url}/${kind}?${secret}`, limits)
    await refused(read(body), 'INCOMPLETE', true)
  }
})

test('get: response that is not HTTP → UNREACHABLE; headers without end → TOO_LARGE', async (t) => {
  const { safeFetch, url } = await serveRaw(t, (socket, head) => {
    if (head.startsWith('GET /ssh')) socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    else socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`)
  })
  await refused(safeFetch.get(`${url}/ssh?${secret}`, limits), 'UNREACHABLE', true)
  await refused(safeFetch.get(`${url}/endless?${secret}`, limits), 'TOO_LARGE', false)
})

test('close: fetch in progress → its body fails with INCOMPLETE', async (t) => {
  const { safeFetch, url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('first')
  })
  const { body } = await safeFetch.get(url, limits)
  const reading = read(body)
  await safeFetch.close()
  await refused(reading, 'INCOMPLETE')
})
