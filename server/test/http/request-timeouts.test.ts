// slow
/** Request timeouts (slowloris, slow read): a slow body is cut off, and leaves no connection or temporary file. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { RequestTimeouts } from '../../src/http/request/request-timeouts.ts'
import { closeHttp, openHttp } from '../../src/http/server.ts'
import { openSignIn } from '../../src/http/sign-in/auth.ts'
import { openKinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { folderOf, keptOf, rowsOf, send } from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const ann = await kinora.person()

/** Sends a request's headers without its body, and waits for 100 Continue. The client never closes the connection. */
async function begin(t: TestContext, url: string, target: string, headers: Record<string, string | number>) {
  const { hostname, port } = new URL(url)
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  t.after(() => socket.destroy())
  const slow = { socket, received: '', isClosed: false }
  socket.on('data', (bytes) => {
    slow.received += bytes
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    slow.isClosed = true
  })
  const lines = Object.entries({ host: 'x', expect: '100-continue', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`POST ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await waitFor('100 Continue', () => slow.received.includes('100 Continue'))
  return slow
}

/** Writes to the socket, because a half-open client notices the closed connection only by writing. */
const isDisconnected = ({ socket, isClosed }: { socket: net.Socket; isClosed: boolean }): boolean => {
  if (!isClosed) socket.write('x')
  return isClosed
}

const authorization = `Bearer ${ann.token}`
const temporaryFiles = () => folderOf(kinora, 'tmp')

/** A second server on the same database, with other timeouts. */
async function openWith(t: TestContext, timeouts: RequestTimeouts): Promise<string> {
  const auth = openSignIn(kinora.app)
  const http = await openHttp(kinora.app, auth, { timeouts })
  t.after(async () => {
    await closeHttp(http, 0)
    await auth.close()
  })
  return http.listen({ port: 0, host: '127.0.0.1' })
}

const SHORT_MS = 3000
const LONG_MS = 60_000
const MB = 1_000_000

test('408: body not sent within the request timeout → connection closed; an authenticated upload has longer', async (t) => {
  const url = await openWith(t, { requestMs: SHORT_MS, uploadMs: LONG_MS, responseMs: LONG_MS })
  const png = await images.plain(64, 64)
  const image = { 'content-type': 'image/png' }
  const upload = await begin(t, url, '/api/v1/video/image', { authorization, ...image, 'content-length': png.length })
  const json = { 'content-type': 'application/json', 'content-length': MB }
  const slow = [
    await begin(t, url, '/api/v1/video/generate', { authorization, ...json }),
    await begin(t, url, '/api/v1/video/generate', json),
    // An unauthenticated upload gets the normal timeout.
    await begin(t, url, '/api/v1/video/image', { ...image, 'content-length': MB }),
    await begin(t, url, '/nowhere', { 'content-length': MB }),
  ]
  for (const each of slow) {
    await waitFor('408', () => each.received.includes('408 Request Timeout'))
    await waitFor('the connection to close', () => isDisconnected(each))
  }
  assert.match(slow[0]?.received ?? '', /The request did not arrive in time; send it again/)
  upload.socket.write(png)
  await waitFor('the image', () => upload.received.includes('200 OK'))
})

test('408: upload not sent within the upload timeout → no temporary file, image or row is left', async (t) => {
  const url = await openWith(t, { requestMs: LONG_MS, uploadMs: SHORT_MS, responseMs: LONG_MS })
  const bob = await kinora.person()
  const headers = { authorization: `Bearer ${bob.token}`, 'content-type': 'image/png', 'content-length': MB }
  const slow = await begin(t, url, '/api/v1/video/image', headers)
  await waitFor('408', () => slow.received.includes('408 Request Timeout'))
  await waitFor('the connection to close', () => isDisconnected(slow) && temporaryFiles().length === 0)
  assert.deepEqual([keptOf(kinora, bob), await rowsOf(kinora, bob)], [[], []])
})

test('429: ninth concurrent upload of a user → refused until one of the eight ends; other users are not limited', async (t) => {
  const [cid, dan] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(64, 64)
  const headers = { authorization: `Bearer ${cid.token}`, 'content-type': 'image/png', 'content-length': png.length }
  const sending = await Promise.all(
    Array.from({ length: 8 }, () => begin(t, kinora.url, '/api/v1/video/image', headers)),
  )
  await waitFor('eight uploads in progress', () => temporaryFiles().length === 8)
  assert.equal((await send(kinora, cid, png)).error?.code, 'RATE_LIMITED')
  assert.equal((await send(kinora, dan, png)).status, 200)
  sending[0]?.socket.destroy()
  sending[1]?.socket.write(png)
  await waitFor('two uploads to end', () => temporaryFiles().length === 6)
  assert.equal((await send(kinora, cid, png)).status, 200)
})

/** Sends `requests` in one packet and reads nothing. Returns how many connections the server has. */
async function pipeline(
  t: TestContext,
  { keepAliveMs, ...timeouts }: RequestTimeouts & { keepAliveMs?: number },
  requests: string,
): Promise<() => Promise<number>> {
  const auth = openSignIn(kinora.app)
  const http = await openHttp(kinora.app, auth, { timeouts })
  if (keepAliveMs !== undefined) http.server.keepAliveTimeout = keepAliveMs
  await http.listen({ port: 0, host: '127.0.0.1' })
  const connected = once(http.server, 'connection')
  const socket = net.connect((http.server.address() as net.AddressInfo).port, '127.0.0.1')
  t.after(async () => {
    socket.destroy()
    await closeHttp(http, 0)
    await auth.close()
  })
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(requests)
  await connected
  return () => promisify(http.server.getConnections.bind(http.server))()
}

const LONG = { requestMs: LONG_MS, uploadMs: LONG_MS, responseMs: LONG_MS }
// 290 kB, so that sixteen responses do not fit into the buffers of a socket.
const largePage = 'GET /docs/api-admin HTTP/1.1\r\nhost: x\r\n\r\n'

test('connection: seventeen requests in one packet, none answered → closed at once', async (t) => {
  const connections = await pipeline(t, LONG, largePage.repeat(17))
  await waitFor('the connection to be closed', async () => (await connections()) === 0)
})

test('connection: sixteen requests in one packet, no response is read → closed after the response timeout', async (t) => {
  const startMs = performance.now()
  const connections = await pipeline(t, { ...LONG, responseMs: SHORT_MS }, largePage.repeat(16))
  await waitFor('the connection to be closed', async () => (await connections()) === 0)
  assert.ok(performance.now() - startMs >= SHORT_MS)
})

test('417: unknown Expect, no further request → closed after the keep-alive timeout', async (t) => {
  const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n'
  const connections = await pipeline(t, { ...LONG, keepAliveMs: 100 }, request)
  await waitFor('the connection to be closed', async () => (await connections()) === 0)
})
